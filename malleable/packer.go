package malleable

import (
	"math"

	"github.com/schedmath/schedmath/precedence"
)

// resize returns s with n elements, whatever they hold.
func resize[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// task is the running state of a job, held by rank.
type task struct {
	left     float64 // work left at since
	since    float64
	piece    int // the open piece, -1 if there is none
	min, max int32
	slots    int32 // held since
	waits    int32 // predecessors that have not completed
	pos      int32 // in the queue, -1 if absent
	ready    bool
}

// packer is the state of one packing. The ready jobs that can vary, those with min < max, stand in the set flexible: those of
// rank below boundary hold their max, those above it their min, and the one at boundary anything from its min to below its max.
type packer struct {
	graph    *precedence.Graph
	jobs     []Job
	priority []int
	rank     []int32
	tasks    []task
	queue    queue
	flexible ranks
	boundary int32
	slots    int
	minima   int64   // of the ready jobs
	free     int64   // slots that nobody holds; below 0 while changes are under way
	fresh    []int32 // ranks that have become ready in this event
	changed  []int32 // ranks whose slots have changed in this event
	dead     bool    // there are pieces of no length
	again    bool    // an event came at the time of the one before
	out      plan
}

// start sets all up at time 0.
func (p *packer) start(slots int, jobs []Job, g *precedence.Graph, priority []int) {
	n := len(jobs)
	p.graph, p.jobs, p.priority, p.slots = g, jobs, priority, slots
	p.tasks = resize(p.tasks, n)
	p.flexible.reset(n)
	p.queue, p.fresh, p.changed = p.queue[:0], p.fresh[:0], p.changed[:0]
	p.boundary, p.minima, p.free, p.dead, p.again = 0, 0, int64(slots), false, false
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
		p.tasks[r] = task{
			left: jobs[j].Work, piece: -1, pos: -1, waits: int32(waits),
			min: int32(min(jobs[j].Min, MaxSlots+1)), max: int32(jobs[j].most(slots)),
		}
		if waits == 0 {
			p.fresh = append(p.fresh, int32(r))
		}
	}
}

// pack goes from completion to completion until the horizon.
func (p *packer) pack(horizon float64) error {
	for now := 0.0; ; {
		if err := p.settle(now); err != nil {
			return err
		}
		if len(p.queue) == 0 || p.queue[0].at > horizon {
			return nil
		}
		p.again = p.again || p.queue[0].at == now
		now = p.queue[0].at
		last := now + float64(now*simultaneous)
		for len(p.queue) > 0 && p.queue[0].at <= last {
			p.complete(p.queue[0].rank, now)
		}
	}
}

// complete ends a job that holds slots (lines 13 to 16 of B.3).
func (p *packer) complete(r int32, now float64) {
	t := &p.tasks[r]
	p.queue.remove(r, p.tasks)
	p.free += int64(t.slots)
	p.minima -= int64(t.min)
	if t.min < t.max {
		p.flexible.remove(r)
	}
	t.slots, t.ready = 0, false
	p.record(t, r, now)
	p.retire(r, now)
}

// retire notes a completion and releases the successors for which it was the last one.
func (p *packer) retire(r int32, now float64) {
	j := p.priority[r]
	p.tasks[r].left = 0
	p.out.completion[j] = now
	p.out.makespan = now
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

// settle lets the fresh jobs in and shares the slots anew (lines 5 to 12 of B.3). What it changes is what differs: either jobs
// above the boundary give slots up, from the last to the first, or jobs below it gain some, from the first to the last.
func (p *packer) settle(now float64) error {
	for i := 0; i < len(p.fresh); i++ { // grows as jobs without work complete
		r := p.fresh[i]
		if !p.admit(r, now) {
			continue
		}
		t := &p.tasks[r]
		slots := t.min
		if t.min < t.max {
			p.flexible.add(r)
			if r < p.boundary {
				slots = t.max
			}
		}
		if slots > 0 {
			p.free -= int64(slots)
			t.slots = slots
			p.changed = append(p.changed, r)
		}
	}
	p.fresh = p.fresh[:0]
	if p.minima > int64(p.slots) {
		return p.minimaError(now)
	}
	if p.free < 0 {
		p.lower(now)
	} else if p.free > 0 {
		p.raise(now)
	}
	for _, r := range p.changed {
		t := &p.tasks[r]
		p.record(t, r, now)
		if t.slots > 0 {
			p.queue.set(now+t.left/float64(t.slots), r, p.tasks)
		} else {
			p.queue.remove(r, p.tasks)
		}
	}
	p.changed = p.changed[:0]
	return nil
}

// admit lets a job in whose predecessors have completed. It reports false for a job without work, which completes at once.
func (p *packer) admit(r int32, now float64) bool {
	t := &p.tasks[r]
	if t.left == 0 {
		p.retire(r, now)
		return false
	}
	t.ready, t.since = true, now
	p.minima += int64(t.min)
	return true
}

// lower takes slots from the least urgent jobs until none is missing. The minima fit, so it comes to an end.
func (p *packer) lower(now float64) {
	for r := min(p.boundary, int32(len(p.tasks)-1)); p.free < 0; r-- {
		r = p.flexible.prev(r)
		t := &p.tasks[r]
		if give := min(-p.free, int64(t.slots-t.min)); give > 0 {
			p.change(t, r, t.slots-int32(give), now)
			p.free += give
		}
		p.boundary = r
	}
}

// raise gives free slots to the most urgent jobs below their max. It stops when none is left, of slots or of jobs.
func (p *packer) raise(now float64) {
	for p.free > 0 {
		r := p.flexible.next(p.boundary)
		if r < 0 {
			p.boundary = int32(len(p.tasks))
			return
		}
		t := &p.tasks[r]
		take := min(p.free, int64(t.max-t.slots))
		p.change(t, r, t.slots+int32(take), now)
		p.free -= take
		p.boundary = r
		if t.slots == t.max {
			p.boundary = r + 1
		}
	}
}

// change gives a job other slots; the work that it did with the old ones is settled.
func (p *packer) change(t *task, r int32, slots int32, now float64) {
	if t.since < now {
		t.left = max(0, t.left-float64(float64(t.slots)*(now-t.since)))
		t.since = now
	}
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
		if open.Start == now { // the time between was too short for the clock
			open.Slots = int(t.slots)
			if t.slots == 0 {
				open.End = now
				p.dead = true
				t.piece = -1
			}
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

// cut ends the pieces of what still runs.
func (p *packer) cut(horizon float64) {
	for r := range p.tasks {
		t := &p.tasks[r]
		j := p.priority[r]
		if t.ready {
			p.change(t, int32(r), 0, horizon)
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
	p.changed = p.changed[:0]
}

// close puts the results in order.
func (p *packer) close(horizon float64) {
	p.out.horizon = horizon
	if math.IsInf(horizon, 1) {
		clear(p.out.remaining) // everything is done
	} else {
		p.cut(horizon)
	}
	if p.dead || p.again {
		p.tidy()
	}
}

// tidy drops the pieces of no length and joins those that meet with equal slots: a job whose slots changed and changed back
// in events at one time has such.
func (p *packer) tidy() {
	for r := range p.tasks {
		p.tasks[r].piece = -1 // the job's last piece that is kept
	}
	kept := p.out.pieces[:0]
	for _, piece := range p.out.pieces {
		if piece.Slots == 0 {
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
			e.Minima = addClamped(e.Minima, max(p.jobs[j].Min, int(t.min))) // steps round t.min up
		}
	}
	return e
}
