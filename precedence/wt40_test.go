package precedence_test

import (
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/precedence"
)

type wt struct {
	ID      int `json:"id"`
	P, W, D []float64
	Opt     float64
}

func readWT40(t testing.TB) []wt {
	t.Helper()
	var out []wt
	golden.Decode(t, "wt40.json", &out)
	if len(out) != 125 {
		t.Fatalf("the golden file has %d instances, want 125", len(out))
	}
	return out
}

// With the default budget: 0.1% above the best known values in total, 10% each, exact where they
// are 0; the bound within 5% on average and never above.
func TestWT40(t *testing.T) {
	var value, best, gap float64
	proved, positive := 0, 0
	for _, c := range readWT40(t) {
		obj := mustObj(t)(precedence.SumWeightedTardiness(c.D, c.W))
		s, err := precedence.Minimize(nil, c.P, obj, precedence.Options{})
		must(t, err)
		if v, err := precedence.Evaluate(c.P, obj, s.Order); err != nil || v != s.Value {
			t.Errorf("instance %d: Value %v, Evaluate %v, %v", c.ID, s.Value, v, err)
		}
		if s.Bound > c.Opt || s.Value < c.Opt || s.Value > 1.1*c.Opt || c.Opt == 0 && !s.Exact {
			t.Errorf("instance %d: value %v, bound %v, exact %v, best known %v", c.ID, s.Value, s.Bound, s.Exact, c.Opt)
		}
		value += s.Value
		best += c.Opt
		if s.Exact {
			proved++
		}
		if c.Opt > 0 {
			gap += (c.Opt - s.Bound) / c.Opt
			positive++
		}
	}
	gap /= float64(positive)
	if value > 1.001*best || gap > 0.05 {
		t.Errorf("value %v in total, best known %v; the bound is %.2f%% below on average", value, best, 100*gap)
	}
	t.Logf("value %v in total, best known %v; the bound is %.2f%% below on average; %d proved", value, best, 100*gap, proved)
}

func BenchmarkWeightedTardiness(b *testing.B) {
	all := readWT40(b)
	b.Run("n=40", func(b *testing.B) {
		i := 0
		for b.Loop() {
			c := all[i%len(all)]
			i++
			obj, _ := precedence.SumWeightedTardiness(c.D, c.W)
			if _, err := precedence.Minimize(nil, c.P, obj, precedence.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
