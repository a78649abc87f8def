package aging

import (
	"cmp"
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
)

// frontier walks heaps in order without changing them: it holds the least elements not yet visited, and an element's
// children join when it is taken out. The first m elements of a heap cost O(m log m).
type frontier[K comparable] []node

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
	aShelf   nodeKind = iota // an element of side.finish, group being the shelf: stands for its groups, and has children
	aGroup                   // an element of shelf.groups: stands for its jobs, and has children
	aWaiting                 // an element of crowd.waiting, or a group's only job
	aPassed                  // an element of crowd.passed, or a group's only job
	aJob                     // without children
)

// before orders nodes by key; what stands for others comes before
// jobs, so that their equals are seen in time; then by job key.
func (f *frontier[K]) before(a, b *node, jobs []job[K]) bool {
	if d := a.at.Cmp(b.at); d != 0 {
		return d < 0
	}
	if a.kind <= aGroup || b.kind <= aGroup {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.group, b.group)) < 0
	}
	return jobs[a.job].seq < jobs[b.job].seq
}

func (f *frontier[K]) push(n node, jobs []job[K]) {
	*f = append(*f, n)
	f.up(len(*f)-1, jobs)
}

func (f *frontier[K]) up(i int, jobs []job[K]) {
	s := *f
	n := s[i]
	for i > 0 {
		up := (i - 1) / 2
		if !f.before(&n, &s[up], jobs) {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = n
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
func children(h *heap.Heap, pos int32) (from, to int32) {
	from = heap.Arity*pos + 1
	return from, min(from+heap.Arity, int32(h.Len()))
}

// inOrder calls yield with the ids of one or two heaps of jobs in one order until it returns false, and says whether it never did.
func (c *Cluster[K]) inOrder(heaps [2]*heap.Heap, f *frontier[K], yield func(int32) bool) bool {
	*f = (*f)[:0]
	push := func(which, pos int32) {
		e := heaps[which].At(pos)
		at := dd.Of(e.Key)
		if c.jobs[e.ID].state != late {
			at.Lo = c.jobs[e.ID].tag.Lo
		}
		f.push(node{at: at, kind: aJob, pos: pos, group: which, job: e.ID}, c.jobs)
	}
	for which, h := range heaps {
		if h != nil && h.Len() > 0 {
			push(int32(which), 0)
		}
	}
	for len(*f) > 0 {
		n := f.pop(c.jobs)
		if !yield(n.job) {
			return false
		}
		for p, to := children(heaps[n.group], n.pos); p < to; p++ {
			push(n.group, p)
		}
	}
	return true
}

// ranking yields the jobs on time by remaining work. What stands for several jobs is met by a bound, its time left times the
// least weight (open) or the least ratio on its shelf and the least weight (capped), so that only jobs whose bounds are below
// the next answer are looked at. A job too is met by a bound and held back until its work is due, which brings jobs of one
// work, as a float64, into the order of their keys.
type ranking[K comparable] struct {
	c     *Cluster[K]
	ready bool // the jobs that are not ready are left out
	nodes frontier[K]
}

// below lowers a bound by more than the rounding of two ways to compute one work.
const below = 1 - 0x1p-50

func (r *ranking[K]) start(c *Cluster[K], ready bool) {
	*r = ranking[K]{c: c, ready: ready || c.busy == 0, nodes: r.nodes[:0]}
	if c.entered > len(c.jobs) {
		c.recount()
	}
	for _, s := range []*side{&c.open, &c.capped} {
		for pos := range int32(s.finish.Len()) {
			r.pushGroup(s, &s.shelves[s.finish.ID(pos)], 0)
		}
	}
}

func (c *Cluster[K]) clearBounds() {
	c.minWeight, c.entered = math.Inf(1), 0
}

// recount makes the bounds on weights tight.
func (c *Cluster[K]) recount() {
	c.clearBounds()
	for i := range c.jobs {
		if j := &c.jobs[i]; j.state == onTime || j.state == completed {
			c.bound(j)
		}
	}
}

func (r *ranking[K]) pushGroup(s *side, h *shelf, pos int32) {
	c := r.c
	left := h.upcoming(pos, c.groups)
	if s.capped {
		left = left.Sub(c.clock).Mul(h.floor)
	} else {
		left = left.Sub(c.water)
	}
	at := max(0, left.Hi*c.minWeight*below)
	r.nodes.push(node{at: dd.Of(at), kind: aGroup, pos: pos, group: h.groups.ID(pos)}, c.jobs)
}

func (r *ranking[K]) pushJob(kind nodeKind, pos, job int32) {
	j := &r.c.jobs[job]
	n := node{at: dd.Of(r.c.left(j).Float()), kind: kind, pos: pos, group: j.group, job: job}
	if kind != aJob {
		n.at.Hi *= r.c.minWeight / j.weight * below
	}
	r.nodes.push(n, r.c.jobs)
}

// hold queues a job, if it is one to return, until its work is due.
func (r *ranking[K]) hold(i int32) {
	if j := &r.c.jobs[i]; j.state == onTime && !(r.ready && j.busy) {
		r.pushJob(aJob, 0, i)
	}
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
			h := &s.shelves[g.shelf]
			for p, to := children(&h.groups, n.pos); p < to; p++ {
				r.pushGroup(s, h, p)
			}
			m := c.crowdOf(g)
			if m == nil {
				r.hold(g.jobs)
				continue
			}
			if m.waiting.Len() > 0 {
				r.pushJob(aWaiting, 0, m.waiting.ID(0))
			}
			if !r.ready && m.passed.Len() > 0 {
				r.pushJob(aPassed, 0, m.passed.ID(0))
			}
		case aWaiting, aPassed:
			h := c.crowdOf(g).heap(n.kind == aPassed)
			for p, to := children(h, n.pos); p < to; p++ {
				r.pushJob(n.kind, p, h.ID(p))
			}
			r.hold(n.job)
		case aJob:
			return n.job, true
		}
	}
	return 0, false
}
