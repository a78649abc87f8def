package golden_test

import (
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/golden"
)

func TestReadApportion(t *testing.T) {
	list := golden.ReadApportion(t)
	if len(list) != 101 {
		t.Errorf("apportion.json has %d cases, want 101", len(list))
	}
	for k, c := range list {
		if len(c.Weights) == 0 || c.Caps != nil && len(c.Caps) != len(c.Weights) || len(c.Expected["hamilton"]) != len(c.Weights) {
			t.Errorf("case %d: %+v", k, c)
		}
	}
}
