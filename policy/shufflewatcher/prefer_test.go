package shufflewatcher_test

import (
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
)

// figure5 is the paper's Figure 5 with a user for each job: blocks with copies in both racks.
func figure5() (*slotmodel.Cluster, []slotmodel.JobSpec) {
	c := &slotmodel.Cluster{
		Nodes:   policytest.Nodes(2, 1, 2, 2),
		Racks:   []slotmodel.RackSpec{{Egress: 10, Ingress: 10}, {Egress: 10, Ingress: 10}},
		Network: slotmodel.Network{Fluid: true},
	}
	job := slotmodel.JobSpec{
		Maps: slotmodel.Phase{Tasks: 4, Work: 10}, Reduces: slotmodel.Phase{Tasks: 2, Work: 5},
		Input: 400, Shuffle: 800, Replicas: []int32{0, 1, 0, 1, 0, 1, 0, 1}, Copies: 2,
	}
	other := job
	other.User = 1
	return c, []slotmodel.JobSpec{job, other}
}

// Two users with a job each split both jobs among the racks, since each free slot is offered to the
// poorest user first. If nodes take a task at a time, and among equals the user who prefers the
// node goes first, nothing crosses.
func TestFigure5TwoUsers(t *testing.T) {
	c, jobs := figure5()
	slots := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 1, 1), Racks: c.Racks, Network: c.Network}
	for _, users := range []policy.Users{nil, new(policy.DRF)} {
		cross := func(c *slotmodel.Cluster, prefer bool) float64 {
			return allFinish(t, c, jobs, &policy.PerUser{Users: users, Chooser: new(shufflewatcher.Chooser), Prefer: prefer}).Totals.CrossRack.Shuffle
		}
		if a, b := cross(c, false), cross(c, true); a != 800 || b != 800 {
			t.Errorf("users %T: %v bytes cross racks, and %v with Prefer, want 800 each while all slots of a node are filled at once", users, a, b)
		}
		if got := cross(slots, true); got != 0 {
			t.Errorf("users %T: with Prefer %v bytes cross racks, want 0", users, got)
		}
	}
}
