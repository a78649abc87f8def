package workload

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sacctColumns are the columns of sacct -P that are read, in lower case.
var sacctColumns = []string{"jobid", "jobidraw", "user", "account", "partition", "submit", "eligible", "start", "end", "state",
	"reqcpus", "alloccpus", "ncpus", "reqtres", "alloctres", "timelimit", "timelimitraw"}

var pipe = []byte{'|'}

// isSacct tells the output of sacct -P from its header.
func (l textLine) isSacct() bool {
	names := strings.Split(strings.ToLower(string(l.text)), "|")
	return len(names) > 1 && slices.ContainsFunc(names, func(n string) bool { return n == "jobid" || n == "jobidraw" || n == "submit" || n == "state" })
}

// sacctLog is the output of sacct -P as far as it has been read.
type sacctLog struct {
	in     *intake
	place  map[string]int // of each column that is read; nil: the header is to come
	width  int            // fields of the header
	fields [][]byte       // of the line
	starts []int          // of the fields in the line
	line   textLine
}

func (f *sacctLog) log() Log {
	f.in.settle()
	return f.in.log
}

// field is that of a column in the line, and whether there is one that says something.
func (f *sacctLog) field(name string) ([]byte, bool) {
	i, ok := f.place[name]
	if !ok {
		return nil, false
	}
	switch v := f.fields[i]; string(v) {
	case "", "Unknown", "None", "N/A", "UNKNOWN", "NONE":
		return nil, false
	default:
		return v, true
	}
}

// fault is the error of a column's field.
func (f *sacctLog) fault(name, reason string) error {
	i := f.place[name]
	return f.line.fault(f.starts[i]+1, name, f.fields[i], reason)
}

func (f *sacctLog) add(l textLine) error {
	f.line, f.fields, f.starts = l, f.fields[:0], f.starts[:0]
	for at, rest := 0, l.text; ; {
		field, after, more := bytes.Cut(rest, pipe)
		f.fields, f.starts = append(f.fields, field), append(f.starts, at)
		if at, rest = at+len(field)+1, after; !more {
			break
		}
	}
	if f.place == nil {
		return f.header()
	}
	if n, want := len(f.fields), f.width; n != want {
		return l.fault(len(l.text)+1, "", nil, "line has "+strconv.Itoa(n)+" fields, the header "+strconv.Itoa(want)+": names of jobs may hold the separator, leave JobName out")
	}
	return f.job()
}

// header takes the places of the columns.
func (f *sacctLog) header() error {
	f.place, f.width = map[string]int{}, len(f.fields)
	for i, field := range f.fields {
		name := columnName(string(field))
		if _, twice := f.place[name]; twice {
			return f.line.fault(f.starts[i]+1, "column", field, "is there twice")
		}
		if slices.Contains(sacctColumns, name) {
			f.place[name] = i
		}
	}
	amounts := []string{"AllocTRES", "ReqTRES"}
	if f.in.Resource == "" || f.in.Resource == "cpu" {
		amounts = append(amounts, "AllocCPUS", "ReqCPUS", "NCPUS")
	}
	for _, any := range [][]string{{"JobID", "JobIDRaw"}, {"Submit", "Eligible"}, {"Start"}, {"End"}, amounts} {
		if !slices.ContainsFunc(any, func(name string) bool { _, ok := f.place[columnName(name)]; return ok }) {
			return &ParseError{Line: f.line.number, Column: 1, Reason: "header of sacct has no column " + strings.Join(any, " or ")}
		}
	}
	return nil
}

// time reads the time in a column; NaN: it says none.
func (f *sacctLog) time(name string) (float64, error) {
	field, ok := f.field(name)
	if !ok {
		return math.NaN(), nil
	}
	if t, reason := number(field, 0, mostAmount); reason == "" { // SLURM_TIME_FORMAT=%s
		return t, nil
	}
	zone := f.in.Zone
	if zone == nil {
		zone = time.UTC
	}
	t, err := time.ParseInLocation("2006-01-02T15:04:05", string(field), zone)
	if err != nil {
		if t, err = time.Parse("2006-01-02T15:04:05Z0700", string(field)); err != nil {
			return 0, f.fault(name, "is no time, such as 2026-03-01T08:30:00")
		}
	}
	return float64(t.Unix()), nil
}

// job takes the job of the line; steps are passed over.
func (f *sacctLog) job() error {
	id := "jobid"
	if _, ok := f.place[id]; !ok {
		id = "jobidraw"
	}
	name, ok := f.field(id)
	if !ok {
		return f.fault(id, "is empty")
	}
	if bytes.IndexByte(name, '.') >= 0 && !bytes.Contains(name, []byte("...")) {
		return nil
	}
	tasks, reason := arrayTasks(name)
	if reason != "" {
		return f.fault(id, reason)
	}
	if _, reason := textFault(name); reason != "" {
		return f.fault(id, reason)
	}
	s := Span{Name: string(name)}
	for _, c := range []struct {
		column string
		to     *string
	}{{"user", &s.User}, {"account", &s.Team}, {"partition", &s.Queue}} {
		if v, ok := f.field(c.column); ok {
			if _, reason := textFault(v); reason != "" {
				return f.fault(c.column, reason)
			}
			*c.to = f.in.name(v)
		}
	}
	var times [4]float64
	for i, c := range [...]string{"submit", "eligible", "start", "end"} {
		t, err := f.time(c)
		if err != nil {
			return err
		}
		times[i] = t
	}
	state, _ := f.field("state")
	word, _, _ := bytes.Cut(state, []byte(" ")) // CANCELLED by 1001
	how := completed
	switch string(word) {
	case "REVOKED": // another cluster runs it
		return nil
	case "CANCELLED":
		how = cancelled
	case "FAILED", "NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY", "TIMEOUT", "DEADLINE", "PREEMPTED":
		how = failed
	}
	if string(word) == "PENDING" {
		times[2] = math.NaN() // the start that is expected
	}
	ran, waits := !math.IsNaN(times[2]), "eligible"
	s.From, s.Start, s.End = times[1], orNever(times[2]), orNever(times[3])
	if _, said := f.place[waits]; !said || ran && math.IsNaN(s.From) {
		s.From, waits = times[0], "submit"
	}
	switch {
	case math.IsNaN(s.From) && ran:
		return f.fault(waits, "is no time, but the job ran")
	case math.IsNaN(s.From), !ran && s.End <= s.From: // asked for nothing yet
		return nil
	}
	if i, reason := lived(s); reason != "" {
		return f.fault([]string{waits, "start", "end"}[i], reason)
	}
	amount, err := f.amount(ran)
	if err == nil && amount == 0 && s.Start == s.End { // cancelled while it waited, with that time as its start
		s.Start = math.Inf(1)
		amount, err = f.amount(false)
	}
	if err != nil {
		return err
	}
	s.Amount = amount * tasks
	requested, err := f.limit()
	if err != nil {
		return err
	}
	if reason, err = f.in.live(s, requested, how); reason != "" {
		return f.fault(id, reason)
	}
	return err
}

func orNever(t float64) float64 {
	if math.IsNaN(t) {
		return math.Inf(1)
	}
	return t
}

// arrayTasks is how many tasks a line stands for: those of an array that wait share one, whose name
// ends in a list such as _[3,7-9%2]. A step of a range stands behind a colon.
func arrayTasks(id []byte) (tasks float64, reason string) {
	_, list, ok := strings.Cut(string(id), "_[")
	if !ok {
		return 1, ""
	}
	list, _, _ = strings.Cut(strings.TrimSuffix(list, "]"), "%")
	for part := range strings.SplitSeq(list, ",") {
		ends, step, stepped := strings.Cut(part, ":")
		first, last, span := strings.Cut(ends, "-")
		if !span {
			last = first
		}
		a, err := strconv.ParseUint(first, 10, 32)
		b, err2 := strconv.ParseUint(last, 10, 32)
		n := uint64(1)
		var err3 error
		if stepped {
			n, err3 = strconv.ParseUint(step, 10, 32)
		}
		if err != nil || err2 != nil || err3 != nil || b < a || n == 0 {
			return 0, "has a list of tasks that cannot be counted: SLURM_BITSTR_LEN=0 makes Slurm write it whole"
		}
		tasks += float64((b-a)/n + 1)
	}
	return tasks, ""
}

// amount is what one task of the line's job had, or asked for if it did not run.
func (f *sacctLog) amount(ran bool) (float64, error) {
	resource := f.in.Resource
	if resource == "" {
		resource = "cpu"
	}
	columns := []string{"reqtres", "reqcpus", "alloctres", "alloccpus", "ncpus"}
	if ran {
		columns = []string{"alloctres", "alloccpus", "ncpus", "reqtres", "reqcpus"}
	}
	for _, c := range columns {
		value, ok := f.field(c)
		if !ok {
			continue
		}
		if strings.HasSuffix(c, "tres") {
			x, reason := tres(value, resource)
			if reason != "" {
				return 0, f.fault(c, reason)
			}
			return x, nil
		}
		if resource == "cpu" {
			n, reason := number(value, 0, maxTasks)
			if reason != "" {
				return 0, f.fault(c, reason)
			}
			return n, nil
		}
	}
	return 0, nil
}

// sameResource is whether a name of a resource is the wanted one, or ends in it: gpu is gres/gpu and
// nvidia.com/gpu.
func sameResource(name, want string) bool {
	return name == want || strings.HasSuffix(name, "/"+want)
}

// tres is the amount of a resource in a list such as cpu=8,mem=16G,gres/gpu=2; 0 where it is not.
func tres(list []byte, resource string) (x float64, reason string) {
	if resource == "memory" {
		resource = "mem"
	}
	for part := range bytes.SplitSeq(list, []byte(",")) {
		name, value, ok := bytes.Cut(part, []byte("="))
		if !ok {
			return 0, "is no list of resources such as cpu=8,mem=16G"
		}
		if !sameResource(string(name), resource) {
			continue
		}
		unit := 1.0
		if n := len(value); n > 0 {
			if k := strings.IndexByte("KMGTP", value[n-1]); k >= 0 {
				unit, value = math.Pow(kilobyte, float64(k+1)), value[:n-1]
			}
		}
		y, reason := number(value, 0, mostAmount/0x1p60)
		if reason != "" {
			return 0, "has an amount of " + resource + " that " + reason
		}
		x += y * unit
	}
	return x, ""
}

// limit is the time limit of the line's job, s; 0: none that is known.
func (f *sacctLog) limit() (float64, error) {
	if raw, ok := f.field("timelimitraw"); ok && string(raw) != "UNLIMITED" && string(raw) != "Partition_Limit" {
		minutes, reason := number(raw, 0, mostAmount/60)
		if reason != "" {
			return 0, f.fault("timelimitraw", reason)
		}
		return 60 * minutes, nil
	}
	limit, ok := f.field("timelimit")
	if !ok || string(limit) == "UNLIMITED" || string(limit) == "Partition_Limit" {
		return 0, nil
	}
	days, clock, dated := strings.Cut(string(limit), "-")
	if !dated {
		days, clock = "0", string(limit)
	}
	seconds, reason := number([]byte(days), 0, 1e6)
	parts := strings.Split(clock, ":")
	if len(parts) != 3 {
		reason = "no"
	}
	seconds *= 24
	for i, p := range parts {
		x, fault := number([]byte(p), 0, 1e6)
		if fault != "" {
			reason = fault
		}
		if seconds += x; i < 2 {
			seconds *= 60
		}
	}
	if reason != "" {
		return 0, f.fault("timelimit", "is no time limit such as 1-02:30:00")
	}
	return seconds, nil
}
