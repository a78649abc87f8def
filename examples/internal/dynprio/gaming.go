package dynprio

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/market"
)

// ruleSets are the rules that the figure on gaming compares.
var ruleSets = []struct {
	name string
	o    market.Options
}{
	{"published implementation", market.HadoopContrib()},
	{"rates of the grant", market.Options{}},
	{"spend", market.Options{Charge: market.Spend}},
}

const ( // of ruleSets
	published = iota
	granted
	spend
)

// A game is what users did to get more for less, under one set of rules.
type game struct {
	ride    []round // a user at twice the rate of another whose budget pays for four intervals and a half
	toggle  []round // a user who bids 10 and 1 in turn, against 5.5
	whole   []round // a user at rate 2 against one at 1
	divided []round // the same with two accounts at rate 1
}

func play(o market.Options) (game, error) {
	const capacity = 120
	var g game
	var err error
	run := func(rounds int, change func(int, []market.User) error, users ...market.User) []round {
		if err != nil {
			return nil
		}
		var list []round
		list, err = bid(capacity, rounds, users, o, change)
		return list
	}
	users := bidders(10000, capacity, 2, 1)
	users[0].Budget = credits(360)
	g.ride = run(14, nil, users...)
	g.toggle = run(1000, func(k int, users []market.User) error {
		users[0].Rate = credits([]float64{10, 1}[k%2])
		return nil
	}, bidders(1e7, capacity, 10, 5.5)...)
	g.whole = run(2, nil, bidders(1000, capacity, 2, 1)...)
	g.divided = run(2, nil, bidders(1000, capacity, 1, 1, 1)...)
	return g, err
}

// perSlot is what a user paid for a slot on average.
func perSlot(list []round, user int) float64 {
	n := len(list) - 1 // the slots of the last round are not charged yet
	return sum(charges(list, user)) / sum(slots(list[:n], user))
}

func (s *study) figureGaming() (report.Figure, error) {
	f := report.Figure{
		Item:  "gaming",
		Title: "Beyond the paper: riding free, toggling, and two accounts",
		Caption: "120 slots. Above: a user at rate 2 with a budget of 360 against one at rate 1. The published implementation skips a charge that the budget does not cover, and " +
			"grants the share again. Below: the credits a slot of a user who bids 10 and 1 in turn against 5.5. Today's bid for yesterday's slots makes the many slots cheap.",
		Numbers: report.Table{Columns: []string{"rules", "interval", "rider_slots", "rider_charge", "toggler_per_slot", "rival_per_slot"}},
	}
	var games []game
	quotas := &draw.Chart{X: axis("interval", 14, 2), Y: draw.Axis{Label: "rider's slots"}, Height: 190}
	cost := &draw.Chart{X: axis("interval", 14, 2), Y: draw.Axis{Label: "credits a slot"}, Height: 190}
	var above, below []draw.Series
	for i, r := range ruleSets {
		g, err := play(r.o)
		if err != nil {
			return f, err
		}
		games = append(games, g)
		var toggler, rival []float64
		for k := range g.ride {
			toggler, rival = append(toggler, perSlot(g.toggle[:k+2], 0)), append(rival, perSlot(g.toggle[:k+2], 1))
			f.Numbers.Add(r.name, k+1, g.ride[k].grants[0].Slots[0], value(g.ride[k].grants[0].Charge), toggler[k], rival[k])
		}
		if i < spend { // under Spend a rate is no rate for a slot
			above = append(above, curve(2*i, r.name+": rider, toggler", nil, slots(g.ride, 0)))
			below = append(below, curve(2*i, "", nil, toggler), curve(2*i+1, r.name+": rival", nil, rival))
		}
	}
	quotas.Series(above)
	cost.Series(below)
	free := func(g game) float64 { return sum(slots(g.ride[3:13], 0)) }
	paid := func(g game) float64 { return sum(charges(g.ride[4:], 0)) }
	price := func(g game) string {
		return fmt.Sprintf("%.2f against %.2f", perSlot(g.toggle, 0), perSlot(g.toggle, 1))
	}
	account := func(g game) (one, two, oneSlots, twoSlots float64) {
		return sum(charges(g.whole, 0)), sum(charges(g.divided, 0)) + sum(charges(g.divided, 1)), sum(slots(g.whole[:1], 0)), sum(slots(g.divided[:1], 0)) + sum(slots(g.divided[:1], 1))
	}
	accounts := func(g game) string {
		one, two, a, b := account(g)
		return fmt.Sprintf("one account: %.0f slots, %.0f credits; two: %.0f, %.0f", a, one, b, two)
	}
	hadoop, ours := games[published], games[granted]
	one, two, _, _ := account(ours)
	spendOne, spendTwo, spendSlots, spendBoth := account(games[spend])
	f.Claims = claims("gaming", report.OfKind(report.Beyond,
		report.Claim{Claim: "in the published implementation a budget too small for its share rides free", Published: "discourages free-riding", Model: fmt.Sprintf("%.0f slot-intervals after the third for %.0f credits", free(hadoop), paid(hadoop)),
			Relation: "some slots, no charge", Holds: free(hadoop) > 0 && paid(hadoop) == 0, Note: "the share does not come back"},
		report.Claim{Claim: "grants within the budget end the free ride", Published: "not considered", Model: fmt.Sprintf("%.0f slot-intervals after the third", free(ours)),
			Relation: "none, and all of the budget is paid", Holds: free(ours) == 0 && sum(charges(ours.ride, 0)) == 360, Note: "a share is granted that the budget does not pay"},
		report.Claim{Claim: "in the published implementation toggling pays", Published: "discourages gaming", Model: price(hadoop), Relation: "the toggler pays less a slot than its rival", Holds: perSlot(hadoop.toggle, 0) < perSlot(hadoop.toggle, 1), Note: "it pays more"},
		report.Claim{Claim: "charges at the rates of the grant make toggling dearer", Published: "not considered", Model: price(ours), Relation: "the toggler pays more a slot than its rival", Holds: perSlot(ours.toggle, 0) > perSlot(ours.toggle, 1), Note: "it pays less"},
		report.Claim{Claim: "charges discourage gaming (section 3.1)", Published: "discourages gaming", Model: accounts(ours), Relation: "two accounts at half the rate pay no less for the same slots", Holds: two >= one, Kind: report.Theory,
			Note: "a slot costs the rate: twice the rate costs four times as much for twice the slots, so that users divide their accounts"},
		report.Claim{Claim: "a rate that is spent in an interval gives nothing for two accounts", Published: "not considered", Model: accounts(games[spend]), Relation: "equal slots and charges", Holds: spendOne == spendTwo && spendSlots == spendBoth, Note: "rounding"},
	)...)
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Two charts over intervals. The rider's slots are 80 and 0 in turn in the published implementation, and end with its budget otherwise. A slot costs the toggler %s; with the rates of the grant %s.",
		price(hadoop), price(ours)), quotas, cost)
	return f, err
}
