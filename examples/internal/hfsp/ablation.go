package hfsp

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

func (m *macro) figureAblation() (report.Figure, error) {
	f := report.Figure{
		Item:  "ablation",
		Title: "What each setting of HFSP contributes",
		Caption: fmt.Sprintf("Mean sojourn time relative to FAIR's on the same jobs, %s; bars: 95%% confidence. One setting is changed at a time from the paper's (s = 5, Δ = 10 s, ξ = 1, "+
			"t = 100%%, waiting; late phases share). SRPT with true sizes cannot be reached; each job alone on the cluster is what no order can get below.", report.Count(m.seeds, "seed")),
		Numbers: report.Table{Columns: []string{"workload", "policy", "seeds", "mean_sojourn_s", "mean_ci95", "ratio_to_fair", "ratio_ci95", "work_lost"}},
		Shown:   report.Table{Columns: []string{"policy", "LARGE / FAIR", "SMALL / FAIR"}},
	}
	var labels []string
	series := []rowSeries{onSmall: {mark: draw.Ring, color: rivalColors[fair]}, onLarge: {mark: draw.Disc, color: rivalColors[hfsp]}}
	for x := hfsp; x < len(contenders); x++ {
		small, large := m.toFair(onSmall, x), m.toFair(onLarge, x)
		labels = append(labels, contenders[x].label)
		series[onSmall].values, series[onLarge].values = append(series[onSmall].values, small), append(series[onLarge].values, large)
		f.Shown.Show(contenders[x].label, large.String(), small.String())
	}
	for kind, name := range workloadNames {
		series[kind].name = name
	}
	c := rowChart("mean sojourn / FAIR's", labels, series...)
	for kind, name := range workloadNames {
		for x := range contenders {
			mean, ratio := report.Over(m.means(kind, x)), m.toFair(kind, x)
			f.Numbers.Add(name, contenders[x].name, m.seeds, mean.Mean, mean.Half, ratio.Mean, ratio.Half, m.lost(kind, x))
		}
	}
	var err error
	f.SVG, err = draw.SVG(fmt.Sprintf("Dots with error bars, one row for each setting. On LARGE HFSP takes %s of FAIR's mean sojourn time, with true sizes %s, SRPT %s.",
		m.toFair(onLarge, hfsp), m.toFair(onLarge, find("hfsp-true")), m.toFair(onLarge, find("srpt"))), c)
	f.Claims = m.claimsAblation()
	return f, err
}

// lost is the mean over seeds of the share of the work done that was lost.
func (m *macro) lost(kind, x int) float64 {
	sum := 0.0
	for _, o := range m.cells[kind][x] {
		sum += o.lost / float64(m.seeds)
	}
	return sum
}

// against compares two contenders on the same jobs.
func (m *macro) against(kind int, x, y string) report.Interval {
	return report.Over(ratios(m.means(kind, find(x)), m.means(kind, find(y))))
}

func (m *macro) claimsAblation() []report.Claim {
	xi := m.against(onLarge, "hfsp-xi-4", "hfsp")
	size := m.against(onLarge, "hfsp", "hfsp-true")
	sizeSmall := m.against(onSmall, "hfsp", "hfsp-true")
	samples := m.against(onLarge, "hfsp-s-10", "hfsp")
	kill := m.against(onLarge, "hfsp-kill", "hfsp-wait")
	lost := m.lost(onLarge, find("hfsp-kill"))
	local := func(x int) float64 {
		sum := 0.0
		for _, o := range m.cells[onLarge][x] {
			sum += o.local / float64(m.seeds)
		}
		return sum
	}
	with, without := local(hfsp), local(find("hfsp-wait"))
	return report.Claims("hfsp", "ablation", "",
		report.Claim{Claim: "HFSP sustains rough approximations of job sizes", Published: "close to no error for σ < 0.5",
			Model:    fmt.Sprintf("mean sojourn with estimates over that with true sizes: LARGE %s, SMALL %s", size, sizeSmall),
			Relation: "both at most 1.1", Holds: size.Mean <= 1.1 && sizeSmall.Mean <= 1.1,
			Note: fmt.Sprintf("what costs is phases whose 5 samples miss the long maps: they come early and share the cluster when late; LARGE relative to true sizes: true ones once samples are in %s, estimates never too low %s, never too high %s",
				m.against(onLarge, "hfsp-true-training", "hfsp-true"), m.against(onLarge, "hfsp-no-under", "hfsp-true"), m.against(onLarge, "hfsp-no-over", "hfsp-true"))},
		report.Claim{Claim: "ξ > 1 might result in increased response times by scheduling jobs later", Published: "increased",
			Model: fmt.Sprintf("LARGE, ξ = 4 over ξ = 1: %s", xi), Relation: "95% interval above 1", Holds: xi.Low() > 1,
			Note: "samples go first whatever ξ is, and soon replace the first estimate; until then a larger one lets phases of known size go before, which costs nothing here"},
		report.Claim{Claim: "sample tasks should not be too many", Published: "s = 5", Model: fmt.Sprintf("LARGE, s = 10 over s = 5: %s", samples),
			Relation: "95% interval above 1", Holds: samples.Low() > 1, Note: "more samples cost little where jobs have a hundred tasks; what differs is within chance"},
		report.Claim{Claim: "killing running tasks may increase load, since their work is done again", Published: "may increase",
			Model: fmt.Sprintf("LARGE, %.1f%% of the work lost, mean sojourn over waiting: %s", 100*lost, kill), Relation: "work is lost and the mean sojourn is larger",
			Holds: lost > 0 && kill.Mean > 1, Note: "the slots that killing frees outweigh what it loses"},
		report.Claim{Claim: "delay scheduling makes non-local maps negligible", Published: "negligible",
			Model: fmt.Sprintf("LARGE, %.1f%% of maps local, %.1f%% without", 100*with, 100*without), Relation: "at least 95% local, more than without", Holds: with >= 0.95 && with > without,
			Note: "jobs near their end have few blocks left, and wait no longer than 4.5 s"},
	)
}
