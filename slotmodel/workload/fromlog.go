package workload

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
)

// FromLogOptions are those of FromLog. The zero value takes all jobs that ran.
type FromLogOptions struct {
	Completed bool // leaves out jobs that failed or were cancelled; otherwise they run for as long as they did
	// Requests makes an unknown Requested the longest that the log has for the queue of the job, or else
	// for any; where nobody said any it stays 0, and policies take the job to run for ever.
	Requests bool
}

// FromLog appends to dst a job of the slot model for each job of a log that ran and has ended, and
// for each of a table, in the order of the log: as many maps as it had processors, each as long as
// it ran, and no reduces. The earliest Submit is the time 0, but in SWF its second 0. A user in SWF
// keeps its number, 0 where it is unknown; other users, or teams where there are none, are numbered
// as they come, those with neither as one. Priority is a table's weight; Requested is 0 where it is
// unknown, unless o.Requests is set.
//
// Errors: a SWIM trace, for which Explode is; a job that joblog.ReadJobs would not give.
func FromLog(dst []slotmodel.JobSpec, log joblog.Log, o FromLogOptions) ([]slotmodel.JobSpec, error) {
	g := guard{fn: "FromLog"}
	if log.Format == joblog.SWIM {
		g.arg("log", "a SWIM trace, want jobs with times: Explode makes tasks of its bytes")
	}
	taken := Replayed(nil, log, o)
	first := math.Inf(1)
	for _, i := range taken {
		g.elem("log", i, fault(&log.Jobs[i]))
		first = min(first, log.Jobs[i].Submit)
	}
	if g.err != nil {
		return dst, g.err
	}
	if log.Format == joblog.SWF {
		if first = 0; !log.Begin.IsZero() {
			first = float64(log.Begin.Unix())
		}
	}
	longest := map[string]float64{} // request by queue; "": of all, which is also what no queue asks for
	if o.Requests {
		for i := range log.Jobs {
			if j := &log.Jobs[i]; j.Requested > 0 && j.Requested <= mostAmount {
				longest[j.Queue], longest[""] = max(longest[j.Queue], j.Requested), max(longest[""], j.Requested)
			}
		}
	}
	out, users := slices.Grow(dst, len(taken)), map[string]int{}
	for _, i := range taken {
		j := &log.Jobs[i]
		user := 0
		if log.Format == joblog.SWF {
			if n, err := strconv.Atoi(j.User); err == nil {
				user = n
			}
		} else {
			name, known := cmp.Or(j.User, j.Team, "unknown"), false
			if user, known = users[name]; !known {
				user = len(users)
				users[name] = user
			}
		}
		spec := slotmodel.JobSpec{Arrival: j.Submit - first, User: user, Slowstart: Slowstart, Rigid: j.Rigid, Priority: j.Weight,
			Maps: slotmodel.Phase{Tasks: j.Processors, Work: j.Run, Memory: j.Memory}}
		spec.Requested = cmp.Or(longest[j.Queue], longest[""])
		if j.Requested > 0 {
			spec.Requested = j.Requested
		}
		if j.Deadline >= first {
			spec.Deadline = j.Deadline - first
		}
		out = append(out, spec)
	}
	return out, nil
}

// Replayed appends to dst the places in log.Jobs of the jobs that FromLog takes, in its order.
func Replayed(dst []int, log joblog.Log, o FromLogOptions) []int {
	for i := range log.Jobs {
		j := &log.Jobs[i]
		if j.Run >= 0 && !(o.Completed && (j.State == joblog.Failed || j.State == joblog.Cancelled)) {
			dst = append(dst, i)
		}
	}
	return dst
}

// fault says what no reader gives of a job, "" if nothing.
func fault(j *joblog.Job) string {
	requested := j.Requested
	if math.IsNaN(requested) {
		requested = 0
	}
	for _, f := range [...]struct {
		name        string
		x           float64
		least, most float64
	}{{"Submit", j.Submit, -mostAmount, mostAmount}, {"Run", j.Run, 0, mostAmount}, {"Processors", float64(j.Processors), 0, maxTasks}, {"Memory", j.Memory, 0, mostAmount}, {"Requested", requested, 0, mostAmount}, {"Weight", j.Weight, 0, math.MaxFloat64}} {
		if !(f.least <= f.x && f.x <= f.most) {
			return f.name + " is " + text(f.x) + ", want a number within [" + text(f.least) + ", " + text(f.most) + "]"
		}
	}
	return ""
}
