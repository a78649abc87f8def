package policytest

import (
	"runtime"
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
	Check  func(v *slotmodel.View)
	Every  bool // Check is called after all decisions
	killed bool // the present decision has killed
}

// Decide hands the call on, between Before and Check.
func (p *After) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.killed = false
	if p.Before != nil {
		p.Before(v, a)
	}
	p.Policy.Decide(v, a)
	if p.Every || !p.killed {
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

// Frugal counts the allocations of a policy from a time on, in one of eight decisions and in the
// events before it.
type Frugal struct {
	slotmodel.Policy
	Observer slotmodel.Observer // the Policy as an Observer; nil: it is none
	From     float64            // s
	Calls    int                // of Decide
	Watched  int                // calls of Decide and Observe in which allocations were counted
	Mallocs  uint64             // allocations in these calls
	before   runtime.MemStats
	after    runtime.MemStats
}

// BeginRun hands the call on.
func (p *Frugal) BeginRun(v *slotmodel.View) { Begin(p.Policy, v) }

func (p *Frugal) watch(now float64, f func()) {
	if now < p.From || p.Calls%8 != 0 {
		f()
		return
	}
	p.Watched++
	runtime.ReadMemStats(&p.before)
	f()
	runtime.ReadMemStats(&p.after)
	p.Mallocs += p.after.Mallocs - p.before.Mallocs
}

// Decide hands the call on, and counts what it allocates.
func (p *Frugal) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.Calls++
	p.watch(v.Now(), func() { p.Policy.Decide(v, a) })
}

// Observe hands an event on to Observer, and counts what that allocates.
func (p *Frugal) Observe(v *slotmodel.View, e slotmodel.Event) {
	if p.Observer != nil {
		p.watch(v.Now(), func() { p.Observer.Observe(v, e) })
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
