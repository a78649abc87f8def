package workload

import "math"

// math.Exp and math.Log differ in the last bit from one architecture to the next, and a compiler may fuse x*y + z where the
// machine can. The functions here are made of single IEEE operations in a fixed order (a conversion float64(x*y)
// forbids the fusion), so what is drawn with them is the same everywhere. Against the exact values they err by less than two units in
// the last place, which elementary_test.go measures.

// ln2 in two parts; the first has enough trailing zeros for k*ln2Hi to be exact for every exponent k of a float64.
const (
	ln2Hi = 0x1.62e42feep-1
	ln2Lo = math.Ln2 - ln2Hi
)

// exp is e^x for a finite or infinite x: x = k ln 2 + r with |r| <= ln 2 / 2, and Taylor's series to r^13 (the rest is
// below 2^-57 of the sum).
func exp(x float64) float64 {
	if x > 709.8 {
		return math.Inf(1)
	}
	if x < -745.2 {
		return 0
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	hi, lo := x-float64(k*ln2Hi), float64(k*ln2Lo)
	r := hi - lo
	const (
		c2, c3, c4, c5     = 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120
		c6, c7, c8, c9     = 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880
		c10, c11, c12, c13 = 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800
	)
	// Pairs of terms first: half as long a chain of dependent operations as Horner's rule.
	r2 := float64(r * r)
	r4 := float64(r2 * r2)
	q0 := c2 + float64(c3*r) + float64((c4+float64(c5*r))*r2)
	q1 := c6 + float64(c7*r) + float64((c8+float64(c9*r))*r2)
	q2 := c10 + float64(c11*r) + float64((c12+float64(c13*r))*r2)
	q := q0 + float64((q1+float64(q2*r4))*r4)
	y := 1 + (hi - (lo - float64(r2*q)))
	if -1022 <= k && k <= 1023 { // 2^k is a normal number: faster than Ldexp
		return y * math.Float64frombits(uint64(int64(k)+1023)<<52)
	}
	return math.Ldexp(y, int(k))
}

// log is the natural logarithm of a positive finite x: x = 2^k m with m in [sqrt(1/2), sqrt 2), and
// log m = 2 artanh((m-1)/(m+1)) by its series to the 23rd power (the rest is below 2^-60 of the sum).
func log(x float64) float64 {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	w := float64(z * z)
	a := 1.0/3 + float64(w*(1.0/7+float64(w*(1.0/11+float64(w*(1.0/15+float64(w*(1.0/19+float64(w*(1.0/23))))))))))
	b := 1.0/5 + float64(w*(1.0/9+float64(w*(1.0/13+float64(w*(1.0/17+float64(w*(1.0/21))))))))
	series := float64(z * (a + float64(z*b)))
	f := float64(k)
	return float64(f*ln2Hi) + (2*s + (float64(2*s*series) + float64(f*ln2Lo)))
}

// normalQuantile is the z with Phi(z) = (1+x)/2 for x in (-1, 1): algorithm AS 241, PPND16 (Wichura 1988), a ratio of two
// polynomials in each of three ranges, accurate to about 1e-16.
func normalQuantile(x float64) float64 {
	q := x / 2
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return q * ratio(&centre, r)
	}
	r := math.Sqrt(-log((1 - math.Abs(x)) / 2))
	z := 0.0
	if r <= 5 {
		z = ratio(&shoulder, r-1.6)
	} else {
		z = ratio(&tail, r-5)
	}
	return math.Copysign(z, x)
}

// Numerator and denominator of AS 241, constant term first.
var (
	centre = [2][8]float64{
		{3.3871328727963666080, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
			4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
		{1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
			2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3},
	}
	shoulder = [2][8]float64{
		{1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
			1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
		{1, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1,
			1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9},
	}
	tail = [2][8]float64{
		{6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 2.96560571828504891230e-1,
			2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
		{1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
			7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15},
	}
)

func ratio(c *[2][8]float64, r float64) float64 {
	n, d := c[0][7], c[1][7]
	for i := 6; i >= 0; i-- {
		n = float64(n*r) + c[0][i]
		d = float64(d*r) + c[1][i]
	}
	return n / d
}

// expm1 is e^x - 1 for x <= 0, accurate near 0 too.
func expm1(x float64) float64 {
	if x < -0.5 {
		return exp(x) - 1
	}
	// x + x^2/2! + ... to x^17; the rest is below 2^-64 of the sum.
	term, sum := x, x
	for k := 2.0; k <= 17; k++ {
		term = float64(term*x) / k
		sum += term
	}
	return sum
}

// log1m is log(1-x) for x in [0, 1), accurate near 0 too.
func log1m(x float64) float64 {
	rest := 1 - x
	if rest == 1 {
		return -x
	}
	// The rounding of 1-x is undone by the ratio of x to what was taken away (Kahan).
	return log(rest) * (x / (1 - rest))
}
