package workload

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"math"
	"strings"

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

	Job   int // index in Log.Jobs; -1: not among them
	Array int // tasks of an array of Slurm that wait together, as one Span; 0: it is one job
}

// ReadSpans reads from a log what happened to its jobs, one by one, in the order of the file: where
// ReadJobs says that Log.Spans come from. An error comes last and is one of ReadJobs, which has the
// formats; a file without starts, such as a SWIM trace, is a *ParseError. Memory does not grow with
// a file, but for the names of users, teams and queues, and in a Kubernetes list for the Jobs and
// the owners of Pods.
func ReadSpans(r io.Reader, o ReadOptions) iter.Seq2[Span, error] {
	return func(yield func(Span, error) bool) {
		if _, err := readJobs("ReadSpans", "r", r, o, func(s Span) bool { return yield(s, nil) }); err != nil {
			yield(Span{}, err)
		}
	}
}

// EachSpan tells each of the spans that ReadSpans gives, until that returns false, and returns what
// the log says besides: Processors and the counts.
func EachSpan(r io.Reader, each func(Span) bool, o ReadOptions) (Log, error) {
	g := guard{fn: "EachSpan"}
	if each == nil {
		g.arg("each", "nil, want a function")
		return Log{}, g.err
	}
	return readJobs("EachSpan", "r", r, o, each)
}

// errStopped says that the caller wants no more spans.
var errStopped = errors.New("workload: stopped")

// noStarts says that a file cannot tell what happened.
const noStarts = "file does not say when jobs started: want sacct -P, a Kubernetes list, SWF, or a table with a column start"

// intake takes what a file says of each job.
type intake struct {
	ReadOptions
	budget   *budget
	each     func(Span) bool // of ReadSpans; nil: Jobs and Spans are collected in log
	log      Log
	jobs     pile[slotmodel.JobSpec]
	jobNames pile[string]
	swf      pile[SWFJob]
	spans    pile[Span]
	users    map[string]int
	names    map[string]string
}

// resource is what amounts count.
func (in *intake) resource() string { return cmp.Or(in.Resource, "cpu") }

// name is a copy of a string, the same one each time.
func (in *intake) name(s string) string {
	known, ok := in.names[s]
	if !ok {
		known = strings.Clone(s)
		in.names[known] = known
	}
	return known
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
		in.spans.add(s)
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
// ended. It says what is wrong with the amount.
func (in *intake) live(s Span, requested float64, how outcome) (reason string, err error) {
	if s.Amount != 0 && !(s.Amount >= 1/mostAmount && s.Amount <= mostAmount) {
		return "has the amount " + text(s.Amount) + ", want 0 or one within [2^-200, 2^200]", nil
	}
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
	if in.each != nil {
		return "", in.span(s)
	}
	tasks := 0.0
	if ran && !(in.Completed && how != completed) {
		tasks = math.Ceil(s.Amount)
	}
	if tasks > maxTasks {
		return tooManyTasks(tasks, in.budget.mostTasks), nil
	}
	if reason = in.budget.job(int(tasks)); reason != "" {
		return reason, nil
	}
	if tasks > 0 {
		s.Job = in.jobs.n
		in.jobs.add(slotmodel.JobSpec{Arrival: s.From, User: in.user(cmp.Or(s.User, s.Team, "unknown")), Slowstart: Slowstart,
			Maps: slotmodel.Phase{Tasks: int(tasks), Work: s.End - s.Start}, Requested: requested, Rigid: true})
		in.jobNames.add(s.Name)
	}
	return "", in.span(s)
}

// done is the log.
func (in *intake) done() Log {
	log := in.log
	log.Jobs, log.Names, log.SWF, log.Spans = in.jobs.list(), in.jobNames.list(), in.swf.list(), in.spans.list()
	return log
}

// settled is the log, with the earliest arrival as the time 0 of the jobs.
func (in *intake) settled() Log {
	log := in.done()
	if len(log.Jobs) == 0 {
		return log
	}
	log.Origin = math.Inf(1)
	for i := range log.Jobs {
		log.Origin = min(log.Origin, log.Jobs[i].Arrival)
	}
	for i := range log.Jobs {
		log.Jobs[i].Arrival -= log.Origin
	}
	return log
}

// lived says what is wrong with the times of a span: "" if nothing is, else the field, counted from
// 0 for From, and the reason.
func lived(s Span) (field int, reason string) {
	switch {
	case s.Start < s.From:
		return 1, "is before the job began to wait"
	case s.End < s.Start && !math.IsInf(s.Start, 1):
		return 2, "is before the start"
	case s.End < s.From:
		return 2, "is before the job began to wait"
	case s.End > mostTime && !math.IsInf(s.End, 1):
		return 2, "ends after 2^199 s"
	}
	return 0, ""
}
