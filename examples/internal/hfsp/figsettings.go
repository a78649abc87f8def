package hfsp

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// figureSettings draws how well each setting fits the paper's runs on LARGE.
func figureSettings(trials []trial) (report.Figure, error) {
	n := len(trials[0].runs[fair])
	f := report.NewFigure("How the reading was chosen: reduces, median and slowdown",
		fmt.Sprintf("The misfit to the paper's runs on LARGE: load under FAIR, hours under both, Figure 3(b). %s from repetition %d on, which judge nothing. The reading has the least. HFSP's load and all means and ratios "+
			"were not used. The last row of the table is one reduce per GiB or so, with tasks that nothing slows down.", numbers.Count(n, "seed"), found.First),
		"reduces", "median_s", "slower", "seeds", "misfit", "fair_s", "hfsp_s", "ratio", "ratio_ci95", "fair_load", "hfsp_load", "fair_hours", "hfsp_hours",
		"fair_within_100_s", "hfsp_within_100_s", "fair_within_1000_s", "hfsp_within_1000_s")
	f.Shown.Columns = []string{"reduces", "median (s)", "r", "misfit", "FAIR (s)", "HFSP (s)", "HFSP/FAIR", "load", "hours", "within 100 s", "within 1,000 s"}
	for _, t := range trials {
		ratio := t.ratio()
		cells := []any{t.reduces, t.median, t.slower, n, t.misfit, medianOf(t.runs[fair], sojournOf), medianOf(t.runs[byHFSP], sojournOf), ratio.Mean, ratio.Half}
		shown := []any{numbers.Short(t.reduces), t.median, t.slower, numbers.Short2(t.misfit), cells[5], cells[6], ratio.String()}
		for i, of := range []func(*outcome) float64{loadOf, hoursOf, soonOf(0), soonOf(1)} {
			x, y := medianOf(t.runs[fair], of), medianOf(t.runs[byHFSP], of)
			cells = append(cells, x, y)
			shown = append(shown, fmt.Sprintf([]string{"%.1f / %.1f", "%.2f / %.2f", "%.2f / %.2f", "%.2f / %.2f"}[i], x, y))
		}
		f.Numbers.Add(cells...)
		f.Shown.Show(shown...)
	}
	var charts []*draw.Chart
	for _, median := range medians {
		c := &draw.Chart{Height: 150, GridY: true, X: draw.Axis{Label: fmt.Sprintf("r, with a median of %v s", median), Min: .1, Max: .9}, Y: draw.Axis{Label: "misfit", Min: 0}}
		var lines []draw.Series
		for k, work := range works {
			line := draw.Look(k, numbers.Short(work/median)+" times as many reduces")
			for _, t := range trials {
				if t.median == median && t.reduces == work/median {
					line.X, line.Y = append(line.X, t.slower), append(line.Y, t.misfit)
				}
			}
			lines = append(lines, line)
			c.Y.Max = max(c.Y.Max, 1.1*slices.Max(line.Y))
		}
		c.Series(lines)
		charts = append(charts, c)
	}
	return f.Done(claimsSettings(trials), fmt.Sprintf("Three charts of the misfit over the slowdown. The least is %.3f.", least(trials).misfit), charts...)
}

// ratio is HFSP's mean sojourn time over FAIR's of the same seed.
func (t *trial) ratio() numbers.Interval {
	return numbers.Over(ratios(t.runs[byHFSP], t.runs[fair], sojournOf))
}

// least is the trial with the least misfit.
func least(trials []trial) *trial {
	return &trials[slices.IndexFunc(trials, func(t trial) bool {
		return t.misfit == slices.MinFunc(trials, func(a, b trial) int { return cmp.Compare(a.misfit, b.misfit) }).misfit
	})]
}

func claimsSettings(trials []trial) []report.Claim {
	best := least(trials)
	at := func(work float64) *trial {
		return &trials[slices.IndexFunc(trials, func(t trial) bool { return t.setting == setting{work / busy.median, busy.median, busy.slower} })]
	}
	low, high := at(works[0]), at(works[len(works)-1])
	more := numbers.Ratio(ratios(high.runs[byHFSP], high.runs[fair], sojournOf), ratios(low.runs[byHFSP], low.runs[fair], sojournOf))
	return []report.Claim{
		{Claim: "load under FAIR, hours and Figure 3(b) on LARGE", Published: "16.80; 3.79 and 3.29 h; 2 and 15%, 30 and 90%", Kind: report.Found,
			Model:    fmt.Sprintf("least misfit %.3f: %s times the reduces, %v s, r = %v", best.misfit, numbers.Short(best.reduces), best.median, best.slower),
			Relation: "the reading has the least misfit of the settings tried", Holds: best.setting == busy},
		report.Claim{Claim: "scheduling becomes more critical in situations of high load", Published: "confirmed by simulation",
			Model:    fmt.Sprintf("HFSP/FAIR on LARGE %s with %s times the reduces, %s with %s: relatively %s", low.ratio(), numbers.Short(low.reduces), high.ratio(), numbers.Short(high.reduces), more),
			Relation: "95% interval of the ratio of the ratios below 1"}.Below(more, 1),
	}
}

// trialsOf are those of a full run or of a quick one, of few jobs and seeds.
func trialsOf(o program.Options, terminal io.Writer) ([]trial, error) {
	if o.Quick {
		return try(quickJobs/2, 2, o.Seed, terminal)
	}
	return try(jobsPerRun, foundSeeds, o.Seed, terminal)
}
