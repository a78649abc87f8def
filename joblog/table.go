package joblog

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schedmath/schedmath/internal/slurm"
)

// tableColumns are the columns of a table that are read; the first tableNeeded must be there.
var tableColumns = [...]string{"user", "submit", "tasks", "run", "id", "memory", "deadline", "weight", "rigid", "requested",
	"start", "end", "team", "queue"}

const tableNeeded = 4

// tableUnused are the columns that no Span needs.
var tableUnused = []string{"memory", "deadline", "weight", "rigid", "requested"}

// tableNumbers are columns of numbers.
var tableNumbers = map[string]*column{"tasks": {name: "tasks", most: maxTasks, whole: true}, "run": {name: "run", most: mostAmount},
	"memory": {name: "memory", most: mostAmount}, "requested": {name: "requested", most: mostAmount}, "rigid": {name: "rigid", most: 1, whole: true}}

// tableTexts are the columns that name something which many jobs have.
var tableTexts = map[string]func(*Job) *string{"user": func(j *Job) *string { return &j.User }, "team": func(j *Job) *string { return &j.Team },
	"queue": func(j *Job) *string { return &j.Queue }}

// tableNear are names that others have for columns, without blanks and marks.
var tableNear = [...]struct{ column, names string }{
	{"user", " owner username userid uid "},
	{"submit", " submittime submitted submittedat submission arrival arrivaltime created queued "},
	{"tasks", " cpus ncpus cores ncores processors procs nprocs alloccpus reqcpus ntasks slots "},
	{"run", " runtime duration elapsed elapsedraw "},
	{"id", " jobid job "},
	{"requested", " walltime timelimit requestedtime reqtime "},
	{"start", " starttime started startedat "},
	{"end", " endtime ended endedat finish finished "},
	{"team", " account group project "},
	{"queue", " partition "},
}

// marks are what stands between the words of a column's name.
var marks = strings.NewReplacer("_", "", "-", "", " ", "", ".", "")

// nearColumn is the column that a field of a header may mean; "": none, or the field is its name.
func nearColumn(field string) string {
	bare := marks.Replace(columnName(field))
	for _, near := range tableNear {
		if bare != "" && strings.Contains(near.names, " "+bare+" ") {
			return near.column
		}
	}
	return ""
}

// isTable tells the header of a table: it has a column that must be there, or two by other names.
func isTable(header []byte) bool {
	near := 0
	for _, name := range tableNames(header) {
		if slices.Contains(tableColumns[:tableNeeded], name) {
			return true
		}
		if nearColumn(name) != "" {
			near++
		}
	}
	return near > 1
}

// errTable says that a file is a table, which readTable reads.
var errTable = errors.New("joblog: table")

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
	switch {
	case bytes.Contains(header, tab):
		return '\t'
	case !bytes.Contains(header, []byte{','}) && bytes.Contains(header, []byte{';'}): // as spreadsheets write where commas are in numbers
		return ';'
	}
	return ','
}

// listed is the columns that a header has, as far as a line of a message holds them.
func listed(header []string) string {
	const most = 200 // bytes
	text := strings.Join(header, ", ")
	if len(text) > most {
		text = text[:most] + "..."
	}
	return strconv.Quote(text)
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
	in    *intake
	csv   *csv.Reader
	place map[string]int // of each column that is read
	clock clock
}

// readTable reads a table whose header is the first line of a text.
func readTable(in *intake, header Line) error {
	limited := &recordLimit{most: maxRow, r: io.MultiReader(strings.NewReader(string(header.Text)+"\n"), in.text)}
	t := &table{in: in, csv: csv.NewReader(limited), clock: clock{zone: in.options.Zone}}
	t.csv.ReuseRecord = true
	t.csv.Comma = separator(header.Text)
	t.csv.TrimLeadingSpace = t.csv.Comma != '\t'
	line := 0 // of the last record
	for {
		record, err := t.csv.Read()
		limited.taken = 0
		if err == io.EOF {
			return nil
		}
		broken := new(csv.ParseError)
		switch {
		case errors.As(err, &broken):
			fault := &ParseError{Line: broken.Line, Column: max(1, broken.Column), Reason: broken.Err.Error(), Err: broken.Err, whole: line == 0, kind: broken.Err.Error()}
			if broken.Err == csv.ErrQuote && broken.StartLine < broken.Line { // perhaps never closed
				fault.whole = true
				fault.Reason += ", of a record that begins on line " + strconv.Itoa(broken.StartLine)
			}
			if broken.Err == csv.ErrFieldCount {
				fault.Reason += ": " + strconv.Itoa(len(record)) + ", the header has " + strconv.Itoa(t.csv.FieldsPerRecord)
			}
			err = fault
		case err == errTooLong:
			err = ofFile(&ParseError{Line: line + 1, Column: 1, Reason: longRow + ", with all lines of a quoted field"})
		case err != nil:
			err = in.src.broken(line+1, err)
		case line == 0:
			err = ofFile(t.header(record))
		default:
			err = t.job(record)
		}
		if line > 0 {
			in.lines++
		}
		if err = in.fault(err); err != nil {
			return err
		}
		if line = broken.Line; line == 0 { // the record has fields
			line, _ = t.csv.FieldPos(0)
		}
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
	var missing []string
	for _, name := range tableColumns[:tableNeeded] {
		if _, ok := t.place[name]; !ok {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		reason := "header has no column " + missing[0]
		if last := len(missing) - 1; last > 0 {
			reason = "header has no columns " + strings.Join(missing[:last], ", ") + " and " + missing[last]
		}
		return &ParseError{Line: 1, Column: 1, Reason: reason + ", but " + listed(record) + t.renamed(record) + ": " + smallestTable}
	}
	if _, ok := t.place["start"]; !ok && t.in.each != nil {
		return &ParseError{Line: 1, Column: 1, Reason: noStarts}
	}
	return nil
}

// renamed is what columns of a header may be called that are not there by their names.
func (t *table) renamed(header []string) string {
	text, sep, named := "", ", perhaps rename ", map[string]bool{}
	for _, field := range header {
		name := nearColumn(field)
		if _, there := t.place[name]; name != "" && !there && !named[name] {
			text, sep, named[name] = text+sep+shown([]byte(field))+" to "+name, ", ", true
		}
	}
	return text
}

func (t *table) job(record []string) error {
	j := Job{Start: math.Inf(1), End: math.NaN(), Requested: math.NaN(), Deadline: math.NaN(), Think: math.NaN(), Preceding: -1}
	if _, there := t.place["weight"]; there {
		j.Weight = 1
	}
	zero := 0. // of the clock, known from its first time on
	for _, name := range tableColumns {
		i, ok := t.place[name]
		if !ok || t.in.each != nil && slices.Contains(tableUnused, name) {
			continue
		}
		value, reason := strings.TrimSpace(record[i]), ""
		var x float64
		switch {
		case value == "":
			if slices.Contains(tableColumns[:tableNeeded], name) {
				reason = "is empty"
			}
		case tableNumbers[name] != nil:
			x, reason = tableNumbers[name].read([]byte(value))
		case tableTexts[name] != nil:
			_, reason = textFault([]byte(value))
			*tableTexts[name](&j) = t.in.name(value)
		case name == "id":
			_, reason = textFault([]byte(value))
			j.ID = strings.Clone(value) // of the record
		case name == "weight":
			if j.Weight, reason = Number([]byte(value), 0, math.MaxFloat64); reason == "" && j.Weight == 0 {
				reason = "is 0, want a number above 0"
			}
		default:
			x, reason = t.clock.read(value)
			zero = t.clock.zero()
		}
		if value != "" {
			switch name {
			case "submit":
				j.Submit = x + zero
			case "tasks":
				j.Processors, j.Amount = int(x), x
			case "run":
				j.Run = x
			case "memory":
				j.Memory = x
			case "rigid":
				j.Rigid = x == 1
			case "requested":
				j.Requested = x
			case "deadline":
				if j.Deadline = x + zero; reason == "" && !(j.Deadline > j.Submit) {
					reason = "is not after the submit time"
				}
			case "start":
				j.Start = x + zero
			case "end":
				j.End = x + zero
			}
		}
		if reason != "" {
			return t.fault(i, name, value, reason)
		}
	}
	if _, told := t.place["start"]; !told {
		j.Start, j.End = math.NaN(), math.NaN()
	} else {
		last := "end"
		if math.IsNaN(j.End) {
			j.End, last = j.Start+j.Run, "run"
		}
		if i, reason := lived(&j); reason != "" {
			columns := [...]string{"submit", "start", last}
			at := t.place[columns[i]]
			return t.fault(at, columns[i], strings.TrimSpace(record[at]), reason)
		}
	}
	reason, err := t.in.job(&j, j.Processors)
	if reason != "" {
		at := t.place["tasks"]
		return t.fault(at, "tasks", strings.TrimSpace(record[at]), reason)
	}
	return err
}

// clock reads the times of a table, all of the kind of the first.
type clock struct {
	zone   *time.Location // of dates that do not say theirs; nil: there are none
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
	date, err := time.Time{}, error(nil)
	if !c.begun || c.dated {
		date, err = time.Parse(time.RFC3339, value)
		for _, layout := range [...]string{time.DateTime, slurm.Layout} {
			if err != nil && c.zone != nil {
				date, err = time.ParseInLocation(layout, value, c.zone)
			}
		}
	}
	if !c.begun {
		c.begun, c.dated, c.origin = true, err == nil, date
	}
	if c.dated {
		seconds = float64(date.Unix()-c.origin.Unix()) + float64(date.Nanosecond()-c.origin.Nanosecond())/1e9
	} else {
		seconds, reason = Number([]byte(value), -mostTime, mostTime)
	}
	if reason != "" || c.dated && err != nil {
		return 0, "is no time: want seconds, or RFC 3339 such as 2026-03-01T08:30:00Z, or with -zone 2026-03-01 08:30:00, and all of a table alike"
	}
	return seconds, ""
}

// maxRow is the length of the longest record of a table: each of its bytes may be a field, which takes
// some eighty.
const maxRow = 1 << 20

var longRow = "line is longer than " + strconv.Itoa(maxRow) + " bytes"

var errTooLong = errors.New("joblog: record too long")

// recordLimit passes on what a record may have, and somewhat more.
type recordLimit struct {
	r     io.Reader
	most  int // bytes of a record
	taken int // bytes since the last record
}

func (l *recordLimit) Read(p []byte) (int, error) {
	if l.taken > l.most {
		return 0, errTooLong
	}
	n, err := l.r.Read(p)
	l.taken += n
	return n, err
}
