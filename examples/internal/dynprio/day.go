package dynprio

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/market"
)

// A day has intervals of ten minutes. Office users want slots at work, with demands that change at
// random, and plan their budgets until the evening. Two others want 40 slots all day: one pays at
// most a low rate, one plans.
const (
	dayIntervals        = 144
	workFrom, workUntil = 48, 108
	offices             = 4
	officeBudget        = 2000.
	allDayBudget        = 600.
	lowRate             = .1
	low, planner        = offices, offices + 1
)

// A day is what one seed gave.
type day struct {
	rounds, fixed []round // with a market, and with one price for all
	price         float64 // what a slot sold for on average, which is the fixed price
}

// noFill leaves unpaid slots idle.
var noFill = market.Options{Fill: market.NoFill}

func newDay(seed uint64, repetition int) (d day, err error) {
	r := rand.New(rand.NewPCG(seed, uint64(repetition)))
	var demands [dayIntervals][offices]int
	for k := workFrom; k < workUntil; k++ {
		for i := range offices {
			demands[k][i] = 20 + r.IntN(41)
		}
	}
	users := append(bidders(officeBudget, 0, make([]float64, offices)...), bidders(allDayBudget, 40, lowRate, 0)...)
	start := slices.Clone(users)
	demand := func(k int, users []market.User) {
		for i := range offices {
			users[i].Demand[0] = demands[k][i]
		}
	}
	d.rounds, err = bid(120, dayIntervals, users, noFill, func(k int, users []market.User) error {
		demand(k, users)
		for i := range users {
			if i == low || users[i].Demand[0] == 0 {
				continue
			}
			end := dayIntervals
			if i < offices {
				end = workUntil
			}
			q, err := market.RateToLast(market.Slots{120}, users, i, float64(end-k), noFill)
			if err != nil {
				return err
			}
			users[i].Rate = q.Rate
		}
		return nil
	})
	if err != nil {
		return d, err
	}
	sold, paid := 0.0, 0.0
	for i := range start {
		sold, paid = sold+sum(slots(d.rounds, i)), paid+sum(charges(d.rounds, i))
	}
	d.price = paid / sold
	fixed := market.Options{Fill: market.NoFill, Reserve: credits(d.price)}
	d.fixed, err = bid(120, dayIntervals, start, fixed, func(k int, users []market.User) error {
		demand(k, users)
		for i := range users {
			if i != low {
				users[i].Rate = fixed.Reserve
			}
		}
		return nil
	})
	return d, err
}

// lowSlots is how many slots the low bidder has on average at work, and else.
func (d *day) lowSlots() (work, rest float64) {
	y := slots(d.rounds, low)
	work = sum(y[workFrom:workUntil])
	return work / (workUntil - workFrom), (sum(y) - work) / (dayIntervals - workUntil + workFrom)
}

func (s *study) figureDay() (report.Figure, error) {
	f := report.NewFigure("Beyond the paper: a day's market with users who plan by RateToLast",
		fmt.Sprintf("120 slots, intervals of ten minutes. %d users with a budget of %.0f want 20 to 60 slots each from 8 to 18 h, and bid anew by RateToLast in each interval. So does one of two with %.0f who want 40 slots all day; "+
			"the other pays at most %v a slot. Spare slots are not given away. First seed.", offices, officeBudget, allDayBudget, lowRate),
		"hour", "price", "low_slots", "planner_slots", "low_slots_fixed", "planner_budget")
	list, err := report.Each(s.terminal, "dynprio: day", s.n, func(i int) (day, error) { return newDay(s.Seed, i) })
	if err != nil {
		return f, err
	}
	var hours, price []float64
	for k, r := range list[0].rounds {
		hours, price = append(hours, float64(k)/6), append(price, value(r.totals.Price))
		f.Numbers.Add(hours[k], price[k], r.grants[low].Slots[0], r.grants[planner].Slots[0], list[0].fixed[k].grants[low].Slots[0], value(r.grants[planner].Next.Budget))
	}
	above := &draw.Chart{X: axis("", 24, 4), Y: draw.Axis{Label: "slots"}, Height: 190}
	above.Series([]draw.Series{line(0, "at most .1 a slot", hours, slots(list[0].rounds, low)), line(1, "RateToLast", hours, slots(list[0].rounds, planner))})
	below := &draw.Chart{X: axis("hour", 24, 4), Y: draw.Axis{Label: "price (credits)"}, Height: 150}
	below.Series([]draw.Series{line(2, "", hours, price)})
	of := func(what func(d *day) float64) report.Interval { return report.Across(list, what) }
	work, rest := of(func(d *day) float64 { w, _ := d.lowSlots(); return w }), of(func(d *day) float64 { _, r := d.lowSlots(); return r })
	more := of(func(d *day) float64 { w, r := d.lowSlots(); return r - w })
	fixed, at := of(func(d *day) float64 { return sum(slots(d.fixed, low)) }), of(func(d *day) float64 { return d.price })
	end := of(func(d *day) float64 {
		return value(d.rounds[dayIntervals-1].grants[planner].Next.Budget) / allDayBudget
	})
	dry := of(func(d *day) float64 { // intervals in which the planner gets no slot
		return float64(len(slices.DeleteFunc(slots(d.rounds, planner), func(n float64) bool { return n > 0 })))
	})
	return f.Done([]report.Claim{
		row("users with a low budget run at low demand (3.1)", "variable pricing allows it", "95% interval of the difference above 0", more.Low() > 0, "its rate buys as many at any time", "%s slots at work, %s else", work, rest),
		row("they would not be able to run in a fixed pricing model", "not at all", "none", fixed.Mean == 0, "the mean price paid is below what they pay at most", "%.0f slot-intervals at the mean price paid, %.2f", fixed.Mean, at.Mean),
		row("the budget of a user who bids by RateToLast lasts", "future work", "always slots, at most 5% left", dry.Mean == 0 && end.Mean <= .05, "the others' rates and demands change after its bid",
			"%.1f intervals without slots, %.1f%% of the budget left", dry.Mean, 100*end.Mean),
	}, fmt.Sprintf("Two charts over a day. The user who pays at most .1 has %.0f slots at work and %.0f else. The price rises at work.", work.Mean, rest.Mean), above, below)
}
