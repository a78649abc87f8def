package fairqueue_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
	"pgregory.net/rapid"
)

// At every node of a tree and any speed, the service of two siblings that wait all the time differs
// by at most D+1 times l_f/r_f + l_m/r_m on D > 1 servers, where services count when they end, and
// by l_f/r_f + l_m/r_m on one (Goyal, Vin, Cheng, theorem 1; Jin, Chase, Kaur). It holds under
// ToLeast with 2 max(l/r) of all siblings (Sheng et al., theorem 4.4).
func TestFairness(t *testing.T) {
	for seed := range uint64(120) {
		o, servers := fairqueue.Options{Return: fairqueue.Return(seed / 60)}, []int{1, 1, 2, 7}[seed%4]
		if o.Return == fairqueue.ToLeast {
			servers = 1
		}
		s := newSystem(t, rand.New(rand.NewPCG(seed, 3)), o, 1+int(seed%5), servers)
		for range 3000 {
			s.step(t)
			for _, w := range s.watches {
				factor, most := 1., 0.
				if servers > 1 {
					factor = float64(servers + 1)
				}
				for n, l := range w.largest {
					most = max(most, l/w.weight[n])
				}
				w.check(t, func(f, m float64) float64 {
					if o.Return == fairqueue.ToLeast {
						return 2 * most
					}
					return factor * (f + m)
				})
			}
		}
	}
}

// The same with limits, between siblings that are below theirs: a flow that was held at one gets at
// most Lag more. With services that are charged any part of the truth until they end the factor is
// 2D, with those charged the same part of it each D+1.
func TestFairnessInFlight(t *testing.T) {
	for seed := range uint64(90) {
		lag := []float64{0, 10, 1e4}[seed%3]
		s := newSystem(t, rand.New(rand.NewPCG(seed, 4)), fairqueue.Options{Lag: lag}, 1+int(seed%5), 1+int(seed%4))
		s.completed, s.part = true, s.rng.Float64
		factor := 2 * float64(s.servers)
		if fixed := int(seed/30) - 1; fixed >= 0 {
			s.part = func() float64 { return []float64{1, .3}[fixed] }
			factor = float64(s.servers + 1)
		}
		for range 3000 {
			s.step(t)
			if s.rng.IntN(20) == 0 {
				s.setLimit(t, s.rng.IntN(len(s.cost)))
			}
			for _, w := range s.watches {
				w.check(t, func(f, m float64) float64 { return factor*(f+m) + lag })
			}
		}
	}
}

// A flow that guesses the truth, holds all servers, and guesses nothing at its next starts is
// nearly 2D of its services ahead: D+1 is for costs that are known at the start.
func TestLateCostsCountTwice(t *testing.T) {
	const servers, small = 8, 1. / 64
	q := flows(t, fairqueue.Options{}, 1, 1)
	var open []fairqueue.Service
	var had [2]float64
	hold := func(guess float64) { // flow 0 takes servers until it has all; flow 1 is served on a free one meanwhile
		for len(open) < servers {
			if key, s := start(t, q, guess); key == 0 {
				open = append(open, s)
			} else {
				must(t, q.End(s, small))
				had[1] += small
			}
		}
	}
	end := func() {
		for _, s := range open {
			must(t, q.End(s, 1))
			had[0]++
		}
		open = nil
	}
	hold(1)
	before := had[1]
	must(t, q.End(open[0], 1)) // for a while flow 1 has one server
	had[0]++
	open = open[1:]
	for key, s := start(t, q, 0); ; key, s = start(t, q, 0) {
		if key == 0 {
			open = append(open, s)
			break
		}
		must(t, q.End(s, small))
		had[1] += small
	}
	last := open[len(open)-1]
	for _, s := range open[:len(open)-1] {
		must(t, q.End(s, 1))
		had[0]++
	}
	open = []fairqueue.Service{last}
	hold(0)
	end()
	ahead := had[0] - (had[1] - before)
	if ahead <= (servers+1)*(1+small) || ahead > 2*servers*(1+small) {
		t.Errorf("flow 0 is %v ahead, want more than %v and at most %v", ahead, (servers+1)*(1+small), 2*servers*(1+small))
	}
}

// On a server of constant speed whose flows reserve no more than the speed, a request ends by its
// expected arrival plus the largest request of each other flow and its own, at that speed (theorem
// 4).
func TestDelay(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 8))
		n := 2 + r.IntN(5)
		weights, largest, expected, ready := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		total := 0.
		for i := range n {
			weights[i], largest[i] = math.Exp(3*r.Float64()), math.Pow(10, 3*r.Float64())
			total += weights[i]
		}
		for i := range weights {
			weights[i] /= total // the speed is 1
		}
		q, err := fairqueue.New[int](fairqueue.Options{})
		must(t, err)
		type request struct{ arrival, expected, cost float64 }
		requests := make([][]request, n) // of each flow, that have not been served
		others := 0.
		for i := range n {
			must(t, q.Join(i, weights[i]))
			others += largest[i]
			for range 200 {
				c := largest[i] * (.1 + .9*r.Float64())
				ready[i] += 2 * r.Float64() * c / weights[i] * []float64{0, 1, 3}[r.IntN(3)]
				expected[i] = max(ready[i], expected[i])
				requests[i] = append(requests[i], request{ready[i], expected[i], c})
				expected[i] += c / weights[i]
			}
		}
		for now := 0.; ; {
			soonest := math.Inf(1)       // arrival that is to come
			for i, x := range requests { // who has come, before the flow that was served may rest
				if len(x) > 0 && x[0].arrival <= now {
					must(t, q.SetActive(i, true))
				} else if len(x) > 0 {
					soonest = min(soonest, x[0].arrival)
				}
			}
			for i, x := range requests {
				must(t, q.SetActive(i, len(x) > 0 && x[0].arrival <= now))
			}
			key, ok := q.Next(nil)
			if !ok && math.IsInf(soonest, 1) {
				break
			} else if !ok {
				now = soonest
				continue
			}
			x := requests[key][0]
			requests[key] = requests[key][1:]
			must(t, q.Charge(key, x.cost))
			now += x.cost
			if limit := x.expected + others - largest[key] + x.cost; now > limit*(1+rounding) {
				t.Fatalf("seed %d: a request of flow %d ends at %v, want by %v", seed, key, now, limit)
			}
		}
	}
}

// Order names who Next would, were each skipped in turn, and changes nothing: on 100,000 states of
// trees with limits and services in flight, one in ten of them with -short.
func TestOrder(t *testing.T) {
	states, several := 0, 0
	seeds := uint64(1000)
	if testing.Short() {
		seeds = 100
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 5))
		o := fairqueue.Options{Return: fairqueue.Return(seed % 2), Lag: float64(seed % 3)}
		s := newSystem(t, rng, o, 1+int(seed%5), 1+int(seed%7))
		for range 100 {
			for range 1 + rng.IntN(8) {
				s.step(t)
				if rng.IntN(10) == 0 {
					s.setLimit(t, rng.IntN(len(s.cost)))
				}
			}
			before := s.q.Snapshot()
			got := s.q.Order(nil)
			if after := s.q.Snapshot(); !reflect.DeepEqual(before, after) {
				t.Fatalf("seed %d: Order changes %+v to %+v", seed, before, after)
			}
			twin, err := fairqueue.Restore(before)
			must(t, err)
			var want []int
			for {
				key, ok := twin.Next(func(key int) bool { return slices.Contains(want, key) })
				if !ok {
					break
				}
				want = append(want, key)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, state %d: Order() = %v, want %v", seed, states, got, want)
			}
			if states++; len(want) > 1 {
				several++
			}
		}
	}
	t.Logf("%d states, in %d of them several leaves can be served", states, several)
	if several < states/3 {
		t.Errorf("in %d of %d states several leaves can be served, want a third", several, states)
	}
}

// Services that end with another cost than they were charged, in any order, leave the queue as if
// the truth had been charged at their starts, when nothing is decided between; so does one that
// grows.
func TestEndAfterGuess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		seed := rng.Uint64()
		var at, late *system
		for _, s := range []**system{&at, &late} {
			*s = newSystem(t, rand.New(rand.NewPCG(seed, 1)), fairqueue.Options{}, 3, 1)
			must(t, (*s).q.Join(-1, 1))
			_, err := (*s).q.Start(-1, 1) // in flight all the time, so that the queue is never idle
			must(t, err)
			for range 40 {
				(*s).step(t)
			}
		}
		type open struct {
			s     fairqueue.Service
			truth float64
		}
		var flying []open
		for range rapid.IntRange(1, 8).Draw(t, "services") {
			key, truth := rng.IntN(len(at.cost)), amounts.Draw(t, "truth")
			must(t, at.q.Charge(key, truth))
			s, err := late.q.Start(key, amounts.Draw(t, "guess"))
			must(t, err)
			flying = append(flying, open{s, truth})
		}
		rng.Shuffle(len(flying), func(i, j int) { flying[i], flying[j] = flying[j], flying[i] })
		for _, o := range flying {
			if rapid.Bool().Draw(t, "grows") {
				must(t, late.q.Grow(o.s, amounts.Draw(t, "more")))
			}
			must(t, late.q.End(o.s, o.truth))
		}
		if a, b := at.q.Snapshot(), late.q.Snapshot(); !reflect.DeepEqual(a.Flows, b.Flows) || a.Virtual != b.Virtual {
			t.Fatalf("flows %+v, ended late %+v", a.Flows, b.Flows)
		}
	})
}
