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

// A flow with services in flight comes back under its own parent alone, and its parent stays.
func TestMovingDoesNotPay(t *testing.T) {
	q := flows(t, fairqueue.Options{})
	for _, key := range []int{1, 2} {
		must(t, q.Join(key, 1))
	}
	must(t, q.JoinUnder(1, 11, 1))
	s, err := q.Start(11, 1000)
	must(t, err)
	if q.Leave(1) {
		t.Error("a node leaves above a service in flight")
	}
	if !q.Leave(11) {
		t.Fatal("Leave = false")
	}
	if q.Leave(1) {
		t.Error("a node leaves above a service in flight, of a flow that has left")
	}
	if err := q.JoinUnder(2, 11, 1); err == nil {
		t.Error("a flow with a service in flight joins under another parent")
	}
	if err := q.Join(11, 1); err == nil {
		t.Error("a flow with a service in flight joins the root")
	}
	must(t, q.JoinUnder(1, 11, 1))
	must(t, q.End(s, 1))
	if err := q.End(s, 1); err == nil {
		t.Error("a service ends twice")
	}
}

// A guess of any size, settled, costs its sender alone: afterwards services are shared as before,
// after an idle moment and without one, whatever the tags have been.
func TestHugeGuess(t *testing.T) {
	for _, guess := range []float64{0x1p60, 1e15, 1e9} {
		for _, weight := range []float64{3, .001, 0x1p-60} {
			for _, idle := range []bool{true, false} {
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
				var had [2]int
				for range 1000 {
					had[serve(t, q, 1)]++
				}
				if d := had[0] - had[1]; d < -2 || d > 2 {
					t.Errorf("guess %v at weight %v, idle %v: then %v services of 1, want equal parts", guess, weight, idle, had)
				}
			}
		}
	}
}

// Who guesses too much, alone, gets back what Lag allows and no more: with D servers nothing beyond
// D services and Lag.
func TestOverGuessGainsLag(t *testing.T) {
	for _, lag := range []float64{0, 10, 500} {
		q := flows(t, fairqueue.Options{Lag: lag}, 1)
		_, first := start(t, q, 1e6)
		_, second := start(t, q, 1)
		must(t, q.Join(1, 1))
		must(t, q.SetActive(1, true))
		must(t, q.End(first, 1))
		must(t, q.End(second, 1))
		var had [2]float64
		for range 4000 {
			had[serve(t, q, 1)]++
			if ahead := had[0] - had[1]; ahead > lag+2 {
				t.Fatalf("lag %v: the flow that guessed too much is %v services ahead", lag, ahead)
			}
		}
	}
}

// A charge at one weight does not end at another: what is in flight counts by the weight of its end.
func TestWeightOfServicesInFlight(t *testing.T) {
	q := flows(t, fairqueue.Options{}, 100, 1)
	_, s := start(t, q, 1000)
	must(t, q.SetWeight(0, 1))
	must(t, q.End(s, 1000))
	others := 0.
	for serve(t, q, 1) == 1 {
		others++
	}
	if others != 1000 && others != 1001 {
		t.Errorf("the other flow had %v before the first came again, want 1000", others)
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
		lag        float64
		limit      int
		low, high  float64 // part of the heavy tenant over that of another, before
		least      float64 // part of the light tenants over their due, after
		afterwards float64
	}{
		{math.Inf(1), 6, 3.6, 4.2, .8, 2000},
		{50, 6, 3, 4.2, .8, 2000},
		{0, 6, 2.4, 3.8, .8, 2000},
		{0, 3, 1.0, 1.4, .8, 2000},
		{50, 3, 1.0, 1.4, .8, 2000},
	} {
		before, after := parts(c.lag, c.limit, c.afterwards)
		if ratio := 2 * before[0] / (before[1] + before[2]); ratio < c.low || ratio > c.high {
			t.Errorf("lag %v, cap %d: the heavy tenant has %.2f times what another has, want %v to %v", c.lag, c.limit, ratio, c.low, c.high)
		}
		if sum := after[0] + after[1] + after[2]; c.lag < 1e9 && min(after[1], after[2]) < c.least*sum/6 {
			t.Errorf("lag %v, cap %d raised: %v, the light tenants starve", c.lag, c.limit, after)
		}
	}
}

// Two flows on two servers, of which one sends one request at a time: it has something waiting only
// now and then, and keeps its half all the same, since the queue knows what is in flight.
func TestFlowsInFlightAreNotIdle(t *testing.T) {
	q := flows(t, fairqueue.Options{}, 1, 1, 1)
	// Flow 2 waits for each answer before it asks again; 0 and 1 always have something waiting.
	type stream struct {
		s   fairqueue.Service
		key int
		end float64
	}
	had := make([]float64, 3)
	var open []stream
	for now := 0.; now < 3000; {
		for len(open) < 3 {
			key, s := start(t, q, 1)
			if key == 2 {
				must(t, q.SetActive(2, false))
			}
			open = append(open, stream{s, key, now + 1})
		}
		x := open[0]
		open = open[1:]
		now = x.end
		must(t, q.End(x.s, 1))
		had[x.key]++
		if x.key == 2 {
			must(t, q.SetActive(2, true))
		}
	}
	for key, n := range had {
		if math.Abs(n-3000) > 10 {
			t.Errorf("flow %d had %v of 3 servers in 3,000 s, want 3000: %v", key, n, had)
		}
	}
}
