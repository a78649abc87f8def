package dynprio

import (
	"math"

	"github.com/schedmath/schedmath/market"
)

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
