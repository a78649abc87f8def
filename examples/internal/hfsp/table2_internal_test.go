package hfsp

import (
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// The load of a workload is its work over the slots and the time until the last arrival.
func TestOfferedLoad(t *testing.T) {
	job := func(at, maps, reduces float64) slotmodel.JobSpec {
		return slotmodel.JobSpec{Arrival: at, Maps: slotmodel.Phase{Tasks: 2, Work: maps}, Reduces: slotmodel.Phase{Tasks: 1, Works: []float64{reduces}}}
	}
	got := offeredLoad([]slotmodel.JobSpec{job(5, 36, 9), job(15, 36, 27)})
	if !near(got[slotmodel.Map], 144./(72*10), 1e-12) || !near(got[slotmodel.Reduce], 36./(36*10), 1e-12) {
		t.Errorf("offeredLoad = %v, want .2 and .1", got)
	}
}
