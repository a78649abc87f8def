package hfsp

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
	"gonum.org/v1/gonum/stat/distuv"
)

var tableI = []struct {
	name   string
	mix    pigMix
	shares [4]float64 // Table I
	gap    float64
}{
	{"SMALL", smallMix(), [4]float64{0.65, 0.20, 0.10, 0.05}, 30},
	{"LARGE", largeMix(), [4]float64{0, 0.10, 0.60, 0.30}, 120},
}

func drawn(t testing.TB, p pigMix, n int, seed, replication uint64) ([]slotmodel.JobSpec, []pigMixJob) {
	t.Helper()
	jobs, made, err := p.jobs(n, seed, replication)
	if err != nil || len(jobs) != n || len(made) != n {
		t.Fatalf("%+v.Jobs(%d, %d, %d) = %d jobs, %d descriptions, error %v", p, n, seed, replication, len(jobs), len(made), err)
	}
	return jobs, made
}

// accepted fails if the counts of equally long series of trials do not look like draws with these
// chances: Pearson's chi-square with a chance of 1 in 10^4 to fail for a right generator. Seeds are
// fixed, so that it does not fail now and then.
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
	for _, m := range tableI {
		datasets, queries := make([]int, 4), make([]int, 17)
		gaps, n := 0.0, 0
		for seed := range uint64(300) {
			jobs, made := drawn(t, m.mix, 100, seed, 0)
			for i, j := range jobs {
				datasets[made[i].dataset]++
				queries[made[i].query]++
				if bin := bins[made[i].dataset]; j.Maps.Tasks < bin[0] || j.Maps.Tasks > bin[1] {
					t.Fatalf("%s, seed %d: job %d of dataset %d has %d maps, want %d to %d", m.name, seed, i, made[i].dataset, j.Maps.Tasks, bin[0], bin[1])
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
	queries := pigMixQueries[:]
	if len(queries) != 17 {
		t.Fatalf("%d queries, want 17", len(queries))
	}
	for d, bin := range bins {
		shapes := map[string]string{}
		for i, q := range queries {
			var shares [4]float64
			shares[d] = 1
			jobs, _ := drawn(t, pigMix{shares: shares, gap: 30, queries: queries[i : i+1], maps: ordinary(), reduces: ordinary()}, 1, 1, 0)
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
}

// One stream a purpose: a parameter changes what it is about and no more.
func TestPigMixStreams(t *testing.T) {
	base := smallMix()
	jobs, made := drawn(t, base, 100, 7, 3)
	again, madeAgain := drawn(t, base, 100, 7, 3)
	if !cmp.Equal(jobs, again) || !slices.Equal(made, madeAgain) {
		t.Fatal("the same arguments give other jobs")
	}
	if more, _ := drawn(t, base, 150, 7, 3); !cmp.Equal(jobs, more[:100]) {
		t.Error("the first 100 of 150 jobs are not the 100")
	}
	for _, s := range [][2]uint64{{8, 3}, {7, 4}} {
		other, _ := drawn(t, base, 100, s[0], s[1])
		if other[0].Arrival == jobs[0].Arrival || cmp.Equal(other[50].Maps, jobs[50].Maps) {
			t.Errorf("seed %d, replication %d repeats numbers of seed 7, replication 3", s[0], s[1])
		}
	}
	faster, slow := base, base
	faster.gap = 15
	slow.reduces.Median *= 2
	other := largeMix()
	other.gap, other.maps = 30, base.maps
	fj, fm := drawn(t, faster, 100, 7, 3)
	sj, _ := drawn(t, slow, 100, 7, 3)
	oj, om := drawn(t, other, 100, 7, 3)
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
			if y := sj[i].Reduces.Works[k]; math.Abs(y-2*x) > 1e-12*x {
				t.Fatalf("with twice the median reduce %d of job %d takes %v s, want twice %v", k, i, y, x)
			}
		}
		if oj[i].Arrival != j.Arrival || om[i].query != made[i].query || om[i].dataset < made[i].dataset {
			t.Fatalf("other shares change arrival or query of job %d, or make its dataset smaller: %+v after %+v", i, om[i], made[i])
		}
		n := min(len(j.Maps.Works), len(oj[i].Maps.Works))
		for k := range n {
			if j.Maps.Works[k] != oj[i].Maps.Works[k] {
				moved++
			}
		}
	}
	if moved > 0 {
		t.Errorf("on another dataset %d maps take another time", moved)
	}
}

// offered returns the work that the workload offers per second and slot in the long run, for maps
// and reduces:
//
//	sum over datasets d of share(d) * mean over queries of tasks * mean task time / (gap * slots)
//
// From 1 on a cluster of so many slots of speed 1 cannot keep up.
func (p pigMix) offered(mapSlots, reduceSlots int) (maps, reduces float64) {
	for d, share := range p.shares {
		for i := range p.queries {
			q := &p.queries[i]
			job := q.job(pigMixGiB[d])
			w := share / p.sum() / float64(len(p.queries))
			maps += w * float64(job.Maps.Tasks) * p.maps.mean(q.MapTime)
			reduces += w * float64(job.Reduces.Tasks) * p.reduces.mean(q.ReduceTime)
		}
	}
	return maps / p.gap / float64(mapSlots), reduces / p.gap / float64(reduceSlots)
}

// mean is the expected time of a task.
func (t *taskTimes) mean(factor float64) float64 {
	return t.Median * factor * math.Exp(t.Spread*t.Spread/2)
}

// The formula of offered against the works of many jobs.
func TestPigMixLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for i, m := range tableI {
		maps, reduces := m.mix.offered(72, 36)
		// The figures of the doc comment.
		want := [][2]float64{{0.255, 0.073}, {0.298, 0.078}}[i]
		if math.Abs(maps-want[0]) > 0.005 || math.Abs(reduces-want[1]) > 0.005 {
			t.Errorf("%s: offered(72, 36) = %v, %v, want %v", m.name, maps, reduces, want)
		}
		var x, y, xx, yy float64 // work a job in units of the mean offered, over groups of jobs, with squares
		const groups, size = 800, 100
		for rep := range uint64(groups) {
			jobs, _ := drawn(t, m.mix, size, 11, rep)
			a, b, err := workload.OfferedLoad(72, 36, jobs)
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
				t.Errorf("%s: %v: the work drawn is %v of what offered says, want 1 within %v", m.name, slotmodel.Kind(k), mean, room)
			}
		}
	}
	p := pigMix{shares: [4]float64{0, 0, 0, 2}, gap: 50, maps: taskTimes{Median: 10}, reduces: taskTimes{Median: 5},
		queries: []pigMixQuery{{Fraction: 0.5, MapTime: 2, PerGiB: 0.1, ReduceTime: 3}}}
	if maps, reduces := p.offered(16, 3); maps != 10 || reduces != 0.5 { // 400 * 20 / (50 * 16), 5 * 15 / (50 * 3)
		t.Errorf("offered(16, 3) of one query = %v, %v, want 10, .5", maps, reduces)
	}
}

// All jobs on one dataset read the same blocks: a query always the same ones in a row.
func TestDatasets(t *testing.T) {
	c := testbed(plain)
	for kind, mix := range mixes {
		jobs, err := (&experiment{c, jobsPerRun, 4}).pigmix(mix(), 2)
		if err != nil {
			t.Fatal(err)
		}
		_, made, err := mix().jobs(jobsPerRun, 4, 2)
		if err != nil {
			t.Fatal(err)
		}
		d, err := store(c, 4, 2)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[pigMixJob][]int32{}
		wrapped := 0
		for i := range jobs {
			if was, ok := seen[made[i]]; ok && !slices.Equal(was, jobs[i].Replicas) {
				t.Errorf("%s: query %d reads %v and %v of dataset %d", workloadNames[kind], made[i].query, was, jobs[i].Replicas, made[i].dataset)
			}
			seen[made[i]] = jobs[i].Replicas
			begin, whole := d.begin[made[i].dataset][made[i].query], datasetBlocks[made[i].dataset]
			if begin+jobs[i].Maps.Tasks > whole {
				wrapped++
			}
			for b := range jobs[i].Maps.Tasks {
				at := (begin + b) % whole * copies
				if got, want := jobs[i].Replicas[b*copies:(b+1)*copies], d.places[made[i].dataset][at:at+copies]; !slices.Equal(got, want) {
					t.Fatalf("%s: job %d: block %d lies on %v, want %v", workloadNames[kind], i, b, got, want)
				}
			}
		}
		if len(seen) == len(jobs) || wrapped == 0 {
			t.Errorf("%s: %d jobs are %d different ones, %d go past the end of a dataset: want some alike, some past", workloadNames[kind], len(jobs), len(seen), wrapped)
		}
	}
}

// The law of taskTimes on one query: its distribution against the formula.
func TestTaskTimesLaw(t *testing.T) {
	const spread = 0.25
	query := pigMixQuery{Name: "q", Fraction: 0.5, MapTime: 3, ReduceTime: 1, PerGiB: 1}
	p := pigMix{shares: [4]float64{0, 1, 0, 0}, gap: 30, queries: []pigMixQuery{query}, maps: taskTimes{8, spread}, reduces: taskTimes{Median: 7}}
	var times []float64
	jobs, _ := drawn(t, p, 1000, 5, 0)
	for _, j := range jobs {
		times = append(times, j.Maps.Works...)
		for _, x := range j.Reduces.Works {
			if x != 7 {
				t.Fatalf("without spread a reduce takes %v s, want 7", x)
			}
		}
	}
	slices.Sort(times)
	law, d := distuv.LogNormal{Mu: math.Log(8 * 3), Sigma: spread}, 0.0
	for i, x := range times { // Kolmogorov-Smirnov distance; sqrt(n) d > 2.2 has a chance of 1 in 8000
		f := law.CDF(x)
		d = max(d, math.Abs(f-float64(i)/float64(len(times))), math.Abs(f-float64(i+1)/float64(len(times))))
	}
	if s := d * math.Sqrt(float64(len(times))); !(s < 2.2) {
		t.Errorf("sqrt(n) times the Kolmogorov-Smirnov distance is %v, want below 2.2", s)
	}
}
