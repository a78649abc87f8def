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

// Integers that float64 cannot hold, of which the sum overflows, count as the next float64.
func TestApportionLargeIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := division{seats: rapid.IntRange(0, 40).Draw(t, "seats")}
		d.o.Method = rapid.SampledFrom(methods).Draw(t, "method")
		base := rapid.SampledFrom([]int64{1 << 54, 1 << 59, 1<<62 - 1, math.MaxInt64 - 8}).Draw(t, "base")
		weights := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) int64 {
			return base + rapid.Int64Range(0, 8).Draw(t, "offset")
		}), 1, 6).Draw(t, "weights")
		got, err := market.Apportion(nil, d.seats, weights, d.o)
		out, w := make([]int, len(weights)), make([]*big.Rat, len(weights))
		for i, x := range weights {
			w[i] = new(big.Rat).SetFloat64(float64(x))
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
