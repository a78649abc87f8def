package partition

import (
	"math/bits"

	"github.com/schedmath/schedmath/internal/input"
)

// maxCells is the largest number of counters of a sketch, of machines, and of predictions: 128 MB
// of them.
const maxCells = 1 << 24

// Sketch counts values, or bytes, under d hash functions at once: row i holds, for each of p
// partitions, the exact total of the keys that hash function i sends there [CM; DS 4, equations 6
// and 7]. The functions are independent draws from a 2-universal family: two keys fall together in
// all rows with probability p^-d.
//
// Map tasks keep one sketch each, of equal shape and seed, and the master merges them. The zero
// value has no rows: what would add to it is an error, and UnmarshalBinary makes it any other.
type Sketch struct {
	partitions int
	seed, sum  uint64 // sum: the total of all Adds, and of each row
	hash       hashing
	counts     []uint64 // row by row
}

// NewSketch returns an empty sketch of rows hash functions (the paper's d) and partitions columns
// (its p), of 1 to 2^24 counters. A seed gives the same hash functions everywhere, row i the same
// however many rows there are. With partitions >= e/eps and rows >= ln(1/delta), Count exceeds the
// truth by more than eps Total with probability at most delta [CM, theorem 1].
func NewSketch(rows, partitions int, seed uint64) (*Sketch, error) {
	const fn = "partition.NewSketch"
	if rows < 1 || rows > maxCells {
		return nil, input.Bad(fn, "rows", -1, "%d, want 1 to 2^24", rows)
	}
	if partitions < 1 || partitions > maxCells/rows {
		return nil, input.Bad(fn, "partitions", -1, "%d, want 1 to 2^24 / rows", partitions)
	}
	return newSketch(rows, partitions, seed), nil
}

// newSketch returns an empty sketch of a good shape.
func newSketch(rows, partitions int, seed uint64) *Sketch {
	return &Sketch{partitions: partitions, seed: seed, hash: newHashing(rows, seed), counts: make([]uint64, rows*partitions)}
}

// Rows returns the number of hash functions.
func (s *Sketch) Rows() int { return len(s.hash.rows) }

// Total returns the sum of everything added: the paper's N, and the sum of each row.
func (s *Sketch) Total() uint64 { return s.sum }

// Add adds n, a number of values or of bytes, under key. A Total above 2^64 - 1 is an error.
func (s *Sketch) Add(key, n uint64) error { return s.add("partition.Sketch.Add", key, n) }

// AddBytes adds n under a key of bytes: Add(s.Key(key), n).
func (s *Sketch) AddBytes(key []byte, n uint64) error {
	return s.add("partition.Sketch.AddBytes", s.Key(key), n)
}

func (s *Sketch) add(fn string, key, n uint64) error {
	if s.Rows() == 0 {
		return noRows(fn, "s")
	}
	sum, over := bits.Add64(s.sum, n, 0)
	if over != 0 { // a counter is at most the total, so none overflows while the total does not
		return input.Bad(fn, "n", -1, "%d, the total is %d already and cannot exceed 2^64 - 1", n, s.sum)
	}
	s.sum = sum
	x, width, first := s.hash.residue(key), uint64(s.partitions), uint64(0)
	for i := range s.hash.rows {
		s.counts[first+s.hash.rows[i].column(x, width)] += n
		first += width
	}
	return nil
}

// Key returns the integer by which AddBytes knows a key of bytes, for Count and Partition. Two keys
// of at most n bytes get the same integer with probability at most (n + 6) / 7 / (2^61 - 1) over
// the seeds. A sketch that holds integers and bytes cannot tell an integer from a key of bytes that
// has it.
func (s *Sketch) Key(key []byte) uint64 { return s.hash.bytes(key) }

// Merge adds all that o holds to s, as if every Add of o had been one of s: in any order, the
// result is the same.
//
// Errors: an o that is nil or has another shape or another seed; a Total above 2^64 - 1.
func (s *Sketch) Merge(o *Sketch) error {
	const fn = "partition.Sketch.Merge"
	if s.Rows() == 0 {
		return noRows(fn, "s")
	}
	if o == nil {
		return input.Bad(fn, "o", -1, "is nil")
	}
	if s.Rows() != o.Rows() || s.partitions != o.partitions {
		return input.Bad(fn, "o", -1, "has %d rows of %d partitions, want %d of %d", o.Rows(), o.partitions, s.Rows(), s.partitions)
	}
	if s.seed != o.seed {
		return input.Bad(fn, "o", -1, "has seed %d, want %d: its rows are other partitions", o.seed, s.seed)
	}
	sum, over := bits.Add64(s.sum, o.sum, 0)
	if over != 0 {
		return input.Bad(fn, "o", -1, "has a total of %d, which with %d exceeds 2^64 - 1", o.sum, s.sum)
	}
	s.sum = sum
	to := s.counts[:len(o.counts)]
	for i, c := range o.counts {
		to[i] += c
	}
	return nil
}

// Row appends the sizes of the partitions under hash function row to dst. A counter above 2^53 is
// rounded to the nearest float64.
func (s *Sketch) Row(dst []float64, row int) ([]float64, error) {
	if row < 0 || row >= s.Rows() {
		return dst, badRow("partition.Sketch.Row", row, s)
	}
	for _, c := range s.counts[row*s.partitions:][:s.partitions] {
		dst = append(dst, float64(c))
	}
	return dst, nil
}

// Count returns the least of the key's counters: at least what was added under key, at most Total.
func (s *Sketch) Count(key uint64) uint64 {
	least, x := s.sum, s.hash.residue(key)
	for i := range s.hash.rows {
		least = min(least, s.counts[i*s.partitions+int(s.hash.rows[i].column(x, uint64(s.partitions)))])
	}
	return least
}

// Partition returns the partition of a key under hash function row: where map tasks send the key
// once the row has been chosen.
func (s *Sketch) Partition(row int, key uint64) (int, error) {
	if row < 0 || row >= s.Rows() {
		return 0, badRow("partition.Sketch.Partition", row, s)
	}
	return int(s.hash.rows[row].column(s.hash.residue(key), uint64(s.partitions))), nil
}

func noRows(fn, arg string) error {
	return input.Bad(fn, arg, -1, "has no rows, want a sketch of NewSketch or UnmarshalBinary")
}

func badRow(fn string, row int, s *Sketch) error {
	return input.Bad(fn, "row", -1, "%d, want 0 <= row < %d", row, s.Rows())
}
