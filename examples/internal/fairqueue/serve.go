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
	arrive(r *request) error // r is about to join its queue
	next(now float64) int    // the flow to serve; some request waits
	begin(r *request) error  // r has left its queue and starts
	done(r *request) error   // r has ended
	queued() *queues
}

// queues are the requests of each flow that wait.
type queues [][]*request

func (q *queues) queued() *queues         { return q }
func (q *queues) arrive(r *request) error { return nil }
func (q *queues) done(r *request) error   { return nil }

// least returns the flow of the least key among those that wait, the lower number of equals, or -1.
func (q *queues) least(key func(flow int) float64) int {
	best, at := -1, 0.0
	for flow, list := range *q {
		if len(list) == 0 {
			continue
		}
		if k := key(flow); best < 0 || k < at {
			best, at = flow, k
		}
	}
	return best
}

// serve plays requests, which are in the order of arrival, on slots that open at time 0, and tells
// see, unless it is nil, of each that starts. It ends when all are served or the horizon has come.
func serve(rule rule, slots int, horizon float64, requests []request, see func(r *request)) error {
	q := rule.queued()
	for i := range requests {
		requests[i].start, requests[i].end = math.Inf(1), math.Inf(1)
	}
	arrived, waiting := 0, 0
	var running []*request // the next to end is last
	for arrived < len(requests) || len(running) > 0 {
		now := math.Inf(1)
		if arrived < len(requests) {
			now = max(0, requests[arrived].arrival)
		}
		if n := len(running); n > 0 {
			now = min(now, running[n-1].end)
		}
		if now >= horizon {
			break
		}
		for n := len(running) - 1; n >= 0 && running[n].end <= now; n-- {
			if err := rule.done(running[n]); err != nil {
				return err
			}
			running = running[:n]
		}
		for ; arrived < len(requests) && requests[arrived].arrival <= now; arrived++ {
			r := &requests[arrived]
			if err := rule.arrive(r); err != nil {
				return err
			}
			(*q)[r.flow] = append((*q)[r.flow], r)
			waiting++
		}
		for ; waiting > 0 && len(running) < slots; waiting-- {
			flow := rule.next(now)
			r := (*q)[flow][0]
			(*q)[flow] = (*q)[flow][1:]
			r.start, r.end = now, now+r.length
			if err := rule.begin(r); err != nil {
				return err
			}
			k, _ := slices.BinarySearchFunc(running, r.end, func(r *request, end float64) int {
				if r.end > end {
					return -1
				}
				return 1
			})
			running = slices.Insert(running, k, r)
			if see != nil {
				see(r)
			}
		}
	}
	return nil
}
