package hfsp

import (
	"fmt"
	"io"
	"sync"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/internal/replay"
)

// Replays per sigma and policy: the paper's, and those of a quick run.
const (
	seeds      = 100
	quickSeeds = 10
)

// Plan lists the figures. A progress bar goes to terminal, when it is one.
func Plan(o program.Options, terminal io.Writer) (report.Plan, error) {
	n, repetitions, forTable, jobs := seeds, macroSeeds, tableSeeds, jobsPerRun
	if o.Quick {
		n, repetitions, forTable, jobs = quickSeeds, quickMacroSeeds, [2]int{quickMacroSeeds, quickMacroSeeds}, quickJobs
	}
	loaded := sync.OnceValues(func() (replay.Workload, error) { return replay.Load(o.Trace, o.Seed, diskToNetwork, load, 0) })
	replays := sync.OnceValues(func() (*sweep, error) {
		w, err := loaded()
		if err != nil {
			return nil, err
		}
		bar := program.NewProgress(terminal, "hfsp: replays", n*len(laws)*len(policies))
		defer bar.Done()
		return run(w, o.Seed, n, bar)
	})
	runs := sync.OnceValues(func() (*macro, error) {
		m := &macro{experiment: experiment{testbed(busy), jobs, o.Seed}, seeds: repetitions, most: forTable}
		return m, m.play(terminal)
	})
	tried := func() ([]trial, error) {
		if o.Quick {
			return try(quickJobs/2, 2, o.Seed, terminal)
		}
		return try(jobsPerRun, foundSeeds, o.Seed, terminal)
	}
	figure3ab := func(workload int) func() (report.Figure, error) {
		return report.From(runs, func(m *macro) (report.Figure, error) { return m.figure3ab(workload) })
	}
	return report.Plan{
		Paper: "hfsp",
		Title: "HFSP: size-based scheduling with aging",
		Intro: func() (string, error) {
			w, err := loaded()
			return fmt.Sprintf("Figure 2 replays %s, %d jobs with d/n = %d and load %v, %d times per law of errors and policy, %d replays in all, with errors drawn from seed %d. "+
				"One replay's errors are the same draws for every law and policy, so that differences are not luck. SRVT, the paper's name, is called FSP here. "+
				"From Table II on, jobs run task by task in the slot model: %d machines with %d map and %d reduce slots in all, %d copies of each block, workloads of %d jobs made like those of "+
				"Table I, and %s, %d and %d of SMALL and LARGE for Table II, the same jobs for every policy. %s",
				w.Name, len(w.Jobs), diskToNetwork, load, n, n*len(laws)*len(policies), o.Seed, machines, mapSlots, reduceSlots, copies, jobs, numbers.Count(repetitions, "seed"), forTable[onSmall], forTable[onLarge], calibration), err
		},
		Readings:  readings,
		Workloads: report.From(runs, (*macro).workloads),
		Items: []report.Item{
			{Name: "fig1", Make: figure1, Kind: report.Constructed, Exact: true},
			{Name: "fig2a", Make: figure2a, Kind: report.Theory, Exact: true},
			{Name: "fig2b", Make: report.From(replays, figure2b)},
			{Name: "fig2c", Make: report.From(replays, figure2c)},
			{Name: "table2", Make: report.From(runs, (*macro).table2), Reading: byLoad},
			{Name: "settings", Make: report.From(tried, figureSettings), Reading: byLoad},
			{Name: "fig3a", Make: figure3ab(onSmall), Reading: byLoad},
			{Name: "fig3b", Make: figure3ab(onLarge), Reading: byLoad},
			{Name: "fig3c", Make: report.From(runs, (*macro).figure3c), Reading: byLoad},
			{Name: "fig4", Make: report.From(runs, (*macro).figure4), Reading: byLoad},
			{Name: "fig5", Make: report.From(runs, (*macro).figure5), Reading: byLoad},
			{Name: "ablation", Make: report.From(runs, (*macro).figureAblation), Reading: byLoad},
		},
	}, nil
}

// Main is the program: it returns the exit code.
var Main = report.Program{
	Name: "hfsp",
	Quick: fmt.Sprintf("%d replays per box instead of %d, %d seeds of the slot model instead of %d, or of %d and %d for Table II; runs of %d jobs instead of %d",
		quickSeeds, seeds, quickMacroSeeds, macroSeeds, tableSeeds[onSmall], tableSeeds[onLarge], quickJobs, jobsPerRun),
	Trace: true,
	Plan:  Plan,
	Help: `hfsp draws Figures 1 to 5 and Table II of the paper "HFSP: Size-based Scheduling for Hadoop" and checks what the paper says about
them. Figure 2 replays a synthetic day of 24,442 jobs, made to resemble the paper's Facebook trace of 2010, unless -trace names a file
in the SWIM format: per line and separated by tabs a job id, submit time, gap, map input, shuffle and output bytes.

This takes about two minutes on two cores and 300 MB, with -quick 4 s.
`,
}.Main
