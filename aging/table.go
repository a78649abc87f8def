package aging

import (
	"cmp"
	"hash/maphash"
	"math"
	"math/bits"
)

// table is a hash table of ids by linear probing. It holds 6 bytes a place at a load between 3/8 and 3/4, where a map takes
// about 40 bytes an entry; the keys themselves stand in the arrays that the ids index. To look at those is what costs time in a
// large table, so each place keeps eight bits of the hash, and how far it is from where the hash would have it.
type table struct {
	ids    []int32 // id + 1; 0: empty. The length is a power of two
	marks  []uint8 // the top bits of the hashes
	shifts []uint8 // distances from home; farShift stands for itself and all above
	used   int
}

const farShift = math.MaxUint8

// hasher returns the hash of the key that an id stands for.
type hasher interface {
	hash(id int32) uint64
}

func (t *table) home(hash uint64) int { return int(hash & uint64(len(t.ids)-1)) }

func mark(hash uint64) uint8 { return uint8(hash >> 56) }

// next returns the place after p.
func (t *table) next(p int) int { return (p + 1) & (len(t.ids) - 1) }

// insert adds an id that is not in the table, under the hash of its key.
func (t *table) insert(id int32, hash uint64, h hasher) {
	if t.used >= len(t.ids)/4*3 {
		old := t.ids
		n := max(8, 2*len(old))
		t.ids, t.marks, t.shifts = make([]int32, n), make([]uint8, n), make([]uint8, n)
		for _, e := range old {
			if e > 0 {
				t.put(e-1, h.hash(e-1))
			}
		}
	}
	t.put(id, hash)
	t.used++
}

func (t *table) put(id int32, hash uint64) {
	p, shift := t.home(hash), 0
	for t.ids[p] != 0 {
		p = t.next(p)
		shift++
	}
	t.ids[p], t.marks[p], t.shifts[p] = id+1, mark(hash), uint8(min(shift, farShift))
}

// remove takes out an id that is in the table, and moves up those behind it that would no longer be found.
func (t *table) remove(id int32, h hasher) {
	p := t.home(h.hash(id))
	for t.ids[p] != id+1 {
		p = t.next(p)
	}
	for q := t.next(p); t.ids[q] != 0; q = t.next(q) {
		mask := len(t.ids) - 1
		shift, gap := int(t.shifts[q]), (q-p)&mask
		if shift == farShift {
			shift = (q - t.home(h.hash(t.ids[q]-1))) & mask
		}
		if shift >= gap { // p is not before its home
			t.ids[p], t.marks[p], t.shifts[p] = t.ids[q], t.marks[q], uint8(min(shift-gap, farShift))
			p = q
		}
	}
	t.ids[p] = 0
	t.used--
}

type jobHashes[K cmp.Ordered] Cluster[K]

func (h *jobHashes[K]) hash(id int32) uint64 { return maphash.Comparable(h.seed, h.jobs[id].key) }

type ratioHashes[K cmp.Ordered] Cluster[K]

func (h *ratioHashes[K]) hash(id int32) uint64 { return hashRatio(h.groups[id].ratio) }

// hashRatio mixes the bits of a ratio: its low bits are mostly 0.
func hashRatio(ratio float64) uint64 {
	hi, lo := bits.Mul64(math.Float64bits(ratio), 0x9e3779b97f4a7c15) // the golden ratio in 64 bits
	return hi ^ lo
}

// jobOf returns the element of jobs that holds key, and the hash of the key.
func (c *Cluster[K]) jobOf(key K) (i int32, hash uint64, ok bool) {
	t := &c.index
	hash = maphash.Comparable(c.seed, key)
	if t.used == 0 {
		return 0, hash, false
	}
	for p := t.home(hash); t.ids[p] != 0; p = t.next(p) {
		if i := t.ids[p] - 1; t.marks[p] == mark(hash) && c.jobs[i].key == key {
			return i, hash, true
		}
	}
	return 0, hash, false
}

// groupOf returns the group of a ratio.
func (c *Cluster[K]) groupOf(ratio float64) (id int32, ok bool) {
	t := &c.ratios
	if t.used == 0 {
		return 0, false
	}
	hash := hashRatio(ratio)
	for p := t.home(hash); t.ids[p] != 0; p = t.next(p) {
		if id := t.ids[p] - 1; t.marks[p] == mark(hash) && c.groups[id].ratio == ratio {
			return id, true
		}
	}
	return 0, false
}
