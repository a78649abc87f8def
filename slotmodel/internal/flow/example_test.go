package flow_test

import (
	"fmt"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// Link 0 carries 100 bytes per second, links 1 and 2 have no limit. Of two flows over link 0 the
// one with weight 3 gets three quarters.
func Example() {
	n := flow.New(100, 0, 0)
	a, b := n.Open(3, 0, 1), n.Open(1, 0, 2)
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
