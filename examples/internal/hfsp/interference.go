package hfsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
)

// interferences are how much longer tasks are made by each hundred maps in flight beyond the first
// hundred. Those found are the ones of the list whose mean of HFSP/FAIR, over 100 seeds, is nearest
// to the paper's, on SMALL and on LARGE: both its end.
var interferences = []float64{0, 0.025, 0.05, 0.075, 0.1, 0.125, 0.15}

const (
	foundOnSmall = 0.15
	foundOnLarge = 0.15
)

// slowedBy is the speed of tasks with an interference: the maps of jobs that have begun and not
// ended are in flight, since what they read, spill and send lies in caches and on disks.
func slowedBy(interference float64) func(slotmodel.Load) float64 {
	return func(l slotmodel.Load) float64 {
		return 1 / (1 + interference*max(0, float64(l.Tasks[slotmodel.Map])/100-1))
	}
}

// The readings of Table II. Each has tasks of one law and differs in the interference; A and B are
// judged by the workload on which it was not found.
const (
	constant = "constant"
	readingA = "A"
	readingB = "B"
)

var readings = []report.Reading{
	{Name: constant, Title: "tasks take the same time whatever runs beside them", Assumptions: slices.Concat(common, []report.Assumption{
		{Text: "disks, caches and the switch slow nothing down"}})},
	{Name: readingA, Title: "interference found on SMALL", Assumptions: slices.Concat(common, interfering, []report.Assumption{
		{Text: "an interference of .15, at which SMALL is nearest to its ratio", Evidence: report.Implied, By: "Table II, SMALL: .84"}})},
	{Name: readingB, Title: "interference found on LARGE", Assumptions: slices.Concat(common, interfering, []report.Assumption{
		{Text: "an interference of .15, at which LARGE is nearest to its ratio", Evidence: report.Implied, By: "Table II, LARGE: .24"}})},
}

var common = []report.Assumption{
	{Text: "36 machines with 2 map slots and a reduce slot, Table I, reduces after 95% of the maps", Evidence: report.Stated, By: "Section IV-A"},
	{Text: "a median task of 15 s", Evidence: report.Implied, By: "SMALL under HFSP: 53 s, of which interference leaves less; Figure 3(b): 30% of LARGE within 100 s"},
	{Text: "no task is long by itself, a spread of .4, the shapes of the queries"},
}

var interfering = []report.Assumption{
	{Text: "tasks take 1 + c max(0, W - 1) times as long, W hundred maps of jobs in flight, under both policies", By: "by Little's law on Table II the same jobs took 3.79 h and 3.29 h"},
}

// runInterference plays both workloads with each interference but the last, of which the runs are
// there. The variants are SMALL and LARGE with the first, SMALL and LARGE with the second, and so
// on.
func (m *macro) runInterference(bar *program.Progress) error {
	var err error
	n := len(workloadNames)
	m.slowed, err = playVariants(n*(len(interferences)-1), m.tableSeeds(), tabled[:2], func(i, rep int) ([]slotmodel.JobSpec, error) {
		return m.pigmix(mixes[i%n](), rep)
	}, func(i int, name string, jobs []slotmodel.JobSpec) (outcome, error) {
		return play(testbed(interferences[i/n]), jobs, &contenders[find(name)], nil)
	}, bar)
	m.slowed = slices.Concat(m.slowed, m.table)
	return err
}

// slow is the runs of a workload with an interference of the list.
func (m *macro) slow(interference float64, kind int) [][]outcome {
	return m.slowed[len(workloadNames)*slices.Index(interferences, interference)+kind]
}

// ratioOf is HFSP's mean sojourn time over FAIR's of the same seed, and ofMeans the ratio of the
// means over all seeds, to which a few seeds may give most.
func ratioOf(runs [][]outcome) report.Interval {
	return report.Over(ratios(runs[byHFSP], runs[fair], sojournOf))
}

func ofMeans(runs [][]outcome) float64 {
	return report.Across(runs[byHFSP], sojournOf).Mean / report.Across(runs[fair], sojournOf).Mean
}

// withoutWorst leaves out the seed with FAIR's greatest mean.
func withoutWorst(runs [][]outcome) [][]outcome {
	means := report.Column(runs[fair], sojournOf)
	worst := slices.Index(means, slices.Max(means))
	var rest [][]outcome
	for _, outcomes := range runs[:2] {
		rest = append(rest, slices.Delete(slices.Clone(outcomes), worst, worst+1))
	}
	return rest
}

func (m *macro) figureInterference() (report.Figure, error) {
	f := report.NewFigure("Tasks that slow each other down",
		fmt.Sprintf("Every task takes 1 + c max(0, W - 1) times as long, W hundred maps of jobs that have begun and not ended, under both policies; c on the axis; %s. Top: mean sojourn time under "+
			"HFSP relative to FAIR's on the same jobs, with 95%% confidence, and the paper's. Bottom: means.", report.Count(m.tableSeeds(), "seed")),
		"interference", "workload", "seeds", "fair_s", "fair_ci95", "hfsp_s", "hfsp_ci95", "ratio", "ratio_ci95", "ratio_of_means", "without_worst_seed",
		"fair_load", "hfsp_load", "fair_hours", "hfsp_hours", "fair_within_100_s", "hfsp_within_100_s", "fair_within_1000_s", "hfsp_within_1000_s")
	f.Shown.Columns = []string{"c", "workload", "FAIR (s)", "HFSP (s)", "HFSP/FAIR", "of the means", "of the means, without FAIR's worst seed", "load", "hours", "within 100 s", "within 1,000 s"}
	top := &draw.Chart{Height: 190, GridY: true, X: draw.Axis{Label: "interference c", Min: -0.01, Max: 0.16}, Y: draw.Axis{Label: "mean sojourn / FAIR's", Min: 0, Max: 1.1}}
	bottom := &draw.Chart{Height: 190, GridY: true, X: top.X, Y: draw.Axis{Label: "mean sojourn (s)", Log: true}}
	gains := []draw.Series{draw.Look(4, "LARGE, HFSP/FAIR"), draw.Look(5, "SMALL, HFSP/FAIR")}
	means := []draw.Series{draw.Look(0, "LARGE, HFSP"), draw.Look(1, "SMALL, HFSP"), draw.Look(2, "LARGE, FAIR"), draw.Look(3, "SMALL, FAIR")}
	point := func(s *draw.Series, x float64, i report.Interval) {
		s.X = append(s.X, x)
		appendTo(s, i)
	}
	for _, c := range interferences {
		for kind, name := range workloadNames {
			runs := m.slow(c, kind)
			across := func(x int, of func(*outcome) float64) report.Interval { return report.Across(runs[x], of) }
			mean := func(x int, of func(*outcome) float64) float64 { return across(x, of).Mean }
			soon := func(i int) func(*outcome) float64 { return func(o *outcome) float64 { return o.soon[i] } }
			fairMean, hfspMean, ratio, rest := across(fair, sojournOf), across(byHFSP, sojournOf), ratioOf(runs), ofMeans(withoutWorst(runs))
			f.Numbers.Add(c, name, m.tableSeeds(), fairMean.Mean, fairMean.Half, hfspMean.Mean, hfspMean.Half, ratio.Mean, ratio.Half, ofMeans(runs), rest,
				mean(fair, loadOf), mean(byHFSP, loadOf), mean(fair, hoursOf), mean(byHFSP, hoursOf), mean(fair, soon(0)), mean(byHFSP, soon(0)), mean(fair, soon(1)), mean(byHFSP, soon(1)))
			both := func(format string, of func(*outcome) float64, scale float64) string {
				return fmt.Sprintf(format+" / "+format, scale*mean(fair, of), scale*mean(byHFSP, of))
			}
			f.Shown.Show(report.Short(c), name, fairMean.String(), hfspMean.String(), ratio.String(), fmt.Sprintf("%.2f", ofMeans(runs)), fmt.Sprintf("%.2f", rest),
				both("%.1f", loadOf, 1), both("%.2f", hoursOf, 1), both("%.0f%%", soon(0), 100), both("%.0f%%", soon(1), 100))
			shift := 0.002 * float64(kind)
			point(&gains[1-kind], c+shift, ratio)
			point(&means[1-kind], c+shift, hfspMean)
			point(&means[3-kind], c+shift, fairMean)
		}
	}
	top.Series(gains)
	for kind, name := range workloadNames {
		top.Level(name+", paper", published.sojourn[kind][byHFSP]/published.sojourn[kind][fair], draw.Stroke{Color: draw.Black, Dash: []draw.Dash{onSmall: draw.Dotted, onLarge: draw.LongDash}[kind], Width: 1})
	}
	bottom.Series(means)
	bottom.Y.Ticks = nil // more of them than ratios have
	return f.Done(m.claimsInterference(), fmt.Sprintf("Two charts over the interference. On LARGE HFSP takes %s of FAIR's mean without interference and %s at its end, on SMALL %s and %s.",
		ratioOf(m.slow(0, onLarge)), ratioOf(m.slow(foundOnLarge, onLarge)), ratioOf(m.slow(0, onSmall)), ratioOf(m.slow(foundOnSmall, onSmall))), top, bottom)
}

func (m *macro) claimsInterference() []report.Claim {
	var falling, analogous []report.Claim
	var steps, small []string
	for i, c := range interferences {
		runs := m.slow(c, onLarge)
		if i > 0 {
			before := m.slow(interferences[i-1], onLarge)
			step := report.Ratio(ratios(runs[byHFSP], runs[fair], sojournOf), ratios(before[byHFSP], before[fair], sojournOf))
			falling = append(falling, report.Claim{}.Below(step, 1))
		}
		onS := ratioOf(m.slow(c, onSmall))
		analogous = append(analogous, between(report.Claim{}, onS, 0.8, 1.2))
		steps, small = append(steps, report.Short2(ratioOf(runs).Mean)), append(small, report.Short2(onS.Mean))
	}
	return []report.Claim{all(report.Claim{Claim: "scheduling choices are more critical when the cluster is loaded by jobs that require many resources", Published: "more critical",
		Model: fmt.Sprintf("LARGE, HFSP/FAIR %s at growing interference", strings.Join(steps, " / ")), Relation: "from each interference to the next the 95% interval of the ratio over that before is below 1",
		Note: "with more interference both policies suffer alike"}, falling...),
		all(report.Claim{Claim: "on SMALL sojourn times are analogous, since there is room for the tasks of all pending jobs", Published: "analogous",
			Model: fmt.Sprintf("HFSP/FAIR %s at growing interference", strings.Join(small, " / ")), Relation: "each mean within 0.8 and 1.2",
			Note: "with interference jobs of SMALL meet, and FAIR slows all of them down"}, analogous...)}
}
