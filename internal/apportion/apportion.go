// Package apportion divides whole seats in proportion to weights by the method of largest
// remainders (Hamilton), with minima and caps.
package apportion

import (
	"math"
	"math/bits"

	"github.com/schedmath/schedmath/internal/orderstat"
)

// Division is one division of seats, and memory for the next. Fill in the exported fields, then
// call Run. The zero value is ready.
type Division struct {
	Seats int
	// Min and Cap are the bounds of each number of seats, 0 <= Min <= Cap <= 10^9, with the minima
	// at most Seats in sum.
	Min, Cap []int
	// Weights are 0 or in [2^-200, 2^200]. Who has weight 0 gets its minimum.
	Weights []float64

	// Run divides Rest seats among the Open indices in proportion to their weights; every other
	// index is at a bound.
	Rest int
	Open []int32

	seats      []int
	candidates []int32
	words      []uint64                 // the open weights in whole multiples of one unit, 2^-62 of their sum or less
	total      uint64                   // of the open words
	remainders []orderstat.Item[uint64] // of the open indices: what they lack to a whole seat, times total
}

// Run sets seats[i] to the number of seats of i: the water-filling clamp(r w, Min, Cap), rounded
// down, and one more for the largest remainders. Seats beyond the sum of the caps stay unassigned.
// Ties go to the lower index. Weights are rounded to words; with these all is exact.
//
// All users above a minimum are first filled up to their caps as if there were no minima. Who is
// below its minimum then is so at every lower level as well, and minima can only lower the level:
// it gets its minimum, and the rest are filled again.
//
// Cost O(n) a pass. The passes that meet caps are logarithmic in the spread of the weights; there
// is one more round of them for each set of minima that the minima before it have pushed others
// below.
func (d *Division) Run(seats []int) {
	d.seats = seats
	if cap(d.words) < len(seats) {
		d.words = make([]uint64, len(seats))
	}
	d.words = d.words[:len(seats)]
	d.candidates = d.candidates[:0]
	rest := d.Seats
	for i, w := range d.Weights {
		if seats[i] = d.Min[i]; w > 0 {
			d.candidates = append(d.candidates, int32(i))
		} else {
			rest -= d.Min[i]
		}
	}
	for raised := -1; raised != 0; rest -= raised {
		d.Rest = rest
		d.fill()
		raised = 0
		kept := d.candidates[:0]
		for _, i := range d.candidates {
			if seats[i] < d.Min[i] {
				seats[i] = d.Min[i]
				raised += d.Min[i]
			} else {
				kept = append(kept, i)
			}
		}
		d.candidates = kept
	}
	left := d.Rest
	for _, i := range d.Open {
		left -= seats[i]
	}
	// If there are open indices they are more than the seats left, since each has lost less than
	// one.
	if left > 0 && len(d.Open) > 0 {
		orderstat.Select(d.remainders, left-1)
		for _, r := range d.remainders[:left] {
			seats[r.Index]++
		}
	}
	d.seats = nil
}

// fill sets the seats of the candidates as if there were no minima: their caps, or the quotas
// rounded down for Open.
func (d *Division) fill() {
	d.Open = append(d.Open[:0], d.candidates...)
	for len(d.Open) > 0 {
		d.weigh()
		kept, full := d.Open[:0], 0
		d.remainders = d.remainders[:0]
		for _, i := range d.Open {
			hi, lo := bits.Mul64(uint64(d.Rest), d.words[i])
			q, r := bits.Div64(hi, lo, d.total)
			if q >= uint64(d.Cap[i]) {
				d.seats[i] = d.Cap[i]
				full += d.Cap[i]
				continue
			}
			d.seats[i] = int(q)
			d.remainders = append(d.remainders, orderstat.Item[uint64]{Index: int(i), Key: d.total - r})
			kept = append(kept, i)
		}
		if len(kept) == len(d.Open) {
			return
		}
		d.Open = kept
		d.Rest -= full
	}
}

// weigh sets the words of the open indices.
func (d *Division) weigh() {
	sum := 0.0
	for _, i := range d.Open {
		sum += d.Weights[i]
	}
	_, exp := math.Frexp(sum)
	unit := math.Ldexp(1, 62-exp)
	d.total = 0
	for _, i := range d.Open {
		d.words[i] = uint64(int64(d.Weights[i] * unit))
		d.total += d.words[i]
	}
}

// Quota returns the quota of the open index i, in float64.
func (d *Division) Quota(i int32) float64 {
	return float64(d.Rest) * (float64(d.words[i]) / float64(d.total))
}
