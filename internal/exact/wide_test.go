package exact_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/exact"
)

// TestWide adds and takes away terms over up to 398 powers of two, whatever was added before, compares with exact arithmetic
// and with the same sum scaled by a power of two.
func TestWide(t *testing.T) {
	const unit = -300 // exact sums are whole multiples of 2^unit
	for seed := range uint64(400) {
		src := rand.New(rand.NewPCG(seed, 2))
		half := []int{1, 4, 20, 199}[seed%4]
		centre := func() int { return src.IntN(2*(199-half)+1) - (199 - half) }
		from := centre()
		scale := math.Ldexp(1, centre()-from)
		var s, scaled exact.Wide
		sum := new(big.Int)
		for step := range 400 {
			x := math.Ldexp(1+src.Float64(), from+src.IntN(2*half)-half)
			if seed%3 == 0 {
				x, _ = math.Frexp(x)
				x = math.Ldexp(1, from+int(x*float64(half)))
			}
			term, _ := new(big.Float).SetMantExp(big.NewFloat(x), -unit).Int(nil)
			if src.IntN(2) == 0 {
				s.Add(x)
				scaled.Add(x * scale)
				sum.Add(sum, term)
			} else {
				s.Sub(x)
				scaled.Sub(x * scale)
				sum.Sub(sum, term)
			}
			got := s.Float()
			exactly := new(big.Float).SetPrec(1000).SetMantExp(new(big.Float).SetPrec(1000).SetInt(sum), unit)
			want, _ := exactly.Float64()
			off, _ := new(big.Float).SetPrec(1000).Sub(exactly, big.NewFloat(got)).Float64()
			ulp := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)
			if !(math.Abs(off) <= 0.51*ulp) {
				t.Fatalf("seed %d step %d: Float() = %v, want %v", seed, step, got, want)
			}
			if scaled.Float() != got*scale {
				t.Fatalf("seed %d step %d: scaled by %v, Float() = %v, want %v", seed, step, scale, scaled.Float(), got*scale)
			}
		}
	}
}

func BenchmarkWide(b *testing.B) {
	var s exact.Wide
	s.Add(3)
	x := 0.0
	for b.Loop() {
		s.Add(1.5)
		x += s.Float()
		s.Sub(1.5)
	}
	if x == 0 {
		b.Fatal("sum is 0")
	}
}
