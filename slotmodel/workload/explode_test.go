package workload_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func explode(t testing.TB, jobs []workload.SWIMJob, o workload.ExplodeOptions, seed uint64) ([]slotmodel.JobSpec, workload.Explosion) {
	t.Helper()
	specs, x, err := workload.Explode(nil, jobs, o, workload.Stream(seed, workload.Users, 0))
	if err != nil || len(specs) != len(jobs) {
		t.Fatalf("Explode(%d jobs, %+v) = %d jobs, error %v", len(jobs), o, len(specs), err)
	}
	return specs, x
}

// traceFile reads a trace that is not part of the module, or skips the test.
func traceFile(t *testing.T, name string) []workload.SWIMJob {
	t.Helper()
	jobs, err := workload.ReadSWIM(open(t, "data/swim/"+name))
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func TestExplodeRules(t *testing.T) {
	const block, bucket = 128 << 20, 1 << 30
	jobs := []workload.SWIMJob{
		{ID: "empty", Submit: 0},
		{ID: "map only", Submit: 1, MapInput: block, Output: block},
		{ID: "one byte more", Submit: 2, MapInput: block + 1},
		{ID: "reduce", Submit: 3, MapInput: 10 * block, Shuffle: bucket, Output: bucket / 2},
		{ID: "reduces", Submit: 4, MapInput: 1, Shuffle: 3*bucket + 1},
		{ID: "no input", Submit: 5, Shuffle: 1, Output: 7},
		{ID: "output alone", Submit: 100, Output: 9 * block},
	}
	specs, x := explode(t, jobs, workload.ExplodeOptions{MapRate: 1 << 20, ReduceRate: 1 << 21, DN: 4}, 1)
	phase := func(n int, bytes, rate float64) slotmodel.Phase {
		if n == 0 {
			return slotmodel.Phase{}
		}
		return slotmodel.Phase{Tasks: n, Work: bytes / float64(n) / rate}
	}
	maps := []slotmodel.Phase{phase(1, 0, 1), phase(1, 2*block, 1<<20), phase(2, block+1, 1<<20), phase(10, 10*block, 1<<20), phase(1, 1, 1<<20),
		phase(1, 0, 1), phase(1, 9*block, 1<<20)}
	reduces := []slotmodel.Phase{{}, {}, {}, phase(1, 5.5*bucket, 1<<21), phase(4, 5*(3*bucket+1), 1<<21), phase(1, 12, 1<<21), {}}
	for i, s := range specs {
		want := slotmodel.JobSpec{Arrival: jobs[i].Submit, Maps: maps[i], Reduces: reduces[i], Slowstart: 0.95,
			Input: jobs[i].MapInput, Shuffle: jobs[i].Shuffle, Output: jobs[i].Output}
		if d := cmp.Diff(want, s); d != "" {
			t.Errorf("%s: -want +got\n%s", jobs[i].ID, d)
		}
	}
	if want := (workload.Explosion{Maps: 17, Reduces: 6, MapRate: 1 << 20, ReduceRate: 1 << 21}); x != want {
		t.Errorf("Explosion = %+v, want %+v", x, want)
	}
	specs, x = explode(t, jobs, workload.ExplodeOptions{Block: block / 2, Bucket: bucket * 4}, 1)
	if x.Maps != 1+2+3+20+1+1+1 || x.Reduces != 3 || specs[4].Reduces.Tasks != 1 {
		t.Errorf("with half the block and four times the bucket: %+v", x)
	}
}

// The works of each kind add up to load * slots * span.
func TestExplodeLoad(t *testing.T) {
	jobs := synthetic(t, 1)
	for k, c := range []struct {
		o            workload.ExplodeOptions
		mapSlots     int
		reduceSlots  int
		maps, reduce float64
	}{
		{workload.ExplodeOptions{}, 72, 36, 0.9, 0.9},
		{workload.ExplodeOptions{MapSlots: 2400, ReduceSlots: 1200, MapLoad: 0.7, ReduceLoad: 1.5, DN: 4}, 2400, 1200, 0.7, 1.5},
		{workload.ExplodeOptions{Span: 86408 * 2}, 72, 36, 1.8, 1.8},
	} {
		specs, x := explode(t, jobs, c.o, 1)
		maps, reduces, err := workload.OfferedLoad(specs, c.mapSlots, c.reduceSlots)
		// Sums of 24,442 terms in two orders, each rounded a few times.
		const tolerance = 24442 * 4 * 0x1p-53
		if err != nil || math.Abs(maps-c.maps) > tolerance*c.maps || math.Abs(reduces-c.reduce) > tolerance*c.reduce {
			t.Errorf("Explode(%+v) offers %v, %v, error %v, want %v, %v", c.o, maps, reduces, err, c.maps, c.reduce)
		}
		if k > 0 {
			continue
		}
		// With the rates found the trace explodes the same job by job.
		o := c.o
		o.MapRate, o.ReduceRate = x.MapRate, x.ReduceRate
		var single []slotmodel.JobSpec
		for i := range jobs {
			var err error
			if single, _, err = workload.Explode(single, jobs[i:i+1], o, nil); err != nil {
				t.Fatal(err)
			}
		}
		if !cmp.Equal(specs, single) {
			t.Errorf("Explode(%+v) job by job differs from the whole", o)
		}
	}
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

// The numbers of tasks in the doc comment.
func TestExplodeTraces(t *testing.T) {
	for _, c := range []struct {
		name          string
		maps, reduces int64
	}{
		{"FB-2010_samples_24_times_1hr_0.tsv", 8_084_865, 422_115},
		{"FB-2009_samples_24_times_1hr_0.tsv", 205_713, 21_895},
	} {
		t.Run(c.name, func(t *testing.T) {
			specs, x := explode(t, traceFile(t, c.name), workload.ExplodeOptions{MapSlots: 2400, ReduceSlots: 1200}, 1)
			var maps, reduces int64
			for _, s := range specs {
				maps, reduces = maps+int64(s.Maps.Tasks), reduces+int64(s.Reduces.Tasks)
				if s.Maps.Works != nil || s.Reduces.Works != nil {
					t.Fatal("a job has a slice of works, want equal ones")
				}
			}
			if maps != c.maps || reduces != c.reduces || x.Maps != maps || x.Reduces != reduces {
				t.Errorf("%d maps and %d reduces, Explosion has %d and %d, want %d and %d", maps, reduces, x.Maps, x.Reduces, c.maps, c.reduces)
			}
		})
	}
}

func TestExplodeUsers(t *testing.T) {
	jobs := synthetic(t, 2)
	specs, _ := explode(t, jobs, workload.ExplodeOptions{Users: 6, Alpha: 1.5}, 3)
	chances, err := workload.ZipfProbabilities(nil, 6, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int, 6)
	for _, s := range specs {
		counts[s.User]++
	}
	accepted(t, "users", counts, chances)
	again, _ := explode(t, jobs, workload.ExplodeOptions{Users: 6, Alpha: 1.5}, 3)
	if !cmp.Equal(specs, again) {
		t.Error("the same arguments give other jobs")
	}
	other, _ := explode(t, jobs, workload.ExplodeOptions{Users: 6, Alpha: 1.5, MapLoad: 0.5}, 4)
	same := 0
	for i := range specs {
		if specs[i].User == other[i].User {
			same++
		}
		if a, b := specs[i].Reduces, other[i].Reduces; a.Tasks != b.Tasks || a.Work != b.Work {
			t.Fatalf("another load of maps changes the reduces of job %d", i)
		}
	}
	if same == len(specs) {
		t.Error("another seed gives the same users")
	}
	for _, users := range []int{0, 1} {
		specs, _, err := workload.Explode(nil, jobs, workload.ExplodeOptions{Users: users}, nil)
		if err != nil || slices.ContainsFunc(specs, func(s slotmodel.JobSpec) bool { return s.User != 0 }) {
			t.Errorf("Explode with %d users and no source: error %v, or a user above 0", users, err)
		}
	}
}

func TestExplodeErrors(t *testing.T) {
	type eo = workload.ExplodeOptions
	good := workload.SWIMJob{ID: "j", Submit: 1, MapInput: 1, Shuffle: 1, Output: 1}
	edit := func(f func(*workload.SWIMJob)) workload.SWIMJob {
		j := good
		f(&j)
		return j
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		o      workload.ExplodeOptions
		job    workload.SWIMJob
		arg    string
		reason string
	}{
		{eo{Block: -1}, good, "o", "Block is -1, want a finite number > 0"},
		{eo{Bucket: inf}, good, "o", "Bucket is +Inf, want a finite number > 0"},
		{eo{MapSlots: -1}, good, "o", "MapSlots is -1, want 0 to 134217728"},
		{eo{ReduceSlots: 1 << 28}, good, "o", "ReduceSlots is 268435456, want 0 to 134217728"},
		{eo{MapLoad: nan}, good, "o", "MapLoad is NaN, want a finite number > 0"},
		{eo{ReduceLoad: -1}, good, "o", "ReduceLoad is -1, want a finite number > 0"},
		{eo{Span: nan}, good, "o", "Span is NaN, want a finite number >= 0"},
		{eo{MapRate: -1}, good, "o", "MapRate is -1, want a finite number >= 0"},
		{eo{ReduceRate: inf}, good, "o", "ReduceRate is +Inf, want a finite number >= 0"},
		{eo{DN: nan}, good, "o", "DN is NaN, want a finite number >= 0"},
		{eo{Users: -1}, good, "o", "Users is -1, want 0 to 134217728"},
		{eo{Users: 2, Alpha: nan}, good, "o", "Alpha is NaN, want a finite number >= 0"},
		{eo{Users: 2}, good, "src", "nil, want a source of random numbers"},
		{eo{}, edit(func(j *workload.SWIMJob) { j.Submit = nan }), "jobs", "Submit is NaN, want a finite number >= 0"},
		{eo{}, edit(func(j *workload.SWIMJob) { j.MapInput = -1 }), "jobs", "MapInput is -1, want a finite number >= 0"},
		{eo{}, edit(func(j *workload.SWIMJob) { j.Shuffle = inf }), "jobs", "Shuffle is +Inf, want a finite number >= 0"},
		{eo{}, edit(func(j *workload.SWIMJob) { j.Output = nan }), "jobs", "Output is NaN, want a finite number >= 0"},
		{eo{}, edit(func(j *workload.SWIMJob) { j.MapInput = 1e300 }), "jobs", tooMany("7.450580596923829e+291")},
		{eo{Bucket: 5e-324}, good, "jobs", tooMany("+Inf")},
		{eo{MapRate: 5e-324, ReduceRate: 1}, good, "jobs", "has tasks whose work is beyond float64"},
		{eo{MapRate: 1}, edit(func(j *workload.SWIMJob) { j.Output = math.MaxFloat64; j.Shuffle = math.MaxFloat64; j.MapInput = 0 }), "jobs",
			tooMany("1.6742321987285425e+299")},
	} {
		dst := []slotmodel.JobSpec{{User: 5}}
		got, x, err := workload.Explode(dst, []workload.SWIMJob{good, c.job}, c.o, nil)
		index := -1
		if c.arg == "jobs" {
			index = 1
			if c.job == good {
				index = 0
			}
		}
		want := &schedmath.InputError{Func: "workload.Explode", Arg: c.arg, Index: index, Reason: c.reason}
		if d := cmp.Diff(error(want), err); d != "" || !cmp.Equal(got, dst) || x != (workload.Explosion{}) {
			t.Errorf("Explode(dst, [good, %+v], %+v) = %v, %v, -want +got error\n%s", c.job, c.o, got, x, d)
		}
	}
	for _, c := range []struct {
		name string
		jobs []workload.SWIMJob
		o    workload.ExplodeOptions
	}{
		{"no span", []workload.SWIMJob{{ID: "j", MapInput: 1}}, eo{}},
		{"bytes beyond float64", []workload.SWIMJob{{ID: "j", Submit: 1, Output: math.MaxFloat64}, {ID: "k", Submit: 1, Output: math.MaxFloat64}}, eo{}},
	} {
		_, _, err := workload.Explode(nil, c.jobs, c.o, nil)
		var ie *schedmath.InputError
		if !errors.As(err, &ie) || ie.Arg != "jobs" || ie.Index != -1 {
			t.Errorf("%s: error %v, want one about jobs as a whole", c.name, err)
		}
	}
	for _, jobs := range [][]workload.SWIMJob{nil, {{ID: "no bytes"}}} {
		if specs, x, err := workload.Explode(nil, jobs, eo{}, nil); err != nil || len(specs) != len(jobs) || x.Maps != int64(len(jobs)) || x.MapRate != 0 {
			t.Errorf("Explode(%v) = %v, %+v, %v", jobs, specs, x, err)
		}
	}
}

// Whose a job is has a stream of its own: other numbers of users, and none, change nothing else of
// a workload, and with more jobs the first ones keep their users.
func TestUsersStream(t *testing.T) {
	day := func(users, jobs int) ([]slotmodel.JobSpec, []int) {
		trace, err := workload.SyntheticFB2010(workload.Stream(3, workload.Trace, 0))
		if err != nil {
			t.Fatal(err)
		}
		rates := workload.ExplodeOptions{MapRate: 1e6, ReduceRate: 1e6, Users: users, Alpha: 0.7}
		specs, _, err := workload.Explode(nil, trace[:jobs], rates, workload.Stream(3, workload.Users, 0))
		if err != nil {
			t.Fatal(err)
		}
		var drawn []int
		for i := range specs {
			drawn = append(drawn, specs[i].User)
			specs[i].User = 0
		}
		return specs, drawn
	}
	one, _ := day(1, 500)
	few, fewDrawn := day(5, 500)
	many, manyDrawn := day(40, 500)
	if !cmp.Equal(one, few) || !cmp.Equal(one, many) {
		t.Error("jobs of 1, 5 and 40 users differ in more than their users")
	}
	if _, more := day(40, 900); !slices.Equal(more[:500], manyDrawn) {
		t.Error("the users of the first 500 jobs change with the number of jobs")
	}
	for i := range fewDrawn {
		if fewDrawn[i] > manyDrawn[i] {
			t.Fatalf("job %d is of user %d among 5 and %d among 40, want no smaller a number", i, fewDrawn[i], manyDrawn[i])
		}
	}
	// Jobs of another origin get users from the same stream.
	z, err := workload.NewZipf(40, 0.7)
	if err != nil {
		t.Fatal(err)
	}
	if users, err := z.Draw(nil, 500, workload.Stream(3, workload.Users, 0)); err != nil || !slices.Equal(users, manyDrawn) {
		t.Errorf("Zipf.Draw of the stream differs from Explode's users: %v", err)
	}
}
