package policy

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Here is what Backfill keeps from one decision to the next, and what it asks a plan.

// held is slots that are held until a planned end.
type held struct {
	slots int
	end   float64
	begun float64 // when the job's last map started
}

// hold brings the profile up to now, and returns the next planned end if Time is to be asked then.
// Reduces on shared slots do not count: a planned start that finds no room waits.
func (p *Backfill) hold(v *slotmodel.View, now float64) (wakeAt float64) {
	p.profile.Advance(now)
	if slots := v.Slots(slotmodel.Map); slots != p.slots {
		p.profile.Give(p.need(max(0, slots-p.slots)), now, math.Inf(1))
		p.profile.Take(p.need(max(0, p.slots-slots)), now, math.Inf(1))
		p.slots = slots
	}
	for _, j := range p.touched.Jobs {
		p.update(v, j, now)
	}
	p.touched.Filter(func(slotmodel.Job) bool { return false })
	p.busy.Filter(func(j slotmodel.Job) bool { return p.held[j].slots > 0 || v.Count(j, slotmodel.Map).Running > 0 })

	wakeAt, p.passing, p.running = math.Inf(1), p.passing[:0], p.running[:0]
	soon := math.Nextafter(now, math.Inf(1))
	hold := func(j slotmodel.Job, slots int, end float64, known bool) {
		if len(p.Windows) > 0 {
			p.running = append(p.running, backfill.Running{Need: p.need(slots), End: end, Owner: v.Spec(j).User + 1})
		}
		if p.Time != nil && end > now {
			wakeAt = min(wakeAt, end)
		}
		if !known || end <= now {
			p.passing = append(p.passing, held{slots: slots, end: max(end, soon)})
		}
	}
	for _, j := range p.busy.Jobs {
		if whole(v, j) {
			if p.Time != nil {
				p.update(v, j, now)
			}
			hold(j, p.held[j].slots, p.held[j].end, true)
			continue
		}
		time := p.time(v, j)
		for x := v.Newest(j, slotmodel.Map); x != slotmodel.None; x = v.Older(x) {
			hold(j, 1, v.Attempt(x).Start+time, false)
		}
	}
	p.pass(now, p.profile.Take)
	return wakeAt
}

// extend plans by the last plan. Nothing has ended before its planned end or after it since, so that
// every job keeps its start (package backfill has the proof), and those without one get the earliest
// beside these. It returns false if a job has not started when it was to, or is not planned as one.
func (p *Backfill) extend(v *slotmodel.View, now float64) bool {
	p.kept.Advance(now)
	p.waiting, p.starts = p.waiting[:0], p.starts[:0]
	for j := v.NextRunnable(slotmodel.None, slotmodel.Map); j != slotmodel.None; j = v.NextRunnable(j, slotmodel.Map) {
		start := p.promised[j]
		switch w := internal.Width(v, j); {
		case start > now:
			continue
		case start != 0 && start < now || !whole(v, j):
			return false
		case w > v.Capacity(j, slotmodel.Map):
			continue
		case start == 0:
			need, time := p.need(w), p.time(v, j)
			start, _ = p.kept.Earliest(need, now, time)
			p.kept.Take(need, start, max(start+time, math.Nextafter(start, math.Inf(1))))
		}
		p.waiting, p.starts = append(p.waiting, j), append(p.starts, start)
	}
	return true
}

// update brings what the profile has of a job that is planned as one up to date.
func (p *Backfill) update(v *slotmodel.View, j slotmodel.Job, now float64) {
	if !whole(v, j) {
		return
	}
	x := &p.held[j]
	slots, end := int(v.Count(j, slotmodel.Map).Running), 0.0
	if slots > 0 {
		end = x.begun + p.time(v, j)
	} else if p.promised[j] != 0 && v.Runnable(j, slotmodel.Map) {
		p.owed.Add(j) // it starts over
	}
	switch {
	case slots == x.slots && end == x.end:
		if slots == 0 && !v.Runnable(j, slotmodel.Map) {
			p.kept = nil // it has been cancelled, or has ended since it started in the last decision
		}
		return
	case x.slots == 0 && x.begun == p.promised[j] && slots == v.Spec(j).Maps.Tasks, slots == 0 && x.end <= now:
	default:
		p.kept = nil // it has not started as planned, or ends before its planned end
	}
	p.profile.Give(p.need(x.slots), now, max(now, x.end))
	p.profile.Take(p.need(slots), now, max(now, end))
	x.slots, x.end = slots, end
}

// pass takes from the profile what it has for this decision alone, or gives it back.
func (p *Backfill) pass(now float64, change func(need []int64, from, to float64) error) {
	for _, x := range p.passing {
		change(p.need(x.slots), now, x.end)
	}
}

// need returns the need of some slots.
func (p *Backfill) need(slots int) []int64 {
	for len(p.counts) <= slots {
		p.counts = append(p.counts, int64(len(p.counts)))
	}
	return p.counts[slots : slots+1]
}

// enqueue lists the jobs that wait and that a plan has to know: those with a promise, those up to
// the last one whose start will be reserved, and those behind that could start now. It reports whether
// each is planned as one.
func (p *Backfill) enqueue(v *slotmodel.View) (rigid bool) {
	depth := cmp.Or(p.Depth, 1)
	if depth < 0 {
		depth = math.MaxInt
	}
	p.owed.Filter(func(j slotmodel.Job) bool { return v.Runnable(j, slotmodel.Map) })
	owed := len(p.owed.Jobs) // jobs with a promise to come
	p.free = p.profile.Free(p.free[:0], v.Now())
	free := int(p.free[0])
	p.waiting, p.queue = p.waiting[:0], p.queue[:0]
	rigid = true
	waits := 0 // jobs that wait in any plan
	p.steps.Rewind()
	for i, j := 0, p.steps.At(v, slotmodel.Map, 0, slotmodel.None); j != slotmodel.None; i, j = i+1, p.steps.At(v, slotmodel.Map, i+1, j) {
		w := internal.Width(v, j)
		if p.promised[j] != 0 {
			owed--
		}
		if w > free && waits >= depth && p.promised[j] == 0 {
			if free <= 0 && owed <= 0 {
				break
			}
			continue
		}
		if w > v.Capacity(j, slotmodel.Map) {
			continue
		}
		if w > free {
			waits++
		}
		entries := 1
		if !whole(v, j) { // one more than could start
			rigid = false
			entries = min(v.Count(j, slotmodel.Map).Pending(), v.FreeSlots(slotmodel.Map)+1)
		}
		entry := backfill.Job{Need: p.need(w), Time: p.time(v, j), Promised: p.promised[j], Owner: v.Spec(j).User + 1}
		for range entries {
			p.waiting, p.queue = append(p.waiting, j), append(p.queue, entry)
		}
	}
	return rigid
}

// whole reports whether a job is planned as one: it is rigid, or has one map.
func whole(v *slotmodel.View, j slotmodel.Job) bool {
	s := v.Spec(j)
	return s.Rigid || s.Maps.Tasks == 1
}

// wideWaits reports whether a rigid job of several maps waits that the nodes which are up could run.
func (p *Backfill) wideWaits(v *slotmodel.View) bool {
	j := v.NextRunnable(slotmodel.None, slotmodel.Map)
	for ; j != slotmodel.None; j = v.NextRunnable(j, slotmodel.Map) {
		if w := internal.Width(v, j); w > 1 && w <= v.Capacity(j, slotmodel.Map) {
			break
		}
	}
	return j != slotmodel.None
}
