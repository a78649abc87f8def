package schedtest

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Order checks that less is a strict weak order of what draw draws, without which sorts and heaps
// put things anywhere: nothing comes before itself, of two things at most one comes before the
// other, and both the order and equivalence, where neither comes before the other, are transitive.
// Draw from few values, so that ties are drawn.
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

// Sort checks a sort of up to ten things that draw draws: afterwards each is there as often as it
// was, and no later one comes before an earlier one by less, which is a strict weak order. Things
// are the same if reflect.DeepEqual says so.
func Sort[T any](t testing.TB, draw func(r *rapid.T) T, sort func([]T), less func(a, b T) bool) {
	t.Helper()
	checkSort(t, draw, sort, less, false)
}

// SortStable is Sort for a sort that keeps the order of what is equivalent.
func SortStable[T any](t testing.TB, draw func(r *rapid.T) T, sort func([]T), less func(a, b T) bool) {
	t.Helper()
	checkSort(t, draw, sort, less, true)
}

func checkSort[T any](t testing.TB, draw func(r *rapid.T) T, sort func([]T), less func(a, b T) bool, stable bool) {
	t.Helper()
	check(t, func(r *rapid.T) {
		given := rapid.SliceOfN(rapid.Custom(draw), 0, 10).Draw(r, "things")
		got := slices.Clone(given)
		sort(got)
		story := words("given %+v\nsorted %+v", given, got)
		left := slices.Clone(given)
		for _, x := range got {
			i := slices.IndexFunc(left, func(y T) bool { return reflect.DeepEqual(x, y) })
			if i < 0 {
				r.Fatalf("each is there as often as it was: %+v is there too often\n%s", x, story)
			}
			left = slices.Delete(left, i, i+1)
		}
		for j, b := range got {
			for i, a := range got[:j] {
				if less(b, a) {
					r.Fatalf("no later one comes before an earlier one: number %d, %+v, is after number %d, %+v\n%s", j, b, i, a, story)
				}
			}
		}
		want := slices.Clone(given) // by insertion
		for j := range want {
			for i := j; i > 0 && less(want[i], want[i-1]); i-- {
				want[i], want[i-1] = want[i-1], want[i]
			}
		}
		if stable && !reflect.DeepEqual(got, want) {
			r.Fatalf("what is equivalent stays in its order: want %+v\n%s", want, story)
		}
	})
}
