package schedtest

import (
	"testing"

	"pgregory.net/rapid"
)

// Order checks that less is a strict weak order of what draw draws, without which sorts and heaps
// put things anywhere: nothing comes before itself; of two things at most one comes before the
// other; and both the order and equivalence are transitive. Two things are equivalent if neither
// comes before the other. Ties are found by draws that are close together: draw from few values.
//
// less is called for all pairs of five drawn values, in any order, and must not change them.
func Order[T any](t testing.TB, draw func(r *rapid.T) T, less func(a, b T) bool) {
	t.Helper()
	check(t, func(r *rapid.T) {
		var x [5]T
		for i := range x {
			x[i] = draw(r)
		}
		var before [len(x)][len(x)]bool
		for i := range x {
			for j := range x {
				before[i][j] = less(x[i], x[j])
			}
		}
		for i := range x {
			if before[i][i] {
				r.Fatalf("nothing comes before itself: less(a, a) is true of a = %+v", x[i])
			}
			for j := range x {
				if before[i][j] && before[j][i] {
					r.Fatalf("of two things at most one comes before the other: less(a, b) and less(b, a) are both true of\na = %+v\nb = %+v", x[i], x[j])
				}
				for k := range x {
					equal := !before[i][j] && !before[j][i] && !before[j][k] && !before[k][j]
					switch {
					case before[i][j] && before[j][k] && !before[i][k]:
						r.Fatalf("the order is transitive: less(a, b) and less(b, c) are true and less(a, c) is not, of\na = %+v\nb = %+v\nc = %+v", x[i], x[j], x[k])
					case equal && (before[i][k] || before[k][i]):
						r.Fatalf("equivalence is transitive: neither of a and b comes before the other, nor of b and c, but one of a and c does, of\na = %+v\nb = %+v\nc = %+v", x[i], x[j], x[k])
					}
				}
			}
		}
	})
}
