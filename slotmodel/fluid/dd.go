package fluid

import "math"

// dd is a double-double number, the unevaluated sum hi + lo with |lo| <= ulp(hi)/2: about 106
// significant bits. Clocks and virtual finish tags are kept in it, so that a job of 1e-9 seconds
// beside a clock of 1e5 seconds keeps all its digits and errors stay below what tells two tags
// apart. See T. J. Dekker, Numer. Math. 18 (1971), 224-242. This package shares no arithmetic and
// no heap with the packages that its results check.
type dd struct{ hi, lo float64 }

// far is later than every event.
var far = dd{hi: math.Inf(1)}

func twoSum(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

func quickTwoSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

func twoProd(a, b float64) dd {
	p := float64(a * b)
	return dd{p, math.FMA(a, b, -p)}
}

func (a dd) add(b dd) dd {
	s := twoSum(a.hi, b.hi)
	return quickTwoSum(s.hi, s.lo+(a.lo+b.lo))
}

func (a dd) sub(b dd) dd {
	s := twoSum(a.hi, -b.hi)
	return quickTwoSum(s.hi, s.lo+(a.lo-b.lo))
}

// plus adds a float64.
func (a dd) plus(b float64) dd {
	s := twoSum(a.hi, b)
	return quickTwoSum(s.hi, s.lo+a.lo)
}

// scale multiplies by a float64.
func (a dd) scale(b float64) dd {
	p := twoProd(a.hi, b)
	return quickTwoSum(p.hi, p.lo+float64(a.lo*b))
}

// over divides by a float64.
func (a dd) over(b float64) dd {
	q := a.hi / b
	r := math.FMA(-q, b, a.hi) + a.lo // the first term is exact
	return quickTwoSum(q, r/b)
}

func (a dd) mul(b dd) dd {
	p := twoProd(a.hi, b.hi)
	return quickTwoSum(p.hi, p.lo+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func (a dd) div(b dd) dd {
	if b.lo == 0 {
		return a.over(b.hi)
	}
	q := a.hi / b.hi
	r := a.sub(b.scale(q))
	return quickTwoSum(q, r.hi/b.hi)
}

// float rounds to float64.
func (a dd) float() float64 { return a.hi + a.lo }

func (a dd) less(b dd) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

// minus is a - b rounded to float64.
func (a dd) minus(b dd) float64 { return (a.hi - b.hi) + (a.lo - b.lo) }

// snap rounds to 80 significant bits. Quotients such as 1/3 leave errors around the hundredth
// bit, so that tags which are equal in exact arithmetic become equal here and the index breaks the
// tie as it should, while comparing snapped tags remains a total order. Rounding depends on the
// exponent of hi alone, hence commutes with scaling by powers of two.
func (a dd) snap() dd {
	const exponent = 0x7ff0000000000000
	c := float64(math.Float64frombits(math.Float64bits(a.hi)&exponent) * (1.5 * 0x1p-27))
	return quickTwoSum(a.hi, float64(a.lo+c)-c)
}

// tie is the relative difference, 80 bits again, below which two instants of an inexact clock are
// one.
const tie = 0x1p-80

// fine is the same for virtual time, which has no snapped keys in it and errs by a few units of
// 2^-105 per event.
const fine = 0x1p-92
