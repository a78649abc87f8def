package internal_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/policy/internal/policytest"
)

// turns breaks ties by a turn that each item has.
type turns []int

func (t turns) Before(a, b int32) bool { return t[a] < t[b] }

// modelled is an Order beside a plain list of its items, sorted anew for each question.
type modelled struct {
	internal.Order
	turn turns // nil: by number
	keys map[int32]float64
}

func (m *modelled) compare(a, b int32) int {
	byTurn := cmp.Compare(a, b)
	if m.turn != nil {
		byTurn = cmp.Compare(m.turn[a], m.turn[b])
	}
	return cmp.Or(cmp.Compare(m.keys[a], m.keys[b]), byTurn)
}

func (m *modelled) sorted() []int32 {
	ids := make([]int32, 0, len(m.keys))
	for id := range m.keys {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, m.compare)
	return ids
}

// After any changes, and walks broken off anywhere, an Order walks through its items as a sort has
// them, and tells their number, the first of them and which of two comes first. Two orders without
// a common item share one table of places.
func TestOrder(t *testing.T) {
	const n = 24
	longest, ties := 0, 0
	property := func(t *rapid.T) {
		var turn turns
		if rapid.Bool().Draw(t, "own ties") {
			turn = rapid.Permutation(slices.Collect(func(yield func(int) bool) {
				for i := range n {
					if !yield(i) {
						return
					}
				}
			})).Draw(t, "turns")
		}
		at := internal.Places(n)
		var both [2]*modelled // the even items, the odd ones
		for i := range both {
			both[i] = &modelled{turn: turn, keys: map[int32]float64{}}
			if both[i].At = at; turn != nil {
				both[i].Ties = turn
			}
		}
		keys := rapid.SampledFrom([]float64{0, .1, .3, .1 + .2, 7.1, -1, 1e-300, math.Inf(1), math.Inf(-1)})
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			side := rapid.IntRange(0, 1).Draw(t, "side")
			o := both[side]
			id := int32(2*rapid.IntRange(0, n/2-1).Draw(t, "item") + side)
			want := o.sorted()
			switch rapid.IntRange(0, 10).Draw(t, "step") {
			case 0, 1, 2, 3:
				key := keys.Draw(t, "key")
				o.Set(id, key)
				o.keys[id] = key
			case 4:
				o.Remove(id)
				delete(o.keys, id)
			case 5:
				if rapid.IntRange(0, 9).Draw(t, "clear") == 0 {
					o.Clear()
					clear(o.keys)
				}
			case 6:
				if got := o.Len(); got != len(want) {
					t.Fatalf("Len() = %d, want %d", got, len(want))
				}
			case 8:
				if len(want) > 0 {
					if got, key := o.Least(); got != want[0] || key != o.keys[want[0]] {
						t.Fatalf("Least() = %d, %v, want %d, %v", got, key, want[0], o.keys[want[0]])
					}
				}
			case 7:
				for a := int32(-1); a <= n; a++ {
					for b := int32(-1); b <= n; b++ {
						if a >= 0 && a < n && int(a)%2 != side || b >= 0 && b < n && int(b)%2 != side {
							continue // items of the other order, which shares the table
						}
						_, hasA := o.keys[a]
						_, hasB := o.keys[b]
						if got, want := o.Precedes(a, b), hasA && hasB && o.compare(a, b) < 0; got != want {
							t.Fatalf("Precedes(%d, %d) = %t, want %t with keys %v and turns %v", a, b, got, want, o.keys, turn)
						}
						if hasA && hasB && a != b && o.keys[a] == o.keys[b] {
							ties++
						}
					}
				}
			default: // a walk, whole or broken off; the steps that follow find it so
				o.Begin()
				m := rapid.IntRange(0, len(want)+2).Draw(t, "walked")
				for i := range m {
					item := int32(internal.Absent)
					if i < len(want) {
						item = want[i]
					}
					if got := o.Next(); got != item {
						t.Fatalf("step %d of a walk gives %d, want %d: the order is %v with keys %v and turns %v", i, got, item, want, o.keys, turn)
					}
				}
				longest = max(longest, min(m, len(want)))
			}
		}
	}
	rapid.Check(t, property)
	longest, ties = 0, 0
	policytest.Counted(t, 200, property)
	if longest < 8 || ties < 100 {
		t.Errorf("the longest walk has %d items and %d ties are compared, want 8 and 100: the cases test nothing", longest, ties)
	}
}

// An item that changes its turn among equal keys takes its new place when it is set again, with the
// same key too.
func TestOrderTurnChanges(t *testing.T) {
	turn := turns{0, 1, 2}
	o := internal.Order{At: internal.Places(3), Ties: turn}
	for id := range int32(3) {
		o.Set(id, 1)
	}
	turn[0] = 9
	o.Set(0, 1)
	o.Begin()
	if got, want := []int32{o.Next(), o.Next(), o.Next(), o.Next()}, []int32{1, 2, 0, internal.Absent}; !slices.Equal(got, want) {
		t.Errorf("the walk is %v, want %v", got, want)
	}
}
