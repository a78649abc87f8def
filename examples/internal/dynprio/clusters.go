package dynprio

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/market/equilibrium"
)

// Two clusters of the paper's sizes, and users who divide what they spend in an interval between
// them. What all of a cluster is worth to a user is how fast its jobs would run there.
var (
	clusterSlots = []int{120, 40}
	spending     = []float64{4, 2, 2, 1, 1, 1}
	worth        = mat.NewDense(6, 2, []float64{12, 4, 12, 4, 6, 8, 12, 2, 3, 8, 12, 4})
)

// settle is one Step in each cluster: the prices, and what a user's shares are worth to it.
func settle(bids [][]float64, user int) (prices []float64, utility float64, err error) {
	for j, capacity := range clusterSlots {
		var rates []float64
		for _, b := range bids {
			rates = append(rates, b[j])
		}
		list, err := bid(capacity, 1, bidders(1000, capacity, rates...), market.Options{Charge: market.Spend}, nil)
		if err != nil {
			return nil, 0, err
		}
		prices = append(prices, value(list[0].totals.Price))
		utility += worth.At(user, j) * list[0].grants[user].Share
	}
	return prices, utility, nil
}

func (s *study) figureClusters() (report.Figure, error) {
	const rounds = 30
	f := report.NewFigure("Section 6: two clusters with published prices",
		"Six users spend fixed amounts in an interval on clusters of 120 and 40 slots. One user an interval, in turn, looks at the two published prices and answers with equilibrium.BestResponse. Dotted: the equilibrium.",
		"interval", "price_large", "price_small", "equilibrium_large", "equilibrium_small", "utility_before", "utility_after")
	want, err := equilibrium.Equilibrium(spending, worth, equilibrium.EquilibriumOptions{})
	if err != nil {
		return f, err
	}
	var bids [][]float64
	for _, b := range spending {
		bids = append(bids, []float64{b / 2, b / 2})
	}
	prices := [2][]float64{}
	settled, gain := 0, math.Inf(1) // the answers before prices stay within 1% of the equilibrium; the least gain by a user's first answer
	for k := range rounds {
		i := k % len(bids)
		p, before, err := settle(bids, i)
		if err != nil {
			return f, err
		}
		for j := range p {
			prices[j] = append(prices[j], p[j])
			if math.Abs(p[j]-want.Price[j]) > .01*want.Price[j] {
				settled = k + 1
			}
		}
		if bids[i], err = equilibrium.BestResponse(nil, spending[i], worth.RawRowView(i), []float64{p[0] - bids[i][0], p[1] - bids[i][1]}); err != nil {
			return f, err
		}
		_, after, err := settle(bids, i)
		if err != nil {
			return f, err
		}
		f.Numbers.Add(k+1, p[0], p[1], want.Price[0], want.Price[1], before, after)
		if k < len(bids) {
			gain = min(gain, 100*(after/before-1))
		}
	}
	c := &draw.Chart{X: axis("interval", rounds, 5), Y: draw.Axis{Label: "price (credits)"}}
	c.Series([]draw.Series{curve(0, "120 slots", nil, prices[0]), curve(1, "40 slots", nil, prices[1])})
	for j := range prices {
		c.Level("", want.Price[j], draw.Stroke{Color: looks[j].Color, Dash: draw.Dotted})
	}
	return f.Done([]report.Claim{
		row("published prices simplify scheduling across clusters", "simplified", "within three answers of each user", settled <= 3*len(bids), "best responses in turn swing",
			"prices within 1%% of the equilibrium after %d answers of six users", settled),
		row("a best response is worth more than half on each cluster", "not considered", "each user's first answer gains", gain > 0, "the others' bids change", "at least %.1f%%", gain),
	}, "The prices of two clusters over intervals settle at the equilibrium.", c)
}
