package workload_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// amount draws numbers for a file: good ones for the most part.
var amount = rapid.OneOf(
	rapid.Float64Range(0, math.MaxFloat64),
	rapid.Map(rapid.Uint64(), math.Float64frombits),
	rapid.Map(rapid.IntRange(-3, 1<<30), func(i int) float64 { return float64(i) }),
)

// written returns the file of the jobs that write takes, and those. A job that it refuses, it must
// refuse with an InputError about that job.
func written[T any](t interface{ Fatalf(string, ...any) }, jobs []T, fn string, write func(io.Writer, []T) error) ([]byte, []T) {
	for {
		var file bytes.Buffer
		err := write(&file, jobs)
		if err == nil {
			return file.Bytes(), jobs
		}
		var ie *schedmath.InputError
		if !errors.As(err, &ie) || ie.Func != fn || ie.Arg != "jobs" || ie.Index < 0 || ie.Index >= len(jobs) {
			t.Fatalf("%s(%+v) = error %v, want none or an InputError about a job", fn, jobs, err)
		}
		jobs = slices.Delete(slices.Clone(jobs), ie.Index, ie.Index+1)
	}
}

// sameJobs fails unless the jobs read back are those written. A phase without tasks may have
// Works that are empty or nil.
func sameJobs[T any](t interface{ Fatalf(string, ...any) }, want, got []T, err error) {
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || d != "" {
		t.Fatalf("read back with error %v: -written +read\n%s", err, d)
	}
}

// Any numbers: what WriteJobs takes, ReadJobs returns, and what WriteJobs refuses leaves no trace
// in the file.
func TestJobFileRoundTrip(t *testing.T) {
	count := rapid.OneOf(rapid.IntRange(-1, 4), rapid.IntRange(0, 1<<30))
	works := rapid.OneOf(rapid.Just([]float64(nil)), rapid.SliceOfN(amount, 0, 4))
	rapid.Check(t, func(t *rapid.T) {
		phase := func() slotmodel.Phase {
			return slotmodel.Phase{Tasks: count.Draw(t, "tasks"), Work: amount.Draw(t, "work"), Works: works.Draw(t, "works"), Memory: amount.Draw(t, "memory")}
		}
		jobs := make([]slotmodel.JobSpec, rapid.IntRange(0, 10).Draw(t, "jobs"))
		for i := range jobs {
			jobs[i] = slotmodel.JobSpec{User: count.Draw(t, "user"), Arrival: amount.Draw(t, "arrival"), Deadline: amount.Draw(t, "deadline"),
				Priority: math.Float64frombits(rapid.Uint64().Draw(t, "priority")), Maps: phase(), Reduces: phase(),
				Slowstart: rapid.Float64Range(-0.1, 1.1).Draw(t, "slowstart"), Input: amount.Draw(t, "input"), Shuffle: amount.Draw(t, "shuffle"),
				Output: amount.Draw(t, "output"), Replicas: rapid.SliceOfN(rapid.Int32Range(-2, 9), 0, 4).Draw(t, "replicas"),
				Copies: count.Draw(t, "copies"), Walltime: amount.Draw(t, "walltime"), Requested: amount.Draw(t, "requested"), Crash: amount.Draw(t, "crash"),
				Cancel: amount.Draw(t, "cancel"), Rigid: rapid.Bool().Draw(t, "rigid"), After: count.Draw(t, "after"), Think: amount.Draw(t, "think"), Dataset: count.Draw(t, "dataset")}
		}
		file, want := written(t, jobs, "workload.WriteJobs", workload.WriteJobs)
		got, err := readJobs(bytes.NewReader(file))
		sameJobs(t, want, got, err)
	})
}

// A field of slotmodel.JobSpec that a job file does not carry makes this fail.
func TestJobFileCarriesEveryField(t *testing.T) {
	var job slotmodel.JobSpec
	next := 0.5
	var fill func(name string, v reflect.Value)
	fill = func(name string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				fill(v.Type().Field(i).Name, v.Field(i))
			}
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(name, v.Index(0))
		case reflect.Float64:
			next /= 2 // distinct, and within Slowstart's range
			v.SetFloat(next)
		case reflect.Int, reflect.Int32:
			v.SetInt(1) // one task, whose block has one copy
		case reflect.Bool:
			v.SetBool(true)
		default:
			t.Fatalf("%s is a %v: say here how to fill it", name, v.Kind())
		}
	}
	fill("JobSpec", reflect.ValueOf(&job).Elem())
	want := []slotmodel.JobSpec{job}
	file, taken := written(t, want, "workload.WriteJobs", workload.WriteJobs)
	got, err := readJobs(bytes.NewReader(file))
	if len(taken) != 1 {
		t.Fatalf("WriteJobs refuses %+v", job)
	}
	sameJobs(t, want, got, err)
}
