package shufflewatcher

import (
	"errors"
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/shuffle"
)

// figure5 is the paper's example for the placement of maps: two jobs whose input lies on both of
// two racks.
func (s *study) figure5() (report.Figure, error) {
	const blocks, reduces = 100, 10
	f := report.NewFigure("Figure 5: placement of maps",
		fmt.Sprintf("Two jobs of %d blocks of 1 GB, each block on both racks, as many bytes of shuffle, %d reduces. Earlier schedulers divide the maps equally; SAMP gives each job a rack of its own, "+
			"since of racks that hold equally much it takes the one preferred less so far.", blocks, reduces),
		"job", "placement", "maps_rack1", "maps_rack2", "remote_map_gb", "cross_shuffle_gb")
	input := make([]shuffle.Block, blocks)
	for i := range input {
		input[i] = shuffle.Block{Bytes: 1, Racks: []int{0, 1}}
	}
	load, chosen := make([]float64, 2), make([]int, 0, 2)
	before, after := draw.Look(0, "equal placement"), draw.Look(1, "SAMP")
	for j := range 2 {
		half, err := shuffle.CrossRack([]float64{blocks / 2, blocks / 2}, []int{reduces / 2, reduces / 2})
		p, err2 := shuffle.MapRacks(2, input, 1, reduces, shuffle.Options{Load: load})
		if err := errors.Join(err, err2); err != nil {
			return f, err
		}
		for q, bytes := range p.Maps {
			load[q] += bytes
		}
		moved := p.RemoteMap + p.CrossShuffle
		before.Y, after.Y, chosen = append(before.Y, half), append(after.Y, moved), append(chosen, p.Racks...)
		f.Numbers.Add(j+1, "equal", float64(blocks/2), float64(blocks/2), 0, half)
		f.Numbers.Add(j+1, "SAMP", p.Maps[0], p.Maps[1], p.RemoteMap, p.CrossShuffle)
	}
	return f.Done([]report.Claim{report.Says("SAMP gives each job a rack and no shuffle crosses racks", "rack 1 for job 1, rack 2 for job 2; no cross-rack shuffle", "one rack each, another for each job, 0 bytes",
		"racks %d and %d; %v and %v GB", chosen[0]+1, chosen[len(chosen)-1]+1, after.Y[0], after.Y[1]).When(len(chosen) == 2 && chosen[0] != chosen[1] && after.Y[0] == 0 && after.Y[1] == 0)},
		"Bytes that cross racks: 50 GB a job with equal placement, 0 with SAMP.",
		draw.PointsAt("", "GB across racks", []string{"job 1", "job 2"}, []draw.Series{before, after}))
}

// figure7 is the paper's example for the placement of reduces: two jobs with most map output on one
// rack each.
func (s *study) figure7() (report.Figure, error) {
	const reduces = 10
	f := report.NewFigure("Figure 7: placement of reduces",
		fmt.Sprintf("Two jobs with 100 GB of map output on two racks, %d reduces each. The paper prints that even placement moves 50 GB and SARP 18 GB of each; among whole numbers of GB only "+
			"90 and 10 GB do that. The last placement has all reduces on the rack with less, as random placement may.", reduces),
		"job", "placement", "reduces_rack1", "reduces_rack2", "cross_shuffle_gb")
	moved := []draw.Series{draw.Look(0, "even"), draw.Look(1, "SARP"), draw.Look(2, "all on the other rack")}
	for j, output := range [][]float64{{90, 10}, {10, 90}} {
		quota, err := shuffle.ReducesPerRack(nil, reduces, output)
		if err != nil {
			return f, err
		}
		for k, r := range [][]int{{reduces / 2, reduces / 2}, quota, {reduces * j, reduces * (1 - j)}} {
			x, err := shuffle.CrossRack(output, r)
			if err != nil {
				return f, err
			}
			moved[k].Y = append(moved[k].Y, x)
			f.Numbers.Add(j+1, moved[k].Label, r[0], r[1], x)
		}
	}
	even, sarp := moved[0].Y, moved[1].Y
	chart := draw.PointsAt("", "GB across racks", []string{"job 1", "job 2"}, moved)
	chart.Published([]float64{-.8 / 3, 0, 1 - .8/3, 1}, []float64{50, 18, 50, 18})
	return f.Done([]report.Claim{report.Says("SARP lowers the cross-rack shuffle of each job", "50 GB to 18 GB, 64% less", "within 1e-9 of 50 and 18 for both jobs",
		"%v to %v GB, %v to %v GB", even[0], sarp[0], even[1], sarp[1]).When(same(even[0], 50) && same(even[1], 50) && same(sarp[0], 18) && same(sarp[1], 18))},
		"Bytes that cross racks: 50 GB a job with even placement, 18 with SARP, 90 with all reduces on the other rack.", chart)
}

func same(x, want float64) bool { return x > want-1e-9 && x < want+1e-9 }
