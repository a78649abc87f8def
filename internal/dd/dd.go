// Package dd is double-double arithmetic: an unevaluated sum of two float64 carries 106 bits, so
// that a clock that stands at 1e5 s still resolves a job of 1e-9 s to the last bit of a float64.
//
// The operations are the classical ones (Dekker 1971; Hida, Li and Bailey, "Quad-double
// arithmetic", 2000): relative error below 2^-100 for results of one sign, and products through an
// exact fused multiply-add, the same on every machine. Operands must be finite, and no result may
// overflow. Where a lower half or a product underflows, its last bits are lost.
package dd

import "math"

// T is the number Hi + Lo, normalised: Hi is the float64 nearest to the sum. The zero value is 0.
type T struct{ Hi, Lo float64 }

// twoSum returns a+b exactly.
func twoSum(a, b float64) T {
	s := a + b
	bb := s - a
	return T{s, (a - (s - bb)) + (b - bb)}
}

// quickSum returns a+b exactly when |a| >= |b| or a is 0.
func quickSum(a, b float64) T {
	s := a + b
	return T{s, b - (s - a)}
}

// Of returns x as a double-double.
func Of(x float64) T { return T{x, 0} }

// Add returns a + b.
func (a T) Add(b T) T {
	s := twoSum(a.Hi, b.Hi)
	t := twoSum(a.Lo, b.Lo)
	s = quickSum(s.Hi, s.Lo+t.Hi)
	return quickSum(s.Hi, s.Lo+t.Lo)
}

// AddFloat returns a + x.
func (a T) AddFloat(x float64) T {
	s := twoSum(a.Hi, x)
	return quickSum(s.Hi, s.Lo+a.Lo)
}

// Neg returns -a.
func (a T) Neg() T { return T{-a.Hi, -a.Lo} }

// Sub returns a - b.
func (a T) Sub(b T) T { return a.Add(b.Neg()) }

// Mul returns a * x.
func (a T) Mul(x float64) T {
	p := float64(a.Hi * x) // rounded: not to be fused with what follows
	return quickSum(p, math.FMA(a.Hi, x, -p)+float64(a.Lo*x))
}

// Div returns a / x for x != 0.
func (a T) Div(x float64) T {
	q := a.Hi / x
	r := math.FMA(-q, x, a.Hi) + a.Lo // exact but for the last addition
	return quickSum(q, r/x)
}

// Cmp returns -1, 0 or 1 as a is less than, equal to or greater than b.
func (a T) Cmp(b T) int {
	switch {
	case a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// Float returns the nearest float64.
func (a T) Float() float64 { return a.Hi + a.Lo }
