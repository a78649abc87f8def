package drf_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/drf"
	"github.com/schedmath/schedmath/internal/oracle/linear"
)

// TestLinearProgram: the shares are the lexicographic max-min of the dominant shares for each unit
// of weight, found by linear programs: the greatest least share of those who can have more, then
// who of them cannot have more than that, and so on.
func TestLinearProgram(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 150 {
		m, n := 1+r.IntN(3), 1+r.IntN(5)
		capacity, users := make([]float64, m), make([]drf.User, n)
		for k := range capacity {
			capacity[k] = 1 + 9*r.Float64()
		}
		for i := range users {
			users[i] = drf.User{Demand: make([]float64, m), Weight: float64(1 + r.IntN(3)), Max: float64(r.IntN(2)) * 5 * r.Float64()}
			for k := range capacity {
				users[i].Demand[k] = (.2 + r.Float64()) * float64(r.IntN(2))
			}
		}
		// best is the greatest value of a level that open users reach together (of < 0), or of one
		// user's level, while all have at least floor.
		floor, open := make([]float64, n), make([]bool, n) // levels; who may have more
		rate := func(i int) float64 { return weight(users[i]) / dominant(capacity, users[i]) }
		best := func(of int) float64 {
			p := new(linear.Programme)
			p.Variables(n + 1) // the common level, then what each has beyond
			row := func(limit float64, x func(i int) float64) {
				one := linear.Row{}
				for i := range n {
					if open[i] {
						one[1+i] = x(i)
						one[0] += x(i)
					}
				}
				p.AtMost(one, max(0, limit))
			}
			for k, c := range capacity {
				for i, u := range users {
					if dominant(capacity, u) > 0 {
						c -= floor[i] * rate(i) * u.Demand[k]
					}
				}
				row(c, func(i int) float64 { return rate(i) * users[i].Demand[k] })
			}
			for i, u := range users {
				if open[i] && u.Max > 0 {
					row(u.Max-floor[i]*rate(i), func(k int) float64 {
						if k == i {
							return rate(i)
						}
						return 0
					})
				}
			}
			value, err := p.Least(linear.Row{1 + of: -1}, 1e-12)
			must(t, err)
			return -value
		}
		for i, u := range users {
			open[i] = dominant(capacity, u) > 0
		}
		for slices.Contains(open, true) {
			rise := best(-1)
			for i := range floor {
				if open[i] {
					floor[i] += rise
				}
			}
			stuck := make([]bool, n)
			for i := range open {
				stuck[i] = open[i] && best(i) < 1e-9
			}
			for i := range open {
				open[i] = open[i] && !stuck[i]
			}
			if !slices.Contains(stuck, true) {
				t.Fatalf("capacity %v, users %+v: the programs find nobody who is stuck", capacity, users)
			}
		}
		got := shares(t, capacity, users, nil)
		for i, u := range users {
			want := 0.
			if dominant(capacity, u) > 0 {
				want = floor[i] * rate(i)
			}
			if math.Abs(got[i]-want) > 1e-7*(1+want) {
				t.Fatalf("Shares(nil, %v, %+v)[%d] = %v, by linear programs %v", capacity, users, i, got[i], want)
			}
		}
	}
}

// hdrf is static H-DRF as the paper has it, task by task. Tasks are small parts of the cluster.
type hdrf struct {
	users   []drf.User // demands as parts of the cluster
	parents []int
	order   []int // in which ties are broken
	tasks   []float64
	used    []float64
	full    []bool
}

func (h *hdrf) children(p int) (kids []int) {
	for _, i := range h.order {
		if h.parents[i] == p {
			kids = append(kids, i)
		}
	}
	return kids
}

// update returns the consumption vector of a node, its share, and whether it is blocked.
func (h *hdrf) update(i int) (vector []float64, share float64, blocked bool) {
	kids := h.children(i)
	vector = make([]float64, len(h.used))
	if len(kids) == 0 {
		u := h.users[i]
		blocked = h.tasks[i]+1 > most(u) || u.Demand == nil
		for r, d := range u.Demand {
			vector[r] = d * h.tasks[i]
			share = max(share, vector[r])
			blocked = blocked || d > 0 && h.full[r]
		}
		return vector, share, blocked
	}
	least := math.Inf(1)
	blocked = true
	type child struct {
		vector  []float64
		level   float64
		blocked bool
	}
	var all []child
	for _, k := range kids {
		v, s, b := h.update(k)
		all = append(all, child{v, s / weight(h.users[k]), b})
		if !b {
			blocked, least = false, min(least, s/weight(h.users[k]))
		}
	}
	for _, c := range all {
		scale := 1.
		if !c.blocked && c.level > 0 {
			scale = least / c.level
		}
		for r, x := range c.vector {
			vector[r] += scale * x
		}
	}
	for r, x := range vector {
		if !h.full[r] {
			share = max(share, x)
		}
	}
	return vector, share, blocked
}

// play gives out tasks until all are blocked.
func play(users []drf.User, parents []int, reverse bool) []float64 {
	m := len(users[len(users)-1].Demand)
	h := hdrf{users: users, parents: parents, tasks: make([]float64, len(users)), used: make([]float64, m), full: make([]bool, m)}
	for i := range users {
		h.order = append(h.order, i)
	}
	if reverse {
		slices.Reverse(h.order)
	}
	for {
		at, leaf := -1, false
		for !leaf {
			kids, best, least := h.children(at), -1, math.Inf(1)
			for _, k := range kids {
				if _, s, b := h.update(k); !b && s/weight(h.users[k]) < least*(1-1e-9) {
					best, least = k, s/weight(h.users[k])
				}
			}
			if best < 0 {
				return h.tasks
			}
			at, leaf = best, len(h.children(best)) == 0
		}
		fits := true
		for r, d := range h.users[at].Demand {
			if d > 0 && h.used[r]+d > 1 {
				h.full[r], fits = true, false
			}
		}
		if fits {
			h.tasks[at]++
			for r, d := range h.users[at].Demand {
				h.used[r] += d
			}
		}
	}
}

// TestHierarchy: progressive filling comes to what H-DRF does task by task, where the order in
// which H-DRF breaks ties does not matter to it.
func TestHierarchy(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	const fine = 600
	compared, lopsided := 0, 0
	for range 120 {
		m := 2 + r.IntN(2)
		capacity := slices.Repeat([]float64{1}, m)
		users := make([]drf.User, 3) // two tenants, a group in the second
		for i := range users {
			users[i].Weight = float64(1 + r.IntN(2))
		}
		parents := []int{-1, -1, 1}
		for i := range 4 + r.IntN(5) {
			u := drf.User{Demand: make([]float64, m), Weight: float64(1 + r.IntN(2))}
			for k := range u.Demand {
				u.Demand[k] = (.3 + .7*r.Float64()) / fine * float64(r.IntN(2))
			}
			u.Demand[r.IntN(m)] = 1. / fine
			if r.IntN(4) == 0 {
				u.Max = float64(1 + r.IntN(fine))
			}
			users, parents = append(users, u), append(parents, []int{0, 1, 2, r.IntN(4) - 1}[min(i, 3)])
		}
		a, b := play(users, parents, false), play(users, parents, true)
		unlike := 0.
		for i := range a {
			unlike = max(unlike, math.Abs(a[i]-b[i]))
		}
		if unlike > 12 {
			lopsided++
			continue
		}
		compared++
		got := shares(t, capacity, users, parents)
		for i := 3; i < len(users); i++ {
			if math.Abs(got[i]-a[i]) > 30 {
				t.Errorf("users %+v, parents %v: %v, task by task %v", users, parents, got, a)
				break
			}
		}
	}
	if compared < 60 {
		t.Errorf("%d trees compared, %d depend on ties", compared, lopsided)
	}
}

// TestAhead: a resource is used up and a group falls behind its siblings, who count for their
// tenant's share as far as the group has come.
func TestAhead(t *testing.T) {
	const fine = 2100.
	users := []drf.User{{}, {}, {}} // two tenants, a group in the second
	parents := []int{-1, -1, 1, 0, 1, 2, -1, 2, 2, 0}
	for _, d := range [][]float64{{4, 2}, {0, 4}, {4, 0}, {4, 0}, {4, 0}, {0, 4}, {0, 4}} {
		users = append(users, drf.User{Demand: []float64{d[0] / 4 / fine, d[1] / 4 / fine}})
	}
	got, want := shares(t, []float64{1, 1}, users, parents), play(users, parents, false)
	for i := 3; i < len(users); i++ {
		if math.Abs(got[i]-want[i]) > 5 {
			t.Fatalf("users %+v, parents %v: %v, task by task %v", users, parents, got, want)
		}
	}
	if exact := []float64{600, 600, 300, 900, 300, 500, 700}; !equal(got[3:], exact) {
		t.Errorf("%v, want %v", got[3:], exact)
	}
}

// TestFreeGrowth: a tenant has memory from users who have all of their tasks, and another user of
// it takes CPUs up to the same share: that raises no share, so nobody else grows meanwhile.
func TestFreeGrowth(t *testing.T) {
	const fine = 100.
	cpu, memory := []float64{1 / fine / 12, 0}, []float64{0, 1 / fine / 12}
	users := []drf.User{{}, {}, {Demand: cpu}, {Demand: memory, Max: 2 * fine}, {Demand: []float64{2 / fine / 12, 1 / fine / 12}}, {Demand: memory, Max: 3 * fine}}
	parents := []int{-1, 0, 0, 1, -1, 0} // a tenant with a group in it, and a user beside them
	got, want := shares(t, []float64{1, 1}, users, parents), play(users, parents, false)
	for i := 2; i < len(users); i++ {
		if math.Abs(got[i]-want[i]) > 5 {
			t.Fatalf("users %+v, parents %v: %v, task by task %v", users, parents, got, want)
		}
	}
	if exact := []float64{600, 200, 300, 300}; !equal(got[2:], exact) {
		t.Errorf("%v, want %v", got[2:], exact)
	}
}
