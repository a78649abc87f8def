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
		fmt.Sprintf("Balance is the mean number of values on a machine over the largest. Lines: at a skewness of %v%% with %d partitions. Dashed and dotted: the most that the skewness of so many partitions allows any assignment, at %v%% and at %v%%. "+
			"Rings: the numbers of the paper's text, which says 80%%.", skewnesses[middle], reduces, skewnesses[middle], skewnesses[steepest]))
	c := &draw.Chart{GridY: true, X: partitionAxis(), Y: draw.Axis{Label: "Balance (%)", Max: 102, Ticks: draw.Ticks(0, 100, 20)}}
	t.fill(&f, c, floats(partitions), balance, 1, overPartitions(onTwitter, middle, lb), overPartitions(onTwitter, middle, dp))
	c.Dots("paper, LB and DP", []float64{textPartitions, textPartitions}, []float64{balanceLB, balanceDP}, draw.Ring, draw.Black, 4)
	var most [2][]float64
	for k, i := range []int{middle, steepest} {
		for _, at := range overPartitions(onTwitter, i, lb) {
			most[k] = append(most[k], mostBalance(report.Mean(t.of(at, skewness)), at.partitions))
		}
		c.Line(fmt.Sprintf("most at %v%%", skewnesses[i]), floats(partitions), most[k], draw.Stroke{Color: draw.Black, Dash: []draw.Dash{draw.Dashed, draw.Dotted}[k]})
	}
	return f.Done(t.claims10(), fmt.Sprintf("Balance over the number of partitions. With %d partitions at %v%%: LB %s, DP %s.", textPartitions, skewnesses[middle], t.balanced(lb), t.balanced(dp)), c)
}

// balanced writes the mean Balance with textPartitions.
func (t *trials) balanced(k scheme) string {
	return report.Fixed(report.Mean(t.of(cell{onTwitter, middle, textPartitions, k}, balance))) + "%"
}

func (t *trials) claims10() []report.Claim {
	var less []report.Interval
	for _, n := range partitions[1:] {
		c := cell{onTwitter, middle, n, lb}
		less = append(less, report.Difference(t.of(c, balance), t.of(c.with(dp), balance)))
	}
	return []report.Claim{
		every(report.Claim{Claim: "LB is more balanced than DP where the keys allow it, at 40%", Published: "90% and 64%, at 80%", Model: "LB - DP " + span(less) + " points", Relation: "95% interval of the difference above 0 at every number above R",
			Note: "DP spreads values as evenly", Kind: report.Beyond}, less, 0, report.Claim.Above),
	}
}
