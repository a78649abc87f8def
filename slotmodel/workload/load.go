package workload

import (
	"bytes"
	"io"
	"os"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// Load reads the jobs of a file, ready for slotmodel.Run, whatever its format: ReadJobs describes the formats, the cost and the errors.
// Errors of the operating system are returned as they are, or wrapped.
func Load(path string) ([]slotmodel.JobSpec, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readJobs("Load", "path", f)
}

// ReadJobs reads jobs, ready for slotmodel.Run, from a job file or a SWIM trace, plain or gzip. The content tells which.
//
// A SWIM trace becomes jobs by Explode with its zero options: HFSP's 72 map and 36 reduce slots under a load of .9, one user. For
// other options call ReadSWIM and Explode.
//
// A job file is this package's own format and carries everything that a slotmodel.JobSpec has. Its first line is a header: the names,
// separated by single tabs, of some of these columns in any order.
//
//	submit                     Arrival, s
//	user                       User
//	deadline                   Deadline, s
//	priority                   Priority: any number, Inf and -Inf
//	maps, reduces              Tasks of Maps and Reduces
//	map_s, reduce_s            Work of each task, s
//	map_works, reduce_works    Works: s for each task, with commas between them; empty for none
//	map_memory, reduce_memory  Memory of each attempt, bytes, at most 2^900
//	slowstart                  Slowstart, at most 1
//	input, shuffle, output     bytes
//	copies                     Copies
//	replicas                   Replicas: nodes, or -1, with commas between them; empty for none
//	walltime, crash, cancel    s
//	rigid                      Rigid: 0 or 1
//
// Of these submit, maps and map_s must be there. Without a column its field is zero in every job, but Slowstart is .95. Each further
// line has one field for each name. Numbers are decimals >= 0, with an optional fraction and exponent unless they count something;
// there are no plus signs, blanks, underscores or hexadecimal. Lines end in LF or CRLF, the last one perhaps in neither; empty lines
// after the last job are skipped. The jobs keep their order, whatever their times. A file whose first line has the name of a column
// among its fields 2 to 6, where a SWIM trace has numbers, is a job file.
//
// The cost is O(bytes of the file). On error no jobs are returned. What is wrong with a line is a *ParseError: for a SWIM trace see
// ReadSWIM; in a job file a header with another name, a name twice or one of the three missing, a line with fewer or more
// fields than the header, an empty line with another one after it, a line over MaxLineBytes, a number that is none or out of its range, as many
// works as no tasks or replicas as no copies of the maps' blocks. An empty file is one, and so is a gzip stream that is cut off or has a wrong
// checksum, with Column 0. A trace that Explode refuses as a whole, and a nil r, are *schedmath.InputErrors; an error of r is that error, wrapped.
func ReadJobs(r io.Reader) ([]slotmodel.JobSpec, error) { return readJobs("ReadJobs", "r", r) }

// format is a file of jobs as far as it has been read.
type format interface {
	add(textLine) error
	specs() (jobs []slotmodel.JobSpec, reason string) // no jobs if something is wrong with them as a whole
}

// formatOf tells the format of a file from its first line.
func formatOf(l textLine) format {
	fields := bytes.SplitN(l.text, tab, swimColumns+1)
	numeric := fields[1:min(swimColumns, len(fields))] // in a SWIM trace
	if slices.ContainsFunc(numeric, func(f []byte) bool { return columnNamed(f) >= 0 }) {
		return new(jobFile)
	}
	return newSWIMTrace()
}

// readJobs is the function fn whose argument arg leads to r.
func readJobs(fn, arg string, r io.Reader) ([]slotmodel.JobSpec, error) {
	g := guard{fn: fn}
	if r == nil {
		g.arg(arg, "nil, want a reader")
		return nil, g.err
	}
	var file format
	for line, err := range lines(r) {
		if err == nil {
			if file == nil {
				file = formatOf(line)
			}
			err = file.add(line)
		}
		if err != nil {
			return nil, err
		}
	}
	if file == nil {
		return nil, &ParseError{Line: 1, Column: 1, Reason: "file is empty, want the header of a job file or a job of a SWIM trace"}
	}
	jobs, reason := file.specs()
	g.arg(arg, reason)
	return jobs, g.err
}
