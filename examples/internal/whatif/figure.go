package whatif

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// figure draws the rows and, with exact sizes, checks what theory says about them.
func (c *Comparison) figure(heading string) (report.Figure, error) {
	rows := c.Rows
	f := report.Figure{
		Title: heading,
		Caption: "Median, mean, 95% and 99% quantile of the sojourn times of " + c.Replayed + ". " + c.offer() + " later_than_" + rows[0].Rivals[1] + " counts the jobs that end later than under " +
			map[string]string{"ps": "processor sharing.", "fair": "FAIR."}[rows[0].Rivals[1]],
		Numbers: c.table(true),
		Shown:   c.table(false),
	}
	var ys []float64
	for i := range rows {
		ys = append(ys, float64(len(rows)-1-i))
	}
	chart := &draw.Chart{Height: 60 + 22*float64(len(rows)), X: draw.Axis{Label: "sojourn time (s)", Log: true}, Y: draw.Categories("", policies(rows)...), GridX: true}
	p50, mean := report.Column(rows, func(r *Row) float64 { return r.P50 }), report.Column(rows, func(r *Row) float64 { return r.Mean })
	p95, p99 := report.Column(rows, func(r *Row) float64 { return r.P95 }), report.Column(rows, func(r *Row) float64 { return r.P99 })
	shown := slices.Concat(p50, mean, p95, p99)
	chart.X.Min, chart.X.Max = draw.LogRange(shown...)
	if slices.Contains(shown, 0) { // a place of its own for 0, at the left end
		chart.X.Ticks = draw.LogTicks(chart.X.Min, chart.X.Max)
		chart.X.Min /= math.Pow(chart.X.Max/chart.X.Min, 0.06)
		chart.X.Ticks = append(chart.X.Ticks, draw.Tick{At: chart.X.Min, Label: "0"})
		for _, list := range [][]float64{p50, mean, p95, p99} {
			for i, x := range list {
				list[i] = math.Max(x, chart.X.Min)
			}
		}
	}
	for i := range rows {
		chart.Line("", []float64{p50[i], p99[i]}, []float64{ys[i], ys[i]}, draw.Stroke{Color: draw.Black, Width: 0.8})
	}
	chart.Dots("median", p50, ys, draw.Ring, draw.Black, 3.5)
	chart.Dots("mean", mean, ys, draw.Disc, draw.Vermilion, 4)
	chart.Dots("95%", p95, ys, draw.Square, draw.Blue, 3)
	chart.Dots("99%", p99, ys, draw.Triangle, draw.Black, 3.5)
	alt := report.Words(rows, ", ", func(r Row) string { return r.Policy + " " + report.Short(r.Mean) + " s" })
	var err error
	f.Picture, err = draw.New("Sojourn times on a logarithmic axis. Means: "+alt+".", chart)
	if !c.Slots && c.Sigma == 0 {
		f.Claims = claims(rows)
	}
	return f, err
}

// claims are two theorems about one server and exact sizes. They are checked as far as the policies
// that they name were run.
func claims(rows []Row) []report.Claim {
	var list []report.Claim
	var srpt *Row
	best := &rows[0]
	later, fsp := 0.0, ""
	for i := range rows {
		r := &rows[i]
		if r.Mean < best.Mean {
			best = r
		}
		switch r.Policy {
		case "srpt":
			srpt = r
		case "fsp", "fsp-fifo", "fsp-las", "fsp-next":
			later += r.Later[1]
			if fsp != "" {
				fsp += ", "
			}
			fsp += fmt.Sprintf("%s %v", r.Policy, r.Later[1])
		}
	}
	if fsp != "" {
		list = append(list, report.Claim{Claim: "with exact sizes no job ends later under FSP than under PS", Published: "no job (Friedman and Henderson)",
			Model: "later jobs: " + fsp, Relation: "0 jobs whose finish exceeds that under PS by more than 1e-12 of it", Holds: later == 0,
			Note: "the model breaks a theorem: its FSP or its PS is wrong"})
	}
	if srpt != nil && len(rows) > 1 {
		list = append(list, report.Claim{Claim: "with exact sizes SRPT has the least mean sojourn time", Published: "minimizes the mean sojourn time",
			Model:    fmt.Sprintf("srpt %s s, least of all: %s %s s", report.Full(srpt.Mean), best.Policy, report.Full(best.Mean)),
			Relation: "SRPT's mean is the least of the policies run, within 1e-12", Holds: srpt.Mean <= best.Mean*(1+1e-12),
			Note: "the model breaks a theorem: its SRPT is wrong"})
	}
	return list
}
