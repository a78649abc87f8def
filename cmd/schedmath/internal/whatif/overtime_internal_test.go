package whatif

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A curve has the integral of each part, however often parts were joined, and few parts.
func TestCurve(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		from := 100 * r.Float64()
		end := from + math.Exp(8*r.NormFloat64())
		c := newCurve(from, from+1)
		var list []held
		total := 0.
		for range 30 {
			a, b := from+(end-from)*r.Float64(), from+(end-from)*r.Float64()
			list = append(list, held{min(a, b), max(a, b), float64(r.IntN(5))})
			total += math.Abs(a-b) * list[len(list)-1].amount
		}
		c = sweep(c, steps(list))
		sum := 0.
		for k, x := range c.Parts {
			lo, want := c.From+float64(k)*c.Width, 0.
			for _, x := range list {
				want += x.amount * max(0, min(x.to, lo+c.Width)-max(x.from, lo))
			}
			if sum += x; math.Abs(x-want) > 1e-9*(1+total) {
				t.Fatalf("part %d of %d, %v wide, has %v, want %v", k, len(c.Parts), c.Width, x, want)
			}
		}
		if len(c.Parts) > mostSpans || math.Abs(sum-total) > 1e-9*total {
			t.Errorf("%d parts add up to %v, want %v", len(c.Parts), sum, total)
		}
	}
}

// Jobs whose times overlap have no lane in common, and one that starts alone stands at the bottom.
func TestLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	type bar struct {
		start, end float64
		lane, high int
	}
	var bars []bar
	var free []float64
	now := 0.
	for range 300 {
		now += r.ExpFloat64()
		b := bar{start: now, end: now + 5*r.ExpFloat64(), high: 1 + r.IntN(6)}
		b.lane = lowest(&free, b.high, b.start, b.end)
		alone := true
		for _, a := range bars {
			if a.end <= b.start {
				continue
			}
			alone = false
			if a.lane < b.lane+b.high && b.lane < a.lane+a.high {
				t.Fatalf("%+v and %+v overlap", a, b)
			}
		}
		if alone && b.lane != 0 {
			t.Errorf("%+v is alone, want lane 0", b)
		}
		bars = append(bars, b)
	}
}
