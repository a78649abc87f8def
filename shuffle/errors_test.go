package shuffle_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/shuffle"
)

// noSizes are out of the range of bytes.
var noSizes = []float64{-1, nan, inf, -inf, -5e-324, math.Nextafter(0x1p200, inf)}

func TestMapRacksErrors(t *testing.T) {
	good := []shuffle.Block{{Bytes: 1, Racks: []int{0, 1}}, {Bytes: 2}}
	check := func(blocks []shuffle.Block, racks int, ratio float64, reduces int, o shuffle.Options, arg string, index int) {
		t.Helper()
		p, err := shuffle.MapRacks(racks, blocks, ratio, reduces, o)
		expect.InputError(t, "MapRacks", err, "shuffle.MapRacks", arg, index)
		if !reflect.DeepEqual(p, shuffle.MapPlan{}) {
			t.Errorf("MapRacks fails with %+v, want the zero plan", p)
		}
	}
	none := shuffle.Options{}
	for _, racks := range []int{0, -1, 1<<20 + 1} {
		check(nil, racks, 1, 1, none, "racks", -1)
	}
	for _, x := range noSizes {
		check(good, 3, x, 1, none, "ratio", -1)
		check([]shuffle.Block{{}, {Bytes: x}}, 3, 1, 1, none, "blocks", 1)
		check(good, 3, 1, 1, shuffle.Options{Load: []float64{0, 0, x}}, "o", 2)
	}
	for _, k := range []int{-1, 1e9 + 1} {
		check(good, 3, 1, k, none, "reduces", -1)
		check(good, 3, 1, 1, shuffle.Options{Slots: []int{0, k, 1}}, "o", 1)
	}
	check([]shuffle.Block{{Racks: []int{0, 3}}}, 3, 1, 1, none, "blocks", 0)
	check([]shuffle.Block{{}, {Racks: []int{-1}}}, 3, 1, 1, none, "blocks", 1)
	check([]shuffle.Block{{}, {Racks: []int{1, 0, 1}}}, 3, 1, 1, none, "blocks", 1)
	check(good, 3, 1, 1, shuffle.Options{Load: make([]float64, 2)}, "o", -1)
	check(good, 3, 1, 1, shuffle.Options{Slots: make([]int, 4)}, "o", -1)
	check(good, 3, 1, 1, shuffle.Options{MinRacks: 4}, "o", -1)
	check(good, 3, 1, 1, shuffle.Options{MinRacks: -1}, "o", -1)
}

// fixed checks that a failing call hands back its dst, of one element.
func fixed[T comparable](t *testing.T, call string, dst, got []T, err error, arg string, index int) {
	t.Helper()
	expect.InputError(t, call, err, "shuffle."+call, arg, index)
	if len(got) != 1 || &got[0] != &dst[0] || got[0] != dst[:1][0] {
		t.Errorf("%s fails with %v, want dst", call, got)
	}
}

func TestPlacementErrors(t *testing.T) {
	for _, c := range []struct {
		bytes   []float64
		reduces []int
		arg     string
		index   int
	}{
		{nil, nil, "intermediate", -1}, {[]float64{1, -1}, []int{1, 1}, "intermediate", 1}, {[]float64{nan}, []int{1}, "intermediate", 0},
		{[]float64{inf}, []int{1}, "intermediate", 0}, {[]float64{1}, nil, "reduces", -1}, {[]float64{1}, []int{1, 2}, "reduces", -1},
		{[]float64{1, 1}, []int{0, -1}, "reduces", 1}, {[]float64{1, 1}, []int{1e9 + 1, 0}, "reduces", 0},
	} {
		x, err := shuffle.CrossRack(c.bytes, c.reduces)
		expect.InputError(t, "CrossRack", err, "shuffle.CrossRack", c.arg, c.index)
		if x != 0 {
			t.Errorf("CrossRack fails with %v, want 0", x)
		}
		dst := make([]shuffle.Link, 1, 9)
		links, err := shuffle.Traffic(dst, c.bytes, c.reduces)
		fixed(t, "Traffic", dst, links, err, c.arg, c.index)
	}
}

func TestReducesErrors(t *testing.T) {
	for _, c := range []struct {
		reduces int
		bytes   []float64
		slots   []int
		arg     string
		index   int
	}{
		{-1, []float64{1}, []int{1}, "reduces", -1}, {1e9 + 1, []float64{1}, []int{1}, "reduces", -1}, {1, nil, nil, "intermediate", -1},
		{1, []float64{1, nan}, []int{1, 1}, "intermediate", 1}, {1, []float64{-1, 1}, []int{1, 1}, "intermediate", 0},
	} {
		dst := make([]int, 1, 9)
		got, err := shuffle.ReducesPerRack(dst, c.reduces, c.bytes)
		fixed(t, "ReducesPerRack", dst, got, err, c.arg, c.index)
		got, err = shuffle.ReducesWithin(dst, c.reduces, c.bytes, c.slots)
		fixed(t, "ReducesWithin", dst, got, err, c.arg, c.index)
	}
	dst := make([]int, 1, 9)
	got, err := shuffle.ReducesPerRack(dst, 3, []float64{0, 0})
	fixed(t, "ReducesPerRack", dst, got, err, "intermediate", -1)
	for _, slots := range [][]int{nil, {3}, {1, 1}} {
		got, err := shuffle.ReducesWithin(dst, 3, []float64{1, 2}, slots)
		fixed(t, "ReducesWithin", dst, got, err, "slots", -1)
	}
	got, err = shuffle.ReducesWithin(dst, 3, []float64{1, 2}, []int{9, -1})
	fixed(t, "ReducesWithin", dst, got, err, "slots", 1)
}

func TestPlaceReducesErrors(t *testing.T) {
	for _, c := range []struct {
		bytes [][]float64
		slots []int
		arg   string
		index int
	}{
		{nil, nil, "slots", -1}, {nil, []int{1, -1}, "slots", 1}, {[][]float64{{1}, {2}}, []int{1}, "slots", -1},
		{[][]float64{{1, 2}, {3}}, []int{1, 1}, "bytes", 1}, {[][]float64{{1, nan}}, []int{1, 1}, "bytes", 0}, {[][]float64{{1}, {-2}}, []int{2}, "bytes", 1},
	} {
		dst := make([]int, 1, 9)
		got, err := shuffle.PlaceReduces(dst, c.slots, c.bytes)
		fixed(t, "PlaceReduces", dst, got, err, c.arg, c.index)
	}
}

func TestNextErrors(t *testing.T) {
	check := func(tasks []shuffle.Candidate, window float64, arg string, index int) {
		t.Helper()
		i, why, err := shuffle.Next(tasks, true, window)
		expect.InputError(t, "Next", err, "shuffle.Next", arg, index)
		if i != -1 || why != shuffle.NoTask {
			t.Errorf("Next fails with %d, %v, want -1, no task", i, why)
		}
	}
	for _, w := range []float64{-1, nan, inf, 0x1p-201, 0x1p201} {
		check([]shuffle.Candidate{{}}, w, "window", -1)
	}
	for _, x := range []float64{nan, inf, -inf, 0x1p201} {
		check([]shuffle.Candidate{{}, {Arrival: x}}, 0, "tasks", 1)
	}
	check([]shuffle.Candidate{{}, {}, {Kind: 2}}, 0, "tasks", 2)
	check([]shuffle.Candidate{{}, {Local: 3}}, 0, "tasks", 1)
}

func TestSaturatedErrors(t *testing.T) {
	link := func(out, in float64) []shuffle.Link { return []shuffle.Link{{}, {Out: out, In: in}} }
	check := func(used, capacity []shuffle.Link, threshold float64, arg string, index int) {
		t.Helper()
		dst := make([]bool, 1, 9)
		got, err := shuffle.Saturated(dst, used, capacity, threshold)
		fixed(t, "Saturated", dst, got, err, arg, index)
	}
	check(nil, nil, 0, "used", -1)
	check(link(1, 1), nil, 0, "capacity", -1)
	for _, x := range noSizes {
		check(link(1, 1), link(1, 1), x, "threshold", -1)
		check(link(x, 1), link(1, 1), 0, "used", 1)
		check(link(1, x), link(1, 1), 0, "used", 1)
		if x != inf {
			check(link(1, 1), link(x, 1), 0, "capacity", 1)
			check(link(1, 1), link(1, x), 0, "capacity", 1)
		}
	}
}

func TestRatioErrors(t *testing.T) {
	for _, x := range noSizes {
		var r shuffle.Ratio
		expect.InputError(t, "Add", r.Add(x, 1), "shuffle.Ratio.Add", "input", -1)
		expect.InputError(t, "Add", r.Add(1, x), "shuffle.Ratio.Add", "output", -1)
		expect.InputError(t, "Add", r.Add(0x1p-201, 1), "shuffle.Ratio.Add", "input", -1)
		if r != (shuffle.Ratio{}) {
			t.Errorf("Add fails and leaves %+v", r)
		}
	}
	r := shuffle.Ratio{Input: 0x1p200, Output: 0x1p200}
	expect.InputError(t, "Add", r.Add(0x1p199, 0), "shuffle.Ratio.Add", "input", -1)
	expect.InputError(t, "Add", r.Add(0, 0x1p199), "shuffle.Ratio.Add", "output", -1)
}
