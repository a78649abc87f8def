package backfill

import (
	"fmt"
	"io"
	"sync"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/program"
)

// An experiment is how much is played.
type experiment struct {
	seed     uint64
	quick    bool
	terminal io.Writer
	real     []Log // those at hand; a quick run plays none

	seeds, jobs                       int // synthetic logs, and their jobs
	forecastLogs, forecastJobs, every int // likewise; of those that wait one in so many is told when it will start
}

func newExperiment(o program.Options, terminal io.Writer) *experiment {
	e := &experiment{seed: o.Seed, quick: o.Quick, terminal: terminal, seeds: 20, jobs: 3000, forecastLogs: 5, forecastJobs: 4000, every: 2}
	if o.Quick {
		e.seeds, e.jobs, e.forecastLogs, e.forecastJobs, e.every = 5, 1000, 1, 3500, 30
	}
	return e
}

// compare plays all contenders on all logs.
func (e *experiment) compare() (*study, error) {
	s := &study{quick: e.quick, seeds: make([]result, e.seeds)}
	all, err := program.Each(e.terminal, "backfill: logs", e.seeds+len(e.real), func(i int) (result, error) {
		if i >= e.seeds {
			return compare(&e.real[i-e.seeds])
		}
		l, err := synthetic(e.seed, i, e.jobs)
		if err != nil {
			return result{}, err
		}
		return compare(&l)
	})
	s.seeds, s.real = all[:e.seeds], all[e.seeds:]
	for _, l := range e.real {
		s.names = append(s.names, l.Name)
	}
	return s, err
}

// Plan lists the figures. A progress bar goes to terminal, when it is one.
func Plan(o program.Options, terminal io.Writer) (report.Plan, error) {
	e := newExperiment(o, terminal)
	studied := sync.OnceValues(e.compare)
	figure := func(make func(*study) (report.Figure, error)) func() (report.Figure, error) {
		return report.From(studied, make)
	}
	return report.Plan{
		Paper: "backfill",
		Title: "Backfill: who may go first, and when will my job start",
		Intro: func() (string, error) {
			var err error
			if !e.quick {
				e.real, err = atHand()
			}
			played := ""
			for _, l := range e.real {
				played += fmt.Sprintf(" %s of the Parallel Workloads Archive (cleaned; the first %d jobs on %d processors, those that failed or were cancelled while they ran included) is played beside.", l.Name, len(l.Jobs), l.Processors)
			}
			return fmt.Sprintf("Rigid jobs on one parallel machine, first come first served but for backfill. %d synthetic logs of %d jobs on %d processors are drawn by the model of Lublin and Feitelson (2003) from seed %d, "+
				"with arrivals scaled to a load of %v. The model has no requested times: here they are uniform from the run time to %d times of it, rounded up to one of %d round values. "+
				"Slowdown is bounded: the time from arrival to end over the run time, or over %d s if that is longer.%s", e.seeds, e.jobs, processors, e.seed, load, badness+1, len(asked), batch.Shortest, played), err
		},
		Items: []report.Item{
			{Name: "policies", Make: figure((*study).policies)},
			{Name: "requests", Make: figure((*study).requests)},
			{Name: "depth", Make: figure((*study).depths), Kind: report.Beyond},
			{Name: "forecasts", Make: report.From(e.hear, e.forecastsFigure), Kind: report.Beyond},
			{Name: "gantt", Make: e.gantt, Kind: report.Theory, Exact: true},
		},
	}, nil
}

// Main is the program: it returns the exit code.
var Main = report.Program{
	Name:  "backfill",
	Quick: "fewer and shorter synthetic logs, and no other ones",
	Plan:  Plan,
	Help: `backfill plays logs of parallel machines whose jobs hold processors to their end: what first come first served, EASY, its variants and
conservative backfill do to slowdown, what wrong requested times cost, and how well starts can be foretold.

Logs are synthetic. Two of the Parallel Workloads Archive are played beside where they lie in ../shared/data/swf; a quick run leaves
them out. A log of your own is played by schedmath whatif.

This takes four minutes on two cores and 300 MB, with -quick two seconds.

Intervals are of 95% confidence over the seeds, by Student's t.
`,
}.Main
