package schedmath_test

import (
	"fmt"

	"github.com/schedmath/schedmath"
)

func ExampleKind_String() {
	fmt.Println(schedmath.Map, schedmath.Reduce, schedmath.Kind(7))
	// Output: map reduce Kind(7)
}

func ExampleKind_UnmarshalText() {
	var k schedmath.Kind
	fmt.Println(k.UnmarshalText([]byte("reduce")), k)
	fmt.Println(k.UnmarshalText([]byte("sort")), k)
	// Output:
	// <nil> reduce
	// schedmath.Kind.UnmarshalText: text: "sort", want map or reduce reduce
}
