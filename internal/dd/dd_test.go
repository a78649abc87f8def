package dd_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/dd"
)

const prec = 600

func exact(a dd.T) *big.Float {
	x := new(big.Float).SetPrec(prec).SetFloat64(a.Hi)
	return x.Add(x, new(big.Float).SetFloat64(a.Lo))
}

// off returns |got - want| / scale as a float64.
func off(got dd.T, want, scale *big.Float) float64 {
	d := new(big.Float).SetPrec(prec).Sub(exact(got), want)
	if d.Sign() == 0 {
		return 0
	}
	f, _ := d.Quo(d.Abs(d), new(big.Float).SetPrec(prec).Abs(scale)).Float64()
	return f
}

// TestAgainstBig checks every operation on operands of mixed magnitude and sign. An addition is
// judged against the larger operand (a difference may cancel), products and quotients against the
// result.
func TestAgainstBig(t *testing.T) {
	const tol = 0x1p-100
	src := rand.New(rand.NewPCG(1, 2))
	num := func() float64 {
		x := (src.Float64() - 0.5) * float64(uint64(1)<<src.IntN(60))
		if src.IntN(4) == 0 {
			x = float64(src.IntN(100) - 50)
		}
		return x
	}
	for i := range 20000 {
		a := dd.Of(num()).AddFloat(num() * 0x1p-60)
		b := dd.Of(num()).AddFloat(num() * 0x1p-60)
		x := num()
		scale := new(big.Float).SetPrec(prec).Add(new(big.Float).Abs(exact(a)), new(big.Float).Abs(exact(b)))
		if scale.Sign() == 0 {
			continue
		}
		bigX := new(big.Float).SetPrec(prec).SetFloat64(x)
		check := func(op string, got dd.T, want, scale *big.Float) {
			if scale.Sign() == 0 {
				return
			}
			if e := off(got, want, scale); e > tol {
				t.Fatalf("case %d: %v %s %v (or %v) = %v, want %v: error %g", i, a, op, b, x, got, want, e)
			}
			if s := got.Hi + got.Lo; s != got.Hi {
				t.Fatalf("case %d: %v %s %v = %v is not normalised", i, a, op, b, got)
			}
		}
		check("+", a.Add(b), new(big.Float).SetPrec(prec).Add(exact(a), exact(b)), scale)
		check("-", a.Sub(b), new(big.Float).SetPrec(prec).Sub(exact(a), exact(b)), scale)
		sx := new(big.Float).SetPrec(prec).Add(new(big.Float).Abs(exact(a)), new(big.Float).Abs(bigX))
		check("+f", a.AddFloat(x), new(big.Float).SetPrec(prec).Add(exact(a), bigX), sx)
		prod := new(big.Float).SetPrec(prec).Mul(exact(a), bigX)
		check("*", a.Mul(x), prod, prod)
		if x != 0 {
			q := new(big.Float).SetPrec(prec).Quo(exact(a), bigX)
			check("/", a.Div(x), q, q)
		}
		if f, _ := exact(a).Float64(); a.Float() != f || a.Cmp(a) != 0 {
			t.Fatalf("case %d: %v.Float() = %v, want %v; Cmp of itself %d", i, a, a.Float(), f, a.Cmp(a))
		}
		if got, want := a.Cmp(b), exact(a).Cmp(exact(b)); got != want {
			t.Fatalf("case %d: %v.Cmp(%v) = %d, want %d", i, a, b, got, want)
		}
	}
}
