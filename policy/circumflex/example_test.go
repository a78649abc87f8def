package circumflex_test

import (
	"fmt"

	"github.com/schedmath/schedmath/policy/circumflex"
	"github.com/schedmath/schedmath/slotmodel"
)

// Two jobs scan one dataset of eight blocks, on two slots. The second one joins the scan under way
// and reads the first two blocks afterwards.
func ExamplePolicy() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}, circumflex.RideNode()}}
	jobs := []slotmodel.JobSpec{
		{Arrival: 0, Maps: slotmodel.Phase{Tasks: 8, Work: 10}},
		{Arrival: 5, Maps: slotmodel.Phase{Tasks: 8, Work: 10}},
	}
	for _, p := range []*circumflex.Policy{{}, {Dataset: func(*slotmodel.JobSpec) int { return 0 }}} {
		res, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish, res.Users[0].SlotSeconds[slotmodel.Map])
	}
	// Output:
	// 40 80 160
	// 40 50 100
}

func ExamplePolicy_Check() {
	fmt.Println((&circumflex.Policy{Beat: -3}).Check())
	// Output: circumflex.Policy.Check: Beat: -3, want finite and >= 0
}

func ExampleRideNode() {
	cluster := slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 4}, {Maps: 4}}}
	cluster.Nodes = append(cluster.Nodes, circumflex.RideNode())
	fmt.Println(len(cluster.Nodes), cluster.Nodes[2].Maps)
	// Output: 3 1048576
}
