package shufflewatcher_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// forced starts each task of job 0 on the node given for it, as soon as there is room.
type forced struct {
	nodes  [2][]slotmodel.Node // by kind and task
	sent   []shuffle.Link      // bytes of each rack at the last call
	output []float64           // of the maps of each rack, when all of them have ended
}

func (p *forced) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	for k := range slotmodel.Kind(2) {
		for i, n := range p.nodes[k] {
			if t := v.Task(0, k, i); v.NextPending(0, k, t-1) == t && v.Fits(0, k, n) {
				a.StartTask(t, n)
			}
		}
	}
	p.watch(v)
}

func (p *forced) Observe(v *slotmodel.View, e slotmodel.Event) {
	if e.Type == slotmodel.MapsEnded {
		for r := range slotmodel.Rack(v.Racks()) {
			p.output = append(p.output, v.Output(0, r))
		}
	}
	p.watch(v)
}

// watch reads the links.
func (p *forced) watch(v *slotmodel.View) {
	p.sent = p.sent[:0]
	for r := range slotmodel.Rack(v.Racks()) {
		out, in := v.LinkBytes(r)
		p.sent = append(p.sent, shuffle.Link{Out: out, In: in})
	}
}

// The traffic that package shuffle computes of a placement is what the slot model measures, in all
// and for each rack's link each way, with slots of each kind and of either.
func TestTrafficIsMeasured(t *testing.T) {
	crossed := 0
	rapid.Check(t, func(t *rapid.T) {
		racks := rapid.IntRange(1, 5).Draw(t, "racks")
		c := &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true}, EarlyReduces: .5}
		either, nics := rapid.Bool().Draw(t, "slots of either kind"), rapid.Bool().Draw(t, "NICs")
		for r := range racks {
			out, in := rapid.IntRange(1, 9).Draw(t, "egress"), rapid.IntRange(1, 9).Draw(t, "ingress")
			c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: float64(out), Ingress: float64(in)})
			for range rapid.IntRange(1, 3).Draw(t, "nodes") {
				n := slotmodel.NodeSpec{Rack: r, Maps: 1, Reduces: 1}
				if either {
					n = slotmodel.NodeSpec{Rack: r, Slots: 2}
				}
				if nics {
					n.NIC = float64(rapid.IntRange(1, 9).Draw(t, "NIC"))
				}
				c.Nodes = append(c.Nodes, n)
			}
		}
		draw := func(n int) (on []slotmodel.Node, perRack []int) {
			perRack = make([]int, racks)
			for range n {
				m := rapid.IntRange(0, len(c.Nodes)-1).Draw(t, "node")
				on = append(on, slotmodel.Node(m))
				perRack[c.Nodes[m].Rack]++
			}
			return on, perRack
		}
		maps, reduces := rapid.IntRange(1, 12).Draw(t, "maps"), rapid.IntRange(1, 8).Draw(t, "reduces")
		job := slotmodel.JobSpec{
			Maps: slotmodel.Phase{Tasks: maps, Work: 1}, Reduces: slotmodel.Phase{Tasks: reduces, Work: 1},
			Shuffle: float64(rapid.IntRange(1, 1000).Draw(t, "shuffle")), Slowstart: float64(rapid.IntRange(0, 2).Draw(t, "slowstart")) / 2,
		}
		var mapsOn, reducesOn []int
		p := new(forced)
		p.nodes[slotmodel.Map], mapsOn = draw(maps)
		p.nodes[slotmodel.Reduce], reducesOn = draw(reduces)
		res, err := slotmodel.Run(c, []slotmodel.JobSpec{job}, p, slotmodel.Options{})
		must(t, err)
		intermediate := make([]float64, racks)
		for r := range intermediate {
			intermediate[r] = job.Shuffle * float64(mapsOn[r]) / float64(maps)
		}
		near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-9*job.Shuffle }
		want, err := shuffle.CrossRack(intermediate, reducesOn)
		if err != nil || !near(res.Totals.CrossRack.Shuffle, want) {
			t.Fatalf("the model measures %v bytes, CrossRack(%v, %v) = %v, %v", res.Totals.CrossRack.Shuffle, intermediate, reducesOn, want, err)
		}
		links, err := shuffle.Traffic(nil, intermediate, reducesOn)
		must(t, err)
		for r, l := range links {
			if !near(p.output[r], intermediate[r]) || !near(p.sent[r].Out, l.Out) || !near(p.sent[r].In, l.In) {
				t.Fatalf("rack %d: %v bytes of output, %v over its links, want %v and %v", r, p.output[r], p.sent[r], intermediate[r], l)
			}
		}
		if want > 0 {
			crossed++
		}
	})
	if crossed == 0 {
		t.Error("no traffic crosses racks: the workloads test nothing")
	}
}
