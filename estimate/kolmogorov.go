package estimate

import "math"

// exactLimit is the largest sample for which kolmogorovP is exact also in the body of the distribution, about 3 ms of
// work there. Beyond it the expansion of kolmogorovLarge is within 1e-7, and within 2e-6 of the p-value itself.
const exactLimit = 1000

// kolmogorovP returns P(D >= d) for the two-sided Kolmogorov-Smirnov statistic D of n independent draws from the
// continuous distribution they are compared with.
//
// It follows the plan of [SL]: the trivial ends; the upper tail from the one-sided distribution; the body exactly, for
// n <= exactLimit, and by an asymptotic expansion beyond.
func kolmogorovP(n int, d float64) float64 {
	nf := float64(n)
	switch x := nf * d * d; {
	case nf*d <= 0.5: // D is at least 1/(2n)
		return 1
	case d >= 1 || x > 373: // P <= 2 exp(-2 n d^2), below the least float64
		return 0
	case d >= 0.5 || x >= 4:
		// Both one-sided statistics reach d with probability 0 for d > 1/2, and at most about exp(-8 n d^2) otherwise,
		// 1e-11 of the result at x = 4.
		return min(1, 2*smirnovP(n, d))
	case n <= exactLimit:
		return max(0, 1-stayProbability(n, d))
	default:
		return kolmogorovLarge(nf, d)
	}
}

// smirnovP returns P(D+ >= d) for the one-sided statistic of n draws, by the sum of Birnbaum and Tingey:
// d * sum over j < n(1-d) of C(n,j) (1-d-j/n)^(n-j) (d+j/n)^(j-1). All terms are positive.
func smirnovP(n int, d float64) float64 {
	nf := float64(n)
	logFactorial, _ := math.Lgamma(nf + 1)
	var sum float64
	for j := 0; j < n; j++ {
		jf := float64(j)
		below, above := d+jf/nf, 1-d-jf/nf
		if !(above > 0) {
			break
		}
		a, _ := math.Lgamma(jf + 1)
		b, _ := math.Lgamma(nf - jf + 1)
		sum += math.Exp(logFactorial - a - b + float64((nf-jf)*math.Log(above)) + float64((jf-1)*math.Log(below)))
	}
	return d * sum
}

// stayProbability returns P(D < d) for 1/2 < n*d.
//
// Of a Poisson process N of rate 1 on [0, n], given N(n) = n, the event is s - c < N(s) < s + c for all s, c = n*d. The
// band's edges pass an integer at the times j + h and j + 1 - h, with h = ceil(c) - c; between two such times the
// admissible counts do not change, so it is enough to look at these: convolve with the Poisson distribution of the step,
// then drop the counts outside. This is Pomeranz's recursion with Poisson weights. All terms are positive, and the
// Poisson tail is cut at 2^-80, so the error is rounding of 2n steps: O(n * n*d) in time.
func stayProbability(n int, d float64) float64 {
	c := float64(n) * d
	k := int(math.Ceil(c))
	h := float64(k) - c
	upFirst := h <= 0.5
	edge := min(h, 1-h)
	short, long := poisson(2*edge), poisson(1-2*edge)

	weight := make([]float64, n+1) // weight[i] = P(in the band until now, N = i); counts above n never end at n
	weight[0] = 1
	lo, hi := 0, min(n, k-1) // the admissible counts
	step := poisson(edge)    // the first and the last step are half of a short one
	for j := range n {
		convolve(weight, lo, hi, step)
		if upFirst { // time j + h: the upper edge has reached j + k
			hi = min(n, j+k)
		} else { // time j + 1 - h: the lower edge has reached j + 1 - k
			lo = max(lo, j+2-k)
		}
		convolve(weight, lo, hi, long)
		if upFirst {
			lo = max(lo, j+2-k)
		} else {
			hi = min(n, j+k)
		}
		step = short
	}
	convolve(weight, lo, hi, poisson(edge))

	return weight[n] / poissonMode(n)
}

// poissonMode returns n^n e^-n / n!, the probability that a Poisson variable of mean n > 0 equals n. Logarithms of factorials
// would lose a digit for each digit of n.
func poissonMode(n int) float64 {
	nf := float64(n)
	if n >= 32 { // Stirling's series; the next term is below 1e-16
		n2 := nf * nf
		return math.Exp((-1.0/12+(1.0/360-(1.0/1260-1.0/(1680*n2))/n2)/n2)/nf) / math.Sqrt(2*math.Pi*nf)
	}
	p := 1.0
	for i := 1; i <= n; i++ {
		p *= nf / float64(i) / math.E
	}
	return p
}

// poisson returns the probabilities of 0, 1, 2, ... events of a Poisson distribution, mean <= 1, up to 2^-80.
func poisson(mean float64) []float64 {
	p := []float64{math.Exp(-mean)}
	for i := 1; ; i++ {
		next := p[i-1] * mean / float64(i)
		if next < 0x1p-80 {
			return p
		}
		p = append(p, next)
	}
}

// convolve replaces w[lo..hi] by its convolution with p, in place from above, counts outside [lo, hi] being lost.
func convolve(w []float64, lo, hi int, p []float64) {
	if len(p) == 1 {
		return // a step of length 0, or as good as that
	}
	for i := hi; i >= lo; i-- {
		var sum float64
		for j := min(i-lo, len(p)-1); j >= 0; j-- {
			sum += float64(w[i-j] * p[j])
		}
		w[i] = sum
	}
}

// kolmogorovLarge returns P(D >= d) for n > exactLimit and n d^2 < 4 by the expansion of Pelz and Good, as [SL] print it:
// Kolmogorov's limit and the terms in n^(-1/2), n^(-1) and n^(-3/2), each a theta series in z = sqrt(n) d. The error falls
// as n^(-2).
func kolmogorovLarge(n, d float64) float64 {
	z := math.Sqrt(n) * d
	z2 := z * z
	z4 := z2 * z2
	z6 := z4 * z2
	var s0, s1, s2, s3, s2whole, s3whole float64
	// exp(-pi^2 (10-1/2)^2 / 8) < 1e-48 for z < 2.
	for k := 1; k < 10; k++ {
		a := math.Pi * (float64(k) - 0.5)
		a2 := a * a
		a4 := a2 * a2
		e := math.Exp(-a2 / (2 * z2))
		s0 += e
		s1 += float64(e * (a2 - z2))
		s2 += float64(e * (float64(6*z6) + float64(2*z4) + float64(a2*(float64(2*z4)-float64(5*z2))) + float64(a4*(1-float64(2*z2)))))
		s3 += float64(e * (float64(a4*a2*(5-float64(30*z2))) + float64(a4*(float64(212*z4)-float64(60*z2))) +
			float64(a2*(float64(135*z4)-float64(96*z6))) - float64(30*z6) - float64(90*z4*z4)))

		b2 := float64(k*k) * (math.Pi * math.Pi)
		e = math.Exp(-b2 / (2 * z2))
		s2whole += float64(e * b2)
		s3whole += float64(e * b2 * (float64(3*z2) - b2))
	}
	root := math.Sqrt(n)
	cdf := s0/z + s1/(6*z4*root) + (s2/(72*z6*z)-s2whole/(36*z2*z))/n + (s3/(6480*z6*z4)+s3whole/(216*z6))/(n*root)
	// Each series runs over both signs of k: twice sqrt(pi/2).
	return min(1, max(0, 1-float64(cdf*math.Sqrt(2*math.Pi))))
}
