package workload

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/schedmath/schedmath/slotmodel"
)

// tableColumns are the columns of a table that are read; the first tableNeeded must be there.
var tableColumns = [...]string{"user", "submit", "tasks", "run", "id", "memory", "deadline", "weight", "rigid", "requested",
	"start", "end", "team", "queue"}

const tableNeeded = 4

// tableNumbers are the columns of a table that a job file has under another name, or the same.
var tableNumbers = map[string]*column{"tasks": columnOf("maps"), "run": columnOf("map_s"), "memory": columnOf("map_memory"),
	"requested": columnOf("requested"), "rigid": columnOf("rigid")}

func columnOf(jobFile string) *column { return &columns[columnNamed([]byte(jobFile))] }

// tableTexts are the columns that name something which many jobs have.
var tableTexts = map[string]func(*Span) *string{"user": func(s *Span) *string { return &s.User }, "team": func(s *Span) *string { return &s.Team },
	"queue": func(s *Span) *string { return &s.Queue }}

// errTable says that a file is a table, which readTable reads.
var errTable = errors.New("workload: table")

// tableNames are the names of the columns in the header of what may be a table.
func tableNames(header []byte) []string {
	names := strings.Split(string(header), string(separator(header)))
	for i := range names {
		names[i] = columnName(strings.Trim(names[i], `" `))
	}
	return names
}

// separator is what stands between the fields below a header.
func separator(header []byte) rune {
	if bytes.Contains(header, tab) {
		return '\t'
	}
	return ','
}

func columnName(field string) string { return strings.ToLower(strings.TrimSpace(field)) }

// places is where the known columns stand in a header. twice is the place of one whose name stands
// before it too, 0 if there is none.
func places(header, known []string) (at map[string]int, twice int) {
	at = map[string]int{}
	for i, field := range header {
		name := columnName(field)
		if _, there := at[name]; there {
			return nil, i
		}
		if slices.Contains(known, name) {
			at[name] = i
		}
	}
	return at, 0
}

// table is a table as far as it has been read.
type table struct {
	in       *intake
	csv      *csv.Reader
	place    map[string]int // of each column that is read
	clock    clock
	deadline pile[float64] // of each job, on the clock; NaN: none
}

// readTable reads a table whose header is the first line of a text.
func readTable(text *lineReader, header textLine, in *intake) (Log, error) {
	limited := &recordLimit{r: io.MultiReader(strings.NewReader(string(header.text)+"\n"), text.text)}
	t := &table{in: in, csv: csv.NewReader(limited)}
	t.csv.ReuseRecord = true
	t.csv.Comma = separator(header.text)
	t.csv.TrimLeadingSpace = t.csv.Comma == ','
	line := 0 // of the last record
	for {
		record, err := t.csv.Read()
		limited.taken = 0
		if err == io.EOF {
			return t.finish(), nil
		}
		if broken := new(csv.ParseError); errors.As(err, &broken) {
			return Log{}, &ParseError{Line: broken.Line, Column: max(1, broken.Column), Reason: broken.Err.Error(), Err: broken.Err}
		}
		if err == errTooLong {
			return Log{}, &ParseError{Line: line + 1, Column: 1, Reason: tooLong + ", with all lines of a quoted field"}
		}
		if err != nil {
			return Log{}, text.src.broken(line+1, err)
		}
		if line == 0 {
			err = t.header(record)
		} else {
			err = t.job(record)
		}
		if err != nil {
			return Log{}, err
		}
		line, _ = t.csv.FieldPos(0)
	}
}

// fault is the error of a field of the record just read.
func (t *table) fault(field int, name, value, reason string) error {
	line, column := t.csv.FieldPos(field)
	return &ParseError{Line: line, Column: column, Field: name, Value: shown([]byte(value)), Reason: reason}
}

func (t *table) header(record []string) error {
	twice := 0
	if t.place, twice = places(record, tableColumns[:]); twice > 0 {
		return t.fault(twice, "column", columnName(record[twice]), "is there twice")
	}
	for _, name := range tableColumns[:tableNeeded] {
		if _, ok := t.place[name]; !ok {
			return &ParseError{Line: 1, Column: 1, Reason: "header has no column " + name + ": " + smallestTable}
		}
	}
	_, t.in.log.Weighted = t.place["weight"]
	if _, ok := t.place["start"]; !ok && t.in.each != nil {
		return &ParseError{Line: 1, Column: 1, Reason: noStarts}
	}
	return nil
}

func (t *table) job(record []string) error {
	job := slotmodel.JobSpec{Slowstart: Slowstart}
	deadline, weight := math.NaN(), 1.0
	s := Span{Start: math.Inf(1), End: math.NaN(), Job: -1}
	for _, column := range tableColumns {
		i, ok := t.place[column]
		if !ok {
			continue
		}
		value, reason := strings.TrimSpace(record[i]), ""
		switch {
		case value == "" && slices.Contains(tableColumns[:tableNeeded], column):
			reason = "is empty"
		case value == "":
		case tableNumbers[column] != nil:
			_, _, reason = tableNumbers[column].read(&job, []byte(value))
			if reason == "" && column == "tasks" && t.in.each == nil {
				reason = t.in.budget.job(job.Maps.Tasks)
			}
		case tableTexts[column] != nil:
			_, reason = textFault([]byte(value))
			*tableTexts[column](&s) = t.in.name(value)
		case column == "id":
			_, reason = textFault([]byte(value))
			s.Name = strings.Clone(value) // of the record
		case column == "submit":
			job.Arrival, reason = t.clock.read(value)
		case column == "deadline":
			if deadline, reason = t.clock.read(value); reason == "" && !(deadline > job.Arrival) {
				reason = "is not after the submit time"
			}
		case column == "weight":
			if weight, reason = number([]byte(value), 0, math.MaxFloat64); reason == "" && weight == 0 {
				reason = "is 0, want a number above 0"
			}
		case column == "start":
			s.Start, reason = t.clock.read(value)
		case column == "end":
			s.End, reason = t.clock.read(value)
		}
		if reason != "" {
			return t.fault(i, column, value, reason)
		}
	}
	if t.in.log.Weighted {
		job.Priority = weight
	}
	if t.in.each == nil {
		s.Job, job.User = t.in.jobs.n, t.in.user(s.User)
		t.in.jobs.add(job)
		t.deadline.add(deadline)
		if _, named := t.place["id"]; named {
			t.in.jobNames.add(s.Name)
		}
	}
	if _, told := t.place["start"]; !told {
		return nil
	}
	last := "end"
	if math.IsNaN(s.End) {
		s.End, last = s.Start+job.Maps.Work, "run"
	}
	zero := t.clock.zero()
	s.Amount = float64(job.Maps.Tasks)
	s.From, s.Start, s.End = zero+job.Arrival, zero+s.Start, zero+s.End
	if i, reason := lived(s); reason != "" {
		columns := [...]string{"submit", "start", last}
		at := t.place[columns[i]]
		return t.fault(at, columns[i], strings.TrimSpace(record[at]), reason)
	}
	return t.in.span(s)
}

// finish sets the clock to 0 at the earliest submit.
func (t *table) finish() Log {
	log := t.in.settled()
	for i, d := range t.deadline.list() {
		if !math.IsNaN(d) {
			log.Jobs[i].Deadline = d - log.Origin
		}
	}
	if len(log.Jobs) > 0 {
		log.Origin += t.clock.zero()
	}
	return log
}

// clock reads the times of a table, all of the kind of the first.
type clock struct {
	begun  bool
	dated  bool
	origin time.Time // of dates: the first
}

// zero is the origin of dates in seconds since 1970, 0 for numbers.
func (c *clock) zero() float64 {
	if !c.dated {
		return 0
	}
	return seconds(c.origin)
}

// seconds is a time in seconds since 1970.
func seconds(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())/1e9 }

// read returns seconds since the origin.
func (c *clock) read(value string) (seconds float64, reason string) {
	date, err := time.Parse(time.RFC3339, value)
	if !c.begun {
		c.begun, c.dated, c.origin = true, err == nil, date
	}
	if c.dated {
		seconds = float64(date.Unix()-c.origin.Unix()) + float64(date.Nanosecond()-c.origin.Nanosecond())/1e9
	} else {
		seconds, reason = number([]byte(value), -mostTime, mostTime)
	}
	if reason != "" || c.dated && err != nil {
		return 0, "is no time: want seconds, or RFC 3339 such as 2026-03-01T08:30:00Z, and all of a table alike"
	}
	return seconds, ""
}

var errTooLong = errors.New("workload: record too long")

// recordLimit passes on what a record may have, and somewhat more.
type recordLimit struct {
	r     io.Reader
	taken int // since the last record
}

func (l *recordLimit) Read(p []byte) (int, error) {
	if l.taken > maxLineBytes {
		return 0, errTooLong
	}
	n, err := l.r.Read(p)
	l.taken += n
	return n, err
}
