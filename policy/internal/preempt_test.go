package internal_test

import (
	"testing"

	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// vain takes a map slot and then a reduce slot from job 0 at 8 s, for job 1, which has only a
// reduce to start. Otherwise it starts whatever fits, but no reduce of job 1 before.
type vain struct {
	taker   internal.Taker
	victims [2]slotmodel.Attempt
	got     [][2]bool // what Replace returned
}

func (p *vain) BeginRun(v *slotmodel.View) { p.taker.Begin(v) }

func (p *vain) Observe(_ *slotmodel.View, e slotmodel.Event) {
	if e.Type == slotmodel.Started && e.Job == 0 {
		p.victims[e.Kind] = e.Attempt
	}
}

func (p *vain) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	replace := func(k slotmodel.Kind) {
		taken, started := p.taker.Replace(v, a, p.victims[k], internal.PreemptKill, 1)
		p.got = append(p.got, [2]bool{taken, started})
	}
	if v.Now() == 8 && len(p.got) == 0 {
		replace(slotmodel.Map)
		replace(slotmodel.Reduce)
		return
	}
	for k := range slotmodel.Kind(2) {
		for j := v.NextRunnable(slotmodel.None, k); j != slotmodel.None; j = v.NextRunnable(j, k) {
			if v.Fits(j, k, 0) && (v.Now() >= 8 || j == 0 || k == slotmodel.Map) {
				a.Start(j, k, 0)
			}
		}
	}
	if v.Now() < 8 {
		a.Wake(8)
	}
}

// A map slot that is taken in vain does not keep reduces of the job from taking slots.
func TestVainIsOfReduces(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Reduces: 1}}}
	jobs := []slotmodel.JobSpec{
		{Maps: slotmodel.Phase{Tasks: 2, Works: []float64{.3, 90}}, Reduces: slotmodel.Phase{Tasks: 1, Work: 90}, Slowstart: .5},
		{Arrival: 2, Maps: slotmodel.Phase{Tasks: 1, Work: 1}, Reduces: slotmodel.Phase{Tasks: 1, Work: 7.1}},
	}
	p := new(vain)
	res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := [][2]bool{{true, false}, {true, true}}; len(p.got) != 2 || p.got[0] != want[0] || p.got[1] != want[1] {
		t.Errorf("Replace returned %v, want %v", p.got, want)
	}
	for j, r := range res.Jobs {
		if r.Outcome != slotmodel.Finished {
			t.Errorf("job %d: %v, want finished", j, r.Outcome)
		}
	}
}
