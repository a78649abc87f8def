package workload

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// ulps is how many units in the last place of want lie between got and want.
func ulps(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / (math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want))
}

// exactExp is e^x to 120 bits, by halving x until the series is short.
func exactExp(x float64) float64 {
	const halvings = 20
	y := new(big.Float).SetPrec(200).SetFloat64(x)
	y.SetMantExp(y, -halvings)
	sum, term := big.NewFloat(1).SetPrec(200), big.NewFloat(1).SetPrec(200)
	for k := range int64(14) {
		term.Mul(term, y)
		term.Quo(term, new(big.Float).SetInt64(k+1))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	f, _ := sum.Float64()
	return f
}

func TestExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	worst := 0.0
	for i := range 20_000 {
		x := (rng.Float64() - 0.5) * []float64{1e-9, 1, 20, 1400}[i%4]
		want := exactExp(x)
		if math.IsInf(want, 0) || want < 0x1p-1022 {
			continue
		}
		worst = max(worst, ulps(exp(x), want))
	}
	if t.Logf("exp errs by at most %.3f ulp", worst); worst > 1 {
		t.Errorf("exp errs by up to %v ulp, want at most 1", worst)
	}
	for _, c := range [][2]float64{{0, 1}, {math.Inf(1), math.Inf(1)}, {math.Inf(-1), 0}, {710, math.Inf(1)}, {-746, 0}, {-745, 5e-324}, {5e-324, 1}} {
		if got := exp(c[0]); got != c[1] {
			t.Errorf("exp(%v) = %v, want %v", c[0], got, c[1])
		}
	}
	if got, want := exp(709.7), exactExp(709.7); ulps(got, want) > 1 {
		t.Errorf("exp(709.7) = %v, want %v", got, want)
	}
}

// log is measured through the exact exponential: log(e^y rounded) = y + (rounding error of e^y), known to far more than a float64.
func TestLog(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	worst := 0.0
	check := func(x float64) {
		got := log(x)
		// One Newton step from got in exact arithmetic: want = got + (x - e^got) / x.
		const prec = 300
		y := new(big.Float).SetPrec(prec).SetFloat64(got)
		y.SetMantExp(y, -40)
		sum, term := big.NewFloat(1).SetPrec(prec), big.NewFloat(1).SetPrec(prec)
		for k := range int64(10) {
			term.Mul(term, y)
			term.Quo(term, new(big.Float).SetInt64(k+1))
			sum.Add(sum, term)
		}
		for range 40 {
			sum.Mul(sum, sum)
		}
		bx := new(big.Float).SetPrec(prec).SetFloat64(x)
		diff, _ := sum.Quo(sum.Sub(bx, sum), bx).Float64()
		if got == 0 {
			if diff != 0 {
				t.Errorf("log(%v) = 0, want %v", x, diff)
			}
			return
		}
		worst = max(worst, math.Abs(diff)/(math.Nextafter(math.Abs(got), math.Inf(1))-math.Abs(got)))
	}
	for i := range 20_000 {
		switch i % 4 {
		case 0:
			check(rng.Float64() + 0x1p-60)
		case 1:
			check(0.5 + rng.Float64())
		case 2:
			check(math.Float64frombits(rng.Uint64()>>1%0x7ff0000000000000 + 1))
		case 3:
			check(1 + (rng.Float64()-0.5)*1e-6)
		}
	}
	for _, x := range []float64{1, 2, 0.5, math.MaxFloat64, 0x1p-1022, 5e-324, math.Nextafter(1, 0), math.Nextafter(1, 2), math.Sqrt2} {
		check(x)
	}
	if t.Logf("log errs by at most %.3f ulp", worst); worst > 2 {
		t.Errorf("log errs by up to %v ulp, want at most 2", worst)
	}
}

// The quantile must bring back the probability: Phi(-|z|) of package math's erfc, to the change of Phi over 4 ulp of z.
func TestNormalQuantile(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for i := range 100_000 {
		tail := math.Ldexp(rng.Float64()+0x1p-53, -1-[]int{0, 0, 3, 20, 50}[i%5]) // P(Z < z), at most one half
		x := 1 - 2*tail
		if !(x < 1) {
			continue
		}
		tail = (1 - x) / 2
		z := normalQuantile(x)
		if got := normalQuantile(-x); got != -z {
			t.Fatalf("normalQuantile(%v) = %v, want %v", -x, got, -z)
		}
		back := math.Erfc(z/math.Sqrt2) / 2
		// d log Phi(-z) / d log z is below z^2 + z; erfc itself errs by some units.
		if tol := 0x1p-52 * (8 + 4*(z*z+z)); !(math.Abs(back/tail-1) <= tol) {
			t.Fatalf("normalQuantile(%v) = %v, whose upper tail is %v, want %v to %v", x, z, back, tail, tol)
		}
	}
	if got := normalQuantile(0); got != 0 {
		t.Errorf("normalQuantile(0) = %v, want 0", got)
	}
	if got := normalQuantile(1 - 0x1p-53); !(8.2 < got && got < maxNormal) {
		t.Errorf("normalQuantile(1-2^-53) = %v, want the largest drawn value below maxNormal = %v", got, maxNormal)
	}
}

func TestExpm1AndLog1m(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for i := range 20_000 {
		x := rng.Float64() * []float64{1e-300, 1e-9, 0.4, 1}[i%4]
		// Both cancel a digit at most where they switch formulas, so some units are allowed beyond package math's own.
		if got, want := expm1(-3*x), math.Expm1(-3*x); ulps(got, want) > 4 {
			t.Errorf("expm1(%v) = %v, want %v", -3*x, got, want)
		}
		if got, want := log1m(x), math.Log1p(-x); ulps(got, want) > 6 {
			t.Errorf("log1m(%v) = %v, want %v", x, got, want)
		}
	}
}

// Values of one source, to the bit. They must hold on every architecture: this test fails on one that fuses or rounds otherwise.
func TestElementaryBits(t *testing.T) {
	src := rand.NewPCG(7, 7)
	var sum uint64
	for range 10_000 {
		z := normalQuantile(signed(src))
		e := standardExponential(src)
		for _, x := range []float64{z, e, exp(z), exp(40 * z), log(e), expm1(-e), log1m(exp(-e) / 2)} {
			sum = sum*0x9e3779b97f4a7c15 + math.Float64bits(x)
		}
	}
	if want := uint64(0x5339f32c5c7ab1b5); sum != want {
		t.Errorf("hash of drawn values = %#x, want %#x", sum, want)
	}
}

// script is a source of given numbers.
type script []uint64

func (s *script) Uint64() uint64 {
	x := (*s)[0]
	*s = (*s)[1:]
	return x
}

func TestUnit(t *testing.T) {
	for _, c := range []struct {
		bits            uint64
		u, rest, signed float64
	}{
		{0, 0x1p-54, 1 - 0x1p-54, -1 + 0x1p-53},
		{math.MaxUint64, 1 - 0x1p-54, 0x1p-54, 1 - 0x1p-53},
		{1 << 63, 0.5 + 0x1p-54, 0.5 - 0x1p-54, 0x1p-53},
		{1<<63 - 1, 0.5 - 0x1p-54, 0.5 + 0x1p-54, -0x1p-53},
		{1 << 62, 0.25 + 0x1p-54, 0.75 - 0x1p-54, -0.5 + 0x1p-53},
	} {
		u, rest := unit(&script{c.bits})
		// 1 - 2^-54 and 0.5 + 2^-54 are no float64s: the half that is not the smaller one is rounded.
		if u != c.u || rest != c.rest {
			t.Errorf("unit(%#x) = %v, %v, want %v, %v", c.bits, u, rest, c.u, c.rest)
		}
		if got := signed(&script{c.bits}); got != c.signed {
			t.Errorf("signed(%#x) = %v, want %v", c.bits, got, c.signed)
		}
	}
	if got := standardExponential(&script{0}); got != 0x1p-54 {
		t.Errorf("standardExponential(lowest) = %v, want 2^-54", got)
	}
	if got := standardExponential(&script{math.MaxUint64}); !(37.4 < got && got < maxExponential) {
		t.Errorf("standardExponential(highest) = %v, want 54 ln 2 below maxExponential", got)
	}
}
