package estimate_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/schedmath/schedmath/estimate"
)

// Printed critical values of the two-sided statistic (Miller, JASA 51, 1956), five decimals.
func TestKolmogorovTable(t *testing.T) {
	for _, c := range []struct {
		n        int
		alpha, d float64
	}{
		{1, 0.05, 0.97500}, {2, 0.05, 0.84189}, {3, 0.05, 0.70760}, {5, 0.05, 0.56328}, {10, 0.05, 0.40925}, {20, 0.05, 0.29408},
		{30, 0.05, 0.24170}, {50, 0.05, 0.18841}, {100, 0.05, 0.13403},
		{1, 0.01, 0.99500}, {5, 0.01, 0.66853}, {10, 0.01, 0.48893}, {20, 0.01, 0.35241}, {50, 0.01, 0.22604}, {100, 0.01, 0.16081},
		{10, 0.10, 0.36866}, {20, 0.10, 0.26473},
	} {
		// d is rounded to five decimals: alpha lies between the probabilities half a unit to either side.
		above, below := estimate.KolmogorovP(c.n, c.d-5e-6), estimate.KolmogorovP(c.n, c.d+5e-6)
		if !(below <= c.alpha && c.alpha <= above) {
			t.Errorf("P(D >= %v), n = %d: %v to %v, want %v between", c.d, c.n, below, above, c.alpha)
		}
	}
	// Printed values of the distribution function (Marsaglia, Tsang, Wang, Journal of Statistical Software 8, 2003).
	if got, want := 1-estimate.KolmogorovP(10, 0.274), 0.6284796154565; math.Abs(got-want) > 1e-13 {
		t.Errorf("P(D < 0.274), n = 10: %v, want %v", got, want)
	}
	// n = 2000 lies beyond the exact range: the documented accuracy is 1e-7.
	if got, want := 1-estimate.KolmogorovP(2000, 0.04), 0.99676943191713676985; math.Abs(got-want) > 1e-7 {
		t.Errorf("P(D < 0.04), n = 2000: %v, want %v", got, want)
	}
	if got, want := estimate.StayProbability(2000, 0.04), 0.99676943191713676985; math.Abs(got-want) > 2e-13 {
		t.Errorf("stayProbability(2000, 0.04) = %v, want %v", got, want)
	}
}

// durbinP is P(D >= d) by Durbin's matrix, an entry of the n-th power of H, in floating point of 300 bits: another formula and
// another arithmetic.
func durbinP(n int, d float64) float64 {
	const bits = 300
	num := func(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }
	c := num(float64(n))
	c.Mul(c, num(d)) // n*d without rounding
	whole, _ := c.Int64()
	k := int(whole) + 1
	h := num(float64(k))
	h.Sub(h, c)
	m := 2*k - 1
	power := make([]*big.Float, m+1) // h^i
	power[0] = num(1)
	for i := 1; i <= m; i++ {
		power[i] = new(big.Float).Mul(power[i-1], h)
	}
	factorial := make([]*big.Float, m+1)
	factorial[0] = num(1)
	for i := 1; i <= m; i++ {
		factorial[i] = new(big.Float).Mul(factorial[i-1], num(float64(i)))
	}
	at := func(i, j int) *big.Float {
		if i-j+1 < 0 {
			return num(0)
		}
		x := num(1)
		if j == 0 {
			x.Sub(x, power[i+1])
		}
		if i == m-1 {
			x.Sub(x, power[m-j])
		}
		if i == m-1 && j == 0 {
			twice := new(big.Float).Mul(num(2), h)
			if twice.Sub(twice, num(1)); twice.Sign() > 0 {
				last := num(1)
				for range m {
					last.Mul(last, twice)
				}
				x.Add(x, last)
			}
		}
		return x.Quo(x, factorial[i-j+1])
	}
	matrix := make([][]*big.Float, m)
	for i := range matrix {
		for j := range m {
			matrix[i] = append(matrix[i], at(i, j))
		}
	}
	// The row k-1 of H^n, by n products of a row and the matrix, times n!/n^n on the way.
	row := make([]*big.Float, m)
	for i := range row {
		row[i] = num(0)
	}
	row[k-1] = num(1)
	for step := 1; step <= n; step++ {
		next := make([]*big.Float, m)
		for j := range next {
			next[j] = num(0)
			for i := max(0, j-1); i < m; i++ {
				next[j].Add(next[j], new(big.Float).Mul(row[i], matrix[i][j]))
			}
			next[j].Mul(next[j], num(float64(step)))
			next[j].Quo(next[j], num(float64(n)))
		}
		row = next
	}
	p := num(1)
	p.Sub(p, row[k-1])
	f, _ := p.Float64()
	return f
}

func TestKolmogorovAgainstDurbin(t *testing.T) {
	// 2n steps of sums of positive terms, an error of 1e-15 each at most, relative to the probability of staying.
	const exactError = 1e-12
	for _, n := range []int{1, 2, 3, 4, 5, 7, 10, 16, 25, 40, 80, 150} {
		steps := 24
		if n > 40 {
			steps = 9
		}
		for i := range steps {
			d := (0.3 + 1.9*float64(i)/float64(steps)) / math.Sqrt(float64(n)) // n d^2 from 0.09 to 4.8
			if i%3 == 0 {
				d = math.Round(2*float64(n)*d) / (2 * float64(n)) // n*d a multiple of 1/2: the band's edges meet
			}
			if d > 1 {
				continue
			}
			want := durbinP(n, d)
			got := estimate.KolmogorovP(n, d)
			if math.Abs(got-want) > exactError {
				t.Errorf("kolmogorovP(%d, %v) = %v, want %v", n, d, got, want)
			}
			// The upper tail is right to many digits of itself, from n d^2 = 4 on by its bound exp(-8*4).
			if float64(n)*d*d >= 4 && math.Abs(got-want) > 3e-11*want {
				t.Errorf("kolmogorovP(%d, %v) = %v, want %v to 3e-11 of itself", n, d, got, want)
			}
		}
	}
}

func TestKolmogorovLarge(t *testing.T) {
	for _, n := range []int{1001, 4000} {
		for z := 0.3; z < 2; z += 0.07 {
			d := z / math.Sqrt(float64(n))
			want := 1 - estimate.StayProbability(n, d)
			got := estimate.KolmogorovLarge(float64(n), d)
			if math.Abs(got-want) > min(1e-7, 2e-6*want) { // the documented accuracy
				t.Errorf("kolmogorovLarge(%d, %v) = %v, want %v", n, d, got, want)
			}
			// What the expansion leaves out is of order 1/n^2; 0.065 is its largest coefficient here.
			if nf := float64(n); math.Abs(got-want) > 0.0655/(nf*nf) {
				t.Errorf("kolmogorovLarge(%d, %v) = %v, want %v to 0.0655/n^2", n, d, got, want)
			}
		}
	}
}

func TestKolmogorovShape(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 100, 999, 1000, 1001, 5000, 1 << 20} {
		last := 1.0
		points := 400
		if n > 5000 {
			points = 20
		}
		for i := range points {
			d := float64(i) / float64(points) * min(1, 30/math.Sqrt(float64(n)))
			p := estimate.KolmogorovP(n, d)
			// Monotone but for rounding, and for the accuracy where one form hands over to the next.
			if !(p >= 0 && p <= last+2e-7*last+1e-13) {
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
	// Closed forms: n = 1, and P(D < d) = n! (2d - 1/n)^n for 1/(2n) <= d <= 1/n.
	for d := 0.5; d <= 1; d += 1.0 / 64 {
		if got, want := estimate.KolmogorovP(1, d), 2*(1-d); math.Abs(got-want) > 4e-16 {
			t.Errorf("kolmogorovP(1, %v) = %v, want %v", d, got, want)
		}
	}
	for d := 0.1; d <= 0.2; d += 1.0 / 128 {
		if got, want := estimate.KolmogorovP(5, d), 1-120*math.Pow(2*d-0.2, 5); math.Abs(got-want) > 1e-14 {
			t.Errorf("kolmogorovP(5, %v) = %v, want %v", d, got, want)
		}
	}
}
