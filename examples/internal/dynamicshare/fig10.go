package dynamicshare

import (
	"errors"
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// What the text on Figure 10 has with textPartitions: Balance in percent under LB and DP.
const (
	balanceLB, balanceDP = 90., 64.
)

// mostBalance is the largest Balance of any assignment, in percent: the machine with the largest
// partition has at least that.
func mostBalance(skewness float64, partitions int) float64 {
	return math.Min(100, (100-skewness)*float64(partitions)/reduces)
}

func (all readings) figure10() (report.Figure, error) {
	f := report.NewFigure("Figure 10: Balance of the reduce tasks, Twitter",
		"Balance is the mean number of values on a machine over the largest, at a skewness of 80%. Dashed: the most that any assignment reaches without sketches. Rings: the numbers of the paper's text. "+
			fmt.Sprintf("Bottom: how the speeds of reading B were found, by the Balance of DP with %d partitions on repetitions %s, which judge nothing; dashed: the paper's.", textPartitions, found))
	f.Shown.Columns = []string{"speed of the fastest machine", "Balance of DP, %"}
	var charts []*draw.Chart
	for r, t := range all {
		c := &draw.Chart{Height: 180, GridY: true, X: partitionAxis(), Y: draw.Axis{Label: t.reading + ": Balance (%)", Max: 102, Ticks: draw.Ticks(0, 100, 20)}}
		t.fill(&f, c, floats(partitions), balance, 1, overPartitions(onTwitter, steep, t.lb), overPartitions(onTwitter, steep, t.dp))
		c.Dots([]string{"paper, LB and DP", ""}[r], []float64{textPartitions, textPartitions}, []float64{balanceLB, balanceDP}, draw.Ring, draw.Black, 4)
		y := numbers.Column(overPartitions(onTwitter, steep, lb), func(at *cell) float64 { return mostBalance(numbers.Mean(t.of(*at, skewness)), at.partitions) })
		c.Line([]string{"the most without sketches", ""}[r], floats(partitions), y, draw.Stroke{Color: draw.Black, Dash: draw.Dashed})
		charts = append(charts, c)
	}
	b := all[1]
	fits, err := b.fits()
	if err != nil {
		return f, err
	}
	c := &draw.Chart{Height: 150, GridY: true, X: draw.Axis{Label: "speed of the fastest machine, the slowest having 1", Min: tops[0] - .1, Max: tops[len(tops)-1] + .1}, Y: draw.Axis{Label: "B: Balance of DP (%)", Max: 102, Ticks: draw.Ticks(0, 100, 20)}}
	c.Series([]draw.Series{draw.Means(0, "", tops, fits)}, 0)
	c.Level("", balanceDP, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 1})
	for i, at := range fits {
		f.Shown.Add(numbers.Short(tops[i]), at.String())
	}
	claims := append(all.claims((*trials).claims10), foundClaim(fits))
	return f.Done(claims, fmt.Sprintf("Two charts of Balance over the number of partitions, one over the speed of the fastest machine. With %d partitions, reading B: LB %s, DP %s.", textPartitions, b.balanced(b.lb), b.balanced(b.dp)), append(charts, c)...)
}

// balanced is the Balance with textPartitions.
func (t *trials) balanced(k scheme) numbers.Interval {
	return numbers.Over(t.of(t.at(onTwitter, textPartitions, k), balance))
}

// fits are the Balance of DP with textPartitions by the speed of the fastest machine.
func (t *trials) fits() ([]numbers.Interval, error) {
	list, err := program.Each(t.terminal, "dynamicshare: speeds", t.n, func(i int) (balances []float64, err error) {
		at := found.At(i)
		d, err := newKeySet(&twitter, report.Stream(t.Seed, at, keyStream+onTwitter)).population(natural).hashedTo(skewnesses[steep]).divide(textPartitions, true)
		for _, top := range tops {
			o, worse := d.under(t.dp, speeds(reduces, top, report.Stream(t.Seed, at, speedStream)))
			balances, err = append(balances, o.balance), errors.Join(err, worse)
		}
		return balances, err
	})
	if err != nil {
		return nil, err
	}
	var fits []numbers.Interval
	for k := range tops {
		fits = append(fits, numbers.Across(list, func(balances *[]float64) float64 { return (*balances)[k] }))
	}
	return fits, nil
}

// foundClaim is that of the speeds tried those of reading B have the Balance of DP nearest to the
// paper's.
func foundClaim(fits []numbers.Interval) report.Claim {
	best := 0
	for k, at := range fits {
		if math.Abs(at.Mean-balanceDP) < math.Abs(fits[best].Mean-balanceDP) {
			best = k
		}
	}
	return report.Claim{Claim: "the speeds of the machines", Published: "64% of DP", Model: fmt.Sprintf("nearest with speeds up to %v: %s%%", tops[best], fits[best]),
		Relation: "of the speeds tried reading B's are the nearest", Holds: tops[best] == fastest, Kind: report.Found, Reading: "B"}
}

func (t *trials) claims10() []report.Claim {
	kind := report.Measured
	if t.hashed { // the reading was found so
		kind = report.Found
	}
	near := func(name string, k scheme, published float64, about report.Number) report.Claim {
		i := t.balanced(k)
		return report.Says("Balance of "+name+" with 40 partitions", numbers.Short(published)+"%", "",
			"%s", i.String()+"%").As(kind).Headlined("Figure 10: Balance of "+name+", 40 partitions").Single(i, about)
	}
	return []report.Claim{near("LB", t.lb, balanceLB, report.About("90")), near("DP", t.dp, balanceDP, report.Printed("64"))}
}
