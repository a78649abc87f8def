package workload_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/slotmodel/workload"
)

func errorStream() *counted {
	return &counted{src: workload.Stream(1, workload.Errors, 0)}
}

// counted counts what is drawn from a source.
type counted struct {
	src rand.Source
	n   int
}

func (c *counted) Uint64() uint64 {
	c.n++
	return c.src.Uint64()
}

func TestEstimates(t *testing.T) {
	sizes := []float64{1, 0, 5e-324, 1e-9, 3301.5, math.MaxFloat64}
	src := errorStream()
	got, err := workload.Estimates([]float64{-1}, sizes, 0, 0, src)
	if want := append([]float64{-1}, sizes...); err != nil || !slices.Equal(got, want) {
		t.Errorf("Estimates([-1], sizes, 0, 0) = %v, %v, want %v", got, err, want)
	}
	if src.n != len(sizes) {
		t.Errorf("Estimates with sigma 0 draws %d numbers, want %d", src.n, len(sizes))
	}
	got, err = workload.Estimates(nil, []float64{1, 2, 0}, math.Log(4), 0, errorStream())
	for i, want := range []float64{4, 8, 0} {
		// mu is rounded, which e^mu magnifies by mu.
		if err != nil || math.Abs(got[i]-want) > 4e-16*want {
			t.Errorf("Estimates(nil, [1 2 0], log 4, 0) = %v, %v, want [4 8 0]", got, err)
			break
		}
	}
	buf, one := make([]float64, 0, len(sizes)), errorStream()
	if n := testing.AllocsPerRun(100, func() { workload.Estimates(buf, sizes, 0, 1, one) }); n != 0 {
		t.Errorf("Estimates with capacity allocates %v times, want 0", n)
	}
}

// The log of estimate over size is normal with the asked mean and deviation, and Z is the job's
// own: the same for every sigma, mu and size.
func TestEstimatesAreLogNormal(t *testing.T) {
	const n = 100_000
	ones := slices.Repeat([]float64{1}, n)
	for _, p := range []struct{ mu, sigma float64 }{{0, 0.125}, {0, 1}, {0.0976, 0.411}, {-3, 2}} {
		est, err := workload.Estimates(nil, ones, p.mu, p.sigma, errorStream())
		if err != nil {
			t.Fatal(err)
		}
		checkKS(t, "Estimates", est, distuv.LogNormal{Mu: p.mu, Sigma: p.sigma}.CDF)
		logs := make([]float64, n)
		for i, x := range est {
			logs[i] = math.Log(x)
		}
		mean, std := stat.MeanStdDev(logs, nil)
		// 5 standard errors of the mean and of the deviation of n normal values.
		if d := 5 * p.sigma / math.Sqrt(n); math.Abs(mean-p.mu) > d || math.Abs(std-p.sigma) > d {
			t.Errorf("log of Estimates(mu %v, sigma %v) has mean %v and deviation %v", p.mu, p.sigma, mean, std)
		}
		if c := stat.Correlation(logs[1:], logs[:n-1], nil); math.Abs(c) > 5/math.Sqrt(n) {
			t.Errorf("successive errors correlate by %v, want 0 within %v", c, 5/math.Sqrt(n))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		mu, sigma := rapid.Float64Range(-5, 5).Draw(t, "mu"), rapid.Float64Range(0, 5).Draw(t, "sigma")
		sizes := rapid.SliceOfN(rapid.Float64Range(1e-9, 1e9), 1, 20).Draw(t, "sizes")
		z, _ := workload.Estimates(nil, ones[:len(sizes)], 0, 1, errorStream())
		got, err := workload.Estimates(nil, sizes, mu, sigma, errorStream())
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range got {
			// Logs and exponentials of numbers up to e^40 err by 40 units of rounding at most.
			if want := sizes[i] * math.Exp(mu+sigma*math.Log(z[i])); math.Abs(x-want) > 100*0x1p-52*want {
				t.Fatalf("Estimates(%v, mu %v, sigma %v)[%d] = %v, want %v", sizes, mu, sigma, i, x, want)
			}
		}
	})
}

// Extreme arguments give finite estimates.
func TestEstimatesStayFinite(t *testing.T) {
	sizes := []float64{0, 5e-324, 1e-300, 1, 1e300, math.MaxFloat64}
	for _, mu := range []float64{-math.MaxFloat64, -1e5, -700, 0, 700, 1e5, math.MaxFloat64} {
		for _, sigma := range []float64{0, 1, 100, math.MaxFloat64} {
			got, err := workload.Estimates(nil, sizes, mu, sigma, errorStream())
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range got {
				if !(x >= 0 && x <= math.MaxFloat64) || sizes[i] == 0 && x != 0 {
					t.Errorf("Estimates(%v, mu %v, sigma %v) = %v", sizes[i], mu, sigma, x)
				}
			}
		}
	}
	// e^720 is no float64, the estimate is one.
	got, _ := workload.Estimates(nil, []float64{1e-300}, 720, 0, errorStream())
	if want := math.Exp(720 - 300*math.Ln10); math.Abs(got[0]-want) > 1e-12*want {
		t.Errorf("Estimates(1e-300, mu 720) = %v, want %v", got[0], want)
	}
}
