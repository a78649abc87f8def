package fairqueue

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/fairqueue"
)

// The rules of systems in use, as described in August 2026. Each has one field that repairs what
// goes wrong in its scenario and leaves the rest as it is: the control.

// startTags is fairqueue.Queue. A request is charged an estimate when it starts, and the truth when
// it ends.
type startTags struct {
	queues
	queue    *fairqueue.Queue[int]
	estimate func(r *request) float64
	flying   map[*request]fairqueue.Service
}

func exactly(r *request) float64 { return r.length }

// credit gives back whole what was guessed too high.
var credit = fairqueue.Options{Lag: math.Inf(1)}

func newStartTags(estimate func(r *request) float64, o fairqueue.Options, weights ...float64) *startTags {
	return &startTags{flows(len(weights)), newQueue(o, weights...), estimate, map[*request]fairqueue.Service{}}
}

// newQueue returns a queue of flows 0, 1 and so on of these weights.
func newQueue(o fairqueue.Options, weights ...float64) *fairqueue.Queue[int] {
	queue, err := fairqueue.New[int](o)
	must(err)
	for flow, w := range weights {
		must(queue.Join(flow, w))
	}
	return queue
}

// must panics at an error: scenarios are made here, so that the queue refuses nothing of them.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (s *startTags) arrive(r *request) { must(s.queue.SetActive(r.flow, true)) }

func (s *startTags) next(float64) int {
	if flow, ok := s.queue.Next(nil); ok {
		return flow
	}
	return -1
}

func (s *startTags) begin(r *request) {
	service, err := s.queue.Start(r.flow, s.estimate(r))
	must(err)
	s.flying[r] = service
	must(s.queue.SetActive(r.flow, len(s.of[r.flow]) > 0))
}

func (s *startTags) done(r *request) {
	must(s.queue.End(s.flying[r], r.length))
	delete(s.flying, r)
}

// passes is the fair task writer of Temporal, of keys whose tasks all wait from the start: a task's
// pass is a whole step, scale over the weight and at least 1, beyond that of its key's last task. The
// least pass is next.
type passes struct {
	queues
	scale   float64 // 1000; greater: finer steps
	weights []float64
	pass    []float64 // of each key's last task
}

func (p *passes) step(flow int) float64 { return max(1, math.Floor(p.scale/p.weights[flow])) }

func (p *passes) next(float64) int {
	return p.least(func(flow int) float64 { return p.pass[flow] + p.step(flow) })
}

func (p *passes) begin(r *request) { p.pass[r.flow] += p.step(r.flow) }

// ranks is the fair tree of Loki: a scope's rank grows by 1 a task, and the least rank is next. A
// scope that comes back takes the least rank of its living siblings, or 0, or its own if that is
// greater.
type ranks struct {
	queues
	remember bool // if none lives: the greatest rank so far in place of 0
	rank     []float64
	greatest float64
}

func (k *ranks) arrive(r *request) {
	if len(k.of[r.flow]) > 0 {
		return
	}
	least := 0.0
	if flow := k.next(0); flow >= 0 {
		least = k.rank[flow]
	} else if k.remember {
		least = k.greatest
	}
	k.rank[r.flow] = max(k.rank[r.flow], least)
}

func (k *ranks) next(float64) int {
	return k.least(func(flow int) float64 { return k.rank[flow] })
}

func (k *ranks) begin(r *request) {
	k.rank[r.flow]++
	k.greatest = max(k.greatest, k.rank[r.flow])
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

func (s *scores) decayed(flow int, now float64) float64 {
	return s.service[flow] * math.Exp2((s.at[flow]-now)/halfLife)
}

func (s *scores) charge(r *request, now float64) {
	s.service[r.flow], s.at[r.flow] = s.decayed(r.flow, now)+r.length, now
}

func (s *scores) next(now float64) int {
	service, wait := 1e-300, 1e-300 // the greatest of each; nothing over nothing is 0
	for flow, list := range s.of {
		service = max(service, s.decayed(flow, now))
		if len(list) > 0 {
			wait = max(wait, now-list[0].arrival)
		}
	}
	return s.least(func(flow int) float64 {
		return -.8*(1-s.decayed(flow, now)/service) - .2*((now-s.of[flow][0].arrival)/wait)
	})
}

func (s *scores) begin(r *request) {
	if s.atStart {
		s.charge(r, r.start)
	}
}

func (s *scores) done(r *request) {
	if !s.atStart {
		s.charge(r, r.end)
	}
}

// tokens is the work queue of CockroachDB's admission control: the tenant that has used the fewest
// tokens since the last full second is next. Ties are open; here a draw decides.
type tokens struct {
	queues
	forget float64 // s; tokens used are forgotten each time that so many have passed, +Inf: never
	ties   *rand.Rand
	used   []float64
	since  float64
}

func (u *tokens) next(now float64) int {
	if now >= u.since+u.forget {
		clear(u.used)
		u.since = math.Floor(now/u.forget) * u.forget
	}
	best := -1
	for _, flow := range u.ties.Perm(len(u.of)) {
		if len(u.of[flow]) > 0 && (best < 0 || u.used[flow] < u.used[best]) {
			best = flow
		}
	}
	return best
}

func (u *tokens) begin(r *request) { u.used[r.flow] += r.length }
