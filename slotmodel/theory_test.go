package slotmodel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// student is the 99.9% quantile (two-sided) of Student's t with replications-1 degrees of freedom.
const (
	replications = 30
	student      = 3.659
)

// replicate runs independent replications of a queue and returns the mean sojourn time and half the
// width of its 99.9% confidence interval. Jobs are counted after a warm-up of a tenth.
func replicate(t *testing.T, jobs, servers int, lambda float64, size func(*rand.Rand) float64, split func(s *slotmodel.JobSpec, size float64), p func() slotmodel.Policy) (mean, half float64) {
	t.Helper()
	c := &slotmodel.Cluster{}
	for range servers {
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Maps: 1})
	}
	sum, squares := 0.0, 0.0
	for rep := range uint64(replications) {
		r := rand.New(rand.NewPCG(rep, 1234))
		specs := make([]slotmodel.JobSpec, jobs)
		at := 0.0
		for i := range specs {
			at += r.ExpFloat64() / lambda
			specs[i].Arrival = at
			split(&specs[i], size(r))
		}
		res := mustRun(t, c, specs, p(), slotmodel.Options{})
		m, n := 0.0, 0.0
		for i := jobs / 10; i < jobs; i++ {
			m += res.Jobs[i].Finish - specs[i].Arrival
			n++
		}
		sum += m / n
		squares += m / n * (m / n)
	}
	mean = sum / replications
	return mean, student * math.Sqrt((squares-sum*mean)/(replications-1)/replications)
}

func whole(s *slotmodel.JobSpec, size float64) { s.Maps = tasks(1, size) }

// erlangC is the mean sojourn time of M/M/c with mean size 1.
func erlangC(lambda float64, c int) float64 {
	a := lambda
	term, sum := 1.0, 1.0
	for k := 1; k < c; k++ {
		term *= a / float64(k)
		sum += term
	}
	term *= a / float64(c) * float64(c) / (float64(c) - a)
	return 1 + term/(sum+term)/(float64(c)-lambda)
}

// M/M/c and M/G/1 in order of arrival: Erlang's C formula and Pollaczek and Khinchine's.
func TestQueuesInOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("long: many simulated jobs")
	}
	exponential := func(r *rand.Rand) float64 { return r.ExpFloat64() }
	constant := func(*rand.Rand) float64 { return 1 }
	two := func(r *rand.Rand) float64 { // mean 1, second moment 5.5
		if r.IntN(10) == 0 {
			return 7.3
		}
		return 0.3
	}
	pk := func(lambda, second float64) float64 { return 1 + lambda*second/2/(1-lambda) }
	for _, c := range []struct {
		name    string
		servers int
		lambda  float64
		size    func(*rand.Rand) float64
		want    float64
	}{
		{"M/M/1", 1, 0.7, exponential, erlangC(0.7, 1)},
		{"M/M/3", 3, 2.4, exponential, erlangC(2.4, 3)},
		{"M/M/10", 10, 8, exponential, erlangC(8, 10)},
		{"M/D/1", 1, 0.7, constant, pk(0.7, 1)},
		{"M/G/1", 1, 0.6, two, pk(0.6, 0.9*0.09+0.1*7.3*7.3)},
	} {
		mean, half := replicate(t, 6000, c.servers, c.lambda, c.size, whole, func() slotmodel.Policy { return fifo })
		t.Logf("%s: mean sojourn %.4f +- %.4f, theory %.4f", c.name, mean, half, c.want)
		if !(math.Abs(mean-c.want) <= half) || !(half < 0.1*c.want) {
			t.Errorf("%s at load %v: mean sojourn %v +- %v, theory %v", c.name, c.lambda/float64(c.servers), mean, half, c.want)
		}
	}
	if got := erlangC(0.7, 1); math.Abs(got-1/0.3) > 1e-12 { // the formula itself
		t.Errorf("erlangC(0.7, 1) = %v, want %v", got, 1/0.3)
	}
}

// turns gives each free slot to the job of fewest attempts that are done or under way since it
// came: with tasks of a fixed small size, processor sharing among the jobs present. last holds the
// virtual time of each job's next task.
type turns struct {
	next  []float64
	clock float64
	seen  []bool
}

func (p *turns) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	for v.FreeSlots(mapK) > 0 {
		best := slotmodel.Job(none)
		for j := v.NextRunnable(none, mapK); j != none; j = v.NextRunnable(j, mapK) {
			if !p.seen[j] {
				p.seen[j], p.next[j] = true, p.clock
			}
			if best == none || p.next[j] < p.next[best] {
				best = j
			}
		}
		if best == none {
			return
		}
		p.clock = p.next[best]
		p.next[best]++
		a.Start(best, mapK, v.NextFree(mapK, none))
	}
}

// shortest gives each free slot to the job with the least work that waits.
var shortest = decide(func(v *slotmodel.View, a *slotmodel.Actions) {
	for v.FreeSlots(mapK) > 0 {
		best, least := slotmodel.Job(none), math.Inf(1)
		for j := v.NextRunnable(none, mapK); j != none; j = v.NextRunnable(j, mapK) {
			if w := float64(v.Count(j, mapK).Pending()) * v.Spec(j).Maps.Work; w < least {
				best, least = j, w
			}
		}
		if best == none {
			return
		}
		a.Start(best, mapK, v.NextFree(mapK, none))
	}
})

// fine cuts a job into tasks of one grain, sizes being rounded to it.
func fine(grain float64) func(*slotmodel.JobSpec, float64) {
	return func(s *slotmodel.JobSpec, size float64) { s.Maps = tasks(max(1, int(math.Round(size/grain))), grain) }
}

// With tasks made finer, a fair policy on one slot approaches M/G/1 processor sharing, whose mean
// sojourn is E[S]/(1-rho) whatever the sizes, and the shortest first approaches SRPT, which Schrage
// and Miller solved. A job waits for at most the tasks under way, so a bias of a few grains is
// allowed beside the confidence interval.
func TestFineTasks(t *testing.T) {
	if testing.Short() {
		t.Skip("long: many simulated jobs")
	}
	const lambda = 0.6
	hyper := func(r *rand.Rand) float64 { // mean 1, squared coefficient of variation 3.5
		if r.IntN(10) == 0 {
			return 4.6 * r.ExpFloat64()
		}
		return 0.6 * r.ExpFloat64()
	}
	const jobs = 1500
	last := [2]float64{math.Inf(1), math.Inf(1)}
	for _, grain := range []float64{0.5, 0.1, 0.02} {
		for i, c := range []struct {
			name string
			p    func() slotmodel.Policy
			want float64
		}{
			{"PS", func() slotmodel.Policy { return &turns{next: make([]float64, jobs), seen: make([]bool, jobs)} }, 1 / (1 - lambda)},
			{"SRPT", func() slotmodel.Policy { return shortest }, srpt(lambda)},
		} {
			size := hyper
			if c.name == "SRPT" {
				size = func(r *rand.Rand) float64 { return r.ExpFloat64() }
			}
			mean, half := replicate(t, jobs, 1, lambda, size, fine(grain), c.p)
			t.Logf("%s, tasks of %v: mean sojourn %.4f +- %.4f, theory %.4f", c.name, grain, mean, half, c.want)
			if off := math.Abs(mean - c.want); !(off <= half+3*grain) || !(half < 0.2*c.want) {
				t.Errorf("%s with tasks of %v: mean sojourn %v +- %v, theory %v", c.name, grain, mean, half, c.want)
			} else {
				last[i] = off
			}
		}
	}
	t.Logf("with the finest tasks: off by %v", last)
}

// SRPT that suspends what has more work left, on one slot and at no cost, is Schrage and Miller's
// whatever the grain: jobs are single tasks.
func TestSuspendingSRPT(t *testing.T) {
	for _, lambda := range []float64{0.3, 0.6, 0.8} {
		want := srpt(lambda)
		mean, half := replicate(t, 6000, 1, lambda, func(r *rand.Rand) float64 { return r.ExpFloat64() }, whole,
			func() slotmodel.Policy { return &policy.SRPT{Preempt: policy.PreemptSuspend} })
		t.Logf("load %v: mean sojourn %.4f +- %.4f, theory %.4f", lambda, mean, half, want)
		if !(math.Abs(mean-want) <= half) || !(half < 0.1*want) {
			t.Errorf("SRPT with suspension at load %v: mean sojourn %v +- %v, theory %v", lambda, mean, half, want)
		}
	}
}

// srpt is Schrage and Miller's mean sojourn time of M/M/1 under SRPT, mean size 1: for a job of
// size x, the wait lambda (m2(x) + x^2 (1-F(x))) / (2 (1-rho(x))^2) and the residence, the integral
// of 1/(1-rho(y)) up to x; averaged over x by the trapezoidal rule on a grid fine enough for 1e-4.
func srpt(lambda float64) float64 {
	const step, top = 1e-3, 40.0
	m1, m2, residence, mean := 0.0, 0.0, 0.0, 0.0
	for x := step / 2; x < top; x += step {
		f := math.Exp(-x)
		rho := lambda * (m1 + x*f*step/2)
		wait := lambda * (m2 + x*x*f*step/2 + x*x*math.Exp(-x)) / 2 / (1 - rho) / (1 - rho)
		residence += step / 2 / (1 - rho)
		mean += (wait + residence) * f * step
		residence += step / 2 / (1 - rho)
		m1 += x * f * step
		m2 += x * x * f * step
	}
	return mean
}

// One slot and jobs of one task in order of arrival are the fluid model's FIFO.
func TestOneSlotIsFluidFIFO(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 21))
		n := 1 + r.IntN(300)
		specs, jobs := make([]slotmodel.JobSpec, n), make([]fluid.Job, n)
		at := 0.0
		for i := range specs {
			if r.IntN(4) > 0 {
				at += r.ExpFloat64()
			}
			size := r.ExpFloat64() * float64(r.IntN(3))
			specs[i] = slotmodel.JobSpec{Arrival: at, Maps: tasks(1, size)}
			jobs[i] = fluid.Job{Arrival: at, Size: size, Estimate: size}
		}
		want, err := fluid.Run(1, jobs, fluid.FIFO{Turn: true}, fluid.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := mustRun(t, one(1, 0), specs, strict, slotmodel.Options{})
		for i := range specs {
			// n additions of rounding 2^-53 each.
			if g, w := got.Jobs[i].Finish, want.Finish[i]; math.Abs(g-w) > float64(n)*0x1p-52*w {
				t.Fatalf("seed %d: job %d of %d finishes at %v, fluid.Run says %v", seed, i, n, g, w)
			}
		}
	}
}

// Batsim's published example: 4 resources, first come, first served, the last job killed at its
// walltime.
func TestBatsimExample(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1}, {Maps: 1}, {Maps: 1}}}
	jobs := []slotmodel.JobSpec{
		{Maps: tasks(4, 10), Rigid: true},
		{Arrival: 1, Maps: tasks(2, 5), Rigid: true},
		{Arrival: 1, Maps: tasks(2, 10), Walltime: 6, Rigid: true},
	}
	log, res, err := play(c, jobs, strict, slotmodel.Options{})
	if err != nil || len(log.faults) > 0 {
		t.Fatalf("%v, %q", err, log.faults)
	}
	got := ""
	for _, j := range res.Jobs {
		got += fmt.Sprintf("%v-%v %v; ", j.Start, j.Finish, j.Outcome)
	}
	if want := "0-10 finished; 10-15 finished; 10-16 timed-out; "; got != want {
		t.Errorf("runs %s want %s", got, want)
	}
	if res.Totals.Work != 62 || res.Totals.Wasted != 12 || res.End != 16 {
		t.Errorf("Work %v, Wasted %v, End %v, want 62, 12 and 16", res.Totals.Work, res.Totals.Wasted, res.End)
	}
}
