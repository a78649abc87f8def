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

// Load reads the SWIM trace in the named file, or makes the synthetic day from seed when name is empty, and gives each job
// HFSP's size for a disk to network ratio dn and a load. When first is positive only that many jobs are taken, and put under
// that load.
func Load(name string, seed uint64, dn, load float64, first int) (Workload, error) {
	w := Workload{Name: fmt.Sprintf("the synthetic day of seed %d", seed), Synthetic: name == ""}
	var jobs []workload.SWIMJob
	var err error
	if w.Synthetic {
		jobs, err = workload.SyntheticFB2010(workload.Stream(seed, workload.Trace, 0))
	} else {
		w.Name = "the trace " + filepath.Base(name)
		jobs, err = readFile(name)
	}
	if err != nil {
		return Workload{}, err
	}
	if len(jobs) == 0 {
		return Workload{}, report.Usagef("%s: the trace holds no jobs", name)
	}
	if first > 0 && first < len(jobs) {
		w.Name = fmt.Sprintf("the first %d jobs of %s", first, w.Name)
		jobs = jobs[:first]
	}
	sizes, err := workload.Sizes(nil, jobs, dn, load)
	if err != nil {
		if !w.Synthetic {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return Workload{}, err
	}
	w.Jobs = make([]fluid.Job, len(jobs))
	for i, j := range jobs {
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
