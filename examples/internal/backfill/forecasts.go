package backfill

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/program"
)

const (
	week   = 7 * 86400.
	before = 2 // weeks from which outcomes are taken alone; those after it are held out
)

// A heard is what the jobs of some logs were told; told[i] is of one log.
type heard struct {
	name string
	told [][]batch.Told
}

// over is the verdict on all logs over some weeks.
func (h *heard) over(from, to float64) batch.Verdict {
	var all []batch.Told
	for _, told := range h.told {
		for _, t := range told {
			if at := (t.At - told[0].At) / week; at >= from && at < to {
				all = append(all, t)
			}
		}
	}
	return batch.Judge(all)
}

// weeks is how many weeks have forecasts.
func (h *heard) weeks() (n int) {
	for _, told := range h.told {
		n = max(n, 1+int((told[len(told)-1].At-told[0].At)/week))
	}
	return n
}

// hear asks for forecasts on the synthetic logs and, unless the run is quick, on those at hand.
func (e *experiment) hear() ([]heard, error) {
	list := []heard{{name: "synthetic"}}
	var played []Log
	for i := range e.forecastLogs {
		l, err := synthetic(e.seed, i, e.forecastJobs)
		if err != nil {
			return nil, err
		}
		played = append(played, l)
	}
	for _, l := range e.real {
		played, list = append(played, l), append(list, heard{name: l.Name})
	}
	told, err := program.Each(e.terminal, "backfill: forecasts", len(played), func(i int) ([]batch.Told, error) {
		return batch.Forecasts(played[i].Jobs, played[i].Processors, max(1, len(played[i].Jobs)/e.forecasts), e.seed, func(int) {})
	})
	for i, t := range told {
		at := max(0, i-e.forecastLogs+1)
		list[at].told = append(list[at].told, t)
	}
	return list, err
}

func (e *experiment) forecastsFigure(list []heard) (report.Figure, error) {
	f := report.NewFigure("When will my job start?",
		"Part of the starts within forecasts' 90% intervals, by week from the third on; what jobs are told at their arrival, if they must wait. Calibrated by the starts that were known then.",
		"log", "week", "jobs", "within_forecast", "within_calibrated", "median_error_s", "median_error_of_place_s")
	f.Shown.Columns = []string{"log", "forecasts", "within", "calibrated", "median error (h)", "of place x rate (h)"}
	c := &draw.Chart{X: draw.Axis{Label: "week", Min: before, Max: before + 1}, Y: draw.Axis{Label: "starts within", Max: 1.02}, GridY: true}
	for i, h := range list {
		look := draw.Look(i, h.name)
		for w := before; w < h.weeks(); w++ {
			v := h.over(float64(w), float64(w+1))
			if v.Jobs == 0 {
				continue
			}
			f.Numbers.Add(h.name, w+1, v.Jobs, v.Raw, v.Cover, v.Error, v.ByProposal)
			look.X, look.Y = append(look.X, float64(w)+.5), append(look.Y, v.Cover)
			c.X.Max = max(c.X.Max, float64(w+1))
		}
		c.Series([]draw.Series{look})
		v := h.over(before, math.Inf(1))
		f.Shown.Show(h.name, v.Jobs, v.Raw, v.Cover, v.Error/3600, v.ByProposal/3600)
	}
	c.Level("asked for", batch.Level, draw.Stroke{Color: draw.Black, Width: .8})
	verdicts := map[string]batch.Verdict{}
	for _, h := range list {
		verdicts[h.name] = h.over(before, math.Inf(1))
	}
	return f.Done(forecastClaims(verdicts, e.quick), "Calibrated intervals hold about nine of ten starts, single weeks more or fewer.", c)
}

// forecastClaims are two rows for each log; one that was not played has none of the verdicts.
func forecastClaims(verdicts map[string]batch.Verdict, quick bool) (rows []report.Claim) {
	for _, a := range append([]archived{{name: "synthetic"}}, archive...) {
		name := a.name
		v, played := verdicts[name]
		cover := report.Claim{Claim: "90% intervals hold nine of ten starts of the held-out weeks: " + name, Published: "Gibbs, Candès 2021: in the long run",
			Model: "a whole run plays this log, where it is at hand", Relation: "88% to 92% of the starts"}
		nearer := report.Claim{Claim: "forecasts are nearer than place times mean gap: " + name, Published: "Kueue #13159 proposes a moving average",
			Model: cover.Model, Relation: "median distance from the start, forecast below proposal"}
		cover.NotRun, nearer.NotRun = !played && !quick, !played && !quick
		if played {
			cover.Model, cover.Holds = fmt.Sprintf("%.1f%% of %d, %.1f%% before calibration", 100*v.Cover, v.Jobs, 100*v.Raw), .88 <= v.Cover && v.Cover <= .92
			nearer.Model, nearer.Holds = fmt.Sprintf("%.2f h, %.2f h", v.Error/3600, v.ByProposal/3600), v.Error < v.ByProposal
			cover.Note, nearer.Note = fmt.Sprintf("%+.1f points of 90%%", 100*(v.Cover-batch.Level)), fmt.Sprintf("further by %.0f%%", 100*(v.Error/v.ByProposal-1))
		}
		rows = append(rows, cover, nearer)
	}
	return rows
}
