package fairqueue_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
)

// TestServersApart: flows of weights 9 and 1 at one server keep their parts by any Lag while nobody
// is at another. A flow alone there moves the virtual time on: then they take equal turns unless
// Lag is +Inf, by which one that becomes active waits for that time.
func TestServersApart(t *testing.T) {
	const turns = 1000
	for _, c := range []struct {
		lag     float64
		apart   bool   // flow 2 is at a server of its own
		had     [2]int // of flows 0 and 1
		waiting int    // turns that flow 0 waits for once it becomes active again
	}{
		{0, false, [2]int{900, 100}, 0}, {math.Inf(1), false, [2]int{900, 100}, 0},
		{0, true, [2]int{500, 500}, 1}, {math.Inf(1), true, [2]int{900, 100}, 899},
	} {
		q := flows(t, fairqueue.Options{Lag: c.lag}, 9, 1, 1)
		for key := range 3 {
			must(t, q.SetServers(key, key/2))
		}
		must(t, q.SetActive(2, c.apart))
		turn := func() int {
			for server := range 2 {
				if key, ok := q.NextAt(1-server, nil); ok {
					must(t, q.Charge(key, 1))
					if server == 1 {
						return key
					}
				}
			}
			return -1
		}
		var had [2]int
		for range turns {
			had[turn()]++
		}
		must(t, q.SetActive(0, false))
		must(t, q.SetActive(0, true))
		waiting := 0
		for turn() != 0 {
			waiting++
		}
		if near := func(a, b int) bool { return max(a-b, b-a) <= 2 }; !near(had[0], c.had[0]) || !near(had[1], c.had[1]) || !near(waiting, c.waiting) {
			t.Errorf("lag %v, apart %v: %v turns, then %d without flow 0, want %v and %d", c.lag, c.apart, had, waiting, c.had, c.waiting)
		}
	}
}
