package circumflex

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"gonum.org/v1/gonum/floats/scalar"
)

// The loads and the fractions of scanning in a job's work that the text of Section 4 speaks
// of beside its base case.
var (
	triedLoads     = []float64{.3, .6, .9, 1.2, 1.8, 2.7, 3.6}
	triedFractions = []float64{0, .25, .5, .75, 1}
	quickLoads     = []float64{.9, 1.2, 1.8, 3.6}
	quickFractions = []float64{0, .5, 1}
)

// flexLoad is up to where FLEX is run: beyond, its queue grows without limit.
const flexLoad = 1.2

// limits plays the base case of Figure 5 without correlation with other loads and fractions, and
// fills in the loads of readings A and D, and fractions.
func (s *study) limits() error {
	triedLoads, triedFractions := triedLoads, triedFractions
	if s.Quick {
		triedLoads, triedFractions = quickLoads, quickFractions
	}
	vary := func(o settings, values []float64, set func(o *settings, x float64)) []cell {
		var trials []trial
		for _, x := range values {
			set(&o, x)
			trials = append(trials, trial{point{theta1: steps - 1, theta2: steps - 1, relation: relations / 2}, o})
		}
		return s.simulate(s.n, trials, averageResponse)
	}
	for _, r := range []*reading{&s.readings[0], &s.readings[3]} {
		r.loads = vary(r.settings, triedLoads, func(o *settings, x float64) { o.load = x })
	}
	s.fractions = vary(s.o, triedFractions, func(o *settings, x float64) { o.fraction = x })
	return s.err
}

// What is drawn of a cell, by scheme.
func values(c *cell) *[schemes][]float64     { return &c.value[averageResponse] }
func ratios(c *cell) *[schemes][]float64     { return &c.ratio[averageResponse] }
func works(c *cell) *[schemes][]float64      { return &c.work[averageResponse] }
func capacities(c *cell) *[schemes][]float64 { return &c.capacity }
func ends(c *cell) *[schemes][]float64       { return &c.end }

// A panel is one chart over loads or fractions.
type panel struct {
	y  draw.Axis
	of func(c *cell) *[schemes][]float64
}

// panels draws the means of each scheme where it was played, a chart for each panel.
func panels(cells []cell, axis draw.Axis, x func(c *cell) float64, list ...panel) []*draw.Chart {
	var charts []*draw.Chart
	for i, p := range list {
		c := &draw.Chart{Height: 160, GridY: true, X: axis, Y: p.y}
		var lines []draw.Series
		for k := range schemes {
			line := k.series(i == 0)
			for n := range cells {
				if cells[n].runs(k) {
					line.X, line.Y = append(line.X, x(&cells[n])), append(line.Y, cells[n].over(p.of, k))
				}
			}
			lines = append(lines, line)
		}
		c.Series(lines)
		charts = append(charts, c)
	}
	return charts
}

// figureLoad is the loads under reading A or D, with claims.
func (s *study) figureLoad(r *reading, claims []report.Claim) (report.Figure, error) {
	raised := map[bool]string{true: "more arrivals", false: "larger datasets"}[r.byArrivals]
	f := report.NewFigure("Loads above 1, "+raised+", θ₁ = θ₂ = 1, no correlation",
		fmt.Sprintf(schemesNote+" ρ is the load without sharing: "+raised+". Top: work over what the cluster can do in %d minutes; middle: average response time; bottom: when the last scan is done. Means over %s; FLEX up to ρ = %v. Here %s.",
			span, numbers.Count(s.n, "repetition"), flexLoad, s.basis()),
		"load", "scheme", "repetitions", "average_response_min", "work_of_capacity", "last_end_min")
	f.Shown.Columns = []string{"ρ", "work FLEX", "BATCH", "CIRCUMFLEX", "response FLEX (min)", "BATCH", "CIRCUMFLEX"}
	charts := panels(r.loads, draw.Axis{Label: "ρ, load without sharing", Min: 0.2, Max: 3.7, Ticks: draw.Ticks(.5, 3.5, .5)}, func(c *cell) float64 { return c.load },
		panel{draw.Axis{Label: "work / capacity"}, capacities}, panel{draw.Axis{Label: "av. response (min)", Log: true}, values}, panel{draw.Axis{Label: "last end (min)"}, ends})
	for i := range r.loads {
		v := &r.loads[i]
		row := []any{numbers.Full(v.load)}
		for _, of := range []func(c *cell) *[schemes][]float64{capacities, values} {
			for k := range schemes {
				row = append(row, numbers.Fixed(numbers.Mean(of(v)[k]))) // NaN where FLEX was not run
			}
		}
		f.Shown.Add(row...)
		for k := range schemes {
			if v.runs(k) {
				f.Numbers.Add(v.load, schemeNames[k], s.n, numbers.Mean(values(v)[k]), numbers.Mean(v.capacity[k]), numbers.Mean(v.end[k]))
			}
		}
	}
	return f.Done(claims, "Three charts over the load: the work of the schemes over capacity, their response times, and when the last scan is done.", charts...)
}

// atLoad returns the cell of a load that was tried.
func (r *reading) atLoad(load float64) *cell {
	return &r.loads[slices.IndexFunc(r.loads, func(c cell) bool { return c.load == load })]
}

func (r *reading) claimsLoad() []report.Claim {
	base, most := r.atLoad(.9), r.atLoad(3.6)
	over := r.atLoad(flexLoad)
	value := func(c *cell, k scheme) float64 { return numbers.Mean(values(c)[k]) }
	end := func(c *cell, k scheme) float64 { return numbers.Mean(c.end[k]) }
	work := func(c *cell, k scheme) float64 { return numbers.Mean(c.capacity[k]) }
	steadily := func(k scheme) bool {
		return !slices.ContainsFunc(r.loads, func(c cell) bool {
			return c.load >= base.load && !scalar.EqualWithinAbs(work(&c, k), work(base, k), .1*work(base, k))
		})
	}
	goesOn := func(k scheme, headline string) report.Claim {
		return r.claim(headline, report.Claim{Published: "as far as tested",
			Model:    fmt.Sprintf("ends at %s minutes; ρ = 3.6, average response %s minutes", numbers.Fixed(end(most, k)), numbers.Fixed(value(most, k))),
			Relation: "95% interval: done within 1.2 times the 100 minutes of arrivals"}.All(below(most.end[k], 1.2*span)))
	}
	steady := func(k scheme) report.Claim {
		return report.Says(schemeNames[k]+" runs at loads far above 1 with essentially unchanging work averages", "essentially unchanging", "at each ρ from .9 on within 10% of that at .9",
			"work of capacity %s at ρ = .9, %s at 1.8, %s at 3.6", numbers.Fixed(work(base, k)), numbers.Fixed(work(r.atLoad(1.8), k)), numbers.Fixed(work(most, k))).When(steadily(k))
	}
	list := []report.Claim{
		report.Says("ρ = .9 is the highest load at which FLEX runs consistently", ".9", fmt.Sprintf("95%% intervals: more than doubles from .9 to %v; the queue needs 10 minutes beyond the arrivals there, not at .9", flexLoad),
			"average response %s minutes at .9, %s at %v", numbers.Fixed(value(base, flex)), numbers.Fixed(value(over, flex)), flexLoad).
			All(above(numbers.Ratios(values(over)[flex], values(base)[flex]), 2), above(over.end[flex], span+10), below(base.end[flex], span+10)),
		goesOn(circumflex, circumflexGoesOn),
		goesOn(batch, batchGoesOn),
		steady(circumflex),
		steady(batch),
	}
	return report.Of(r.Name, list...)
}

func (s *study) figureFraction() (report.Figure, error) {
	f := report.NewFigure("The scanned fraction f of a job's work, θ₁ = θ₂ = 1, no correlation",
		fmt.Sprintf(schemesNote+" A job's work beside scanning is shared with nobody and comes after its scan. Top: average response time over that of FLEX; bottom: work over FLEX's. Means over %s. Here %s.",
			numbers.Count(s.n, "repetition"), s.basis()),
		"fraction", "repetitions", "circumflex_to_flex", "batch_to_flex", "circumflex_work_ratio", "batch_work_ratio", "flex_response_min")
	f.Shown.Columns = []string{"f", "CIRCUMFLEX/FLEX", "BATCH/FLEX", "work of CIRCUMFLEX", "work of BATCH"}
	for i := range s.fractions {
		v := &s.fractions[i]
		shares := []float64{v.over(ratios, circumflex), v.over(ratios, batch), v.over(works, circumflex), v.over(works, batch)}
		f.Numbers.Add(v.fraction, s.n, shares[0], shares[1], shares[2], shares[3], numbers.Mean(values(v)[flex]))
		f.Shown.Add(numbers.Full(v.fraction), numbers.Fixed(shares[0]), numbers.Fixed(shares[1]), numbers.Fixed(shares[2]), numbers.Fixed(shares[3]))
	}
	charts := panels(s.fractions, draw.Axis{Label: "f, part of a job's work that is scanning", Min: -0.02, Max: 1.02, Ticks: draw.Ticks(0, 1, .25)}, func(c *cell) float64 { return c.fraction },
		panel{draw.Axis{Label: "av. response / FLEX's", Log: true}, ratios}, panel{draw.Axis{Label: "work / FLEX's", Max: 1.1}, works})
	return f.Done(s.claimsFraction(), "Two charts over the scanned fraction. The ratios of CIRCUMFLEX rise to 1 as the fraction falls to 0.", charts...)
}

// over is the mean over repetitions of a scheme's number.
func (c *cell) over(of func(c *cell) *[schemes][]float64, k scheme) float64 {
	return numbers.Mean(of(c)[k])
}

func (s *study) claimsFraction() []report.Claim {
	var rising, working []report.Claim
	for i := 1; i < len(s.fractions); i++ {
		less, more := &s.fractions[i-1], &s.fractions[i] // of scanning
		rising = append(rising, above(numbers.Differences(ratios(less)[circumflex], ratios(more)[circumflex]), 0))
		working = append(working, report.Claim{}.All(above(numbers.Differences(works(less)[circumflex], works(more)[circumflex]), 0), above(numbers.Differences(works(less)[batch], works(more)[batch]), 0)))
	}
	return []report.Claim{
		report.Says("as f decreases the benefits of CIRCUMFLEX become less important", "expected manner", "95% interval: rises in all steps from f = 1 down to 0",
			"CIRCUMFLEX/FLEX rises in %d of %d steps of f", report.Held(rising), len(rising)).All(rising...),
		report.Says("as f decreases batching and CIRCUMFLEX save less work", "expected manner", "95% intervals: rise in all steps from f = 1 down to 0",
			"both work ratios rise in %d of %d steps of f", report.Held(working), len(working)).All(working...),
	}
}
