package aging_test

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

// Inputs and expected numbers are those of other projects' public tests. A comment names the file,
// the version, and where a peer differs.

// peerShares is the shares of claims right under the root.
func peerShares(t *testing.T, capacity float64, claims []aging.Claim) []float64 {
	t.Helper()
	got, err := aging.Shares(nil, capacity, claims, nil, aging.Within)
	must(t, err)
	return got
}

func sameShares(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*math.Max(1, y) })
}

// TestPeersYARN: Hadoop's Fair Scheduler, TestComputeFairShares.java, apache/hadoop at
// 0f809af6692f. Its minimum share is a floor within the share, its maximum a demand.
func TestPeersYARN(t *testing.T) {
	const most = math.MaxInt32
	for name, c := range map[string]struct {
		capacity float64
		claims   []aging.Claim // Floor, Demand, Weight
		want     []float64
	}{
		"testEqualSharing": {40, []aging.Claim{{Demand: most}, {Demand: most}, {Demand: most}, {Demand: most}}, []float64{10, 10, 10, 10}},
		"testLowMaxShares": {40, []aging.Claim{{Demand: 100}, {Demand: 50}, {Demand: 11}, {Demand: 3}}, []float64{13, 13, 11, 3}},
		"testMinShares": {40, []aging.Claim{{Floor: 20, Demand: most}, {Floor: 18, Demand: most}, {Demand: most}, {Floor: 2, Demand: most}},
			[]float64{20, 18, 0, 2}},
		"testWeightedSharing": {45, []aging.Claim{{Demand: most, Weight: 2}, {Demand: most}, {Demand: most}, {Demand: most, Weight: .5}},
			[]float64{20, 10, 10, 5}},
		"testWeightedSharingWithMaxShares": {45, []aging.Claim{{Demand: 10, Weight: 2}, {Demand: 11}, {Demand: 30}, {Demand: 20, Weight: .5}},
			[]float64{10, 11, 16, 8}},
		"testWeightedSharingWithMinShares, testCPU": {45,
			[]aging.Claim{{Floor: 20, Demand: most, Weight: 2}, {Demand: most}, {Floor: 5, Demand: most}, {Floor: 15, Demand: most, Weight: .5}},
			[]float64{20, 5, 5, 15}},
		"testLargeShares": {40e6, []aging.Claim{{Demand: most}, {Demand: most}, {Demand: most}, {Demand: most}}, []float64{10e6, 10e6, 10e6, 10e6}},
		"testEmptyList":   {40, nil, nil},
		// Two minimum shares of all there is: their test asks that it ends.
		"testResourceUsedWithWeightToResourceRatio": {most, []aging.Claim{{Floor: most, Demand: most}, {Floor: most, Demand: most}},
			[]float64{most / 2., most / 2.}},
	} {
		if got := peerShares(t, c.capacity, c.claims); !sameShares(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestPeersArmada: TestCalculateFairShares of context/scheduling_test.go, armadaproject/armada at
// 00244ab1c35c: shares of a pool of 1 by weight alone; with the demands; and, for each queue, with
// a demand of its own without limit.
//
// Armada divides by rounds what others do not want, and differs twice. Of demands .01, .4 and 10
// the first queue without limit has .3808 there: in the third round the second queue gives back
// .095, and half of it counts for the first, though the second has .4 only because the first wants
// little. And the rounds (context/scheduling.go at 0698fb74b072) end after ten, or when at most a
// hundredth of the pool is left: of demands .4925 and 10 nobody has .0075.
func TestPeersArmada(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		demand, weight         []float64
		fair, capped, uncapped []float64
	}{
		"one queue, more than there is": {[]float64{10}, []float64{1}, []float64{1}, []float64{1}, []float64{1}},
		"one queue, less than there is": {[]float64{.01}, []float64{1}, []float64{1}, []float64{.01}, []float64{1}},
		"two, both more":                {[]float64{10, 10}, []float64{1, 1}, []float64{.5, .5}, []float64{.5, .5}, []float64{.5, .5}},
		"two, both less":                {[]float64{.01, .01}, []float64{1, 1}, []float64{.5, .5}, []float64{.01, .01}, []float64{.99, .99}},
		"two, one less":                 {[]float64{.01, 10}, []float64{1, 1}, []float64{.5, .5}, []float64{.01, .99}, []float64{.5, .99}},
		"weights, both more":            {[]float64{10, 10}, []float64{1, 3}, []float64{.25, .75}, []float64{.25, .75}, []float64{.25, .75}},
		"weights, the larger more":      {[]float64{.01, 10}, []float64{1, 3}, []float64{.25, .75}, []float64{.01, .99}, []float64{.25, .99}},
		"weights, the smaller more":     {[]float64{10, .01}, []float64{1, 3}, []float64{.25, .75}, []float64{.99, .01}, []float64{.99, .75}},
		// Theirs of the first uncapped is .38083.
		"three, several rounds": {[]float64{.01, .4, 10}, []float64{1, 1, 1}, []float64{1. / 3, 1. / 3, 1. / 3}, []float64{.01, .4, .59}, []float64{1. / 3, .495, .59}},
		"no demand":             {[]float64{0, 0, 0}, []float64{1, 1, 1}, []float64{1. / 3, 1. / 3, 1. / 3}, []float64{0, 0, 0}, []float64{1, 1, 1}},
		"no capacity, where each is taken to want the whole pool": {[]float64{1, 1, 1}, []float64{1, 1, 1},
			[]float64{1. / 3, 1. / 3, 1. / 3}, []float64{1. / 3, 1. / 3, 1. / 3}, []float64{1. / 3, 1. / 3, 1. / 3}},
		// Not of their tests: theirs gives .5.
		"less than a hundredth to divide again": {[]float64{.4925, 10}, []float64{1, 1}, []float64{.5, .5}, []float64{.4925, .5075}, []float64{.5, .5075}},
	} {
		claims, all := make([]aging.Claim, len(c.demand)), make([]aging.Claim, len(c.demand))
		for i := range claims {
			claims[i] = aging.Claim{Demand: c.demand[i], Weight: c.weight[i]}
			all[i] = aging.Claim{Demand: inf, Weight: c.weight[i]}
		}
		if got := peerShares(t, 1, all); !sameShares(got, c.fair) {
			t.Errorf("%s: shares by weight %v, want %v", name, got, c.fair)
		}
		if got := peerShares(t, 1, claims); !sameShares(got, c.capped) {
			t.Errorf("%s: shares by demand %v, want %v", name, got, c.capped)
		}
		for i := range claims {
			got, err := aging.Entitlement(1, claims, nil, i, aging.Within)
			must(t, err)
			if !sameShares([]float64{got}, c.uncapped[i:i+1]) {
				t.Errorf("%s: queue %d without limit has %v, want %v", name, i, got, c.uncapped[i])
			}
		}
	}
}

// TestPeersArmadaNewQueue: TestCalculateTheoreticalShare of the same file: the share of a queue
// without limit that comes to those that are there.
func TestPeersArmadaNewQueue(t *testing.T) {
	for _, c := range []struct {
		demand, weight []float64
		want           float64
	}{
		{nil, nil, 1},
		{[]float64{10}, []float64{1}, .5},
		{[]float64{10, 10}, []float64{1, 1}, 1. / 3},
		{[]float64{10}, []float64{.5}, 2. / 3},
		{[]float64{10}, []float64{2}, 1. / 3},
		{[]float64{.01}, []float64{1}, .99},
	} {
		claims := []aging.Claim{{Demand: math.Inf(1)}}
		for i := range c.demand {
			claims = append(claims, aging.Claim{Demand: c.demand[i], Weight: c.weight[i]})
		}
		if got := peerShares(t, 1, claims)[0]; !sameShares([]float64{got}, []float64{c.want}) {
			t.Errorf("beside demands %v and weights %v: %v, want %v", c.demand, c.weight, got, c.want)
		}
	}
}
