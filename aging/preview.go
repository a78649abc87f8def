package aging

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
)

// preview plays the virtual system forward in plain float64, from lists that are made at once, until the first of the ready jobs
// finishes. Its answer counts only where the times of all others differ by more than its error; so it is forecast's answer.
//
// That error does not build up. Weighted max-min sharing is monotone: if at each instant no job gets more than 1+e times its share
// among those present, then none finishes before 1/(1+e) of its true time, since the first to be ahead would at that instant be
// among fewer jobs and at a higher level; and likewise for less. The level here is off by a few roundings for each job that has gone,
// times what sums have lost by cancellation, which leastPart bounds. The clocks' own last bits are an error of another kind, which does
// not shrink with the time to a finish: nothing is said of finishes so near that it could matter, see previewGrain.
type preview struct {
	clocks  float64        // a bound on all clocks that are read, as times
	ratios  []heap.Entry   // open groups, by ratio
	groups  []previewGroup // the same
	passed  []passedOver   // jobs that are passed over and may finish in the time, those of one group together
	byWater []heap.Entry   // those of open groups, by when they finish
	scratch []heap.Entry
	byClock heap.Heap // those of capped groups
	pos     []int32
}

type previewGroup struct {
	ratio           float64
	id              int32
	from, to        int32    // in passed
	capped          bool     // by now
	first           earliest // of its ready jobs
	rest            earliest // of the ready jobs of this group and of all behind it
	firstIn, restIn float64  // what the water rises until then
}

type passedOver struct {
	rise, slots, weight float64
	group               int32 // in groups; -1: it is capped
	gone                bool  // with the water
}

const (
	previewGroups = 1 << 9 // at most so many of each, or a forecast may be cheaper
	previewJobs   = 1 << 12
	leastPart     = 0x1p-8  // of the weight and the capacity must be left
	previewGrain  = 0x1p-50 // of the clocks: times differ by previewError of that, and 2^12 jobs may move each by 2^-104 of the clocks
	previewError  = 0x1p-20 // of the level: 2^12 roundings of 2^-53, 2^9 for sums, 2^8 for a group taken for capped too soon, and to spare
)

// previewFirst returns the job that finishes first of those on time and ready, if a preview can tell. The lists are to be within the
// limits above, and the level above 0.
func (c *Cluster[K]) previewFirst() (int32, bool) {
	p := &c.preview
	capped := c.earliest(&c.capped)
	best, second := math.Inf(1), math.Inf(1) // times of the first two ready jobs at their caps
	if capped.ok {
		best = capped.at.Sub(c.clock).Float()
	}
	horizon := best
	if open := c.earliest(&c.open); open.ok {
		horizon = min(horizon, open.at.Sub(c.water).Float()/c.level) // its share only grows
	}
	c.listPassed(p, horizon*(1+previewError))

	grain := p.clocks * previewGrain
	sure := func(end, other float64) bool { return end > grain && end*(1+previewError) < other }

	slots, weight, now, water := c.slots.Value().Float(), c.weight.Value().Float(), 0.0, 0.0
	leastWeight, leastSlots := weight*leastPart, c.capacity*leastPart
	next, at := 0, 0 // in groups and byWater
	for {
		if next == len(p.groups) || !p.groups[next].rest.ok { // all ready jobs are at their caps
			return capped.job, sure(best, second)
		}
		if !(weight >= leastWeight && c.capacity-slots >= leastSlots) {
			return 0, false
		}
		level := (c.capacity - slots) / weight
		if g := &p.groups[next]; g.ratio <= level {
			next++
			s, w, _ := c.demand(&c.groups[g.id])
			capSlots, capWeight := p.cap(g, s.Value().Float(), w.Value().Float(), now, water)
			slots, weight = slots+capSlots, weight-capWeight
			if g.first.ok {
				end := now + max(0, g.firstIn-water)/g.ratio
				if end < best {
					best, second, capped = end, best, g.first
				} else {
					second = min(second, end)
				}
			}
			continue
		}
		for at < len(p.byWater) && p.groups[p.passed[p.byWater[at].ID].group].capped {
			at++
		}
		end := now + max(0, p.groups[next].restIn-water)/level
		over, due := math.Inf(1), math.Inf(1)
		if at < len(p.byWater) {
			over = now + max(0, p.byWater[at].Key-water)/level
		}
		if p.byClock.Len() > 0 {
			due = p.byClock.Key(0)
		}
		switch gone := min(over, due); { // what goes at the instant of an answer may still change it
		case best*(1+previewError) < gone && best <= end:
			return capped.job, sure(best, min(second, end))
		case end*(1+previewError) < gone && end < best:
			return p.groups[next].rest.job, sure(end, best) && level*(1+previewError) < p.groups[next].ratio
		case over <= due:
			now, water = over, p.byWater[at].Key
			x := &p.passed[p.byWater[at].ID]
			x.gone = true
			weight -= x.weight
			at++
		default:
			water += level * (due - now)
			now = due
			slots -= p.passed[p.byClock.ID(0)].slots
			p.byClock.Remove(0, p.pos, noTies{})
		}
	}
}

// cap lets a group whose jobs had these sums meet its cap, and returns what is left of them.
func (p *preview) cap(g *previewGroup, slots, weight, now, water float64) (float64, float64) {
	g.capped = true
	for i := g.from; i < g.to; i++ {
		if x := &p.passed[i]; !x.gone {
			p.byClock.Push(heap.Entry{Key: now + max(0, x.rise-water)/g.ratio, ID: i}, p.pos, noTies{})
		} else {
			slots, weight = slots-x.slots, weight-x.weight
		}
	}
	return slots, weight
}

// listPassed lists the open groups and the jobs that are passed over and may finish before the horizon, since they would at their caps.
func (c *Cluster[K]) listPassed(p *preview, horizon float64) {
	p.groups, p.passed, p.byWater = p.groups[:0], p.passed[:0], p.byWater[:0]
	p.byClock.Clear()
	p.clocks = c.clock.Hi + c.water.Hi/c.level
	p.ratios = p.ratios[:0]
	for i := range int32(c.open.ratio.Len()) {
		p.ratios = append(p.ratios, c.open.ratio.At(i))
	}
	slices.SortFunc(p.ratios, byKey)
	for i, e := range p.ratios {
		p.groups = append(p.groups, previewGroup{ratio: e.Key, id: e.ID})
		x := &p.groups[i]
		g := &c.groups[x.id]
		if j := c.firstReady(g); j >= 0 {
			x.first = earliest{at: g.when(c.jobs[j].tag), job: j, ok: true}
			x.firstIn = max(0, x.first.at.Sub(c.water).Float())
		}
		x.from = int32(len(p.passed))
		c.listGroup(p, g, int32(i), horizon*x.ratio)
		x.to = int32(len(p.passed))
	}
	for i := len(p.groups) - 1; i >= 0; i-- {
		x := &p.groups[i]
		x.rest, x.restIn = x.first, x.firstIn
		if i+1 < len(p.groups) {
			if y := &p.groups[i+1]; c.earlier(&y.rest, &x.first) {
				x.rest, x.restIn = y.rest, y.restIn
			}
		}
	}
	for i := range p.passed {
		p.byWater = append(p.byWater, heap.Entry{Key: p.passed[i].rise, ID: int32(i)})
	}
	p.byWater, p.scratch = sortWith(p.byWater, p.scratch)

	open := len(p.passed)
	for i := range int32(c.capped.finish.Len()) {
		c.listShelf(p, &c.capped.shelves[c.capped.finish.ID(i)].groups, 0, horizon)
	}
	for len(p.pos) < len(p.passed) {
		p.pos = append(p.pos, 0)
	}
	for i := open; i < len(p.passed); i++ {
		p.byClock.Push(heap.Entry{Key: p.passed[i].rise, ID: int32(i)}, p.pos, noTies{})
	}
}

// listShelf lists jobs of the groups from element pos of a shelf on.
func (c *Cluster[K]) listShelf(p *preview, h *heap.Heap, pos int32, horizon float64) {
	g := &c.groups[h.ID(pos)]
	if g.when(c.jobs[c.first(g)].tag).Sub(c.clock).Float() > horizon {
		return
	}
	c.listGroup(p, g, -1, horizon)
	for k, to := children(h, pos); k < to; k++ {
		c.listShelf(p, h, k, horizon)
	}
}

// listGroup lists the jobs of a group that are passed over and finish until its side's clock has gone so far.
func (c *Cluster[K]) listGroup(p *preview, g *group, in int32, far float64) {
	rate := c.level
	if g.capped {
		rate = g.ratio
	}
	p.clocks = max(p.clocks, math.Abs(g.offset.Hi)/rate)
	if m := c.crowdOf(g); m == nil {
		if c.jobs[g.jobs].passed() {
			c.listJob(p, g, c.now(g), in, g.jobs, far)
		}
	} else if m.passed.Len() > 0 {
		c.listHeap(p, g, c.now(g), in, &m.passed, 0, far)
	}
}

func (c *Cluster[K]) listHeap(p *preview, g *group, now dd.T, in int32, h *heap.Heap, pos int32, far float64) {
	if !c.listJob(p, g, now, in, h.ID(pos), far) {
		return
	}
	for k, to := children(h, pos); k < to; k++ {
		c.listHeap(p, g, now, in, h, k, far)
	}
}

func (c *Cluster[K]) listJob(p *preview, g *group, now dd.T, in, i int32, far float64) bool {
	j := &c.jobs[i]
	rise := max(0, (j.tag.Hi-now.Hi)+(j.tag.Lo-now.Lo)) // the first difference is exact or large
	if g.capped {
		rise /= g.ratio
	}
	if rise > far {
		return false
	}
	p.passed = append(p.passed, passedOver{rise: rise, slots: j.slots, weight: j.weight, group: in})
	return true
}

// earlier reports whether a is there and b is not or finishes later.
func (c *Cluster[K]) earlier(a, b *earliest) bool {
	if !a.ok || !b.ok {
		return a.ok
	}
	d := a.at.Cmp(b.at)
	return d < 0 || d == 0 && c.jobs[a.job].seq < c.jobs[b.job].seq
}
