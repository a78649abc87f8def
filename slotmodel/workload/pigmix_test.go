package workload_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

var mixes = []struct {
	name   string
	mix    workload.PigMix
	shares [4]float64 // Table I
	gap    float64
}{
	{"SMALL", workload.SmallPigMix(), [4]float64{0.65, 0.20, 0.10, 0.05}, 30},
	{"LARGE", workload.LargePigMix(), [4]float64{0, 0.10, 0.60, 0.30}, 120},
}

func pigMix(t testing.TB, p workload.PigMix, n int, seed, replication uint64) ([]slotmodel.JobSpec, []workload.PigMixJob) {
	t.Helper()
	jobs, made, err := p.Jobs(n, seed, replication)
	if err != nil || len(jobs) != n || len(made) != n {
		t.Fatalf("%+v.Jobs(%d, %d, %d) = %d jobs, %d descriptions, error %v", p, n, seed, replication, len(jobs), len(made), err)
	}
	return jobs, made
}

// accepted fails if the counts of equally long series of trials do not look like draws with these chances: Pearson's chi-square with
// a chance of 1 in 10^4 to fail for a right generator. Seeds are fixed, so that it does not fail now and then.
func accepted(t *testing.T, what string, counts []int, chances []float64) {
	t.Helper()
	n, free, chi := 0, -1, 0.0
	for _, c := range counts {
		n += c
	}
	for i, p := range chances {
		if p == 0 {
			if counts[i] > 0 {
				t.Errorf("%s: outcome %d came %d times, want never", what, i, counts[i])
			}
			continue
		}
		free++
		want := p * float64(n)
		chi += (float64(counts[i]) - want) * (float64(counts[i]) - want) / want
	}
	if p := 1 - (distuv.ChiSquared{K: float64(free)}).CDF(chi); !(p > 1e-4) {
		t.Errorf("%s: counts %v for chances %.4v: chi-square %.1f with %d degrees of freedom, p = %.2g", what, counts, chances, chi, free, p)
	}
}

func TestPigMixTableI(t *testing.T) {
	bins := [4][2]int{{1, 4}, {10, 50}, {50, 150}, {151, math.MaxInt}}
	for _, m := range mixes {
		datasets, queries := make([]int, 4), make([]int, 17)
		gaps, n := 0.0, 0
		for seed := range uint64(300) {
			jobs, made := pigMix(t, m.mix, 100, seed, 0)
			for i, j := range jobs {
				datasets[made[i].Dataset]++
				queries[made[i].Query]++
				if bin := bins[made[i].Dataset]; j.Maps.Tasks < bin[0] || j.Maps.Tasks > bin[1] {
					t.Fatalf("%s, seed %d: job %d of dataset %d has %d maps, want %d to %d", m.name, seed, i, made[i].Dataset, j.Maps.Tasks, bin[0], bin[1])
				}
				if j.Slowstart != 0.95 || j.User != 0 || len(j.Maps.Works) != j.Maps.Tasks || len(j.Reduces.Works) != j.Reduces.Tasks || j.Replicas != nil {
					t.Fatalf("%s, seed %d: job %d is %+v", m.name, seed, i, j)
				}
				if i > 0 && !(j.Arrival > jobs[i-1].Arrival) {
					t.Fatalf("%s, seed %d: job %d arrives at %v after %v", m.name, seed, i, j.Arrival, jobs[i-1].Arrival)
				}
			}
			gaps += jobs[99].Arrival
			n += 100
		}
		accepted(t, m.name+" datasets", datasets, m.shares[:])
		accepted(t, m.name+" queries", queries, slices.Repeat([]float64{1.0 / 17}, 17))
		// The mean of n exponential gaps has a standard deviation of gap / sqrt(n): four of them.
		if mean, room := gaps/float64(n), 4*m.gap/math.Sqrt(float64(n)); math.Abs(mean-m.gap) > room {
			t.Errorf("%s: mean gap %v, want %v within %v", m.name, mean, m.gap, room)
		}
	}
}

// Every query on every dataset, drawn or not, is in its bin, and no two queries are alike.
func TestPigMixQueries(t *testing.T) {
	bins := [4][2]int{{1, 4}, {10, 50}, {50, 150}, {151, 400}}
	queries := workload.PigMixQueries()
	if len(queries) != 17 {
		t.Fatalf("%d queries, want 17", len(queries))
	}
	for d, bin := range bins {
		shapes := map[string]string{}
		for i, q := range queries {
			var shares [4]float64
			shares[d] = 1
			jobs, _ := pigMix(t, workload.PigMix{Shares: shares, Queries: queries[i : i+1]}, 1, 1, 0)
			j := jobs[0]
			if j.Maps.Tasks < bin[0] || j.Maps.Tasks > bin[1] {
				t.Errorf("%s on dataset %d has %d maps, want %d to %d", q.Name, d, j.Maps.Tasks, bin[0], bin[1])
			}
			if perMap := j.Input / float64(j.Maps.Tasks); !(perMap <= 128<<20) {
				t.Errorf("%s on dataset %d: %v bytes a map, want at most a block", q.Name, d, perMap)
			}
			if none := q.Name == "L2" || q.Name == "L14"; (j.Reduces.Tasks == 0) != none || none && j.Shuffle != 0 {
				t.Errorf("%s on dataset %d has %d reduces and shuffles %v bytes", q.Name, d, j.Reduces.Tasks, j.Shuffle)
			}
			shape := fmt.Sprint(j.Input, j.Shuffle, j.Output)
			if other, ok := shapes[shape]; ok {
				t.Errorf("%s and %s move the same bytes on dataset %d", q.Name, other, d)
			}
			shapes[shape] = q.Name
		}
	}
	queries[0].Fraction = 99
	if workload.PigMixQueries()[0].Fraction == 99 {
		t.Error("a change to the slice of PigMixQueries changes the next one")
	}
}

// What Figure 4 shows, over both workloads: most tasks take a few tens of seconds, around 10% of the reduces and a share of the maps
// that is small but not negligible orders of magnitude more; the axis ends at 10^4 s.
func TestPigMixFigure4(t *testing.T) {
	var maps, reduces []float64
	for _, m := range mixes {
		for seed := range uint64(50) {
			jobs, _ := pigMix(t, m.mix, 100, seed, 0)
			for _, j := range jobs {
				maps, reduces = append(maps, j.Maps.Works...), append(reduces, j.Reduces.Works...)
			}
		}
	}
	for _, c := range []struct {
		kind                     string
		times                    []float64
		most, longLeast, longTop float64 // share of at most 60 s; of at least 200 s: ten medians
	}{
		{"map", maps, 0.95, 0.01, 0.03},
		{"reduce", reduces, 0.85, 0.08, 0.12},
	} {
		slices.Sort(c.times)
		share := func(x float64) float64 {
			i, _ := slices.BinarySearch(c.times, x)
			return float64(i) / float64(len(c.times))
		}
		at := func(q float64) float64 { return c.times[int(q*float64(len(c.times)))] }
		if s := share(60); !(s >= c.most) {
			t.Errorf("%.3f of %s times are below 60 s, want at least %v", s, c.kind, c.most)
		}
		if s := 1 - share(200); !(c.longLeast <= s && s <= c.longTop) {
			t.Errorf("%.4f of %s times are 200 s or more, want %v to %v", s, c.kind, c.longLeast, c.longTop)
		}
		if m := at(0.5); !(15 <= m && m <= 40) {
			t.Errorf("the median %s takes %v s, want a few tens", c.kind, m)
		}
		if least, most := c.times[0], c.times[len(c.times)-1]; !(least > 1 && 1000 < most && most <= 5000) {
			t.Errorf("%s times are from %v to %v s, want within 1 to 5000 with some above 1000", c.kind, least, most)
		}
	}
}

// The law of TaskTimes on one dataset and query: shares and quantiles against its formulas.
func TestTaskTimesLaw(t *testing.T) {
	law := workload.TaskTimes{Median: 8, Spread: 0.5, Long: 0.05, LongJobs: 0.25, LongLow: 1000, LongPerGiB: 400}
	query := workload.PigMixQuery{Name: "q", Fraction: 0.5, MapTime: 3, ReduceTime: 1, PerGiB: 1}
	p := workload.PigMix{Shares: [4]float64{0, 1, 0, 0}, Queries: []workload.PigMixQuery{query}, Map: law}
	var ordinary, long []float64
	withLong, jobCount := 0, 4000
	jobs, _ := pigMix(t, p, jobCount, 5, 0)
	for _, j := range jobs {
		before := len(long)
		for _, x := range j.Maps.Works {
			if x >= 1000 { // an ordinary one this long is 7.4 standard deviations out
				long = append(long, x)
			} else {
				ordinary = append(ordinary, x)
			}
		}
		if len(long) > before {
			withLong++
		}
	}
	tasks := float64(len(ordinary) + len(long))
	// A job has long ones with chance 1/4; then each of its 40 maps with 1/5, so that hardly any such job has none. Four deviations each.
	if got, room := float64(withLong)/float64(jobCount), 4*math.Sqrt(0.25*0.75/float64(jobCount)); math.Abs(got-0.25*(1-math.Pow(0.8, 40))) > room {
		t.Errorf("%v of the jobs have long tasks, want .25 within %v", got, room)
	}
	// Clustered: the variance of a job's share is .25*.75*.2^2 + .25*.2*.8/40.
	if got, room := float64(len(long))/tasks, 4*math.Sqrt((0.25*0.75*0.04+0.25*0.16/40)/float64(jobCount)); math.Abs(got-0.05) > room {
		t.Errorf("%v of the tasks are long, want .05 within %v", got, room)
	}
	uniform := func(name string, xs []float64, cdf func(float64) float64) {
		slices.Sort(xs)
		d := 0.0 // Kolmogorov-Smirnov distance; sqrt(n) d > 2.2 has a chance of 1 in 8000
		for i, x := range xs {
			f := cdf(x)
			d = max(d, math.Abs(f-float64(i)/float64(len(xs))), math.Abs(f-float64(i+1)/float64(len(xs))))
		}
		if s := d * math.Sqrt(float64(len(xs))); !(s < 2.2) {
			t.Errorf("%s: sqrt(n) times the Kolmogorov-Smirnov distance is %v, want below 2.2", name, s)
		}
	}
	uniform("ordinary", ordinary, distuv.LogNormal{Mu: math.Log(8 * 3), Sigma: 0.5}.CDF)
	uniform("long", long, func(x float64) float64 { return math.Log(x/1000) / math.Log(4) })
	if long[0] < 1000 || long[len(long)-1] > 4000 {
		t.Errorf("long tasks take %v to %v s, want 1000 to 4000", long[0], long[len(long)-1])
	}
}

func TestTaskTimesLimits(t *testing.T) {
	one := []workload.PigMixQuery{{Fraction: 0.5, MapTime: 2, ReduceTime: 1, PerGiB: 1}}
	for _, c := range []struct {
		name string
		law  workload.TaskTimes
		want func(x float64) bool
	}{
		{"no spread", workload.TaskTimes{Median: 7}, func(x float64) bool { return x == 14 }},
		{"all long", workload.TaskTimes{Median: 7, Long: 1, LongJobs: 1, LongLow: 50, LongPerGiB: 6}, func(x float64) bool { return 50 <= x && x <= 60 }},
		{"dataset too small", workload.TaskTimes{Median: 7, Long: 1, LongJobs: 1, LongLow: 60, LongPerGiB: 6}, func(x float64) bool { return x == 14 }},
	} {
		jobs, _ := pigMix(t, workload.PigMix{Shares: [4]float64{0, 1}, Queries: one, Map: c.law}, 20, 1, 0)
		for _, j := range jobs {
			for _, x := range j.Maps.Works {
				if !c.want(x) {
					t.Fatalf("%s: a map takes %v s", c.name, x)
				}
			}
		}
	}
}

// One stream a purpose: a parameter changes what it is about and no more.
func TestPigMixStreams(t *testing.T) {
	base := workload.SmallPigMix()
	jobs, made := pigMix(t, base, 100, 7, 3)
	again, madeAgain := pigMix(t, base, 100, 7, 3)
	if !cmp.Equal(jobs, again) || !cmp.Equal(made, madeAgain) {
		t.Fatal("the same arguments give other jobs")
	}
	if zero, _ := pigMix(t, workload.PigMix{}, 100, 7, 3); !cmp.Equal(jobs, zero) {
		t.Error("the zero PigMix is not SMALL")
	}
	if more, _ := pigMix(t, base, 150, 7, 3); !cmp.Equal(jobs, more[:100]) {
		t.Error("the first 100 of 150 jobs are not the 100")
	}
	for _, s := range [][2]uint64{{8, 3}, {7, 4}} {
		other, _ := pigMix(t, base, 100, s[0], s[1])
		if other[0].Arrival == jobs[0].Arrival || cmp.Equal(other[50].Maps, jobs[50].Maps) {
			t.Errorf("seed %d, replication %d repeats numbers of seed 7, replication 3", s[0], s[1])
		}
	}
	faster, slow := base, base
	faster.Gap = 15
	slow.Reduce = workload.ReduceTimes()
	slow.Reduce.Median *= 2
	other := workload.LargePigMix()
	other.Gap = 30
	fj, fm := pigMix(t, faster, 100, 7, 3)
	sj, _ := pigMix(t, slow, 100, 7, 3)
	oj, om := pigMix(t, other, 100, 7, 3)
	moved := 0
	for i, j := range jobs {
		if !cmp.Equal(fj[i].Maps, j.Maps) || !cmp.Equal(fj[i].Reduces, j.Reduces) || fm[i] != made[i] {
			t.Fatalf("another gap changes job %d besides its arrival", i)
		}
		if d := math.Abs(fj[i].Arrival*2 - j.Arrival); d > 1e-12*j.Arrival { // rounding of sums
			t.Fatalf("with half the gap job %d arrives at %v, want half of %v", i, fj[i].Arrival, j.Arrival)
		}
		if !cmp.Equal(sj[i].Maps, j.Maps) || sj[i].Arrival != j.Arrival {
			t.Fatalf("other times of reduces change maps or the arrival of job %d", i)
		}
		for k, x := range j.Reduces.Works {
			if x < 200 && math.Abs(sj[i].Reduces.Works[k]-2*x) > 1e-12*x {
				t.Fatalf("with twice the median reduce %d of job %d takes %v s, want twice %v", k, i, sj[i].Reduces.Works[k], x)
			}
		}
		if oj[i].Arrival != j.Arrival || om[i].Query != made[i].Query || om[i].Dataset < made[i].Dataset {
			t.Fatalf("other shares change arrival or query of job %d, or make its dataset smaller: %+v after %+v", i, om[i], made[i])
		}
		n := min(len(j.Maps.Works), len(oj[i].Maps.Works))
		for k := range n {
			if x, y := j.Maps.Works[k], oj[i].Maps.Works[k]; x != y && x < 200 && y < 200 {
				moved++
			}
		}
	}
	if moved > 0 {
		t.Errorf("on another dataset %d ordinary maps take another time", moved)
	}
}

// The formula of Load against the works of many jobs.
func TestPigMixLoad(t *testing.T) {
	for i, m := range mixes {
		maps, reduces, err := m.mix.Load(72, 36)
		// The figures of the doc comment.
		want := [][2]float64{{0.61, 0.41}, {0.78, 0.54}}[i]
		if err != nil || math.Abs(maps-want[0]) > 0.005 || math.Abs(reduces-want[1]) > 0.005 {
			t.Errorf("%s: Load(72, 36) = %v, %v, error %v, want %v", m.name, maps, reduces, err, want)
		}
		var x, y, xx, yy float64 // work a job in units of the mean offered, over groups of jobs, with squares
		const groups, size = 400, 100
		for rep := range uint64(groups) {
			jobs, _ := pigMix(t, m.mix, size, 11, rep)
			a, b, err := workload.OfferedLoad(jobs, 72, 36)
			if err != nil {
				t.Fatal(err)
			}
			scale := jobs[size-1].Arrival / (size * m.gap) // the work alone, without the luck of arrivals
			a, b = a*scale/maps, b*scale/reduces
			x, y, xx, yy = x+a, y+b, xx+a*a, yy+b*b
		}
		for k, s := range [][2]float64{{x, xx}, {y, yy}} {
			mean := s[0] / groups
			room := 4 * math.Sqrt((s[1]/groups-mean*mean)/groups)
			if math.Abs(mean-1) > room || room > 0.2 {
				t.Errorf("%s: %v: the work drawn is %v of what Load says, want 1 within %v", m.name, slotmodel.Kind(k), mean, room)
			}
		}
	}
	p := workload.PigMix{Shares: [4]float64{0, 0, 0, 2}, Gap: 50, Map: workload.TaskTimes{Median: 10}, Reduce: workload.TaskTimes{Median: 5},
		Queries: []workload.PigMixQuery{{Fraction: 0.5, MapTime: 2, PerGiB: 0.1, ReduceTime: 3}}}
	if maps, reduces, err := p.Load(16, 3); err != nil || maps != 10 || reduces != 0.5 { // 400 * 20 / (50 * 16), 5 * 15 / (50 * 3)
		t.Errorf("Load(16, 3) of one query = %v, %v, %v, want 10, .5", maps, reduces, err)
	}
}

func TestPigMixErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	query := func(f func(*workload.PigMixQuery)) workload.PigMix {
		q := workload.PigMixQueries()
		f(&q[2])
		return workload.PigMix{Queries: q}
	}
	times := func(f func(*workload.TaskTimes)) workload.PigMix {
		m := workload.MapTimes()
		f(&m)
		return workload.PigMix{Map: m}
	}
	type tt = workload.TaskTimes
	type pq = workload.PigMixQuery
	for _, c := range []struct {
		p      workload.PigMix
		n      int
		arg    string
		index  int
		reason string
	}{
		{workload.PigMix{}, -1, "n", -1, "-1, want 0 to 134217728"},
		{workload.PigMix{}, 1 << 27, "n", -1, "134217728 jobs of up to 433 tasks, want at most 134217728 tasks"},
		{workload.PigMix{Shares: [4]float64{1, nan}}, 1, "p", 1, "Shares[1] is NaN, want a finite number >= 0"},
		{workload.PigMix{Shares: [4]float64{1, 2, 3, -1}}, 1, "p", 3, "Shares[3] is -1, want a finite number >= 0"},
		{workload.PigMix{Shares: [4]float64{1e308, 1e308}}, 1, "p", -1, "Shares add up to +Inf, want a finite sum > 0"},
		{workload.PigMix{Gap: -1}, 1, "p", -1, "Gap is -1, want a finite number > 0"},
		{workload.PigMix{Gap: nan}, 1, "p", -1, "Gap is NaN, want a finite number > 0"},
		{workload.PigMix{Gap: 1e300}, 1, "p", -1, "Gap is 1e+300, which allows times beyond float64"},
		{workload.PigMix{Queries: []pq{}}, 1, "p", -1, "Queries is empty, want at least one or nil"},
		{query(func(q *pq) { q.Fraction = 1.5 }), 1, "p", 2, "Queries[2].Fraction is 1.5, want more than 0 and at most 1"},
		{query(func(q *pq) { q.Fraction = nan }), 1, "p", 2, "Queries[2].Fraction is NaN, want more than 0 and at most 1"},
		{query(func(q *pq) { q.MapTime = 0 }), 1, "p", 2, "Queries[2].MapTime is 0, want a finite number > 0"},
		{query(func(q *pq) { q.MapTime = 1e307 }), 1, "p", 2, "Queries[2].MapTime or ReduceTime allows times beyond float64"},
		{query(func(q *pq) { q.ReduceTime = inf }), 1, "p", 2, "Queries[2].ReduceTime is +Inf, want a finite number > 0"},
		{query(func(q *pq) { q.PerGiB = 2e7 }), 1, "p", 2, "Queries[2].PerGiB is 2e+07, want 0 to 1.073741823e+07"},
		{query(func(q *pq) { q.PerGiB = nan }), 1, "p", 2, "Queries[2].PerGiB is NaN, want 0 to 1.073741823e+07"},
		{query(func(q *pq) { q.PerGiB = 0 }), 1, "p", 2, "Queries[2].Shuffle is 0.3 without a reduce phase, want 0"},
		{query(func(q *pq) { q.Shuffle = -1 }), 1, "p", 2, "Queries[2].Shuffle is -1, want a finite number >= 0"},
		{query(func(q *pq) { q.Output = 1e300 }), 1, "p", 2, "Queries[2].Shuffle or Output allows bytes beyond float64"},
		{times(func(m *tt) { m.Median = nan }), 1, "p", -1, "Map.Median is NaN, want a finite number > 0"},
		{times(func(m *tt) { m.Spread = -0.1 }), 1, "p", -1, "Map.Spread is -0.1, want a finite number >= 0"},
		{times(func(m *tt) { m.Long = 0.2 }), 1, "p", -1, "Map.Long is 0.2, want within [0, LongJobs] = [0, 0.1]"},
		{times(func(m *tt) { m.LongJobs = 1.1 }), 1, "p", -1, "Map.LongJobs is 1.1, want within [0, 1]"},
		{times(func(m *tt) { m.LongLow = 0 }), 1, "p", -1, "Map.LongLow is 0, want a finite number > 0"},
		{times(func(m *tt) { m.LongPerGiB = nan }), 1, "p", -1, "Map.LongPerGiB is NaN, want a finite number >= 0"},
		{times(func(m *tt) { m.LongPerGiB = 1e307 }), 1, "p", 0, "Queries[0].MapTime or ReduceTime allows times beyond float64"},
	} {
		_, _, err := c.p.Jobs(c.n, 1, 0)
		want := &schedmath.InputError{Func: "workload.PigMix.Jobs", Arg: c.arg, Index: c.index, Reason: c.reason}
		if d := cmp.Diff(error(want), err); d != "" {
			t.Errorf("Jobs(%d, 1, 0): -want +got error\n%s", c.n, d)
		}
		if c.arg == "n" {
			continue
		}
		want.Func = "workload.PigMix.Load"
		if _, _, err := c.p.Load(1, 1); !cmp.Equal(error(want), err) {
			t.Errorf("Load(1, 1) = error %v, want %v", err, want)
		}
	}
	for _, c := range []struct {
		maps, reduces int
		arg           string
	}{{0, 1, "mapSlots"}, {1, -1, "reduceSlots"}} {
		_, _, err := workload.PigMix{}.Load(c.maps, c.reduces)
		var ie *schedmath.InputError
		if !errors.As(err, &ie) || ie.Arg != c.arg {
			t.Errorf("Load(%d, %d) = error %v, want one about %s", c.maps, c.reduces, err, c.arg)
		}
	}
	if jobs, made, err := (workload.PigMix{}).Jobs(0, 1, 0); len(jobs)+len(made) > 0 || err != nil {
		t.Errorf("no jobs: %v, %v, %v", jobs, made, err)
	}
}

func TestOfferedLoad(t *testing.T) {
	phase := func(n int, w float64) slotmodel.Phase { return slotmodel.Phase{Tasks: n, Work: w} }
	jobs := []slotmodel.JobSpec{
		{Arrival: 10, Maps: phase(4, 5), Reduces: slotmodel.Phase{Tasks: 2, Work: 99, Works: []float64{1, 3}}},
		{Arrival: 5, Maps: phase(0, 7), Reduces: phase(2, 8)},
	}
	if m, r, err := workload.OfferedLoad(jobs, 4, 2); m != 0.5 || r != 1 || err != nil {
		t.Errorf("OfferedLoad = %v, %v, %v, want .5, 1", m, r, err)
	}
	if m, r, err := workload.OfferedLoad(nil, 4, 2); m != 0 || r != 0 || err != nil {
		t.Errorf("OfferedLoad of no jobs = %v, %v, %v, want 0, 0", m, r, err)
	}
	for _, c := range []struct {
		job    slotmodel.JobSpec
		m, r   int
		reason string
	}{
		{slotmodel.JobSpec{Arrival: 1}, 0, 1, "0, want at least 1"},
		{slotmodel.JobSpec{Arrival: 1}, 1, 0, "0, want at least 1"},
		{slotmodel.JobSpec{Arrival: math.NaN()}, 1, 1, "Arrival is NaN, want a finite number >= 0"},
		{slotmodel.JobSpec{}, 1, 1, "the last Arrival is 0, want a time to spread the load over"},
		{slotmodel.JobSpec{Arrival: 1, Maps: phase(-1, 1)}, 1, 1, "Maps.Tasks is -1, want >= 0"},
		{slotmodel.JobSpec{Arrival: 1, Maps: phase(1, -1)}, 1, 1, "Maps.Work is -1, want a finite number >= 0"},
		{slotmodel.JobSpec{Arrival: 1, Reduces: slotmodel.Phase{Tasks: 1, Works: []float64{}}}, 1, 1, "Reduces.Works has 0 elements, want 1"},
		{slotmodel.JobSpec{Arrival: 1, Reduces: slotmodel.Phase{Tasks: 1, Works: []float64{math.Inf(1)}}}, 1, 1,
			"Reduces.Works[0] is +Inf, want a finite number >= 0"},
		{slotmodel.JobSpec{Arrival: 1, Maps: phase(2, math.MaxFloat64)}, 1, 1, "the load is beyond float64"},
	} {
		_, _, err := workload.OfferedLoad([]slotmodel.JobSpec{c.job}, c.m, c.r)
		var ie *schedmath.InputError
		if !errors.As(err, &ie) || ie.Func != "workload.OfferedLoad" || ie.Reason != c.reason {
			t.Errorf("OfferedLoad(%+v, %d, %d) = error %v, want %q", c.job, c.m, c.r, err, c.reason)
		}
	}
}
