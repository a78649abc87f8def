package shuffle_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/shuffle"
)

// placement is bytes of map output and a number of reduces for each rack.
type placement struct {
	bytes   []float64
	reduces []int
}

func drawPlacement(t *rapid.T) placement {
	n := rapid.IntRange(1, 8).Draw(t, "racks")
	return placement{
		rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 1e12), rapid.Just(0.0)), n, n).Draw(t, "bytes"),
		rapid.SliceOfN(rapid.IntRange(0, 5), n, n).Draw(t, "reduces"),
	}
}

// TestTrafficPairs: the traffic is that of all pairs of a rack's output and a reduce elsewhere, and
// what is sent is received.
func TestTrafficPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlacement(t)
		all, total := 0, 0.0
		for q, r := range p.reduces {
			all += r
			total += p.bytes[q]
		}
		want := make([]shuffle.Link, len(p.bytes))
		sum := 0.0
		for from, x := range p.bytes {
			for to, r := range p.reduces {
				for range r {
					if to != from {
						part := x / float64(all)
						want[from].Out += part
						want[to].In += part
						sum += part
					}
				}
			}
		}
		prefix := []shuffle.Link{{Out: 1, In: 2}}
		links, err := shuffle.Traffic(prefix, p.bytes, p.reduces)
		cross, err2 := shuffle.CrossRack(p.bytes, p.reduces)
		if err != nil || err2 != nil || len(links) != len(want)+1 || links[0] != prefix[0] {
			t.Fatalf("Traffic(%+v) = %v, %v; CrossRack: %v", p, links, err, err2)
		}
		out, in := 0.0, 0.0
		for q, l := range links[1:] {
			if !near(l.Out, want[q].Out) || !near(l.In, want[q].In) {
				t.Fatalf("Traffic(%+v) has %+v on rack %d, want %+v", p, l, q, want[q])
			}
			out += l.Out
			in += l.In
		}
		if !near(cross, sum) || !near(out, cross) || !near(in, cross) {
			t.Fatalf("%+v: %v sent, %v received, CrossRack %v, want %v", p, out, in, cross, sum)
		}
	})
}

// TestUniform: with output and reduces spread evenly over n racks, 1 - 1/n of the shuffle crosses
// racks: 90% of 10 racks (Table 3).
func TestUniform(t *testing.T) {
	for n := 1; n <= 20; n++ {
		p := placement{make([]float64, n), make([]int, n)}
		for q := range n {
			p.bytes[q], p.reduces[q] = 7e9, 4
		}
		got, err := shuffle.CrossRack(p.bytes, p.reduces)
		must(t, err)
		if want := 7e9 * float64(n) * (1 - 1/float64(n)); math.Abs(got-want) > 1e-12*7e9*float64(n) {
			t.Errorf("%d racks: %v bytes cross, want %v", n, got, want)
		}
	}
}

// TestFigure7: 100 GB of two jobs, 90/10 and 10/90: 50 GB each with reduces spread evenly, 18 GB
// with reduces by output, and 90 GB if all are on the wrong rack.
func TestFigure7(t *testing.T) {
	for _, output := range [][]float64{{90, 10}, {10, 90}} {
		quota, err := shuffle.ReducesPerRack(nil, 10, output)
		must(t, err)
		wrong := []int{10, 0}
		if output[0] > output[1] {
			wrong = []int{0, 10}
		}
		for _, c := range []struct {
			reduces []int
			want    float64
		}{{[]int{5, 5}, 50}, {quota, 18}, {wrong, 90}} {
			if got, err := shuffle.CrossRack(output, c.reduces); err != nil || !near(got, c.want) {
				t.Errorf("CrossRack(%v, %v) = %v, %v, want %v", output, c.reduces, got, err, c.want)
			}
		}
	}
	// rounding: 9 + 1, 7 + 1, 4 + 0
	for reduces, want := range map[int]float64{10: 18, 8: 20, 4: 10} {
		quota, err := shuffle.ReducesPerRack(nil, reduces, []float64{90, 10})
		must(t, err)
		if got, err := shuffle.CrossRack([]float64{90, 10}, quota); err != nil || !near(got, want) {
			t.Errorf("%d reduces: %v, %v GB cross, %v, want %v", reduces, quota, got, err, want)
		}
	}
}
