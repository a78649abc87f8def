package workload

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// A Span is what a log says happened to a job, or to one task of a table with a start: it waited
// from From to Start and ran from Start to End. Times are seconds, since 1970 in UTC where the file
// has dates and those of the file where it has numbers.
type Span struct {
	Name  string // of the job
	User  string // who submitted it; "" where the log does not say, like the next two
	Team  string // account in sacct, group in SWF, namespace in Kubernetes
	Queue string // partition in sacct, LocalQueue in Kueue

	From   float64 // when it began to wait
	Start  float64 // when it began to run; +Inf: it never did
	End    float64 // when it ended, or was cancelled if it never ran; +Inf: it runs or waits still
	Amount float64 // of ReadOptions.Resource, all its tasks together

	Job int // index in Log.Jobs; -1: not among them
}

// ReadSpans reads from a log what happened to its jobs, one by one, in the order of the file: where
// ReadJobs says that Log.Spans come from. An error comes last and is one of ReadJobs, which has the
// formats; a file without starts, such as a SWIM trace, is a *ParseError. Memory does not grow with
// a file, but for the names of users, teams and queues, and for the Jobs of a Kubernetes list.
func ReadSpans(r io.Reader, o ReadOptions) iter.Seq2[Span, error] {
	return func(yield func(Span, error) bool) {
		_, err := readJobs("ReadSpans", "r", r, o, func(s Span) bool { return yield(s, nil) })
		if err != nil && err != errStopped {
			yield(Span{}, err)
		}
	}
}

// errStopped says that the caller of ReadSpans wants no more.
var errStopped = errors.New("workload: stopped")

// noStarts says that a file cannot tell what happened.
const noStarts = "file does not say when jobs started: want sacct -P, a Kubernetes list, SWF, or a table with a column start"

// intake takes what a file says of each job.
type intake struct {
	ReadOptions
	budget *taskBudget
	each   func(Span) bool // of ReadSpans; nil: Jobs and Spans are collected in log
	log    Log
	users  map[string]int
	names  map[string]string
}

// name is a string of the bytes, the same one each time.
func (in *intake) name(b []byte) string {
	s, known := in.names[string(b)]
	if !known {
		s = string(b)
		in.names[s] = s
	}
	return s
}

// user is the number of a user.
func (in *intake) user(name string) int {
	u, known := in.users[name]
	if !known {
		u = len(in.users)
		in.users[name] = u
		in.log.Users = append(in.log.Users, name)
	}
	return u
}

// span takes what happened to a job.
func (in *intake) span(s Span) error {
	if in.each == nil {
		in.log.Spans = append(in.log.Spans, s)
	} else if !in.each(s) {
		return errStopped
	}
	return nil
}

// outcome is how a job of an accounting log ended, as far as the readers ask.
type outcome uint8

const (
	completed outcome = iota
	failed
	cancelled
)

// live takes what happened to a job of an accounting log, and makes a rigid job of it if it ran and
// ended. It says what is wrong if the tasks are too many.
func (in *intake) live(s Span, requested float64, how outcome) (reason string, err error) {
	s.Job = -1
	ran := s.Amount > 0 && s.Start <= s.End && !math.IsInf(s.End, 1)
	if ran {
		switch how {
		case failed:
			in.log.Failed++
		case cancelled:
			in.log.Cancelled++
		}
	}
	if in.each == nil && ran && !(in.Completed && how != completed) {
		tasks := math.Ceil(s.Amount)
		if tasks > maxTasks {
			return tooManyTasks(tasks, in.budget.most), nil
		}
		if reason = in.budget.take(int(tasks)); reason != "" {
			return reason, nil
		}
		s.Job = len(in.log.Jobs)
		in.log.Jobs = append(in.log.Jobs, slotmodel.JobSpec{Arrival: s.From, User: in.user(cmp.Or(s.User, s.Team, "unknown")), Slowstart: Slowstart,
			Maps: slotmodel.Phase{Tasks: int(tasks), Work: s.End - s.Start}, Requested: requested, Rigid: true})
		in.log.Names = append(in.log.Names, s.Name)
	}
	return "", in.span(s)
}

// settle makes the earliest arrival of an accounting log the time 0 of the jobs.
func (in *intake) settle() {
	if len(in.log.Jobs) == 0 {
		return
	}
	first := math.Inf(1)
	for i := range in.log.Jobs {
		first = min(first, in.log.Jobs[i].Arrival)
	}
	for i := range in.log.Jobs {
		in.log.Jobs[i].Arrival -= first
	}
	in.log.Origin = first
}

// lived says what is wrong with the times of a span: "" if nothing is, else the field, counted from
// 0 for From, and the reason.
func lived(s Span) (field int, reason string) {
	switch {
	case s.Start < s.From:
		return 1, "is before the job began to wait"
	case s.End < s.Start && !math.IsInf(s.Start, 1):
		return 2, "is before the job's start"
	case s.End < s.From:
		return 2, "is before the job began to wait"
	}
	return 0, ""
}
