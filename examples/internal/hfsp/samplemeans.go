package hfsp

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

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
	return between(report.Claim{Claim: "where inputs differ the mean weighted by them, times the number of REDUCE tasks, is the SHUFFLE time", Published: "III-D", Kind: report.Theory,
		Model:    fmt.Sprintf("estimate over time, inputs of spread %v: weighted %s, plain mean %s", ordinary().Spread, weighted, plain),
		Relation: "mean of the weighted estimate within 0.95 and 1.05"}, weighted, 0.95, 1.05)
}
