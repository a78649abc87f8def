// Package exact sums float64 values without any rounding, so that a running sum from which terms
// are taken again neither drifts nor depends on the order of the terms, whatever their magnitudes.
package exact

import (
	"math"
	"math/bits"

	"github.com/schedmath/schedmath/internal/dd"
)

// Sum is an exact sum of positive float64 values in [2^-200, 2^200], at most 2^40 of them at a
// time. The zero value is an empty sum. A Sum must not be copied while both copies are in use.
//
// The terms are added as integers in limbs of 128 bits, one limb for each range of 2^32 in
// magnitude: a term has 53 bits and is shifted by at most 31, which leaves 44 bits for carries.
// Terms of like magnitude need one limb, kept in the struct.
type Sum struct {
	first limb
	rest  []limb
}

// limb holds (hi 2^64 + lo) 2^(32 id - 1075); both words are 0 when it is free.
type limb struct {
	lo, hi uint64
	id     int32
}

// split returns x as the words of a limb and the limb's id.
func split(x float64) (lo, hi uint64, id int32) {
	b := math.Float64bits(x)
	e := b >> 52 & 0x7ff
	m := b&(1<<52-1) | 1<<52
	shift := e & 31
	return m << shift, m >> (64 - shift), int32(e >> 5)
}

// at returns the limb for id, a free one if id has none.
func (s *Sum) at(id int32) *limb {
	if s.first.id == id {
		return &s.first
	}
	free := &s.first
	if s.first.lo|s.first.hi != 0 {
		free = nil
	}
	for i := range s.rest {
		l := &s.rest[i]
		if l.id == id {
			return l
		}
		if free == nil && l.lo|l.hi == 0 {
			free = l
		}
	}
	if free == nil {
		s.rest = append(s.rest, limb{})
		free = &s.rest[len(s.rest)-1]
	}
	free.id = id
	return free
}

func (l *limb) add(lo, hi uint64) {
	var c uint64
	l.lo, c = bits.Add64(l.lo, lo, 0)
	l.hi, _ = bits.Add64(l.hi, hi, c)
}

func (l *limb) sub(lo, hi uint64) {
	var b uint64
	l.lo, b = bits.Sub64(l.lo, lo, 0)
	l.hi, _ = bits.Sub64(l.hi, hi, b)
}

// Add adds x.
func (s *Sum) Add(x float64) {
	lo, hi, id := split(x)
	s.at(id).add(lo, hi)
}

// Sub takes away x, which must have been added before.
func (s *Sum) Sub(x float64) {
	lo, hi, id := split(x)
	s.at(id).sub(lo, hi)
}

// AddSum adds all terms of o.
func (s *Sum) AddSum(o *Sum) {
	s.at(o.first.id).add(o.first.lo, o.first.hi)
	for _, l := range o.rest {
		s.at(l.id).add(l.lo, l.hi)
	}
}

// SubSum takes away all terms of o, which must have been added before.
func (s *Sum) SubSum(o *Sum) {
	s.at(o.first.id).sub(o.first.lo, o.first.hi)
	for _, l := range o.rest {
		s.at(l.id).sub(l.lo, l.hi)
	}
}

// value is exact up to 2^-105 of itself.
func (l limb) value() dd.T {
	unit := math.Float64frombits(uint64(l.id*32-1075+1023) << 52)
	v := dd.Of(float64(float64(l.hi) * 0x1p64 * unit))
	if l.lo != 0 {
		v = v.AddFloat(float64(float64(l.lo>>32) * 0x1p32 * unit)).AddFloat(float64(float64(l.lo&(1<<32-1)) * unit))
	}
	return v
}

// Value returns the sum, rounded to a double-double. It depends on the terms alone, not on their
// order or history.
func (s *Sum) Value() dd.T {
	if len(s.rest) == 0 {
		if s.first.lo|s.first.hi == 0 {
			return dd.T{}
		}
		return s.first.value()
	}
	// Ascending magnitude: a fixed order, whatever order the limbs came in.
	var v dd.T
	for last := int32(-1); ; {
		next := limb{id: math.MaxInt32}
		if l := s.first; l.lo|l.hi != 0 && l.id > last {
			next = l
		}
		for _, l := range s.rest {
			if l.lo|l.hi != 0 && l.id > last && l.id < next.id {
				next = l
			}
		}
		if next.id == math.MaxInt32 {
			return v
		}
		v = v.Add(next.value())
		last = next.id
	}
}
