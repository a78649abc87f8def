package aging

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
)

// side holds the groups on one side of the water level, by ratio and by when their first jobs finish. The capped groups stand
// on shelves of almost equal ratio, since the work that a capped job has left is its time left times its cap: a shelf has a
// good bound for all of it. The open groups share one shelf.
type side struct {
	capped  bool
	ratio   heap.Heap // of groups. Open: least ratio first; capped: greatest ratio first, negated
	shelves []shelf
	finish  heap.Heap // of the shelves that are not empty, by their first finish
	pos     []int32   // of each shelf in finish
	classes map[uint64]uint16
}

type shelf struct {
	floor  float64   // no ratio on it is less
	groups heap.Heap // by the finish of the first job
}

// classBits are the bits of a ratio that make no difference to its shelf: what is left is 12 bits of sign and exponent and 4 of the
// mantissa, so that ratios on one shelf differ by at most a sixteenth and there are at most 6,416 shelves.
const classBits = 48

// shelfFor returns the shelf for a ratio.
func (s *side) shelfFor(ratio float64) uint16 {
	class := uint64(0)
	if s.capped {
		class = math.Float64bits(ratio) >> classBits
	}
	i, ok := s.classes[class]
	if !ok {
		if s.classes == nil {
			s.classes = make(map[uint64]uint16)
		}
		i = uint16(len(s.shelves))
		s.classes[class] = i
		s.shelves = append(s.shelves, shelf{floor: math.Float64frombits(class << classBits)})
		s.pos = append(s.pos, 0)
	}
	return i
}

// upcoming returns when the group at pos on a shelf sees its next finish, on the side's clock.
func (h *shelf) upcoming(pos int32, groups []group) dd.T {
	e := h.groups.At(pos)
	return dd.T{Hi: e.Key, Lo: groups[e.ID].nextLo}
}

// first returns the shelf of the group that sees the next finish; there is one.
func (s *side) first() *shelf { return &s.shelves[s.finish.ID(0)] }

// finishTies orders groups on a shelf whose next finishes have equal upper halves: by the lower halves, then by the first
// jobs' keys.
type finishTies[K comparable] Cluster[K]

func (t *finishTies[K]) Before(a, b int32) bool {
	c := (*Cluster[K])(t)
	x, y := &c.groups[a], &c.groups[b]
	if x.nextLo != y.nextLo {
		return x.nextLo < y.nextLo
	}
	return c.jobs[c.first(x)].seq < c.jobs[c.first(y)].seq
}

// shelfTies orders the shelves of the capped groups as finishTies orders the first groups on them.
type shelfTies[K comparable] Cluster[K]

func (t *shelfTies[K]) Before(a, b int32) bool {
	s := t.capped.shelves
	return (*finishTies[K])(t).Before(s[a].groups.ID(0), s[b].groups.ID(0))
}

// noTies serves the heaps by ratio, which is unique.
type noTies struct{}

func (noTies) Before(a, b int32) bool { return false }

func (c *Cluster[K]) sideOf(g *group) *side {
	if g.capped {
		return &c.capped
	}
	return &c.open
}

// place puts a group into the heaps of its side.
func (c *Cluster[K]) place(id int32) {
	g := &c.groups[id]
	s := c.sideOf(g)
	ratio := g.ratio
	if g.capped {
		ratio = -ratio
	}
	s.ratio.Push(heap.Entry{Key: ratio, ID: id}, c.ratioPos, noTies{})
	g.shelf = s.shelfFor(g.ratio)
	h := &s.shelves[g.shelf]
	next := g.when(c.jobs[c.first(g)].tag)
	g.nextLo = next.Lo
	h.groups.Push(heap.Entry{Key: next.Hi, ID: id}, c.finishPos, (*finishTies[K])(c))
	switch {
	case h.groups.Len() == 1:
		s.finish.Push(heap.Entry{Key: next.Hi, ID: int32(g.shelf)}, s.pos, (*shelfTies[K])(c))
	case h.groups.ID(0) == id:
		s.finish.Fix(s.pos[g.shelf], next.Hi, s.pos, (*shelfTies[K])(c))
	}
}

// displace takes a group out of the heaps of its side.
func (c *Cluster[K]) displace(id int32) {
	g := &c.groups[id]
	s := c.sideOf(g)
	h := &s.shelves[g.shelf]
	inRatio, inGroups := c.ratioPos[id], c.finishPos[id]
	first := inGroups == 0
	if first {
		c.readNext(&h.groups)
	}
	if h.groups.Len() == 1 {
		s.finish.Remove(s.pos[g.shelf], s.pos, (*shelfTies[K])(c))
	}
	h.groups.Remove(inGroups, c.finishPos, (*finishTies[K])(c))
	if first && h.groups.Len() > 0 {
		s.finish.Fix(s.pos[g.shelf], h.groups.Key(0), s.pos, (*shelfTies[K])(c))
	}
	s.ratio.Remove(inRatio, c.ratioPos, noTies{})
}

// refresh puts g where it belongs after its first job has changed.
func (c *Cluster[K]) refresh(id int32) {
	g := &c.groups[id]
	s := c.sideOf(g)
	h := &s.shelves[g.shelf]
	was := h.groups.ID(0)
	next := g.when(c.jobs[c.first(g)].tag)
	g.nextLo = next.Lo
	h.groups.Fix(c.finishPos[id], next.Hi, c.finishPos, (*finishTies[K])(c))
	if was == id || h.groups.ID(0) == id {
		s.finish.Fix(s.pos[g.shelf], h.groups.Key(0), s.pos, (*shelfTies[K])(c))
	}
}
