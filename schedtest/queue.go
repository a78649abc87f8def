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
// queue that is fair by cost, breaks ties by the order of joining, and hears of flows that become
// inactive at any time.
type QueueOptions struct {
	Bound     float64 // of fairness, as Queue says; 0: 1
	UnitCosts bool    // all costs are 1: for queues that count services
	Equal     bool    // all weights are 1
	AnyTies   bool    // equal flows may be served in any order
	// ServedOut: a flow becomes inactive only when nothing of it waits, between the Next of its last
	// request and the Charge for it.
	ServedOut bool
	// AtPush: costs are known when requests come. Charge is the coming of a request, as Push, and
	// Next takes away the oldest of a flow, as Pop. SetActive is not called: a flow is active while
	// requests of it wait, as with ServedOut.
	AtPush bool
	// Lag is what a FlowServices lets a flow save that was held at a limit, in cost per weight.
	Lag float64
}

// Queue checks the queues that make makes, each on one sequence of services and of flows that
// become active and inactive.
//
// Fairness: over any time through which flow m is active, whether or not flow f is, f is served at
// most Bound (l_f/r_f + l_m/r_m) more than m per weight, where r is a flow's weight and l the
// largest cost that it is charged. Bound 1 is the guarantee of start-time fair queueing (Goyal,
// Vin and Cheng 1997). No loss: Next names an active flow as long as there is one. Order of ties:
// equal flows that become active together, each charged the same, are first served in the order of
// joining.
//
// A [FlowServices] is checked with services in flight too.
func Queue(t testing.TB, make func() FlowQueue, o QueueOptions) {
	t.Helper()
	if o.Bound == 0 {
		o.Bound = 1
	}
	o.ServedOut = o.ServedOut || o.AtPush
	if _, ok := make().(FlowServices); ok {
		check(t, func(r *rapid.T) { services(r, make().(FlowServices), o) })
	}
	check(t, func(r *rapid.T) {
		fail := func(format string, args ...any) { r.Fatalf("%s", brief(words(format, args...))) }
		flows := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) flow { return drawFlow(r, o) }), 2, maxFlows).Draw(r, "flows")
		move := rapid.OneOf(rapid.IntRange(1, 30), rapid.IntRange(-2*maxFlows, -1))
		moves := rapid.SliceOfN(move, 1, 12).Draw(r, "moves")
		if !o.AnyTies {
			(&queueRun{FlowQueue: make(), o: o, fail: fail}).ties(len(flows))
		}
		q := &queueRun{FlowQueue: make(), o: o, fail: fail}
		for _, f := range flows {
			q.join(f)
		}
		cost := func(k int) float64 {
			if !o.UnitCosts && rapid.IntRange(0, 3).Draw(r, "small") == 0 {
				return q.flows[k].largest / 8
			}
			return q.flows[k].largest
		}
		come := func(k int) { // requests of flow k, or whatever makes it active
			var costs []float64
			if o.ServedOut {
				for range rapid.SampledFrom([]int{1, 2, 3, 20}).Draw(r, "requests") {
					costs = append(costs, cost(k))
				}
			}
			q.come(k, costs)
		}
		for k := range flows {
			come(k)
		}
		for _, m := range moves { // above 0: that many services
			switch k := (-m - 1) % maxFlows % len(flows); {
			case m > 0:
				for range m {
					if k := q.serve(cost); k >= 0 && q.flows[k].prompt && !q.flows[k].active {
						come(k)
					}
				}
			case m < -maxFlows: // a flow comes after all others have gone
				q.empty(cost)
				come(k)
			case !q.flows[k].active || o.ServedOut:
				come(k)
			default:
				q.leave(k)
			}
		}
	})
}

const maxFlows = 4

type flow struct {
	weight, largest float64 // largest: cost
	prompt          bool    // with ServedOut: comes back whenever it is served out
	active          bool
	waiting         []float64 // costs of requests, with ServedOut
	served          float64   // sum of costs over weight
}

func drawFlow(r *rapid.T, o QueueOptions) flow {
	f := flow{weight: 1, largest: 1, prompt: rapid.Bool().Draw(r, "prompt")}
	if !o.Equal {
		f.weight = rapid.SampledFrom([]float64{1, 2, 3, .501, .1, 7.1, 501, 1000}).Draw(r, "weight")
	}
	if !o.UnitCosts {
		f.largest = rapid.SampledFrom([]float64{1, 2, .1, 7.1, 100}).Draw(r, "largest cost")
	}
	return f
}

// A queueRun is a queue, what it should keep to, and what has happened.
type queueRun struct {
	FlowQueue
	o     QueueOptions
	flows []flow
	// least[f][m] is the least difference of served of flows f and m since m is active.
	least [maxFlows][maxFlows]float64
	told  strings.Builder
	fail  func(format string, args ...any)
}

func (q *queueRun) tell(format string, args ...any) { q.told.WriteString(words(format, args...)) }

func (q *queueRun) join(f flow) {
	q.Join(len(q.flows), f.weight)
	q.tell("flow %d joins with weight %v; ", len(q.flows), f.weight)
	q.flows = append(q.flows, f)
}

// come makes flow k active if it is not, and has its requests come if there are requests.
func (q *queueRun) come(k int, costs []float64) {
	f := &q.flows[k]
	if q.o.AtPush {
		for _, c := range costs {
			q.Charge(k, c)
		}
		q.tell("requests of flow %d come, with costs %v; ", k, costs)
	} else if q.o.ServedOut {
		q.tell("%d more of flow %d wait; ", len(costs), k)
	}
	f.waiting = append(f.waiting, costs...)
	if f.active {
		return
	}
	f.active = true
	if !q.o.AtPush {
		q.SetActive(k, true)
		q.tell("flow %d becomes active; ", k)
	}
	for m := range q.flows {
		q.least[m][k] = q.flows[m].served - f.served
	}
}

// leave makes flow k inactive.
func (q *queueRun) leave(k int) {
	f := &q.flows[k]
	f.active, f.waiting = false, nil
	if !q.o.AtPush {
		q.SetActive(k, false)
		q.tell("flow %d becomes inactive; ", k)
	}
}

// empty makes all flows inactive, by services where only these do.
func (q *queueRun) empty(cost func(k int) float64) {
	for k := range q.flows {
		for q.flows[k].active {
			if q.o.ServedOut || q.o.AtPush {
				q.serve(cost)
			} else {
				q.leave(k)
			}
		}
	}
}

// serve asks for the next flow, charges it if one is active, and returns it.
func (q *queueRun) serve(cost func(k int) float64) int {
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
	f := &q.flows[k]
	var c float64
	if q.o.ServedOut || q.o.AtPush {
		c = f.waiting[0]
		if f.waiting = f.waiting[1:]; len(f.waiting) == 0 {
			q.leave(k)
		}
	} else {
		c = cost(k)
	}
	if !q.o.AtPush {
		q.Charge(k, c)
	}
	q.tell("%d is served for %v; ", k, c)
	q.count(k, c)
	return k
}

// count counts a service, and checks the bound against every flow that is active.
func (q *queueRun) count(k int, cost float64) {
	f := &q.flows[k]
	f.served += cost / f.weight
	for m := range q.flows {
		g := &q.flows[m]
		q.least[m][k] = math.Min(q.least[m][k], g.served-f.served)
		ahead, bound := f.served-g.served-q.least[k][m], q.o.Bound*(f.largest/f.weight+g.largest/g.weight)
		if m != k && g.active && ahead > bound*(1+1e-9) {
			q.fail("service is by weight: flow %d is served %v more per weight than flow %d since some time from which flow %d is active; the bound is %v\n%s", k, ahead, m, m, bound, q.told.String())
		}
	}
}

// ties checks the order of the first services of n equal flows.
func (q *queueRun) ties(n int) {
	for range n {
		q.join(flow{weight: 1, largest: 1})
	}
	for k := range n {
		q.come(k, []float64{1})
	}
	for want := range n {
		if k := q.serve(func(int) float64 { return 1 }); k != want {
			q.fail("ties go by the order of joining: Next names flow %d before flow %d\n%s", k, want, q.told.String())
		}
	}
}
