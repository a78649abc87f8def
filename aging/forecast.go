package aging

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/exact"
	"github.com/schedmath/schedmath/internal/heap"
)

// forecast plays the virtual system forward, with nobody added and the capacity constant, without touching it, and yields the
// jobs on time in the order in which they will finish there. It looks only as far ahead as it is asked.
//
// The level never falls on the way, so an open group becomes capped at most once; from then on it is slower than the
// water, and what its place among the open groups says is a bound below its true finish.
//
// Of each group only the next job by tag stands in open or capped, as for Advance: two tags that differ in the last bit may give one
// time, and then the tags decide within the group, and keys between groups.
type forecast[K comparable] struct {
	c             *Cluster[K]
	open, capped  frontier[K] // by water and by clock
	ratios        frontier[K] // elements of open.ratio, by ratio
	clock, water  dd.T
	level         float64
	highest       float64 // the greatest ratio of a group that is or was capped
	slots, weight exact.Sum
	openJobs      int
	touched       map[int32]int32 // group -> element of touches
	touches       []touch[K]
}

// touch is what the forecast has changed about a group, and its jobs by tag if there are several.
type touch[K comparable] struct {
	jobs          frontier[K]
	slots, weight exact.Sum // of its jobs that have finished
	gone          int       // number of those
	crossed       bool      // it has met its cap, at these readings:
	clock, water  dd.T
}

func (f *forecast[K]) start(c *Cluster[K]) {
	*f = forecast[K]{c: c, open: f.open[:0], capped: f.capped[:0], ratios: f.ratios[:0], clock: c.clock, water: c.water,
		level: c.level, openJobs: c.openJobs, slots: f.slots, weight: f.weight, touched: f.touched, touches: f.touches[:0]}
	if f.touched == nil {
		f.touched = make(map[int32]int32)
	}
	clear(f.touched)
	f.slots.Clear()
	f.weight.Clear()
	f.slots.AddSum(&c.slots)
	f.weight.AddSum(&c.weight)
	if c.open.finish.Len() > 0 {
		f.pushShelf(&c.open, 0)
		f.pushRatio(0)
	}
	if c.capped.finish.Len() > 0 {
		f.pushShelf(&c.capped, 0)
		f.highest = -c.capped.ratio.Key(0)
	}
}

// touch returns the changes to a group, none so far if it is new.
func (f *forecast[K]) touch(id int32) *touch[K] {
	i, ok := f.touched[id]
	if !ok {
		i = int32(len(f.touches))
		f.touches = grow(f.touches)
		t := &f.touches[i] // of another group, in an earlier forecast
		t.slots.Clear()
		t.weight.Clear()
		*t = touch[K]{jobs: t.jobs[:0], slots: t.slots, weight: t.weight}
		f.touched[id] = i
	}
	return &f.touches[i]
}

func (f *forecast[K]) crossed(id int32) bool {
	i, ok := f.touched[id]
	return ok && f.touches[i].crossed
}

func (f *forecast[K]) on(s *side) *frontier[K] {
	if s.capped {
		return &f.capped
	}
	return &f.open
}

func (f *forecast[K]) pushShelf(s *side, pos int32) {
	i := s.finish.ID(pos)
	at := s.shelves[i].upcoming(0, f.c.groups)
	f.on(s).push(node{at: at, kind: aShelf, pos: pos, group: i}, f.c.jobs)
}

func (f *forecast[K]) pushGroup(s *side, h *shelf, pos int32) {
	f.on(s).push(node{at: h.upcoming(pos, f.c.groups), kind: aGroup, pos: pos, group: h.groups.ID(pos)}, f.c.jobs)
}

func (f *forecast[K]) pushRatio(pos int32) {
	e := f.c.open.ratio.At(pos)
	f.ratios.push(node{at: dd.Of(e.Key), kind: aGroup, pos: pos, group: e.ID}, f.c.jobs)
}

// pushJob queues a job where its group is now.
func (f *forecast[K]) pushJob(n node) {
	j := &f.c.jobs[n.job]
	g := &f.c.groups[j.group]
	n.at = g.when(j.tag)
	switch {
	case g.capped:
		f.capped.push(n, f.c.jobs)
	case f.crossed(j.group):
		t := f.touch(j.group)
		n.at = t.clock.Add(n.at.Sub(t.water).Div(g.ratio))
		f.capped.push(n, f.c.jobs)
	default:
		f.open.push(n, f.c.jobs)
	}
}

// pushFirst queues the first job of a group.
func (f *forecast[K]) pushFirst(id int32) {
	c := f.c
	g := &c.groups[id]
	m := c.crowdOf(g)
	if m == nil {
		kind := aWaiting
		if c.jobs[g.jobs].passed() {
			kind = aPassed
		}
		f.pushJob(node{kind: kind, group: id, job: g.jobs})
		return
	}
	t := f.touch(id)
	for _, kind := range []nodeKind{aWaiting, aPassed} {
		if h := m.heap(kind == aPassed); h.Len() > 0 {
			t.push(c, h, kind, 0)
		}
	}
	f.pushJob(t.jobs[0])
}

// follow queues the job after n of its group.
func (f *forecast[K]) follow(n node) {
	c := f.c
	m := c.crowdOf(&c.groups[n.group])
	if m == nil {
		return
	}
	t := f.touch(n.group)
	t.jobs.pop(c.jobs)
	h := m.heap(n.kind == aPassed)
	for p, to := children(h, n.pos); p < to; p++ {
		t.push(c, h, n.kind, p)
	}
	if len(t.jobs) > 0 {
		f.pushJob(t.jobs[0])
	}
}

// push adds the job at a place of one of its group's heaps.
func (t *touch[K]) push(c *Cluster[K], h *heap.Heap, kind nodeKind, pos int32) {
	i := h.ID(pos)
	t.jobs.push(node{at: c.jobs[i].tag, kind: kind, pos: pos, group: c.jobs[i].group, job: i}, c.jobs)
}

// surface brings a job to the head of the frontier of a side: it opens what stands for others before it, and re-queues a job
// whose group has met its cap since.
func (f *forecast[K]) surface(s *side) {
	c := f.c
	for q := f.on(s); len(*q) > 0; {
		n := (*q)[0]
		switch {
		case n.kind == aShelf:
			q.pop(c.jobs)
			for p, to := children(&s.finish, n.pos); p < to; p++ {
				f.pushShelf(s, p)
			}
			f.pushGroup(s, &s.shelves[n.group], 0)
		case n.kind == aGroup:
			q.pop(c.jobs)
			h := &s.shelves[c.groups[n.group].shelf]
			for p, to := children(&h.groups, n.pos); p < to; p++ {
				f.pushGroup(s, h, p)
			}
			f.pushFirst(n.group)
		case !s.capped && f.crossed(n.group):
			q.pop(c.jobs)
			f.pushJob(n)
		default:
			return
		}
	}
}

// next returns the job on time that finishes next of those not yet returned, or if so asked the next that is also ready.
func (f *forecast[K]) next(ready bool) (int32, bool) {
	for len(f.open)+len(f.capped) > 0 {
		if i, ok := f.step(ready); ok {
			return i, true
		}
	}
	return 0, false
}

// step ends one job, if there is any, and says whether it is one that next returns.
func (f *forecast[K]) step(ready bool) (int32, bool) {
	c := f.c
	f.surface(&c.open)
	f.surface(&c.capped) // after open, which may add to it
	var n node
	switch {
	case len(f.open)+len(f.capped) == 0:
		return 0, false
	case len(f.capped) == 0 && f.level == 0:
		n = f.open.pop(c.jobs) // nobody ages: the order as the capacity tends to 0
	default:
		n = f.pass()
	}
	f.follow(n)
	f.end(n)
	return n.job, n.kind == aWaiting || !ready && c.jobs[n.job].state == onTime
}

// pass lets time pass until the next virtual finish and takes that job out of its frontier.
func (f *forecast[K]) pass() node {
	var in dd.T
	open := len(f.open) > 0 && f.level > 0
	if open {
		in = notNegative(f.open[0].at.Sub(f.water).Div(f.level))
	}
	if len(f.capped) > 0 {
		t := f.capped[0].at.Sub(f.clock)
		if d := t.Cmp(in); !open || d < 0 || d == 0 && f.c.jobs[f.capped[0].job].seq < f.c.jobs[f.open[0].job].seq {
			if len(f.open) > 0 && t.Hi > 0 {
				f.water = f.water.Add(t.Mul(f.level))
			}
			n := f.capped.pop(f.c.jobs)
			f.clock = later(f.clock, n.at)
			return n
		}
	}
	n := f.open.pop(f.c.jobs)
	f.water = later(f.water, n.at)
	f.clock = f.clock.Add(in)
	return n
}

// end takes a finished job's demand away and lets the groups that the level then reaches meet their caps.
func (f *forecast[K]) end(n node) {
	c := f.c
	j := &c.jobs[n.job]
	t := f.touch(n.group)
	t.gone++
	t.weight.Add(j.weight)
	if j.slots < math.Inf(1) {
		t.slots.Add(j.slots)
	}
	if c.groups[n.group].capped || t.crossed {
		f.slots.Sub(j.slots)
	} else {
		f.weight.Sub(j.weight)
		f.openJobs--
	}
	f.findLevel()
	for len(f.ratios) > 0 && f.ratios[0].at.Hi <= f.level {
		n := f.ratios.pop(c.jobs)
		for p, to := children(&c.open.ratio, n.pos); p < to; p++ {
			f.pushRatio(p)
		}
		f.cross(n.group)
		f.findLevel()
	}
	f.level = max(f.level, f.highest)
}

func (f *forecast[K]) findLevel() {
	f.level = math.Inf(1)
	if f.openJobs > 0 {
		f.level = max(0, dd.Of(f.c.capacity).Sub(f.slots.Value()).Float()) / f.weight.Value().Float()
	}
}

// cross caps what is left of an open group.
func (f *forecast[K]) cross(id int32) {
	t := f.touch(id)
	c := f.c
	slots, weight, jobs := c.demand(&c.groups[id])
	f.weight.AddSum(&t.weight) // the group's own sums still hold those that have finished here
	f.weight.SubSum(weight)
	f.slots.AddSum(slots)
	f.slots.SubSum(&t.slots)
	f.openJobs -= jobs - t.gone
	t.crossed, t.clock, t.water = true, f.clock, f.water
	f.highest = c.groups[id].ratio
}
