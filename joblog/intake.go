package joblog

import (
	"cmp"
	"math"
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
}

// resource is what amounts count.
func (in *intake) resource() string { return cmp.Or(in.options.Resource, "cpu") }

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
	if in.each != nil {
		if s, ok := j.Span(); ok && !in.each(s) {
			return "", errStopped
		}
		return "", nil
	}
	if reason = in.Take(tasks); reason == "" {
		in.jobs.add(*j)
	}
	return reason, nil
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
		in.ended(j)
		if j.Run, tasks = j.End-j.Start, j.Processors; j.Amount > maxTasks && in.each == nil {
			return tooManyTasks(math.Ceil(j.Amount), in.limits.mostTasks), nil
		}
	} else {
		j.State = Other
	}
	return in.job(j, tasks)
}

// ended counts a job that ran and ended.
func (in *intake) ended(j *Job) {
	switch j.State {
	case Failed:
		in.log.Failed++
	case Cancelled:
		in.log.Cancelled++
	}
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
