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
var tableColumns = [...]string{"user", "submit", "tasks", "run", "id", "memory", "deadline", "weight", "rigid", "requested"}

const tableNeeded = 4

var countColumn, bitColumn = &column{most: maxTasks}, &column{most: 1}

// errTable says that a file is a table, which readTable reads.
var errTable = errors.New("workload: table")

var byteOrderMark = []byte("\ufeff") // which spreadsheets put before a text

// tableNames are the names of the columns in the header of what may be a table.
func tableNames(header []byte) []string {
	names := strings.Split(string(bytes.TrimPrefix(header, byteOrderMark)), string(separator(header)))
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

// table is a table as far as it has been read.
type table struct {
	log      Log
	csv      *csv.Reader
	place    map[string]int // of each column that is read
	users    map[string]int
	clock    clock
	deadline []float64 // of each job, on the clock; NaN: none
}

// readTable reads a table whose header is the first line of a text.
func readTable(text *lineReader, header textLine, budget *taskBudget) (Log, error) {
	first := string(bytes.TrimPrefix(header.text, byteOrderMark)) + "\n"
	limited := &recordLimit{r: io.MultiReader(strings.NewReader(first), text.text)}
	t := &table{csv: csv.NewReader(limited), place: map[string]int{}, users: map[string]int{}}
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
			err = t.job(record, budget)
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
	for i, field := range record {
		name := columnName(field)
		if _, twice := t.place[name]; twice {
			return t.fault(i, "column", name, "is there twice")
		}
		if slices.Contains(tableColumns[:], name) {
			t.place[name] = i
		}
	}
	for _, name := range tableColumns[:tableNeeded] {
		if _, ok := t.place[name]; !ok {
			return &ParseError{Line: 1, Column: 1, Reason: "header has no column " + name + ": " + smallestTable}
		}
	}
	_, t.log.Weighted = t.place["weight"]
	return nil
}

func (t *table) job(record []string, budget *taskBudget) error {
	job := slotmodel.JobSpec{Slowstart: Slowstart}
	deadline, weight, rigid, name := math.NaN(), 1.0, 0, ""
	for _, column := range tableColumns {
		i, ok := t.place[column]
		if !ok {
			continue
		}
		value, reason := strings.TrimSpace(record[i]), ""
		switch {
		case value == "" && slices.Contains(tableColumns[:tableNeeded], column):
			reason = "is empty"
		case column == "id":
			_, reason = textFault([]byte(value))
			name = strings.Clone(value) // of the record
		case value == "":
		case column == "user":
			_, reason = textFault([]byte(value))
			job.User = t.user(value)
		case column == "submit":
			job.Arrival, reason = t.clock.read(value)
		case column == "tasks":
			job.Maps.Tasks, reason = countColumn.whole([]byte(value))
			if reason == "" {
				reason = budget.take(job.Maps.Tasks)
			}
		case column == "run":
			job.Maps.Work, reason = number([]byte(value), 0, mostAmount)
		case column == "memory":
			job.Maps.Memory, reason = number([]byte(value), 0, mostAmount)
		case column == "requested":
			job.Requested, reason = number([]byte(value), 0, mostAmount)
		case column == "deadline":
			if deadline, reason = t.clock.read(value); reason == "" && !(deadline > job.Arrival) {
				reason = "is not after the submit time"
			}
		case column == "weight":
			if weight, reason = number([]byte(value), 0, math.MaxFloat64); reason == "" && weight == 0 {
				reason = "is 0, want a number above 0"
			}
		case column == "rigid":
			rigid, reason = bitColumn.whole([]byte(value))
		}
		if reason != "" {
			return t.fault(i, column, value, reason)
		}
	}
	job.Rigid = rigid == 1
	if t.log.Weighted {
		job.Priority = weight
	}
	if _, named := t.place["id"]; named {
		t.log.Names = append(t.log.Names, name)
	}
	t.log.Jobs, t.deadline = append(t.log.Jobs, job), append(t.deadline, deadline)
	return nil
}

// user is the number of a user.
func (t *table) user(name string) int {
	u, known := t.users[name]
	if !known {
		u = len(t.users)
		name = strings.Clone(name)
		t.users[name] = u
		t.log.Users = append(t.log.Users, name)
	}
	return u
}

// finish sets the clock to 0 at the earliest submit.
func (t *table) finish() Log {
	first := math.Inf(1)
	for i := range t.log.Jobs {
		first = min(first, t.log.Jobs[i].Arrival)
	}
	for i := range t.log.Jobs {
		job := &t.log.Jobs[i]
		if job.Arrival -= first; t.deadline[i] == t.deadline[i] {
			job.Deadline = t.deadline[i] - first
		}
	}
	return t.log
}

// clock reads the times of a table, all of the kind of the first.
type clock struct {
	begun  bool
	dated  bool
	origin time.Time // of dates: the first
}

// read returns seconds since the origin.
func (c *clock) read(value string) (seconds float64, reason string) {
	date, err := time.Parse(time.RFC3339, value)
	if !c.begun {
		c.begun, c.dated, c.origin = true, err == nil, date
	}
	if c.dated {
		seconds = float64(date.Unix()-c.origin.Unix()) + float64(date.Nanosecond()-c.origin.Nanosecond())/1e9
	} else {
		seconds, reason = number([]byte(value), -mostAmount/2, mostAmount/2)
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
