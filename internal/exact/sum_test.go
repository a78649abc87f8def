package exact_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/exact"
)

// TestSum adds and takes away terms over 400 powers of two, singly and as whole sums, and compares
// with exact arithmetic.
func TestSum(t *testing.T) {
	const tol = 0x1p-100
	for seed := range uint64(120) {
		src := rand.New(rand.NewPCG(seed, 1))
		span := []int{1, 8, 40, 399}[seed%4]
		num := func() float64 {
			x := math.Ldexp(1+src.Float64(), src.IntN(span)-span/2)
			if seed%3 == 0 {
				x = math.Ldexp(1, src.IntN(span)-span/2)
			}
			return x
		}
		var s exact.Sum
		want := new(big.Rat)
		var terms []float64
		add := func(x float64) {
			want.Add(want, new(big.Rat).SetFloat64(x))
			terms = append(terms, x)
		}
		for step := range 400 {
			switch op := src.IntN(5); {
			case op < 2 || len(terms) == 0:
				x := num()
				s.Add(x)
				add(x)
			case op < 4:
				i := src.IntN(len(terms))
				x := terms[i]
				terms[i] = terms[len(terms)-1]
				terms = terms[:len(terms)-1]
				s.Sub(x)
				want.Sub(want, new(big.Rat).SetFloat64(x))
			default:
				var o, back exact.Sum
				for range 5 {
					x := num()
					o.Add(x)
					add(x)
				}
				s.AddSum(&o)
				back.AddSum(&s)
				back.SubSum(&o)
				back.AddSum(&o)
				if back.Value() != s.Value() {
					t.Fatalf("seed %d step %d: sum rebuilt in another order is %v, want %v", seed, step, back.Value(), s.Value())
				}
			}
			got := new(big.Rat).SetFloat64(s.Value().Hi)
			got.Add(got, new(big.Rat).SetFloat64(s.Value().Lo))
			diff := new(big.Rat).Sub(got, want)
			diff.Abs(diff)
			if diff.Cmp(new(big.Rat).Mul(want, new(big.Rat).SetFloat64(tol))) > 0 {
				t.Fatalf("seed %d step %d: Value() = %v, want %v", seed, step, got.FloatString(30), want.FloatString(30))
			}
		}
		for _, x := range terms {
			s.Sub(x)
		}
		if v := s.Value(); v.Hi != 0 || v.Lo != 0 {
			t.Fatalf("seed %d: after taking every term away Value() = %v, want 0", seed, v)
		}
	}
}
