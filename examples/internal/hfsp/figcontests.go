package hfsp

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

func (x contested) figure() (report.Figure, error) {
	seeds := len(x["HFSP"])
	f := report.NewFigure("Who waits: a burst, a stream, weights",
		fmt.Sprintf("Mean sojourn times of two groups of jobs, %s; bars: 95%% confidence. Burst: a regular job of three waves, and 40 large jobs that come at once, on the paper's cluster. Stream: a large job, and "+
			"small ones of four tasks that need all of the four slots for 2,000 s; SRPT knows sizes; true sizes go with samples. Weights: jobs of many tasks at load %v under HFSP that knows sizes.", report.Count(seeds, "seed"), fineLoad),
		"contest", "policy", "jobs", "seeds", "mean_sojourn_s", "mean_ci95")
	f.Shown.Columns = []string{"contest", "policy", "jobs", "mean sojourn (s)"}
	var charts []*draw.Chart
	for _, c := range contests {
		var names []string
		series := []draw.Series{draw.Look(0, "large, regular or of weight 4"), draw.Look(1, "the others")}
		for _, r := range c.rivals {
			names = append(names, r.name)
			for g, of := range c.groups {
				mean := report.Over(x.of(r.name, g))
				f.Numbers.Add(c.title, r.name, of, seeds, mean.Mean, mean.Half)
				f.Shown.Show(c.title, r.name, of, mean.String())
				appendTo(&series[g], mean)
			}
		}
		chart := &draw.Chart{Title: c.title, GridX: true, X: draw.Axis{Label: "mean sojourn (s)", Log: true}, Y: draw.Categories("", names...)}
		chart.Points(series)
		chart.X.Ticks = nil // more of them than ratios have
		charts = append(charts, chart)
	}
	return f.Done(x.claims(), fmt.Sprintf("Three charts with error bars. In the stream the large job takes %s s under FAIR, %s s under HFSP.", report.Over(x.of("FAIR", 0)), report.Over(x.of("HFSP", 0))), charts...)
}

// of are the mean sojourn times of a group under a rival, or keepShares, by seed.
func (x contested) of(rival string, group int) []float64 {
	return report.Column(x[rival], func(means *[3]float64) float64 { return means[group] })
}

// over compares two rivals on the same jobs.
func (x contested) over(rival, other string, group int) report.Interval {
	return report.Ratio(x.of(rival, group), x.of(other, group))
}

func (x contested) claims() []report.Claim {
	half, tenth := x.over("t = 50%", "t = 100%", 0), x.over("t = 10%", "t = 100%", 0)
	list := []report.Claim{all(report.Claim{Claim: "a threshold of t% of the slots for samples avoids starvation of regular jobs in a burst of arrivals", Published: "avoids starvation",
		Model:    fmt.Sprintf("the regular job's sojourn over that at t = 100%%: %s at 50%%, %s at 10%%; the burst's jobs %s and %s", half, tenth, x.over("t = 50%", "t = 100%", 1), x.over("t = 10%", "t = 100%", 1)),
		Relation: "95% intervals of both below 1", Note: "the regular job waits for no samples"}, report.Claim{}.Below(half, 1), report.Claim{}.Below(tenth, 1))}
	for _, h := range [][2]string{{"HFSP", "as in the experiments"}, {"true sizes", "true sizes"}, {"true sizes, t = 50%", "true sizes, t = 50%"}} {
		large, small := x.over(h[0], "SRPT", 0), x.over(h[0], "FIFO", 1)
		list = append(list, all(report.Claim{Claim: "with ageing neither small nor large jobs starve (" + h[1] + ")", Published: "no starvation",
			Model: fmt.Sprintf("the large job's sojourn over that under SRPT, which ages nobody: %s; small jobs' over those under FIFO: %s; FAIR %s and %s", large, small,
				x.over("FAIR", "SRPT", 0), x.over("FAIR", "FIFO", 1)), Relation: "95% intervals of both below 1",
			Note: "jobs of at most s tasks are samples from end to end, which go first however old others are; guessed sizes that are never put right overload the virtual cluster, too"}, report.Claim{}.Below(large, 1), report.Claim{}.Below(small, 1)))
	}
	heavy, light := x.over("with weights", "without weights", 0), x.over("with weights", "without weights", 1)
	kept, without := report.Over(x.of("with weights", 2)), report.Over(x.of("without weights", 2))
	return append(list,
		all(report.Claim{Claim: "the aging function can simulate generalized processor sharing for job priority and QoS", Published: "easily modified",
			Model:    fmt.Sprintf("mean sojourn with weights over that without: weight 4 %s, weight 1 %s", heavy, light),
			Relation: "95% interval of jobs of weight 4 below 1, of weight 1 above 1", Note: "jobs seldom meet"}, report.Claim{}.Below(heavy, 1), report.Claim{}.Above(light, 1)),
		report.Claim{Claim: "with weights the policy is analogous to weighted fair queuing", Published: "analogous",
			Model:    fmt.Sprintf("%.1f ± %.1f%% of the jobs end no later than under generalized processor sharing and two of the longest tasks, %.1f%% without weights", 100*kept.Mean, 100*kept.Half, 100*without.Mean),
			Relation: "95% interval above 99%", Note: "tasks that keep their slots delay jobs by more than two tasks"}.Above(kept, 0.99))
}
