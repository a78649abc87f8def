package hfsp

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
	"gonum.org/v1/gonum/stat/distuv"
)

// paperFit are the distributions that the paper fits to its errors, by kind.
var paperFit = [2]estimate.LogNormal{{Mu: 0.0976, Sigma: 0.411}, {Mu: 0.0878, Sigma: 0.228}}

// level is the significance level of the paper's test.
const level = 0.05

// simulations is how many samples FitKS draws for one p; it has a purpose of its own among the
// random streams, and so have the errors of claimsSamples.
const (
	simulations  = 999
	testsPurpose = workload.FirstFreePurpose
	meansPurpose = workload.FirstFreePurpose + 3
)

// A fitted distribution of one kind's errors, and how it fares in tests.
type fitted struct {
	estimate.LogNormal
	distance float64
	p        float64              // that a log-normal sample is so far from its own fit
	plain    float64              // of the plain Kolmogorov-Smirnov test against the fit, as the paper has it
	own      []estimate.LogNormal // the fit of each seed, as many jobs as the paper ran
	passed   int                  // seeds whose own fit is not rejected
}

func (m *macro) fit(k slotmodel.Kind) (fitted, error) {
	var f fitted
	var err error
	src := workload.Stream(m.seed, testsPurpose, uint64(k))
	if f.LogNormal, f.distance, f.p, err = estimate.FitKS(m.errors(k), simulations, src); err != nil {
		return f, err
	}
	if _, f.plain, err = f.LogNormal.KS(m.errors(k)); err != nil {
		return f, err
	}
	for _, e := range m.perSeed[k] {
		own, err := estimate.FitLogNormal(e)
		if err != nil {
			return f, err
		}
		_, p, err := own.KS(e)
		if err != nil {
			return f, err
		}
		f.own = append(f.own, own)
		if p >= level {
			f.passed++
		}
	}
	return f, nil
}

func (m *macro) figure5() (report.Figure, error) {
	f := report.NewFigure("Figure 5: error of the estimates from 5 sample tasks",
		fmt.Sprintf("Estimate over true size for all phases of more than 5 tasks that HFSP estimated on both workloads, %d map and %d reduce phases; the size of a phase is the "+
			"time that its tasks held slots. Top: maps, bottom: reduces.", len(m.errors(0)), len(m.errors(1))),
		"error", "map_ecdf", "reduce_ecdf", "map_fit_cdf", "reduce_fit_cdf", "map_paper_cdf", "reduce_paper_cdf")
	f.Shown.Columns = []string{"phase", "μ", "σ", "paper's μ", "paper's σ", "KS distance", "p", "p, plain test"}
	var fits [2]fitted
	names := [2]string{"MAP", "REDUCE"}
	for k := range fits {
		var err error
		if fits[k], err = m.fit(slotmodel.Kind(k)); err != nil {
			return f, err
		}
		f.Shown.Show(names[k], numbers.Short(fits[k].Mu), numbers.Short(fits[k].Sigma), numbers.Short(paperFit[k].Mu), numbers.Short(paperFit[k].Sigma),
			numbers.Short(fits[k].distance), numbers.Short(fits[k].p), numbers.Short(fits[k].plain))
	}
	const points = 240
	var xs []float64
	var ys [2][3][]float64
	var ranked [2][]float64
	for k := range ranked {
		ranked[k] = ascending(m.errors(slotmodel.Kind(k)))
	}
	for i := range points + 1 {
		x := 0.125 * math.Exp(math.Log(64)*float64(i)/points)
		xs = append(xs, x)
		for k := range ys {
			own := distuv.LogNormal{Mu: fits[k].Mu, Sigma: fits[k].Sigma}.CDF(x)
			paper := distuv.LogNormal{Mu: paperFit[k].Mu, Sigma: paperFit[k].Sigma}.CDF(x)
			for j, y := range []float64{within(ranked[k], x), own, paper} {
				ys[k][j] = append(ys[k][j], y)
			}
		}
		f.Numbers.Add(x, ys[0][0][i], ys[1][0][i], ys[0][1][i], ys[1][1][i], ys[0][2][i], ys[1][2][i])
	}
	var charts []*draw.Chart
	for k, name := range names {
		c := &draw.Chart{Height: 190, GridX: true, GridY: true}
		c.X = draw.Axis{Label: "estimate / size", Min: 0.125, Max: 8, Log: true}
		for e := -3; e <= 3; e++ {
			c.X.Ticks = append(c.X.Ticks, draw.Tick{At: math.Ldexp(1, e), Label: numbers.Short(math.Ldexp(1, e))})
		}
		c.Y = draw.Axis{Label: name + ": ECDF", Min: 0, Max: 1, Ticks: draw.Ticks(0, 1, 0.2)}
		for j, label := range []string{"errors", "their fit", "paper's fit"} {
			c.Line(label, xs, ys[k][j], draw.Look(j, "").Stroke)
		}
		charts = append(charts, c)
	}
	more, err := m.claimsSamples()
	if err != nil {
		return f, err
	}
	return f.Done(append(m.claims5(fits, names), more...), fmt.Sprintf("Distribution functions of the estimation errors on a logarithmic axis. Our fits: MAP mu %.3f, sigma %.3f; REDUCE mu %.3f, sigma %.3f.",
		fits[0].Mu, fits[0].Sigma, fits[1].Mu, fits[1].Sigma), charts...)
}

func (m *macro) claims5(fits [2]fitted, names [2]string) []report.Claim {
	var list []report.Claim
	for k, name := range names {
		x, was := fits[k], paperFit[k]
		mus, sigmas := x.numbers()
		mu, sigma, rejected := numbers.Over(mus), numbers.Over(sigmas), len(x.own)-x.passed
		list = append(list,
			report.Says("the errors of "+name+" phases fit a log-normal distribution", "not rejected at 0.05", "the plain test, which the paper uses, rejects at most one of ten seeds, each as many jobs as the paper ran",
				"plain test rejects %d of %d seeds; over all errors of %d seeds p = %s, plain %s", rejected, len(x.own), m.seeds, numbers.Short(x.p), numbers.Short(x.plain)).When(10*rejected <= len(x.own)),
			report.Says(name+" phases are over-estimated slightly", "μ = "+numbers.Short(was.Mu), "95% interval above 0 and below 0.2",
				"%s", "μ = "+mu.String()+" over the seeds' fits").All(report.Claim{}.Above(mu, 0), report.Claim{}.Below(mu, .2)),
			report.Says("the fit of the errors of "+name+" phases, μ and σ", fmt.Sprintf("%s and %s", numbers.Short(was.Mu), numbers.Short(was.Sigma)),
				"", "%s and %s", mu, sigma).
				Tuple(report.Point{Published: report.Printed(numbers.Short(was.Mu)), Values: mus, Cap: .1}, report.Point{Published: report.Printed(numbers.Short(was.Sigma)), Values: sigmas}),
		)
	}
	_, maps := fits[slotmodel.Map].numbers()
	_, reduces := fits[slotmodel.Reduce].numbers()
	more := numbers.Difference(maps, reduces)
	return append(list, report.Says("MAP phases are estimated worse than REDUCE phases", "σ 0.411 against 0.228",
		"95% interval of the difference above 0", "σ %s against %s, difference %s", numbers.Over(maps), numbers.Over(reduces), more).Above(more, 0))
}

// numbers are μ and σ of each seed's fit.
func (x *fitted) numbers() (mus, sigmas []float64) {
	return numbers.Column(x.own, func(f *estimate.LogNormal) float64 { return f.Mu }), numbers.Column(x.own, func(f *estimate.LogNormal) float64 { return f.Sigma })
}

// taskLaws are laws of task times with ever longer tails, in any unit.
var taskLaws = []struct {
	name string
	draw func(r *rand.Rand) float64
}{
	{"log-normal .4", logNormal(0.4)}, {"exponential", (*rand.Rand).ExpFloat64}, {"log-normal 1", logNormal(1)},
	{"one in ten 100 times as long", func(r *rand.Rand) float64 { return 1 + 99*math.Floor(r.Float64()+0.1) }},
	{"Pareto 1.5", func(r *rand.Rand) float64 { return math.Pow(1-r.Float64(), -1/1.5) }},
}

func logNormal(spread float64) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return math.Exp(float64(spread * r.NormFloat64())) }
}

// sampleErrors are the errors of the estimates of phases of so many tasks each from five samples.
// By input samples are weighted as those of shuffles are, with times in proportion to inputs.
func sampleErrors(tasks []int, draw func(r *rand.Rand) float64, byInput bool, r *rand.Rand) []float64 {
	var list []float64
	for _, n := range tasks {
		times, inputs, all := make([]float64, samples), make([]float64, samples), 0.0
		for i := range n {
			x := draw(r)
			if i < samples {
				times[i] = x
				if byInput {
					inputs[i] = x
				}
			}
			all += x
		}
		size, _ := estimate.ShuffleSize(times, inputs, n) // cannot fail: times are in range
		list = append(list, size/all)
	}
	return list
}

// claimsSamples are about where the published errors can come from.
func (m *macro) claimsSamples() ([]report.Claim, error) {
	byLaw, byInput := make([][]float64, len(taskLaws)), [2][]float64{}
	for rep := range m.seeds {
		src := rand.New(workload.Stream(m.seed, meansPurpose, uint64(2*m.seeds+rep)))
		for i, l := range taskLaws {
			fit, err := estimate.FitLogNormal(sampleErrors(m.tasks[slotmodel.Map][rep], l.draw, false, src))
			if err != nil {
				return nil, err
			}
			byLaw[i] = append(byLaw[i], fit.Mu)
		}
		for i, weighted := range []bool{false, true} {
			byInput[i] = append(byInput[i], numbers.Mean(sampleErrors(m.tasks[slotmodel.Reduce][rep], logNormal(ordinary().Spread), weighted, src)))
		}
	}
	plain, weighted := numbers.Over(byInput[0]), numbers.Over(byInput[1])
	return []report.Claim{overEstimates(byLaw, plain), weightedClaim(plain, weighted)}, nil
}

// overEstimates takes by law the means of the logarithms of errors by seed, and the mean error.
func overEstimates(byLaw [][]float64, mean numbers.Interval) report.Claim {
	over := func(l estimate.LogNormal) float64 { return math.Exp(l.Mu + l.Sigma*l.Sigma/2) }
	c := report.Claim{Claim: "means of five samples tend to over-estimate slightly, whatever the law of task times", Published: "μ = 0.0976 and 0.0878", Kind: report.Theory,
		Relation: "under one law the 95% interval of μ is above 0",
		Note: report.Because(mean.Low() <= 1 && mean.High() >= 1,
			fmt.Sprintf("if samples are like the others the mean error is 1, so μ, a mean of logarithms, is not above 0; published is a mean error of %.2f and %.2f", over(paperFit[0]), over(paperFit[1])))}
	for i, l := range taskLaws {
		mu := numbers.Over(byLaw[i])
		c.Holds = c.Holds || mu.Low() > 0
		c.Model += fmt.Sprintf("%s μ %s; ", l.name, mu)
	}
	return c
}

func weightedClaim(plain, weighted numbers.Interval) report.Claim {
	return between(report.Says("where inputs differ the mean weighted by them, times the number of REDUCE tasks, is the SHUFFLE time", "III-D", "mean of the weighted estimate within 0.95 and 1.05",
		"estimate over time, inputs of spread %v: weighted %s, plain mean %s", ordinary().Spread, weighted, plain).As(report.Theory), weighted, 0.95, 1.05)
}
