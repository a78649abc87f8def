package fluid

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Ties such as 1/3 + 1/3 = 2/3 survive rounding to 80 bits, and scaling by powers of two.
func TestSnap(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ratio := func(a, b float64) dd { return dd{hi: a}.over(b) }
	for range 20000 {
		a, b, d := float64(1+rng.IntN(50)), float64(1+rng.IntN(50)), float64(1+rng.IntN(50))
		x := ratio(a, d).add(ratio(b, d))
		y := ratio(a+b, d)
		if x.snap() != y.snap() {
			t.Errorf("%v/%v + %v/%v snaps to %v, %v/%v to %v", a, d, b, d, x.snap(), a+b, d, y.snap())
		}
		if by := x.snap().minus(x); !(math.Abs(by) <= 0x1p-79*x.hi) {
			t.Errorf("%v/%v + %v/%v snaps by %v, want at most a last place of 80 bits", a, d, b, d, by)
		}
		f := math.Ldexp(1, rng.IntN(400)-200)
		if s, z := x.snap(), (dd{x.hi * f, x.lo * f}).snap(); z != (dd{s.hi * f, s.lo * f}) {
			t.Errorf("%v times %v snaps to %v, want %v times as much", x, f, z, s)
		}
	}
}
