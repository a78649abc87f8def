package joblog

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// swfColumns is how many fields a job has in the Standard Workload Format, version 2.2 (Chapin et
// al. 1999). Some logs have more.
const swfColumns = 18

// swfFields are the fields that are read, by their places counted from 0. In each -1 is unknown.
var swfFields = map[int]*column{
	0: {name: "job number", least: -1, most: 1 << 53, whole: true}, 1: {name: "submit time", least: -1, most: mostAmount}, 2: {name: "wait time", least: -1, most: mostAmount},
	3: {name: "run time", least: -1, most: mostAmount}, 4: {name: "allocated processors", least: -1, most: maxTasks, whole: true},
	7: {name: "requested processors", least: -1, most: maxTasks, whole: true}, 8: {name: "requested time", least: -1, most: mostAmount},
	9: {name: "requested memory", least: -1, most: mostAmount / kilobyte}, 10: {name: "status", least: -1, most: 5, whole: true},
	11: {name: "user", least: -1, most: math.MaxInt32 / 2, whole: true}, 12: {name: "group", least: -1, most: math.MaxInt32, whole: true},
	14: {name: "queue", least: -1, most: math.MaxInt32, whole: true}, 16: {name: "preceding job", least: -1, most: 1 << 53, whole: true},
	17: {name: "think time", least: -1, most: mostAmount},
}

// swfUnused are the fields that no Span needs.
var swfUnused = []int{8, 9, 16, 17}

const kilobyte = 1024 // of the requested memory, for each processor

// isSWF tells a log from the first line of a file: a comment behind a semicolon that is no job of a
// SWIM trace, or a job of numbers.
func (l Line) isSWF() bool {
	fields := bytes.Fields(l.Text)
	return len(fields) > 0 && fields[0][0] == ';' && bytes.Count(l.Text, tab) < swimColumns-1 ||
		len(fields) >= swfColumns && !slices.ContainsFunc(fields[:swfColumns], notNumber)
}

// swfLog is a log in the Standard Workload Format as far as it has been read.
type swfLog struct {
	in    *intake
	begin float64 // of second 0, s since 1970; 0: unknown
	zoned bool    // a TimeZoneString has been read: each costs a look at the files of zones
}

// add takes the next line.
func (f *swfLog) add(l Line) error {
	const blanks = " \t"
	var numbers [swfColumns]float64
	rest := bytes.TrimLeft(l.Text, blanks)
	if len(rest) == 0 || rest[0] == ';' {
		f.comment(rest)
		return nil
	}
	f.in.lines++
	for i := range numbers {
		if len(rest) == 0 {
			return &ParseError{Line: l.Number, Column: len(l.Text) + 1, Reason: "line ends after field " + strconv.Itoa(i) + " of " + strconv.Itoa(swfColumns)}
		}
		end := bytes.IndexAny(rest, blanks)
		if end < 0 {
			end = len(rest)
		}
		if c, ok := swfFields[i]; ok && !(f.in.each != nil && slices.Contains(swfUnused, i)) {
			var reason string
			if numbers[i], reason = c.read(rest[:end]); reason != "" {
				return &ParseError{Line: l.Number, Column: len(l.Text) - len(rest) + 1, Field: c.name, Value: shown(rest[:end]), Reason: reason}
			}
		}
		rest = bytes.TrimLeft(rest[end:], blanks)
	}
	processors := int(numbers[7])
	if processors < 1 {
		processors = int(numbers[4])
	}
	status := int(numbers[10])
	if status >= 2 && status <= 4 {
		return nil
	}
	ran := numbers[3] >= 0 && processors > 0
	j := Job{ID: known(numbers[0]), User: f.in.name(known(numbers[11])), Team: f.in.name(known(numbers[12])), Queue: f.in.name(known(numbers[14])),
		Submit: f.begin + numbers[1], Start: math.Inf(1), End: f.begin + numbers[1] + numbers[2], Run: math.NaN(), Requested: orUnknown(numbers[8]), Deadline: math.NaN(),
		Processors: processors, Amount: float64(processors), Memory: kilobyte * max(0, numbers[9]), Think: orUnknown(numbers[17]),
		Preceding: int(numbers[16]), Rigid: true, State: swfStates[status]}
	if ran {
		j.Start, j.Run = j.End, numbers[3]
		j.End += j.Run
	}
	_, reason := lived(&j)
	tasks := 0
	switch {
	case numbers[1] < 0:
		f.in.leave(l.Number, "submit time is unknown", true)
		return nil
	case !ran && !(status == 5 && processors > 0): // nor cancelled while it waited
		f.in.leave(l.Number, "run time or processors are unknown", true)
		return nil
	case !ran && numbers[2] < 0:
		f.in.leave(l.Number, "wait of a cancelled job is unknown", true)
		return nil
	case numbers[2] < 0:
		f.in.log.NoWait++
		j.Start, j.End = math.NaN(), math.NaN()
	case reason != "":
		return &ParseError{Line: l.Number, Column: 1, Field: "job number", Value: j.ID, Reason: reason}
	}
	if ran {
		tasks = processors
	}
	reason, err := f.in.job(&j, tasks)
	if reason != "" {
		return &ParseError{Line: l.Number, Column: 1, Reason: reason}
	}
	return err
}

var swfStates = map[int]State{0: Failed, 1: Completed, 5: Cancelled}

// orUnknown is a number that a log knows.
func orUnknown(x float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	return x
}

// known is a number of a log as a name, "" if it is -1.
func known(x float64) string {
	if x < 0 {
		return ""
	}
	return strconv.FormatInt(int64(x), 10)
}

// comment takes what a line of the header says, "; MaxProcs: 240". Where it says only how many nodes
// there are, MaxNodes, each is a processor. Behind the first job nothing is of the header.
func (f *swfLog) comment(line []byte) {
	if f.in.lines > 0 {
		return
	}
	name, value, _ := strings.Cut(strings.TrimLeft(string(line), "; \t"), ":")
	name = strings.TrimSpace(name)
	value, _, _ = strings.Cut(strings.TrimSpace(value), " ") // parts of the machine stand behind it
	n, err := strconv.Atoi(value)
	switch log := &f.in.log; {
	case name == "TimeZoneString" && !f.zoned:
		f.zoned = true
		if zone, unknown := time.LoadLocation(value); unknown == nil && value != "" && value != "Local" {
			log.Zone = zone
		}
	case err != nil:
	case name == "MaxProcs" || name == "MaxNodes" && log.MaxProcs == 0:
		if n > 0 && n <= maxTasks {
			log.MaxProcs = n
		}
	case name == "UnixStartTime" && n > 0 && int64(n) <= 1<<40:
		log.Begin = time.Unix(int64(n), 0).UTC()
		f.begin = float64(n)
	case name == "TimeZone" && log.Zone == nil && n >= -24*3600 && n <= 24*3600:
		log.Zone = time.FixedZone("", n)
	}
}
