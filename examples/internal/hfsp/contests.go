package hfsp

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// A contest is a workload of two groups of jobs under several policies.
type contest struct {
	title  string
	groups [2]string // the jobs of a Priority above 1, and the others
	nodes  []slotmodel.NodeSpec
	jobs   func(seed uint64, rep int) []slotmodel.JobSpec
	rivals []rival
	check  func(seed uint64, rep int, finish []float64) (float64, error) // a third number of each run; nil: none
}

// A rival is a policy in a contest, with a name of its own in all contests.
type rival struct {
	name   string
	policy func() slotmodel.Policy
}

const contestPurpose = workload.FirstFreePurpose + 2

var fewSlots = []slotmodel.NodeSpec{{Maps: fineSlots}}

var contests = []contest{
	{"a burst of 40 large jobs", [2]string{"the regular job", "jobs of the burst"}, testbed(0).Nodes, burstJobs, []rival{
		{"t = 100%", rivalHFSP(hfsp.Policy{})}, {"t = 50%", rivalHFSP(hfsp.Policy{Limit: 0.5})}, {"t = 10%", rivalHFSP(hfsp.Policy{Limit: 0.1})}}, nil},
	{"a stream of small jobs, load 1", [2]string{"the large job", "small jobs"}, fewSlots, streamJobs, []rival{
		{"FIFO", func() slotmodel.Policy { return policy.FIFO{} }}, {"SRPT", func() slotmodel.Policy { return &policy.SRPT{} }}, {"FAIR", func() slotmodel.Policy { return &policy.Fair{} }},
		{"HFSP", rivalHFSP(hfsp.Policy{})}, {"true sizes", rivalHFSP(hfsp.Policy{Size: hfsp.TrueSize, Estimate: trueSize})},
		{"true sizes, t = 50%", rivalHFSP(hfsp.Policy{Size: hfsp.TrueSize, Estimate: trueSize, Limit: 0.5})}}, nil},
	{"weights 4 and 1", [2]string{"jobs of weight 4", "jobs of weight 1"}, fewSlots, weightedJobs, []rival{
		{"without weights", rivalHFSP(hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true})}, {"with weights", rivalHFSP(hfsp.Policy{Size: hfsp.TrueSize, NoTraining: true, Weight: priority})}}, keepShares},
}

func rivalHFSP(settings hfsp.Policy) func() slotmodel.Policy {
	return func() slotmodel.Policy {
		h := settings
		return &h
	}
}

func trueSize(v *slotmodel.View, s hfsp.Samples) float64 { return hfsp.TrueSize(v, s.Job, s.Kind) }

func priority(v *slotmodel.View, j slotmodel.Job) float64 { return v.Spec(j).Priority }

// burstJobs are a regular job of three waves of maps, and when it has run for 20 s 40 jobs of 400
// maps each, which are larger than what it has left.
func burstJobs(seed uint64, rep int) []slotmodel.JobSpec {
	times, src := ordinary(), workload.Stream(seed, contestPurpose, uint64(rep))
	maps := func(n int) slotmodel.Phase { return slotmodel.Phase{Tasks: n, Works: times.draw(n, 1, src)} }
	jobs := []slotmodel.JobSpec{{Priority: 4, Maps: maps(3 * mapSlots)}}
	for range 40 {
		jobs = append(jobs, slotmodel.JobSpec{Arrival: 20, Maps: maps(400)})
	}
	return jobs
}

// streamJobs are a large job that takes 50 s alone and, when its samples have ended, for 2,000 s
// small ones that need all slots. They have no more tasks than samples.
func streamJobs(seed uint64, rep int) []slotmodel.JobSpec {
	r := rand.New(workload.Stream(seed, contestPurpose, uint64(rep)))
	jobs := []slotmodel.JobSpec{{Priority: 4, Maps: slotmodel.Phase{Tasks: 50, Work: 4}}}
	for at := 10 + r.ExpFloat64(); at < 2000; at += r.ExpFloat64() {
		jobs = append(jobs, slotmodel.JobSpec{Arrival: at, Maps: slotmodel.Phase{Tasks: fineSlots, Work: math.Exp(r.NormFloat64() - 0.5)}})
	}
	return jobs
}

// weightedPieces is how many tasks for each slot a job of weightedJobs has.
const weightedPieces = 16

// weightedJobs are the jobs of the experiment with finer tasks, every other one of weight 4.
func weightedJobs(seed uint64, rep int) []slotmodel.JobSpec {
	jobs, _ := cut(fineWorkload(seed, rep), weightedPieces)
	for i := range jobs {
		jobs[i].Priority = 1 + float64(i%2*3)
	}
	return jobs
}

// keepShares is the share of weightedJobs that end no later than under generalized processor
// sharing and two of the longest tasks.
func keepShares(seed uint64, rep int, finish []float64) (float64, error) {
	ideal, n := fineWorkload(seed, rep), 0.0
	for i := range ideal {
		ideal[i].Weight = 1 + float64(i%2*3)
	}
	_, longest := cut(ideal, weightedPieces)
	shared, err := fluid.Run(fineSlots, ideal, fluid.PS{}, fluid.Options{})
	if err != nil {
		return 0, err
	}
	for i := range finish {
		if finish[i] <= shared.Finish[i]+2*longest {
			n++
		}
	}
	return n / float64(len(finish)), nil
}

// contested are by rival and seed the mean sojourn times of the two groups, and of weightedJobs
// keepShares.
type contested map[string][][3]float64

// runContests plays everything.
func runContests(seed uint64, seeds int, bar *program.Progress) (contested, error) {
	x := contested{}
	for _, c := range contests {
		for _, r := range c.rivals {
			x[r.name] = make([][3]float64, seeds)
		}
	}
	return x, report.Parallel(len(contests)*seeds, func(_ *struct{}, piece int) error {
		c, rep := &contests[piece%len(contests)], piece/len(contests)
		jobs := c.jobs(seed, rep)
		for _, r := range c.rivals {
			one, finish, err := c.play(jobs, r.policy())
			if err == nil && c.check != nil {
				one[2], err = c.check(seed, rep, finish)
			}
			if err != nil {
				return err
			}
			x[r.name][rep] = one
		}
		bar.Add(1)
		return nil
	})
}

// play is one run: mean sojourn times by group, and when each job ended.
func (c *contest) play(jobs []slotmodel.JobSpec, p slotmodel.Policy) (means [3]float64, finish []float64, err error) {
	r, err := slotmodel.Run(&slotmodel.Cluster{Nodes: c.nodes}, jobs, p, slotmodel.Options{})
	if err != nil {
		return means, nil, err
	}
	var n [2]float64
	for i, j := range r.Jobs {
		g := 1
		if jobs[i].Priority > 1 {
			g = 0
		}
		finish = append(finish, j.Finish)
		means[g] += j.Finish - jobs[i].Arrival
		n[g]++
	}
	return [3]float64{means[0] / n[0], means[1] / n[1]}, finish, nil
}
