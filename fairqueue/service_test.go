package fairqueue_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
)

// start serves the next flow, in flight, and returns it.
func start(t failer, q *fairqueue.Queue[int], cost float64) (int, fairqueue.Service) {
	t.Helper()
	key, ok := q.Next(nil)
	if !ok {
		t.Fatal("Next() = false, want a flow")
	}
	s, err := q.Start(key, cost)
	must(t, err)
	return key, s
}

// Who leaves before a service ends, and comes back, pays for it: what it has had in the end is
// within two services of what the flow that stayed has had.
func TestLeavingDoesNotPay(t *testing.T) {
	for _, forget := range []bool{false, true} {
		q := flows(t, fairqueue.Options{Forget: forget}, 1, 1)
		var had [2]float64
		for range 1000 {
			key, s := start(t, q, 1) // a guess
			if key == 1 {
				must(t, q.End(s, 1))
				had[1]++
				continue
			}
			if !q.Leave(0) {
				t.Fatal("Leave = false")
			}
			must(t, q.End(s, 10)) // it took ten times as long
			had[0] += 10
			must(t, q.Join(0, 1))
			must(t, q.SetActive(0, true))
		}
		// An option to forget is one to forget: there a flow pays while it is in flight.
		if gain := had[0] / had[1]; !forget && math.Abs(had[0]-had[1]) > 20 {
			t.Errorf("who leaves gets %v of who stays: %v", gain, had)
		}
	}
}

// What the comments of Options.Forget and Charge warn of: who leaves after each service, and comes
// back, is always first if the queue forgets, and so is a flow whose services cost 0 in truth.
func TestAlwaysFirst(t *testing.T) {
	for _, c := range []struct {
		forget bool
		truth  float64 // cost of a service of flow 0, guessed at 10; one of flow 1 costs 10
		want   [2]float64
	}{
		{false, 10, [2]float64{75_000, 75_000}},
		{true, 10, [2]float64{149_990, 10}},
		{false, 0, [2]float64{150_000, 0}},
	} {
		q := flows(t, fairqueue.Options{Forget: c.forget}, 1, 1)
		var had [2]float64 // at 10 a service
		for range 15_000 {
			key, s := start(t, q, 10)
			had[key] += 10
			must(t, q.End(s, []float64{c.truth, 10}[key]))
			if key == 0 && c.truth > 0 {
				q.Leave(0)
				must(t, q.Join(0, 1))
				must(t, q.SetActive(0, true))
			}
		}
		if had != c.want {
			t.Errorf("%+v: both have %v", c, had)
		}
	}
}

// Who starts a service at a great weight and ends it at a small one pays by the small one,
// whichever of the three weighs: what it charged, what grew, or the truth.
func TestChangingWeightDoesNotPay(t *testing.T) {
	for _, tree := range []bool{false, true} {
		for _, guess := range []float64{0, 500, 1000} {
			q := flows(t, fairqueue.Options{}, 1, 1)
			heavy := 0 // whose weight changes
			if tree {
				heavy = 2
				must(t, q.Join(heavy, 1))
				must(t, q.SetActive(0, false))
				if !q.Leave(0) {
					t.Fatal("Leave = false")
				}
				must(t, q.JoinUnder(heavy, 0, 1))
				must(t, q.SetActive(0, true))
			}
			must(t, q.SetWeight(heavy, 100))
			s, err := q.Start(0, guess)
			must(t, err)
			must(t, q.Grow(s, 1000-guess))
			must(t, q.SetWeight(heavy, 1))
			must(t, q.End(s, 1000))
			had := [2]float64{0: 1000}
			for had[1] < 1000 {
				key := serve(t, q, 1)
				if had[key]++; had[0]-had[1] > 1001 {
					t.Fatalf("tree %t, guess %v: %v, a change of weight gains service", tree, guess, had)
				}
			}
			if had[0] > 1001 {
				t.Errorf("tree %t, guess %v: %v, want 1000 and at most one service more", tree, guess, had)
			}
		}
	}
}

// Who moves to another parent takes what it owes along, cannot move while a service is in flight,
// and gets nothing back there for what it was charged elsewhere.
func TestMovingDoesNotPay(t *testing.T) {
	for _, by := range []fairqueue.Return{fairqueue.ByVirtualTime, fairqueue.ToLeast} {
		q := flows(t, fairqueue.Options{Return: by})
		for i, parent := range []int{10, 20} {
			must(t, q.Join(parent, 1))
			for _, key := range []int{2 * i, 2*i + 1} { // 0 and 1 under 10, 2 and 3 under 20
				must(t, q.JoinUnder(parent, key, 1))
				must(t, q.SetActive(key, true))
			}
		}
		for range 4 { // each of them once: under ToLeast the virtual times of 10 and 20 move on to 200
			serve(t, q, 200)
		}
		s, err := q.Start(0, 1000)
		must(t, err)
		if !q.Leave(0) {
			t.Fatal("Leave = false")
		}
		if q.JoinUnder(20, 0, 1) == nil {
			t.Error("a flow moves with a service in flight")
		}
		must(t, q.End(s, 500))
		must(t, q.JoinUnder(20, 0, 1))
		must(t, q.SetActive(0, true))
		had := map[int]float64{}
		for had[0] == 0 {
			had[serve(t, q, 1)]++
		}
		// 10 was charged 500, as flow 0 was, and 20 what it has had.
		if siblings := had[2] + had[3] + had[0]; had[2] < 500 || had[3] < 500 || had[2]+had[3] > 1002 || math.Abs(500+had[1]-siblings) > 2 {
			t.Errorf("%v: %v services until the flow that moved with a debt of 500 is served, want 500 of each new sibling and as many of the flow that stayed", by, had)
		}
	}
}

// A key for each service, all directly under the root, leaves an old flow one service; under one
// node it has half. They are remembered for one round: until the old flow's next service.
func TestManyKeys(t *testing.T) {
	for _, tree := range []bool{false, true} {
		q := flows(t, fairqueue.Options{}, 1)
		must(t, q.Join(1, 1))
		old, keys := 0, 1000
		for key := 2; key < 2+keys; key++ {
			if tree {
				must(t, q.JoinUnder(1, key, 1))
			} else {
				must(t, q.Join(key, 1))
			}
			must(t, q.SetActive(key, true))
			for serve(t, q, 1) == 0 {
				old++
			}
			must(t, q.SetActive(key, false))
			if !q.Leave(key) {
				t.Fatal("Leave = false")
			}
		}
		if !tree && old != 1 || tree && (old < keys-1 || old > keys+1) {
			t.Errorf("tree %t: the old flow is served %d times beside %d keys", tree, old, keys)
		}
		if key := serve(t, q, 1); key != 0 || len(q.Snapshot().Flows) != 2 {
			t.Errorf("tree %t: flow %d is next, and %d flows are remembered, want the old one and the two that stayed", tree, key, len(q.Snapshot().Flows))
		}
	}
}

// After a restart from a snapshot services that were in flight in it end, and those that were begun
// afterwards are refused, whatever has been begun since.
func TestRestartRefusesLostServices(t *testing.T) {
	q := flows(t, fairqueue.Options{}, 1, 1)
	_, kept := start(t, q, 5)
	_, ended := start(t, q, 5)
	must(t, q.End(ended, 5))
	s := q.Snapshot()
	_, lost := start(t, q, 5)
	s.Epoch = 1
	q, err := fairqueue.Restore(s)
	must(t, err)
	for range 3 {
		start(t, q, 5)
	}
	for _, gone := range []fairqueue.Service{lost, ended} {
		if q.End(gone, 1) == nil || q.Grow(gone, 1) == nil {
			t.Errorf("service %d is taken for one in flight", gone)
		}
	}
	must(t, q.End(kept, 5))
	if q.End(kept, 5) == nil {
		t.Error("a service ends twice")
	}
}

// A guess of any size, settled, costs its sender alone: afterwards services are shared as if the
// truth had been charged, after an idle moment and without one, whatever the tags have been.
func TestHugeGuess(t *testing.T) {
	for _, guess := range []float64{0x1p60, 1e15, 1e9} {
		for _, weight := range []float64{3, .001, 0x1p-60} {
			for _, idle := range []bool{true, false} {
				after := func(guess float64) (had [2]int) {
					q := flows(t, fairqueue.Options{}, weight, 1)
					must(t, q.SetActive(1, false))
					_, s := start(t, q, guess)
					_, s2 := start(t, q, 1) // alone: the virtual time follows it
					must(t, q.End(s, 1))
					must(t, q.End(s2, 1))
					must(t, q.SetActive(1, true))
					if idle {
						must(t, q.SetActive(0, false))
						must(t, q.SetActive(1, false))
						must(t, q.SetActive(0, true))
						must(t, q.SetActive(1, true))
					}
					must(t, q.SetWeight(0, 1))
					for range 1000 {
						had[serve(t, q, 1)]++
					}
					return had
				}
				had, want := after(guess), after(1)
				if d := had[0] - want[0]; d < -2 || d > 2 || idle && max(had[0], had[1]) > 501 {
					t.Errorf("guess %v at weight %v, idle %v: then %v services of 1, want %v as without", guess, weight, idle, had, want)
				}
			}
		}
	}
}

// Who guesses too much on D servers, alone at first, gets back what Lag allows and no more, whether
// its services end at once or one whenever the other flow has had its turn, which is not D times
// Lag; so does who guesses no more than Lag. It is within D services and Lag.
func TestOverGuessGainsLag(t *testing.T) {
	for _, c := range []struct{ servers, lag, guess float64 }{{2, 0, 1e6}, {2, 10, 1e6}, {2, 500, 1e6}, {8, 0, 1e6}, {8, 10, 1e6}, {8, 100, 102}, {8, 100, 100}, {8, 100, 50}} {
		for _, staggered := range []bool{false, true} {
			q := flows(t, fairqueue.Options{Lag: c.lag}, 1)
			var open []fairqueue.Service
			for range int(c.servers) {
				_, s := start(t, q, c.guess)
				open = append(open, s)
			}
			must(t, q.Join(1, 1))
			must(t, q.SetActive(1, true))
			var had [2]float64
			key := 0
			for range 5000 {
				for len(open) > 0 && (key == 1 || !staggered) {
					must(t, q.End(open[0], 1))
					if open = open[1:]; staggered {
						break
					}
				}
				key = serve(t, q, 1)
				if had[key]++; had[0]-had[1] > c.servers+c.lag {
					t.Fatalf("%v, staggered %t: %v, the flow that guessed too much is ahead", c, staggered, had)
				}
			}
		}
	}
}

// A flow that skip has passed over earns at most Lag under either rule of return, and so does a
// tenant whose flows were passed over.
func TestPassedOverEarnsLag(t *testing.T) {
	for _, back := range []fairqueue.Return{fairqueue.ByVirtualTime, fairqueue.ToLeast} {
		for _, lag := range []float64{0, 10} {
			q := flows(t, fairqueue.Options{Return: back, Lag: lag})
			must(t, q.Join(100, 1))
			must(t, q.JoinUnder(100, 0, 1))
			must(t, q.Join(1, 1))
			must(t, q.SetActive(0, true))
			must(t, q.SetActive(1, true))
			for range 1000 {
				key, _ := q.Next(func(key int) bool { return key == 0 })
				must(t, q.Charge(key, 1))
			}
			row := 0.
			for serve(t, q, 1) == 0 {
				row++
			}
			if row > lag+2 {
				t.Errorf("%v, lag %v: %v services in a row for who was passed over", back, lag, row)
			}
		}
	}
}

// Who guesses ten times too much keeps its part with a Lag of its guess, and has a fourth of it
// without: eight in flight, and another flow that guesses the truth.
func TestLagOfAGuessKeepsItsPart(t *testing.T) {
	for lag, low := range map[float64]float64{0: .2, 10: .99} {
		q := flows(t, fairqueue.Options{Lag: lag}, 1, 1)
		var keys []int
		var open []fairqueue.Service
		var had [2]float64
		for range 20000 {
			for len(open) < 8 {
				key, _ := q.Next(nil)
				s, err := q.Start(key, []float64{10, 1}[key])
				must(t, err)
				keys, open = append(keys, key), append(open, s)
			}
			must(t, q.End(open[0], 1))
			had[keys[0]]++
			keys, open = keys[1:], open[1:]
		}
		if part := had[0] / 10000; part < low || part > low+.1 {
			t.Errorf("lag %v: %v of its part, want about %v", lag, part, low)
		}
	}
}

// A flow that is passed over, or held at a limit, gets afterwards at most Lag more than its part,
// and who joins then waits for at most that, one service of each and its own.
func TestCreditIsLag(t *testing.T) {
	for _, lag := range []float64{0, 5, 100} {
		for _, held := range []string{"skip", "limit"} {
			q := flows(t, fairqueue.Options{Lag: lag}, 1, 1)
			var skip func(int) bool
			var s fairqueue.Service
			if held == "skip" {
				skip = func(key int) bool { return key == 0 }
			} else {
				must(t, q.SetLimit(0, 1))
				_, s = start(t, q, 1)
			}
			for range 1000 {
				key, _ := q.Next(skip)
				must(t, q.Charge(key, 1))
			}
			if held == "limit" {
				must(t, q.End(s, 1))
				must(t, q.SetLimit(0, 0))
			}
			must(t, q.Join(2, 1))
			must(t, q.SetActive(2, true))
			var had [3]float64
			for had[2] < 50 {
				had[serve(t, q, 1)]++
				for _, other := range had[1:] {
					if had[0]-other > lag+2 {
						t.Fatalf("%s, lag %v: %v, the flow that was held is ahead by more than its credit", held, lag, had)
					}
				}
			}
			if had[0]-had[1] < lag-2 {
				t.Errorf("%s, lag %v: %v, the flow that was held has lost its credit", held, lag, had)
			}
		}
	}
}

// Weights hold within a cap: 8 streams, weights 4, 1, 1, requests of exponential lengths. With
// Lag a cap just above the heavy tenant's part leaves the parts nearly as they are, and a cap below
// it does not starve the others once it is raised.
func TestCapsOfAGateway(t *testing.T) {
	const streams = 8
	parts := func(lag float64, limit int, until float64) (before, after [3]float64) {
		r := rand.New(rand.NewPCG(11, 12))
		q := flows(t, fairqueue.Options{Lag: lag}, 4, 1, 1)
		must(t, q.SetLimit(0, limit))
		type stream struct {
			s         fairqueue.Service
			key       int
			cost, end float64
		}
		var open []stream
		for now := 0.; now < 2*until; {
			for len(open) < streams {
				key, ok := q.Next(nil)
				if !ok {
					break
				}
				cost := 10 * r.ExpFloat64()
				s, err := q.Start(key, 10)
				must(t, err)
				open = append(open, stream{s, key, cost, now + cost})
			}
			first := 0
			for i := range open {
				if open[i].end < open[first].end {
					first = i
				}
			}
			x := open[first]
			open[first] = open[len(open)-1]
			open = open[:len(open)-1]
			must(t, q.End(x.s, max(x.cost, 0x1p-60)))
			if now < until && x.end >= until {
				must(t, q.SetLimit(0, 0))
			}
			now = x.end
			if now < until {
				before[x.key] += x.cost
			} else {
				after[x.key] += x.cost
			}
		}
		return before, after
	}
	for _, c := range []struct {
		lag       float64
		limit     int
		low, high float64 // part of the heavy tenant over that of another, before
	}{{math.Inf(1), 6, 3.6, 4.2}, {50, 6, 3, 4.2}, {0, 6, 2.4, 3.8}, {0, 3, 1.0, 1.4}, {50, 3, 1.0, 1.4}} {
		before, after := parts(c.lag, c.limit, 2000)
		if ratio := 2 * before[0] / (before[1] + before[2]); ratio < c.low || ratio > c.high {
			t.Errorf("lag %v, cap %d: the heavy tenant has %.2f times what another has, want %v to %v", c.lag, c.limit, ratio, c.low, c.high)
		}
		if sum := after[0] + after[1] + after[2]; c.lag < 1e9 && min(after[1], after[2]) < .8*sum/6 {
			t.Errorf("lag %v, cap %d raised: %v, the light tenants starve", c.lag, c.limit, after)
		}
	}
}
