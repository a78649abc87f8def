package policytest

import (
	"slices"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// Spy is a Ranker whose walks, whole at each Begin, are given to Check.
type Spy struct {
	policy.Ranker
	Check func(v *slotmodel.View, k slotmodel.Kind, walk []slotmodel.Job)
	walk  []slotmodel.Job
}

// Begin walks Ranker once for the check, and begins the walk again.
func (s *Spy) Begin(v *slotmodel.View, k slotmodel.Kind) {
	s.walk = s.walk[:0]
	s.Ranker.Begin(v, k)
	for j := s.Ranker.Next(v); j != slotmodel.None; j = s.Ranker.Next(v) {
		s.walk = append(s.walk, j)
	}
	if extra := s.Ranker.Next(v); extra != slotmodel.None {
		s.walk = append(s.walk, extra) // Check then fails, since Next must give None after None
	}
	s.Check(v, k, s.walk)
	s.Ranker.Begin(v, k)
}

// BeginRun hands the call on.
func (s *Spy) BeginRun(v *slotmodel.View) { Begin(s.Ranker, v) }

// Observe hands an event on.
func (s *Spy) Observe(v *slotmodel.View, e slotmodel.Event) {
	if o, ok := s.Ranker.(slotmodel.Observer); ok {
		o.Observe(v, e)
	}
}

// After is a policy that calls Check after its decisions. Without Every it leaves out the decisions
// that killed: another decision of the same instant follows each of them.
type After struct {
	slotmodel.Policy
	Before func(v *slotmodel.View, a *slotmodel.Actions) // nil: nothing
	Check  func(v *slotmodel.View)                       // nil: nothing
	Every  bool                                          // Check is called after all decisions
	killed bool                                          // the present decision has killed
}

// Decide hands the call on, between Before and Check.
func (p *After) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.killed = false
	if p.Before != nil {
		p.Before(v, a)
	}
	p.Policy.Decide(v, a)
	if p.Check != nil && (p.Every || !p.killed) {
		p.Check(v)
	}
}

// BeginRun hands the call on.
func (p *After) BeginRun(v *slotmodel.View) { Begin(p.Policy, v) }

// Observe hands an event on, and notes a kill.
func (p *After) Observe(v *slotmodel.View, e slotmodel.Event) {
	p.killed = p.killed || e.Type == slotmodel.Killed
	if o, ok := p.Policy.(slotmodel.Observer); ok {
		o.Observe(v, e)
	}
}

// Begin tells a policy or a part of one that a run begins.
func Begin(x any, v *slotmodel.View) {
	if b, ok := x.(slotmodel.Beginner); ok {
		b.BeginRun(v)
	}
}

// Laggards is a queues.DynamicShare Stragglers that names the laxities more than 2 s below the
// greatest.
func Laggards(dst []int, laxity []float64) []int {
	most := slices.Max(laxity)
	for i, x := range laxity {
		if x < most-2 {
			dst = append(dst, i)
		}
	}
	return dst
}

// Failer is a *testing.T, a *testing.B or a *rapid.T.
type Failer interface {
	Helper()
	Fatalf(format string, args ...any)
}
