package golden_test

import (
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/golden"
)

func TestReadPartition(t *testing.T) {
	list := golden.ReadPartition(t)
	if len(list) != 80 {
		t.Errorf("partition.json has %d cases, want 80", len(list))
	}
	for k, c := range list {
		if len(c.Sizes) == 0 || len(c.Speed) == 0 || len(c.Fixed) != len(c.Speed) || golden.Float(t, c.Optimum) <= 0 {
			t.Errorf("case %d: %+v", k, c)
		}
	}
}
