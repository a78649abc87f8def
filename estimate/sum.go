package estimate

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
)

// scaledSum is the sum of non-negative terms as sum * 2^exp, with sum a double-double. The scale follows the largest term:
// no sum of finite terms overflows, no term that matters underflows, and multiplying all terms by a power of two changes
// exp alone. The zero value is 0.
type scaledSum struct {
	sum dd.T
	exp int
}

// add adds x, finite and >= 0.
func (s *scaledSum) add(x float64) {
	m, e := math.Frexp(x)
	s.addScaled(m, e)
}

// addProduct adds x*y, both finite and >= 0, with the rounding error of the product.
func (s *scaledSum) addProduct(x, y float64) {
	mx, ex := math.Frexp(x)
	my, ey := math.Frexp(y)
	p := mx * my
	s.addScaled(p, ex+ey)
	s.addScaled(math.FMA(mx, my, -p), ex+ey)
}

// addScaled adds m * 2^e, |m| < 1.
func (s *scaledSum) addScaled(m float64, e int) {
	if m == 0 {
		return
	}
	if s.sum.Hi == 0 {
		s.exp = e
	} else if e > s.exp {
		s.sum = dd.T{Hi: math.Ldexp(s.sum.Hi, s.exp-e), Lo: math.Ldexp(s.sum.Lo, s.exp-e)}
		s.exp = e
	}
	s.sum = s.sum.AddFloat(math.Ldexp(m, e-s.exp))
}

// quotientTimes returns num/den*factor with one rounding but for a few units of 2^-100, or +Inf where it overflows.
// den is > 0.
func quotientTimes(num, den scaledSum, factor float64) float64 {
	if num.sum.Hi == 0 || factor == 0 {
		return 0
	}
	n, d := num.sum, den.sum
	q := n.Hi / d.Hi
	rest := math.FMA(-q, d.Hi, n.Hi) + (n.Lo - float64(q*d.Lo))
	ratio := dd.Of(q).AddFloat(rest / d.Hi)
	return math.Ldexp(ratio.Mul(factor).Float(), num.exp-den.exp)
}
