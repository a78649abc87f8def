package whatif

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// A Row is what one policy does with the workload, or the mean of that over several seeds. Times
// are in seconds.
type Row struct {
	Policy       string
	Jobs         int
	Mean         float64 // sojourn, over all jobs, like the percentiles
	Half         float64 // of the 95% confidence interval of Mean over the seeds; NaN with one seed
	P50          float64
	P95          float64
	P99          float64
	Max          float64
	MeanSlowdown float64 // sojourn/size, over the jobs of a size above 0; NaN when there are none
	LaterThan    float64 // jobs that end later than under the second rival

	Rivals [2]string          // fifo, and ps or in the slot model fair
	Diff   [2]report.Interval // of Mean less that of each rival, over the seeds

	sojourns, slowdowns []float64    // quantiles at 0, 1/grain ... 1
	times, load         []float64    // mean number of jobs present, in equal parts of the time around those instants
	upTo, slowdown      []float64    // by size class: the largest size, the mean slowdown
	gain                [2][]float64 // by size class: fraction that ends sooner than under the rival, less that which ends later
}

const (
	grain   = 200 // parts of a distribution
	spans   = 100 // parts of the time
	classes = 10  // of jobs by size, of equal numbers
)

// laterThan is by how much of its finish time a job must end after its finish under PS to count as
// later: enough for the rounding of finish times, not for any decision of a policy.
const laterThan = 1e-12

// An outcome is what a policy did with each job. A job that does not finish has NaN there.
type outcome struct{ sojourn, finish []float64 }

// A stage is a workload on one of the models, ready to be replayed.
type stage struct {
	name   string // for people
	rivals [2]string
	sizes  []float64
	tasks  int // of all jobs; 0 on the fluid server
	play   func(policy string, c *console) (outcome, error)

	class     []uint8 // of each job
	base      [2]outcome
	from, til float64 // of the run of the first rival
}

// replay returns the rows of the two rivals and then those of the other policies, which it replays
// side by side if parallel is set.
func (s *stage) replay(names []string, parallel bool, c *console) ([]Row, error) {
	names = append(s.rivals[:], slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(s.rivals[:], n) })...)
	each := func(n int, work func(i int) error) error {
		if parallel {
			return report.Parallel(n, func(_ *struct{}, i int) error { return work(i) })
		}
		for i := range n {
			if err := work(i); err != nil {
				return err
			}
		}
		return nil
	}
	c.begin(s, len(names))
	err := each(2, func(i int) (err error) { s.base[i], err = s.play(names[i], c); return err })
	if err != nil {
		return nil, err
	}
	s.prepare()
	rows := make([]Row, len(names))
	err = each(len(names), func(i int) (err error) {
		var r outcome
		if i < 2 {
			r = s.base[i]
		} else if r, err = s.play(names[i], c); err != nil {
			return err
		}
		rows[i] = s.measure(r)
		rows[i].Policy = names[i]
		return nil
	})
	return rows, err
}

// prepare sorts the jobs into classes and measures the time.
func (s *stage) prepare() {
	order := make([]int32, len(s.sizes))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(s.sizes[a], s.sizes[b]), cmp.Compare(a, b)) })
	s.class = make([]uint8, len(order))
	for rank, i := range order {
		s.class[i] = uint8(rank * classes / len(order))
	}
	s.from, s.til = math.Inf(1), 0
	for i, f := range s.base[0].finish {
		if f == f {
			s.from, s.til = min(s.from, f-s.base[0].sojourn[i]), max(s.til, f)
		}
	}
}

// measure returns what there is to say of one run, all but the policy. Jobs that do not finish are
// left out.
func (s *stage) measure(r outcome) Row {
	zeros := func() []float64 { return make([]float64, classes) }
	row := Row{Half: math.NaN(), Rivals: s.rivals, load: make([]float64, spans), upTo: zeros(), slowdown: zeros(), gain: [2][]float64{zeros(), zeros()}}
	span := (s.til - s.from) / spans
	for k := range spans {
		row.times = append(row.times, s.from+(float64(k)+.5)*span)
	}
	var sojourns, slowdowns []float64
	var members, sized [classes]float64 // jobs, and those of a size above 0
	for i, size := range s.sizes {
		finish, class := r.finish[i], s.class[i]
		if math.IsNaN(finish) {
			continue
		}
		sojourns = append(sojourns, r.sojourn[i])
		members[class]++
		row.upTo[class] = max(row.upTo[class], size)
		if size > 0 {
			slowdowns = append(slowdowns, r.sojourn[i]/size)
			sized[class]++
			row.slowdown[class] += r.sojourn[i] / size
		}
		for k := range s.base {
			if rival := s.base[k].finish[i]; finish-rival > laterThan*finish {
				row.gain[k][class]--
				row.LaterThan += float64(k)
			} else if rival-finish > laterThan*rival {
				row.gain[k][class]++
			}
		}
		end := (finish - s.from) / span
		start := max(0, end-r.sojourn[i]/span)
		for k := int(start); k < spans && float64(k) < end; k++ {
			row.load[k] += min(end, float64(k+1)) - max(start, float64(k))
		}
	}
	for class, n := range members {
		row.slowdown[class] /= sized[class]
		for k := range row.gain {
			row.gain[k][class] /= n
		}
	}
	row.Jobs, row.Mean, row.MeanSlowdown = len(sojourns), report.Mean(sojourns), report.Mean(slowdowns)
	slices.Sort(sojourns)
	slices.Sort(slowdowns)
	for k := range grain + 1 {
		row.sojourns = append(row.sojourns, report.Quantile(sojourns, float64(k)/grain))
		row.slowdowns = append(row.slowdowns, report.Quantile(slowdowns, float64(k)/grain))
	}
	row.P50, row.P95, row.P99, row.Max = report.Quantile(sojourns, .5), report.Quantile(sojourns, .95), report.Quantile(sojourns, .99), report.Quantile(sojourns, 1)
	return row
}

// numbers are all numbers of a row that are averaged over seeds, in a fixed order.
func (r *Row) numbers() []*float64 {
	list := []*float64{&r.Mean, &r.P50, &r.P95, &r.P99, &r.Max, &r.MeanSlowdown, &r.LaterThan}
	for _, curve := range [][]float64{r.sojourns, r.slowdowns, r.times, r.load, r.upTo, r.slowdown, r.gain[0], r.gain[1]} {
		for i := range curve {
			list = append(list, &curve[i])
		}
	}
	return list
}

// average returns the means of the rows of several seeds, policy by policy, with intervals for the
// mean sojourn time and for its differences to the rivals. It writes into the rows of the first.
func average(seeds []replayed) []Row {
	rows := seeds[0].rows
	sojourns := make([][]float64, len(rows)) // means by policy and seed
	for i := range rows {
		sojourns[i] = report.Column(seeds, func(r *replayed) float64 { return r.rows[i].Mean })
	}
	for i := range rows {
		var numbers [][]*float64
		for _, r := range seeds {
			numbers = append(numbers, r.rows[i].numbers())
		}
		for k, mean := range rows[i].numbers() {
			*mean = report.Across(numbers, func(list *[]*float64) float64 { return *(*list)[k] }).Mean
		}
		rows[i].Half = report.Over(sojourns[i]).Half
		for k := range rows[i].Diff {
			rows[i].Diff[k] = report.Difference(sojourns[i], sojourns[k])
		}
	}
	return rows
}
