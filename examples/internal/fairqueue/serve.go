package fairqueue

import (
	"math"
	"slices"
)

// A request waits in the queue of its flow from its arrival on, and holds a slot for its length.
type request struct {
	flow            int
	arrival, length float64 // s
	start, end      float64 // s; set by serve, +Inf for a request that is not served
	tag             float64 // for the rule
}

// A rule decides which flow is served next. Flows are 0, 1 and so on; each serves its requests in
// the order of arrival. All rules embed queues, where serve keeps the requests that wait.
type rule interface {
	arrive(r *request)    // r is about to join its queue
	next(now float64) int // the flow to serve; some request waits
	begin(r *request)     // r has left its queue and starts
	done(r *request)      // r has ended
	queued() queues
}

// queues are the requests of each flow that wait.
type queues [][]*request

func (q queues) queued() queues { return q }
func (queues) arrive(*request)  {}
func (queues) done(*request)    {}

// least returns the flow of the least key among those that wait, the lower number of equals, or -1.
func (q queues) least(key func(flow int) float64) int {
	best := -1
	for flow, list := range q {
		if len(list) > 0 && (best < 0 || key(flow) < key(best)) {
			best = flow
		}
	}
	return best
}

// serve plays requests, which are in the order of arrival, on slots that open at time 0, until all
// are served or the horizon has come. It tells see of each that starts.
func serve(rule rule, slots int, horizon float64, requests []request, see func(r *request)) {
	q, arrived, waiting := rule.queued(), 0, 0
	for i := range requests {
		requests[i].start, requests[i].end = math.Inf(1), math.Inf(1)
	}
	for running := []*request(nil); ; {
		now := math.Inf(1)
		if arrived < len(requests) {
			now = max(0, requests[arrived].arrival)
		}
		for _, r := range running {
			now = min(now, r.end)
		}
		if now >= horizon {
			return
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
			q[r.flow] = append(q[r.flow], r)
			waiting++
		}
		for ; waiting > 0 && len(running) < slots; waiting-- {
			flow := rule.next(now)
			r := q[flow][0]
			q[flow] = q[flow][1:]
			r.start, r.end = now, now+r.length
			rule.begin(r)
			running = append(running, r)
			see(r)
		}
	}
}
