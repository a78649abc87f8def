package policy

import (
	"cmp"

	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/slotmodel"
)

// FairShare is the Ranker of Slurm's fair share: first the jobs of the user who has used the
// fewest slots, of both kinds together, per entitlement (slotmodel.View.Entitlement), where use
// counts half as much after each half-life (fairqueue.Decay). Ties: by arrival. A user of
// entitlement 0 comes last. As the Inner of Backfill with Afresh it is what Slurm does with a
// multifactor priority of fair share alone.
//
// A walk costs O(U) for U users beyond what one of By does.
type FairShare struct {
	HalfLife float64 // s, in [2^-100, 2^100]; 0: 7 days

	broken bool // HalfLife is out of range: no walk has a job
	order  Ranker
	usage  []fairqueue.Usage // by user
	held   []float64         // by user: slots since usage was brought up to date
}

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming HalfLife.
func (f *FairShare) Check() error {
	if _, err := f.decay().Advance(fairqueue.Usage{}, 0, 0); err != nil {
		return input.Bad("policy.FairShare.Check", "HalfLife", -1, "%v, want 0 or a number in [2^-100, 2^100]", f.HalfLife)
	}
	return nil
}

func (f *FairShare) decay() fairqueue.Decay {
	return fairqueue.Decay{HalfLife: cmp.Or(f.HalfLife, 7*86400)}
}

// BeginRun forgets the previous run.
func (f *FairShare) BeginRun(v *slotmodel.View) {
	f.broken = f.Check() != nil
	f.usage, f.held = make([]fairqueue.Usage, v.Users()), make([]float64, v.Users())
	f.order = By(func(v *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind) float64 {
		u := slotmodel.User(v.Spec(j).User)
		return perEntitlement(v, u, f.usage[u].Mean)
	})
}

// ObservesGangs reports whether self is f: one call for all maps that start or end together is
// enough.
func (f *FairShare) ObservesGangs(self any) bool { return self == any(f) }

// Observe charges the job's user for what it held up to now.
func (f *FairShare) Observe(v *slotmodel.View, e slotmodel.Event) {
	if s := v.Spec(e.Job); s != nil && s.User < len(f.usage) {
		u := slotmodel.User(s.User)
		f.charge(v, u)
		f.held[u] = slotsHeld(v, u)
	}
}

// charge brings the usage of a user up to now. All arguments are in range: no error.
func (f *FairShare) charge(v *slotmodel.View, u slotmodel.User) {
	f.usage[u], _ = f.decay().Advance(f.usage[u], v.Now(), f.held[u])
}

// Begin starts a walk.
func (f *FairShare) Begin(v *slotmodel.View, k slotmodel.Kind) {
	if f.order == nil || len(f.usage) < v.Users() {
		f.BeginRun(v)
	}
	for u := range f.usage {
		f.charge(v, slotmodel.User(u))
	}
	f.order.Begin(v, k)
}

// Next returns the next job of the walk.
func (f *FairShare) Next(v *slotmodel.View) slotmodel.Job {
	if f.broken || f.order == nil {
		return slotmodel.None
	}
	return f.order.Next(v)
}
