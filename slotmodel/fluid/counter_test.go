package fluid_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// sized makes jobs of exact size from (arrival, size, slots, weight).
func sized(rows ...[4]float64) []fluid.Job {
	var jobs []fluid.Job
	for _, r := range rows {
		jobs = append(jobs, fluid.Job{Arrival: r[0], Size: r[1], Estimate: r[1], Slots: r[2], Weight: r[3]})
	}
	return jobs
}

func (in instance) wantFinish(t *testing.T, want ...float64) {
	t.Helper()
	res := mustRun(t, in)
	for i, w := range want {
		if !(math.Abs(res.Finish[i]-w) <= ulps*w) {
			t.Errorf("%v: finish times are %v, want %v", in, res.Finish, want)
			return
		}
	}
}

// Figure 1 of the HFSP paper.
func TestFigure1(t *testing.T) {
	in := instance{slots: 1, jobs: sized([4]float64{0, 30}, [4]float64{10, 10}, [4]float64{15, 10})}
	in.with(fluid.PS{}).wantFinish(t, 50, 37.5, 42.5)
	in.with(fluid.SRPT{}).wantFinish(t, 50, 20, 30)
	for _, p := range byFinish {
		in.with(p).wantFinish(t, 50, 20, 30)
	}
}

// Each of the tests below shows a law failing outside of its setting, so that the documentation
// is right to restrict it.

// By virtual work with unequal weights a job can be later than under PS on one server.
func TestByWorkLaterThanPS(t *testing.T) {
	in := instance{slots: 1, jobs: sized([4]float64{6, 12, 0, 5}, [4]float64{6, 5, 0, 1})}
	in.with(fluid.PS{}).wantFinish(t, 20.4)
	in.with(fluid.FSP{ByWork: true}).wantFinish(t, 23)
	in.with(fluid.FSP{}).wantFinish(t, 18, 23)
}

// With caps below the number of slots, even equal ones, jobs can be later than under PS, the
// makespan differs between policies and SRPT has not the least sum.
func TestCapsBreakLaws(t *testing.T) {
	three := instance{slots: 2, jobs: sized([4]float64{0, 1, 1}, [4]float64{0, 1, 1}, [4]float64{0, 1, 1})}
	three.with(fluid.PS{}).wantFinish(t, 1.5, 1.5, 1.5)
	for _, p := range append(byFinish, fluid.FSP{ByWork: true}) {
		three.with(p).wantFinish(t, 1, 1, 2)
	}

	two := instance{slots: 3, jobs: sized([4]float64{0, 1, 3}, [4]float64{0, 1, 1})}
	two.with(fluid.PS{}).wantFinish(t, 0.5, 1)
	two.with(fluid.SRPT{}).wantFinish(t, 1./3, 4./3)
}

// With caps the virtual finish and the virtual work order differently, and by virtual finish job
// 0 is later than under PS.
func TestCapsOrder(t *testing.T) {
	in := instance{slots: 4, jobs: sized([4]float64{0, 6, 1}, [4]float64{0, 8, 4})}
	in.with(fluid.PS{}).wantFinish(t, 6, 8./3)
	in.with(fluid.FSP{}).wantFinish(t, 8, 2)
	in.with(fluid.FSP{ByWork: true}).wantFinish(t, 6, 8./3)
}

// With caps an arrival can reverse the order of virtual finishes of jobs that are there.
func TestCapsReverse(t *testing.T) {
	in := instance{slots: 4, p: fluid.FSP{}, jobs: sized([4]float64{0, 6, 1}, [4]float64{0, 8, 4})}
	if v := mustRun(t, in).Virtual; !(v[1] < v[0]) {
		t.Errorf("%v: virtual finish times are %v, want the second first", in, v)
	}
	for range 6 {
		in.jobs = append(in.jobs, fluid.Job{Size: 100, Estimate: 100, Slots: 4})
	}
	if v := mustRun(t, in).Virtual; v[0] != 12 || v[1] != 15.5 {
		t.Errorf("%v: virtual finish times are %v, want 12 and 15.5 for the first two", in, v)
	}
}

// A job that left the virtual system with its real completion would make others later than under
// PS, which is why it stays.
func TestRemovalLaterThanPS(t *testing.T) {
	in := instance{slots: 1, jobs: sized([4]float64{1, 10}, [4]float64{7, 6}, [4]float64{2, 3})}
	in.with(fluid.PS{}).wantFinish(t, 20, 19.5, 8.5)
	c := config(fluid.FSP{})
	c.RemoveAtCompletion = true
	if f, _ := in.exactly(c).Finish[1].Float64(); f != 20 {
		t.Errorf("%v with removal at real completion: job 1 finishes at %v, want 20", in, f)
	}
	for _, p := range byFinish {
		ps, fsp := mustRun(t, in.with(fluid.PS{})), mustRun(t, in.with(p))
		for i := range in.jobs {
			if fsp.Finish[i] > ps.Finish[i] {
				t.Errorf("%v: job %d finishes at %v, under ps at %v", in.with(p), i, fsp.Finish[i], ps.Finish[i])
			}
		}
	}
}
