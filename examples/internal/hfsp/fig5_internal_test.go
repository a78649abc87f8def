package hfsp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/examples/internal/report/reporttest"
	"github.com/schedmath/schedmath/internal/numbers"
)

func TestSampleClaimsCanFail(t *testing.T) {
	mus := func(x float64) [][]float64 {
		list := make([][]float64, len(taskLaws))
		for i := range list {
			list[i] = []float64{-0.1, -0.11}
		}
		list[1] = []float64{x, x + 0.01}
		return list
	}
	claims := func(list ...report.Claim) []report.Claim { return list }
	reporttest.CanFail(t, claims(overEstimates(mus(0.1), numbers.Interval{Mean: 1}), weightedClaim(numbers.Interval{Mean: 1}, numbers.Interval{Mean: 1.01, Half: 0.01})),
		claims(overEstimates(mus(-0.1), numbers.Interval{Mean: 1}), weightedClaim(numbers.Interval{Mean: 1}, numbers.Interval{Mean: 1.13, Half: 0.01})))
}

// The mean error is 1, whatever the law; weighted by inputs it is above by their squared coefficient
// of variation, 1 for exponential times, times (s-1)/(s+1).
func TestSampleErrors(t *testing.T) {
	tasks := make([]int, 20000)
	for i := range tasks {
		tasks[i] = 200
	}
	draw := (*rand.Rand).ExpFloat64
	for _, c := range []struct {
		byInput bool
		want    float64
	}{{false, 1}, {true, 1 + 4./6}} {
		got := numbers.Over(sampleErrors(tasks, draw, c.byInput, rand.New(rand.NewPCG(1, 2))))
		if math.Abs(got.Mean-c.want) > 3*got.Half {
			t.Errorf("mean error %v, by input %v, want %v", got, c.byInput, c.want)
		}
	}
}
