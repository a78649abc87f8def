package backfill

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// The policies that are compared.
const (
	fcfs = iota
	easy
	sjbf
	exact
	plusPlus
	conservative
	depth2
	depth4
	depth8
	depth16
	twice
	fiveTimes
	exactTwice
	exactFiveTimes
	contenders
)

// times are planned times of so many times the run time, or the request.
func times(factor float64, exact bool) slotmodel.Policy {
	return &policy.Backfill{Time: func(v *slotmodel.View, j slotmodel.Job) float64 {
		if s := v.Spec(j); !exact {
			return factor * s.Requested
		}
		return factor * batch.TrueTime(v, j)
	}}
}

// list has the contenders by their constants.
var list = [contenders]struct {
	name string
	make func() slotmodel.Policy
}{
	fcfs:           {"FCFS", func() slotmodel.Policy { return policy.FIFO{} }},
	easy:           {"EASY", func() slotmodel.Policy { return new(policy.Backfill) }},
	sjbf:           {"EASY-SJBF", func() slotmodel.Policy { return &policy.Backfill{Shortest: true} }},
	exact:          {"EASY, true times", func() slotmodel.Policy { return times(1, true) }},
	plusPlus:       {"EASY++", func() slotmodel.Policy { return new(batch.PlusPlus) }},
	conservative:   {"conservative", func() slotmodel.Policy { return &policy.Backfill{Depth: -1} }},
	depth2:         {"depth 2", func() slotmodel.Policy { return &policy.Backfill{Depth: 2} }},
	depth4:         {"depth 4", func() slotmodel.Policy { return &policy.Backfill{Depth: 4} }},
	depth8:         {"depth 8", func() slotmodel.Policy { return &policy.Backfill{Depth: 8} }},
	depth16:        {"depth 16", func() slotmodel.Policy { return &policy.Backfill{Depth: 16} }},
	twice:          {"requests x 2", func() slotmodel.Policy { return times(2, false) }},
	fiveTimes:      {"requests x 5", func() slotmodel.Policy { return times(5, false) }},
	exactTwice:     {"true times x 2", func() slotmodel.Policy { return times(2, true) }},
	exactFiveTimes: {"true times x 5", func() slotmodel.Policy { return times(5, true) }},
}

// play runs a policy on a log and returns when each job starts.
func play(l *Log, p slotmodel.Policy) ([]float64, error) {
	r, err := slotmodel.Run(&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: l.Processors}}}, l.Jobs, p, slotmodel.Options{})
	if err != nil {
		return nil, err
	}
	starts := make([]float64, len(l.Jobs))
	for i, j := range r.Jobs {
		starts[i] = j.Finish - l.Jobs[i].Maps.Work
	}
	return starts, nil
}

// A result is the mean bounded slowdown of each contender on a log, NaN: it was not run.
type result [contenders]float64

func compare(l *Log) (r result, err error) {
	users := slices.ContainsFunc(l.Jobs, func(j slotmodel.JobSpec) bool { return j.User > 0 })
	for k := range list {
		if r[k] = math.NaN(); k == plusPlus && !users {
			continue
		}
		starts, err := play(l, list[k].make())
		if err != nil {
			return r, err
		}
		var slowdowns []float64
		for i, j := range l.Jobs {
			slowdowns = append(slowdowns, batch.Bounded(j.Maps.Work, starts[i]+j.Maps.Work-j.Arrival))
		}
		r[k] = numbers.Mean(slowdowns)
	}
	return r, nil
}
