package circumflex

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// batchSets is how often the largest batch of a set of repetitions is drawn, to see how far one set may lie from another.
const batchSets = 40

// A study is the simulations of Section 4. grid, sensitivity and limits run them and fill in what the figures draw.
type study struct {
	o                settings
	seed             uint64
	n                int // repetitions
	points           []point
	cells            []cell
	largest          []float64 // largest batch over as many repetitions as the paper's, averaged over datasets, at theta1 = 1; for each set
	lines            []line    // what depends on M
	ends             line      // Figure 5(a)'s two ends, over ample times as many repetitions
	half             line      // a batch with the slots of all members, M = 9.5
	loads, fractions []cell
}

func newStudy(o options) *study {
	s := &study{o: base(o.max, o.batchSum), seed: o.Seed, n: repetitions, points: allPoints()}
	if o.Quick {
		s.n, s.points = quickRepetitions, quickPoints()
	}
	return s
}

// grid fills in cells and largest.
func (s *study) grid(terminal io.Writer) error {
	bar := report.NewProgress(terminal, "circumflex: repetitions of the grid", len(s.points)*s.n)
	defer bar.Done()
	var err error
	if s.cells, err = simulate(under(s.o, s.points...), s.seed, s.n, []metric{averageResponse, averageStretch, maximumStretch}, bar); err != nil {
		return err
	}
	s.largest, err = largestBatches(s.o, s.seed)
	return err
}

// quick says whether there are fewer repetitions than the paper's.
func (s *study) quick() bool { return s.n < repetitions }

// basis says what the numbers rest on.
func (s *study) basis() string {
	text := fmt.Sprintf("a job can use M = %d slots, not published", s.o.max)
	if s.o.max == calibrated {
		text += ": calibrated once to Figure 5(a)'s CIRCUMFLEX/FLEX"
	}
	if s.o.batchSum {
		text += "; a batch can use the sum of its members' M"
	}
	if s.quick() {
		text += fmt.Sprintf("; a quick run, %s of %d", report.Count(s.n, "repetition"), repetitions)
	}
	return text
}

// steep returns the nine cells of Figure 5, where both laws are steepest.
func (s *study) steep() []*cell {
	list := make([]*cell, relations)
	for k := range s.cells {
		if c := &s.cells[k]; c.theta1 == steps-1 && c.theta2 == steps-1 {
			list[c.relation] = c
		}
	}
	return list
}

// means maps each cell to the mean of what of returns.
func means(list []*cell, of func(c *cell) []float64) []float64 {
	var xs []float64
	for _, c := range list {
		xs = append(xs, report.Mean(of(c)))
	}
	return xs
}

func ratioOf(m metric, s scheme) func(*cell) []float64 {
	return func(c *cell) []float64 { return c.ratio[m][s] }
}

func workOf(m metric, s scheme) func(*cell) []float64 {
	return func(c *cell) []float64 { return c.work[m][s] }
}

// slope returns that of the least-squares line through (0, ys[0]), (1, ys[1]), ...
func slope(ys []float64) float64 {
	x, y := float64(len(ys)-1)/2, report.Mean(ys)
	over, under := 0.0, 0.0
	for i := range ys {
		d := float64(i) - x
		over += float64(d * (ys[i] - y))
		under += float64(d * d)
	}
	return over / under
}

// within says whether x is no further from want than tolerance; NaN is near nothing.
func within(x, want, tolerance float64) bool { return math.Abs(x-want) <= tolerance }

// joined writes numbers with two decimals.
func joined(xs []float64) string {
	var text []string
	for _, x := range xs {
		text = append(text, report.Fixed(x))
	}
	return strings.Join(text, " ")
}

// largestBatches draws sets of as many repetitions as the paper has, and returns for each set the largest batch of a dataset, averaged over
// datasets. It depends on the arrivals, the window and the popularity alone.
func largestBatches(o settings, seed uint64) ([]float64, error) {
	list := make([]float64, batchSets)
	err := report.Parallel(batchSets, func(_ *runner, set int) error {
		var most [datasets]int
		for k := range repetitions {
			w := newWorkload(point{theta1: steps - 1, theta2: steps - 1, relation: relations / 2}, o, seed, set*repetitions+k)
			requests, err := w.requests(o, batch)
			if err != nil {
				return err
			}
			for _, q := range requests {
				most[q.dataset] = max(most[q.dataset], len(q.members))
			}
		}
		for _, k := range most {
			list[set] += float64(k) / datasets
		}
		return nil
	})
	return list, err
}
