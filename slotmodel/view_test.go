package slotmodel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// watcher is a policy that keeps a book of the events it observes, and holds the View against that
// before and after each decision of the policy inside.
type watcher struct {
	slotmodel.Policy
	book   *book
	at     float64 // of the last arrival
	every  int     // it looks in one of so many decisions
	calls  int
	faults []string
}

func watch(p slotmodel.Policy, every int, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, weight []float64) *watcher {
	return &watcher{Policy: p, book: newBook(c, jobs, weight), every: every}
}

func (w *watcher) Heartbeat() float64 {
	if t, ok := w.Policy.(slotmodel.Ticker); ok {
		return t.Heartbeat()
	}
	return 0
}

func (w *watcher) Observe(v *slotmodel.View, e slotmodel.Event) {
	b := w.book
	switch i := v.Attempt(e.Attempt); e.Type {
	case slotmodel.Arrived:
		if n := len(b.order); n > 0 && e.Time == w.at && e.Job < b.order[n-1] && b.jobs[e.Job].After == 0 {
			w.fail("job %d without After arrives after job %d of the same instant", e.Job, b.order[n-1])
		}
		w.at = e.Time
		at, place := v.Arrival(e.Job)
		same(w, "Arrival", at, e.Time)
		same(w, "Arrival's place", place, len(b.order))
	case slotmodel.Ended, slotmodel.Killed, slotmodel.Crashed:
		if b.tasks[e.Task].st != 'i' && (i.Job != e.Job || i.Task != e.Task || i.Node != e.Node) {
			w.fail("Attempt(%d) in its %v event = %+v", e.Attempt, e.Type, i)
		}
	}
	b.event(e)
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
	for _, want := range w.book.order {
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
	b := w.book
	b.pass(v.Now())
	present := func(j slotmodel.Job) bool { return b.state[j].present }
	for k := mapK; k <= reduce; k++ {
		w.lookNodes(v, k)
		runnable := func(j slotmodel.Job) bool { return present(j) && b.state[j].ready[k] && b.waiting(j, k) > 0 }
		w.walkJobs("NextRunnable", func(j slotmodel.Job) slotmodel.Job { return v.NextRunnable(j, k) }, runnable)
		for u := range slotmodel.User(v.Users()) {
			w.walkJobs("NextRunnableOf", func(j slotmodel.Job) slotmodel.Job { return v.NextRunnableOf(u, j, k) },
				func(j slotmodel.Job) bool { return runnable(j) && b.jobs[j].User == int(u) })
			w.walkJobs("NextActiveOf", func(j slotmodel.Job) slotmodel.Job { return v.NextActiveOf(u, j) },
				func(j slotmodel.Job) bool { return present(j) && b.jobs[j].User == int(u) })
			same(w, "UserRunning", v.UserRunning(u, k), b.users[u].running[k])
			if got, want := v.UserMemory(u), b.users[u].memory; !near(got, want, 100) {
				w.fail("UserMemory(%d) = %v, want %v", u, got, want)
			}
			same(w, "UserJobs", v.UserJobs(u), b.users[u].jobs)
			weight := 1.0
			if b.weight != nil {
				weight = b.weight[u]
			}
			same(w, "Entitlement", v.Entitlement(u), weight)
		}
		for _, j := range b.order {
			same(w, "Present", v.Present(j), present(j))
			same(w, "Runnable", v.Runnable(j, k), runnable(j))
			if present(j) {
				w.lookJob(v, j, k)
			}
		}
	}
	for i := range v.Jobs() + 1 {
		want := slotmodel.Job(none)
		if i < len(b.order) {
			want = b.order[i]
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
	w.walkJobs("NextActive", v.NextActive, present)
	same(w, "Now", v.Now(), b.now)
	for r := range slotmodel.Rack(v.Racks()) {
		v.LinkBytes(r) // asking changes nothing
	}
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
	sum, slots, total := 0, 0, 0
	next := v.NextFree(k, none)
	inRack := make([]slotmodel.Node, v.Racks())
	for r := range inRack {
		inRack[r] = v.NextFreeIn(k, slotmodel.Rack(r), none)
	}
	for n := range slotmodel.Node(len(b.nodes)) {
		x := &b.nodes[n]
		same(w, "Up", v.Up(n), x.up)
		same(w, "Free", v.Free(k, n), free(n))
		same(w, "Speed", v.Speed(n), b.given(n))
		same(w, "Slowdown", v.Slowdown(n), x.paces[len(x.paces)-1].slow)
		same(w, "RackOf", int(v.RackOf(n)), b.c.Nodes[n].Rack)
		all, left := v.Memory(n)
		if limit := unlimited(b.c.Nodes[n].Memory); all != limit || left < 0 || !math.IsInf(limit, 1) && !near(left, limit-x.held, limit) {
			w.fail("Memory(%d) = %v, %v, want %v and %v less", n, all, left, limit, x.held)
		}
		sum += free(n)
		if x.up {
			slots += b.slots(n, k) + b.c.Nodes[n].Slots
			total += b.slots(n, mapK) + b.slots(n, reduce) + b.c.Nodes[n].Slots
		}
		if free(n) > 0 {
			r := v.RackOf(n)
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
	same(w, "TotalSlots", v.TotalSlots(), total)
}

func (w *watcher) lookJob(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) {
	b := w.book
	spec := &b.jobs[j]
	var count slotmodel.Counts
	next := v.NextPending(j, k, none)
	var waiting []int // tasks, from 0
	left, all := 0.0, 0.0
	started := make([]int, v.Racks())
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
		x := &b.tasks[t]
		switch x.st {
		case 'r':
			count.Running++
		case 's':
			count.Suspended++
		case 'i':
			count.Riding++
		case 'd':
			count.Done++
		case 'p':
			waiting = append(waiting, i)
			left += b.workOf(t)
			same(w, "NextPending", next, t)
			next = v.NextPending(j, k, t)
		}
		if x.st != 'p' && x.st != 's' {
			started[b.c.Nodes[x.on].Rack]++
		}
	}
	same(w, "NextPending at the end", next, none)
	same(w, "Count", v.Count(j, k), count)
	same(w, "Pending", v.Count(j, k).Pending(), len(waiting))

	x := v.Newest(j, k)
	for _, want := range slices.Backward(b.state[j].starts[k]) {
		same(w, "Newest or Older", x, want)
		info, at := v.Attempt(x), b.live[want]
		if info.Job != j || info.Kind != k || info.Task != at.task || info.Node != at.node || info.Start != at.began || info.Suspended != at.suspended ||
			!(info.Progress >= 0 && info.Progress <= 1) || at.computed >= 0 && info.Computed != at.computed || at.computed < 0 && info.Computed >= 0 && info.Computed != at.began {
			w.fail("Attempt(%d) = %+v, want %+v", x, info, at)
			return
		}
		if work := b.workOf(at.task); work > 0 && info.Computed >= 0 && !near(info.Progress, (work-b.left(at))/work, 1) {
			w.fail("Attempt(%d).Progress = %v, want %v", x, info.Progress, (work-b.left(at))/work)
		}
		left += (1 - info.Progress) * b.workOf(at.task)
		if can := info.Computed >= 0 && !at.suspended && !b.rigid(j); info.Progress < 1 || !can { // at 1 it may write
			same(w, "CanSuspend", v.CanSuspend(x), can)
		}
		x = v.Older(x)
	}
	same(w, "Older at the end", x, none)
	for r := range started {
		same(w, "Started", v.Started(j, k, slotmodel.Rack(r)), started[r])
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
		if spec.Maps.Tasks == 0 || spec.Reduces.Tasks == 0 {
			continue
		}
		out := 0
		for t := b.first[j]; t < b.first[j]+spec.Maps.Tasks; t++ {
			if b.tasks[t].st == 'd' && b.c.Nodes[b.tasks[t].on].Rack == r {
				out++
			}
		}
		want := spec.Shuffle * float64(out) / float64(spec.Maps.Tasks)
		if got := v.Output(j, slotmodel.Rack(r)); !near(got, want, want) {
			w.fail("Output(%d, %d) = %v, want %v", j, r, got, want)
		}
	}
}

// The view of hundreds of nodes and jobs, which take more than one word of each bitset and more than
// one level, is what the events say, under a policy that beats, preempts and fills slots at random.
// TestNaive looks at the view of small clusters.
func TestViewOfManyNodes(t *testing.T) {
	f := naiveFamily{memory: true, shared: true, faults: true, ends: true, rigid: true, blocks: true, slow: true, after: true}
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 80))
		f.fluid = int(seed % 3)
		x := f.draw(r)
		if seed%2 == 0 {
			for range 150 {
				x.cluster.Nodes = append(x.cluster.Nodes, f.node(r, x.cluster.Nodes[0].Rack+1, false))
			}
		} else {
			for len(x.jobs) < 90 {
				x.jobs = append(x.jobs, f.job(r, 1, len(x.cluster.Nodes)))
			}
		}
		w := watch(&chaos{r: r, calm: 60, beat: float64(seed % 4)}, 13, &x.cluster, x.jobs, nil)
		if _, err := slotmodel.Run(&x.cluster, x.jobs, w, slotmodel.Options{}); err != nil || len(w.faults) > 0 {
			t.Errorf("seed %d: %v, %q", seed, err, w.faults)
		}
	}
}

// tellsNothing reports whether a value tells of nothing: zeros, None and nil.
func tellsNothing(v reflect.Value) bool {
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			if !tellsNothing(v.Field(i)) {
				return false
			}
		}
		return true
	}
	return v.IsZero() || v.CanInt() && v.Int() == none || v.CanFloat() && v.Float() == -1
}

// shows calls a method of a View with some arguments and reports an answer that tells of something.
func shows(t *testing.T, v *slotmodel.View, name string, in []reflect.Value) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("View.%s(%v) panics: %v", name, in, p)
		}
	}()
	for _, out := range reflect.ValueOf(v).MethodByName(name).Call(in) {
		if !tellsNothing(out) {
			t.Errorf("View.%s(%v) = %+v, want nothing", name, in, out)
		}
	}
}

// Every lookup answers a handle or a kind that does not exist with None, zeros and false, and so
// does every lookup of a View that no run has given.
func TestHandlesOutOfRange(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Reduces: 2}, {Maps: 2, Reduces: 2, Rack: 1}}}
	jobs := []slotmodel.JobSpec{ // two jobs, nodes, racks and users; 8 tasks; attempts 0 and 1
		{Maps: tasks(4, 5), Reduces: tasks(2, 1), Replicas: []int32{0, 1, 0, 1}, Copies: 1},
		{User: 1, Maps: tasks(2, 5)},
	}
	asked := 0
	ask := func(v *slotmodel.View, known bool) {
		typ := reflect.TypeOf(v)
		for m := range typ.NumMethod() {
			name, f := typ.Method(m).Name, typ.Method(m).Type
			kind := reflect.TypeFor[slotmodel.Kind]()
			for arg := 1; arg < f.NumIn(); arg++ {
				last := arg == f.NumIn()-1 || arg == f.NumIn()-2 && f.In(arg+1) == kind
				bad := []int64{-2, -1, 11, 1000, math.MaxInt32 - 1, math.MaxInt32, math.MinInt32, math.MinInt32 + 1}
				switch f.In(arg) {
				case kind:
					bad = []int64{2, 3, 254, 255}
				case reflect.TypeFor[slotmodel.Task]():
					bad = append(bad, 8)
				case reflect.TypeFor[int]():
				default:
					bad = append(bad, 2)
				}
				for _, x := range bad {
					if known && x == none && last && strings.HasPrefix(name, "Next") {
						continue // where a walk starts
					}
					in := make([]reflect.Value, f.NumIn()-1)
					for i := range in {
						in[i] = reflect.Zero(f.In(i + 1))
					}
					in[arg-1] = reflect.ValueOf(x).Convert(f.In(arg))
					shows(t, v, name, in)
					asked++
				}
			}
		}
	}
	p := once(func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Now() == 0 {
			a.Start(0, mapK, 0)
			a.Start(0, reduce, 0)
			if j, n := v.NextRunnableOf(0, 1, mapK), v.NextFreeIn(mapK, 0, 1); j != none || n != none {
				t.Errorf("NextRunnableOf(0) after a job of user 1 = %d, NextFreeIn(0) after a node of rack 1 = %d, want None", j, n)
			}
			ask(v, true)
		}
		fifo(v, a)
	})
	mustRun(t, c, jobs, p, slotmodel.Options{})
	ask(new(slotmodel.View), false)
	if asked < 1000 {
		t.Errorf("%d questions, want 1000 or more", asked)
	}
}

// After an action that was not allowed the view shows no free slot, no job that could start, no task
// that waits and no attempt, so that the loops of policies end; and an attempt that was killed is not
// one.
func TestViewAfterFault(t *testing.T) {
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		a.Start(0, mapK, 0)
		x := v.Newest(0, mapK)
		if a.Kill(x); v.Attempt(x).Job != none || v.CanSuspend(x) || v.Older(x) != none {
			t.Errorf("after Kill(%d): Attempt = %+v", x, v.Attempt(x))
		}
		a.Start(0, mapK, 0)
		a.Start(0, mapK, 7)
		if v.FreeSlots(mapK) != 0 || v.Free(mapK, 0) != 0 || v.NextFree(mapK, none) != none || v.NextFreeIn(mapK, 0, none) != none ||
			v.NextRunnable(none, mapK) != none || v.NextRunnableOf(0, none, mapK) != none || v.Runnable(0, mapK) || v.NextPending(0, mapK, none) != none ||
			v.Local(0, 0) != none || v.LocalRack(0, 0) != none || v.Newest(0, mapK) != none || v.Attempt(0).Job != none {
			t.Error("after an action that was not allowed the view shows a free slot, a runnable job, a task that waits or an attempt")
		}
	})
	if _, err := slotmodel.Run(one(3, 0), []slotmodel.JobSpec{{Maps: tasks(3, 1), Replicas: []int32{0, 0, 0}, Copies: 1}}, p, slotmodel.Options{}); err == nil {
		t.Error("Start on node 7 of 1: no error")
	}
}
