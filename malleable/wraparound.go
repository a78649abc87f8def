package malleable

import (
	"cmp"
	"math"
	"slices"
)

// wholeSlots turns the levels into pieces of whole slots, by ascending start, those that meet
// with equal slots joined.
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
		w.wrap(shares, start, end, add)
	}
	return pieces
}

// wrap lays one interval out. A job holds the whole part of its level throughout and, for the time
// that is left, one slot more; these times follow one another along the interval and begin again
// at its start when they reach its end. Each is less than the interval, so that a job never meets
// itself.
func (w *water) wrap(shares []share, start, end float64, add func(job, slots int, start, end float64)) {
	length := end - start
	spare, ok := w.fits(shares, length)
	for n := 0; !ok && n < 16; n++ { // rounding: all do a little less, so that none loses much
		for k := range shares {
			shares[k].work *= 1 - 2*fillLoss
		}
		spare, ok = w.fits(shares, length)
	}
	at := start // where the next one more begins
	for _, l := range shares {
		job := int(l.job)
		whole, time := w.split(l, length)
		if spare <= 0 {
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

// fits returns the slots that nobody holds throughout the interval, and whether the times with one
// slot more fit into them.
func (w *water) fits(shares []share, length float64) (spare int, ok bool) {
	spare = w.slots
	times := 0.0
	for _, l := range shares {
		whole, time := w.split(l, length)
		spare -= whole
		times += time
	}
	return spare, times <= length*(float64(spare)+fillLoss)
}

// split returns the whole slots, the minimum among them, that a job holds for all of an interval,
// and how long it holds one more. A time that is only rounding is none.
func (w *water) split(l share, length float64) (whole int, time float64) {
	whole = w.jobs[l.job].Min
	level := min(l.work/length, float64(w.jobs[l.job].most(w.slots)-whole))
	floor := math.Floor(level)
	fraction := level - floor
	nothing := level * (fillLoss / 16)
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
