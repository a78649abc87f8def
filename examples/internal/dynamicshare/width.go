package dynamicshare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/partition"
)

// The widths and numbers of rows of the sketches.
var (
	widths = []int{reduces, 2 * reduces, 4 * reduces, 8 * reduces, 16 * reduces}
	rows   = []int{1, sketchRows, 20}
)

// floor is a time before which no partitioning of the keys ends: the heaviest key on the fastest
// machine, all values on all machines.
func (p *population) floor(speeds []float64) float64 {
	sum := 0.0
	for _, v := range speeds {
		sum += v
	}
	return p.job.start + math.Max(float64(p.values[0])/slices.Max(speeds), p.total/sum)/p.job.rate
}

// figureWidth shows what the columns and the rows of a sketch are worth.
func (all readings) figureWidth() (report.Figure, error) {
	t := all[0]
	f := report.NewFigure("Width of a sketch against the makespan",
		fmt.Sprintf("The Twitter job at a skewness of 80%% with %d partitions, and the same keys in more; DP with exact times on the best row. The floor is the later end of two: the heaviest key alone on the fastest machine, and all values spread over all machines. "+
			"No partitioning ends before. Whiskers: 95%% intervals.", reduces),
		"partitions", "rows", "seeds", "ratio_to_floor", "ratio_ci95")
	c := &draw.Chart{GridY: true, X: logAxis("partitions (columns of the sketch)", widths), Y: draw.Axis{Label: "makespan / floor", Min: .98, Max: 1.24, Ticks: draw.Ticks(1, 1.2, .05)}}
	ratio := map[[2]int]report.Interval{} // by columns and rows
	var list []draw.Series
	for k, d := range rows {
		var line []report.Interval
		for _, n := range widths {
			seeds, err := report.Each(t.terminal, "dynamicshare: widths", t.n, func(i int) (float64, error) {
				p, v := t.list[i].populations[onTwitter][t.steep], t.list[i].speeds
				sketch, err := p.sketch(d, n)
				cost, worse := p.job.cost(v)
				if err := errors.Join(err, worse); err != nil {
					return 0, err
				}
				_, plan, err := partition.AssignSketch(sketch, reduces, cost, partition.Options{})
				return plan.Makespan / p.floor(v), err
			})
			if err != nil {
				return f, err
			}
			at := [2]int{n, d}
			ratio[at] = report.Over(seeds)
			line = append(line, ratio[at])
			f.Numbers.Add(n, d, t.n, ratio[at].Mean, ratio[at].Half)
		}
		list = append(list, whiskers(k, report.Count(d, "row"), floats(widths), line))
	}
	c.Series(list)
	widest, most := widths[len(widths)-1], rows[len(rows)-1]
	narrow, wide, tall := ratio[[2]int{reduces, 1}], ratio[[2]int{widest, 1}], ratio[[2]int{reduces, most}]
	return f.Done([]report.Claim{
		{Claim: "wide partitioning alone reaches the floor", Published: "not measured", Model: fmt.Sprintf("%d partitions, 1 row: %s of the floor", widest, wide), Relation: "mean at most 1.03", Holds: wide.Mean <= 1.03, Note: "other keys share the partition of the heaviest key"},
		{Claim: "columns are worth more than rows", Published: "not measured", Model: fmt.Sprintf("4 R columns and 1 row %s, R columns and %d rows %s", ratio[[2]int{4 * reduces, 1}], most, tall), Relation: "mean with the columns at most that with the rows",
			Holds: ratio[[2]int{4 * reduces, 1}].Mean <= tall.Mean, Note: "the best of many rows gives the heaviest key few companions; columns only thin them out"},
	}, fmt.Sprintf("Lines of the makespan over the floor for sketches of 23 to 368 columns. One row: from %s to %s.", report.Fixed(narrow.Mean), report.Fixed(wide.Mean)), c)
}
