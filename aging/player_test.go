package aging_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

// slack is the error allowed in a job's remaining work, as a part of the largest size that the job
// was ever given.
const slack = exactaging.Slack

// call is one call of a history, as data, so that a failing history can be cut down and printed.
type call struct {
	op  string // the method; "Restore" continues a second cluster from a snapshot
	key int
	job aging.Job
	x   float64
}

func (c call) String() string {
	switch c.op {
	case "Add":
		return fmt.Sprintf("c.Add(%d, aging.Job{Work: %v, Slots: %v, Weight: %v})", c.key, c.job.Work, c.job.Slots, c.job.Weight)
	case "Complete", "Remove":
		return fmt.Sprintf("c.%s(%d)", c.op, c.key)
	case "Advance", "SetCapacity":
		return fmt.Sprintf("c.%s(%v)", c.op, c.x)
	case "SetReady":
		return fmt.Sprintf("c.SetReady(%d, %t)", c.key, c.x != 0)
	case "Restore":
		return "c, _ = aging.Restore(c.Snapshot()) // by way of JSON"
	}
	return fmt.Sprintf("c.%s(%d, %v)", c.op, c.key, c.x)
}

// player makes the same calls on a Cluster, on a second one restored from the first, on the batch
// functions and on the oracle, and compares them.
type player[E any] struct {
	f        exactaging.Field[E]
	c        *aging.Cluster[int]
	twin     *aging.Cluster[int]
	o        *exactaging.System[int, E]
	capacity float64
	known    []int       // keys that the oracle or the Cluster still have
	batch    []aging.Job // the same jobs, aged by Age
	spare    []aging.Job
	largest  map[int]float64
	pending  map[int]bool // late in the oracle, not yet in the Cluster
	busy     map[int]bool // not ready
	made     call         // the last call, as it was made
	worst    float64      // largest error seen, as a part of largest
	excused  int          // differences in order or state within the slack
}

func newPlayer[E any](f exactaging.Field[E], capacity float64) (*player[E], error) {
	c, err := aging.New[int](capacity)
	if err != nil {
		return nil, err
	}
	return &player[E]{f: f, c: c, o: exactaging.New[int](f, capacity), capacity: capacity,
		largest: map[int]float64{}, pending: map[int]bool{}, busy: map[int]bool{}}, nil
}

// do makes one call everywhere and compares the remaining work of every job.
func (p *player[E]) do(a call) error {
	_, here := p.c.Job(a.key)
	_, there := p.o.Left(a.key)
	p.made = call{op: "Restore"} // nothing
	switch a.op {
	case "Add":
		if here || there {
			return nil
		}
	case "Complete", "Remove", "Reestimate", "SetSlots", "SetWeight", "SetReady":
		if here != there { // within the slack of its finish: the histories would part
			a.op = "Remove"
		} else if !here {
			return nil
		}
	}
	p.made = a
	elapsed, finishing := p.elapsed(a)
	for _, c := range []*aging.Cluster[int]{p.c, p.twin} {
		if c == nil {
			continue
		}
		var err error
		got, want := true, true
		switch a.op {
		case "Add":
			err = c.Add(a.key, a.job)
		case "Complete":
			got, want = c.Complete(a.key), !p.o.Completed(a.key)
		case "Remove":
			_, want = c.Job(a.key)
			got = c.Remove(a.key)
		case "Reestimate":
			err = c.Reestimate(a.key, a.x)
		case "SetSlots":
			err = c.SetSlots(a.key, a.x)
		case "SetWeight":
			err = c.SetWeight(a.key, a.x)
		case "SetReady":
			err = c.SetReady(a.key, a.x != 0)
		case "SetCapacity":
			err = c.SetCapacity(a.x)
		case "Advance":
			err = c.Advance(a.x)
		}
		if err != nil {
			return fmt.Errorf("%v: %w", a, err)
		}
		if got != want {
			return fmt.Errorf("%v = %v, want %v", a, got, want)
		}
	}
	at := slices.Index(p.known, a.key)
	switch a.op {
	case "Add":
		p.o.Add(a.key, a.job.Work, a.job.Slots, a.job.Weight)
		p.largest[a.key] = a.job.Work
		p.known, p.batch = append(p.known, a.key), append(p.batch, a.job)
	case "Complete":
		p.o.Complete(a.key)
	case "Remove":
		p.o.Remove(a.key)
		delete(p.busy, a.key)
	case "Reestimate":
		p.o.Reestimate(a.key, a.x)
		p.largest[a.key] = max(p.largest[a.key], a.x)
		left, _ := p.o.Left(a.key)
		p.batch[at].Work = p.f.Float64(left)
		if p.batch[at].Work < math.Ldexp(1, -200) { // what 300 bits leave of an exact tie
			p.batch[at].Work = 0
		}
	case "SetSlots":
		p.o.SetSlots(a.key, a.x)
		p.batch[at].Slots = a.x
	case "SetReady":
		p.busy[a.key] = a.x == 0
	case "SetWeight":
		p.o.SetWeight(a.key, a.x)
		p.batch[at].Weight = a.x
	case "SetCapacity":
		p.o.SetCapacity(a.x)
		p.capacity = a.x
	case "Advance":
		p.o.AdvanceBy(elapsed)
		var err error
		if p.spare, err = aging.Age(p.spare[:0], p.capacity, a.x, p.batch); err != nil {
			return fmt.Errorf("Age(nil, %v, %v, %v): %w", p.capacity, a.x, p.batch, err)
		}
		p.batch, p.spare = p.spare, p.batch
		if finishing >= 0 {
			i := p.known[finishing]
			if j, here := p.c.Job(i); here && j.Work > 0 {
				return fmt.Errorf("NextFinish() = %d, %v, true, but after %v Job(%d) = %v, true", i, a.x, a, i, j)
			}
			if p.batch[finishing].Work <= slack*p.largest[i] {
				p.batch[finishing].Work = 0
			}
		}
	case "Restore":
		return p.restore()
	}
	return p.compareWork(a)
}

// elapsed is the time that an Advance stands for. NextFinish rounds the time to the next finish,
// and an Advance by that makes the job finish (its index in known is returned, else -1): the oracle
// advances by the time before rounding, since what rounding leaves of a huge job would take from a
// tiny one more than the slack.
func (p *player[E]) elapsed(a call) (elapsed E, finishing int) {
	if a.op != "Advance" {
		return elapsed, -1
	}
	elapsed = p.f.Of(a.x)
	key, in, ok := p.c.NextFinish()
	if !ok || in != a.x {
		return elapsed, -1
	}
	for _, v := range p.o.Finishes() {
		if v.Key == key && p.f.Cmp(v.Near, elapsed) <= 0 && p.f.Cmp(elapsed, v.Past) <= 0 {
			elapsed = v.At
		}
	}
	return elapsed, slices.Index(p.known, key)
}

func (p *player[E]) compareWork(after call) error {
	kept, same := 0, true // same: both systems have the same jobs on time
	for i, key := range p.known {
		got, here := p.c.Job(key)
		left, there := p.o.Left(key)
		tolerance := slack * p.largest[key]
		if !here && !there {
			delete(p.pending, key)
			delete(p.busy, key)
			delete(p.largest, key)
			continue
		}
		spec := p.batch[i]
		same = same && here && there && p.o.IsLate(key) == (got.Work == 0)
		if !there {
			if !(got.Work <= tolerance) {
				return fmt.Errorf("after %v: Job(%d) = %v, true, want gone", after, key, got)
			}
			p.excused++
			spec.Work = 0
		} else if want := p.f.Float64(left); !here {
			if !p.o.Completed(key) || !(want <= tolerance) {
				return fmt.Errorf("after %v: Job(%d) = _, false, want %v left of %v", after, key, want, p.largest[key])
			}
			p.excused++
		} else {
			off := math.Abs(got.Work - want)
			if !(off <= tolerance) {
				return fmt.Errorf("after %v: Job(%d).Work = %v, want %v: off by %.3g of its largest size", after, key, got.Work, want, off/p.largest[key])
			}
			if !(math.Abs(spec.Work-want) <= tolerance) {
				return fmt.Errorf("after %v: Age leaves %v of job %d, want %v", after, spec.Work, key, want)
			}
			if off > 0 {
				p.worst = max(p.worst, off/p.largest[key])
			}
			late := p.o.IsLate(key)
			if late && got.Work > 0 {
				p.pending[key] = true
				p.excused++
			} else if late && p.pending[key] {
				p.o.Widen(key)
				delete(p.pending, key)
			} else if !late {
				delete(p.pending, key)
			}
			if unlimited(got.Slots) != unlimited(spec.Slots) || !unlimited(spec.Slots) && got.Slots != spec.Slots ||
				one(got.Weight) != one(spec.Weight) {
				return fmt.Errorf("after %v: Job(%d) = %v, want the limit and weight of %v", after, key, got, spec)
			}
		}
		p.known[kept], p.batch[kept] = key, spec
		kept++
	}
	p.known, p.batch = p.known[:kept], p.batch[:kept]
	if same && kept > 0 {
		key := p.known[kept/2] // one is enough, as the oracle shares the slots out anew for each
		want := p.f.Float64(p.o.Share(key))
		if got, ok := p.c.Rate(key); !ok || !(math.Abs(got-want) <= slack*want) {
			return fmt.Errorf("after %v: Rate(%d) = %v, %v, want %v", after, key, got, ok, want)
		}
	}
	return nil
}

func unlimited(slots float64) bool { return slots == 0 || math.IsInf(slots, 1) }

func one(weight float64) float64 {
	if weight == 0 {
		return 1
	}
	return weight
}

// restore continues a second cluster from the snapshot of the first.
func (p *player[E]) restore() error {
	var s aging.Snapshot[int]
	text, err := json.Marshal(p.c.Snapshot())
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil {
		p.twin, err = aging.Restore(s)
	}
	if err != nil {
		return fmt.Errorf("restoring %s: %w", text, err)
	}
	if diff := cmp.Diff(p.c.Snapshot(), p.twin.Snapshot()); diff != "" {
		return fmt.Errorf("the snapshot of a restored cluster differs: %s", diff)
	}
	return nil
}
