package workload_test

import (
	"errors"
	"math"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func TestOfferedLoad(t *testing.T) {
	phase := func(n int, w float64) slotmodel.Phase { return slotmodel.Phase{Tasks: n, Work: w} }
	jobs := []slotmodel.JobSpec{
		{Arrival: 10, Maps: phase(4, 5), Reduces: slotmodel.Phase{Tasks: 2, Work: 99, Works: []float64{1, 3}}},
		{Arrival: 5, Maps: phase(0, 7), Reduces: phase(2, 8)},
	}
	if m, r, err := workload.OfferedLoad(4, 2, jobs); m != 0.5 || r != 1 || err != nil {
		t.Errorf("OfferedLoad = %v, %v, %v, want .5, 1", m, r, err)
	}
	if m, r, err := workload.OfferedLoad(4, 2, nil); m != 0 || r != 0 || err != nil {
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
		_, _, err := workload.OfferedLoad(c.m, c.r, []slotmodel.JobSpec{c.job})
		var ie *schedmath.InputError
		if !errors.As(err, &ie) || ie.Func != "workload.OfferedLoad" || ie.Reason != c.reason {
			t.Errorf("OfferedLoad(%+v, %d, %d) = error %v, want %q", c.job, c.m, c.r, err, c.reason)
		}
	}
}
