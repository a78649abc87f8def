package draw

import "testing"

// No two labels of an axis are the same, and none has more digits than it needs.
func TestLabelsDiffer(t *testing.T) {
	for _, x := range []struct{ lo, hi float64 }{{.955, 1.045}, {.94, 1.04}, {0, 1}, {240, 260}, {-.3, .3}, {-45, 45}, {-29, 50}, {1e7, 3e7}, {1e-7, 4e-7}} {
		list := plainTicks(x.lo, x.hi, 6)
		if len(list) < 3 || len(list) > 7 {
			t.Errorf("from %v to %v there are %d ticks", x.lo, x.hi, len(list))
		}
		if few := (Axis{Min: x.lo, Max: x.hi}).fitting(70); len(few) < 1 || len(few) > 5 {
			t.Errorf("from %v to %v %d ticks fit 70 points, want one to five", x.lo, x.hi, len(few))
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
