package schedtest_test

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/partition"
	"github.com/schedmath/schedmath/schedtest"
)

var must = expect.Must

// What the library has of each kind keeps the laws.
func TestOurs(t *testing.T) {
	schedtest.Shares(t, func(capacity float64, demand, weight []float64) []float64 {
		jobs := make([]aging.Job, len(demand))
		for i := range jobs {
			jobs[i] = aging.Job{Work: demand[i], Slots: demand[i], Weight: weight[i]}
		}
		shares, err := aging.MaxMin(nil, capacity, jobs)
		must(t, err)
		return shares
	})
	for _, rule := range []aging.Floors{aging.Within, aging.OnTop} {
		schedtest.SharesWithFloors(t, func(capacity float64, demand, weight, floor []float64) []float64 {
			claims := make([]aging.Claim, len(demand))
			for i := range claims {
				claims[i] = aging.Claim{Demand: demand[i], Weight: weight[i], Floor: floor[i]}
			}
			shares, err := aging.Shares(nil, capacity, claims, nil, rule)
			must(t, err)
			return shares
		}, rule == aging.OnTop)
	}
	for method, factor := range map[partition.Method]float64{partition.Multifit: 13. / 11, partition.Best: 13. / 11} {
		schedtest.Assignment(t, func(sizes []float64, machines int) []int {
			speeds := slices.Repeat([]float64{1}, machines)
			cost, err := partition.BySpeed(speeds)
			must(t, err)
			plan, err := partition.Assign(machines, sizes, cost, partition.Options{Method: method})
			must(t, err)
			return plan.Of
		}, factor)
	}
	schedtest.Packing(t, func(slots int, work []float64, most []int) []malleable.Piece {
		jobs, priority := make([]malleable.Job, len(work)), make([]int, len(work))
		for i := range jobs {
			jobs[i], priority[i] = malleable.Job{Work: work[i], Max: most[i]}, i
		}
		s, err := malleable.Pack(slots, jobs, nil, priority)
		must(t, err)
		return slices.Collect(s.Pieces())
	})
}
