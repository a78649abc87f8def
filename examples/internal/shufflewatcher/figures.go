package shufflewatcher

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// Why a gain of the paper's may not come out here.
const (
	fewJobs  = "a user has about one job at a time: most free nodes have one task to take, in a preferred rack or not, and no slot is left idle"
	manyJobs = "the preference is soft: a free node whose rack no job of the user prefers takes a local map of another, so that output and reduces stay spread"
)

// A reading is how the paper's arrivals are read. The paper does not say whether a job comes every
// 40 s from all users together, at a load that Delay just carries, or from each user, so that
// within minutes all jobs are in the queue.
type reading struct {
	caption string
	set     setting
	n       int // seeds
	note    string
}

func (r reading) cell(k *contender) cell { return cell{r.set, k} }

// figure8 is the paper's main comparison.
func (s *study) figure8(r reading) (report.Figure, error) {
	rows := slices.Concat(
		against("", r.set, 3, [3]float64{39, -27, -36}, fair, swFair),
		against("", r.set, 3, [3]float64{46, -32, -48}, delay, swRelaxed),
		against("", r.set, 3, [3]float64{}, drf, swDRF),
		against("", r.set, 0, [3]float64{}, fair, delay))
	return s.rowsFigure("Figure 8: ShuffleWatcher under three rules of fairness", "Each ShuffleWatcher over the baseline with its rule of fairness. "+r.caption, r.n, rows, r.note, func() report.Claim {
		q := s.mean(r.n, r.cell(swFair), func(o *outcome) float64 { return o.uneven })
		return report.Claim{Claim: "SARP does not unbalance the load of the racks", Published: "such imbalance does not occur", Model: "coefficient of variation of the racks' slot-seconds " + q.String(),
			Relation: "mean at most .1 under SW-fair", Holds: q.Mean <= .1, Note: "some racks have more input than others"}
	})
}

// concurrencies are what Figure 9 measures of a job; medium and heavy jobs count.
var concurrencies = []struct {
	name string
	of   func(j *jobOutcome) float64
	note string
}{
	{"map", func(j *jobOutcome) float64 { return j.maps }, "with few jobs a user its maps run wherever slots are free"},
	{"reduce", func(j *jobOutcome) float64 { return j.reduces }, "reduces that have waited for the maps start together; Fair starts them one by one, early"},
	{"map-shuffle", func(j *jobOutcome) float64 { return j.shared }, "the reduces of a user without waiting maps start while maps still run; Fair's users have waiting maps for longer"},
}

// figure9 is how much of a job runs at once.
func (s *study) figure9(r reading) (report.Figure, error) {
	f := report.NewFigure("Figure 9: concurrency within jobs",
		"SW-fair over Fair. "+r.caption+" Map concurrency: mean number of a job's maps that run at once while any does; reduce concurrency likewise; map-shuffle concurrency: the share of the time of its maps in which the job shuffles. "+
			"Means over medium and heavy jobs.",
		"concurrency", "seeds", "fair", "sw_fair", "ratio", "ratio_ci95")
	x := row{label: "SW-fair / Fair", a: r.cell(swFair), b: r.cell(fair)}
	if err := s.runRows(f.Title, r.n, []row{x}); err != nil {
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
		q := s.compare(r.n, x.a, x.b, what)
		names, values = append(names, c.name), append(values, q)
		f.Numbers.Add(c.name, r.n, s.mean(r.n, x.b, what).Mean, s.mean(r.n, x.a, what).Mean, q.Mean, finite(q.Half))
		claim := s.gain(r.n, x, c.name+" concurrency", what, -1, 0, c.note)
		claim.Published = "lowers it"
		f.Claims = append(f.Claims, claim)
	}
	return f.Done(f.Claims, fmt.Sprintf("Bars of SW-fair over Fair: map %s, reduce %s, map-shuffle %s.", values[0], values[1], values[2]),
		bars("SW-fair / Fair", 0, names, []string{"SW-fair over Fair"}, [][]report.Interval{values}))
}

// figure11 is the turn-around of each job.
func (s *study) figure11(r reading) (report.Figure, error) {
	f := report.NewFigure("Figure 11: turn-around of each job",
		r.caption+" Turn-around of each job under SW-fair over that under Fair, in ascending order, first seed.",
		"rank", "share", "ratio")
	w := row{label: "SW-fair / Fair", a: r.cell(swFair), b: r.cell(fair)}
	if err := s.runRows(f.Title, r.n, []row{w}); err != nil {
		return f, err
	}
	first := slowdowns(s.runs(w.a)[0], s.runs(w.b)[0])
	var x []float64
	for i, q := range first {
		x = append(x, float64(i+1)/float64(len(first)))
		f.Numbers.Add(i+1, x[i], q)
	}
	c := &draw.Chart{GridY: true, X: draw.Axis{Label: "share of the jobs", Min: 0, Max: 1}, Y: draw.Axis{Label: "SW-fair / Fair", Log: true}}
	c.FitY(append([]float64{1}, first...)...)
	c.Level("", 1, draw.Stroke{Color: draw.Black, Width: .8})
	c.Line("", x, first, draw.Stroke{Color: draw.Blue})
	claim := s.nobody(r.n, w, "none of 300 jobs")
	return f.Done([]report.Claim{claim}, "A rising line: "+claim.Model+".", c)
}

// steps are ShuffleWatcher's mechanisms, each added to the one before.
var steps = []*contender{fair, onlyNASS, withSARP, swFair}

// mechanisms runs the steps and draws a measure of each class over Fair's.
func (s *study) mechanisms(r reading, item, label string, measure func(class) metric) (*draw.Chart, [][]report.Interval, error) {
	var names []string
	var values [][]report.Interval
	base := r.cell(fair)
	for _, k := range steps[1:] {
		if err := s.ensure(item, r.n, base, r.cell(k)); err != nil {
			return nil, nil, err
		}
		var list []report.Interval
		for j := light; j <= all; j++ {
			list = append(list, s.compare(r.n, r.cell(k), base, measure(j)))
		}
		names, values = append(names, k.name), append(values, list)
	}
	return bars(label, 0, classNames[:], names, values), values, nil
}

// figure12 is the throughput of each class with the mechanisms one by one.
func (s *study) figure12(r reading) (report.Figure, error) {
	f := report.NewFigure("Figure 12: throughput by mechanism",
		r.caption+" Throughput over Fair's with NASS alone, with SARP, and with SAMP too, by class of jobs. Means over "+report.Count(r.n, "seed")+"; whiskers: 95% intervals.",
		"mechanisms", "class", "seeds", "ratio_to_fair", "ratio_ci95")
	chart, values, err := s.mechanisms(r, f.Title, "throughput / Fair's", throughput)
	if err != nil {
		return f, err
	}
	for i, k := range steps[1:] {
		for j, q := range values[i] {
			f.Numbers.Add(k.name, classNames[j], r.n, q.Mean, finite(q.Half))
		}
		c := s.gain(r.n, against("", r.set, 1, [3]float64{}, steps[i], k)[0], "throughput", throughput(all), 1, 0, r.note)
		c.Published = "each mechanism adds"
		f.Claims = append(f.Claims, c)
	}
	gap := s.paired(r.n, r.cell(onlyNASS), r.cell(fair), func(x, y *outcome) float64 {
		return over(throughput(light)(x), throughput(light)(y)) - over(throughput(heavy)(x), throughput(heavy)(y))
	})
	f.Claims = append(f.Claims, report.Claim{Claim: "NASS's part of the gain grows from heavy to light jobs", Published: "increases", Model: "ratio for light jobs less that for heavy jobs " + gap.String(),
		Relation: "95% interval above 0", Holds: gap.Low() > 0, Note: r.note})
	return f.Done(f.Claims, "Bars by class and mechanism. "+spokenSteps(values), chart)
}

// spokenSteps says what each mechanism gives for all jobs.
func spokenSteps(values [][]report.Interval) string {
	text := "All jobs:"
	for i, k := range steps[1:] {
		text += " " + k.name + " " + percent(values[i][all]) + "."
	}
	return text
}

// figure13 is the traffic of each class with the mechanisms one by one.
func (s *study) figure13(r reading) (report.Figure, error) {
	f := report.NewFigure("Figure 13: cross-rack traffic by mechanism",
		r.caption+" Cross-rack traffic over Fair's with NASS alone, with SARP, and with SAMP too, by class of jobs. Second chart: of all jobs, the parts of it, over all of Fair's. Whiskers: 95% intervals.",
		"mechanisms", "class", "seeds", "ratio_to_fair", "ratio_ci95", "shuffle_part", "remote_map_part", "ratio_published")
	chart, values, err := s.mechanisms(r, f.Title, "traffic / Fair's", traffic)
	if err != nil {
		return f, err
	}
	base, sarp := r.cell(fair), r.cell(withSARP)
	published := [][]float64{{0, 0, 0, 0}, {-4, -13, -16, -15}, {-4, -23, -38, -36}}
	parts := make([][]report.Interval, 2)
	var names []string
	for i, k := range steps[1:] {
		names = append(names, k.name)
		for j, q := range values[i] {
			part := func(what metric) report.Interval {
				return s.paired(r.n, r.cell(k), base, func(x, y *outcome) float64 { return over(what(x), traffic(class(j))(y)) })
			}
			moved, read := part(shuffled(class(j))), part(remote(class(j)))
			f.Numbers.Add(k.name, classNames[j], r.n, q.Mean, finite(q.Half), moved.Mean, read.Mean, (100+published[i][j])/100)
			if class(j) == all {
				parts[0], parts[1] = append(parts[0], moved), append(parts[1], read)
			}
		}
	}
	second := bars("of all jobs", 3, names, []string{"shuffle", "remote map"}, parts)
	chart.Height, second.Height = 170, 150
	nass := values[0][all]
	f.Claims = append(f.Claims, report.Claim{Claim: "NASS alone does not lower the cross-rack traffic", Published: "0", Model: percent(nass), Relation: "mean within 2% of Fair's", Holds: nass.Mean > .98 && nass.Mean < 1.02,
		Note: "line 5 takes a local map of any job of the user, where Fair takes the earliest job's map, local or not"})
	for i, label := range []string{"SARP", "SAMP"} {
		x := row{label: label + " / Fair", a: r.cell(steps[i+2]), b: base}
		for j := light; j <= all; j++ {
			f.Claims = append(f.Claims, s.gain(r.n, x, "the cross-rack traffic of "+classNames[j]+" jobs", traffic(j), -1, published[i+1][j], r.note))
		}
	}
	more := s.paired(r.n, r.cell(swFair), sarp, func(x, y *outcome) float64 { return over(remote(heavy)(x)-remote(heavy)(y), traffic(heavy)(y)) })
	f.Claims = append(f.Claims, report.Claim{Claim: "SAMP adds little remote map traffic to heavy jobs", Published: "about 3% of their traffic", Model: signed(100*more.Mean) + " ± " + report.Short2(100*more.Half) + "%",
		Relation: "95% interval below 10% of their traffic under NASS+SARP", Holds: more.High() < .1, Note: "SAMP gives up local maps for a place beside the others"})
	return f.Done(f.Claims, "Bars by class and mechanism. "+spokenSteps(values), chart, second)
}
