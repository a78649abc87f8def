package policy

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Here is what Backfill keeps from one decision to the next, and what it asks a plan.

// held is slots that are held until a planned end.
type held struct {
	slots  int
	end    float64
	begun  float64 // when the job's last map started
	queues bool    // the job is in line
}

// queued is a job that waits.
type queued struct {
	job   slotmodel.Job
	width int32
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
		if x := &p.held[j]; p.Inner == nil && x.queues != v.Runnable(j, slotmodel.Map) {
			x.queues = !x.queues
			at, _ := slices.BinarySearchFunc(p.line, internal.Rank(v, j), func(q queued, rank int32) int {
				return cmp.Compare(internal.Rank(v, q.job), rank)
			})
			planned, loose := x.slots > 0, 0 // has a job that leaves the line started?
			if !whole(v, j) {
				loose = 1
			}
			if x.queues {
				p.line = slices.Insert(p.line, at, queued{j, int32(internal.Width(v, j))})
				p.loose += loose
				planned = p.promised[j] == 0
			} else {
				p.line = slices.Delete(p.line, at, at+1)
				p.loose -= loose
			}
			if !planned || loose > 0 {
				p.kept = nil
			}
		}
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
// beside these. It returns false if a job has not started when it was to.
func (p *Backfill) extend(v *slotmodel.View, now float64) bool {
	p.kept.Advance(now)
	p.waiting, p.starts = p.waiting[:0], p.starts[:0]
	for _, q := range p.line {
		start := p.promised[q.job]
		switch {
		case start > now:
			continue
		case start != 0 && start < now:
			return false
		case int(q.width) > v.Capacity(q.job, slotmodel.Map):
			continue
		}
		if start == 0 {
			need, time := p.need(int(q.width)), p.time(v, q.job)
			start, _ = p.kept.Earliest(need, now, time)
			p.kept.Take(need, start, max(start+time, math.Nextafter(start, math.Inf(1))))
		}
		p.waiting, p.starts = append(p.waiting, q.job), append(p.starts, start)
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
// the last one whose start will be reserved, and those behind that could start now.
func (p *Backfill) enqueue(v *slotmodel.View) {
	depth := p.Depth
	switch {
	case depth == 0:
		depth = 1
	case depth < 0:
		depth = math.MaxInt
	}
	p.owed.Filter(func(j slotmodel.Job) bool { return v.Runnable(j, slotmodel.Map) })
	owed := 0 // jobs with a promise to come
	for _, j := range p.owed.Jobs {
		if internal.Width(v, j) <= v.Capacity(j, slotmodel.Map) {
			owed++
		}
	}
	if p.Inner != nil {
		p.line = p.line[:0]
		p.Inner.Begin(v, slotmodel.Map)
		for j := p.Inner.Next(v); j != slotmodel.None; j = p.Inner.Next(v) {
			p.line = append(p.line, queued{j, int32(internal.Width(v, j))})
		}
	}
	p.free = p.profile.Free(p.free[:0], v.Now())
	free := int(p.free[0])
	p.waiting, p.queue = p.waiting[:0], p.queue[:0]
	waits := 0 // jobs that wait in any plan
	for _, q := range p.line {
		j, w := q.job, int(q.width)
		if w > free && waits >= depth && p.promised[j] == 0 {
			if free <= 0 && owed <= 0 {
				break
			}
			continue
		}
		if w > v.Capacity(j, slotmodel.Map) {
			continue
		}
		if p.promised[j] != 0 {
			owed--
		}
		if w > free {
			waits++
		}
		entries := 1
		if !whole(v, j) { // one more than could start
			entries = min(v.Count(j, slotmodel.Map).Pending(), v.FreeSlots(slotmodel.Map)+1)
		}
		entry := backfill.Job{Need: p.need(w), Time: p.time(v, j), Promised: p.promised[j], Owner: v.Spec(j).User + 1}
		for range entries {
			p.waiting, p.queue = append(p.waiting, j), append(p.queue, entry)
		}
	}
}

// whole reports whether a job is planned as one: it is rigid, or has one map.
func whole(v *slotmodel.View, j slotmodel.Job) bool {
	s := v.Spec(j)
	return s.Rigid || s.Maps.Tasks == 1
}

// wideWaits reports whether a rigid job of several maps waits that the nodes which are up could run.
func (p *Backfill) wideWaits(v *slotmodel.View) bool {
	return slices.ContainsFunc(p.line, func(q queued) bool {
		return q.width > 1 && v.Runnable(q.job, slotmodel.Map) && int(q.width) <= v.Capacity(q.job, slotmodel.Map)
	})
}
