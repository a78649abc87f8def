package hfsp

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
)

// A contender is a policy that takes part in the experiments; it is made anew for each run.
type contender struct {
	name  string // in files
	label string // for people
	bare  bool   // without delay scheduling
	alone bool   // each job has the cluster for itself
	all   bool   // played with all seeds: claims compare it
	make  func(r *recorder) policy.Ranker
}

// Places in contenders: the two of the paper come first.
const (
	fair = iota
	byHFSP
)

// contenders are FAIR, HFSP as in Table II, and what the ablations change of it.
var contenders = []contender{
	{name: "fair", label: "FAIR", all: true, make: func(*recorder) policy.Ranker { return &policy.Fair{} }},
	{name: "hfsp", label: "HFSP, as in Table II", all: true, make: with(nil)},
	{name: "hfsp-xi-2", label: "ξ = 2", make: with(func(o *hfsp.Policy) { o.Xi = 2 })},
	{name: "hfsp-xi-4", label: "ξ = 4", make: with(func(o *hfsp.Policy) { o.Xi = 4 })},
	{name: "hfsp-s-1", label: "s = 1 sample", make: with(func(o *hfsp.Policy) { o.Samples = 1 })},
	{name: "hfsp-s-2", label: "s = 2", make: with(func(o *hfsp.Policy) { o.Samples = 2 })},
	{name: "hfsp-s-10", label: "s = 10", make: with(func(o *hfsp.Policy) { o.Samples = 10 })},
	{name: "hfsp-t-50", label: "t = 50%", make: with(func(o *hfsp.Policy) { o.Limit = 0.5 })},
	{name: "hfsp-t-10", label: "t = 10%", make: with(func(o *hfsp.Policy) { o.Limit = 0.1 })},
	{name: "hfsp-no-training", label: "no samples: ξ k l only", make: with(func(o *hfsp.Policy) { o.NoTraining = true })},
	{name: "hfsp-cap-none", label: "caps: none", make: with(func(o *hfsp.Policy) { o.NoCaps = true })},
	{name: "hfsp-over", label: "estimates 10% longer", all: true, make: with(overEstimated)},
	{name: "hfsp-true", label: "true sizes", all: true, make: with(trueSizes)},
	{name: "hfsp-wait", label: "no delay scheduling", bare: true, all: true, make: with(nil)},
	{name: "hfsp-kill", label: "same, killing", bare: true, make: with(func(o *hfsp.Policy) { o.Preempt = policy.PreemptKill })},
	{name: "hfsp-suspend", label: "same, suspending", bare: true, make: with(func(o *hfsp.Policy) { o.Preempt = policy.PreemptSuspend })},
	{name: "srpt", label: "SRPT, true sizes", make: func(*recorder) policy.Ranker { return &policy.SRPT{} }},
	{name: "fifo", label: "FIFO", all: true, make: makeFIFO},
	{name: "alone", label: "each job alone", alone: true, make: makeFIFO},
}

func makeFIFO(*recorder) policy.Ranker { return &policy.ByArrival{} }

func trueSizes(o *hfsp.Policy) { o.Size, o.NoTraining = hfsp.TrueSize, true }

// overEstimated makes HFSP whose estimates are longer as the paper's of maps are.
func overEstimated(o *hfsp.Policy) {
	o.Estimate = func(v *slotmodel.View, s hfsp.Samples) float64 {
		return math.Exp(paperFit[slotmodel.Map].Mu) * phaseSize(v, s)
	}
}

// with makes HFSP with the paper's s = 5, Delta = 10 s, xi = 1 and t = 100%, but for what is
// changed. Phases go by virtual finish, where the paper has remaining work, and late phases share,
// of which the paper says nothing. A recorder that is not nil notes its estimates.
func with(change func(o *hfsp.Policy)) func(*recorder) policy.Ranker {
	return func(r *recorder) policy.Ranker {
		o := new(hfsp.Policy)
		if change != nil {
			change(o)
		}
		if r != nil && o.Estimate == nil {
			o.Estimate = r.estimate
		}
		return o
	}
}

// start makes the policy of a run: delay scheduling around the contender, the same at heartbeats,
// or the contender itself.
func (x *contender) start(r *recorder) (slotmodel.Policy, error) {
	inner := x.make(r)
	if !x.bare {
		return &policy.Delay{Inner: inner, Node: localDelay}, nil
	}
	p, ok := inner.(slotmodel.Policy)
	if !ok {
		return nil, fmt.Errorf("hfsp: %T is no policy by itself", inner)
	}
	return p, nil
}

// find returns the place of a contender, which must be there.
func find(name string) int {
	for i := range contenders {
		if contenders[i].name == name {
			return i
		}
	}
	panic("hfsp: no contender " + name)
}

func (m *macro) figureAblation() (report.Figure, error) {
	f := report.NewFigure("What each setting of HFSP contributes",
		fmt.Sprintf("Mean sojourn time relative to FAIR's on the same jobs, %s; small dots: the seeds. One setting is changed at a time from the paper's s = 5, Δ = 10 s, ξ = 1, "+
			"t = 100%% and waiting, an order by virtual finish, and late phases that share, of which the paper says nothing. SRPT with true sizes cannot be reached; each job alone on the cluster is what no order can get below.", numbers.Count(m.seeds, "seed")),
		"workload", "policy", "seeds", "mean_sojourn_s", "mean_ci95", "ratio_to_fair", "ratio_ci95", "work_lost")
	f.Shown.Columns = []string{"policy", "LARGE / FAIR", "SMALL / FAIR"}
	first := func(kind, x int) []outcome { return m.cells[kind][x][:m.seeds] }
	toFair := func(kind, x int) []float64 { return ratios(first(kind, x), first(kind, fair), sojournOf) }
	var labels []string
	series := []draw.Series{onSmall: draw.Look(1, workloadNames[onSmall]), onLarge: draw.Look(0, workloadNames[onLarge])}
	for x := byHFSP; x < len(contenders); x++ {
		labels = append(labels, contenders[x].label)
		for kind := range series {
			series[kind].Add(toFair(kind, x))
		}
		f.Shown.Show(contenders[x].label, numbers.Over(toFair(onLarge, x)).String(), numbers.Over(toFair(onSmall, x)).String())
	}
	c := &draw.Chart{GridX: true, X: draw.Axis{Label: "mean sojourn / FAIR's", Log: true}, Y: draw.Categories("", labels...)}
	c.Points(series, 1)
	c.Line("", []float64{1, 1}, []float64{c.Y.Min, c.Y.Max}, draw.Stroke{Color: draw.Black, Width: 0.8})
	for kind, name := range workloadNames {
		for x := range contenders {
			mean, ratio := numbers.Across(first(kind, x), sojournOf), numbers.Over(toFair(kind, x))
			f.Numbers.Add(name, contenders[x].name, m.seeds, mean.Mean, mean.Half, ratio.Mean, ratio.Half, numbers.Across(first(kind, x), lostOf).Mean)
		}
	}
	return f.Done(m.claimsAblation(), fmt.Sprintf("Points, one row for each setting. On LARGE HFSP takes %s of FAIR's mean sojourn time, with true sizes %s, SRPT %s.",
		numbers.Over(toFair(onLarge, byHFSP)), numbers.Over(toFair(onLarge, exact)), numbers.Over(toFair(onLarge, find("srpt")))), c)
}

// claimsAblation compares what has as many seeds as Table II.
func (m *macro) claimsAblation() []report.Claim {
	wait, over := find("hfsp-wait"), find("hfsp-over")
	size, sizeSmall := m.over(onLarge, byHFSP, exact, sojournOf), m.over(onSmall, byHFSP, exact, sojournOf)
	slower, slowerSmall := m.over(onLarge, over, byHFSP, sojournOf), m.over(onSmall, over, byHFSP, sojournOf)
	maps, sampled := func(o *outcome) float64 { return o.local }, func(o *outcome) float64 { return o.sampled }
	local := func(x int, of func(*outcome) float64) []float64 { return numbers.Column(m.cells[onLarge][x], of) }
	with, without := local(byHFSP, sampled), local(wait, sampled)
	gained := numbers.Difference(with, without)
	return []report.Claim{
		report.Says("HFSP sustains rough approximations of job sizes", "close to no error for σ < 0.5", "95% intervals of both below 1.1",
			"mean sojourn with estimates over that with true sizes: LARGE %s, SMALL %s", size, sizeSmall).All(report.Claim{}.Below(size, 1.1), report.Claim{}.Below(sizeSmall, 1.1)),
		report.Says("over-estimates by μ = 0.0976 make jobs age marginally slower", "marginally", "both means within 0.98 and 1.02",
			"mean sojourn with estimates e^μ times as long: LARGE %s, SMALL %s", slower, slowerSmall).All(between(report.Claim{}, slower, .98, 1.02), between(report.Claim{}, slowerSmall, .98, 1.02)),
		report.Says("with delay scheduling data locality issues on sample tasks are negligible", "negligible", "at least 95% of the sample maps local, 95% interval of the difference above 0",
			"LARGE, %.1f%% of sample maps local, %.1f%% without delay, difference %.1f ± %.1f points; of all maps %.1f%% and %.1f%%", 100*numbers.Mean(with), 100*numbers.Mean(without), 100*gained.Mean, 100*gained.Half, 100*numbers.Mean(local(byHFSP, maps)), 100*numbers.Mean(local(wait, maps))).All(report.Claim{Holds: numbers.Mean(with) >= 0.95}, report.Claim{}.Above(gained, 0)),
	}
}
