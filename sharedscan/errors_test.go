package sharedscan_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/sharedscan"
)

type (
	list    = []float64
	scan    = sharedscan.Scan
	subjob  = sharedscan.Subjob
	subjobs = []subjob
	demands = []sharedscan.Demand
)

var nan, inf = math.NaN(), math.Inf(1)

func TestScansErrors(t *testing.T) {
	type list2 = [][]int
	dst := make(subjobs, 1, 9)
	chain := func(bad scan) {
		t.Helper()
		expect.Refused(t, "sharedscan.CyclicChain", sharedscan.CyclicChain, nil, expect.Bad("scans", 1, dst, []scan{{Remaining: 1, Max: 2}, bad}))
	}
	for _, bad := range []scan{{Remaining: nan}, {Remaining: -1}, {Remaining: inf}, {Min: -1}, {Max: -1}, {Min: 3, Max: 2}} {
		chain(bad)
		expect.Refused(t, "sharedscan.CyclicTree", sharedscan.CyclicTree, nil, expect.Bad("scans", 1, dst, nil, []scan{{Remaining: 1}, bad}, list{1, 2}))
	}
	chain(scan{Remaining: 1, Min: 3})
	expect.Refused(t, "sharedscan.CyclicTree", sharedscan.CyclicTree, nil, expect.Bad("rest", -1, dst, nil, make([]scan, 2), list{1}))
	for _, x := range []float64{nan, -1, inf} {
		expect.Refused(t, "sharedscan.CyclicTree", sharedscan.CyclicTree, nil, expect.Bad("rest", 0, dst, nil, make([]scan, 1), list{x}))
		expect.Refused(t, "sharedscan.Regions", sharedscan.Regions, nil, expect.Bad("bytes", 1, nil, list{1, x}))
	}
	expect.Refused(t, "sharedscan.Regions", sharedscan.Regions, nil,
		expect.Bad("scans", 1, list2{{0}, {1}}, list{1}),
		expect.Bad("scans", 0, list2{{-1}}, list{1}),
		expect.Bad("bytes", 1, nil, list{math.MaxFloat64, math.MaxFloat64}))
	one := subjobs{{Completes: 0}, {Completes: 0}}
	sum := func(n int) precedence.Objective {
		obj, err := precedence.SumResponse(n)
		must(t, err)
		return obj
	}
	expect.Refused(t, "sharedscan.OverSubjobs", sharedscan.OverSubjobs, nil,
		expect.Bad("subjobs", 1, one, sum(1)),
		expect.Bad("subjobs", 0, one, sum(0)),
		expect.Bad("obj", 1, one[:1], sum(2)),
		expect.Bad("obj", 0, one[:1], precedence.Objective{Penalties: []precedence.Penalty{nil}}),
		expect.Bad("obj", -1, nil, precedence.Objective{Aggregate: 7}))
	expect.Refused(t, "sharedscan.FromSubjobs", sharedscan.FromSubjobs, nil,
		expect.Bad("subjobs", 0, nil, subjobs{{Members: []int{2}}}, make([]scan, 2)),
		expect.Bad("subjobs", 0, nil, subjobs{{Work: 1, Members: []int{0, 1}}}, []scan{{Min: 3}, {Max: 2}}),
		expect.Bad("scans", 0, nil, nil, []scan{{Min: -3}}),
		expect.Bad("subjobs", 1, nil, subjobs{{Work: 1, Members: []int{0}}, {Members: []int{2}}}, make([]scan, 2)),
		expect.Bad("subjobs", 1, nil, subjobs{{Work: 1}, {Min: -1}}, nil),
		expect.Bad("subjobs", 1, nil, subjobs{{Work: 1}, {Max: -1}}, nil),
		expect.Bad("subjobs", 1, nil, subjobs{{Work: 1}, {Min: 3, Max: 2}}, nil))
	for _, work := range []float64{nan, inf, -inf, -1} {
		expect.Refused(t, "sharedscan.FromSubjobs", sharedscan.FromSubjobs, nil,
			expect.Bad("subjobs", 1, nil, subjobs{{Work: 1}, {Work: work}}, nil),
			expect.Bad("subjobs", 1, nil, subjobs{{Work: 1}, {Work: work}}, []scan{}))
	}
}

func TestBatchErrors(t *testing.T) {
	dst := []sharedscan.Batch{{Start: 7}}
	if got, err := sharedscan.Batches(nil, list{0}, 0x1p900, 0); err != nil || len(got) != 1 {
		t.Errorf("Batches(nil, [0], 2^900, 0) = %v, %v, want one batch", got, err)
	}
	for _, w := range []float64{0, -1, nan, inf, math.Nextafter(0x1p900, inf)} {
		expect.Refused(t, "sharedscan.Batches", sharedscan.Batches, nil, expect.Bad("window", -1, dst, nil, w, 0))
	}
	for _, x := range []float64{nan, inf, -inf} {
		expect.Refused(t, "sharedscan.Batches", sharedscan.Batches, nil, expect.Bad("boundary", -1, dst, nil, 1, x), expect.Bad("arrivals", 1, dst, list{0, x}, 1, 0))
	}
	for _, x := range []float64{1e300, -1e300, math.MaxFloat64} {
		expect.Refused(t, "sharedscan.Batches", sharedscan.Batches, nil, expect.Bad("arrivals", 0, dst, list{0, x}, 1, -x), expect.Bad("arrivals", 1, dst, list{0, x}, 5e-324, 0))
	}
	for _, x := range []float64{-1, nan, inf} {
		expect.Refused(t, "sharedscan.PerceivedWait", sharedscan.PerceivedWait, nil, expect.Bad("window", -1, x, sharedscan.Demand{Rate: 1}))
		for _, d := range []sharedscan.Demand{{Rate: x}, {Rate: 1, Scan: x}, {Rate: 1, Own: x}, {}} {
			expect.Refused(t, "sharedscan.PerceivedWait", sharedscan.PerceivedWait, nil, expect.Bad("d", -1, 1, d))
			expect.Refused(t, "sharedscan.BatchWindows", sharedscan.BatchWindows, nil, expect.Bad("demands", 1, list{7}, demands{{Rate: 1}, d}, precedence.Sum))
		}
	}
	expect.Refused(t, "sharedscan.PerceivedWait", sharedscan.PerceivedWait, nil, expect.Bad("window", -1, math.MaxFloat64, sharedscan.Demand{Rate: 2, Own: 1}))
	expect.Refused(t, "sharedscan.BatchWindows", sharedscan.BatchWindows, nil,
		expect.Bad("demands", 0, nil, demands{{Rate: 2, Own: .5}}, precedence.Max),
		expect.Bad("agg", -1, nil, nil, 5),
		expect.Bad("demands", 0, nil, demands{{Rate: 1, Scan: math.MaxFloat64}, {Rate: 1, Scan: math.MaxFloat64}}, precedence.Max))
}

func TestCircularScanErrors(t *testing.T) {
	expect.Refused(t, "sharedscan.New", sharedscan.New[int], nil, expect.Bad("blocks", -1, -1), expect.Bad("blocks", -1, 1<<24+1))
	f, err := sharedscan.New[float64](2)
	must(t, err)
	expect.Refused(t, "sharedscan.CircularScan.Join", f.Join, func() any { return f.Snapshot() }, expect.Bad("job", -1, nan, 1))
	var c sharedscan.CircularScan[int] // without blocks
	state := func() any { return c.Snapshot() }
	expect.Refused(t, "sharedscan.CircularScan.Start", c.Start, state, expect.Bad("block", -1, 0))
	expect.Refused(t, "sharedscan.CircularScan.Finish", c.Finish, state, expect.Bad("run", -1, []int{7}, 1))
	expect.Refused(t, "sharedscan.CircularScan.Lost", c.Lost, state, expect.Bad("run", -1, nil, 1))
	expect.Refused(t, "sharedscan.CircularScan.Fail", c.Fail, state, expect.Bad("job", -1, nil, 1))
	expect.Refused(t, "sharedscan.CircularScan.Join", c.Join, state, expect.Bad("partitions", -1, 1, -1))
	_, err = c.Join(1, math.MaxInt32)
	must(t, err)
	expect.Refused(t, "sharedscan.CircularScan.Join", c.Join, state, expect.Bad("partitions", -1, 2, 1), expect.Bad("job", -1, 1, 0))
}
