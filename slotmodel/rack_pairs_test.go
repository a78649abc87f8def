package slotmodel_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// Two racks read from a third: the limit of a pair holds for each of them by itself, beside those
// of the racks.
func TestPairsOfRacks(t *testing.T) {
	c := &slotmodel.Cluster{
		Nodes: []slotmodel.NodeSpec{{Rack: 0, Maps: 1}, {Rack: 1, Maps: 1}, {Rack: 2, Maps: 1}},
	}
	read := func(from int32) slotmodel.JobSpec {
		return slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 1}, Input: 120, Replicas: []int32{from}, Copies: 1}
	}
	for _, x := range []struct {
		racks         []slotmodel.RackSpec
		pair          float64
		first, second float64 // when reads from rack 0 by rack 1 and by rack 2 end, s
	}{
		{nil, 0, 0, 0},
		{nil, 10, 12, 12},
		{nil, math.Inf(1), 0, 0},
		{[]slotmodel.RackSpec{{Egress: 15}, {}, {}}, 0, 16, 16},
		{[]slotmodel.RackSpec{{Egress: 15}, {}, {}}, 10, 16, 16},
		{[]slotmodel.RackSpec{{Egress: 15}, {Ingress: 3}, {}}, 10, 40, 12},
	} {
		c.Racks, c.Network = x.racks, slotmodel.Network{Fluid: true, Pair: x.pair}
		jobs := []slotmodel.JobSpec{read(0), read(0)}
		place := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
			for j := range slotmodel.Job(2) {
				if v.Runnable(j, slotmodel.Map) {
					a.Start(j, slotmodel.Map, slotmodel.Node(j+1))
				}
			}
			out, in := v.LinkCapacity(0)
			wantOut, wantIn := math.Inf(1), math.Inf(1)
			if x.pair > 0 {
				wantOut, wantIn = 2*x.pair, 2*x.pair
			}
			if x.racks != nil {
				wantOut = min(wantOut, x.racks[0].Egress)
			}
			if out != wantOut || in != wantIn {
				t.Errorf("LinkCapacity(0) = %v, %v, want %v, %v", out, in, wantOut, wantIn)
			}
		})
		res, err := slotmodel.Run(c, jobs, place, slotmodel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := res.Jobs[0].Finish, res.Jobs[1].Finish; a != x.first || b != x.second {
			t.Errorf("racks %+v, pairs of %v: the reads end at %v and %v s, want %v and %v", x.racks, x.pair, a, b, x.first, x.second)
		}
	}
}
