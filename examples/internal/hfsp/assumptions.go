package hfsp

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// An assumption is LARGE with one thing changed that the experiments take for granted: what the
// paper does not publish, or what it does and Hadoop's defaults have otherwise. None is there to
// come near the paper's numbers.
type assumption struct {
	name  string                     // in files
	label string                     // for people
	mix   func(m *pigMix)            // changes the law of the task times
	jobs  func(s *slotmodel.JobSpec) // changes a job
	share func() policy.Ranker       // makes FAIR, when it is another
	down  slotmodel.Outage           // of a third of the machines, in units of half the time in which jobs arrive
	apart bool                       // each job has blocks of its own
	bare  bool                       // without delay scheduling
	beat  float64                    // as contender.beat
}

// assumptions starts with what Table II has.
var assumptions = []assumption{
	{name: "as-table2", label: "as in Table II, these seeds"},
	{name: "slowstart-100", label: "reduces start after all maps", jobs: slowstart(1)},
	{name: "slowstart-5", label: "reduces start after 5% of the maps", jobs: slowstart(0.05)},
	{name: "heartbeats", label: "one map, one reduce a heartbeat of 3 s", beat: 3},
	{name: "fair-deficits", label: "FAIR makes up for what jobs lacked", share: func() policy.Ranker { return new(deficits) }},
	{name: "no-delay", label: "no delay scheduling", bare: true},
	{name: "blocks-apart", label: "blocks of each job apart", apart: true},
	{name: "reduces-36", label: "36 reduces in each job that has some", jobs: fullWave},
	{name: "median-13", label: "median 13 s", mix: median(13)},
	{name: "median-17", label: "median 17 s", mix: median(17)},
	{name: "failure", label: "12 machines lost in mid-run", down: slotmodel.Outage{From: 1, Until: math.Inf(1)}},
	{name: "scale-out", label: "12 machines added in mid-run", down: slotmodel.Outage{Until: 1}},
}

// supposed are the contenders that are tried under each assumption.
var supposed = []string{"fair", "hfsp", "hfsp-true", "srpt"}

func median(seconds float64) func(*pigMix) {
	return func(m *pigMix) { m.maps.Median, m.reduces.Median = seconds, seconds }
}

func slowstart(fraction float64) func(*slotmodel.JobSpec) {
	return func(s *slotmodel.JobSpec) { s.Slowstart = fraction }
}

// fullWave gives a reduce phase as many tasks as there are slots, with times like those it had.
func fullWave(s *slotmodel.JobSpec) {
	was := s.Reduces.Works
	if len(was) == 0 {
		return
	}
	s.Reduces.Tasks, s.Reduces.Works = reduceSlots, make([]float64, reduceSlots)
	for i := range s.Reduces.Works {
		s.Reduces.Works[i] = was[i%len(was)]
	}
}

// machines is the cluster under an assumption for some jobs.
func (a *assumption) machines(interference float64, jobs []slotmodel.JobSpec) *slotmodel.Cluster {
	c, half := testbed(interference), jobs[len(jobs)-1].Arrival/2
	if a.down.Until > 0 {
		for i := range machines / 3 {
			c.Nodes[i].Down = []slotmodel.Outage{{From: a.down.From * half, Until: a.down.Until * half}}
		}
	}
	return c
}

// assumed is what comes out under an assumption; by supposed where it has several, of which FAIR
// and HFSP alone are played with constant task times.
type assumed struct {
	mean, ratio, load []report.Interval
	hours             report.Interval // how long FAIR's run took over how long HFSP's did
	bySeed, means     []float64       // HFSP/FAIR, and HFSP's mean sojourn times
}

// runAssumptions plays all assumptions with an interference.
func (m *macro) runAssumptions(interference float64, names []string, bar *program.Progress) ([]assumed, error) {
	runs, err := playVariants(len(assumptions), m.seeds, names, func(i, rep int) ([]slotmodel.JobSpec, error) {
		return assumptions[i].workload(&m.experiment, rep)
	}, func(i int, name string, jobs []slotmodel.JobSpec) (outcome, error) {
		a, x := &assumptions[i], contenders[find(name)]
		x.bare, x.beat = a.bare, a.beat
		if a.share != nil && name == supposed[fair] {
			x.make = func(*recorder) policy.Ranker { return a.share() }
		}
		return play(a.machines(interference, jobs), jobs, &x, nil)
	}, bar)
	if err != nil {
		return nil, err
	}
	list := make([]assumed, len(runs))
	for i := range list {
		x := &list[i]
		for _, outcomes := range runs[i] {
			x.mean = append(x.mean, report.Across(outcomes, sojournOf))
			x.ratio = append(x.ratio, report.Over(ratios(outcomes, runs[i][fair], sojournOf)))
			x.load = append(x.load, report.Across(outcomes, loadOf))
		}
		x.hours = report.Over(ratios(runs[i][fair], runs[i][byHFSP], hoursOf))
		x.bySeed = ratios(runs[i][byHFSP], runs[i][fair], sojournOf)
		x.means = report.Column(runs[i][byHFSP], sojournOf)
	}
	return list, nil
}

// workload makes the jobs of one seed.
func (a *assumption) workload(x *experiment, rep int) ([]slotmodel.JobSpec, error) {
	mix := largeMix()
	if a.mix != nil {
		a.mix(&mix)
	}
	jobs, err := x.pigmix(mix, rep)
	if err != nil {
		return nil, err
	}
	if a.jobs != nil {
		for j := range jobs {
			a.jobs(&jobs[j])
		}
	}
	if a.apart {
		placer, err := workload.NewPlacer(x.cluster.Nodes)
		if err != nil {
			return nil, err
		}
		src := workload.Stream(x.seed, workload.Placement, uint64(rep))
		for j := range jobs {
			if jobs[j].Replicas, err = placer.Place(nil, jobs[j].Maps.Tasks, copies, src); err != nil {
				return nil, err
			}
		}
	}
	return jobs, nil
}

// under returns what comes out under an assumption, which must be there.
func under(list []assumed, name string) *assumed {
	return &list[slices.IndexFunc(assumptions, func(a assumption) bool { return a.name == name })]
}

// littleHours is how long the paper's run on LARGE took, in hours: the mean load is the sum of all
// sojourn times over that.
func littleHours(x int) float64 {
	return jobsPerRun * published.sojourn[onLarge][x] / published.load[onLarge][x] / 3600
}
