package drf_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/drf"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

var must = expect.Must

// allowed is the relative error of a share: progressive filling takes shares within 2^-40 of each
// other for equal.
const allowed = 1e-9

func shares(t testing.TB, capacity []float64, users []drf.User, parents []int) []float64 {
	t.Helper()
	got, err := drf.Shares(nil, capacity, users, parents)
	if err != nil || len(got) != len(users) {
		t.Fatalf("Shares(nil, %v, %+v, %v) = %v, %v", capacity, users, parents, got, err)
	}
	return got
}

func number(r *rand.Rand) float64 {
	return []float64{.1, .3, 7.1, 1, float64(1 + r.IntN(9)), 10 * r.Float64(), math.Exp(6*r.Float64() - 3)}[r.IntN(7)]
}

// instance draws capacities and up to most users with demands of 0 among them.
func instance(r *rand.Rand, most int, weights, limits bool) (capacity []float64, users []drf.User) {
	for range 1 + r.IntN(4) {
		capacity = append(capacity, 10*number(r))
	}
	for range 1 + r.IntN(most) {
		u := drf.User{Demand: make([]float64, len(capacity))}
		for k := range u.Demand {
			if r.IntN(3) > 0 {
				u.Demand[k] = number(r)
			}
		}
		if weights && r.IntN(2) == 0 {
			u.Weight = number(r)
		}
		if limits && r.IntN(2) == 0 {
			u.Max = number(r)
		}
		users = append(users, u)
	}
	return capacity, users
}

func weight(u drf.User) float64 {
	if u.Weight == 0 {
		return 1
	}
	return u.Weight
}

func most(u drf.User) float64 {
	if u.Max == 0 {
		return math.Inf(1)
	}
	return u.Max
}

// dominant is the greatest part of any resource that one task takes.
func dominant(capacity []float64, u drf.User) (share float64) {
	for r, d := range u.Demand {
		share = max(share, d/capacity[r])
	}
	return share
}

func equal(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) <= allowed*math.Abs(y) })
}

// Whatever the numbers, a dominant share is one.
func TestDominantShare(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, x := range []struct {
		capacity, used []float64
		want           float64
	}{
		{[]float64{9, 18}, []float64{1, 4}, 4. / 18}, {[]float64{9, 18}, []float64{3, 1}, 3. / 9},
		{[]float64{0, 4}, []float64{1, 1}, inf}, {[]float64{0, 4}, []float64{0, 1}, .25}, {nil, nil, 0},
		{[]float64{2}, []float64{1, 7}, .5}, {[]float64{2, 1}, []float64{1}, .5}, {[]float64{inf, 4}, []float64{inf, 1}, .25},
		{[]float64{nan, -1, 4}, []float64{1, 1, 1}, .25}, {[]float64{1, 4}, []float64{nan, 1}, .25},
	} {
		if got := drf.DominantShare(x.capacity, x.used); got != x.want {
			t.Errorf("DominantShare(%v, %v) = %v, want %v", x.capacity, x.used, got, x.want)
		}
	}
}

// check fails the test unless no resource is used beyond its capacity and nobody could have more
// (Pareto): each has all of its tasks, or needs a resource that is used up.
func check(t *testing.T, capacity []float64, users []drf.User, parents []int, got []float64) {
	t.Helper()
	used := make([]float64, len(capacity)) // parts of the capacity
	for i, u := range users {
		for r, d := range u.Demand {
			if d > 0 && capacity[r] > 0 {
				used[r] += got[i] * d / capacity[r]
			}
		}
	}
	for i, u := range users {
		needs, done := false, got[i] >= most(u)*(1-allowed)
		for r, d := range u.Demand {
			needs = needs || d > 0
			done = done || d > 0 && (capacity[r] == 0 || used[r] >= 1-allowed)
		}
		if !(got[i] >= 0 && got[i] <= min(most(u), math.MaxFloat64)) || needs && !done || slices.Max(used) > 1+allowed {
			t.Fatalf("Shares(nil, %v, %+v, %v) = %v uses %v: user %d", capacity, users, parents, got, used, i)
		}
	}
}

// Nobody could have more (Pareto). Each has what its part of every resource would give it (sharing
// incentive), and would not rather have another's allocation, in proportion to the weights
// (envy-freeness).
func TestFlatLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := range 4000 {
		capacity, users := instance(r, 8, true, true)
		got := shares(t, capacity, users, nil)
		check(t, capacity, users, nil, got)
		if k%4 == 0 {
			checkSame(t, r, capacity, users, got)
		}
		total := 0.
		for _, u := range users {
			total += weight(u)
		}
		for i, u := range users {
			one := dominant(capacity, u)
			if one == 0 {
				if got[i] != 0 {
					t.Fatalf("Shares(nil, %v, %+v) = %v: user %d demands nothing", capacity, users, got, i)
				}
				continue
			}
			if part := min(most(u), weight(u)/total/one); got[i] < part*(1-allowed) {
				t.Fatalf("Shares(nil, %v, %+v) = %v: user %d would have %v of its part", capacity, users, got, i, part)
			}
			for k, v := range users {
				with := most(u) // tasks from v's allocation, scaled by the weights
				for j, d := range u.Demand {
					if d > 0 {
						with = min(with, got[k]*v.Demand[j]*weight(u)/weight(v)/d)
					}
				}
				if with > got[i]*(1+allowed) {
					t.Fatalf("Shares(nil, %v, %+v) = %v: user %d would have %v tasks with the allocation of %d", capacity, users, got, i, with, k)
				}
			}
		}
	}
}

// checkSame: powers of two scale, permutations permute, dst is appended to, and a chain of nodes
// above all users changes nothing.
func checkSame(t *testing.T, r *rand.Rand, capacity []float64, users []drf.User, want []float64) {
	t.Helper()
	n := len(users)
	perm, parents, large := r.Perm(n), make([]int, n+2), make([]float64, len(capacity))
	mixed, more := make([]drf.User, n), slices.Clone(users)
	for k, c := range capacity {
		large[k] = c * 0x1p60
	}
	for i, p := range perm {
		mixed[p] = users[i]
		more[i].Max *= 0x1p60
	}
	for i := range parents {
		parents[i] = n
	}
	parents[n], parents[n+1] = n+1, -1
	permuted := shares(t, capacity, mixed, nil)
	scaled, err := drf.Shares([]float64{7}, large, more, nil)
	must(t, err)
	below := shares(t, capacity, append(slices.Clone(users), drf.User{Weight: 3}, drf.User{}), parents)
	for i, p := range perm {
		if scaled[0] != 7 || scaled[1+i] != want[i]*0x1p60 || math.Abs(permuted[p]-want[i]) > allowed*want[i] || math.Abs(below[i]-want[i]) > allowed*want[i] {
			t.Fatalf("Shares(nil, %v, %+v) = %v, scaled %v, permuted by %v %v, below two nodes %v", capacity, users, want, scaled, perm, permuted, below)
		}
	}
}

// Task by task, Next comes to the shares as tasks become small.
func TestNext(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	for range 60 {
		// Tasks of about 1/400 of the cluster. Demands differ by at most 3 times, so that what is
		// left of a resource is no task for anybody.
		capacity, small := []float64{1, 1, 1}, []drf.User{}
		for range 1 + r.IntN(6) {
			u := drf.User{Demand: make([]float64, 3), Weight: float64(1 + r.IntN(3)), Max: float64(r.IntN(2) * r.IntN(400))}
			for k := range u.Demand {
				u.Demand[k] = (.5 + r.Float64()) / 400 * float64(r.IntN(2))
			}
			small = append(small, u)
		}
		tasks := make([]int, len(small))
		for {
			i, err := drf.Next(capacity, small, tasks)
			must(t, err)
			if i < 0 {
				break
			}
			tasks[i]++
		}
		for i, want := range shares(t, capacity, small, nil) {
			if off := math.Abs(float64(tasks[i]) - want); off > float64(3+3*len(small)) {
				t.Fatalf("users %+v: user %d has %d tasks, want %v", small, i, tasks[i], want)
			}
		}
	}
	// Decimals fit: three tasks of a tenth into 0.3.
	tasks := []int{0}
	for range 4 {
		if i, _ := drf.Next([]float64{.3}, []drf.User{{Demand: []float64{.1}}}, tasks); i == 0 {
			tasks[0]++
		}
	}
	if tasks[0] != 3 {
		t.Errorf("%d tasks of 0.1 fit into 0.3, want 3", tasks[0])
	}
	// Equal shares in tenths tie: a tasks of b tenths and b tasks of a tenths.
	for a := 1; a < 20; a++ {
		for b := 1; b < 20; b++ {
			for _, unit := range []float64{1, .1, .3, 7.1} {
				users := []drf.User{{Demand: []float64{float64(b) * unit}}, {Demand: []float64{float64(a) * unit}}}
				capacity := []float64{1000 * unit}
				if i, err := drf.Next(capacity, users, []int{a, b}); i != 0 || err != nil {
					t.Fatalf("Next(%v, %v, [%d %d]) = %d, %v, want 0", capacity, users, a, b, i, err)
				}
			}
		}
	}
	if i, err := drf.Next([]float64{10}, []drf.User{{Demand: []float64{1}}, {Demand: []float64{3}}}, []int{3, 1}); i != 0 || err != nil {
		t.Errorf("Next([10], [1 3], [3 1]) = %d, %v, want 0", i, err)
	}
	if i, err := drf.Next([]float64{1, 0}, []drf.User{{Demand: []float64{1, 1}}, {Demand: []float64{.1, 0}, Max: 1}, {}}, []int{1, 1, 0}); i != -1 || err != nil {
		t.Errorf("Next with nobody who fits = %d, %v, want -1", i, err)
	}
}

func TestErrors(t *testing.T) {
	type list = []float64
	type users = []drf.User
	nan, inf := math.NaN(), math.Inf(1)
	one := users{{Demand: list{1}}}
	dst := list{7}
	noted := []expect.Call{
		expect.Bad("capacity", 0, list{nan}, one, nil),
		expect.Bad("capacity", 0, list{-1}, one, nil),
		expect.Bad("capacity", 0, list{inf}, one, nil),
		expect.Bad("users", 0, list{1, 1}, one, nil),
		expect.Bad("users", 1, list{1}, users{{}, {Demand: list{nan}}}, nil),
		expect.Bad("users", 0, list{1}, users{{Demand: list{-1}}}, nil),
		expect.Bad("users", 0, list{1}, users{{Weight: inf}}, nil),
		expect.Bad("users", 0, list{1}, users{{Max: nan}}, nil),
		expect.Bad("users", 0, list{1}, users{{Max: -1}}, nil),
	}
	trees := []expect.Call{
		expect.Bad("users", 0, list{1}, users{{Demand: list{1}}, {}}, []int{-1, 0}),
		expect.Bad("users", 0, list{1}, users{{Max: 1}, {}}, []int{-1, 0}),
		expect.Bad("parents", 0, list{1}, one, []int{0}),
		expect.Bad("parents", 0, list{1}, one, []int{1}),
		expect.Bad("parents", -1, list{1}, one, []int{}),
	}
	tasks := []expect.Call{
		expect.Bad("tasks", -1, list{1}, one, []int{}),
		expect.Bad("tasks", 0, list{1}, one, []int{-1}),
	}
	for _, c := range slices.Concat(noted, trees) {
		c.Args = slices.Insert(slices.Clone(c.Args), 0, any(dst))
		expect.Refused(t, "drf.Shares", drf.Shares, nil, c)
	}
	for _, c := range noted {
		c.Args[2] = make([]int, len(c.Args[1].(users)))
		expect.Refused(t, "drf.Next", drf.Next, nil, c)
	}
	expect.Refused(t, "drf.Next", drf.Next, nil, tasks...)
	if got := shares(t, nil, users{{}}, nil); got[0] != 0 {
		t.Errorf("Shares without resources = %v, want 0", got)
	}
}

// Whatever the sizes and however deep the tree, nobody's share can grow.
func TestExtremes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	for k := range 20000 {
		odd := []float64{0, 0x1p-200, 0x1p-100, .1, 1, 7.1, 0x1p100, 0x1p200}[k%2:]
		pick := func() float64 { return odd[r.IntN(len(odd))] }
		n, m := 1+r.IntN(30), 1+r.IntN(4)
		capacity := make([]float64, m)
		users, parents, inner := make([]drf.User, n), make([]int, n), make([]bool, n)
		for c := range capacity {
			capacity[c] = pick()
		}
		for i := range n {
			if parents[i] = -1; i > 0 {
				parents[i] = max(r.IntN(i+1), r.IntN(i+1)) - 1 // rather deep
			}
			if parents[i] >= 0 {
				inner[parents[i]] = true
			}
		}
		for i := range n {
			if users[i].Weight = pick(); !inner[i] {
				users[i].Max = pick() * float64(r.IntN(2))
				for range capacity {
					users[i].Demand = append(users[i].Demand, pick()*float64(r.IntN(3)/2))
				}
			}
		}
		check(t, capacity, users, parents, shares(t, capacity, users, parents))
	}
}

// In a tree a share of 2^-40 and more is exact, and a smaller one stays below that.
func TestSmallestShare(t *testing.T) {
	for k := range 201 {
		light := math.Ldexp(1, -k)
		users := []drf.User{{}, {Weight: light}, {Demand: []float64{1}}, {Demand: []float64{1}, Weight: 0x1p-200}, {Demand: []float64{1}, Weight: 0x1p-199}}
		got := shares(t, []float64{1}, users, []int{-1, -1, 0, 1, 1})
		want := light / (1 + light)
		if want >= 0x1p-40 && !equal(got, []float64{1 - want, want, 1 - want, want / 3, want * 2 / 3}) || want < 0x1p-40 && !(got[1] > 0 && got[1] < 0x1p-40) {
			t.Errorf("tenants of weights 1 and 2^-%d get %v, want %v for the second", k, got, want)
		}
	}
}
