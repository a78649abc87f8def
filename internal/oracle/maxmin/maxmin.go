// Package maxmin fills links with flows, one flow at a time and anew at each call.
package maxmin

import (
	"math"
	"slices"
)

// Flow is what shares links, by weight. A Flow without Weight has no part.
type Flow struct {
	Weight float64
	Links  []int
}

// Rates appends to dst the max-min fair rate of each flow: the share of weight rises everywhere
// alike until a link is full, whose flows then stay as they are. A capacity may be +Inf; so is the
// rate of a flow that nothing limits.
func Rates(dst, capacity []float64, flows []Flow) []float64 {
	free, weight := slices.Clone(capacity), make([]float64, len(capacity))
	rates := make([]float64, len(flows))
	open := 0
	for i, f := range flows {
		if f.Weight == 0 {
			continue
		}
		rates[i] = -1
		open++
		for _, l := range f.Links {
			weight[l] += f.Weight
		}
	}
	for open > 0 {
		full, share := -1, math.Inf(1)
		for l := range free {
			if x := max(free[l], 0) / weight[l]; weight[l] > 0 && x < share {
				full, share = l, x
			}
		}
		for i, f := range flows {
			if rates[i] >= 0 || full >= 0 && !slices.Contains(f.Links, full) {
				continue
			}
			rates[i] = share * f.Weight
			open--
			for _, l := range f.Links {
				free[l] -= rates[i]
				weight[l] -= f.Weight
			}
		}
	}
	return append(dst, rates...)
}
