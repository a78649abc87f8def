package schedmath_test

import (
	"fmt"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

func TestKind(t *testing.T) {
	expect.Words(t, map[schedmath.Kind]string{schedmath.Map: "map", schedmath.Reduce: "reduce"})
}

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
