package aging

import (
	"hash/maphash"
	"math"
	"math/bits"
)

// table is a hash table of ids by linear probing, 11 to 16 bytes an entry where a map takes about 40; the keys themselves stand in
// the arrays that the ids index. To look at those is what costs time in a large table, so each place keeps half of the
// hash: only for the right key is anything looked at but neighbouring places.
type table struct {
	places []place
	used   int
}

type place struct {
	id   int32 // + 1; 0: empty
	hash uint32
}

// home returns where the search for a hash begins: hashes in ascending order have homes in ascending order, so that a table
// that grows is read and written from end to end.
func (t *table) home(hash uint32) int { return int(uint64(hash) * uint64(len(t.places)) >> 32) }

// next returns the place after p.
func (t *table) next(p int) int {
	if p++; p < len(t.places) {
		return p
	}
	return 0
}

// spot is where the search for a key ended: at its place, or at the empty one where it belongs. It holds until the table changes.
type spot struct {
	at   int
	hash uint32
}

// insert adds an id at the spot where its key was not found.
func (t *table) insert(id int32, s spot) {
	t.used++
	if t.used > len(t.places)/8*5 {
		t.grow()
		s.at = t.gap(s.hash)
	}
	t.places[s.at] = place{id + 1, s.hash}
}

func (t *table) grow() {
	old := t.places
	t.places = make([]place, len(old)+len(old)/4+8)
	for _, e := range old {
		if e.id != 0 {
			t.places[t.gap(e.hash)] = e
		}
	}
}

// gap returns the first empty place from the home of a hash on.
func (t *table) gap(hash uint32) int {
	p := t.home(hash)
	for t.places[p].id != 0 {
		p = t.next(p)
	}
	return p
}

// remove empties place p, and moves up those behind it that would no longer be found.
func (t *table) remove(p int) {
	for q := t.next(p); t.places[q].id != 0; q = t.next(q) {
		if e := t.places[q]; t.distance(t.home(e.hash), q) >= t.distance(p, q) { // p is not before its home
			t.places[p] = e
			p = q
		}
	}
	t.places[p] = place{}
	t.used--
}

// distance returns how many places q is after p.
func (t *table) distance(p, q int) int {
	if q < p {
		q += len(t.places)
	}
	return q - p
}

// hashRatio mixes the bits of a ratio: its low bits are mostly 0.
func hashRatio(ratio float64) uint32 {
	hi, lo := bits.Mul64(math.Float64bits(ratio), 0x9e3779b97f4a7c15) // the golden ratio in 64 bits
	return uint32((hi ^ lo) >> 32)
}

// jobOf returns the element of jobs that holds key, and where index has it.
func (c *Cluster[K]) jobOf(key K) (i int32, s spot, ok bool) {
	if !c.made() {
		return 0, s, false
	}
	s.hash = uint32(maphash.Comparable(c.seed, key))
	t := &c.index
	if len(t.places) == 0 {
		return 0, s, false
	}
	for s.at = t.home(s.hash); t.places[s.at].id != 0; s.at = t.next(s.at) {
		if e := t.places[s.at]; e.hash == s.hash && c.jobs[e.id-1].key == key {
			return e.id - 1, s, true
		}
	}
	return 0, s, false
}

// groupOf returns the group of a ratio, and where ratios has it.
func (c *Cluster[K]) groupOf(ratio float64) (id int32, s spot, ok bool) {
	s.hash = hashRatio(ratio)
	t := &c.ratios
	if len(t.places) == 0 {
		return 0, s, false
	}
	for s.at = t.home(s.hash); t.places[s.at].id != 0; s.at = t.next(s.at) {
		if e := t.places[s.at]; e.hash == s.hash && c.groups[e.id-1].ratio == ratio {
			return e.id - 1, s, true
		}
	}
	return 0, s, false
}
