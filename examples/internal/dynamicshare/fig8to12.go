package dynamicshare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"gonum.org/v1/gonum/floats"
)

func (all readings) figure8() (report.Figure, error) {
	f := report.NewFigure("Figure 8: reduce phase over the skewness",
		fmt.Sprintf("With %d partitions on %d machines. Hadoop gives partition i to machine i. SkewTune does so too and splits the slowest task, which takes %v s, where it then ends earlier; a second SkewTune splits it where it lags, as it would end after twice the time of the task that has just ended. Keys stay whole. "+
			"Whiskers: 95%% intervals of the means. Schemes that are blind to speeds are averaged over the %d rotations of the machines, here and in the next figures.",
			reduces, reduces, overhead, reduces))
	f.Shown.Columns = []string{"reading", "job", "skewness (%)", "exponent", "heaviest key (%)"}
	x := draw.Axis{Label: fmt.Sprintf("skewness of %d partitions (%%)", reduces), Min: -3, Max: 83, Ticks: draw.Ticks(0, 80, 20)}
	var charts []*draw.Chart
	for _, t := range all {
		for j := range jobs {
			c := t.timeChart(j, x)
			var lines [][]cell
			for _, k := range []scheme{hadoop, skewTune, skewTuneLags, dp} {
				var cells []cell
				for i := range skewnesses {
					cells = append(cells, cell{j, i, reduces, k})
				}
				lines = append(lines, cells)
			}
			var skewed []float64 // the same under all schemes
			for _, at := range lines[0] {
				skewed = append(skewed, numbers.Mean(t.of(at, skewness)))
			}
			t.fill(&f, c, skewed, seconds, 1000, lines...)
			charts = append(charts, c)
			for i := range skewnesses {
				exponent := numbers.Column(t.list, func(x *trial) float64 { return x.populations[j][i].exponent })
				heaviest := numbers.Column(t.list, func(x *trial) float64 { return 100 * x.populations[j][i].heaviest() })
				f.Shown.Add(t.reading, jobs[j].name, numbers.Short(skewed[i]), numbers.PlusMinus(exponent), numbers.PlusMinus(heaviest))
			}
		}
	}
	last := func(k scheme) string { return all[1].ms(all[1].at(onTwitter, reduces, k)) }
	return f.Done(all.claims((*trials).claims8), fmt.Sprintf("Four charts of lines over the skewness. Twitter at 80%%, reading B: Hadoop %s, SkewTune %s, DP %s.", last(hadoop), last(skewTune), last(dp)), charts...)
}

func (t *trials) claims8() []report.Claim {
	helps := numbers.Across(t.list, func(x *trial) float64 { return x.long })
	ratios := func(a, b scheme, list ...int) (of []numbers.Interval) { // at each skewness, of some jobs
		for _, j := range list {
			for i := range skewnesses {
				of = append(of, t.ratio(cell{j, i, reduces, a}, cell{j, i, reduces, b}))
			}
		}
		return of
	}
	low, slow, lagging := ratios(dp, hadoop, onTwitter, onYouTube), ratios(skewTune, dp, onTwitter, onYouTube), ratios(skewTuneLags, dp, onTwitter, onYouTube)
	harm := ratios(skewTuneLags, hadoop, onYouTube)
	rise := func(k scheme) float64 {
		c := cell{job: onTwitter, partitions: reduces, scheme: k}
		first := numbers.Mean(t.of(c, seconds))
		c.skewness = len(skewnesses) - 1
		return numbers.Mean(t.of(c, seconds)) / first
	}
	return []report.Claim{
		report.Says("DP's reduce phase is shorter than Hadoop's", "at every skewness", "95% interval of the ratio below 1 at every skewness, both jobs",
			"DP/Hadoop %s", span(low)).Headlined("Figure 8: DP over Hadoop").AllBelow(1, low...),
		report.Says("DP keeps the reduce phase short even at 80%", "low", "DP rises at most to 1.5 times",
			"Twitter at 80%% over the least skewness: DP %s, Hadoop %s", numbers.Fixed(rise(dp)), numbers.Fixed(rise(hadoop))).Headlined("Figure 8: at 80% over the least skewness").When(rise(dp) <= 1.5),
		report.Says("SkewTune fails to meet DP's performance", "at every skewness",
			"95% interval of the ratio above 1 at every skewness, both jobs", "SkewTune/DP %s", span(slow)).AllAbove(1, slow...),
		report.Says("nor does one that splits what lags", "at every skewness",
			"95% interval of the ratio above 1 at every skewness, both jobs", "SkewTune/DP %s", span(lagging)).AllAbove(1, lagging...),
		report.Says("for short jobs splitting what lags costs more than it saves", "performance degradation",
			"95% interval of the ratio above 1 at every skewness", "SkewTune/Hadoop, YouTube %s", span(harm)).AllAbove(1, harm...),
		report.Says("for long jobs splitting what lags saves time", "beneficial", "95% interval of the ratio below 1 at 80%",
			"SkewTune/Hadoop %s, Twitter %d times as long", helps, longer).Below(helps, 1),
	}
}

// What the text on Figures 9 and 10 has for the Twitter job: so many partitions, and s under DP and
// LB.
const (
	textPartitions = 40
	textDP, textLB = 1.9, 2.8
)

func (all readings) figure9() (report.Figure, error) {
	return all.timesFigure("Figure 9: reduce phase over the number of partitions",
		fmt.Sprintf("LB spreads values evenly, DP by when machines end, with sketches in reading B; Hadoop keeps %d partitions. Rings: the times of the paper's text.", reduces),
		(*trials).claims9, func(t *trials) []scheme { return []scheme{hadoop, t.lb, t.dp} },
		func(*trials) mark {
			return mark{"paper, LB and DP", []float64{textPartitions, textPartitions}, []float64{1000 * textLB, 1000 * textDP}}
		})
}

func (t *trials) claims9() []report.Claim {
	faster := t.ratios(t.dp, t.lb)
	var below []numbers.Interval
	for j := range jobs {
		for _, n := range partitions[1:] {
			below = append(below, t.ratio(t.at(j, n, t.lb), t.at(j, reduces, hadoop)))
		}
	}
	dp := numbers.Over(t.of(t.at(onTwitter, textPartitions, t.dp), seconds))
	ratio := t.ratio(t.at(onTwitter, textPartitions, t.lb), t.at(onTwitter, textPartitions, t.dp))
	given := numbers.Interval{Mean: textDP * ratio.Mean, Half: textDP * ratio.Half, N: ratio.N}
	return []report.Claim{
		report.Says("with more partitions LB's reduce phase is shorter than Hadoop's", "shorter",
			"95% interval of the ratio below 1 at every larger number, both jobs", "LB/Hadoop %s", span(below)).AllBelow(1, below...),
		report.Says("DP's reduce phase is shorter than LB's", "at every number of partitions", "95% interval of the ratio below 1 at every number, both jobs",
			"DP/LB %s", span(faster)).Headlined("Figures 9 and 12: DP over LB").AllBelow(1, faster...),
		report.Says("DP with 40 partitions, Twitter", "1900 ms", "", "%s", inMS(dp)).As(report.Found).Single(dp, report.About("1900").Times(.001)),
		report.Says("LB with 40 partitions, Twitter, DP taking 1900 ms", "2800 ms", "",
			"%s", inMS(given)).Headlined("Figure 9: LB, 40 partitions, DP taking 1900 ms").Single(given, report.About("2800").Times(.001)),
	}
}

// inMS writes seconds as milliseconds.
func inMS(i numbers.Interval) string {
	return numbers.Interval{Mean: 1000 * i.Mean, Half: 1000 * i.Half}.String() + " ms"
}

// What the paper measured: s that a decision takes longer with sketches, at 45 partitions, and s
// that sketches gain for Twitter.
const (
	deciding = .12
	gainText = .5
)

func (all readings) figure11() (report.Figure, error) {
	return all.timesFigure("Figure 11: DP with and without sketches",
		fmt.Sprintf("With sketches the best of %d hash functions is taken; without, the default one. Times to decide are not added here. Ring: %v ms below DP, the least that the paper's text has sketches gain.", sketchRows, 1000*gainText),
		(*trials).claims11, func(*trials) []scheme { return []scheme{dp, dpSketch} },
		func(t *trials) mark {
			return mark{"paper: below this", []float64{mostPartitions}, []float64{1000 * (numbers.Mean(t.of(t.at(onTwitter, mostPartitions, dp), seconds)) - gainText)}}
		})
}

func (all readings) figure12() (report.Figure, error) {
	return all.timesFigure("Figure 12: LB and DP, both with sketches",
		fmt.Sprintf("Of %d hash functions DP takes that of the shortest reduce phase, LB that of the best Balance, as in the paper.", sketchRows),
		(*trials).claims12, func(*trials) []scheme { return []scheme{lb, lbSketch, dpSketch} },
		func(*trials) mark { return mark{} })
}

// gain is what sketches save of DP's time with mostPartitions, s.
func (t *trials) gain(job int) numbers.Interval {
	return numbers.Difference(t.of(t.at(job, mostPartitions, dp), seconds), t.of(t.at(job, mostPartitions, dpSketch), seconds))
}

func (t *trials) claims11() []report.Claim {
	share := func(partitions int) []float64 { // gain over the time without sketches
		list := numbers.Ratios(t.of(t.at(onTwitter, partitions, dpSketch), seconds), t.of(t.at(onTwitter, partitions, dp), seconds))
		return numbers.Column(list, func(ratio *float64) float64 { return 1 - *ratio })
	}
	shorter, counted := t.ratios(dpSketch, dp), t.ratios(dpPairs, dp)
	first, end := share(reduces), share(mostPartitions)
	var falls []numbers.Interval
	for j := range jobs {
		falls = append(falls, t.ratio(t.at(j, mostPartitions, dpSketch), t.at(j, reduces, dpSketch)))
	}
	gain, small := t.gain(onTwitter), t.gain(onYouTube)
	at := fmt.Sprintf("95%% interval of the gain with %d partitions ", mostPartitions)
	return []report.Claim{
		report.Says("sketches shorten DP's reduce phase", "shorter", "95% interval of the ratio below 1 at every number of partitions, both jobs",
			"with sketches/without %s", span(shorter)).AllBelow(1, shorter...),
		report.Says("the more partitions, the more sketches gain", "as the number of partitions increases", "95% interval of the difference of the gains above 0",
			"Twitter: %.1f%% with %d, %.1f%% with %d", 100*numbers.Mean(first), reduces, 100*numbers.Mean(end), mostPartitions).Above(numbers.Difference(end, first), 0),
		report.Says("with sketches the reduce phase is shorter the more partitions there are", "as the number of partitions increases",
			"95% interval of the ratio below 1, both jobs", "with %d over with %d %s", mostPartitions, reduces, span(falls)).AllBelow(1, falls...),
		report.Says("sketches gain more than 500 ms for Twitter", "> 500 ms", at+"above 500 ms",
			"%s", inMS(gain)).Headlined("Figure 11: gain of sketches, 45 partitions").Above(gain, gainText),
		report.Says("for Twitter sketches are worth 120 ms more of deciding", "the overhead is negligible", at+"above 120 ms",
			"%s", inMS(gain)).Above(gain, deciding),
		report.Says("for YouTube they are not", "no sketches is preferable", at+"below 120 ms", "%s", inMS(small)).Below(small, deciding),
		report.Says("a counter increases by one for a pair with a whole list, as the text has it and not equation 6", "by one", "mean ratio at most 1.05 at every number of partitions, both jobs",
			"DP on such counters/DP %s", span(counted)).As(report.Beyond).When(!slices.ContainsFunc(counted, func(i numbers.Interval) bool { return i.Mean > 1.05 })),
	}
}

func (t *trials) claims12() []report.Claim {
	helped := t.ratios(lbSketch, lb)
	return []report.Claim{
		report.Says("sketches shorten LB's reduce phase", "shorter", "95% interval of the ratio below 1 at every number of partitions, both jobs",
			"with sketches/without %s", span(helped)).AllBelow(1, helped...),
	}
}

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
		t.fill(&f, c, reals(partitions), balance, 1, overPartitions(onTwitter, steep, t.lb), overPartitions(onTwitter, steep, t.dp))
		c.Dots([]string{"paper, LB and DP", ""}[r], []float64{textPartitions, textPartitions}, []float64{balanceLB, balanceDP}, draw.Ring, draw.Black, 4)
		y := numbers.Column(overPartitions(onTwitter, steep, lb), func(at *cell) float64 { return mostBalance(numbers.Mean(t.of(*at, skewness)), at.partitions) })
		c.Line([]string{"the most without sketches", ""}[r], reals(partitions), y, draw.Stroke{Color: draw.Black, Dash: draw.Dashed})
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
	best := floats.NearestIdx(numbers.Column(fits, func(i *numbers.Interval) float64 { return i.Mean }), balanceDP)
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
