package backfill

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Window is units that are held for nobody, which is maintenance, or for the jobs of an owner: a
// reservation. At each time an owner's windows together hold the sum of their Needs less what the
// owner's running and planned jobs use then, at least 0. Other jobs see what is free less what windows
// hold. A job of the owner also sees what its owner's windows hold, draws from that first, and may run
// past a window on what is free for all.
type Window struct {
	Need     []int64 // whole units of each resource
	From, To float64 // held from From on, before To; +Inf: for ever
	Period   float64 // it recurs after so long, at least To - From; 0: never
	Until    float64 // with a Period: no occurrence but the first begins then or later
	Owner    int     // Owner of the jobs that may use it; 0: nobody
}

// Next returns the first occurrence of a window that ends after a time; ok is false, and the times are
// 0, if there is none.
func (w *Window) Next(after float64) (from, to float64, ok bool) {
	from, to, ok = w.From, w.To, true
	if w.Period > 0 && to <= after {
		k := max(1, math.Floor((after-w.To)/w.Period))
		for range 3 { // k may be one too small, and another one by rounding
			if from, to = w.From+float64(k*w.Period), w.To+float64(k*w.Period); to > after {
				break
			}
			k++
		}
		ok = from < w.Until
	}
	if !(ok && from < to && to > after) {
		return 0, 0, false
	}
	return from, to, true
}

// maxOccurrences bounds how often a window recurs, and the steps that it makes.
const maxOccurrences = 10000

func (p *Profile) checkWindows(fn string, windows []Window) error {
	if len(windows) == 0 {
		return nil
	}
	if len(p.owners) > 0 {
		return input.Bad(fn, "o", -1, "Windows, of a profile of Planned that has those of its plan")
	}
	held := make([]int64, p.resources)
	for i := range windows {
		w := &windows[i]
		if err := checkNeed(fn, "o", i, w.Need, p.resources, held); err != nil {
			return err
		}
		switch {
		case !finite(w.From) || !(w.To > w.From):
			return input.Bad(fn, "o", i, "Windows: it lasts from %v to %v, want a finite time and a later one", w.From, w.To)
		case w.Period != 0 && !(w.Period >= w.To-w.From && finite(w.Until) && (w.Until-w.From)/w.Period <= maxOccurrences):
			return input.Bad(fn, "o", i, "Windows: Period is %v, Until %v, want at least %v, or 0, and a finite time, at most %d times", w.Period, w.Until, w.To-w.From, maxOccurrences)
		}
	}
	return nil
}

// change is the begin or the end of an occurrence.
type change struct {
	at   float64
	w    int   // index of the window
	sign int64 // 1: it begins
}

// around makes q equal to p less what windows hold. p has no windows, and what runs as nobody's.
func (q *Profile) around(p *Profile, windows []Window, running []Running) {
	if len(windows) == 0 {
		q.copyFrom(p)
		return
	}
	changes := q.changes[:0]
	q.resources, q.capacity, q.owners = p.resources, p.capacity, nil
	now := p.times[0]
	for i := range windows {
		w, end := &windows[i], now // by rounding, an occurrence may begin before the end of the last one
		for from, to, ok := w.Next(now); ok; from, to, ok = w.Next(to) {
			changes = append(changes, change{max(from, end), i, 1}, change{to, i, -1})
			end = to
		}
		if w.Owner != 0 {
			q.owners = append(q.owners, w.Owner)
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	changes = append(changes, change{at: math.Inf(1)})
	q.changes = changes
	slices.Sort(q.owners)
	q.owners = slices.Compact(q.owners)
	held := make([]int64, q.resources) // by all windows
	q.held = slices.Grow(q.held[:0], len(q.owners))[:len(q.owners)]
	empty := Profile{resources: p.resources, times: p.times[:1], free: held}
	for i := range q.held {
		q.held[i].copyFrom(&empty)
	}
	q.times = slices.Grow(q.times[:0], len(p.times)+len(changes))
	q.free = slices.Grow(q.free[:0], cap(q.times)*q.resources)
	for i, k := 0, 0; k < len(p.times) || changes[i].at < math.Inf(1); {
		at := changes[i].at
		if k < len(p.times) && p.times[k] <= at {
			at = p.times[k]
			k++
		}
		for ; changes[i].at == at; i++ {
			w, sign := &windows[changes[i].w], changes[i].sign
			for r, n := range w.Need {
				held[r] += sign * n
			}
			if own := q.of(w.Owner); own != nil {
				last := len(own.times) - 1
				if own.times[last] < at {
					own.times, own.free = append(own.times, at), append(own.free, own.at(last)...)
					last++
				}
				for r, n := range w.Need {
					own.at(last)[r] += sign * n
				}
			}
		}
		q.times, q.free = append(q.times, at), append(q.free, p.at(k-1)...)
		for r, n := range held {
			q.at(len(q.times) - 1)[r] -= n
		}
	}
	for _, r := range running {
		if own := q.of(r.Owner); own != nil {
			end := max(r.End, math.Nextafter(now, math.Inf(1)))
			q.add(nil, r.Need, now, end, 1)
			q.add(own, r.Need, now, end, -1)
		}
	}
}

// of returns what windows hold for an owner; nil: it has none.
func (p *Profile) of(owner int) *Profile {
	if i, found := slices.BinarySearch(p.owners, owner); found {
		return &p.held[i]
	}
	return nil
}
