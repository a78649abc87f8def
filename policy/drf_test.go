package policy_test

import (
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// The example of the paper [8, section 4.1]: 9 CPUs and 18 GB, tasks of 1 CPU and 4 GB, and of 3
// CPUs and 1 GB. A slot is one CPU, so the second user's tasks are made of 3 of 1 CPU and 1/3 GB.
// Fair shares of slots would give 4 and 5 slots.
func TestDRFOfThePaper(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Slots: 9, Memory: 18}}}
	jobs := []slotmodel.JobSpec{
		{User: 0, Maps: slotmodel.Phase{Tasks: 20, Work: 1, Memory: 4}},
		{User: 1, Maps: slotmodel.Phase{Tasks: 20, Work: 1, Memory: 1. / 3}},
	}
	for _, x := range []struct {
		users policy.Users
		want  [2]int
	}{{new(policy.DRF), [2]int{3, 6}}, {new(policy.FairUsers), [2]int{4, 5}}} {
		p := &policytest.After{Policy: &policy.PerUser{Users: x.users}, Check: func(v *slotmodel.View) {
			if got := [2]int{v.UserRunning(0, slotmodel.Map), v.UserRunning(1, slotmodel.Map)}; v.Now() == 0 && got != x.want {
				t.Errorf("%T: the users run %v tasks, want %v", x.users, got, x.want)
			}
		}}
		if _, err := slotmodel.Run(c, jobs, p, slotmodel.Options{}); err != nil {
			t.Fatal(err)
		}
	}
}
