package dynprio

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/market"
)

func (s *study) figure1() (report.Figure, error) {
	f := report.NewFigure("Figure 1: 15 slots shared in proportion to three bids", "The charges are for one interval in which all granted slots are held.",
		"user", "rate", "share", "slots", "charge", "price")
	names, rates := []string{"Alice", "Bob", "Sam"}, []float64{4, 1.5, 2}
	list, err := bid(15, 2, bidders(100, 15, rates...), market.Options{})
	if err != nil {
		return f, err
	}
	c := &draw.Chart{Height: 110, X: draw.Axis{Label: "slots", Max: 15, Ticks: draw.Ticks(0, 15, 1)}, Y: draw.Axis{Max: 1, Ticks: []draw.Tick{}, NoLine: true}}
	price, from := value(list[0].totals.Price), 0.0
	var got, paid []float64
	for i, g := range list[0].grants {
		n, charge := float64(g.Slots[0]), charge(list[1], i)
		got, paid = append(got, n), append(paid, charge)
		f.Numbers.Add(names[i], rates[i], g.Share, n, charge, price)
		c.Block(from, .1, from+n, .9, draw.PaintOf(i), fmt.Sprintf("%s: %.0f", names[i], n))
		from += n
	}
	f.Shown = f.Numbers
	return f.Done([]report.Claim{
		report.Says("bids of 4, 1.5 and 2 for 15 slots", "8, 3, 4", "equal", "%v", got).When(slices.Equal(got, []float64{8, 3, 4})),
		report.Says("the price is the sum of the bids", "4 + 1.5 + 2", "equal 7.5", "%v", price).When(price == 7.5),
		report.Says("each pays its bid for each slot", "s_i u_i", "equal 32, 4.5, 8", "%v", paid).When(slices.Equal(paid, []float64{32, 4.5, 8})),
	}, "15 slots: Alice has 8, Bob 3 and Sam 4.", c)
}

// credits is an amount of money, to the micro-credit.
func credits(x float64) market.Credits { return market.Credits(math.Round(x * float64(market.Credit))) }

// value is an amount of money in credits.
func value(c market.Credits) float64 { return float64(c) / float64(market.Credit) }

// bidders are users with equal budgets who could use all slots.
func bidders(budget float64, slots int, rates ...float64) []market.User {
	var users []market.User
	for _, r := range rates {
		users = append(users, market.User{Budget: credits(budget), Rate: credits(r), Demand: market.Slots{slots}})
	}
	return users
}

// A round is what one Step gave. The charges are for the round before.
type round struct {
	grants []market.Grant
	totals market.Totals
}

// charge is what a user paid.
func charge(r round, user int) float64 { return value(r.grants[user].Charge) }

// bid lets users bid for some rounds in which they hold all paid slots that they get.
func bid(slots, rounds int, users []market.User, o market.Options) ([]round, error) {
	var list []round
	for range rounds {
		grants, totals, err := market.Step(nil, market.Slots{slots}, users, o)
		if err != nil {
			return nil, err
		}
		list = append(list, round{grants, totals})
		for i, g := range grants {
			users[i] = g.Next
			users[i].Used = [2]float64{float64(g.Slots[0])}
		}
	}
	return list, nil
}

// sum adds numbers in their order.
func sum(list []float64) float64 {
	total := 0.0
	for _, x := range list {
		total += x
	}
	return total
}
