package slotmodel_test

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/slotmodel"
)

// naiveCase is one drawn input.
type naiveCase struct {
	cluster slotmodel.Cluster
	jobs    []slotmodel.JobSpec
	script  []naiveStep
	random  *rand.Rand // the policy acts at random
	until   float64
	period  float64   // of the time series
	weight  []float64 // of the users; nil: all 1
}

// naiveFamily says what its cases may have.
type naiveFamily struct {
	blocks bool // maps read blocks; transfers take times
	fluid  int  // 1: flows over the links of racks; 2: over NICs, too
	pairs  bool // pairs of racks have a limit
	ends   bool // walltimes, crashes, cancellations
	faults bool // nodes are lost
	bare   bool // all of them
	rigid  bool
	kills  bool // by the policy
	halts  bool // suspensions
	shared bool // slots for either kind
	memory bool // of phases and nodes
	random bool // the policy acts at random
	until  bool
	odd    bool // what nobody would give
	slow   bool // nodes are overloaded for a while
	speed  bool // nodes are as fast as the load lets them be
	after  bool // jobs come after others
	riders bool // jobs read common datasets
	sums   bool // a time series, weights of users
	wide   int  // this many times more of everything, at most
}

// anyFamily draws what cases may have: each setting alone, with a few others and with most. Either
// transfers take times or there is a fluid network.
func anyFamily(r *rand.Rand) *naiveFamily {
	share := []float64{.1, .3, .7}[r.IntN(3)]
	some := func() bool { return r.Float64() < share }
	rare := func() bool {
		first := some()
		return first && some()
	}
	f := &naiveFamily{blocks: some(), pairs: some(), ends: some(), faults: some(), bare: rare(), rigid: some(), kills: some(), halts: some(), shared: some(), memory: some(),
		random: some(), until: rare(), odd: rare(), slow: some(), speed: some(), after: some(), riders: some(), sums: some()}
	if r.IntN(4) == 0 {
		f.fluid, f.blocks = 1+r.IntN(2), false
	}
	if r.IntN(30) == 0 {
		f.wide = 2 + r.IntN(2)
	}
	f.bare = f.bare && !f.random // whose calls go on while a job is stuck
	return f
}

func (f *naiveFamily) draw(r *rand.Rand) *naiveCase {
	c := &naiveCase{}
	wide := max(1, f.wide)
	racks := 1 + r.IntN(3*wide)
	for i := range 1 + r.IntN(4*wide) {
		c.cluster.Nodes = append(c.cluster.Nodes, f.node(r, racks, i == 0 && !f.bare))
		if f.slow {
			c.cluster.Nodes[i].Slow = slowdowns(r)
		}
	}
	if f.blocks {
		c.cluster.Network = slotmodel.Network{RackRead: float64(r.IntN(3)), RemoteRead: float64(r.IntN(5)), Shuffle: float64(r.IntN(4)), Write: float64(r.IntN(3))}
	}
	if f.shared {
		c.cluster.EarlyReduces = float64(r.IntN(5)) / 4
	}
	if f.halts {
		c.cluster.ResumeCost = float64(r.IntN(3))
	}
	if f.fluid > 0 {
		f.connect(r, racks, &c.cluster)
	}
	for range 1 + r.IntN(5*wide) {
		c.jobs = append(c.jobs, f.job(r, wide, len(c.cluster.Nodes)))
	}
	if f.speed {
		c.cluster.Speed = speedOf(r)
	}
	if f.after {
		follow(r, c.jobs)
	}
	if f.kills || f.halts {
		at := 0.0
		for range r.IntN(12) {
			at += float64(1 + r.IntN(8))
			what := []byte("ksr")
			if !f.halts {
				what = what[:1]
			} else if !f.kills {
				what = what[1:]
			}
			c.script = append(c.script, naiveStep{at, what[r.IntN(len(what))], r.IntN(10)})
		}
		c.script = append(c.script, naiveStep{at: at + 1, what: 'r'})
	}
	if f.until && r.IntN(2) == 0 {
		c.until = float64(1 + r.IntN(40))
	}
	if f.random {
		c.random = rand.New(rand.NewPCG(r.Uint64(), 78))
	}
	if f.sums {
		c.period = float64(r.IntN(3)) * float64(int(1)<<r.IntN(4))
		c.weight = [][]float64{nil, {1, 3, .5}, {1, 1, 1, 2}}[r.IntN(3)]
	}
	return c
}

// node draws a node; one that stays has slots of both kinds and is never lost.
func (f *naiveFamily) node(r *rand.Rand, racks int, stays bool) slotmodel.NodeSpec {
	n := slotmodel.NodeSpec{Rack: r.IntN(racks), Maps: r.IntN(3), Reduces: r.IntN(3), Speed: float64(int(1)<<r.IntN(4)) / 4}
	if f.memory {
		n.Memory = float64(r.IntN(12)) / 4
	}
	if f.shared {
		n.Slots, n.Maps, n.Reduces = r.IntN(4), r.IntN(2), r.IntN(2)
	}
	if stays {
		n.Maps, n.Reduces = max(n.Maps, 1), max(n.Reduces, 1)
		if f.random { // whose calls go on while a job is stuck
			n.Memory = 0
		} else if f.shared && r.IntN(2) == 0 {
			n.Maps, n.Reduces, n.Slots = 0, 0, max(2, n.Slots)
		}
		if f.rigid {
			n.Maps = 4
		}
		return n
	}
	for at := 0.0; f.faults && !math.IsInf(at, 1) && r.IntN(3) > 0; {
		from := at + float64(r.IntN(20))
		at = from + float64(1+r.IntN(10))
		if r.IntN(10) == 0 {
			at = math.Inf(1)
		}
		n.Down = append(n.Down, slotmodel.Outage{From: from, Until: at})
	}
	return n
}

// speedOf draws how fast nodes are: powers of two that jump with the load.
func speedOf(r *rand.Rand) func(slotmodel.Load) float64 {
	jobs, tasks, running, holding := r.IntN(3), [2]int{r.IntN(2), r.IntN(2)}, [2]int{r.IntN(3), r.IntN(3)}, r.IntN(3)
	return func(l slotmodel.Load) float64 {
		return math.Ldexp(1, (jobs*l.Jobs+tasks[0]*l.Tasks[0]+tasks[1]*l.Tasks[1]+running[0]*l.Running[0]+running[1]*l.Running[1]+holding*l.Holding)%4-2)
	}
}

// follow lets jobs come after others, in an order that is drawn first.
func follow(r *rand.Rand, jobs []slotmodel.JobSpec) {
	order := r.Perm(len(jobs))
	for i := 1; i < len(order); i++ {
		s := &jobs[order[i]]
		if r.IntN(4) > 0 {
			s.After, s.Think = 1+order[r.IntN(i)], float64(r.IntN(4))
		}
		s.Arrival *= float64(r.IntN(2))
	}
}

// slowdowns draws when a node is overloaded. Factors are powers of two.
func slowdowns(r *rand.Rand) []slotmodel.Slowdown {
	var all []slotmodel.Slowdown
	for at := 0.0; !math.IsInf(at, 1) && r.IntN(4) > 0; {
		from := at + float64(r.IntN(8))
		at = from + float64(1+r.IntN(8))
		if r.IntN(10) == 0 {
			at = math.Inf(1)
		}
		all = append(all, slotmodel.Slowdown{From: from, Until: at, Factor: float64(int(1) << r.IntN(4))})
	}
	return all
}

// connect draws a fluid network.
func (f *naiveFamily) connect(r *rand.Rand, racks int, c *slotmodel.Cluster) {
	limit := func(share float64) float64 {
		if r.Float64() < share {
			return 1 + 9*r.Float64()
		}
		return 0
	}
	c.Network.Fluid = true
	if f.pairs {
		c.Network.Pair = limit(.8)
	}
	for range racks {
		c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: limit(.8), Ingress: limit(.8)})
	}
	for i := range c.Nodes {
		c.Nodes[i].Speed = .5 + r.Float64()
		if f.fluid > 1 {
			c.Nodes[i].NIC = limit(.7)
		}
	}
}

func (f *naiveFamily) job(r *rand.Rand, wide, nodes int) slotmodel.JobSpec {
	some := func(share float64) bool { return r.Float64() < share }
	s := slotmodel.JobSpec{User: r.IntN(3), Arrival: float64(r.IntN(20)), Slowstart: []float64{0, .25, .5, .95, 1}[r.IntN(5)]}
	s.Maps.Tasks = 1 + r.IntN(6*wide)
	if f.riders {
		s.Dataset = r.IntN(3)
	}
	if some(.7) {
		s.Reduces.Tasks = 1 + r.IntN(3*wide)
	}
	if f.memory {
		s.Maps.Memory, s.Reduces.Memory = float64(r.IntN(8))/4, float64(r.IntN(8))/4
	}
	if f.rigid && some(.4) {
		s.Rigid, s.Maps.Tasks, s.Reduces.Tasks = true, min(4, s.Maps.Tasks), 0
	}
	if f.odd && some(.2) {
		s.Reduces.Tasks = 0
	}
	if f.odd && some(.2) && !s.Rigid {
		s.Maps.Tasks = 0
	}
	for _, p := range []*slotmodel.Phase{&s.Maps, &s.Reduces} {
		p.Work = float64(r.IntN(8))
		if f.fluid > 0 || some(.5) {
			for range p.Tasks {
				p.Works = append(p.Works, float64(r.IntN(8)))
			}
		}
	}
	if (f.blocks || f.fluid > 0) && some(.7) && s.Maps.Tasks > 0 {
		s.Copies = 1 + r.IntN(2)
		for i := range s.Maps.Tasks * s.Copies {
			h := int32(r.IntN(nodes))
			if i%s.Copies > 0 && (some(.3) || h == s.Replicas[i-1]) && !f.odd || f.odd && some(.2) {
				h = -1
			}
			s.Replicas = append(s.Replicas, h)
		}
	}
	if f.ends && some(.3) {
		s.Walltime = float64(1 + r.IntN(30))
	}
	if f.ends && some(.2) {
		s.Crash = float64(1 + r.IntN(30))
	}
	if f.ends && some(.2) {
		s.Cancel = s.Arrival + float64(1+r.IntN(30))
	}
	if f.fluid > 0 {
		f.flow(r, &s)
	}
	if f.odd {
		s.Cancel *= float64(r.IntN(2))
		if some(.3) {
			s.Slowstart = float64(r.IntN(101)) / 100
		}
		if some(.2) {
			s.Cancel = float64(r.IntN(25))
		}
		if some(.2) {
			s.Walltime = float64(1 + r.IntN(20))
			s.Crash = s.Walltime
		}
	}
	return s
}

// flow gives a job data, and times of its own: what only rounding decides would be decided
// differently.
func (f *naiveFamily) flow(r *rand.Rand, s *slotmodel.JobSpec) {
	s.Arrival = 20 * r.Float64()
	for _, works := range [][]float64{s.Maps.Works, s.Reduces.Works} {
		for i := range works {
			works[i] = 8 * r.Float64()
		}
	}
	data := func(pieces int) float64 {
		if r.IntN(4) == 0 {
			return 0
		}
		return 30 * r.Float64() * float64(pieces)
	}
	s.Input, s.Shuffle, s.Output = data(s.Maps.Tasks), data(s.Maps.Tasks*s.Reduces.Tasks), data(s.Maps.Tasks+s.Reduces.Tasks)
}
