package fairqueue_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/fairqueue"
	"pgregory.net/rapid"
)

// rounding is allowed where sums of some thousand float64 are compared with a bound, as a part of
// the bound's terms.
const rounding = 1e-9

// watch follows the service that siblings get, and the greatest difference of W/r between two that
// wait all the time.
type watch struct {
	weight, service, largest map[int]float64
	low, high                map[[2]int]float64 // of the difference since both wait
}

func newWatch() *watch {
	return &watch{map[int]float64{}, map[int]float64{}, map[int]float64{}, map[[2]int]float64{}, map[[2]int]float64{}}
}

// see records the present difference of each two siblings that wait, and forgets that of others.
func (w *watch) see(siblings []int, waits func(int) bool) {
	for i, f := range siblings {
		for _, m := range siblings[:i] {
			p := [2]int{f, m}
			if !waits(f) || !waits(m) {
				delete(w.low, p)
				continue
			}
			d := w.service[f]/w.weight[f] - w.service[m]/w.weight[m]
			if _, ok := w.low[p]; !ok {
				w.low[p], w.high[p] = d, d
			}
			w.low[p], w.high[p] = min(w.low[p], d), max(w.high[p], d)
		}
	}
}

// check compares the differences with a bound of two flows' largest costs for each unit of weight.
func (w *watch) check(t failer, bound func(f, m float64) float64) {
	t.Helper()
	for p, low := range w.low {
		f, m := w.largest[p[0]]/w.weight[p[0]], w.largest[p[1]]/w.weight[p[1]]
		if limit := bound(f, m); w.high[p]-low > limit*(1+rounding) {
			t.Fatalf("W/r of %d and %d moved apart by %v, want at most %v", p[0], p[1], w.high[p]-low, limit)
		}
	}
}

// system is a tree of two levels, tenants 100.. with flows 0.., that a random history runs on
// servers of any speed.
type system struct {
	q         *fairqueue.Queue[int]
	rng       *rand.Rand
	groups    map[int][]int // flows of a tenant
	tenant    map[int]int
	active    map[int]bool
	cost      map[int]float64 // the scale of a flow's costs
	watches   map[int]*watch  // by tenant; -1: of the tenants
	running   [][2]float64    // flow and cost of each service
	servers   int
	completed bool // count a service when it ends, not when it starts
}

func newSystem(t failer, rng *rand.Rand, o fairqueue.Options, tenants, servers int) *system {
	q, err := fairqueue.New[int](o)
	must(t, err)
	s := &system{q: q, rng: rng, servers: servers, groups: map[int][]int{}, tenant: map[int]int{}, active: map[int]bool{},
		cost: map[int]float64{}, watches: map[int]*watch{-1: newWatch()}, completed: servers > 1}
	weight := func() float64 {
		return []float64{.1, .3, 7.1, 1, 2, 1 + rng.Float64(), math.Exp(6 * rng.Float64())}[rng.IntN(7)]
	}
	key := 0
	for g := 100; g < 100+tenants; g++ {
		w := weight()
		must(t, q.Join(g, w))
		s.groups[-1] = append(s.groups[-1], g)
		s.watches[-1].weight[g] = w
		s.watches[g] = newWatch()
		for range 1 + rng.IntN(4) {
			w := weight()
			must(t, q.JoinUnder(g, key, w))
			s.groups[g] = append(s.groups[g], key)
			s.tenant[key] = g
			s.watches[g].weight[key] = w
			s.cost[key] = math.Pow(10, float64(rng.IntN(7))) // up to 10^6 apart
			key++
		}
	}
	return s
}

// waits reports whether a node has something to serve.
func (s *system) waits(n int) bool {
	return s.active[n] || slices.ContainsFunc(s.groups[n], s.waits)
}

func (s *system) see() {
	for g, w := range s.watches {
		w.see(s.groups[g], s.waits)
	}
}

// count adds a service to the flow and its tenant.
func (s *system) count(key int, cost float64) {
	g := s.tenant[key]
	for _, c := range [2]struct{ of, n int }{{g, key}, {-1, g}} {
		w := s.watches[c.of]
		w.service[c.n] += cost
	}
	s.see()
}

// step ends services while all servers are busy, or changes who has something to serve, or serves.
func (s *system) step(t failer) {
	key := s.rng.IntN(len(s.cost))
	if s.rng.IntN(40) == 0 {
		s.active[key] = !s.active[key]
		must(t, s.q.SetActive(key, s.active[key]))
		s.see()
		return
	}
	if len(s.running) == s.servers {
		i := s.rng.IntN(len(s.running)) // whoever ends first
		r := s.running[i]
		s.running = slices.Delete(s.running, i, i+1)
		if s.completed {
			s.count(int(r[0]), r[1])
		}
		return
	}
	key, ok := s.q.Next(nil)
	if !ok {
		return
	}
	cost := s.cost[key] * (.5 + .5*s.rng.Float64())
	must(t, s.q.Charge(key, cost))
	s.running = append(s.running, [2]float64{float64(key), cost})
	s.watches[s.tenant[key]].largest[key] = max(s.watches[s.tenant[key]].largest[key], cost)
	s.watches[-1].largest[s.tenant[key]] = max(s.watches[-1].largest[s.tenant[key]], cost)
	if !s.completed {
		s.count(key, cost)
	}
}

// At every node of a tree and any speed, the service of two siblings that wait all the time differs
// by at most D+1 times l_f/r_f + l_m/r_m on D > 1 servers, where services count when they end, and
// by l_f/r_f + l_m/r_m on one (Goyal, Vin, Cheng, theorem 1; Jin, Chase, Kaur). It holds under
// ToLeast with 2 max(l/r) of all siblings (Sheng et al., theorem 4.4).
func TestFairness(t *testing.T) {
	for _, o := range []fairqueue.Options{{}, {Join: fairqueue.ToLeast}} {
		for seed := range uint64(60) {
			servers := []int{1, 1, 2, 7}[seed%4]
			if o.Join == fairqueue.ToLeast {
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
						if o.Join == fairqueue.ToLeast {
							return 2 * most
						}
						return factor * (f + m)
					})
				}
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
		fluid, err := aging.NewCluster[int](1)
		must(t, err)
		for i := range n {
			weights[i], largest[i] = math.Exp(4*r.Float64()), math.Pow(10, 3*r.Float64())
			total, all = total+weights[i], all+largest[i]
			must(t, fluid.Add(i, aging.Job{Work: 1e12, Weight: weights[i]}))
		}
		q := flows(t, fairqueue.Options{}, weights...)
		had := make([]float64, n)
		for now := 0.; now < 1e5; {
			key, _ := q.Next(nil)
			cost := largest[key] * (.01 + .99*r.Float64())
			must(t, q.Charge(key, cost))
			for _, part := range []float64{r.Float64() * cost, 0} { // some time within the service, and its end
				if part == 0 {
					part = cost - (fluidTime(fluid, n) - now)
				}
				must(t, fluid.Advance(part))
				for i := range n {
					got := had[i]
					if i == key {
						got += fluidTime(fluid, n) - now
					}
					share, _ := fluid.Served(i)
					p := weights[i] / total
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

// fluidTime is how much the fluid server has served in all.
func fluidTime(c *aging.Cluster[int], n int) (sum float64) {
	for i := range n {
		s, _ := c.Served(i)
		sum += s
	}
	return sum
}

// A tree in which all flows are under one tenant answers as the flat queue does.
func TestOneTenant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := fairqueue.Options{Join: fairqueue.Join(rapid.IntRange(0, 1).Draw(t, "join"))}
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
					must(t, q.Settle(key, c-2))
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

// Charging estimates and settling them in any order ends in the tags of charging the truth, when
// nothing is decided between.
func TestLateSettlement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		history := func(s *system) {
			for range 40 {
				s.step(t)
			}
		}
		seed := rng.Uint64()
		at, late := newSystem(t, rand.New(rand.NewPCG(seed, 1)), fairqueue.Options{}, 3, 1), newSystem(t, rand.New(rand.NewPCG(seed, 1)), fairqueue.Options{}, 3, 1)
		history(at)
		history(late)
		var settle [][2]float64
		for range rapid.IntRange(1, 8).Draw(t, "services") {
			key := rng.IntN(len(at.cost))
			truth, estimate := amounts.Draw(t, "truth"), amounts.Draw(t, "estimate")
			must(t, at.q.Charge(key, truth))
			must(t, late.q.Charge(key, estimate))
			settle = append(settle, [2]float64{float64(key), truth - estimate})
		}
		rng.Shuffle(len(settle), func(i, j int) { settle[i], settle[j] = settle[j], settle[i] })
		for _, s := range settle {
			must(t, late.q.Settle(int(s[0]), s[1]))
		}
		a, b := at.q.Snapshot(), late.q.Snapshot()
		for i := range a.Flows {
			x, y := a.Flows[i].Finish, b.Flows[i].Finish
			if !(math.Abs(x[0]-y[0]) <= rounding*(1e3+math.Abs(x[0]))) || a.Flows[i].Floor != b.Flows[i].Floor || a.Virtual != b.Virtual {
				t.Fatalf("flow %+v, settled late %+v", a.Flows[i], b.Flows[i])
			}
		}
	})
}

// A difference of 0 changes nothing, to the last bit.
func TestExactEstimates(t *testing.T) {
	s := newSystem(t, rand.New(rand.NewPCG(1, 4)), fairqueue.Options{}, 4, 3)
	for range 5000 {
		s.step(t)
		before := s.q.Snapshot()
		for key := range s.cost {
			must(t, s.q.Settle(key, 0))
		}
		if after := s.q.Snapshot(); !reflect.DeepEqual(before, after) {
			t.Fatalf("Settle(0) made %+v of %+v", after, before)
		}
	}
}

// A queue restored again and again answers as the one that was not, for 10^5 events.
func TestRestoredTwins(t *testing.T) {
	for _, o := range []fairqueue.Options{{}, {Join: fairqueue.ToLeast, Forget: true}} {
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
					*out = append(*out, q.Settle(key, c-1))
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
			if !slices.EqualFunc(a.running, b.running, func(x, y [2]float64) bool { return x == y }) {
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
	for _, o := range []fairqueue.Options{{}, {Join: fairqueue.ToLeast}} {
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
				if n := len(q.Snapshot().Flows); n > 100 || q.Len() != 2 {
					t.Fatalf("%d flows are kept and %d joined after %d, want 2", n, q.Len(), i)
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
		_ = q.Settle(key, -1)
	}); n != 0 {
		t.Errorf("%v allocations an event, want 0", n)
	}
}
