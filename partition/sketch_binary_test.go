package partition_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/partition"
)

// TestSketchForm writes a form by hand: one column, so that every key is in it.
func TestSketchForm(t *testing.T) {
	words := func(head string, list ...uint64) []byte {
		b := []byte(head)
		for _, x := range list {
			b = binary.LittleEndian.AppendUint64(b, x)
		}
		return b
	}
	good := words("cms\x01", 2, 1, 99, 12, 12, 12)
	s := newSketch(t, 2, 1, 99)
	must(t, s.Add(3, 5))
	must(t, s.Add(4, 7))
	if got := form(t, s); !bytes.Equal(got, good) {
		t.Errorf("MarshalBinary() = %x, want %x", got, good)
	}
	read := newSketch(t, 3, 3, 3)
	must(t, read.UnmarshalBinary(good))
	if read.Total() != 12 || read.Seed() != 99 || read.Rows() != 2 || read.Partitions() != 1 || read.Count(3) != 12 {
		t.Errorf("read %x", form(t, read))
	}
	for name, c := range map[string]struct {
		data   []byte
		offset int
	}{
		"empty":                    {nil, -1},
		"header cut":               {good[:35], -1},
		"other magic":              {words("cmt\x01", 2, 1, 99, 12, 12, 12), 0},
		"other version":            {words("cms\x02", 2, 1, 99, 12, 12, 12), 0},
		"no rows":                  {words("cms\x01", 0, 1, 99, 0), 4},
		"rows beyond":              {words("cms\x01", 1<<40, 1, 99, 0), 4},
		"no partitions":            {words("cms\x01", 2, 0, 99, 0), 12},
		"partitions beyond":        {words("cms\x01", 2, 1<<24, 99, 0), 12},
		"product wraps":            {words("cms\x01", 1<<20, 1<<45, 99, 0), 12},
		"large and short":          {words("cms\x01", 1, 1<<24, 99, 12, 12), -1},
		"cut":                      {good[:len(good)-1], -1},
		"more":                     {append(slices.Clone(good), 0), len(good)},
		"first row":                {words("cms\x01", 2, 1, 99, 12, 11, 12), 36},
		"second row":               {words("cms\x01", 2, 1, 99, 12, 12, 13), 44},
		"total":                    {words("cms\x01", 2, 1, 99, 11, 12, 12), 36},
		"sum wraps":                {words("cms\x01", 1, 2, 99, 12, math.MaxUint64, 13), 36},
		"sum wraps in second row":  {words("cms\x01", 2, 2, 99, 0, 0, 0, 1<<63, 1<<63), 52},
		"sum wraps more than once": {words("cms\x01", 1, 3, 99, math.MaxUint64-2, math.MaxUint64, math.MaxUint64, math.MaxUint64), 36},
	} {
		t.Run(name, func(t *testing.T) {
			expect.Refused(t, "partition.Sketch.UnmarshalBinary", read.UnmarshalBinary, func() any { return read }, expect.Bad("data", c.offset, c.data))
		})
	}
}

// FuzzUnmarshalSketch: no bytes make UnmarshalBinary panic or take more memory than they warrant,
// and what it accepts is written again the same.
func FuzzUnmarshalSketch(f *testing.F) {
	f.Add(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64([]byte("cms\x01"), 1<<12), 1<<12))
	f.Add(append([]byte("cms\x01"), bytes.Repeat([]byte{255}, 64)...))
	good := newSketch(f, 2, 3, 8)
	must(f, good.Add(1, 10))
	f.Add(form(f, good))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s partition.Sketch
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := s.UnmarshalBinary(data)
		runtime.ReadMemStats(&after)
		// the test's own goroutines allocate some too
		if took := after.TotalAlloc - before.TotalAlloc; took > 4*uint64(len(data))+1<<16 {
			t.Fatalf("UnmarshalBinary takes %d bytes for %d", took, len(data))
		}
		if err == nil && !bytes.Equal(form(t, &s), data) {
			t.Fatalf("MarshalBinary() = %x, read from %x", form(t, &s), data)
		}
	})
}
