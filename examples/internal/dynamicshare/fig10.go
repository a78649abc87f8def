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

func (t *trials) figure10() (report.Figure, error) {
	f := report.NewFigure("Figure 10: Balance of the reduce tasks, Twitter",
		fmt.Sprintf("Balance is the mean number of values on a machine over the largest. Top: at a skewness of 80%% with %d partitions; bottom: of 40%%. Dashed: the most that the skewness of so many partitions allows any assignment. "+
			"Rings: the numbers of the paper's text.", reduces))
	var charts []*draw.Chart
	for _, i := range []int{steepest, middle} {
		c := &draw.Chart{Height: 200, GridY: true, X: partitionAxis(), Y: draw.Axis{Label: fmt.Sprintf("at %v%%: Balance (%%)", skewnesses[i]), Max: 102, Ticks: draw.Ticks(0, 100, 20)}}
		line := overPartitions(onTwitter, i, lb)
		t.fill(&f, c, floats(partitions), balance, 1, line, overPartitions(onTwitter, i, dp))
		var most []float64
		for _, at := range line {
			most = append(most, mostBalance(report.Mean(t.of(at, skewness)), at.partitions))
		}
		label := ""
		if i == steepest {
			label = "the most possible"
			c.Dots("paper, LB and DP", []float64{textPartitions, textPartitions}, []float64{balanceLB, balanceDP}, draw.Ring, draw.Black, 4)
		}
		c.Line(label, floats(partitions), most, draw.Stroke{Color: draw.Black, Dash: draw.Dashed})
		charts = append(charts, c)
	}
	return f.Done(t.claims10(), fmt.Sprintf("Two charts of Balance over the number of partitions. With %d partitions at 80%%: LB %s, DP %s.", textPartitions, t.balanced(steepest, lb), t.balanced(steepest, dp)), charts...)
}

// balanced writes the mean Balance with textPartitions.
func (t *trials) balanced(i int, k scheme) string {
	return report.Fixed(report.Mean(t.of(cell{onTwitter, i, textPartitions, k}, balance))) + "%"
}

func (t *trials) claims10() []report.Claim {
	most := mostBalance(skewnesses[steepest], textPartitions)
	needs := 100 - balanceLB*reduces/textPartitions
	less := func(i int) []report.Interval {
		var list []report.Interval
		for _, n := range partitions[1:] {
			c := cell{onTwitter, i, n, lb}
			list = append(list, report.Difference(t.of(c, balance), t.of(c.with(dp), balance)))
		}
		return list
	}
	near := func(k scheme, published float64) bool {
		return math.Abs(report.Mean(t.of(steep(onTwitter, textPartitions, k), balance))-published) <= 5
	}
	limit := "no assignment has more than (100 - skewness) p/R: the 40 partitions of these keys are more skewed than the 23"
	steepLess, middleLess := less(steepest), less(middle)
	return []report.Claim{
		{Claim: "80% skewness and a Balance of 90% with 40 partitions", Published: "both at once", Model: fmt.Sprintf("at most %s%% at 80%%", report.Fixed(most)), Relation: "90 <= (100 - skewness) p/R",
			Holds: balanceLB <= most, Note: fmt.Sprintf("a contradiction: a Balance of 90%% with 40 partitions needs a skewness of at most %s%% of these 40; the 80%% may be that of %d partitions", report.Fixed(needs), reduces), Kind: report.Theory},
		{Claim: "Balance of LB with 40 partitions", Published: "approximately 90%", Model: t.balanced(steepest, lb), Relation: "within 5 points", Holds: near(lb, balanceLB), Note: limit},
		{Claim: "Balance of DP with 40 partitions", Published: "64%", Model: t.balanced(steepest, dp), Relation: "within 5 points", Holds: near(dp, balanceDP), Note: limit},
		{Claim: "LB is more balanced than DP", Published: "90% and 64%", Model: "LB - DP " + span(steepLess) + " points", Relation: "95% interval of the difference above 0 at every number above R", Holds: allAbove(steepLess, 0),
			Note: "at 80% the partition of the heaviest key, alone on its machine, is the largest load under both"},
		{Claim: "LB is more balanced than DP where the keys allow it, at 40%", Published: "not measured", Model: "LB - DP " + span(middleLess) + " points", Relation: "95% interval of the difference above 0 at every number above R", Holds: allAbove(middleLess, 0),
			Note: "DP spreads values as evenly", Kind: report.Beyond},
	}
}
