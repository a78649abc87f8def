package hfsp

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// The settings of the paper's simulator: disks four times as fast as the network, a heavily loaded
// cluster.
const (
	diskToNetwork = 4
	load          = 0.9
)

// policies are what Figure 2 replays with errors.
var policies = []fluid.Policy{fluid.SRPT{}, fluid.FSP{Late: fluid.LateFirst}, fluid.FSP{}}

// Places in policies.
const (
	srpt = iota
	fspFirst
	fspShare
)

// A sweep is the replays behind Figure 2.
type sweep struct {
	seeds    int
	fifo, ps float64       // mean sojourn, which needs no estimates
	exact    []float64     // mean sojourn with exact sizes, per policy
	means    [][][]float64 // [policy][sigma][seed]: mean sojourn
	boxes    [][]draw.Box  // [policy][sigma]: quantiles of means over the seeds
	wrong    wrong         // shares of the estimates drawn with sigma 0.25
	drawn    int           // how many those were
	wrongOf  []wrongCount  // per seed
}

type wrongCount struct{ drawn, percent, factor int }

// run replays the workload under each policy and sigma, once per seed, on as many goroutines as
// GOMAXPROCS allows. A seed's errors come from its own stream, and its jobs are wrong by the same
// Z under every sigma and policy (estimate = size exp(sigma Z)), so that differences between boxes
// are not luck; nothing depends on which goroutine runs what.
func run(w replay.Workload, seed uint64, seeds int, bar *report.Progress) (*sweep, error) {
	s := &sweep{seeds: seeds, wrongOf: make([]wrongCount, seeds)}
	var err error
	var r replayer
	// In the paper's simulator a job of size 0 waits for its turn.
	if s.fifo, err = r.mean(w.Jobs, fluid.FIFO{Turn: true}); err != nil {
		return nil, err
	}
	if s.ps, err = r.mean(w.Jobs, fluid.PS{}); err != nil {
		return nil, err
	}
	for _, p := range policies {
		m, err := r.mean(w.Jobs, p)
		if err != nil {
			return nil, err
		}
		s.exact = append(s.exact, m)
		bySigma := make([][]float64, len(sigmas))
		for k := range bySigma {
			bySigma[k] = make([]float64, seeds)
		}
		s.means = append(s.means, bySigma)
	}

	err = report.Parallel(seeds, func(r *replayer, rep int) error { return s.replicate(r, w.Jobs, seed, rep, bar) })
	if err != nil {
		return nil, err
	}
	s.summarize()
	return s, nil
}

// A replayer keeps what one goroutine's replays reuse.
type replayer struct {
	runner           fluid.Runner
	result           fluid.Result
	jobs             []fluid.Job
	sizes, estimates []float64
}

// mean is the mean sojourn time of one replay.
func (r *replayer) mean(jobs []fluid.Job, p fluid.Policy) (float64, error) {
	err := r.runner.Run(&r.result, 1, jobs, p, fluid.Options{})
	return r.result.MeanSojourn(), err
}

// replicate does the replays of one seed.
func (s *sweep) replicate(r *replayer, jobs []fluid.Job, seed uint64, rep int, bar *report.Progress) error {
	if r.jobs == nil {
		r.jobs = slices.Clone(jobs)
		for _, j := range jobs {
			r.sizes = append(r.sizes, j.Size)
		}
	}
	for k, sigma := range sigmas {
		var err error
		r.estimates, err = workload.Estimates(r.estimates[:0], r.sizes, 0, sigma, workload.Stream(seed, workload.Errors, uint64(rep)))
		if err != nil {
			return err
		}
		for i, e := range r.estimates {
			r.jobs[i].Estimate = e
		}
		if sigma == 0.25 {
			s.wrongOf[rep] = countWrong(r.sizes, r.estimates)
		}
		for p, policy := range policies {
			if s.means[p][k][rep], err = r.mean(r.jobs, policy); err != nil {
				return err
			}
			bar.Add(1)
		}
	}
	return nil
}

func countWrong(sizes, estimates []float64) wrongCount {
	var c wrongCount
	for i, size := range sizes {
		if size == 0 {
			continue // its estimate is 0, whatever the error
		}
		x := estimates[i] / size
		c.drawn++
		if x < 0.8 || x > 1.2 {
			c.percent++
		}
		if x < 1/1.2 || x > 1.2 {
			c.factor++
		}
	}
	return c
}

// summarize computes what the figures show from the means of the seeds.
func (s *sweep) summarize() {
	for p := range policies {
		var boxes []draw.Box
		for k := range sigmas {
			boxes = append(boxes, report.Box(ascending(s.means[p][k])))
		}
		s.boxes = append(s.boxes, boxes)
	}
	var c wrongCount
	for _, o := range s.wrongOf {
		c = wrongCount{c.drawn + o.drawn, c.percent + o.percent, c.factor + o.factor}
	}
	n := math.Max(1, float64(c.drawn))
	s.drawn = c.drawn
	s.wrong = wrong{float64(c.percent) / n, float64(c.factor) / n}
}
