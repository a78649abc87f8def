package slotmodel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// watcher is a policy that keeps its own books from the events it observes, and holds the View
// against them before and after each decision of the policy inside.
type watcher struct {
	slotmodel.Policy
	book   *replay
	starts map[slotmodel.Job][2][]slotmodel.Attempt // in order of start
	order  []slotmodel.Job                          // of arrival
	at     float64                                  // of the last one
	every  int
	calls  int
	looks  int
	faults []string
}

func (w *watcher) Heartbeat() float64 {
	if t, ok := w.Policy.(slotmodel.Ticker); ok {
		return t.Heartbeat()
	}
	return 0
}

func (w *watcher) Observe(v *slotmodel.View, e slotmodel.Event) {
	w.book.event(e)
	switch l := w.starts[e.Job]; e.Type {
	case slotmodel.Arrived:
		if n := len(w.order); n > 0 && e.Time == w.at && e.Job < w.order[n-1] && w.book.jobs[e.Job].After == 0 {
			w.fail("job %d without After arrives after job %d of the same instant", e.Job, w.order[n-1])
		}
		w.order, w.at = append(w.order, e.Job), e.Time
		at, place := v.Arrival(e.Job)
		same(w, "Arrival", at, e.Time)
		same(w, "Arrival's place", place, len(w.order)-1)
	case slotmodel.Started:
		l[e.Kind] = append(l[e.Kind], e.Attempt)
		w.starts[e.Job] = l
	case slotmodel.Ended, slotmodel.Killed, slotmodel.Crashed:
		if i := v.Attempt(e.Attempt); i.Job != e.Job || i.Task != e.Task || i.Node != e.Node {
			w.fail("Attempt(%d) in its %v event = %+v", e.Attempt, e.Type, i)
		}
		l[e.Kind] = slices.DeleteFunc(l[e.Kind], func(a slotmodel.Attempt) bool { return a == e.Attempt })
		w.starts[e.Job] = l
	}
}

func (w *watcher) fail(format string, args ...any) {
	if len(w.faults) < 5 {
		w.faults = append(w.faults, fmt.Sprintf("at %v: ", w.book.now)+fmt.Sprintf(format, args...))
	}
}

func (w *watcher) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	w.calls++
	if w.calls%w.every == 0 {
		w.look(v)
	}
	w.Policy.Decide(v, a)
	if w.calls%w.every == 0 {
		w.look(v)
	}
}

func same[T comparable](w *watcher, name string, got, want T) {
	if got != want {
		w.fail("%s = %v, want %v", name, got, want)
	}
}

// walkJobs compares a walk with the jobs, in order, that pass a test.
func (w *watcher) walkJobs(name string, next func(slotmodel.Job) slotmodel.Job, is func(slotmodel.Job) bool) {
	j := next(none)
	for _, want := range w.order {
		if is(want) {
			same(w, name, j, want)
			if j != want {
				return
			}
			j = next(j)
		}
	}
	same(w, name+" at the end", j, none)
}

func (w *watcher) look(v *slotmodel.View) {
	w.looks++
	b := w.book
	b.pass(v.Now())
	for k := mapK; k <= reduce; k++ {
		w.lookNodes(v, k)
		runnable := func(j slotmodel.Job) bool { return b.state[j].present && b.state[j].ready[k] && b.waiting(j, k) > 0 }
		w.walkJobs("NextRunnable", func(j slotmodel.Job) slotmodel.Job { return v.NextRunnable(j, k) }, runnable)
		for u := range slotmodel.User(v.Users()) {
			w.walkJobs("NextRunnableOf", func(j slotmodel.Job) slotmodel.Job { return v.NextRunnableOf(u, j, k) },
				func(j slotmodel.Job) bool { return runnable(j) && b.jobs[j].User == int(u) })
			w.walkJobs("NextActiveOf", func(j slotmodel.Job) slotmodel.Job { return v.NextActiveOf(u, j) },
				func(j slotmodel.Job) bool { return b.state[j].present && b.jobs[j].User == int(u) })
			same(w, "UserRunning", v.UserRunning(u, k), b.users[u].running[k])
			if got, want := v.UserMemory(u), b.users[u].memory; !near(got, want, 100) {
				w.fail("UserMemory(%d) = %v, want %v", u, got, want)
			}
			same(w, "UserJobs", v.UserJobs(u), b.users[u].jobs)
			same(w, "Entitlement", v.Entitlement(u), b.weight(int(u)))
		}
		for _, j := range w.order {
			same(w, "Runnable", v.Runnable(j, k), runnable(j))
			if b.state[j].present {
				w.lookJob(v, j, k)
			}
		}
	}
	for i := range v.Jobs() + 1 {
		want := slotmodel.Job(none)
		if i < len(w.order) {
			want = w.order[i]
		}
		same(w, "Arrived", v.Arrived(i), want)
	}
	for j := range slotmodel.Job(v.Jobs()) {
		if at, place := v.Arrival(j); !b.state[j].arrived {
			same(w, "Arrival of a job to come", [2]float64{at, float64(place)}, [2]float64{-1, -1})
			same(w, "NextActive of a job to come", v.NextActive(j), none)
			same(w, "Runnable of a job to come", v.Runnable(j, mapK), false)
		}
	}
	w.walkJobs("NextActive", v.NextActive, func(j slotmodel.Job) bool { return b.state[j].present })
	same(w, "Now", v.Now(), b.now)
	same(w, "Racks", v.Racks(), b.racks())
}

func (w *watcher) lookNodes(v *slotmodel.View, k slotmodel.Kind) {
	b := w.book
	free := func(n slotmodel.Node) int {
		if !b.nodes[n].up {
			return 0
		}
		used := b.nodes[n].used
		shared := b.c.Nodes[n].Slots - max(0, used[mapK]-b.slots(n, mapK)) - max(0, used[reduce]-b.slots(n, reduce))
		return max(0, b.slots(n, k)-used[k]) + shared
	}
	sum, slots := 0, 0
	next := v.NextFree(k, none)
	inRack := make([]slotmodel.Node, v.Racks())
	for r := range inRack {
		inRack[r] = v.NextFreeIn(k, slotmodel.Rack(r), none)
	}
	for n := range slotmodel.Node(len(b.nodes)) {
		same(w, "Up", v.Up(n), b.nodes[n].up)
		same(w, "Free", v.Free(k, n), free(n))
		same(w, "Speed", v.Speed(n), b.given(n))
		same(w, "Slowdown", v.Slowdown(n), b.nodes[n].paces[len(b.nodes[n].paces)-1].slow)
		all, left := v.Memory(n)
		if limit := unlimited(b.c.Nodes[n].Memory); all != limit || left < 0 || !math.IsInf(limit, 1) && !near(left, limit-b.nodes[n].held, limit) {
			w.fail("Memory(%d) = %v, %v, want %v and %v less", n, all, left, limit, b.nodes[n].held)
		}
		sum += free(n)
		if b.nodes[n].up {
			slots += b.slots(n, k) + b.c.Nodes[n].Slots
		}
		if free(n) > 0 {
			r := v.RackOf(n)
			same(w, "RackOf", int(r), b.c.Nodes[n].Rack)
			same(w, "NextFree", next, n)
			same(w, "NextFreeIn", inRack[r], n)
			next, inRack[r] = v.NextFree(k, n), v.NextFreeIn(k, r, n)
		}
	}
	same(w, "NextFree at the end", next, none)
	for r := range inRack {
		same(w, "NextFreeIn at the end", inRack[r], none)
	}
	same(w, "FreeSlots", v.FreeSlots(k), sum)
	same(w, "Slots", v.Slots(k), slots)
}

func (w *watcher) lookJob(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) {
	b := w.book
	spec := &b.jobs[j]
	var count slotmodel.Counts
	next := v.NextPending(j, k, none)
	var waiting []int // tasks, from 0
	left, all := 0.0, 0.0
	done := make([]int, v.Racks()) // tasks that have ended
	for i := range b.phase(j, k).Tasks {
		t := slotmodel.Task(b.first[j] + i)
		if k == reduce {
			t += slotmodel.Task(spec.Maps.Tasks)
		}
		same(w, "Task", v.Task(j, k, i), t)
		if ij, ik, ii := v.Index(t); ij != j || ik != k || ii != i {
			w.fail("Index(%d) = %d, %v, %d, want %d, %v, %d", t, ij, ik, ii, j, k, i)
		}
		all += b.workOf(t)
		count.Tasks++
		switch b.tasks[t].st {
		case 'r':
			count.Running++
		case 's':
			count.Suspended++
		case 'd':
			count.Done++
			done[b.c.Nodes[b.tasks[t].on].Rack]++
		case 'p':
			waiting = append(waiting, i)
			left += b.workOf(t)
			same(w, "NextPending", next, t)
			next = v.NextPending(j, k, t)
		}
	}
	same(w, "NextPending at the end", next, none)
	same(w, "Count", v.Count(j, k), count)
	same(w, "Pending", v.Count(j, k).Pending(), len(waiting))

	x := v.Newest(j, k)
	on := make([]int, v.Racks())
	for i := len(w.starts[j][k]) - 1; i >= 0; i-- {
		want := w.starts[j][k][i]
		same(w, "Newest or Older", x, want)
		info, at := v.Attempt(x), b.live[want]
		if at == nil || info.Job != j || info.Kind != k || info.Task != at.task || info.Node != at.node || info.Start != at.began ||
			info.Suspended != at.suspended || !(info.Progress >= 0 && info.Progress <= 1) {
			w.fail("Attempt(%d) = %+v, want %+v", x, info, at)
			return
		}
		if !b.c.Network.Fluid {
			y := *at
			b.reach(&y)
			if work := b.workOf(y.task); work > 0 && !near(info.Progress, (work-y.left)/work, 1) {
				w.fail("Attempt(%d).Progress = %v, want %v", x, info.Progress, (work-y.left)/work)
			}
		}
		left += (1 - info.Progress) * b.workOf(at.task)
		if can := info.Computed >= 0 && !at.suspended && !b.rigid(j); info.Progress < 1 || !can { // at 1 it may write
			same(w, "CanSuspend", v.CanSuspend(x), can)
		}
		if !at.suspended {
			on[b.c.Nodes[at.node].Rack]++
		}
		x = v.Older(x)
	}
	same(w, "Older at the end", x, none)
	for r := range on {
		same(w, "Started", v.Started(j, k, slotmodel.Rack(r)), on[r]+done[r])
	}
	if got := v.WorkLeft(j, k); !near(got, left, all) {
		w.fail("WorkLeft(%d, %v) = %v, want %v", j, k, got, left)
	}
	if k == mapK {
		w.lookPlaces(v, j, waiting)
	}
}

// lookPlaces asks for local maps, by node and by rack.
func (w *watcher) lookPlaces(v *slotmodel.View, j slotmodel.Job, waiting []int) {
	b := w.book
	spec := &b.jobs[j]
	first := func(is func(node int32) bool) slotmodel.Task {
		for _, i := range waiting {
			if spec.Replicas != nil && slices.ContainsFunc(spec.Replicas[i*spec.Copies:(i+1)*spec.Copies], func(c int32) bool { return c >= 0 && is(c) }) {
				return slotmodel.Task(b.first[j] + i)
			}
		}
		return none
	}
	for n := range int32(len(b.nodes)) {
		same(w, "Local", v.Local(j, slotmodel.Node(n)), first(func(c int32) bool { return c == n }))
	}
	for r := range v.Racks() {
		same(w, "LocalRack", v.LocalRack(j, slotmodel.Rack(r)), first(func(c int32) bool { return b.c.Nodes[c].Rack == r }))
		if spec.Maps.Tasks > 0 {
			out := 0
			for t := b.first[j]; t < b.first[j]+spec.Maps.Tasks; t++ {
				if b.tasks[t].st == 'd' && b.c.Nodes[b.tasks[t].on].Rack == r {
					out++
				}
			}
			want := spec.Shuffle * float64(out) / float64(spec.Maps.Tasks)
			if spec.Reduces.Tasks == 0 {
				want = 0
			}
			if got := v.Output(j, slotmodel.Rack(r)); !near(got, want, want) {
				w.fail("Output(%d, %d) = %v, want %v", j, r, got, want)
			}
		}
	}
}

// TestWalks: on random runs everything that a View shows is what the policy knows from the events.
func TestWalks(t *testing.T) {
	looks, seeds := 0, uint64(600)
	if testing.Short() {
		seeds = 120
	}
	for seed := range seeds {
		g := &randomCase{r: rand.New(rand.NewPCG(seed, 80)), fluid: seed%3 == 0}
		c := g.cluster()
		overload(c, seed)
		if seed%10 == 0 { // more than one word of each bitset, and more than one level
			for n := range 150 {
				c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Rack: n % (c.Nodes[0].Rack + 1), Maps: n % 2, Reduces: n % 3})
			}
		}
		jobs := g.jobs(c)
		for seed%10 == 1 && len(jobs) < 90 {
			jobs = append(jobs, g.jobs(c)...)
		}
		o := g.options()
		w := &watcher{Policy: g.policy(), book: newReplay(c, jobs, o), starts: map[slotmodel.Job][2][]slotmodel.Attempt{}, every: 1 + g.r.IntN(4)}
		if len(jobs) > 20 || len(c.Nodes) > 20 {
			w.every = 17
		}
		if seed%3 == 2 {
			follow(g.r, jobs)
		}
		_, err := slotmodel.Run(c, jobs, w, o)
		looks += w.looks
		if err != nil || len(w.faults) > 0 {
			t.Fatalf("seed %d: %v, %q, %q", seed, err, w.faults, w.book.faults)
		}
	}
	t.Logf("the whole view was looked at %d times", looks)
}
