package workload_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

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

// constant is a source of one number.
type constant uint64

func (c constant) Uint64() uint64 { return uint64(c) }

// Poisson's gaps are exponential, and in any window the count has the mean and variance of a
// Poisson variable.
func TestPoisson(t *testing.T) {
	const n, rate = 100_000, 2.5
	times, err := workload.Poisson([]float64{-1}, n, rate, workload.Stream(3, workload.Arrivals, 0))
	if err != nil || len(times) != n+1 || times[0] != -1 {
		t.Fatalf("Poisson: %d values, error %v", len(times), err)
	}
	src := &counted{src: workload.Stream(3, workload.Arrivals, 0)}
	buf := make([]float64, 0, 100)
	if a := testing.AllocsPerRun(20, func() { workload.Poisson(buf, 100, rate, src) }); a != 0 || src.n != 21*100 {
		t.Errorf("Poisson with capacity allocates %v times and takes %d numbers for %d, want 0 and as many", a, src.n, 21*100)
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
