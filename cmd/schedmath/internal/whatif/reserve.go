package whatif

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// backfills is what plans around windows in a policy, nil if it knows none.
func backfills(p slotmodel.Policy) *policy.Backfill {
	switch p := p.(type) {
	case *policy.Backfill:
		return p
	case *batch.PlusPlus:
		return &p.Backfill
	}
	return nil
}

// around reads the windows of the file of -window, if there is one.
func (s *setting) around() error {
	if s.Window == "" {
		return nil
	}
	return s.reserve(s)
}

func reserve(s *setting) error {
	switch {
	case !s.rigid || !planned(s):
		return program.Usagef("-window is for jobs that hold machines and whose users said how long they run, which those of %s are not", s.Name)
	case s.Scaled || s.redraws():
		return program.Usagef("-window has times of the log: it goes neither with -load nor with -seeds, which move arrivals")
	}
	text, err := program.ReadFile(s.Window)
	if err != nil {
		return err
	}
	first, last := arrivals(s.Jobs)
	for i := range s.Jobs {
		last = max(last, s.Jobs[i].Arrival+s.Jobs[i].Maps.Work)
	}
	for _, x := range s.Spans {
		if end := x.End - s.Origin; end <= math.MaxFloat64 {
			last = max(last, end)
		}
	}
	if err := s.readWindows(text, last); err != nil {
		return fmt.Errorf("%s: %w", s.Window, err)
	}
	if !slices.ContainsFunc(s.windows, func(w backfill.Window) bool { from, _, ok := w.Next(first); return ok && from < last }) {
		return program.Usagef("%s: no window is within the time of the log, from %s to %s", s.Window, s.when(first), s.when(last))
	}
	return nil
}

// windowColumns are those of the file of -window; the first windowNeeded must be there.
var windowColumns = []string{"from", "to", "processors", "every", "until", "user"}

const windowNeeded = 3

// readWindows reads windows, one a line below a header, of a log that ends at a time.
func (s *setting) readWindows(text []byte, end float64) error {
	lines := csv.NewReader(bytes.NewReader(text))
	first, _, _ := bytes.Cut(bytes.TrimLeft(text, "\r\n"), []byte("\n")) // the reader skips empty lines too
	for _, mark := range "\t;" {
		if bytes.ContainsRune(first, mark) {
			lines.Comma = mark
		}
	}
	lines.TrimLeadingSpace = lines.Comma != '\t'
	var header []string
	for {
		record, err := lines.Read()
		if broken := new(csv.ParseError); errors.As(err, &broken) {
			err = &joblog.ParseError{Line: broken.Line, Column: max(1, broken.Column), Reason: broken.Err.Error(), Err: broken.Err}
		}
		switch {
		case err == io.EOF && header == nil:
			return &joblog.ParseError{Line: 1, Column: 1, Reason: "file is empty, want a header of " + strings.Join(windowColumns, ", ")}
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		fault := func(column int, name, reason string) error {
			line, at := lines.FieldPos(column)
			return &joblog.ParseError{Line: line, Column: at, Field: name, Value: record[column], Reason: reason}
		}
		for i := range record {
			record[i] = strings.TrimSpace(record[i])
		}
		if header == nil {
			for i, name := range record {
				if name = strings.ToLower(name); !slices.Contains(windowColumns, name) || slices.Contains(header, name) {
					return fault(i, "column", "is there twice or no column of windows, which are "+strings.Join(windowColumns, ", "))
				}
				header = append(header, name)
			}
			for _, name := range windowColumns[:windowNeeded] {
				if !slices.Contains(header, name) {
					return &joblog.ParseError{Line: 1, Column: 1, Reason: "header has no column " + name}
				}
			}
			continue
		}
		w := backfill.Window{Until: end}
		for k, name := range windowColumns {
			column := slices.Index(header, name)
			if column < 0 {
				continue
			}
			value, reason := record[column], ""
			switch {
			case value != "" && (value != "-" || k < windowNeeded):
				reason = s.field(&w, name, value)
			case k < windowNeeded:
				reason = "is empty"
			}
			if reason != "" {
				return fault(column, name, reason)
			}
		}
		if often := (w.Until - w.From) / w.Period; w.Period > 0 && !(often <= mostRecurring) {
			return fault(slices.Index(header, "every"), "every", fmt.Sprintf("has it recur %s times until %s, want at most %d", numbers.Short(often), s.when(w.Until), mostRecurring))
		}
		line, _ := lines.FieldPos(0)
		s.windows, s.windowLines = append(s.windows, w), append(s.windowLines, line)
	}
}

// mostRecurring is how often package backfill lets a window recur.
const mostRecurring = 10_000

// field reads a field of a window, of which those of the columns before it have been read, and returns
// what is wrong with it.
func (s *setting) field(w *backfill.Window, name, value string) (reason string) {
	switch name {
	case "processors":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return "is no whole number above 0"
		}
		w.Need = []int64{int64(min(n, s.processors))}
	case "every":
		seconds, err := strconv.ParseFloat(value, 64)
		if err != nil {
			var d time.Duration
			d, err = program.Duration("window", value)
			seconds = d.Seconds()
		}
		if err != nil || !(seconds >= 0 && seconds <= math.MaxFloat64) {
			return "is no time: want seconds, or such as 7d or 12h"
		}
		if w.Period = seconds; seconds > 0 && !(seconds >= w.To-w.From) {
			return "is shorter than the window"
		}
	case "user":
		i := slices.IndexFunc(s.Jobs, func(j slotmodel.JobSpec) bool { return s.userName(j.User) == value })
		if i < 0 {
			return "is no user of a job that is replayed"
		}
		w.Owner = s.Jobs[i].User + 1
	default:
		at, err := program.Time("window", value, cmp.Or(s.Trace.Zone, time.UTC), 0)
		if at -= s.Origin; err != nil || !(math.Abs(at) <= math.MaxFloat64) {
			return "is no time: want seconds, or a date such as 2026-03-01 or 2026-03-01T08:30:00"
		}
		*map[string]*float64{"from": &w.From, "to": &w.To, "until": &w.Until}[name] = at
		switch {
		case name == "to" && !(at > w.From):
			return "is not after from"
		case name == "until" && w.Period == 0:
			return "is there without every"
		}
	}
	return ""
}

// when is a time for people: a date, or seconds.
func (s *setting) when(at float64) string {
	if s.Dated() {
		return s.Clock(at)
	}
	return numbers.Full(at) + " s"
}

// risks are how many windows lack processors as they begin, each by itself, since jobs of others run
// still that began before, and in words the one that lacks them longest, until when, and by whom.
func (s *stage) risks(r *outcome) (count int, text string) {
	type occurrence struct {
		from, to float64
		window   int
	}
	var list []occurrence
	for i := range s.windows {
		for from, to, ok := s.windows[i].Next(s.from); ok; from, to, ok = s.windows[i].Next(to) {
			list = append(list, occurrence{from, to, i})
		}
	}
	slices.SortStableFunc(list, func(a, b occurrence) int { return cmp.Compare(a.from, b.from) })
	var order, running []int
	for i := range r.Finish {
		if r.Finish[i] > r.Start[i] { // neither is NaN
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Start[a], r.Start[b]) })
	most := 0.
	for _, x := range list {
		for ; len(order) > 0 && r.Start[order[0]] < x.from; order = order[1:] {
			running = append(running, order[0])
		}
		running = slices.DeleteFunc(running, func(i int) bool { return r.Finish[i] <= x.from })
		w, left := &s.windows[x.window], int64(s.processors)
		var others []int // that run then, the last to end first
		for _, i := range running {
			if s.specs[i].User+1 != w.Owner {
				others, left = append(others, i), left-int64(s.specs[i].Maps.Tasks)
			}
		}
		if left >= w.Need[0] {
			continue
		}
		count++
		slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(r.Finish[b], r.Finish[a]) })
		until := x.from
		for k := len(others) - 1; left < w.Need[0]; k-- {
			left, until = left+int64(s.specs[others[k]].Maps.Tasks), r.Finish[others[k]]
		}
		if until = min(until, x.to); until-x.from > most {
			most = until - x.from
			text = fmt.Sprintf("for the longest time that of line %d from %s, until %s, by %s", s.windowLines[x.window], s.when(x.from), s.when(until), s.few(others))
		}
	}
	return count, numbers.Count(count, "window") + ", " + text
}

// few names the first of some jobs, with their users.
func (s *stage) few(jobs []int) string {
	const most = 2
	text := numbers.Words(jobs[:min(most, len(jobs))], ", ", func(i int) string { return s.nameOf(i) + " (" + s.userName(s.specs[i].User) + ")" })
	if more := len(jobs) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
