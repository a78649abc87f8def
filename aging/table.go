package aging

import (
	"cmp"
	"hash/maphash"
	"math"
	"math/bits"
)

// table is a hash table of ids by linear probing. It holds 4 bytes an entry at a load between 3/8 and 3/4, where a map from
// a key takes 40; the keys themselves stand in the arrays that the ids index.
type table struct {
	ids  []int32 // id + 1; 0: empty. The length is a power of two
	used int
}

// hasher returns the hash of the key that an id stands for.
type hasher interface {
	hash(id int32) uint64
}

func (t *table) home(hash uint64) int { return int(hash & uint64(len(t.ids)-1)) }

// next returns the place after p.
func (t *table) next(p int) int { return (p + 1) & (len(t.ids) - 1) }

// insert adds an id that is not in the table.
func (t *table) insert(id int32, h hasher) {
	if t.used >= len(t.ids)/4*3 {
		old := t.ids
		t.ids = make([]int32, max(8, 2*len(old)))
		for _, e := range old {
			if e > 0 {
				t.put(e-1, h)
			}
		}
	}
	t.put(id, h)
	t.used++
}

func (t *table) put(id int32, h hasher) {
	p := t.home(h.hash(id))
	for t.ids[p] != 0 {
		p = t.next(p)
	}
	t.ids[p] = id + 1
}

// remove takes out an id that is in the table, and moves up those behind it that would no longer be found.
func (t *table) remove(id int32, h hasher) {
	p := t.home(h.hash(id))
	for t.ids[p] != id+1 {
		p = t.next(p)
	}
	for q := t.next(p); t.ids[q] != 0; q = t.next(q) {
		home := t.home(h.hash(t.ids[q] - 1))
		// The entry at q may move to p unless its home lies between p and q.
		if (q-home)&(len(t.ids)-1) >= (q-p)&(len(t.ids)-1) {
			t.ids[p] = t.ids[q]
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

// jobOf returns the element of jobs that holds key.
func (c *Cluster[K]) jobOf(key K) (int32, bool) {
	t := &c.index
	if t.used == 0 {
		return 0, false
	}
	for p := t.home(maphash.Comparable(c.seed, key)); t.ids[p] != 0; p = t.next(p) {
		if i := t.ids[p] - 1; c.jobs[i].key == key {
			return i, true
		}
	}
	return 0, false
}

// groupOf returns the group of a ratio.
func (c *Cluster[K]) groupOf(ratio float64) (int32, bool) {
	t := &c.ratios
	if t.used == 0 {
		return 0, false
	}
	for p := t.home(hashRatio(ratio)); t.ids[p] != 0; p = t.next(p) {
		if i := t.ids[p] - 1; c.groups[i].ratio == ratio {
			return i, true
		}
	}
	return 0, false
}
