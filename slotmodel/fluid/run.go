package fluid

import (
	"cmp"
	"slices"
)

// Runner runs policies and keeps its memory from run to run. The zero value is ready.
type Runner struct {
	name  string // for errors
	jobs  []Job
	ids   []int32 // by (Arrival, index)
	equal bool    // all weights are equal
	turn  bool    // FIFO, jobs of size 0 wait for their turn

	line timeline
	next int // place in the order of arrivals

	rem     []dd      // work left of jobs that have been served in part
	residue []float64 // what snap took off the key of a job in the virtual system
	wait    heap
	virt    heap
	late    heap
	fifo    []entry // late jobs with the time of becoming late under LateFirst

	server server
	las    levels

	finish, sojourn, virtual []float64
	live                     int // jobs in the system
	last                     dd  // time of the last change of live, from base
	area                     dd
}

// Run serves the jobs, in any order of arrival, under policy p on the given number of slots, which
// need not be whole. The times are those of the exact schedule, computed to about 80 bits and
// rounded to float64 at the end.
//
// Errors: an *InputError for slots outside [2^-200, 2^200], for numbers of jobs that are neither 0
// nor in that range, and for a policy that is nil, a pointer or of an unknown late rule.
func Run(slots float64, jobs []Job, p Policy) (*Result, error) {
	r := Runner{name: "fluid.Run"}
	res := new(Result)
	if err := r.run(res, slots, jobs, p); err != nil {
		return nil, err
	}
	return res, nil
}

// Run is like the function Run. It overwrites dst, whose slices it reuses, and allocates nothing
// once runner and dst have been used for as many jobs under such a policy. On an error, as for a
// nil dst, dst is unchanged.
func (r *Runner) Run(dst *Result, slots float64, jobs []Job, p Policy) error {
	r.name = "fluid.Runner.Run"
	if dst == nil {
		return r.bad("dst", -1, "nil, want a Result")
	}
	return r.run(dst, slots, jobs, p)
}

func (r *Runner) run(dst *Result, slots float64, jobs []Job, p Policy) error {
	if err := r.check(slots, jobs, p); err != nil {
		return err
	}
	_, isFSP := p.(FSP)
	fifo, _ := p.(FIFO)
	r.prepare(slots, jobs, isFSP)
	r.turn = fifo.Turn
	r.serve(p)
	r.jobs, r.las.jobs = nil, nil // arguments must not outlive the call
	dst.Finish = append(dst.Finish[:0], r.finish...)
	dst.Sojourn = append(dst.Sojourn[:0], r.sojourn...)
	dst.Virtual = append(dst.Virtual[:0], r.virtual...)
	if !isFSP {
		dst.Virtual = nil
	}
	dst.Area = r.area.float()
	return nil
}

// prepare makes the runner ready for a run over valid arguments.
func (r *Runner) prepare(slots float64, jobs []Job, virtual bool) {
	n := len(jobs)
	r.jobs = jobs
	r.ids = slices.Grow(r.ids[:0], n)[:n]
	for i := range r.ids {
		r.ids[i] = int32(i)
	}
	slices.SortFunc(r.ids, func(a, b int32) int {
		return cmp.Or(cmp.Compare(jobs[a].Arrival, jobs[b].Arrival), cmp.Compare(a, b))
	})
	r.line = timeline{slots: slots}
	r.next = 0
	r.residue = slices.Grow(r.residue[:0], n)[:n]
	r.rem = slices.Grow(r.rem[:0], n)[:n]
	r.wait, r.virt, r.late = r.wait[:0], r.virt[:0], r.late[:0]
	r.finish = slices.Grow(r.finish[:0], n)[:n]
	r.sojourn = slices.Grow(r.sojourn[:0], n)[:n]
	r.virtual = r.virtual[:0]
	if virtual {
		r.virtual = slices.Grow(r.virtual, n)[:n]
	}
	r.live, r.last, r.area = 0, dd{}, dd{}
}

// arrival is the job that arrives next; -1: there is none.
func (r *Runner) arrival() int32 {
	if r.next == len(r.ids) {
		return -1
	}
	return r.ids[r.next]
}

// weight is the weight of job id.
func (r *Runner) weight(id int32) float64 { return r.jobs[id].weight() }

// rebase begins a new busy period at time t.
func (r *Runner) rebase(t float64) {
	r.line.base = t
	r.last = dd{}
}

// enter counts job id in; a job of size 0 is done at once and enter reports false.
func (r *Runner) enter(id int32) bool {
	j := &r.jobs[id]
	r.next++
	if j.Size == 0 && !r.turn {
		r.finish[id], r.sojourn[id] = j.Arrival, 0
		return false
	}
	r.count(quickTwoSum(j.Arrival, -r.line.base))
	r.live++
	return true
}

// lateAtOnce reports whether job id is late when it arrives.
func (r *Runner) lateAtOnce(id int32, p plan) bool {
	if p.virtual() && r.jobs[id].Estimate == 0 {
		r.virtual[id] = r.jobs[id].Arrival
		return true
	}
	return p.key == noKey
}

// done records that job id is complete at work clock u.
func (r *Runner) done(id int32, u dd) {
	now := r.line.toTime(u)
	if now.less(r.last) {
		// The job is too small for the clock: rounding must not end it before it arrives.
		now = r.last
	}
	r.count(now)
	r.live--
	s := twoSum(r.line.base, now.hi)
	r.finish[id] = s.hi + (s.lo + now.lo)
	r.sojourn[id] = now.minus(quickTwoSum(r.jobs[id].Arrival, -r.line.base))
}

// count adds the time since the last change to the area.
func (r *Runner) count(now dd) {
	s := quickTwoSum(r.area.hi, float64(float64(r.live)*now.minus(r.last)))
	r.area.hi = s.hi
	r.area.lo += s.lo
	r.last = now
}

// virtuallyDone records that job id is done in the virtual system at time now from base.
func (r *Runner) virtuallyDone(id int32, now dd) {
	s := twoSum(r.line.base, now.hi)
	r.virtual[id] = max(s.hi+(s.lo+now.lo), r.jobs[id].Arrival)
}
