package workload_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func TestSpecs(t *testing.T) {
	jobs := []workload.JobRecord{recordA, recordB, recordA, {ID: "c", Submit: 10, User: "bob", Queue: "low", Maps: 2}, {ID: "d", User: ""}}
	specs, names, err := workload.Specs([]slotmodel.JobSpec{{User: 9}}, jobs)
	if err != nil || len(specs) != 6 || specs[0].User != 9 {
		t.Fatalf("Specs = %d jobs, error %v", len(specs), err)
	}
	var users []int
	for _, s := range specs[1:] {
		users = append(users, s.User)
	}
	if d := cmp.Diff([]int{0, 1, 0, 2, 1}, users); d != "" {
		t.Errorf("users: -want +got\n%s", d)
	}
	if u, q := names.Users(), names.Queues(); !cmp.Equal(u, []string{"ann", "", "bob"}) || !cmp.Equal(q, []string{"low", "high", ""}) {
		t.Errorf("Users() = %q, Queues() = %q", u, q)
	}
	want := slotmodel.JobSpec{Arrival: 0.5, Maps: slotmodel.Phase{Tasks: 8, Work: 20}, Reduces: slotmodel.Phase{Tasks: 1, Work: 30.25},
		Slowstart: 0.95, Input: 1 << 30, Shuffle: 1e21, Output: 5}
	if d := cmp.Diff(want, specs[1]); d != "" {
		t.Errorf("job a: -want +got\n%s", d)
	}
	if specs[2].Deadline != 900 {
		t.Errorf("job b has the deadline %v, want 900", specs[2].Deadline)
	}
	var n workload.JobNames
	for i, j := range jobs {
		spec, queue, err := n.Spec(j)
		if err != nil || !cmp.Equal(spec, specs[i+1]) || n.Queues()[queue] != j.Queue || n.Users()[spec.User] != j.User {
			t.Errorf("Spec(%+v) = %+v, %d, %v", j, spec, queue, err)
		}
	}
	bad := workload.JobRecord{ID: "x", User: "new", Queue: "new", MapSeconds: math.NaN()}
	var ie *schedmath.InputError
	if _, _, err := n.Spec(bad); !errors.As(err, &ie) || ie.Func != "workload.JobNames.Spec" || ie.Arg != "job" || len(n.Users()) != 3 || len(n.Queues()) != 3 {
		t.Errorf("Spec(%+v) = error %v, names %q, %q", bad, err, n.Users(), n.Queues())
	}
	dst := []slotmodel.JobSpec{{User: 4}}
	got, names, err := workload.Specs(dst, []workload.JobRecord{recordA, bad})
	if !errors.As(err, &ie) || ie.Func != "workload.Specs" || ie.Arg != "jobs" || ie.Index != 1 || !cmp.Equal(got, dst) || names != nil {
		t.Errorf("Specs with a bad job = %v, %v, error %v", got, names, err)
	}
	var none *workload.JobNames
	if _, _, err := none.Spec(recordA); !errors.As(err, &ie) || ie.Arg != "n" || none.Users() != nil || none.Queues() != nil {
		t.Errorf("Spec of a nil JobNames: error %v", err)
	}
}

// An exploded trace comes back from a job file, user numbers and all; of unequal works the mean is left.
func TestRecordOf(t *testing.T) {
	want, _ := explode(t, synthetic(t, 3)[:3000], workload.ExplodeOptions{}, 1)
	records := make([]workload.JobRecord, len(want))
	for i, s := range want {
		var err error
		if records[i], err = workload.RecordOf(fmt.Sprint(i), "ann", "", s); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := workload.WriteJobs(&b, records); err != nil {
		t.Fatal(err)
	}
	back, err := workload.ReadJobs(&b)
	if err != nil {
		t.Fatal(err)
	}
	got, names, err := workload.Specs(nil, back)
	if err != nil || !cmp.Equal(want, got) || !cmp.Equal(names.Users(), []string{"ann"}) {
		t.Errorf("an exploded trace through a job file: error %v, users %q, equal jobs: %t", err, names.Users(), cmp.Equal(want, got))
	}
	skewed := slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 4, Works: []float64{1, 2, 3, 6}}, Reduces: slotmodel.Phase{Tasks: 2, Work: 5}}
	if r, err := workload.RecordOf("x", "u", "q", skewed); err != nil || r != (workload.JobRecord{ID: "x", User: "u", Queue: "q", Maps: 4, MapSeconds: 3, Reduces: 2, ReduceSeconds: 5}) {
		t.Errorf("RecordOf(%+v) = %+v, error %v", skewed, r, err)
	}
	skewed.Maps.Works[2] = math.NaN()
	var ie *schedmath.InputError
	if r, err := workload.RecordOf("x", "u", "q", skewed); !errors.As(err, &ie) || ie.Func != "workload.RecordOf" || ie.Arg != "spec" || r != (workload.JobRecord{}) {
		t.Errorf("RecordOf with a work NaN = %+v, error %v", r, err)
	}
}
