// Package replay loads the workload that an example replays: a SWIM trace, or the synthetic day that stands in for one, as jobs of
// the fluid model.
package replay

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// A Workload is jobs for one fluid server of speed 1, in the order of the trace, with exact estimates.
type Workload struct {
	Name      string // for people: what was replayed
	Synthetic bool
	Jobs      []fluid.Job
}

// A Trace is the jobs of a SWIM trace.
type Trace struct {
	Name      string // for people: what is replayed
	Synthetic bool
	Jobs      []workload.SWIMJob
}

// Read reads the SWIM trace in the named file, or makes the synthetic day from seed when name is empty. When first is positive only that many
// jobs are taken.
func Read(name string, seed uint64, first int) (Trace, error) {
	t := Trace{Name: fmt.Sprintf("the synthetic day of seed %d", seed), Synthetic: name == ""}
	var err error
	if t.Synthetic {
		t.Jobs, err = workload.SyntheticFB2010(workload.Stream(seed, workload.Trace, 0))
	} else {
		t.Name = "the trace " + filepath.Base(name)
		t.Jobs, err = readFile(name)
	}
	if err != nil {
		return Trace{}, err
	}
	if len(t.Jobs) == 0 {
		return Trace{}, report.Usagef("%s: the trace holds no jobs", name)
	}
	if first > 0 && first < len(t.Jobs) {
		t.Name = fmt.Sprintf("the first %d jobs of %s", first, t.Name)
		t.Jobs = t.Jobs[:first]
	}
	return t, nil
}

// Load reads a trace and gives each job HFSP's size for a disk to network ratio dn, with all of them under a load.
func Load(name string, seed uint64, dn, load float64, first int) (Workload, error) {
	t, err := Read(name, seed, first)
	if err != nil {
		return Workload{}, err
	}
	sizes, err := workload.Sizes(nil, t.Jobs, dn, load)
	if err != nil {
		if !t.Synthetic {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return Workload{}, err
	}
	w := Workload{Name: t.Name, Synthetic: t.Synthetic, Jobs: make([]fluid.Job, len(t.Jobs))}
	for i, j := range t.Jobs {
		w.Jobs[i] = fluid.Job{Arrival: j.Submit, Size: sizes[i], Estimate: sizes[i]}
	}
	return w, nil
}

func readFile(name string) ([]workload.SWIMJob, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	jobs, err := workload.ReadSWIM(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return jobs, nil
}
