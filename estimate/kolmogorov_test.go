package estimate_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/schedmath/schedmath/estimate"
)

// documented is the accuracy that the documentation of KS promises.
func documented(n int) float64 {
	if n > 100 {
		return 0.0002
	}
	return 1e-10 // and relatively
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
		if p := estimate.KolmogorovP(c.n, c.d); math.Abs(p-c.alpha) > 1e-5 { // the values are rounded
			t.Errorf("P(D >= %v), n = %d: %v, want %v", c.d, c.n, p, c.alpha)
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

// steckP is P(D >= d) by Steck's determinant (Annals of Mathematical Statistics 42, 1971): the i-th
// of n ordered uniform draws is between u[i] and v[i] for all i with probability n! times the
// determinant of (v[i]-u[j])+^(j-i+1) / (j-i+1)!, which is 0 below the first subdiagonal and 1 on
// it. d has at most four decimals, so that all is whole in units of 1/(10^4 n).
func steckP(n int, d float64) float64 {
	unit := int64(1e4 * n)
	dist := int64(math.Round(d*1e4)) * int64(n)
	det := []*big.Int{big.NewInt(1)} // of the first j rows and columns, times j!
	for j := int64(1); j <= int64(n); j++ {
		low := max(0, j*1e4-dist) // u[j]
		sum := new(big.Int)
		for i := j; i >= 1; i-- {
			x := big.NewInt(max(0, min(unit, (i-1)*1e4+dist)-low))
			x.Exp(x, big.NewInt(j-i+1), nil)
			x.Mul(x, det[i-1])
			x.Mul(x, new(big.Int).Binomial(j, i-1))
			if (j-i)%2 == 1 {
				x.Neg(x)
			}
			sum.Add(sum, x)
		}
		det = append(det, sum)
	}
	whole := big.NewInt(unit)
	whole.Exp(whole, big.NewInt(int64(n)), nil)
	p, _ := new(big.Rat).SetFrac(new(big.Int).Sub(whole, det[n]), whole).Float64()
	return p
}

// Up to 100 draws P is exact, however small.
func TestKolmogorovAgainstSteck(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 6, 7, 8, 10, 16, 20, 25, 40, 60, 99, 100} {
		for i := range 24 {
			// n d^2 from 0.09 to 14, P from 1 to 1e-12
			d := (0.3 + 3.5*float64(i)/24) / math.Sqrt(float64(n))
			if i%3 == 0 {
				d = math.Round(2*float64(n)*d) / (2 * float64(n)) // n*d a multiple of 1/2
			}
			d = math.Round(1e4*d) / 1e4
			if d >= 1 || 2*float64(n)*d <= 1 {
				continue
			}
			got, want := estimate.KolmogorovP(n, d), steckP(n, d)
			if math.Abs(got-want) > documented(n)*want {
				t.Errorf("kolmogorovP(%d, %v) = %v, want %v to 1e-10 of it", n, d, got, want)
			}
		}
	}
	// Beyond 100 the limit is near.
	for _, n := range []int{101, 150, 250} {
		for i := range 12 {
			d := math.Round(1e4*(0.3+1.9*float64(i)/12)/math.Sqrt(float64(n))) / 1e4
			if got, want := estimate.KolmogorovP(n, d), steckP(n, d); math.Abs(got-want) > documented(n) {
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
