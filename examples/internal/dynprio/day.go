package dynprio

import (
	"fmt"
	"math/rand/v2"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/market"
)

// A day has intervals of ten minutes. Office users want slots at work, with a demand that changes at random, and plan their budgets until the
// evening. Three others want the same number of slots all day.
const (
	dayIntervals           = 144
	workFrom, workUntil    = 48, 108
	daySlots               = 120
	offices                = 4
	officeBudget           = 2000.
	allDayDemand           = 40
	allDayBudget           = 600.
	lowRate                = .1 // what the user low pays for a slot at most
	low, planner, constant = offices, offices + 1, offices + 2
)

// A day is what one seed gave.
type day struct {
	rounds, fixed []round
	price         float64 // of a sold slot on average, the fixed price
}

func newDay(seed uint64, repetition int) (d day, err error) {
	r := rand.New(rand.NewPCG(seed, uint64(repetition)))
	demands := make([][offices]int, dayIntervals)
	for k := range demands {
		for i := range offices {
			if k >= workFrom && k < workUntil {
				demands[k][i] = 20 + r.IntN(41)
			}
		}
	}
	users := bidders(officeBudget, 0, make([]float64, offices)...)
	users = append(users, bidders(allDayBudget, allDayDemand, lowRate, 0, 0)...)
	change := func(fixed market.Credits) func(int, []market.User) error {
		return func(k int, users []market.User) error {
			for i := range offices {
				users[i].Demand[0] = demands[k][i]
			}
			for i := range users {
				end := dayIntervals
				if i < offices {
					end = workUntil
				}
				switch {
				case fixed > 0 && i != low:
					users[i].Rate = fixed
				case i == low || i == constant && k > 0 || users[i].Demand[0] == 0:
				default:
					q, err := market.RateToLast(users, i, float64(end-k), market.Slots{daySlots}, market.Options{Fill: market.NoFill})
					if err != nil {
						return err
					}
					users[i].Rate = q.Rate
				}
			}
			return nil
		}
	}
	start := append([]market.User(nil), users...)
	if d.rounds, err = bid(daySlots, dayIntervals, users, market.Options{Fill: market.NoFill}, change(0)); err != nil {
		return d, err
	}
	sold, paid := 0.0, 0.0
	for i := range start {
		sold, paid = sold+sum(slots(d.rounds, i)), paid+sum(charges(d.rounds, i))
	}
	d.price = paid / sold
	d.fixed, err = bid(daySlots, dayIntervals, start, market.Options{Fill: market.NoFill, Reserve: credits(d.price)}, change(credits(d.price)))
	return d, err
}

// dry counts the intervals in which a user's budget pays for no slot.
func dry(list []round, user int) float64 {
	n := 0.0
	for _, r := range list {
		if r.grants[user].Why[0] == market.NoCredit {
			n++
		}
	}
	return n
}

func (s *study) figureDay() (report.Figure, error) {
	f := report.Figure{
		Item:  "day",
		Title: "Beyond the paper: a day's market with users who plan by RateToLast",
		Caption: fmt.Sprintf("%d slots, intervals of ten minutes. %d users with a budget of %.0f want 20 to 60 slots each from 8 to 18 h. Three with %.0f want %d slots all day: one pays at most %.1f credits a slot, "+
			"one bids anew by RateToLast in each interval, one keeps the first such rate. Spare slots are not given away. Lines: first seed.", daySlots, offices, officeBudget, allDayBudget, allDayDemand, lowRate),
		Numbers: report.Table{Columns: []string{"hour", "price", "low_slots", "planner_slots", "constant_slots", "low_slots_fixed", "planner_budget", "constant_budget"}},
	}
	list, err := each(s, "day", s.n, func(i int) (day, error) { return newDay(s.Seed, i) })
	if err != nil {
		return f, err
	}
	first := list[0]
	var hours, price, budgets, kept []float64
	for k, r := range first.rounds {
		hours, price = append(hours, float64(k)/6), append(price, value(r.totals.Price))
		budgets, kept = append(budgets, value(r.grants[planner].Next.Budget)), append(kept, value(r.grants[constant].Next.Budget))
		f.Numbers.Add(hours[k], price[k], r.grants[low].Slots[0], r.grants[planner].Slots[0], r.grants[constant].Slots[0], first.fixed[k].grants[low].Slots[0], budgets[k], kept[k])
	}
	above := &draw.Chart{X: axis("", 24, 4), Y: draw.Axis{Label: "slots"}, Height: 190}
	above.Series(thin(hours, line(0, "at most .1 a slot", slots(first.rounds, low)), line(1, "RateToLast", slots(first.rounds, planner)), line(2, "its first rate kept", slots(first.rounds, constant))))
	below := &draw.Chart{X: axis("hour", 24, 4), Y: draw.Axis{Label: "budget left, price"}, Height: 190}
	below.Series(thin(hours, line(1, "", budgets), line(2, "", kept), line(3, "price", price)))
	of := func(what func(d *day) float64) report.Interval {
		var values []float64
		for i := range list {
			values = append(values, what(&list[i]))
		}
		return report.Over(values)
	}
	work := func(rounds []round) float64 {
		return sum(slots(rounds[workFrom:workUntil], low)) / (workUntil - workFrom)
	}
	rest := func(rounds []round) float64 {
		return (sum(slots(rounds, low)) - sum(slots(rounds[workFrom:workUntil], low))) / (dayIntervals - workUntil + workFrom)
	}
	peak, off := of(func(d *day) float64 { return work(d.rounds) }), of(func(d *day) float64 { return rest(d.rounds) })
	more := of(func(d *day) float64 { return rest(d.rounds) - work(d.rounds) })
	fixed, at := of(func(d *day) float64 { return sum(slots(d.fixed, low)) }), of(func(d *day) float64 { return d.price })
	left := func(user int) report.Interval {
		return of(func(d *day) float64 { return value(d.rounds[dayIntervals-1].grants[user].Next.Budget) / allDayBudget })
	}
	spells := func(user int) report.Interval { return of(func(d *day) float64 { return dry(d.rounds, user) }) }
	gain := of(func(d *day) float64 { return sum(slots(d.rounds, planner)) / sum(slots(d.rounds, constant)) })
	f.Claims = claims("day", []report.Claim{
		{Claim: "users with a low budget run at low demand (section 3.1)", Published: "variable pricing allows it", Model: fmt.Sprintf("%s slots at work, %s else", peak, off), Relation: "95% interval of the difference above 0", Holds: more.Low() > 0,
			Note: "its rate buys as many at any time", Kind: report.Beyond},
		{Claim: "they would not be able to run in a fixed pricing model", Published: "not at all", Model: fmt.Sprintf("%.0f slot-intervals at the mean price paid, %.2f", fixed.Mean, at.Mean), Relation: "none", Holds: fixed.Mean == 0,
			Note: "the mean price paid is below what they pay at most", Kind: report.Beyond},
		{Claim: "a user who bids by RateToLast has a budget that lasts", Published: "future work", Model: fmt.Sprintf("%s intervals dry, %s of the budget left", spells(planner), left(planner)), Relation: "never dry, at most 5% left",
			Holds: spells(planner).Mean == 0 && left(planner).Mean <= .05, Note: "the others' rates and demands change after its bid", Kind: report.Beyond},
		{Claim: "keeping the first rate buys fewer slots than planning anew", Published: "not considered", Model: fmt.Sprintf("planner/constant %s; constant: %s intervals dry, %s left", gain, spells(constant), left(constant)), Relation: "95% interval of the ratio above 1",
			Holds: gain.Low() > 1, Note: "slots are cheap at night, when the constant rate buys all it wants; anew, the budget is spent on dear slots", Kind: report.Beyond},
	}...)
	f.Picture, err = draw.New(fmt.Sprintf("Two charts over a day. The user who pays at most .1 has %.0f slots at work and %.0f else. The budget of the user who plans falls evenly to 0.", peak.Mean, off.Mean), above, below)
	return f, err
}
