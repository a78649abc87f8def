package estimate

import "math"

// kolmogorovP returns P(D >= d), nearly, for the two-sided Kolmogorov-Smirnov statistic D of n independent draws from the
// continuous distribution they are compared with: Kolmogorov's limit at z = sqrt(n) d, shifted for small samples by 1/(6 sqrt(n)) +
// (z-1)/(4n) [V]. Against the exact distribution the error is at most .008 from n = 5 on, .003 from 10, .0006 from 20 and .0003 from 50.
func kolmogorovP(n int, d float64) float64 {
	nf := float64(n)
	if nf*d <= 0.5 { // D is at least 1/(2n)
		return 1
	}
	if d >= 1 {
		return 0
	}
	z := math.Sqrt(nf) * d
	z += 1/(6*math.Sqrt(nf)) + (z-1)/(4*nf)
	if !(z > 0) {
		return 1
	}
	// Two forms of one theta series. Where they meet, ten terms of either leave less than 1e-100.
	var sum float64
	if z < 1 {
		for k := 1; k <= 10; k++ {
			a := float64(2*k-1) * math.Pi / z
			sum += math.Exp(-a * a / 8)
		}
		return max(0, 1-float64(math.Sqrt(2*math.Pi)/z*sum))
	}
	sign := 2.0
	for k := 1; k <= 10; k++ {
		a := float64(k) * z
		sum += float64(sign * math.Exp(-2*a*a))
		sign = -sign
	}
	return min(1, sum)
}
