package workload

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/schedmath/schedmath/slotmodel"
)

// swfColumns is how many fields a job has in the Standard Workload Format, version 2.2 (Chapin et
// al. 1999). Some logs have more.
const swfColumns = 18

// swfFields are the fields that are read, by their places counted from 0. In each -1 is unknown.
var swfFields = map[int]column{
	0: {name: "job number", least: -1, most: 1 << 53}, 1: {name: "submit time", least: 0, most: mostAmount}, 2: {name: "wait time", least: -1, most: mostAmount},
	3: {name: "run time", least: -1, most: mostAmount}, 4: {name: "allocated processors", least: -1, most: maxTasks},
	7: {name: "requested processors", least: -1, most: maxTasks}, 8: {name: "requested time", least: -1, most: mostAmount},
	9: {name: "requested memory", least: -1, most: mostAmount / kilobyte}, 10: {name: "status", least: -1, most: 5},
	11: {name: "user", least: -1, most: math.MaxInt32 / 2}, 12: {name: "group", least: -1, most: math.MaxInt32}, 14: {name: "queue", least: -1, most: math.MaxInt32},
	16: {name: "preceding job", least: -1, most: 1 << 53}, 17: {name: "think time", least: -1, most: mostAmount},
}

// swfReals are the fields that need not be whole numbers.
var swfReals = []int{1, 2, 3, 8, 9, 17}

const kilobyte = 1024 // of the requested memory, for each processor

// isSWF tells a log from the first line of a file: a comment behind a semicolon that is no job of a
// SWIM trace, or a job of numbers.
func (l textLine) isSWF() bool {
	fields := bytes.Fields(l.text)
	return len(fields) > 0 && fields[0][0] == ';' && bytes.Count(l.text, tab) < swimColumns-1 ||
		len(fields) >= swfColumns && !slices.ContainsFunc(fields[:swfColumns], notNumber)
}

// swfLog is a log in the Standard Workload Format as far as it has been read.
type swfLog struct {
	in *intake
}

func (f *swfLog) log() (Log, error) { return f.in.done(), nil }

// add takes the next line.
func (f *swfLog) add(l textLine) error {
	const blanks = " \t"
	var numbers [swfColumns]float64
	rest := bytes.TrimLeft(l.text, blanks)
	if len(rest) == 0 || rest[0] == ';' {
		f.comment(rest)
		return nil
	}
	for i := range numbers {
		if len(rest) == 0 {
			return &ParseError{Line: l.number, Column: len(l.text) + 1, Reason: "line ends after field " + strconv.Itoa(i) + " of " + strconv.Itoa(swfColumns)}
		}
		end := bytes.IndexAny(rest, blanks)
		if end < 0 {
			end = len(rest)
		}
		if c, ok := swfFields[i]; ok {
			var reason string
			if numbers[i], reason = number(rest[:end], c.least, c.most); reason == "" && numbers[i] != math.Trunc(numbers[i]) && !slices.Contains(swfReals, i) {
				reason = "is no whole number"
			}
			if reason != "" {
				return &ParseError{Line: l.number, Column: len(l.text) - len(rest) + 1, Field: c.name, Value: shown(rest[:end]), Reason: reason}
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
	if ran {
		switch status {
		case 0:
			f.in.log.Failed++
		case 5:
			f.in.log.Cancelled++
		}
	}
	s := Span{Name: known(numbers[0]), User: known(numbers[11]), Team: known(numbers[12]), Queue: known(numbers[14]),
		From: numbers[1], Start: math.Inf(1), End: numbers[1] + numbers[2], Amount: float64(processors), Job: -1}
	if ran {
		s.Start, s.End = s.End, s.End+numbers[3]
	}
	replayed := ran && !(f.in.Completed && (status == 0 || status == 5))
	if f.in.each == nil {
		tasks := 0
		if replayed {
			tasks = processors
		}
		if reason := f.in.budget.job(tasks); reason != "" {
			return &ParseError{Line: l.number, Column: 1, Reason: reason}
		}
	}
	if replayed && f.in.each == nil {
		s.Job = f.in.jobs.n
		f.in.jobs.add(slotmodel.JobSpec{Arrival: numbers[1], User: max(0, int(numbers[11])), Slowstart: Slowstart,
			Maps: slotmodel.Phase{Tasks: processors, Work: numbers[3], Memory: kilobyte * max(0, numbers[9])}, Requested: max(0, numbers[8]), Rigid: true})
		f.in.swf.add(SWFJob{Number: int(numbers[0]), Status: status, Queue: int(numbers[14]), Preceding: int(numbers[16]), Think: numbers[17]})
	}
	_, reason := lived(s)
	switch {
	case !ran && !(status == 5 && processors > 0): // nor cancelled while it waited
		f.in.log.NoRun++
	case numbers[2] < 0:
		f.in.log.NoWait++
	case reason != "":
		return &ParseError{Line: l.number, Column: 1, Field: "job number", Value: s.Name, Reason: reason}
	default:
		return f.in.span(s)
	}
	return nil
}

// known is a number of a log as a name, "" if it is -1.
func known(x float64) string {
	if x < 0 {
		return ""
	}
	return strconv.FormatInt(int64(x), 10)
}

// comment takes the processors of the machine from a line of the header, "; MaxProcs: 240". Where
// it says only how many nodes there are, MaxNodes, each is a processor.
func (f *swfLog) comment(line []byte) {
	name, value, _ := strings.Cut(strings.TrimLeft(string(line), "; \t"), ":")
	value, _, _ = strings.Cut(strings.TrimSpace(value), " ") // parts of the machine stand behind it
	n, err := strconv.Atoi(value)
	if err == nil && n > 0 && n <= maxTasks && (name == "MaxProcs" || name == "MaxNodes" && f.in.log.Processors == 0) {
		f.in.log.Processors = n
	}
}
