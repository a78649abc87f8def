package sharedscan_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/schedmath/schedmath/internal/oracle/mutate"
	"github.com/schedmath/schedmath/sharedscan"
)

// goOn makes the same random calls on a scan as on any other of the same seed; errors are part of
// the game.
func goOn(c *sharedscan.CircularScan[int], seed uint64, steps int) {
	r := rand.New(rand.NewPCG(seed, 48))
	var under []int64
	for range steps {
		switch what := r.IntN(8); {
		case what < 2:
			_, _ = c.Join(r.IntN(5), r.IntN(4))
		case what < 5:
			b, _ := c.Next()
			if run, err := c.Start(b); err == nil {
				under = append(under, run.ID)
			}
		case what == 5 && len(under) > 0:
			_, _ = c.Finish(nil, under[r.IntN(len(under))])
		case what == 6 && len(under) > 0:
			_, _ = c.Lost(nil, under[r.IntN(len(under))])
		case r.IntN(2) == 0:
			_, _ = c.Fail(nil, r.IntN(5))
		default:
			c.Leave(r.IntN(5))
		}
	}
}

// sameAgain fails unless Snapshot gives back what Restore has taken, which is then
// taken again, and the scan goes on.
func sameAgain(t testing.TB, s sharedscan.Snapshot[int]) (taken bool) {
	t.Helper()
	diff := func(want, got sharedscan.Snapshot[int]) string {
		return cmp.Diff(want, got, cmpopts.EquateEmpty())
	}
	c, d, taken := mutate.Restored(t, s, sharedscan.Restore[int], (*sharedscan.CircularScan[int]).Snapshot, diff)
	if !taken {
		return false
	}
	goOn(c, 7, 30)
	goOn(d, 7, 30)
	last := c.Snapshot()
	if diff := cmp.Diff(last, d.Snapshot()); diff != "" {
		t.Fatalf("a scan restored twice from %+v goes another way:\n%s", s, diff)
	}
	if max(last.LastRun, last.LastJob, last.LastTicket) >= 1<<62 {
		return true // numbers that no scan comes to, which Restore takes up to 2^62 - 1
	}
	if _, err := sharedscan.Restore(last); err != nil {
		t.Fatalf("restored from %+v the scan goes on to %+v: %v", s, last, err)
	}
	return true
}

// TestRestoreMutated: snapshots of random histories, and these with one or two changes.
func TestRestoreMutated(t *testing.T) {
	type snapshot = sharedscan.Snapshot[int]
	mutate.Snapshots(t, 3000, 49, 1500, 500, func(n int, r *rand.Rand) (snapshot, func(snapshot) bool) {
		c, err := sharedscan.New[int](r.IntN(4))
		if err != nil {
			t.Fatal(err)
		}
		goOn(c, uint64(n), 1+r.IntN(30))
		return c.Snapshot(), func(s snapshot) bool { return s.Blocks <= 1000 && sameAgain(t, s) }
	})
}
