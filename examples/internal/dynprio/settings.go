package dynprio

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/market"
)

// A setting is reading A with one change, or all changes to reading B.
type setting struct {
	name   string
	change func(c *scenario)
}

// exactly has charges at the rates of the grant and exact rounding, with a basis of charges.
func exactly(basis market.Basis) func(c *scenario) {
	return func(c *scenario) { c.rules = market.Options{Lag: 1, Charge: basis} }
}

var settings = []setting{
	{"A, as published", func(*scenario) {}},
	{"4 tasks a slot", func(c *scenario) { c.tasks *= 4 }},
	{"all every 60 s", func(c *scenario) { c.every = 60 }},
	{"no lag", func(c *scenario) { c.rules.Lag = 0 }},
	{"least loss", func(c *scenario) { c.listed = false }},
	{"exact market", exactly(market.WithinGrant)},
	{"all held", exactly(market.AllHeld)},
	{"spend", exactly(market.Spend)},
	{"B", nil},
}

// number is the i-th number of a claim's model.
func number(c report.Claim, i int) string {
	return strings.FieldsFunc(c.Model, func(r rune) bool { return !strings.ContainsRune("0123456789.-", r) })[i]
}

func (s *study) figureSettings() (report.Figure, error) {
	f := report.NewFigure("Verdicts by the number of tasks, the interval, the lag and the charge",
		"Reading A with one change at a time, and reading B. Shaded, yes: as the paper has it. Numbers: queue 2's spending over queue 1's (.26 to .27), the longest times (1.8), the seconds by which queue 1 is farther from Table 3's ideal than under Capacity, the boost (3), and the percentage that preemption costs (at most 2.6).",
		"setting", "headline", "model", "holds")
	var names []string
	for _, set := range settings {
		names = append(names, set.name)
	}
	c := &draw.Chart{X: draw.Axis{Min: -.5, Max: 4.5, NoLine: true}, Y: draw.Categories("", names...), Height: 250}
	for k, name := range []string{"spending", "longest", "Table 3", "boost", "cost"} {
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(k), Label: name})
	}
	most, all := 0, ""
	for i, set := range settings {
		x := &study{Options: s.Options, n: s.n, terminal: s.terminal}
		if set.change != nil {
			x.change = func(c *scenario) { asPublished(c); set.change(c) }
		}
		if c := two.with(x.of); i > 0 && c.tasks == 120 { // what the market does not change
			x.runs[twoCapacity], x.runs[twoFIFO] = s.runs[twoCapacity], s.runs[twoFIFO]
		} else if i == 0 {
			x = s
		}
		x, err := x.after(drain, twoCapacity, twoFIFO, boostOn, boostOff)()
		if err != nil {
			return f, err
		}
		claims := []report.Claim{spendClaim(x.runs[twoOn]), longestClaim(x.runs[twoOn]), tableClaim(x.runs[twoOn], x.runs[twoCapacity], x.fifoMean()), boostClaim(x.runs[boostOn]), costClaim(x.runs[boostOn], x.runs[boostOff])}
		y := float64(len(settings) - 1 - i)
		for k, v := range claims {
			v = v.In(s.Quick)
			f.Numbers.Add(set.name, v.Headline, v.Model, v.HoldsWord())
			text := number(v, []int{0, 0, 1, 2, 0}[k]) // queue 1 of Table 3, the ratio behind two times
			if v.Holds {
				c.Area(float64(k)-.5, y-.45, float64(k)+.5, y+.45, draw.Pale)
				text += " yes"
			}
			c.Text(float64(k), y, text, draw.Black)
		}
		hold := report.Number(claims, func(v report.Claim) bool { return v.Holds })
		most, all = max(most, hold), all+fmt.Sprintf("; %s %d", set.name, hold)
	}
	list, err := chargeClaims()
	if err != nil {
		return f, err
	}
	return f.Done(append(list, allClaim(most, all[2:])), "A table of settings and numbers; those that agree with the paper are shaded.", c)
}

func allClaim(most int, model string) report.Claim {
	return when(most == 5, row("one setting gives all five numbers of the market", "all five", "all hold under a setting", "no setting of these gives all", "%s", model))
}

// chargeClaims are what charges do, where users of 120 slots can use all: to demand, and to a user
// of rate 2 who parts its account.
func chargeClaims() (list []report.Claim, err error) {
	for i, basis := range []market.Basis{market.WithinGrant, market.Spend} {
		pay := func(rates ...float64) (slot, first, both float64) {
			rounds, e := bid(120, 2, bidders(1000, 120, rates...), market.Options{Charge: basis})
			if e != nil {
				err = e
				return 0, 0, 0
			}
			return value(rounds[0].grants[0].Next.GrantedRate), charge(rounds[1], 0), charge(rounds[1], 0) + charge(rounds[1], 1)
		}
		few, _, _ := pay(slices.Repeat([]float64{1}, 10)...)
		many, _, _ := pay(slices.Repeat([]float64{1}, 100)...)
		_, one, _ := pay(2, 1)
		_, _, both := pay(1, 1, 1)
		under := []string{"", ", if a rate is what is spent in an interval"}[i]
		list = append(list, dearerClaim(under, few, many), accountsClaim(under, one, both))
	}
	return list, err
}

func dearerClaim(under string, few, many float64) report.Claim {
	return as(report.Theory, when(many > few, row("when demand is high a slot is more expensive (1, 3.1)"+under, "more expensive", "a slot costs more beside 99 users of the same rate than beside 9",
		"a user pays its own rate; demand lowers how many slots it gets", "%.3f against %.3f credits", many, few)))
}

func accountsClaim(under string, one, both float64) report.Claim {
	return as(report.Theory, when(both >= one, row("charges discourage gaming (3.1)"+under, "discourages gaming", "two accounts at half the rate pay no less for as many slots",
		"twice the rate costs four times as much for twice the slots, so that users divide their accounts", "one account %.0f credits, two %.0f", one, both)))
}
