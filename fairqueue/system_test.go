package fairqueue_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/fairqueue"
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
