package shufflewatcher

import (
	"fmt"
	"io"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// Seeds of a full run and of a quick one.
const (
	repetitions      = 6
	quickRepetitions = 2 // what rests on repetitions is undecided in a smaller system, however many
)

// A study is what all figures share.
type study struct {
	program.Options
	seeds       report.Seeds // numbers of the repetitions
	from, until float64      // the window of a closed loop, in s
	terminal    io.Writer
	outcomes    map[cell][]*outcome
	simulate    func(c cell, replication int) (*outcome, error)
}

// Plan lists the figures. A progress bar goes to terminal, when it is one.
func Plan(o program.Options, terminal io.Writer) (report.Plan, error) {
	s := &study{Options: o, seeds: judged, from: 2 * steadyWindow, until: 2*steadyWindow + 4*3600, terminal: terminal, outcomes: map[cell][]*outcome{}}
	if o.Quick {
		s.seeds.N, s.from, s.until = quickRepetitions, 300, 2100
	}
	s.simulate = s.run
	return s.plan(), nil
}

func (s *study) plan() report.Plan {
	return report.Plan{
		Paper:     "shufflewatcher",
		Title:     "ShuffleWatcher: shuffle-aware scheduling of many users' jobs",
		Intro:     s.intro,
		Workloads: s.workloads,
		Smaller:   true,
		Readings:  []report.Reading{readingA.Reading, readingB.Reading},
		Items: []report.Item{
			{Name: "fig5", Make: s.figure5, Kind: report.Constructed, Exact: true},
			{Name: "fig7", Make: s.figure7, Kind: report.Constructed, Exact: true},
			{Name: "fig8", Make: s.figure8},
			{Name: "nodes16", Make: s.figureNodes16},
			{Name: "table3", Make: s.table3},
			{Name: "fig1", Make: s.figure1},
			{Name: "fig9", Make: s.figure9},
			{Name: "fig10", Make: s.figure10},
			{Name: "fig11", Make: s.figure11},
			{Name: "fig12", Make: s.figure12},
			{Name: "fig13", Make: s.figure13},
			{Name: "settings", Make: s.figureSettings, Reading: readingA.Name},
			{Name: "fig14a", Make: s.figure14a, Reading: readingA.Name},
			{Name: "fig14b", Make: s.figure14b, Reading: readingA.Name},
			{Name: "fixed", Make: s.figureFixed},
			{Name: "thresholds", Make: s.figureThresholds, Reading: readingA.Name},
			{Name: "predicted", Make: s.figurePredicted},
			{Name: "options", Make: s.figureOptions, Kind: report.Beyond},
			{Name: "map", Make: s.figureMap, Kind: report.Beyond, Reading: readingA.Name},
		},
	}
}

// intro says what all figures rest on.
func (s *study) intro() (string, error) {
	return fmt.Sprintf("Jobs are drawn from seed %d. Reading A is a closed loop whose first %.2g h are left out and whose next %.2g h are measured: what ends in them. B is a backlog that is measured from the first arrival to the last end. "+
		"Throughput is jobs an hour, and beside it bytes shuffled an hour; turn-around is the mean of a job, traffic the bytes that cross racks for each byte of shuffle. "+
		"The paper prints no ratios of shuffle to input: they are quantiles of the FB-2010 trace. Blocks have the stated 64 MiB. Assumptions: 2 slots for maps and 2 for reduces on a node, a reduce for each 2 GiB of shuffle, maps of 3.5 MB/s (B: 6.4), "+
		"reduces of 20 MB/s, 2 to 5.5 GB of memory for a task (DRF counts it), output that stays where it is written, baselines whose reduces start when 5%% of a job's maps have ended unless a name says late. "+
		"%s. B, nodes16, fixed, thresholds and, but for the rows that say so, options and map are of 16 nodes, all else of 100.",
		s.Seed, s.from/3600, (s.until-s.from)/3600, numbers.Count(s.seeds.N, "seed")), nil
}

// Main is the program: it returns the exit code.
var Main = report.Program{
	Name:  "shufflewatcher",
	Quick: fmt.Sprintf("16 nodes, %d seeds, a third of the jobs and half an hour instead of 100, %d, all and nine", quickRepetitions, repetitions),
	Plan:  Plan,
	Help: `shufflewatcher draws the figures of the paper "ShuffleWatcher: Shuffle-aware Scheduling in Multi-tenant MapReduce Clusters" and checks
what the paper says about them, on a model of its cluster: 100 nodes in 10 racks whose links are the bottleneck.

This takes about twelve minutes on two cores and 400 MB, with -quick 4 s.
`,
}.Main
