package circumflex

import (
	"fmt"
	"io"

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
