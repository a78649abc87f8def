package workload_test

import (
	"encoding"
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/workload"
)

func state(seed uint64, p workload.Purpose, replication uint64) string {
	b, err := workload.Stream(seed, p, replication).(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		panic(err)
	}
	return string(b)
}

// Small and large arguments, and such as differ in one bit only, all have states of their own.
func TestStreamsDiffer(t *testing.T) {
	seen := map[string]string{}
	words := []uint64{math.MaxUint64}
	for i := range uint64(20) {
		words = append(words, i)
	}
	for i := 5; i < 56; i += 3 {
		words = append(words, 1<<i, 1<<i-1)
	}
	for _, seed := range words[1:] { // below 2^56
		for _, replication := range words {
			for _, p := range []workload.Purpose{0, workload.Arrivals, workload.JobSizes, workload.Errors,
				workload.Placement, workload.Tasks, workload.Trace, workload.FirstFreePurpose, 255} {
				name := fmt.Sprintf("Stream(%d, %d, %d)", seed, p, replication)
				s := state(seed, p, replication)
				if other, ok := seen[s]; ok && other != name {
					t.Fatalf("%s has the state of %s", name, other)
				}
				seen[s] = name
			}
		}
	}
}

// Changing one bit of an argument changes about half of the bits of the state and of the first
// number.
func TestStreamsAreMixed(t *testing.T) {
	const trials = 400
	for arg := range 3 {
		for bit := 0; bit < 64; bit += 1 + arg%2*6 {
			if arg == 1 && bit > 7 {
				continue
			}
			first, whole := 0, 0
			for i := range uint64(trials) {
				a := [3]uint64{i * 77, i % 256, i * i}
				b := a
				b[arg] ^= 1 << bit
				x := workload.Stream(a[0], workload.Purpose(a[1]), a[2])
				y := workload.Stream(b[0], workload.Purpose(b[1]), b[2])
				first += bits.OnesCount64(x.Uint64() ^ y.Uint64())
				s, r := state(a[0], workload.Purpose(a[1]), a[2]), state(b[0], workload.Purpose(b[1]), b[2])
				for k := range len(s) { // bytes, not runes
					whole += bits.OnesCount8(s[k] ^ r[k])
				}
			}
			// The number of changed bits of trials*64 is binomial: 6 standard deviations of 1/2
			// sqrt(trials*64) around the half.
			if d := math.Abs(float64(first) - trials*32); d > 6*0.5*math.Sqrt(trials*64) {
				t.Errorf("bit %d of argument %d changes %d of %d bits of the first number", bit, arg, first, trials*64)
			}
			if d := math.Abs(float64(whole) - trials*64); d > 6*0.5*math.Sqrt(trials*128) {
				t.Errorf("bit %d of argument %d changes %d of %d bits of the state", bit, arg, whole, trials*128)
			}
		}
	}
}

// Published figures depend on these numbers: they must not change.
func TestStreamIsFixed(t *testing.T) {
	got := []uint64{
		workload.Stream(0, 0, 0).Uint64(),
		workload.Stream(1, workload.Arrivals, 0).Uint64(),
		workload.Stream(1, workload.Errors, 99).Uint64(),
		workload.Stream(math.MaxUint64, workload.Trace, math.MaxUint64).Uint64(),
	}
	want := []uint64{0x8b56acb88c76fed6, 0xa28c6e20c05a249c, 0x12b5e55d90e03409, 0x407e59362c7909f3}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("first number of stream %d = %#x, want %#x", i, got[i], want[i])
		}
	}
	for p, want := range map[workload.Purpose]uint8{workload.Arrivals: 1, workload.JobSizes: 2, workload.Errors: 3,
		workload.Placement: 5, workload.Tasks: 6, workload.Trace: 7, workload.FirstFreePurpose: 128} {
		if uint8(p) != want {
			t.Errorf("a Purpose is %d, want %d", p, want)
		}
	}
}
