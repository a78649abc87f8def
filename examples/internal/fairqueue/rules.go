package fairqueue

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/fairqueue"
)

// The rules of systems in use, as described in August 2026. Each has one field that repairs what
// goes wrong in its scenario and leaves the rest as it is: the control.

// startTags is fairqueue.Queue. A request is charged an estimate when it starts, and the rest when
// it ends. With grow set, what a request has run beyond its estimate is charged each time that
// another one ends.
type startTags struct {
	queues
	queue    *fairqueue.Queue[int]
	estimate func(r *request) float64
	grow     bool
	running  []*request // each with what it was charged
}

func exactly(r *request) float64 { return r.length }

func newStartTags(estimate func(r *request) float64, weights ...float64) (*startTags, error) {
	q, err := fairqueue.New[int](fairqueue.Options{})
	for flow, w := range weights {
		if err == nil {
			err = q.Join(flow, w)
		}
	}
	return &startTags{queues: make(queues, len(weights)), queue: q, estimate: estimate}, err
}

func (s *startTags) arrive(r *request) error { return s.queue.SetActive(r.flow, true) }

func (s *startTags) next(float64) int {
	flow, _ := s.queue.Next(nil)
	return flow
}

func (s *startTags) begin(r *request) error {
	r.tag = s.estimate(r)
	s.running = append(s.running, r)
	if err := s.queue.Charge(r.flow, r.tag); err != nil {
		return err
	}
	return s.queue.SetActive(r.flow, len(s.queues[r.flow]) > 0)
}

func (s *startTags) done(ended *request) error {
	s.running = slices.DeleteFunc(s.running, func(r *request) bool { return r == ended })
	for _, r := range s.running {
		if ran := ended.end - r.start; s.grow && ran > r.tag {
			if err := s.queue.Charge(r.flow, ran-r.tag); err != nil {
				return err
			}
			r.tag = ran
		}
	}
	return s.queue.Settle(ended.flow, ended.length-ended.tag)
}

// passes is the fair task writer of Temporal: a task gets the pass of its key's last task plus a
// whole step, 1000 over the weight and at least 1, or the acknowledged pass if that is greater. The
// least pass is next.
type passes struct {
	queues
	scale   float64 // 1000; greater: finer steps
	weights []float64
	last    []float64 // pass of each key's last task
	ack     float64
}

func newPasses(scale float64, weights ...float64) *passes {
	return &passes{make(queues, len(weights)), scale, weights, make([]float64, len(weights)), 0}
}

func (p *passes) arrive(r *request) error {
	step := max(1, math.Floor(p.scale/p.weights[r.flow]))
	p.last[r.flow] = max(p.ack, p.last[r.flow]+step)
	r.tag = p.last[r.flow]
	return nil
}

func (p *passes) next(float64) int {
	return p.least(func(flow int) float64 { return p.queues[flow][0].tag })
}

func (p *passes) begin(r *request) error {
	p.ack = r.tag
	return nil
}

// ranks is the fair tree of Loki: a scope's rank grows by 1 a task, and the least rank is next. A
// scope that comes back takes the least rank of its living siblings, or 0, or its own if that is
// greater.
type ranks struct {
	queues
	remember bool // if none lives: the greatest rank so far in place of 0
	rank     []float64
}

func (k *ranks) arrive(r *request) error {
	if len(k.queues[r.flow]) > 0 {
		return nil
	}
	least := 0.0
	if flow := k.next(0); flow >= 0 {
		least = k.rank[flow]
	} else if k.remember {
		for _, rank := range k.rank {
			least = max(least, rank)
		}
	}
	k.rank[r.flow] = max(k.rank[r.flow], least)
	return nil
}

func (k *ranks) next(float64) int {
	return k.least(func(flow int) float64 { return k.rank[flow] })
}

func (k *ranks) begin(r *request) error {
	k.rank[r.flow]++
	return nil
}

// scores is the flow control of the llm-d router: .8 times 1 less the decayed service over the
// greatest of a flow, plus .2 times the wait of the first request over the longest. The greatest
// score is next.
type scores struct {
	queues
	atStart bool // a request is charged when it starts, not when it ends
	service []float64
	at      []float64 // time of service
}

// halfLife is that of the decayed service, in seconds. The description names none; this one is long
// beside the burst.
const halfLife = 300

func (s *scores) charge(flow int, now, cost float64) {
	s.service[flow], s.at[flow] = s.decayed(flow, now)+cost, now
}

func (s *scores) decayed(flow int, now float64) float64 {
	return s.service[flow] * math.Exp2((s.at[flow]-now)/halfLife)
}

func (s *scores) next(now float64) int {
	var service, wait float64 // the greatest of each
	for flow, list := range s.queues {
		service = max(service, s.decayed(flow, now))
		if len(list) > 0 {
			wait = max(wait, now-list[0].arrival)
		}
	}
	over := func(x, greatest float64) float64 {
		if greatest == 0 {
			return 0
		}
		return x / greatest
	}
	return s.least(func(flow int) float64 {
		return -.8*(1-over(s.decayed(flow, now), service)) - .2*over(now-s.queues[flow][0].arrival, wait)
	})
}

func (s *scores) begin(r *request) error {
	if s.atStart {
		s.charge(r.flow, r.start, r.length)
	}
	return nil
}

func (s *scores) done(r *request) error {
	if !s.atStart {
		s.charge(r.flow, r.end, r.length)
	}
	return nil
}

// used is the work queue of CockroachDB's admission control: the tenant that uses least is next,
// by slots that it holds or by tokens since the last full second. Ties are open; here they go by
// number or by a draw.
type used struct {
	queues
	slots  bool
	forget float64    // s; tokens used are forgotten each time that so many have passed, +Inf: never
	ties   *rand.Rand // nil: by number
	amount []float64
	since  float64
}

func (u *used) next(now float64) int {
	if now >= u.since+u.forget && !u.slots {
		clear(u.amount)
		u.since = math.Floor(now/u.forget) * u.forget
	}
	least := u.least(func(flow int) float64 { return u.amount[flow] })
	if u.ties == nil {
		return least
	}
	var tied []int
	for flow, list := range u.queues {
		if len(list) > 0 && u.amount[flow] == u.amount[least] {
			tied = append(tied, flow)
		}
	}
	return tied[u.ties.IntN(len(tied))]
}

func (u *used) begin(r *request) error {
	if u.slots {
		u.amount[r.flow]++
	} else {
		u.amount[r.flow] += r.length
	}
	return nil
}

func (u *used) done(r *request) error {
	if u.slots {
		u.amount[r.flow]--
	}
	return nil
}
