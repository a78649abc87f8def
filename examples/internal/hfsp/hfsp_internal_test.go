package hfsp

import (
	"io"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/examples/internal/report/reporttest"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/internal/replay"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// silent is the progress that nobody watches.
var silent = program.NewProgress(io.Discard, "", 1)

func TestUsage(t *testing.T) {
	jobs := fig1Jobs
	ps, err := usage(jobs, []float64{50, 37.5, 42.5}, true)
	if err != nil {
		t.Fatal(err)
	}
	want := []span{{0, 10, 0, 1}, {10, 15, 0, .5}, {10, 15, 1, .5}, {15, 37.5, 0, 1. / 3}, {15, 37.5, 1, 1. / 3}, {15, 37.5, 2, 1. / 3},
		{37.5, 42.5, 0, .5}, {37.5, 42.5, 2, .5}, {42.5, 50, 0, 1}}
	if !slices.Equal(ps, want) {
		t.Errorf("usage under PS = %v, want %v", ps, want)
	}
	series, err := usage(jobs, []float64{50, 20, 30}, false)
	if err != nil {
		t.Fatal(err)
	}
	want = []span{{0, 10, 0, 1}, {10, 20, 1, 1}, {20, 30, 2, 1}, {30, 50, 0, 1}}
	if !slices.Equal(series, want) {
		t.Errorf("usage in series = %v, want %v", series, want)
	}
	if _, err := usage(jobs, []float64{50, 20, 31}, false); err == nil {
		t.Error("usage took finish times that no schedule has")
	}
}

// The paper's sentence has two readings; both shares are checked by counting over a grid of the
// distribution's quantiles.
func TestWrongShare(t *testing.T) {
	const n = 200_000
	for _, sigma := range sigmas {
		var percent, factor int
		for i := range n {
			x := math.Exp(sigma * math.Sqrt2 * math.Erfinv(2*(float64(i)+0.5)/n-1))
			if math.Abs(x-1) > 0.2 {
				percent++
			}
			if x > 1.2 || x < 1/1.2 {
				factor++
			}
		}
		p, q := wrongShare(sigma)
		if math.Abs(p-float64(percent)/n) > 2./n || math.Abs(q-float64(factor)/n) > 2./n {
			t.Errorf("wrongShare(%v) = %v, %v, want %v and %v", sigma, p, q, float64(percent)/n, float64(factor)/n)
		}
	}
}

func TestDensity(t *testing.T) {
	for _, sigma := range sigmas {
		sum, dx := 0.0, 1e-3
		for x := dx / 2; x < 200; x += dx {
			sum += density(x, sigma) * dx
		}
		if math.Abs(sum-1) > 1e-4 {
			t.Errorf("density with sigma %v adds up to %v, want 1", sigma, sum)
		}
	}
	if got := density(0, 1); got != 0 {
		t.Errorf("density(0, 1) = %v, want 0", got)
	}
}

// small is a workload on which a sweep takes milliseconds.
func small(t *testing.T) replay.Workload {
	t.Helper()
	w, err := replay.Load("", 3, diskToNetwork, load, 500)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestSweepIndependentOfGOMAXPROCS(t *testing.T) {
	w := small(t)
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	one, err := run(w, 7, 9, silent)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(2)
	two, err := run(w, 7, 9, silent)
	if err != nil {
		t.Fatal(err)
	}
	for p := range policies {
		for k := range laws {
			if !slices.Equal(one.means[p][k], two.means[p][k]) {
				t.Errorf("%v at %v: means %v with one processor, %v with two", policies[p], laws[k], one.means[p][k], two.means[p][k])
			}
			b := one.boxes[p][k]
			if !slices.IsSorted([]float64{b.Min, b.P5, b.P25, b.Median, b.P75, b.P95, b.Max}) || !(b.Min > 0) {
				t.Errorf("%v at %v: box %+v is out of order", policies[p], laws[k], b)
			}
		}
	}
	// More seeds add replays and change none.
	more, err := run(w, 7, 12, silent)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := more.means[fspShare][1][:9], one.means[fspShare][1]; !slices.Equal(got, want) {
		t.Errorf("the first 9 of 12 seeds give %v, want %v", got, want)
	}
}

// A box is the quantiles of the means of its seeds.
func TestBoxes(t *testing.T) {
	s := sweep{}
	for range policies {
		byLaw := make([][]float64, len(laws))
		for k := range byLaw {
			for i := range 101 {
				byLaw[k] = append(byLaw[k], float64(37*i%101)) // 0 to 100
			}
		}
		s.means = append(s.means, byLaw)
	}
	s.summarize()
	if got, want := s.boxes[fspShare][measuredReduce], (draw.Box{Min: 0, P5: 5, P25: 25, Median: 50, P75: 75, P95: 95, Max: 100}); got != want {
		t.Errorf("the box of 0 to 100 = %+v, want %+v", got, want)
	}
}

// Each mean of a sweep is what the model says for that seed alone, and errors of sigma 0 would be
// none: the exact means are its limit.
func TestSweepMeans(t *testing.T) {
	w := small(t)
	s, err := run(w, 1, 2, silent)
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range policies {
		r, err := fluid.Run(1, w.Jobs, p)
		if err != nil {
			t.Fatal(err)
		}
		if s.exact[k] != r.MeanSojourn() {
			t.Errorf("exact mean under %v = %v, want %v", p, s.exact[k], r.MeanSojourn())
		}
	}
	for k := range laws {
		for rep := range 2 {
			if s.means[srpt][k][rep] < s.exact[srpt]*(1-rounding) {
				t.Errorf("SRPT with %v has mean %v, below the optimum %v", laws[k], s.means[srpt][k][rep], s.exact[srpt])
			}
		}
	}
}

// Every relation can fail: a sweep in which errors cost nothing and one in which they ruin
// everything fail different claims.
func TestClaimsCanFail(t *testing.T) {
	w := small(t)
	claims := func(scale func(p, k int) float64, exact []float64, fifo float64) []report.Claim {
		s, err := run(w, 1, 4, silent)
		if err != nil {
			t.Fatal(err)
		}
		s.fifo, s.ps, s.exact, s.boxes = fifo, 30, exact, nil
		for p := range policies {
			for k := range laws {
				for rep := range s.means[p][k] {
					s.means[p][k][rep] = scale(p, k)
				}
			}
		}
		s.summarize()
		return append(s.claims2b(s.chart().Y.Max), s.claims2c()...)
	}
	asPaper := claims(func(p, k int) float64 {
		if p == srpt {
			return []float64{11, 15, 23, 41, 20, 15}[k]
		}
		return []float64{10.4, 10.5, 11, 12, 10.9, 10.5}[k]
	}, []float64{9.8, 10.4, 10.4}, 1934)
	opposite := claims(func(p, k int) float64 {
		if p == srpt {
			return []float64{41, 23, 15, 11, 20, 15}[k]
		}
		return 60
	}, []float64{11, 10.4, 10.4}, 20)
	reporttest.CanFail(t, asPaper, opposite)
}
