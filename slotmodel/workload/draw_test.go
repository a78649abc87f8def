package workload

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// fixed is a source of one number.
type fixed uint64

func (f fixed) Uint64() uint64 { return uint64(f) }

// Opposite numbers of the source give u and 1-u exactly, so that the lower tail of a distribution
// is as fine as the upper one.
func TestUniform(t *testing.T) {
	for _, c := range []struct {
		bits uint64
		u    float64
	}{
		{0, 0x1p-53}, {1<<12 - 1, 0x1p-53}, {1 << 12, 3 * 0x1p-53}, {1 << 63, 0.5 + 0x1p-53}, {1<<63 - 1, 0.5 - 0x1p-53}, {math.MaxUint64, maxUniform},
	} {
		if u := uniform(fixed(c.bits)); u != c.u {
			t.Errorf("uniform(%#x) = %v, want %v", c.bits, u, c.u)
		}
	}
	rng := rand.New(rand.NewPCG(3, 1))
	for i := range 50_000 {
		x := rng.Uint64() >> (i % 53)
		u, rest := uniform(fixed(x)), uniform(fixed(^x))
		if !(0 < u && u < 1) || rest != 1-u || u != 1-rest {
			t.Fatalf("uniform(%#x) = %v and uniform(%#x) = %v, want u and 1-u", x, u, ^x, rest)
		}
		if z, opposite := distuv.UnitNormal.Quantile(u), distuv.UnitNormal.Quantile(rest); z != -opposite {
			t.Fatalf("normal quantiles of %v and %v are %v and %v, want opposite numbers", u, rest, z, opposite)
		}
	}
}
