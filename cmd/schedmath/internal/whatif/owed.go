package whatif

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/audit"
	"github.com/schedmath/schedmath/internal/replay"
	"github.com/schedmath/schedmath/slotmodel"
)

// asItWas is the name of the row of what really happened.
const asItWas = "as-it-was"

const hour = 3600 // s

// told is what a log says happened to each of the jobs, and to jobs that came then and are not
// replayed, as they wait or run still or never ran; nil where it says so of none of the jobs, or where
// they do not come as they came then.
func (s *setting) told() (list, others []audit.Span) {
	if !s.slots || s.Scaled || s.redraws() {
		return nil, nil
	}
	for _, x := range s.Spans {
		i, ok := slices.BinarySearch(s.places, x.Job)
		if !ok || math.IsInf(x.End, 1) || x.Start > x.End {
			if from := x.From - s.Origin; s.begin-s.Warm.Seconds() <= from && from < s.end {
				others = append(others, audit.Span{From: from, Start: x.Start - s.Origin, End: x.End - s.Origin, Amount: x.Amount})
			}
			continue
		}
		if list == nil {
			list = make([]audit.Span, len(s.Jobs))
			for i := range list {
				list[i].Start, list[i].End = math.NaN(), math.NaN()
			}
		}
		list[i] = audit.Span{User: s.Jobs[i].User, From: x.From - s.Origin, Start: x.Start - s.Origin, End: x.End - s.Origin, Amount: x.Amount}
	}
	return list, others
}

// really is what happened to the jobs.
func (s *stage) really(told []audit.Span) (r outcome, err error) {
	var spans []audit.Span
	for i, x := range told {
		r.Sojourn, r.Finish, r.Start = append(r.Sojourn, x.End-x.From), append(r.Finish, x.End), append(r.Start, x.Start)
		if !math.IsNaN(x.End) {
			x.End = min(x.End, x.Start+s.Jobs[i].Maps.Work) // less what it stood still
			spans = append(spans, x)
		}
	}
	return r, s.audit(&r, spans)
}

// ranAtOnce is the most that ran at one time by a log; 0 where it does not say.
func (s *setting) ranAtOnce() float64 {
	var list []audit.Span
	for _, x := range s.Spans {
		list = append(list, audit.Span{Start: x.Start, End: x.End, Amount: x.Amount})
	}
	return replay.AtOnce(list)
}

// An auditor writes down what the maps of each job wait for and run on: stretches of waiting, as if
// they ended in a cancellation, and stretches of running, as if nobody had waited for them. It does so
// where users share a cluster, and adds up in any case how many maps run.
type auditor struct {
	jobs   []slotmodel.JobSpec
	now    []stretch
	shared bool
	spans  []audit.Span
	use    meter
}

// stretch is how many maps of a job wait and run since a time.
type stretch struct {
	since      float64
	wait, runs int
}

// newAuditor adds up what runs from a time on.
func newAuditor(jobs []slotmodel.JobSpec, shared bool, begin float64) *auditor {
	first, last := arrivals(jobs)
	return &auditor{jobs: jobs, now: make([]stretch, len(jobs)), shared: shared, use: meter{curve: newCurve(max(first, begin), last)}}
}

// log takes an event of the run.
func (a *auditor) log(e slotmodel.Event) {
	wait, run := 0, 0
	switch {
	case e.Type == slotmodel.Arrived:
		wait = a.jobs[e.Job].Maps.Tasks
	case e.Type == slotmodel.JobEnded:
		wait, run = -a.now[e.Job].wait, -a.now[e.Job].runs
	case e.Kind != slotmodel.Map || e.Job == slotmodel.None:
		return
	case e.Type == slotmodel.Started, e.Type == slotmodel.Resumes:
		wait, run = -1, 1
	case e.Type == slotmodel.Ended:
		run = -1
	case e.Type == slotmodel.Killed, e.Type == slotmodel.Crashed, e.Type == slotmodel.Suspends:
		wait, run = 1, -1
	}
	if wait == 0 && run == 0 {
		return
	}
	s := &a.now[e.Job]
	if run != 0 {
		a.use.change(e.Time, float64(run))
	}
	if a.shared && e.Time > s.since {
		u := a.jobs[e.Job].User
		if s.runs > 0 {
			a.spans = append(a.spans, audit.Span{User: u, From: s.since, Start: s.since, End: e.Time, Amount: float64(s.runs)})
		}
		if s.wait > 0 {
			a.spans = append(a.spans, audit.Span{User: u, From: s.since, Start: math.Inf(1), End: e.Time, Amount: float64(s.wait)})
		}
	}
	s.since, s.wait, s.runs = e.Time, s.wait+wait, s.runs+run
}

// audit fills in what the users of a run were owed in the time that counts, if they share a cluster.
func (s *stage) audit(r *outcome, spans []audit.Span) error {
	if !s.shared {
		return nil
	}
	spans = slices.DeleteFunc(spans, func(x audit.Span) bool { return x.End <= s.begin || x.From >= s.end })
	for i := range spans {
		x := &spans[i]
		if x.From, x.Start, x.End = max(x.From, s.begin), max(x.Start, s.begin), min(x.End, s.end); x.Start >= s.end {
			x.Start = math.Inf(1) // it waits until the time that counts ends
		}
	}
	last := slices.MaxFunc(s.Jobs, func(a, b slotmodel.JobSpec) int { return cmp.Compare(a.User, b.User) }).User
	parents := slices.Repeat([]int{-1}, last+1)
	debts, _, err := audit.Shortfall(nil, []audit.Capacity{{Amount: float64(s.processors)}}, spans, audit.Options{Parents: parents})
	for _, d := range debts {
		r.Net, r.Worst = append(r.Net, d.Net), append(r.Worst, d.Worst)
	}
	return err
}

// owes fills in what the users were owed, in hours of a map slot.
func (r *Row) owes(s *stage, run outcome) {
	r.Owed, r.Worst, r.owed = 0, 0, make([]float64, len(s.Users))
	for u, net := range run.Net {
		r.Owed += max(0, net) / hour
		r.Worst = max(r.Worst, run.Worst[u]/hour)
		if u < len(s.Users) {
			r.owed[u] = net / hour
		}
	}
}
