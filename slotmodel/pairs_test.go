package slotmodel_test

import (
	"math"
	"slices"
)

// pairFlow is a flow of the per-flow model: it shares every one of its links max-min fairly while
// it has bytes to send.
type pairFlow struct {
	links  []int
	chunks []chunk // what it has to send, in order of time
	to     int     // the reduce that waits for it
	next   int     // first chunk that is not there yet
	left   float64 // bytes that are there and not sent
}

type chunk struct{ at, bytes float64 }

// pairNetwork solves the per-flow model: it returns when each reduce has got everything. Plain
// progressive filling, anew at each event, over the flows one by one.
func pairNetwork(capacity []float64, flows []pairFlow, reduces int) []float64 {
	end := make([]float64, reduces)
	now := 0.0
	rates := make([]float64, len(flows))
	for {
		t := math.Inf(1)
		for i := range flows {
			f := &flows[i]
			for f.next < len(f.chunks) && f.chunks[f.next].at <= now {
				f.left += f.chunks[f.next].bytes
				f.next++
			}
			if f.next < len(f.chunks) {
				t = math.Min(t, f.chunks[f.next].at)
			}
		}
		fillPairs(rates, capacity, flows)
		first := -1
		for i := range flows {
			if flows[i].left > 0 {
				if d := now + flows[i].left/rates[i]; d <= t {
					t, first = d, i
				}
			}
		}
		if math.IsInf(t, 1) {
			return end
		}
		for i := range flows {
			f := &flows[i]
			if f.left == 0 {
				continue
			}
			// What ends within rounding of this instant ends now: a few bytes in 10^12 must not
			// make an event.
			if f.left -= rates[i] * (t - now); i == first || f.left <= 1e-12*rates[i]*t {
				f.left = 0
				end[f.to] = math.Max(end[f.to], t)
			}
		}
		now = t
	}
}

// fillPairs finds max-min fair rates of the flows that have bytes to send.
func fillPairs(rates, capacity []float64, flows []pairFlow) {
	free := slices.Clone(capacity)
	active := make([]int, len(capacity))
	open := 0
	for i := range flows {
		rates[i] = 0
		if flows[i].left > 0 {
			open++
			rates[i] = -1
			for _, l := range flows[i].links {
				active[l]++
			}
		}
	}
	for open > 0 {
		best, share := -1, math.Inf(1)
		for l := range free {
			if active[l] > 0 && free[l]/float64(active[l]) < share {
				best, share = l, free[l]/float64(active[l])
			}
		}
		if best < 0 { // nothing limits the others
			for i := range rates {
				if rates[i] < 0 {
					rates[i] = math.Inf(1)
				}
			}
			return
		}
		for i := range flows {
			if rates[i] >= 0 || !slices.Contains(flows[i].links, best) {
				continue
			}
			rates[i] = share
			open--
			for _, l := range flows[i].links {
				free[l] -= share
				active[l]--
			}
		}
	}
}
