package workload_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func explode(t testing.TB, jobs []joblog.SWIMJob, o workload.ExplodeOptions) []slotmodel.JobSpec {
	t.Helper()
	specs, err := workload.Explode(nil, jobs, o)
	if err != nil || len(specs) != len(jobs) {
		t.Fatalf("Explode(%d jobs, %+v) = %d jobs, error %v", len(jobs), o, len(specs), err)
	}
	return specs
}

// traceFile reads a trace that is not part of the module, or skips the test.
func traceFile(t *testing.T, name string) []joblog.SWIMJob {
	t.Helper()
	jobs, err := joblog.ReadSWIM(open(t, "data/swim/"+name))
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func TestExplodeRules(t *testing.T) {
	const block, bucket = 128 << 20, 1 << 30
	jobs := []joblog.SWIMJob{
		{ID: "empty", Submit: 0},
		{ID: "map only", Submit: 1, MapInput: block, Output: block},
		{ID: "one byte more", Submit: 2, MapInput: block + 1},
		{ID: "reduce", Submit: 3, MapInput: 10 * block, Shuffle: bucket, Output: bucket / 2},
		{ID: "reduces", Submit: 4, MapInput: 1, Shuffle: 3*bucket + 1},
		{ID: "no input", Submit: 5, Shuffle: 1, Output: 7},
		{ID: "output alone", Submit: 100, Output: 9 * block},
	}
	// The bytes of maps are 22 blocks and 2 bytes, of reduces 5.5 + 15 buckets and 17 bytes: at these
	// loads a map moves 2^20 bytes a second and a reduce 2^21.
	const mapBytes, reduceBytes = 22.0*block + 2, 20.5*bucket + 17
	o := workload.ExplodeOptions{MapSlots: 1, MapLoad: mapBytes / 100 / (1 << 20), ReduceSlots: 2, ReduceLoad: reduceBytes / 200 / (1 << 21), DN: 4}
	specs := explode(t, jobs, o)
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
		if d := cmp.Diff(want, s, cmpopts.EquateApprox(1e-14, 0)); d != "" {
			t.Errorf("%s: -want +got\n%s", jobs[i].ID, d)
		}
	}
	specs = explode(t, jobs, workload.ExplodeOptions{Block: block / 2, Bucket: bucket * 4})
	if maps, reduces := tasks(specs); maps != 1+2+3+20+1+1+1 || reduces != 3 || specs[4].Reduces.Tasks != 1 {
		t.Errorf("with half the block and four times the bucket: %d maps and %d reduces", maps, reduces)
	}
}

func tasks(specs []slotmodel.JobSpec) (maps, reduces int) {
	for _, s := range specs {
		maps, reduces = maps+s.Maps.Tasks, reduces+s.Reduces.Tasks
	}
	return maps, reduces
}

// The works of each kind add up to load * slots * span.
func TestExplodeLoad(t *testing.T) {
	jobs := synthetic(t, 1)
	for _, c := range []struct {
		o            workload.ExplodeOptions
		mapSlots     int
		reduceSlots  int
		maps, reduce float64
	}{
		{workload.ExplodeOptions{}, 72, 36, 0.9, 0.9},
		{workload.ExplodeOptions{MapSlots: 2400, ReduceSlots: 1200, MapLoad: 0.7, ReduceLoad: 1.5, DN: 4}, 2400, 1200, 0.7, 1.5},
	} {
		maps, reduces, err := workload.OfferedLoad(c.mapSlots, c.reduceSlots, explode(t, jobs, c.o))
		// Sums of 24,442 terms in two orders, each rounded a few times.
		const tolerance = 24442 * 4 * 0x1p-53
		if err != nil || math.Abs(maps-c.maps) > tolerance*c.maps || math.Abs(reduces-c.reduce) > tolerance*c.reduce {
			t.Errorf("Explode(%+v) offers %v, %v, error %v, want %v, %v", c.o, maps, reduces, err, c.maps, c.reduce)
		}
	}
}

// The numbers of tasks in the doc comment.
func TestExplodeTraces(t *testing.T) {
	for _, c := range []struct {
		name          string
		maps, reduces int
	}{
		{"FB-2010_samples_24_times_1hr_0.tsv", 8_084_865, 422_115},
		{"FB-2009_samples_24_times_1hr_0.tsv", 205_713, 21_895},
	} {
		t.Run(c.name, func(t *testing.T) {
			specs := explode(t, traceFile(t, c.name), workload.ExplodeOptions{MapSlots: 2400, ReduceSlots: 1200})
			for _, s := range specs {
				if s.Maps.Works != nil || s.Reduces.Works != nil {
					t.Fatal("a job has a slice of works, want equal ones")
				}
			}
			if maps, reduces := tasks(specs); maps != c.maps || reduces != c.reduces {
				t.Errorf("%d maps and %d reduces, want %d and %d", maps, reduces, c.maps, c.reduces)
			}
		})
	}
}

func TestExplodeErrors(t *testing.T) {
	type eo = workload.ExplodeOptions
	good := joblog.SWIMJob{ID: "j", Submit: 1, MapInput: 1, Shuffle: 1, Output: 1}
	edit := func(f func(*joblog.SWIMJob)) joblog.SWIMJob {
		j := good
		f(&j)
		return j
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		o      workload.ExplodeOptions
		job    joblog.SWIMJob
		arg    string
		reason string
	}{
		{eo{Block: -1}, good, "o", "Block is -1, want a finite number > 0"},
		{eo{Bucket: inf}, good, "o", "Bucket is +Inf, want a finite number > 0"},
		{eo{MapSlots: -1}, good, "o", "MapSlots is -1, want 0 to 134217728"},
		{eo{ReduceSlots: 1 << 28}, good, "o", "ReduceSlots is 268435456, want 0 to 134217728"},
		{eo{MapLoad: nan}, good, "o", "MapLoad is NaN, want a finite number > 0"},
		{eo{ReduceLoad: -1}, good, "o", "ReduceLoad is -1, want a finite number > 0"},
		{eo{DN: nan}, good, "o", "DN is NaN, want a finite number >= 0"},
		{eo{}, edit(func(j *joblog.SWIMJob) { j.Submit = nan }), "jobs", "Submit is NaN, want a finite number >= 0"},
		{eo{}, edit(func(j *joblog.SWIMJob) { j.MapInput = -1 }), "jobs", "MapInput is -1, want a finite number >= 0"},
		{eo{}, edit(func(j *joblog.SWIMJob) { j.Shuffle = inf }), "jobs", "Shuffle is +Inf, want a finite number >= 0"},
		{eo{}, edit(func(j *joblog.SWIMJob) { j.Output = nan }), "jobs", "Output is NaN, want a finite number >= 0"},
		{eo{}, edit(func(j *joblog.SWIMJob) { j.MapInput = 1e300 }), "jobs", tooMany("7.450580596923829e+291")},
		{eo{}, edit(func(j *joblog.SWIMJob) { j.Shuffle = math.MaxFloat64 }), "jobs", tooMany("1.6742321987285425e+299")},
		{eo{MaxTasks: 3}, good, "jobs", "brings the tasks of all jobs to 4, more than MaxTasks = 3: a run takes 5 bytes for each, and some 400 for each that runs"},
		{eo{MaxTasks: -1}, good, "o", "MaxTasks is -1, want 0 to 536870911"},
		{eo{Bucket: 5e-324}, good, "jobs", tooMany("+Inf")},
	} {
		dst := []slotmodel.JobSpec{{User: 5}}
		got, err := workload.Explode(dst, []joblog.SWIMJob{good, c.job}, c.o)
		index := -1
		if c.arg == "jobs" {
			index = 1
			if c.job == good && c.o.Bucket != 0 {
				index = 0
			}
		}
		want := &schedmath.InputError{Func: "workload.Explode", Arg: c.arg, Index: index, Reason: c.reason}
		if d := cmp.Diff(error(want), err); d != "" || !cmp.Equal(got, dst) {
			t.Errorf("Explode(dst, [good, %+v], %+v) = %v, -want +got error\n%s", c.job, c.o, got, d)
		}
	}
	for _, c := range []struct {
		name string
		jobs []joblog.SWIMJob
		o    workload.ExplodeOptions
	}{
		{"no span", []joblog.SWIMJob{{ID: "j", MapInput: 1}}, eo{}},
		{"bytes beyond float64", []joblog.SWIMJob{{ID: "j", Submit: 1, Output: math.MaxFloat64}, {ID: "k", Submit: 1, Output: math.MaxFloat64}}, eo{}},
	} {
		_, err := workload.Explode(nil, c.jobs, c.o)
		var ie *schedmath.InputError
		if !errors.As(err, &ie) || ie.Arg != "jobs" || ie.Index != -1 {
			t.Errorf("%s: error %v, want one about jobs as a whole", c.name, err)
		}
	}
	for _, jobs := range [][]joblog.SWIMJob{nil, {{ID: "no bytes"}}} {
		if specs, err := workload.Explode(nil, jobs, eo{}); err != nil || len(specs) != len(jobs) {
			t.Errorf("Explode(%v) = %v, %v", jobs, specs, err)
		}
	}
	// The rate is the smallest number of float64, rounded down.
	tiny := []joblog.SWIMJob{{ID: "j", Submit: 1, MapInput: 1e-15}}
	if _, err := workload.Explode(nil, tiny, eo{MapSlots: 1, MapLoad: 1.7e308}); err == nil || !strings.Contains(err.Error(), "has tasks whose work is beyond float64") {
		t.Errorf("a work beyond float64: error %v", err)
	}
}
