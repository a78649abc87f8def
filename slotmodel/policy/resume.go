package policy

import (
	"math/bits"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// asleep are the suspended attempts of a run, by node.
type asleep struct {
	on    [][]slotmodel.Attempt
	count int
	kinds [2]asleepKind
}

// asleepKind says where attempts of one kind are suspended.
type asleepKind struct {
	on    []int32  // how many, by node
	some  []uint64 // a bit for each node that has any
	count int
}

// newAsleep returns what a run begins with. Nothing is kept when tasks are never suspended.
func newAsleep(v *slotmodel.View, preempt HFSPPreemption) asleep {
	if preempt != PreemptSuspend {
		return asleep{}
	}
	s := asleep{on: make([][]slotmodel.Attempt, v.Nodes())}
	for k := range s.kinds {
		s.kinds[k].on, s.kinds[k].some = make([]int32, v.Nodes()), make([]uint64, (v.Nodes()+63)/64)
	}
	return s
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
		s.kinds[e.Kind&1].add(e.Node, 1)
	case slotmodel.Resumes, slotmodel.Killed, slotmodel.Crashed:
		if i := slices.Index(*here, e.Attempt); i >= 0 {
			*here = slices.Delete(*here, i, i+1)
			s.count--
			s.kinds[e.Kind&1].add(e.Node, -1)
		}
	}
}

// add counts d more attempts on a node.
func (s *asleepKind) add(n slotmodel.Node, d int) {
	s.count += d
	s.on[n] += int32(d)
	s.some[n/64] |= 1 << (n % 64)
	if s.on[n] == 0 {
		s.some[n/64] &^= 1 << (n % 64)
	}
}

// nextFree returns the first node after n that has such attempts and a free slot of their kind k; None: there is none.
func (s *asleepKind) nextFree(v *slotmodel.View, k slotmodel.Kind, n slotmodel.Node) slotmodel.Node {
	from := int(n) + 1
	for i := from / 64; i < len(s.some); i++ {
		word := s.some[i]
		if i == from/64 {
			word &= ^uint64(0) << (from % 64)
		}
		for ; word != 0; word &= word - 1 {
			if m := slotmodel.Node(64*i + bits.TrailingZeros64(word)); v.Free(m, k) > 0 {
				return m
			}
		}
	}
	return slotmodel.None
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
		case s.kinds[k&1].count == 0:
			return
		case v.NextRunnable(k, slotmodel.None) == slotmodel.None: // only what sleeps can have the other slots
			n = s.kinds[k&1].nextFree(v, k, n)
		default: // on another node, perhaps
			n = v.NextFree(k, n)
		}
	}
}
