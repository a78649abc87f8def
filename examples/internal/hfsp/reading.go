package hfsp

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/slotmodel"
	"gonum.org/v1/gonum/floats"
)

// A setting is what the paper does not say of its tasks: how many reduces there are, how long tasks
// take, and how they slow each other down.
type setting struct {
	reduces float64 // how many times as many as one per GiB of input or so
	median  float64 // s
	slower  float64 // by how much more time a task takes while many jobs run
}

// What the settings are chosen among: medians in seconds, for each of which work is how many seconds
// of reduces there are where pigMixQueries have one reduce, and slowdowns.
var (
	medians = []float64{7, 10, 15}
	works   = []float64{150, 175, 200}
	slowers = []float64{.2, .4, .6, .8}
)

// The setting of the reading, and Pig's default with tasks that nothing slows down.
var (
	busy  = setting{17.5, 10, .6}
	plain = setting{1, 15, 0}
)

// settings are those that the reading's was chosen among.
func settings() []setting {
	var list []setting
	for _, median := range medians {
		for _, work := range works {
			for _, slower := range slowers {
				list = append(list, setting{work / median, median, slower})
			}
		}
	}
	return list
}

// mix is the workload SMALL or LARGE with a setting.
func (s setting) mix(kind int) pigMix {
	m := mixes[kind]()
	m.queries = slices.Clone(m.queries)
	for i := range m.queries {
		m.queries[i].PerGiB *= s.reduces
	}
	m.maps.Median, m.reduces.Median = s.median, s.median
	return m
}

// speed is that of all tasks: disks and the switch serve one job's tasks in long runs, and those of
// several by turns. Beyond four jobs that run nothing more is lost.
func (s setting) speed(l slotmodel.Load) float64 {
	return 1 / (1 + s.slower*min(1, max(0, float64(l.Holding-1))/3))
}

// Repetitions that the reading was found by, and those that judge it.
const foundSeeds = 20

var (
	found  = report.Seeds{First: 1000, N: foundSeeds}
	judged = report.Seeds{First: 5000, N: tableSeeds[onSmall]}
)

// byLoad is the name of the one reading.
const byLoad = "load"

var readings = []report.Reading{{Name: byLoad, Title: "many short reduces load the reduce slots, and jobs that run beside each other slow each other down",
	Main:  "IV-B has 16.8 jobs present under FAIR; with about one reduce per GiB that are as short as maps the reduce slots are loaded to a tenth and few jobs meet. By Little's law the same jobs took 3.79 h under FAIR and 3.29 h under HFSP: tasks are slower where more jobs run",
	Found: found, Judged: judged, Assumptions: []report.Assumption{
		{Text: "36 machines with 2 map slots and a reduce slot, Table I, reduces after 95% of the maps", Evidence: report.Stated, By: "IV-A"},
		{Text: fmt.Sprintf("%v times as many reduces as one per GiB or so, which load the reduce slots to .97 on LARGE, on the seeds that found it", busy.reduces), Evidence: report.Implied, By: "Table II, LARGE, FAIR: load 16.8"},
		{Text: fmt.Sprintf("tasks take 1 + %v min(1, (J - 1)/3) times as long while J jobs hold slots, under every policy", busy.slower), Evidence: report.Implied, By: "Table II by Little's law: 3.79 and 3.29 h"},
		{Text: fmt.Sprintf("a median task of %v s", busy.median), Evidence: report.Implied, By: "Figure 3(b)"},
		{Text: "no task is long by itself, a spread of .4, the shapes of the queries"},
		{Text: "where nothing is known yet a task is taken to last 60 s, six times the median"},
	}}}

// fitted to: how the paper's runs on LARGE went. Its load under HFSP is left out: with the hours it
// would give the ratio of the mean sojourn times, which is judged.
var (
	publishedSoon = [2][2]float64{fair: {.02, .15}, byHFSP: {.30, .90}} // Figure 3(b): within soonSeconds
	fairLoad      = published.load[onLarge][fair]
)

// A trial is LARGE with a setting.
type trial struct {
	setting
	runs   [2][]outcome // FAIR and HFSP, by seed
	misfit float64
}

// medianOf is the median of a number over seeds.
func medianOf(runs []outcome, of func(*outcome) float64) float64 {
	return numbers.Median(numbers.Column(runs, of))
}

// judge sums the squares of how far the medians over the seeds are from the paper's: of loads and
// hours by their logarithm, of shares by their difference.
func (t *trial) judge() {
	square := func(x float64) { t.misfit += x * x }
	square(math.Log(medianOf(t.runs[fair], loadOf) / fairLoad))
	for x := range t.runs {
		square(math.Log(medianOf(t.runs[x], hoursOf) / littleHours(x)))
		for k, share := range publishedSoon[x] {
			square(medianOf(t.runs[x], soonOf(k)) - share)
		}
	}
}

// try plays LARGE with each setting, and with plain, on seeds of their own.
func try(jobs, seeds int, seed uint64, terminal io.Writer) ([]trial, error) {
	list := append(settings(), plain)
	runs, err := program.Each(terminal, "hfsp: settings", len(list)*seeds, func(i int) (r [2]outcome, err error) {
		s := list[i/seeds]
		x := experiment{testbed(s), jobs, seed}
		specs, err := x.pigmix(s.mix(onLarge), found.At(i%seeds))
		if err != nil {
			return r, err
		}
		for k := range r {
			if r[k], err = play(x.cluster, specs, &contenders[k], nil); err != nil {
				return r, err
			}
		}
		return r, nil
	})
	if err != nil {
		return nil, err
	}
	trials := make([]trial, len(list))
	for i := range trials {
		t := &trials[i]
		t.setting = list[i]
		for _, r := range runs[i*seeds : (i+1)*seeds] {
			t.runs[fair], t.runs[byHFSP] = append(t.runs[fair], r[fair]), append(t.runs[byHFSP], r[byHFSP])
		}
		t.judge()
	}
	return trials, nil
}

// littleHours is how long the paper's run on LARGE took, in hours: the mean load is the sum of all
// sojourn times over that.
func littleHours(x int) float64 {
	return jobsPerRun * published.sojourn[onLarge][x] / published.load[onLarge][x] / 3600
}

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
	return &trials[floats.MinIdx(numbers.Column(trials, func(t *trial) float64 { return t.misfit }))]
}

func claimsSettings(trials []trial) []report.Claim {
	best := least(trials)
	at := func(work float64) *trial {
		return &trials[slices.IndexFunc(trials, func(t trial) bool { return t.setting == setting{work / busy.median, busy.median, busy.slower} })]
	}
	low, high := at(works[0]), at(works[len(works)-1])
	more := numbers.Ratio(ratios(high.runs[byHFSP], high.runs[fair], sojournOf), ratios(low.runs[byHFSP], low.runs[fair], sojournOf))
	return []report.Claim{
		report.Says("load under FAIR, hours and Figure 3(b) on LARGE", "16.80; 3.79 and 3.29 h; 2 and 15%, 30 and 90%", "the reading has the least misfit of the settings tried",
			"least misfit %.3f: %s times the reduces, %v s, r = %v", best.misfit, numbers.Short(best.reduces), best.median, best.slower).As(report.Found).When(best.setting == busy),
		report.Says("scheduling becomes more critical in situations of high load", "confirmed by simulation", "95% interval of the ratio of the ratios below 1",
			"HFSP/FAIR on LARGE %s with %s times the reduces, %s with %s: relatively %s", low.ratio(), numbers.Short(low.reduces), high.ratio(), numbers.Short(high.reduces), more).Below(more, 1),
	}
}
