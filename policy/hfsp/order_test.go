package hfsp_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// model is HFSP with known sizes by brute force: at each event the virtual systems are aged by the
// batch functions of aging, and at each question all phases are sorted.
type model struct {
	settings *hfsp.Policy
	at       float64
	most     [2]int
	phases   [2][]virtual
}

// virtual is a phase in the virtual system.
type virtual struct {
	job    slotmodel.Job
	spec   aging.Job // Work: left
	size   float64
	lateAt float64 // +Inf: it is not late
	done   bool
	rerun  bool
}

// weightOf is the weight of a job in the runs that have weights.
func weightOf(_ *slotmodel.View, j slotmodel.Job) float64 { return float64(1 + j%3) }

func (m *model) weight(v *slotmodel.View, j slotmodel.Job) float64 {
	if m.settings.Weight == nil {
		return 1
	}
	return m.settings.Weight(v, j)
}

func (m *model) capacity(v *slotmodel.View, k int) float64 {
	return float64(v.Slots(slotmodel.Kind(k)))
}

// age lets time pass. slots is what there was until now.
func (m *model) age(now float64, slots [2]float64) {
	for k := range m.phases {
		ps := m.phases[k]
		specs := make([]aging.Job, len(ps))
		for i := range ps {
			specs[i] = ps[i].spec
		}
		ends, err := aging.Finish(nil, slots[k], specs)
		if err == nil {
			specs, err = aging.Age(nil, slots[k], now-m.at, specs)
		}
		if err != nil {
			panic(err)
		}
		for i := range ps {
			if end := m.at + ends[i]; end <= now && math.IsInf(ps[i].lateAt, 1) {
				ps[i].lateAt, specs[i].Work = end, 0
			}
			ps[i].spec.Work = specs[i].Work
		}
	}
	m.at = now
}

func (m *model) find(k slotmodel.Kind, j slotmodel.Job) int {
	return slices.IndexFunc(m.phases[k], func(p virtual) bool { return p.job == j })
}

func (m *model) add(v *slotmodel.View, k slotmodel.Kind, j slotmodel.Job, work float64, rerun bool) {
	slots := float64(v.Count(j, k).Tasks)
	if rerun {
		slots = 1
	}
	if m.settings.NoCaps || slots >= float64(m.most[k]) {
		slots = 0
	}
	p := virtual{job: j, spec: aging.Job{Work: work, Slots: slots, Weight: m.weight(v, j)}, size: work, lateAt: math.Inf(1), rerun: rerun}
	if work == 0 {
		p.lateAt = m.at
	}
	m.phases[k] = append(m.phases[k], p)
}

// observe takes note of an event; slots is what there was before it.
func (m *model) observe(v *slotmodel.View, e slotmodel.Event, slots [2]float64) {
	m.age(v.Now(), slots)
	switch e.Type {
	case slotmodel.Ready:
		m.add(v, e.Kind, e.Job, hfsp.TrueSize(v, e.Job, e.Kind), false)
	case slotmodel.Ended:
		if c := v.Count(e.Job, e.Kind); c.Done == c.Tasks {
			m.phases[e.Kind][m.find(e.Kind, e.Job)].done = true
		}
	case slotmodel.JobEnded:
		for k := range m.phases {
			if i := m.find(slotmodel.Kind(k), e.Job); i >= 0 && !m.phases[k][i].done {
				m.phases[k] = slices.Delete(m.phases[k], i, i+1)
			}
		}
	case slotmodel.OutputLost:
		i := m.find(slotmodel.Map, e.Job)
		p := &m.phases[0][i]
		c := v.Count(e.Job, slotmodel.Map)
		each := hfsp.TrueSize(v, e.Job, slotmodel.Map) / float64(c.Tasks)
		switch {
		case p.done:
			m.phases[0] = slices.Delete(m.phases[0], i, i+1)
			m.add(v, slotmodel.Map, e.Job, each, true)
		case p.rerun:
			p.spec.Work += each // a late one ages again
			p.lateAt = math.Inf(1)
			if p.spec.Work == 0 {
				p.lateAt = m.at
			}
			p.size += each
			p.spec.Slots = float64(c.Tasks - c.Done)
			if m.settings.NoCaps || p.spec.Slots >= float64(m.most[0]) {
				p.spec.Slots = 0
			}
		}
	}
}

// fault says what is wrong with a walk, "" when nothing is. Phases whose keys agree to 1e-9 of the
// times at hand may come in any order: the batch functions round the work left to float64 at each
// event, the cluster does not.
func (m *model) fault(v *slotmodel.View, k slotmodel.Kind, walk []slotmodel.Job) string {
	m.age(v.Now(), [2]float64{m.capacity(v, 0), m.capacity(v, 1)})
	sorted, all := slices.Clone(walk), policytest.Runnable(v, k)
	slices.Sort(sorted)
	slices.Sort(all)
	if !slices.Equal(sorted, all) {
		return "it is not over all jobs that can start a task"
	}
	specs := make([]aging.Job, len(m.phases[k]))
	for i := range specs {
		specs[i] = m.phases[k][i].spec
	}
	ends, err := aging.Finish(nil, max(m.capacity(v, int(k)), 0x1p-100), specs)
	if err != nil {
		panic(err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(v.Now()+math.Abs(a)+1) }
	before := func(a, b slotmodel.Job) bool { // a may come before b
		i, j := m.find(k, a), m.find(k, b)
		p, q := &m.phases[k][i], &m.phases[k][j]
		pLate, qLate := p.lateAt < math.Inf(1), q.lateAt < math.Inf(1)
		switch {
		case pLate && qLate:
			if near(q.lateAt, v.Now()) { // by rounding the cluster may have b on time still
				return true
			}
			held := func(j slotmodel.Job) float64 { return float64(v.Count(j, k).Running) / m.weight(v, j) }
			if x, y := held(a), held(b); x != y {
				return x < y
			}
			return p.lateAt < q.lateAt || near(p.lateAt, q.lateAt)
		case pLate || qLate:
			return pLate || near(p.spec.Work, 0) || near(q.lateAt, v.Now())
		}
		return ends[i] < ends[j] || near(ends[i], ends[j])
	}
	for i := 1; i < len(walk); i++ {
		if !before(walk[i-1], walk[i]) {
			return "two of it are in the wrong order"
		}
	}
	return ""
}

// modelled is HFSP beside its model.
type modelled struct {
	*hfsp.Policy
	model model
	slots [2]float64
}

// BeginRun counts the slots with all nodes up: the first event may be that one fails.
func (p *modelled) BeginRun(v *slotmodel.View) {
	p.model.most = [2]int{v.Slots(slotmodel.Map), v.Slots(slotmodel.Reduce)}
	p.slots = [2]float64{p.model.capacity(v, 0), p.model.capacity(v, 1)}
	p.Policy.BeginRun(v)
}

func (p *modelled) Observe(v *slotmodel.View, e slotmodel.Event) {
	p.model.observe(v, e, p.slots)
	p.slots = [2]float64{p.model.capacity(v, 0), p.model.capacity(v, 1)}
	p.Policy.Observe(v, e)
}

// TestOrder compares each walk, at every start, with the order by brute force.
func TestOrder(t *testing.T) {
	longest, walks := 0, 0
	play := func(t interface{ Fatalf(string, ...any) }, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, o *hfsp.Policy) {
		p := &modelled{Policy: o, model: model{settings: o}}
		greedy := &policy.Greedy{Overtake: true, Inner: &policytest.Spy{Ranker: p, Check: func(v *slotmodel.View, k slotmodel.Kind, walk []slotmodel.Job) {
			longest = max(longest, len(walk))
			walks++
			if fault := p.model.fault(v, k, walk); fault != "" {
				t.Fatalf("at %v s the walk %v over the jobs with a %v to start is wrong: %s; the model has %+v", v.Now(), walk, k, fault, p.model.phases[k])
			}
			for i := 1; i < len(walk); i++ {
				if first, known := o.Ahead(v, k, walk[i-1], walk[i]); !first || !known {
					t.Fatalf("at %v s Ahead(%v, %d, %d) = %v, %v, want true as in the walk %v", v.Now(), k, walk[i-1], walk[i], first, known, walk)
				}
			}
		}}}
		if _, err := slotmodel.Run(c, jobs, greedy, slotmodel.Options{}); err != nil {
			t.Fatalf("Run failed: %v", err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		o := known()
		o.NoCaps = rapid.Bool().Draw(t, "no caps")
		if rapid.Bool().Draw(t, "weights") {
			o.Weight = weightOf
		}
		play(t, c, jobs, o)
	})
	for seed := range uint64(200) { // greater ones, with more that fails
		r := rand.New(rand.NewPCG(seed, 1))
		c := failing(r, 8, 1+r.IntN(2), 1+r.IntN(2))
		var jobs []slotmodel.JobSpec
		for range 30 {
			s := slotmodel.JobSpec{Arrival: 40 * r.Float64(), Slowstart: r.Float64(),
				Maps:    slotmodel.Phase{Tasks: 1 + r.IntN(12), Work: 3 * r.ExpFloat64()},
				Reduces: slotmodel.Phase{Tasks: r.IntN(4), Work: 5 * r.ExpFloat64()}}
			if r.IntN(5) == 0 {
				s.Cancel = s.Arrival + 20*r.ExpFloat64()
			}
			jobs = append(jobs, s)
		}
		o := known()
		o.NoCaps = seed%3 == 2
		if seed%2 == 1 {
			o.Weight = weightOf
		}
		play(t, c, jobs, o)
	}
	if longest < 5 || walks < 500 {
		t.Errorf("%d walks, the longest over %d jobs: the workloads test nothing", walks, longest)
	}
}
