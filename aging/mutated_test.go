package aging_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
	"github.com/schedmath/schedmath/internal/oracle/mutate"
)

// sameAgain fails unless Snapshot gives back what Restore has taken, Restore takes that too,
// and the cluster goes on.
func sameAgain(t testing.TB, s aging.Snapshot[int]) (taken bool) {
	t.Helper()
	c, err := aging.Restore(s)
	if err != nil {
		if !errors.Is(err, schedmath.ErrInput) || c != nil {
			t.Fatalf("Restore(%+v) = %v, %v, want an InputError", s, c, err)
		}
		return false
	}
	again := c.Snapshot()
	if diff := cmp.Diff(s, again, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("Restore(%+v) and its Snapshot (-want +got):\n%s", s, diff)
	}
	d, err := aging.Restore(again)
	if err != nil {
		t.Fatalf("Restore refuses the Snapshot of what it has taken, %+v: %v", again, err)
	}
	script(t, c)
	script(t, d)
	if diff := cmp.Diff(c.Snapshot(), d.Snapshot()); diff != "" {
		t.Fatalf("a cluster restored twice from %+v goes another way:\n%s", s, diff)
	}
	return true
}

// TestRestoreMutated: snapshots of random histories, and these with one or two changes.
func TestRestoreMutated(t *testing.T) {
	refused, taken := 0, 0
	for n := range 4000 {
		r := regimes[n%len(regimes)]
		rng := rand.New(rand.NewPCG(18, uint64(n)))
		g := r.generator(rng, false)
		p, err := newPlayer(exactaging.Float{}, g.capacity)
		must(t, err)
		for range 1 + rng.IntN(12) {
			must(t, p.do(next(g, p)))
		}
		text, err := json.Marshal(p.c.Snapshot())
		must(t, err)
		for range n % 3 {
			text = mutate.JSON(text, rng.IntN)
		}
		var s aging.Snapshot[int]
		if json.Unmarshal(text, &s) != nil {
			continue
		}
		if sameAgain(t, s) {
			taken++
		} else if refused++; n%3 == 0 {
			t.Fatalf("Restore refuses %s", text)
		}
	}
	if taken < 2000 || refused < 1000 {
		t.Errorf("%d snapshots were taken and %d refused, want 2,000 and 1,000", taken, refused)
	}
}
