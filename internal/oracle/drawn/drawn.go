// Package drawn makes the arguments of a call of the bytes that a fuzzer gives, and counts what was
// drawn.
package drawn

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Bytes is what is left of a fuzzed input; 0 for ever when nothing is left.
type Bytes []byte

// Below returns a number in [0, n), for n up to 256.
func (b *Bytes) Below(n int) int {
	if len(*b) == 0 {
		return 0
	}
	x := int((*b)[0])
	*b = (*b)[1:]
	return x % n
}

// Number returns most often an everyday number, at times 0 or a magnitude near a limit, and at
// times any float64: negative, NaN and infinite ones too.
func (b *Bytes) Number() float64 {
	switch b.Below(24) {
	case 0, 1:
		return 0
	case 2:
		return []float64{0x1p-200, 0x1p200, math.SmallestNonzeroFloat64, math.MaxFloat64, 1e-9, 1e9, math.Inf(1), -1}[b.Below(8)]
	case 3:
		if len(*b) >= 8 {
			x := math.Float64frombits(binary.LittleEndian.Uint64(*b))
			*b = (*b)[8:]
			return x
		}
	}
	return float64(b.Below(64)+1) / 4
}

// Numbers returns n numbers.
func (b *Bytes) Numbers(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = b.Number()
	}
	return xs
}

// Seed adds n inputs of random bytes to the corpus of f.
func Seed(f *testing.F, n int) {
	r := rand.New(rand.NewPCG(uint64(n), 11))
	f.Add([]byte(nil))
	for range n {
		data := make([]byte, 20+r.IntN(200))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
}

// Fuzz fuzzes a property, which reports whether its calls were answered rather than refused, with n
// inputs of random bytes as corpus: of these at least the given number have to be answered.
func Fuzz(f *testing.F, n, least int, property func(t *testing.T, b Bytes) (answered bool)) {
	f.Helper()
	Seed(f, n)
	tried, answered := 0, 0
	f.Fuzz(func(t *testing.T, data []byte) {
		tried++
		if property(t, data) {
			answered++
		}
	})
	if tried > n && answered < least { // all of the corpus was played
		f.Errorf("%d of %d cases are answered, want at least %d", answered, tried, least)
	}
}

// Counted checks a property on the cases of n fixed seeds, so that what a test counts over the
// cases is the same on every run. A generator draws again where its function fails, so that the
// failure has to be its value.
func Counted(t testing.TB, n int, property func(t *rapid.T)) {
	t.Helper()
	cases := rapid.Custom(func(r *rapid.T) (fault string) {
		defer func() {
			x := recover()
			switch {
			case fmt.Sprintf("%T", x) == "rapid.invalidData": // there is no such case: another one is drawn
				panic(x)
			case x != nil:
				fault = fmt.Sprint(x)
			case r.Failed():
				fault = "the property does not hold"
			}
		}()
		property(r)
		return ""
	})
	for seed := range n {
		if fault := cases.Example(seed); fault != "" {
			t.Fatalf("seed %d: %s", seed, fault)
		}
	}
}
