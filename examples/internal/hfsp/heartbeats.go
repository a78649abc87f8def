package hfsp

import (
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// beating is delay scheduling around a Ranker as Hadoop 1 has it with one assignment a heartbeat:
// each node calls once in a period and gets at most one map and one reduce. A slot stays free
// until its node calls again.
type beating struct {
	inner  policy.Ranker
	period float64 // s
	delay  float64 // s that a job waits for a node with its data
	since  map[slotmodel.Job]float64
}

// Heartbeat returns the period.
func (b *beating) Heartbeat() float64 { return b.period }

// BeginRun hands the call on.
func (b *beating) BeginRun(v *slotmodel.View) {
	if x, ok := b.inner.(slotmodel.Beginner); ok {
		x.BeginRun(v)
	}
}

// Observe hands an event on.
func (b *beating) Observe(v *slotmodel.View, e slotmodel.Event) {
	if o, ok := b.inner.(slotmodel.Observer); ok {
		o.Observe(v, e)
	}
}

// Decide serves the node that calls.
func (b *beating) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	n := v.Heartbeat()
	if n == slotmodel.None {
		return
	}
	for _, k := range [...]slotmodel.Kind{slotmodel.Map, slotmodel.Reduce} {
		if v.Free(k, n) == 0 {
			continue
		}
		b.inner.Begin(v, k)
		for j := b.inner.Next(v); j != slotmodel.None; j = b.inner.Next(v) {
			if k == slotmodel.Reduce || b.takes(v, j, n) {
				a.Start(j, k, n)
				break
			}
		}
	}
}

// takes reports whether a job runs a map on a node: one with its data, or any when it has let
// nodes pass for the delay.
func (b *beating) takes(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node) bool {
	if v.Local(j, n) == slotmodel.None {
		since, waits := b.since[j]
		if !waits {
			b.since[j] = v.Now()
			return false
		}
		if v.Now() < since+b.delay {
			return false
		}
	}
	delete(b.since, j)
	return true
}
