package shuffle_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/drawn"
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
// answered is bytes and tasks. In half of the cases numbers and lengths are such that most calls are
// answered.
func TestHostile(t *testing.T) {
	answered := map[string]int{} // calls with more than one rack, block or task
	property := func(t *rapid.T) {
		note := func(call string, err error, size int) {
			if err == nil && size > 1 {
				answered[call]++
			}
		}
		float, whole, n := anyFloat, anyInt, rapid.IntRange(0, 4)
		if rapid.Bool().Draw(t, "calm") {
			size := rapid.IntRange(0, 4).Draw(t, "n")
			float, whole, n = rapid.SampledFrom([]float64{0, .5, 1, 3, 8}), rapid.IntRange(0, 5), rapid.Just(size)
		}
		floats := func(name string) []float64 {
			k := n.Draw(t, "length of "+name)
			return rapid.SliceOfN(float, k, k).Draw(t, name)
		}
		var in struct {
			Blocks []shuffle.Block
			O      shuffle.Options
			X, Y   []float64
			K      []int
			Rows   [][]float64
		}
		in.X, in.Y = floats("x"), floats("y")
		k := n.Draw(t, "length of k")
		in.K = rapid.SliceOfN(whole, k, k).Draw(t, "k")
		for range rapid.IntRange(0, 3).Draw(t, "rows") {
			in.Rows = append(in.Rows, floats("row"))
		}
		in.O = shuffle.Options{Load: in.Y, Slots: in.K, MinRacks: whole.Draw(t, "least racks")}
		if rapid.Bool().Draw(t, "no options") {
			in.O = shuffle.Options{}
		}
		for _, x := range in.X {
			racks := rapid.SliceOfNDistinct(rapid.IntRange(-1, 3), 0, 3, rapid.ID[int]).Draw(t, "racks of a block")
			in.Blocks = append(in.Blocks, shuffle.Block{Bytes: x, Racks: racks})
		}
		before := expect.Text(in)
		reduces := whole.Draw(t, "reduces")
		p, err := shuffle.MapRacks(whole.Filter(func(n int) bool { return n < 1e9 }).Draw(t, "racks"), in.Blocks, float.Draw(t, "ratio"), reduces, in.O)
		note("MapRacks", err, len(in.Blocks))
		if !isAnswer(p.RemoteMap) || !isAnswer(p.CrossShuffle) || !isAnswer(p.Spread) || slices.ContainsFunc(p.Maps, func(x float64) bool { return !isAnswer(x) }) {
			t.Fatalf("MapRacks = %+v, %v", p, err)
		}
		x, err := shuffle.CrossRack(in.X, in.K)
		note("CrossRack", err, len(in.X))
		if !isAnswer(x) {
			t.Fatalf("CrossRack(%v, %v) = %v, %v", in.X, in.K, x, err)
		}
		links, err := shuffle.Traffic(nil, in.X, in.K)
		note("Traffic", err, len(in.X))
		if slices.ContainsFunc(links, func(l shuffle.Link) bool { return !isAnswer(l.Out) || !isAnswer(l.In) }) {
			t.Fatalf("Traffic(%v, %v) = %v, %v", in.X, in.K, links, err)
		}
		for name, f := range map[string]func() ([]int, error){
			"ReducesPerRack": func() ([]int, error) { return shuffle.ReducesPerRack(nil, reduces, in.X) },
			"ReducesWithin":  func() ([]int, error) { return shuffle.ReducesWithin(nil, reduces, in.X, in.K) },
		} {
			got, err := f()
			note(name, err, len(in.X))
			sum := 0
			for _, k := range got {
				sum += k
			}
			if err == nil && (len(got) != len(in.X) || sum != reduces || slices.Min(got) < 0) {
				t.Fatalf("%s: %d reduces, bytes %v, slots %v: %v", name, reduces, in.X, in.K, got)
			}
		}
		of, err := shuffle.PlaceReduces(nil, in.K, in.Rows)
		note("PlaceReduces", err, len(in.Rows))
		if err == nil && len(of) != len(in.Rows) {
			t.Fatalf("PlaceReduces(%v, %v) = %v", in.Rows, in.K, of)
		}
		var used, tasks = []shuffle.Link{}, []shuffle.Candidate{}
		for _, x := range in.X {
			used = append(used, shuffle.Link{Out: x, In: float.Draw(t, "in")})
			tasks = append(tasks, shuffle.Candidate{Arrival: x,
				Kind: shuffle.Kind(rapid.Uint8Range(0, 2).Draw(t, "kind")), Local: shuffle.Locality(rapid.Uint8Range(0, 3).Draw(t, "local"))})
		}
		flags, err := shuffle.Saturated(nil, used, used, float.Draw(t, "threshold"))
		note("Saturated", err, len(used))
		if err == nil && len(flags) != len(used) {
			t.Fatalf("Saturated(%v) = %v", used, flags)
		}
		i, why, err := shuffle.Next(tasks, true, float.Draw(t, "window"))
		note("Next", err, len(tasks))
		if none := i == -1 && why == shuffle.NoTask; none != (err != nil || len(tasks) == 0) {
			t.Fatalf("Next(%v) = %d, %v, %v", tasks, i, why, err)
		}
		if after := expect.Text(in); after != before {
			t.Fatalf("inputs %s have become %s", before, after)
		}
	}
	rapid.Check(t, property)
	clear(answered)
	drawn.Counted(t, 1000, property)
	for _, call := range []string{"MapRacks", "CrossRack", "Traffic", "ReducesPerRack", "ReducesWithin", "PlaceReduces", "Saturated", "Next"} {
		if answered[call] < 15 {
			t.Errorf("%s answers %d of 1000 cases, want 15: %v", call, answered[call], answered)
		}
	}
}
