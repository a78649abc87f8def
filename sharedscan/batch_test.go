package sharedscan_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/sharedscan"
)

// TestBatchesWalk goes from boundary to boundary in whole numbers and collects who arrived.
func TestBatchesWalk(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 61))
		window, boundary := 1+r.IntN(9), r.IntN(20)-10
		arrivals := make([]float64, r.IntN(12))
		for i := range arrivals {
			arrivals[i] = float64(r.IntN(81) - 40)
		}
		got, err := sharedscan.Batches(nil, arrivals, float64(window), float64(boundary))
		must(t, err)
		k := 0
		for begin := boundary - 100*window; begin < 100; begin += window {
			var members []int
			sum, most := 0.0, 0.0
			for at := begin; at < begin+window; at++ {
				for i, a := range arrivals {
					if a == float64(at) {
						members = append(members, i)
						sum += float64(begin+window) - a
						most = max(most, float64(begin+window)-a)
					}
				}
			}
			if members == nil {
				continue
			}
			if k >= len(got) {
				t.Fatalf("seed %d: Batches(nil, %v, %d, %d) has %d batches, want more", seed, arrivals, window, boundary, len(got))
			}
			b := got[k]
			k++
			if b.Start != float64(begin+window) || !slices.Equal(b.Members, members) || b.MaxWait != most || b.MeanWait != sum/float64(len(members)) {
				t.Fatalf("seed %d: Batches(nil, %v, %d, %d)[%d] = %+v, want %d, %v, mean %v, most %v",
					seed, arrivals, window, boundary, k-1, b, begin+window, members, sum/float64(len(members)), most)
			}
		}
		if k != len(got) {
			t.Fatalf("seed %d: Batches(nil, %v, %d, %d) has %d batches, want %d", seed, arrivals, window, boundary, len(got), k)
		}
	}
}

// TestBatchesRounded has windows such as 0.1, where quotients round across boundaries.
func TestBatchesRounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 67))
	for range 20000 {
		window, boundary := math.Exp(20*r.Float64()-10), r.NormFloat64()
		k := float64(r.IntN(1000))
		a := float64(k*window) + boundary
		for _, a := range []float64{a, math.Nextafter(a, math.Inf(1)), math.Nextafter(a, math.Inf(-1))} {
			got, err := sharedscan.Batches(nil, []float64{a}, window, boundary)
			if err != nil || len(got) != 1 || !(got[0].Start > a) || got[0].MaxWait > window*(1+1e-9)+1e-9 {
				t.Fatalf("Batches(nil, [%v], %v, %v) = %+v, %v, want a start within one window after it", a, window, boundary, got, err)
			}
		}
	}
}

// TestPerceivedWait simulates Poisson arrivals. The mean over n jobs has a standard error below
// (window + own*sqrt(rate*window))/sqrt(n), times the square root of the mean batch for jobs of one
// batch, which wait together; 5 of them leave one chance in a million.
func TestPerceivedWait(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 71))
	for _, d := range []sharedscan.Demand{{Rate: 2, Scan: 1}, {Rate: .5, Scan: 3, Own: .25}, {Rate: 3, Own: .1}} {
		const n = 200000
		window := 1.5
		arrivals := make([]float64, n)
		now := 0.0
		for i := range arrivals {
			now += r.ExpFloat64() / d.Rate
			arrivals[i] = now
		}
		batches, err := sharedscan.Batches(nil, arrivals, window, 0)
		must(t, err)
		sum, most := 0.0, 0.0
		for _, b := range batches {
			size := float64(len(b.Members))
			sum += size * (b.MeanWait + d.Scan + size*d.Own - d.Scan - d.Own)
			most = max(most, b.MaxWait)
		}
		mean, longest, err := sharedscan.PerceivedWait(window, d)
		tolerance := 5 * (window + d.Own*math.Sqrt(d.Rate*window)) * math.Sqrt(1+d.Rate*window) / math.Sqrt(n)
		if got := sum / n; err != nil || math.Abs(got-mean) > tolerance {
			t.Errorf("PerceivedWait(%v, %+v) = %v, %v, simulated %v, want within %v", window, d, mean, err, got, tolerance)
		}
		if want := window + d.Rate*window*d.Own; longest != want || most > window || most < .999*window {
			t.Errorf("PerceivedWait(%v, %+v): most %v, want %v; simulated longest wait for a window %v", window, d, longest, want, most)
		}
	}
}

// TestBatchWindowsAreBest: the windows use the machine fully, and no others that do are better.
func TestBatchWindowsAreBest(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 73))
		demands := make([]sharedscan.Demand, 1+r.IntN(5))
		for i := range demands {
			demands[i] = sharedscan.Demand{Rate: .1 + r.Float64(), Scan: .1 + r.Float64(), Own: .15 * r.Float64()}
		}
		load := func(windows []float64) (sum float64) {
			for i, d := range demands {
				sum += d.Scan/windows[i] + d.Rate*d.Own
			}
			return sum
		}
		for _, agg := range []precedence.Aggregate{precedence.Sum, precedence.Max} {
			cost := func(windows []float64) (c float64) {
				for i, d := range demands {
					mean, most, err := sharedscan.PerceivedWait(windows[i], d)
					must(t, err)
					if agg == precedence.Sum {
						c += d.Rate * mean
					} else {
						c = max(c, most)
					}
				}
				return c
			}
			got, err := sharedscan.BatchWindows(nil, demands, agg)
			const rounding = 1e-12 // some ten operations
			if err != nil || math.Abs(load(got)-1) > rounding {
				t.Fatalf("seed %d: BatchWindows(nil, %+v, %d) = %v, %v with load %v, want 1", seed, demands, agg, got, err, load(got))
			}
			for range 100 {
				other := slices.Clone(got)
				busy, own := 0.0, 0.0
				for i, d := range demands {
					other[i] *= math.Exp(r.NormFloat64() / 4)
					busy += d.Scan / other[i]
					own += d.Rate * d.Own
				}
				for i := range other {
					other[i] *= busy / (1 - own)
				}
				if cost(other) < cost(got)*(1-rounding) {
					t.Fatalf("seed %d: BatchWindows(nil, %+v, %d) = %v costs %v, and %v costs %v", seed, demands, agg, got, cost(got), other, cost(other))
				}
			}
		}
	}
}
