package partition

import (
	"encoding/binary"
	"math/bits"

	"github.com/schedmath/schedmath/internal/input"
)

// The binary form: four bytes "cms" and the version, then rows, partitions, seed and total, then
// the counters row by row; each a little-endian uint64.
const (
	sketchHead   = "cms\x01"
	sketchHeader = len(sketchHead) + 4*8
)

// MarshalBinary returns the sketch in a form that depends on nothing but its shape, its seed and
// its counters: 36 bytes and 8 for each counter. A sketch without rows is an error.
func (s *Sketch) MarshalBinary() ([]byte, error) {
	if s.Rows() == 0 {
		return nil, noRows("partition.Sketch.MarshalBinary", "s")
	}
	data := make([]byte, 0, sketchHeader+8*len(s.counts))
	data = append(data, sketchHead...)
	for _, x := range []uint64{uint64(s.Rows()), uint64(s.partitions), s.seed, s.sum} {
		data = binary.LittleEndian.AppendUint64(data, x)
	}
	for _, c := range s.counts {
		data = binary.LittleEndian.AppendUint64(data, c)
	}
	return data, nil
}

// UnmarshalBinary makes s the sketch whose MarshalBinary returned data, whatever s was before. The
// memory that it takes is at most four times the length of data.
//
// Errors: another version, a shape that NewSketch refuses, another length, or a row that does not
// sum to the total. Index is the offset of the part at fault, -1 where data ends too early.
func (s *Sketch) UnmarshalBinary(data []byte) error {
	const fn = "partition.Sketch.UnmarshalBinary"
	bad := func(offset int, format string, args ...any) error {
		return input.Bad(fn, "data", offset, format, args...)
	}
	if len(data) < sketchHeader {
		return bad(-1, "%d bytes, want a header of %d", len(data), sketchHeader)
	}
	if string(data[:len(sketchHead)]) != sketchHead {
		return bad(0, "it begins with %q, want %q: a sketch, version 1", data[:len(sketchHead)], sketchHead)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(data[len(sketchHead)+8*i:]) }
	rows, partitions, seed, total := word(0), word(1), word(2), word(3)
	if rows < 1 || rows > maxCells {
		return bad(4, "%d rows, want 1 to 2^24", rows)
	}
	if partitions < 1 || partitions > maxCells/rows {
		return bad(12, "%d partitions, want 1 to 2^24 / rows", partitions)
	}
	if want := sketchHeader + 8*int(rows*partitions); len(data) != want {
		at := -1
		if len(data) > want {
			at = want
		}
		return bad(at, "%d bytes in all, want %d for %d rows of %d partitions", len(data), want, rows, partitions)
	}
	read := newSketch(int(rows), int(partitions), seed)
	read.sum = total
	for i := range int(rows) {
		sum, over := uint64(0), uint64(0)
		first := i * int(partitions)
		for k := first; k < first+int(partitions); k++ {
			var carry uint64
			read.counts[k] = word(4 + k)
			sum, carry = bits.Add64(sum, read.counts[k], 0)
			over |= carry
		}
		if over != 0 || sum != total {
			return bad(sketchHeader+8*first, "row %d does not sum to the total, %d", i, total)
		}
	}
	*s = *read
	return nil
}
