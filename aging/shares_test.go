package aging_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/aging"
)

// rat is x as a rational; infinities become 2^300, more than all else together.
func rat(x float64) *big.Rat {
	if math.IsInf(x, 1) {
		x = 0x1p300
	}
	return new(big.Rat).SetFloat64(x)
}

func ratMin(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func ratMax(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// exactShares divides by the definition, in rationals: it tries every breakpoint for the level of a
// group.
type exactShares struct {
	claims  []aging.Claim
	parents []int
	floors  aging.Floors
	shares  []*big.Rat
}

func (e *exactShares) children(p int) (kids []int) {
	for i := range e.claims {
		if e.parents == nil && p == -1 || e.parents != nil && e.parents[i] == p {
			kids = append(kids, i)
		}
	}
	return kids
}

func (e *exactShares) demand(i int) *big.Rat {
	d, kids := rat(e.claims[i].Demand), e.children(i)
	if len(kids) == 0 {
		return d
	}
	sum := new(big.Rat)
	for _, k := range kids {
		sum.Add(sum, e.demand(k))
	}
	if d.Sign() == 0 {
		return sum
	}
	return ratMin(d, sum)
}

// level returns the shares of an amount that are clamped to [low, high] at one level.
func exactLevel(amount *big.Rat, low, high, weight []*big.Rat) []*big.Rat {
	at := func(level *big.Rat) (shares []*big.Rat, sum *big.Rat) {
		sum = new(big.Rat)
		for i := range low {
			s := ratMin(high[i], ratMax(low[i], new(big.Rat).Mul(level, weight[i])))
			shares, sum = append(shares, s), sum.Add(sum, s)
		}
		return shares, sum
	}
	points := []*big.Rat{new(big.Rat)}
	for i := range low {
		points = append(points, new(big.Rat).Quo(low[i], weight[i]), new(big.Rat).Quo(high[i], weight[i]))
	}
	slices.SortFunc(points, (*big.Rat).Cmp)
	below := points[0]
	for _, p := range points {
		_, sum := at(p)
		if sum.Cmp(amount) < 0 {
			below = p
			continue
		}
		_, less := at(below)
		if sum.Cmp(less) == 0 {
			shares, _ := at(p)
			return shares
		}
		// The sum is linear between two breakpoints.
		part := new(big.Rat).Quo(new(big.Rat).Sub(amount, less), new(big.Rat).Sub(sum, less))
		shares, _ := at(new(big.Rat).Add(below, part.Mul(part, new(big.Rat).Sub(p, below))))
		return shares
	}
	shares, _ := at(below)
	return shares
}

func (e *exactShares) divide(amount *big.Rat, p int) {
	kids := e.children(p)
	slices.SortStableFunc(kids, func(a, b int) int { return e.claims[b].Priority - e.claims[a].Priority })
	var low, high, weight []*big.Rat
	floors := new(big.Rat)
	for _, i := range kids {
		f := ratMin(rat(e.claims[i].Floor), e.demand(i))
		low, high, weight = append(low, f), append(high, e.demand(i)), append(weight, rat(one(e.claims[i].Weight)))
		floors.Add(floors, f)
	}
	zeros := make([]*big.Rat, len(kids))
	for k := range zeros {
		zeros[k] = new(big.Rat)
	}
	set := func(from int, shares []*big.Rat) {
		for k, s := range shares {
			e.shares[kids[from+k]] = s
		}
	}
	if floors.Cmp(amount) >= 0 {
		set(0, exactLevel(amount, zeros, low, weight))
	} else {
		rest := new(big.Rat).Sub(amount, floors)
		for from := 0; from < len(kids); {
			to := from + 1
			for to < len(kids) && e.claims[kids[to]].Priority == e.claims[kids[from]].Priority {
				to++
			}
			var spare []*big.Rat
			held, need := new(big.Rat), new(big.Rat)
			for k := from; k < to; k++ {
				s := new(big.Rat).Sub(high[k], low[k])
				spare, held, need = append(spare, s), held.Add(held, low[k]), need.Add(need, s)
			}
			give := ratMin(rest, need)
			if e.floors == aging.Within {
				set(from, exactLevel(new(big.Rat).Add(held, give), low[from:to], high[from:to], weight[from:to]))
			} else {
				extra := exactLevel(give, zeros[from:to], spare, weight[from:to])
				for k := range extra {
					extra[k] = new(big.Rat).Add(extra[k], low[from+k])
				}
				set(from, extra)
			}
			rest.Sub(rest, give)
			from = to
		}
	}
	for _, i := range kids {
		e.divide(e.shares[i], i)
	}
}

// randomClaims draws a tree of up to n claims.
func randomClaims(rng *rand.Rand, n int) (capacity float64, claims []aging.Claim, parents []int) {
	number := func() float64 {
		return []float64{.1, .3, 7.1, 1, float64(1 + rng.IntN(9)), 10 * rng.Float64(), math.Exp(12*rng.Float64() - 6)}[rng.IntN(7)]
	}
	for i := range 1 + rng.IntN(n) {
		c := aging.Claim{Demand: number(), Weight: number(), Priority: rng.IntN(3) * rng.IntN(2)}
		switch rng.IntN(5) {
		case 0:
			c.Demand = math.Inf(1)
		case 1:
			c.Demand *= 10
		case 2:
			c.Weight, c.Demand = 0, c.Demand*float64(rng.IntN(2))
		}
		if rng.IntN(2) == 0 {
			c.Floor = number()
		}
		claims = append(claims, c)
		parents = append(parents, rng.IntN(i+1)-1)
	}
	capacity = number() * float64(rng.IntN(2*n)) / 4
	if rng.IntN(2) == 0 { // the parents come after their children as well as before
		slices.Reverse(claims)
		slices.Reverse(parents)
		for i, p := range parents {
			if p >= 0 {
				parents[i] = len(parents) - 1 - p
			}
		}
	}
	return capacity, claims, parents
}

func TestSharesRational(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for range 4000 {
		capacity, claims, parents := randomClaims(rng, 10)
		if rng.IntN(3) == 0 {
			parents = nil
		}
		f := aging.Floors(rng.IntN(2))
		got, err := aging.Shares(nil, capacity, claims, parents, f)
		must(t, err)
		e := exactShares{claims, parents, f, make([]*big.Rat, len(claims))}
		total := new(big.Rat)
		for _, i := range e.children(-1) {
			total.Add(total, e.demand(i))
		}
		e.divide(ratMin(rat(capacity), total), -1)
		for i := range claims {
			if want, _ := e.shares[i].Float64(); !(math.Abs(got[i]-want) <= batchError*(want+capacity)) {
				t.Fatalf("Shares(nil, %v, %+v, %v, %v)[%d] = %v, want %v", capacity, claims, parents, f, i, got[i], want)
			}
		}
	}
}

// The laws of MaxMin hold at every node: nobody gets more than it can use, nothing is left that
// somebody could use, floors are met where they fit and are shared by weighted max-min where they
// do not, and more capacity or one claim less takes nothing away.
func TestSharesLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 2))
	scarce := 0
	for range 4000 {
		capacity, claims, parents := randomClaims(rng, 12)
		f := aging.Floors(rng.IntN(2))
		got, err := aging.Shares(nil, capacity, claims, parents, f)
		must(t, err)
		e := exactShares{claims: claims, parents: parents}
		for p := -1; p < len(claims); p++ {
			kids, amount := e.children(p), capacity
			if p >= 0 {
				amount = got[p]
			}
			sum, floors, use := 0., 0., 0.
			var jobs []aging.Job
			for _, i := range kids {
				d, _ := e.demand(i).Float64()
				floor := min(claims[i].Floor, d)
				if !(got[i] >= 0 && got[i] <= d*(1+ulps)) {
					t.Fatalf("Shares(nil, %v, %+v, %v, %v) = %v: %d can use %v", capacity, claims, parents, f, got, i, d)
				}
				sum, floors, use = sum+got[i], floors+floor, use+d
				jobs = append(jobs, aging.Job{Work: floor, Slots: floor, Weight: claims[i].Weight})
			}
			if want := min(amount, use); len(kids) > 0 && !(math.Abs(sum-want) <= 10*ulps*want) {
				t.Fatalf("Shares(nil, %v, %+v, %v, %v) = %v: the children of %d have %v, want %v", capacity, claims, parents, f, got, p, sum, want)
			}
			alone, err := aging.MaxMin(nil, amount, jobs)
			must(t, err)
			if floors > amount {
				scarce++
			}
			for k, i := range kids {
				if floor := jobs[k].Work; floors > amount && !(math.Abs(got[i]-alone[k]) <= batchError*amount) || floors <= amount && got[i] < floor*(1-ulps) {
					t.Fatalf("Shares(nil, %v, %+v, %v, %v) = %v: %d has a floor of %v, of the floors alone %v", capacity, claims, parents, f, got, i, floor, alone[k])
				}
			}
		}
		more, err := aging.Shares(nil, capacity*(1+rng.Float64()), claims, parents, f)
		must(t, err)
		fewer := slices.Clone(claims) // a claim that can use nothing is no claim
		gone := rng.IntN(len(claims))
		fewer[gone].Demand = 0
		less, err := aging.Shares(nil, capacity, fewer, nil, f)
		must(t, err)
		flat, err := aging.Shares(nil, capacity, claims, nil, f)
		must(t, err)
		for i := range claims {
			if more[i] < got[i]-batchError*capacity || i != gone && less[i] < flat[i]-batchError*capacity {
				t.Fatalf("Shares(nil, %v, %+v, %v, %v) = %v, with more capacity %v; flat %v, without %d %v", capacity, claims, parents, f, got, more, flat, gone, less)
			}
		}
	}
	if scarce < 500 {
		t.Errorf("floors exceeded what there was %d times, want 500: the claims test nothing", scarce)
	}
}

// MaxMin is the flat case, to the bit, and one level below a node without a cap is flat.
func TestSharesFlat(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 3))
	for range 2000 {
		_, capacity, jobs := randomJobs(rng, 12)
		want, err := aging.MaxMin(nil, capacity, jobs)
		must(t, err)
		claims, parents := []aging.Claim{}, []int{}
		for _, j := range jobs {
			c := aging.Claim{Demand: j.Slots, Weight: j.Weight}
			if unlimited(j.Slots) || j.Slots >= 0x1p200 {
				c.Demand = math.Inf(1)
			}
			if j.Work == 0 {
				c.Demand = 0
			}
			claims, parents = append(claims, c), append(parents, len(jobs))
		}
		got, err := aging.Shares(nil, capacity, claims, nil, aging.Within)
		must(t, err)
		nested, err := aging.Shares(nil, capacity, append(claims, aging.Claim{Demand: math.Inf(1)}), append(parents, -1), aging.OnTop)
		must(t, err)
		for i := range jobs {
			if !(math.Abs(got[i]-want[i]) <= ulps*want[i]) || !(math.Abs(nested[i]-want[i]) <= batchError*want[i]) {
				t.Fatalf("MaxMin(nil, %v, %v)[%d] = %v, Shares %v, in a tree %v", capacity, jobs, i, want[i], got[i], nested[i])
			}
		}
	}
}

func TestSharesScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 4))
	for range 500 {
		capacity, claims, parents := randomClaims(rng, 12)
		f := aging.Floors(rng.IntN(2))
		want, err := aging.Shares(nil, capacity, claims, parents, f)
		must(t, err)
		perm, n := rng.Perm(len(claims)), len(claims)
		mixed, above := make([]aging.Claim, n), make([]int, n)
		for i, p := range perm {
			mixed[p], above[p] = claims[i], -1
			if parents[i] >= 0 {
				above[p] = perm[parents[i]]
			}
		}
		permuted, err := aging.Shares(nil, capacity, mixed, above, f)
		must(t, err)
		for i := range claims {
			claims[i].Demand *= 0x1p40
			claims[i].Floor *= 0x1p40
		}
		scaled, err := aging.Shares([]float64{7}, capacity*0x1p40, claims, parents, f)
		must(t, err)
		for i, p := range perm {
			if scaled[1+i] != want[i]*0x1p40 || scaled[0] != 7 || !(math.Abs(permuted[p]-want[i]) <= batchError*(want[i]+capacity)) {
				t.Fatalf("Shares of %v, %+v, %v = %v, times 2^40 %v, permuted by %v %v", capacity, claims, parents, want, scaled, perm, permuted)
			}
		}
	}
}

// An inner node has what its children have, whatever the weights: also where shares underflow.
func TestSharesOfExtremeWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 5))
	odd := []float64{0x1p-200, 0x1p-100, 1, 7.1, 0x1p100, 0x1p200}
	pick := func() float64 { return odd[rng.IntN(len(odd))] }
	for range 4000 {
		n, capacity := 2+rng.IntN(8), pick()
		claims, parents, sums := make([]aging.Claim, n), make([]int, n), make([]float64, n+1)
		for i := range n {
			claims[i] = aging.Claim{Demand: math.Inf(1), Weight: pick(), Floor: pick() * float64(rng.IntN(2))}
			parents[i] = max(rng.IntN(i+1), rng.IntN(i+1)) - 1
		}
		f := aging.Floors(rng.IntN(2))
		got, err := aging.Shares(nil, capacity, claims, parents, f)
		must(t, err)
		for i, p := range parents {
			sums[p+1] += got[i]
		}
		for i := range n {
			if slices.Contains(parents, i) && got[i] != sums[i+1] || !(math.Abs(sums[0]-capacity) <= batchError*capacity) {
				t.Fatalf("Shares(nil, %v, %+v, %v, %v) = %v: the children of %d have %v", capacity, claims, parents, f, got, i, sums[i+1])
			}
		}
	}
}

// A Demand of 0 takes nothing, but is no limit of an inner node.
func TestSharesWithoutDemand(t *testing.T) {
	got, err := aging.Shares(nil, 12, []aging.Claim{{Weight: 2}, {Demand: math.Inf(1)}, {}, {Demand: 9}}, []int{-1, -1, 0, 0}, aging.Within)
	must(t, err)
	if want := []float64{8, 4, 0, 8}; !slices.Equal(got, want) {
		t.Errorf("Shares = %v, want %v", got, want)
	}
}

func TestSharesErrors(t *testing.T) {
	two := []aging.Claim{{Demand: 1}, {Demand: 1}}
	for _, c := range []struct {
		capacity float64
		claims   []aging.Claim
		parents  []int
		f        aging.Floors
		arg      string
		index    int
	}{
		{nan, two, nil, 0, "capacity", -1},
		{-1, two, nil, 0, "capacity", -1},
		{inf, two, nil, 0, "capacity", -1},
		{1, []aging.Claim{{}, {Demand: nan}}, nil, 0, "claims", 1},
		{1, []aging.Claim{{}, {Demand: -inf}}, nil, 0, "claims", 1},
		{1, []aging.Claim{{Floor: inf}}, nil, 0, "claims", 0},
		{1, []aging.Claim{{Floor: -1}}, nil, 0, "claims", 0},
		{1, []aging.Claim{{Weight: inf}}, nil, 0, "claims", 0},
		{1, two, []int{-1}, 0, "parents", -1},
		{1, two, []int{-1, 2}, 0, "parents", 1},
		{1, two, []int{-2, -1}, 0, "parents", 0},
		{1, two, []int{1, 0}, 0, "parents", 0},
		{1, two, []int{-1, 1}, 0, "parents", 1},
		{1, two, nil, 2, "f", -1},
	} {
		dst := []float64{7}
		got, err := aging.Shares(dst, c.capacity, c.claims, c.parents, c.f)
		var e *schedmath.InputError
		if !errors.As(err, &e) || e.Func != "aging.Shares" || e.Arg != c.arg || e.Index != c.index || !slices.Equal(got, dst) {
			t.Errorf("Shares(%v, %v, %+v, %v, %v) = %v, %v, want an InputError of %s[%d]", dst, c.capacity, c.claims, c.parents, c.f, got, err, c.arg, c.index)
		}
	}
	if got, err := aging.Shares(nil, 5, nil, nil, 0); len(got) != 0 || err != nil {
		t.Errorf("Shares of no claims = %v, %v", got, err)
	}
}

func BenchmarkShares(b *testing.B) {
	for _, n := range []int{1e3, 1e5} {
		for _, f := range []aging.Floors{aging.Within, aging.OnTop} {
			b.Run(fmt.Sprintf("floors=%d/n=%d", f, n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 1))
				var claims []aging.Claim
				var parents []int
				for i := range n + n/10 { // ten departments, n/10 teams, n users
					c := aging.Claim{Demand: math.Inf(1), Weight: 1 + rng.Float64()}
					p := i % 10
					switch {
					case i < 10:
						p = -1
					case i >= n/10:
						c.Demand, c.Floor, c.Priority = rng.ExpFloat64(), rng.Float64()/3, rng.IntN(2)
						p = 10 + rng.IntN(n/10-10)
					}
					claims, parents = append(claims, c), append(parents, p)
				}
				dst, err := aging.Shares(nil, float64(n)/2, claims, parents, f)
				must(b, err)
				for b.Loop() {
					if dst, err = aging.Shares(dst[:0], float64(n)/2, claims, parents, f); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
