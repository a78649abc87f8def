package whatif

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
)

// A console is what a comparison shows before it has results.
type console struct {
	stderr io.Writer
	seeds  int
	begun  bool
	bar    *report.Progress
}

// What a run of the slot model costs, measured on the FB-2010 trace and on 250,000 and 2,000,000
// jobs of two tasks each: processor time in seconds, bytes of a run under way, and bytes of a job
// whatever the number of runs.
const (
	secondsPerJob, secondsPerTask = 4.5e-6, 0.4e-6
	bytesPerJob, bytesPerTask     = 550, 10
	bytesKeptPerJob               = 900
)

// cost is the time and the memory that so many runs of the slot model take for each seed, parallel
// of them at a time.
func cost(jobs, tasks, runs, seeds, parallel int) (t time.Duration, bytes float64) {
	j, k, p := float64(jobs), float64(tasks), float64(min(runs, parallel))
	seconds := float64(seeds*runs) / p * (secondsPerJob*j + secondsPerTask*k)
	return time.Duration(seconds * float64(time.Second)), p*(bytesPerJob*j+bytesPerTask*k) + bytesKeptPerJob*j
}

// announce says, before the first seed, what the runs of the slot model will take if that is much:
// half a minute, or a GB.
func (c *console) announce(jobs, tasks, runs int) {
	parallel := runtime.GOMAXPROCS(0)
	t, bytes := cost(jobs, tasks, runs, c.seeds, parallel)
	if c.begun || t < 30*time.Second && bytes < 1e9 {
		return
	}
	unit := time.Second
	if t > 10*time.Minute {
		unit = time.Minute
	}
	fmt.Fprintf(c.stderr, "whatif: %d jobs of %d tasks in %s will take about %v on %s that nobody else uses, and %.1f GB\n",
		jobs, tasks, report.Count(runs*c.seeds, "run"), t.Round(unit), report.Count(min(runs, parallel), "processor"), bytes/1e9)
}

// start starts the progress bar with the first seed: over all jobs of so many runs of each seed.
func (c *console) start(jobs, runs int) {
	if !c.begun {
		c.begun, c.bar = true, report.NewProgress(c.stderr, "whatif: jobs", c.seeds*runs*jobs)
	}
}

// log counts the jobs that end in a run of the slot model; nil where nobody watches.
func (c *console) log() func(slotmodel.Event) {
	if c.bar == nil {
		return nil
	}
	const step = 100 // a bar takes more time than a job
	ended := 0
	return func(e slotmodel.Event) {
		if e.Type == slotmodel.JobEnded {
			if ended++; ended%step == 0 {
				c.bar.Add(step)
			}
		}
	}
}
