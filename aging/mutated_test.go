package aging_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
	"github.com/schedmath/schedmath/internal/oracle/mutate"
)

// sameAgain fails unless Snapshot gives back what Restore has taken, Restore takes that too,
// and the cluster goes on.
func sameAgain(t testing.TB, s aging.Snapshot[int]) (taken bool) {
	t.Helper()
	c, d, taken := mutate.Restored(t, s, aging.Restore[int], (*aging.Cluster[int]).Snapshot, difference)
	if !taken {
		return false
	}
	script(t, c)
	script(t, d)
	if diff := cmp.Diff(c.Snapshot(), d.Snapshot()); diff != "" {
		t.Fatalf("a cluster restored twice from %+v goes another way:\n%s", s, diff)
	}
	if _, err := aging.Restore(c.Snapshot()); err != nil {
		t.Fatalf("a cluster restored from %+v leads to %+v: %v", s, c.Snapshot(), err)
	}
	return true
}

// TestRestoreMutated: snapshots of random histories, and these with one or two changes.
func TestRestoreMutated(t *testing.T) {
	mutate.Snapshots(t, 4000, 18, 2000, 1000, func(n int, rng *rand.Rand) (aging.Snapshot[int], func(aging.Snapshot[int]) bool) {
		g := regimes[n%len(regimes)].generator(rng, false)
		p, err := newPlayer(exactaging.Float{}, g.capacity)
		must(t, err)
		for range 1 + rng.IntN(12) {
			must(t, p.do(next(g, p)))
		}
		return p.c.Snapshot(), func(s aging.Snapshot[int]) bool { return sameAgain(t, s) }
	})
}

// difference returns how two snapshots differ; nil and empty lists are equal.
func difference(want, got aging.Snapshot[int]) string {
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}
