package backfill

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/schedmath/schedmath/internal/input"
)

// Job is a job that waits.
type Job struct {
	Need     []int64 // whole units of each resource, all held from start to end
	Time     float64 // for how long, as planned: requested or predicted; 0: for its first instant; +Inf: for ever
	Promised float64 // start that an earlier plan gave; 0 or +Inf: none
	Owner    int     // whose it is, who may have windows; 0: nobody's
}

// Running is a job that runs.
type Running struct {
	Need  []int64
	End   float64 // as planned; at or before now: the job is late, and taken to end right after now
	Owner int     // as of a Job
}

// Options say which jobs get reservations, and who may overtake. The zero value is EASY.
type Options struct {
	Depth    int      // jobs that must wait whose start is reserved; 0: 1, EASY; -1: all, conservative
	Shortest bool     // the others are tried by Time, then in the order of the queue: SJBF
	InOrder  bool     // nobody starts before a job ahead of it: FCFS; Shortest is then without effect
	Windows  []Window // what is held for nobody, or for whom
}

// Plan says who of the queue starts now, and when others will. It appends a start for each job, in
// the order of the queue: now: start the job; later: its start is reserved; +Inf: not planned, or
// it can never run, and then it holds up nobody.
//
// Jobs with a promise are placed first, in the order of their promises, then of the queue; then the
// queue in its order until Depth jobs wait with a reservation, each at its earliest start; then the
// rest, each now or not at all. A promise that no longer holds moves to the earliest start. The
// package comment says who is guaranteed what.
//
// capacity may be below what runs. Cost: O((r + w) s) for r running jobs, w reserved or started ones
// and s <= 2(r + w + o) + 1 steps, o the occurrences of windows to come; O(log s) for each other job,
// O(s) if windows hold for its owner what it needs now; a sort of those with Shortest.
//
// Errors: those of [New]; a job with a wrong number of resources, a need outside [0, 2^60], a Time
// that is negative or NaN; a Promised that is NaN or -Inf; an End that is NaN; a Depth below -1; with
// its index a window with a need or times that Window does not allow, that recurs more than 10,000
// times, or whose need with those before it exceeds 2^60.
func Plan(dst []float64, capacity []int64, now float64, running []Running, queue []Job, o Options) ([]float64, error) {
	const fn = "backfill.Plan"
	p, err := holding(fn, capacity, now, running)
	if err != nil {
		return dst, err
	}
	if err := p.checkQueue(fn, queue, o); err != nil {
		return dst, err
	}
	return p.planned(dst, running, queue, o), nil
}

// holding returns a profile of the capacity less what runs.
func holding(fn string, capacity []int64, now float64, running []Running) (*Profile, error) {
	p, err := profileOf(fn, capacity, now)
	if err != nil {
		return nil, err
	}
	if err := checkRunning(fn, running, len(capacity)); err != nil {
		return nil, err
	}
	for _, r := range running {
		p.add(nil, r.Need, now, max(r.End, math.Nextafter(now, math.Inf(1))), -1)
	}
	return p, nil
}

// Plan plans on what the profile holds: what runs has been taken from it, and counts as nobody's, so
// that an owner's window holds all of its Need beside the owner's running jobs. What is free stays as
// it is; Planned changes. The rest is as with the function [Plan].
func (p *Profile) Plan(dst []float64, queue []Job, o Options) ([]float64, error) {
	const fn = "backfill.Profile.Plan"
	if err := p.check(fn); err != nil {
		return dst, err
	}
	if err := p.checkQueue(fn, queue, o); err != nil {
		return dst, err
	}
	return p.planned(dst, nil, queue, o), nil
}

// Planned returns what is free beside the starts of the last plan on p and its windows, nil if there
// was none. Plans on it take no Windows once these have owners, and Earliest counts a job as nobody's.
// It may be changed; the next plan makes it anew.
func (p *Profile) Planned() *Profile { return p.plan.work }

// planner is what a plan needs besides the profile, kept for the next one.
type planner struct {
	work  *Profile // the profile less what the plan has given
	order []turn   // jobs with a promise, then the others that may start now
	least []int64  // for each step that a job of order would touch, the least that is free up to and in it
	most  []int64  // what the owners of windows see now, the most of each resource
}

// turn is a place in the order in which jobs are tried: by key, then in that of the queue.
type turn struct {
	key float64
	job int
}

func (l *planner) sort() {
	slices.SortFunc(l.order, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.job, b.job))
	})
}

// planned appends the plan of a queue that has been checked.
func (p *Profile) planned(dst []float64, running []Running, queue []Job, o Options) []float64 {
	l := &p.plan
	if l.work == nil {
		l.work = new(Profile)
	}
	l.work.around(p, o.Windows, running)
	l.order = l.order[:0]
	n := len(dst)
	for i := range queue {
		dst = append(dst, math.Inf(1))
		if promised(&queue[i]) {
			l.order = append(l.order, turn{queue[i].Promised, i})
		}
	}
	starts := dst[n:]
	depth := cmp.Or(o.Depth, 1)
	if depth < 0 {
		depth = len(queue)
	}
	if o.InOrder {
		l.inOrder(starts, queue, depth)
		return dst
	}
	l.sort()
	now := p.times[0]
	for _, t := range l.order {
		starts[t.job] = l.place(&queue[t.job], now)
	}
	i := 0
	for waits := 0; i < len(queue) && waits < depth; i++ {
		if !promised(&queue[i]) {
			starts[i] = l.place(&queue[i], now)
		}
		if starts[i] > now && starts[i] < math.Inf(1) {
			waits++
		}
	}
	l.startNow(starts, queue, i, o.Shortest)
	return dst
}

func promised(j *Job) bool { return j.Promised != 0 && j.Promised < math.Inf(1) }

// place gives a job its earliest start, +Inf if there is none, and takes what it needs.
func (l *planner) place(j *Job, from float64) float64 {
	held := l.work.of(j.Owner)
	start, ok := l.work.earliest(held, j.Need, from, j.Time)
	if ok {
		l.work.add(held, j.Need, start, until(start, j.Time), -1)
	}
	return start
}

// until returns the planned end of a job that starts. It is after the start even where the time is
// 0, or too short for the clock's precision: what starts at one instant fits beside each other.
func until(start, time float64) float64 {
	return max(start+time, math.Nextafter(start, math.Inf(1)))
}

// inOrder places jobs one after the other, none before the one ahead of it, until depth of them
// wait and every job with a promise has a start.
func (l *planner) inOrder(starts []float64, queue []Job, depth int) {
	last := -1
	if n := len(l.order); n > 0 {
		last = l.order[n-1].job
	}
	now := l.work.times[0]
	from, waits := now, 0
	for i := 0; i < len(queue) && (waits < depth || i <= last); i++ {
		starts[i] = l.place(&queue[i], from)
		if starts[i] < math.Inf(1) {
			from = starts[i]
			if from > now {
				waits++
			}
		}
	}
}

// startNow starts the jobs of the queue from index i on that have no promise and fit beside all
// that has a start.
func (l *planner) startNow(starts []float64, queue []Job, i int, shortest bool) {
	now, longest := l.work.times[0], 0. // the longest time of a job of order
	l.order = l.order[:0]
	l.lows(now)
	for ; i < len(queue); i++ {
		j := &queue[i]
		if within(j.Need, l.most) && !promised(j) {
			l.order = append(l.order, turn{j.Time, i})
			longest = max(longest, j.Time)
		}
	}
	if shortest {
		l.sort()
	}
	last := until(now, longest)
	l.lows(last)
	for _, t := range l.order {
		j := &queue[t.job]
		if !within(j.Need, l.most) {
			continue
		}
		held := l.work.of(j.Owner)
		end := until(now, j.Time)
		k := sort.SearchFloat64s(l.work.times, end) - 1 // the last step that j would touch
		fits := within(j.Need, l.least[k*len(j.Need):])
		if !fits && held != nil {
			if l.work.lacking(held, j.Need, 0); covered(l.work.last, l.work.at(0)) {
				start, _ := l.work.earliest(held, j.Need, now, j.Time)
				fits = start == now
			}
		}
		if fits {
			starts[t.job] = now
			l.work.add(held, j.Need, now, end, -1)
			l.lows(last)
		}
	}
}

// lows computes least anew, of the steps that begin before a time, and most.
func (l *planner) lows(end float64) {
	w := l.work
	m := w.resources
	l.least = append(l.least[:0], w.free[:m*sort.SearchFloat64s(w.times, end)]...)
	for k := m; k < len(l.least); k++ {
		l.least[k] = min(l.least[k], l.least[k-m])
	}
	l.most = append(l.most[:0], w.at(0)...)
	for i := range w.held {
		for r, n := range w.held[i].at(0) {
			l.most[r] = max(l.most[r], w.at(0)[r]+n)
		}
	}
}

func checkRunning(fn string, running []Running, resources int) error {
	held := make([]int64, resources)
	for i := range running {
		if err := checkNeed(fn, "running", i, running[i].Need, resources, held); err != nil {
			return err
		}
		if math.IsNaN(running[i].End) {
			return input.Bad(fn, "running", i, "End is NaN")
		}
	}
	return nil
}

func (p *Profile) checkQueue(fn string, queue []Job, o Options) error {
	if o.Depth < -1 {
		return input.Bad(fn, "o", -1, "Depth is %d, want -1 or more", o.Depth)
	}
	for i := range queue {
		j := &queue[i]
		if err := checkNeed(fn, "queue", i, j.Need, p.resources, nil); err != nil {
			return err
		}
		if !(j.Time >= 0) {
			return input.Bad(fn, "queue", i, "Time is %v, want at least 0", j.Time)
		}
		if !(j.Promised >= -math.MaxFloat64) {
			return input.Bad(fn, "queue", i, "Promised is %v, want a time", j.Promised)
		}
	}
	return p.checkWindows(fn, o.Windows)
}

// checkNeed checks a need, and adds it to what those before it hold, unless that is nil.
func checkNeed(fn, arg string, i int, need []int64, resources int, held []int64) error {
	if len(need) != resources {
		return input.Bad(fn, arg, i, "Need has %d resources, want %d", len(need), resources)
	}
	for r, n := range need {
		if uint64(n) > maxUnits {
			return input.Bad(fn, arg, i, "Need[%d] is %d, want 0 to 2^60", r, n)
		}
		if held == nil {
			continue
		}
		if held[r] += n; held[r] > maxUnits {
			return input.Bad(fn, arg, i, "Need[%d]: those up to here hold %d units, want at most 2^60", r, held[r])
		}
	}
	return nil
}
