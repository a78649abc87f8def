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
	var shares []share
	for i := range w.end {
		start, end := 0.0, w.end[i]
		if i > 0 {
			start = w.end[i-1]
		}
		for bases < len(w.minimaEnd) && w.base[w.minimaEnd[bases]] < end {
			bases++
		}
		shares = append(shares[:0], w.share[i]...)
		for _, j := range w.minimaEnd[bases:] {
			shares = append(shares, share{int32(j), 0})
		}
		slices.SortFunc(shares, func(a, b share) int { return cmp.Or(cmp.Compare(a.job, b.job), cmp.Compare(b.work, a.work)) })
		shares = slices.CompactFunc(shares, func(a, b share) bool { return a.job == b.job })
		// The last one absorbs what rounding has made too much: the one with the most.
		slices.SortFunc(shares, func(a, b share) int { return cmp.Or(cmp.Compare(a.work, b.work), cmp.Compare(a.job, b.job)) })
		w.wrap(shares, start, end, add)
	}
	return pieces
}

// wrap lays one interval out. A job holds the whole part of its level throughout and, for the time that is left, one slot
// more; these times follow one another along the interval and begin again at its start when they reach its end. Each is less
// than the interval, so that a job never meets itself.
func (w *water) wrap(shares []share, start, end float64, add func(job, slots int, start, end float64)) {
	length := end - start
	spare := w.slots // slots that are not held throughout
	for _, l := range shares {
		whole, _ := w.split(l, length)
		spare -= whole
	}
	if last := len(shares) - 1; spare < 0 { // rounding
		shares[last].work += float64(float64(spare) * length)
		spare = 0
	}
	at := start // where the next one more begins
	for _, l := range shares {
		job := int(l.job)
		whole, time := w.split(l, length)
		if spare == 0 {
			time = 0 // rounding
		}
		if time == 0 {
			add(job, whole, start, end)
			continue
		}
		to := max(at+time, math.Nextafter(at, end)) // long enough for the clock to see
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
		to = min(to, at) // a time near length
		add(job, whole+1, start, to)
		add(job, whole, to, at)
		add(job, whole+1, at, end)
		at = to
	}
}

// split returns the whole slots, the minimum among them, that a job holds for all of an interval, and how long it holds one
// more. A time that is only rounding is none, but never so that the wholes could add up to more than there is.
func (w *water) split(l share, length float64) (whole int, time float64) {
	whole = w.jobs[l.job].Min
	level := l.work / length
	floor := math.Floor(level)
	fraction := level - floor
	nothing := min(level*(simultaneous/256), 0.25/float64(len(w.jobs)))
	switch {
	case fraction >= 1-nothing:
		return whole + int(floor) + 1, 0
	case floor == 0:
		return whole, l.work
	case fraction <= nothing:
		return whole + int(floor), 0
	}
	return whole + int(floor), float64(fraction * length)
}
