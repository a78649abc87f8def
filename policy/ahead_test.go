package policy_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// comparers makes one of each Ranker that is a Comparer.
func comparers() map[string]func() policy.Ranker {
	pools := []policy.Pool{{Weight: 2}, {MinMaps: 2, MinReduces: 1}}
	return map[string]func() policy.Ranker{
		"ByArrival":     func() policy.Ranker { return new(policy.ByArrival) },
		"By":            func() policy.Ranker { return policy.By(workOfTasks) },
		"Fair":          func() policy.Ranker { return new(policy.Fair) },
		"Fair, users":   func() policy.Ranker { return &policy.Fair{PoolOf: policy.ByUser, Pools: pools} },
		"Capacity":      func() policy.Ranker { return &policy.Capacity{Guaranteed: []float64{.5, .25}} },
		"SRPT":          func() policy.Ranker { return new(policy.SRPT) },
		"SRPT, running": func() policy.Ranker { return &policy.SRPT{Preempt: policy.PreemptKill} },
		"HFSP":          func() policy.Ranker { return new(hfsp.Policy) },
		"HFSP, no caps": func() policy.Ranker { return &hfsp.Policy{NoCaps: true} },
		"HFSP, known":   func() policy.Ranker { return &hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true} },
	}
}

// asker is a policy that asks its order, after each event and in each decision, which of any two
// jobs comes first.
type asker struct {
	*policy.Greedy
	ask func(v *slotmodel.View)
}

func (p *asker) Observe(v *slotmodel.View, e slotmodel.Event) {
	p.ask(v)
	p.Greedy.Observe(v, e)
	p.ask(v)
}

// After a Begin the answers of Ahead are those of the walk. For jobs that have nothing to start,
// have not arrived or do not exist, and at any other time, it answers something and does not panic.
func TestAheadIsTheWalk(t *testing.T) {
	for name, make := range comparers() {
		known := 0
		property := func(t *rapid.T) {
			c := policytest.DrawCluster(t)
			jobs := policytest.DrawJobs(t, len(c.Nodes))
			ranker := make()
			comparer := ranker.(policy.Comparer)
			check := func(v *slotmodel.View, k slotmodel.Kind, walk []slotmodel.Job) {
				ranker.Begin(v, k)
				for i, a := range walk {
					for _, b := range slices.Concat(walk[:i], walk[i+1:]) {
						first, ok := comparer.Ahead(v, k, a, b)
						if want := i < slices.Index(walk, b); ok && first != want {
							t.Fatalf("%s: at %v s Ahead(%v, %d, %d) = %t, want %t as in the walk %v", name, v.Now(), k, a, b, first, want, walk)
						}
						if ok {
							known++
						}
					}
				}
			}
			ask := func(v *slotmodel.View) {
				for k := range slotmodel.Kind(3) {
					for a := slotmodel.Job(-2); int(a) <= v.Jobs(); a++ {
						for b := slotmodel.Job(-2); int(b) <= v.Jobs(); b++ {
							comparer.Ahead(v, k, a, b)
						}
					}
				}
			}
			p := &asker{&policy.Greedy{Inner: &policytest.Spy{Ranker: ranker, Check: check}}, ask}
			if _, err := slotmodel.Run(c, jobs, p, slotmodel.Options{}); err != nil {
				t.Fatalf("%s: Run failed: %v", name, err)
			}
		}
		rapid.Check(t, property)
		known = 0
		policytest.Counted(t, 30, property)
		if known < 100 {
			t.Errorf("%s: Ahead knows the answer %d times, want at least 100: the workloads test nothing", name, known)
		}
	}
}
