package backfill

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/program"
)

const (
	week   = 7 * 86400.
	warmUp = 2  // weeks whose outcomes calibrate only
	few    = 20 // forecasts below which a week is not judged
)

// methods say to a job when it will start, without say as the first; behind the first two stand
// baselines.
var methods = [...]struct {
	name       string
	say        func(*observer, *batch.Instant) (quantiles, error)
	calibrated bool
}{
	{"forecast, calibrated", (*observer).forecast, true},
	{"forecast", nil, false},
	{"plan by requests", (*observer).byRequests, true},
	{"mean of 100 waits", (*observer).average, true},
	{"BMBP", (*observer).bmbp, false},
	{"nearest waits", (*observer).nearest, false},
}

const baselines = 2 // the first of them

// heard has what the jobs of a log were told, by method, without those by which it was tuned.
type heard [len(methods)][]said

// hear tells every so many-th of the jobs that have to wait when they will start.
func (l *Log) hear(every int, seed uint64) (h heard, err error) {
	var (
		o     = observer{log: l, seed: seed}
		moves [len(methods)]margins
		known = map[int]past{} // its wait is the time since when, until it starts
		asked = map[int]*[len(methods)]said{}
		began = math.NaN()
		count int
	)
	for k := range moves {
		if moves[k], err = newMargins(); err != nil {
			return h, err
		}
	}
	arrived := func(job int, i batch.Instant) error {
		known[job] = past{i.Now, o.now(&i)}
		if count++; count%every > 0 {
			return nil
		}
		if math.IsNaN(began) {
			began = i.Now
		}
		asked[job] = new([len(methods)]said)
		for k, m := range methods {
			s, err := &asked[job][k], error(nil)
			s.week, s.raw = int((i.Now-began)/week), asked[job][0].raw
			if m.say != nil {
				if s.raw, err = m.say(&o, &i); err != nil {
					return err
				}
			}
			if s.moved = s.raw; m.calibrated {
				if s.moved, err = moves[k].move(s.raw); err != nil {
					return err
				}
			}
		}
		return nil
	}
	started := func(job int, at float64) {
		x, waited := known[job]
		if !waited {
			return
		}
		x.wait = at - x.wait
		o.learn(x)
		if asked[job] == nil {
			return
		}
		for k, s := range asked[job] {
			s.wait = x.wait
			if methods[k].calibrated {
				err = cmp.Or(err, moves[k].learn(s.raw, s.wait))
			}
			if s.week >= warmUp && job >= l.tuned {
				h[k] = append(h[k], s)
			}
		}
	}
	failed := batch.Play(l.Jobs, l.Processors, nil, func(int) {}, arrived, started)
	return h, cmp.Or(failed, err)
}

// A hearing is the verdicts on a log, or on the synthetic ones, by method.
type hearing struct {
	name     string
	verdicts [len(methods)]verdict
}

// hear asks for forecasts on the synthetic logs and, unless the run is quick, on those at hand.
func (e *experiment) hear() ([]hearing, error) {
	var played []Log
	for i := range e.forecastLogs {
		l, err := synthetic(e.seed, i, e.forecastJobs)
		if err != nil {
			return nil, err
		}
		played = append(played, l)
	}
	played = append(played, e.real...)
	all, err := program.Each(e.terminal, "backfill: forecasts", len(played), func(i int) (heard, error) {
		return played[i].hear(e.every, e.seed)
	})
	if err != nil {
		return nil, err
	}
	for i := range e.forecastLogs - 1 {
		for k := range all[0] {
			all[0][k] = append(all[0][k], all[i+1][k]...)
		}
	}
	list := make([]hearing, 1+len(e.real))
	for i := range list {
		list[i].name = played[max(0, i+e.forecastLogs-1)].Name
		of := all[0]
		if i > 0 {
			of = all[i+e.forecastLogs-1]
		}
		for k := range of {
			list[i].verdicts[k] = verdictOn(of[k])
		}
	}
	return list, nil
}

func (e *experiment) forecastsFigure(list []hearing) (report.Figure, error) {
	f := report.NewFigure("When will my job start?",
		"What jobs are told at their arrival, if they must wait, on what is left of a log behind the jobs on which the methods were tuned. Above: part of the starts within calibrated 90% intervals, by week from the third on. Below: mean pinball loss of seven quantiles. Calibration, of baselines too where it helps them, is by the starts that were known then.",
		"log", "method", "part", "jobs", "cover", "width_h", "pinball_h", "pinball_of_99%_h", "pinball_log")
	f.Shown.Columns = []string{"log", "method", "forecasts", "cover", "width (h)", "pinball (h)", "of 99% (h)", "of logarithms", "weeks below 75%"}
	weekly := &draw.Chart{X: draw.Axis{Label: "week", Min: warmUp, Max: warmUp + 1}, Y: draw.Axis{Label: "starts within", Max: 1.02}, GridY: true}
	loss := &draw.Chart{X: draw.Axis{Label: "pinball loss (h)", Log: true, Min: .1, Max: 10, Ticks: draw.LogTicks(.1, 10)}}
	var names []string
	for _, m := range methods {
		names = append(names, m.name)
	}
	loss.Y = draw.Categories("", names...)
	var losses []draw.Series
	for i, h := range list {
		look, dots := draw.Look(i, h.name), draw.Look(i, h.name)
		for k, v := range h.verdicts {
			add := func(part string, s score) {
				f.Numbers.Add(h.name, names[k], part, s.jobs, s.cover, s.width, s.pinball, s.trimmed, s.logarithmic)
			}
			add("all", v.score)
			for q, s := range v.quarters {
				add(fmt.Sprint("quarter ", q+1), s)
			}
			for w, s := range v.weeks {
				if s.jobs == 0 {
					continue
				}
				if add(fmt.Sprint("week ", w+1), s); k == 0 {
					look.X, look.Y = append(look.X, float64(w)+.5), append(look.Y, s.cover)
					weekly.X.Max = max(weekly.X.Max, float64(w+1))
				}
			}
			low, judged := v.low()
			f.Shown.Show(h.name, names[k], v.jobs, v.cover, v.width, v.pinball, v.trimmed, v.logarithmic, fmt.Sprintf("%d of %d", low, judged))
			dots.Y = append(dots.Y, v.pinball)
		}
		weekly.Series([]draw.Series{look})
		losses = append(losses, dots)
	}
	weekly.Level("asked for", batch.Level, draw.Stroke{Color: draw.Black, Width: .8})
	loss.Points(losses)
	return f.Done(forecastClaims(list, e.quick), "Calibrated intervals hold about nine of ten starts, single weeks more or fewer; their loss is the least.", draw.Panels(1, weekly, loss)...)
}

// forecastClaims are four rows for each log; one that was not played has none of the verdicts.
func forecastClaims(list []hearing, quick bool) (rows []report.Claim) {
	const steady = "Vovk, Gammerman, Shafer 2005: while starts follow one law"
	for _, a := range append([]archived{{name: "synthetic"}}, archive...) {
		var v *[len(methods)]verdict
		if i := slices.IndexFunc(list, func(h hearing) bool { return h.name == a.name }); i >= 0 {
			v = &list[i].verdicts
		}
		row := func(statement, published, relation string) *report.Claim {
			rows = append(rows, report.Claim{Claim: statement + ": " + a.name, Published: published, Relation: relation, Model: "a whole run plays this log, where it is at hand", NotRun: v == nil && !quick})
			return &rows[len(rows)-1]
		}
		judged := func(c *report.Claim, holds bool, model, note string) {
			c.Holds, c.Model, c.Note = holds, model, note
		}
		c := row("90% intervals hold nine of ten starts", steady, "87% to 93% of the starts")
		if v != nil {
			judged(c, .87 <= v[0].cover && v[0].cover <= .93, fmt.Sprintf("%.1f%% of %d, %.1f%% before calibration", 100*v[0].cover, v[0].jobs, 100*v[1].cover), fmt.Sprintf("%+.1f points of 90%%", 100*(v[0].cover-batch.Level)))
		}
		c = row("90% intervals hold of short and long waits alike", steady, "80% to 95% of the starts in each quarter by forecast")
		if v != nil {
			q := v[0].quarters
			slices.SortFunc(q[:], func(a, b score) int { return cmp.Compare(a.cover, b.cover) })
			judged(c, .8 <= q[0].cover && q[3].cover <= .95, fmt.Sprintf("%.1f%% to %.1f%%", 100*q[0].cover, 100*q[3].cover), "a quarter beyond")
		}
		c = row("90% intervals hold in most weeks", steady, "at least 75% in nine of ten weeks with 20 forecasts")
		if v != nil {
			low, weeks := v[0].low()
			judged(c, weeks > 0 && 10*low <= weeks, fmt.Sprintf("below in %d of %d weeks", low, weeks), "more weeks below")
		}
		c = row("forecasts are nearer than every baseline", "Kueue #13159 proposes the mean of 100 waits", "mean pinball loss below each baseline's")
		if v != nil {
			best := baselines
			for k := best + 1; k < len(v); k++ {
				if v[k].pinball < v[best].pinball {
					best = k
				}
			}
			judged(c, v[0].pinball < v[best].pinball, fmt.Sprintf("%.3f h, %s %.3f h", v[0].pinball, methods[best].name, v[best].pinball), fmt.Sprintf("more by %.0f%%", 100*(v[0].pinball/v[best].pinball-1)))
		}
	}
	return rows
}
