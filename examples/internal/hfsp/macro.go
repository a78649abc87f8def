package hfsp

import (
	"io"
	"math"
	"slices"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
)

// Seeds of the experiments with the slot model, and those of a quick run.
const (
	macroSeeds      = 20
	quickMacroSeeds = 5
	quickJobs       = 60
)

// tableSeeds are those of what claims compare, by workload. On SMALL few seeds have a mean like the
// published.
var tableSeeds = [2]int{onSmall: 600, onLarge: 100}

// macro is the runs behind Table II, Figures 3 to 5 and the ablations: both workloads under every
// contender, once per seed, under some with more seeds.
type macro struct {
	experiment
	seeds    int             // those of every contender
	most     [2]int          // by workload: those of what claims compare, of which they are the first
	cells    [2][][]outcome  // [workload][contender][seed]
	recorded [][2]*recorder  // of FAIR and HFSP on LARGE, by seed
	works    [2][]float64    // by kind: the work of all tasks of both workloads, ascending
	taken    [2][2][]float64 // [contender][kind]: how long tasks of both workloads took, ascending
	perSeed  [2][][]float64  // by kind and seed: HFSP's estimates over sizes, in the order of workloads and jobs
	tasks    [2][][]int      // by kind and seed: how many tasks these phases have
}

// played is what a seed gave on a workload: its jobs, what the contenders that it has made of them,
// and what FAIR and HFSP recorded.
type played struct {
	jobs  []slotmodel.JobSpec
	runs  []outcome
	notes [2]*recorder
}

// has says whether a contender is played with a seed of a workload.
func (m *macro) has(kind, x, rep int) bool {
	return rep < m.seeds || contenders[x].all && rep < m.most[kind]
}

// play plays everything. The result does not depend on how many goroutines did.
func (m *macro) play(terminal io.Writer) error {
	list, err := program.Each(terminal, "hfsp: seeds of the slot model", 2*slices.Max(m.most[:]), func(i int) (p played, err error) {
		rep, kind := i/2, i%2
		if rep >= m.most[kind] {
			return p, nil
		}
		p.runs = make([]outcome, len(contenders))
		if p.jobs, err = m.pigmix(busy.mix(kind), judged.At(rep)); err != nil {
			return p, err
		}
		for x := range contenders {
			var r *recorder
			if x <= byHFSP {
				r = newRecorder()
				p.notes[x] = r
			}
			if m.has(kind, x, rep) && err == nil {
				p.runs[x], err = play(m.cluster, p.jobs, &contenders[x], r)
			}
			if r != nil && rep >= m.seeds {
				r.taken = [2][]float64{}
			}
		}
		return p, err
	})
	if err == nil {
		m.collect(list)
	}
	return err
}

// collect puts together what all seeds gave, by seed and workload.
func (m *macro) collect(list []played) {
	for kind := range m.cells {
		m.cells[kind] = make([][]outcome, len(contenders))
	}
	for k := range m.perSeed {
		both := min(m.most[onSmall], m.most[onLarge])
		m.perSeed[k], m.tasks[k] = make([][]float64, both), make([][]int, both)
	}
	for i, p := range list {
		rep, kind := i/2, i%2
		for x := range contenders {
			if m.has(kind, x, rep) {
				m.cells[kind][x] = append(m.cells[kind][x], p.runs[x])
			}
		}
		if rep < m.seeds && kind == onLarge {
			m.recorded = append(m.recorded, p.notes)
		}
		if rep >= len(m.perSeed[0]) {
			continue
		}
		for _, j := range p.jobs {
			for k, phase := range [2]slotmodel.Phase{j.Maps, j.Reduces} {
				if phase.Tasks > samples {
					m.tasks[k][rep] = append(m.tasks[k][rep], phase.Tasks)
				}
				if rep < m.seeds {
					m.works[k] = append(m.works[k], phase.Works...)
				}
			}
		}
		for k := range m.perSeed {
			for x := range m.taken {
				m.taken[x][k] = append(m.taken[x][k], p.notes[x].taken[k]...)
			}
			m.perSeed[k][rep] = append(m.perSeed[k][rep], p.notes[byHFSP].errors(slotmodel.Kind(k), len(p.jobs))...)
		}
	}
	for k := range m.works {
		m.works[k] = ascending(m.works[k])
		for x := range m.taken {
			m.taken[x][k] = ascending(m.taken[x][k])
		}
	}
}

// mean is a number of a contender.
func (m *macro) mean(kind, x int, of func(*outcome) float64) numbers.Interval {
	return numbers.Across(m.cells[kind][x], of)
}

// over is a number of a contender over that of another, seed by seed.
func (m *macro) over(kind, x, y int, of func(*outcome) float64) numbers.Interval {
	return numbers.Over(ratios(m.cells[kind][x], m.cells[kind][y], of))
}

// given are the runs of a contender on the seeds on which FAIR's mean sojourn time lies within a
// third of the published: what a run like the paper's gives.
func (m *macro) given(kind, x int) (runs []outcome) {
	was := published.sojourn[kind][fair]
	for rep, o := range m.cells[kind][x] {
		if near(m.cells[kind][fair][rep].mean, was, report.Third) {
			runs = append(runs, o)
		}
	}
	return runs
}

// ratiosGiven are a contender's mean sojourn times over FAIR's on those seeds, and overGiven their
// interval, which two seeds have at least.
func (m *macro) ratiosGiven(kind, x int) []float64 {
	return ratios(m.given(kind, x), m.given(kind, fair), sojournOf)
}

func (m *macro) overGiven(kind, x int) numbers.Interval {
	list := m.ratiosGiven(kind, x)
	if len(list) < 2 {
		return numbers.Interval{Mean: math.NaN(), Half: math.NaN(), N: len(list)}
	}
	return numbers.Over(list)
}

// sojourns are those of the jobs of all seeds, ascending.
func (m *macro) sojourns(kind, x int) []float64 {
	var all []float64
	for _, o := range m.cells[kind][x] {
		all = append(all, o.sojourn...)
	}
	return ascending(all)
}

// errors are those of a kind over the seeds of every contender.
func (m *macro) errors(k slotmodel.Kind) []float64 { return slices.Concat(m.perSeed[k][:m.seeds]...) }

// A recorder notes what happens in one run: when jobs come and go, how long tasks take, and what
// HFSP estimates.
type recorder struct {
	times   []float64                    // of the changes of the load
	pending []float64                    // jobs present from then on
	taken   [2][]float64                 // by kind: seconds from the start to the end of each task
	size    [2]map[slotmodel.Job]float64 // by kind: the seconds of all tasks of a job's phase
	guess   [2]map[slotmodel.Job]float64 // by kind: HFSP's last estimate of it from samples
	started []float64                    // by attempt
}

func newRecorder() *recorder {
	r := new(recorder)
	for k := range r.size {
		r.size[k], r.guess[k] = map[slotmodel.Job]float64{}, map[slotmodel.Job]float64{}
	}
	return r
}

// log takes one event.
func (r *recorder) log(e slotmodel.Event) {
	switch e.Type {
	case slotmodel.Arrived:
		r.change(e.Time, 1)
	case slotmodel.JobEnded:
		r.change(e.Time, -1)
	case slotmodel.Started:
		for len(r.started) <= int(e.Attempt) {
			r.started = append(r.started, 0)
		}
		r.started[e.Attempt] = e.Time
	case slotmodel.Ended:
		seconds := e.Time - r.started[e.Attempt]
		r.taken[e.Kind] = append(r.taken[e.Kind], seconds)
		r.size[e.Kind][e.Job] += seconds
	}
}

func (r *recorder) change(t, by float64) {
	now := by
	if n := len(r.pending); n > 0 {
		now += r.pending[n-1]
	}
	r.times, r.pending = append(r.times, t), append(r.pending, now)
}

// estimate is HFSP's own estimate of a phase, noted down where it is one: a phase of at most as
// many tasks as samples is known when it is estimated.
func (r *recorder) estimate(v *slotmodel.View, s hfsp.Samples) float64 {
	size := phaseSize(v, s)
	if s.Tasks > len(s.Times) {
		r.guess[s.Kind][s.Job] = size
	}
	return size
}

// phaseSize is what HFSP takes for the size of a phase, by Section III-D.
func phaseSize(v *slotmodel.View, s hfsp.Samples) float64 {
	size, err := estimate.PhaseSize(s.Times, s.Tasks)
	if err == nil && s.Shuffles != nil {
		weights := make([]float64, len(s.Shuffles))
		for i := range weights {
			weights[i] = v.Spec(s.Job).Shuffle // every reduce pulls the same
		}
		var shuffle float64
		if shuffle, err = estimate.ShuffleSize(s.Shuffles, weights, s.Tasks); err == nil {
			size, err = estimate.ReduceSize(shuffle, size)
		}
	}
	if err != nil { // beyond the largest float64
		return math.MaxFloat64
	}
	return size
}

// errors returns estimate over size for each phase that was estimated, in the order of the jobs.
func (r *recorder) errors(k slotmodel.Kind, jobs int) []float64 {
	var ratios []float64
	for j := range slotmodel.Job(jobs) {
		if guess, ok := r.guess[k][j]; ok && r.size[k][j] > 0 && guess > 0 {
			ratios = append(ratios, guess/r.size[k][j])
		}
	}
	return ratios
}
