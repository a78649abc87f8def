package dynamicshare

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
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
		fmt.Sprintf("Balance is the mean number of values on a machine over the largest. The skewness is that of %d partitions. Dashed and dotted: the most that a skewness of so many partitions allows any assignment. "+
			"Rings: the numbers of the paper's text, which says 80%%.", reduces))
	var charts []*draw.Chart
	for r, t := range all {
		at := t.skewnesses[middle]
		c := &draw.Chart{Height: 200, GridY: true, X: partitionAxis(), Y: draw.Axis{Label: fmt.Sprintf("%s, at %v%%: Balance (%%)", t.reading, at), Max: 102, Ticks: draw.Ticks(0, 100, 20)}}
		t.fill(&f, c, floats(partitions), balance, 1, overPartitions(onTwitter, middle, lb), overPartitions(onTwitter, middle, dp), overPartitions(onTwitter, middle, dpExact))
		c.Dots([]string{"paper, LB and DP", ""}[r], []float64{textPartitions, textPartitions}, []float64{balanceLB, balanceDP}, draw.Ring, draw.Black, 4)
		most := func(label string, i int, dash draw.Dash) {
			y := report.Column(overPartitions(onTwitter, i, lb), func(at *cell) float64 { return mostBalance(report.Mean(t.of(*at, skewness)), at.partitions) })
			c.Line(label, floats(partitions), y, draw.Stroke{Color: draw.Black, Dash: dash})
		}
		most([]string{"the most possible", ""}[r], middle, draw.Dashed)
		if t.steep != middle {
			most(fmt.Sprintf("at %v%%", t.skewnesses[t.steep]), t.steep, draw.Dotted)
		}
		charts = append(charts, c)
	}
	b := all[1]
	return f.Done(all.claims((*trials).claims10), fmt.Sprintf("Two charts of Balance over the number of partitions. With %d partitions, reading B: LB %s, DP %s.", textPartitions, b.balanced(lb), b.balanced(b.dp)), charts...)
}

// balanced is the Balance with textPartitions.
func (t *trials) balanced(k scheme) report.Interval {
	return report.Over(t.of(t.at(onTwitter, textPartitions, k), balance))
}

func (t *trials) claims10() []report.Claim {
	var less []report.Interval
	for _, n := range partitions[1:] {
		c := cell{onTwitter, middle, n, lb}
		less = append(less, report.Difference(t.of(c, balance), t.of(c.with(t.dp), balance)))
	}
	kind := report.Beyond
	if t.steep == middle { // the reading was found so
		kind = report.Constructed
	}
	list := []report.Claim{
		every(report.Claim{Claim: fmt.Sprintf("LB is more balanced than DP, at %v%%", t.skewnesses[middle]), Published: "90% and 64%, at 80%", Model: "LB - DP " + span(less) + " points", Relation: "95% interval of the difference above 0 at every number above R",
			Note: "DP spreads values as evenly", Kind: kind}, less, 0, report.Claim.Above),
	}
	if mostBalance(t.skewnesses[t.steep], textPartitions) < balanceLB {
		return list // by arithmetic the two numbers are out of reach
	}
	near := func(name string, k scheme, published float64) report.Claim {
		i := t.balanced(k)
		return report.Claim{Claim: "Balance of " + name + " with 40 partitions", Headline: "Figure 10: Balance of " + name + ", 40 partitions", Published: report.Short(published) + "%", Model: i.String() + "%",
			Relation: "in the 95% interval", Holds: i.Low() <= published && published <= i.High(), Note: "speeds and skewness were chosen among round numbers", Kind: report.Constructed}
	}
	return append(list, near("LB", lb, balanceLB), near("DP", t.dp, balanceDP))
}
