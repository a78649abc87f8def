package dynprio

import (
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/market"
)

// A game is what users do to get more for less, under one set of rules, on 120 slots.
type game struct {
	ride    []round // a user at twice the rate of another whose budget pays for four intervals and a half
	toggle  []round // a user who bids 10 and 1 in turn, against 5.5
	whole   []round // a user at rate 2 against one at 1
	divided []round // the same with two accounts at rate 1
}

func play(o market.Options) (g game, err error) {
	rider := bidders(10000, 120, 2, 1)
	rider[0].Budget = credits(360)
	if g.ride, err = bid(120, 14, rider, o, nil); err != nil {
		return g, err
	}
	if g.toggle, err = bid(120, 1000, bidders(1e7, 120, 10, 5.5), o, func(k int, users []market.User) {
		users[0].Rate = credits([]float64{10, 1}[k%2])
	}); err != nil {
		return g, err
	}
	if g.whole, err = bid(120, 2, bidders(1000, 120, 2, 1), o, nil); err != nil {
		return g, err
	}
	g.divided, err = bid(120, 2, bidders(1000, 120, 1, 1, 1), o, nil)
	return g, err
}

// perSlot is what a user paid for a slot on average. The slots of the last round are not charged
// yet.
func perSlot(list []round, user int) float64 {
	return sum(charges(list, user)) / sum(slots(list[:len(list)-1], user))
}

// accounts are the slots and charges of one account and of two.
func (g *game) accounts() (one, oneCost, both, bothCost float64) {
	return sum(slots(g.whole[:1], 0)), sum(charges(g.whole, 0)), sum(slots(g.divided[:1], 0)) + sum(slots(g.divided[:1], 1)), sum(charges(g.divided, 0)) + sum(charges(g.divided, 1))
}

func (s *study) figureGaming() (report.Figure, error) {
	f := report.NewFigure("Beyond the paper: riding free, toggling, and two accounts",
		"Slots of a user at rate 2 with a budget of 360, against one at rate 1 on 120 slots. The published implementation skips a charge that the budget does not cover, and grants the share again.",
		"rules", "interval", "rider_slots", "rider_charge", "toggler_per_slot", "rival_per_slot")
	c := &draw.Chart{X: axis("interval", 14, 2), Y: draw.Axis{Label: "slots"}}
	var games [3]game
	var lines []draw.Series
	for i, o := range []market.Options{market.HadoopContrib(), {}, {Charge: market.Spend}} {
		name := []string{"published implementation", "rates of the grant", "spend"}[i]
		g, err := play(o)
		if err != nil {
			return f, err
		}
		games[i] = g
		for k, r := range g.ride {
			f.Numbers.Add(name, k+1, r.grants[0].Slots[0], value(r.grants[0].Charge), perSlot(g.toggle[:k+2], 0), perSlot(g.toggle[:k+2], 1))
		}
		lines = append(lines, curve(i, name, nil, slots(g.ride, 0)))
	}
	c.Series(lines[:2]) // under Spend a rate is not for a slot
	hadoop, ours, spend := games[0], games[1], games[2]
	free := func(g game) float64 { return sum(slots(g.ride[3:13], 0)) } // after the budget has paid what it can
	paid := sum(charges(hadoop.ride[4:], 0))
	one, oneCost, both, bothCost := ours.accounts()
	spendOne, spendCost, spendBoth, spendBothCost := spend.accounts()
	list := []report.Claim{
		when(free(hadoop) > 0 && paid == 0, row("in the published implementation a budget too small for its share rides free", "discourages free-riding", "some slots, no charge", "the share does not come back",
			"%.0f slot-intervals after the third for %.0f credits", free(hadoop), paid)),
		when(free(ours) == 0 && sum(charges(ours.ride, 0)) == 360, row("grants within the budget end the free ride", "not considered", "none, and all of the budget is paid", "a share is granted that the budget does not pay",
			"%.0f slot-intervals after the third", free(ours))),
		when(perSlot(hadoop.toggle, 0) < perSlot(hadoop.toggle, 1), row("in the published implementation toggling pays", "discourages gaming", "the toggler pays less a slot than its rival", "it pays more",
			"%.2f against %.2f", perSlot(hadoop.toggle, 0), perSlot(hadoop.toggle, 1))),
		when(perSlot(ours.toggle, 0) > perSlot(ours.toggle, 1), row("charges at the rates of the grant make toggling dearer", "not considered", "the toggler pays more a slot than its rival", "it pays less",
			"%.2f against %.2f", perSlot(ours.toggle, 0), perSlot(ours.toggle, 1))),
		when(bothCost >= oneCost, row("charges discourage gaming (3.1)", "discourages gaming", "two accounts at half the rate pay no less for the same slots",
			"twice the rate costs four times as much for twice the slots, so that users divide their accounts", "one account: %.0f slots, %.0f credits; two: %.0f, %.0f", one, oneCost, both, bothCost)),
		when(spendOne == spendBoth && spendCost == spendBothCost, row("a rate that is spent in an interval gives nothing for two accounts", "not considered", "equal slots and charges", "rounding",
			"one account: %.0f slots, %.0f credits; two: %.0f, %.0f", spendOne, spendCost, spendBoth, spendBothCost)),
	}
	list[4].Kind = report.Theory
	return f.Done(list, "The rider's slots over intervals: 80 and 0 in turn in the published implementation; at the rates of the grant 80, 80, 20 and none.", c)
}
