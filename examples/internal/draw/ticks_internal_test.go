package draw

import "testing"

// No two labels of an axis are the same, and none has more digits than it needs.
func TestLabelsDiffer(t *testing.T) {
	for _, x := range []struct{ lo, hi float64 }{{.955, 1.045}, {.94, 1.04}, {0, 1}, {240, 260}, {-.3, .3}, {1e7, 3e7}, {1e-7, 4e-7}} {
		seen := map[string]float64{}
		for _, m := range (shortTicks{}).Ticks(x.lo, x.hi) {
			if m.Label == "" {
				continue
			}
			if at, twice := seen[m.Label]; twice {
				t.Errorf("from %v to %v the ticks at %v and %v both have the label %q", x.lo, x.hi, at, m.Value, m.Label)
			}
			seen[m.Label] = m.Value
			if len(m.Label) > 8 {
				t.Errorf("from %v to %v the tick at %v has the label %q", x.lo, x.hi, m.Value, m.Label)
			}
		}
	}
}
