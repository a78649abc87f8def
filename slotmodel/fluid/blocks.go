package fluid

import (
	"math"
	"slices"
)

// block is a set of jobs of equal cap that have attained the same service; they move together until one is done.
type block struct {
	level dd
	cap   float64
	rate  dd
	root  int32 // of a pairing heap by size
	n     int32
}

// blocks is least attained service with caps. The blocks are in increasing order of (level, cap); slots go to the lowest level
// first, in equal shares up to the caps, and what those leave over to the next. Blocks of one level part when a cap holds one
// of them back, and meet again as block and block. An event costs O(b), b the number of blocks.
type blocks struct {
	heap levels // for its pairing heaps
	n    int    // jobs
	all  []block
}

func (s *blocks) reset(jobs []Job) {
	s.heap.reset(jobs)
	s.n, s.all = 0, s.all[:0]
}

func (s *blocks) add(r *Runner, id int32, attained dd) {
	s.n++
	s.heap.child[id], s.heap.next[id] = -1, -1
	s.place(block{level: attained, cap: r.cap(id), root: id, n: 1})
}

// place puts b in order, or into the block of its level and cap.
func (s *blocks) place(b block) {
	i := 0
	for ; i < len(s.all); i++ {
		a := &s.all[i]
		if a.level == b.level && a.cap == b.cap {
			a.root = s.heap.meld(a.root, b.root)
			a.n += b.n
			return
		}
		if b.level.less(a.level) || b.level == a.level && b.cap < a.cap {
			break
		}
	}
	s.all = slices.Insert(s.all, i, b)
}

// rates shares the slots and returns what the caps leave over.
func (s *blocks) rates(left dd) dd {
	for i := 0; i < len(s.all); {
		k, jobs := i, int32(0)
		for ; k < len(s.all) && s.all[k].level == s.all[i].level; k++ {
			jobs += s.all[k].n
		}
		capped := true
		var share dd
		for ; i < k; i++ {
			b := &s.all[i]
			if capped {
				share = left.over(float64(jobs))
				capped = b.cap <= share.hi && !share.less(dd{hi: b.cap})
			}
			if !capped {
				b.rate = share
				continue
			}
			b.rate = dd{hi: b.cap}
			left = left.sub(b.rate.scale(float64(b.n)))
			jobs -= b.n
		}
		if !capped || left.hi < 0 {
			left = dd{}
		}
	}
	return left
}

func (s *blocks) advance(dt dd) {
	for i := range s.all {
		b := &s.all[i]
		if b.rate.hi == 0 {
			continue
		}
		b.level = b.level.add(b.rate.mul(dt))
	}
}

func (s *blocks) size(b *block) dd { return dd{hi: s.heap.jobs[b.root].Size} }

// until is the time to the next completion or meeting, far if there is none.
func (s *blocks) until() dd {
	best := far
	for i := range s.all {
		b := &s.all[i]
		if b.rate.hi == 0 {
			continue
		}
		if d := s.size(b).sub(b.level).div(b.rate); d.less(best) {
			best = d
		}
		if i+1 == len(s.all) {
			break
		}
		if a := &s.all[i+1]; b.level.less(a.level) && a.rate.less(b.rate) {
			if d := a.level.sub(b.level).div(b.rate.sub(a.rate)); d.less(best) {
				best = d
			}
		}
	}
	return best
}

// due is a job that is done at the instant t, taken out, or -1 if there is none.
func (s *blocks) due(t dd) int32 {
	for i := range s.all {
		b := &s.all[i]
		if s.size(b).minus(b.level) > tie*t.hi*b.rate.hi {
			continue
		}
		id := b.root
		s.n--
		b.n--
		if b.n == 0 {
			s.all = slices.Delete(s.all, i, i+1)
		} else {
			b.root = s.heap.pair(s.heap.child[id])
		}
		return id
	}
	return -1
}

// meet makes blocks one level that have met at the instant t.
func (s *blocks) meet(t dd) {
	for i := 0; i+1 < len(s.all); i++ {
		b, a := s.all[i], &s.all[i+1]
		if b.level == a.level && b.cap < a.cap || b.level.less(a.level) && !a.rate.less(b.rate) ||
			a.level.minus(b.level) > tie*t.hi*math.Abs(b.rate.minus(a.rate)) {
			continue
		}
		b.level = a.level
		s.all = slices.Delete(s.all, i, i+1)
		s.place(b)
		i = max(i-2, -1)
	}
}
