package aging

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/input"
)

// MaxMin appends to dst the weighted max-min fair shares of capacity, in slots: job i gets
// min(Slots, r Weight) for the one water level r at which the capacity is used up or every job has
// all that it can use (Bertsekas and Gallager 1992, section 6.5.2). A job without Work gets
// nothing. With room in dst nothing is allocated.
func MaxMin(dst []float64, capacity float64, jobs []Job) ([]float64, error) {
	if err := check("aging.MaxMin", capacity, jobs); err != nil {
		return dst, err
	}
	n := len(dst)
	dst = slices.Grow(dst, len(jobs))[:n+len(jobs)]
	fill(dst[n:], capacity, jobs, nil)
	return dst, nil
}

// fill sets shares[i] = min(Slots, max(lows[i], Weight x level)) of jobs[i] for the one level at
// which they sum to the amount, which is at least the sum of lows; or to Slots if that sums to
// less. nil lows are 0. A job without Work, whose low is 0, gets nothing.
//
// In each pass, Weight x level of the jobs that are not settled exceeds Slots by some sum and falls
// short of lows by another. If the first is larger, the true level is higher, so that the jobs
// above Slots are settled there; if not, those below their lows are (Bitran and Hax 1981). Without
// lows, the amount left times the weight still to share it falls at least fourfold in each pass.
func fill(shares []float64, amount float64, jobs []Job, lows []float64) {
	// Until the level is known, shares[i] is the weight of job i, and 0 once the job is settled.
	weight := 0.0
	for i := range jobs {
		shares[i] = 0
		if jobs[i].Work > 0 {
			shares[i] = jobs[i].weight()
			weight += shares[i]
		}
	}
	// rest is a difference that can cancel, so it is a double-double. The weights add up, for
	// which a float64 suffices.
	rest := dd.Of(amount)
	least, most := 0.0, math.Inf(1) // bounds of the level
	for settled := true; settled && weight > 0; {
		level := min(max(least, rest.Float()/weight), most)
		// above is the sum by which jobs exceed Slots, less the sum by which jobs fall short of
		// lows.
		above := 0.0
		if lows != nil {
			for i, w := range shares {
				if w > 0 {
					x := float64(level * w)
					above += max(0, x-jobs[i].slots()) - max(0, lows[i]-x)
				}
			}
		}
		settled, weight = false, 0
		for i, w := range shares {
			// Slots is compared with Weight x level everywhere: Slots/Weight <= level can differ in
			// the last bit.
			switch s := jobs[i].slots(); {
			case above >= 0 && s <= level*w: // not with w = 0: s is positive
				rest = rest.AddFloat(-s)
			case above < 0 && w > 0 && lows[i] >= level*w:
				rest = rest.AddFloat(-lows[i])
			default:
				weight += w
				continue
			}
			shares[i] = 0
			settled = true
		}
		if above >= 0 {
			least = level
		} else {
			most = level
		}
	}
	for i := range jobs {
		shares[i] = 0
		if j := &jobs[i]; j.Work > 0 {
			shares[i] = least * j.weight()
			if lows != nil {
				shares[i] = max(shares[i], lows[i])
			}
			shares[i] = min(j.slots(), shares[i])
		}
	}
}

// MaxMinSlots appends to dst how many of the slots each job gets when they are dealt out one at a
// time, round and round from the job with the fewest tasks, ties to the lower index, to jobs with
// fewer slots than tasks: max-min fairness in whole slots [1]. With room in dst nothing is
// allocated.
func MaxMinSlots(dst []int, slots int, tasks []int) ([]int, error) {
	if slots < 0 {
		return dst, input.Bad("aging.MaxMinSlots", "slots", -1, "negative number of slots")
	}
	for i, t := range tasks {
		if t < 0 {
			return dst, input.Bad("aging.MaxMinSlots", "tasks", i, "negative number of tasks")
		}
	}
	n := len(dst)
	dst = append(dst, tasks...)
	sorted := dst[n:]
	slices.Sort(sorted)

	// The turns are not played: the jobs that are served in full are a prefix in the order of their
	// tasks, and the rest get the same number except for one slot. Raise everybody's number to the
	// tasks of one job after the other while the slots suffice.
	level, left := 0, slots
	served := 0 // jobs with all that they can use
	for served < len(sorted) {
		rise, sharers := sorted[served]-level, len(sorted)-served
		if rise > left/sharers {
			level += left / sharers
			left %= sharers
			break
		}
		left -= rise * sharers
		level += rise
		served++
	}
	if served == len(sorted) {
		return append(dst[:n], tasks...), nil
	}
	// Of the jobs above the level, those with the fewest tasks get the slots that are left, one
	// each: all with fewer than bound tasks, and the first few of those with exactly bound.
	bound := sorted[served+left]
	atBound, _ := slices.BinarySearch(sorted, bound)
	extra := served + left - atBound
	for i, t := range tasks {
		switch {
		case t <= level:
			sorted[i] = t
		case t < bound:
			sorted[i] = level + 1
		case t == bound && extra > 0:
			sorted[i] = level + 1
			extra--
		default:
			sorted[i] = level
		}
	}
	return dst, nil
}
