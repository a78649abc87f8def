package joblog

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// intake takes what a file says of each job.
type intake struct {
	*Text
	each  func(Span) bool // of EachSpan; nil: jobs are collected
	log   Log
	jobs  pile[Job]
	swim  pile[SWIMJob]
	names map[string]string
	lines int   // that might be jobs
	bad   int   // of them, that cannot be read
	first error // of the first such line

	// Of sacct: jobs that ran and had the resource; the first line of one that had not, though it asked.
	held, asked int
}

// mostReasons is how many reasons are told apart.
const mostReasons = 100

// leave counts a line that is left out.
func (in *intake) leave(line int, text string, unknown bool) {
	list := in.log.LeftOut
	i := slices.IndexFunc(list, func(r Reason) bool { return r.Text == text && r.Unknown == unknown })
	const others = "other reasons"
	if i < 0 && len(list) >= mostReasons && text != others {
		in.leave(line, others, unknown)
		return
	}
	if i < 0 {
		i = len(list)
		list = append(list, Reason{Text: text, First: line, Unknown: unknown})
	}
	list[i].Lines++
	in.log.LeftOut = list
}

// fault leaves out the line of an error, unless that is one of the file.
func (in *intake) fault(err error) error {
	e, ok := err.(*ParseError)
	if !ok || e.whole || in.full || in.options.Strict || in.log.Format == SWIM {
		return err
	}
	if in.bad++; in.bad == 1 {
		in.first = err
	}
	in.leave(e.Line, cmp.Or(e.kind, strings.TrimSpace(e.Field+" "+e.Reason)), false)
	return nil
}

// judge is an error if too many lines were left out since they cannot be read.
func (in *intake) judge() error {
	if in.bad > 0 && in.bad == in.lines {
		return in.first
	}
	if in.asked > 0 && in.held == 0 {
		return &ParseError{Line: in.asked, Column: 1, Reason: "AllocTRES has no " + in.tresName() + ", ReqTRES has: Slurm does not allocate it here, so that nobody holds any"}
	}
	const few = 10
	most := cmp.Or(in.options.Bad, defaultBad)
	for _, r := range in.log.LeftOut {
		if !r.Unknown && r.Lines > few && float64(r.Lines) > most*float64(in.lines) {
			return &ParseError{Line: r.First, Column: 1, Reason: strconv.Itoa(r.Lines) + " of " + strconv.Itoa(in.lines) + " lines cannot be read, this the first, more than Bad = " +
				text(most) + " of them, which the flag -bad of programs raises: " + r.Text}
		}
	}
	return nil
}

// resource is what amounts count.
func (in *intake) resource() string { return cmp.Or(in.options.Resource, "cpu") }

// tresName is what Slurm calls it.
func (in *intake) tresName() string {
	if in.resource() == "memory" {
		return "mem"
	}
	return in.resource()
}

// name is a copy of a string, the same one each time.
func (in *intake) name(s string) string {
	known, ok := in.names[s]
	if !ok {
		known = strings.Clone(s)
		in.names[known] = known
	}
	return known
}

// job takes a job, of whose tasks a replay has so many. It says what is wrong if there are too many.
func (in *intake) job(j *Job, tasks int) (reason string, err error) {
	if in.each == nil {
		if reason = in.Take(tasks); reason != "" {
			return reason, nil
		}
		in.jobs.add(*j)
	}
	n, c := max(1, j.Array), &in.log.Counts
	switch c.Jobs += n; {
	case j.Amount == 0:
		c.None += n
	case math.IsInf(j.Start, 1) && math.IsInf(j.End, 1):
		c.Waiting += n
	case math.IsInf(j.Start, 1):
		c.NeverRan += n
	case math.IsInf(j.End, 1):
		c.Running += n
	}
	if j.Run >= 0 {
		switch j.State {
		case Failed:
			in.log.Failed++
		case Cancelled:
			in.log.Cancelled++
		}
	}
	if in.each != nil {
		if s, ok := j.Span(); ok && !in.each(s) {
			return "", errStopped
		}
	}
	return "", nil
}

// live takes a job of accounting, which has an amount and perhaps ran. It says what is wrong with the
// amount.
func (in *intake) live(j *Job) (reason string, err error) {
	if j.Amount != 0 && !(j.Amount >= 1/mostAmount && j.Amount <= mostAmount) {
		return "has the amount " + text(j.Amount) + ", want 0 or one within [2^-200, 2^200]", nil
	}
	j.Deadline, j.Think, j.Preceding, j.Rigid, j.Run = math.NaN(), math.NaN(), -1, true, math.NaN()
	j.Processors = int(math.Ceil(min(j.Amount, maxTasks)))
	tasks := 0
	if j.Amount > 0 && j.Start <= j.End && !math.IsInf(j.End, 1) {
		if j.Run, tasks = j.End-j.Start-j.Suspended, j.Processors; j.Amount > maxTasks && in.each == nil {
			return tooManyTasks(math.Ceil(j.Amount), in.limits.mostTasks), nil
		}
	} else {
		j.State = Other
	}
	return in.job(j, tasks)
}

// lived says what is wrong with the times of a job: "" if nothing is, else the field, counted from
// 0 for Submit, and the reason.
func lived(j *Job) (field int, reason string) {
	switch {
	case j.Start < j.Submit:
		return 1, "is before the job began to wait"
	case j.End < j.Start && !math.IsInf(j.Start, 1):
		return 2, "is before the start"
	case j.End < j.Submit:
		return 2, "is before the job began to wait"
	case j.End > mostTime && !math.IsInf(j.End, 1):
		return 2, "ends after 2^199 s"
	}
	return 0, ""
}
