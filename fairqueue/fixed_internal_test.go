package fairqueue

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// rat returns f exactly.
func (f *fixed) rat() *big.Rat {
	n := new(big.Int)
	for k := len(f) - 1; k >= 0; k-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(f[k]))
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), fraction))
}

// TestFixedIsExact: numbers of any accepted size are taken exactly, sums, differences and
// comparisons are those of rationals, and float64s are in the same order.
func TestFixedIsExact(t *testing.T) {
	number := rapid.Custom(func(t *rapid.T) float64 {
		if rapid.IntRange(0, 9).Draw(t, "zero") == 0 {
			return 0
		}
		m := rapid.OneOf(rapid.Just(uint64(0)), rapid.Just(uint64(1<<52-1)), rapid.Uint64Range(0, 1<<52-1)).Draw(t, "mantissa")
		return math.Ldexp(1+float64(m)*0x1p-52, rapid.IntRange(-124, 204).Draw(t, "exponent"))
	})
	rapid.Check(t, func(t *rapid.T) {
		var sums [2]fixed
		var exact [2]*big.Rat
		for k := range sums {
			exact[k] = new(big.Rat)
			for _, x := range rapid.SliceOfN(number, 0, 6).Draw(t, "terms") {
				f := fixedOf(x)
				if r := new(big.Rat).SetFloat64(x); f.rat().Cmp(r) != 0 {
					t.Fatalf("fixedOf(%v) = %v", x, f.rat())
				}
				sums[k] = sums[k].add(f)
				exact[k].Add(exact[k], new(big.Rat).SetFloat64(x))
			}
			if sums[k].rat().Cmp(exact[k]) != 0 {
				t.Fatalf("sum %v, want %v", sums[k].rat(), exact[k])
			}
			want, _ := exact[k].Float64()
			if got := sums[k].float(); math.Abs(got-want) > want*0x1p-52 {
				t.Fatalf("float of %v = %v, want %v", exact[k], got, want)
			}
		}
		a, b := sums[0], sums[1]
		if got, want := a.cmp(&b), exact[0].Cmp(exact[1]); got != want || got < 0 && a.float() > b.float() || got > 0 && a.float() < b.float() {
			t.Fatalf("%v against %v: %d, want %d; as float64 %v and %v", exact[0], exact[1], got, want, a.float(), b.float())
		}
		want := new(big.Rat).Sub(exact[0], exact[1])
		if want.Sign() < 0 {
			want.SetInt64(0)
		}
		if got := a.sub(b); got.rat().Cmp(want) != 0 {
			t.Fatalf("%v - %v = %v, want %v", exact[0], exact[1], got.rat(), want)
		}
	})
}

// TestFixedOver: quotients of costs by weights are those of rationals to a part in 2^54, never
// more, and exact for weights that are powers of two.
func TestFixedOver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mantissa := rapid.OneOf(rapid.Just(uint64(0)), rapid.Just(uint64(1<<52-1)), rapid.Uint64Range(0, 1<<52-1))
		draw := func(what string) float64 {
			return math.Ldexp(1+float64(mantissa.Draw(t, what))*0x1p-52, rapid.IntRange(-60, 59).Draw(t, what))
		}
		x, w := draw("cost"), draw("weight")
		f := fixedOf(x)
		quotient := f.over(w)
		got := quotient.rat()
		want := new(big.Rat).Quo(new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(w))
		off := new(big.Rat).Sub(want, got)
		if part, _ := new(big.Rat).Quo(off, want).Float64(); !(part >= 0 && part < 0x1p-54) {
			t.Fatalf("%v / %v = %v, want %v", x, w, got, want)
		}
		if m, _ := math.Frexp(w); m == .5 && off.Sign() != 0 {
			t.Fatalf("%v / %v = %v, want %v exactly", x, w, got, want)
		}
	})
}
