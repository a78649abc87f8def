package slotmodel

import "math"

// log counts events, and takes their hash when that is asked for.
type log struct {
	on    bool // somebody listens
	hash  uint64
	count int64
}

const (
	hashBasis = 0xcbf29ce484222325
	hashPrime = 0x100000001b3
)

// take adds an event to the hash: FNV-1a over 64-bit words, with the upper half folded in so that
// all bits of a word matter.
func (l *log) take(e *Event) {
	h := l.hash
	mix := func(w uint64) {
		h ^= w
		h *= hashPrime
		h ^= h >> 32
	}
	mix(math.Float64bits(e.Time))
	mix(math.Float64bits(e.Value))
	mix(uint64(uint32(e.Job))<<32 | uint64(uint32(e.Task)))
	mix(uint64(uint32(e.Attempt))<<32 | uint64(uint32(e.Node)))
	mix(uint64(e.Type)<<8 | uint64(e.Kind))
	l.hash = h
}
