package estimate_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/estimate"
)

// documented is the accuracy that the documentation of KS promises.
func documented(n int) float64 {
	switch {
	case n >= 50:
		return 0.0003
	case n >= 20:
		return 0.0006
	case n >= 10:
		return 0.003
	}
	return 0.008
}

// Printed critical values of the two-sided statistic (Miller, JASA 51, 1956), five decimals.
func TestKolmogorovTable(t *testing.T) {
	for _, c := range []struct {
		n        int
		alpha, d float64
	}{
		{5, 0.05, 0.56328}, {10, 0.05, 0.40925}, {20, 0.05, 0.29408}, {30, 0.05, 0.24170}, {50, 0.05, 0.18841}, {100, 0.05, 0.13403},
		{5, 0.01, 0.66853}, {10, 0.01, 0.48893}, {20, 0.01, 0.35241}, {50, 0.01, 0.22604}, {100, 0.01, 0.16081},
		{10, 0.10, 0.36866}, {20, 0.10, 0.26473},
	} {
		if p := estimate.KolmogorovP(c.n, c.d); math.Abs(p-c.alpha) > documented(c.n) {
			t.Errorf("P(D >= %v), n = %d: %v, want %v within %v", c.d, c.n, p, c.alpha, documented(c.n))
		}
	}
	// Printed values of the distribution function (Marsaglia, Tsang, Wang, Journal of Statistical
	// Software 8, 2003).
	if got, want := 1-estimate.KolmogorovP(10, 0.274), 0.6284796154565; math.Abs(got-want) > documented(10) {
		t.Errorf("P(D < 0.274), n = 10: %v, want %v", got, want)
	}
	if got, want := 1-estimate.KolmogorovP(2000, 0.04), 0.99676943191713676985; math.Abs(got-want) > 1e-4 {
		t.Errorf("P(D < 0.04), n = 2000: %v, want %v", got, want)
	}
}

// durbinP is P(D >= d) by Durbin's matrix H, an entry of its n-th power: another formula. Its errors
// are below 1e-9 for n up to 80.
func durbinP(n int, d float64) float64 {
	k := int(float64(n)*d) + 1
	h := float64(k) - float64(n)*d
	m := 2*k - 1
	factorial := []float64{1}
	for i := 1; i <= m; i++ {
		factorial = append(factorial, factorial[i-1]*float64(i))
	}
	at := func(i, j int) float64 {
		if i-j+1 < 0 {
			return 0
		}
		x := 1.0
		if j == 0 {
			x -= math.Pow(h, float64(i+1))
		}
		if i == m-1 {
			x -= math.Pow(h, float64(m-j))
		}
		if i == m-1 && j == 0 {
			x += math.Pow(max(0, 2*h-1), float64(m))
		}
		return x / factorial[i-j+1]
	}
	// The row k-1 of H^n, by n products of a row and the matrix, times n!/n^n on the way.
	row := make([]float64, m)
	row[k-1] = 1
	for step := 1; step <= n; step++ {
		next := make([]float64, m)
		for j := range next {
			for i := max(0, j-1); i < m; i++ {
				next[j] += row[i] * at(i, j)
			}
			next[j] *= float64(step) / float64(n)
		}
		row = next
	}
	return 1 - row[k-1]
}

func TestKolmogorovAgainstDurbin(t *testing.T) {
	for _, n := range []int{5, 6, 7, 8, 10, 16, 20, 25, 40, 50, 80} {
		steps := 12
		if n > 40 {
			steps = 9
		}
		for i := range steps {
			// n d^2 from 0.09 to 4.8
			d := (0.3 + 1.9*float64(i)/float64(steps)) / math.Sqrt(float64(n))
			if i%3 == 0 {
				d = math.Round(2*float64(n)*d) / (2 * float64(n)) // n*d a multiple of 1/2
			}
			if d > 1 {
				continue
			}
			if got, want := estimate.KolmogorovP(n, d), durbinP(n, d); math.Abs(got-want) > documented(n) {
				t.Errorf("kolmogorovP(%d, %v) = %v, want %v within %v", n, d, got, want, documented(n))
			}
		}
	}
}

func TestKolmogorovShape(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 100, 1000, 5000, 1 << 20} {
		last := 1.0
		for i := range 400 {
			d := float64(i) / 400 * min(1, 30/math.Sqrt(float64(n)))
			p := estimate.KolmogorovP(n, d)
			if !(p >= 0 && p <= last+1e-15) { // monotone but for rounding
				t.Fatalf("kolmogorovP(%d, %v) = %v after %v, want a value no greater", n, d, p, last)
			}
			last = p
		}
		for _, d := range []float64{0, 0.5 / float64(n), -1} {
			if p := estimate.KolmogorovP(n, d); p != 1 {
				t.Errorf("kolmogorovP(%d, %v) = %v, want 1", n, d, p)
			}
		}
		if p := estimate.KolmogorovP(n, 1); p != 0 {
			t.Errorf("kolmogorovP(%d, 1) = %v, want 0", n, p)
		}
	}
	// A closed form: P(D < d) = n! (2d - 1/n)^n for 1/(2n) <= d <= 1/n.
	for d := 0.1; d <= 0.2; d += 1.0 / 128 {
		if got, want := estimate.KolmogorovP(5, d), 1-120*math.Pow(2*d-0.2, 5); math.Abs(got-want) > documented(5) {
			t.Errorf("kolmogorovP(5, %v) = %v, want %v", d, got, want)
		}
	}
}
