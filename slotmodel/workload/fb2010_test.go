package workload_test

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func synthetic(t testing.TB, seed uint64) []joblog.SWIMJob {
	jobs, err := workload.SyntheticFB2010(workload.Stream(seed, workload.Trace, 0))
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// What holds for every source.
func TestSyntheticFB2010Margins(t *testing.T) {
	for seed := range uint64(10) {
		jobs := synthetic(t, seed)
		seconds, empty, noShuffle, before := 0, 0, 0, 0.0
		var hours [25]int
		for i, j := range jobs {
			if j.ID != "job"+strconv.Itoa(i) || j.Gap != j.Submit-before || j.Gap < 0 {
				t.Fatalf("seed %d: job %d is %+v after a submit time of %v", seed, i, j, before)
			}
			for _, x := range []float64{j.Submit, j.MapInput, j.Shuffle, j.Output} {
				if x != math.Trunc(x) || !(0 <= x && x < 1e15) {
					t.Fatalf("seed %d: job %d is %+v, want whole numbers below 1e15", seed, i, j)
				}
			}
			if i == 0 || j.Gap > 0 {
				seconds++
			}
			if j.MapInput+j.Shuffle+j.Output == 0 {
				empty++
			}
			if j.Shuffle == 0 {
				noShuffle++
			}
			hours[int(j.Submit/3600)]++
			before = j.Submit
		}
		if len(jobs) != 24442 || seconds != 19539 || empty != 127 || noShuffle != 8324 || before != 86408 {
			t.Errorf("seed %d: %d jobs in %d seconds, %d empty, %d without shuffle, the last at %v, want 24442, 19539, 127, 8324, 86408",
				seed, len(jobs), seconds, empty, noShuffle, before)
		}
		if hours[14] > 10 || hours[7] < 1600 || hours[7] > 1750 {
			t.Errorf("seed %d: %d and %d jobs in hours 7 and 14, want about 1677 and 2", seed, hours[7], hours[14])
		}
	}
}

// Days beside the trace, with room for other seeds: lowest and highest value allowed.
//
// With sizes by Sizes(nil, jobs, 4, 0.9), over the streams Stream(0..59, Trace, 0):
//
//	                               trace      synthetic: lowest, median, highest
//	jobs, of which empty           24442, 127      the same, always
//	arrival seconds, the last one  19539, 86408    the same, always
//	no shuffle, shuffle > input    34.1%, 20.9%    34.1%, 20.7 to 20.8%
//	input, TB                      1083            1037   1080   1117
//	shuffle, TB                    438             434    438    441
//	output, TB                     339             302    328    358
//	sizes below 1e-6 s, 1e-3 s     4617, 11990     4559 to 4629, 12092 to 12160
//	median size, s                 0.0014          0.0010 0.0011 0.0011
//	90% quantile                   1.31            1.20   1.26   1.33
//	99% quantile                   57.1            51.0   54.7   57.8
//	largest                        3301            3129   3324   3424
//	mean sojourn, s: FIFO          1934            1753   1974   2381
//	  PS                           27.7            23.6   26.6   32.4
//	  LAS                          17.4            13.4   15.0   17.2
//	  FSP                          10.4            8.6    9.4    10.4
//	  SRPT                         9.8             8.0    8.7    9.5
//
// Under FIFO jobs of size 0 wait for their turn. The three largest jobs come together, as they do in
// the trace; the backlog of FIFO stems from them.
func TestSyntheticFB2010Figures(t *testing.T) {
	for seed := range uint64(6) {
		jobs := synthetic(t, 100+seed)
		sizes, err := workload.Sizes(nil, jobs, 4, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		got := figures(jobs, sizes)
		for name, r := range map[string][2]float64{
			"input TB": {1020, 1140}, "shuffle TB": {430, 445}, "output TB": {290, 370}, "shuffle > input": {0.205, 0.211},
			"size < 1e-6": {4500, 4700}, "size < 1e-3": {12000, 12250}, "p50": {0.00100, 0.00115}, "p90": {1.15, 1.38},
			"p99": {49, 60}, "max": {3050, 3500},
			"FIFO": {1650, 2500}, "PS": {22, 34}, "LAS": {12.5, 18}, "FSP": {8.2, 10.8}, "SRPT": {7.7, 10},
		} {
			if x := got[name]; !(r[0] <= x && x <= r[1]) {
				t.Errorf("seed %d: %s = %v, want %v to %v", 100+seed, name, x, r[0], r[1])
			}
		}
		for i, order := 1, []string{"SRPT", "FSP", "LAS", "PS", "FIFO"}; i < len(order); i++ {
			if !(got[order[i-1]] < got[order[i]]) {
				t.Errorf("seed %d: mean sojourn %v under %s, %v under %s, want less", 100+seed, got[order[i-1]], order[i-1], got[order[i]], order[i])
			}
		}
	}
}

func figures(jobs []joblog.SWIMJob, sizes []float64) map[string]float64 {
	f := map[string]float64{}
	served := make([]fluid.Job, len(jobs))
	for i, j := range jobs {
		f["input TB"] += j.MapInput / 1e12
		f["shuffle TB"] += j.Shuffle / 1e12
		f["output TB"] += j.Output / 1e12
		if j.Shuffle > j.MapInput {
			f["shuffle > input"] += 1 / float64(len(jobs))
		}
		if sizes[i] < 1e-6 {
			f["size < 1e-6"]++
		}
		if sizes[i] < 1e-3 {
			f["size < 1e-3"]++
		}
		served[i] = fluid.Job{Arrival: j.Submit, Size: sizes[i], Estimate: sizes[i]}
	}
	sorted := slices.Sorted(slices.Values(sizes))
	for name, p := range map[string]float64{"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1} {
		f[name] = stat.Quantile(p, stat.Empirical, sorted, nil)
	}
	for name, p := range map[string]fluid.Policy{"FIFO": fluid.FIFO{Turn: true}, "PS": fluid.PS{}, "LAS": fluid.LAS{}, "FSP": fluid.FSP{}, "SRPT": fluid.SRPT{}} {
		r, err := fluid.Run(1, served, p)
		if err != nil {
			panic(err)
		}
		for i, c := range r.Finish {
			f[name] += (c - served[i].Arrival) / float64(len(jobs))
		}
	}
	return f
}

// Beside the trace itself: the distributions of the bytes and of the sizes are within 0.04 of its
// everywhere, the figures within a fifth of it, and no line of any weight is one of its.
func TestSyntheticFB2010NearTrace(t *testing.T) {
	trace, err := joblog.ReadSWIM(open(t, fb2010))
	if err != nil {
		t.Fatal(err)
	}
	jobs := synthetic(t, 1)
	columns := map[string]func(j joblog.SWIMJob) float64{
		"input": func(j joblog.SWIMJob) float64 { return j.MapInput }, "shuffle": func(j joblog.SWIMJob) float64 { return j.Shuffle },
		"output": func(j joblog.SWIMJob) float64 { return j.Output }, "gap": func(j joblog.SWIMJob) float64 { return j.Gap },
		"submit": func(j joblog.SWIMJob) float64 { return j.Submit },
		"size":   func(j joblog.SWIMJob) float64 { return j.MapInput + 5*j.Shuffle + j.Output },
		// The bytes in proportion to each other, where both are there.
		"shuffle/input":  func(j joblog.SWIMJob) float64 { return j.Shuffle / max(1, j.MapInput) },
		"output/shuffle": func(j joblog.SWIMJob) float64 { return j.Output / max(1, j.Shuffle) },
	}
	sorted := func(jobs []joblog.SWIMJob, f func(joblog.SWIMJob) float64) []float64 {
		xs := make([]float64, len(jobs))
		for i, j := range jobs {
			xs[i] = f(j)
		}
		slices.Sort(xs)
		return xs
	}
	for name, f := range columns {
		d := stat.KolmogorovSmirnov(sorted(trace, f), nil, sorted(jobs, f), nil)
		if t.Logf("%s: Kolmogorov-Smirnov distance %.4f", name, d); d > 0.04 {
			t.Errorf("%s: Kolmogorov-Smirnov distance to the trace %v, want at most 0.04", name, d)
		}
	}
	traceSizes, err1 := workload.Sizes(nil, trace, 4, 0.9)
	sizes, err2 := workload.Sizes(nil, jobs, 4, 0.9)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	want, got := figures(trace, traceSizes), figures(jobs, sizes)
	for name, w := range want {
		tol := 0.2
		if name == "p50" {
			tol = 0.3 // the trace's density is low there: a hundredth of the jobs lie between its median and ours
		}
		if g := got[name]; math.Abs(g/w-1) > tol {
			t.Errorf("%s = %v, the trace has %v", name, g, w)
		}
	}
	lines := map[[3]float64]bool{}
	for _, j := range trace {
		lines[[3]float64{j.MapInput, j.Shuffle, j.Output}] = true
	}
	for _, j := range jobs {
		if j.MapInput+j.Shuffle+j.Output > 1e5 && lines[[3]float64{j.MapInput, j.Shuffle, j.Output}] {
			t.Errorf("%+v has the bytes of a job of the trace", j)
		}
	}
}

// Published figures depend on the default trace: one source gives the same jobs, to the bit, in
// every run and however many processors there are.
func TestSyntheticFB2010IsFixed(t *testing.T) {
	jobs := synthetic(t, 1)
	for _, procs := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		again := synthetic(t, 1)
		runtime.GOMAXPROCS(before)
		if !slices.Equal(jobs, again) {
			t.Errorf("with GOMAXPROCS %d the same source gives another trace", procs)
		}
	}
	// Each job counts with its place. On another architecture a large one may have a byte more or
	// less: 1e-11 is far above that, and above the rounding of the sums.
	var got [4]float64
	for i, j := range jobs {
		for k, x := range [4]float64{j.Submit, j.MapInput, j.Shuffle, j.Output} {
			got[k] += float64(i+1) * math.Log1p(x)
		}
	}
	for k, want := range [4]float64{3.2275657192368e9, 4.59835780332909e9, 2.59690008035321e9, 3.5467745593282e9} {
		if !(math.Abs(got[k]/want-1) <= 1e-11) {
			t.Errorf("sum of i times log(1 + column %d) of the trace of seed 1 = %v, want %v", k, got[k], want)
		}
	}
	back, err := joblog.ReadSWIM(bytes.NewReader(swimFile(jobs)))
	if err != nil || !slices.Equal(back, jobs) {
		t.Errorf("the trace does not read back as it was written: %v", err)
	}
	if slices.Equal(jobs, synthetic(t, 2)) {
		t.Error("two seeds give the same trace")
	}
	c := &counted{src: workload.Stream(1, workload.Trace, 0)}
	if _, err := workload.SyntheticFB2010(c); err != nil || c.n != 263145 {
		t.Errorf("SyntheticFB2010 takes %d numbers, error %v, want 263145", c.n, err)
	}
}

// Sources that draw only the extremes still give a whole day.
func TestSyntheticFB2010ExtremeSources(t *testing.T) {
	for _, u := range []uint64{0, math.MaxUint64} {
		jobs, err := workload.SyntheticFB2010(constant(u))
		if err != nil || len(jobs) != 24442 {
			t.Errorf("SyntheticFB2010 of a source of %#x = %d jobs, error %v", u, len(jobs), err)
		}
	}
}
