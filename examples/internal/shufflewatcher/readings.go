package shufflewatcher

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"gonum.org/v1/gonum/floats"
)

// A reading is a set of assumptions and the setting of its runs.
type reading struct {
	report.Reading
	set setting
}

func (r reading) cell(k *contender) cell { return cell{r.set, k} }

// Assumptions that both readings share.
var (
	inOrder    = report.Assumption{Text: "of users with equal shares the first by number goes first", Evidence: report.Assumed, By: "line 1 names the policy of fairness alone"}
	ratioOfOne = report.Assumption{Text: "the ratio of shuffle to input of a job starts at 1", Evidence: report.Stated, By: "3.1"}
	preferred  = report.Assumption{Text: "under relaxed fairness a user waits for a task that Figure 3 prefers, not for any local map", Evidence: report.Assumed, By: "3.4 has \"as employed in Delay Scheduling\"; chosen after results of both were known"}
	blocks     = report.Assumption{Text: "blocks of 64 MiB", Evidence: report.Stated, By: "4"}
)

// steadyWindow is the width of A's windows of submission, in s.
const steadyWindow = 9000

// Repetitions that reading A's rate of maps was found by, and those that judge. The rest of the
// reading was looked at on streams below 10006.
var (
	found  = report.Seeds{First: 11000, N: 2}
	judged = report.Seeds{First: 12000, N: repetitions}
)

// The readings.
var (
	readingA = reading{report.Reading{Name: "A", Title: "a steady closed loop", Found: found, Judged: judged,
		Main: "published throughput times turn-around is 1.01, .99 and .95: by Little's law the jobs in the system stay as many, and section 4 measures a steady state",
		Assumptions: []report.Assumption{
			{Text: "each user has 12 jobs in flight: one that ends is followed by another", Evidence: report.Implied, By: "throughput times turn-around; 12 jobs a user (5.4)"},
			{Text: "jobs are of the types of Table 1, with 5 GB of input each, not the sizes of Table 2", Evidence: report.Assumed, By: "against section 4: three in ten of Table 2's jobs have 95% of the bytes, so that a user has one or two to choose from"},
			{Text: "one of three copies of each block lies in the rack that wrote the job's input", Evidence: report.Implied, By: "SAMP adds 3% of remote maps, not the 70% that uniform copies would"},
			{Text: "maps of 3.5 MB/s", Evidence: report.Implied, By: "the gains of Figure 14(b)'s two outer mixes, +31 and +22%"},
			blocks, preferred, inOrder, ratioOfOne,
			{Text: "a window of 9,000 s, two to six times a job's mean time", Evidence: report.Stated, By: "\"some multiple of the average job completion time\"; ten minutes are below it"},
			{Text: "four hours are measured, after a ramp-up of two windows", Evidence: report.Stated, By: "4; the length of the ramp-up is assumed"},
		}}, setting{window: steadyWindow}}
	readingB = reading{report.Reading{Name: "B", Title: "the tables' jobs at once", Judged: judged, Assumptions: []report.Assumption{
		{Text: "the 40 s are the mean gap of each user's jobs: all are there within minutes, and the run ends when all have", Evidence: report.Implied, By: "+39% throughput at equal rates of arrival; 300 jobs in four hours"},
		{Text: "jobs are those of Tables 1 and 2, the sizes times .15", Evidence: report.Stated, By: "4; the factor is assumed"},
		{Text: "maps of 6.4 MB/s", Evidence: report.Assumed},
		{Text: "three copies of a block on nodes drawn alike, two of them in one rack", Evidence: report.Stated, By: "HDFS, replication factor of 3"},
		blocks, preferred, inOrder, ratioOfOne,
		{Text: "a window of ten minutes", Evidence: report.Stated, By: "3.4"}}},
		setting{small: true, backlog: true, tables: true, uniform: true, rate: 6.4e6}}

	// Most figures show A on 100 nodes and B on 16.
	closer = []reading{readingA, readingB}
	main16 = readingA.with(func(set *setting) { set.small = true })
)

// What the rate of maps was chosen among, in bytes a second, and the changes of throughput of SW-fair
// over Fair by which it was, in percent: those of Figure 14(b)'s outer mixes, by index of mixes.
var (
	rates        = []float64{2.5e6, 3e6, 3.5e6, 4e6, 5e6}
	outerMixes   = []int{1, 2}
	outerChanges = []float64{31, 22}
)

// searched is what TestSettings wrote when it ran: jobs an hour under both schedulers by rate, mix
// and repetition of found.
//
//go:embed settings.tsv
var searched string

var searchedColumns = []string{"map_rate", "mix", "seed", "jobs_an_hour_fair", "jobs_an_hour_sw_fair"}

// changes are the mean changes of throughput that a table of runs has, in percent, by rate and outer
// mix.
func changes(table string) ([][2]float64, error) {
	list := make([][2]float64, len(rates))
	head, rest, _ := strings.Cut(table, "\n")
	if head != strings.Join(searchedColumns, "\t") {
		return nil, fmt.Errorf("shufflewatcher: settings.tsv begins with %q", head)
	}
	for line := range strings.Lines(rest) {
		var rate, jobs, jobsSW float64
		var mix, seed int
		if _, err := fmt.Sscan(line, &rate, &mix, &seed, &jobs, &jobsSW); err != nil {
			return nil, fmt.Errorf("shufflewatcher: settings.tsv: %q: %w", line, err)
		}
		i, k := slices.Index(rates, rate), slices.Index(outerMixes, mix)
		if i < 0 || k < 0 {
			return nil, fmt.Errorf("shufflewatcher: settings.tsv has a run at %v of mix %v", rate, mix)
		}
		list[i][k] += 100 * (jobsSW/jobs - 1) / float64(found.N)
	}
	return list, nil
}

// figureSettings shows how the rate of maps was chosen.
func (s *study) figureSettings() (report.Figure, error) {
	f := report.NewFigure("How the rate of maps of reading A was chosen",
		fmt.Sprintf("The change of throughput of SW-fair over Fair on 100 nodes with Figure 14(b)'s outer mixes, by the rate of maps, on repetitions %s, which judge nothing; dashed: published. The rate has the least sum of the squares of both differences. The runs were made once; go test ./examples/internal/shufflewatcher -run Settings -settings makes them again.", found),
		"map_mb_s", "more_heavy", "more_light", "misfit")
	f.Shown.Columns = []string{"maps (MB/s)", "20, 20, 60%", "60, 20, 20%", "misfit"}
	list, err := changes(searched)
	if err != nil {
		return f, err
	}
	lines := []draw.Series{draw.Look(0, "more heavy jobs"), draw.Look(1, "more light jobs")}
	var misfits []float64
	for i, rate := range rates {
		misfit := 0.
		for k, change := range outerChanges {
			misfit += (list[i][k] - change) * (list[i][k] - change)
			lines[k].X, lines[k].Y = append(lines[k].X, rate/1e6), append(lines[k].Y, list[i][k])
		}
		misfits = append(misfits, misfit)
		f.Numbers.Add(rate/1e6, list[i][0], list[i][1], misfit)
		f.Shown.Show(rate/1e6, list[i][0], list[i][1], misfit)
	}
	best := floats.MinIdx(misfits)
	c := &draw.Chart{GridY: true, Height: 200, X: draw.Axis{Label: "maps (MB/s)", Min: 2.25, Max: 5.25, Ticks: draw.Ticks(2.5, 5, .5)}, Y: draw.Axis{Label: "change of throughput (%)"}}
	c.Series(lines, outerChanges...)
	for k, change := range outerChanges {
		c.Level("", change, draw.Stroke{Color: lines[k].Stroke.Color, Dash: draw.Dashed, Width: .8})
	}
	return f.Done([]report.Claim{report.Says("the changes of throughput with the outer mixes", "+31 and +22%", "the reading has the least misfit of the rates tried",
		"%s and %s%% at %s MB/s", signed(list[best][0]), signed(list[best][1]), numbers.Short(rates[best]/1e6)).As(report.Found).When(rates[best] == mapRate)},
		fmt.Sprintf("Two lines over the rate of maps that cross near the published changes: the least misfit at %s MB/s.", numbers.Short(rates[best]/1e6)), c)
}
