package schedmath_test

import (
	"fmt"

	"github.com/schedmath/schedmath"
)

func ExampleKind_String() {
	fmt.Println(schedmath.Map, schedmath.Reduce, schedmath.Kind(7))
	// Output: map reduce Kind(7)
}
