package shuffle_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/shuffle"
)

// noSizes are out of the range of bytes.
var noSizes = []float64{-1, nan, inf, -inf, -5e-324, math.Nextafter(0x1p200, inf)}

func TestMapRacksErrors(t *testing.T) {
	good := []shuffle.Block{{Bytes: 1, Racks: []int{0, 1}}, {Bytes: 2}}
	var calls []expect.Call
	bad := func(arg string, index, racks int, blocks []shuffle.Block, ratio float64, reduces int, o shuffle.Options) {
		calls = append(calls, expect.Bad(arg, index, racks, blocks, ratio, reduces, o))
	}
	none := shuffle.Options{}
	for _, racks := range []int{0, -1, 1<<20 + 1} {
		bad("racks", -1, racks, nil, 1, 1, none)
	}
	for _, x := range noSizes {
		bad("ratio", -1, 3, good, x, 1, none)
		bad("blocks", 1, 3, []shuffle.Block{{}, {Bytes: x}}, 1, 1, none)
		bad("o", 2, 3, good, 1, 1, shuffle.Options{Load: []float64{0, 0, x}})
	}
	for _, k := range []int{-1, 1e9 + 1} {
		bad("reduces", -1, 3, good, 1, k, none)
		bad("o", 1, 3, good, 1, 1, shuffle.Options{Slots: []int{0, k, 1}})
	}
	bad("blocks", 0, 3, []shuffle.Block{{Racks: []int{0, 3}}}, 1, 1, none)
	bad("blocks", 1, 3, []shuffle.Block{{}, {Racks: []int{-1}}}, 1, 1, none)
	bad("blocks", 1, 3, []shuffle.Block{{}, {Racks: []int{1, 0, 1}}}, 1, 1, none)
	for _, o := range []shuffle.Options{{Load: make([]float64, 2)}, {Slots: make([]int, 4)}, {MinRacks: 4}, {MinRacks: -1}} {
		bad("o", -1, 3, good, 1, 1, o)
	}
	expect.Refused(t, "shuffle.MapRacks", shuffle.MapRacks, nil, calls...)
}

func TestPlacementErrors(t *testing.T) {
	type list = []float64
	links, racks := make([]shuffle.Link, 1, 9), make([]int, 1, 9)
	for _, c := range []expect.Call{
		expect.Bad("intermediate", -1, nil, nil),
		expect.Bad("intermediate", 1, list{1, -1}, []int{1, 1}),
		expect.Bad("intermediate", 0, list{nan}, []int{1}),
		expect.Bad("intermediate", 0, list{inf}, []int{1}),
		expect.Bad("reduces", -1, list{1}, nil),
		expect.Bad("reduces", -1, list{1}, []int{1, 2}),
		expect.Bad("reduces", 1, list{1, 1}, []int{0, -1}),
		expect.Bad("reduces", 0, list{1, 1}, []int{1e9 + 1, 0}),
	} {
		expect.Refused(t, "shuffle.CrossRack", shuffle.CrossRack, nil, c)
		expect.Refused(t, "shuffle.Traffic", shuffle.Traffic, nil, expect.Bad(c.Arg, c.Index, links, c.Args[0], c.Args[1]))
	}
	for _, c := range []expect.Call{
		expect.Bad("reduces", -1, racks, -1, list{1}),
		expect.Bad("reduces", -1, racks, 1e9+1, list{1}),
		expect.Bad("intermediate", -1, racks, 1, nil),
		expect.Bad("intermediate", 1, racks, 1, list{1, nan}),
		expect.Bad("intermediate", 0, racks, 1, list{-1, 1}),
	} {
		expect.Refused(t, "shuffle.ReducesPerRack", shuffle.ReducesPerRack, nil, c)
		expect.Refused(t, "shuffle.ReducesWithin", shuffle.ReducesWithin, nil, expect.Bad(c.Arg, c.Index, append(c.Args, []int{1, 1})...))
	}
	expect.Refused(t, "shuffle.ReducesPerRack", shuffle.ReducesPerRack, nil, expect.Bad("intermediate", -1, racks, 3, list{0, 0}))
	expect.Refused(t, "shuffle.ReducesWithin", shuffle.ReducesWithin, nil,
		expect.Bad("slots", -1, racks, 3, list{1, 2}, nil),
		expect.Bad("slots", -1, racks, 3, list{1, 2}, []int{3}),
		expect.Bad("slots", -1, racks, 3, list{1, 2}, []int{1, 1}),
		expect.Bad("slots", 1, racks, 3, list{1, 2}, []int{9, -1}))
	expect.Refused(t, "shuffle.PlaceReduces", shuffle.PlaceReduces, nil,
		expect.Bad("slots", -1, racks, nil, nil),
		expect.Bad("slots", 1, racks, []int{1, -1}, nil),
		expect.Bad("slots", -1, racks, []int{1}, []list{{1}, {2}}),
		expect.Bad("bytes", 1, racks, []int{1, 1}, []list{{1, 2}, {3}}),
		expect.Bad("bytes", 0, racks, []int{1, 1}, []list{{1, nan}}),
		expect.Bad("bytes", 1, racks, []int{2}, []list{{1}, {-2}}))
}

func TestNextErrors(t *testing.T) {
	type tasks = []shuffle.Candidate
	calls := []expect.Call{expect.Bad("tasks", 2, tasks{{}, {}, {Kind: 2}}, true, 0), expect.Bad("tasks", 1, tasks{{}, {Local: 3}}, true, 0)}
	for _, w := range []float64{-1, nan, inf, 0x1p-201, 0x1p201} {
		calls = append(calls, expect.Bad("window", -1, tasks{{}}, true, w))
	}
	for _, x := range []float64{nan, inf, -inf, 0x1p201} {
		calls = append(calls, expect.Bad("tasks", 1, tasks{{}, {Arrival: x}}, true, 0))
	}
	expect.Refused(t, "shuffle.Next", shuffle.Next, nil, calls...)
}

func TestSaturatedErrors(t *testing.T) {
	dst := make([]bool, 1, 9)
	link := func(out, in float64) []shuffle.Link { return []shuffle.Link{{}, {Out: out, In: in}} }
	one := link(1, 1)
	calls := []expect.Call{expect.Bad("used", -1, dst, nil, nil, 0), expect.Bad("capacity", -1, dst, one, nil, 0)}
	for _, x := range noSizes {
		calls = append(calls, expect.Bad("threshold", -1, dst, one, one, x),
			expect.Bad("used", 1, dst, link(x, 1), one, 0), expect.Bad("used", 1, dst, link(1, x), one, 0))
		if x != inf {
			calls = append(calls, expect.Bad("capacity", 1, dst, one, link(x, 1), 0), expect.Bad("capacity", 1, dst, one, link(1, x), 0))
		}
	}
	expect.Refused(t, "shuffle.Saturated", shuffle.Saturated, nil, calls...)
}

func TestRatioErrors(t *testing.T) {
	refused := func(r shuffle.Ratio, calls ...expect.Call) {
		t.Helper()
		expect.Refused(t, "shuffle.Ratio.Add", r.Add, func() any { return r }, calls...)
	}
	for _, x := range noSizes {
		refused(shuffle.Ratio{}, expect.Bad("input", -1, x, 1), expect.Bad("output", -1, 1, x))
	}
	refused(shuffle.Ratio{}, expect.Bad("input", -1, 0x1p-201, 1))
	refused(shuffle.Ratio{Input: 0x1p200, Output: 0x1p200}, expect.Bad("input", -1, 0x1p199, 0), expect.Bad("output", -1, 0, 0x1p199))
}
