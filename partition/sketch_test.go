package partition_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"runtime"
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

// TestSketchRows: the rows of a smaller sketch are the first rows of a larger one, other seeds give
// others.
func TestSketchRows(t *testing.T) {
	a, b, c := newSketch(t, 2, 100, 5), newSketch(t, 6, 100, 5), newSketch(t, 2, 100, 6)
	same := 0
	for key := range uint64(1000) {
		for i := range 2 {
			x, err := a.Partition(i, key)
			must(t, err)
			y, err := b.Partition(i, key)
			must(t, err)
			z, err := c.Partition(i, key)
			must(t, err)
			if x != y {
				t.Fatalf("row %d, key %d: partition %d, with more rows %d", i, key, x, y)
			}
			if x == z {
				same++
			}
		}
	}
	if same > 60 { // of 2,000 that agree with probability 1/100: 20 and 9 standard deviations
		t.Errorf("another seed gives the same partition %d times of 2000, want about 20", same)
	}
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

// TestSketchTwins: in 5 rows of 23 partitions hardly any two keys share all rows. With rows that
// are multiples of one hash 1 key in 23 has such a twin for each step of the multiple.
func TestSketchTwins(t *testing.T) {
	s := newSketch(t, 5, 23, 3)
	seen := map[[5]int]bool{}
	twins := 0
	for key := range uint64(2000) {
		var at [5]int
		for i := range at {
			p, err := s.Partition(i, key*7919)
			must(t, err)
			at[i] = p
		}
		if seen[at] {
			twins++
		}
		seen[at] = true
	}
	if twins > 5 { // of 2e6 pairs, each with probability 23^-5: 0.3 in the mean
		t.Errorf("%d keys of 2000 have a twin in all rows, want about 0.3", twins)
	}
}

// TestSketchError: the share of keys whose Count exceeds the truth by more than eps Total is at
// most delta.
func TestSketchError(t *testing.T) {
	const eps, rows = 0.02, 3
	delta := math.Exp(-rows)
	partitions := int(math.Ceil(math.E / eps))
	over, asked := 0, 0
	for seed := range uint64(200) {
		s := newSketch(t, rows, partitions, seed)
		rng := rand.New(rand.NewPCG(4, seed))
		zipf := rand.NewZipf(rng, 1.1, 1, 3000)
		truth := map[uint64]uint64{}
		for range 5000 {
			k := zipf.Uint64()
			truth[k]++
			must(t, s.Add(k, 1))
		}
		for k := range uint64(3000) {
			asked++
			if float64(s.Count(k)-truth[k]) > eps*float64(s.Total()) {
				over++
			}
		}
	}
	if share := float64(over) / float64(asked); share > delta {
		t.Errorf("the share of keys above eps N is %v, want at most %v", share, delta)
	}
}

func TestSketchSaturation(t *testing.T) {
	const fn = "partition.Sketch."
	s, o := newSketch(t, 2, 3, 1), newSketch(t, 2, 3, 1)
	must(t, s.Add(1, math.MaxUint64-5))
	must(t, s.Add(2, 5))
	must(t, o.Add(3, 1))
	before := form(t, s)
	expect.InputError(t, "Add", s.Add(1, 1), fn+"Add", "n", -1)
	expect.InputError(t, "Add", s.Add(9, math.MaxUint64), fn+"Add", "n", -1)
	expect.InputError(t, "AddBytes", s.AddBytes([]byte("x"), 1), fn+"AddBytes", "n", -1)
	expect.InputError(t, "Merge", s.Merge(o), fn+"Merge", "o", -1)
	expect.InputError(t, "Merge with itself", s.Merge(s), fn+"Merge", "o", -1)
	must(t, s.Add(4, 0))
	if !bytes.Equal(form(t, s), before) {
		t.Error("a refused call has changed the sketch")
	}
	if s.Total() != math.MaxUint64 || s.Count(1) < math.MaxUint64-5 {
		t.Errorf("Total() = %d, Count(1) = %d", s.Total(), s.Count(1))
	}
	must(t, o.Merge(o))
	if o.Total() != 2 || o.Count(3) != 2 {
		t.Errorf("merged with itself: Total() = %d, Count(3) = %d, want 2, 2", o.Total(), o.Count(3))
	}
}

func TestSketchErrors(t *testing.T) {
	const fn = "partition.Sketch."
	for _, c := range []struct {
		rows, partitions int
		arg              string
	}{{0, 1, "rows"}, {-1, 1, "rows"}, {1<<24 + 1, 1, "rows"}, {math.MaxInt, 1, "rows"}, {1, 0, "partitions"}, {1, -5, "partitions"},
		{1, math.MaxInt, "partitions"}, {1 << 12, 1<<12 + 1, "partitions"}} {
		s, err := partition.NewSketch(c.rows, c.partitions, 1)
		expect.InputError(t, "NewSketch", err, "partition.NewSketch", c.arg, -1)
		if s != nil {
			t.Errorf("NewSketch(%d, %d) returns a sketch with its error", c.rows, c.partitions)
		}
	}
	s := newSketch(t, 2, 3, 1)
	must(t, s.Add(1, 1))
	before := form(t, s)
	for name, o := range map[string]*partition.Sketch{"nil": nil, "zero": {}, "other seed": newSketch(t, 2, 3, 2),
		"other rows": newSketch(t, 3, 3, 1), "other partitions": newSketch(t, 2, 4, 1), "transposed": newSketch(t, 3, 2, 1)} {
		expect.InputError(t, "Merge, "+name, s.Merge(o), fn+"Merge", "o", -1)
	}
	dst := []float64{4}
	for _, r := range []int{-1, 2, math.MaxInt, math.MinInt} {
		got, err := s.Row(dst, r)
		expect.InputError(t, "Row", err, fn+"Row", "row", -1)
		if !slices.Equal(got, dst) {
			t.Errorf("Row(%d) returns %v, want dst", r, got)
		}
		p, err := s.Partition(r, 1)
		expect.InputError(t, "Partition", err, fn+"Partition", "row", -1)
		if p != 0 {
			t.Errorf("Partition(%d) = %d with its error", r, p)
		}
	}
	if !bytes.Equal(form(t, s), before) {
		t.Error("a refused call has changed the sketch")
	}
	var z partition.Sketch
	expect.InputError(t, "zero.Add", z.Add(1, 1), fn+"Add", "s", -1)
	expect.InputError(t, "zero.AddBytes", z.AddBytes([]byte("x"), 1), fn+"AddBytes", "s", -1)
	expect.InputError(t, "zero.Merge", z.Merge(s), fn+"Merge", "s", -1)
	_, err := z.MarshalBinary()
	expect.InputError(t, "zero.MarshalBinary", err, fn+"MarshalBinary", "s", -1)
	_, err = z.Row(nil, 0)
	expect.InputError(t, "zero.Row", err, fn+"Row", "row", -1)
	_, err = z.Partition(0, 0)
	expect.InputError(t, "zero.Partition", err, fn+"Partition", "row", -1)
	if z.Count(1) != 0 || z.Total() != 0 || z.Rows() != 0 || z.Partitions() != 0 || z.Seed() != 0 {
		t.Error("zero: want 0 of everything")
	}
	z.Key([]byte("abc"))
	for _, none := range []*partition.Sketch{nil, &z} {
		_, _, err = partition.AssignSketch(1, none, func(int, float64) float64 { return 1 }, partition.Options{})
		expect.InputError(t, "AssignSketch of no rows", err, "partition.AssignSketch", "s", -1)
	}
}

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
		"empty":                    {nil, 0},
		"header cut":               {good[:35], 35},
		"other magic":              {words("cmt\x01", 2, 1, 99, 12, 12, 12), 0},
		"other version":            {words("cms\x02", 2, 1, 99, 12, 12, 12), 0},
		"no rows":                  {words("cms\x01", 0, 1, 99, 0), 4},
		"rows beyond":              {words("cms\x01", 1<<40, 1, 99, 0), 4},
		"no partitions":            {words("cms\x01", 2, 0, 99, 0), 12},
		"partitions beyond":        {words("cms\x01", 2, 1<<24, 99, 0), 12},
		"product wraps":            {words("cms\x01", 1<<20, 1<<45, 99, 0), 12},
		"large and short":          {words("cms\x01", 1, 1<<24, 99, 12, 12), 44},
		"cut":                      {good[:len(good)-1], len(good) - 1},
		"more":                     {append(slices.Clone(good), 0), len(good)},
		"first row":                {words("cms\x01", 2, 1, 99, 12, 11, 12), 36},
		"second row":               {words("cms\x01", 2, 1, 99, 12, 12, 13), 44},
		"total":                    {words("cms\x01", 2, 1, 99, 11, 12, 12), 36},
		"sum wraps":                {words("cms\x01", 1, 2, 99, 12, math.MaxUint64, 13), 36},
		"sum wraps in second row":  {words("cms\x01", 2, 2, 99, 0, 0, 0, 1<<63, 1<<63), 52},
		"sum wraps more than once": {words("cms\x01", 1, 3, 99, math.MaxUint64-2, math.MaxUint64, math.MaxUint64, math.MaxUint64), 36},
	} {
		before := form(t, read)
		expect.InputError(t, name, read.UnmarshalBinary(c.data), "partition.Sketch.UnmarshalBinary", "data", c.offset)
		if !bytes.Equal(form(t, read), before) {
			t.Errorf("%s: the sketch has changed", name)
		}
	}
}

// FuzzUnmarshalSketch: no bytes make UnmarshalBinary panic or take more memory than they warrant,
// and what it accepts is written again the same and works.
func FuzzUnmarshalSketch(f *testing.F) {
	s := newSketch(f, 2, 3, 8)
	must(f, s.Add(1, 10))
	must(f, s.Add(2, 20))
	good := form(f, s)
	f.Add(good)
	f.Add(good[:40])
	f.Add(append([]byte("cms\x01"), bytes.Repeat([]byte{255}, 64)...))
	large := slices.Clone(good[:36])
	binary.LittleEndian.PutUint64(large[4:], 1<<12)
	binary.LittleEndian.PutUint64(large[12:], 1<<12)
	f.Add(large)
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
		if err != nil {
			return
		}
		if 8*s.Rows()*s.Partitions() > len(data) {
			t.Fatalf("%d rows of %d partitions from %d bytes", s.Rows(), s.Partitions(), len(data))
		}
		if !bytes.Equal(form(t, &s), data) {
			t.Fatalf("MarshalBinary() = %x, read from %x", form(t, &s), data)
		}
		if c := s.Count(5); c > s.Total() {
			t.Fatalf("Count(5) = %d of %d", c, s.Total())
		}
		if s.Total() < math.MaxUint64 {
			must(t, s.Add(5, 1))
		}
	})
}
