package dynamicshare

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/knn"
	"github.com/schedmath/schedmath/partition"
)

// partitionFigures are Figures 8 to 12, about the assignment of partitions, and those beyond the paper on that.
func (s *study) partitionFigures() (paper, beyond []report.Item) {
	var t *trials
	run := sync.OnceValue(func() (err error) {
		t, err = s.runTrials()
		return err
	})
	needs := []func() error{run}
	paper = []report.Item{
		{Name: "fig8", Make: func() (report.Figure, error) { return t.figure8() }, Needs: needs},
		{Name: "fig9", Make: func() (report.Figure, error) { return t.figure9() }, Needs: needs},
		{Name: "fig10", Make: func() (report.Figure, error) { return t.figure10() }, Needs: needs},
		{Name: "fig11", Make: func() (report.Figure, error) { return t.figure11() }, Needs: needs},
		{Name: "fig12", Make: func() (report.Figure, error) { return t.figure12() }, Needs: needs},
	}
	beyond = []report.Item{
		{Name: "length", Make: func() (report.Figure, error) { return t.figureLength() }, Needs: needs},
		{Name: "width", Make: func() (report.Figure, error) { return t.figureWidth() }, Needs: needs},
		{Name: "best", Make: func() (report.Figure, error) { return t.figureBest() }, Needs: needs},
		{Name: "ci", Make: s.figureCI},
	}
	return paper, beyond
}

// Settings of Figures 8 to 12.
const (
	sketchRows = 5 // the paper prints no d
	overhead   = .5
	pastRuns   = 100 // of each machine, from which it is estimated
	pastShare  = .25 // the largest of them had this share of the values of a job
	noise      = .1  // standard deviation of the logarithm of a past time
)

var (
	jobs = []*job{&twitter, &youTube} // in the order of the charts
	// skewnesses in percent at as many partitions as reduces. Equal lists come to 2 or 3.
	skewnesses = []float64{0, 20, 40, 60, 80}
	// partitions are the numbers of partitions of a job: the paper's axis ends at 45.
	partitions = []int{reduces, 25, 30, 35, 40, 45}
)

// Places in jobs and skewnesses.
const (
	onTwitter, onYouTube = 0, 1
	middle, steepest     = 2, 4
)

// A scheme decides which machine gets which partitions.
type scheme int

const (
	hadoop   scheme = iota // partition i to machine i, as many as reduces
	skewTune               // hadoop, and what is unread of the slowest task split anew when a machine becomes idle
	lb                     // Gufler's load balance
	dp                     // DynamicShare's, with times estimated by k-NN
	dpExact                // the same with exact times
	lbSketch               // these three on the best of sketchRows hash functions
	dpSketch
	dpSketchExact
	dpOnes // dp on counters that a pair increases by one, not by the length of its list
	schemes
)

var schemeNames = [schemes]string{"Hadoop", "SkewTune", "LB", "DP", "DP, exact times", "LB with sketches", "DP with sketches", "DP with sketches, exact times", "DP, pairs counted"}

// series is a line of the scheme's look.
func (k scheme) series() draw.Series {
	look := [schemes]draw.Series{
		hadoop:        {Stroke: draw.Stroke{Color: draw.Black, Dash: draw.Dashed}},
		skewTune:      {Stroke: draw.Stroke{Color: draw.Green, Dash: draw.DashDot}, Mark: draw.Square, Radius: 2.5},
		lb:            {Stroke: draw.Stroke{Color: draw.Vermilion, Dash: draw.DashDot}, Mark: draw.Triangle, Radius: 3},
		dp:            {Stroke: draw.Stroke{Color: draw.Blue}, Mark: draw.Disc, Radius: 2.5},
		dpExact:       {Stroke: draw.Stroke{Color: draw.Blue, Dash: draw.Dotted}, Mark: draw.Ring, Radius: 2.5},
		lbSketch:      {Stroke: draw.Stroke{Color: draw.Orange}, Mark: draw.Triangle, Radius: 3},
		dpSketch:      {Stroke: draw.Stroke{Color: draw.Green}, Mark: draw.Disc, Radius: 2.5},
		dpSketchExact: {Stroke: draw.Stroke{Color: draw.Green, Dash: draw.Dotted}, Mark: draw.Ring, Radius: 2.5},
	}[k]
	look.Label = schemeNames[k]
	return look
}

// A cell is what one scheme is run on: places in jobs and skewnesses, and a number of partitions.
type cell struct {
	job, skewness, partitions int
	scheme                    scheme
}

// An outcome is how a reduce phase went: in how many seconds, with which balance and skewness in percent.
type outcome struct{ seconds, balance, skewness float64 }

// A trial is what one seed gave.
type trial struct {
	speeds             []float64
	outcomes           map[cell]outcome
	steep              []*population // by job, at the steepest skewness
	middle             *population   // of Twitter, at the middle one
	exponent, heaviest [][]float64   // by job and skewness
}

// trials are those of all seeds.
type trials struct {
	study *study
	list  []trial
}

func (s *study) runTrials() (*trials, error) {
	t := &trials{s, make([]trial, s.n)}
	bar := report.NewProgress(s.terminal, "dynamicshare: partitions", s.n)
	defer bar.Done()
	return t, report.Parallel(s.n, func(_ *struct{}, repetition int) error {
		defer bar.Add(1)
		var err error
		t.list[repetition], err = newTrial(s.Seed, repetition)
		return err
	})
}

func newTrial(seed uint64, repetition int) (trial, error) {
	t := trial{speeds: speeds(reduces, stream(seed, repetition, speedStream)), outcomes: map[cell]outcome{}}
	for ji, j := range jobs {
		exact, err := j.cost(t.speeds)
		if err != nil {
			return t, err
		}
		estimated, err := j.estimated(t.speeds, seed, repetition, pastStream+ji)
		if err != nil {
			return t, err
		}
		set, err := newKeySet(j, stream(seed, repetition, keyStream+ji))
		if err != nil {
			return t, err
		}
		var exponent, heaviest []float64
		for si, skewness := range skewnesses {
			p := set.population(skewness)
			exponent, heaviest = append(exponent, p.exponent), append(heaviest, p.heaviest())
			for _, n := range partitions {
				if n > reduces && si != middle && si != steepest {
					continue // no figure shows them
				}
				if err := t.compare(p, cell{job: ji, skewness: si, partitions: n}, exact, estimated); err != nil {
					return t, err
				}
			}
			switch {
			case si == steepest:
				t.steep = append(t.steep, p)
			case si == middle && ji == onTwitter:
				t.middle = p
			}
		}
		t.exponent, t.heaviest = append(t.exponent, exponent), append(t.heaviest, heaviest)
	}
	return t, nil
}

// compare runs the schemes on the keys of a job. All are timed by exact costs.
func (t *trial) compare(p *population, c cell, exact, estimated partition.Cost) error {
	sketch, err := p.sketch(sketchRows, c.partitions)
	if err != nil {
		return err
	}
	pairs := *p // as if each list were of length 1
	pairs.values = make([]uint64, keys)
	for k := range pairs.values {
		pairs.values[k] = uint64(p.total / keys)
	}
	ones, err := pairs.sketch(1, c.partitions)
	if err != nil {
		return err
	}
	sizes, err := sketch.Row(nil, 0)
	counted, worse := ones.Row(nil, 0)
	if err = errors.Join(err, worse); err != nil {
		return err
	}
	for k := range schemes {
		if k <= skewTune && c.partitions != reduces {
			continue // the paper runs both with as many partitions as reduces
		}
		if k > dpExact && c.skewness != steepest {
			continue // no figure shows them
		}
		c.scheme = k
		o, cost := partition.Options{}, estimated
		switch k {
		case hadoop, skewTune:
			o.Method = partition.Hash
		case lb, lbSketch:
			o.Method = partition.LoadBalance
		case dpExact, dpSketchExact:
			cost = exact
		}
		var plan partition.Plan
		used := sizes
		switch k {
		case lbSketch, dpSketch, dpSketchExact:
			var row int
			if row, plan, err = partition.AssignSketch(sketch, reduces, cost, o); err == nil {
				used, err = sketch.Row(nil, row)
			}
		case dpOnes:
			plan, err = partition.Assign(counted, reduces, cost, o)
		default:
			plan, err = partition.Assign(sizes, reduces, cost, o)
		}
		if err != nil {
			return err
		}
		load := make([]float64, reduces)
		for i, m := range plan.Of {
			load[m] += used[i]
		}
		out := outcome{seconds: p.job.slowest(load, t.speeds)}
		switch k {
		case hadoop, lb, lbSketch:
			out.seconds = rotated(t.speeds, func(speeds []float64) float64 { return p.job.slowest(load, speeds) })
		case skewTune:
			out.seconds = rotated(t.speeds, func(speeds []float64) float64 { return p.job.skewTune(load, p.longest(), speeds, overhead) })
		}
		out.balance, err = partition.Balance(load)
		out.skewness, worse = partition.Skewness(used)
		if err = errors.Join(err, worse); err != nil {
			return err
		}
		t.outcomes[c] = out
	}
	return nil
}

// rotated is the mean of a time over the rotations of the machines: a scheme that is blind to speeds gives each machine any load alike.
func rotated(speeds []float64, time func(speeds []float64) float64) float64 {
	sum, twice := 0.0, slices.Concat(speeds, speeds)
	for i := range speeds {
		sum += time(twice[i:][:len(speeds)])
	}
	return sum / float64(len(speeds))
}

// slowest is how long the reduce phase takes when machine i has load[i] values.
func (j *job) slowest(load, speeds []float64) float64 {
	last := 0.0
	for i, v := range load {
		last = math.Max(last, j.seconds(v, speeds[i]))
	}
	return last
}

// cost is the exact time of values on a machine.
func (j *job) cost(speeds []float64) (partition.Cost, error) {
	var fixed, rates []float64
	for _, v := range speeds {
		fixed, rates = append(fixed, j.start), append(rates, j.rate*v)
	}
	return partition.Affine(fixed, rates)
}

// estimated is the time of values on a machine as k-NN has it from past runs of the job there, of sizes uniform up to pastShare and with noise. CPU and memory,
// the other coordinates of the paper, are the same in all runs of one job: z-scores drop them.
func (j *job) estimated(speeds []float64, seed uint64, repetition, purpose int) (partition.Cost, error) {
	r := stream(seed, repetition, purpose)
	most := pastShare * float64(j.values)
	past := make([]*knn.Estimator, len(speeds))
	for i, v := range speeds {
		e, err := knn.New(1, knn.Options{Extrapolate: true})
		if err != nil {
			return nil, err
		}
		for range pastRuns {
			x := most * (1 - r.Float64()) // above 0
			if err := e.Add([]float64{x}, j.seconds(x, v)*math.Exp(noise*r.NormFloat64())); err != nil {
				return nil, err
			}
		}
		past[i] = e
	}
	const steps = 64
	var totals []float64
	for k := range steps {
		totals = append(totals, most*float64(k+1)/steps)
	}
	var bad error
	cost, err := partition.Predicted(len(speeds), totals, func(i int, total float64) float64 {
		p, err := past[i].Predict([]float64{total})
		bad = errors.Join(bad, err)
		return math.Max(0, p.Value)
	})
	return cost, errors.Join(bad, err)
}

// of lists what all seeds gave for a cell.
func (t *trials) of(c cell, what func(outcome) float64) []float64 {
	var list []float64
	for i := range t.list {
		list = append(list, what(t.list[i].outcomes[c]))
	}
	return list
}

func seconds(o outcome) float64  { return o.seconds }
func balance(o outcome) float64  { return o.balance }
func skewness(o outcome) float64 { return o.skewness }

// with is the cell of another scheme.
func (c cell) with(k scheme) cell {
	c.scheme = k
	return c
}

// ratio is the interval of the time of one scheme over that of another, seed by seed.
func (t *trials) ratio(a, b cell) report.Interval {
	xs, ys := t.of(a, seconds), t.of(b, seconds)
	for i := range xs {
		xs[i] /= ys[i]
	}
	return report.Over(xs)
}

// ratios are those of two schemes at each number of partitions from the given place on, at the steepest skewness.
func (t *trials) ratios(job, from int, a, b scheme) []report.Interval {
	var list []report.Interval
	for _, n := range partitions[from:] {
		c := cell{job: job, skewness: steepest, partitions: n}
		list = append(list, t.ratio(c.with(a), c.with(b)))
	}
	return list
}

// allBelow and allAbove say whether all intervals lie below, or above, x.
func allBelow(list []report.Interval, x float64) bool {
	return !slices.ContainsFunc(list, func(i report.Interval) bool { return !(i.High() < x) })
}

func allAbove(list []report.Interval, x float64) bool {
	return !slices.ContainsFunc(list, func(i report.Interval) bool { return !(i.Low() > x) })
}

// span writes the means of intervals.
func span(list []report.Interval) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range list {
		low, high = min(low, i.Mean), max(high, i.Mean)
	}
	return report.Fixed(low) + " to " + report.Fixed(high)
}

// A line is the cells of one scheme along an axis.
type line struct {
	x     []float64
	cells []cell
}

// overPartitions is a scheme's line over the numbers of partitions. Hadoop has one number, and a line across.
func overPartitions(job, skewness int, k scheme) line {
	var l line
	for _, n := range partitions {
		c := cell{job, skewness, n, k}
		if k == hadoop {
			c.partitions = reduces
		}
		l.x, l.cells = append(l.x, float64(n)), append(l.cells, c)
	}
	return l
}

// fill adds lines to a chart, with whiskers of the 95% intervals, and to the numbers of a figure. The charts of a figure show the same schemes: the legend
// names those of the first.
func (t *trials) fill(f *report.Figure, c *draw.Chart, what func(outcome) float64, unit float64, lines ...line) {
	if f.Numbers.Columns == nil {
		f.Numbers.Columns = []string{"job", "scheme", "target_skewness_percent", "partitions", "seeds", "reduce_s", "reduce_ci95", "balance_percent", "skewness_percent"}
	}
	later := len(f.Numbers.Rows) > 0
	var list []draw.Series
	for _, l := range lines {
		s := l.cells[0].scheme.series()
		if s.X = l.x; later {
			s.Label = ""
		}
		for _, at := range l.cells {
			i := report.Over(t.of(at, what))
			s.Y, s.Spread = append(s.Y, i.Mean*unit), append(s.Spread, i.Half*unit)
			time := report.Over(t.of(at, seconds))
			f.Numbers.Add(jobs[at.job].name, schemeNames[at.scheme], skewnesses[at.skewness], at.partitions, len(t.list), time.Mean, time.Half, report.Mean(t.of(at, balance)), report.Mean(t.of(at, skewness)))
		}
		list = append(list, s)
	}
	c.Series(list, 0)
}

// timeChart is a chart of times of the reduce phase of a job.
func timeChart(job int, x draw.Axis) *draw.Chart {
	return &draw.Chart{Height: 210, GridY: true, X: x, Y: draw.Axis{Label: jobs[job].name + ": reduce phase (ms)"}}
}

// partitionAxis is the axis of the numbers of partitions.
func partitionAxis() draw.Axis {
	x := draw.Axis{Label: "partitions", Min: reduces - 1, Max: float64(partitions[len(partitions)-1]) + 1}
	for _, n := range partitions {
		x.Ticks = append(x.Ticks, draw.Tick{At: float64(n), Label: fmt.Sprint(n)})
	}
	return x
}

// timesOverPartitions draws the times of schemes at the steepest skewness, a chart for each job, and returns the picture.
func (t *trials) timesOverPartitions(f *report.Figure, list ...scheme) (*draw.Picture, error) {
	var charts []*draw.Chart
	spoken := ""
	for j := range jobs {
		c := timeChart(j, partitionAxis())
		var lines []line
		for _, k := range list {
			l := overPartitions(j, steepest, k)
			lines = append(lines, l)
			spoken += fmt.Sprintf(" %s under %s: %s with %d partitions, %s with %d.", jobs[j].name, schemeNames[k], t.ms(l.cells[0]), partitions[0], t.ms(l.cells[len(l.cells)-1]), partitions[len(partitions)-1])
		}
		t.fill(f, c, seconds, 1000, lines...)
		charts = append(charts, c)
	}
	return draw.New("Two charts of lines over the number of partitions."+spoken, charts...)
}

// ms writes the mean time of a cell.
func (t *trials) ms(c cell) string { return fmt.Sprintf("%.0f ms", 1000*report.Mean(t.of(c, seconds))) }

// steep is a cell at the steepest skewness.
func steep(job, partitions int, k scheme) cell { return cell{job, steepest, partitions, k} }
