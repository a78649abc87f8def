package slotmodel_test

import (
	"fmt"
	"log"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// The program at the head of the package documentation.
func Example() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Reduces: 1}, {Maps: 2, Reduces: 1}}}
	jobs := []slotmodel.JobSpec{
		{Arrival: 0, Maps: slotmodel.Phase{Tasks: 8, Work: 10}, Reduces: slotmodel.Phase{Tasks: 2, Work: 5}, Slowstart: 1},
		{Arrival: 3, Maps: slotmodel.Phase{Tasks: 1, Work: 10}},
	}
	result, err := slotmodel.Run(cluster, jobs, policy.FIFO{}, slotmodel.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range result.Jobs {
		fmt.Println(j.MapEnd, j.Finish)
	}
	// Output:
	// 20 25
	// 30 30
}
