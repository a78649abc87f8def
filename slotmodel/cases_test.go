package slotmodel_test

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/slotmodel"
)

// randomCase draws a small cluster and a workload. Whole times, works and bytes, and speeds that
// are powers of two, make all sums exact; fraction turns that off.
type randomCase struct {
	r        *rand.Rand
	fraction bool // of seconds
	fluid    bool
	peace    bool // no losses, limits or cancellations
	plain    bool // no memory and no shared slots
}

func (g *randomCase) chance(p float64) bool { return g.r.Float64() < p }

// amount draws a number below n, often 0.
func (g *randomCase) amount(n int) float64 {
	x := float64(g.r.IntN(n))
	if g.fraction && x > 0 {
		x += g.r.Float64()
	}
	return x
}

func (g *randomCase) cluster() *slotmodel.Cluster {
	r := g.r
	c := &slotmodel.Cluster{}
	racks := 1 + r.IntN(3)
	if g.chance(0.3) {
		c.ResumeCost = g.amount(4)
	}
	if g.chance(0.3) {
		c.EarlyReduces = float64(1+r.IntN(8)) / 8
	}
	for i := range 1 + r.IntN(6) {
		n := slotmodel.NodeSpec{Rack: r.IntN(racks), Maps: r.IntN(4), Reduces: r.IntN(3)}
		if i == 0 {
			n.Rack, n.Maps, n.Reduces = racks-1, max(1, n.Maps), max(1, n.Reduces)
		}
		if g.chance(0.3) {
			n.Speed = []float64{0.5, 2, 4}[r.IntN(3)]
		}
		if !g.plain && g.chance(0.3) {
			n.Memory = 1 + g.amount(8)
		}
		if !g.plain && g.chance(0.3) {
			n.Slots = r.IntN(4)
		}
		if g.fluid && g.chance(0.2) {
			n.NIC = float64(int(1) << r.IntN(7))
		}
		if !g.peace && g.chance(0.3) {
			at := 0.0
			for range 1 + r.IntN(3) {
				o := slotmodel.Outage{From: at + g.amount(30)}
				o.Until = o.From + 1 + g.amount(20)
				if g.chance(0.1) {
					o.Until = math.Inf(1)
				}
				if n.Down = append(n.Down, o); o.Until > math.MaxFloat64 {
					break
				}
				at = o.Until
			}
		}
		c.Nodes = append(c.Nodes, n)
	}
	if g.fluid {
		c.Network.Fluid = true
		if g.chance(0.8) {
			for range racks {
				c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: float64(r.IntN(8)) * 8, Ingress: float64(r.IntN(8)) * 8})
			}
		}
	} else if g.chance(0.5) {
		c.Network = slotmodel.Network{RackRead: g.amount(3), RemoteRead: g.amount(5), Shuffle: g.amount(5), Write: g.amount(3)}
	}
	return c
}

// overload makes nodes of every second cluster slow for a while, by draws of its own.
func overload(c *slotmodel.Cluster, seed uint64) {
	for n := range c.Nodes {
		if r := rand.New(rand.NewPCG(seed, uint64(n))); seed%2 == 0 && r.IntN(2) == 0 {
			c.Nodes[n].Slow = slowdowns(r)
		}
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

func (g *randomCase) phase(most int) slotmodel.Phase {
	p := slotmodel.Phase{Tasks: g.r.IntN(most + 1), Work: g.amount(12)}
	if g.chance(0.4) {
		p.Memory = g.amount(4)
	}
	if g.chance(0.4) {
		p.Works = make([]float64, p.Tasks)
		for i := range p.Works {
			p.Works[i] = g.amount(20)
		}
	}
	return p
}

func (g *randomCase) jobs(c *slotmodel.Cluster) []slotmodel.JobSpec {
	r := g.r
	jobs := make([]slotmodel.JobSpec, 1+r.IntN(8))
	for i := range jobs {
		s := slotmodel.JobSpec{User: r.IntN(4), Arrival: g.amount(40), Maps: g.phase(6), Reduces: g.phase(3), Slowstart: []float64{0, 0.25, 0.5, 1}[r.IntN(4)]}
		s.Input, s.Shuffle, s.Output = float64(r.IntN(3)*120), float64(r.IntN(4)*720), float64(r.IntN(3)*120)
		if g.chance(0.15) {
			s.Rigid, s.Reduces = true, slotmodel.Phase{}
		}
		if !g.peace && g.chance(0.1) {
			s.Walltime = 1 + g.amount(30)
		}
		if !g.peace && g.chance(0.1) {
			s.Crash = 1 + g.amount(30)
		}
		if !g.peace && g.chance(0.1) {
			s.Cancel = 1 + g.amount(80)
		}
		if g.chance(0.5) {
			s.Copies = 1 + r.IntN(3)
			for range s.Maps.Tasks * s.Copies {
				s.Replicas = append(s.Replicas, int32(r.IntN(len(c.Nodes)+1)-1))
			}
			if s.Replicas == nil {
				s.Copies = 0
			}
		}
		jobs[i] = s
	}
	return jobs
}

func (g *randomCase) options() slotmodel.Options {
	var o slotmodel.Options
	if g.chance(0.5) {
		o.Period = float64(int(1) << g.r.IntN(5))
	}
	if g.chance(0.3) {
		o.Entitlements = []float64{1 + g.amount(3), 1 + g.amount(3), 1 + g.amount(3), 1 + g.amount(3)}
	}
	if g.chance(0.1) {
		o.Until = 1 + g.amount(100)
	}
	return o
}

func (g *randomCase) policy() slotmodel.Policy {
	switch g.r.IntN(6) {
	case 0:
		return fifo
	case 1:
		return fair
	}
	p := &chaos{r: rand.New(rand.NewPCG(g.r.Uint64(), 1)), calm: g.amount(120)}
	if g.chance(0.2) {
		p.beat = float64(1 + g.r.IntN(4))
	}
	return p
}
