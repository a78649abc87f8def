package partition_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/partition"
)

// TestUnmarshalMutated: the forms of random sketches, and these with one or two changes.
// What UnmarshalBinary takes, MarshalBinary gives back, and the sketch goes on.
func TestUnmarshalMutated(t *testing.T) {
	words := []uint64{0, 1, 2, 1 << 24, 1 << 53, 1 << 63, 1<<64 - 1}
	refused, taken := 0, 0
	for n := range 3000 {
		r := rand.New(rand.NewPCG(uint64(n), 51))
		s := newSketch(t, 1+r.IntN(3), 1+r.IntN(4), r.Uint64N(3))
		for range r.IntN(6) {
			must(t, s.Add(r.Uint64N(9), r.Uint64()>>(1+r.IntN(63))>>3))
		}
		data := form(t, s)
		word := func() []byte { return data[4+8*r.IntN((len(data)-4)/8):] }
		for range n % 3 {
			switch r.IntN(5) {
			case 0:
				binary.LittleEndian.PutUint64(word(), words[r.IntN(len(words))])
			case 1: // from one counter to another of the same row, perhaps
				a, b, x := word(), word(), uint64(r.IntN(3))
				binary.LittleEndian.PutUint64(a, binary.LittleEndian.Uint64(a)-x)
				binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+x)
			case 2:
				data[r.IntN(len(data))]++
			case 3: // another seed
				binary.LittleEndian.PutUint64(data[20:], r.Uint64())
			case 4:
				data = data[:len(data)-1-r.IntN(8)]
				if n%3 == 2 {
					data = append(data, 0)
				}
			}
		}
		var read partition.Sketch
		if read.UnmarshalBinary(data) != nil {
			if refused++; n%3 == 0 {
				t.Fatalf("UnmarshalBinary refuses %x", data)
			}
			continue
		}
		taken++
		if got := form(t, &read); !bytes.Equal(got, data) {
			t.Fatalf("MarshalBinary() = %x, read from %x", got, data)
		}
		_ = read.Add(5, 1<<62) // the total may have no room for it
		_ = read.Merge(s)
		var again partition.Sketch
		if err := again.UnmarshalBinary(form(t, &read)); err != nil || !bytes.Equal(form(t, &again), form(t, &read)) {
			t.Fatalf("read from %x the sketch goes on to %x: %v", data, form(t, &read), err)
		}
	}
	if taken < 1300 || refused < 500 {
		t.Errorf("%d forms were taken and %d refused, want 1,300 and 500", taken, refused)
	}
}
