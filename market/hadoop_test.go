package market_test

import (
	"testing"

	"github.com/schedmath/schedmath/market"
)

// HadoopContrib charges each kind's usage up to the quota of this kind, and says how many slots of each kind are to be given back.
func TestHadoopKinds(t *testing.T) {
	users := []market.User{
		{Budget: 100 * credit, Rate: 3 * credit, Used: [2]float64{7, 1}, Granted: market.Slots{2, 5}},
		{Budget: 100 * credit, Rate: 1 * credit, Used: [2]float64{1, 9}, Granted: market.Slots{4, 3}},
		{Budget: 100 * credit, Rate: 4 * credit, Demand: market.Slots{0, 2}, Granted: market.Slots{80, 1}},
	}
	grants, totals := mustStep(t, market.Slots{40, 8}, users, market.HadoopContrib())
	for i, want := range []struct {
		charge  market.Credits
		slots   market.Slots // of the shares 3/8, 1/8, 4/8
		reclaim market.Slots
	}{{9, market.Slots{15, 3}, market.Slots{0, 2}}, {4, market.Slots{5, 1}, market.Slots{0, 2}}, {0, market.Slots{20, 4}, market.Slots{60, 0}}} {
		if g := grants[i]; g.Charge != want.charge*credit || g.Slots != want.slots || g.Reclaim != want.reclaim {
			t.Errorf("user %d: %+v, want a charge of %d credits, slots %v, %v to give back", i, g, want.charge, want.slots, want.reclaim)
		}
	}
	if totals.Revenue != 13*credit || totals.Price != 8*credit {
		t.Errorf("%+v, want a revenue of 13 and a price of 8 credits", totals)
	}
}
