package internal

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// Alarm is a part of a policy some of whose answers change as time passes, with no event.
type Alarm interface {
	// Alarm returns the next time at which an answer may change by itself, +Inf if none will.
	Alarm(v *slotmodel.View) float64
}

// Wake asks for calls of Decide, for each time once. A new run needs a new Wake.
type Wake struct {
	asked float64 // the time asked for last, in seconds
	begun bool    // a call has been asked for
}

// Ask asks for a call of Decide at a time. It asks for nothing if the time is not in the future, is
// not finite, or is no earlier than a time asked for that is still to come: the caller asks again
// in the Decide of that time.
func (w *Wake) Ask(v *slotmodel.View, a *slotmodel.Actions, at float64) {
	pending := w.begun && w.asked > v.Now()
	if at > v.Now() && at <= math.MaxFloat64 && !(pending && w.asked <= at) && a.Wake(at) {
		w.asked, w.begun = at, true
	}
}

// each calls do for each part of a policy that implements the interface T.
func each[T any](parts []any, do func(T)) {
	for _, p := range parts {
		if x, ok := p.(T); ok {
			do(x)
		}
	}
}

// AlarmOf returns the earliest alarm of the parts of a policy, +Inf if none has one.
func AlarmOf(v *slotmodel.View, parts ...any) float64 {
	at := math.Inf(1)
	each(parts, func(p Alarm) { at = min(at, p.Alarm(v)) })
	return at
}

// Check returns the error of the first part of a policy whose settings are wrong.
func Check(parts ...any) (err error) {
	each(parts, func(p slotmodel.Checker) {
		if err == nil {
			err = p.Check()
		}
	})
	return err
}

// BeginRun tells the parts of a policy that a run begins.
func BeginRun(v *slotmodel.View, parts ...any) {
	each(parts, func(p slotmodel.Beginner) { p.BeginRun(v) })
}

// ObserveGangs reports whether one call of Observe for all maps of a job that start or end together
// is enough for each part of a policy.
func ObserveGangs(parts ...any) bool {
	for _, p := range parts {
		_, observes := p.(slotmodel.Observer)
		if g, ok := p.(slotmodel.GangObserver); observes && !(ok && g.ObservesGangs(p)) {
			return false
		}
	}
	return true
}

// Observe shows the parts of a policy an event.
func Observe(v *slotmodel.View, e slotmodel.Event, parts ...any) {
	each(parts, func(p slotmodel.Observer) { p.Observe(v, e) })
}
