package internal

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// alarmer is a part of a policy some of whose answers change as time passes, with no event.
type Alarm interface {
	Alarm(v *slotmodel.View) float64
}

// wake asks for calls of Decide, for each time once.
type Wake struct {
	asked float64 // the time asked for last
	begun bool    // asked is set
}

// ask asks for a call of Decide at a time, unless the time is past, beyond all times or after one asked for already.
func (w *Wake) Ask(v *slotmodel.View, a *slotmodel.Actions, at float64) {
	pending := w.begun && w.asked > v.Now()
	if at > v.Now() && at <= math.MaxFloat64 && !(pending && w.asked <= at) && a.Wake(at) {
		w.asked, w.begun = at, true
	}
}

// each does something with those parts of a policy that are a T.
func each[T any](parts []any, do func(T)) {
	for _, p := range parts {
		if x, ok := p.(T); ok {
			do(x)
		}
	}
}

// alarmOf returns the earliest alarm of the parts of a policy, +Inf when no part has one.
func AlarmOf(v *slotmodel.View, parts ...any) float64 {
	at := math.Inf(1)
	each(parts, func(p Alarm) { at = min(at, p.Alarm(v)) })
	return at
}

// check returns the first error in the settings of the parts of a policy.
func Check(parts ...any) (err error) {
	each(parts, func(p slotmodel.Checker) {
		if err == nil {
			err = p.Check()
		}
	})
	return err
}

// beginRun tells the parts of a policy that a run begins.
func BeginRun(v *slotmodel.View, parts ...any) {
	each(parts, func(p slotmodel.Beginner) { p.BeginRun(v) })
}

// observe shows the parts of a policy an event.
func Observe(v *slotmodel.View, e slotmodel.Event, parts ...any) {
	each(parts, func(p slotmodel.Observer) { p.Observe(v, e) })
}

// heartbeat returns the shortest period of heartbeats that the parts of a policy ask for; 0: none.
func Heartbeat(parts ...any) float64 {
	period := 0.0
	each(parts, func(p slotmodel.Ticker) {
		if h := p.Heartbeat(); h > 0 && (period == 0 || h < period) {
			period = h
		}
	})
	return period
}
