package flow_test

import (
	"fmt"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// Two flows leave rack 0, which sends 100 bytes per second; the one with weight 3 gets three quarters.
func Example() {
	n := flow.New([]flow.Link{{Egress: 100}, {}, {}}, 0)
	a, b := n.Open(0, 1, 3, 0), n.Open(0, 2, 1, 0)
	n.Send(a, 150)
	n.Mark(a, 1)
	n.Send(b, 100)
	n.Mark(b, 2)
	var refs []int32
	for t := n.Next(); t < inf; t = n.Next() {
		refs = n.Advance(refs[:0], t)
		fmt.Println(t, refs)
	}
	// Output:
	// 2 [1]
	// 2.5 [2]
}
