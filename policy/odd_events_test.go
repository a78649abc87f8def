package policy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// liar shows a policy events that have not happened, of jobs, tasks and nodes that may not exist.
type liar struct {
	slotmodel.Policy
	r    *rand.Rand
	lies int
}

func (p *liar) BeginRun(v *slotmodel.View) { policytest.Begin(p.Policy, v) }

func (p *liar) number() int32 {
	return []int32{-1, math.MinInt32, math.MaxInt32, p.r.Int32N(8), p.r.Int32N(8), p.r.Int32N(8), p.r.Int32N(100)}[p.r.IntN(7)]
}

func (p *liar) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.lies--
	if p.lies < 0 {
		for range 5 {
			e := slotmodel.Event{Time: v.Now(), Value: []float64{0, 1, -1, math.NaN(), math.Inf(1)}[p.r.IntN(5)], Type: slotmodel.EventType(p.r.IntN(20)), Kind: slotmodel.Kind(p.r.IntN(3)),
				Job: slotmodel.Job(p.number()), Task: slotmodel.Task(p.number()), Attempt: slotmodel.Attempt(p.number()), Node: slotmodel.Node(p.number())}
			if o, ok := p.Policy.(slotmodel.Observer); ok {
				o.Observe(v, e)
			}
			if r, ok := p.Policy.(policy.Ranker); ok {
				r.Begin(v, slotmodel.Kind(p.r.IntN(256)))
				r.Next(v)
				r.Next(new(slotmodel.View))
			}
		}
	}
	p.Policy.Decide(v, a)
}

func (p *liar) Observe(v *slotmodel.View, e slotmodel.Event) {
	if o, ok := p.Policy.(slotmodel.Observer); ok {
		o.Observe(v, e)
	}
}

// What a policy is shown may be wrong: the run may then fail, but nothing panics.
func TestOddEvents(t *testing.T) {
	for name, make := range everyPolicy(t) {
		for seed := range uint64(100) {
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("%s, seed %d: panic: %v", name, seed, p)
					}
				}()
				c, jobs := policytest.Blocked(seed, 20)
				p := &liar{make(), rand.New(rand.NewPCG(seed, 5)), int(seed % 20)}
				_, _ = slotmodel.Run(c, jobs, p, slotmodel.Options{Until: 200})
				for range 20 { // after the run, and with no run at all
					p.Decide(new(slotmodel.View), new(slotmodel.Actions))
				}
			}()
		}
	}
}
