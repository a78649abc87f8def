package partition_test

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/partition"
)

func newSketch(t testing.TB, rows, partitions int, seed uint64) *partition.Sketch {
	t.Helper()
	s, err := partition.NewSketch(rows, partitions, seed)
	must(t, err)
	return s
}

func form(t testing.TB, s *partition.Sketch) []byte {
	t.Helper()
	b, err := s.MarshalBinary()
	must(t, err)
	return b
}

func row(t testing.TB, s *partition.Sketch, i int) []float64 {
	t.Helper()
	r, err := s.Row(nil, i)
	must(t, err)
	return r
}

// TestSketchAgainstMap drives sketches and a map of true counts side by side.
func TestSketchAgainstMap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := rapid.IntRange(1, 6).Draw(rt, "rows")
		partitions := rapid.IntRange(1, 50).Draw(rt, "partitions")
		seed := rapid.Uint64().Draw(rt, "seed")
		parts := make([]*partition.Sketch, 3)
		whole := newSketch(t, rows, partitions, seed)
		for i := range parts {
			parts[i] = newSketch(t, rows, partitions, seed)
		}
		truth := map[uint64]uint64{}
		total := uint64(0)
		key := rapid.OneOf(rapid.Uint64Range(0, 20), rapid.Uint64())
		for range rapid.IntRange(0, 60).Draw(rt, "adds") {
			n := rapid.Uint64Range(0, 1000).Draw(rt, "n")
			to := parts[rapid.IntRange(0, 2).Draw(rt, "part")]
			k := key.Draw(rt, "key")
			if rapid.Bool().Draw(rt, "bytes") {
				text := strconv.AppendUint(nil, k, 10)
				k = to.Key(text)
				must(t, to.AddBytes(text, n))
				must(t, whole.AddBytes(text, n))
			} else {
				must(t, to.Add(k, n))
				must(t, whole.Add(k, n))
			}
			truth[k] += n
			total += n
		}
		// Every row is the exact sizes of its partitions.
		for i := range rows {
			want := make([]float64, partitions)
			for k, n := range truth {
				p, err := whole.Partition(i, k)
				must(t, err)
				want[p] += float64(n)
			}
			if got := row(t, whole, i); !slices.Equal(got, want) {
				rt.Fatalf("Row(%d) = %v, want %v", i, got, want)
			}
		}
		for k, n := range truth {
			if c := whole.Count(k); c < n || c > total {
				rt.Fatalf("Count(%d) = %d, want %d to %d", k, c, n, total)
			}
		}
		if whole.Total() != total || whole.Rows() != rows || whole.Partitions() != partitions || whole.Seed() != seed {
			rt.Fatalf("Total, Rows, Partitions, Seed = %d, %d, %d, %d, want %d, %d, %d, %d",
				whole.Total(), whole.Rows(), whole.Partitions(), whole.Seed(), total, rows, partitions, seed)
		}
		// Merging is commutative and associative, and the same as adding everything to one.
		merged := func(list ...*partition.Sketch) *partition.Sketch {
			m := newSketch(t, rows, partitions, seed)
			for _, s := range list {
				must(t, m.Merge(s))
			}
			return m
		}
		a, b, c := parts[0], parts[1], parts[2]
		for _, m := range []*partition.Sketch{merged(a, b, c), merged(c, a, b), merged(merged(a, b), c), merged(a, merged(b, c))} {
			if !bytes.Equal(form(t, m), form(t, whole)) {
				rt.Fatalf("merged %x, want %x", form(t, m), form(t, whole))
			}
		}
		// The binary form gives back the same sketch, whatever was there before.
		if err := a.UnmarshalBinary(form(t, whole)); err != nil || !bytes.Equal(form(t, a), form(t, whole)) {
			rt.Fatalf("UnmarshalBinary: %v, %x, want %x", err, form(t, a), form(t, whole))
		}
		must(t, a.Add(7, 1))
		must(t, whole.Add(7, 1))
		if !bytes.Equal(form(t, a), form(t, whole)) {
			rt.Fatal("a restored sketch adds elsewhere")
		}
	})
}

// TestSketchPairs: over the seeds two different keys share a partition as often as two keys thrown
// at random, in each row and in all rows at once, whatever the two keys are.
func TestSketchPairs(t *testing.T) {
	const p, seeds = 7, 20000
	for _, pair := range [][2]uint64{{0, 1}, {1, 2}, {3, 3 + 1<<61 - 1}, {5, 5 + 1<<32}, {0, math.MaxUint64}, {1 << 32, 1 << 33}, {10, 20}} {
		each, both := 0, 0
		for seed := range uint64(seeds) {
			s := newSketch(t, 2, p, seed)
			var equal [2]bool
			for i := range equal {
				x, err := s.Partition(i, pair[0])
				must(t, err)
				y, err := s.Partition(i, pair[1])
				must(t, err)
				equal[i] = x == y
				if equal[i] {
					each++
				}
			}
			if equal[0] && equal[1] {
				both++
			}
		}
		within := func(what string, got, trials int, probability float64) {
			mean := float64(trials) * probability
			if d := math.Abs(float64(got) - mean); d > 5*math.Sqrt(mean*(1-probability)) {
				t.Errorf("keys %v share a partition %s %d times of %d, want %.0f", pair, what, got, trials, mean)
			}
		}
		within("in a row", each, 2*seeds, 1./p)
		within("in both rows", both, seeds, 1./p/p)
	}
}

func TestSketchErrors(t *testing.T) {
	var none partition.Sketch
	for _, shape := range [][2]int{{0, 1}, {-1, 1}, {1<<24 + 1, 1}, {math.MaxInt, 1}} {
		expect.Refused(t, "partition.NewSketch", partition.NewSketch, nil, expect.Bad("rows", -1, shape[0], shape[1], 1))
	}
	for _, shape := range [][2]int{{1, 0}, {1, -5}, {1, math.MaxInt}, {1 << 12, 1<<12 + 1}} {
		expect.Refused(t, "partition.NewSketch", partition.NewSketch, nil, expect.Bad("partitions", -1, shape[0], shape[1], 1))
	}
	s := newSketch(t, 2, 3, 1)
	must(t, s.Add(1, math.MaxUint64-5))
	must(t, s.Add(2, 5)) // a total of 2^64 - 1: full
	refused := func(s *partition.Sketch, method string, f any, calls ...expect.Call) {
		t.Helper()
		expect.Refused(t, "partition.Sketch."+method, f, func() any { return s }, calls...)
	}
	one := newSketch(t, 2, 3, 1)
	must(t, one.Add(3, 1))
	refused(s, "Add", s.Add, expect.Bad("n", -1, 1, 1), expect.Bad("n", -1, 9, uint64(math.MaxUint64)))
	refused(s, "AddBytes", s.AddBytes, expect.Bad("n", -1, []byte("x"), 1))
	for _, o := range []*partition.Sketch{nil, &none, one, s, newSketch(t, 2, 3, 2), newSketch(t, 3, 3, 1), newSketch(t, 2, 4, 1), newSketch(t, 3, 2, 1)} {
		refused(s, "Merge", s.Merge, expect.Bad("o", -1, o))
	}
	for _, r := range []int{-1, 2, math.MaxInt, math.MinInt} {
		refused(s, "Row", s.Row, expect.Bad("row", -1, []float64{4}, r))
		refused(s, "Partition", s.Partition, expect.Bad("row", -1, r, 1))
	}
	must(t, s.Add(4, 0))
	must(t, one.Merge(one))
	if one.Total() != 2 || one.Count(3) != 2 {
		t.Errorf("merged with itself: Total() = %d, Count(3) = %d, want 2, 2", one.Total(), one.Count(3))
	}

	refused(&none, "Add", none.Add, expect.Bad("s", -1, 1, 1))
	refused(&none, "AddBytes", none.AddBytes, expect.Bad("s", -1, []byte("x"), 1))
	refused(&none, "Merge", none.Merge, expect.Bad("s", -1, s))
	refused(&none, "MarshalBinary", none.MarshalBinary, expect.Bad("s", -1))
	refused(&none, "Row", none.Row, expect.Bad("row", -1, nil, 0))
	refused(&none, "Partition", none.Partition, expect.Bad("row", -1, 0, 0))
	if none.Count(1) != 0 || none.Total() != 0 || none.Rows() != 0 || none.Partitions() != 0 || none.Seed() != 0 {
		t.Error("a zero Sketch: want 0 of everything")
	}
	none.Key([]byte("abc"))
}
