package market_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/market"
	"pgregory.net/rapid"
)

var methods = []market.Method{market.Hamilton, market.Webster, market.Jefferson, market.Adams, market.HuntingtonHill}

// wantInput fails unless err names the function, argument and index.
func wantInput(t *testing.T, err error, fn, arg string, index int) {
	t.Helper()
	expect.InputError(t, fn, err, "market."+fn, arg, index)
}

func TestGolden(t *testing.T) {
	for k, c := range golden.ReadApportion(t) {
		for _, m := range methods {
			want, ok := c.Expected[strings.TrimSuffix(strings.ToLower(m.String()), "hill")]
			if !ok {
				continue
			}
			got, err := market.Apportion(nil, c.Seats, c.Weights, market.ApportionOptions{Method: m, Caps: c.Caps})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("case %d: Apportion(%d, %v, %v %v) = %v, %v, want %v", k, c.Seats, c.Weights, m, c.Caps, got, err, want)
			}
			wide := make([]float64, len(c.Weights))
			for i, w := range c.Weights {
				wide[i] = float64(w)
			}
			got, err = market.Apportion(nil, c.Seats, wide, market.ApportionOptions{Method: m, Caps: c.Caps})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("case %d: Apportion(%d, %v, %v %v) = %v, %v, want %v", k, c.Seats, wide, m, c.Caps, got, err, want)
			}
		}
	}
}

// division is a random input with few distinct numbers, so that ties are many.
type division struct {
	seats   int
	weights []float64
	o       market.ApportionOptions
}

func drawDivision(t *rapid.T) division {
	n := rapid.IntRange(1, 7).Draw(t, "n")
	d := division{seats: rapid.IntRange(0, 40).Draw(t, "seats")}
	weight := rapid.OneOf(rapid.SampledFrom([]float64{0, .1, .2, .3, 1, 2, 3, 5, 10, 0x1p-200, 0x1p200, 1 + 0x1p-52, math.Pi}), rapid.Float64Range(1e-3, 1e3))
	d.weights = rapid.SliceOfN(weight, n, n).Draw(t, "weights")
	if rapid.Bool().Draw(t, "capped") {
		d.o.Caps = rapid.SliceOfN(rapid.IntRange(0, 12), n, n).Draw(t, "caps")
	}
	if rapid.Bool().Draw(t, "minima") {
		left := d.seats
		for i := range n {
			most := min(left, 6)
			if d.o.Caps != nil {
				most = min(most, d.o.Caps[i])
			}
			d.o.Min = append(d.o.Min, rapid.IntRange(0, most).Draw(t, "min"))
			left -= d.o.Min[i]
		}
	}
	d.o.Method = rapid.SampledFrom(methods).Draw(t, "method")
	return d
}

func (d division) bound(i int) (least, most int) {
	most = d.seats
	if d.o.Caps != nil {
		most = d.o.Caps[i]
	}
	if d.o.Min != nil {
		least = d.o.Min[i]
	}
	return least, most
}

// bySeat divides seat by seat, in rationals: the divisor methods by their definition; Hamilton by bisecting over all breakpoints of the
// water level.
func (d division) bySeat() []int {
	n := len(d.weights)
	out := make([]int, n)
	left := d.seats
	for i := range out {
		out[i], _ = d.bound(i)
		left -= out[i]
	}
	w := make([]*big.Rat, n)
	zeros := make([]*big.Rat, n)
	for i, x := range d.weights {
		w[i], zeros[i] = new(big.Rat).SetFloat64(x), new(big.Rat)
		if x == 0 {
			zeros[i].SetInt64(1)
		}
	}
	if d.o.Method == market.Hamilton {
		d.hamilton(out, w, left)
	} else {
		d.divisors(out, w, left)
	}
	left = d.seats
	for i := range out {
		left -= out[i]
	}
	if left > 0 {
		d.hamilton(out, zeros, left)
	}
	return out
}

// hamilton divides left seats more among the users with weights, who now have their minima.
func (d division) hamilton(out []int, w []*big.Rat, left int) {
	var users []int
	total, room := new(big.Rat), 0
	for i := range out {
		if w[i].Sign() > 0 {
			users = append(users, i)
			least, most := d.bound(i)
			left += least
			room += most
		}
	}
	if room <= left {
		for _, i := range users {
			_, out[i] = d.bound(i)
		}
		return
	}
	// share is i's water at the level, clamped.
	share := func(i int, level *big.Rat) *big.Rat {
		x := new(big.Rat).Mul(level, w[i])
		least, most := d.bound(i)
		if a := big.NewRat(int64(least), 1); x.Cmp(a) < 0 {
			return a
		}
		if b := big.NewRat(int64(most), 1); x.Cmp(b) > 0 {
			return b
		}
		return x
	}
	sum := func(level *big.Rat) *big.Rat {
		s := new(big.Rat)
		for _, i := range users {
			s.Add(s, share(i, level))
		}
		return s
	}
	// The sum is linear between the levels at which somebody meets a bound: find the two levels around the answer.
	seats := big.NewRat(int64(left), 1)
	low := new(big.Rat)
	var high *big.Rat
	for _, i := range users {
		least, most := d.bound(i)
		for _, b := range []int{least, most} {
			l := new(big.Rat).Quo(big.NewRat(int64(b), 1), w[i])
			if sum(l).Cmp(seats) <= 0 {
				if l.Cmp(low) > 0 {
					low = l
				}
			} else if high == nil || l.Cmp(high) < 0 {
				high = l
			}
		}
	}
	level := low
	if a := sum(low); a.Cmp(seats) < 0 {
		b := sum(high)
		part := new(big.Rat).Quo(total.Sub(seats, a), new(big.Rat).Sub(b, a))
		level = new(big.Rat).Add(low, part.Mul(part, new(big.Rat).Sub(high, low)))
	}
	rest := make([]*big.Rat, len(out))
	for _, i := range users {
		x := share(i, level)
		out[i] = int(new(big.Int).Quo(x.Num(), x.Denom()).Int64())
		rest[i] = x.Sub(x, big.NewRat(int64(out[i]), 1))
		left -= out[i]
	}
	slices.SortStableFunc(users, func(i, j int) int { return rest[j].Cmp(rest[i]) })
	for _, i := range users[:left] {
		out[i]++
	}
}

func (d division) divisors(out []int, w []*big.Rat, left int) {
	for ; left > 0; left-- {
		best := -1
		var most *big.Rat
		for i := range out {
			if _, cap := d.bound(i); out[i] == cap || w[i].Sign() == 0 {
				continue
			}
			a := int64(out[i])
			q := new(big.Rat).Mul(w[i], w[i])
			switch d.o.Method {
			case market.Webster:
				q.Quo(q, big.NewRat((2*a+1)*(2*a+1), 1))
			case market.Jefferson:
				q.Quo(q, big.NewRat((a+1)*(a+1), 1))
			default:
				den := a * a
				if d.o.Method == market.HuntingtonHill {
					den = a * (a + 1)
				}
				if a == 0 { // before everybody with a seat, by weight
					q.Mul(q, new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(1), 2000), big.NewInt(1)))
				} else {
					q.Quo(q, big.NewRat(den, 1))
				}
			}
			if best < 0 || q.Cmp(most) > 0 {
				best, most = i, q
			}
		}
		if best < 0 {
			return
		}
		out[best]++
	}
}

func TestApportionBySeat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDivision(t)
		got, err := market.Apportion([]int{-1}, d.seats, d.weights, d.o)
		if want := d.bySeat(); err != nil || got[0] != -1 || !slices.Equal(got[1:], want) {
			t.Fatalf("Apportion(%d, %v, %+v) = %v, %v, want %v", d.seats, d.weights, d.o, got, err, want)
		}
	})
}

// Integers that float64 cannot hold, of which the sum overflows.
func TestApportionLargeIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := division{seats: rapid.IntRange(0, 40).Draw(t, "seats")}
		d.o.Method = rapid.SampledFrom(methods).Draw(t, "method")
		base := rapid.SampledFrom([]int64{1 << 54, 1 << 59, 1<<62 - 1, math.MaxInt64 - 8}).Draw(t, "base")
		weights := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) int64 {
			return base + rapid.Int64Range(0, 8).Draw(t, "offset")
		}), 1, 6).Draw(t, "weights")
		got, err := market.Apportion(nil, d.seats, weights, d.o)
		// The oracle sees the weights as rationals.
		out, w := make([]int, len(weights)), make([]*big.Rat, len(weights))
		for i, x := range weights {
			w[i] = new(big.Rat).SetInt64(x)
		}
		if d.o.Method == market.Hamilton {
			d.hamilton(out, w, d.seats)
		} else {
			d.divisors(out, w, d.seats)
		}
		if err != nil || !slices.Equal(got, out) {
			t.Fatalf("Apportion(%d, %v, %v) = %v, %v, want %v", d.seats, weights, d.o.Method, got, err, out)
		}
	})
}

// Alabama: Hamilton takes a seat from user 3 when there is one more to divide.
func TestAlabama(t *testing.T) {
	weights := []int{21878, 9713, 4167, 3252, 1065}
	for _, c := range []struct {
		m     market.Method
		seats int
		want  []int
	}{
		{market.Hamilton, 43, []int{24, 10, 4, 4, 1}},
		{market.Hamilton, 44, []int{24, 11, 5, 3, 1}},
		{market.Webster, 43, []int{24, 10, 4, 4, 1}},
		{market.Webster, 44, []int{24, 10, 5, 4, 1}},
	} {
		if got, err := market.Apportion(nil, c.seats, weights, market.ApportionOptions{Method: c.m}); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Apportion(%d, %v, %v) = %v, %v, want %v", c.seats, weights, c.m, got, err, c.want)
		}
	}
}

// Facts that other libraries print.
func TestPublishedApportionments(t *testing.T) {
	for _, c := range []struct {
		m       market.Method
		weights []int
		want    []int
	}{
		{market.Hamilton, []int{1, 2, 3}, []int{17, 33, 50}},
		{market.Hamilton, []int{1, 10, 100}, []int{1, 9, 90}},
		{market.Jefferson, []int{1, 10, 100}, []int{0, 9, 91}},
	} {
		if got, err := market.Apportion(nil, 100, c.weights, market.ApportionOptions{Method: c.m}); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Apportion(100, %v, %v) = %v, %v, want %v", c.weights, c.m, got, err, c.want)
		}
	}
}

// One seat more lowers nobody's number under a divisor method.
func TestDivisorsGrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDivision(t)
		if d.o.Method == market.Hamilton {
			d.o.Method = market.Webster
		}
		few, err := market.Apportion(nil, d.seats, d.weights, d.o)
		more, err2 := market.Apportion(nil, d.seats+1, d.weights, d.o)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		positive := slices.ContainsFunc(d.weights, func(w float64) bool { return w > 0 })
		for i := range few {
			if more[i] < few[i] && (d.weights[i] > 0 || !positive) {
				t.Fatalf("%+v: %v, with one seat more %v", d, few, more)
			}
		}
	})
}

// Hamilton with a larger weight of one's own and fixed caps never gives fewer seats.
func TestHamiltonOwnWeight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDivision(t)
		d.o.Method, d.o.Min = market.Hamilton, nil
		i := rapid.IntRange(0, len(d.weights)-1).Draw(t, "i")
		before, err := market.Apportion(nil, d.seats, d.weights, d.o)
		d.weights[i] = min(d.weights[i]*rapid.Float64Range(1, 3).Draw(t, "factor"), 0x1p200)
		after, err2 := market.Apportion(nil, d.seats, d.weights, d.o)
		if err != nil || err2 != nil || after[i] < before[i] {
			t.Fatalf("%+v: %v, with weight %d raised to this %v, %v %v", d, before, i, after, err, err2)
		}
	})
}

func TestApportionErrors(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		seats   int
		weights []float64
		o       market.ApportionOptions
		arg     string
		index   int
	}{
		{-1, []float64{1}, market.ApportionOptions{}, "seats", -1},
		{1, []float64{1, nan}, market.ApportionOptions{}, "weights", 1},
		{1, []float64{-1, 1}, market.ApportionOptions{}, "weights", 0},
		{1, []float64{math.Inf(1)}, market.ApportionOptions{}, "weights", 0},
		{1, []float64{1, 0x1p-201}, market.ApportionOptions{}, "weights", 1},
		{1, []float64{1, 0x1p201}, market.ApportionOptions{}, "weights", 1},
		{1, []float64{1}, market.ApportionOptions{Method: 5}, "o", -1},
		{1, []float64{1}, market.ApportionOptions{Caps: []int{}}, "o", -1},
		{1, []float64{1}, market.ApportionOptions{Min: []int{}}, "o", -1},
		{1, []float64{1, 1}, market.ApportionOptions{Caps: []int{1, -1}}, "o", 1},
		{1, []float64{1, 1}, market.ApportionOptions{Min: []int{0, -1}}, "o", 1},
		{5, []float64{1, 1}, market.ApportionOptions{Min: []int{0, 3}, Caps: []int{2, 2}}, "o", 1},
		{3, []float64{1, 1}, market.ApportionOptions{Min: []int{2, 2}}, "o", 1},
	} {
		got, err := market.Apportion([]int{7}, c.seats, c.weights, c.o)
		wantInput(t, err, "Apportion", c.arg, c.index)
		if !slices.Equal(got, []int{7}) {
			t.Errorf("Apportion(%d, %v, %+v) = %v, want dst", c.seats, c.weights, c.o, got)
		}
		got, next, err := market.ApportionCarry([]int{7}, []float64{8}, c.seats, c.weights, c.o)
		wantInput(t, err, "ApportionCarry", c.arg, c.index)
		if !slices.Equal(got, []int{7}) || !slices.Equal(next, []float64{8}) {
			t.Errorf("ApportionCarry(%d, %v, %+v) = %v, %v, want dst, next", c.seats, c.weights, c.o, got, next)
		}
	}
	_, err := market.Apportion(nil, 1, []int{1}, market.ApportionOptions{Carry: []float64{0}})
	wantInput(t, err, "Apportion", "o", -1)
	_, err = market.Apportion(nil, 1, []int{1, -1}, market.ApportionOptions{})
	wantInput(t, err, "Apportion", "weights", 1)
	for _, c := range []struct {
		o     market.ApportionOptions
		index int
	}{
		{market.ApportionOptions{Method: market.Webster}, -1},
		{market.ApportionOptions{Carry: []float64{0}}, -1},
		{market.ApportionOptions{Carry: []float64{0, nan}}, 1},
		{market.ApportionOptions{Carry: []float64{0x1p32, 0}}, 0},
	} {
		_, _, err := market.ApportionCarry(nil, nil, 1, []float64{1, 1}, c.o)
		wantInput(t, err, "ApportionCarry", "o", c.index)
	}
}

// Seats go one at a time to the largest entitlement, in float64; entitlements come from the capped water-filling of the oracle.
func TestCarry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDivision(t)
		d.o.Method, d.o.Min = market.Hamilton, nil
		for i, w := range d.weights {
			if w != 0 && (w < 1e-4 || w > 1e4) {
				d.weights[i] = 1
			}
		}
		carry := make([]float64, len(d.weights))
		for range 20 {
			if rapid.Bool().Draw(t, "change") {
				i := rapid.IntRange(0, len(d.weights)-1).Draw(t, "i")
				d.weights[i] = float64(rapid.IntRange(0, 9).Draw(t, "weight"))
				if d.o.Caps != nil {
					d.o.Caps[i] = rapid.IntRange(0, 12).Draw(t, "cap")
				}
			}
			d.o.Carry = slices.Clone(carry)
			got, next, err := market.ApportionCarry(nil, nil, d.seats, d.weights, d.o)
			if err != nil || !slices.Equal(d.o.Carry, carry) {
				t.Fatal(err, d.o.Carry, carry)
			}
			plain := d.o
			plain.Carry = nil
			without, _ := market.Apportion(nil, d.seats, d.weights, plain)
			a, b, before, after := 0, 0, 0.0, 0.0
			for i := range got {
				a, b = a+got[i], b+without[i]
				before, after = before+carry[i], after+next[i]
				if _, most := d.bound(i); got[i] < 0 || got[i] > most {
					t.Fatalf("%+v: %v", d, got)
				}
				// Greedy: whoever has a seat was entitled to it at least as much as anybody else is to one more.
				for j := range got {
					_, most := d.bound(j)
					if d.weights[i] > 0 && d.weights[j] > 0 && got[i] > 0 && got[j] < most && next[i]+1 < next[j]-1e-9 {
						t.Fatalf("%+v: %v, owed %v: a seat of %d belongs to %d", d, got, next, i, j)
					}
				}
			}
			if a != b || math.Abs(before-after) > 1e-9 {
				t.Fatalf("%+v: %v is %d seats, without carry %d; owed %v before, %v after", d, got, a, b, before, after)
			}
			carry = next
		}
	})
}

// 80 users with rates 1 to 80 on 120 slots: without carry 13 users never get a slot, with it each gets its share over time.
func TestCarryFeedsTheSmall(t *testing.T) {
	weights := make([]float64, 80)
	for i := range weights {
		weights[i] = float64(i + 1)
	}
	once, err := market.Apportion(nil, 120, weights, market.ApportionOptions{})
	starved := 0
	for _, n := range once {
		if n == 0 {
			starved++
		}
	}
	if err != nil || starved != 13 {
		t.Errorf("%d users starve without carry, %v, want 13", starved, err)
	}
	sum, carry := make([]int, 80), []float64(nil)
	const rounds = 3240
	var got []int
	for range rounds {
		got, carry, err = market.ApportionCarry(got[:0], nil, 120, weights, market.ApportionOptions{Carry: carry})
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range got {
			sum[i] += n
		}
	}
	for i, n := range sum {
		if math.Abs(float64(n)-rounds*120*weights[i]/3240) > 2 {
			t.Errorf("user %d got %d slots in %d intervals, want about %v", i, n, rounds, rounds*120*weights[i]/3240)
		}
	}
}

// With fixed weights what a user is owed can exceed a seat.
func TestCarryExceedsOne(t *testing.T) {
	weights := []float64{1, 12, 23, 1, 1, 1, 1, 1, 1, 1, 23}
	carry, most := []float64(nil), 0.0
	for range 66 {
		_, next, err := market.ApportionCarry(nil, nil, 1, weights, market.ApportionOptions{Carry: carry})
		if err != nil {
			t.Fatal(err)
		}
		carry = next
		for _, c := range carry {
			most = max(most, math.Abs(c))
		}
	}
	if math.Abs(most-7./6) > 1e-9 {
		t.Errorf("the most that anybody is owed is %v, want 7/6", most)
	}
}

// Near ties apart, which Adams and HuntingtonHill find here.
func TestApportionAllocates(t *testing.T) {
	whole, dst := make([]int, 1000), make([]int, 0, 1000)
	wide, next := make([]float64, 1000), make([]float64, 0, 1000)
	carry := make([]float64, 1000)
	for i := range whole {
		whole[i], wide[i] = i%13+1, math.Sqrt(float64(i+1))
	}
	for _, m := range methods[:3] {
		o := market.ApportionOptions{Method: m}
		if n := testing.AllocsPerRun(50, func() {
			_, err := market.Apportion(dst, 5000, whole, o)
			_, err2 := market.Apportion(dst, 5000, wide, o)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
		}); n != 0 {
			t.Errorf("Apportion with %v allocates %v times", m, n)
		}
	}
	if n := testing.AllocsPerRun(50, func() {
		if _, _, err := market.ApportionCarry(dst, next, 5000, wide, market.ApportionOptions{Carry: carry}); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("ApportionCarry allocates %v times", n)
	}
}

func BenchmarkApportion(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	whole, floats := make([]int, 1e5), make([]float64, 1e5)
	for i := range whole {
		whole[i] = 1 + r.IntN(1000)
		floats[i] = math.Exp(r.NormFloat64())
	}
	for _, m := range methods {
		o := market.ApportionOptions{Method: m}
		b.Run(m.String()+"/whole/n=100000", func(b *testing.B) {
			var dst []int
			for b.Loop() {
				dst, _ = market.Apportion(dst[:0], 1e6, whole, o)
			}
			checkSum(b, dst)
		})
		b.Run(m.String()+"/float/n=100000", func(b *testing.B) {
			var dst []int
			for b.Loop() {
				dst, _ = market.Apportion(dst[:0], 1e6, floats, o)
			}
			checkSum(b, dst)
		})
	}
}

func checkSum(b *testing.B, dst []int) {
	sum := 0
	for _, n := range dst {
		sum += n
	}
	if sum != 1e6 {
		b.Fatalf("%d seats assigned, want 1e6", sum)
	}
}
