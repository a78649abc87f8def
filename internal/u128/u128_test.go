package u128_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/u128"
)

func whole(a u128.T) *big.Int {
	x := new(big.Int).SetUint64(a.Hi)
	return x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(a.Lo))
}

// draw returns a number of 0 to 127 bits.
func draw(r *rand.Rand) u128.T {
	x := u128.T{Hi: r.Uint64() >> 1, Lo: r.Uint64()}
	switch r.IntN(4) {
	case 0:
		return u128.Of(x.Lo >> r.IntN(64))
	case 1:
		return u128.T{Hi: x.Hi >> r.IntN(64), Lo: x.Lo}
	case 2:
		return u128.T{Hi: x.Hi, Lo: ^uint64(0)}
	}
	return u128.T{}
}

// Sums, differences and products are those of math/big.
func TestAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		a, b := draw(r), draw(r)
		if b.Less(a) != (whole(b).Cmp(whole(a)) < 0) || a.IsZero() != (whole(a).Sign() == 0) {
			t.Fatalf("%v and %v: Less is %v, IsZero %v", b, a, b.Less(a), a.IsZero())
		}
		if got, want := whole(a.Plus(b)), new(big.Int).Add(whole(a), whole(b)); got.Cmp(want) != 0 {
			t.Fatalf("%v.Plus(%v) = %v, want %v", a, b, got, want)
		}
		if got := a.Plus(b).Minus(b); got != a {
			t.Fatalf("%v.Plus(%v).Minus(%v) = %v", a, b, b, got)
		}
		x, y := r.Uint64(), r.Uint64()
		product := new(big.Int).Mul(whole(u128.Of(x)), whole(u128.Of(y)))
		if got, want := whole(u128.Of(a.Lo).PlusProduct(x, y)), product.Add(product, whole(u128.Of(a.Lo))); got.Cmp(want) != 0 {
			t.Fatalf("%v.PlusProduct(%v, %v) = %v, want %v", a.Lo, x, y, got, want)
		}
		c, d := draw(r), draw(r)
		if r.IntN(3) == 0 { // nearly or quite the same product
			c, d = u128.T{Hi: b.Hi >> 1, Lo: b.Lo>>1 | b.Hi<<63}, a.Plus(a)
		}
		if got, want := u128.CompareProducts(a, b, c, d), new(big.Int).Mul(whole(a), whole(b)).Cmp(new(big.Int).Mul(whole(c), whole(d))); got != want {
			t.Fatalf("CompareProducts(%v, %v, %v, %v) = %d, want %d", a, b, c, d, got, want)
		}
		exact, _ := new(big.Float).SetInt(whole(a)).Float64()
		if got := a.Approx(); math.Abs(got-exact) > exact*0x1p-51 {
			t.Fatalf("%v.Approx() = %v, want %v", a, got, exact)
		}
	}
}

// A number rounds to the nearest float64, half-way cases to even, or down; also where the result is
// subnormal.
func TestFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 23))
	numbers := []u128.T{{}, {0, 1}, {0, 1<<53 + 1}, {0, 1<<53 + 3}, {1 << 10, 1 << 21}, {1<<53 - 1, 1 << 63}, {1 << 53, 1 << 63}, {1<<52 + 1, 1<<63 + 1},
		{^uint64(0), ^uint64(0)}, {0, ^uint64(0)}, {1, 0}, {1, 1}, {1<<63 + 1<<10, 0}, {1<<63 + 1<<10, 1}, {1<<63 + 3<<10, 0}}
	for range 5000 {
		x := draw(r)
		if r.IntN(2) == 0 { // half-way between two float64
			top := r.Uint64()>>11 | 1<<52
			shift := r.IntN(65)
			x = u128.Of(top<<1 | 1)
			for range shift {
				x = x.Plus(x)
			}
		}
		numbers = append(numbers, x)
	}
	for _, x := range numbers {
		exp := r.IntN(2000) - 1150
		if r.IntN(2) == 0 {
			exp = r.IntN(60) - 30
		}
		exact := new(big.Rat).SetInt(whole(x))
		power := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(exp, -exp))))
		if exp < 0 {
			power.Inv(power)
		}
		exact.Mul(exact, power)
		want, _ := exact.Float64()
		if got := x.Float(exp, false); got != want {
			t.Errorf("%v.Float(%d) = %v, want %v", x, exp, got, want)
		}
		down := x.Float(exp, true)
		if math.IsInf(want, 1) {
			continue
		}
		if new(big.Rat).SetFloat64(down).Cmp(exact) > 0 {
			t.Errorf("%v.Float(%d) = %v, rounded down, is above", x, exp, down)
		}
		if next := math.Nextafter(down, math.Inf(1)); next <= math.MaxFloat64 && new(big.Rat).SetFloat64(next).Cmp(exact) <= 0 {
			t.Errorf("%v.Float(%d) = %v, rounded down, and %v is not above either", x, exp, down, next)
		}
	}
}
