package joblog

import (
	"bytes"
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/schedmath/schedmath/internal/slurm"
)

// sacctColumns are the columns of sacct -P that are read, in lower case.
var sacctColumns = []string{"jobid", "jobidraw", "user", "account", "partition", "submit", "eligible", "start", "end", "state",
	"reqcpus", "alloccpus", "ncpus", "reqtres", "alloctres", "timelimit", "timelimitraw", "suspended", "elapsedraw"}

// sacctLog is the output of sacct -P as far as it has been read.
type sacctLog struct {
	in     *intake
	place  map[string]int // of each column that is read; nil: the header is to come
	width  int            // fields of the header
	fields []string       // of the line
	line   Line
	err    error // its first
}

// field is that of a column in the line, "" if it says nothing.
func (f *sacctLog) field(name string) string {
	i, ok := f.place[name]
	if !ok {
		return ""
	}
	switch v := f.fields[i]; v {
	case "Unknown", "None", "N/A", "UNKNOWN", "NONE":
		return ""
	default:
		return v
	}
}

// fault keeps the first error of the line: that of a column's field.
func (f *sacctLog) fault(column, reason string) {
	if f.err == nil {
		f.err = f.faultAt(f.place[column], column, reason)
	}
}

func (f *sacctLog) faultAt(i int, name, reason string) error {
	before := strings.Join(append(f.fields[:i:i], ""), bar)
	return f.line.Fault(len(before)+1, name, []byte(f.fields[i]), reason)
}

func (f *sacctLog) add(l Line) error {
	f.line, f.err = l, nil
	if f.place == nil {
		f.fields = strings.Split(string(l.Text), bar)
		return ofFile(f.header())
	}
	f.in.lines++
	if n := bytes.Count(l.Text, []byte(bar)) + 1; n != f.width {
		err := l.Fault(len(l.Text)+1, "", nil, "line has "+strconv.Itoa(n)+" fields, the header "+strconv.Itoa(f.width)+": names of jobs may hold the separator, leave JobName out")
		if e, ok := err.(*ParseError); ok {
			e.kind = "line has another number of fields than the header"
		}
		return err
	}
	f.fields = strings.Split(string(l.Text), bar)
	f.job()
	return f.err
}

// time reads the time in a column; NaN: it says none.
func (f *sacctLog) time(column string) float64 {
	field := f.field(column)
	if field == "" {
		return math.NaN()
	}
	if t := slurm.Date(field, f.zone()); !math.IsNaN(t) {
		return t
	}
	x, reason := Number([]byte(field), 0, mostTime) // SLURM_TIME_FORMAT=%s
	if reason != "" {
		f.fault(column, "is no time, such as 2026-03-01T08:30:00")
	}
	return x
}

func (f *sacctLog) zone() *time.Location { return cmp.Or(f.in.options.Zone, time.UTC) }

// twice says so if the time in a column is one that clocks showed twice, as on a night in autumn.
func (f *sacctLog) twice(name string) string {
	t, err := time.ParseInLocation(slurm.Layout, f.field(name), f.zone())
	for _, d := range [...]time.Duration{-time.Hour, time.Hour} {
		if err == nil && t.Add(d).Format(slurm.Layout) == t.Format(slurm.Layout) {
			return "; clocks of " + f.zone().String() + " showed the hour of " + f.field(name) + " twice, and sacct does not say which it means: print the log with SLURM_TIME_FORMAT=%s"
		}
	}
	return ""
}

// states are how jobs ended that did not complete.
var states = map[string]State{"CANCELLED": Cancelled, "FAILED": Failed, "NODE_FAIL": Failed, "BOOT_FAIL": Failed, "OUT_OF_MEMORY": Failed,
	"TIMEOUT": Failed, "DEADLINE": Failed, "PREEMPTED": Failed, "REQUEUED": Failed}

// name reads a name in a column.
func (f *sacctLog) name(column string) string {
	field := f.field(column)
	if _, reason := textFault([]byte(field)); reason != "" {
		f.fault(column, reason)
	}
	return field
}

// job takes the job of the line; steps are passed over.
func (f *sacctLog) job() {
	id := "jobid"
	if _, ok := f.place[id]; !ok {
		id = "jobidraw"
	}
	name := f.name(id)
	state, _, _ := strings.Cut(f.field("state"), " ") // as CANCELLED by 1001
	switch {
	case name == "":
		f.fault(id, "is empty")
	case strings.Contains(name, ".") && !strings.Contains(name, "..."): // a step
		return
	case state == "REVOKED": // another cluster runs it
		return
	}
	tasks, reason := arrayTasks(name)
	if reason != "" {
		f.fault(id, reason)
	}
	submit, eligible, start, end := f.time("submit"), f.time("eligible"), f.time("start"), f.time("end")
	if state == "PENDING" {
		start = math.NaN() // what is expected
	}
	ran, waits := !math.IsNaN(start), "eligible"
	j := Job{ID: strings.Clone(name), User: f.in.name(f.name("user")), Team: f.in.name(f.name("account")), Queue: f.in.name(f.name("partition")),
		Submit: eligible, Start: orNever(start), End: orNever(end), Array: tasks}
	if _, said := f.place[waits]; !said || ran && math.IsNaN(eligible) {
		j.Submit, waits = submit, "submit"
	}
	switch {
	case math.IsNaN(j.Submit) && ran:
		f.fault(waits, "is no time, but the job ran")
	case math.IsNaN(j.Submit), !ran && j.End <= j.Submit: // asked for nothing yet
		return
	}
	if i, reason := lived(&j); reason != "" {
		columns := [...]string{waits, "start", "end"}
		f.fault(columns[i], reason+cmp.Or(f.twice(waits), f.twice("start"), f.twice("end")))
	}
	j.Amount = f.amount(ran)
	if j.Amount == 0 && j.Start == j.End { // cancelled while it waited, with that time as its start
		j.Start = math.Inf(1)
		j.Amount = f.amount(false)
	}
	j.Amount *= float64(max(1, tasks))
	j.Suspended = f.suspended(j.Start, j.End)
	if f.in.each == nil { // no Span needs it
		j.Requested = f.limit()
	}
	if f.err != nil {
		return
	}
	j.State = Completed
	if how, otherwise := states[state]; otherwise {
		j.State = how
	}
	reason, f.err = f.in.live(&j)
	if reason != "" {
		f.fault(id, reason)
	}
}

func orNever(t float64) float64 {
	if math.IsNaN(t) {
		return math.Inf(1)
	}
	return t
}

var taskColumn = column{name: "task", most: maxTasks, whole: true}

// arrayTasks is how many tasks of an array wait in a line, whose name ends in a list of them such
// as _[3,7-9%2]; 0: it is no such line. A step of a range stands behind a colon.
func arrayTasks(id string) (tasks int, reason string) {
	_, list, ok := strings.Cut(id, "_[")
	if !ok {
		return 0, ""
	}
	list, _, _ = strings.Cut(strings.TrimSuffix(list, "]"), "%")
	for part := range strings.SplitSeq(list, ",") {
		ends, step, stepped := strings.Cut(part, ":")
		if !stepped {
			step = "1"
		}
		first, last, several := strings.Cut(ends, "-")
		if !several {
			last = first
		}
		a, fault1 := taskColumn.read([]byte(first))
		b, fault2 := taskColumn.read([]byte(last))
		n, fault3 := taskColumn.read([]byte(step))
		if tasks += int((b-a)/max(1, n)) + 1; fault1+fault2+fault3 != "" || b < a || n == 0 || tasks > maxTasks {
			return 0, "has a list of tasks that cannot be counted: SLURM_BITSTR_LEN=0 makes Slurm write it whole"
		}
	}
	return tasks, ""
}

// amount is what one task of the line's job had, or asked for if it did not run.
func (f *sacctLog) amount(ran bool) float64 {
	columns := [...]string{"reqtres", "reqcpus", "alloctres", "alloccpus", "ncpus"}
	if ran {
		columns = [...]string{"alloctres", "alloccpus", "ncpus", "reqtres", "reqcpus"}
	}
	for _, c := range columns {
		value, list := f.field(c), strings.HasSuffix(c, "tres")
		if value == "" || !list && f.in.resource() != "cpu" {
			continue
		}
		if list {
			sum := f.tres(c)
			if c == "alloctres" {
				f.compare(sum)
			}
			return sum
		}
		return f.number(c, maxTasks)
	}
	return 0
}

// compare notes whether the line has the resource where it was asked for.
func (f *sacctLog) compare(allocated float64) {
	switch {
	case allocated > 0:
		f.in.held++
	case f.tres("reqtres") > 0:
		f.in.asked = cmp.Or(f.in.asked, f.line.Number)
	}
}

// number reads a number in a column.
func (f *sacctLog) number(column string, most float64) float64 {
	x, reason := Number([]byte(f.field(column)), 0, most)
	if reason != "" {
		f.fault(column, reason)
	}
	return x
}

// sameResource is whether a name of a resource is the wanted one, or ends in it: gpu is gres/gpu and
// nvidia.com/gpu.
func sameResource(name, want string) bool {
	return name == want || strings.HasSuffix(name, "/"+want)
}

// tres is the amount of the resource in a column such as cpu=8,mem=16G,gres/gpu=2; 0: it lacks it.
func (f *sacctLog) tres(column string) (sum float64) {
	resource := f.in.tresName()
	for part := range strings.SplitSeq(f.field(column), ",") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			f.fault(column, "is no list of resources such as cpu=8,mem=16G")
		}
		if !sameResource(name, resource) {
			continue
		}
		unit := 1.0
		if n := len(value) - 1; n >= 0 && units[value[n:]+"i"] > 0 { // 16G is what Kubernetes calls 16Gi
			unit, value = units[value[n:]+"i"], value[:n]
		}
		x, reason := Number([]byte(value), 0, mostAmount/0x1p60)
		if reason != "" {
			f.fault(column, "has an amount of "+resource+" that "+reason)
		}
		sum += x * unit
	}
	return sum
}

// suspended is for how long the line's job stood still between its start and its end, s.
func (f *sacctLog) suspended(start, end float64) float64 {
	ran, stood := end-start, 0.
	switch {
	case !(ran > 0) || math.IsInf(ran, 1):
		return 0
	case f.field("suspended") != "":
		stood = f.clock("suspended")
	case f.field("elapsedraw") != "":
		stood = ran - f.number("elapsedraw", mostAmount)
	}
	return min(max(0, stood), ran)
}

// limit is the time limit of the line's job, s; NaN: none that is known.
func (f *sacctLog) limit() (seconds float64) {
	unlimited := func(limit string) bool { return limit == "" || limit == "UNLIMITED" || limit == "Partition_Limit" }
	if !unlimited(f.field("timelimitraw")) {
		return 60 * f.number("timelimitraw", mostAmount/60)
	}
	if unlimited(f.field("timelimit")) {
		return math.NaN()
	}
	return f.clock("timelimit")
}

// clock reads a duration in a column, such as 1-02:30:00, s.
func (f *sacctLog) clock(column string) float64 {
	d := slurm.Duration(f.field(column))
	if !(d < math.Inf(1)) {
		f.fault(column, "is no duration such as 1-02:30:00")
	}
	return d
}
