package partition_test

import (
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/partition"
)

// TestGolden: on all cases of partition.json every method keeps Bound <= optimum <= Makespan, and
// Best attains the optimum on 9 of 10.
func TestGolden(t *testing.T) {
	optimal := map[partition.Method]int{}
	list := golden.ReadPartition(t)
	if len(list) != 80 {
		t.Fatalf("partition.json has %d cases, want 80", len(list))
	}
	for k, c := range list {
		cost, err := partition.Affine(c.Fixed, c.Speed)
		must(t, err)
		optimum := golden.Float(t, c.Optimum)
		for _, m := range methods {
			o := partition.Options{Method: m}
			p, err := partition.Assign(len(c.Speed), c.Sizes, cost, o)
			must(t, err)
			must(t, partition.Verify(len(c.Speed), c.Sizes, cost, o, p))
			if !(p.Bound <= optimum*(1+1e-12) && optimum <= p.Makespan*(1+1e-12)) {
				t.Errorf("case %d, %v: Bound %v, Makespan %v, want the optimum %v between them", k, m, p.Bound, p.Makespan, optimum)
			}
			if p.Makespan <= optimum*(1+1e-9) {
				optimal[m]++
			}
		}
	}
	t.Logf("optimal of %d cases, by method: %v", len(list), optimal)
	if optimal[partition.Best]*10 < len(list)*9 {
		t.Errorf("Best is optimal on %d of %d cases, want 9 of 10", optimal[partition.Best], len(list))
	}
}
