package shufflewatcher_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// watchedShuffle is a Chooser each of whose choices is checked against a naive one, which knows the
// plans and how shuffle divides reduces.
type watchedShuffle struct {
	*shufflewatcher.Chooser
	period, window, mapsDone float64 // with defaults resolved

	t       testing.TB
	c       *slotmodel.Cluster
	v       *slotmodel.View
	held    map[slotmodel.Task]int // the rack where a reduce runs or has run
	enabled []bool
	plans   []shuffle.MapPlan
	quotas  [][]int
	ratios  []shuffle.Ratio // sums of each job
	types   map[int]shuffle.Ratio
	flags   []bool
	read    []shuffle.Link // bytes at the end of the last period
	at      float64        // that end
	quiet   bool           // nothing has run at some time since
	waits   []float64      // since when a user waits; NaN: it does not
	lines   [19]int
	changes int // of flags
}

// newWatchedShuffle checks a Chooser, whose Measured it sets.
func newWatchedShuffle(t testing.TB, c *slotmodel.Cluster, s *shufflewatcher.Chooser) *watchedShuffle {
	w := &watchedShuffle{Chooser: s, t: t, c: c, period: s.Period, window: s.Window, mapsDone: s.MapsDone}
	s.Measured = w.measured
	if w.window == 0 {
		w.window = 600
	}
	if w.period == 0 {
		w.period = 3
	}
	if w.mapsDone == 0 {
		w.mapsDone = .15
	}
	return w
}

func (w *watchedShuffle) BeginRun(v *slotmodel.View) {
	w.v, w.at, w.quiet, w.types = v, 0, true, map[int]shuffle.Ratio{}
	w.held, w.plans = map[slotmodel.Task]int{}, make([]shuffle.MapPlan, v.Jobs())
	w.enabled, w.quotas, w.ratios = make([]bool, v.Jobs()), make([][]int, v.Jobs()), make([]shuffle.Ratio, v.Jobs())
	w.flags, w.read = make([]bool, v.Racks()), make([]shuffle.Link, v.Racks())
	w.waits = slices.Repeat([]float64{math.NaN()}, v.Users())
	w.Chooser.BeginRun(v)
}

// measured checks what is read of a rack at the end of a period.
func (w *watchedShuffle) measured(r slotmodel.Rack, mean shuffle.Link) shuffle.Link {
	now := w.v.Now()
	d := now - w.at
	if d < w.period*(1-1e-9) || d > w.period*(1+1e-9) && !w.quiet {
		w.t.Fatalf("a period ends at %v s, %v s after the last, want %v", now, d, w.period)
	}
	out, in := w.v.LinkBytes(r)
	if x := w.read[r]; math.Abs(mean.Out*d-(out-x.Out)) > 1e-9*(1+out) || math.Abs(mean.In*d-(in-x.In)) > 1e-9*(1+in) {
		w.t.Fatalf("at %v s the mean of rack %d is %v, want %v and %v bytes in %v s", now, r, mean, out-x.Out, in-x.In, d)
	}
	w.read[r] = shuffle.Link{Out: out, In: in}
	full := mean.Out/w.c.Racks[r].Egress > .8 || mean.In/w.c.Racks[r].Ingress > .8
	if full != w.flags[r] {
		w.changes++
	}
	w.flags[r] = full
	if int(r) == w.v.Racks()-1 {
		w.at, w.quiet = now, w.still(w.v)
	}
	return mean
}

// Observe checks plans and quotas.
func (w *watchedShuffle) Observe(v *slotmodel.View, e slotmodel.Event) {
	if e.Type == slotmodel.Arrived {
		w.plans[e.Job] = w.plan(v, e.Job)
	}
	w.Chooser.Observe(v, e)
	if e.Job == slotmodel.None {
		return
	}
	switch e.Type {
	case slotmodel.Started:
		w.held[e.Task] = w.c.Nodes[e.Node].Rack
	case slotmodel.Killed, slotmodel.Crashed:
		delete(w.held, e.Task)
	}
	w.quiet = w.quiet || w.still(v)
	s := v.Spec(e.Job)
	if got, _ := w.Plan(e.Job); !reflect.DeepEqual(got, w.plans[e.Job]) {
		w.t.Fatalf("at %v s the plan of job %d is %+v, want %+v", v.Now(), e.Job, got, w.plans[e.Job])
	}
	if e.Type == slotmodel.Ended && e.Kind == slotmodel.Map && !w.TrueRatio {
		in, out := s.Input/float64(s.Maps.Tasks), s.Shuffle/float64(s.Maps.Tasks)
		x := &w.ratios[e.Job]
		x.Input, x.Output = x.Input+in, x.Output+out
		if w.TypeOf != nil {
			y := w.types[w.TypeOf(e.Job)]
			w.types[w.TypeOf(e.Job)] = shuffle.Ratio{Input: y.Input + in, Output: y.Output + out}
		}
	}
	if e.Type == slotmodel.Ended && e.Kind == slotmodel.Map && w.enabled[e.Job] && (w.Recompute || w.quotas[e.Job] == nil) {
		w.quotas[e.Job] = w.quota(v, e.Job)
	}
	for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
		waiting := 0
		for i := v.NextActive(slotmodel.None); i != slotmodel.None; i = v.NextActive(i) {
			if v.Spec(i).User == v.Spec(j).User {
				waiting += v.Count(i, slotmodel.Map).Pending()
			}
		}
		if !w.enabled[j] && (e.Type == slotmodel.MapsEnded && e.Job == j || waiting == 0) {
			w.enabled[j] = true
			w.quotas[j] = w.quota(v, j)
		}
		if _, got := w.Plan(j); w.enabled[j] && !slices.Equal(got, w.quotas[j]) {
			w.t.Fatalf("at %v s the quotas of job %d are %v, want %v", v.Now(), j, got, w.quotas[j])
		}
	}
}

// still reports whether nothing runs.
func (w *watchedShuffle) still(v *slotmodel.View) bool {
	running := 0
	for u := range slotmodel.User(v.Users()) {
		running += v.UserRunning(u, slotmodel.Map) + v.UserRunning(u, slotmodel.Reduce)
	}
	return running == 0
}

// holders lists the racks with a copy of the block of a map; all of them if nobody needs to fetch
// it.
func (w *watchedShuffle) holders(v *slotmodel.View, j slotmodel.Job, i int) []int {
	var racks []int
	s := v.Spec(j)
	for c := range s.Copies {
		if n := s.Replicas[i*s.Copies+c]; n >= 0 && !slices.Contains(racks, w.c.Nodes[n].Rack) {
			racks = append(racks, w.c.Nodes[n].Rack)
		}
	}
	if racks == nil {
		for r := range v.Racks() {
			racks = append(racks, r)
		}
	}
	return racks
}

// plan is SAMP's of a job that arrives.
func (w *watchedShuffle) plan(v *slotmodel.View, j slotmodel.Job) shuffle.MapPlan {
	s := v.Spec(j)
	if w.TypeOf != nil {
		w.ratios[j] = w.types[w.TypeOf(j)]
	}
	if w.TrueRatio {
		w.ratios[j] = shuffle.Ratio{Input: s.Input, Output: s.Shuffle}
	}
	if w.NoSAMP || s.Maps.Tasks == 0 || policytest.Wide(s) > 1 {
		return shuffle.MapPlan{}
	}
	o := shuffle.Options{Load: make([]float64, v.Racks())}
	for i := v.NextActive(slotmodel.None); i != slotmodel.None; i = v.NextActive(i) {
		p, _ := w.Plan(i)
		c := v.Count(i, slotmodel.Map)
		for r := range p.Maps {
			o.Load[r] += p.Maps[r] * (float64(c.Pending()) / float64(c.Tasks))
		}
	}
	if w.Waves > 0 {
		o.Slots = make([]int, v.Racks())
		for _, n := range w.c.Nodes {
			o.Slots[n.Rack] += w.Waves * (n.Maps + n.Slots)
		}
	}
	ratio := 1.
	if x := w.ratios[j]; x.Input > 0 {
		ratio = x.Output / x.Input
	}
	var blocks []shuffle.Block
	for i := range s.Maps.Tasks {
		blocks = append(blocks, shuffle.Block{Bytes: s.Input / float64(s.Maps.Tasks), Racks: w.holders(v, j, i)})
	}
	p, err := shuffle.MapRacks(blocks, v.Racks(), ratio, s.Reduces.Tasks, o)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// quota is SARP's of a job.
func (w *watchedShuffle) quota(v *slotmodel.View, j slotmodel.Job) []int {
	reduces := v.Spec(j).Reduces.Tasks
	if w.NoSARP || reduces == 0 {
		return nil
	}
	var output []float64
	for r := range slotmodel.Rack(v.Racks()) {
		output = append(output, v.Output(j, r))
	}
	maps := v.Count(j, slotmodel.Map)
	if float64(maps.Done) >= w.mapsDone*float64(maps.Tasks) && slices.Max(output) > 0 {
		q, err := shuffle.ReducesPerRack(nil, output, reduces)
		if err != nil {
			w.t.Fatal(err)
		}
		return q
	}
	if w.quotas[j] != nil {
		return w.quotas[j]
	}
	p, _ := w.Plan(j)
	return p.Reduces
}

// wish is a candidate of the naive choice.
type wish struct {
	j                slotmodel.Job
	k                slotmodel.Kind
	task             slotmodel.Task // of a map
	local            string
	preferred, heavy bool
}

// figure3 is the text of the paper's Figure 3: the conditions of lines 4 to 9 and 13 to 18.
var figure3 = map[int]func(w wish) bool{
	4: func(w wish) bool { return w.k == slotmodel.Map && w.preferred },
	5: func(w wish) bool { return w.k == slotmodel.Map && w.local != "" },
	6: func(w wish) bool { return w.k == slotmodel.Map },
	7: func(w wish) bool { return w.k == slotmodel.Reduce && !w.heavy },
	8: func(w wish) bool { return w.k == slotmodel.Reduce && w.heavy && w.preferred },
	9: func(w wish) bool { return w.k == slotmodel.Reduce },

	13: func(w wish) bool { return w.k == slotmodel.Reduce && w.heavy && w.preferred },
	14: func(w wish) bool { return w.k == slotmodel.Reduce && w.heavy },
	15: func(w wish) bool { return w.k == slotmodel.Reduce },
	16: func(w wish) bool { return w.k == slotmodel.Map && w.preferred },
	17: func(w wish) bool { return w.k == slotmodel.Map && w.local != "" },
	18: func(w wish) bool { return w.k == slotmodel.Map },
}

// wishes lists the candidates of a user for a node in the order of arrival.
func (w *watchedShuffle) wishes(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (all []wish) {
	for _, j := range policytest.ByArrival(v) {
		s, r := v.Spec(j), w.c.Nodes[n].Rack
		if slotmodel.User(s.User) != u || !v.Present(j) {
			continue
		}
		p, _ := w.Plan(j)
		if w.mapsFit(v, j, n) {
			x := wish{j: j, preferred: slices.Contains(p.Racks, r)}
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
			heavy := w.ratios[j].Input > 0 && w.ratios[j].Output > w.ratios[j].Input
			all = append(all, wish{j: j, k: slotmodel.Reduce, heavy: heavy, preferred: w.quotas[j] != nil && held < w.quotas[j][r]})
		}
	}
	return all
}

// Choose is checked.
func (w *watchedShuffle) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	j, k, task, ok := w.Chooser.Choose(v, u, n)
	if v.Now() >= w.at+w.period && v.Now() > w.at {
		w.t.Fatalf("at %v s the last period has ended at %v s", v.Now(), w.at)
	}
	all := w.wishes(v, u, n)
	if w.window < math.Inf(1) {
		window := func(x wish) float64 {
			at, _ := v.Arrival(x.j)
			return math.Floor(at / w.window)
		}
		first := math.Inf(1)
		for _, x := range all {
			first = min(first, window(x))
		}
		all = slices.DeleteFunc(all, func(x wish) bool { return window(x) > first })
	}
	saturated := w.flags[w.c.Nodes[n].Rack]
	switch w.NetSat {
	case shufflewatcher.SaturatedAny:
		saturated = slices.Contains(w.flags, true)
	case shufflewatcher.SaturatedNever:
		saturated = false
	case shufflewatcher.SaturatedAlways:
		saturated = true
	}
	lines := []int{13, 14, 15, 16, 17, 18}
	if saturated {
		lines = []int{4, 5, 6, 7, 8, 9}
	}
	best, chose := -1, 0
	for _, line := range lines {
		for i, x := range all {
			nearer := best >= 0 && chose == line && (line == 5 || line == 17) && all[best].local == "rack" && x.local == "node"
			if figure3[line](x) && (best < 0 || nearer) {
				best, chose = i, line
			}
		}
	}
	want := best >= 0
	if want && w.Wait > 0 {
		x := all[best]
		if near := x.preferred || x.local != "" || x.k == slotmodel.Reduce && w.quotas[x.j] == nil; near {
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
	w.lines[chose]++
	if x := all[best]; !ok || j != x.j || k != x.k {
		w.t.Fatalf("at %v s user %d starts a %v of job %d (%t) on node %d, want %+v of line %d", v.Now(), u, k, j, ok, n, x, chose)
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
		for i := range v.Free(m, slotmodel.Map) {
			if float64(i+1)*s.Maps.Memory <= free {
				room++
			}
		}
	}
	return v.Runnable(j, slotmodel.Map) && v.Free(n, slotmodel.Map) > 0 && room >= policytest.Wide(s)
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
