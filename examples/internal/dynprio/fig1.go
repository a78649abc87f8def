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
	list, err := bid(15, 2, bidders(100, 15, rates...), market.Options{}, nil)
	if err != nil {
		return f, err
	}
	c := &draw.Chart{Height: 110, X: axis("slots", 15, 1), Y: draw.Axis{Max: 1, Ticks: []draw.Tick{}, NoLine: true}}
	price, from := value(list[0].totals.Price), 0.0
	var got, paid []float64
	for i, g := range list[0].grants {
		n, charge := float64(g.Slots[0]), value(list[1].grants[i].Charge)
		got, paid = append(got, n), append(paid, charge)
		f.Numbers.Add(names[i], rates[i], g.Share, n, charge, price)
		c.Block(from, .1, from+n, .9, draw.PaintOf(i), fmt.Sprintf("%s: %.0f", names[i], n))
		from += n
	}
	f.Shown = f.Numbers
	// A job of some work by its parallelism, and charges beside grants.
	worst, over := 0.0, 0
	for _, e := range []experiment{narrow, medium, wide} {
		sc := scenarios[e]
		for _, o := range s.runs[e] {
			for u := range sc.users {
				worst = max(worst, math.Abs((enough-o.steps[len(o.steps)-1].budgets[u])/(sc.rate(u)*o.held[u]/interval)-1))
			}
		}
	}
	for _, e := range []experiment{twoOn, eightyOn, boostOff} {
		for _, o := range s.runs[e] {
			for _, st := range o.steps {
				if st.overpaid {
					over++
				}
			}
		}
	}
	return f.Done([]report.Claim{
		as(report.Constructed, row("bids of 4, 1.5 and 2 for 15 slots", "8, 3, 4", "equal", slices.Equal(got, []float64{8, 3, 4}), "rounding", "%v", got)),
		as(report.Constructed, row("the price is the sum of the bids", "4 + 1.5 + 2", "equal 7.5", price == 7.5, "somebody is not active", "%v", price)),
		as(report.Constructed, row("each pays its bid for each slot", "s_i u_i", "equal 32, 4.5, 8", slices.Equal(paid, []float64{32, 4.5, 8}), "budgets bind", "%v", paid)),
		as(report.Theory, row("a job costs its rate times its slot-time, whatever its parallelism (3.1)", "the same resources, run longer", "at most 1e-6 of it", worst <= 1e-6,
			"budgets bind", "greatest difference with jobs of 30, 120 and 480 tasks %.1g, if all slots held are charged and no spare ones given", worst)),
		as(report.Theory, row("nobody pays more than its rate for an allocated slot (3.1)", "guaranteed", "none", over == 0, "charges beyond the grant", "%d steps of Figures 4, 6 and 11", over)),
	}, "15 slots: Alice has 8, Bob 3 and Sam 4.", c)
}
