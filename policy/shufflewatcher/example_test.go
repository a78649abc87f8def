package shufflewatcher_test

import (
	"fmt"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// The paper's Figure 5: two jobs of a user whose blocks all have copies in both racks. By arrival
// each job runs in both racks, and half of its shuffle crosses. ShuffleWatcher gives each job a
// rack of its own.
func ExampleChooser() {
	c := &slotmodel.Cluster{
		Nodes:   []slotmodel.NodeSpec{{Rack: 0, Maps: 2, Reduces: 2}, {Rack: 1, Maps: 2, Reduces: 2}},
		Racks:   []slotmodel.RackSpec{{Egress: 10, Ingress: 10}, {Egress: 10, Ingress: 10}},
		Network: slotmodel.Network{Fluid: true},
	}
	job := slotmodel.JobSpec{
		Maps: slotmodel.Phase{Tasks: 4, Work: 10}, Reduces: slotmodel.Phase{Tasks: 2, Work: 5},
		Input: 400, Shuffle: 800, Replicas: []int32{0, 1, 0, 1, 0, 1, 0, 1}, Copies: 2,
	}
	jobs := []slotmodel.JobSpec{job, job}
	watcher := new(shufflewatcher.Chooser)
	for _, chooser := range []policy.Chooser{new(policy.Earliest), watcher} {
		result, err := slotmodel.Run(c, jobs, &policy.PerUser{Chooser: chooser}, slotmodel.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(result.Totals.CrossRack.Shuffle, "bytes cross racks; the jobs end at", result.Jobs[0].Finish, result.Jobs[1].Finish, "s")
	}
	for j := range slotmodel.Job(2) {
		plan, quota := watcher.Plan(j)
		fmt.Println("job", j, "prefers rack", plan.Racks, "for maps,", quota, "reduces")
	}
	chosen := watcher.Report().Chosen[0]
	for _, why := range []shuffle.Reason{shuffle.PreferredMap, shuffle.PreferredReduce} {
		fmt.Println(chosen[why], "times a", why)
	}
	// Output:
	// 800 bytes cross racks; the jobs end at 55 65 s
	// 0 bytes cross racks; the jobs end at 25 25 s
	// job 0 prefers rack [0] for maps, [2 0] reduces
	// job 1 prefers rack [1] for maps, [0 2] reduces
	// 8 times a preferred map
	// 4 times a preferred reduce
}
