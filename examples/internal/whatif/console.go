package whatif

import (
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
)

// A console is what a comparison shows before it has results.
type console struct {
	stderr io.Writer
	seeds  int
	once   sync.Once
	bar    *program.Progress
}

// A price is what runs cost, measured on the FB-2010 trace, on a million jobs, and on 100,000
// machines: processor time in seconds, bytes of a run under way, and bytes of a job whatever the
// number of runs.
type price struct {
	secondsPerJob, secondsPerTask              float64
	bytesPerJob, bytesPerTask, bytesKeptPerJob float64
	bytesPerSlot                               float64 // that a task can hold
}

var (
	fluidPrice = price{secondsPerJob: 0.5e-6, bytesPerJob: 100, bytesKeptPerJob: 400}
	slotsPrice = price{3e-6, 0.4e-6, 400, 10, 600, 440}
)

// cost is the time and the memory that so many runs take for each seed, parallel of them at a time.
func (p price) cost(jobs, tasks, slots, runs, seeds, parallel int) (t time.Duration, bytes float64) {
	j, k, n := float64(jobs), float64(tasks), float64(min(runs*seeds, parallel))
	seconds := float64(seeds*runs) / n * (p.secondsPerJob*j + p.secondsPerTask*k)
	return time.Duration(seconds * float64(time.Second)), n*(p.bytesPerJob*j+p.bytesPerTask*k+p.bytesPerSlot*float64(min(tasks, slots))) + p.bytesKeptPerJob*j
}

// begin says, at the first seed, what all runs will take if that is much: half a minute, or half a
// GB. It starts the progress bar, over all jobs of so many runs of each seed.
func (c *console) begin(s *stage, runs int) {
	c.once.Do(func() {
		c.announce(len(s.sizes), s.tasks, s.slots, runs)
		c.bar = program.NewProgress(c.stderr, "whatif: jobs", c.seeds*runs*len(s.sizes))
	})
}

// done ends the bar, if anything was run.
func (c *console) done() {
	if c.bar != nil {
		c.bar.Done()
	}
}

func (c *console) announce(jobs, tasks, slots, runs int) {
	parallel, p, of := runtime.GOMAXPROCS(0), fluidPrice, ""
	if tasks > 0 {
		p, of = slotsPrice, fmt.Sprintf(" of %d tasks", tasks)
	}
	t, bytes := p.cost(jobs, tasks, slots, runs, c.seeds, parallel)
	if t < 30*time.Second && bytes < 0.5e9 {
		return
	}
	unit := time.Second
	if t > 10*time.Minute {
		unit = time.Minute
	}
	fmt.Fprintf(c.stderr, "whatif: %d jobs%s in %s will take about %v on %s that nobody else uses, and %.1f GB\n",
		jobs, of, report.Count(runs*c.seeds, "run"), t.Round(unit), report.Count(min(runs*c.seeds, parallel), "processor"), bytes/1e9)
}

// log counts the jobs that end in a run of the slot model.
func (c *console) log() func(slotmodel.Event) {
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
