// Package replay loads the workload that an example replays: any file that package workload reads,
// or the synthetic day that stands in for one.
package replay

import (
	"fmt"
	"path/filepath"

	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// A Workload is jobs for one fluid server of speed 1, in the order of the trace, with exact
// estimates.
type Workload struct {
	Name      string // for people: what was replayed
	Synthetic bool
	Jobs      []fluid.Job
}

// A Trace is what is replayed: the jobs of a SWIM trace, or those of another file, which have times
// of their own.
type Trace struct {
	Name      string // for people: what is replayed
	Synthetic bool
	workload.Log
}

// Len is the number of jobs.
func (t *Trace) Len() int { return len(t.SWIM) + len(t.Jobs) }

// Open reads the named file, of which - is standard input and whose content tells its format, or
// makes the synthetic day from seed when name is empty. When first is positive only that many jobs
// are taken.
func Open(name string, seed uint64, first int, o workload.ReadOptions) (Trace, error) {
	t := Trace{Name: fmt.Sprintf("the synthetic day of seed %d", seed), Synthetic: name == ""}
	var err error
	if t.Synthetic {
		t.SWIM, err = workload.SyntheticFB2010(workload.Stream(seed, workload.Trace, 0))
	} else {
		t.Name = "the trace " + filepath.Base(name)
		if name == "-" {
			t.Name = "the trace on standard input"
		}
		t.Log, err = read(name, o)
	}
	if err != nil {
		return Trace{}, err
	}
	if t.Len() == 0 {
		return Trace{}, program.Usagef("%s: the trace holds no jobs", name)
	}
	if first > 0 && first < t.Len() {
		t.Name = fmt.Sprintf("the first %d jobs of %s", first, t.Name)
		t.SWIM, t.Jobs = t.SWIM[:min(first, len(t.SWIM))], t.Jobs[:min(first, len(t.Jobs))]
	}
	return t, nil
}

// Read is Open for programs that need the bytes of a SWIM trace.
func Read(name string, seed uint64, first int) (Trace, error) {
	t, err := Open(name, seed, first, workload.ReadOptions{})
	if err == nil && t.SWIM == nil {
		return Trace{}, program.Usagef("%s: jobs with times of their own, want a SWIM trace: jobs are made of its bytes", name)
	}
	return t, err
}

// Load reads a trace and gives each job HFSP's size for a disk to network ratio dn, with all of
// them under a load.
func Load(name string, seed uint64, dn, load float64, first int) (Workload, error) {
	t, err := Read(name, seed, first)
	if err != nil {
		return Workload{}, err
	}
	jobs, err := t.Fluid(dn, load)
	if err != nil && !t.Synthetic {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return Workload{Name: t.Name, Synthetic: t.Synthetic, Jobs: jobs}, err
}

// Fluid gives each job of a SWIM trace HFSP's size for a disk to network ratio dn, with all of them
// under a load.
func (t *Trace) Fluid(dn, load float64) ([]fluid.Job, error) {
	sizes, err := workload.Sizes(nil, t.SWIM, dn, load)
	if err != nil {
		return nil, err
	}
	jobs := make([]fluid.Job, len(t.SWIM))
	for i, j := range t.SWIM {
		jobs[i] = fluid.Job{Arrival: j.Submit, Size: sizes[i], Estimate: sizes[i]}
	}
	return jobs, nil
}

// read reads a file.
func read(name string, o workload.ReadOptions) (workload.Log, error) {
	in, err := program.Open(name)
	if err != nil {
		return workload.Log{}, err
	}
	defer in.Close()
	log, err := workload.ReadJobs(in, o)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return log, err
}
