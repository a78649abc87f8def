package workload

import (
	"io"
	"os"

	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
)

// Load reads the jobs of a file, ready for slotmodel.Run, whatever its format: ReadJobs has the
// formats, the cost and the errors. Of a log it takes FromLog's jobs, of a SWIM trace those that
// Explode makes with its zero options: HFSP's 72 map and 36 reduce slots under a load of .9. An error
// of the operating system, such as a file that does not exist, is returned as it is or wrapped.
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
// log, of which FromLog or Explode makes jobs; the other result is empty. A job file carries
// everything that a slotmodel.JobSpec has. Its first line is a header: the names, separated by
// single tabs, of some of these columns in any order, with "maps" or "map_s" among them.
//
//	submit                     Arrival, s
//	user                       User
//	deadline                   Deadline, s
//	priority                   Priority: any number, Inf and -Inf
//	maps, reduces              Tasks of Maps and Reduces
//	map_s, reduce_s            Work of each task, s
//	map_works, reduce_works    Works: s for each task, with commas between them; empty for none
//	map_memory, reduce_memory  Memory of each attempt, bytes
//	slowstart                  Slowstart, at most 1
//	input, shuffle, output     bytes
//	copies                     Copies
//	replicas                   Replicas: nodes, or -1, with commas between them; empty for none
//	walltime, requested        Walltime and Requested, s
//	crash, cancel              s
//	rigid                      Rigid: 0 or 1
//	after                      After: the number of another job of the file, counted from 1; 0 for none
//	think                      Think, s
//	dataset                    Dataset
//
// The columns submit, maps and map_s are required; without its column a field is zero, except
// Slowstart, which is .95. Each further line is a job, with one field for each name of the header;
// the jobs keep the order of the lines. Numbers are decimals without plus signs or blanks, >= 0
// where nothing else is said; times, works and bytes may have a fraction and an exponent and are at
// most 2^200. Lines end in LF or CRLF; empty lines after the last job are skipped.
//
// Errors are those of joblog.ReadJobs, and in a job file also a header with an unknown name, a name
// twice, or without a required column; a line with another number of fields than the header; and
// another number of works than tasks, or of replicas than copies times maps.
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
