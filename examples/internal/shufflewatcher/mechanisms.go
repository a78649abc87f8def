package shufflewatcher

import (
	"errors"
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/shuffle"
)

// The steps from Fair to ShuffleWatcher, each with all before it: late reduces, which are not the
// paper's idea alone, and its mechanisms.
const (
	lateReduces = iota
	nass
	sarp
	samp
)

var stepNames = []string{"late reduces", "NASS", "SARP", "SAMP"}

func (r reading) steps() []cell {
	return []cell{r.cell(lateFair), r.cell(onlyNASS), r.cell(withSARP), r.cell(swFair)}
}

// printed are the changes that the paper prints of a figure's measure: by step and class, in
// percent; 0: none.
type printed map[int][classes + 1]float64

// printedTraffic is of the cross-rack traffic, of the classes after SAMP of their shuffle alone.
var printedTraffic = printed{sarp: {light: -4, medium: -13, heavy: -16, all: -15}, samp: {light: -4, medium: -23, heavy: -38, all: -36}}

// change is what a step changes, as a part of Fair's, by seed.
func (s *study) change(r reading, from, to cell, what metric) []float64 {
	base := r.cell(fair)
	return numbers.Differences(s.pairs(to, base, ratio(what)), s.pairs(from, base, ratio(what)))
}

// mechanisms draws a measure after each step over Fair's, by class, a panel for each reading.
func (s *study) mechanisms(title, caption, label string, measure func(class) metric, marks printed, claims func(r reading) []report.Claim) (report.Figure, error) {
	f := report.NewFigure(title, caption+" By class of jobs; small dots: each seed; rings: published.", "reading", "step", "class", "seeds", "ratio_to_fair", "ratio_ci95")
	f.Shown.Columns = append([]string{"reading", "step"}, classNames[:]...)
	var charts []*draw.Chart
	for _, r := range closer {
		cells := r.steps()
		if err := s.ensure(title, append(slices.Clone(cells), r.cell(fair))...); err != nil {
			return f, err
		}
		series := make([]draw.Series, all+1)
		for k := range series {
			series[k] = draw.Look(k, classNames[k])
		}
		for i, c := range cells {
			shown := []any{r.Name, stepNames[i]}
			for k := range series {
				q := series[k].Add(s.pairs(c, r.cell(fair), ratio(measure(class(k)))))
				shown = append(shown, percent(q))
				f.Numbers.Add(r.Name, stepNames[i], classNames[k], s.seeds.N, q.Mean, q.Half)
			}
			f.Shown.Add(shown...)
		}
		var x, y []float64
		for i := range cells {
			for k, change := range marks[i] {
				if change != 0 {
					x, y = append(x, float64(i)+.2*float64(k)-.3), append(y, 1+change/100)
				}
			}
		}
		chart := ratios(label, stepNames, series, y...)
		chart.Title, chart.Height = "Reading "+r.Name, 180
		chart.Published(x, y)
		charts = append(charts, chart)
		f.Claims = append(f.Claims, r.of(claims(r)...)...)
	}
	return f.Done(f.Claims, "Points by step, class and reading: "+label+".", draw.Panels(1, charts...)...)
}

// figure12 is the throughput of each class after each step.
func (s *study) figure12() (report.Figure, error) {
	return s.mechanisms("Figure 12: throughput by mechanism",
		"Throughput over Fair's with late reduces, with NASS's orders too, with SARP and with SAMP. The step to late reduces is part of the paper's NASS.", "throughput / Fair's", throughput, printed{samp: {all: 39}}, func(r reading) []report.Claim {
			base, cells := r.cell(fair), r.steps()
			gains := func(c cell, k class) []float64 { return s.change(r, base, c, throughput(k)) }
			shaped := func(c cell) numbers.Interval { // its gain less two fifths of all gain
				x := gains(c, all)
				for i, y := range gains(cells[samp], all) {
					x[i] -= .4 * y
				}
				return numbers.Over(x)
			}
			shaping := more("shaping, that is NASS with its late reduces, is more than 40% of the gain in throughput", "more than 40% in Figure 12", shaped(cells[nass]))
			shaping.Model = "its gain less 40% of all gain " + shaping.Model + "; late reduces alone " + points(shaped(cells[lateReduces]))
			list := []report.Claim{shaping}
			var each, alike []report.Claim
			for i, name := range []string{"NASS's orders beyond late reduces", "SARP", "SAMP"} {
				for k := light; k <= all; k++ {
					c := more(name+" raises throughput", "each mechanism adds", numbers.Over(s.change(r, cells[i], cells[i+1], throughput(k))))
					if k < all {
						each = append(each, c)
					} else {
						list = append(list, c)
					}
				}
				product := func(o *outcome) float64 { return throughput(all)(o) * turnaround(all)(o) }
				alike = append(alike, near(stepNames[i+1], "", s.compare(cells[i+1], base, product), 1, .1))
			}
			classes := together("each mechanism raises the throughput of each class", "significant across all three", "95% intervals of the nine differences above 0", each...)
			classes.Model = fmt.Sprintf("%d of %d do", numbers.Number(each, func(x report.Claim) bool { return x.Holds }), len(each))
			similar := together("turn-around falls at each step as throughput rises", "similar to the throughput breakdown", "95% intervals of throughput times turn-around, over Fair's, within .1 of 1", alike...)
			if r.Name == "A" {
				similar.Kind = report.Found // Little's law, in a closed loop
			}
			return append(list, classes,
				more("the gain in throughput grows from heavy to light jobs", "increases", numbers.Difference(gains(cells[samp], light), gains(cells[samp], heavy))),
				more("NASS's part of the gain grows from heavy to light jobs", "increases", numbers.Difference(gains(cells[nass], light), gains(cells[nass], heavy))), similar)
		})
}

// figure13 is the traffic of each class after each step.
func (s *study) figure13() (report.Figure, error) {
	return s.mechanisms("Figure 13: cross-rack traffic by mechanism", "Cross-rack traffic for each byte of shuffle, of light jobs for each job, over Fair's after the steps of Figure 12. What is published of the classes after SAMP is of their shuffle alone.", "traffic / Fair's", moved, printedTraffic, func(r reading) []report.Claim {
		base, cells := r.cell(fair), r.steps()
		over := func(c cell, k class) []float64 { return s.pairs(c, base, ratio(moved(k))) }
		by := func(claim, published string, step int, of func(class) metric) report.Claim {
			var parts []report.Claim
			for k := heavy; k >= light; k-- {
				parts = append(parts, comes(classNames[k], s.compare(cells[step], base, of(k)), printedTraffic[step][k]))
			}
			return together(claim, published, "each published number within the spread of single runs (95%), at most half of the change from the mean; 1 outside the spread", parts...)
		}
		read := part(remote(heavy), whole(heavy))
		reads := s.paired(cells[samp], cells[sarp], func(x, y *outcome) float64 { return read(x) - read(y) })
		none := near("NASS alone, over Fair's cross-rack traffic", "as much", numbers.Over(over(cells[nass], all)), 1, .05)
		remotely := s.compare(cells[nass], base, part(remote(all), total(all, every)))
		none.Note = report.Because(remotely.High() < 1, "it changes remote maps by "+percent(remotely))
		adds := below("SAMP adds little remote map traffic to heavy jobs", "about 3% of their traffic", reads, .1, points(reads)+"% of their shuffle")
		if r.Name == "A" {
			adds.Kind = report.Found // home racks were, by this number
		}
		return []report.Claim{
			comes("SARP changes the cross-rack traffic", numbers.Over(over(cells[sarp], all)), printedTraffic[sarp][all]),
			by("SARP changes the cross-rack traffic of each class", "heavy -16%, medium -13%, light -4%", sarp, moved),
			by("SAMP, with NASS and SARP, changes the cross-rack shuffle of each class", "heavy -38%, medium -23%, light -4%", samp, shuffles),
			near("the traffic of all jobs over Fair's, less that of heavy jobs", "closely follows", numbers.Difference(over(cells[samp], all), over(cells[samp], heavy)), 0, .05),
			none, adds,
			more("the traffic of heavy jobs falls more than that of light jobs", "-38% against -4%", numbers.Difference(over(cells[samp], light), over(cells[samp], heavy))),
		}
	})
}

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
