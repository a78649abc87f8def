package dynprio

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/market"
)

func (s *study) figure1() (report.Figure, error) {
	const capacity = 15
	names := []string{"Alice", "Bob", "Sam"}
	rates := []float64{4, 1.5, 2}
	list, err := bid(capacity, 2, bidders(100, capacity, rates...), market.Options{}, nil)
	if err != nil {
		return report.Figure{}, err
	}
	f := report.Figure{
		Item:    "fig1",
		Title:   "Figure 1: 15 slots shared in proportion to three bids",
		Caption: "The charges are for one interval in which all granted slots are held.",
		Numbers: report.Table{Columns: []string{"user", "rate", "share", "slots", "charge", "price"}},
	}
	c := &draw.Chart{Height: 110, X: axis("slots", capacity, 1), Y: draw.Axis{Max: 1, Ticks: []draw.Tick{}, NoLine: true}}
	from := 0.0
	var got []int
	for i, g := range list[0].grants {
		n, charge := g.Slots[0], value(list[1].grants[i].Charge)
		f.Numbers.Add(names[i], rates[i], g.Share, n, charge, value(list[0].totals.Price))
		c.Block(from, .1, from+float64(n), .9, draw.PaintOf(i), fmt.Sprintf("%s: %d", names[i], n))
		from += float64(n)
		got = append(got, n)
	}
	f.Shown = f.Numbers
	paid := []float64{value(list[1].grants[0].Charge), value(list[1].grants[1].Charge), value(list[1].grants[2].Charge)}
	price := value(list[0].totals.Price)
	f.Claims = claims("fig1", report.OfKind(report.Constructed,
		report.Claim{Claim: "bids of 4, 1.5 and 2 for 15 slots", Published: "8, 3, 4", Model: fmt.Sprint(got), Relation: "equal", Holds: slices.Equal(got, []int{8, 3, 4}), Note: "rounding"},
		report.Claim{Claim: "the price is the sum of the bids", Published: "4 + 1.5 + 2", Model: report.Short(price), Relation: "equal 7.5", Holds: price == 7.5, Note: "somebody is not active"},
		report.Claim{Claim: "each pays its bid for each slot", Published: "s_i u_i", Model: fmt.Sprint(paid), Relation: "equal 32, 4.5, 8", Holds: slices.Equal(paid, []float64{32, 4.5, 8}), Note: "budgets bind"},
	)...)
	f.Picture, err = draw.New("15 slots: Alice has 8, Bob 3 and Sam 4.", c)
	return f, err
}
