package workload

import (
	"io"
	"os"

	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
)

// Load reads the jobs of a file, ready for slotmodel.Run, whatever its format; formats and errors
// are those of ReadJobs and of the operating system. Of a log it takes FromLog's jobs, of a SWIM
// trace those that Explode makes with its zero options: HFSP's 72 map and 36 reduce slots under a
// load of .9.
func Load(path string) ([]slotmodel.JobSpec, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	jobs, log, err := ReadJobs(f, joblog.ReadOptions{})
	switch {
	case err != nil || log.Format == joblog.NoFormat:
		return jobs, err
	case log.Format == joblog.SWIM:
		return Explode(nil, log.SWIM, ExplodeOptions{})
	}
	return FromLog(nil, log, FromLogOptions{})
}

// ReadJobs reads a job file, plain or gzip, into jobs, or else what joblog.ReadJobs reads, into
// log, of which FromLog or Explode makes jobs; the other result is empty.
//
// Errors: those of joblog.ReadJobs; of a job file a column unknown, twice or missing; a line with
// other fields than the header; other works than tasks, or replicas than copies times maps.
func ReadJobs(r io.Reader, o joblog.ReadOptions) (jobs []slotmodel.JobSpec, log joblog.Log, err error) {
	text, err := joblog.New(r, o)
	if err != nil {
		return nil, joblog.Log{}, err
	}
	if !text.IsJobFile() {
		log, err = text.Jobs()
		return nil, log, err
	}
	f := &jobFile{taken: text}
	for line, err := range text.Lines() {
		if err == nil {
			err = f.add(line)
		}
		if err != nil {
			return nil, joblog.Log{}, err
		}
	}
	jobs, err = f.jobs()
	return jobs, joblog.Log{}, err
}
