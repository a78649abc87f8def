package circumflex_test

import (
	"fmt"

	"github.com/schedmath/schedmath/policy/circumflex"
	"github.com/schedmath/schedmath/slotmodel"
)

// Two jobs scan one dataset of eight blocks, on two slots. The second one joins the scan under way
// and reads the first two blocks afterwards.
func ExamplePolicy() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}}}
	jobs := []slotmodel.JobSpec{
		{Arrival: 0, Maps: slotmodel.Phase{Tasks: 8, Work: 10}},
		{Arrival: 5, Maps: slotmodel.Phase{Tasks: 8, Work: 10}},
	}
	for dataset := range 2 { // 0: each job has one of its own
		jobs[0].Dataset, jobs[1].Dataset = dataset, dataset
		res, err := slotmodel.Run(cluster, jobs, new(circumflex.Policy), slotmodel.Options{})
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
	fmt.Println((&circumflex.Policy{Period: -3}).Check())
	// Output: circumflex.Policy.Check: Period: -3, want finite and >= 0
}
