package workload_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// checkKS fails when the Kolmogorov-Smirnov distance of xs to the distribution is one that chance
// exceeds once in 10^6 samples (the asymptotic tail 2 exp(-2 n d^2)). Seeds are fixed, so a test
// passes always or never.
func checkKS(t testing.TB, call string, xs []float64, cdf func(float64) float64) {
	t.Helper()
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	n := float64(len(xs))
	d := 0.0
	for i, x := range sorted {
		p := cdf(x)
		d = max(d, p-float64(i)/n, float64(i+1)/n-p)
	}
	if limit := math.Sqrt(math.Log(2/1e-6) / (2 * n)); !(d <= limit) {
		t.Errorf("%s: Kolmogorov-Smirnov distance %v over %v values, want at most %v", call, d, n, limit)
	}
}

type generator struct {
	name string
	draw func(dst []float64, n int, src rand.Source) ([]float64, error)
	cdf  func(float64) float64
}

func generators() []generator {
	exponential := func(mean float64) generator {
		return generator{fmt.Sprintf("Exponential(mean %v)", mean), func(dst []float64, n int, src rand.Source) ([]float64, error) {
			return workload.Exponential(dst, n, mean, src)
		}, distuv.Exponential{Rate: 1 / mean}.CDF}
	}
	weibull := func(shape, scale float64) generator {
		return generator{fmt.Sprintf("Weibull(%v, %v)", shape, scale), func(dst []float64, n int, src rand.Source) ([]float64, error) {
			return workload.Weibull(dst, n, shape, scale, src)
		}, distuv.Weibull{K: shape, Lambda: scale}.CDF}
	}
	pareto := func(alpha, low float64) generator {
		return generator{fmt.Sprintf("Pareto(%v, %v)", alpha, low), func(dst []float64, n int, src rand.Source) ([]float64, error) {
			return workload.Pareto(dst, n, alpha, low, src)
		}, distuv.Pareto{Xm: low, Alpha: alpha}.CDF}
	}
	bounded := func(alpha, low, high float64) generator {
		whole := distuv.Pareto{Xm: low, Alpha: alpha}
		return generator{fmt.Sprintf("BoundedPareto(%v, %v, %v)", alpha, low, high), func(dst []float64, n int, src rand.Source) ([]float64, error) {
			return workload.BoundedPareto(dst, n, alpha, low, high, src)
		}, func(x float64) float64 { return whole.CDF(x) / whole.CDF(high) }}
	}
	logNormal := func(mu, sigma float64) generator {
		return generator{fmt.Sprintf("LogNormal(%v, %v)", mu, sigma), func(dst []float64, n int, src rand.Source) ([]float64, error) {
			return workload.LogNormal(dst, n, mu, sigma, src)
		}, distuv.LogNormal{Mu: mu, Sigma: sigma}.CDF}
	}
	return []generator{
		exponential(1), exponential(1e-9), exponential(250),
		weibull(0.25, 1), weibull(0.125, 1), weibull(1, 3), weibull(4, 1e6), weibull(0.7, 1e-9),
		pareto(1, 1), pareto(0.5, 1e-6), pareto(2.5, 1e9),
		bounded(1.1, 1, 1e10), bounded(0.3, 0.01, 5), bounded(1, 2, 2.0001), bounded(3, 1e-3, 1e6),
		logNormal(0, 0.125), logNormal(3, 2),
	}
}

func TestDraws(t *testing.T) {
	const n = 50_000
	for k, g := range generators() {
		src := &counted{src: workload.Stream(5, workload.JobSizes, uint64(k))}
		xs, err := g.draw([]float64{-1}, n, src)
		if err != nil || len(xs) != n+1 || xs[0] != -1 {
			t.Fatalf("%s: %d values, error %v, want -1 and %d values", g.name, len(xs), err, n)
		}
		if src.n != n {
			t.Errorf("%s takes %d numbers for %d values", g.name, src.n, n)
		}
		xs = xs[1:]
		checkKS(t, g.name, xs, g.cdf)
		for i := range 10 { // values far apart in a sample must have nothing to do with their places
			checkKS(t, fmt.Sprintf("%s, part %d", g.name, i), xs[i*n/10:(i+1)*n/10], g.cdf)
		}
		again, _ := g.draw(nil, n, workload.Stream(5, workload.JobSizes, uint64(k)))
		if !slices.Equal(xs, again) {
			t.Errorf("%s: the same source gives other values", g.name)
		}
		buf, one := make([]float64, 0, 100), errorStream()
		if a := testing.AllocsPerRun(20, func() { g.draw(buf, 100, one) }); a != 0 {
			t.Errorf("%s with capacity allocates %v times, want 0", g.name, a)
		}
	}
}

// constant is a source of one number.
type constant uint64

func (c constant) Uint64() uint64 { return uint64(c) }

// The extreme values of every generator are finite, and rising random numbers give rising values.
func TestDrawsAtTheEnds(t *testing.T) {
	for _, g := range generators() {
		last := -1.0
		for _, u := range []uint64{0, 1 << 11, 1 << 40, 1 << 62, 1 << 63, math.MaxUint64 - 1<<20, math.MaxUint64} {
			xs, err := g.draw(nil, 1, constant(u))
			if err != nil || !(xs[0] >= last && xs[0] <= math.MaxFloat64) {
				t.Errorf("%s at %#x = %v, error %v, want at least %v", g.name, u, xs, err, last)
				continue
			}
			last = xs[0]
		}
	}
	for _, u := range []uint64{0, math.MaxUint64} {
		for _, c := range []struct{ alpha, low, high float64 }{
			{1e-9, 1, 2}, {1e-300, 1e-300, 1e300}, {1e300, 1, 2}, {2, 3, 3}, {5, 5e-324, math.MaxFloat64}, {0.01, 5e-324, math.MaxFloat64},
		} {
			xs, err := workload.BoundedPareto(nil, 1, c.alpha, c.low, c.high, constant(u))
			if err != nil || !(c.low <= xs[0] && xs[0] <= c.high) {
				t.Errorf("BoundedPareto(%v, %v, %v) at %#x = %v, error %v", c.alpha, c.low, c.high, u, xs, err)
			}
		}
	}
	// alpha near 0 is the log-uniform distribution: the median is the geometric mean.
	xs, err := workload.BoundedPareto(nil, 1, 1e-12, 1e-6, 1e6, constant(1<<63))
	if err != nil || math.Abs(xs[0]-1) > 1e-9 {
		t.Errorf("median of BoundedPareto(1e-12, 1e-6, 1e6) = %v, error %v, want 1", xs, err)
	}
}

func TestDrawErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	src := errorStream()
	dst := []float64{7}
	for _, c := range []struct {
		fn, arg string
		call    func() ([]float64, error)
	}{
		{"Poisson", "n", func() ([]float64, error) { return workload.Poisson(dst, -1, 1, src) }},
		{"Poisson", "rate", func() ([]float64, error) { return workload.Poisson(dst, 1, 0, src) }},
		{"Poisson", "rate", func() ([]float64, error) { return workload.Poisson(dst, 1, nan, src) }},
		{"Poisson", "rate", func() ([]float64, error) { return workload.Poisson(dst, 1, 1e-300, src) }},
		{"Poisson", "src", func() ([]float64, error) { return workload.Poisson(dst, 1, 1, nil) }},
		{"Exponential", "n", func() ([]float64, error) { return workload.Exponential(dst, 1<<27+1, 1, src) }},
		{"Exponential", "mean", func() ([]float64, error) { return workload.Exponential(dst, 1, -1, src) }},
		{"Exponential", "mean", func() ([]float64, error) { return workload.Exponential(dst, 1, 1e308, src) }},
		{"Exponential", "src", func() ([]float64, error) { return workload.Exponential(dst, 1, 1, nil) }},
		{"Weibull", "n", func() ([]float64, error) { return workload.Weibull(dst, math.MinInt, 1, 1, src) }},
		{"Weibull", "shape", func() ([]float64, error) { return workload.Weibull(dst, 1, 0, 1, src) }},
		{"Weibull", "shape", func() ([]float64, error) { return workload.Weibull(dst, 1, 0.001, 1, src) }},
		{"Weibull", "scale", func() ([]float64, error) { return workload.Weibull(dst, 1, 1, inf, src) }},
		{"Weibull", "src", func() ([]float64, error) { return workload.Weibull(dst, 1, 1, 1, nil) }},
		{"Pareto", "n", func() ([]float64, error) { return workload.Pareto(dst, math.MaxInt, 1, 1, src) }},
		{"Pareto", "alpha", func() ([]float64, error) { return workload.Pareto(dst, 1, nan, 1, src) }},
		{"Pareto", "alpha", func() ([]float64, error) { return workload.Pareto(dst, 1, 0.05, 1, src) }},
		{"Pareto", "low", func() ([]float64, error) { return workload.Pareto(dst, 1, 1, -1, src) }},
		{"Pareto", "src", func() ([]float64, error) { return workload.Pareto(dst, 1, 1, 1, nil) }},
		{"BoundedPareto", "n", func() ([]float64, error) { return workload.BoundedPareto(dst, -5, 1, 1, 2, src) }},
		{"BoundedPareto", "alpha", func() ([]float64, error) { return workload.BoundedPareto(dst, 1, inf, 1, 2, src) }},
		{"BoundedPareto", "low", func() ([]float64, error) { return workload.BoundedPareto(dst, 1, 1, 0, 2, src) }},
		{"BoundedPareto", "high", func() ([]float64, error) { return workload.BoundedPareto(dst, 1, 1, 1, nan, src) }},
		{"BoundedPareto", "high", func() ([]float64, error) { return workload.BoundedPareto(dst, 1, 1, 2, 1, src) }},
		{"BoundedPareto", "src", func() ([]float64, error) { return workload.BoundedPareto(dst, 1, 1, 1, 2, nil) }},
		{"LogNormal", "n", func() ([]float64, error) { return workload.LogNormal(dst, -1, 0, 1, src) }},
		{"LogNormal", "mu", func() ([]float64, error) { return workload.LogNormal(dst, 1, inf, 1, src) }},
		{"LogNormal", "sigma", func() ([]float64, error) { return workload.LogNormal(dst, 1, 0, -1, src) }},
		{"LogNormal", "sigma", func() ([]float64, error) { return workload.LogNormal(dst, 1, 0, 100, src) }},
		{"LogNormal", "src", func() ([]float64, error) { return workload.LogNormal(dst, 1, 0, 1, nil) }},
		{"ZipfProbabilities", "n", func() ([]float64, error) { return workload.ZipfProbabilities(dst, 0, 1) }},
		{"ZipfProbabilities", "n", func() ([]float64, error) { return workload.ZipfProbabilities(dst, math.MaxInt, 1) }},
		{"ZipfProbabilities", "alpha", func() ([]float64, error) { return workload.ZipfProbabilities(dst, 1, -1) }},
		{"ZipfProbabilities", "alpha", func() ([]float64, error) { return workload.ZipfProbabilities(dst, 1, nan) }},
		{"Stretch", "load", func() ([]float64, error) { return workload.Stretch(dst, nil, nil, 0) }},
		{"Stretch", "load", func() ([]float64, error) { return workload.Stretch(dst, []float64{1}, []float64{1e300}, 1e-300) }},
		{"Stretch", "load", func() ([]float64, error) { return workload.Stretch(dst, []float64{1}, []float64{1e-300}, 1e300) }},
		{"Stretch", "sizes", func() ([]float64, error) { return workload.Stretch(dst, []float64{1}, nil, 1) }},
		{"Stretch", "sizes", func() ([]float64, error) { return workload.Stretch(dst, []float64{1}, []float64{0}, 1) }},
		{"Stretch", "sizes", func() ([]float64, error) { return workload.Stretch(dst, []float64{1}, []float64{nan}, 1) }},
		{"Stretch", "arrivals", func() ([]float64, error) { return workload.Stretch(dst, []float64{0}, []float64{1}, 1) }},
		{"Stretch", "arrivals", func() ([]float64, error) { return workload.Stretch(dst, []float64{2, 1}, []float64{1, 1}, 1) }},
		{"Stretch", "arrivals", func() ([]float64, error) { return workload.Stretch(dst, []float64{-1}, []float64{1}, 1) }},
	} {
		got, err := c.call()
		var ie *schedmath.InputError
		if !errors.As(err, &ie) || ie.Func != "workload."+c.fn || ie.Arg != c.arg || !slices.Equal(got, dst) {
			t.Errorf("%s with a bad %s = %v, error %v, want %v and an InputError about it", c.fn, c.arg, got, err, dst)
		}
	}
	if src.n != 0 {
		t.Errorf("%d numbers drawn by calls that fail, want 0", src.n)
	}
	for _, c := range []struct{ shape, mean float64 }{{0, 1}, {nan, 1}, {1, 0}, {1, inf}, {0.001, 1}} {
		if got, err := workload.WeibullScale(c.shape, c.mean); !errors.Is(err, schedmath.ErrInput) || got != 0 {
			t.Errorf("WeibullScale(%v, %v) = %v, error %v, want 0 and ErrInput", c.shape, c.mean, got, err)
		}
	}
	if _, err := workload.NewZipf(0, 1); !errors.Is(err, schedmath.ErrInput) {
		t.Errorf("NewZipf(0, 1) = error %v, want ErrInput", err)
	}
	if _, err := workload.NewZipf(3, nan); !errors.Is(err, schedmath.ErrInput) {
		t.Errorf("NewZipf(3, NaN) = error %v, want ErrInput", err)
	}
	z, _ := workload.NewZipf(3, 1)
	for name, call := range map[string]func() ([]int, error){
		"nil Zipf":   func() ([]int, error) { return (*workload.Zipf)(nil).Draw(nil, 1, src) },
		"zero Zipf":  func() ([]int, error) { return new(workload.Zipf).Draw(nil, 1, src) },
		"nil source": func() ([]int, error) { return z.Draw(nil, 1, nil) },
		"n = -1":     func() ([]int, error) { return z.Draw(nil, -1, src) },
	} {
		if _, err := call(); !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("Draw with %s = error %v, want ErrInput", name, err)
		}
	}
}

func TestWeibullScale(t *testing.T) {
	for _, c := range []struct{ shape, mean, want float64 }{
		{1, 3, 3}, {0.5, 1, 0.5}, {0.25, 1, 1.0 / 24}, {2, 1, 2 / math.Sqrt(math.Pi)},
	} {
		// Gamma is good to some units in the last place.
		if got, err := workload.WeibullScale(c.shape, c.mean); err != nil || math.Abs(got/c.want-1) > 1e-14 {
			t.Errorf("WeibullScale(%v, %v) = %v, error %v, want %v", c.shape, c.mean, got, err, c.want)
		}
	}
}

// Poisson's gaps are exponential, and in any window the count has the mean and variance of a
// Poisson variable.
func TestPoisson(t *testing.T) {
	const n, rate = 100_000, 2.5
	times, err := workload.Poisson([]float64{-1}, n, rate, workload.Stream(3, workload.Arrivals, 0))
	if err != nil || len(times) != n+1 || times[0] != -1 {
		t.Fatalf("Poisson: %d values, error %v", len(times), err)
	}
	gaps := make([]float64, n)
	last := 0.0
	for i, x := range times[1:] {
		gaps[i], last = x-last, x
	}
	if !slices.IsSorted(times) {
		t.Error("Poisson's times do not ascend")
	}
	checkKS(t, "gaps of Poisson", gaps, distuv.Exponential{Rate: rate}.CDF)
	const window = 4.0
	counts := make([]float64, int(last/window))
	for _, x := range times[1:] {
		if k := int(x / window); k < len(counts) {
			counts[k]++
		}
	}
	mean, square := 0.0, 0.0
	for _, c := range counts {
		mean += c / float64(len(counts))
	}
	for _, c := range counts {
		square += (c - mean) * (c - mean) / float64(len(counts))
	}
	// 5 standard errors: of the mean sqrt(m/k), of the variance about m sqrt(2/k) for k windows of
	// mean m.
	m, k := rate*window, float64(len(counts))
	if math.Abs(mean-m) > 5*math.Sqrt(m/k) || math.Abs(square-m) > 5*m*math.Sqrt(2.2/k) {
		t.Errorf("counts in %v windows have mean %v and variance %v, want %v", k, mean, square, m)
	}
}

func TestStretch(t *testing.T) {
	got, err := workload.Stretch([]float64{9}, []float64{0, 1, 4}, []float64{3, 0, 6}, 0.75)
	if want := []float64{9, 0, 3, 12}; err != nil || !slices.Equal(got, want) {
		t.Errorf("Stretch([9], [0 1 4], [3 0 6], 0.75) = %v, %v, want %v", got, err, want)
	}
	if got, err := workload.Stretch(nil, nil, nil, 1); got != nil || err != nil {
		t.Errorf("Stretch of nothing = %v, %v, want nothing", got, err)
	}
}

func TestZipf(t *testing.T) {
	p, err := workload.ZipfProbabilities([]float64{-1}, 4, 1)
	for i, want := range []float64{-1, 12.0 / 25, 6.0 / 25, 4.0 / 25, 3.0 / 25} {
		// Four roundings each.
		if err != nil || math.Abs(p[i]-want) > 4*0x1p-53 {
			t.Fatalf("ZipfProbabilities([-1], 4, 1) = %v, %v, want [-1 .48 .24 .16 .12]", p, err)
		}
	}
	for _, c := range []struct {
		n     int
		alpha float64
	}{{1, 0}, {1, 5}, {2, 0.5}, {10, 0}, {100, 0.5}, {100, 0.99}, {100, 1}, {1000, 1.1}, {50, 3}, {20, 400}} {
		p, err := workload.ZipfProbabilities(nil, c.n, c.alpha)
		if err != nil {
			t.Fatal(err)
		}
		h, sum := 0.0, 0.0
		for k := c.n; k >= 1; k-- {
			h += math.Pow(float64(k), -c.alpha)
		}
		for k := range p {
			sum += p[k]
			// The rounding of alpha log k is magnified by itself in k^-alpha.
			tol := 0x1p-52 * (20 + 3*c.alpha*math.Log(float64(k+1)))
			if want := math.Pow(float64(k+1), -c.alpha) / h; math.Abs(p[k]-want) > tol*want+1e-300 {
				t.Errorf("ZipfProbabilities(%d, %v)[%d] = %v, want %v", c.n, c.alpha, k, p[k], want)
			}
		}
		if math.Abs(sum-1) > float64(c.n)*0x1p-53 || !slices.IsSortedFunc(p, func(a, b float64) int { return cmp.Compare(b, a) }) {
			t.Errorf("ZipfProbabilities(%d, %v) add up to %v or do not descend", c.n, c.alpha, sum)
		}
		z, err := workload.NewZipf(c.n, c.alpha)
		if err != nil {
			t.Fatal(err)
		}
		const draws = 100_000
		src := &counted{src: workload.Stream(11, workload.Users, uint64(c.n))}
		ranks, err := z.Draw([]int{-1}, draws, src)
		if err != nil || len(ranks) != draws+1 || src.n != draws {
			t.Fatalf("Draw = %d ranks from %d numbers, error %v", len(ranks), src.n, err)
		}
		counts := make([]float64, c.n)
		for _, k := range ranks[1:] {
			if k < 0 || k >= c.n {
				t.Fatalf("Zipf(%d, %v) draws the rank %d", c.n, c.alpha, k)
			}
			counts[k]++
		}
		// Chi-square over the ranks expected at least 10 times, the others in one cell.
		chi, cells, restCount, rest := 0.0, 0, 0.0, 0.0
		for k, count := range counts {
			if want := p[k] * draws; want >= 10 {
				chi += (count - want) * (count - want) / want
				cells++
			} else {
				rest += want
				restCount += count
			}
		}
		if rest >= 10 {
			chi += (restCount - rest) * (restCount - rest) / rest
			cells++
		} else if restCount > 60 { // a Poisson count of mean 10 exceeds 60 with less than 1e-20
			t.Errorf("Zipf(%d, %v): %v draws of ranks expected %v times", c.n, c.alpha, restCount, rest)
		}
		if cells > 1 {
			if limit := (distuv.ChiSquared{K: float64(cells - 1)}).Quantile(1 - 1e-6); chi > limit {
				t.Errorf("Zipf(%d, %v): chi-square %v over %d cells, want at most %v", c.n, c.alpha, chi, cells, limit)
			}
		}
	}
	z, _ := workload.NewZipf(5, 1)
	for u, want := range map[uint64]int{0: 4, math.MaxUint64: 0} {
		if got, _ := z.Draw(nil, 1, constant(u)); got[0] != want {
			t.Errorf("Draw at %#x = %v, want %d: small numbers are the far ranks", u, got, want)
		}
	}
	buf, one := make([]int, 0, 100), errorStream()
	if a := testing.AllocsPerRun(20, func() { z.Draw(buf, 100, one) }); a != 0 {
		t.Errorf("Draw with capacity allocates %v times, want 0", a)
	}
}
