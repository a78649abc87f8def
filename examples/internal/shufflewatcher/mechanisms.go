package shufflewatcher

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// steps are what leads from Fair to ShuffleWatcher, each with all before it: late reduces, which are
// not the paper's idea alone, its mechanisms, and in a reading with ties these last.
func (r reading) steps() (names []string, cells []cell) {
	last := r.cell(swFair)
	r.set.ties = false
	names = []string{"late reduces", "NASS", "SARP", "SAMP"}
	cells = []cell{r.cell(lateFair), r.cell(onlyNASS), r.cell(withSARP), r.cell(swFair)}
	if last.ties {
		names, cells = append(names, "ties"), append(cells, last)
	}
	return names, cells
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
	for _, r := range []reading{a, d} {
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
		"Throughput over Fair's with late reduces, with NASS's orders too, with SARP, with SAMP, and with ties among users. The step to late reduces is part of the paper's NASS.", "throughput / Fair's", throughput, func(r reading) []report.Claim {
			_, cells := r.steps()
			base, last := r.cell(fair), cells[len(cells)-1]
			gains := func(c cell, k class) []float64 { return s.change(r, base, c, throughput(k)) }
			shaped := func(c cell) report.Interval { // its gain less two fifths of all gain
				x := gains(c, all)
				for i, y := range gains(last, all) {
					x[i] -= .4 * y
				}
				return report.Over(x)
			}
			list := []report.Claim{more("shaping, that is NASS with its late reduces, is more than 40% of the gain in throughput", "more than 40% in Figure 12", shaped(cells[1]), "placement and ties are most of the gain")}
			list[0].Model = "its gain less 40% of all gain " + list[0].Model + "; late reduces alone " + points(shaped(cells[0]))
			beyond := more("NASS, SARP and SAMP raise throughput by more than late reduces alone", "without this control", report.Difference(gains(cells[3], all), gains(cells[0], all)), "late reduces are the gain")
			beyond.Kind = report.Beyond
			list = append(list, beyond)
			if r.Name == "A" {
				var each []report.Claim
				for i, name := range []string{"NASS's orders beyond late reduces", "SARP", "SAMP"} {
					for k := light; k <= all; k++ {
						c := more(name+" raises throughput", "each mechanism adds", report.Over(s.change(r, cells[i], cells[i+1], throughput(k))), r.note)
						if k < all {
							each = append(each, c)
						} else {
							list = append(list, c)
						}
					}
				}
				classes := together("each mechanism raises the throughput of each class", "significant across all three", "95% intervals of the nine differences above 0", "SARP has no quotas for light and medium jobs, and NASS orders reduces for reduce slots alone", each...)
				classes.Model = fmt.Sprintf("%d of %d do", report.Number(each, func(x report.Claim) bool { return x.Holds }), len(each))
				list = append(list, classes, more("NASS's part of the gain grows from heavy to light jobs", "increases", report.Difference(gains(cells[1], light), gains(cells[1], heavy)), r.note))
			}
			return list
		})
}

// figure13 is the traffic of each class after each step.
func (s *study) figure13() (report.Figure, error) {
	return s.mechanisms("Figure 13: cross-rack traffic by mechanism", "Cross-rack traffic over Fair's after the steps of Figure 12.", "traffic / Fair's", traffic, func(r reading) []report.Claim {
		_, cells := r.steps()
		base, last := r.cell(fair), cells[len(cells)-1]
		over := func(c cell, k class) []float64 { return s.pairs(r.n, c, base, ratio(traffic(k))) }
		list := []report.Claim{
			comes("SARP", "the cross-rack traffic", report.Over(over(cells[2], all)), -15, "NASS's choice of local maps lowers it before SARP, which adds a point: a user's reduces start on any rack when none is below its quota"),
			near("the traffic of all jobs over Fair's, less that of heavy jobs", "closely follows", report.Difference(over(last, all), over(last, heavy)), 0, .05, "light and medium jobs have much of the traffic")}
		if r.Name == "A" {
			reads := s.paired(r.n, last, cells[2], func(x, y *outcome) float64 { return (remote(heavy)(x) - remote(heavy)(y)) / traffic(heavy)(y) })
			list = append(list,
				near("NASS alone, over Fair's cross-rack traffic", "as much", report.Over(over(cells[1], all)), 1, .05, "line 5 takes a local map of any job of the user, where Fair takes the earliest job's map, local or not"),
				below("SAMP adds little remote map traffic to heavy jobs", "about 3% of their traffic", reads, .1, points(reads)+"% of their traffic under NASS and SARP", "SAMP gives up local maps for a place beside the others"),
				more("the traffic of heavy jobs falls more than that of light jobs", "-38% against -4%", report.Difference(over(last, light), over(last, heavy)), "the light jobs' remote maps fall most: a preferred rack holds their blocks"))
		}
		return list
	})
}
