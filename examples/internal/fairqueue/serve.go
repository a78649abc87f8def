package fairqueue

import (
	"math"
	"slices"
)

// A request waits in the queue of its flow from its arrival on, and holds a slot for its length.
type request struct {
	flow            int
	arrival, length float64 // s
	start, end      float64 // s; set as it is served
}

// A rule decides which flow is served next. Flows are 0, 1 and so on; each serves its requests in
// the order of arrival. All rules embed queues, where serve keeps the requests that wait.
type rule interface {
	arrive(r *request)    // r is about to join its queue
	next(now float64) int // the flow to serve, or -1
	begin(r *request)     // r has left its queue and starts
	done(r *request)      // r has ended
	queued() *queues
}

// queues are the requests of each flow that wait.
type queues struct{ of [][]*request }

func flows(n int) queues          { return queues{make([][]*request, n)} }
func (q *queues) queued() *queues { return q }
func (*queues) arrive(*request)   {}
func (*queues) done(*request)     {}

// least returns the flow of the least key among those that wait, the lower number of equals, or -1.
func (q *queues) least(key func(flow int) float64) int {
	best := -1
	for flow, list := range q.of {
		if len(list) > 0 && (best < 0 || key(flow) < key(best)) {
			best = flow
		}
	}
	return best
}

// play serves requests, which are in the order of arrival, under each rule on slots that open at
// time 0, until all are served or the horizon has come. It lists those that start, in order.
func play(slots int, horizon float64, requests []request, rules ...rule) (runs [][]request) {
	for _, rule := range rules {
		runs = append(runs, serve(rule, slots, horizon, slices.Clone(requests)))
	}
	return runs
}

func serve(rule rule, slots int, horizon float64, requests []request) (served []request) {
	q, arrived := rule.queued(), 0
	for running := []*request(nil); ; {
		now := math.Inf(1)
		if arrived < len(requests) {
			now = max(0, requests[arrived].arrival)
		}
		for _, r := range running {
			now = min(now, r.end)
		}
		if now >= horizon {
			return served
		}
		running = slices.DeleteFunc(running, func(r *request) bool {
			if r.end <= now {
				rule.done(r)
			}
			return r.end <= now
		})
		for ; arrived < len(requests) && requests[arrived].arrival <= now; arrived++ {
			r := &requests[arrived]
			rule.arrive(r)
			q.of[r.flow] = append(q.of[r.flow], r)
		}
		for len(running) < slots {
			flow := rule.next(now)
			if flow < 0 {
				break
			}
			r := q.of[flow][0]
			q.of[flow] = q.of[flow][1:]
			r.start, r.end = now, now+r.length
			rule.begin(r)
			running, served = append(running, r), append(served, *r)
		}
	}
}

// backlog is n requests at time 0, of the flows in turn.
func backlog(n, flows int, length func() float64) (list []request) {
	for k := range n {
		list = append(list, request{flow: k % flows, length: length()})
	}
	return list
}

// one is the length of tasks that are all alike.
func one() float64 { return 1 }

// had is the service of a flow between two times.
func had(run []request, flow int, from, to float64) (sum float64) {
	for _, r := range run {
		if r.flow == flow {
			sum += max(0, min(r.end, to)-max(r.start, from))
		}
	}
	return sum
}

// gap is the greatest difference between two flows in service over weight after a start before
// until.
func gap(run []request, until float64, weights ...float64) (most float64) {
	service := make([]float64, len(weights))
	for _, r := range run {
		if r.start < until {
			service[r.flow] += r.length / weights[r.flow]
			most = max(most, slices.Max(service)-slices.Min(service))
		}
	}
	return most
}
