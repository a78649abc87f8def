package malleable

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/input"
)

// DeadlineError says that no schedule meets all deadlines: the jobs with deadlines up to this
// one's cannot all be done in time. It is an outcome of valid arguments, so it does not wrap
// schedmath.ErrInput.
type DeadlineError struct {
	Job      int
	Deadline float64
	// Missing: slot-seconds of Job that find no slot before its deadline, or all of its work if the
	// deadline is too soon for its Max
	Missing float64
}

// Error says the job, its deadline and the work that is missing.
func (e *DeadlineError) Error() string {
	return fmt.Sprintf("malleable: job %d cannot meet its deadline %g beside those with earlier ones: %g of its work are left", e.Job, e.Deadline, e.Missing)
}

// WaterFill finds a schedule of independent jobs in which job j completes by deadlines[j], +Inf for
// none, if there is one at all.
//
// Errors: DeadlineError with the first job that does not fit, by more than the tolerance of Verify;
// MinimaError when the minima alone exceed slots at time 0; deadlines of another length or NaN.
func WaterFill(slots int, jobs []Job, deadlines []float64) (*Schedule, error) {
	// Whole slots change places within the intervals between deadlines: a job has up to three pieces in
	// each interval that it is poured into.
	const fn = "malleable.WaterFill"
	if err := checkJobs(fn, slots, jobs, nil); err != nil {
		return nil, err
	}
	if len(deadlines) != len(jobs) {
		return nil, input.Bad(fn, "deadlines", -1, "has %d elements, want %d", len(deadlines), len(jobs))
	}
	for j, d := range deadlines {
		if !(d >= math.Inf(-1)) {
			return nil, input.Bad(fn, "deadlines", j, "is %v, want a number", d)
		}
	}
	if err := checkMinimaAtStart(slots, jobs); err != nil {
		return nil, err
	}
	s, err := fill(slots, jobs, deadlines, 0)
	if err != nil {
		if less, refused := fill(slots, jobs, deadlines, 1-0x1p-4); refused == nil {
			return less, nil
		}
	}
	return s, err
}

// fillLoss is how much of its work, as a fraction, a job may lose to rounding where the schedule is
// full. It is far below what Verify allows, and far above the rounding of a float64.
const fillLoss = 0x1p-44

// fill makes a schedule in which each job does its work except for a part of its slack.
func fill(slots int, jobs []Job, deadlines []float64, part float64) (*Schedule, error) {
	w, err := newWater(slots, jobs, deadlines, part)
	if err != nil {
		return nil, err
	}
	for _, j := range w.order {
		if err := w.pour(j); err != nil {
			return nil, err
		}
	}
	pieces := w.wholeSlots()
	return NewSchedule(w.completions(pieces), pieces)
}

// completions returns when each job has done its work: at the end of its last piece, or, where the
// clock was too coarse to see all of the work, at the end of the last interval that the job has a
// share of.
func (w *water) completions(pieces []Piece) []float64 {
	completion, done := make([]float64, len(w.jobs)), make([]float64, len(w.jobs))
	for _, p := range pieces {
		completion[p.Job] = max(completion[p.Job], p.End)
		done[p.Job] += float64(float64(p.Slots) * (p.End - p.Start))
	}
	late := make([]bool, len(w.jobs))
	for j := range w.jobs {
		late[j] = w.jobs[j].Work-done[j] > w.jobs[j].slack(w.slots, completion[j])
	}
	for i := len(w.share) - 1; i >= 0; i-- {
		for _, l := range w.share[i] {
			if late[l.job] {
				completion[l.job], late[l.job] = w.end[i], false
			}
		}
	}
	return completion
}

// checkMinimaAtStart returns a MinimaError if the minima of all jobs with work exceed slots:
// without precedence all are ready at 0.
func checkMinimaAtStart(slots int, jobs []Job) error {
	e := &MinimaError{Slots: slots}
	for j := range jobs {
		if jobs[j].Min > 0 && jobs[j].Work > 0 {
			e.Jobs = append(e.Jobs, j)
			e.Minima = addClamped(e.Minima, jobs[j].Min)
		}
	}
	if e.Minima > slots {
		return e
	}
	return nil
}

// share is the work that a job does in an interval beside its minimum. As a level, a fraction of
// slots, it could underflow.
type share struct {
	job  int32
	work float64
}

// water is the state of a filling. By ascending deadline, ties by index, each job is poured like
// water onto what the earlier ones take: over [0, deadline], at most Max at a time, as low as it
// goes [3]. The minima are a base under the water: job j holds Min from 0 to min(deadline,
// Work/Min), and only the rest of its work is poured. Levels are fractions of slots; within each
// interval a job with level x holds floor(x) or floor(x)+1 slots, changing places by McNaughton's
// wrap-around [4].
//
// Why the base is right, with maxima too: take a feasible schedule in which job j holds more than
// Min at a time t and ends before its base does, and a time s between that end and the end of the
// base. Move a little of j's work from t to s. If no slot is idle at s, the other jobs hold more
// than slots - Min there, and less than that at t; so some job k holds more at s than at t. Move
// as much of k's work from s to t: k then holds at t no more than it held at s, within its Max, and
// at s no less than it held at t, which is at least its Min. No deadline breaks, because k's work
// moves to an earlier time and j's stays within the base, which ends by j's deadline.
//
// Intervals lie between neighbouring deadlines and ends of bases.
// Heights never increase with time. They are double-doubles, because a float64 near 2^27 slots
// cannot tell what a job of one slot takes to 2^-40.
type water struct {
	slots     int
	todo      []float64 // the work that each job does
	jobs      []Job
	deadline  []float64 // finite
	order     []int     // the jobs with work by deadline
	base      []float64 // until when a job holds its minimum
	end       []float64 // of each interval; the first begins at 0
	height    []dd.T    // of each interval
	share     [][]share // of each interval
	minimaEnd []int     // the jobs with minima by the end of their bases
}

func newWater(slots int, jobs []Job, deadlines []float64, part float64) (*water, error) {
	n := len(jobs)
	w := &water{slots: slots, todo: make([]float64, n), jobs: jobs, deadline: slices.Clone(deadlines), base: make([]float64, n)}
	last, total := 0.0, 0.0
	for j, d := range deadlines {
		if jobs[j].Work > 0 {
			w.order = append(w.order, j)
		} else if d < 0 {
			return nil, &DeadlineError{j, d, 0}
		}
		if d <= math.MaxFloat64 {
			last = max(last, d)
		}
		total += jobs[j].Work
	}
	// nobody need end later than if all works were done one by one after the last deadline
	for j := range w.deadline {
		w.deadline[j] = min(w.deadline[j], last+total, math.MaxFloat64)
	}
	slices.SortFunc(w.order, func(a, b int) int { return cmp.Or(cmp.Compare(w.deadline[a], w.deadline[b]), a-b) })
	for _, j := range w.order {
		job, d := &jobs[j], w.deadline[j]
		end := d
		if job.Min > 0 {
			end = min(d, job.Work/float64(job.Min))
		}
		w.todo[j] = max(job.Work-part*job.slack(slots, end), job.Work*fillLoss)
		if !(d > 0) || float64(w.todo[j]/float64(job.most(slots))) > d*(1+fillLoss) {
			return nil, &DeadlineError{j, deadlines[j], job.Work}
		}
		w.end = append(w.end, d)
		if job.Min > 0 {
			w.base[j] = min(d, w.todo[j]/float64(job.Min))
			w.end = append(w.end, w.base[j])
			w.minimaEnd = append(w.minimaEnd, j)
		}
	}
	slices.Sort(w.end)
	w.end = slices.Compact(w.end)
	slices.SortFunc(w.minimaEnd, func(a, b int) int { return cmp.Or(cmp.Compare(w.base[a], w.base[b]), a-b) })
	w.height = make([]dd.T, len(w.end))
	w.share = make([][]share, len(w.end))
	base := 0 // whole numbers, so that the heights are exact
	k := len(w.minimaEnd)
	for i := len(w.end) - 1; i >= 0; i-- {
		for ; k > 0 && w.base[w.minimaEnd[k-1]] >= w.end[i]; k-- {
			base += jobs[w.minimaEnd[k-1]].Min
		}
		w.height[i] = dd.Of(float64(base))
	}
	return w, nil
}

func (w *water) length(i int) float64 {
	if i == 0 {
		return w.end[0]
	}
	return w.end[i] - w.end[i-1]
}

// pour fills what the base leaves of job j's work into the intervals up to its deadline.
func (w *water) pour(j int) error {
	job, d := &w.jobs[j], w.deadline[j]
	rest := w.todo[j] - float64(float64(job.Min)*w.base[j])
	room := float64(job.most(w.slots) - job.Min)
	if job.Min > 0 && w.base[j] < d || !(rest > 0) || room == 0 {
		return nil // the base does all, to within rounding
	}
	top, _ := slices.BinarySearch(w.end, d)
	limit := dd.Of(float64(w.slots))
	level, ok := w.level(top, rest, room)
	full := !ok || level.Cmp(limit) > 0
	if full {
		level = limit
	}
	first, sum := top+1, 0.0 // the first interval that it is poured into
	for ; first > 0 && w.height[first-1].Cmp(level) < 0; first-- {
		sum += float64(min(room, level.Sub(w.height[first-1]).Hi) * w.length(first-1))
	}
	if missing := rest - sum; full && missing > rest*fillLoss {
		return &DeadlineError{j, d, missing}
	}
	// A job with too little work to raise the water is spread thinly over all the time that it has.
	scale, thin := 1.0, 0.0
	switch {
	case sum == 0:
		first, thin = 0, rest
	case !full || sum > rest:
		scale = rest / sum // rounding
	}
	for i := top; i >= first; i-- {
		length := w.length(i)
		x := max(0, min(room, level.Sub(w.height[i]).Hi))
		work := float64(scale*float64(x*length)) + float64(thin*(length/d))
		w.share[i] = append(w.share[i], share{int32(j), min(room*length, work)})
		if x == room {
			w.height[i] = w.height[i].AddFloat(room)
		} else if x > 0 {
			w.height[i] = level
		}
	}
	return nil
}

// level returns how high the water stands when rest has been poured into the intervals up to top,
// at most room in each, and false if they do not hold so much. The volume is linear between the
// heights at which an interval begins to fill and those at which it is full; both ascend towards
// earlier intervals, so that two fingers meet all of them in order.
func (w *water) level(top int, rest, room float64) (dd.T, bool) {
	filling, full := top, top // the next interval to begin, the next to be full
	level, width := w.height[top], 0.0
	for filling >= 0 || full > filling {
		var next dd.T
		if filling >= 0 {
			next = w.height[filling]
		}
		if full > filling { // some are filling
			if until := w.height[full].AddFloat(room); filling < 0 || until.Cmp(next) < 0 {
				next = until
			}
		}
		if width > 0 {
			if volume := float64(width * next.Sub(level).Hi); volume < rest {
				rest -= volume
			} else {
				return level.AddFloat(rest / width), true
			}
		}
		level = next
		for filling >= 0 && w.height[filling].Cmp(level) <= 0 {
			filling--
		}
		for full > filling && w.height[full].AddFloat(room).Cmp(level) <= 0 {
			full--
		}
		width = 0
		if full > filling {
			width = w.end[full]
			if filling >= 0 {
				width -= w.end[filling]
			}
		}
	}
	return level, false
}
