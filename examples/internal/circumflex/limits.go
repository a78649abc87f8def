package circumflex

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// The loads and the fractions of scanning in a job's work that the text of Section 4 speaks of beside its base case.
var (
	triedLoads     = []float64{.3, .6, .9, 1.2, 1.8, 2.7, 3.6}
	triedFractions = []float64{0, .25, .5, .75, 1}
)

// flexLoad is up to where FLEX is run: beyond, its queue grows without limit.
const flexLoad = 1.2

// A variant is the base case of Figure 5 without correlation, with another load or fraction. Slices are by repetition.
type variant struct {
	x                float64
	value, work, end [schemes][]float64
}

// play runs settings one after the other, n times each.
func (s *study) play(list []settings, xs []float64, bar *report.Progress) ([]variant, error) {
	out := make([]variant, len(list))
	for i := range out {
		v := &out[i]
		v.x = xs[i]
		for k := range schemes {
			if k != flex || list[i].load <= flexLoad {
				v.value[k], v.work[k], v.end[k] = make([]float64, s.n), make([]float64, s.n), make([]float64, s.n)
			}
		}
	}
	return out, parallel(len(list)*s.n, func(r *runner, i int) error {
		v, o, repetition := &out[i/s.n], list[i/s.n], i%s.n
		w := newWorkload(point{theta1: steps - 1, theta2: steps - 1, relation: relations / 2}, o, s.seed, repetition)
		for k := range schemes {
			if v.value[k] == nil {
				continue
			}
			requests, err := w.requests(o, k)
			if err != nil {
				return err
			}
			got, err := r.run(&w, requests, o, k, averageResponse)
			if err != nil {
				return err
			}
			v.value[k][repetition], v.work[k][repetition], v.end[k][repetition] = got.value, got.work/(span*slots), got.end
		}
		bar.Add(1)
		return nil
	})
}

// limits fills in loads and fractions.
func (s *study) limits(bar *report.Progress) error {
	var list []settings
	for _, x := range triedLoads {
		o := s.o
		o.load = x
		list = append(list, o)
	}
	var err error
	if s.loads, err = s.play(list, triedLoads, bar); err != nil {
		return err
	}
	list = list[:0]
	for _, x := range triedFractions {
		o := s.o
		o.fraction = x
		list = append(list, o)
	}
	s.fractions, err = s.play(list, triedFractions, bar)
	return err
}

// variantLine returns the means of one scheme where it was run.
func variantLine(list []variant, k scheme, of func(v *variant) *[schemes][]float64) (xs, ys []float64) {
	for i := range list {
		if y := of(&list[i])[k]; y != nil {
			xs, ys = append(xs, list[i].x), append(ys, mean(y))
		}
	}
	return xs, ys
}

func values(v *variant) *[schemes][]float64 { return &v.value }
func works(v *variant) *[schemes][]float64  { return &v.work }
func ends(v *variant) *[schemes][]float64   { return &v.end }

func (s *study) figureLoad() (report.Figure, error) {
	f := report.Figure{
		Item:  "load",
		Title: "Loads above 1, θ₁ = θ₂ = 1, no correlation",
		Caption: fmt.Sprintf("Datasets grow with ρ, the load without sharing. Top: work over what the cluster can do in %d minutes; middle: average response time; bottom: when the last scan is done. Means over %s; FLEX up to ρ = %v. %s.",
			span, report.Count(s.n, "repetition"), flexLoad, capital(s.basis())),
		Numbers: report.Table{Columns: []string{"load", "scheme", "repetitions", "average_response_min", "work_of_capacity", "last_end_min"}},
		Shown:   report.Table{Columns: []string{"ρ", "work FLEX", "BATCH", "CIRCUMFLEX", "response FLEX (min)", "BATCH", "CIRCUMFLEX"}},
	}
	var charts []*draw.Chart
	for i, y := range []struct {
		label string
		of    func(v *variant) *[schemes][]float64
		log   bool
	}{{"work of capacity", works, false}, {"response (min)", values, true}, {"last end (min)", ends, false}} {
		c := &draw.Chart{Height: 150, GridY: true}
		c.X = draw.Axis{Label: "ρ", Min: 0.2, Max: 3.7, Ticks: ticks(.5, 3.5, .5)}
		c.Y = draw.Axis{Label: y.label, Log: y.log}
		var all []float64
		for k := range schemes {
			_, ys := variantLine(s.loads, k, y.of)
			all = append(all, ys...)
		}
		if c.Y.Min, c.Y.Max = draw.LogRange(all...); y.log {
			c.Y.Ticks = ratioTicks(c.Y.Min, c.Y.Max)
		} else {
			c.Y.Min = 0
		}
		for _, k := range []scheme{flex, batch, circumflex} {
			xs, ys := variantLine(s.loads, k, y.of)
			label := ""
			if i == 0 {
				label = schemeNames[k]
			}
			c.Line(label, xs, ys, strokes[k])
			c.Dots("", xs, ys, marks[k], strokes[k].Color, 2.5)
		}
		charts = append(charts, c)
	}
	for i := range s.loads {
		v := &s.loads[i]
		row := []string{report.Full(v.x)}
		for _, of := range []func(v *variant) *[schemes][]float64{works, values} {
			for k := range schemes {
				row = append(row, fixed(meanOrNone(of(v)[k])))
			}
		}
		f.Shown.Rows = append(f.Shown.Rows, row)
		for k := range schemes {
			if v.value[k] != nil {
				f.Numbers.Add(v.x, schemeNames[k], s.n, mean(v.value[k]), mean(v.work[k]), mean(v.end[k]))
			}
		}
	}
	var err error
	f.SVG, err = draw.SVG("Three charts over the load. CIRCUMFLEX's work levels off at the cluster's capacity and its response time grows slowly; that of BATCH and FLEX grows on.", charts...)
	f.Claims = s.claimsLoad()
	return f, err
}

func meanOrNone(xs []float64) float64 {
	if xs == nil {
		return math.NaN()
	}
	return mean(xs)
}

// at returns the variant of a load or fraction.
func at(list []variant, x float64) *variant {
	for i := range list {
		if list[i].x == x {
			return &list[i]
		}
	}
	return nil
}

func (s *study) claimsLoad() []report.Claim {
	below, high, most := at(s.loads, .9), at(s.loads, 1.8), at(s.loads, 3.6)
	over := at(s.loads, flexLoad)
	end := func(v *variant, k scheme) float64 { return mean(v.end[k]) }
	work := func(v *variant, k scheme) float64 { return mean(v.work[k]) }
	goesOn := func(k scheme, note string) report.Claim {
		return report.Claim{Claim: schemeNames[k] + " goes on satisfactorily at loads far above 1", Published: "as far as tested",
			Model:    fmt.Sprintf("ρ = 3.6: the last scan is done at %s minutes, average response %s minutes", fixed(end(most, k)), fixed(mean(most.value[k]))),
			Relation: "done within 1.2 times the 100 minutes of arrivals", Holds: end(most, k) <= 1.2*span, Note: note}
	}
	steady := func(k scheme, note string) report.Claim {
		return report.Claim{Claim: schemeNames[k] + " runs at loads far above 1 with essentially unchanging work averages", Published: "essentially unchanging",
			Model:    fmt.Sprintf("work of capacity %s at ρ = .9, %s at 1.8, %s at 3.6", fixed(work(below, k)), fixed(work(high, k)), fixed(work(most, k))),
			Relation: "at ρ = 3.6 within 10% of that at 1.8", Holds: within(work(most, k), work(high, k), .1*work(high, k)), Note: note}
	}
	note := "ρ scales the datasets: a batch grows with them and there are as many, so that their work is a fixed part of ρ and exceeds the cluster"
	return claims("load", s.basis(),
		report.Claim{Claim: "ρ = .9 is the highest load at which FLEX runs consistently", Published: ".9",
			Model:    fmt.Sprintf("average response %s minutes at .9, %s at %v", fixed(mean(below.value[flex])), fixed(mean(over.value[flex])), flexLoad),
			Relation: fmt.Sprintf("at least doubles from .9 to %v, and the queue needs 10 minutes beyond the arrivals there, not at .9", flexLoad),
			Holds:    mean(over.value[flex]) >= 2*mean(below.value[flex]) && end(over, flex) >= span+10 && end(below, flex) < span+10, Note: "FLEX's queue does not grow, or grows at .9 too"},
		goesOn(circumflex, "scans under way do not meet often enough"),
		goesOn(batch, note),
		steady(circumflex, "the cluster is not busy all the time at ρ = 1.8"),
		steady(batch, note),
	)
}

func (s *study) figureFraction() (report.Figure, error) {
	f := report.Figure{
		Item:  "fraction",
		Title: "The scanned fraction f of a job's work, θ₁ = θ₂ = 1, no correlation",
		Caption: fmt.Sprintf("A job's work beside scanning is shared with nobody and comes after its scan. Top: average response time over that of FLEX; bottom: work over FLEX's. Means over %s. %s.",
			report.Count(s.n, "repetition"), capital(s.basis())),
		Numbers: report.Table{Columns: []string{"fraction", "repetitions", "circumflex_to_flex", "batch_to_flex", "circumflex_work_ratio", "batch_work_ratio", "flex_response_min"}},
		Shown:   report.Table{Columns: []string{"f", "CIRCUMFLEX/FLEX", "BATCH/FLEX", "work of CIRCUMFLEX", "work of BATCH"}},
	}
	var xs []float64
	var ys [2][schemes][]float64
	all := [2][]float64{{1}, {1}}
	for i := range s.fractions {
		v := &s.fractions[i]
		xs = append(xs, v.x)
		for k := range schemes {
			for n, x := range []float64{v.over(values, k), v.over(works, k)} {
				ys[n][k] = append(ys[n][k], x)
				all[n] = append(all[n], x)
			}
		}
		f.Numbers.Add(v.x, s.n, v.over(values, circumflex), v.over(values, batch), v.over(works, circumflex), v.over(works, batch), mean(v.value[flex]))
		f.Shown.Add(report.Full(v.x), fixed(v.over(values, circumflex)), fixed(v.over(values, batch)), fixed(v.over(works, circumflex)), fixed(v.over(works, batch)))
	}
	var charts []*draw.Chart
	for n, label := range []string{"response over FLEX's", "work over FLEX's"} {
		c := &draw.Chart{Height: 170, GridY: true}
		c.X = draw.Axis{Label: "f", Min: -0.02, Max: 1.02, Ticks: ticks(0, 1, .25)}
		c.Y = draw.Axis{Label: label, Log: n == 0, Min: 0, Max: 1.1}
		if n == 0 {
			c.Y.Min, c.Y.Max = draw.LogRange(all[n]...)
			c.Y.Ticks = ratioTicks(c.Y.Min, c.Y.Max)
		}
		for _, k := range []scheme{flex, circumflex, batch} {
			name := schemeNames[k]
			if n > 0 {
				name = ""
			}
			c.Line(name, xs, ys[n][k], strokes[k])
			if k != flex {
				c.Dots("", xs, ys[n][k], marks[k], strokes[k].Color, 2.5)
			}
		}
		charts = append(charts, c)
	}
	var err error
	f.SVG, err = draw.SVG("Two charts over the scanned fraction. The ratios of CIRCUMFLEX rise to 1 as the fraction falls to 0.", charts...)
	f.Claims = s.claimsFraction()
	return f, err
}

// over is the mean over repetitions of a scheme's number over FLEX's.
func (v *variant) over(of func(v *variant) *[schemes][]float64, k scheme) float64 {
	sum := 0.0
	for i, x := range of(v)[k] {
		sum += x / of(v)[flex][i]
	}
	return sum / float64(len(of(v)[k]))
}

func (s *study) claimsFraction() []report.Claim {
	rising, working := 0, 0
	for i := 1; i < len(s.fractions); i++ {
		less, more := &s.fractions[i-1], &s.fractions[i] // of scanning
		if less.over(values, circumflex) > more.over(values, circumflex) {
			rising++
		}
		if less.over(works, circumflex) > more.over(works, circumflex) && less.over(works, batch) > more.over(works, batch) {
			working++
		}
	}
	none, pairs := &s.fractions[0], len(s.fractions)-1
	gone := func(x float64) bool { return within(x, 1, 1e-9) }
	return claims("fraction", s.basis(),
		report.Claim{Claim: "as f decreases the benefits of CIRCUMFLEX become less important", Published: "expected manner", Model: fmt.Sprintf("CIRCUMFLEX/FLEX rises in %d of %d steps of f", rising, pairs),
			Relation: "rises in all steps from f = 1 down to 0", Holds: rising == pairs, Note: "something else than shared work decides"},
		report.Claim{Claim: "as f decreases batching and CIRCUMFLEX save less work", Published: "expected manner", Model: fmt.Sprintf("both work ratios rise in %d of %d steps of f", working, pairs),
			Relation: "rise in all steps from f = 1 down to 0", Holds: working == pairs, Note: "something else than shared work decides"},
		report.Claim{Claim: "at f = 0 the benefits of CIRCUMFLEX disappear completely", Published: "completely", Model: fmt.Sprintf("CIRCUMFLEX/FLEX %v, work %v", none.over(values, circumflex), none.over(works, circumflex)),
			Relation: "both 1, within 1e-9", Holds: gone(none.over(values, circumflex)) && gone(none.over(works, circumflex)), Note: "jobs that share nothing are not treated alike"},
	)
}
