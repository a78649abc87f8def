package shuffle_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/shuffle"
)

// anyFloat draws what callers should not pass among what they may.
var anyFloat = rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{
	0, math.Copysign(0, -1), 5e-324, 0x1p-1022, 0x1p-200, 1, 0x1p200, math.MaxFloat64, inf, -inf, nan,
}))

var anyInt = rapid.OneOf(rapid.IntRange(-1, 5), rapid.SampledFrom([]int{math.MinInt, math.MaxInt, 1e9}))

// isAnswer reports whether x can be the bytes of an answer.
func isAnswer(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }

// TestHostile: whatever the arguments, no panic and no NaN; inputs stay as they are; what is
// answered is bytes and tasks.
func TestHostile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		floats, ints := rapid.SliceOfN(anyFloat, 0, 4), rapid.SliceOfN(anyInt, 0, 4)
		var in struct {
			Blocks []shuffle.Block
			O      shuffle.Options
			X, Y   []float64
			K      []int
			Rows   [][]float64
		}
		in.X, in.Y, in.K, in.Rows = floats.Draw(t, "x"), floats.Draw(t, "y"), ints.Draw(t, "k"), rapid.SliceOfN(floats, 0, 3).Draw(t, "rows")
		in.O = shuffle.Options{Load: in.Y, Slots: in.K, MinRacks: anyInt.Draw(t, "least racks")}
		if rapid.Bool().Draw(t, "no options") {
			in.O = shuffle.Options{}
		}
		for _, x := range in.X {
			in.Blocks = append(in.Blocks, shuffle.Block{Bytes: x, Racks: rapid.SliceOfNDistinct(rapid.IntRange(-1, 3), 0, 3, rapid.ID[int]).Draw(t, "racks of a block")})
		}
		before := expect.Text(in)
		reduces := anyInt.Draw(t, "reduces")
		p, err := shuffle.MapRacks(anyInt.Filter(func(n int) bool { return n < 1e9 }).Draw(t, "racks"), in.Blocks, anyFloat.Draw(t, "ratio"), reduces, in.O)
		if !isAnswer(p.RemoteMap) || !isAnswer(p.CrossShuffle) || !isAnswer(p.Spread) || slices.ContainsFunc(p.Maps, func(x float64) bool { return !isAnswer(x) }) {
			t.Fatalf("MapRacks = %+v, %v", p, err)
		}
		if x, err := shuffle.CrossRack(in.X, in.K); !isAnswer(x) {
			t.Fatalf("CrossRack(%v, %v) = %v, %v", in.X, in.K, x, err)
		}
		links, err := shuffle.Traffic(nil, in.X, in.K)
		if slices.ContainsFunc(links, func(l shuffle.Link) bool { return !isAnswer(l.Out) || !isAnswer(l.In) }) {
			t.Fatalf("Traffic(%v, %v) = %v, %v", in.X, in.K, links, err)
		}
		for _, f := range []func() ([]int, error){
			func() ([]int, error) { return shuffle.ReducesPerRack(nil, reduces, in.X) },
			func() ([]int, error) { return shuffle.ReducesWithin(nil, reduces, in.X, in.K) },
		} {
			got, err := f()
			sum := 0
			for _, k := range got {
				sum += k
			}
			if err == nil && (len(got) != len(in.X) || sum != reduces || slices.Min(got) < 0) {
				t.Fatalf("%d reduces, bytes %v, slots %v: %v", reduces, in.X, in.K, got)
			}
		}
		of, err := shuffle.PlaceReduces(nil, in.K, in.Rows)
		if err == nil && len(of) != len(in.Rows) {
			t.Fatalf("PlaceReduces(%v, %v) = %v", in.Rows, in.K, of)
		}
		var used, tasks = []shuffle.Link{}, []shuffle.Candidate{}
		for _, x := range in.X {
			used = append(used, shuffle.Link{Out: x, In: anyFloat.Draw(t, "in")})
			tasks = append(tasks, shuffle.Candidate{Arrival: x,
				Kind: shuffle.Kind(rapid.Uint8Range(0, 2).Draw(t, "kind")), Local: shuffle.Locality(rapid.Uint8Range(0, 3).Draw(t, "local"))})
		}
		flags, err := shuffle.Saturated(nil, used, used, anyFloat.Draw(t, "threshold"))
		if err == nil && len(flags) != len(used) {
			t.Fatalf("Saturated(%v) = %v", used, flags)
		}
		i, why, err := shuffle.Next(tasks, true, anyFloat.Draw(t, "window"))
		if none := i == -1 && why == shuffle.NoTask; none != (err != nil || len(tasks) == 0) {
			t.Fatalf("Next(%v) = %d, %v, %v", tasks, i, why, err)
		}
		if after := expect.Text(in); after != before {
			t.Fatalf("inputs %s have become %s", before, after)
		}
	})
}
