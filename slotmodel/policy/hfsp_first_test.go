package policy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
)

// walking is HFSP that walks over all phases before it decides, so that it has the whole order at hand.
type walking struct{ *policy.HFSP }

func (p walking) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	for _, k := range []slotmodel.Kind{slotmodel.Map, slotmodel.Reduce} {
		p.Begin(v, k)
		for p.Next(v) != slotmodel.None {
		}
	}
	p.HFSP.Decide(v, a)
}

// TestHFSPFirst: a run in which only the first phase is asked for, and asked for again when all of its tasks run, is that in which the
// whole order is known at each decision, whatever fails, is late or comes back.
func TestHFSPFirst(t *testing.T) {
	half := func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
		return policy.TrueSize(v, j, k) * float64(1+j%3) / 2
	}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		c := &slotmodel.Cluster{Nodes: nodes(2+r.IntN(12), 4, 1+r.IntN(4), 1+r.IntN(2))}
		for i := range c.Nodes[1:] {
			from := 0.0
			for range r.IntN(3) {
				from += 30 * r.ExpFloat64()
				until := from + 10*r.ExpFloat64()
				c.Nodes[1+i].Down = append(c.Nodes[1+i].Down, slotmodel.Outage{From: from, Until: until})
				from = until
			}
		}
		var jobs []slotmodel.JobSpec
		for range 40 {
			s := slotmodel.JobSpec{Arrival: 40 * r.Float64(), Slowstart: r.Float64(),
				Maps:    slotmodel.Phase{Tasks: 1 + int(4*r.ExpFloat64()*r.ExpFloat64()), Work: 3 * r.ExpFloat64()},
				Reduces: slotmodel.Phase{Tasks: r.IntN(4), Work: 5 * r.ExpFloat64()}}
			if r.IntN(5) == 0 {
				s.Cancel = s.Arrival + 20*r.ExpFloat64()
			}
			jobs = append(jobs, s)
		}
		o := []policy.HFSPOptions{{}, known, {Size: half, NoTraining: true}, {Size: half, NoTraining: true, Late: policy.LateNext},
			{Caps: policy.CapLeft}, {Size: half, NoTraining: true, ByWork: true}}[seed%6]
		run := func(p slotmodel.Policy) uint64 {
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true})
			if err != nil {
				t.Fatalf("seed %d: Run failed: %v", seed, err)
			}
			return res.Hash
		}
		if got, want := run(newHFSP(t, o)), run(walking{newHFSP(t, o)}); got != want {
			t.Errorf("seed %d: under %+v the run has hash %x, with the whole order known %x", seed, o, got, want)
		}
	}
}
