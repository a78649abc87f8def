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
	open        []open    // the chains that may go on from the present level
	now, next   level
	found       []found
	touched     uint64   // keeps the compiler from leaving out loads
	table       []uint64 // the next level by hash of the key: see slot
	shift       int
	count       int        // of all down-sets
	parent      [][]uint32 // by level, from level 1: how each was reached
	last        [][]int32
}

// A level is the down-sets of one size.
type level struct {
	field  []field // of each chain
	state  []state
	time   []dd.T
	parent []uint32 // the state before, in the level before
	last   []int32  // and the job added
}

// A state is a down-set and the least sum of its jobs' penalties.
type state struct {
	key   uint64
	value float64
}

// A field is where a key has a chain's count, less lo.
type field struct {
	mask  uint64
	lo    int32
	shift uint8
}

func (f *field) count(key uint64) int32 { return f.lo + int32(key>>(f.shift&63)&f.mask) }

// An open is a chain that may go on from the present level; bit is what that adds to the key in the next.
type open struct {
	jobs      []int32
	now, next field
	bit       uint64
}

// levels runs the programme. It returns false if there are more than limit down-sets, or if a key needs more than 64 bits.
func (p *problem) levels(c *partition, limit int) ([]int, bool) {
	n := len(p.work)
	d := len(c.chains)
	l := &levels{problem: p, partition: c, count: 1, table: make([]uint64, 1<<10), shift: 64 - 10}
	_, _, l.whole = wholeUnits(p.work)
	l.bounds()
	l.now = level{field: make([]field, d), state: make([]state, 1), time: make([]dd.T, 1)}
	l.next.field = make([]field, d)
	l.layoutAll()
	for size := int32(0); size < int32(n); size++ {
		if !l.layout(size + 1) {
			return nil, false
		}
		for s := range l.now.state {
			l.expand(s, size+1)
			if s%batch == batch-1 || s == len(l.now.state)-1 {
				if l.reachAll(size + 1); l.count+len(l.next.state) > limit {
					return nil, false
				}
			}
		}
		l.count += len(l.next.state)
		l.parent = append(l.parent, slices.Clone(l.next.parent))
		l.last = append(l.last, slices.Clone(l.next.last))
		l.now, l.next = l.next, l.now
		l.next.state, l.next.time = l.next.state[:0], l.next.time[:0]
		l.next.parent, l.next.last = l.next.parent[:0], l.next.last[:0]
	}
	order := make([]int, n)
	for place, s := n-1, uint32(0); place >= 0; place-- {
		order[place] = int(l.last[place][s])
		s = l.parent[place][s]
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

// layoutAll gives each chain a field for all levels, if that takes no more than 64 bits.
func (l *levels) layoutAll() {
	fields := make([]field, len(l.chains))
	shift := 0
	for c, jobs := range l.chains {
		width := bits.Len(uint(len(jobs)))
		fields[c] = field{mask: 1<<width - 1, shift: uint8(min(shift, 63))}
		shift += width
	}
	if l.fixed = shift <= 64; l.fixed {
		copy(l.now.field, fields)
		copy(l.next.field, fields)
	}
}

// layout prepares the keys of the level with size jobs.
func (l *levels) layout(size int32) bool {
	l.open = l.open[:0]
	shift := 0
	for c, jobs := range l.chains {
		from := l.now.field[c].lo
		if l.fixed { // any chain but those done or not begun for certain
			if l.early[c][0] <= size && l.late[c][len(jobs)-1] >= size {
				f := l.now.field[c]
				l.open = append(l.open, open{jobs, f, f, 1 << f.shift})
			}
			continue
		}
		lo := from
		for int(lo) < len(jobs) && l.late[c][lo] <= size {
			lo++
		}
		hi := lo
		for int(hi) < len(jobs) && l.early[c][hi] <= size {
			hi++
		}
		f := field{mask: 1<<bits.Len32(uint32(hi-lo)) - 1, lo: lo, shift: uint8(min(shift, 63))}
		if hi > from {
			l.open = append(l.open, open{jobs, l.now.field[c], f, (f.mask & 1) << f.shift})
		}
		shift += bits.Len32(uint32(hi - lo))
		l.next.field[c] = f
	}
	return shift <= 64
}

// expand reaches the down-sets that have one job more than down-set s of the present level.
func (l *levels) expand(s int, size int32) {
	key, value, time := l.now.state[s].key, l.now.state[s].value, l.now.time[s]
	base := key
	if !l.fixed {
		// The counts in the next level's fields. A job done for certain there makes its field negative; then no other job is ready,
		// and its own bit makes up for it, in arithmetic modulo 2^64.
		base = 0
		for i := range l.open {
			if o := &l.open[i]; o.bit > 0 {
				base += uint64(int64(o.now.count(key)-o.next.lo)) << o.next.shift
			}
		}
	}
	for i := range l.open {
		o := &l.open[i]
		k := o.now.count(key)
		if int(k) == len(o.jobs) {
			continue
		}
		j := o.jobs[k]
		if needs := l.needs[j]; len(needs) > 0 && !l.ready(needs, key) {
			continue
		}
		end := dd.T{Hi: time.Hi + l.work[j]}
		if !l.whole {
			end = time.AddFloat(l.work[j])
		}
		h, stamp := l.slot(base+o.bit, size)
		l.found = append(l.found, found{base + o.bit, h, stamp, value + l.cost[j].at(end.Hi), end, uint32(s), j})
		l.touched += l.table[h]
	}
}

// ready says whether the down-set has what a job needs.
func (l *levels) ready(needs []need, key uint64) bool {
	for _, x := range needs {
		if l.now.field[x.chain].count(key) < x.count {
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

// batch is from how many down-sets those of the next level are looked up together.
const batch = 16

// A found is a way to a down-set of the next level.
type found struct {
	key, h, stamp uint64
	value         float64
	end           dd.T
	parent        uint32
	job           int32
}

// reachAll enters what was found into the next level, or lowers its value. The table is larger than a cache: expand and the first
// loop here look at the places to come, one independent of the other, so that they are fetched together.
func (l *levels) reachAll(size int32) {
	for i := range l.found {
		if e := l.table[l.found[i].h]; e>>stampShift == uint64(size) {
			l.touched += l.next.state[uint32(e)].key
		}
	}
	for i := range l.found {
		f := &l.found[i]
		l.reach(f, size)
	}
	l.found = l.found[:0]
	if 2*len(l.next.state) > len(l.table) {
		l.grow(size)
	}
}

func (l *levels) reach(f *found, size int32) {
	h := f.h
	for {
		e := l.table[h]
		if e>>stampShift != uint64(size) {
			break
		}
		if e>>32 == f.stamp>>32 {
			if s := &l.next.state[uint32(e)]; s.key == f.key {
				if f.value < s.value {
					s.value = f.value
					l.next.parent[uint32(e)], l.next.last[uint32(e)] = f.parent, f.job
				}
				return
			}
		}
		if h++; h == uint64(len(l.table)) {
			h = 0
		}
	}
	l.table[h] = f.stamp | uint64(len(l.next.state))
	l.next.state = append(l.next.state, state{f.key, f.value})
	l.next.time = append(l.next.time, f.end)
	l.next.parent = append(l.next.parent, f.parent)
	l.next.last = append(l.next.last, f.job)
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
