package policy_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// part counts what a combinator hands on.
type part struct {
	policy.ByArrival
	policy.FairUsers
	begun, seen int
	at          float64
}

func (p *part) BeginRun(*slotmodel.View)                 { p.begun++ }
func (p *part) Observe(*slotmodel.View, slotmodel.Event) { p.seen++ }
func (p *part) Alarm(*slotmodel.View) float64            { return p.at }

// The types give a part one role each.
type (
	rankerPart struct{ *part }
	usersPart  struct{ *part }
	filterPart struct{ *part }
)

func (p rankerPart) Begin(v *slotmodel.View, k slotmodel.Kind) { p.ByArrival.Begin(v, k) }
func (p rankerPart) Next(v *slotmodel.View) slotmodel.Job      { return p.ByArrival.Next(v) }
func (p usersPart) Begin(v *slotmodel.View, n slotmodel.Node)  { p.FairUsers.Begin(v, n) }
func (p usersPart) Next(v *slotmodel.View) slotmodel.User      { return p.FairUsers.Next(v) }
func (p filterPart) Accept(v *slotmodel.View, _ slotmodel.Job, _ slotmodel.Kind, _ slotmodel.Node) bool {
	return v.Now() >= p.at
}

// Combinators hand on the beginning of a run, every event and the earliest alarm to each part.
func TestCombinatorsHandOn(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 1)}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 2, 1), policytest.Maps(0, 1, 2)}
	for name, make := range map[string]func(a, b *part) slotmodel.Policy{
		"Greedy": func(a, b *part) slotmodel.Policy {
			return &policy.Greedy{Inner: rankerPart{a}, Filter: filterPart{b}}
		},
		"PerUser": func(a, b *part) slotmodel.Policy {
			return &policy.PerUser{Users: usersPart{a}, Chooser: &policy.Earliest{Filter: filterPart{b}}}
		},
		"dynprio": func(_, b *part) slotmodel.Policy { return &dynprio.Policy{Filter: filterPart{b}} },
	} {
		a, b := &part{at: math.Inf(1)}, &part{at: 3}
		p := make(a, b)
		for range 2 {
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
			if err != nil {
				t.Fatalf("%s: Run failed: %v", name, err)
			}
			// Nothing starts before the alarm at 3 s.
			if res.End != 7 {
				t.Errorf("%s: the run ends at %v s, want 7", name, res.End)
			}
		}
		if b.begun != 2 || b.seen < 10 || name != "dynprio" && (a.begun != 2 || a.seen != b.seen) {
			t.Errorf("%s: its parts are told of %d and %d runs and %d and %d events, want 2 runs and all events each", name, a.begun, b.begun, a.seen, b.seen)
		}
	}
}
