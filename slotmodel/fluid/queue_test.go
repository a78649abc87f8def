package fluid_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// size is a distribution of job sizes of mean 1.
type size struct {
	name   string
	draw   func(rng *rand.Rand) float64
	second float64                 // second moment
	tail   func(x float64) float64 // P(S > x)
	load   func(x float64) float64 // integral of t f(t) from 0 to x
	square func(x float64) float64 // integral of t^2 f(t) from 0 to x
	dens   func(x float64) float64 // f
	most   float64                 // where the density has vanished
}

var (
	exponential = size{
		name: "exponential", draw: (*rand.Rand).ExpFloat64, second: 2, most: 40,
		dens:   func(x float64) float64 { return math.Exp(-x) },
		tail:   func(x float64) float64 { return math.Exp(-x) },
		load:   func(x float64) float64 { return 1 - math.Exp(-x)*(1+x) },
		square: func(x float64) float64 { return 2 - math.Exp(-x)*(2+2*x+x*x) },
	}
	uniform = size{
		name: "uniform", draw: func(rng *rand.Rand) float64 { return 2 * rng.Float64() }, second: 4. / 3, most: 2,
		dens:   func(x float64) float64 { return 0.5 },
		tail:   func(x float64) float64 { return 1 - x/2 },
		load:   func(x float64) float64 { return x * x / 4 },
		square: func(x float64) float64 { return x * x * x / 6 },
	}
)

// meanFIFO is the mean sojourn time by Pollaczek and Khinchine.
func (s size) meanFIFO(rho float64) float64 { return 1 + rho*s.second/(2*(1-rho)) }

// meanPS does not depend on the distribution.
func (s size) meanPS(rho float64) float64 { return 1 / (1 - rho) }

// meanSRPT is the mean sojourn time by L. E. Schrage and L. W. Miller, Operations Research 14
// (1966), 670-684: a job of size x waits lambda (m2(x) + x^2 P(S > x)) / (2 (1 - rho(x))^2) on
// average and then resides for the integral of dt/(1 - rho(t)) to x.
func (s size) meanSRPT(rho float64) float64 {
	const points = 200
	residence := func(x float64) float64 {
		return quad.Fixed(func(t float64) float64 { return 1 / (1 - rho*s.load(t)) }, 0, x, points, nil, 0)
	}
	return quad.Fixed(func(x float64) float64 {
		left := 1 - rho*s.load(x)
		wait := rho * (s.square(x) + x*x*s.tail(x)) / (2 * left * left)
		return (wait + residence(x)) * s.dens(x)
	}, 0, s.most, points, nil, 0)
}

// Mean sojourn times of M/M/1 and M/G/1 queues lie in the 99.9 % confidence interval that 40
// independent replications give.
func TestQueues(t *testing.T) {
	const (
		replications = 40
		n            = 12000
		warm         = 1000 // jobs left out at the beginning, and at the end
		quantile     = 3.56 // of Student's t, 39 degrees of freedom, two-sided 99.9 %
		rho          = 0.7
	)
	for k, s := range []size{exponential, uniform} {
		mean := map[string]float64{"fifo": s.meanFIFO(rho), "ps": s.meanPS(rho), "srpt": s.meanSRPT(rho)}
		for _, p := range []fluid.Policy{fluid.FIFO{}, fluid.PS{}, fluid.SRPT{}} {
			t.Run(fmt.Sprintf("%s/%v", s.name, p), func(t *testing.T) {
				var r fluid.Runner
				var res fluid.Result
				var sum, squares float64
				for rep := range uint64(replications) {
					arrivals, sizes := rand.New(rand.NewPCG(10+uint64(k), rep)), rand.New(rand.NewPCG(20+uint64(k), rep))
					jobs := make([]fluid.Job, n)
					at := 0.0
					for i := range jobs {
						at += arrivals.ExpFloat64() / rho
						x := s.draw(sizes)
						jobs[i] = fluid.Job{Arrival: at, Size: x, Estimate: x}
					}
					must(t, r.Run(&res, 1, jobs, p))
					m := 0.0
					for _, x := range res.Sojourn[warm : n-warm] {
						m += x / (n - 2*warm)
					}
					sum, squares = sum+m, squares+m*m
				}
				got := sum / replications
				half := quantile * math.Sqrt((squares-replications*got*got)/(replications-1)/replications)
				if want := mean[p.String()]; !(math.Abs(got-want) <= half) || !(half < 0.05*want) {
					t.Errorf("mean sojourn under %v is %v +- %v, theory says %v", p, got, half, want)
				}
			})
		}
	}
}
