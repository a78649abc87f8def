package policy

import (
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Earliest is the Chooser that takes the user's jobs in the order of arrival, and of a job
// maps before reduces: the first whose start is possible and which the filter accepts. A rigid
// job is passed over while there is no room for all of its maps; the filter is not asked about
// it. A choice costs O(log jobs) for each job passed over, besides what the filter costs.
type Earliest struct {
	Filter Filter // nil: every start is accepted
}

// parts returns the filter.
func (e *Earliest) parts() []any { return []any{e.Filter} }

// Check checks the settings of the filter.
func (e *Earliest) Check() error { return internal.Check(e.parts()...) }

// BeginRun hands the call on to the filter.
func (e *Earliest) BeginRun(v *slotmodel.View) { internal.BeginRun(v, e.parts()...) }

// Observe hands an event on to the filter.
func (e *Earliest) Observe(v *slotmodel.View, x slotmodel.Event) {
	internal.Observe(v, x, e.parts()...)
}

// Alarm returns the filter's alarm.
func (e *Earliest) Alarm(v *slotmodel.View) float64 { return internal.AlarmOf(v, e.parts()...) }

// Choose returns the earliest job of a user that starts a task on a node.
func (e *Earliest) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	next := [2]slotmodel.Job{slotmodel.None, slotmodel.None}
	for k := range next {
		if v.Free(slotmodel.Kind(k), n) > 0 {
			next[k] = v.NextRunnableOf(u, slotmodel.None, slotmodel.Kind(k))
		}
	}
	for next[0] != slotmodel.None || next[1] != slotmodel.None {
		k := slotmodel.Map
		if next[0] == slotmodel.None || next[1] != slotmodel.None && internal.Earlier(v, next[1], next[0]) {
			k = slotmodel.Reduce
		}
		j := next[k]
		if w := internal.Width(v, j); w > 1 && internal.GangFits(v, j, w) || w == 1 && v.Fits(j, k, n) && (e.Filter == nil || e.Filter.Accept(v, j, k, n)) {
			return j, k, slotmodel.None, true
		}
		next[k] = v.NextRunnableOf(u, j, k)
	}
	return slotmodel.None, slotmodel.Map, slotmodel.None, false
}
