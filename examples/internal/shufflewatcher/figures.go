package shufflewatcher

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// Why a gain of the paper's may not come out here.
const fewJobs = "a user has about one job at a time in a window of 10 min: a free node mostly has one task to take, preferred or not, and no slot is left idle"

// figure8 is the paper's main comparison.
func (s *study) figure8() (report.Figure, error) {
	rows := slices.Concat(
		against(setting{}, [3]float64{39, -27, -36}, fair, swFair),
		against(setting{}, [3]float64{46, -32, -48}, delay, swRelaxed),
		against(setting{}, [3]float64{}, drf, swDRF),
		against(setting{}, [3]float64{}, fair, delay))
	f, err := s.rowsFigure("fig8", "Figure 8: ShuffleWatcher under three rules of fairness",
		"Each ShuffleWatcher over the baseline with its rule of fairness. At a load that Delay just carries all arrivals end sooner or later, so that throughput has little room to rise: see figure rates.", s.n, rows)
	if err != nil {
		return f, err
	}
	for _, r := range rows[:3] {
		f.Claims = append(f.Claims, claims(f.Item, s.gains(s.n, r, fewJobs)...)...)
	}
	f.Claims = append(f.Claims, s.unbalance(f.Item))
	return f, nil
}

// unbalance is the claim that no rack has more work than others.
func (s *study) unbalance(item string) report.Claim {
	q := s.mean(s.n, cell{contender: swFair}, func(o *outcome) float64 { return o.uneven })
	return claims(item, report.Claim{Claim: "SARP does not unbalance the load of the racks", Published: "such imbalance does not occur", Model: "coefficient of variation of the racks' slot-seconds " + q.String(),
		Relation: "mean at most .1 under SW-fair", Holds: q.Mean <= .1, Note: "some racks have more input than others"})[0]
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
	f := report.Figure{Item: "fig9", Title: "Figure 9: concurrency within jobs",
		Caption: "SW-fair over Fair. Map concurrency: mean number of a job's maps that run at once while any does; reduce concurrency likewise; map-shuffle concurrency: the share of the time of its maps in which the job shuffles. " +
			"Means over medium and heavy jobs.",
		Numbers: report.Table{Columns: []string{"concurrency", "seeds", "fair", "sw_fair", "ratio", "ratio_ci95"}}}
	r := row{label: "SW-fair / Fair", a: cell{contender: swFair}, b: cell{contender: fair}}
	if err := s.runRows(f.Item, s.n, []row{r}); err != nil {
		return f, err
	}
	var names []string
	var values []report.Interval
	for _, c := range concurrencies {
		what := func(o *outcome) float64 {
			m, n := o.sum(medium, c.of)
			h, k := o.sum(heavy, c.of)
			return (m + h) / (n + k)
		}
		q := s.compare(s.n, r.a, r.b, what)
		names, values = append(names, c.name), append(values, q)
		f.Numbers.Add(c.name, s.n, s.mean(s.n, r.b, what).Mean, s.mean(s.n, r.a, what).Mean, q.Mean, finite(q.Half))
		claim := s.gain(s.n, r, c.name+" concurrency", what, -1, 0, fewJobs)
		claim.Published = "lowers it"
		f.Claims = append(f.Claims, claims(f.Item, claim)...)
	}
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Bars of SW-fair over Fair: map %s, reduce %s, map-shuffle %s.", values[0], values[1], values[2]),
		bars("SW-fair / Fair", names, []string{"SW-fair over Fair"}, [][]report.Interval{values}))
	return f, err
}

// figure11 is the turn-around of each job.
func (s *study) figure11() (report.Figure, error) {
	f := report.Figure{Item: "fig11", Title: "Figure 11: turn-around of each job",
		Caption: "Turn-around of each job of the window under SW-fair over that under Fair, in ascending order, first seed.", Numbers: report.Table{Columns: []string{"rank", "share", "ratio"}}}
	a, b := cell{contender: swFair}, cell{contender: fair}
	if err := s.ensure(f.Item, s.n, a, b); err != nil {
		return f, err
	}
	var worse, worst []float64
	var first []float64
	for i, o := range s.outcomes[s.fit(a)][:s.n] {
		var list []float64
		for j := range o.jobs {
			list = append(list, o.jobs[j].sojourn/s.outcomes[s.fit(b)][i].jobs[j].sojourn)
		}
		slices.Sort(list)
		at, _ := slices.BinarySearch(list, 1+1e-9)
		worse, worst = append(worse, 1-float64(at)/float64(len(list))), append(worst, list[len(list)-1])
		if i == 0 {
			first = list
		}
	}
	var x []float64
	for i, q := range first {
		x = append(x, float64(i+1)/float64(len(first)))
		f.Numbers.Add(i+1, x[i], q)
	}
	c := &draw.Chart{GridY: true, X: draw.Axis{Label: "share of the jobs", Min: 0, Max: 1}, Y: draw.Axis{Label: "SW-fair / Fair", Log: true}}
	c.FitY(append([]float64{1}, first...)...)
	c.Level("", 1, draw.Stroke{Color: draw.Black, Width: .8})
	c.Line("", x, first, draw.Stroke{Color: draw.Blue})
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("A rising line. %s of the jobs take longer under SW-fair.", report.Over(worse)), c)
	f.Claims = claims(f.Item, report.Claim{Claim: "no job takes longer under SW-fair", Published: "none of 300 jobs", Model: fmt.Sprintf("share of jobs that take longer %s; worst ratio %s", report.Over(worse), report.Short2(slices.Max(worst))),
		Relation: "no ratio above 1 at any seed", Holds: slices.Max(worst) <= 1+1e-9, Note: "any change of the order makes some jobs wait for others"})
	return f, err
}

// steps are ShuffleWatcher's mechanisms, each added to the one before.
var steps = []*contender{fair, onlyNASS, withSARP, swFair}

// figure12 is the throughput of each class with the mechanisms one by one.
func (s *study) figure12() (report.Figure, error) {
	return s.breakdown("fig12", "Figure 12: throughput by mechanism",
		"Throughput over Fair's with NASS alone, with SARP, and with SAMP too, by class of jobs.", "throughput", 1, throughput, setting{}, s.n)
}

// breakdown draws a measure of the mechanisms by class, and claims that each adds to it and that NASS's part is greater for light jobs.
func (s *study) breakdown(item, title, caption, name string, better float64, measure func(class) metric, set setting, n int) (report.Figure, error) {
	f := report.Figure{Item: item, Title: title, Caption: caption + " Means of the ratios over " + report.Count(n, "seed") + "; whiskers: 95% intervals.",
		Numbers: report.Table{Columns: []string{"mechanisms", "class", "seeds", "ratio_to_fair", "ratio_ci95"}}}
	var rows []row
	for i := 1; i < len(steps); i++ {
		rows = append(rows, against(set, [3]float64{}, steps[i-1], steps[i])...)
	}
	if err := s.runRows(item, n, rows); err != nil {
		return f, err
	}
	var names []string
	values := make([][]report.Interval, len(rows))
	for i, r := range rows {
		names = append(names, r.a.name)
		for k := light; k <= all; k++ {
			q := s.compare(n, r.a, rows[0].b, measure(k))
			values[i] = append(values[i], q)
			f.Numbers.Add(r.a.name, classNames[k], n, q.Mean, finite(q.Half))
		}
		c := s.gain(n, r, name, measure(all), better, 0, fewJobs)
		c.Published = "each mechanism adds"
		f.Claims = append(f.Claims, claims(item, c)...)
	}
	gap := s.differ(n, rows[0], measure)
	f.Claims = append(f.Claims, claims(item, report.Claim{Claim: "NASS's part of the gain grows from heavy to light jobs", Published: "increases", Model: "ratio for light jobs less that for heavy jobs " + gap.String(),
		Relation: "95% interval above 0", Holds: better*gap.Mean > gap.Half, Note: fewJobs})...)
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Bars by class and mechanism. All jobs: %s %s, %s %s, %s %s.", names[0], percent(values[0][all]), names[1], percent(values[1][all]), names[2], percent(values[2][all])),
		bars(name+" / Fair's", classNames[:], names, values))
	return f, err
}

// differ is the interval of a row's ratio for light jobs less that for heavy jobs.
func (s *study) differ(n int, r row, measure func(class) metric) report.Interval {
	ratio := func(k class) []float64 {
		xs, ys := s.of(n, r.a, measure(k)), s.of(n, r.b, measure(k))
		for i := range xs {
			xs[i] /= ys[i]
		}
		return xs
	}
	xs, ys := ratio(light), ratio(heavy)
	for i := range xs {
		xs[i] -= ys[i]
	}
	return report.Over(xs)
}

// figure13 is the traffic of each class with the mechanisms one by one.
func (s *study) figure13() (report.Figure, error) {
	f := report.Figure{Item: "fig13", Title: "Figure 13: cross-rack traffic by mechanism",
		Caption: "Cross-rack traffic over Fair's with NASS alone, with SARP, and with SAMP too, by class of jobs. Second chart: of all jobs, the parts of it, over all of Fair's. Whiskers: 95% intervals.",
		Numbers: report.Table{Columns: []string{"mechanisms", "class", "seeds", "ratio_to_fair", "ratio_ci95", "shuffle_part", "remote_map_part", "ratio_published"}}}
	base := cell{contender: fair}
	var names []string
	values, parts := make([][]report.Interval, len(steps)-1), make([][]report.Interval, 2)
	published := [][]float64{{0, 0, 0, 0}, {-4, -13, -16, -15}, {-4, -23, -38, -36}}
	for i, k := range steps[1:] {
		c := cell{contender: k}
		if err := s.ensure(f.Item, s.n, c, base); err != nil {
			return f, err
		}
		names = append(names, k.name)
		for j := light; j <= all; j++ {
			q := s.compare(s.n, c, base, traffic(j))
			values[i] = append(values[i], q)
			part := func(what metric) report.Interval {
				xs, ys := s.of(s.n, c, what), s.of(s.n, base, traffic(j))
				for i := range xs {
					xs[i] /= ys[i]
				}
				return report.Over(xs)
			}
			moved, read := part(shuffled(j)), part(remote(j))
			f.Numbers.Add(k.name, classNames[j], s.n, q.Mean, finite(q.Half), moved.Mean, read.Mean, 1+published[i][j]/100)
			if j == all {
				parts[0], parts[1] = append(parts[0], moved), append(parts[1], read)
			}
		}
	}
	first := bars("traffic / Fair's", classNames[:], names, values)
	second := bars("of all jobs", names, []string{"shuffle", "remote map"}, parts)
	first.Height, second.Height = 170, 150
	var err error
	if f.Picture, err = draw.New(fmt.Sprintf("Bars by class and mechanism. All jobs: %s %s, %s %s, %s %s.", names[0], percent(values[0][all]), names[1], percent(values[1][all]), names[2], percent(values[2][all])), first, second); err != nil {
		return f, err
	}
	nass := values[0][all]
	f.Claims = claims(f.Item, report.Claim{Claim: "NASS alone does not lower the cross-rack traffic", Published: "0", Model: percent(nass), Relation: "mean within 2% of Fair's", Holds: nass.Mean > .98 && nass.Mean < 1.02,
		Note: "other maps are local when other reduces start"})
	for i, label := range []string{"SARP", "SAMP"} {
		r := row{label: label + " / Fair", a: cell{contender: steps[i+2]}, b: base}
		for j := heavy; j >= light; j-- {
			f.Claims = append(f.Claims, claims(f.Item, s.gain(s.n, r, "the cross-rack traffic of "+classNames[j]+" jobs", traffic(j), -1, published[i+1][j], fewJobs))...)
		}
		f.Claims = append(f.Claims, claims(f.Item, s.gain(s.n, r, "the cross-rack traffic of all jobs", traffic(all), -1, published[i+1][all], fewJobs))...)
	}
	more := report.Over(s.parts(cell{contender: swFair}, cell{contender: withSARP}, remote(heavy), traffic(heavy)))
	f.Claims = append(f.Claims, claims(f.Item, report.Claim{Claim: "SAMP adds little remote map traffic to heavy jobs", Published: "about 3% of their traffic", Model: percentPoints(more), Relation: "95% interval below 10% of their traffic under NASS+SARP", Holds: more.High() < .1,
		Note: "SAMP gives up local maps for a place beside the others"})...)
	return f, nil
}

// parts is how much more of a metric a has than b, over another metric of b, seed by seed.
func (s *study) parts(a, b cell, what, of metric) []float64 {
	xs, ys, base := s.of(s.n, a, what), s.of(s.n, b, what), s.of(s.n, b, of)
	for i := range xs {
		xs[i] = (xs[i] - ys[i]) / base[i]
	}
	return xs
}

func percentPoints(i report.Interval) string {
	return signed(100*i.Mean) + " ± " + report.Short2(100*i.Half) + "%"
}
