package fairqueue_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/fairqueue"
)

// TestOwnersGainNothing: an owner whose flows leave, are left out and come back under new keys, in
// any mix, has what one leaf that stays gives it, within the bound of section 2 of
// docs/fair-queues.md; a flat queue that forgets gives all to the leaver.
func TestOwnersGainNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q fairqueue.Queue[int]
		weight := rapid.SampledFrom([]float64{1, 2, 3, .7})
		ra, rb := weight.Draw(t, "a"), weight.Draw(t, "b")
		d := rapid.IntRange(1, 4).Draw(t, "servers")
		const a, b = -1, -2
		must(t, q.Join(a, ra))
		must(t, q.SetOwner(a, true))
		must(t, q.Join(b, rb))
		must(t, q.SetActive(b, true))
		newest, live := 0, []int{}
		join := func() {
			must(t, q.JoinUnder(a, newest, weight.Draw(t, "weight")))
			must(t, q.SetActive(newest, true))
			live = append(live, newest)
			newest++
		}
		join()
		type open struct {
			s fairqueue.Service
			a bool
		}
		var flying []open
		var wa, wb, la, lb float64
		for range 300 {
			if len(flying) == d {
				k := rapid.IntRange(0, d-1).Draw(t, "end")
				cost := rapid.SampledFrom([]float64{1, 2, 5, 10}).Draw(t, "cost")
				must(t, q.End(flying[k].s, cost))
				if flying[k].a {
					wa, la = wa+cost, max(la, cost)
				} else {
					wb, lb = wb+cost, max(lb, cost)
				}
				flying = append(flying[:k], flying[k+1:]...)
			}
			switch rapid.IntRange(0, 2).Draw(t, "play") {
			case 0:
				join()
			case 1: // also with services in flight
				join()
				q.Leave(live[0])
				live = live[1:]
			}
			key, ok := q.Next(nil)
			s, err := q.Start(key, rapid.SampledFrom([]float64{0, 1}).Draw(t, "guess"))
			if must(t, err); !ok {
				t.Fatal("nobody waits")
			}
			flying = append(flying, open{s, key != b})
			if bound := 2 * float64(d) * (la/ra + lb/rb); math.Abs(wa/ra-wb/rb) > bound*(1+1e-12) {
				t.Fatalf("an owner has %v by weight, a leaf %v: more than %v apart", wa/ra, wb/rb, bound)
			}
			if n := len(q.Snapshot().Flows); n > 2+len(live)+d {
				t.Fatalf("%d flows are known, of %d that have joined", n, q.Len())
			}
		}
	})
}

// TestKeysOfOneRequest: keys that come for one request each, while a service is open all the time,
// are forgotten under an owner, and are not in a flat queue.
func TestKeysOfOneRequest(t *testing.T) {
	for _, owner := range []bool{false, true} {
		var q fairqueue.Queue[int]
		must(t, q.Join(-1, 1))
		must(t, q.SetOwner(-1, owner))
		must(t, q.JoinUnder(-1, -2, 1))
		_, err := q.Start(-2, 1)
		must(t, err)
		const n = 10_000
		for k := range n {
			must(t, q.JoinUnder(-1, k, 1))
			s, err := q.Start(k, 1)
			must(t, err)
			must(t, q.End(s, 2))
			q.Leave(k)
		}
		want := n + 2
		if owner {
			want = 2
		}
		if got := len(q.Snapshot().Flows); got != want {
			t.Errorf("owner %v: %d flows are known after %d keys, want %d", owner, got, n, want)
		}
	}
}

// TestOwnerElsewhere: what another replica served of a key that is not here is told by a key that
// joins for it, and counts for the owner.
func TestOwnerElsewhere(t *testing.T) {
	q := flows(t, fairqueue.Options{}, 1)
	must(t, q.Join(-1, 1))
	must(t, q.SetOwner(-1, true))
	must(t, q.JoinUnder(-1, 1, 1))
	must(t, q.SetActive(1, true))
	must(t, q.JoinUnder(-1, 2, 1))
	must(t, q.Elsewhere(2, 10))
	q.Leave(2)
	for range 10 {
		if key := serve(t, q, 1); key != 0 {
			t.Fatalf("flow %d is served, of an owner who had 10 elsewhere", key)
		}
	}
	if n := len(q.Snapshot().Flows); n != 3 {
		t.Errorf("%d flows are known, want 3", n)
	}
}
