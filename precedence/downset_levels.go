package precedence

import (
	"math/bits"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
)

// A levels is the programme over down-sets by their number of jobs, with hash tables. The key of a down-set has a field of bits for the
// count of each chain. Where these are more than 64 bits, each level has a layout of its own: a job may be done for certain
// there, because too few jobs do not need it, or not yet, because too many must come first, and only what is open between the two is in
// the key, so that long graphs need no long keys.
type levels struct {
	*problem
	*partition
	early, late [][]int32 // by chain and place: the first level at which the job may be done, and at which it is for certain
	fixed       bool      // one layout for all levels
	whole       bool      // sums of works are exact in one float64
	way         []way     // of each chain, from the present level to the next
	now, next   level
	table       []uint64 // the next level by hash of the key: see slot
	shift       int
	count       int      // of all down-sets
	from        [][]from // by level, from level 1: how each was reached
}

// A level is the down-sets of one size.
type level struct {
	state []state
	low   []float64 // the low parts of time, unless they are all 0
	from  []from
}

// A state is a down-set, the least sum of its jobs' penalties, the work of its jobs, and the chains whose next job is ready.
type state struct {
	key   uint64
	value float64
	time  float64
	ready uint64
}

// A from is the state before, by its index in the level before, and the job added.
type from struct {
	state uint32
	job   int32
}

// A field is where a key has a chain's count, less lo.
type field struct {
	mask  uint64
	lo    int32
	shift uint8
}

func (f *field) count(key uint64) int32 { return f.lo + int32(key>>(f.shift&63)&f.mask) }

// A way is how a chain may go on; bit is what its next job adds to the key.
type way struct {
	jobs      []int32
	now, next field
	bit       uint64
}

// levels runs the programme. It returns false if there are more than limit down-sets, if there are more than 64 chains, or if a
// key needs more than 64 bits. Keys have the same layout at all levels if they fit into wide bits, usually 64.
func (p *problem) levels(c *partition, limit, wide int) ([]int, bool) {
	n, d := len(p.work), len(c.chains)
	if d > 64 || n > maxClosure {
		return nil, false
	}
	l := &levels{problem: p, partition: c, count: 1, table: make([]uint64, 1<<10), shift: 64 - 10, way: make([]way, d)}
	_, _, l.whole = wholeUnits(p.work)
	l.bounds()
	l.layoutAll(wide)
	l.now = level{state: make([]state, 1), low: make([]float64, 1)}
	for j := range n {
		if len(p.g.Preds(j)) == 0 {
			l.now.state[0].ready |= 1 << c.of[j]
		}
	}
	for size := int32(1); size <= int32(n); size++ {
		if !l.fixed && !l.layout(size) {
			return nil, false
		}
		for s := range l.now.state {
			l.expand(s, size)
			if l.count+len(l.next.state) > limit {
				return nil, false
			}
		}
		l.count += len(l.next.state)
		l.from = append(l.from, slices.Clone(l.next.from))
		l.now, l.next = l.next, l.now
		l.next.state, l.next.low, l.next.from = l.next.state[:0], l.next.low[:0], l.next.from[:0]
	}
	order := make([]int, n)
	for place, s := n-1, uint32(0); place >= 0; place-- {
		f := l.from[place][s]
		order[place] = int(f.job)
		s = f.state
	}
	return order, true
}

// bounds finds early and late from the transitive closure.
func (l *levels) bounds() {
	n := len(l.work)
	words := (n + 63) / 64
	topo := l.g.Topological(nil)
	count := func(order []int, neighbours func(int) []int32) []int32 {
		set := make([]uint64, n*words)
		size := make([]int32, n)
		for _, j := range order {
			own := set[j*words : (j+1)*words]
			for _, i := range neighbours(j) {
				for w, x := range set[int(i)*words : (int(i)+1)*words] {
					own[w] |= x
				}
				own[i/64] |= 1 << (i % 64)
			}
			for _, x := range own {
				size[j] += int32(bits.OnesCount64(x))
			}
		}
		return size
	}
	before := count(topo, l.g.Preds)
	slices.Reverse(topo)
	after := count(topo, l.g.Succs)
	l.early, l.late = make([][]int32, len(l.chains)), make([][]int32, len(l.chains))
	for c, jobs := range l.chains {
		for _, j := range jobs {
			l.early[c] = append(l.early[c], before[j]+1)
			l.late[c] = append(l.late[c], int32(n)-after[j])
		}
	}
}

// layoutAll gives each chain a field for all levels, if that takes no more than wide bits.
func (l *levels) layoutAll(wide int) {
	fields := make([]field, len(l.chains))
	shift := 0
	for c, jobs := range l.chains {
		width := bits.Len(uint(len(jobs)))
		fields[c] = field{mask: 1<<width - 1, shift: uint8(min(shift, 63))}
		shift += width
	}
	l.fixed = shift <= wide
	for c, jobs := range l.chains {
		l.way[c].jobs = jobs
		if f := fields[c]; l.fixed {
			l.way[c] = way{jobs, f, f, 1 << f.shift}
		}
	}
}

// layout prepares the keys of the level with size jobs.
func (l *levels) layout(size int32) bool {
	shift := 0
	for c, jobs := range l.chains {
		w := &l.way[c]
		w.now = w.next
		lo := w.now.lo
		for int(lo) < len(jobs) && l.late[c][lo] <= size {
			lo++
		}
		hi := lo
		for int(hi) < len(jobs) && l.early[c][hi] <= size {
			hi++
		}
		width := bits.Len32(uint32(hi - lo))
		w.next = field{mask: 1<<width - 1, lo: lo, shift: uint8(min(shift, 63))}
		w.bit = w.next.mask & 1 << w.next.shift
		shift += width
	}
	return shift <= 64
}

// expand reaches the down-sets that have one job more than down-set s of the present level.
func (l *levels) expand(s int, size int32) {
	from := l.now.state[s]
	base := from.key
	if !l.fixed {
		// The counts in the next level's fields. A job done for certain there makes its field negative; then no other job is ready,
		// and its own bit makes up for it, in arithmetic modulo 2^64.
		base = 0
		for c := range l.way {
			if w := &l.way[c]; w.bit > 0 {
				base += uint64(int64(w.now.count(from.key)-w.next.lo)) << w.next.shift
			}
		}
	}
	for ready := from.ready; ready != 0; ready &= ready - 1 {
		w := &l.way[bits.TrailingZeros64(ready)]
		j := w.jobs[w.now.count(from.key)]
		end := dd.T{Hi: from.time + l.work[j]}
		if !l.whole {
			end = dd.T{Hi: from.time, Lo: l.now.low[s]}.AddFloat(l.work[j])
		}
		if l.reach(base+w.bit, from.value+l.cost[j].at(end.Hi), s, j, size) {
			l.enter(base+w.bit, end, from.ready, j)
		}
	}
}

// enter completes the state just added to the next level: its time, and what is ready now that job j is done.
func (l *levels) enter(key uint64, end dd.T, ready uint64, j int32) {
	c := l.of[j]
	ready &^= 1 << c
	if k := int(l.pos[j]) + 1; k < len(l.chains[c]) && l.ready(l.chains[c][k], key) {
		ready |= 1 << c
	}
	for _, k := range l.g.Succs(int(j)) {
		if o := l.of[k]; o != c && l.way[o].next.count(key) == l.pos[k] && l.ready(k, key) {
			ready |= 1 << o
		}
	}
	s := &l.next.state[len(l.next.state)-1]
	s.time, s.ready = end.Hi, ready
	if !l.whole {
		l.next.low = append(l.next.low, end.Lo)
	}
}

// ready says whether the down-set of the next level has what job j needs of other chains.
func (l *levels) ready(j int32, key uint64) bool {
	for _, x := range l.needs[j] {
		if l.way[x.chain].next.count(key) < x.count {
			return false
		}
	}
	return true
}

// slot returns where the search for a key begins in the table, and what its entry has there above the 32 bits of its index: the
// size of the level, so that the table need not be cleared, and bits of the hash. Keys that differ in the last few bits only are
// close in the table, as they are in the order of expansion: that is worth a third of the time.
func (l *levels) slot(key uint64, size int32) (h, stamp uint64) {
	const near = 6
	x := key >> near
	x ^= x >> 32
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return x>>(l.shift&63) ^ key&(1<<near-1), uint64(size)<<stampShift | (x+key)<<32&(1<<stampShift-1)
}

const stampShift = 64 - 13 // room for levels up to maxClosure

// reach lowers the value of a down-set of the next level, or adds it and returns true.
func (l *levels) reach(key uint64, value float64, before int, job, size int32) bool {
	h, stamp := l.slot(key, size)
	for {
		e := l.table[h]
		if e>>stampShift != uint64(size) {
			break
		}
		if e>>32 == stamp>>32 {
			if s := &l.next.state[uint32(e)]; s.key == key {
				if value < s.value {
					s.value = value
					l.next.from[uint32(e)] = from{uint32(before), job}
				}
				return false
			}
		}
		if h++; h == uint64(len(l.table)) {
			h = 0
		}
	}
	l.table[h] = stamp | uint64(len(l.next.state))
	l.next.state = append(l.next.state, state{key: key, value: value})
	l.next.from = append(l.next.from, from{uint32(before), job})
	if 2*len(l.next.state) > len(l.table) {
		l.grow(size)
	}
	return true
}

// grow doubles the table.
func (l *levels) grow(size int32) {
	l.table = make([]uint64, 2*len(l.table))
	l.shift--
	for i := range l.next.state {
		h, stamp := l.slot(l.next.state[i].key, size)
		for l.table[h] != 0 {
			if h++; h == uint64(len(l.table)) {
				h = 0
			}
		}
		l.table[h] = stamp | uint64(i)
	}
}
