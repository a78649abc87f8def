package circumflex

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/exactfluid"
	"gonum.org/v1/gonum/floats/scalar"
)

// rounding is how far two sums of some thousand terms may lie apart, relative to them.
const rounding = 1e-9

// small is a workload of n scans of which the sizes are those of a point.
func small(p point, o settings, seed uint64, n int) workload {
	w := newWorkload(p, o, seed, 0)
	w.time, w.dataset = w.time[:n], w.dataset[:n]
	return w
}

// play runs one scheme and metric.
func play(t *testing.T, w *workload, o settings, s scheme, m metric) outcome {
	t.Helper()
	requests, err := w.requests(o, s)
	if err != nil {
		t.Fatal(err)
	}
	out, err := new(runner).run(w, requests, o, s, m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// FLEX for the average response time is shortest remaining work first, with caps: the model in
// rationals knows that policy and no plans.
func TestFlexIsSRPT(t *testing.T) {
	for _, most := range []int{5, 40, 100} {
		for _, p := range []point{{0, 0, 4}, {4, 4, 0}, {4, 4, 8}, {2, 3, 6}} {
			o := base(most)
			all, offered := newWorkload(p, o, 1, 0), 0.0
			for _, i := range all.dataset {
				offered += all.size[i]
			}
			if !scalar.EqualWithinAbs(offered, load*span*slots, rounding*offered) {
				t.Errorf("M = %d, %+v: work %v, want %v", most, p, offered, load*span*slots)
			}
			w := small(p, o, 1, 80) // rationals of many jobs grow long
			got := play(t, &w, o, flex, averageResponse)
			jobs := make([]exactfluid.Job, len(w.time))
			work := 0.0
			for i, at := range w.time {
				size := w.size[w.dataset[i]]
				jobs[i] = exactfluid.Job{Arrival: rat(at), Size: rat(size), Estimate: rat(size), Slots: rat(float64(most)), Weight: rat(1)}
				work += size
			}
			r := exactfluid.Run(rat(slots), nil, jobs, exactfluid.Config{Policy: exactfluid.SRPT})
			sum := 0.0
			for i, at := range w.time {
				finish, _ := r.Finish[i].Float64()
				sum += finish - at
			}
			if want := sum / float64(len(jobs)); !scalar.EqualWithinAbs(got.value, want, rounding*want) {
				t.Errorf("M = %d, %+v: average response %v, SRPT has %v", most, p, got.value, want)
			}
			if !scalar.EqualWithinAbs(got.work, work, rounding*work) {
				t.Errorf("M = %d, %+v: work %v, want %v", most, p, got.work, work)
			}
		}
	}
}

// One dataset and jobs that can use all slots: whoever joins a scan takes one pass, and its work is
// one pass less what is under way.
func TestOneDataset(t *testing.T) {
	o := base(slots)
	w := workload{time: []float64{.5, 1, 2.5, 20, 23}, dataset: []int{3, 3, 3, 3, 3}, size: make([]float64, datasets)}
	w.size[3] = 4 * slots
	got := play(t, &w, o, circumflex, averageResponse)
	want := outcome{value: 4, work: (4 + .5 + 1.5 + 4 + 3) * slots}
	if !scalar.EqualWithinAbs(got.value, want.value, rounding) || !scalar.EqualWithinAbs(got.work, want.work, rounding*want.work) || overDatasets(&got.subjobs) != 3./datasets {
		t.Errorf("one dataset: %+v, want %+v", got, want)
	}
	// Windows of 2 end at .3, 2.3, 4.3, ...: two scans together, then one each, and 4 minutes a
	// batch one after the other.
	got = play(t, &w, o, batch, averageResponse)
	ends := []float64{6.3, 6.3, 10.3, 24.3, 28.3}
	sum := 0.0
	for i, e := range ends {
		sum += e - w.time[i]
	}
	if want := sum / 5; !scalar.EqualWithinAbs(got.value, want, rounding) || !scalar.EqualWithinAbs(got.work, 16*slots, rounding) || got.largest[3] != 2 {
		t.Errorf("one dataset: BATCH %+v, want value %v, work %v, largest 2", got, want, 16*slots)
	}
}

// Where only a half is scanning, what is left of a job comes after its scan, and is not shared.
func TestHalfShared(t *testing.T) {
	o := base(slots)
	o.fraction = .5
	w := workload{time: []float64{.5, 1.5}, dataset: []int{3, 3}, size: make([]float64, datasets)}
	w.size[3] = 4 * slots
	// The first scans to 2.5 and ends at 4.5, the second scans what it missed to 5.5 and ends at
	// 7.5.
	if got := play(t, &w, o, circumflex, averageResponse); !scalar.EqualWithinAbs(got.value, (4+6)/2., rounding) || !scalar.EqualWithinAbs(got.work, 7*slots, rounding*7*slots) || !scalar.EqualWithinAbs(got.end, 7.5, rounding) ||
		overDatasets(&got.subjobs) != 2./datasets {
		t.Errorf("half shared: %+v, want value 5, work %v, end 7.5, and up to 2 subjobs of the dataset", got, 7*slots)
	}
	// A batch scans once and does the rest of both, 2 + 2 + 2 minutes, from 2.3 on.
	if got := play(t, &w, o, batch, averageResponse); !scalar.EqualWithinAbs(got.value, (7.8+6.8)/2, rounding) || !scalar.EqualWithinAbs(got.work, 6*slots, rounding*6*slots) {
		t.Errorf("half shared: BATCH %+v, want value 7.3 and work %v", got, 6*slots)
	}
}

// Without scanning CIRCUMFLEX is FLEX; with next to nothing but scanning it is what it is with
// scanning alone; and where slots abound every job takes the time that it takes alone.
func TestFractions(t *testing.T) {
	for k, p := range []point{{4, 4, 8}, {4, 4, 1}, {1, 3, 4}} {
		o := base(calibrated)
		w := newWorkload(p, o, uint64(k), 0)
		r := rand.New(rand.NewPCG(5, uint64(k)))
		for d := range w.size {
			w.size[d] *= 1 + r.Float64()/4 // without ties, which could be broken one way and the other
		}
		for m := range metrics {
			o.fraction = 0
			if got, want := play(t, &w, o, circumflex, m), play(t, &w, o, flex, m); !scalar.EqualWithinAbs(got.value, want.value, rounding*want.value) || !scalar.EqualWithinAbs(got.work, want.work, rounding*want.work) {
				t.Errorf("%+v, f = 0: %s %v and work %v, FLEX %v and %v", p, metricNames[m], got.value, got.work, want.value, want.work)
			}
			o.fraction = 1 - 0x1p-40
			got := play(t, &w, o, circumflex, m)
			o.fraction = 1
			if want := play(t, &w, o, circumflex, m); m < maximumStretch && (!scalar.EqualWithinAbs(got.value, want.value, 1e-6*want.value) || !scalar.EqualWithinAbs(got.work, want.work, 1e-6*want.work)) {
				t.Errorf("%+v, f near 1: %s %v and work %v, f = 1 %v and %v", p, metricNames[m], got.value, got.work, want.value, want.work)
			}
		}
		o = base(2)
		o.load, o.fraction = .3, .6
		w = newWorkload(p, o, uint64(k), 1)
		if got := play(t, &w, o, circumflex, averageStretch); !scalar.EqualWithinAbs(got.value, 1, rounding) {
			t.Errorf("%+v, slots abound: average stretch %v, want 1", p, got.value)
		}
	}
}

func TestBatchesAreWindows(t *testing.T) {
	for _, sum := range []bool{false, true} {
		o := base(calibrated)
		o.batchSum = sum
		w := newWorkload(point{2, 2, 6}, o, 7, 3)
		requests, err := w.requests(o, batch)
		if err != nil {
			t.Fatal(err)
		}
		seen := make([]bool, len(w.time))
		for i, q := range requests {
			if i > 0 && q.time < requests[i-1].time {
				t.Errorf("batch %d begins at %v, before the one before, %v", i, q.time, requests[i-1].time)
			}
			phase := math.Mod(q.time-float64(q.dataset)*window/datasets, window)
			if d := math.Min(phase, window-phase); d > 1e-9 {
				t.Errorf("batch %d of dataset %d begins at %v, %v from the end of a window", i, q.dataset, q.time, d)
			}
			if want := calibrated * map[bool]int{false: 1, true: len(q.members)}[sum]; q.max != want {
				t.Errorf("batch %d of %d members can use %d slots, want %d", i, len(q.members), q.max, want)
			}
			for _, a := range q.members {
				if wait := q.time - w.time[a]; seen[a] || w.dataset[a] != q.dataset || !(wait > 0 && wait <= window) || q.first > w.time[a] {
					t.Errorf("batch %d: member %d of dataset %d waits %v, seen before %v; the first came at %v", i, a, w.dataset[a], wait, seen[a], q.first)
				}
				seen[a] = true
			}
		}
		if slices.Contains(seen, false) {
			t.Error("a scan is in no batch")
		}
	}
}

func TestRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for relation := range relations {
		kappa := kappas[max(relation, relations-1-relation)-4]
		reached := make([]bool, datasets) // places of the first dataset
		for range 400 {
			of := ranks(relation, r)
			sorted := slices.Clone(of)
			slices.Sort(sorted)
			for k, place := range sorted {
				if place != k {
					t.Fatalf("ranks(%d) = %v, want a permutation", relation, of)
				}
			}
			for d, place := range of {
				i := d
				if relation < 4 {
					i = datasets - 1 - d
				}
				if place > min(kappa+i, datasets)-1 {
					t.Fatalf("ranks(%d) = %v: dataset %d has place %d, want at most %d", relation, of, d, place, kappa+i-1)
				}
				if i == 0 {
					reached[place] = true
				}
			}
		}
		if n := len(slices.DeleteFunc(reached, func(b bool) bool { return !b })); n != kappa {
			t.Errorf("ranks(%d): the first dataset had %d places in 400 draws, want %d", relation, n, kappa)
		}
	}
	if got := ranks(relations-1, r); !slices.IsSorted(got) {
		t.Errorf("ranks(%d) = %v, want the popular large", relations-1, got)
	}
	if got := ranks(0, r); !slices.IsSortedFunc(got, func(a, b int) int { return b - a }) {
		t.Errorf("ranks(0) = %v, want the popular small", got)
	}
}

func TestWorkload(t *testing.T) {
	o := base(calibrated)
	for t1, theta := range thetas {
		var seen [datasets]float64
		const draws = 20
		mean := 0.0
		for k := range draws {
			w := newWorkload(point{t1, 3, 5}, o, 11, k)
			for i, d := range w.dataset {
				seen[d]++
				mean += w.time[i] / (draws * arrivals)
			}
			if !slices.IsSorted(w.time) || w.time[0] < 0 || w.time[arrivals-1] >= span {
				t.Fatalf("times from %v to %v, want ascending within 0 to %v", w.time[0], w.time[arrivals-1], span)
			}
			size := slices.Sorted(slices.Values(w.size))
			if ratio, want := size[datasets-1]/size[0], math.Pow(datasets, thetas[3]); !scalar.EqualWithinAbs(ratio, want, rounding*want) {
				t.Errorf("largest over least size %v, want %v", ratio, want)
			}
		}
		// The mean of 20,000 uniform draws has a standard deviation of .2.
		if !scalar.EqualWithinAbs(mean, span/2, 1) {
			t.Errorf("mean arrival %v, want %v", mean, span/2)
		}
		// Chi-square with 19 degrees of freedom is above 52 once in 15,000.
		chi := 0.0
		for d, p := range zipf(datasets, theta) {
			want := p * draws * arrivals
			chi += (seen[d] - want) * (seen[d] - want) / want
		}
		if chi > 52 {
			t.Errorf("theta = %v: chi-square %v of the datasets, want at most 52", theta, chi)
		}
	}
}

func TestSameOnAnyProcessors(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	var all [][]cell
	for _, n := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(n)
		s := seeded(5)
		cells := s.simulate(2, under(base(calibrated), point{4, 4, 8}, point{1, 3, 2}, point{4, 4, 0}), averageResponse, maximumStretch)
		if s.err != nil {
			t.Fatal(s.err)
		}
		all = append(all, cells)
	}
	if !reflect.DeepEqual(all[0], all[1]) || !reflect.DeepEqual(all[0], all[2]) {
		t.Error("the cells depend on GOMAXPROCS")
	}
}

func TestParallelErrors(t *testing.T) {
	s := seeded(1)
	s.simulate(1, under(settings{slots: slots, max: -1, load: load, fraction: 1}, point{}), averageResponse)
	if s.err == nil {
		t.Error("simulate with M = -1 gave no error")
	}
	if cells := s.simulate(1, under(base(calibrated), point{}), averageResponse); cells != nil || s.err == nil {
		t.Errorf("after an error simulate = %v, %v", cells, s.err)
	}
}

// Section 4: "by definition, CIRCUMFLEX does more work than BATCH but less work than FLEX". Where
// jobs can use few slots their scans last longer than a window, and CIRCUMFLEX does less than
// BATCH.
func TestWorkOfLongScans(t *testing.T) {
	worst := point{steps - 1, steps - 1, 0}
	for _, x := range []struct {
		most int
		less bool
	}{{4, true}, {5, true}, {calibrated, false}} {
		s := seeded(1)
		cells := s.simulate(2, under(base(x.most), worst), averageResponse)
		if s.err != nil {
			t.Fatal(s.err)
		}
		w := &cells[0].work[averageResponse]
		for i := range w[circumflex] {
			if c, b := w[circumflex][i], w[batch][i]; (c < b) != x.less || !(c < 1) {
				t.Errorf("M = %d, repetition %d: work of CIRCUMFLEX %.3f, of BATCH %.3f of FLEX's, want less than BATCH's: %v, and below 1", x.most, i, c, b, x.less)
			}
		}
	}
}
