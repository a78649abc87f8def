package backfill

import (
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/schedmath/schedmath/internal/input"
)

// maxUnits bounds a capacity, a need, what all running jobs hold and what all windows hold; what is
// free is at least -3 maxUnits, so that no sum overflows.
const maxUnits = 1 << 60

// Profile says how many units of each resource are free from now on: a step function of time. Free
// units may be negative: more is taken than there is. The last step lasts for ever. Make one with
// [New]: the zero value has no resource, and its methods return errors. Not safe for concurrent use.
//
// No method but Forecast, and Plan with Windows, allocates once the profile has had as many steps.
type Profile struct {
	resources int
	capacity  []int64
	times     []float64 // begin of each step, ascending; times[0] is now
	free      []int64   // what is free of each resource, step by step
	last      []int64   // scratch: one step

	owners  []int     // who has windows, ascending
	held    []Profile // of each owner what its windows hold less what its jobs use, which may be below 0
	changes []change  // scratch: of windows

	plan planner
}

// New returns a profile with all of the capacity free from now on. capacity[r] in [0, 2^60] is in
// whole units of resource r, and the most that is ever free: units that come later are part of it, and
// taken until then.
//
// Errors: no resource; a capacity out of range; a time now that is not finite.
func New(capacity []int64, now float64) (*Profile, error) {
	return profileOf("backfill.New", capacity, now)
}

func profileOf(fn string, capacity []int64, now float64) (*Profile, error) {
	if len(capacity) == 0 {
		return nil, input.Bad(fn, "capacity", -1, "no resource, want at least one")
	}
	if err := checkUnits(fn, "capacity", capacity, len(capacity)); err != nil {
		return nil, err
	}
	if !finite(now) {
		return nil, input.Bad(fn, "now", -1, "%v, want a finite time", now)
	}
	return &Profile{resources: len(capacity), capacity: slices.Clone(capacity), times: []float64{now}, free: slices.Clone(capacity)}, nil
}

// check returns an InputError for a zero Profile.
func (p *Profile) check(fn string) error {
	if p.resources == 0 {
		return input.Bad(fn, "p", -1, "the zero Profile, which has no resource; New makes one with a capacity")
	}
	return nil
}

// copyFrom makes p equal to q.
func (p *Profile) copyFrom(q *Profile) {
	p.resources, p.capacity, p.owners = q.resources, q.capacity, q.owners // the lists never change
	p.times = append(p.times[:0], q.times...)
	p.free = append(p.free[:0], q.free...)
	p.held = slices.Grow(p.held[:0], len(q.held))[:len(q.held)]
	for i := range q.held {
		p.held[i].copyFrom(&q.held[i])
	}
}

// Take takes need[r] units of each resource from time from to time to: a job that runs, a window of
// maintenance, a node that leaves (to +Inf). What lies before now is left out. More may be taken
// than is free.
//
// Errors: a wrong number of resources; a need outside [0, 2^60], or one that leads below -2^61; times
// that are NaN; a from of +Inf; to before from.
func (p *Profile) Take(need []int64, from, to float64) error {
	return p.change("backfill.Profile.Take", need, from, to, -1)
}

// Give gives units back, the reverse of Take: a job that ended early, a node that comes back. Errors:
// as those of Take; more is given than was taken, so that it leads beyond the capacity.
func (p *Profile) Give(need []int64, from, to float64) error {
	return p.change("backfill.Profile.Give", need, from, to, 1)
}

func (p *Profile) change(fn string, need []int64, from, to float64, sign int64) error {
	if err := p.check(fn); err != nil {
		return err
	}
	if err := checkUnits(fn, "need", need, p.resources); err != nil {
		return err
	}
	if !(from < math.Inf(1)) {
		return input.Bad(fn, "from", -1, "%v, want a time below +Inf", from)
	}
	if !(to >= from) {
		return input.Bad(fn, "to", -1, "%v, want at least from, %v", to, from)
	}
	for k := p.step(from); from < to && k < len(p.times) && p.times[k] < to; k++ {
		for r, n := range need {
			switch f := p.free[k*p.resources+r]; {
			case sign < 0 && f-n < -2*maxUnits:
				return input.Bad(fn, "need", r, "%d: of %d free units that leads below -2^61", n, f)
			case sign > 0 && f+n > p.capacity[r]:
				return input.Bad(fn, "need", r, "%d: with %d free that leads beyond the capacity, %d", n, f, p.capacity[r])
			}
		}
	}
	p.add(nil, need, from, to, sign)
	return nil
}

// add adds sign times the need of a job to what is free from time from to time to. What windows hold
// for its owner, unless that is nil, comes first.
func (p *Profile) add(held *Profile, need []int64, from, to float64, sign int64) {
	from = max(from, p.times[0])
	if !(from < to) {
		return
	}
	m := 0
	if held != nil {
		m = held.step(from)
	}
	k := p.cut(from)
	kept := k // the steps before it are done; those from kept to k are left over

	// step by step of what is held
	for end := from; end < to; m++ {
		end = to
		if held != nil {
			end = min(to, held.end(m))
		}
		b := p.cut(end)
		p.last = p.last[:0]
		for r, n := range need {
			n *= sign
			if held != nil {
				before := held.at(m)[r]
				n += max(0, before) - max(0, before+n)
			}
			p.last = append(p.last, n)
		}
		for i := k; i < b; i++ {
			step := p.at(i)
			for r, n := range p.last {
				step[r] += n
			}
		}
		kept = p.move(kept, k, b)
		k = b
	}
	kept = p.move(kept, k, len(p.times))
	p.times, p.free = p.times[:kept], p.free[:kept*p.resources]
	if held != nil {
		held.add(nil, need, from, to, sign)
	}
}

// move moves the steps from k on, before b, to place to, and returns the place behind them. The first
// becomes one with the step before it if the same is free in both.
func (p *Profile) move(to, k, b int) int {
	if 0 < to && k < b && slices.Equal(p.at(to-1), p.at(k)) {
		k++
	}
	copy(p.times[to:], p.times[k:b])
	copy(p.free[to*p.resources:], p.free[k*p.resources:b*p.resources])
	return to + b - k
}

// end returns the end of step k, +Inf of the last.
func (p *Profile) end(k int) float64 {
	if k+1 < len(p.times) {
		return p.times[k+1]
	}
	return math.Inf(1)
}

// step returns the index of the step that holds time at, the first for a time before now and for NaN.
func (p *Profile) step(at float64) int {
	return max(0, sort.Search(len(p.times), func(k int) bool { return !(p.times[k] <= at) })-1)
}

// cut returns the index of the step that begins at the given time, which is not before now, and
// makes one if there is none; of +Inf the index behind the last one.
func (p *Profile) cut(at float64) int {
	if math.IsInf(at, 1) {
		return len(p.times)
	}
	k := p.step(at)
	if p.times[k] == at {
		return k
	}
	p.last = append(p.last[:0], p.at(k)...)
	p.times = slices.Insert(p.times, k+1, at)
	p.free = slices.Insert(p.free, (k+1)*p.resources, p.last...)
	return k + 1
}

// at returns the numbers of step k.
func (p *Profile) at(k int) []int64 { return p.free[k*p.resources : (k+1)*p.resources] }

// Earliest returns the first time, from time from on and not before now, at which need can be held
// for the given time; for a time of 0 at which it is free. While a resource is negative nothing that
// needs some of it fits. ok is false, and start +Inf, if there is no such time or an argument
// is one that Take refuses.
func (p *Profile) Earliest(need []int64, from, time float64) (start float64, ok bool) {
	if p.resources == 0 || checkUnits("", "", need, p.resources) != nil || !(from < math.Inf(1)) || !(time >= 0) {
		return math.Inf(1), false
	}
	return p.earliest(nil, need, from, time)
}

// earliest is Earliest for a job for whose owner windows hold something; nil: for the others.
func (p *Profile) earliest(held *Profile, need []int64, from, time float64) (float64, bool) {
	start, m := max(from, p.times[0]), 0
	if held != nil {
		m = held.step(start)
	}
	for k, ok := p.step(start), false; ; m++ { // while step m of what is held lasts
		end := math.Inf(1)
		if held != nil {
			end = held.end(m)
		}
		p.lacking(held, need, m)
		if k, start, ok = p.scan(k, start, end, time); ok || start == math.Inf(1) {
			return start, ok
		}
		if p.end(k) == end {
			k++
		}
	}
}

// scan looks for a start in the steps from k on, before end, that leaves what last says free for all
// for the given time. If ok is false, there is enough from start to end; last is the last step before
// end.
func (p *Profile) scan(k int, start, end, time float64) (last int, _ float64, ok bool) {
	times, free, width, first := p.times, p.free, p.resources, p.last[0]
	for ; ; k++ {
		fits := first <= free[k*width] && (width == 1 || covered(p.last, p.at(k)))
		switch {
		case k+1 == len(times) || times[k+1] >= end:
			if !fits {
				return k, end, false
			}
			return k, start, end >= start+time
		case !fits:
			start = times[k+1]
		case times[k+1] >= start+time:
			return k, start, true
		}
	}
}

// lacking sets last to what of each resource has to be free for all so that a need fits, beside what
// windows hold for its owner in step m.
func (p *Profile) lacking(held *Profile, need []int64, m int) {
	p.last = append(p.last[:0], need...)
	for r, n := range need {
		switch {
		case n == 0:
			p.last[r] = math.MinInt64
		case held != nil:
			p.last[r] -= max(0, held.at(m)[r])
		}
	}
}

// covered reports whether of each resource at least so much is free.
func covered(least, free []int64) bool {
	for r, n := range least {
		if n > free[r] {
			return false
		}
	}
	return true
}

// Free appends what is free of each resource at a time, but not before now, and returns the extended
// slice; NaN is now.
func (p *Profile) Free(dst []int64, at float64) []int64 {
	return append(dst, p.at(p.step(at))...)
}

// Steps yields the begin of each step and what is free from then on, the first begin being now. The
// slice is valid until the loop's body returns; the body must not change the profile.
func (p *Profile) Steps() iter.Seq2[float64, []int64] {
	return func(yield func(float64, []int64) bool) {
		var free []int64
		for k, t := range p.times {
			free = append(free[:0], p.at(k)...)
			if !yield(t, free) {
				return
			}
		}
	}
}

// Advance moves now forward and forgets what lies before. Errors: a time that is not finite or
// before now.
func (p *Profile) Advance(now float64) error {
	const fn = "backfill.Profile.Advance"
	if err := p.check(fn); err != nil {
		return err
	}
	if !finite(now) || now < p.times[0] {
		return input.Bad(fn, "now", -1, "%v, want a finite time, not before %v", now, p.times[0])
	}
	p.advance(now)
	return nil
}

func (p *Profile) advance(now float64) {
	k := p.step(now)
	p.times = slices.Delete(p.times, 0, k)
	p.free = slices.Delete(p.free, 0, k*p.resources)
	p.times[0] = now
	for i := range p.held {
		p.held[i].advance(now)
	}
}

// within reports whether there is enough of every resource.
func within(need, free []int64) bool {
	for r, n := range need {
		if n > free[r] && n > 0 {
			return false
		}
	}
	return true
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// checkUnits returns an InputError, with the index of the resource, unless there are as many
// numbers as resources, all in [0, 2^60].
func checkUnits(fn, arg string, units []int64, resources int) error {
	if len(units) != resources {
		return input.Bad(fn, arg, -1, "%d resources, want %d", len(units), resources)
	}
	for r, n := range units {
		if n < 0 || n > maxUnits {
			return input.Bad(fn, arg, r, "%d units, want 0 to 2^60", n)
		}
	}
	return nil
}
