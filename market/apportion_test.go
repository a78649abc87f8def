package market_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/market"
)

var methods = []market.Method{market.Hamilton, market.Webster, market.Jefferson, market.Adams, market.HuntingtonHill}

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
		var weights []int64
		for range rapid.IntRange(1, 6).Draw(t, "n") {
			weights = append(weights, base+rapid.Int64Range(0, 8).Draw(t, "offset"))
			d.weights = append(d.weights, float64(weights[len(weights)-1]))
		}
		got, err := market.Apportion(nil, d.seats, weights, d.o)
		if want := d.bySeat(); err != nil || !slices.Equal(got, want) {
			t.Fatalf("Apportion(%d, %v, %v) = %v, %v, want %v", d.seats, weights, d.o.Method, got, err, want)
		}
	})
}

// Facts that other libraries print.
func TestPublishedApportionments(t *testing.T) {
	for _, c := range []struct {
		m       market.Method
		seats   int
		weights []int
		want    []int
	}{
		{market.Hamilton, 100, []int{1, 2, 3}, []int{17, 33, 50}},
		{market.Hamilton, 100, []int{1, 10, 100}, []int{1, 9, 90}},
		{market.Jefferson, 100, []int{1, 10, 100}, []int{0, 9, 91}},
	} {
		if got, err := market.Apportion(nil, c.seats, c.weights, market.ApportionOptions{Method: c.m}); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Apportion(%d, %v, %v) = %v, %v, want %v", c.seats, c.weights, c.m, got, err, c.want)
		}
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

func TestApportionErrors(t *testing.T) {
	type (
		o    = market.ApportionOptions
		list = []float64
	)
	nan := math.NaN()
	for _, c := range []struct {
		seats   int
		weights list
		o       o
		arg     string
		index   int
	}{
		{-1, list{1}, o{}, "seats", -1},
		{1, list{1, nan}, o{}, "weights", 1},
		{1, list{-1, 1}, o{}, "weights", 0},
		{1, list{math.Inf(1)}, o{}, "weights", 0},
		{1, list{1, 0x1p-201}, o{}, "weights", 1},
		{1, list{1, 0x1p201}, o{}, "weights", 1},
		{1, list{1}, o{Method: 5}, "o", -1},
		{1, list{1}, o{Caps: []int{}}, "o", -1},
		{1, list{1}, o{Min: []int{}}, "o", -1},
		{1, list{1, 1}, o{Caps: []int{1, -1}}, "o", 1},
		{1, list{1, 1}, o{Min: []int{0, -1}}, "o", 1},
		{5, list{1, 1}, o{Min: []int{0, 3}, Caps: []int{2, 2}}, "o", 1},
		{3, list{1, 1}, o{Min: []int{2, 2}}, "o", 1},
	} {
		expect.Refused(t, "market.Apportion", market.Apportion[float64], nil, expect.Bad(c.arg, c.index, []int{7}, c.seats, c.weights, c.o))
		apportionCarry(t, expect.Bad(c.arg, c.index, []int{7}, list{8}, c.seats, c.weights, c.o))
	}
	expect.Refused(t, "market.Apportion", market.Apportion[int], nil,
		expect.Bad("o", -1, nil, 1, []int{1}, o{Carry: list{0}}), expect.Bad("weights", 1, nil, 1, []int{1, -1}, o{}))
	one := list{1, 1}
	apportionCarry(t,
		expect.Bad("o", -1, nil, nil, 1, one, o{Method: market.Webster}),
		expect.Bad("o", -1, nil, nil, 1, one, o{Carry: list{0}}),
		expect.Bad("o", 1, nil, nil, 1, one, o{Carry: list{0, nan}}),
		expect.Bad("o", 0, nil, nil, 1, one, o{Carry: list{0x1p32, 0}}))
}

// apportionCarry checks that calls are refused, and both dst given back.
func apportionCarry(t *testing.T, calls ...expect.Call) {
	t.Helper()
	expect.Refused(t, "market.ApportionCarry", func(dst []int, next []float64, seats int, weights []float64, o market.ApportionOptions) ([]int, error) {
		dst, got, err := market.ApportionCarry(dst, next, seats, weights, o)
		if !slices.Equal(got, next) {
			t.Errorf("ApportionCarry returns %v, want next as it was, %v", got, next)
		}
		return dst, err
	}, nil, calls...)
}

func BenchmarkApportion(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	whole, floats := make([]int, 1e5), make([]float64, 1e5)
	for i := range whole {
		whole[i] = 1 + r.IntN(1000)
		floats[i] = math.Exp(r.NormFloat64())
	}
	var dst []int
	for _, m := range methods {
		o := market.ApportionOptions{Method: m}
		b.Run(m.String()+"/whole/n=100000", func(b *testing.B) {
			for b.Loop() {
				dst, _ = market.Apportion(dst[:0], 1e6, whole, o)
			}
		})
		b.Run(m.String()+"/float/n=100000", func(b *testing.B) {
			for b.Loop() {
				dst, _ = market.Apportion(dst[:0], 1e6, floats, o)
			}
		})
		if len(dst) != len(floats) {
			b.Fatal(len(dst))
		}
	}
}
