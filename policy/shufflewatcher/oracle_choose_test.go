package shufflewatcher_test

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/oracle/figure3"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// wish is a candidate of the naive choice.
type wish struct {
	j                slotmodel.Job
	k                slotmodel.Kind
	task             slotmodel.Task // of a map
	local            string
	preferred, heavy bool
}

// wishes lists the candidates of a user for a node in the order of arrival.
func (w *watchedShuffle) wishes(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (all []wish) {
	for _, j := range policytest.ByArrival(v) {
		s, r := v.Spec(j), w.c.Nodes[n].Rack
		if slotmodel.User(s.User) != u || !v.Present(j) {
			continue
		}
		p, _ := w.Plan(j)
		heavy := w.ratios[j].Input > 0 && w.ratios[j].Output > w.ratios[j].Input
		if w.mapsFit(v, j, n) {
			x := wish{j: j, heavy: heavy, preferred: slices.Contains(p.Racks, r)}
			x.task, x.local = w.nearest(v, j, n)
			if x.local == "" && x.preferred {
				x.task = w.outside(v, j, p.Racks, x.task)
			}
			all = append(all, x)
		}
		if w.enabled[j] && v.Fits(j, slotmodel.Reduce, n) {
			held := 0
			for i := range s.Reduces.Tasks {
				if at, ran := w.held[v.Task(j, slotmodel.Reduce, i)]; ran && at == r {
					held++
				}
			}
			all = append(all, wish{j: j, k: slotmodel.Reduce, heavy: heavy, preferred: w.quotas[j] != nil && held < w.quotas[j][r]})
		}
	}
	return all
}

// pick returns the index of the task that Figure 3 chooses for a node, -1 if there is none, and the
// rule.
func (w *watchedShuffle) pick(all []wish, n slotmodel.Node) (best int, why string) {
	var tasks []figure3.Task
	for _, x := range all {
		at, _ := w.v.Arrival(x.j)
		tasks = append(tasks, figure3.Task{Reduce: x.k == slotmodel.Reduce, Preferred: x.preferred, Heavy: x.heavy, Local: x.local, Arrival: at, Window: math.Floor(at / w.window)})
	}
	return figure3.Choose(tasks, w.flags[w.c.Nodes[n].Rack])
}

// count counts a choice on a node.
func (w *watchedShuffle) count(rule string, n slotmodel.Node) {
	flag := 0
	if w.flags[w.c.Nodes[n].Rack] {
		flag = 1
	}
	for why := range w.chosen[flag] {
		if shuffle.Reason(why).String() == rule {
			w.chosen[flag][why]++
		}
	}
}

// mayDecline reports whether a job of a task that is not preferred may wait for another rack.
func (w *watchedShuffle) mayDecline(x wish) bool {
	p, _ := w.Plan(x.j)
	if x.k == slotmodel.Map {
		return w.Patience > 0 && !x.preferred && len(p.Racks) > 0 && (x.heavy || x.local == "")
	}
	return w.Patience > 0 && !x.preferred && w.quotas[x.j] != nil && x.heavy
}

// declines reports whether a task waits for another rack; turn: it may begin to.
func (w *watchedShuffle) declines(v *slotmodel.View, x wish, turn bool) bool {
	if !w.mayDecline(x) {
		return false
	}
	until, begun := w.until[wait{x.j, x.k}]
	if !begun && turn {
		until = v.Now() + w.Patience
		w.until[wait{x.j, x.k}] = until
	}
	if turn && v.Now() < until {
		w.declined++
	}
	return v.Now() < until
}

// Prefers is checked.
func (w *watchedShuffle) Prefers(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) bool {
	got := w.Chooser.Prefers(v, u, n)
	w.sensed()
	all := slices.DeleteFunc(w.wishes(v, u, n), func(x wish) bool {
		_, begun := w.until[wait{x.j, x.k}]
		return w.mayDecline(x) && !begun || w.declines(v, x, false)
	})
	best, _ := w.pick(all, n)
	if want := best >= 0 && all[best].preferred; got != want {
		w.t.Fatalf("at %v s Prefers(user %d, node %d) = %t, want %t", v.Now(), u, n, got, want)
	}
	return got
}

// Choose is checked.
func (w *watchedShuffle) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	j, k, task, ok := w.Chooser.Choose(v, u, n)
	w.sensed()
	if v.Now() >= w.at+w.period && v.Now() > w.at {
		w.t.Fatalf("at %v s the last period has ended at %v s", v.Now(), w.at)
	}
	all := w.wishes(v, u, n)
	best, why := w.pick(all, n)
	for best >= 0 && w.declines(v, all[best], true) {
		all = slices.Delete(all, best, best+1)
		best, why = w.pick(all, n)
	}
	want := best >= 0
	if want && w.Wait > 0 {
		x := all[best]
		p, _ := w.Plan(x.j)
		local := x.local != "" && (w.WaitFor == shufflewatcher.LocalTasks || len(p.Racks) == 0)
		if near := x.preferred || local || x.k == slotmodel.Reduce && (w.quotas[x.j] == nil || !x.heavy); near {
			w.waits[u] = math.NaN()
		} else if math.IsNaN(w.waits[u]) {
			w.waits[u] = v.Now()
		}
		want = math.IsNaN(w.waits[u]) || v.Now() >= w.waits[u]+w.Wait
	}
	if !want {
		if ok {
			w.t.Fatalf("at %v s user %d starts a %v of job %d on node %d, want nothing", v.Now(), u, k, j, n)
		}
		return j, k, task, ok
	}
	w.count(why, n)
	if all[best].preferred {
		delete(w.until, wait{all[best].j, all[best].k})
	}
	if x := all[best]; !ok || j != x.j || k != x.k {
		w.t.Fatalf("at %v s user %d starts a %v of job %d (%t) on node %d, want %+v as a %s", v.Now(), u, k, j, ok, n, x, why)
	} else if k == slotmodel.Map && policytest.Wide(v.Spec(j)) == 1 {
		got := task
		if got == slotmodel.None {
			got, _ = w.nearest(v, j, n)
		}
		if got != x.task {
			w.t.Fatalf("at %v s job %d starts map task %d on node %d, want %d", v.Now(), j, got, n, x.task)
		}
	}
	return j, k, task, ok
}

// mapsFit reports whether a job can start a map on a node, a rigid job all of them.
func (w *watchedShuffle) mapsFit(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node) bool {
	s := v.Spec(j)
	if policytest.Wide(s) == 1 {
		return v.Fits(j, slotmodel.Map, n)
	}
	room := 0
	for m := range slotmodel.Node(v.Nodes()) {
		_, free := v.Memory(m)
		for i := range v.Free(slotmodel.Map, m) {
			if float64(i+1)*s.Maps.Memory <= free {
				room++
			}
		}
	}
	return v.Runnable(j, slotmodel.Map) && v.Free(slotmodel.Map, n) > 0 && room >= policytest.Wide(s)
}

// nearest returns the waiting map of a job that is nearest to a node, the first one of those, and
// how near it is.
func (w *watchedShuffle) nearest(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node) (slotmodel.Task, string) {
	s := v.Spec(j)
	first, inRack := slotmodel.Task(slotmodel.None), slotmodel.Task(slotmodel.None)
	for t := v.NextPending(j, slotmodel.Map, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, slotmodel.Map, t) {
		if s.Replicas == nil {
			return t, "node"
		}
		if first == slotmodel.None {
			first = t
		}
		_, _, i := v.Index(t)
		for _, h := range s.Replicas[i*s.Copies : (i+1)*s.Copies] {
			if h == int32(n) {
				return t, "node"
			}
			if h >= 0 && w.c.Nodes[h].Rack == w.c.Nodes[n].Rack && inRack == slotmodel.None {
				inRack = t
			}
		}
	}
	if inRack != slotmodel.None {
		return inRack, "rack"
	}
	return first, ""
}

// outside returns the first waiting map of a job without a copy in some racks, otherwise another
// one.
func (w *watchedShuffle) outside(v *slotmodel.View, j slotmodel.Job, racks []int, otherwise slotmodel.Task) slotmodel.Task {
	for t := v.NextPending(j, slotmodel.Map, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, slotmodel.Map, t) {
		_, _, i := v.Index(t)
		if !slices.ContainsFunc(w.holders(v, j, i), func(r int) bool { return slices.Contains(racks, r) }) {
			return t
		}
	}
	return otherwise
}
