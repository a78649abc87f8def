package circumflex

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"gonum.org/v1/gonum/stat"
)

// A study is the simulations of Section 4. grid, read and limits run them and fill in what
// the figures draw.
type study struct {
	program.Options
	terminal  io.Writer // for progress bars
	err       error     // of a simulation: it ends all
	o         settings
	n         int // repetitions
	points    []point
	cells     []cell
	fractions []cell
	due       []cell     // the nine points of Figure 5 by the maximum tardiness and lateness
	early     [2]inBatch // by the average and by the maximum stretch
	readings  []reading
	roomy     []cell // the ends of Figure 5(a) with the least M that the implied times leave
	rigid     []cell // and where minima are maxima
}

func newStudy(o program.Options, terminal io.Writer) *study {
	s := &study{Options: o, terminal: terminal, o: base(calibrated), n: repetitions, points: allPoints(), readings: newReadings()}
	if o.Quick {
		s.n, s.points = quickRepetitions, quickPoints()
	}
	return s
}

// grid fills in cells, due and early.
func (s *study) grid() error {
	s.cells = s.simulate(s.n, under(s.o, s.points...), averageResponse, averageStretch, maximumStretch)
	s.due = s.simulate(s.n, under(s.o, allPoints()[(steps*steps-1)*relations:]...), maximumTardiness, maximumLateness)
	s.early = [2]inBatch{s.playEarly(averageStretch), s.playEarly(maximumStretch)}
	return s.err
}

// chance says that there were fewer repetitions than the paper's, if there were.
func (s *study) chance() string {
	return report.Because(s.Quick, fmt.Sprintf("a quick run, %s of %d", numbers.Count(s.n, "repetition"), repetitions))
}

// basis says what the numbers of all simulations rest on.
func (s *study) basis() string {
	return fmt.Sprintf("a job can use M = %d slots (reading A)", s.o.max) + report.Because(s.Quick, "; "+s.chance())
}

// steep returns the nine cells of Figure 5, where both laws are steepest.
func (s *study) steep() []*cell {
	return ofPair(s.cells, steps*steps-1)
}

// means are those of a scheme's number by cell.
func means(list []*cell, of func(c *cell) *[schemes][]float64, k scheme) []float64 {
	var xs []float64
	for _, c := range list {
		xs = append(xs, numbers.Mean(of(c)[k]))
	}
	return xs
}

// above and below are the claims that the mean of values lies above, or below, x.
func above(values []float64, x float64) report.Claim {
	return report.Claim{}.Above(numbers.Over(values), x)
}
func below(values []float64, x float64) report.Claim {
	return report.Claim{}.Below(numbers.Over(values), x)
}

// falls is the claim that a scheme's number falls from the first cell to the last, as does the
// least-squares line through all.
func falls(list []*cell, of func(c *cell) *[schemes][]float64, k scheme) report.Claim {
	slopes := make([]float64, len(of(list[0])[k]))
	for rep := range slopes {
		var xs, ys []float64
		for i, c := range list {
			xs, ys = append(xs, float64(i)), append(ys, of(c)[k][rep])
		}
		_, slopes[rep] = stat.LinearRegression(xs, ys, nil, false)
	}
	return report.Claim{}.All(below(numbers.Differences(of(list[len(list)-1])[k], of(list[0])[k]), 0), below(slopes, 0))
}

// overDatasets is the mean of numbers of datasets, and largestOf the largest of each in some
// repetitions.
func overDatasets(most *[datasets]int) float64 {
	sum := 0.0
	for _, k := range most {
		sum += float64(k) / datasets
	}
	return sum
}

func largestOf(runs [][datasets]int) *[datasets]int {
	var all [datasets]int
	for _, most := range runs {
		for d, k := range most {
			all[d] = max(all[d], k)
		}
	}
	return &all
}

// workloads says of the ends of Figure 5(a) in each reading what loads them: the work of the schemes
// over what the cluster can do until the last arrival. FLEX orders scans by size; beside it stands
// FIFO, the same plans by arrival. D is A there.
func (s *study) workloads() (numbers.Table, error) {
	t := numbers.Table{Columns: []string{"workload", "ρ", "M", "map load: FLEX", "BATCH", "CIRCUMFLEX", "bottleneck", "FLEX (min)", "FIFO/FLEX", "CIRCUMFLEX/FLEX, 16 to 84% of the repetitions", "BATCH/FLEX", "repetitions"}}
	for i := range s.readings[:3] {
		r := &s.readings[i]
		o := r.settings
		o.fifo = true
		arrived := s.simulate(s.n, under(o, steepEnds()...), averageResponse)
		if s.err != nil {
			return t, s.err
		}
		for end := range r.ends {
			c := &r.ends[end]
			response := values(c)[flex]
			row := []any{fmt.Sprintf("%s: perfectly %s correlation", r.Name, endNames[end]), numbers.Full(o.load), numbers.Full(float64(o.max*slots) / float64(o.slots))}
			for k := range schemes {
				row = append(row, numbers.Fixed(numbers.Mean(c.capacity[k])))
			}
			row = append(row, "map slots, the only resource", numbers.Over(response).String(), numbers.Ratio(values(&arrived[end])[flex], response[:s.n]).String())
			for _, k := range []scheme{circumflex, batch} {
				row = append(row, numbers.Middle(ratios(c)[k], numbers.Fixed))
			}
			t.Show(append(row, len(response))...)
		}
	}
	return t, nil
}

// Colours and dashes of the schemes, their marks and those of what the paper prints.
var strokes = [schemes]draw.Stroke{
	flex:       {Color: draw.Black, Dash: draw.Dashed, Width: 1.2},
	batch:      {Color: draw.Vermilion, Dash: draw.DashDot},
	circumflex: {Color: draw.Blue},
}

var (
	marks     = [schemes]draw.Mark{flex: draw.Disc, batch: draw.Triangle, circumflex: draw.Disc}
	published = [schemes]draw.Mark{batch: draw.OpenTriangle, circumflex: draw.Ring}
)

// schemesNote says in a caption what the schemes are.
const schemesNote = "FLEX shares no scans, BATCH collects the scans of a dataset in windows, CIRCUMFLEX also shares scans that are under way. " +
	"Popularity and size of the datasets follow Zipf-like laws with exponents θ₁ and θ₂."

// series is a line of the scheme's look, named in the legend if named is set.
func (k scheme) series(named bool) draw.Series {
	s := draw.Series{Stroke: strokes[k], Mark: marks[k], Radius: 2.5}
	if named {
		s.Label = schemeNames[k]
	}
	return s
}

// overRelations is the line of a scheme over the correlations, with a dot for each
// repetition.
func overRelations(k scheme, list []*cell, of func(c *cell) *[schemes][]float64) draw.Series {
	s := k.series(true)
	for i, c := range list {
		s.X = append(s.X, float64(i))
		s.Add(of(c)[k])
	}
	return s
}

// responses is a chart of the schemes' average response times over FLEX's by correlation, and of what
// the paper's text gives for the ends. Of several charts one is named in the legend.
func responses(list []*cell, label, level string, named bool) *draw.Chart {
	c := &draw.Chart{Height: 150, GridY: true, X: relationAxis(), Y: draw.Axis{Label: label, Log: true}}
	lines := []draw.Series{overRelations(circumflex, list, ratios), overRelations(batch, list, ratios)}
	names := [schemes]string{batch: schemeNames[batch] + ", paper", circumflex: schemeNames[circumflex] + ", paper"}
	if !named {
		lines[0].Label, lines[1].Label, names = "", "", [schemes]string{}
	}
	c.Series(lines, append(append([]float64{1}, published5[circumflex][:]...), published5[batch][:]...)...)
	c.Level(level, 1, strokes[flex])
	for _, k := range []scheme{circumflex, batch} {
		c.Dots(names[k], []float64{0, relations - 1}, published5[k][:], published[k], strokes[k].Color, 5)
	}
	return c
}

// relationAxis is the axis of the correlations.
func relationAxis() draw.Axis {
	return draw.Axis{Label: "correlation of popularity and size (0 negative, 8 positive)", Min: -0.3, Max: relations - 0.7, Ticks: draw.Ticks(0, relations-1, 1)}
}

// published5 are the ends of Figure 5(a) as the text gives them.
var published5 = [schemes][2]float64{batch: {1.48, 1.11}, circumflex: {.81, .47}}

// The extremes of Figure 6(a).
const worstPublished, bestPublished = .98, .97

func (s *study) figure5a() (report.Figure, error) {
	f := report.NewFigure("Figure 5(a): average response time over that of FLEX, θ₁ = θ₂ = 1",
		fmt.Sprintf("Response time, averaged over all scans, relative to FLEX. "+schemesNote+" Means over %s; small dots: the repetitions. Hollow: what the paper's text gives for the two ends. Here %s.",
			numbers.Count(s.n, "repetition"), s.basis()),
		"correlation", "scheme", "repetitions", "ratio_to_flex", "sd", "average_response_min", "published_ratio")
	f.Shown.Columns = []string{"correlation", "CIRCUMFLEX/FLEX", "BATCH/FLEX", "FLEX (min)"}
	list := s.steep()
	c := responses(list, "average response / FLEX's", "FLEX", true)
	c.Height = 240
	spoken := ""
	for _, k := range []scheme{circumflex, batch} {
		m := means(list, ratios, k)
		spoken += fmt.Sprintf(" %s over FLEX: from %s at perfectly negative correlation to %s at perfectly positive.", schemeNames[k], numbers.Fixed(m[0]), numbers.Fixed(m[relations-1]))
		for i, x := range list {
			p := math.NaN()
			if i%(relations-1) == 0 {
				p = published5[k][i/(relations-1)]
			}
			f.Numbers.Add(i, schemeNames[k], s.n, m[i], numbers.SD(x.ratio[averageResponse][k]), numbers.Mean(x.value[averageResponse][k]), p)
		}
	}
	for i, x := range list {
		f.Shown.Add(strconv.Itoa(i), numbers.PlusMinus(x.ratio[averageResponse][circumflex]), numbers.PlusMinus(x.ratio[averageResponse][batch]), numbers.Fixed(numbers.Mean(x.value[averageResponse][flex])))
	}
	return f.Done(s.claims5a(), "Two lines over nine correlations, logarithmic."+spoken, c)
}

func (s *study) claims5a() []report.Claim {
	list := s.steep()
	circ, bat := means(list, ratios, circumflex), means(list, ratios, batch)
	better := report.Each(list, func(c *cell) report.Claim { return below(c.ratio[averageResponse][circumflex], 1) })
	worse := report.Each(list, func(c *cell) report.Claim { return above(c.ratio[averageResponse][batch], 1) })
	modest := 0
	var sds [schemes][]float64
	for i, c := range list {
		for k := range schemes {
			sds[k] = append(sds[k], numbers.SD(c.ratio[averageResponse][k]))
		}
		if d := sds[circumflex][i]; d <= 0.1 && d < sds[batch][i] {
			modest++
		}
	}
	return []report.Claim{
		report.Says("CIRCUMFLEX improves as the correlation ranges from perfectly negative to perfectly positive", ".81 falls to .47",
			"95% intervals: the last below the first, and the slope of the least-squares line below 0", "%s", numbers.Words(circ, " ", numbers.Fixed)).All(falls(list, ratios, circumflex)),
		report.Says("CIRCUMFLEX performs better than FLEX at every correlation", "19% better at the least", "95% interval of the ratio below 1 at all",
			"below 1 at %d of %d; at most %s", report.Held(better), relations, numbers.Fixed(slices.Max(circ))).All(better...),
		report.Says("BATCH always performs worse than FLEX", "11% to 48% worse", "95% interval of the ratio above 1 at all",
			"above 1 at %d of %d; at least %s", report.Held(worse), relations, numbers.Fixed(slices.Min(bat))).All(worse...),
		report.Says("standard deviations are very modest for CIRCUMFLEX, relatively less so for BATCH", "not shown", "at every correlation CIRCUMFLEX's at most .1, and below BATCH's",
			"CIRCUMFLEX at most %s, BATCH %s to %s", numbers.Fixed(slices.Max(sds[circumflex])), numbers.Fixed(slices.Min(sds[batch])), numbers.Fixed(slices.Max(sds[batch]))).When(modest == relations),
	}
}

func (s *study) figure5b() (report.Figure, error) {
	f := report.NewFigure("Figure 5(b): work over that of FLEX, θ₁ = θ₂ = 1",
		fmt.Sprintf("Slot-minutes of scanning relative to those of FLEX. "+schemesNote+" Means over %s; small dots: the repetitions. Plans optimise the average response time. Here %s.",
			numbers.Count(s.n, "repetition"), s.basis()),
		"correlation", "repetitions", "circumflex_work_ratio", "circumflex_sd", "batch_work_ratio", "batch_sd", "circumflex_concurrency", "circumflex_all_runs", "batch_largest", "batch_all_runs")
	f.Shown.Columns = []string{"correlation", "CIRCUMFLEX/FLEX", "BATCH/FLEX", "most subjobs of a dataset, per run", "largest batch, per run"}
	list := s.steep()
	c := &draw.Chart{Height: 220, GridY: true, X: relationAxis()}
	c.Y = draw.Axis{Label: "work / FLEX's", Min: 0, Max: 1.05, Ticks: draw.Ticks(0, 1, .2)}
	c.Level("FLEX", 1, strokes[flex])
	c.Series([]draw.Series{overRelations(circumflex, list, works), overRelations(batch, list, works)})
	for i, x := range list {
		w := &x.work[averageResponse]
		subjobs, largest := numbers.Column(x.subjobs, overDatasets), numbers.Column(x.largest, overDatasets)
		f.Numbers.Add(i, s.n, numbers.Mean(w[circumflex]), numbers.SD(w[circumflex]), numbers.Mean(w[batch]), numbers.SD(w[batch]), numbers.Mean(subjobs), overDatasets(largestOf(x.subjobs)), numbers.Mean(largest), overDatasets(largestOf(x.largest)))
		f.Shown.Add(strconv.Itoa(i), numbers.PlusMinus(w[circumflex]), numbers.PlusMinus(w[batch]), numbers.Fixed(numbers.Mean(subjobs)), numbers.Fixed(numbers.Mean(largest)))
	}
	circ, bat := means(list, works, circumflex), means(list, works, batch)
	return f.Done(s.claims5b(), fmt.Sprintf("Two lines over nine correlations. Work of CIRCUMFLEX over FLEX's falls from %s to %s, of BATCH from %s to %s.",
		numbers.Fixed(circ[0]), numbers.Fixed(circ[relations-1]), numbers.Fixed(bat[0]), numbers.Fixed(bat[relations-1])), c)
}

func (s *study) claims5b() []report.Claim {
	list := s.steep()
	circ, bat := means(list, works, circumflex), means(list, works, batch)
	ordered := report.Each(list, func(c *cell) report.Claim { // BATCH does less work than CIRCUMFLEX, and this less than FLEX
		work := &c.work[averageResponse]
		return report.Claim{}.All(above(numbers.Differences(work[circumflex], work[batch]), 0), below(work[circumflex], 1))
	})
	most := list[relations/2].largest // of all correlations: sizes do not matter
	largest := numbers.Column(most, overDatasets)
	batched := experiments(largest)
	return []report.Claim{
		report.Says("CIRCUMFLEX does more work than BATCH but less work than FLEX", "by definition",
			"95% intervals: BATCH below CIRCUMFLEX, CIRCUMFLEX below FLEX, at all correlations", "in this order at %d of %d", report.Held(ordered), relations).All(ordered...),
		report.Says("both ratios generally decrease with the correlation", "decrease", "of both, 95% intervals: the last below the first, and the slope of the least-squares line below 0",
			"%s", "CIRCUMFLEX "+numbers.Words(circ, " ", numbers.Fixed)+", BATCH "+numbers.Words(bat, " ", numbers.Fixed)).All(falls(list, works, circumflex), falls(list, works, batch)),
		report.Says("the maximum number of jobs batched together, averaged over datasets", "4.8 to 5.0", otherRelation,
			"mean over runs %s; largest of %s %s", batched, numbers.Count(len(largest), "run"), numbers.Fixed(overDatasets(largestOf(most)))).Single(batched, report.Range("4.8", "5.0")),
	}
}
