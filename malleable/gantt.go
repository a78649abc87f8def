package malleable

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/schedmath/schedmath/internal/input"
)

// GanttOptions says how a text Gantt chart looks. The zero value is the recommended default.
type GanttOptions struct {
	Width  int    // columns of time; 0 means 60
	Height int    // most rows of slots; 0 means 20
	Labels string // character of each job, repeated if there are more jobs; "" means 0-9, a-z, A-Z
}

// Gantt writes the schedule as text: time from left to right, slots from bottom to top, in each
// place the label of the job that holds it. A column shows the moment in its middle, jobs stacked
// by index from the bottom; '.' is an idle slot. There are as many rows as slots are in use at
// most, or Height rows of equal shares of them. Which slot a job gets is not part of a schedule
// and the chart's own choice.
//
// Cost O(Width (n + p)) for p pieces. Errors: InputError for a nil w, and for a Width or Height
// that is negative or above 10,000; what w returns.
func (s *Schedule) Gantt(w io.Writer, o GanttOptions) error {
	const fn = "malleable.Schedule.Gantt"
	const most = 10_000
	if w == nil {
		return input.Bad(fn, "w", -1, "is nil")
	}
	if o.Width < 0 || o.Width > most {
		return input.Bad(fn, "o", -1, "Width is %d, want 0 to %d", o.Width, most)
	}
	if o.Height < 0 || o.Height > most {
		return input.Bad(fn, "o", -1, "Height is %d, want 0 to %d", o.Height, most)
	}
	if o.Width == 0 {
		o.Width = 60
	}
	if o.Height == 0 {
		o.Height = 20
	}
	labels := []rune(o.Labels)
	if len(labels) == 0 {
		labels = []rune("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	}
	end := s.result().end()
	columns := make([][]int, o.Width)
	peak := int64(0)
	for c := range columns {
		columns[c] = s.At(nil, end*((float64(c)+0.5)/float64(o.Width)))
		sum := int64(0)
		for _, slots := range columns[c] {
			sum += int64(min(slots, MaxSlots)) // more only in a broken schedule
		}
		peak = max(peak, min(sum, MaxSlots))
	}
	rows := int(min(peak, int64(o.Height)))
	b := bufio.NewWriter(w)
	for r := rows - 1; r >= 0; r-- {
		slot := int((int64(2*r+1)*peak - 1) / int64(2*rows)) // the one in the middle of the row
		fmt.Fprintf(b, "%4d |", slot+1)
		for _, column := range columns {
			b.WriteRune(labelAt(column, slot, labels))
		}
		b.WriteString("|\n")
	}
	last := fmt.Sprintf("%.6g", end)
	fmt.Fprintf(b, "     0%s%s\n", strings.Repeat(" ", max(1, o.Width+1-len(last))), last)
	return b.Flush()
}

// labelAt returns the label of the job that holds a slot when jobs are stacked by index.
func labelAt(column []int, slot int, labels []rune) rune {
	for j, slots := range column {
		if slot < slots {
			return labels[j%len(labels)]
		}
		slot -= slots
	}
	return '.'
}
