package workload

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
)

// column is a column of a job file: a field of a slotmodel.JobSpec and the range of its numbers.
type column struct {
	name        string
	least, most float64
	field       func(*slotmodel.JobSpec) any // *float64, *int, *bool, *[]float64 or *[]int32
}

// mostAmount is the greatest time, work or number of bytes that slotmodel.Run takes.
const mostAmount = 0x1p200

const (
	maxTasks     = 1<<29 - 1 // slotmodel.Run takes no more
	defaultTasks = 1 << 24
)

// columns are those of a job file in the order in which WriteJobs writes them. ReadJobs describes
// them.
var columns = []column{
	{"submit", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Arrival }},
	{"user", 0, math.MaxInt32 / 2, func(j *slotmodel.JobSpec) any { return &j.User }},
	{"deadline", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Deadline }},
	{"priority", math.Inf(-1), math.Inf(1), func(j *slotmodel.JobSpec) any { return &j.Priority }},
	{"maps", 0, maxTasks, func(j *slotmodel.JobSpec) any { return &j.Maps.Tasks }},
	{"map_s", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Maps.Work }},
	{"map_works", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Maps.Works }},
	{"map_memory", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Maps.Memory }},
	{"reduces", 0, maxTasks, func(j *slotmodel.JobSpec) any { return &j.Reduces.Tasks }},
	{"reduce_s", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Reduces.Work }},
	{"reduce_works", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Reduces.Works }},
	{"reduce_memory", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Reduces.Memory }},
	{"slowstart", 0, 1, func(j *slotmodel.JobSpec) any { return &j.Slowstart }},
	{"input", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Input }},
	{"shuffle", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Shuffle }},
	{"output", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Output }},
	{"copies", 0, math.MaxInt32 / 2, func(j *slotmodel.JobSpec) any { return &j.Copies }},
	{"replicas", -1, math.MaxInt32, func(j *slotmodel.JobSpec) any { return &j.Replicas }},
	{"walltime", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Walltime }},
	{"requested", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Requested }},
	{"crash", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Crash }},
	{"cancel", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Cancel }},
	{"rigid", 0, 1, func(j *slotmodel.JobSpec) any { return &j.Rigid }},
	{"after", 0, math.MaxInt32, func(j *slotmodel.JobSpec) any { return &j.After }},
	{"think", 0, mostAmount, func(j *slotmodel.JobSpec) any { return &j.Think }},
	{"dataset", 0, math.MaxInt32, func(j *slotmodel.JobSpec) any { return &j.Dataset }},
}

// neededColumns are those without which a job means nothing.
var neededColumns = [...]string{"submit", "maps", "map_s"}

// columnNamed is the index of a column, -1 if there is none of this name.
func columnNamed(name []byte) int {
	return slices.IndexFunc(columns, func(c column) bool { return c.name == string(name) })
}

const partBytes = 1 << 16 // of the text that is kept in one piece

// jobFile is a job file as far as it has been read. Of its jobs it keeps the text, which is shorter
// by far, until all are known.
type jobFile struct {
	header []int    // index of each of its columns; nil before it is read
	text   [][]byte // of the jobs, each line with its end
	last   slotmodel.JobSpec
	taken  *joblog.Text
	n      int // jobs
}

// jobs are those of the text.
func (f *jobFile) jobs() ([]slotmodel.JobSpec, error) {
	if f.n == 0 {
		return nil, nil
	}
	jobs := make([]slotmodel.JobSpec, f.n)
	n := 0
	for i, part := range f.text {
		for line := range bytes.Lines(part) {
			if err := f.read(&jobs[n], joblog.Line{Text: line[:len(line)-1]}); err != nil {
				return nil, err
			}
			n++
		}
		f.text[i] = nil
	}
	return jobs, nil
}

// add takes the next line, the first of which is the header.
func (f *jobFile) add(l joblog.Line) error {
	if f.header == nil {
		return f.addHeader(l)
	}
	if err := f.read(&f.last, l); err != nil {
		return err
	}
	if reason := cmp.Or(lengthFault(&f.last), f.taken.Take(f.last.Maps.Tasks+f.last.Reduces.Tasks)); reason != "" {
		return &joblog.ParseError{Line: l.Number, Column: 1, Reason: reason}
	}
	last := len(f.text) - 1
	if last < 0 || cap(f.text[last])-len(f.text[last]) <= len(l.Text) {
		f.text, last = append(f.text, make([]byte, 0, max(partBytes, len(l.Text)+1))), last+1
	}
	f.text[last] = append(append(f.text[last], l.Text...), '\n')
	f.n++
	return nil
}

// read reads the job of a line.
func (f *jobFile) read(job *slotmodel.JobSpec, l joblog.Line) error {
	*job = slotmodel.JobSpec{Slowstart: Slowstart}
	if err := l.Count(len(f.header), len(f.header)); err != nil {
		return err
	}
	i, start := 0, 0
	for field := range bytes.SplitSeq(l.Text, []byte{'\t'}) {
		c := &columns[f.header[i]]
		if at, value, reason := c.read(job, field); reason != "" {
			return l.Fault(start+at+1, c.name, value, reason)
		}
		i, start = i+1, start+len(field)+1
	}
	return nil
}

func (f *jobFile) addHeader(l joblog.Line) error {
	start := 0
	for name := range bytes.SplitSeq(l.Text, []byte{'\t'}) {
		c := columnNamed(name)
		reason := ""
		switch {
		case c < 0:
			reason = "is no column of a job file"
		case slices.Contains(f.header, c):
			reason = "is there twice"
		}
		if reason != "" {
			return l.Fault(start+1, "column", name, reason)
		}
		f.header = append(f.header, c)
		start += len(name) + 1
	}
	for _, name := range neededColumns {
		if !slices.Contains(f.header, columnNamed([]byte(name))) {
			return &joblog.ParseError{Line: l.Number, Column: len(l.Text) + 1, Reason: "header has no column " + strconv.Quote(name)}
		}
	}
	return nil
}

// read sets the column's field of a job. It returns what is wrong, with which value, and where in
// the field of the file that starts.
func (c *column) read(j *slotmodel.JobSpec, field []byte) (at int, value []byte, reason string) {
	switch x := c.field(j).(type) {
	case *float64:
		*x, reason = joblog.Number(field, c.least, c.most)
	case *int:
		*x, reason = c.whole(field)
	case *bool:
		n := 0
		n, reason = c.whole(field)
		*x = n == 1
	case *[]float64:
		return readList(x, field, func(f []byte) (float64, string) { return joblog.Number(f, c.least, c.most) })
	case *[]int32:
		return readList(x, field, func(f []byte) (int32, string) { n, reason := c.whole(f); return int32(n), reason })
	}
	return 0, field, reason
}

// readList reads values with commas between them; an empty field is nil.
func readList[T any](xs *[]T, field []byte, read func([]byte) (T, string)) (at int, value []byte, reason string) {
	if len(field) == 0 {
		return 0, field, ""
	}
	for value := range bytes.SplitSeq(field, []byte{','}) {
		x, reason := read(value)
		if reason != "" {
			return at, value, reason
		}
		*xs = append(*xs, x)
		at += len(value) + 1
	}
	return 0, field, ""
}

// whole reads a field that must be a whole number in the column's range.
func (c *column) whole(field []byte) (n int, reason string) {
	x, err := strconv.ParseInt(string(field), 10, 64)
	switch {
	case len(field) == 0:
		return 0, "is empty, want a number"
	case errors.Is(err, strconv.ErrSyntax) || field[0] == '+':
		return 0, "is no whole number"
	case x < int64(c.least):
		return 0, "is less than " + text(c.least)
	case x > int64(c.most):
		return 0, "is more than " + strconv.Itoa(int(c.most))
	}
	return int(x), ""
}

// appendNumber writes x so that joblog.Number reads the same float64, without exponent below 1e21.
func appendNumber(b []byte, x float64) []byte {
	switch {
	case x == 0:
		return append(b, '0') // not "-0"
	case math.Abs(x) < 1e21:
		return strconv.AppendFloat(b, x, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, x, 'e', -1, 64)
}

// append writes the column's field of a job, and says what would keep it from being read back.
func (c *column) append(b []byte, j *slotmodel.JobSpec) (out []byte, reason string) {
	put := func(i int, x float64) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNumber(b, x)
		if reason == "" && !(c.least <= x && x <= c.most) {
			reason = fmt.Sprintf("%s is %v, want a number within [%v, %v]", c.name, x, c.least, c.most)
		}
	}
	switch x := c.field(j).(type) {
	case *float64:
		put(0, *x)
	case *int:
		put(0, float64(*x))
	case *bool:
		n := 0.0
		if *x {
			n = 1
		}
		put(0, n)
	case *[]float64:
		for i, y := range *x {
			put(i, y)
		}
	case *[]int32:
		for i, y := range *x {
			put(i, float64(y))
		}
	}
	return b, reason
}

// lengthFault says which list of a job has another length than its numbers of tasks and copies ask
// for, "" if none has. A list that is not nil, but empty, would read back as nil.
func lengthFault(j *slotmodel.JobSpec) string {
	for _, f := range [...]struct {
		name  string
		phase *slotmodel.Phase
	}{{"map", &j.Maps}, {"reduce", &j.Reduces}} {
		if f.phase.Works != nil && len(f.phase.Works) != f.phase.Tasks {
			return fmt.Sprintf("%s_works has %d numbers for %d tasks", f.name, len(f.phase.Works), f.phase.Tasks)
		}
	}
	if j.Replicas != nil && (j.Copies < 1 || int64(len(j.Replicas)) != int64(j.Copies)*int64(j.Maps.Tasks)) {
		return fmt.Sprintf("replicas has %d nodes for %d copies of the blocks of %d maps", len(j.Replicas), j.Copies, j.Maps.Tasks)
	}
	return ""
}

// WriteJobs writes a job file with all columns, from which ReadJobs reads the same jobs: a run of
// them has the same event log.
//
// Errors: those of w; a nil w; a number out of its column's range; Works or Replicas of another
// length than slotmodel.Run wants; a line longer than 16 MiB. Lines before it may have been
// written.
func WriteJobs(w io.Writer, jobs []slotmodel.JobSpec) error {
	g := guard{fn: "WriteJobs"}
	if w == nil {
		g.arg("w", "nil, want a writer")
	}
	if g.err != nil {
		return g.err
	}
	out := bufio.NewWriter(w)
	var line []byte
	for _, c := range columns {
		line = append(append(line, c.name...), '\t')
	}
	line[len(line)-1] = '\n'
	if _, err := out.Write(line); err != nil {
		return err
	}
	for i := range jobs {
		g.elem("jobs", i, lengthFault(&jobs[i]))
		line = line[:0]
		for k := range columns {
			if k > 0 {
				line = append(line, '\t')
			}
			var reason string
			line, reason = columns[k].append(line, &jobs[i])
			g.elem("jobs", i, reason)
		}
		if len(line) > joblog.MaxLine {
			g.elem("jobs", i, "line of "+strconv.Itoa(len(line))+" bytes, want at most "+strconv.Itoa(joblog.MaxLine))
		}
		if g.err != nil {
			return g.err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}
