// Package replay loads the workload that an example replays: a job file, a SWIM trace, a log in the
// Standard Workload Format (SWF), or the synthetic day that stands in for one.
package replay

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/slotmodel"
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

// A Trace is the jobs of a SWIM trace, or those of a job file or of a log in SWF, which have times
// of their own.
type Trace struct {
	Name      string // for people: what is replayed
	Synthetic bool
	Jobs      []workload.SWIMJob
	Specs     []slotmodel.JobSpec // of a job file or a log; Jobs is nil then
}

// Len is the number of jobs.
func (t *Trace) Len() int { return len(t.Jobs) + len(t.Specs) }

// Open reads the named file, of which - is standard input and whose content tells its format, or
// makes the synthetic day from seed when name is empty. When first is positive only that many jobs are taken.
func Open(name string, seed uint64, first int) (Trace, error) {
	t := Trace{Name: fmt.Sprintf("the synthetic day of seed %d", seed), Synthetic: name == ""}
	var err error
	if t.Synthetic {
		t.Jobs, err = workload.SyntheticFB2010(workload.Stream(seed, workload.Trace, 0))
	} else {
		t.Name = "the trace " + filepath.Base(name)
		if name == "-" {
			t.Name = "the trace on standard input"
		}
		err = t.read(name)
	}
	if err != nil {
		return Trace{}, err
	}
	if t.Len() == 0 {
		return Trace{}, program.Usagef("%s: the trace holds no jobs", name)
	}
	if first > 0 && first < t.Len() {
		t.Name = fmt.Sprintf("the first %d jobs of %s", first, t.Name)
		t.Jobs, t.Specs = t.Jobs[:min(first, len(t.Jobs))], t.Specs[:min(first, len(t.Specs))]
	}
	return t, nil
}

// Read is Open for programs that need the bytes of a SWIM trace.
func Read(name string, seed uint64, first int) (Trace, error) {
	t, err := Open(name, seed, first)
	if err == nil && t.Specs != nil {
		return Trace{}, program.Usagef("%s: a job file or a log in SWF, want a SWIM trace: jobs are made of its bytes", name)
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
	sizes, err := workload.Sizes(nil, t.Jobs, dn, load)
	if err != nil {
		return nil, err
	}
	jobs := make([]fluid.Job, len(t.Jobs))
	for i, j := range t.Jobs {
		jobs[i] = fluid.Job{Arrival: j.Submit, Size: sizes[i], Estimate: sizes[i]}
	}
	return jobs, nil
}

// read reads a file.
func (t *Trace) read(name string) error {
	in, err := program.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	file, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	if t.Jobs, err = workload.ReadSWIM(bytes.NewReader(file)); err != nil { // another format, or none
		t.Specs, err = workload.ReadJobs(bytes.NewReader(file))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
