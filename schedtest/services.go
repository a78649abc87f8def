package schedtest

import (
	"math"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// FlowServices is a FlowQueue that knows what is in flight: Start in place of Charge, with a cost
// that is expected, and End with the truth. A flow at its limit of services in flight, 0: none, is
// passed over.
//
// It is checked on one to four servers D, with limits, and with costs that are known at their ends
// and charged no more than that at the start: the bound is D+1 times that of a FlowQueue, and Lag, as
// long as m waits below its limit, and nobody is served at its limit (Jin, Chase and Kaur 2004). A
// queue that equalises what flows hold, rather than what they were served, does not keep this on
// several servers, with unit costs and equal weights neither.
type FlowServices interface {
	FlowQueue
	Start(key int, cost float64) (service uint64)
	End(service uint64, cost float64)
	SetLimit(key, services int)
}

// inFlight is a service.
type inFlight struct {
	key     int
	service uint64
	cost    float64
}

// A serviceRun is a queue with services in flight, and what has happened. Service counts when it
// ends.
type serviceRun struct {
	FlowServices
	flows   []flow
	limit   [maxFlows]int
	flying  [maxFlows]int
	running []inFlight
	servers int
	bound   float64 // of l_f/r_f + l_m/r_m
	lag     float64
	// least[f][m] is the least difference of served of flows f and m since m waits below its limit.
	least [maxFlows][maxFlows]float64
	told  strings.Builder
	fail  func(format string, args ...any)
}

func (q *serviceRun) tell(format string, args ...any) { q.told.WriteString(words(format, args...)) }

// waits reports whether a flow waits below its limit.
func (q *serviceRun) waits(k int) bool {
	return q.flows[k].active && (q.limit[k] == 0 || q.flying[k] < q.limit[k])
}

// change does something, and notes who waits since.
func (q *serviceRun) change(do func()) {
	var before [maxFlows]bool
	for k := range q.flows {
		before[k] = q.waits(k)
	}
	do()
	for m := range q.flows {
		for f := range q.flows {
			if q.waits(m) && !before[m] {
				q.least[f][m] = math.Inf(1)
			}
			q.least[f][m] = math.Min(q.least[f][m], q.flows[f].served-q.flows[m].served)
		}
	}
}

// services checks a queue on one sequence of services in flight on some servers.
func services(r *rapid.T, queue FlowServices, o QueueOptions) {
	q := &serviceRun{FlowServices: queue, bound: o.Bound, lag: o.Lag, servers: rapid.IntRange(1, 4).Draw(r, "servers")}
	q.fail = func(format string, args ...any) { r.Fatalf("%s", brief(words(format, args...))) }
	q.tell("%d servers; ", q.servers)
	for k, f := range rapid.SliceOfN(rapid.Custom(func(r *rapid.T) flow { return drawFlow(r, o) }), 2, maxFlows).Draw(r, "flows") {
		q.Join(k, f.weight)
		q.flows = append(q.flows, f)
		q.setActive(k, true)
	}
	whole := rapid.SliceOfN(rapid.Bool(), len(q.flows), len(q.flows)).Draw(r, "charged whole at the start")
	guess := func(k int) float64 {
		if whole[k] {
			return q.flows[k].largest
		}
		return q.flows[k].largest / 8
	}
	move := rapid.OneOf(rapid.IntRange(1, 30), rapid.IntRange(-2*maxFlows, -1))
	for _, m := range rapid.SliceOfN(move, 1, 15).Draw(r, "moves") {
		switch k := (-m - 1) % maxFlows % len(q.flows); {
		case m > 0: // that many starts and ends: of the oldest service, or of the newest, so that others last
			q.serve(m, guess, m%2 == 0)
		case m >= -maxFlows:
			q.setActive(k, !q.flows[k].active)
		case q.limit[k] > 0:
			q.setLimit(k, 0)
		case q.flying[k] == 0:
			q.setLimit(k, 1)
		}
	}
	// A flow is held for long, and then no longer.
	for k := range q.flows {
		q.setActive(k, true)
	}
	if held := rapid.IntRange(0, len(q.flows)-1).Draw(r, "held"); q.flying[held] == 0 {
		q.setLimit(held, 1)
	}
	q.serve(100, guess, false)
	for k := range q.flows {
		q.setLimit(k, 0)
	}
	q.serve(100, guess, false)
}

// serve starts or ends services, of those that run the oldest or the newest.
func (q *serviceRun) serve(n int, guess func(k int) float64, oldest bool) {
	for range n {
		if (len(q.running) == q.servers || !q.begin(guess)) && len(q.running) > 0 {
			last := len(q.running) - 1
			if oldest {
				last = 0
			}
			q.end(last)
		}
	}
}

func (q *serviceRun) setLimit(k, n int) {
	q.change(func() { q.SetLimit(k, n); q.limit[k] = n })
	q.tell("flow %d has limit %d; ", k, n)
}

func (q *serviceRun) setActive(k int, active bool) {
	q.change(func() { q.SetActive(k, active); q.flows[k].active = active })
	q.tell("flow %d has something waiting: %v; ", k, active)
}

// begin starts the next service, if any flow waits below its limit.
func (q *serviceRun) begin(guess func(k int) float64) bool {
	k, ok := q.Next()
	wanted := false
	for k := range q.flows {
		wanted = wanted || q.waits(k)
	}
	switch {
	case !ok && wanted:
		q.fail("somebody is served as long as a flow waits below its limit: Next names nobody\n%s", q.told.String())
	case ok && (k < 0 || k >= len(q.flows) || !q.waits(k)):
		q.fail("only flows that wait below their limits are served: Next names flow %d\n%s", k, q.told.String())
	case !ok:
		return false
	}
	q.change(func() {
		q.running = append(q.running, inFlight{k, q.Start(k, guess(k)), q.flows[k].largest})
		q.flying[k]++
	})
	q.tell("%d starts, charged %v; ", k, guess(k))
	return true
}

// end ends service i of those that run, and checks the bound against every flow that waits.
func (q *serviceRun) end(i int) {
	s := q.running[i]
	q.running = slices.Delete(q.running, i, i+1)
	q.End(s.service, s.cost)
	q.tell("%d ends after %v; ", s.key, s.cost)
	f := &q.flows[s.key]
	for m := range q.flows {
		g := &q.flows[m]
		ahead := f.served + s.cost/f.weight - g.served - q.least[s.key][m]
		bound := q.bound*float64(q.servers+1)*(f.largest/f.weight+g.largest/g.weight) + q.lag
		if m != s.key && q.waits(m) && ahead > bound*(1+1e-9) {
			q.fail("service is by weight: flow %d is served %v more per weight than flow %d since some time from which flow %d waits; the bound is %v\n%s", s.key, ahead, m, m, bound, q.told.String())
		}
	}
	q.change(func() { f.served += s.cost / f.weight; q.flying[s.key]-- })
}
