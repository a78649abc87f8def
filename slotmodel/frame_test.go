package slotmodel_test

import (
	"cmp"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/schedmath/schedmath/slotmodel"
)

// within runs f and fails the test if that takes more than a minute: a run that never ends must not
// hang the tests, and a run that a busy machine slows down ends long before.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	const limit = time.Minute
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		f()
	}()
	select {
	case p := <-done:
		if p != nil {
			t.Fatalf("%s panicked: %v", what, p)
		}
	case <-time.After(limit):
		t.Fatalf("%s has not returned after %v", what, limit)
	}
}

func one(maps, reduces int) *slotmodel.Cluster {
	return &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: maps, Reduces: reduces}}}
}

func tasks(n int, work float64) slotmodel.Phase { return slotmodel.Phase{Tasks: n, Work: work} }

func mustRun(t testing.TB, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, p slotmodel.Policy, o slotmodel.Options) *slotmodel.Result {
	t.Helper()
	res, err := slotmodel.Run(c, jobs, p, o)
	if err != nil {
		t.Fatalf("Run(%d nodes, %d jobs) = %v", len(c.Nodes), len(jobs), err)
	}
	return res
}

// ticker is a policy with heartbeats.
type ticker struct {
	slotmodel.Policy
	period float64
}

func (t ticker) Heartbeat() float64 { return t.period }

func fluidRacks(racks int, link float64, maps, reduces int) *slotmodel.Cluster {
	c := &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true}}
	for r := range racks {
		c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: link, Ingress: link})
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Rack: r, Maps: maps, Reduces: reduces})
	}
	return c
}

const (
	none   = slotmodel.None
	mapK   = slotmodel.Map
	reduce = slotmodel.Reduce
)

// decide makes a policy of a function.
type decide func(v *slotmodel.View, a *slotmodel.Actions)

func (f decide) Decide(v *slotmodel.View, a *slotmodel.Actions) { f(v, a) }

// once makes a policy of a script that goes by the time: of the decisions of one instant it acts in
// the first only.
func once(f decide) decide {
	last := -1.0
	return func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Now() > last {
			last = v.Now()
			f(v, a)
		}
	}
}

// seats lists nodes for the tasks of a rigid job, the lowest first; nil when there is not room for
// all.
func seats(v *slotmodel.View, j slotmodel.Job) []slotmodel.Node {
	need := v.Count(j, mapK).Pending()
	var nodes []slotmodel.Node
	for n := v.NextFree(mapK, none); n != none; n = v.NextFree(mapK, n) {
		_, bytes := v.Memory(n)
		for i := 1; i <= v.Free(mapK, n) && float64(i)*v.Spec(j).Maps.Memory <= bytes; i++ {
			if nodes = append(nodes, n); len(nodes) == need {
				return nodes
			}
		}
	}
	return nil
}

// gang starts a rigid job on the lowest nodes, if there is room for all its tasks.
func gang(v *slotmodel.View, a *slotmodel.Actions, j slotmodel.Job) bool {
	nodes := seats(v, j)
	return nodes != nil && a.StartGang(j, nodes)
}

// room returns the first node on which a task of a job can start.
func room(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) slotmodel.Node {
	n := v.NextFree(k, none)
	for n != none && !v.Fits(j, k, n) {
		n = v.NextFree(k, n)
	}
	return n
}

func rigid(v *slotmodel.View, j slotmodel.Job) bool {
	s := v.Spec(j)
	return s.Rigid && s.Maps.Tasks > 1
}

// fifo fills slots with the tasks of the jobs in order of arrival, whoever fits; suspended attempts
// go before.
var fifo = decide(func(v *slotmodel.View, a *slotmodel.Actions) {
	for k := mapK; k <= reduce; k++ {
		for j := v.NextRunnable(none, k); j != none && v.FreeSlots(k) > 0; j = v.NextRunnable(j, k) {
			if rigid(v, j) {
				gang(v, a, j)
				continue
			}
			for n := room(v, j, k); n != none; n = room(v, j, k) {
				a.Start(j, k, n)
			}
		}
	}
})

// strict is first come, first served: nobody starts while an earlier job waits.
var strict = decide(func(v *slotmodel.View, a *slotmodel.Actions) {
	for j := v.NextRunnable(none, mapK); j != none; j = v.NextRunnable(none, mapK) {
		if rigid(v, j) {
			if !gang(v, a, j) {
				return
			}
			continue
		}
		n := room(v, j, mapK)
		if n == none {
			return
		}
		a.Start(j, mapK, n)
	}
})

// fair gives each free slot to the job with the fewest attempts of that kind.
var fair = decide(func(v *slotmodel.View, a *slotmodel.Actions) {
	for k := mapK; k <= reduce; k++ {
		for v.FreeSlots(k) > 0 {
			best := slotmodel.Job(none)
			for j := v.NextRunnable(none, k); j != none; j = v.NextRunnable(j, k) {
				if rigid(v, j) && seats(v, j) == nil || !rigid(v, j) && room(v, j, k) == none {
					continue
				}
				if best == none || v.Count(j, k).Running < v.Count(best, k).Running {
					best = j
				}
			}
			if best == none {
				break
			}
			if rigid(v, best) {
				gang(v, a, best)
			} else {
				a.Start(best, k, room(v, best, k))
			}
		}
	}
})

// chaos does whatever is allowed, at random, and in the end keeps at least one slot of each kind
// busy, so that every workload comes to an end. Nothing is preempted after the time calm.
type chaos struct {
	r    *rand.Rand
	calm float64
	beat float64
	unit float64 // of its waits, s; 0: 1
}

func (c *chaos) Heartbeat() float64 { return c.beat }

func (c *chaos) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	wild := v.Now() < c.calm
	if wild && c.r.IntN(4) == 0 {
		c.preempt(v, a)
	}
	idle := 0.3
	if !wild {
		idle = 0
	}
	c.resume(v, a, idle)
	for k := mapK; k <= reduce; k++ {
		for n := v.NextFree(k, none); n != none; n = v.NextFree(k, n) {
			for v.Free(k, n) > 0 && c.r.Float64() >= idle && c.start(v, a, k, n) {
			}
		}
	}
	if wild && c.r.IntN(8) == 0 {
		c.preempt(v, a)
	}
	if wild {
		a.Wake(v.Now() + cmp.Or(c.unit, 1)*float64(1+c.r.IntN(3)))
	}
}

// start runs a task of a random job on a node, or a rigid job on any; it reports whether one was
// there.
func (c *chaos) start(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, n slotmodel.Node) bool {
	pick, seen := slotmodel.Job(none), 0
	for j := v.NextRunnable(none, k); j != none; j = v.NextRunnable(j, k) {
		if rigid(v, j) && seats(v, j) == nil || !rigid(v, j) && !v.Fits(j, k, n) {
			continue
		}
		if seen++; c.r.IntN(seen) == 0 {
			pick = j
		}
	}
	switch {
	case pick == none:
		return false
	case rigid(v, pick):
		return gang(v, a, pick)
	case c.r.IntN(3) == 0:
		t := v.NextPending(pick, k, none)
		for c.r.IntN(2) == 0 {
			if u := v.NextPending(pick, k, t); u != none {
				t = u
			} else {
				break
			}
		}
		return a.StartTask(t, n)
	}
	return a.Start(pick, k, n)
}

// preempt kills or suspends random attempts, sometimes one that has just started.
func (c *chaos) preempt(v *slotmodel.View, a *slotmodel.Actions) {
	for j := v.NextActive(none); j != none; j = v.NextActive(j) {
		for k := mapK; k <= reduce; k++ {
			for x := v.Newest(j, k); x != none; {
				older := v.Older(x)
				switch c.r.IntN(6) {
				case 0:
					a.Kill(x)
					older = v.Newest(j, k) // a rigid job loses all of them
					if c.r.IntN(2) == 0 {
						older = none
					}
				case 1:
					if v.CanSuspend(x) {
						a.Suspend(x)
					}
				}
				x = older
			}
		}
	}
}

// resume lets suspended attempts go on, except a fraction.
func (c *chaos) resume(v *slotmodel.View, a *slotmodel.Actions, except float64) {
	for j := v.NextActive(none); j != none; j = v.NextActive(j) {
		for k := mapK; k <= reduce; k++ {
			for x := v.Newest(j, k); x != none; x = v.Older(x) {
				if i := v.Attempt(x); i.Suspended && v.Free(k, i.Node) > 0 && c.r.Float64() >= except {
					a.Resume(x)
				}
			}
		}
	}
}
