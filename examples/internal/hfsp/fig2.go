package hfsp

import (
	"fmt"
	"image/color"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// sigmas are the error levels of Figure 2.
var sigmas = []float64{0.125, 0.25, 0.5, 1}

// wrongShare is the share of estimates that the paper's sentence about sigma 0.25 is about, by its
// two readings: outside the size's +-20%, and more than a factor of 1.2 away from it.
func wrongShare(sigma float64) (percent, factor float64) {
	below := func(x float64) float64 { return math.Erfc(-math.Log(x)/(sigma*math.Sqrt2)) / 2 } // P(X < x)
	return below(0.8) + 1 - below(1.2), 2 * below(1/1.2)
}

// density is that of the log-normal distribution with mu 0.
func density(x, sigma float64) float64 {
	if !(x > 0) {
		return 0
	}
	z := math.Log(x) / sigma
	return math.Exp(-z*z/2) / (x * sigma * math.Sqrt(2*math.Pi))
}

func figure2a() (report.Figure, error) {
	f := report.NewFigure("Figure 2(a): how wrong the estimates are",
		"Density of the factor X by which an estimate differs from the size, log-normal with median 1. With a larger σ more estimates are "+
			"far off, to both sides.",
		"x")
	c := &draw.Chart{
		X:     draw.Axis{Label: "estimate / size", Min: 0, Max: 3, Ticks: draw.Ticks(0, 3, 0.5)},
		Y:     draw.Axis{Label: "probability density", Min: 0, Max: 3.5, Ticks: draw.Ticks(0, 3.5, 0.5)},
		GridY: true,
	}
	const points = 300
	xs := make([]float64, points+1)
	ys := make([][]float64, len(sigmas))
	for i := range xs {
		xs[i] = 3 * float64(i) / points
		row := []any{xs[i]}
		for k, sigma := range sigmas {
			ys[k] = append(ys[k], density(xs[i], sigma))
			row = append(row, ys[k][i])
		}
		f.Numbers.Add(row...)
	}
	strokes := []draw.Stroke{{Color: draw.Blue}, {Color: draw.Vermilion, Dash: draw.Dashed}, {Color: draw.Green, Dash: draw.DashDot}, {Color: draw.Black, Dash: draw.Dotted, Width: 2}}
	for k, sigma := range sigmas {
		f.Numbers.Columns = append(f.Numbers.Columns, "sigma_"+numbers.Full(sigma))
		c.Line("σ = "+numbers.Full(sigma), xs, ys[k], strokes[k])
	}

	percent, factor := wrongShare(0.25)
	half := math.Log(1.2) / upperQuartile
	model := fmt.Sprintf("%.1f%% lie outside ±20%%, %.1f%% are off by a factor of 1.2 or more", 100*percent, 100*factor)
	return f.Done([]report.Claim{
		{Claim: "with σ = 0.25 more than half of the estimates are wrong by a factor of 20% or more", Published: "more than half",
			Model: model, Relation: "share > 50% by either reading, from the distribution", Holds: percent > 0.5 || factor > 0.5,
			Note: report.Because(half > 0.25, fmt.Sprintf("a log-normal error passes one half by the factor reading only from σ = %.3f on; the paper's sentence overstates σ = 0.25", half))},
	}, "Four densities of the estimation error around 1: narrow and high for sigma 0.125, wide and low, with a long tail to the right, for sigma 1.", c)
}

// upperQuartile is that of the standard normal distribution: half of its values lie within it of 0.
const upperQuartile = 0.6744897501960817

// names are what the figures call the policies.
var names = []string{"SRPT", "FSP, late jobs one at a time", "FSP, late jobs share"}

var boxColumns = []string{"policy", "mu", "sigma", "seeds", "median", "p25", "p75", "p5", "p95", "min", "max"}

func figure2b(s *sweep) (report.Figure, error) {
	f := report.NewFigure("Figure 2(b): SRPT with wrong estimates",
		fmt.Sprintf("Mean sojourn time over all jobs of a replay under SRPT; each box is %d replays with other errors. Box: quartiles, line: median, whiskers: 5%% to 95%%, "+
			"rings: extremes. FCFS (%s s) is far above the chart.", s.seeds, numbers.Short(s.fifo)))
	c := s.chart()
	c.Boxes("SRPT", places, s.boxes[srpt], 0, 30, draw.Vermilion)
	s.baselines(c, "SRPT (no error)", s.exact[srpt], draw.Vermilion)
	s.table(&f, srpt)
	return f.Done(s.claims2b(c.Y.Max), "Box plots of the mean sojourn time under SRPT on a logarithmic axis; medians by sigma "+s.medians(srpt), c)
}

func figure2c(s *sweep) (report.Figure, error) {
	f := report.NewFigure("Figure 2(c): SRVT (FSP) with wrong estimates",
		fmt.Sprintf("Mean sojourn time over all jobs of a replay under size-based scheduling with aging; each box is %d replays with other errors (quartiles, median, 5%% to 95%%, extremes), with both rules for late jobs: one at a time in the order of becoming late, and "+
			"all sharing the cluster, which is this library's default. The axis is that of Figure 2(b).", s.seeds))
	c := s.chart()
	c.Boxes(names[fspFirst], places, s.boxes[fspFirst], -10, 18, draw.Pale)
	c.Boxes(names[fspShare], places, s.boxes[fspShare], 10, 18, draw.Orange)
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
var places = []float64{1, 2, 3, 4, 5, 6}

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

// Places in laws; the first four are those of sigmas.
const (
	sigma0125 = iota
	sigma025
	sigma05
	sigma1
	measuredMap
	measuredReduce
)

func (s *sweep) median(p, k int) float64 { return s.boxes[p][k].Median }

// medians lists those of a policy by increasing sigma.
func (s *sweep) medians(p int) string {
	return numbers.Words(s.boxes[p][:len(sigmas)], " / ", func(b draw.Box) string { return numbers.Short(b.Median) }) + " s"
}

// between is a claim that the mean of an interval lies within [low, high].
func between(c report.Claim, i numbers.Interval, low, high float64) report.Claim {
	c.Holds, c.Margin = i.Mean >= low && i.Mean <= high, min(i.Over(low), -i.Over(high))
	return c
}

// claims2b are what Section II-B says about Figure 2(b). top is where its axis ends.
func (s *sweep) claims2b(top float64) []report.Claim {
	ps, exact := s.ps, s.exact[srpt]
	increasing := true
	for k := range sigmas[1:] {
		increasing = increasing && s.median(srpt, k) < s.median(srpt, k+1)
	}
	return []report.Claim{
		{Claim: "FCFS has a mean sojourn time of 1934 s", Published: "1934 s", Model: fmt.Sprintf("%.1f s", s.fifo),
			Relation: "equal when rounded to a whole second", Holds: math.Abs(s.fifo-1934) <= 0.5, Margin: math.Inf(1), NotRun: s.synthetic},
		report.Says("FCFS performs poorly: it lies outside of the plotted graphs", "outside", "FCFS > the end of the axis, which holds every box and line",
			"FCFS %s s, axis up to %s s", numbers.Short(s.fifo), numbers.Short(top)).When(s.fifo > top),
		report.Says("SRPT strongly depends on the error distribution", "strongly dependent", "medians increase with σ, the last is at least twice the first",
			"%s", "medians "+s.medians(srpt)+" for increasing σ").When(increasing && s.median(srpt, sigma1) >= 2*s.median(srpt, sigma0125)),
		report.Says("at σ = 0.25 SRPT largely outperforms PS", "largely outperforms", "median <= 2/3 of PS",
			"median %s s, PS %s s", numbers.Short(s.median(srpt, sigma025)), numbers.Short(ps)).When(s.median(srpt, sigma025) <= ps*2/3),
		report.Says("at σ = 0.5 and above SRPT's sojourn time dramatically increases", "dramatically increases", "median at 0.5 >= 2 times, at 1 >= 3 times that without errors",
			"medians %s s at 0.5, %s s at 1, %s s without errors", numbers.Short(s.median(srpt, sigma05)), numbers.Short(s.median(srpt, sigma1)), numbers.Short(exact)).When(s.median(srpt, sigma05) >= 2*exact && s.median(srpt, sigma1) >= 3*exact),
	}
}

// claims2c are what Section II-B says about Figure 2(c). The paper's SRVT serves late jobs one at a
// time.
func (s *sweep) claims2c() []report.Claim {
	exact := s.exact[fspFirst]
	below, vastly, close, beneficial := true, true, true, true
	for k := range sigmas {
		b := s.boxes[fspFirst][k]
		below = below && b.Median < s.median(srpt, k)
		beneficial = beneficial && b.P95 < s.ps
		if k >= sigma05 {
			vastly = vastly && b.Median <= s.median(srpt, k)*2/3
		} else {
			close = close && near(b.Median, exact, 0.1)
		}
	}
	ends := numbers.Words(s.boxes[fspFirst][:len(sigmas)], " / ", func(b draw.Box) string { return numbers.Short(b.P95) })
	return []report.Claim{
		{Claim: "without errors SRVT is slightly worse than SRPT", Published: "slightly worse",
			Model:    fmt.Sprintf("SRVT %s s, SRPT %s s: ratio %.4f", numbers.Short(exact), numbers.Short(s.exact[srpt]), exact/s.exact[srpt]),
			Relation: "1 < ratio <= 1.1", Holds: exact > s.exact[srpt] && exact <= 1.1*s.exact[srpt], Margin: math.Inf(1)},
		report.Says("with errors SRVT is vastly preferable to SRPT", "vastly preferable", "median below SRPT's at every σ, at most 2/3 of it at 0.5 and 1",
			"%s", "medians "+s.medians(fspFirst)+" against "+s.medians(srpt)).When(below && vastly),
		report.Says("for σ < 0.5 SRVT is close to its mean without errors", "close", "medians at 0.125 and 0.25 within 10%",
			"medians %s s at 0.125, %s s at 0.25; %s s without errors", numbers.Short(s.median(fspFirst, sigma0125)), numbers.Short(s.median(fspFirst, sigma025)), numbers.Short(exact)).When(close),
		report.Says("size-based scheduling with aging is beneficial even with large errors", "largely beneficial",
			"95% of the runs below PS at every σ", "95%% of the runs end below %s s, PS %s s", ends, numbers.Short(s.ps)).When(beneficial),
		report.Says("with errors as measured SRVT achieves a near-optimal mean sojourn time", "near-optimal", "both at most 1.2 times SRPT's without errors, which is optimal",
			"medians %s s with the errors of MAP, %s s with those of REDUCE; SRPT without errors %s s", numbers.Short(s.median(fspFirst, measuredMap)), numbers.Short(s.median(fspFirst, measuredReduce)), numbers.Short(s.exact[srpt])).When(max(s.median(fspFirst, measuredMap), s.median(fspFirst, measuredReduce)) <= 1.2*s.exact[srpt]),
	}
}
