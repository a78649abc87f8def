package policy

import (
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// asleep are the suspended attempts of a run, by node.
type asleep struct {
	on    [][]slotmodel.Attempt
	count int
}

// newAsleep returns what a run begins with. Nothing is kept when tasks are never suspended.
func newAsleep(v *slotmodel.View, preempt HFSPPreemption) asleep {
	if preempt != PreemptSuspend {
		return asleep{}
	}
	return asleep{on: make([][]slotmodel.Attempt, v.Nodes())}
}

// note follows an event.
func (s *asleep) note(e slotmodel.Event) {
	if e.Node < 0 || int(e.Node) >= len(s.on) {
		return
	}
	switch here := &s.on[e.Node]; e.Type {
	case slotmodel.Suspends:
		*here = append(*here, e.Attempt)
		s.count++
	case slotmodel.Resumes, slotmodel.Killed, slotmodel.Crashed:
		if i := slices.Index(*here, e.Attempt); i >= 0 {
			*here = slices.Delete(*here, i, i+1)
			s.count--
		}
	}
}

// resumer is a Ranker that knows which suspended attempt of a node goes before all jobs that wait, if any does.
type resumer interface {
	Ranker
	dueOn(v *slotmodel.View, n slotmodel.Node, k slotmodel.Kind) slotmodel.Attempt
}

// fillOrResume fills the free slots of one kind, node by node, with suspended attempts or new ones.
func (f *filler) fillOrResume(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, r resumer, s *asleep, overtake bool) {
	for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; {
		served := false
		if x := r.dueOn(v, n, k); x != slotmodel.None {
			served = a.Resume(x)
		} else {
			served = f.serve(v, a, k, n, r, overtake)
		}
		switch {
		case served:
			n = v.NextFree(k, n-1)
		case s.count > 0: // on another node, perhaps
			n = v.NextFree(k, n)
		default:
			return
		}
	}
}
