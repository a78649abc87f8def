package workload

import (
	"math"
	"math/rand/v2"
	"testing"
)

// fixed is a source of one number.
type fixed uint64

func (f fixed) Uint64() uint64 { return uint64(f) }

func TestUnit(t *testing.T) {
	for _, c := range []struct {
		bits    uint64
		u, rest float64
	}{
		// 1 - 2^-54 and 0.5 + 2^-54 are no float64s: they are rounded to even.
		{0, 0x1p-54, 1},
		{math.MaxUint64, 1, 0x1p-54},
		{1 << 63, 0.5, 0.5 - 0x1p-54},
		{1<<63 - 1, 0.5 - 0x1p-54, 0.5},
		{1 << 62, 0.25 + 0x1p-54, 0.75},
		{3 << 11, 7 * 0x1p-54, 1 - 4*0x1p-53},
	} {
		if u, rest := unit(fixed(c.bits)); u != c.u || rest != c.rest {
			t.Errorf("unit(%#x) = %v, %v, want %v, %v", c.bits, u, rest, c.u, c.rest)
		}
	}
}

// places are numbers of a source from all of its range, many of them near the ends and the middle.
func places() []uint64 {
	rng := rand.New(rand.NewPCG(3, 1))
	at := []uint64{0, 1 << 11, 1<<63 - 1<<11, 1 << 63, math.MaxUint64}
	for i := range 50_000 {
		x := rng.Uint64() >> (i % 53)
		at = append(at, x, ^x, 1<<63+x>>1, 1<<63-1-x>>1)
	}
	return at
}

// Each value brings back the smaller of u and 1-u, which is exact.
func TestStandardExponential(t *testing.T) {
	for _, at := range places() {
		u, rest := unit(fixed(at))
		x := standardExponential(fixed(at))
		back, exact := -math.Expm1(-x), u
		tol := 8 * 0x1p-53 // u moves by less than x does; some units for the functions
		if rest < u {
			back, exact = math.Exp(-x), rest
			tol += x * 0x1p-52 // d log exp(-x) = -dx
		}
		if !(math.Abs(back/exact-1) <= tol) {
			t.Fatalf("standardExponential at %#x = %v, which brings back %v, want %v to %v", at, x, back, exact, tol)
		}
	}
	if got := standardExponential(fixed(0)); got != 0x1p-54 {
		t.Errorf("standardExponential(lowest) = %v, want 2^-54", got)
	}
	if got := standardExponential(fixed(math.MaxUint64)); math.Abs(got-54*math.Ln2) > 1e-14 || got >= maxExponential {
		t.Errorf("standardExponential(highest) = %v, want 54 ln 2 below maxExponential", got)
	}
}

func TestStandardNormal(t *testing.T) {
	for _, at := range places() {
		u, rest := unit(fixed(at))
		z := standardNormal(fixed(at))
		if got := standardNormal(fixed(^at)); got != -z {
			t.Fatalf("standardNormal at %#x = %v, want %v, the opposite of that at %#x", ^at, got, -z, at)
		}
		if z < 0 != (u < rest) {
			t.Fatalf("standardNormal at %#x = %v for u = %v", at, z, u)
		}
		tail, far := min(u, rest), math.Abs(z)
		back := math.Erfc(far/math.Sqrt2) / 2
		// d log Phi(-z) / d log z is below z^2 + z; erfc itself errs by some units.
		if tol := 0x1p-52 * (8 + 4*(far*far+far)); !(math.Abs(back/tail-1) <= tol) {
			t.Fatalf("standardNormal at %#x = %v, whose tail is %v, want %v to %v", at, z, back, tail, tol)
		}
	}
	if got := standardNormal(fixed(math.MaxUint64)); !(8.29 < got && got < maxNormal) {
		t.Errorf("standardNormal(highest) = %v, want the 8.29 below maxNormal = %v", got, maxNormal)
	}
}
