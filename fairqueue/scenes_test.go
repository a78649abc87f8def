package fairqueue_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
)

// Whether a flow that is idle, and whose last finish tag the virtual time has passed, stays or
// leaves and comes back changes no answer. It is the last to have joined, so that its place in ties
// is the same.
func TestDropIdle(t *testing.T) {
	drops := 0
	for seed := range uint64(200) {
		a, b := newSystem(t, rand.New(rand.NewPCG(seed, 5)), fairqueue.Options{}, 1, 1), newSystem(t, rand.New(rand.NewPCG(seed, 5)), fairqueue.Options{}, 1, 1)
		last := len(a.cost) - 1
		weight := a.watches[100].weight[last]
		for range 500 {
			a.step(t)
			if !b.active[last] {
				levels, err := b.q.Why(nil, last)
				must(t, err)
				if l := levels[1]; l.Finish <= l.Virtual {
					drops++
				}
				// Remembered or not, it is as if it had stayed.
				if !b.q.Leave(last) || b.q.JoinUnder(100, last, weight) != nil {
					t.Fatal("an idle flow cannot leave and come back")
				}
			}
			b.step(t)
			if !slices.Equal(a.running, b.running) {
				t.Fatalf("seed %d: %v is served, with an idle flow dropped %v", seed, a.running, b.running)
			}
		}
	}
	if drops < 1000 {
		t.Errorf("dropped %d times, want 1000: the histories test nothing", drops)
	}
}

// Leaving and coming back gains nothing, unless the queue forgets.
func TestLeaveAndReturn(t *testing.T) {
	for _, forget := range []bool{false, true} {
		q := flows(t, fairqueue.Options{Forget: forget}, 1, 1)
		serve(t, q, 100)
		if !q.Leave(0) {
			t.Fatal("Leave(0) = false")
		}
		must(t, q.Join(0, 1))
		must(t, q.SetActive(0, true))
		turns := 0
		for ; serve(t, q, 10) == 1; turns++ {
		}
		if want := map[bool]int{false: 11, true: 1}[forget]; turns != want {
			t.Errorf("Forget %t: the other flow had %d turns, want %d", forget, turns, want)
		}
	}
}

// 10^5 flows that come once each leave nothing behind.
func TestManyFlows(t *testing.T) {
	for _, o := range []fairqueue.Options{{}, {Return: fairqueue.ToLeast}} {
		q := flows(t, o, 1)
		must(t, q.Join(-1, 1))
		for i := 1; i <= 1e5; i++ {
			if i%2 == 0 {
				must(t, q.Join(i, 1+float64(i%7)))
			} else {
				must(t, q.JoinUnder(-1, i, 1))
			}
			must(t, q.SetActive(i, true))
			for serve(t, q, float64(1+i%1000)) != i {
			}
			must(t, q.SetActive(i, false))
			if !q.Leave(i) {
				t.Fatalf("Leave(%d) = false", i)
			}
			if i%1000 == 0 {
				if n := len(q.Snapshot().Flows); n > 100 {
					t.Fatalf("%d flows are kept after %d that came and went, of 2", n, i)
				}
			}
		}
	}
}

// The returning tenant: alone for 1,000 services, then idle for a moment, it waits for one service
// of a newcomer.
func TestReturningTenant(t *testing.T) {
	q := flows(t, fairqueue.Options{}, 1)
	for range 1000 {
		serve(t, q, 1)
	}
	must(t, q.SetActive(0, false))
	must(t, q.Join(1, 1))
	must(t, q.SetActive(1, true))
	serve(t, q, 1)
	must(t, q.SetActive(0, true))
	turns := 0
	for ; serve(t, q, 1) == 1; turns++ {
	}
	if turns > 1 {
		t.Errorf("the tenant waits for %d services of the newcomer, want at most 1", turns)
	}
}

// The Temporal scenario: weights 501 and 1000, 15,010 tasks.
func TestWeightsAreNotRounded(t *testing.T) {
	q := flows(t, fairqueue.Options{}, 501, 1000)
	var had [2]int
	for range 15010 {
		had[serve(t, q, 1)]++
	}
	if had != [2]int{5010, 10000} {
		t.Errorf("weights 501 and 1000: %v, want [5010 10000]", had)
	}
}

// Ties go by the order of joining.
func TestTies(t *testing.T) {
	q := flows(t, fairqueue.Options{})
	for _, key := range []int{3, 1, 2} {
		must(t, q.Join(key, 1))
	}
	for _, key := range []int{2, 1, 3} {
		must(t, q.SetActive(key, true))
	}
	for range 3 {
		for _, want := range []int{3, 1, 2} {
			if got := serve(t, q, .1); got != want {
				t.Errorf("Next() = %d, want %d", got, want)
			}
		}
	}
}

// Without a skip function that passes over somebody, nothing is allocated.
func TestAllocations(t *testing.T) {
	q := flows(t, fairqueue.Options{}, 1, 2, 3)
	must(t, q.Join(9, 1))
	must(t, q.JoinUnder(9, 10, 1))
	must(t, q.SetActive(10, true))
	skip := func(k int) bool { return k == 2 }
	if n := testing.AllocsPerRun(1000, func() {
		key, _ := q.Next(skip)
		_ = q.Charge(key, 3)
		_ = q.SetActive(key, false)
		_ = q.SetActive(key, true)
		s, _ := q.Start(key, 3)
		_ = q.Grow(s, 1)
		_ = q.End(s, 2)
	}); n != 0 {
		t.Errorf("%v allocations an event, want 0", n)
	}
}
