package backfill

import (
	"cmp"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

const (
	processors = 128
	load       = .85
	badness    = 4 // of requests: uniform from the run time to five times of it, then rounded up
)

// asked are the times that users ask for, in seconds: round ones, as in real logs.
var asked = []float64{60, 120, 300, 600, 900, 1200, 1800, 3600, 2 * 3600, 3 * 3600, 4 * 3600, 5 * 3600, 6 * 3600, 8 * 3600, 10 * 3600, 12 * 3600, 18 * 3600, 24 * 3600, 36 * 3600, 48 * 3600}

// A Log is rigid jobs with requested times, in the order of arrival, and the machine that they ran
// on.
type Log struct {
	Name       string
	Processors int
	Jobs       []slotmodel.JobSpec
	tuned      int // jobs at the beginning on which forecasts were tuned
}

// synthetic is a log by the model of Lublin and Feitelson with arrivals scaled to the load. The
// model has no requested times: they are drawn with a badness, and rounded up.
func synthetic(seed uint64, replication, n int) (Log, error) {
	l := Log{Name: "synthetic", Processors: processors}
	var err error
	if l.Jobs, err = workload.LublinFeitelson(nil, n, processors, workload.Stream(seed, workload.Trace, uint64(replication))); err != nil {
		return l, err
	}
	offered, _, err := workload.OfferedLoad(processors, 1, l.Jobs)
	if err != nil {
		return l, err
	}
	src := workload.Stream(seed, workload.Errors, uint64(replication))
	for i := range l.Jobs {
		j := &l.Jobs[i]
		j.Arrival, j.Maps.Work = math.Floor(j.Arrival*offered/load), math.Ceil(j.Maps.Work) // whole seconds, as in real logs
		j.Requested = asked[len(asked)-1]
		wish := j.Maps.Work * (1 + badness*float64(src.Uint64()>>11)/(1<<53))
		if k, _ := slices.BinarySearch(asked, wish); k < len(asked) {
			j.Requested = asked[k]
		}
	}
	return l, nil
}

type archived struct {
	name, file string
	tuned      int
}

// archive are logs of the Parallel Workloads Archive, which are replayed where they lie in logs.
var archive = []archived{{"KTH", "KTH-SP2-1996-2.1-cln.swf.gz", 12000}, {"HPC2N", "HPC2N-2002-2.1-cln.swf.gz", 20000}}

const (
	logs  = "../shared/data/swf"
	first = 40000 // jobs of each that are played, at most
)

// atHand reads the logs of the archive that are there.
func atHand() (list []Log, err error) {
	for _, a := range archive {
		path := filepath.Join(filepath.FromSlash(logs), a.file)
		if _, missing := os.Stat(path); missing != nil {
			continue
		}
		l, err := real(a.name, path)
		if err != nil {
			return nil, err
		}
		l.Jobs, l.tuned = l.Jobs[:min(first, len(l.Jobs))], a.tuned
		list = append(list, l)
	}
	return list, nil
}

// real reads a log of the archive: the jobs that ran, also those that failed or were cancelled while
// they ran, each with a request of at least its run time; an unknown request is the longest of the log.
func real(name, file string) (Log, error) {
	l := Log{Name: name}
	read, err := open(file)
	if err != nil {
		return l, err
	}
	l.Processors = read.MaxProcs
	jobs, err := workload.FromLog(nil, read, workload.FromLogOptions{Requests: true})
	if err != nil {
		return l, err
	}
	for _, j := range jobs {
		if j.Maps.Work > 0 && j.Maps.Tasks <= l.Processors {
			j.Requested = math.Max(j.Requested, j.Maps.Work)
			j.Maps.Memory = 0
			l.Jobs = append(l.Jobs, j)
		}
	}
	slices.SortStableFunc(l.Jobs, func(a, b slotmodel.JobSpec) int { return cmp.Compare(a.Arrival, b.Arrival) })
	return l, nil
}

// open reads a log in the Standard Workload Format.
func open(file string) (joblog.Log, error) {
	in, err := program.Open(file)
	if err != nil {
		return joblog.Log{}, err
	}
	defer in.Close()
	return joblog.ReadJobs(in, joblog.ReadOptions{})
}
