package malleable

import (
	"cmp"
	"math"
	"slices"
)

// wholeSlots turns the levels into pieces of whole slots, by ascending start, those that meet with equal slots joined.
func (w *water) wholeSlots() []Piece {
	var pieces []Piece
	open := make([]int, len(w.jobs)) // each job's last piece
	for j := range open {
		open[j] = -1
	}
	add := func(job int, slots int, start, end float64) {
		if slots == 0 || !(end > start) {
			return
		}
		if i := open[job]; i >= 0 && pieces[i].End == start && pieces[i].Slots == slots {
			pieces[i].End = end
			return
		}
		open[job] = len(pieces)
		pieces = append(pieces, Piece{job, slots, start, end})
	}
	bases := 0 // of the jobs in minimaEnd that have ended
	var level []share
	for i := range w.end {
		start, end := 0.0, w.end[i]
		if i > 0 {
			start = w.end[i-1]
		}
		for bases < len(w.minimaEnd) && w.base[w.minimaEnd[bases]] < end {
			bases++
		}
		level = append(level[:0], w.share[i]...)
		for _, j := range w.minimaEnd[bases:] {
			level = append(level, share{int32(j), 0})
		}
		slices.SortFunc(level, func(a, b share) int { return cmp.Or(cmp.Compare(a.job, b.job), cmp.Compare(b.level, a.level)) })
		level = slices.CompactFunc(level, func(a, b share) bool { return a.job == b.job })
		// The last one absorbs what rounding has made too much: the one with the most.
		slices.SortFunc(level, func(a, b share) int { return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.job, b.job)) })
		w.wrap(level, start, end, add)
	}
	return pieces
}

// wrap lays one interval out. A job holds the whole part of its level throughout and, for the fraction of the interval that is
// left, one slot more; these fractions follow one another along the interval and begin again at its start when they reach its
// end. A fraction is less than the interval, so that a job never meets itself.
func (w *water) wrap(level []share, start, end float64, add func(job, slots int, start, end float64)) {
	length := end - start
	spare := w.slots // slots that are not held throughout
	for _, l := range level {
		whole, _ := w.split(l)
		spare -= whole
	}
	if last := len(level) - 1; spare < 0 { // rounding
		level[last].level += float64(spare)
		spare = 0
	}
	at := start // where the next fraction begins
	for _, l := range level {
		job := int(l.job)
		whole, fraction := w.split(l)
		if spare == 0 {
			fraction = 0 // rounding
		}
		if fraction == 0 {
			add(job, whole, start, end)
			continue
		}
		to := max(at+float64(fraction*length), math.Nextafter(at, end)) // long enough for the clock to see
		if to < end {
			add(job, whole, start, at)
			add(job, whole+1, at, to)
			add(job, whole, to, end)
			at = to
			continue
		}
		spare--
		to = start + float64(to-end)
		if spare == 0 {
			to = start // rounding
		}
		to = min(to, at) // a fraction near 1
		add(job, whole+1, start, to)
		add(job, whole, to, at)
		add(job, whole+1, at, end)
		at = to
	}
}

// split returns the whole slots and the fraction of another one that a level comes to, with the minimum. A
// fraction that is only rounding is none, but never so that the wholes could add up to more than there is.
func (w *water) split(l share) (whole int, fraction float64) {
	job := &w.jobs[l.job]
	floor := math.Floor(l.level)
	fraction = l.level - floor
	whole = job.Min + int(floor)
	rounding := min(l.level*(simultaneous/256), 0.25/float64(len(w.jobs)))
	if fraction <= rounding {
		return whole, 0
	}
	if fraction >= 1-rounding {
		return whole + 1, 0
	}
	return whole, fraction
}
