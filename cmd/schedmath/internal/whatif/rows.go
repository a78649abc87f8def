package whatif

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/audit"
	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/slotmodel"
)

// A Row is what one policy does with the jobs that end under every policy that is replayed, or the
// mean of that over several seeds. Times are in seconds.
type Row struct {
	Policy       string
	Jobs         float64
	Unended      float64 // the other jobs that do not end under this policy
	Mean         float64 // sojourn, over all jobs, like the percentiles
	Half         float64 // of the 95% confidence interval of Mean over the seeds; +Inf with one seed
	P50          float64
	P95          float64
	P99          float64
	Max          float64
	MeanSlowdown float64 // sojourn/size, over the jobs of a size above 0; NaN when there are none
	Wait         float64 // mean; NaN, like Use, unless jobs hold machines
	Tenth        float64 // mean wait of the tenth of the jobs that waits longest; unless jobs hold machines their sojourn
	Bounded      float64 // mean bounded slowdown
	BoundedP95   float64
	Use          float64 // work done over what the processors can do in the time that counts, else from the first arrival to the last end

	AtRisk float64 // windows that jobs run into; NaN: there are no windows, or it is what really happened
	risk   string  // how many they are, and the worst of them

	Owed  float64 // what users were owed on balance, in hours of a map slot; NaN, like the next one, where they do not share a cluster
	Worst float64 // the most that one of them missed in a window

	Machines float64 // of the cluster; NaN: there is none
	Loads    loads   // offered

	Rivals [2]string           // fifo and ps, in the slot model fifo and fair, or if jobs hold machines fcfs and easy
	Diff   [2]numbers.Interval // of Mean less that of each rival, over the seeds
	Later  [2]float64          // jobs that end later than under each rival

	sojourns, slowdowns []float64    // quantiles at 0, 1/grain ... 1
	times, load         []float64    // mean number of jobs present, in equal parts of the time around those instants
	upTo, slowdown      []float64    // by size class: the largest size, the mean slowdown
	gain, later         [2][]float64 // by size class: fraction that ends sooner than under the rival, less that which ends later; that which ends later
	users, jobsOf       []float64    // of each user with a name: mean sojourn of the jobs; how many they are
	owed                []float64    // likewise: what it was owed on balance, below 0 what it had beyond
}

const (
	grain   = 200 // parts of a distribution
	spans   = 100 // parts of the time
	classes = 10  // of jobs by size, of equal numbers
)

// laterThan is by how much of its finish time a job must end after its finish under PS to count as
// later: enough for the rounding of finish times, not for any decision of a policy.
const laterThan = 1e-12

// An outcome is what a policy did with each job. A job that does not end of itself has the finish
// NaN.
type outcome struct {
	Sojourn, Finish []float64
	Start           []float64 // on the slot model: when the first task of each job began; NaN: never
	Use             curve     // likewise: map slots on which something runs
	Net, Worst      []float64 // of each user where users share a cluster: what it was owed on balance, the most that it missed in a window; slot-seconds
}

// A stage is a setting with the draws of one seed on its model, ready to be replayed.
type stage struct {
	*setting
	what   string // for people
	sizes  []float64
	loads  loads
	specs  []slotmodel.JobSpec // on the slot model
	others []audit.Span        // what the log says of jobs that are not replayed
	policy func(name string, bar *program.Progress) (outcome, error)

	runs      []outcome // by policy, those of the rivals first
	ended     []bool    // of each job that counts: under every policy
	class     []uint8   // of each job that has ended
	from, til float64   // of the time that counts, or of the run of the first rival
}

// stage is the setting on its model.
func (s *setting) stage() (*stage, error) {
	if s.slots {
		return s.onSlots()
	}
	return s.onFluid()
}

// rows are what the runs of the policies have given, the first two of them the rivals'.
func (s *stage) rows(names []string, bar *program.Progress) []Row {
	s.prepare()
	var list []Row
	for i, name := range names {
		row := s.measure(name, s.runs[i])
		list = append(list, row)
		bar.Add(len(s.sizes))
	}
	return list
}

// prepare finds the jobs that end under every policy, sorts them into classes, and measures the
// time.
func (s *stage) prepare() {
	s.ended, s.class = make([]bool, len(s.sizes)), make([]uint8, len(s.sizes))
	var order []int32
	s.from, s.til = math.Inf(1), 0
	for i := range s.ended {
		s.ended[i] = s.counts(i) && !slices.ContainsFunc(s.runs, func(r outcome) bool { return math.IsNaN(r.Finish[i]) })
		if s.ended[i] {
			order = append(order, int32(i))
			finish := s.runs[0].Finish[i]
			s.from, s.til = min(s.from, finish-s.runs[0].Sojourn[i]), max(s.til, finish)
		}
	}
	if !math.IsInf(s.begin, -1) {
		s.from = s.begin
	}
	if !math.IsInf(s.end, 1) {
		s.til = s.end
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(s.sizes[a], s.sizes[b]), cmp.Compare(a, b)) })
	for rank, i := range order {
		s.class[i] = uint8(rank * classes / len(order))
	}
}

// measure returns what there is to say of one run.
func (s *stage) measure(name string, r outcome) Row {
	zeros, nan := func() []float64 { return make([]float64, classes) }, math.NaN()
	row := Row{Policy: name, Wait: nan, Use: nan, AtRisk: nan, Owed: nan, Worst: nan, Machines: float64(s.machines), Loads: s.loads, Rivals: s.rivals(),
		load: make([]float64, spans), upTo: zeros(), slowdown: zeros(), gain: [2][]float64{zeros(), zeros()}, later: [2][]float64{zeros(), zeros()},
		users: make([]float64, len(s.Users)), jobsOf: make([]float64, len(s.Users))}
	if !s.slots && s.SWIM != nil {
		row.Machines = nan
	}
	span := (s.til - s.from) / spans
	for k := range spans {
		row.times = append(row.times, s.from+(float64(k)+.5)*span)
	}
	var sojourns, slowdowns, waits, bounded []float64 // without holding machines waits are sojourns
	var members, sized [classes]float64               // jobs, and those of a size above 0
	for i, size := range s.sizes {
		finish, class := r.Finish[i], s.class[i]
		if !s.ended[i] {
			if s.counts(i) && math.IsNaN(finish) {
				row.Unended++
			}
			continue
		}
		if s.Users != nil {
			row.users[s.Jobs[i].User] += r.Sojourn[i]
			row.jobsOf[s.Jobs[i].User]++
		}
		sojourns = append(sojourns, r.Sojourn[i])
		wait := r.Sojourn[i]
		if s.rigid {
			wait = max(0, r.Start[i]-(finish-wait)) // what really happened may have stood still since
		}
		waits, bounded = append(waits, wait), append(bounded, batch.Bounded(size, r.Sojourn[i]))
		members[class]++
		row.upTo[class] = max(row.upTo[class], size)
		if size > 0 {
			slowdowns = append(slowdowns, r.Sojourn[i]/size)
			sized[class]++
			row.slowdown[class] += r.Sojourn[i] / size
		}
		for k := range row.Rivals {
			if rival := s.runs[k].Finish[i]; finish-rival > laterThan*finish {
				row.gain[k][class]--
				row.later[k][class]++
				row.Later[k]++
			} else if rival-finish > laterThan*rival {
				row.gain[k][class]++
			}
		}
		end := (finish - s.from) / span
		start := max(0, end-r.Sojourn[i]/span)
		if !(start < spans) { // later than all that, or NaN: the time has no length
			continue
		}
		for k := int(start); k < spans && float64(k) < end; k++ {
			row.load[k] += min(end, float64(k+1)) - max(start, float64(k))
		}
	}
	for class, n := range members {
		row.slowdown[class] /= sized[class]
		for k := range row.gain {
			row.gain[k][class] /= n
			row.later[k][class] /= n
		}
	}
	for u, n := range row.jobsOf {
		row.users[u] /= n
	}
	row.Jobs, row.Mean, row.MeanSlowdown = float64(len(sojourns)), numbers.Mean(sojourns), numbers.Mean(slowdowns)
	if s.rigid {
		row.Wait, row.Use = numbers.Mean(waits), s.use(name, &r)
	}
	if s.windows != nil && name != asItWas {
		count, risk := s.risks(&r)
		row.AtRisk, row.risk = float64(count), risk
	}
	row.Bounded = numbers.Mean(bounded)
	if s.shared {
		row.owes(s, r)
	}
	for _, list := range [][]float64{sojourns, slowdowns, waits, bounded} {
		slices.Sort(list)
	}
	row.Tenth, row.BoundedP95 = numbers.Mean(waits[len(waits)*9/10:]), numbers.Quantile(bounded, .95)
	for k := range grain + 1 {
		row.sojourns = append(row.sojourns, numbers.Quantile(sojourns, float64(k)/grain))
		row.slowdowns = append(row.slowdowns, numbers.Quantile(slowdowns, float64(k)/grain))
	}
	row.P50, row.P95, row.P99, row.Max = numbers.Quantile(sojourns, .5), numbers.Quantile(sojourns, .95), numbers.Quantile(sojourns, .99), numbers.Quantile(sojourns, 1)
	return row
}

// numbers are all numbers of a row that are averaged over seeds, in a fixed order.
func (r *Row) numbers() []*float64 {
	list := []*float64{&r.Jobs, &r.Unended, &r.Mean, &r.P50, &r.P95, &r.P99, &r.Max, &r.MeanSlowdown, &r.Wait, &r.Tenth, &r.Bounded, &r.BoundedP95, &r.Use, &r.AtRisk, &r.Owed, &r.Worst, &r.Loads[0], &r.Loads[1], &r.Later[0], &r.Later[1]}
	for _, curve := range [][]float64{r.sojourns, r.slowdowns, r.times, r.load, r.upTo, r.slowdown, r.gain[0], r.gain[1], r.later[0], r.later[1], r.users, r.jobsOf, r.owed} {
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
		sojourns[i] = numbers.Column(seeds, func(r *replayed) float64 { return r.rows[i].Mean })
	}
	for i := range rows {
		var all [][]*float64
		for _, r := range seeds {
			all = append(all, r.rows[i].numbers())
		}
		for k, mean := range rows[i].numbers() {
			*mean = numbers.Across(all, func(list *[]*float64) float64 { return *(*list)[k] }).Mean
		}
		rows[i].Half = numbers.Over(sojourns[i]).Half
		for k := range rows[i].Diff {
			rows[i].Diff[k] = numbers.Difference(sojourns[i], sojourns[k])
		}
	}
	return rows
}
