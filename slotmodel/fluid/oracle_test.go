package fluid_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/exactfluid"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// instance is one argument list of Run.
type instance struct {
	slots float64
	jobs  []fluid.Job
	p     fluid.Policy

	tol float64 // relative, of a sojourn time; 0: rounding alone
}

func (in instance) String() string {
	return fmt.Sprintf("Run(%v, %+v, %v)", in.slots, in.jobs, in.p)
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// exact runs the oracle on the same numbers, a float64 being a rational.
func (in instance) exact() exactfluid.Result { return in.exactly(config(in.p)) }

func (in instance) exactly(c exactfluid.Config) exactfluid.Result {
	jobs := make([]exactfluid.Job, len(in.jobs))
	for i, j := range in.jobs {
		jobs[i] = exactfluid.Job{Arrival: rat(j.Arrival), Size: rat(j.Size), Estimate: rat(j.Estimate), Weight: rat(1)}
		if j.Weight > 0 {
			jobs[i].Weight = rat(j.Weight)
		}
	}
	return exactfluid.Run(rat(in.slots), nil, jobs, c)
}

func config(p fluid.Policy) exactfluid.Config {
	switch p := p.(type) {
	case fluid.PS:
		return exactfluid.Config{Policy: exactfluid.PS}
	case fluid.LAS:
		return exactfluid.Config{Policy: exactfluid.LAS}
	case fluid.SRPT:
		return exactfluid.Config{Policy: exactfluid.SRPT}
	case fluid.SPT:
		return exactfluid.Config{Policy: exactfluid.SPT}
	case fluid.FSP:
		late := map[fluid.Late]exactfluid.Late{
			fluid.LateShare: exactfluid.Share, fluid.LateFirst: exactfluid.First,
			fluid.LateLeastAttained: exactfluid.LeastAttained, fluid.LateNext: exactfluid.Next,
		}[p.Late]
		return exactfluid.Config{Policy: exactfluid.FSP, Late: late, ByWork: p.ByWork}
	case fluid.FIFO:
		return exactfluid.Config{Policy: exactfluid.FIFO, Turn: p.Turn}
	}
	panic("no such policy")
}

// Rounding of the answers alone: times are computed to more than 80 bits and rounded once or twice
// at the end.
const ulps = 0x1p-51

// agree compares a run with the oracle. Finish times may differ by a rounding of the time, sojourns
// by one of the sojourn.
func (in instance) agree(t *testing.T) {
	t.Helper()
	want := in.exact()
	got, err := fluid.Run(in.slots, in.jobs, in.p)
	if err != nil {
		t.Errorf("%v: %v", in, err)
		return
	}
	tol := max(in.tol, 1e-14)
	sum := 0.0
	for i, j := range in.jobs {
		f, _ := want.Finish[i].Float64()
		s, _ := new(big.Rat).Sub(want.Finish[i], rat(j.Arrival)).Float64()
		if !(math.Abs(got.Finish[i]-f) <= max(ulps, in.tol)*f) {
			t.Errorf("%v: job %d finishes at %v, want %v", in, i, got.Finish[i], f)
		}
		if !(math.Abs(got.Sojourn[i]-s) <= tol*s) {
			t.Errorf("%v: job %d has sojourn %v, want %v", in, i, got.Sojourn[i], s)
		}
		sum += s
		if want.Virtual == nil {
			continue
		}
		v, _ := want.Virtual[i].Float64()
		if g := got.Virtual[i]; !(math.Abs(g-v) <= max(ulps, in.tol)*v) {
			t.Errorf("%v: job %d has virtual finish %v, want %v", in, i, g, v)
		}
	}
	if !(math.Abs(got.Area-sum) <= 10*tol*sum) { // a sum of few terms
		t.Errorf("%v: area %v, want the sum of sojourns %v", in, got.Area, sum)
	}
}

// kind says what instances to draw.
type kind struct {
	n         int // jobs, at most
	cases     int
	weights   bool
	estimates bool // unlike the sizes, sometimes 0 or 1e9 times
	real      bool // float64s over many orders of magnitude instead of small integers
	wide      bool // from 1e-9 to 1e5
	uneven    bool // weights from 1e-3 to 1e3
	tight     bool // small integers from 1 on, so that nearly everything ties
}

func (k kind) draw(rng *rand.Rand, p fluid.Policy) instance {
	num := func(hi int) float64 {
		if k.tight {
			return float64(1 + rng.IntN(max(hi/3, 1)))
		}
		if k.wide {
			return math.Exp2(47*rng.Float64() - 30)
		}
		if k.real {
			return math.Exp2(10*rng.Float64()-5) * float64(hi)
		}
		return float64(rng.IntN(hi + 1))
	}
	in := instance{slots: float64(1 + rng.IntN(8)), p: p}
	if k.uneven {
		in.tol = 1e-12 // virtual time passes 1e6 times as fast while only the least weight is there
	}
	if rng.IntN(2) == 0 {
		in.slots = 1
	}
	if k.real {
		in.slots *= 1 + rng.Float64()
	}
	n := 1 + rng.IntN(k.n)
	span := 1 + rng.IntN(20)
	for range n {
		j := fluid.Job{Arrival: num(span), Size: num(10)}
		if rng.IntN(10) == 0 {
			j.Size = 0
		}
		j.Estimate = j.Size
		if k.estimates {
			switch rng.IntN(8) {
			case 0:
				j.Estimate = 0
			case 1:
				j.Estimate = 1e9 * j.Size
			case 2, 3, 4, 5:
				j.Estimate = num(12)
			}
		}
		if k.weights {
			j.Weight = num(4)
			if k.wide {
				j.Weight = 4 * rng.Float64()
			}
			if k.uneven {
				j.Weight = math.Pow(10, float64(rng.IntN(7)-3))
			}
		}
		in.jobs = append(in.jobs, j)
	}
	return in
}

var everyPolicy = append([]fluid.Policy{
	fluid.FIFO{Turn: true}, fluid.FSP{ByWork: true}, fluid.FSP{Late: fluid.LateFirst, ByWork: true},
	fluid.FSP{Late: fluid.LateLeastAttained, ByWork: true}, fluid.FSP{Late: fluid.LateNext, ByWork: true},
}, policies...)

// Every policy gives what the rational model gives, on small integers, where nearly everything
// ties, and on float64s over many orders of magnitude.
func TestOracle(t *testing.T) {
	for _, k := range []kind{
		{n: 8, cases: 100}, {n: 8, cases: 100, estimates: true}, {n: 7, cases: 300, estimates: true, weights: true}, {n: 6, cases: 60, estimates: true, real: true},
		{n: 6, cases: 60, estimates: true, weights: true, real: true}, {n: 6, cases: 60, estimates: true, weights: true, real: true, wide: true},
		{n: 9, cases: 150, estimates: true, weights: true, tight: true}, {n: 7, cases: 60, weights: true, estimates: true, uneven: true},
		// Dozens of jobs, where groups and levels are many.
		{n: 40, cases: 8, estimates: true, weights: true}, {n: 50, cases: 8, estimates: true, weights: true, tight: true},
	} {
		if testing.Short() {
			k.cases = max(2, k.cases/4)
		}
		for i, p := range everyPolicy {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			for range k.cases {
				if in := k.draw(rng, p); !t.Failed() {
					in.agree(t)
				}
			}
		}
	}
}

// When a job of huge weight leaves, the weights of the others, which were lost in the sum, must be
// there again.
func TestHugeWeights(t *testing.T) {
	for _, estimate := range []float64{1, 0} {
		in := instance{slots: 1, tol: 1e-12, jobs: []fluid.Job{
			{Size: 1, Estimate: estimate, Weight: 1e40}, {Size: 1, Estimate: estimate, Weight: 1e20}, {Size: 2, Estimate: 2, Weight: 0.1}, {Size: 3, Estimate: 3, Weight: 0.3},
			{Arrival: 4, Size: 1, Estimate: 0.5, Weight: 0.2},
		}}
		for _, p := range everyPolicy {
			in.with(p).agree(t)
		}
	}
}
