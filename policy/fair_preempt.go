package policy

import (
	"math"

	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// preempt takes slots for the pools that have been below their minimum shares for MinTimeout. It
// returns the next time at which a pool will have been below for so long, +Inf if none will.
func (f *fairOrder) preempt(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) float64 {
	next := math.Inf(1)
	for i := range f.pools {
		p := &f.pools[i]
		for {
			j := f.poorer(v, k, p)
			if j == slotmodel.None {
				p.since[k] = math.Inf(1)
				break
			}
			p.since[k] = min(p.since[k], v.Now())
			if due := p.since[k] + f.minTimeout; due > v.Now() {
				next = min(next, due)
				break
			}
			x := f.victim(v, k, p)
			if x == slotmodel.None {
				break
			}
			if _, started := f.taker.Replace(v, a, x, PreemptKill, j); !started {
				break
			}
		}
	}
	return next
}

// poorer returns the job for which a pool below its minimum share takes a slot: the first one that
// has a task to start and is not rigid. None if there is none, or the pool has its minimum share.
func (f *fairOrder) poorer(v *slotmodel.View, k slotmodel.Kind, p *fairPool) slotmodel.Job {
	if !(float64(p.running[k]) < p.minimum[k]) {
		return slotmodel.None
	}
	p.jobs[k].Begin()
	for r := p.jobs[k].Next(); r != internal.Absent; r = p.jobs[k].Next() {
		if j := v.Arrived(int(r)); internal.Width(v, j) == 1 {
			return j
		}
	}
	return slotmodel.None
}

// victim returns the attempt whose slot a pool takes, None if there is none.
func (f *fairOrder) victim(v *slotmodel.View, k slotmodel.Kind, poor *fairPool) slotmodel.Attempt {
	best, start, most := slotmodel.Attempt(slotmodel.None), 0.0, 0.0
	for r := len(f.jobs) - 1; r >= 0; r-- {
		j, p := v.Arrived(r), &f.pools[f.jobs[r].pool]
		if p == poor || float64(p.running[k]-1) < p.minimum[k] || f.jobs[r].running[k] == 0 || internal.Width(v, j) > 1 {
			continue
		}
		x := internal.NewestRunning(v, v.Newest(j, k))
		if x == slotmodel.None {
			continue
		}
		if level, at := p.level(k), v.Attempt(x).Start; best == slotmodel.None || level > most || level == most && at > start {
			best, start, most = x, at, level
		}
	}
	return best
}
