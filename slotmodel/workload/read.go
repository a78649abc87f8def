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

// ReadJobs reads a job file, plain or gzip, into jobs, or else what joblog.ReadJobs reads, into log,
// of which FromLog or Explode makes jobs; the other result is empty. The first line tells: that of a
// job file has a field "maps" or "map_s".
//
// A job file is this package's own format and carries everything that a slotmodel.JobSpec has.
// Its first line is a header: the names, separated by single tabs, of some of these columns in any
// order.
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
// The columns submit, maps and map_s are required. A field without a column is zero in every job,
// except Slowstart, which is .95. Each further line is a job, with one field for each name of the
// header. Numbers are decimals; those that are no counts may have a fraction and an exponent. Where
// nothing else is said numbers are >= 0, and times, works and bytes at most 2^200, the greatest
// that slotmodel.Run takes. Plus signs, blanks, underscores and hexadecimal are errors. Lines end
// in LF or CRLF, the last one perhaps in neither; empty lines after the last job are skipped. The
// jobs keep the order of the lines, whatever their times.
//
// The cost is O(bytes of the file), of memory that of the jobs and the text. Errors are those of
// joblog.ReadJobs. In a job file they are also
//   - a header with an unknown name, with a name twice, or without a required column;
//   - a line with fewer or more fields than the header, a blank line, a comment, an empty line
//     before a job;
//   - a number of works other than the number of tasks, or of replicas other than copies times
//     maps.
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
