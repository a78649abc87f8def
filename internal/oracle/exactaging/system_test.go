package exactaging_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

// TestCapsReorder: with limits the order of virtual finishes can change while jobs stay.
func TestCapsReorder(t *testing.T) {
	s := exactaging.New[int](exactaging.Rat{}, 4)
	s.Add(0, 6, 1, 1)
	s.Add(1, 8, 4, 1)
	v := s.Finishes()
	if v[0].Key != 1 || v[0].At.Cmp(big.NewRat(8, 3)) != 0 || v[1].At.Cmp(big.NewRat(6, 1)) != 0 {
		t.Errorf("Finishes() = %v, want job 1 at 8/3, job 0 at 6", v)
	}
	for k := range 6 {
		s.Add(2+k, 100, 4, 1)
	}
	v = s.Finishes()
	if v[0].Key != 0 || v[0].At.Cmp(big.NewRat(12, 1)) != 0 || v[1].Key != 1 || v[1].At.Cmp(big.NewRat(31, 2)) != 0 {
		t.Errorf("Finishes() = %v, want job 0 at 12, job 1 at 31/2", v[:2])
	}
	if got := s.ByWork(); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("ByWork() = %v, want the jobs of 6 and 8 and the others by the order of Add", got)
	}
}

// TestReestimate goes through the rules for a new size.
func TestReestimate(t *testing.T) {
	s := exactaging.New[string](exactaging.Rat{}, 1)
	left := func(key string, want float64) {
		t.Helper()
		if l, ok := s.Left(key); !ok || l.Cmp(new(big.Rat).SetFloat64(want)) != 0 {
			t.Errorf("Left(%q) = %v, %v, want %v, true", key, l, ok, want)
		}
	}
	s.Add("a", 10, 0, 0)
	s.Add("b", 4, 0, 0)
	s.Advance(4)
	s.Reestimate("a", 5)
	left("a", 3)
	s.Reestimate("a", 1) // 2 received
	left("a", 0)
	s.Advance(2)
	left("b", 0)
	if late, _ := s.Late(); !slices.Equal(late, []string{"a", "b"}) {
		t.Errorf("Late() = %v, want [a b]", late)
	}
	s.Reestimate("a", 2)
	left("a", 0)
	s.Reestimate("a", 2.5)
	left("a", 0.5)
	s.Complete("a")
	s.Advance(0.25)
	left("a", 0.25)
	s.Advance(0.25)
	if _, ok := s.Left("a"); ok {
		t.Errorf("Left(%q) is known after the virtual finish of a completed job", "a")
	}
	if s.Len() != 1 || !slices.Equal(s.Keys(), []string{"b"}) || !s.IsLate("b") || s.Completed("b") || s.Largest("b") != 4 {
		t.Errorf("Keys() = %v, want b alone, late and not done", s.Keys())
	}
	if !s.Remove("b") || s.Remove("b") {
		t.Error("Remove of b twice, want true, then false")
	}
}
