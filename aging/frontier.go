package aging

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
)

// frontier walks heaps in order without changing them: it holds the least elements not yet visited, and an element's
// children join when it is taken out. The first m elements of a heap cost O(m log m).
type frontier[K cmp.Ordered] []node

// node is an element of some heap, or a job on its own.
type node struct {
	at    dd.T // its key, or a bound below the keys of all that it stands for
	kind  nodeKind
	pos   int32 // in its heap
	group int32
	job   int32
}

type nodeKind uint8

const (
	aGroup   nodeKind = iota // an element of side.finish: stands for its jobs, and has children
	aWaiting                 // an element of crowd.waiting, or a group's only job
	anEarly                  // an element of crowd.early, or a group's only job
	aJob                     // without children
)

// before orders nodes by key; groups come before jobs, so that equal jobs in them are seen in time; then by job key.
func (f *frontier[K]) before(a, b *node, jobs []job[K]) bool {
	if d := a.at.Cmp(b.at); d != 0 {
		return d < 0
	}
	if (a.kind == aGroup) != (b.kind == aGroup) {
		return a.kind == aGroup
	}
	if a.kind == aGroup {
		return a.group < b.group
	}
	return jobs[a.job].key < jobs[b.job].key
}

func (f *frontier[K]) push(n node, jobs []job[K]) {
	s := append(*f, n)
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !f.before(&n, &s[up], jobs) {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = n
	*f = s
}

func (f *frontier[K]) pop(jobs []job[K]) node {
	s := *f
	top, n := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(s) {
			if len(s) > 0 {
				s[i] = n
			}
			break
		}
		if c+1 < len(s) && f.before(&s[c+1], &s[c], jobs) {
			c++
		}
		if !f.before(&s[c], &n, jobs) {
			s[i] = n
			break
		}
		s[i] = s[c]
		i = c
	}
	*f = s
	return top
}

// children returns the range of positions of the children of element pos of h.
func children(h heap.Heap, pos int32) (from, to int32) {
	from = heap.Arity*pos + 1
	return from, min(from+heap.Arity, int32(len(h)))
}

// inOrder calls yield with the ids of a heap of jobs in order until it returns false, and says whether it never did.
func (c *Cluster[K]) inOrder(h heap.Heap, f *frontier[K], yield func(int32) bool) bool {
	if len(h) == 0 {
		return true
	}
	*f = (*f)[:0]
	push := func(pos int32) {
		at := dd.Of(h[pos].Key)
		if c.jobs[h[pos].ID].state != late {
			at.Lo = c.jobs[h[pos].ID].tag.Lo
		}
		f.push(node{at: at, kind: aJob, pos: pos, job: h[pos].ID}, c.jobs)
	}
	push(0)
	for len(*f) > 0 {
		n := f.pop(c.jobs)
		if !yield(n.job) {
			return false
		}
		for p, to := children(h, n.pos); p < to; p++ {
			push(p)
		}
	}
	return true
}

// ranking yields the jobs on time by remaining work. A node's bound is its time left times the least weight or the fewest
// slots that anybody has, so jobs are met in an order that is right when all weights are equal, and nearly so otherwise; a job
// is held back until no bound is below its work.
type ranking[K cmp.Ordered] struct {
	c     *Cluster[K]
	nodes frontier[K]
	equal bool // all weights are
}

// below lowers a bound by more than the rounding of two ways to compute one work.
const below = 1 - 0x1p-50

func (r *ranking[K]) start(c *Cluster[K]) {
	*r = ranking[K]{c: c, nodes: r.nodes[:0]}
	if c.entered > len(c.jobs) {
		c.recount()
	}
	r.equal = c.minWeight == c.maxWeight
	for _, s := range []*side{&c.open, &c.capped} {
		if len(s.finish) > 0 {
			r.pushGroup(s, 0)
		}
	}
}

func (c *Cluster[K]) clearBounds() {
	c.minWeight, c.maxWeight, c.minSlots, c.entered = math.Inf(1), 0, math.Inf(1), 0
}

// recount makes the bounds on weights and caps tight.
func (c *Cluster[K]) recount() {
	c.clearBounds()
	for i := range c.jobs {
		if j := &c.jobs[i]; j.state == onTime || j.state == completed {
			c.bound(j)
		}
	}
}

func (r *ranking[K]) pushGroup(s *side, pos int32) {
	c := r.c
	id := s.finish[pos].ID
	g := &c.groups[id]
	var at float64
	if g.capped {
		at = s.upcoming(pos, c.groups).Sub(c.clock).Hi * c.minSlots
	} else {
		at = s.upcoming(pos, c.groups).Sub(c.water).Hi * c.minWeight
	}
	r.nodes.push(node{at: dd.Of(max(0, at*below)), kind: aGroup, pos: pos, group: id}, c.jobs)
}

func (r *ranking[K]) pushJob(kind nodeKind, pos, job int32) {
	j := &r.c.jobs[job]
	n := node{at: dd.Of(r.c.left(j).Float()), kind: kind, pos: pos, group: j.group, job: job}
	if kind == aWaiting && !r.equal {
		n.at.Hi *= r.c.minWeight / j.weight * below
	}
	r.nodes.push(n, r.c.jobs)
}

// next returns the job on time with the least work left of those not yet returned.
func (r *ranking[K]) next() (int32, bool) {
	c := r.c
	for len(r.nodes) > 0 {
		n := r.nodes.pop(c.jobs)
		g := &c.groups[n.group]
		switch n.kind {
		case aGroup:
			s := c.sideOf(g)
			for p, to := children(s.finish, n.pos); p < to; p++ {
				r.pushGroup(s, p)
			}
			if m := c.crowdOf(g); m == nil {
				if c.jobs[g.jobs].state == onTime {
					r.pushJob(aJob, 0, g.jobs)
				}
			} else if len(m.waiting) > 0 {
				r.pushJob(aWaiting, 0, m.waiting[0].ID)
			}
			continue
		case aWaiting:
			w := c.crowdOf(g).waiting
			for p, to := children(w, n.pos); p < to; p++ {
				r.pushJob(aWaiting, p, w[p].ID)
			}
			if !r.equal {
				r.pushJob(aJob, 0, n.job)
				continue
			}
		}
		return n.job, true
	}
	return 0, false
}
