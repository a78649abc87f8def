package workload_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// What is refused draws no numbers. The messages of Sizes, Explode and OfferedLoad, which name a field
// of an argument, are tested with these.
func TestErrors(t *testing.T) {
	type list = []float64
	nan, inf, huge := math.NaN(), math.Inf(1), math.MaxFloat64
	src := errorStream()
	drawn := func() any { return src.n }
	dst := list{7}
	expect.Refused(t, "workload.Poisson", workload.Poisson, drawn,
		expect.Bad("n", -1, dst, -1, 1, src), expect.Bad("n", -1, dst, 1<<27+1, 1, src),
		expect.Bad("rate", -1, dst, 1, 0, src), expect.Bad("rate", -1, dst, 1, nan, src), expect.Bad("rate", -1, dst, 1, 1e-300, src),
		expect.Bad("src", -1, dst, 1, 1, nil))
	expect.Refused(t, "workload.Estimates", workload.Estimates, drawn,
		expect.Bad("sizes", 1, dst, list{1, nan}, 0, 1, src), expect.Bad("sizes", 2, dst, list{1, 2, -1}, 0, 1, src), expect.Bad("sizes", 0, dst, list{inf}, 0, 1, src),
		expect.Bad("mu", -1, dst, list{1}, nan, 1, src), expect.Bad("mu", -1, dst, list{1}, -inf, 1, src),
		expect.Bad("sigma", -1, dst, list{1}, 0, -1, src), expect.Bad("sigma", -1, dst, list{1}, 0, nan, src), expect.Bad("sigma", -1, dst, nil, 0, inf, src),
		expect.Bad("src", -1, dst, list{1}, 0, 1, nil))
	specs := []slotmodel.JobSpec{{Arrival: 7}}
	expect.Refused(t, "workload.LublinFeitelson", workload.LublinFeitelson, drawn,
		expect.Bad("n", -1, specs, -1, 64, src), expect.Bad("n", -1, specs, 1<<22+1, 64, src),
		expect.Bad("processors", -1, specs, 1, 1, src), expect.Bad("processors", -1, specs, 1, 1<<20+1, src), expect.Bad("src", -1, specs, 1, 64, nil))
	expect.Refused(t, "workload.Paired", workload.Paired, nil,
		expect.Bad("a", -1, nil, nil, .95), expect.Bad("a", -1, list{1}, list{1}, .95), expect.Bad("b", -1, list{1, 2}, list{1}, .95),
		expect.Bad("level", -1, list{1, 2}, list{1, 2}, 0), expect.Bad("level", -1, list{1, 2}, list{1, 2}, 1),
		expect.Bad("level", -1, list{1, 2}, list{1, 2}, nan), expect.Bad("level", -1, list{1, 2}, list{1, 2}, 95),
		expect.Bad("a", 1, list{1, nan}, list{1, 2}, .95), expect.Bad("b", 0, list{1, 2}, list{-inf, 2}, .95),
		expect.Bad("a", -1, list{huge, 0}, list{-huge, 0}, .95), expect.Bad("a", -1, list{huge, 0}, list{0, 0}, .95))
	expect.Refused(t, "workload.NewPlacer", workload.NewPlacer, nil, expect.Bad("nodes", -1, []slotmodel.NodeSpec{}), expect.Bad("nodes", 1, inRacks(0, -1)))
	p, err := workload.NewPlacer(inRacks(0, 1))
	expect.Must(t, err)
	at := []int32{5}
	expect.Refused(t, "workload.Placer.Place", p.Place, func() any { return []any{p, src.n} },
		expect.Bad("blocks", -1, at, -1, 1, src), expect.Bad("blocks", -1, at, 1<<26, 3, src), expect.Bad("blocks", -1, at, math.MaxInt, 64, src),
		expect.Bad("copies", -1, at, 1, 0, src), expect.Bad("copies", -1, at, 1, 65, src), expect.Bad("src", -1, at, 1, 1, nil))
	expect.Refused(t, "workload.Placer.Place", new(workload.Placer).Place, drawn, expect.Bad("p", -1, at, 1, 1, src))
	expect.Refused(t, "workload.SyntheticFB2010", workload.SyntheticFB2010, nil, expect.Bad("src", -1, nil))
	expect.Refused(t, "joblog.New", workload.ReadJobs, nil, expect.Bad("r", -1, nil, nil),
		expect.Bad("o", -1, zeros{}, joblog.ReadOptions{MaxTasks: -1}), expect.Bad("o", -1, zeros{}, joblog.ReadOptions{MaxTasks: 1 << 29}),
		expect.Bad("o", -1, zeros{}, joblog.ReadOptions{MaxJobs: -1}), expect.Bad("o", -1, zeros{}, joblog.ReadOptions{MaxBytes: -1}))
	job := joblog.Job{Run: 1, Processors: 1}
	late, long, wide, heavy, asked := job, job, job, job, job
	late.Submit, long.Run, wide.Processors, heavy.Memory, asked.Requested = inf, inf, 1<<29, -1, inf
	for _, bad := range []joblog.Job{late, long, wide, heavy, asked} {
		expect.Refused(t, "workload.FromLog", workload.FromLog, nil, expect.Bad("log", 1, specs, joblog.Log{Jobs: []joblog.Job{job, bad}}, workload.FromLogOptions{}))
	}
	expect.Refused(t, "workload.FromLog", workload.FromLog, nil, expect.Bad("log", -1, specs, joblog.Log{Format: joblog.SWIM}, workload.FromLogOptions{}))
	expect.Refused(t, "workload.WriteJobs", workload.WriteJobs, nil, expect.Bad("w", -1, nil, nil))
}
