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
		if err := checkNeed(fn, "o", i, w.Need, p.resources); err != nil {
			return err
		}
		switch {
		case !finite(w.From) || !(w.To > w.From):
			return input.Bad(fn, "o", i, "Windows: it lasts from %v to %v, want a finite time and a later one", w.From, w.To)
		case w.Period == 0:
		case !(w.Period >= w.To-w.From) || !finite(w.Until):
			return input.Bad(fn, "o", i, "Windows: Period is %v, Until %v, want at least %v, or 0, and a finite time", w.Period, w.Until, w.To-w.From)
		case !((w.Until-w.From)/w.Period <= maxOccurrences):
			return input.Bad(fn, "o", i, "Windows: it recurs %v times, want at most %d", (w.Until-w.From)/w.Period, maxOccurrences)
		}
		for r, n := range w.Need {
			if held[r] += n; held[r] > maxUnits {
				return input.Bad(fn, "o", i, "Windows: Need[%d]: those up to here hold %d units, want at most 2^60", r, held[r])
			}
		}
	}
	return nil
}

// around returns p less what windows hold. p has no windows, and what runs as nobody's.
func (p *Profile) around(windows []Window, running []Running, queue []Job) *Profile {
	if len(windows) == 0 {
		return p
	}
	idle := map[int]bool{} // owners of windows without jobs, who need no block
	var some [256]bool     // by its last byte: an owner is in idle; most jobs need no look into the map
	for i := range windows {
		if owner := windows[i].Owner; owner != 0 {
			idle[owner], some[uint8(owner)] = true, true
		}
	}
	for i := 0; i < len(running) && len(idle) > 0; i++ {
		delete(idle, running[i].Owner)
	}
	for i := 0; i < len(queue) && len(idle) > 0; i++ {
		if owner := queue[i].Owner; some[uint8(owner)] {
			delete(idle, owner)
		}
	}
	type change struct {
		at   float64
		w    int   // index of the window
		sign int64 // 1: an occurrence begins
	}
	var changes []change
	q := &Profile{resources: p.resources, capacity: p.capacity}
	now := p.times[0]
	for i := range windows {
		w, end := &windows[i], now // by rounding, an occurrence may begin before the end of the last one
		for from, to, ok := w.Next(now); ok; from, to, ok = w.Next(to) {
			changes = append(changes, change{max(from, end), i, 1}, change{to, i, -1})
			end = to
		}
		if w.Owner != 0 && !idle[w.Owner] {
			q.owners = append(q.owners, w.Owner)
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	changes = append(changes, change{at: math.Inf(1)})
	slices.Sort(q.owners)
	q.owners = slices.Compact(q.owners)
	q.width = q.resources * (1 + len(q.owners))
	q.times = make([]float64, 0, len(p.times)+len(changes))
	q.free = make([]int64, 0, cap(q.times)*q.width)
	held := make([]int64, q.width) // what windows change of a step
	for i, k := 0, 0; k < len(p.times) || changes[i].at < math.Inf(1); {
		at := changes[i].at
		if k < len(p.times) && p.times[k] <= at {
			at = p.times[k]
			k++
		}
		for ; changes[i].at == at; i++ {
			w, sign := &windows[changes[i].w], changes[i].sign
			block := q.block(w.Owner)
			for r, n := range w.Need {
				if held[r] -= sign * n; block > 0 {
					held[block*q.resources+r] += sign * n
				}
			}
		}
		q.times, q.free = append(q.times, at), append(q.free, held...)
		for r, n := range p.at(k - 1) {
			q.at(len(q.times) - 1)[r] += n
		}
	}
	for _, r := range running {
		if block := q.block(r.Owner); block > 0 {
			end := max(r.End, math.Nextafter(now, math.Inf(1)))
			q.add(0, r.Need, now, end, 1)
			q.add(block, r.Need, now, end, -1)
		}
	}
	return q
}

// block returns which block of a step has what is held for an owner; 0: it has no window.
func (p *Profile) block(owner int) int {
	if owner != 0 {
		if i, found := slices.BinarySearch(p.owners, owner); found {
			return i + 1
		}
	}
	return 0
}

// fits reports whether a job of block sees enough in step k.
func (p *Profile) fits(block int, need []int64, k int) bool {
	free := p.at(k)
	held := free[block*p.resources:]
	for r, n := range need {
		sees := free[r]
		if block > 0 {
			sees += max(0, held[r])
		}
		if n > sees && n > 0 {
			return false
		}
	}
	return true
}

// draw adds sign times the need of a job to a step: what windows of its owner hold comes first.
func (p *Profile) draw(free []int64, block int, need []int64, sign int64) {
	held := free[block*p.resources:]
	for r, n := range need {
		free[r] += sign * n
		if block > 0 {
			before := max(0, held[r])
			held[r] += sign * n
			free[r] += before - max(0, held[r])
		}
	}
}
