package workload_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func TestPigMixErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	query := func(f func(*workload.PigMixQuery)) workload.PigMix {
		q := workload.PigMixQueries()
		f(&q[2])
		return workload.PigMix{Queries: q}
	}
	times := func(f func(*workload.TaskTimes)) workload.PigMix {
		m := workload.MapTimes()
		f(&m)
		return workload.PigMix{Map: m}
	}
	type tt = workload.TaskTimes
	type pq = workload.PigMixQuery
	for _, c := range []struct {
		p      workload.PigMix
		n      int
		arg    string
		index  int
		reason string
	}{
		{workload.PigMix{}, -1, "n", -1, "-1, want 0 to 134217728"},
		{workload.PigMix{}, 1 << 27, "n", -1, "134217728 jobs of up to 433 tasks, want at most 134217728 tasks"},
		{workload.PigMix{Shares: [4]float64{1, nan}}, 1, "p", 1, "Shares[1] is NaN, want a finite number >= 0"},
		{workload.PigMix{Shares: [4]float64{1, 2, 3, -1}}, 1, "p", 3, "Shares[3] is -1, want a finite number >= 0"},
		{workload.PigMix{Shares: [4]float64{1e308, 1e308}}, 1, "p", -1, "Shares add up to +Inf, want a finite sum > 0"},
		{workload.PigMix{Gap: -1}, 1, "p", -1, "Gap is -1, want a finite number > 0"},
		{workload.PigMix{Gap: nan}, 1, "p", -1, "Gap is NaN, want a finite number > 0"},
		{workload.PigMix{Gap: 1e300}, 1, "p", -1, "Gap is 1e+300, which allows times beyond float64"},
		{workload.PigMix{Queries: []pq{}}, 1, "p", -1, "Queries is empty, want at least one or nil"},
		{query(func(q *pq) { q.Fraction = 1.5 }), 1, "p", 2, "Queries[2].Fraction is 1.5, want more than 0 and at most 1"},
		{query(func(q *pq) { q.Fraction = nan }), 1, "p", 2, "Queries[2].Fraction is NaN, want more than 0 and at most 1"},
		{query(func(q *pq) { q.MapTime = 0 }), 1, "p", 2, "Queries[2].MapTime is 0, want a finite number > 0"},
		{query(func(q *pq) { q.MapTime = 1e307 }), 1, "p", 2, "Queries[2].MapTime or ReduceTime allows times beyond float64"},
		{query(func(q *pq) { q.ReduceTime = inf }), 1, "p", 2, "Queries[2].ReduceTime is +Inf, want a finite number > 0"},
		{query(func(q *pq) { q.PerGiB = 2e7 }), 1, "p", 2, "Queries[2].PerGiB is 2e+07, want 0 to 1.073741823e+07"},
		{query(func(q *pq) { q.PerGiB = nan }), 1, "p", 2, "Queries[2].PerGiB is NaN, want 0 to 1.073741823e+07"},
		{query(func(q *pq) { q.PerGiB = 0 }), 1, "p", 2, "Queries[2].Shuffle is 0.3 without a reduce phase, want 0"},
		{query(func(q *pq) { q.Shuffle = -1 }), 1, "p", 2, "Queries[2].Shuffle is -1, want a finite number >= 0"},
		{query(func(q *pq) { q.Output = 1e300 }), 1, "p", 2, "Queries[2].Shuffle or Output allows bytes beyond float64"},
		{times(func(m *tt) { m.Median = nan }), 1, "p", -1, "Map.Median is NaN, want a finite number > 0"},
		{times(func(m *tt) { m.Spread = -0.1 }), 1, "p", -1, "Map.Spread is -0.1, want a finite number >= 0"},
		{times(func(m *tt) { m.Long = 0.2 }), 1, "p", -1, "Map.Long is 0.2, want within [0, LongJobs] = [0, 0.1]"},
		{times(func(m *tt) { m.LongJobs = 1.1 }), 1, "p", -1, "Map.LongJobs is 1.1, want within [0, 1]"},
		{times(func(m *tt) { m.LongLow = 0 }), 1, "p", -1, "Map.LongLow is 0, want a finite number > 0"},
		{times(func(m *tt) { m.LongPerGiB = nan }), 1, "p", -1, "Map.LongPerGiB is NaN, want a finite number >= 0"},
		{times(func(m *tt) { m.LongPerGiB = 1e307 }), 1, "p", 0, "Queries[0].MapTime or ReduceTime allows times beyond float64"},
	} {
		_, _, err := c.p.Jobs(c.n, 1, 0)
		want := &schedmath.InputError{Func: "workload.PigMix.Jobs", Arg: c.arg, Index: c.index, Reason: c.reason}
		if d := cmp.Diff(error(want), err); d != "" {
			t.Errorf("Jobs(%d, 1, 0): -want +got error\n%s", c.n, d)
		}
		if c.arg == "n" {
			continue
		}
		want.Func = "workload.PigMix.Load"
		if _, _, err := c.p.Load(1, 1); !cmp.Equal(error(want), err) {
			t.Errorf("Load(1, 1) = error %v, want %v", err, want)
		}
	}
	for _, c := range []struct {
		maps, reduces int
		arg           string
	}{{0, 1, "mapSlots"}, {1, -1, "reduceSlots"}} {
		_, _, err := workload.PigMix{}.Load(c.maps, c.reduces)
		var ie *schedmath.InputError
		if !errors.As(err, &ie) || ie.Arg != c.arg {
			t.Errorf("Load(%d, %d) = error %v, want one about %s", c.maps, c.reduces, err, c.arg)
		}
	}
	if jobs, made, err := (workload.PigMix{}).Jobs(0, 1, 0); len(jobs)+len(made) > 0 || err != nil {
		t.Errorf("no jobs: %v, %v, %v", jobs, made, err)
	}
}

func TestOfferedLoad(t *testing.T) {
	phase := func(n int, w float64) slotmodel.Phase { return slotmodel.Phase{Tasks: n, Work: w} }
	jobs := []slotmodel.JobSpec{
		{Arrival: 10, Maps: phase(4, 5), Reduces: slotmodel.Phase{Tasks: 2, Work: 99, Works: []float64{1, 3}}},
		{Arrival: 5, Maps: phase(0, 7), Reduces: phase(2, 8)},
	}
	if m, r, err := workload.OfferedLoad(jobs, 4, 2); m != 0.5 || r != 1 || err != nil {
		t.Errorf("OfferedLoad = %v, %v, %v, want .5, 1", m, r, err)
	}
	if m, r, err := workload.OfferedLoad(nil, 4, 2); m != 0 || r != 0 || err != nil {
		t.Errorf("OfferedLoad of no jobs = %v, %v, %v, want 0, 0", m, r, err)
	}
	for _, c := range []struct {
		job    slotmodel.JobSpec
		m, r   int
		reason string
	}{
		{slotmodel.JobSpec{Arrival: 1}, 0, 1, "0, want at least 1"},
		{slotmodel.JobSpec{Arrival: 1}, 1, 0, "0, want at least 1"},
		{slotmodel.JobSpec{Arrival: math.NaN()}, 1, 1, "Arrival is NaN, want a finite number >= 0"},
		{slotmodel.JobSpec{}, 1, 1, "the last Arrival is 0, want a time to spread the load over"},
		{slotmodel.JobSpec{Arrival: 1, Maps: phase(-1, 1)}, 1, 1, "Maps.Tasks is -1, want >= 0"},
		{slotmodel.JobSpec{Arrival: 1, Maps: phase(1, -1)}, 1, 1, "Maps.Work is -1, want a finite number >= 0"},
		{slotmodel.JobSpec{Arrival: 1, Reduces: slotmodel.Phase{Tasks: 1, Works: []float64{}}}, 1, 1, "Reduces.Works has 0 elements, want 1"},
		{slotmodel.JobSpec{Arrival: 1, Reduces: slotmodel.Phase{Tasks: 1, Works: []float64{math.Inf(1)}}}, 1, 1,
			"Reduces.Works[0] is +Inf, want a finite number >= 0"},
		{slotmodel.JobSpec{Arrival: 1, Maps: phase(2, math.MaxFloat64)}, 1, 1, "the load is beyond float64"},
	} {
		_, _, err := workload.OfferedLoad([]slotmodel.JobSpec{c.job}, c.m, c.r)
		var ie *schedmath.InputError
		if !errors.As(err, &ie) || ie.Func != "workload.OfferedLoad" || ie.Reason != c.reason {
			t.Errorf("OfferedLoad(%+v, %d, %d) = error %v, want %q", c.job, c.m, c.r, err, c.reason)
		}
	}
}
