package shufflewatcher

import (
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// published are the changes of the measures that the paper prints for SW-fair over Fair and for
// SW-relaxed over Delay, in percent: on 100 nodes and on 16.
var published = map[bool][2][3]float64{false: {{39, -27, -36}, {46, -32, -48}}, true: {{46, -32, -48}, {54, -38, -56}}}

// headlines are the claims about SW-fair over Fair and SW-relaxed over Delay.
func (s *study) headlines(r reading) []report.Claim {
	var list []report.Claim
	for i, x := range r.rows(swFair, fair, swRelaxed, delay) {
		for m := range measures {
			list = append(list, comes(x.label, measures[m].name, s.ratio(r.n, x, m), published[r.set.small][i][m], r.note))
		}
	}
	return list
}

// figure8 is the paper's main comparison, beside baselines whose reduces start late.
func (s *study) figure8() (report.Figure, error) {
	var groups []group
	a, b, c, d := s.readings()
	for _, r := range []reading{a, b, c, d} {
		g := group{r, r.rows(swFair, fair, swFair, lateFair, swRelaxed, delay, swRelaxed, lateDelay)}
		if r.Name == "A" || r.Name == "D" {
			g.rows = append(g.rows, r.rows(swDRF, drf, swDRF, lateDRF)...)
		}
		groups = append(groups, g)
	}
	claims := func() (claims []report.Claim) {
		for _, g := range groups {
			list := s.headlines(g.reading)
			for k := range list {
				list[k].Headline = list[k].Claim
			}
			if g.Name == "A" { // it was found by these
				list[0].Kind, list[1].Kind = report.Constructed, report.Constructed
			}
			for _, x := range []row{g.rows[1], g.rows[3]} {
				for _, m := range []int{0, 2} {
					c := s.gainOf(g.n, x, m, "not run", "late reduces alone give as much")
					c.Kind = report.Beyond
					list = append(list, c)
				}
			}
			if len(g.rows) > 4 {
				list = append(list, s.similar(g.n, g.rows[4], g.rows[0]))
			}
			claims = append(claims, g.of(list...)...)
		}
		return claims
	}
	return s.grid("Figure 8: ShuffleWatcher under three rules of fairness", "Each ShuffleWatcher over the baseline with its rule of fairness, whose reduces start when 5% of a job's maps have ended, or after all of them.", claims, groups...)
}

// similar is the claim that two rows have nearly the same changes.
func (s *study) similar(n int, x, y row) report.Claim {
	var list []report.Claim
	for _, m := range measures {
		q := report.Difference(s.pairs(n, x.a, x.b, ratio(m.of)), s.pairs(n, y.a, y.b, ratio(m.of)))
		list = append(list, near(m.name, "", q, 0, .1, ""))
		list[len(list)-1].Model = points(q)
	}
	return together("SW-DRF gains over DRF what SW-fair gains over Fair", "similar", "95% intervals of the differences within 10 points of 0", "the two orders of users differ where heavy reduces hold memory", list...)
}

// concurrencies are what Figure 9 measures of a job; medium and heavy jobs count.
var concurrencies = []struct {
	name string
	of   func(j *jobOutcome) float64
}{
	{"map", func(j *jobOutcome) float64 { return j.maps }},
	{"reduce", func(j *jobOutcome) float64 { return j.reduces }},
	{"map-shuffle", func(j *jobOutcome) float64 { return j.shared }},
}

// figure9 is how much of a job runs at once.
func (s *study) figure9() (report.Figure, error) {
	f := report.NewFigure("Figure 9: concurrency within jobs",
		"SW-fair over Fair, by reading. Map concurrency: mean number of a job's maps that run at once while any does; reduce concurrency likewise; map-shuffle concurrency: the share of the time of its maps in which the job shuffles. "+
			"Means over medium and heavy jobs; whiskers: 95% intervals.",
		"reading", "concurrency", "seeds", "fair", "sw_fair", "ratio", "ratio_ci95")
	var names, series []string
	var values [][]report.Interval
	a, _, _, d := s.readings()
	for _, r := range []reading{a, d} {
		x := r.rows(swFair, fair)[0]
		if err := s.runRows(f.Title, r.n, []row{x}); err != nil {
			return f, err
		}
		var list []report.Claim
		var ratios []report.Interval
		names = nil
		for _, c := range concurrencies {
			what := func(o *outcome) float64 {
				m, n := o.sum(medium, c.of)
				h, k := o.sum(heavy, c.of)
				return (m + h) / (n + k)
			}
			q := s.compare(r.n, x.a, x.b, what)
			names, ratios = append(names, c.name), append(ratios, q)
			f.Numbers.Add(r.Name, c.name, r.n, s.mean(r.n, x.b, what).Mean, s.mean(r.n, x.a, what).Mean, q.Mean, finite(q.Half))
			list = append(list, below(c.name, "", q, 1, percent(q), ""))
		}
		series, values = append(series, "reading "+r.Name), append(values, ratios)
		f.Claims = append(f.Claims, r.of(together("SW-fair lowers the concurrency of maps, of reduces, and of maps with their shuffle", "lowers each", "95% intervals of the ratios to Fair's below 1",
			"reduces that have waited for the maps start together; Fair starts them one by one, early", list...))...)
	}
	chart := bars("concurrency, SW-fair / Fair", names, series, values)
	chart.Level("", 1, draw.Stroke{Color: draw.Black, Width: .8})
	return f.Done(f.Claims, "Bars of SW-fair over Fair, by kind of concurrency and reading.", chart)
}

// figure11 is the turn-around of each job.
func (s *study) figure11() (report.Figure, error) {
	f := report.NewFigure("Figure 11: turn-around of each job",
		"Turn-around of each job under SW-fair over that under Fair, in ascending order, first seed of each reading. The paper's 300 jobs are all below 1.", "reading", "rank", "share", "ratio")
	c := &draw.Chart{GridY: true, X: draw.Axis{Label: "share of the jobs", Min: 0, Max: 1}, Y: draw.Axis{Label: "turn-around, SW-fair / Fair", Log: true}}
	var lines []draw.Series
	a, _, _, d := s.readings()
	for i, r := range []reading{a, d} {
		w := r.rows(swFair, fair)[0]
		if err := s.runRows(f.Title, r.n, []row{w}); err != nil {
			return f, err
		}
		line := draw.Look(i, "reading "+r.Name)
		line.Radius = 0
		first := slowdowns(s.runs(w.a)[0], s.runs(w.b)[0])
		for i, q := range first {
			line.X, line.Y = append(line.X, float64(i+1)/float64(len(first))), append(line.Y, q)
			f.Numbers.Add(r.Name, i+1, line.X[i], q)
		}
		lines = append(lines, line)
		faster := s.paired(r.n, w.a, w.b, func(x, y *outcome) float64 {
			list := slowdowns(x, y)
			at, _ := slices.BinarySearch(list, 1)
			return float64(at) / float64(len(list))
		})
		f.Claims = append(f.Claims, r.of(above("nine of ten jobs take less time under SW-fair than under Fair", "all of 300 jobs", faster, .9, "part of the jobs "+faster.String(), "another order makes some jobs wait for others"))...)
	}
	c.Series(lines, 1)
	c.Level("", 1, draw.Stroke{Color: draw.Black, Width: .8})
	return f.Done(f.Claims, "Two rising lines. A: "+f.Claims[0].Model+"; D: "+f.Claims[1].Model+".", c)
}
