package workload

import (
	"bytes"
	"io"
	"os"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
)

// Load reads the jobs of a file, ready for slotmodel.Run, whatever its format: ReadJobs describes
// the formats, the cost and the errors. An error of the operating system, such as a file that does
// not exist, is returned as it is or wrapped.
func Load(path string) ([]slotmodel.JobSpec, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readJobs("Load", "path", f)
}

// ReadJobs reads jobs, ready for slotmodel.Run, from a job file, a SWIM trace or a log in the
// Standard Workload Format (SWF), plain or gzip. The content tells which.
//
// A SWIM trace becomes jobs by Explode with its zero options: HFSP's 72 map and 36 reduce slots
// under a load of .9, one user. For other options call ReadSWIM and Explode.
//
// A log in the Standard Workload Format 2.2 has 18 numbers to a job with blanks or tabs between
// them, and comments behind semicolons; further fields are passed over. A job becomes a rigid one
// without reduces: as many maps as processors were requested, or else allocated, each as long as
// the run time. It arrives at the submit time and has the number of its user, 0 where that is
// unknown. Waits, requested times and memory, and preceding jobs are not used. Left out are jobs
// without a run time or processors, and the lines of the parts of a checkpointed job (status 2 to
// 4), which has a line for the whole.
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
//	walltime, crash, cancel    s
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
// A file is a job file if one of the fields 2 to 6 of its first line is the name of a column; those
// of a SWIM trace are numbers. A file is a log in SWF if its first line is a comment behind a
// semicolon, or begins with 18 numbers.
//
// The cost is O(bytes of the file). On error no jobs are returned. Faults of the file are
// *ParseErrors. Those of a SWIM trace are ReadSWIM's. In a job file they are
//   - a header with an unknown name, with a name twice, or without a required column;
//   - a line with fewer or more fields than the header, a blank line, a comment, an empty line
//     before a job, a line over MaxLineBytes;
//   - a field that is no number or out of its range;
//   - a number of works other than the number of tasks, or of replicas other than copies times
//     maps.
//
// In a log they are a line of fewer than 18 fields, and a field that is used and is no number or
// out of its range.
//
// An empty file is a *ParseError too, and so is a gzip stream that is cut off or has
// a wrong checksum; Column is 0 then. A trace that Explode refuses, and a nil r, are
// *schedmath.InputErrors. An error of r is returned wrapped and is not schedmath.ErrInput.
func ReadJobs(r io.Reader) ([]slotmodel.JobSpec, error) { return readJobs("ReadJobs", "r", r) }

// format is a file of jobs as far as it has been read.
type format interface {
	add(textLine) error
	// No jobs if something is wrong with them as a whole.
	specs() (jobs []slotmodel.JobSpec, reason string)
}

// formatOf tells the format of a file from its first line.
func formatOf(l textLine) format {
	fields := bytes.SplitN(l.text, tab, swimColumns+1)
	numeric := fields[1:min(swimColumns, len(fields))] // in a SWIM trace
	if slices.ContainsFunc(numeric, func(f []byte) bool { return columnNamed(f) >= 0 }) {
		return new(jobFile)
	}
	if l.isSWF() {
		return new(swfLog)
	}
	return newSWIMTrace()
}

// readJobs is the function fn whose argument arg leads to r.
func readJobs(fn, arg string, r io.Reader) ([]slotmodel.JobSpec, error) {
	var file format
	err := readLines(fn, arg, r, func(l textLine) error {
		if file == nil {
			file = formatOf(l)
		}
		return file.add(l)
	})
	if err != nil {
		return nil, err
	}
	if file == nil {
		return nil, &ParseError{Line: 1, Column: 1, Reason: "file is empty, want the header of a job file or a job of a SWIM trace"}
	}
	g := guard{fn: fn}
	jobs, reason := file.specs()
	g.arg(arg, reason)
	return jobs, g.err
}

// readLines gives the lines of r, to which argument arg of the function fn leads, to add. It
// stops at the first error.
func readLines(fn, arg string, r io.Reader, add func(textLine) error) error {
	if r == nil {
		return &schedmath.InputError{Func: "workload." + fn, Arg: arg, Index: -1, Reason: "nil, want a reader"}
	}
	for line, err := range lines(r) {
		if err == nil {
			err = add(line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
