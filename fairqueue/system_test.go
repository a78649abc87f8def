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
	running   []running
	servers   int
	completed bool // count a service when it ends, not when it starts
	flying    map[int]int
	limit     map[int]int    // most services in flight of a node; 0: none
	part      func() float64 // of the truth, that a service is charged at its start
}

// running is a service of a flow.
type running struct {
	key  int
	cost float64
	s    fairqueue.Service
}

func newSystem(t failer, rng *rand.Rand, o fairqueue.Options, tenants, servers int) *system {
	q, err := fairqueue.New[int](o)
	must(t, err)
	s := &system{q: q, rng: rng, servers: servers, groups: map[int][]int{}, tenant: map[int]int{}, active: map[int]bool{},
		cost: map[int]float64{}, watches: map[int]*watch{-1: newWatch()}, completed: servers > 1, flying: map[int]int{}, limit: map[int]int{}, part: func() float64 { return 1 }}
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

// waits reports whether a node has something to serve, and limits allow it.
func (s *system) waits(n int) bool {
	full := s.limit[n] > 0 && s.flying[n] >= s.limit[n]
	return !full && (s.active[n] || slices.ContainsFunc(s.groups[n], s.waits))
}

// fly counts services of a flow in flight.
func (s *system) fly(key, by int) {
	s.flying[key] += by
	s.flying[s.tenant[key]] += by
}

// setLimit limits a flow or its tenant, as long as not more are in flight.
func (s *system) setLimit(t failer, key int) {
	if s.rng.IntN(2) == 0 {
		key = s.tenant[key]
	}
	if n := s.rng.IntN(s.servers + 1); n == 0 || n > s.flying[key] {
		must(t, s.q.SetLimit(key, n))
		s.limit[key] = n
		s.see()
	}
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
	ok := false
	if len(s.running) < s.servers {
		if key, ok = s.q.Next(nil); ok != slices.ContainsFunc(s.groups[-1], s.waits) {
			t.Fatalf("Next() = %v, want %v", ok, !ok)
		}
	}
	if ok {
		s.start(t, key)
	} else if len(s.running) > 0 {
		s.end(t, s.rng.IntN(len(s.running))) // whoever ends first
	}
}

// start begins a service of a flow.
func (s *system) start(t failer, key int) {
	cost := s.cost[key] * (.5 + .5*s.rng.Float64())
	service, err := s.q.Start(key, cost*s.part())
	must(t, err)
	s.running = append(s.running, running{key, cost, service})
	for n, of := key, s.tenant[key]; ; n, of = of, -1 {
		w := s.watches[of]
		if w.largest[n] = max(w.largest[n], cost); of < 0 {
			break
		}
	}
	s.fly(key, 1)
	if !s.completed {
		s.count(key, cost)
	}
	s.see()
}

// end ends service i of those that run.
func (s *system) end(t failer, i int) {
	r := s.running[i]
	s.running = slices.Delete(s.running, i, i+1)
	must(t, s.q.End(r.s, r.cost))
	s.fly(r.key, -1)
	if s.completed {
		s.count(r.key, r.cost)
	}
	s.see()
}
