package hfsp

import (
	"fmt"
	"image/color"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// names are what the figures call the policies.
var names = []string{"SRPT", "FSP, late jobs one at a time", "FSP, late jobs share"}

var boxColumns = []string{"policy", "mu", "sigma", "seeds", "median", "p25", "p75", "p5", "p95", "min", "max"}

func figure2b(s *sweep) (report.Figure, error) {
	f := report.NewFigure("Figure 2(b): SRPT with wrong estimates",
		fmt.Sprintf("Mean sojourn time over all jobs of a replay under SRPT; each box is %d replays with other errors. Box: quartiles, line: median, whiskers: 5%% to 95%%, "+
			"rings: extremes. FCFS (%s s) is far above the chart.", s.seeds, numbers.Short(s.fifo)))
	c := s.chart()
	c.Boxes("SRPT", places(), s.boxes[srpt], 0, 30, draw.Vermilion)
	s.baselines(c, "SRPT (no error)", s.exact[srpt], draw.Vermilion)
	s.table(&f, srpt)
	return f.Done(s.claims2b(c.Y.Max), "Box plots of the mean sojourn time under SRPT on a logarithmic axis; medians by sigma "+s.medians(srpt), c)
}

func figure2c(s *sweep) (report.Figure, error) {
	f := report.NewFigure("Figure 2(c): SRVT (FSP) with wrong estimates",
		fmt.Sprintf("Mean sojourn time over all jobs of a replay under size-based scheduling with aging; each box is %d replays with other errors (quartiles, median, 5%% to 95%%, extremes), with both rules for late jobs: one at a time in the order of becoming late, and "+
			"all sharing the cluster, which is this library's default. The axis is that of Figure 2(b).", s.seeds))
	c := s.chart()
	c.Boxes(names[fspFirst], places(), s.boxes[fspFirst], -10, 18, draw.Pale)
	c.Boxes(names[fspShare], places(), s.boxes[fspShare], 10, 18, draw.Orange)
	s.baselines(c, "FSP (no error)", s.exact[fspShare], draw.Black)
	c.Level("SRPT (no error)", s.exact[srpt], draw.Stroke{Color: draw.Black, Dash: draw.Dotted, Width: 1.4})
	s.table(&f, fspFirst, fspShare)
	return f.Done(s.claims2c(), "Box plots of the mean sojourn time under FSP on a logarithmic axis; medians by sigma with late jobs one at a time "+s.medians(fspFirst)+
		", sharing "+s.medians(fspShare), c)
}

// chart is the empty chart of (b) and (c): one scale for both, around every box and the lines.
func (s *sweep) chart() *draw.Chart {
	shown := append([]float64{s.ps}, s.exact...)
	for p := range policies {
		for _, b := range s.boxes[p] {
			shown = append(shown, b.Min, b.Max)
		}
	}
	c := &draw.Chart{Height: 250, GridY: true}
	c.X = draw.Axis{Label: "σ of the estimation error; errors measured in IV-C", Min: -0.5, Max: float64(len(laws)) + 0.5, Ticks: []draw.Tick{{At: 0, Label: "0"}}}
	for k, name := range lawNames {
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(k + 1), Label: name})
	}
	c.Y = draw.Axis{Label: "mean sojourn time (s)", Log: true}
	c.Y.Min, c.Y.Max = draw.LogRange(shown...)
	c.Level("PS", s.ps, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 1.4})
	return c
}

// places are where the boxes stand: the laws are categories, as in the paper.
func places() []float64 {
	xs := make([]float64, len(laws))
	for k := range xs {
		xs[k] = float64(1 + k)
	}
	return xs
}

// baselines draws what the policy reaches with exact sizes: a dot at sigma 0, and for SRPT the
// paper's line.
func (s *sweep) baselines(c *draw.Chart, label string, mean float64, col color.Color) {
	if mean == s.exact[srpt] {
		c.Level(label, mean, draw.Stroke{Color: draw.Black, Dash: draw.Dotted, Width: 1.4})
		label = ""
	}
	c.Dots(label, []float64{0}, []float64{mean}, draw.Disc, col, 3.5)
}

// table fills in the numbers of the boxes of some policies, and of the lines, which need no seeds.
func (s *sweep) table(f *report.Figure, ps ...int) {
	f.Numbers.Columns = boxColumns
	f.Shown.Columns = []string{"policy", "σ", "median (s)", "quartiles (s)", "5%–95% (s)"}
	fixed := func(policy string, x float64) {
		f.Numbers.Add(policy, 0.0, 0.0, 1, x, x, x, x, x, x, x)
		f.Shown.Add(policy, "0", numbers.Short(x), "", "")
	}
	fixed("fifo", s.fifo)
	fixed("ps", s.ps)
	for _, p := range ps {
		name := policies[p].String()
		fixed(name, s.exact[p])
		for k, b := range s.boxes[p] {
			f.Numbers.Add(name, laws[k].Mu, laws[k].Sigma, s.seeds, b.Median, b.P25, b.P75, b.P5, b.P95, b.Min, b.Max)
			f.Shown.Add(name, lawNames[k], numbers.Short(b.Median),
				numbers.Short(b.P25)+"–"+numbers.Short(b.P75), numbers.Short(b.P5)+"–"+numbers.Short(b.P95))
		}
	}
}
