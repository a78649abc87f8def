package partition_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/partition"
)

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

var methods = []partition.Method{partition.DynamicShare, partition.LoadBalance, partition.Hash, partition.Multifit, partition.LocalSearch, partition.Best}

var must = expect.Must

func TestNames(t *testing.T) {
	expect.Words(t, map[partition.Method]string{
		partition.DynamicShare: "DynamicShare", partition.LoadBalance: "LoadBalance", partition.Hash: "Hash",
		partition.Multifit: "Multifit", partition.LocalSearch: "LocalSearch", partition.Best: "Best",
	})
	expect.Words(t, map[partition.Reason]string{
		partition.Earliest: "earliest", partition.Late: "late", partition.Lightest: "lightest", partition.Hashed: "hashed", partition.Fitted: "fitted",
		partition.Kept: "kept", partition.Moved: "moved", partition.Swapped: "swapped", partition.Spread: "spread",
		partition.Searched: "searched",
	})
}

// What Assign, AssignSketch and Verify refuse alike.
func TestAssignErrors(t *testing.T) {
	type (
		list = []float64
		o    = partition.Options
	)
	s := newSketch(t, 2, 3, 1)
	unit := partition.Cost(func(int, float64) float64 { return 1 })
	three := list{1, 2, 3}
	var calls []expect.Call
	bad := func(arg string, index, machines int, sizes list, cost partition.Cost, o o) {
		calls = append(calls, expect.Bad(arg, index, machines, sizes, cost, o))
	}
	for _, x := range []float64{nan, -1, inf, -inf, 0x1p201} {
		bad("sizes", 1, 1, list{1, x, 1}, unit, o{})
		bad("o", -1, 1, three, unit, o{MoveCost: x})
		if x != inf {
			bad("o", 1, 2, three, unit, o{Ready: list{0, x}})
		}
	}
	for _, m := range []int{0, -1, 1<<20 + 1, math.MaxInt} {
		bad("machines", -1, m, three, unit, o{})
	}
	bad("cost", -1, 1, three, nil, o{})
	bad("sizes", 2, 1, list{nan, 1, -1}, unit, o{Unknown: true})
	for _, x := range []o{{Method: 6}, {Method: 255}, {Steps: -1}, {Ready: three}, {Ready: list{}}, {Ready: list{inf, inf}}, {Deadlines: three}, {Previous: []int{1}}} {
		bad("o", -1, 2, three, unit, x)
	}
	bad("o", 1, 2, three, unit, o{Deadlines: list{1, nan}})
	bad("o", 1, 2, three, unit, o{Previous: []int{0, 2, 0}})
	bad("o", 2, 2, three, unit, o{Previous: []int{0, 1, -2}})
	for _, c := range calls {
		expect.Refused(t, "partition.Assign", partition.Assign, nil, c)
		if c.Arg != "sizes" && c.Args[3].(o).Previous == nil {
			expect.Refused(t, "partition.AssignSketch", partition.AssignSketch, nil, expect.Bad(c.Arg, c.Index, c.Args[0], s, c.Args[2], c.Args[3]))
		}
		expect.Refused(t, "partition.Verify", partition.Verify, nil, expect.Bad(c.Arg, c.Index, append(c.Args[:4:4], partition.Plan{})...))
	}
	must(t, s.Add(1, 5))
	expect.Refused(t, "partition.AssignSketch", partition.AssignSketch, nil,
		expect.Bad("o", -1, 2, s, unit, o{Previous: []int{0, 0, 0}}),
		expect.Bad("o", -1, 2, s, unit, o{Extra: func(int, int) float64 { return 1 }}),
		expect.Bad("cost", 0, 2, s, partition.Cost(func(int, float64) float64 { return nan }), o{}),
		expect.Bad("s", -1, 1, nil, unit, o{}),
		expect.Bad("s", -1, 1, new(partition.Sketch), unit, o{}))
}

// A cost or a fetch that is no time stops every method with an error that names the machine, or
// the partition.
func TestBadTimes(t *testing.T) {
	sizes := []float64{5, 4, 3, 3, 2, 1}
	unit := partition.Cost(func(_ int, total float64) float64 { return total })
	for _, x := range []float64{nan, -1, inf, -inf, math.MaxFloat64} {
		cost := partition.Cost(func(i int, total float64) float64 { return []float64{total, x, total}[i] })
		o := partition.Options{Extra: func(k, i int) float64 { return []float64{1, x, 1, 1, 1, 1}[k] }}
		for _, o.Method = range methods {
			expect.Refused(t, "partition.Assign", partition.Assign, nil,
				expect.Bad("cost", 1, 3, sizes, cost, partition.Options{Method: o.Method}),
				expect.Bad("o", 1, 3, sizes, unit, o))
		}
		p, err := partition.Assign(3, sizes, unit, partition.Options{Method: partition.Hash})
		must(t, err)
		expect.Refused(t, "partition.Verify", partition.Verify, nil,
			expect.Bad("cost", 1, 3, sizes, cost, partition.Options{}, p),
			expect.Bad("o", 1, 3, sizes, unit, o, p))
		// The time of a critical partition on a machine that has nothing.
		p.Of, p.Load, p.Finish, p.Critical = make([]int, 6), []float64{18, 0, 0}, []float64{18, 0, 0}, 0
		expect.Refused(t, "partition.Verify", partition.Verify, nil, expect.Bad("cost", 1, 3, sizes, cost, partition.Options{}, p))
	}
}
