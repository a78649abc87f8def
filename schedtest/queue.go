package schedtest

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A FlowQueue is a fair queue to check: it says which flow is served next. Flows are numbered from
// 0, join inactive, and are served only while they are active. Charge follows each Next: the cost
// of what was served.
type FlowQueue interface {
	Join(key int, weight float64)
	SetActive(key int, active bool)
	Next() (key int, ok bool)
	Charge(key int, cost float64)
}

// QueueOptions say what is drawn and which laws a queue does not keep. The zero value is for a
// queue that is fair by cost and breaks ties by the order of joining.
type QueueOptions struct {
	Bound     float64 // of fairness, as Queue says; 0: 1
	UnitCosts bool    // all costs are 1: for queues that count services
	Equal     bool    // all weights are 1
	AnyTies   bool    // equal flows may be served in any order
}

// Queue checks the queues that make makes, each on one sequence of services and of flows that
// become active and inactive.
//
// The bound of fairness: over any time through which flows f and m are both active, their services
// per weight, sums of costs over weights, differ by at most Bound (l_f/r_f + l_m/r_m), where r is a
// flow's weight and l the largest cost that it is charged. With Bound 1 this is the guarantee of
// start-time fair queueing (Goyal, Vin and Cheng 1997) and of self-clocked fair queueing (Golestani
// 1994). It holds for a flow that comes back too: what others were served meanwhile does not count,
// neither for nor against it.
//
// No loss: Next names a flow as long as one is active, and only active ones. Order of ties: equal
// flows that become active together, each charged the same, are first served in the order of
// joining.
func Queue(t testing.TB, make func() FlowQueue, o QueueOptions) {
	t.Helper()
	if o.Bound == 0 {
		o.Bound = 1
	}
	check(t, func(r *rapid.T) {
		q := &queueRun{FlowQueue: make(), o: o, fail: r.Fatalf}
		n := rapid.IntRange(2, 4).Draw(r, "flows")
		if !o.AnyTies {
			first := &queueRun{FlowQueue: make(), o: o, fail: r.Fatalf}
			first.ties(n)
		}
		for range n {
			f := flow{weight: 1, cost: 1}
			if !o.Equal {
				f.weight = rapid.SampledFrom([]float64{1, 2, 3, .501, .1, 7.1}).Draw(r, "weight")
			}
			if !o.UnitCosts {
				f.cost = rapid.SampledFrom([]float64{1, 2, .1, 7.1, 100}).Draw(r, "largest cost")
			}
			q.join(f)
		}
		move := rapid.OneOf(rapid.IntRange(1, 30), rapid.IntRange(-2*n, -1))
		moves := rapid.SliceOfN(move, 1, 12).Draw(r, "moves")
		q.start()
		for _, m := range moves { // above 0: that many services
			switch {
			case m < -n: // a flow comes after all others have gone
				q.alone(-m - n - 1)
			case m < 0:
				q.turn(-m - 1)
			}
			for range m {
				if f := q.serve(); f >= 0 && !o.UnitCosts && rapid.IntRange(0, 3).Draw(r, "small") == 0 {
					q.charge(f, q.flows[f].cost/8)
				} else if f >= 0 {
					q.charge(f, q.flows[f].cost)
				}
			}
		}
	})
}

type flow struct {
	weight, cost float64 // cost: the largest
	active       bool
	served       float64 // sum of costs over weight
}

// A queueRun is a queue, what it should keep to, and what has happened.
type queueRun struct {
	FlowQueue
	o     QueueOptions
	flows []flow
	// low and high are, for each pair of flows, the least and the largest difference of served since
	// both are active.
	low, high [4][4]float64
	told      strings.Builder
	fail      func(format string, args ...any)
}

func (q *queueRun) tell(format string, args ...any) { q.told.WriteString(words(format, args...)) }

func (q *queueRun) join(f flow) {
	q.Join(len(q.flows), f.weight)
	q.tell("flow %d joins with weight %v; ", len(q.flows), f.weight)
	q.flows = append(q.flows, f)
}

// start makes all flows active.
func (q *queueRun) start() {
	for k := range q.flows {
		q.turn(k)
	}
}

// alone makes all flows inactive and then one of them active.
func (q *queueRun) alone(k int) {
	for m := range q.flows {
		if q.flows[m].active {
			q.turn(m)
		}
	}
	q.turn(k)
}

// turn makes a flow active or inactive, and forgets how far it is from the others.
func (q *queueRun) turn(k int) {
	f := &q.flows[k]
	f.active = !f.active
	q.SetActive(k, f.active)
	q.tell("flow %d becomes %s; ", k, map[bool]string{true: "active", false: "inactive"}[f.active])
	for m := range q.flows {
		d := f.served - q.flows[m].served
		q.low[k][m], q.high[k][m], q.low[m][k], q.high[m][k] = d, d, -d, -d
	}
}

// serve asks for the next flow; -1: nobody is active.
func (q *queueRun) serve() int {
	k, ok := q.Next()
	wanted := false
	for _, f := range q.flows {
		wanted = wanted || f.active
	}
	switch {
	case !ok && wanted:
		q.fail("somebody is served as long as a flow is active: Next names nobody\n%s", q.told.String())
	case ok && (k < 0 || k >= len(q.flows) || !q.flows[k].active):
		q.fail("only active flows are served: Next names flow %d\n%s", k, q.told.String())
	case !ok:
		return -1
	}
	return k
}

// charge charges what was served and checks the bound against every flow that is active.
func (q *queueRun) charge(k int, cost float64) {
	q.Charge(k, cost)
	q.tell("%d is served for %v; ", k, cost)
	f := &q.flows[k]
	f.served += cost / f.weight
	for m := range q.flows {
		g := &q.flows[m]
		if m == k || !g.active {
			continue
		}
		d := f.served - g.served
		q.low[k][m], q.high[k][m] = math.Min(q.low[k][m], d), math.Max(q.high[k][m], d)
		q.low[m][k], q.high[m][k] = -q.high[k][m], -q.low[k][m]
		apart, bound := q.high[k][m]-q.low[k][m], q.o.Bound*(f.cost/f.weight+g.cost/g.weight)
		if apart > bound*(1+1e-9) {
			q.fail("flows that are both active get service by weight: per weight, flows %d and %d are %v apart within a time in which both are active; the bound is %v\n%s", k, m, apart, bound, q.told.String())
		}
	}
}

// ties checks the order of the first services of n equal flows.
func (q *queueRun) ties(n int) {
	for range n {
		q.join(flow{weight: 1, cost: 1})
	}
	q.start()
	for want := range n {
		k := q.serve()
		if k != want {
			q.fail("ties go by the order of joining: Next names flow %d before flow %d\n%s", k, want, q.told.String())
		}
		q.charge(k, 1)
	}
}
