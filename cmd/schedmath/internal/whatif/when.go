package whatif

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/slotmodel"
)

// A Queue is a log whose starts can be foretold at any time of it.
type Queue struct {
	s      *setting
	jobs   []slotmodel.JobSpec
	places []int     // theirs among all jobs of the setting
	starts []float64 // what really happened if the log has it, else what happens under easy
	how    string    // which of both, for people
}

// Foretell reads the log of the arguments, which are those of the command whatif.
func Foretell(args []string, progress io.Writer) (*Queue, error) {
	w, err := Start(args, progress)
	if err != nil {
		return nil, err
	}
	q := &Queue{s: w.s, how: "as the log says"}
	if q.jobs, q.places = w.s.plannedJobs(); !w.s.rigid || q.jobs == nil {
		return nil, program.Usagef("starts can be foretold where jobs are rigid and their users said how long they run: this log does not have that")
	}
	if told, _ := w.s.told(); told != nil {
		for _, i := range q.places {
			q.starts = append(q.starts, told[i].Start)
		}
		return q, nil
	}
	st, err := w.s.seeded(0)
	if err != nil {
		return nil, err
	}
	out, err := st.run(0, "easy", program.NewProgress(progress, "jobs", w.s.Len()*w.s.phases()))
	if err != nil {
		return nil, err
	}
	for _, i := range q.places {
		q.starts = append(q.starts, out.Start[i])
	}
	q.how = "under easy"
	return q, nil
}

// span is from the first arrival to the last.
func (q *Queue) span() (from, to float64) { return q.jobs[0].Arrival, q.jobs[len(q.jobs)-1].Arrival }

// Longest is when most jobs wait, as a part of the time from the first arrival to the last.
func (q *Queue) Longest() float64 {
	from, to := q.span()
	begun, most, at := 0, 0, from
	starts := slices.DeleteFunc(slices.Clone(q.starts), math.IsNaN)
	slices.Sort(starts)
	for k := range q.jobs {
		now := q.jobs[k].Arrival
		for begun < len(starts) && !(starts[begun] > now) {
			begun++
		}
		if waits := k + 1 - begun; waits > most {
			most, at = waits, now
		}
	}
	return (at - from) / max(to-from, math.SmallestNonzeroFloat64)
}

// unit is what times from now are in: minutes where no job waited for three hours.
func (q *Queue) unit() (length float64, name string) {
	for k := range q.jobs {
		if q.starts[k]-q.jobs[k].Arrival > 3*hour {
			return hour, "hours"
		}
	}
	return 60, "minutes"
}

// mostTold is how many jobs that wait are shown.
const mostTold = 100

// At is when the jobs that wait at a part of the time from the first arrival to the last will start,
// and when they did.
func (q *Queue) At(part float64) (*page.Document, error) {
	from, to := q.span()
	now := from + part*(to-from)
	waits, told, err := batch.At(q.jobs, q.starts, q.s.processors, now, q.s.Seed)
	if err != nil {
		return nil, err
	}
	unit, name := q.unit()
	p := newPicture("when", "When will it start", "Of each job that waits, in the order of arrival: the forecast's median and 90% interval, in "+name+" from now, and when it did start "+q.how+
		". A forecast plays EASY on what is known at that time: requests, and for which part of their requests jobs ran that have ended.", page.Foretold, 2, "job", "user", "processors", "median", "low", "high", "started")
	p.X, p.Series = page.Axis{Label: name + " from now"}, []page.Series{{Name: "forecast", Columns: []string{"median", "low", "high", "started"}}}
	p.Table.In(p.X.Label, "median", "low", "high", "started")
	within := 0
	for k, i := range waits {
		f, start := told[k], q.starts[i]
		if f.Low <= start && start <= f.High {
			within++
		}
		if k < mostTold {
			at := func(t float64) float64 { return page.Short((t - now) / unit) }
			if !(math.Abs(start) <= math.MaxFloat64) {
				start = math.NaN()
			}
			job := q.places[i]
			p.Table.Add(page.Name(q.s.nameOf(job)), page.Name(q.s.userName(q.jobs[i].User)), q.jobs[i].Maps.Tasks, at(f.Median), at(f.Low), at(f.High), at(start))
		}
	}
	summary := []string{"Nobody waits at this time."}
	if len(waits) > 0 {
		summary = []string{fmt.Sprintf("Waiting at this time: %s. Starts %s within the forecast's interval: %d.", numbers.Count(len(waits), "job"), q.how, within)}
	}
	title := (time.Duration(math.Round(now-from)) * time.Second).String() + " after the first job came"
	if q.s.Dated() {
		title = q.s.Clock(math.Round(now)) + " " + cmp.Or(q.s.Trace.Zone, time.UTC).String()
	}
	return &page.Document{Program: "when", Title: title, Summary: summary, Pictures: []page.Picture{p}}, nil
}
