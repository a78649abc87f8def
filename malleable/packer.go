package malleable

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/precedence"
)

// resize returns s with n elements of any value.
func resize[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// task is the running state of a job, held by rank, the job's place in the priority.
type task struct {
	since    dd.T    // when left was computed
	end      dd.T    // when the job completes if it keeps its slots
	left     float64 // work left at since
	piece    int     // the open piece, -1 if there is none
	min, max int32
	slots    int32 // held since
	waits    int32 // predecessors that have not completed
	ready    bool
}

// packer is the state of one packing. The ready jobs that can vary, those with min < max, stand in
// the set flexible. Unless counts of slots are restricted, those of rank below boundary hold their
// max, those above it their min, and the one at boundary anything from its min to below its max.
//
// Where appendix B.3 of [1] is wrong as printed: line 7 sums over the ready list; line 8 also stops
// when the list is done, where all ready jobs are at their Max; line 16 adds only successors whose
// predecessors have all completed; and simultaneous completions close one interval.
//
// The clock is a double-double: the completion times of jobs that run one after another on all
// slots are then the sums of works that package precedence evaluates, to the last bit, and a
// deadline that the priority meets exactly is met by the packing.
type packer struct {
	graph    *precedence.Graph
	jobs     []Job
	priority []int
	allowed  []int // the counts of slots that a job may hold, nil for all
	rank     []int32
	tasks    []task
	queue    heap.Heap // of the running jobs by end
	queued   []int32   // index of each rank in queue, -1 if absent
	flexible ranks
	boundary int32
	slots    int
	minima   int64   // of the ready jobs
	free     int64   // slots that nobody holds; below 0 while changes are under way
	fresh    []int32 // ranks that have become ready in this event
	changed  []int32 // ranks whose slots have changed in this event
	out      plan
}

// start sets all up at time 0.
func (p *packer) start(slots int, jobs []Job, g *precedence.Graph, priority, allowed []int) {
	n := len(jobs)
	p.graph, p.jobs, p.priority, p.allowed, p.slots = g, jobs, priority, allowed, slots
	p.tasks, p.queued = resize(p.tasks, n), resize(p.queued, n)
	p.flexible.reset(n)
	p.queue.Clear()
	p.fresh, p.changed = p.fresh[:0], p.changed[:0]
	p.boundary, p.minima, p.free = 0, 0, int64(slots)
	p.out.pieces = p.out.pieces[:0]
	p.out.completion = resize(p.out.completion, n)
	p.out.remaining = resize(p.out.remaining, n)
	p.out.makespan = 0
	for j := range p.out.completion {
		p.out.completion[j] = math.Inf(1)
	}
	for r, j := range priority {
		waits := 0
		if g != nil {
			waits = len(g.Preds(j))
		}
		p.queued[r] = -1
		p.tasks[r] = task{
			left: jobs[j].Work, piece: -1, waits: int32(waits),
			min: int32(min(jobs[j].Min, MaxSlots+1)), max: int32(jobs[j].most(slots)),
		}
		if waits == 0 {
			p.fresh = append(p.fresh, int32(r))
		}
	}
}

// pack goes from completion to completion until the horizon.
func (p *packer) pack(horizon float64) error {
	for now := (dd.T{}); ; {
		if err := p.settle(now); err != nil {
			return err
		}
		if p.queue.Len() == 0 || p.queue.Key(0) > horizon {
			return nil
		}
		now = p.tasks[p.queue.ID(0)].end
		last := now.Hi + float64(now.Hi*simultaneous)
		for p.queue.Len() > 0 && p.queue.Key(0) <= last {
			p.complete(p.queue.ID(0), now)
		}
	}
}

// complete ends a job that holds slots (lines 13 to 16 of B.3).
func (p *packer) complete(r int32, now dd.T) {
	t := &p.tasks[r]
	p.queue.Remove(0, p.queued, heap.LowID{})
	p.queued[r] = -1
	p.minima -= int64(t.min)
	if t.min < t.max {
		p.flexible.remove(r)
	}
	p.change(t, r, 0, now)
	t.ready = false
	p.retire(r, now)
}

// retire notes a completion and releases the successors for which it was the last one.
func (p *packer) retire(r int32, now dd.T) {
	j := p.priority[r]
	p.tasks[r].left = 0
	p.out.completion[j] = now.Hi
	p.out.makespan = now.Hi
	if p.graph == nil {
		return
	}
	for _, k := range p.graph.Succs(j) {
		next := p.rank[k]
		t := &p.tasks[next]
		if t.waits--; t.waits == 0 {
			p.fresh = append(p.fresh, next)
		}
	}
}

// settle lets the fresh jobs in and shares the slots anew (lines 5 to 12 of B.3). Only the
// difference is worked out: either jobs above the boundary give slots up, from the last to the
// first, or jobs below it gain some, from the first to the last.
func (p *packer) settle(now dd.T) error {
	for i := 0; i < len(p.fresh); i++ { // grows as jobs without work complete
		r := p.fresh[i]
		t := &p.tasks[r]
		if t.left == 0 {
			p.retire(r, now)
			continue
		}
		t.ready, t.since = true, now
		p.minima += int64(t.min)
		slots := t.min
		if t.min < t.max {
			p.flexible.add(r)
			if r < p.boundary {
				slots = t.max
			}
		}
		if slots > 0 {
			p.change(t, r, slots, now)
		}
	}
	p.fresh = p.fresh[:0]
	if p.minima > int64(p.slots) {
		return p.minimaError(now.Hi)
	}
	switch {
	case p.allowed != nil:
		p.shareAllowed(now)
	case p.free < 0:
		p.lower(now)
	case p.free > 0:
		p.raise(now)
	}
	for _, r := range p.changed {
		t := &p.tasks[r]
		p.record(t, r, now.Hi)
		p.schedule(t, r, now)
	}
	p.changed = p.changed[:0]
	return nil
}

// schedule puts a job whose slots have changed under its new completion time in the queue.
func (p *packer) schedule(t *task, r int32, now dd.T) {
	at := p.queued[r]
	if t.slots == 0 {
		if at >= 0 {
			p.queue.Remove(at, p.queued, heap.LowID{})
			p.queued[r] = -1
		}
		return
	}
	t.end = now.AddFloat(t.left / float64(t.slots))
	if at >= 0 {
		p.queue.Fix(at, t.end.Hi, p.queued, heap.LowID{})
	} else {
		p.queue.Push(heap.Entry{Key: t.end.Hi, ID: r}, p.queued, heap.LowID{})
	}
}

// lower takes slots from the least urgent jobs until none is missing. The minima fit, so it comes
// to an end.
func (p *packer) lower(now dd.T) {
	for r := min(p.boundary, int32(len(p.tasks)-1)); p.free < 0; r-- {
		r = p.flexible.prev(r)
		t := &p.tasks[r]
		if give := min(-p.free, int64(t.slots-t.min)); give > 0 {
			p.change(t, r, t.slots-int32(give), now)
		}
		p.boundary = r
	}
}

// raise gives free slots to the most urgent jobs below their max. It stops when no slot or no job
// is left.
func (p *packer) raise(now dd.T) {
	for p.free > 0 {
		r := p.flexible.next(p.boundary)
		if r < 0 {
			p.boundary = int32(len(p.tasks))
			return
		}
		t := &p.tasks[r]
		p.change(t, r, t.slots+int32(min(p.free, int64(t.max-t.slots))), now)
		p.boundary = r
		if t.slots == t.max {
			p.boundary = r + 1
		}
	}
}

// change gives a job another number of slots, after the work that it did with the old one is taken
// off.
func (p *packer) change(t *task, r int32, slots int32, now dd.T) {
	if elapsed := now.Sub(t.since).Hi; elapsed > 0 {
		t.left = max(0, t.left-float64(float64(t.slots)*elapsed))
		t.since = now
	}
	p.free += int64(t.slots - slots)
	t.slots = slots
	p.changed = append(p.changed, r)
}

// record closes the open piece of a job whose slots have changed and opens the next.
func (p *packer) record(t *task, r int32, now float64) {
	if t.piece >= 0 {
		open := &p.out.pieces[t.piece]
		if open.Slots == int(t.slots) {
			return
		}
		open.End = now
		t.piece = -1
	}
	if t.slots > 0 {
		t.piece = len(p.out.pieces)
		p.out.pieces = append(p.out.pieces, Piece{p.priority[r], int(t.slots), now, 0})
	}
}

// cut ends the pieces of the jobs that still run.
func (p *packer) cut(horizon float64) {
	for r := range p.tasks {
		t := &p.tasks[r]
		j := p.priority[r]
		if t.ready {
			p.change(t, int32(r), 0, dd.Of(horizon))
			p.record(t, int32(r), horizon)
			if t.left == 0 { // within rounding of its completion
				t.left = math.SmallestNonzeroFloat64
			}
		}
		p.out.remaining[j] = t.left
		if math.IsInf(p.out.completion[j], 1) {
			p.out.makespan = math.Inf(1)
		}
	}
}

// close puts the results in order.
func (p *packer) close(horizon float64) {
	p.out.horizon = horizon
	if math.IsInf(horizon, 1) {
		clear(p.out.remaining) // everything is done
	} else {
		p.cut(horizon)
	}
	p.tidy()
}

// tidy drops the pieces too short for the clock and joins those that meet with equal slots: events
// at one time leave such.
func (p *packer) tidy() {
	for r := range p.tasks {
		p.tasks[r].piece = -1 // the job's last piece that is kept
	}
	kept := p.out.pieces[:0]
	for _, piece := range p.out.pieces {
		if piece.Start == piece.End {
			continue
		}
		t := &p.tasks[p.rank[piece.Job]]
		if i := t.piece; i >= 0 && kept[i].Slots == piece.Slots && kept[i].End == piece.Start {
			kept[i].End = piece.End
			continue
		}
		t.piece = len(kept)
		kept = append(kept, piece)
	}
	p.out.pieces = kept
}

func (p *packer) minimaError(now float64) error {
	e := &MinimaError{Slots: p.slots, Time: now}
	for j, r := range p.rank {
		if t := &p.tasks[r]; t.ready && t.min > 0 {
			e.Jobs = append(e.Jobs, j)
			e.Minima = addClamped(e.Minima, p.jobs[j].Min)
		}
	}
	return e
}
