package slotmodel_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// TestUsersOverTime follows two users with weights 1 and 3 on two slots: user 0 alone until 4, both
// until 8, user 1 alone until 10.
func TestUsersOverTime(t *testing.T) {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}}}
	jobs := []slotmodel.JobSpec{
		{User: 0, Maps: slotmodel.Phase{Tasks: 2, Works: []float64{8, 4}}},
		{User: 1, Arrival: 4, Maps: slotmodel.Phase{Tasks: 1, Work: 6}},
	}
	r, err := slotmodel.Run(cluster, jobs, fifo, slotmodel.Options{Period: 2, Entitlements: []float64{1, 3}})
	if err != nil {
		t.Fatal(err)
	}
	var got [][4]float64
	for _, row := range r.Series {
		got = append(got, [4]float64{row.Users[0].Slots[0], row.Users[1].Slots[0], row.Users[0].Entitled, row.Users[1].Entitled})
	}
	want := [][4]float64{{2, 0, 1, 0}, {2, 0, 1, 0}, {1, 1, .25, .75}, {1, 1, .25, .75}, {0, 1, 0, 1}}
	same := func(a, b [4]float64) bool { // entitlements are differences of running sums
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-12 {
				return false
			}
		}
		return true
	}
	if !slices.EqualFunc(got, want, same) {
		t.Errorf("slots and entitlements of users 0 and 1 in rows of 2 s = %v, want %v", got, want)
	}
}

// Sojourns are those of the jobs that have finished; a cancelled job has one of its own.
func TestSojourns(t *testing.T) {
	jobs := []slotmodel.JobSpec{{Arrival: 1, Maps: tasks(1, 4)}, {Arrival: 2, Maps: tasks(1, 1)}, {Maps: tasks(1, 9), Cancel: 5}, {Arrival: 8, Maps: tasks(1, 1)}}
	r := mustRun(t, one(5, 0), jobs, fifo, slotmodel.Options{Until: 8.5})
	if got := r.Sojourns([]float64{7}); !slices.Equal(got, []float64{7, 4, 1}) {
		t.Errorf("Sojourns = %v, want 4 and 1 behind the 7", got)
	}
	if s, ok := r.Jobs[2].Sojourn(); !ok || s != 5 {
		t.Errorf("sojourn of the cancelled job = %v, %t, want 5", s, ok)
	}
	if s, ok := r.Jobs[3].Sojourn(); ok || s != 0 {
		t.Errorf("sojourn of a job under way = %v, %t, want none", s, ok)
	}
}

// ExampleRun plays two jobs on one node with two map slots and a reduce slot.
func ExampleRun() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Reduces: 1}}}
	jobs := []slotmodel.JobSpec{
		{Arrival: 0, Maps: slotmodel.Phase{Tasks: 4, Work: 10}, Reduces: slotmodel.Phase{Tasks: 1, Work: 5}, Slowstart: 1},
		{Arrival: 3, Maps: slotmodel.Phase{Tasks: 1, Work: 2}},
	}
	r, err := slotmodel.Run(cluster, jobs, fifo, slotmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for j, job := range r.Jobs {
		fmt.Printf("job %d: %v, started at %v, maps ended at %v, finished at %v\n", j, job.Outcome, job.Start, job.MapEnd, job.Finish)
	}
	fmt.Printf("mean load %.2f\n", r.Totals.Load/r.End)
	// Output:
	// job 0: finished, started at 0, maps ended at 20, finished at 25
	// job 1: finished, started at 20, maps ended at 22, finished at 22
	// mean load 1.76
}
