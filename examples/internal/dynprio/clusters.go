package dynprio

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/market"
)

// Two clusters of the paper's sizes, and users who divide what they spend in an interval between them. What all of a cluster is worth to a user
// is how fast its jobs would run there.
var (
	clusterSlots = []int{120, 40}
	spending     = []float64{4, 2, 2, 1, 1, 1}
	worth        = mat.NewDense(6, 2, []float64{12, 4, 12, 4, 6, 8, 12, 2, 3, 8, 12, 4})
)

const clusterRounds = 30

// An offer is bids of each user on each cluster.
type offer [][]float64

// settle is what one Step in each cluster makes of the bids: prices and each user's utility from whole slots.
func (o offer) settle() (prices, utility []float64, err error) {
	utility = make([]float64, len(o))
	for j, capacity := range clusterSlots {
		var rates []float64
		for i := range o {
			rates = append(rates, o[i][j])
		}
		list, err := bid(capacity, 1, bidders(1000, capacity, rates...), market.Options{Charge: market.Spend}, nil)
		if err != nil {
			return nil, utility, err
		}
		prices = append(prices, value(list[0].totals.Price))
		for i, g := range list[0].grants {
			utility[i] += worth.At(i, j) * float64(g.Slots[0]) / float64(capacity)
		}
	}
	return prices, utility, nil
}

// gain is how much less than its utility the best of other divisions of a user's spending would be worth to it: all on one cluster, or half on
// each. It is in slots, at the worth of the dearer ones.
func (o offer) gain(user int) (float64, error) {
	_, utility, err := o.settle()
	other, own, x := 0.0, o[user], spending[user]
	for _, division := range [][]float64{{x, 0}, {0, x}, {x / 2, x / 2}} {
		o[user] = division
		_, u, err1 := o.settle()
		other, err = max(other, u[user]), errors.Join(err, err1)
	}
	o[user] = own
	slot := max(worth.At(user, 0)/float64(clusterSlots[0]), worth.At(user, 1)/float64(clusterSlots[1]))
	return (utility[user] - other) / slot, err
}

func (s *study) figureClusters() (report.Figure, error) {
	f := report.Figure{
		Item:  "clusters",
		Title: "Section 6: two clusters with published prices",
		Caption: "Six users spend fixed amounts in an interval on clusters of 120 and 40 slots. One user an interval, in turn, looks at the two published prices and answers with market.BestResponse. " +
			"Dotted: the equilibrium.",
		Numbers: report.Table{Columns: []string{"interval", "price_large", "price_small", "equilibrium_large", "equilibrium_small"}},
	}
	want, err := market.Equilibrium(spending, worth, market.EquilibriumOptions{})
	if err != nil {
		return f, err
	}
	bids := offer{}
	for _, b := range spending {
		bids = append(bids, []float64{b / 2, b / 2})
	}
	var prices [2][]float64
	settled := 0 // the first interval from which on all prices are within 1% of the equilibrium
	for k := range clusterRounds {
		p, _, err := bids.settle()
		if err != nil {
			return f, err
		}
		f.Numbers.Add(k+1, p[0], p[1], want.Price[0], want.Price[1])
		for j := range p {
			prices[j] = append(prices[j], p[j])
			if math.Abs(p[j]-want.Price[j]) > .01*want.Price[j] {
				settled = k + 1
			}
		}
		i := k % len(bids)
		if bids[i], err = market.BestResponse(nil, spending[i], worth.RawRowView(i), []float64{p[0] - bids[i][0], p[1] - bids[i][1]}); err != nil {
			return f, err
		}
	}
	var gains []float64
	for i := range bids {
		g, err := bids.gain(i)
		if err != nil {
			return f, err
		}
		gains = append(gains, g)
	}
	c := &draw.Chart{X: axis("interval", clusterRounds, 5), Y: draw.Axis{Label: "price (credits)"}}
	list := []draw.Series{curve(0, "120 slots", nil, prices[0]), curve(1, "40 slots", nil, prices[1])}
	c.Series(list)
	for j := range prices {
		c.Level("", want.Price[j], draw.Stroke{Color: looks[j].Color, Dash: draw.Dotted})
	}
	f.Claims = claims("clusters", report.OfKind(report.Beyond,
		report.Claim{Claim: "published prices simplify scheduling across clusters", Published: "simplified", Model: fmt.Sprintf("prices within 1%% of the equilibrium from interval %d of %d on", settled+1, clusterRounds),
			Relation: "within three answers of each user", Holds: settled <= 3*len(bids), Note: "best responses in turn swing"},
		report.Claim{Claim: "a best response is worth at least as much as all on one cluster, or half on each", Published: "not considered", Model: fmt.Sprintf("gain %.1f to %.1f slots", slices.Min(gains), slices.Max(gains)),
			Relation: "no user loses a whole slot", Holds: slices.Min(gains) > -1, Note: "rounding"},
	)...)
	f.Picture, err = draw.New(fmt.Sprintf("Prices of two clusters over intervals: from interval %d on they stay within 1%% of the equilibrium, %.2f and %.2f.", settled+1, want.Price[0], want.Price[1]), c)
	return f, err
}
