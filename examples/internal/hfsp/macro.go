package hfsp

import (
	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
)

// Seeds of the experiments with the slot model, and those of a quick run. Table II has more: the
// ratio of two means of a hundred jobs, some with long tasks, varies by a third from seed to seed.
const (
	macroSeeds      = 20
	tableSeeds      = 100
	quickMacroSeeds = 5
	quickJobs       = 60
)

// macro is the runs behind Table II, Figures 3 to 5 and the ablations: both workloads under every
// contender, once per seed, under some with more seeds, and LARGE with other loads and with other
// assumptions.
type macro struct {
	experiment
	seeds    int
	cells    [2][][]outcome  // [workload][contender][seed]
	recorded [][2]*recorder  // of FAIR and HFSP on LARGE, by seed
	works    [2][]float64    // by kind: the work of all tasks of both workloads, ascending
	taken    [2][2][]float64 // [contender][kind]: how long tasks of both workloads took, ascending
	errors   [2][]float64    // by kind: HFSP's estimates over sizes, in the order of workloads, seeds and jobs
	perSeed  [2][][]float64  // by kind and seed: the same
	tasks    [2][][]int      // by kind and seed: how many tasks these phases have
	table    variantRuns     // [workload][tabled][seed]: Table II
	slowed   variantRuns     // [interference and workload][fair, hfsp][seed]
	assumed  []assumed       // by assumptions
	steady   []assumed       // the same with constant task times
}

// macroRuns is how many runs of the slot model so many seeds, and so many for Table II, need.
func macroRuns(seeds, forTable int) int {
	return seeds*(len(workloadNames)*len(contenders)+len(assumptions)*(len(supposed)+2)) + len(workloadNames)*((forTable-seeds)*len(tabled)+2*(len(interferences)-1)*forTable)
}

// runMacro plays everything. The result does not depend on how many goroutines did.
func runMacro(x experiment, seeds, forTable int, bar *program.Progress) (*macro, error) {
	m := &macro{experiment: x, seeds: seeds}
	for kind := range m.cells {
		m.cells[kind] = make([][]outcome, len(contenders))
		for i := range contenders {
			m.cells[kind][i] = make([]outcome, seeds)
		}
	}
	jobs := make([][2][]slotmodel.JobSpec, seeds)
	recorders := make([][2][2]*recorder, seeds)
	err := report.Parallel(2*seeds, func(_ *struct{}, i int) error {
		rep, kind := i/2, i%2
		list, err := m.pigmix(mixes[kind](), rep)
		if err != nil {
			return err
		}
		jobs[rep][kind] = list
		for x := range contenders {
			var r *recorder
			if x <= byHFSP {
				r = newRecorder()
				recorders[rep][kind][x] = r
			}
			if m.cells[kind][x][rep], err = play(m.cluster, list, &contenders[x], r); err != nil {
				return err
			}
			bar.Add(1)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, r := range recorders {
		m.recorded = append(m.recorded, r[onLarge])
	}
	m.collect(jobs, recorders)
	if err := m.runTable(forTable, bar); err != nil {
		return nil, err
	}
	if err := m.runInterference(bar); err != nil {
		return nil, err
	}
	if m.assumed, err = m.runAssumptions(foundOnSmall, supposed, bar); err != nil {
		return nil, err
	}
	m.steady, err = m.runAssumptions(0, supposed[:2], bar)
	return m, err
}

// collect puts together what all runs of FAIR and HFSP have recorded.
func (m *macro) collect(jobs [][2][]slotmodel.JobSpec, recorders [][2][2]*recorder) {
	for k := range m.errors {
		m.perSeed[k], m.tasks[k] = make([][]float64, m.seeds), make([][]int, m.seeds)
	}
	for kind := range workloadNames {
		for rep := range m.seeds {
			list := jobs[rep][kind]
			for i := range list {
				m.works[slotmodel.Map] = append(m.works[slotmodel.Map], list[i].Maps.Works...)
				m.works[slotmodel.Reduce] = append(m.works[slotmodel.Reduce], list[i].Reduces.Works...)
				for k, n := range [2]int{list[i].Maps.Tasks, list[i].Reduces.Tasks} {
					if n > samples {
						m.tasks[k][rep] = append(m.tasks[k][rep], n)
					}
				}
			}
			for k := range m.errors {
				for x := range m.taken {
					m.taken[x][k] = append(m.taken[x][k], recorders[rep][kind][x].taken[k]...)
				}
				e := recorders[rep][kind][byHFSP].errors(slotmodel.Kind(k), len(list))
				m.errors[k] = append(m.errors[k], e...)
				m.perSeed[k][rep] = append(m.perSeed[k][rep], e...)
			}
		}
	}
	for k := range m.works {
		m.works[k] = ascending(m.works[k])
		for x := range m.taken {
			m.taken[x][k] = ascending(m.taken[x][k])
		}
	}
}

// means are the mean sojourn times of a contender, by seed.
func (m *macro) means(kind, x int) []float64 { return report.Column(m.cells[kind][x], sojournOf) }

// toFair is a contender's mean sojourn time over FAIR's of the same seed.
func (m *macro) toFair(kind, x int) report.Interval {
	return report.Ratio(m.means(kind, x), m.means(kind, fair))
}

// sojourns are those of the jobs of all seeds, ascending.
func (m *macro) sojourns(kind, x int) []float64 {
	var all []float64
	for rep := range m.seeds {
		all = append(all, m.cells[kind][x][rep].sojourn...)
	}
	return ascending(all)
}
