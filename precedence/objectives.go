package precedence

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// SumResponse is the sum of the response times (completion times) of n jobs.
func SumResponse(n int) (Objective, error) { return ones("precedence.SumResponse", n, Sum) }

// MaxResponse is the makespan of n jobs.
func MaxResponse(n int) (Objective, error) { return ones("precedence.MaxResponse", n, Max) }

// SumWeightedResponse is the sum of weight times response time.
func SumWeightedResponse(weights []float64) (Objective, error) {
	return responses("precedence.SumWeightedResponse", weights, Sum)
}

// MaxWeightedResponse is the largest weight times response time.
func MaxWeightedResponse(weights []float64) (Objective, error) {
	return responses("precedence.MaxWeightedResponse", weights, Max)
}

// SumStretch is the sum of the stretches, response time over the job's time alone.
func SumStretch(alone []float64) (Objective, error) {
	return stretches("precedence.SumStretch", alone, Sum)
}

// MaxStretch is the largest stretch, response time over the job's time alone.
func MaxStretch(alone []float64) (Objective, error) {
	return stretches("precedence.MaxStretch", alone, Max)
}

// SumTardy is the number of jobs that complete after their deadlines.
func SumTardy(deadlines []float64) (Objective, error) {
	return due("precedence.SumTardy", Sum, tardy, deadlines)
}

// SumWeightedTardy is the sum of the weights of the jobs that complete after their deadlines.
func SumWeightedTardy(deadlines, weights []float64) (Objective, error) {
	return due("precedence.SumWeightedTardy", Sum, tardy, deadlines, weights)
}

// MaxTardy is 1 if any job completes after its deadline, otherwise 0.
func MaxTardy(deadlines []float64) (Objective, error) {
	return due("precedence.MaxTardy", Max, tardy, deadlines)
}

// MaxWeightedTardy is the largest weight of a job that completes after its deadline, or 0.
func MaxWeightedTardy(deadlines, weights []float64) (Objective, error) {
	return due("precedence.MaxWeightedTardy", Max, tardy, deadlines, weights)
}

// SumTardiness is the sum of the tardinesses max(0, completion - deadline).
func SumTardiness(deadlines []float64) (Objective, error) {
	return due("precedence.SumTardiness", Sum, tardiness, deadlines)
}

// SumWeightedTardiness is the sum of weight times tardiness.
func SumWeightedTardiness(deadlines, weights []float64) (Objective, error) {
	return due("precedence.SumWeightedTardiness", Sum, tardiness, deadlines, weights)
}

// MaxTardiness is the largest tardiness max(0, completion - deadline).
func MaxTardiness(deadlines []float64) (Objective, error) {
	return due("precedence.MaxTardiness", Max, tardiness, deadlines)
}

// MaxWeightedTardiness is the largest weight times tardiness.
func MaxWeightedTardiness(deadlines, weights []float64) (Objective, error) {
	return due("precedence.MaxWeightedTardiness", Max, tardiness, deadlines, weights)
}

// SumLateness is the sum of the latenesses completion - deadline, which may be negative.
func SumLateness(deadlines []float64) (Objective, error) {
	return due("precedence.SumLateness", Sum, lateness, deadlines)
}

// SumWeightedLateness is the sum of weight times lateness.
func SumWeightedLateness(deadlines, weights []float64) (Objective, error) {
	return due("precedence.SumWeightedLateness", Sum, lateness, deadlines, weights)
}

// MaxLateness is the largest lateness completion - deadline, which may be negative.
func MaxLateness(deadlines []float64) (Objective, error) {
	return due("precedence.MaxLateness", Max, lateness, deadlines)
}

// MaxWeightedLateness is the largest weight times lateness.
func MaxWeightedLateness(deadlines, weights []float64) (Objective, error) {
	return due("precedence.MaxWeightedLateness", Max, lateness, deadlines, weights)
}

// SumSLA is the sum of the costs of the service levels that the jobs miss.
func SumSLA(levels []SLA) (Objective, error) { return slas("precedence.SumSLA", levels, Sum) }

// MaxSLA is the largest cost of a service level that a job misses.
func MaxSLA(levels []SLA) (Objective, error) { return slas("precedence.MaxSLA", levels, Max) }

func ones(fn string, n int, a Aggregate) (Objective, error) {
	if n < 0 || n > maxJobs {
		return Objective{}, input.Bad(fn, "n", -1, "is %d, want 0 to %d", n, maxJobs)
	}
	return responses(fn, slices.Repeat([]float64{1}, n), a)
}

func responses(fn string, weights []float64, a Aggregate) (Objective, error) {
	p := make([]Penalty, len(weights))
	for j, w := range weights {
		if !isWeight(w) {
			return Objective{}, badWeight(fn, j, w)
		}
		p[j] = Response{w}
	}
	return Objective{a, p}, nil
}

func stretches(fn string, alone []float64, a Aggregate) (Objective, error) {
	weights := make([]float64, len(alone))
	for j, t := range alone {
		if weights[j] = 1 / t; !(t > 0 && t <= math.MaxFloat64 && isWeight(weights[j])) {
			return Objective{}, input.Bad(fn, "alone", j, "is %v, want a finite number > 0 whose inverse is finite", t)
		}
	}
	return responses(fn, weights, a)
}

func tardy(d, w float64) Penalty     { return Tardy{d, w} }
func tardiness(d, w float64) Penalty { return Tardiness{d, w} }
func lateness(d, w float64) Penalty  { return Lateness{d, w} }

// due makes one penalty for each deadline, with the weights or with weight 1.
func due(fn string, a Aggregate, penalty func(d, w float64) Penalty, deadlines []float64, weights ...[]float64) (Objective, error) {
	if len(weights) > 0 && len(weights[0]) != len(deadlines) {
		return Objective{}, input.Bad(fn, "weights", -1, "length is %d, want one for each of the %d deadlines", len(weights[0]), len(deadlines))
	}
	p := make([]Penalty, len(deadlines))
	for j, d := range deadlines {
		if !(math.Abs(d) <= math.MaxFloat64) {
			return Objective{}, input.Bad(fn, "deadlines", j, "is %v, want a finite number", d)
		}
		w := 1.0
		if len(weights) > 0 {
			if w = weights[0][j]; !isWeight(w) {
				return Objective{}, badWeight(fn, j, w)
			}
		}
		p[j] = penalty(d, w)
	}
	return Objective{a, p}, nil
}

func slas(fn string, levels []SLA, a Aggregate) (Objective, error) {
	p := make([]Penalty, len(levels))
	for j, s := range levels {
		c := cost{deadlines: s.Deadlines, costs: s.Costs}
		if reason, value := c.checkStairs(); reason != "" {
			return Objective{}, input.Bad(fn, "levels", j, reason, value...)
		}
		p[j] = SLA{slices.Clone(s.Deadlines), slices.Clone(s.Costs)}
	}
	return Objective{a, p}, nil
}

func isWeight(w float64) bool { return w >= 0 && w <= math.MaxFloat64 }

func badWeight(fn string, j int, w float64) error {
	return input.Bad(fn, "weights", j, "is %v, want a finite number >= 0", w)
}
