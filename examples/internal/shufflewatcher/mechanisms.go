package shufflewatcher

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// steps are what leads from Fair to ShuffleWatcher, each with all before it: late reduces, which are
// not the paper's idea alone, and its mechanisms.
func (r reading) steps() (names []string, cells []cell) {
	return []string{"late reduces", "NASS", "SARP", "SAMP"}, []cell{r.cell(lateFair), r.cell(onlyNASS), r.cell(withSARP), r.cell(swFair)}
}

// change is what a step changes, as a part of Fair's, by seed.
func (s *study) change(r reading, from, to cell, what metric) []float64 {
	base := r.cell(fair)
	return report.Differences(s.pairs(r.n, to, base, ratio(what)), s.pairs(r.n, from, base, ratio(what)))
}

// mechanisms draws a measure after each step over Fair's, by class, a panel for each reading.
func (s *study) mechanisms(title, caption, label string, measure func(class) metric, claims func(r reading) []report.Claim) (report.Figure, error) {
	f := report.NewFigure(title, caption+" By class of jobs; whiskers: 95% intervals.", "reading", "step", "class", "seeds", "ratio_to_fair", "ratio_ci95")
	f.Shown.Columns = append([]string{"reading", "step"}, classNames[:]...)
	var charts []*draw.Chart
	a, _, _, d := s.readings()
	for _, r := range s.on16(a, d) {
		names, cells := r.steps()
		if err := s.ensure(title, r.n, append(slices.Clone(cells), r.cell(fair))...); err != nil {
			return f, err
		}
		series := make([]draw.Series, all+1)
		for k := range series {
			series[k] = draw.Look(k, classNames[k])
		}
		for i, c := range cells {
			shown := []any{r.Name, names[i]}
			for k := range series {
				q := s.compare(r.n, c, r.cell(fair), measure(class(k)))
				look := &series[k]
				look.Y, look.Spread = append(look.Y, q.Mean), append(look.Spread, finite(q.Half))
				shown = append(shown, percent(q))
				f.Numbers.Add(r.Name, names[i], classNames[k], r.n, q.Mean, finite(q.Half))
			}
			f.Shown.Add(shown...)
		}
		chart := &draw.Chart{Title: "Reading " + r.Name, GridY: true, X: draw.Categories("", names...), Y: draw.Axis{Label: label}}
		chart.Points(series, 1)
		chart.Level("", 1, draw.Stroke{Color: draw.Black, Width: .8})
		charts = append(charts, chart)
		f.Claims = append(f.Claims, r.of(claims(r)...)...)
	}
	return f.Done(f.Claims, "Points by step, class and reading: "+label+".", draw.Panels(len(charts), charts...)...)
}

// figure12 is the throughput of each class after each step.
func (s *study) figure12() (report.Figure, error) {
	return s.mechanisms("Figure 12: throughput by mechanism",
		"Throughput over Fair's with late reduces, with NASS's orders too, with SARP and with SAMP, on 16 nodes. The step to late reduces is part of the paper's NASS.", "throughput / Fair's", throughput, func(r reading) []report.Claim {
			names, cells := r.steps()
			base, last := r.cell(fair), cells[len(cells)-1]
			gains := func(c cell, k class) []float64 { return s.change(r, base, c, throughput(k)) }
			shaped := func(c cell) report.Interval { // its gain less two fifths of all gain
				x := gains(c, all)
				for i, y := range gains(last, all) {
					x[i] -= .4 * y
				}
				return report.Over(x)
			}
			shaping := more("shaping, that is NASS with its late reduces, is more than 40% of the gain in throughput", "more than 40% in Figure 12", shaped(cells[1]))
			shaping.Model = "its gain less 40% of all gain " + shaping.Model + "; late reduces alone " + points(shaped(cells[0]))
			beyond := more("NASS, SARP and SAMP raise throughput by more than late reduces alone", "without this control", report.Difference(gains(last, all), gains(cells[0], all)))
			beyond.Kind = report.Beyond
			list := []report.Claim{shaping, beyond}
			var each, alike []report.Claim
			for i, name := range []string{"NASS's orders beyond late reduces", "SARP", "SAMP"} {
				for k := light; k <= all; k++ {
					c := more(name+" raises throughput", "each mechanism adds", report.Over(s.change(r, cells[i], cells[i+1], throughput(k))))
					if k < all {
						each = append(each, c)
					} else {
						list = append(list, c)
					}
				}
				product := func(o *outcome) float64 { return throughput(all)(o) * turnaround(all)(o) }
				alike = append(alike, near(names[i+1], "", s.compare(r.n, cells[i+1], base, product), 1, .1))
			}
			classes := together("each mechanism raises the throughput of each class", "significant across all three", "95% intervals of the nine differences above 0", each...)
			classes.Model = fmt.Sprintf("%d of %d do", report.Number(each, func(x report.Claim) bool { return x.Holds }), len(each))
			similar := together("turn-around falls at each step as throughput rises", "similar to the throughput breakdown", "95% intervals of throughput times turn-around, over Fair's, within .1 of 1", alike...)
			if r.Name == "A" {
				similar.Kind = report.Found // Little's law, in a closed loop
			}
			return append(list, classes, more("NASS's part of the gain grows from heavy to light jobs", "increases", report.Difference(gains(cells[1], light), gains(cells[1], heavy))), similar)
		})
}

// figure13 is the traffic of each class after each step.
func (s *study) figure13() (report.Figure, error) {
	return s.mechanisms("Figure 13: cross-rack traffic by mechanism", "Cross-rack traffic for each byte of shuffle, of light jobs for each job, over Fair's after the steps of Figure 12.", "traffic / Fair's", moved, func(r reading) []report.Claim {
		_, cells := r.steps()
		base, nass, last := r.cell(fair), cells[1], cells[len(cells)-1]
		over := func(c cell, k class) []float64 { return s.pairs(r.n, c, base, ratio(moved(k))) }
		by := func(claim, published string, c cell, of func(class) metric, changes ...float64) report.Claim {
			var parts []report.Claim
			for i, x := range changes {
				k := heavy - class(i)
				x := comes(classNames[k], s.compare(r.n, c, base, of(k)), x)
				parts = append(parts, x)
			}
			return together(claim, published, "each published number within the spread of single runs (95%), at most .25 from the mean", parts...)
		}
		read := part(remote(heavy), whole(heavy))
		reads := s.paired(r.n, last, cells[2], func(x, y *outcome) float64 { return read(x) - read(y) })
		none := near("NASS alone, over Fair's cross-rack traffic", "as much", report.Over(over(nass, all)), 1, .05)
		remotely := s.compare(r.n, nass, base, part(remote(all), total(all, every)))
		none.Note = report.Because(remotely.High() < 1, "it changes remote maps by "+percent(remotely)+": line 5 takes a local map of any job of the user")
		adds := below("SAMP adds little remote map traffic to heavy jobs", "about 3% of their traffic", reads, .1, points(reads)+"% of their shuffle")
		if r.Name == "A" {
			adds.Kind = report.Found // home racks were, by this number
		}
		return []report.Claim{
			comes("SARP changes the cross-rack traffic", report.Over(over(cells[2], all)), -15),
			by("SARP changes the cross-rack traffic of each class", "heavy -16%, medium -13%, light -4%", cells[2], moved, -16, -13, -4),
			by("SAMP, with NASS and SARP, changes the cross-rack shuffle of each class", "heavy -38%, medium -23%, light -4%", last, shuffles, -38, -23, -4),
			near("the traffic of all jobs over Fair's, less that of heavy jobs", "closely follows", report.Difference(over(last, all), over(last, heavy)), 0, .05),
			none, adds,
			more("the traffic of heavy jobs falls more than that of light jobs", "-38% against -4%", report.Difference(over(last, light), over(last, heavy))),
		}
	})
}
