package fairqueue_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/fairqueue"
)

// The queue by its definition, in rationals, quotients rounded as the package says: lists that are
// searched, and loops over all flows.

type modelFlow struct {
	key                  int
	parent               *modelFlow // nil: of the root itself
	weight               *big.Rat
	limit                int
	active, left, owner  bool
	servers              []int // that may serve it; nil: all
	joined               int
	floor, finish, quota *big.Rat
	since                int      // services that had started when the floor was raised
	virtual              *big.Rat // among its children
	children             []*modelFlow
}

type modelService struct {
	flow    *modelFlow
	charged *big.Rat
	started int
}

type model struct {
	o        fairqueue.Options
	root     *modelFlow
	flows    map[int]*modelFlow
	services map[fairqueue.Service]*modelService
	joined   int
	started  int
}

func newModel(o fairqueue.Options) *model {
	return &model{o, &modelFlow{virtual: new(big.Rat)}, map[int]*modelFlow{}, map[fairqueue.Service]*modelService{}, 0, 0}
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// quo is x / y for a float64 y = m 2^e with m odd: x / m, rounded down to a multiple of 2^-176,
// over 2^e, rounded down again.
func quo(x, y *big.Rat) *big.Rat {
	down := func(q *big.Rat) *big.Rat {
		grains := new(big.Int).Lsh(q.Num(), 176)
		return new(big.Rat).SetFrac(grains.Quo(grains, q.Denom()), new(big.Int).Lsh(big.NewInt(1), 176))
	}
	odd := new(big.Int).Rsh(y.Num(), y.Num().TrailingZeroBits())
	power := new(big.Rat).Quo(y, new(big.Rat).SetInt(odd))
	return down(new(big.Rat).Quo(down(new(big.Rat).Quo(x, new(big.Rat).SetInt(odd))), power))
}

// less is x - y, or 0 if that is negative.
func less(x, y *big.Rat) *big.Rat { return maxRat(new(big.Rat), new(big.Rat).Sub(x, y)) }

func maxRat(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

func (f *modelFlow) start() *big.Rat { return maxRat(f.floor, f.finish) }

func (f *modelFlow) leaf() bool {
	return !slices.ContainsFunc(f.children, func(c *modelFlow) bool { return !c.left })
}

// flying counts services at or below a node.
func (m *model) flying(f *modelFlow) (n int) {
	for _, s := range m.services {
		for x := s.flow; x != nil; x = x.parent {
			if x == f {
				n++
			}
		}
	}
	return n
}

// wants reports whether something waits at or below a node.
func (m *model) wants(f *modelFlow) bool {
	return f.active || slices.ContainsFunc(f.children, m.wants)
}

// can reports whether something at or below a node can be served, limits considered.
func (m *model) can(f *modelFlow) bool {
	if f.limit > 0 && m.flying(f) >= f.limit {
		return false
	}
	if f.leaf() {
		return f.active
	}
	return slices.ContainsFunc(f.children, m.can)
}

// idle reports whether nothing waits or is in flight below a node.
func (m *model) idle(f *modelFlow) bool {
	return !slices.ContainsFunc(f.children, func(c *modelFlow) bool { return m.wants(c) || m.flying(c) > 0 })
}

// settle makes the children of idle nodes level, and forgets those who left and are not behind.
func (m *model) settle(f *modelFlow) {
	idle := m.idle(f)
	if idle {
		f.virtual = new(big.Rat)
		for _, c := range f.children {
			c.floor, c.finish, c.quota = new(big.Rat), new(big.Rat), new(big.Rat)
		}
	}
	f.children = slices.DeleteFunc(f.children, func(c *modelFlow) bool {
		if !idle && c.left && m.flying(c) == 0 && (m.o.Forget || f.owner || c.start().Cmp(f.virtual) <= 0) || idle && c.left {
			delete(m.flows, c.key)
			return true
		}
		return false
	})
	for _, c := range f.children {
		m.settle(c)
	}
}

func (m *model) refresh(f *modelFlow) {
	if m.o.Return != fairqueue.ToLeast {
		return
	}
	var least *big.Rat
	for _, c := range f.children {
		if m.can(c) && (least == nil || c.start().Cmp(least) < 0) {
			least = c.start()
		}
	}
	if least != nil {
		f.virtual = maxRat(f.virtual, least)
	}
}

func (m *model) setActive(f *modelFlow, active bool) {
	if active && !f.active {
		var fresh []*modelFlow
		for x := f; x.parent != nil && !m.wants(x); x = x.parent {
			m.refresh(x.parent)
			fresh = append(fresh, x)
		}
		for _, x := range fresh {
			m.raise(x, x.parent.virtual)
		}
	}
	f.active = active
}

// next returns the leaf at or below f to be served now, nil if there is none.
func (m *model) next(f *modelFlow, skip func(int) bool) *modelFlow {
	if f.leaf() {
		if f == m.root || skip(f.key) {
			return nil
		}
		return f
	}
	kids := slices.Clone(f.children)
	slices.SortFunc(kids, func(a, b *modelFlow) int {
		if c := a.start().Cmp(b.start()); c != 0 {
			return c
		}
		return a.joined - b.joined
	})
	for _, c := range kids {
		if m.can(c) {
			if l := m.next(c, skip); l != nil {
				return l
			}
		}
	}
	return nil
}

// kept reports whether a flow is kept from a server; from -1 none is.
func (m *model) kept(k, server int) bool {
	only := m.flows[k].servers
	return server >= 0 && len(only) > 0 && !slices.Contains(only, server)
}

// testOrder: Order, or OrderAt of a server that is not -1, lists who is next were each skipped in
// turn, and Why says at which servers the first of them is served.
func (m *model) testOrder(t *rapid.T, q *fairqueue.Queue[int], server int) {
	want := []int{-1}
	for f := m.root; f != nil; {
		if f = m.next(m.root, func(k int) bool { return slices.Contains(want, k) || m.kept(k, server) }); f != nil {
			want = append(want, f.key)
		}
	}
	got := q.Order([]int{-1})
	if server >= 0 {
		got = q.OrderAt([]int{-1}, server)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("at server %d Order appends %v, want %v", server, got[1:], want[1:])
	}
	if len(want) > 1 {
		levels, err := q.Why(nil, want[1])
		if l := levels[len(levels)-1]; err != nil || !slices.Equal(l.Servers, slices.Sorted(slices.Values(m.flows[l.Key].servers))) {
			t.Fatalf("Why says that servers %v may serve %d, %v", l.Servers, l.Key, err)
		}
		for _, key := range q.Order(nil) {
			if levels, _ := q.Why(nil, key); slices.ContainsFunc(levels, func(l fairqueue.Level[int]) bool { return !l.Active }) {
				t.Fatalf("Why(%d) = %+v, want every level active: Order has it", key, levels)
			}
		}
		for key, f := range m.flows {
			if levels, err := q.Why(nil, key); err == nil && !f.active && len(f.children) == 0 && levels[len(levels)-1].Active {
				t.Fatalf("Why(%d) = %+v, want it inactive", key, levels)
			}
		}
	}
}

func (m *model) serve(f *modelFlow) {
	for x := f; x.parent != nil; x = x.parent {
		x.parent.virtual = maxRat(x.parent.virtual, x.start())
	}
}

// raise lifts a flow's floor to a tag.
func (m *model) raise(f *modelFlow, to *big.Rat) {
	if f.floor.Cmp(to) < 0 {
		f.floor, f.since = to, m.started
	}
}

// from is the tag that a service of f is charged from now.
func (m *model) from(f *modelFlow) *big.Rat {
	if m.o.Lag <= math.MaxFloat64 {
		m.raise(f, new(big.Rat).Sub(f.parent.virtual, rat(m.o.Lag)))
	}
	return f.start()
}

func (m *model) start(s fairqueue.Service, f *modelFlow, cost *big.Rat) {
	m.services[s] = &modelService{f, cost, m.started + 1}
	m.charge(f, cost, false)
	m.started++
}

func (m *model) charge(f *modelFlow, cost *big.Rat, over bool) {
	for x := f; x.parent != nil; x = x.parent {
		if m.idle(x.parent) {
			continue // all are level
		}
		start := m.from(x)
		share := quo(cost, x.weight)
		x.finish = new(big.Rat).Add(start, share)
		if over {
			x.floor = new(big.Rat).Add(x.floor, share)
		}
		x.quota = new(big.Rat)
		if m.o.Least > 0 {
			x.quota.Sub(quo(share, rat(m.o.Least)), share)
		}
	}
}

func (m *model) recharge(s *modelService, to *big.Rat, over bool) {
	for x := s.flow; x.parent != nil; x = x.parent {
		x.finish = less(new(big.Rat).Add(x.finish, quo(to, x.weight)), quo(s.charged, x.weight))
		if over && s.started > x.since {
			x.floor = new(big.Rat).Add(x.floor, quo(to, x.weight))
		}
	}
}

func (m *model) elsewhere(f *modelFlow, cost *big.Rat) {
	for x := f; x.parent != nil; x = x.parent {
		if m.idle(x.parent) {
			continue
		}
		share := quo(cost, x.weight)
		if m.o.Least > 0 {
			if share.Cmp(x.quota) > 0 {
				share = x.quota
			}
			x.quota = new(big.Rat).Sub(x.quota, share)
		}
		if m.wants(x) {
			x.finish = m.from(x)
			x.floor = new(big.Rat).Add(x.floor, share)
		}
		x.finish = new(big.Rat).Add(x.finish, share)
	}
}

// TestAgainstModel: the queue decides as its definition in rationals does, and refuses what it
// refuses, whatever is called: services, limits, leaves, other parents, restarts at any point,
// costs and weights of any size.
func TestAgainstModel(t *testing.T) { rapid.Check(t, againstModel) }

// FuzzQueue is TestAgainstModel as a fuzz target.
func FuzzQueue(f *testing.F) { f.Fuzz(rapid.MakeFuzz(againstModel)) }

func againstModel(t *rapid.T) {
	o := fairqueue.Options{
		Return: rapid.SampledFrom([]fairqueue.Return{fairqueue.ByVirtualTime, fairqueue.ToLeast}).Draw(t, "return"),
		Lag:    rapid.SampledFrom([]float64{0, 1, 4.5, math.Inf(1)}).Draw(t, "lag"),
		Least:  rapid.SampledFrom([]float64{0, 0, .5, .25}).Draw(t, "least"),
		Forget: rapid.IntRange(0, 3).Draw(t, "forget") == 0,
	}
	weight, cost := rapid.SampledFrom([]float64{1, 2, 4, .5}), rapid.SampledFrom([]float64{0, 1, 2, 3, .5, 1, 7})
	numbers := rapid.IntRange(0, 2).Draw(t, "numbers")
	switch numbers {
	case 1:
		weight, cost = rapid.SampledFrom([]float64{1, 3, .1, 7}), rapid.SampledFrom([]float64{0, .1, .2, .3, 1})
	case 2:
		weight = rapid.SampledFrom([]float64{0x1p-60, 1, 3, 0x1p60})
		cost = rapid.SampledFrom([]float64{0, 0x1p-60, 1e-9, 1, 1e15, 0x1p60})
	}
	q, err := fairqueue.New[int](o)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(o)
	var ended []fairqueue.Service
	epoch, skipped := uint32(0), -1
	key := rapid.IntRange(0, 5)
	for i := range rapid.IntRange(12, 150).Draw(t, "calls") {
		k, op := key.Draw(t, "key"), rapid.IntRange(0, 16).Draw(t, "op")
		if i < 12 { // at first six flows join, and those without children become active
			k, op = i%6, []int{op % 2, 5}[i/6]
		}
		f, known := m.flows[k]
		joined := known && !f.left
		var got error
		want := true // no error
	op:
		switch op {
		case 0, 1: // Join, JoinUnder
			w, p := weight.Draw(t, "weight"), m.root
			if op == 0 {
				got = q.Join(k, w)
			} else {
				pk := key.Draw(t, "parent")
				got = q.JoinUnder(pk, k, w)
				if p = m.flows[pk]; p == nil || p.left || p.active || len(p.servers) > 0 {
					want = false
					break
				}
			}
			if joined || known && f.parent != p && m.flying(f) > 0 || p == f {
				want = false
				break
			}
			if !known {
				f = &modelFlow{key: k, parent: p, floor: new(big.Rat), finish: new(big.Rat), quota: new(big.Rat), virtual: new(big.Rat)}
				p.children = append(p.children, f)
				m.flows[k] = f
			} else {
				m.reweigh(f, rat(w))
			}
			if f.parent != p {
				m.refresh(f.parent)
				debt := less(f.start(), f.parent.virtual)
				if m.idle(p) {
					debt = new(big.Rat)
				}
				f.parent.children = slices.DeleteFunc(f.parent.children, func(c *modelFlow) bool { return c == f })
				m.refresh(p)
				f.parent, p.children = p, append(p.children, f)
				f.floor, f.finish, f.quota = p.virtual, new(big.Rat).Add(p.virtual, debt), new(big.Rat) // no service here yet
			}
			m.joined++
			f.left, f.weight, f.joined = false, rat(w), m.joined
		case 2: // Leave
			want = joined && f.leaf() && !slices.ContainsFunc(f.children, func(c *modelFlow) bool { return m.flying(c) > 0 })
			if left := q.Leave(k); left != want {
				t.Fatalf("Leave(%d) = %v, want %v", k, left, want)
			}
			if want {
				m.setActive(f, false)
				for _, c := range f.children {
					delete(m.flows, c.key)
				}
				f.children, f.virtual = nil, new(big.Rat)
				f.left, f.servers = true, nil
			}
			want = true
		case 3: // SetWeight
			w := weight.Draw(t, "weight")
			got = q.SetWeight(k, w)
			if want = joined; want {
				m.reweigh(f, rat(w))
			}
		case 4: // SetLimit, SetOwner, SetServers
			barren := joined && f.leaf() && !slices.ContainsFunc(f.children, func(c *modelFlow) bool { return m.flying(c) > 0 })
			switch rapid.IntRange(0, 2).Draw(t, "set") {
			case 1:
				owner := rapid.Bool().Draw(t, "owner")
				if got, want = q.SetOwner(k, owner), barren; want {
					f.owner = owner
				}
				break op
			case 2:
				servers := rapid.SliceOfN(rapid.IntRange(-1, 2), 0, 3).Draw(t, "servers")
				got = q.SetServers(k, servers...)
				sorted := slices.Sorted(slices.Values(servers))
				want = joined && f.parent == m.root && f.leaf() && !slices.Contains(servers, -1) && len(slices.Compact(sorted)) == len(servers)
				if want {
					f.servers = servers
				}
				break op
			}
			n := rapid.IntRange(0, 2).Draw(t, "limit")
			got = q.SetLimit(k, n)
			if want = joined; want {
				f.limit = n
			}
		case 5, 6, 7: // SetActive
			active := op != 7
			got = q.SetActive(k, active)
			if want = joined && f.leaf(); want {
				m.setActive(f, active)
			}
		case 8, 9, 10: // Next, and then Start or Charge
			if rapid.IntRange(0, 5).Draw(t, "change") == 0 {
				skipped = rapid.SampledFrom([]int{-1, 0, 1, 2, 3}).Draw(t, "skip")
			}
			server := rapid.IntRange(-1, 3).Draw(t, "server") // -1: Next
			m.testOrder(t, q, server)
			last := -1 // for which skip returned false
			host := func(k int) bool {
				if k != skipped {
					last = k
				}
				return k == skipped
			}
			next, ok := 0, false
			if server < 0 {
				next, ok = q.Next(host)
			} else {
				next, ok = q.NextAt(server, host)
			}
			skip := func(k int) bool { return k == skipped || m.kept(k, server) }
			if ok && last != next {
				t.Fatalf("Next = %d, and skip last found %d", next, last)
			}
			f := m.next(m.root, skip)
			if ok != (f != nil) || ok && f.key != next {
				t.Fatalf("Next = %d, %v, want %+v", next, ok, f)
			}
			if !ok {
				break
			}
			m.serve(f)
			c := cost.Draw(t, "cost")
			if op == 8 {
				got = q.Charge(f.key, c)
				m.charge(f, rat(c), true)
				break
			}
			s, err := q.Start(f.key, c)
			if got = err; err == nil {
				m.start(s, f, rat(c))
			}
		case 11: // Charge, Start or Elsewhere of any flow
			c := cost.Draw(t, "cost")
			want = known && f.leaf()
			switch rapid.IntRange(0, 2).Draw(t, "which") {
			case 0:
				if got = q.Charge(k, c); want {
					m.charge(f, rat(c), true)
				}
			case 1:
				if got = q.Elsewhere(k, c); want {
					m.elsewhere(f, rat(c))
				}
			case 2:
				s, err := q.Start(k, c)
				got = err
				want = want && !f.left
				for x := f; want && x.parent != nil; x = x.parent {
					want = x.limit == 0 || m.flying(x) < x.limit
				}
				if want && err == nil {
					m.start(s, f, rat(c))
				}
			}
		case 12, 13: // End, Grow
			list := make([]fairqueue.Service, 0)
			for s, key := range q.Services() {
				if m.services[s] == nil || m.services[s].flow.key != key {
					t.Fatalf("service %d of %d is in flight, which the model does not know", s, key)
				}
				if list = append(list, s); m.services[list[max(0, len(list)-2)]].started > m.services[s].started {
					t.Fatalf("Services yields %d out of the order of Start", s)
				}
			}
			if len(list) != len(m.services) {
				t.Fatalf("%d services are in flight, want %d", len(list), len(m.services))
			}
			c := cost.Draw(t, "cost")
			if len(list) == 0 || rapid.IntRange(0, 9).Draw(t, "unknown") == 0 {
				s := rapid.SampledFrom(append(ended, 0, 1<<62)).Draw(t, "ended")
				want = false
				if got = q.End(s, c); got != nil {
					got = q.Grow(s, c)
				}
				break
			}
			s := list[rapid.IntRange(0, len(list)-1).Draw(t, "service")]
			v := m.services[s]
			if op == 12 {
				got = q.End(s, c)
				m.recharge(v, rat(c), true)
				delete(m.services, s)
				ended = append(ended, s)
				break
			}
			got = q.Grow(s, c)
			all := new(big.Rat).Add(v.charged, rat(c))
			if want = all.Cmp(rat(0x1p60)) <= 0; want {
				m.recharge(v, all, false)
				v.charged = all
			}
		case 14: // Set
			w := weight.Draw(t, "weight")
			got = q.Set(k, w)
			switch {
			case !known:
				f = &modelFlow{key: k, parent: m.root, floor: new(big.Rat), finish: new(big.Rat), quota: new(big.Rat), virtual: new(big.Rat)}
				m.root.children, m.flows[k] = append(m.root.children, f), f
			case f.left && (f.parent.active || len(f.parent.servers) > 0):
				want = false
			case f.left || f.weight.Cmp(rat(w)) != 0:
				m.reweigh(f, rat(w))
			}
			if !known || f.left && want {
				m.joined++
				f.left, f.weight, f.joined = false, rat(w), m.joined
			}
		case 15, 16: // restart
			text, err := json.Marshal(q.Snapshot())
			if err != nil {
				t.Fatal(err)
			}
			var s fairqueue.Snapshot[int]
			if err := json.Unmarshal(text, &s); err != nil {
				t.Fatal(err)
			}
			epoch++
			s.Epoch = epoch
			if q, err = fairqueue.Restore(s); err != nil {
				t.Fatalf("Restore(%s): %v", text, err)
			}
			if again := q.Snapshot(); !cmp.Equal(again, s, cmpopts.EquateEmpty()) {
				t.Fatalf("Restore(%s) gives back %+v", text, again)
			}
			if n := len(s.Flows); n != len(m.flows) {
				t.Fatalf("%d flows are kept, want %d", n, len(m.flows))
			}
			for _, x := range s.Flows {
				if got, want := maxRat(tag(x.Floor), tag(x.Finish)), m.flows[x.Key].start(); got.Cmp(want) != 0 {
					t.Fatalf("flow %d starts at %v, want %v", x.Key, got, want)
				}
			}
		}
		if want != (got == nil) || got != nil && !errors.Is(got, schedmath.ErrInput) {
			t.Fatalf("error %v, want one: %v", got, !want)
		}
		m.settle(m.root)
		m.testAsk(t, q, k)
	}
}

// testAsk: what a queue is asked about a key and in all.
func (m *model) testAsk(t *rapid.T, q *fairqueue.Queue[int], k int) {
	n, flying := 0, 0
	for _, f := range m.flows {
		if !f.left {
			n++
		}
	}
	f := m.flows[k]
	if f != nil {
		flying = m.flying(f)
	}
	if got, want := q.Has(k), f != nil && !f.left; got != want {
		t.Fatalf("Has(%d) = %v, want %v", k, got, want)
	}
	if q.InFlight(k) != flying || q.Len() != n {
		t.Fatalf("InFlight(%d) = %d, Len = %d, want %d and %d", k, q.InFlight(k), q.Len(), flying, n)
	}
}

// reweigh gives a flow another weight, by which what is in flight counts.
func (m *model) reweigh(f *modelFlow, weight *big.Rat) {
	open := m.openOf(f)
	f.finish = new(big.Rat).Add(less(f.finish, quo(open, f.weight)), quo(open, weight))
	f.weight = weight
}

// tag is a tag of a Snapshot.
func tag(words [6]uint64) *big.Rat {
	sum := new(big.Int)
	for _, w := range slices.Backward(words[:]) {
		sum.Lsh(sum, 64).Or(sum, new(big.Int).SetUint64(w))
	}
	return new(big.Rat).SetFrac(sum, new(big.Int).Lsh(big.NewInt(1), 176))
}

// openOf is what services in flight at or below a node were charged.
func (m *model) openOf(f *modelFlow) *big.Rat {
	sum := new(big.Rat)
	for _, s := range m.services {
		for x := s.flow; x != nil; x = x.parent {
			if x == f {
				sum.Add(sum, s.charged)
			}
		}
	}
	return sum
}
