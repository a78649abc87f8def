package dynprio

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
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

// several is the shape of both readings, and shapes are what it was chosen among, under the rules of
// reading A.
var (
	several = shape{2, .3}
	shapes  = []shape{{1, .1}, {1, .3}, {1, .5}, {2, .1}, {2, .2}, several, {2, .4}, {2, .5}, {3, .1}, {3, .3}, {3, .5}, {4, .1}, {4, .3}, {4, .5}}
)

// figure4Means are the mid-points of Figure 4's ranges: queue 1 and 2 under the market, and under
// Capacity.
var figure4Means = [4]float64{(3000 + 3200) / 2, (4500 + 5800) / 2, (3000 + 3600) / 2, (3600 + 5500) / 2}

// misfit is the sum of the squares of how far the four means are from Figure 4's, relatively.
func misfit(on, reserved []outcome) (sum float64) {
	for i, want := range figure4Means {
		off := numbers.Across([][]outcome{on, reserved}[i/2], meanOf(i%2)).Mean/want - 1
		sum += off * off
	}
	return sum
}

func (s *study) figureSettings() (report.Figure, error) {
	f := report.NewFigure("How the number of tasks a slot and the spread of their times were chosen",
		fmt.Sprintf("The misfit to Figure 4's four means, by which the setting was chosen, under the rules of reading A, on repetitions %s, which judge nothing.", found),
		"tasks_a_slot", "spread", "misfit", "market_1_s", "market_2_s", "capacity_1_s", "capacity_2_s")
	f.Shown.Columns = f.Numbers.Columns
	fits := map[shape]float64{}
	var names []string
	tried, n := shapes, s.n
	if s.Quick {
		tried, n = []shape{shapes[0], several}, 2
	}
	for _, x := range tried {
		y := &study{Options: s.Options, n: n, seeds: found, terminal: s.terminal, change: func(c *scenario) { contrib(c); x.of(c) }}
		if _, err := y.after(drain, twoCapacity)(); err != nil {
			return f, err
		}
		on, reserved := y.runs[twoOn], y.runs[twoCapacity]
		fits[x] = misfit(on, reserved)
		cells := []any{x.tasks, x.spread, fits[x]}
		for _, runs := range [][]outcome{on, reserved} {
			for q := range 2 {
				cells = append(cells, numbers.Across(runs, meanOf(q)).Mean)
			}
		}
		f.Numbers.Add(cells...)
		f.Shown.Show(cells...)
		names = append(names, fmt.Sprintf("%d, %.0f%%", x.tasks, 100*x.spread))
	}
	c := &draw.Chart{X: draw.Categories("tasks a slot, spread of their times", names...), Y: draw.Axis{Label: "misfit"}, GridY: true}
	c.Points([]draw.Series{draw.Curve(0, "", nil, numbers.Column(tried, func(x *shape) float64 { return fits[*x] }))})
	list, err := chargeClaims()
	if err != nil {
		return f, err
	}
	return f.Done(append(list, foundClaim(tried, fits)), "Misfits by setting: the least for two tasks a slot whose times lie within 30% of their mean.", c)
}

// foundClaim is that the readings' setting has the least misfit.
func foundClaim(tried []shape, fits map[shape]float64) report.Claim {
	best := slices.MinFunc(tried, func(a, b shape) int { return cmp.Compare(fits[a], fits[b]) })
	c := report.Says("mean times of two queues under the market and under Capacity", "3000-3200, 4500-5800; 3000-3600, 3600-5500 s",
		"the reading has the least misfit of the settings tried", "least misfit %.4f: %d tasks a slot, %.0f%%", fits[best], best.tasks, 100*best.spread).When(best == several)
	c.Kind, c.Reading = report.Found, "A"
	return c
}

// chargeClaims are what charges do, where users of 120 slots can use all: to demand, to a user of
// rate 2 who parts its account, and to one of low budget while others want nothing.
func chargeClaims() (list []report.Claim, err error) {
	for i, basis := range []market.Basis{market.WithinGrant, market.Spend} {
		var runs [4][]round // ten users, a hundred, an account of rate 2 and two of half of that
		for k, rates := range [4][]float64{slices.Repeat([]float64{1}, 10), slices.Repeat([]float64{1}, 100), {2, 1}, {1, 1, 1}} {
			if runs[k], err = bid(120, 2, bidders(1000, 120, rates...), market.Options{Charge: basis}); err != nil {
				return nil, err
			}
		}
		slot := func(rounds []round) float64 { return value(rounds[0].grants[0].Next.GrantedRate) }
		under := []string{"", ", if a rate is what is spent in an interval"}[i]
		list = append(list, dearerClaim(under, slot(runs[0]), slot(runs[1])), accountsClaim(under, charge(runs[2][1], 0), charge(runs[3][1], 0)+charge(runs[3][1], 1)))
	}
	var slots [2]int // beside nine users, and alone
	for i, others := range []int{9, 0} {
		rounds, err := bid(120, 1, bidders(1000, 120, append([]float64{.1}, slices.Repeat([]float64{1}, others)...)...), market.Options{})
		if err != nil {
			return nil, err
		}
		slots[i] = rounds[0].grants[0].Slots[0]
	}
	return append(list, calmClaim(slots[0], slots[1])), nil
}

func dearerClaim(under string, few, many float64) report.Claim {
	return report.Says("when demand is high a slot is more expensive (1, 3.1)"+under, "more expensive",
		"a slot costs more beside 99 users of the same rate than beside 9", "%.3f against %.3f credits", many, few).When(many > few).InTheory()
}

func accountsClaim(under string, one, both float64) report.Claim {
	return report.Says("charges discourage gaming (3.1)"+under, "discourages gaming",
		"two accounts at half the rate pay no less for as many slots", "one account %.0f credits, two %.0f", one, both).When(both >= one).InTheory()
}

func calmClaim(busy, calm int) report.Claim {
	return report.Says("users with low budgets run while demand is low (3.1)", "during low demand periods",
		"at a tenth of the others' rate more than twice the slots where they want none", "%d slots beside nine users, %d alone", busy, calm).When(calm > 2*busy).InTheory()
}
