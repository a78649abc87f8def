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

// With caps below the number of slots, even equal ones, jobs can be later than under PS, the
// makespan differs between policies and SRPT has not the least sum: the documentation is right to
// restrict these laws. Package aging has the cases of other laws.
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
