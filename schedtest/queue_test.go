package schedtest_test

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/schedtest"
)

// tags is a fair queue whose rules can be changed. By itself it is start-time fair queueing.
type tags struct {
	weight, finish, start []float64
	active                []bool
	v                     float64

	back  func(q *tags, key int) float64             // the start tag of a flow that becomes active
	step  func(cost, weight float64) float64         // what a service adds to a tag
	least func(q *tags, k, best int, x float64) bool // whether flow k with tag x is served before flow best
	late  bool                                       // a charge counts when the next one comes
	owed  map[int]float64
}

func (q *tags) Join(_ int, weight float64) {
	q.weight, q.finish, q.start, q.active = append(q.weight, weight), append(q.finish, 0), append(q.start, 0), append(q.active, false)
}

func (q *tags) SetActive(key int, active bool) {
	if q.active[key] = active; active {
		q.start[key] = math.Max(q.v, q.finish[key])
		if q.back != nil {
			q.start[key] = q.back(q, key)
		}
	}
}

func (q *tags) Next() (int, bool) {
	best := -1
	for k, active := range q.active {
		before := best < 0 || q.start[k] < q.start[best]
		if best >= 0 && q.least != nil {
			before = q.least(q, k, best, q.start[k])
		}
		if active && before {
			best = k
		}
	}
	if best < 0 {
		return 0, false
	}
	q.v = math.Max(q.v, q.start[best])
	return best, true
}

func (q *tags) Charge(key int, cost float64) {
	if q.late {
		now := q.owed[key]
		q.owed[key] = cost
		cost = now
	}
	step := cost / q.weight[key]
	if q.step != nil {
		step = q.step(cost, q.weight[key])
	}
	q.finish[key] = q.start[key] + step
	q.start[key] = q.finish[key]
}

// leastOfOthers is the least tag of the other active flows, 0 if there is none.
func leastOfOthers(q *tags, key int) float64 {
	least := math.Inf(1)
	for k, active := range q.active {
		if active && k != key {
			least = math.Min(least, q.start[k])
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// rounds serves the active flows in turn.
type rounds struct{ *tags }

func (q rounds) Charge(int, float64) {}
func (q rounds) Next() (int, bool) {
	for i := range q.active {
		if k := (int(q.v) + i) % len(q.active); q.active[k] {
			q.v = float64(k + 1)
			return k, true
		}
	}
	return 0, false
}

func TestQueueFaults(t *testing.T) {
	const byWeight = "service is by weight"
	for name, c := range map[string]struct {
		want string
		make func() schedtest.FlowQueue
		o    schedtest.QueueOptions
	}{
		// A service of a key adds max(1, int(1000 / weight)) to its pass: Temporal v1.32.2.
		"weights in whole numbers": {byWeight, func() schedtest.FlowQueue {
			return &tags{step: func(_, weight float64) float64 { return max(1, math.Trunc(1/weight)) }}
		}, schedtest.QueueOptions{UnitCosts: true}},
		// Least (what is held + 1) b^priority, where nothing is held at the end of each service:
		// Buildbarn at 91bd2fa45719. Priorities that differ by 1 are served 10,000 : 0.
		"what is held decides": {byWeight, func() schedtest.FlowQueue {
			return &tags{least: func(q *tags, k, best int, _ float64) bool { return q.weight[k] > q.weight[best] }}
		}, schedtest.QueueOptions{UnitCosts: true, AnyTies: true}},
		// The same counter as above in units of weights of up to 1000: 501 and 1000 are served alike.
		"a stride of 1000 / weight": {byWeight, func() schedtest.FlowQueue {
			return &tags{step: func(_, weight float64) float64 { return max(1, math.Trunc(1000/weight)) }}
		}, schedtest.QueueOptions{UnitCosts: true}},
		// A flow that comes back has the greater of its own rank and the least rank of its active
		// siblings, 0 where none is active: Loki's engine (August 2026).
		"no common virtual time": {byWeight, func() schedtest.FlowQueue {
			return &tags{back: func(q *tags, key int) float64 { return math.Max(q.finish[key], leastOfOthers(q, key)) }}
		}, schedtest.QueueOptions{UnitCosts: true, Equal: true}},
		"whoever returns begins at 0": {byWeight, func() schedtest.FlowQueue {
			return &tags{back: func(*tags, int) float64 { return 0 }}
		}, schedtest.QueueOptions{}},
		// Who comes back owes nothing for what it was served before it left.
		"debts are forgotten": {byWeight, func() schedtest.FlowQueue {
			return &tags{back: func(q *tags, _ int) float64 { return q.v }}
		}, schedtest.QueueOptions{}},
		"debts are forgotten by who is served out": {byWeight, func() schedtest.FlowQueue {
			return &tags{back: func(q *tags, _ int) float64 { return q.v }}
		}, schedtest.QueueOptions{ServedOut: true, UnitCosts: true, Equal: true}},
		"debts of requests are forgotten": {byWeight, func() schedtest.FlowQueue {
			return &pushes{pass: func(_, ack, cost, weight float64) float64 { return ack + cost/weight }}
		}, schedtest.QueueOptions{AtPush: true}},
		"first come, first served": {byWeight, func() schedtest.FlowQueue {
			return &pushes{pass: func(_, _, _, _ float64) float64 { return 0 }}
		}, schedtest.QueueOptions{AtPush: true, UnitCosts: true, Equal: true}},
		"requests by weights in whole numbers": {byWeight, func() schedtest.FlowQueue { return &pushes{pass: counter} },
			schedtest.QueueOptions{AtPush: true, UnitCosts: true}},
		"charged at the end": {byWeight, func() schedtest.FlowQueue { return &tags{late: true, owed: map[int]float64{}} }, schedtest.QueueOptions{AnyTies: true}},
		"costs do not count": {byWeight, func() schedtest.FlowQueue {
			return &tags{step: func(_, weight float64) float64 { return 1 / weight }}
		}, schedtest.QueueOptions{}},
		"weights do not count": {byWeight, func() schedtest.FlowQueue {
			return &tags{step: func(cost, _ float64) float64 { return cost }}
		}, schedtest.QueueOptions{}},
		"round robin": {byWeight, func() schedtest.FlowQueue { return rounds{new(tags)} }, schedtest.QueueOptions{Equal: true}},
		"the last of equals first": {"ties go by the order of joining", func() schedtest.FlowQueue {
			return &tags{least: func(q *tags, k, best int, x float64) bool { return x <= q.start[best] }}
		}, schedtest.QueueOptions{}},
		"who left is served":         {"only active flows", func() schedtest.FlowQueue { return forgetful{new(tags)} }, schedtest.QueueOptions{}},
		"a flow that is alone waits": {"as long as a flow is active", func() schedtest.FlowQueue { return sociable{new(tags)} }, schedtest.QueueOptions{}},
	} {
		t.Run(name, func(t *testing.T) {
			caught(t, c.want, func(t testing.TB) { schedtest.Queue(t, c.make, c.o) })
		})
	}
	schedtest.Queue(t, func() schedtest.FlowQueue { return new(tags) }, schedtest.QueueOptions{})
	schedtest.Queue(t, func() schedtest.FlowQueue { return new(tags) }, schedtest.QueueOptions{ServedOut: true})
	schedtest.Queue(t, func() schedtest.FlowQueue { return rounds{new(tags)} }, schedtest.QueueOptions{Equal: true, UnitCosts: true})
	schedtest.Queue(t, func() schedtest.FlowQueue { return &pushes{pass: selfClocked} }, schedtest.QueueOptions{AtPush: true})
	schedtest.Queue(t, func() schedtest.FlowQueue { return &pushes{pass: counter} },
		schedtest.QueueOptions{AtPush: true, UnitCosts: true, Equal: true})
}

// pushes orders requests by a pass that each has when it comes.
type pushes struct {
	pass         func(last, ack, cost, weight float64) float64
	weight, last []float64 // by flow: the pass of the request that came last
	ack          float64   // the pass of the request served last
	waiting      []request
}

type request struct {
	key  int
	pass float64
}

// selfClocked is self-clocked fair queueing.
func selfClocked(last, ack, cost, weight float64) float64 { return math.Max(last, ack) + cost/weight }

// counter is the pass of a task in Temporal's matching, v1.32.2, with weights in thousands.
func counter(last, ack, _, weight float64) float64 {
	return math.Max(ack, last+max(1, math.Trunc(1/weight)))
}

func (q *pushes) Join(_ int, weight float64) {
	q.weight, q.last = append(q.weight, weight), append(q.last, 0)
}
func (q *pushes) SetActive(int, bool) { panic("nobody calls it") }
func (q *pushes) Charge(key int, cost float64) {
	q.last[key] = q.pass(q.last[key], q.ack, cost, q.weight[key])
	q.waiting = append(q.waiting, request{key, q.last[key]})
}
func (q *pushes) Next() (int, bool) {
	if len(q.waiting) == 0 {
		return 0, false
	}
	first := 0
	for i, r := range q.waiting {
		if r.pass < q.waiting[first].pass {
			first = i
		}
	}
	r := q.waiting[first]
	q.waiting, q.ack = slices.Delete(q.waiting, first, first+1), r.pass
	return r.key, true
}

// forgetful does not hear that flows become inactive.
type forgetful struct{ *tags }

func (q forgetful) SetActive(key int, active bool) {
	if active {
		q.tags.SetActive(key, true)
	}
}

// sociable serves nobody who is alone.
type sociable struct{ *tags }

func (q sociable) Next() (int, bool) {
	n := 0
	for _, active := range q.active {
		if active {
			n++
		}
	}
	if n == 1 {
		return 0, false
	}
	return q.tags.Next()
}

// ours is a fairqueue.Queue as a FlowQueue.
type ours struct {
	t testing.TB
	*fairqueue.Queue[int]
}

func (q ours) must(err error) {
	if err != nil {
		q.t.Fatal(err)
	}
}
func (q ours) Join(key int, weight float64)   { q.must(q.Queue.Join(key, weight)) }
func (q ours) SetActive(key int, active bool) { q.must(q.Queue.SetActive(key, active)) }
func (q ours) Charge(key int, cost float64)   { q.must(q.Queue.Charge(key, cost)) }
func (q ours) Next() (int, bool)              { return q.Queue.Next(nil) }

// requests is a fairqueue.Queue as a queue of Push and Pop.
type requests struct {
	ours
	waiting map[int][]float64 // costs
}

func (q requests) SetActive(int, bool) { panic("nobody calls it") }

func (q requests) Charge(key int, cost float64) {
	q.waiting[key] = append(q.waiting[key], cost)
	q.ours.SetActive(key, true)
}

func (q requests) Next() (int, bool) {
	k, ok := q.ours.Next()
	if ok {
		q.ours.Charge(k, q.waiting[k][0])
		q.waiting[k] = q.waiting[k][1:]
		q.ours.SetActive(k, len(q.waiting[k]) > 0)
	}
	return k, ok
}

func TestOurQueue(t *testing.T) {
	make := func() ours {
		q, err := fairqueue.New[int](fairqueue.Options{})
		must(t, err)
		return ours{t, q}
	}
	for _, o := range []schedtest.QueueOptions{{}, {ServedOut: true}} {
		schedtest.Queue(t, func() schedtest.FlowQueue { return make() }, o)
	}
	schedtest.Queue(t, func() schedtest.FlowQueue { return requests{make(), map[int][]float64{}} }, schedtest.QueueOptions{AtPush: true})
}

// flying is a fairqueue.Queue as a FlowServices; end changes what it hears of the truth.
type flying struct {
	ours
	end   func(cost float64) float64
	limit bool
}

func (q flying) Start(key int, cost float64) uint64 {
	s, err := q.Queue.Start(key, cost)
	q.must(err)
	return uint64(s)
}
func (q flying) End(s uint64, cost float64) { q.must(q.Queue.End(fairqueue.Service(s), q.end(cost))) }
func (q flying) SetLimit(key, n int) {
	if q.limit {
		q.must(q.Queue.SetLimit(key, n))
	}
}

func TestServicesInFlight(t *testing.T) {
	make := func(o fairqueue.Options, end func(float64) float64, limit bool) func() schedtest.FlowQueue {
		return func() schedtest.FlowQueue {
			q, err := fairqueue.New[int](o)
			must(t, err)
			return flying{ours{t, q}, end, limit}
		}
	}
	truth := func(cost float64) float64 { return cost }
	none := func(float64) float64 { return 0 }
	for _, lag := range []float64{0, 50} {
		schedtest.Queue(t, make(fairqueue.Options{Lag: lag}, truth, true), schedtest.QueueOptions{Lag: lag})
	}
	for name, c := range map[string]struct {
		want string
		make func() schedtest.FlowQueue
	}{
		"limits do not hold":       {"below their limits are served", make(fairqueue.Options{}, truth, false)},
		"the truth does not count": {"by weight", make(fairqueue.Options{}, none, true)},
		"credit without bound":     {"by weight", make(fairqueue.Options{Lag: math.Inf(1)}, truth, true)},
	} {
		t.Run(name, func(t *testing.T) {
			caught(t, c.want, func(t testing.TB) { schedtest.Queue(t, c.make, schedtest.QueueOptions{}) })
		})
	}
}

// TestMessagesAreShort: a failure is under 600 characters in lines of at most 100 columns, whatever
// the case was, and says how often a step was repeated.
func TestMessagesAreShort(t *testing.T) {
	faults := map[string]func() schedtest.FlowQueue{
		"stride": func() schedtest.FlowQueue {
			return &tags{step: func(_, weight float64) float64 { return max(1, math.Trunc(1000/weight)) }}
		},
		"slow": func() schedtest.FlowQueue { // wrong by little, found after many services
			return &tags{step: func(cost, weight float64) float64 { return cost / math.Pow(weight, .98) }}
		},
		"costs": func() schedtest.FlowQueue {
			return &tags{step: func(_, weight float64) float64 { return 1 / weight }}
		},
	}
	found := 0
	for name, make := range faults {
		for range 2 {
			r := &recorder{TB: t}
			over := new(sync.WaitGroup)
			over.Add(1)
			go func() {
				defer over.Done()
				schedtest.Queue(r, make, schedtest.QueueOptions{})
			}()
			over.Wait()
			said := r.said.String()
			i := strings.Index(said, "service is by weight")
			if i < 0 {
				continue
			}
			found++
			message, _, _ := strings.Cut(said[i:], "\nTo reproduce")
			if j := strings.Index(message, "[rapid]"); j >= 0 {
				message = message[:j]
			}
			for _, line := range strings.Split(message, "\n") {
				if len(line) > 100 {
					t.Errorf("%s: a line of %d columns: %s", name, len(line), line)
				}
			}
			if len(message) >= 600 {
				t.Errorf("%s: a message of %d characters, want under 600:\n%s", name, len(message), message)
			}
		}
	}
	if found < 3 {
		t.Errorf("%d faults were found, want 3 at least", found)
	}
}
