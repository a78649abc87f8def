package hfsp

import (
	"fmt"
	"io"

	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// Replays per sigma and policy: the paper's, and those of a quick run.
const (
	seeds      = 100
	quickSeeds = 10
)

// Section makes the figures. A progress bar goes to terminal, when it is one.
func Section(o report.Options, terminal io.Writer) (report.Section, error) {
	w, err := replay.Load(o.Trace, o.Seed, diskToNetwork, load, 0)
	if err != nil {
		return report.Section{}, err
	}
	n := seeds
	if o.Quick {
		n = quickSeeds
	}
	bar := report.NewProgress(terminal, "hfsp: replays", n*len(sigmas)*len(policies))
	s, err := run(w, o.Seed, n, bar)
	bar.Done()
	if err != nil {
		return report.Section{}, err
	}
	s.workload = w.Name
	repetitions, forTable := macroSeeds, tableSeeds
	if o.Quick {
		repetitions, forTable = quickMacroSeeds, quickTableSeeds
	}
	bar = report.NewProgress(terminal, "hfsp: runs of the slot model", macroRuns(repetitions, forTable))
	m, err := runMacro(o.Seed, repetitions, forTable, bar)
	bar.Done()
	if err != nil {
		return report.Section{}, err
	}
	finer := fineSeeds
	if o.Quick {
		finer = quickFineSeeds
	}
	bar = report.NewProgress(terminal, "hfsp: runs with finer tasks", fineRuns(finer))
	x, err := runFine(o.Seed, finer, bar)
	bar.Done()
	if err != nil {
		return report.Section{}, err
	}
	out := report.Section{
		Paper: "hfsp",
		Title: "HFSP: size-based scheduling with aging",
		Intro: fmt.Sprintf("Figure 2 replays %s, %d jobs with d/n = %d and load %v, %d times per σ and policy, %d replays in all, with errors drawn from seed %d. "+
			"One replay's errors are the same draws for every σ and policy, so that differences are not luck. SRVT, the paper's name, is called FSP here. "+
			"From Table II on, jobs run task by task in the slot model: %d machines with %d map and %d reduce slots in all, %d copies of each block, workloads of %d jobs made like those of "+
			"Table I, and %s, %s for Table II, the same jobs for every policy. %s",
			w.Name, len(w.Jobs), diskToNetwork, load, n, n*len(sigmas)*len(policies), o.Seed, machines, mapSlots, reduceSlots, copies, jobsPerRun, report.Count(repetitions, "seed"), report.Short(float64(forTable)), calibration),
	}
	for _, figure := range []func() (report.Figure, error){
		figure1,
		func() (report.Figure, error) { return figure2a(s) },
		func() (report.Figure, error) { return figure2b(s) },
		func() (report.Figure, error) { return figure2c(s) },
		m.table2,
		func() (report.Figure, error) { return m.figure3ab(onSmall) },
		func() (report.Figure, error) { return m.figure3ab(onLarge) },
		m.figure3c,
		m.figure4,
		m.figure5,
		m.figureAblation,
		m.figureDrivers,
		m.figureAssumptions,
		x.figure,
		figureGantt,
	} {
		f, err := figure()
		if err != nil {
			return report.Section{}, err
		}
		out.Figures = append(out.Figures, f)
	}
	return out, nil
}

const help = `hfsp draws Figures 1 to 5 and Table II of the paper "HFSP: Size-based Scheduling for Hadoop" and checks what the paper says about
them.

Figure 1 compares how PS and SRPT share a cluster among three jobs. Figure 2 replays a day of 24,442 jobs while the scheduler
knows each job's size only up to a log-normal error: (a) the errors, (b) the mean sojourn time under SRPT, (c) under SRVT, which
is FSP. The workload is synthetic, made to resemble the paper's Facebook trace of 2010, unless -trace names a file in
the SWIM format: per line and separated by tabs a job id, submit time, gap, map input, shuffle and output bytes.

Table II and Figures 3 to 5 compare HFSP with FAIR on two PigMix-like workloads of 100 jobs each, SMALL and LARGE, which run task
by task in the slot model; -trace does not change them. ablation changes HFSP's settings one at a time, drivers the load and the
long tasks of LARGE, assumptions what else its result rests on; fine cuts
jobs into ever more tasks, until HFSP is fluid FSP; gantt shows a small run slot by slot.

It writes, for each of fig1, fig2a, fig2b, fig2c, table2, fig3a, fig3b, fig3c, fig4, fig5, ablation, drivers, assumptions, fine and gantt,
  DIR/hfsp-ITEM.tsv   the numbers, at full precision
  DIR/hfsp-ITEM.svg   the picture
and puts its rows into DIR/claims.tsv: one per statement of the paper, with the relation that was computed and whether it holds.
Intervals are of 95% confidence over the seeds, by Student's t.
A box plot shows the quartiles, the 5% and 95% quantiles and the extremes; quantiles are interpolated linearly.
`

// Main is the program: it returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	p := report.Program{
		Name: "hfsp",
		Help: help,
		Quick: fmt.Sprintf("%d replays per box instead of %d, %d seeds of the slot model instead of %d, %d for Table II instead of %d, %d with finer tasks instead of %d",
			quickSeeds, seeds, quickMacroSeeds, macroSeeds, quickTableSeeds, tableSeeds, quickFineSeeds, fineSeeds),
		Trace:   true,
		Section: Section,
	}
	return p.Main(args, stdout, stderr)
}
