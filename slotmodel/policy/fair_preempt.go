package policy

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// fairWait is since when a pool has been below its minimum share with a task to start, for each kind; +Inf: it is not.
type fairWait [2]float64

// preempts reports whether pools below their minimum share ever take slots away.
func (f *Fair) preempts() bool { return f.MinTimeout > 0 && f.MinTimeout <= math.MaxFloat64 }

// held returns how many slots of a kind a pool holds.
func (f *Fair) held(pool int32, k slotmodel.Kind) int32 {
	if f.Deficits {
		return f.debts[k].pools[pool].running
	}
	return f.pools[pool].running[k]
}

// poorer returns the first job in order of those whose pools are below their minimum shares, of one pool unless that is absent; None when
// there is none.
func (f *Fair) poorer(v *slotmodel.View, k slotmodel.Kind, pool int32) slotmodel.Job {
	f.Begin(v, k)
	for j := f.Next(v); j != slotmodel.None; j = f.Next(v) {
		p := f.jobs[f.turns.of[j]].pool
		if !(float64(f.held(p, k)) < f.pools[p].minimum[k]) {
			break // those below come first
		}
		if width(v, j) == 1 && (pool == absent || pool == p) {
			return j
		}
	}
	return slotmodel.None
}

// preempt takes slots for the pools that have been below their minimum shares for so long, and asks to be called when others will.
func (f *Fair) preempt(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	for len(f.waits) < len(f.pools) {
		f.waits = append(f.waits, fairWait{math.Inf(1), math.Inf(1)})
	}
	for p := range f.pools {
		pool, since := int32(p), &f.waits[p][k]
		if !(f.pools[p].minimum[k] > 0) {
			continue
		}
		j := f.poorer(v, k, pool)
		if j == slotmodel.None {
			*since = math.Inf(1)
			continue
		}
		first := *since > v.Now()
		if first {
			*since = v.Now()
		}
		if due := *since + f.MinTimeout; due > v.Now() {
			if first {
				a.Wake(min(due, math.MaxFloat64))
			}
			continue
		}
		for ; j != slotmodel.None; j = f.poorer(v, k, pool) {
			x := f.victim(v, k, pool)
			if x == slotmodel.None {
				break
			}
			n := v.Attempt(x).Node
			if !a.Kill(x) || !a.Start(j, k, n) {
				return
			}
		}
		if j == slotmodel.None {
			*since = math.Inf(1)
		}
	}
}

// victim returns the attempt that a pool may take the slot of: the newest of the pool with the most running tasks per weight, of those that
// have more than their minimum shares.
func (f *Fair) victim(v *slotmodel.View, k slotmodel.Kind, pool int32) slotmodel.Attempt {
	newest, start, most := slotmodel.Attempt(slotmodel.None), 0.0, 0.0
	for t := len(f.jobs) - 1; t >= 0; t-- {
		p, j := f.jobs[t].pool, f.turns.job[t]
		n := float64(f.held(p, k))
		if p == pool || n-1 < f.pools[p].minimum[k] || !v.Present(j) || width(v, j) > 1 {
			continue
		}
		x := v.Newest(j, k)
		for x != slotmodel.None && v.Attempt(x).Stage == slotmodel.Suspended {
			x = v.Older(x)
		}
		if x == slotmodel.None {
			continue
		}
		level, at := n/f.pools[p].weight, v.Attempt(x).Start
		if newest == slotmodel.None || level > most || level == most && at > start {
			newest, start, most = x, at, level
		}
	}
	return newest
}
