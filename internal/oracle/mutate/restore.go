package mutate

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath"
)

// Restored restores a snapshot, and then what the result gives back. It fails t unless a refusal is
// an ErrInput without a result, and what is taken is given back, without a difference by diff, and
// taken again. It returns both results, and whether the snapshot was taken.
func Restored[S any, T comparable](t testing.TB, s S, restore func(S) (T, error), snapshot func(T) S, diff func(want, got S) string) (a, b T, taken bool) {
	t.Helper()
	var none T
	a, err := restore(s)
	if err != nil {
		if !errors.Is(err, schedmath.ErrInput) || a != none {
			t.Fatalf("Restore(%+v) = %v, %v, want an ErrInput alone", s, a, err)
		}
		return none, none, false
	}
	again := snapshot(a)
	if d := diff(s, again); d != "" {
		t.Fatalf("Restore(%+v) and its Snapshot (-want +got):\n%s", s, d)
	}
	if b, err = restore(again); err != nil {
		t.Fatalf("Restore refuses the Snapshot of what it has taken, %+v: %v", again, err)
	}
	return a, b, true
}

// Snapshots checks the snapshots that draw gives, one for each round, as they are, with one change
// and with two by turns. draw also returns the check of its snapshot, which reports whether the
// snapshot was taken. Snapshots fails t if one without a change is refused, or if fewer are taken
// or refused than said.
func Snapshots[S any](t testing.TB, rounds int, stream uint64, taken, refused int, draw func(n int, r *rand.Rand) (S, func(S) bool)) {
	t.Helper()
	was := map[bool]int{}
	for n := range rounds {
		r := rand.New(rand.NewPCG(uint64(n), stream))
		drawn, check := draw(n, r)
		text, err := json.Marshal(drawn)
		if err != nil {
			t.Fatal(err)
		}
		for range n % 3 {
			text = JSON(text, r.IntN)
		}
		var s S
		if json.Unmarshal(text, &s) != nil {
			continue
		}
		ok := check(s)
		if was[ok]++; !ok && n%3 == 0 {
			t.Fatalf("Restore refuses %s", text)
		}
	}
	if was[true] < taken || was[false] < refused {
		t.Errorf("%d snapshots were taken and %d refused, want %d and %d", was[true], was[false], taken, refused)
	}
}
