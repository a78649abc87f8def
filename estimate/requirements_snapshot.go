package estimate

import (
	"cmp"
	"maps"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/input"
)

// RequirementsSnapshot is the histories of a Requirements as plain data, fit for JSON. The options,
// which hold functions, are no part of it.
type RequirementsSnapshot[K comparable] struct {
	Version   int                  `json:"version"`             // 1
	Histories []HistorySnapshot[K] `json:"histories,omitempty"` // in the order of their first runs
}

// HistorySnapshot is one history.
type HistorySnapshot[K comparable] struct {
	Class  K              `json:"class"`
	Kind   schedmath.Kind `json:"kind"`
	Worker int            `json:"worker"` // AllWorkers: that of the class
	// Runs are the runs that count, oldest first: up to Window + Period - 1
	Runs  []Run `json:"runs,omitempty"`
	Since int   `json:"since"` // how many of the last Runs it is to learn later
}

// Snapshot returns the histories, sharing nothing with the estimator.
func (q *Requirements[K]) Snapshot() RequirementsSnapshot[K] {
	s := RequirementsSnapshot[K]{Version: 1}
	tasks := slices.SortedFunc(maps.Keys(q.of), func(a, b Task[K]) int { return cmp.Compare(q.of[a].added, q.of[b].added) })
	for _, t := range tasks {
		h := q.of[t]
		runs := h.runs[max(0, len(h.runs)-q.options.keep()):]
		s.Histories = append(s.Histories, HistorySnapshot[K]{t.Class, t.Kind, t.Worker, copied(runs), h.since})
	}
	return s
}

// RestoreRequirements returns an estimator with the histories of a snapshot, which goes on as the
// original with its options. With a shorter window it keeps the newest runs, and with a smaller
// Period it may learn at once. The snapshot is not retained.
//
// Errors: an option out of range; a snapshot that Snapshot does not give, with the index of the
// history at fault.
func RestoreRequirements[K comparable](s RequirementsSnapshot[K], o RequirementOptions[K]) (*Requirements[K], error) {
	const fn = "estimate.RestoreRequirements"
	if err := o.check(fn); err != nil {
		return nil, err
	}
	corrupt := func(index int, format string, args ...any) error {
		return input.Bad(fn, "s", index, format, args...)
	}
	if s.Version != 1 {
		return nil, corrupt(-1, "Version is %d, want 1", s.Version)
	}
	o.Modes = slices.Clone(o.Modes)
	q := &Requirements[K]{options: o}
	for i, h := range s.Histories {
		t := Task[K]{h.Class, h.Kind, h.Worker}
		_, known := q.of[t]
		switch {
		case t.check(fn, AllWorkers) != nil:
			return nil, corrupt(i, "Class is %v, Kind %d and Worker %d, want a key that equals itself, Map or Reduce, and >= -1", h.Class, h.Kind, h.Worker)
		case known:
			return nil, corrupt(i, "Class %v, Kind %d and Worker %d occur twice", h.Class, h.Kind, h.Worker)
		case len(h.Runs) == 0:
			return nil, corrupt(i, "Runs is empty, want at least one run")
		case h.Since < 0 || h.Since >= len(h.Runs):
			return nil, corrupt(i, "Since is %d, want within [0, %d)", h.Since, len(h.Runs))
		}
		kept := q.history(t)
		kept.runs = h.Runs[max(0, len(h.Runs)-o.keep()):]
		for n, r := range h.Runs {
			if reason := r.fault(kept); reason != "" {
				return nil, corrupt(i, "Runs[%d].%s", n, reason)
			}
		}
		kept.runs = copied(kept.runs)
		if h.Since < o.period() {
			kept.since = h.Since
		}
	}
	return q, nil
}

// Forget drops the histories of a class, on all workers, and reports whether there was one.
func (q *Requirements[K]) Forget(class K) bool {
	before := len(q.of)
	maps.DeleteFunc(q.of, func(t Task[K], _ *history) bool { return t.Class == class })
	return len(q.of) < before
}
