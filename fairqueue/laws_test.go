package fairqueue_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
	"pgregory.net/rapid"
)

// At every node of a tree and any speed, the service of two siblings that wait all the time differs
// by at most D+1 times l_f/r_f + l_m/r_m on D > 1 servers, where services count when they end, and
// by l_f/r_f + l_m/r_m on one (Goyal, Vin, Cheng, theorem 1; Jin, Chase, Kaur). It holds under
// ToLeast with 2 max(l/r) of all siblings (Sheng et al., theorem 4.4).
func TestFairness(t *testing.T) {
	for _, o := range []fairqueue.Options{{}, {Return: fairqueue.ToLeast}} {
		for seed := range uint64(60) {
			servers := []int{1, 1, 2, 7}[seed%4]
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
}

// The same with services in flight that are charged less than the truth until they end, and limits:
// between siblings that are below theirs. A flow that was held at one gets at most Lag more.
func TestFairnessInFlight(t *testing.T) {
	for seed := range uint64(60) {
		lag := []float64{0, 10, 1e4}[seed%3]
		s := newSystem(t, rand.New(rand.NewPCG(seed, 4)), fairqueue.Options{Lag: lag}, 1+int(seed%5), 1+int(seed%4))
		s.completed, s.least = true, float64(seed%2)
		for range 3000 {
			s.step(t)
			if s.rng.IntN(20) == 0 {
				s.setLimit(t, s.rng.IntN(len(s.cost)))
			}
			for _, w := range s.watches {
				w.check(t, func(f, m float64) float64 { return float64(s.servers+1)*(f+m) + lag })
			}
		}
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
		queues, arrivals := make([][]request, n), make([][]request, n)
		for i := range n {
			must(t, q.Join(i, weights[i]))
			for range 200 {
				c := largest[i] * (.1 + .9*r.Float64())
				ready[i] += 2 * r.Float64() * c / weights[i] * []float64{0, 1, 3}[r.IntN(3)]
				expected[i] = max(ready[i], expected[i])
				arrivals[i] = append(arrivals[i], request{ready[i], expected[i], c})
				expected[i] += c / weights[i]
			}
		}
		others := 0.
		for _, l := range largest {
			others += l
		}
		for now, served := 0., -1; ; {
			soonest := math.Inf(1)
			// Requests that arrive in one service join in the order of arrival, each before the
			// next decision.
			for {
				next, at := -1, now
				for i, a := range arrivals {
					if len(a) > 0 && a[0].arrival <= at {
						next, at = i, a[0].arrival
					}
				}
				if next < 0 {
					break
				}
				queues[next] = append(queues[next], arrivals[next][0])
				arrivals[next] = arrivals[next][1:]
				must(t, q.SetActive(next, true))
			}
			for _, a := range arrivals {
				if len(a) > 0 {
					soonest = min(soonest, a[0].arrival)
				}
			}
			if served >= 0 { // its service ends
				must(t, q.SetActive(served, len(queues[served]) > 0))
			}
			key, ok := q.Next(nil)
			if !ok {
				served = -1
				if math.IsInf(soonest, 1) {
					break
				}
				now = soonest
				continue
			}
			x := queues[key][0]
			queues[key] = queues[key][1:]
			must(t, q.Charge(key, x.cost))
			served = key
			now += x.cost
			if limit := x.expected + others - largest[key] + x.cost; now > limit*(1+rounding) {
				t.Fatalf("seed %d: a request of flow %d ends at %v, want by %v", seed, key, now, limit)
			}
		}
	}
}

// While all flows wait, a flow is behind generalised processor sharing by at most (1 - p) l + p
// times the sum of the others' largest costs, where p is its part of the weights.
func TestAgainstSharing(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 9))
		n := 2 + r.IntN(6)
		weights, largest, total, all := make([]float64, n), make([]float64, n), 0., 0.
		for i := range n {
			weights[i], largest[i] = math.Exp(4*r.Float64()), math.Pow(10, 3*r.Float64())
			total, all = total+weights[i], all+largest[i]
		}
		q := flows(t, fairqueue.Options{}, weights...)
		had := make([]float64, n)
		for now := 0.; now < 1e5; {
			key, _ := q.Next(nil)
			cost := largest[key] * (.01 + .99*r.Float64())
			must(t, q.Charge(key, cost))
			for _, part := range []float64{r.Float64() * cost, cost} { // some time within the service, and its end
				for i := range n {
					got, p := had[i], weights[i]/total
					if i == key {
						got += part
					}
					share := p * (now + part)
					if limit := (1-p)*largest[i] + p*(all-largest[i]); share-got > limit+rounding*share {
						t.Fatalf("seed %d: flow %d is %v behind, want at most %v", seed, i, share-got, limit)
					}
				}
			}
			had[key] += cost
			now += cost
		}
	}
}

// A tree in which all flows are under one tenant answers as the flat queue does.
func TestOneTenant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := fairqueue.Options{Return: fairqueue.Return(rapid.IntRange(0, 1).Draw(t, "return"))}
		flat, nested := flows(t, o), flows(t, o)
		must(t, nested.Join(-1, amounts.Draw(t, "tenant")))
		for i := range 5 {
			w := amounts.Draw(t, "weight")
			must(t, flat.Join(i, w))
			must(t, nested.JoinUnder(-1, i, w))
		}
		for range rapid.IntRange(50, 150).Draw(t, "steps") {
			key, c := rapid.IntRange(0, 4).Draw(t, "key"), amounts.Draw(t, "cost")
			what := rapid.IntRange(0, 4).Draw(t, "what")
			for _, q := range []*fairqueue.Queue[int]{flat, nested} {
				switch what {
				case 0:
					must(t, q.SetActive(key, c < 3))
				case 1:
					s, err := q.Start(key, c)
					must(t, err)
					must(t, q.End(s, c/2))
				default:
					skip := func(k int) bool { return what == 4 && k == key }
					if got, ok := q.Next(skip); ok {
						must(t, q.Charge(got, c))
					}
				}
			}
			for i := range 5 {
				a, err := flat.Why(nil, i)
				must(t, err)
				b, err := nested.Why(nil, i)
				must(t, err)
				if !reflect.DeepEqual(a[0], b[1]) {
					t.Fatalf("Why(%d) = %+v, nested %+v", i, a[0], b[1])
				}
			}
		}
	})
}

// Services that end with another cost than they were charged, in any order, leave the queue as if the
// truth had been charged at their starts, when nothing is decided between; so does one that grows.
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
			s, err := at.q.Start(key, truth)
			must(t, err)
			must(t, at.q.End(s, truth))
			s, err = late.q.Start(key, amounts.Draw(t, "guess"))
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

// A queue restored again and again answers as the one that was not, for 10^5 events.
func TestRestoredTwins(t *testing.T) {
	for _, o := range []fairqueue.Options{{}, {Return: fairqueue.ToLeast, Forget: true}} {
		rng := rand.New(rand.NewPCG(7, 7))
		s := newSystem(t, rng, o, 5, 4)
		twin, err := fairqueue.Restore(s.q.Snapshot())
		must(t, err)
		for k := range 50000 {
			if k%500 == 0 {
				text, err := json.Marshal(twin.Snapshot())
				must(t, err)
				var back fairqueue.Snapshot[int]
				must(t, json.Unmarshal(text, &back))
				twin, err = fairqueue.Restore(back)
				must(t, err)
				if a, b := s.q.Snapshot(), twin.Snapshot(); !reflect.DeepEqual(a, b) || !reflect.DeepEqual(b, back) {
					t.Fatalf("event %d: restored %+v, want %+v", k, b, a)
				}
			}
			key, c := rng.IntN(len(s.cost)), rng.ExpFloat64()
			a, b := []any{}, []any{}
			for q, out := range map[*fairqueue.Queue[int]]*[]any{s.q: &a, twin: &b} {
				switch k % 7 {
				case 0, 1:
					*out = append(*out, q.SetActive(key, c < 2))
				case 2:
					if k%21 == 2 {
						*out = append(*out, q.Leave(key), q.JoinUnder(100+key%5, key, 1+float64(key)))
					}
				case 3:
					s, err := q.Start(key, c)
					*out = append(*out, s, err)
					if k%2 == 0 {
						*out = append(*out, q.End(s, 1))
					} else if k%100 == 3 {
						for s := range q.Services() {
							*out = append(*out, s, q.End(s, c))
						}
					}
				default:
					got, ok := q.Next(nil)
					*out = append(*out, got, ok)
					if ok {
						*out = append(*out, q.Charge(got, c))
					}
				}
			}
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("event %d: %v, restored %v", k, a, b)
			}
		}
	}
}
