package workload_test

import (
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

const lublinJobs = 60000

func lublin(t testing.TB, n, processors int, seed uint64) []slotmodel.JobSpec {
	t.Helper()
	jobs, err := workload.LublinFeitelson(nil, n, processors, workload.Stream(seed, workload.Trace, 0))
	if err != nil || len(jobs) != n {
		t.Fatalf("LublinFeitelson(%d, %d) gives %d jobs, %v", n, processors, len(jobs), err)
	}
	return jobs
}

// logOf128 is a log of 128 processors, drawn once.
var logOf128 = sync.OnceValue(func() []slotmodel.JobSpec {
	jobs, _ := workload.LublinFeitelson(nil, lublinJobs, 128, workload.Stream(1, workload.Trace, 0))
	return jobs
})

// gamma is a gamma distribution by the shape and the scale that the paper prints.
func gamma(shape, scale float64) distuv.Gamma { return distuv.Gamma{Alpha: shape, Beta: 1 / scale} }

// TestLublinSizes: the part of the jobs of each size is that of the two uniform laws, integrated by
// hand: serial ones, powers of two, others.
func TestLublinSizes(t *testing.T) {
	for processors, jobs := range map[int][]slotmodel.JobSpec{128: logOf128(), 100: lublin(t, lublinJobs, 100, 1), 2: lublin(t, lublinJobs, 2, 1)} {
		high := math.Log2(float64(processors))
		middle := max(high-2.5, .8)
		cdf := func(x float64) float64 { // of the log2 of a size
			switch {
			case x < .8:
				return 0
			case x >= high:
				return 1
			case x < middle:
				return .86 * (x - .8) / (middle - .8)
			}
			return .86 + .14*(x-middle)/(high-middle)
		}
		want := make([]float64, processors+1)
		want[1] = .244
		for size := range processors + 1 {
			if size > 0 {
				want[size] += .18 * (cdf(math.Log2(float64(size)+.5)) - cdf(math.Log2(float64(size)-.5)))
			}
		}
		for m := range 9 {
			want[min(1<<m, processors)] += .576 * (cdf(float64(m)+.5) - cdf(float64(m)-.5))
		}
		got := make([]float64, processors+1)
		for _, j := range jobs {
			got[j.Maps.Tasks] += 1. / lublinJobs
		}
		for size, p := range want {
			// Five standard deviations of a part p of so many draws.
			if limit := 5*math.Sqrt(p*(1-p)/lublinJobs) + 1e-12; math.Abs(got[size]-p) > limit {
				t.Errorf("%.4f of the jobs on %d processors have size %d, want %.4f within %.4f", got[size], processors, size, p, limit)
			}
		}
	}
}

// TestLublinRuns: run times of serial jobs, and of those of 32 processors, are those of the mixture
// of the two gammas, cut off at e^12 s.
func TestLublinRuns(t *testing.T) {
	short, long := gamma(4.2, .94), gamma(312, .03)
	for _, size := range []int{1, 32} {
		var logs []float64
		for _, j := range logOf128() {
			if j.Maps.Tasks == size {
				logs = append(logs, math.Log(j.Maps.Work))
			}
		}
		p := .78 - .0054*float64(size)
		mixed := func(x float64) float64 { return p*short.CDF(x) + (1-p)*long.CDF(x) }
		checkKS(t, "run times", logs, func(x float64) float64 { return min(mixed(x)/mixed(12), 1) })
	}
}

// TestLublinArrivals: half hours get their part of the jobs, and what passes between two arrivals,
// at the rates of the half hours, is the exponential of a gamma.
func TestLublinArrivals(t *testing.T) {
	day := gamma(8.1737, 3.9631)
	var rate [48]float64 // of each half hour, 1 on average
	sum := 0.
	for i := 11; i < 59; i++ {
		rate[(i-1)%48] = day.CDF(float64(i)+.5) - day.CDF(float64(i)-.5)
		sum += rate[(i-1)%48]
	}
	for k := range rate {
		rate[k] *= 48 / sum
	}
	if peak := slices.Index(rate[:], slices.Max(rate[:])); peak < 24 || peak > 32 {
		t.Errorf("the busiest half hour is number %d, want one of the afternoon", peak)
	}
	passed := func(until float64) (p float64) { // by adding half hour to half hour
		days := math.Floor(until / 86400)
		rest := until - days*86400
		for k := 0; rest > 0; k++ {
			p += rate[k] * min(rest, 1800)
			rest -= 1800
		}
		return days*86400 + p
	}
	jobs := logOf128()
	var gaps []float64
	last, part := 0., [48]float64{}
	for i, j := range jobs {
		if i > 0 && !(j.Arrival >= jobs[i-1].Arrival) {
			t.Fatalf("job %d arrives before the one ahead", i)
		}
		now := passed(j.Arrival)
		gaps = append(gaps, math.Log(max(now-last, 1)))
		last = now
		part[int(math.Mod(j.Arrival, 86400)/1800)]++
	}
	gap := gamma(10.2303*1.0225, .4871)
	checkKS(t, "gaps", gaps, func(x float64) float64 { return min(gap.CDF(x)/gap.CDF(13), 1) })
	days := jobs[len(jobs)-1].Arrival / 86400
	perDay := lublinJobs / days
	for k, n := range part {
		// Gaps vary more than those of a Poisson process: by a coefficient of 3.5 or so; five of
		// the standard deviations that this gives over the days.
		want := rate[k] / 48 * perDay * days
		if limit := 5 * 3.5 * math.Sqrt(want); math.Abs(n-want) > limit {
			t.Errorf("%v jobs come in half hour %d, want %.0f within %.0f", n, k, want, limit)
		}
	}
}

// TestLublinRepeats: a seed gives the same jobs, the first ones of a longer log, and another seed
// others; they fit the machine.
func TestLublinRepeats(t *testing.T) {
	a := lublin(t, 500, 100, 5)
	if !reflect.DeepEqual(a, lublin(t, 500, 100, 5)) || !reflect.DeepEqual(a, lublin(t, 700, 100, 5)[:500]) {
		t.Error("the same seed gives other jobs")
	}
	if reflect.DeepEqual(a, lublin(t, 500, 100, 6)) {
		t.Error("another seed gives the same jobs")
	}
	for i, j := range a {
		if !j.Rigid || j.Maps.Tasks < 1 || j.Maps.Tasks > 100 || !(j.Maps.Work >= 1 && j.Maps.Work <= math.Exp(12)) {
			t.Errorf("job %d: %+v", i, j)
		}
	}
	if load, _, err := workload.OfferedLoad(100, 1, a); err != nil || !(load > .3 && load < 2) {
		t.Errorf("OfferedLoad = %v, %v, want a load", load, err)
	}
}
