package tree_test

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/tree"
	"pgregory.net/rapid"
)

// The children are those whose parent a node is, and every node comes after its parent; a node that
// does not reach the root is named.
func TestTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(t, "n")
		parents := rapid.SliceOfN(rapid.IntRange(-1, max(0, n-1)), n, n).Draw(t, "parents")
		lost := slices.IndexFunc(parents, func(p int) bool {
			for range n {
				if p == -1 {
					return false
				}
				p = parents[p]
			}
			return p != -1
		})
		got, bad, reason := tree.New(n, parents)
		if (reason != "") != (lost >= 0) || reason != "" && bad != lost {
			t.Fatalf("New(%d, %v): %d %q, want %d", n, parents, bad, reason, lost)
		}
		if reason != "" {
			return
		}
		for p := -1; p < n; p++ {
			var want []int
			for i, q := range parents {
				if q == p {
					want = append(want, i)
				}
			}
			if kids := got.Children(p); !slices.Equal(kids, want) {
				t.Fatalf("New(%d, %v): children of %d are %v, want %v", n, parents, p, kids, want)
			}
		}
		for k, i := range got.Order {
			if p := parents[i]; p >= 0 && slices.Index(got.Order, p) >= k || len(got.Order) != n {
				t.Fatalf("New(%d, %v): order %v", n, parents, got.Order)
			}
		}
	})
}

func TestBadParents(t *testing.T) {
	for _, c := range []struct {
		parents []int
		bad     int
	}{{[]int{-1}, -1}, {[]int{-1, 2}, 1}, {[]int{-2, 0}, 0}, {[]int{}, -1}} {
		if _, bad, reason := tree.New(2, c.parents); bad != c.bad || reason == "" {
			t.Errorf("New(2, %v): %d %q, want %d", c.parents, bad, reason, c.bad)
		}
	}
	if got, _, reason := tree.New(2, nil); reason != "" || !slices.Equal(got.Order, []int{0, 1}) {
		t.Errorf("New(2, nil) = %v, %q", got, reason)
	}
}
