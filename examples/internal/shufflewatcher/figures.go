package shufflewatcher

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// published are the changes of the measures that the paper prints for SW-fair over Fair and for
// SW-relaxed over Delay, in percent: on 100 nodes and on 16.
var published = map[bool][2][]float64{false: {{39, -27, -36}, {46, -32, -48}}, true: {{46, -32, -48}, {54, -38, -56}}}

// headlineRows are SW-fair over Fair and SW-relaxed over Delay.
func (r reading) headlineRows() []row {
	rows := r.rows(swFair, fair, swRelaxed, delay)
	for i := range rows {
		rows[i].published = published[r.set.small][i]
	}
	return rows
}

// headlines are the claims about them. A was found by what throughput times turn-around is: given
// the one, the other follows.
func (s *study) headlines(r reading) []report.Claim {
	var list []report.Claim
	racks, _ := s.fit(r.cell(fair)).racks()
	for i, x := range r.headlineRows() {
		for m, what := range measures {
			c := comes(x.label+" changes "+what.name, s.ratio(x, m), published[r.set.small][i][m])
			switch m {
			case 0: // in a closed loop what ends may differ from what is done
				bytes := s.compare(x.a, x.b, volume)
				c = c.All(c, c.Single(bytes, report.Change(numbers.Short(published[r.set.small][i][m]))))
				c.Model += " in jobs, " + percent(bytes) + " in bytes"
				c.Relation += ", in jobs and in bytes an hour"
			case 1:
				if r.Name == "A" {
					c.Kind = report.Found
				}
			case 2:
				at := s.mean(x.a, kept).Mean
				c.Note = report.Because(at < 1.25/float64(racks), fmt.Sprintf("reduces do not follow the maps: Σpr is %s, and %s where tasks are spread evenly", numbers.Short2(at), numbers.Short2(1/float64(racks))))
			}
			list = append(list, c)
		}
	}
	return r.of(list...)
}

// figure8 is the paper's main comparison.
func (s *study) figure8() (report.Figure, error) {
	g := group{readingA, readingA.headlineRows()}
	return s.grid("Figure 8: ShuffleWatcher under two rules of fairness", "Each ShuffleWatcher over the baseline with its rule of fairness. SW-DRF and reading B are in figure nodes16.", func() []report.Claim {
		list := s.headlines(g.reading)
		for k := range list {
			list[k].Headline = list[k].Claim
		}
		strict, relaxed := g.rows[0], g.rows[1]
		var parts []report.Claim
		for _, what := range measures {
			q := numbers.Difference(s.pairs(relaxed.a, relaxed.b, ratio(what.of)), s.pairs(strict.a, strict.b, ratio(what.of)))
			c := report.Claim{Claim: what.name, Model: points(q)}
			q.Mean *= what.better
			parts = append(parts, c.Above(q, 0))
		}
		fairness := s.paired(strict.a, strict.b, func(x, y *outcome) float64 { return x.unfair - y.unfair })
		equal := below("SW-fair divides the slots among users as equally as Fair", "strictly obeying the constraints (3.4)", fairness, .05, points(fairness)+" points of unfairness")
		equal.Kind = report.Beyond
		return append(list, g.of(
			together("SW-relaxed gains more over Delay than SW-fair over Fair", "more improvements", "95% intervals of the differences: throughput above 0, turn-around and traffic below", parts...), equal)...)
	}, g)
}

// similar is the claim that two rows have nearly the same changes.
func (s *study) similar(x, y row) report.Claim {
	var list []report.Claim
	for _, m := range measures {
		q := numbers.Difference(s.pairs(x.a, x.b, ratio(m.of)), s.pairs(y.a, y.b, ratio(m.of)))
		list = append(list, near(m.name, "", q, 0, .1))
		list[len(list)-1].Model = points(q)
	}
	return together("SW-DRF gains over DRF what SW-fair gains over Fair", "similar", "95% intervals of the differences within 10 points of 0", list...)
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
			"Means over medium and heavy jobs; small dots: each seed.",
		"reading", "concurrency", "seeds", "fair", "sw_fair", "ratio", "ratio_ci95")
	var names []string
	var series []draw.Series
	for i, r := range closer {
		x := r.rows(swFair, fair)[0]
		if err := s.runRows(f.Title, []row{x}); err != nil {
			return f, err
		}
		var list []report.Claim
		names, series = nil, append(series, draw.Look(i, "reading "+r.Name))
		for _, c := range concurrencies {
			what := func(o *outcome) float64 {
				m, n := o.sum(medium, c.of)
				h, k := o.sum(heavy, c.of)
				return (m + h) / (n + k)
			}
			q := series[i].Add(s.pairs(x.a, x.b, ratio(what)))
			names = append(names, c.name)
			f.Numbers.Add(r.Name, c.name, s.seeds.N, s.mean(x.b, what).Mean, s.mean(x.a, what).Mean, q.Mean, q.Half)
			list = append(list, below(c.name, "", q, 1, percent(q)))
		}
		f.Claims = append(f.Claims, r.of(together("SW-fair lowers the concurrency of maps, of reduces, and of maps with their shuffle", "lowers each", "95% intervals of the ratios to Fair's below 1", list...))...)
	}
	return f.Done(f.Claims, "Points of SW-fair over Fair, by kind of concurrency and reading.", ratios("concurrency, SW-fair / Fair", names, series))
}

// figure11 is the turn-around of each job.
func (s *study) figure11() (report.Figure, error) {
	f := report.NewFigure("Figure 11: turn-around of each job",
		"Turn-around of each job under SW-fair over that under Fair, in ascending order, first seed of each reading. The paper's 300 jobs are all below 1.", "reading", "rank", "share", "ratio")
	c := &draw.Chart{GridY: true, X: draw.Axis{Label: "share of the jobs", Min: 0, Max: 1}, Y: draw.Axis{Label: "turn-around, SW-fair / Fair", Log: true}}
	var lines []draw.Series
	for i, r := range closer {
		w := r.rows(swFair, fair)[0]
		if err := s.runRows(f.Title, []row{w}); err != nil {
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
		faster := s.paired(w.a, w.b, func(x, y *outcome) float64 {
			list := slowdowns(x, y)
			at, _ := slices.BinarySearch(list, 1)
			return float64(at) / float64(len(list))
		})
		f.Claims = append(f.Claims, r.of(above("nine of ten jobs take less time under SW-fair than under Fair", "all of 300 jobs", faster, .9, "part of the jobs "+faster.String()))...)
	}
	c.Series(lines, 1)
	c.Level("", 1, draw.Stroke{Color: draw.Black, Width: .8})
	return f.Done(f.Claims, "Two rising lines. A: "+f.Claims[0].Model+"; B: "+f.Claims[1].Model+".", c)
}
