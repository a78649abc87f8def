// Package apportion divides whole seats in proportion to weights by the method of largest
// remainders (Hamilton), with minima and caps, exactly.
package apportion

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/orderstat"
)

// Division is one division of seats, and memory for the next. Fill in the exported fields, then
// call Run. The zero value is ready.
type Division struct {
	Seats int
	// Min and Cap are the bounds of each number of seats, 0 <= Min <= Cap <= 10^9, with the minima
	// at most Seats in sum.
	Min, Cap []int
	// Words are the weights as whole multiples of one unit, or empty. Who has weight 0 gets its
	// minimum.
	Words []uint64
	// Wide are the weights, 0 or in [2^-200, 2^200], rounded if there are Words. Words of a
	// sum below 2^64 need none.
	Wide []float64

	// Run divides Rest seats among the Open indices in proportion to their weights; every other
	// index is at a bound.
	Rest int
	Open []int32

	seats      []int
	candidates []int32
	// keys: remainders of the open indices: times total, or if that is 0 rounded and times 2^62
	keys       []uint64
	total      uint64   // of the open Words; 0 if there are none, or their sum is not below 2^64
	wide       float64  // of the open Wide, if total is 0
	exactTotal *big.Int // of the open Weights, computed when rounding matters
}

// rounding bounds the relative error of a quota of Wide: those of two weights, their sum in
// double-double, and three operations.
const rounding = 0x1p-50

// Run sets seats[i] to the number of seats of i: the water-filling clamp(r w, Min, Cap), rounded
// down, and one more for the largest remainders. Seats beyond the sum of the caps stay unassigned.
// Ties go to the lower index.
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
	if cap(d.keys) < len(seats) {
		d.keys = make([]uint64, len(seats))
	}
	d.keys = d.keys[:len(seats)]
	d.candidates = d.candidates[:0]
	rest := d.Seats
	for i := range seats {
		seats[i] = d.Min[i]
		if len(d.Words) > 0 && d.Words[i] > 0 || len(d.Words) == 0 && d.Wide[i] > 0 {
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
		orderstat.Select(d.Open, left-1, d.before)
		for _, i := range d.Open[:left] {
			seats[i]++
		}
	}
	d.seats, d.exactTotal = nil, nil
}

// fill sets the seats of the candidates as if there were no minima: their caps, or the quotas
// rounded down for Open.
func (d *Division) fill() {
	d.Open = append(d.Open[:0], d.candidates...)
	for len(d.Open) > 0 {
		d.sum()
		kept, full := 0, 0
		for k, i := range d.Open {
			q, key := d.quota(i)
			if q >= d.Cap[i] {
				d.seats[i] = d.Cap[i]
				full += d.Cap[i]
				continue
			}
			d.seats[i], d.keys[i] = q, key
			// Swapped, so that exact may sum every open weight at any time in the pass.
			d.Open[kept], d.Open[k] = i, d.Open[kept]
			kept++
		}
		if kept == len(d.Open) {
			return
		}
		d.Open = d.Open[:kept]
		d.Rest -= full
	}
}

// sum sets the totals of the open weights.
func (d *Division) sum() {
	d.total, d.exactTotal = 0, nil
	if len(d.Words) > 0 {
		fits := true
		for _, i := range d.Open {
			d.total += d.Words[i]
			fits = fits && d.total >= d.Words[i]
		}
		if fits {
			return
		}
		d.total = 0
	}
	var sum dd.T
	for _, i := range d.Open {
		sum = sum.AddFloat(d.Wide[i])
	}
	d.wide = sum.Float()
}

// quota returns the quota of i rounded down, and the remainder.
func (d *Division) quota(i int32) (int, uint64) {
	if d.total > 0 {
		hi, lo := bits.Mul64(uint64(d.Rest), d.Words[i])
		q, r := bits.Div64(hi, lo, d.total)
		return int(q), r
	}
	q := d.Quota(i)
	f := math.Floor(q)
	switch err := rounding * q; {
	case q-f <= err && f > 0 && d.exact(i, int(f)).Sign() < 0:
		return int(f) - 1, 1<<62 - 1
	case f+1-q <= err && d.exact(i, int(f)+1).Sign() >= 0:
		return int(f) + 1, 0
	}
	return int(f), uint64((q - f) * 0x1p62)
}

// exact returns the quota of i less q, times the total of the open Weights.
func (d *Division) exact(i int32, q int) *big.Int {
	if d.exactTotal == nil {
		d.exactTotal = new(big.Int)
		for _, j := range d.Open {
			d.exactTotal.Add(d.exactTotal, d.Weight(j))
		}
	}
	z, whole := d.Weight(i), big.NewInt(int64(q))
	z.Mul(z, big.NewInt(int64(d.Rest)))
	return z.Sub(z, whole.Mul(whole, d.exactTotal))
}

// Weight returns the weight of i as a whole number: its word, or 2^253 times its float64.
func (d *Division) Weight(i int32) *big.Int {
	if len(d.Words) > 0 {
		return new(big.Int).SetUint64(d.Words[i])
	}
	fraction, exp := math.Frexp(d.Wide[i]) // exp >= -199
	z := big.NewInt(int64(fraction * 0x1p53))
	return z.Lsh(z, uint(exp+200))
}

// Same reports whether i and j have the same weight.
func (d *Division) Same(i, j int32) bool {
	if len(d.Words) > 0 {
		return d.Words[i] == d.Words[j]
	}
	return d.Wide[i] == d.Wide[j]
}

// before reports whether i has a larger remainder than j, or the same and a lower index.
func (d *Division) before(i, j int32) bool {
	a, b := d.keys[i], d.keys[j]
	if d.total == 0 && !d.Same(i, j) {
		slack := rounding * (float64(d.seats[i]) + float64(d.seats[j]) + 2)
		if math.Abs(float64(a)-float64(b)) <= slack*0x1p62 {
			c := d.exact(i, d.seats[i]).Cmp(d.exact(j, d.seats[j]))
			return c > 0 || c == 0 && i < j
		}
	}
	return a > b || a == b && i < j
}

// Quota returns the quota of the open index i, in float64.
func (d *Division) Quota(i int32) float64 {
	if d.total > 0 {
		return float64(d.Rest) * (float64(d.Words[i]) / float64(d.total))
	}
	return float64(d.Rest) * (d.Wide[i] / d.wide)
}
