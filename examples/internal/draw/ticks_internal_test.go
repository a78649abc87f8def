package draw

import (
	"testing"

	"gonum.org/v1/plot/vg"
)

// No two labels of an axis are the same, and none has more digits than it needs.
func TestLabelsDiffer(t *testing.T) {
	for _, x := range []struct{ lo, hi float64 }{{.955, 1.045}, {.94, 1.04}, {0, 1}, {240, 260}, {-.3, .3}, {-45, 45}, {-29, 50}, {-98, 150}, {-50, 7000}, {1e7, 3e7}, {1e-7, 4e-7}} {
		list := plainTicks(x.lo, x.hi, 6)
		if len(list) < 3 || len(list) > 7 {
			t.Errorf("from %v to %v there are %d ticks", x.lo, x.hi, len(list))
		}
		const length = 70 // points
		few := Axis{Min: x.lo, Max: x.hi}.fitting(length)
		if len(few) < 1 {
			t.Errorf("from %v to %v no tick fits %d points", x.lo, x.hi, length)
		}
		for k := 1; k < len(few); k++ {
			a, b := few[k-1], few[k]
			if apart := vg.Length(length * (b.At - a.At) / (x.hi - x.lo)); apart < (tickStyle.Width(a.Label)+tickStyle.Width(b.Label))/2 {
				t.Errorf("from %v to %v in %d points the labels %s and %s meet", x.lo, x.hi, length, a.Label, b.Label)
			}
		}
		seen := map[string]float64{}
		for _, m := range list {
			if at, twice := seen[m.Label]; twice {
				t.Errorf("from %v to %v the ticks at %v and %v both have the label %q", x.lo, x.hi, at, m.At, m.Label)
			}
			seen[m.Label] = m.At
			if len(m.Label) > 8 {
				t.Errorf("from %v to %v the tick at %v has the label %q", x.lo, x.hi, m.At, m.Label)
			}
		}
	}
}

func TestRatioTicks(t *testing.T) {
	for _, x := range []struct {
		lo, hi float64
		want   string
	}{{.45, 1.6, "0.5 0.7 1 1.5 "}, {.02, 50, "0.03 0.1 0.3 1 3 10 30 "}} {
		got := ""
		for _, m := range ratioTicks(x.lo, x.hi) {
			got += m.Label + " "
		}
		if got != x.want {
			t.Errorf("ratioTicks(%v, %v) = %q, want %q", x.lo, x.hi, got, x.want)
		}
	}
}
