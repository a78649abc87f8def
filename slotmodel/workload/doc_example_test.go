package workload_test

import (
	"fmt"
	"log"

	"github.com/schedmath/schedmath/slotmodel/workload"
)

// The program at the head of the package documentation.
func Example() {
	trace, err := workload.SyntheticFB2010(workload.Stream(1, workload.Trace, 0)) // or ReadSWIM
	if err != nil {
		log.Fatal(err)
	}
	jobs, err := workload.Explode(nil, trace, workload.ExplodeOptions{MapSlots: 72, ReduceSlots: 36})
	if err != nil {
		log.Fatal(err)
	}
	maps, reduces, err := workload.OfferedLoad(72, 36, jobs)
	fmt.Printf("%d jobs, %.2f of the map slots, %.2f of the reduce slots, %v\n", len(jobs), maps, reduces, err)
	// Output:
	// 24442 jobs, 0.90 of the map slots, 0.90 of the reduce slots, <nil>
}
