package hfsp

import (
	"slices"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/internal/replay"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// The settings of the paper's simulator: disks four times as fast as the network, a heavily loaded
// cluster.
const (
	diskToNetwork = 4
	load          = 0.9
)

// laws are the errors that are replayed: those of Figure 2 and those measured in Section IV-C.
var laws = []estimate.LogNormal{{Sigma: 0.125}, {Sigma: 0.25}, {Sigma: 0.5}, {Sigma: 1}, paperFit[slotmodel.Map], paperFit[slotmodel.Reduce]}

// lawNames are what the figures call them.
var lawNames = []string{"0.125", "0.25", "0.5", "1", "MAP", "REDUCE"}

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
	synthetic bool // the workload is not the paper's trace
	seeds     int
	fifo, ps  float64       // mean sojourn, which needs no estimates
	exact     []float64     // mean sojourn with exact sizes, per policy
	means     [][][]float64 // [policy][law][seed]: mean sojourn
	boxes     [][]draw.Box  // [policy][law]: quantiles of means over the seeds
}

// run replays the workload under each policy and law, once per seed, on as many goroutines as
// GOMAXPROCS allows. A seed's errors come from its own stream, and its jobs are wrong by the same Z
// under every law and policy (estimate = size exp(mu + sigma Z)), so that differences between boxes
// are not luck; nothing depends on which goroutine runs what.
func run(w replay.Workload, seed uint64, seeds int, bar *program.Progress) (*sweep, error) {
	s := &sweep{synthetic: w.Synthetic, seeds: seeds}
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
		byLaw := make([][]float64, len(laws))
		for k := range byLaw {
			byLaw[k] = make([]float64, seeds)
		}
		s.means = append(s.means, byLaw)
	}

	err = program.Parallel(seeds, func(r *replayer, rep int) error { return s.replicate(r, w.Jobs, seed, rep, bar) })
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
	err := r.runner.Run(&r.result, 1, jobs, p)
	return r.result.MeanSojourn(), err
}

// replicate does the replays of one seed.
func (s *sweep) replicate(r *replayer, jobs []fluid.Job, seed uint64, rep int, bar *program.Progress) error {
	if r.jobs == nil {
		r.jobs = slices.Clone(jobs)
		for _, j := range jobs {
			r.sizes = append(r.sizes, j.Size)
		}
	}
	for k, law := range laws {
		var err error
		r.estimates, err = workload.Estimates(r.estimates[:0], r.sizes, law.Mu, law.Sigma, workload.Stream(seed, workload.Errors, uint64(rep)))
		if err != nil {
			return err
		}
		for i, e := range r.estimates {
			r.jobs[i].Estimate = e
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

// summarize computes what the figures show from the means of the seeds.
func (s *sweep) summarize() {
	for p := range policies {
		var boxes []draw.Box
		for k := range laws {
			sorted := ascending(s.means[p][k])
			q := func(part float64) float64 { return numbers.Quantile(sorted, part) }
			boxes = append(boxes, draw.Box{Min: q(0), P5: q(.05), P25: q(.25), Median: q(.5), P75: q(.75), P95: q(.95), Max: q(1)})
		}
		s.boxes = append(s.boxes, boxes)
	}
}
