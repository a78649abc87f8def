package policy_test

import (
	"fmt"
	"log"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// The program at the head of the package documentation.
func Example() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}, {Maps: 2}}}
	jobs := []slotmodel.JobSpec{
		{Arrival: 0, Maps: slotmodel.Phase{Tasks: 12, Work: 10}},
		{Arrival: 1, Maps: slotmodel.Phase{Tasks: 2, Work: 10}},
	}
	for _, p := range []slotmodel.Policy{policy.FIFO{}, new(policy.Fair), new(policy.SRPT)} {
		result, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(result.Jobs[0].Finish, result.Jobs[1].Finish)
	}
	// Output:
	// 30 40
	// 40 20
	// 40 20
}
