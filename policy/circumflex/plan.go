package circumflex

import (
	"math"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/sharedscan"
	"github.com/schedmath/schedmath/slotmodel"
)

// most returns the most slots that a job can use.
func (p *Policy) most(v *slotmodel.View, j slotmodel.Job) int {
	if p.Max != nil {
		if m := p.Max(v.Spec(j)); m > 0 {
			return min(m, malleable.MaxSlots)
		}
	}
	return malleable.MaxSlots
}

// plan plans the scans under way anew. A plan that cannot be made, because all nodes are lost or a
// penalty is not valid, leaves the one before.
func (p *Policy) plan(v *slotmodel.View) {
	p.fresh, p.jobs = true, p.jobs[:0]
	lengths, of := make([]int, len(p.datasets)), []int(nil) // of: the dataset of each subjob
	objective := precedence.Objective{Aggregate: p.Aggregate}
	for i := range p.datasets {
		d := &p.datasets[i]
		time := p.estimate(v, d.members[0])
		p.scans = p.scans[:0]
		for _, j := range d.members {
			c := v.Count(j, slotmodel.Map)
			p.scans = append(p.scans, sharedscan.Scan{Remaining: float64(c.Tasks-c.Done) * time, Max: p.most(v, j)})
		}
		var err error
		if p.chain, err = sharedscan.CyclicChain(p.chain[:0], p.scans); err != nil {
			return
		}
		for _, s := range p.chain {
			objective.Penalties = append(objective.Penalties, p.penalty(v, d.members[s.Completes]))
			of = append(of, i)
		}
		if p.jobs, err = sharedscan.FromSubjobs(p.jobs, p.chain, nil); err != nil {
			return
		}
		lengths[i] = len(p.chain)
	}
	g, _ := precedence.Chains(lengths...)                                                                      // cannot fail: no length is negative
	s, _, err := malleable.Plan(v.Slots(slotmodel.Map), p.jobs, g, objective, malleable.PlanOptions{Packs: 1}) // the paper's scheme
	if err != nil {
		return
	}
	for i := range p.datasets {
		p.datasets[i].plan = 0
	}
	p.slots = s.At(p.slots[:0], 0)
	for k, n := range p.slots {
		p.datasets[of[k]].plan += n
	}
}

// estimate returns the time of a block.
func (p *Policy) estimate(v *slotmodel.View, j slotmodel.Job) float64 {
	s := v.Spec(j)
	time := internal.TotalWork(&s.Maps) / float64(s.Maps.Tasks)
	if p.Estimate != nil {
		time = p.Estimate(v, j)
	}
	if !(time >= 0 && time <= math.MaxFloat64) {
		return 0
	}
	return time
}

// penalty returns what the end of a job costs.
func (p *Policy) penalty(v *slotmodel.View, j slotmodel.Job) precedence.Penalty {
	if p.Penalty != nil {
		if f := p.Penalty(v, j); f != nil {
			return f
		}
	}
	return precedence.Response{Weight: 1}
}
