package slotmodel_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
)

// library makes one of each policy of package policy.
func library() map[string]func() slotmodel.Policy {
	pools := []policy.Pool{{MinMaps: 1}, {Weight: 2, MinReduces: 1}}
	return map[string]func() slotmodel.Policy{
		"FIFO":          func() slotmodel.Policy { return policy.FIFO{} },
		"Fair":          func() slotmodel.Policy { return &policy.Fair{PoolOf: policy.ByUser, Pools: pools} },
		"Fair, timeout": func() slotmodel.Policy { return &policy.Fair{PoolOf: policy.ByUser, Pools: pools, MinTimeout: 1} },
		"SRPT":          func() slotmodel.Policy { return &policy.SRPT{Overtake: true} },
		"SRPT, kill":    func() slotmodel.Policy { return &policy.SRPT{Preempt: policy.PreemptKill} },
		"SRPT, suspend": func() slotmodel.Policy { return &policy.SRPT{Preempt: policy.PreemptSuspend} },
		"Delay": func() slotmodel.Policy {
			return &policy.Delay{Inner: new(policy.SRPT), Node: 2, Rack: 3}
		},
		"HFSP":       func() slotmodel.Policy { return &hfsp.Policy{Samples: 2} },
		"HFSP, kill": func() slotmodel.Policy { return &hfsp.Policy{Samples: 1, Preempt: policy.PreemptKill, Xi: 2} },
		"HFSP, suspend": func() slotmodel.Policy {
			return &hfsp.Policy{NoTraining: true, Size: hfsp.TrueSize, Preempt: policy.PreemptSuspend}
		},
	}
}

// The laws that replay knows hold under every policy of the library, with and without a fluid
// network; the same run has the same log.
func TestConservationOfLibrary(t *testing.T) {
	const cases = 150
	for name, p := range library() {
		totals := slotmodel.Totals{}
		for seed := range uint64(cases) {
			g := &randomCase{r: rand.New(rand.NewPCG(seed, 83)), fraction: seed%2 == 0, fluid: seed%3 == 0}
			c := g.cluster()
			overload(c, seed+1)
			jobs := g.jobs(c)
			if seed%4 == 1 {
				follow(g.r, jobs)
			}
			o := g.options()
			o.Hash = true
			log, res, err := play(c, jobs, p(), o)
			if err != nil {
				log.fail("Run returned %v", err)
			}
			if g.fluid {
				log.bytes(res)
			}
			if again := mustRun(t, c, jobs, p(), o); again.Hash != res.Hash {
				log.fail("hash %#x, then %#x", res.Hash, again.Hash)
			}
			if len(log.faults) > 0 {
				t.Fatalf("%s, seed %d, options %+v:\n  %s", name, seed, o, strings.Join(log.faults, "\n  "))
			}
			totals.Kills += res.Totals.Kills
			totals.Suspensions += res.Totals.Suspensions
			totals.Crashes += res.Totals.Crashes
		}
		if totals.Crashes < cases/10 || strings.Contains(name, "suspend") && totals.Suspensions < cases/10 {
			t.Errorf("%s: %d crashes and %d suspensions in %d cases: too tame", name, totals.Crashes, totals.Suspensions, cases)
		}
	}
}
