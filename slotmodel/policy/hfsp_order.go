package policy

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/slotmodel"
)

// hfspSide is all that HFSP keeps for one kind of slots.
type hfspSide struct {
	kind    slotmodel.Kind
	options *HFSPOptions
	key     aging.Key
	moving  bool    // the order changes as time passes
	most    float64 // slots when all nodes are up: a larger cap is none

	virtual *aging.Cluster[slotmodel.Job]
	at      float64 // time that the virtual cluster has reached
	due     float64 // time of its next finish
	in      float64 // the same, from at
	lapsed  bool    // a phase may have become late that is not yet noted

	phases  []hfspPhase // by job
	present int         // number of those present

	// order holds the first phases on time, and those that were when it was made: all of them if whole. No phase before
	// cursor has a task to start, none before samples needs a sample.
	order           []slotmodel.Job
	whole           bool
	cursor, samples int
	made            float64 // when it was
	stale           bool    // something has changed since; it stands for a while yet

	late     heap.Heap // late phases with tasks to start, by the late rule
	pos      []int32   // of each job in it
	lates    int32     // number of the last that became late
	scratch  []slotmodel.Job
	trainer  *estimate.Trainer[slotmodel.Job]
	wanting  []slotmodel.Job // phases with samples to start, in no order
	wantLate int             // how many of them are late

	blocks    [][]float64 // shuffle times of the samples of reduces in training
	vacant    []int32
	shuffled  float64 // s, of all reduces that have ended
	reduces   float64
	newcomers []slotmodel.Job // phases that may preempt
}

// hfspPhase is the state of one phase.
type hfspPhase struct {
	size    float64 // as estimated last
	rank    int32   // place in order, if order has the job there
	late    int32   // number in the order of becoming late; 0: it is not late
	want    int32   // place in wanting + 1; 0: not there
	waiting int32   // samples to start
	block   int32   // of shuffle times + 1
	lost    int32   // maps to run again since the phase had ended; 0: it is in its first run
	victims int32   // attempts that were preempted
	stamp   uint32  // of the walk that has given it
	present bool    // its tasks may start and are not all done
	over    bool    // all were done
	queued  bool    // in the heap of late phases
}

// Before breaks ties among late phases: the one that became late first.
func (s *hfspSide) Before(a, b int32) bool { return s.phases[a].late < s.phases[b].late }

// advance lets the virtual cluster reach the present.
func (s *hfspSide) advance(now float64) {
	elapsed := now - s.at
	if now >= s.due { // in may exceed elapsed by rounding
		elapsed = max(elapsed, s.in)
		s.lapsed = true
	}
	if elapsed > 0 {
		_ = s.virtual.Advance(elapsed) // fails for times beyond 2^200 alone
	}
	s.at = now
}

// changed notes that the virtual cluster is another than it was. j is the phase that has come, gone or got a new size; None: all
// may have another place. Without caps the others keep their order; with caps it is to be found anew, now or soon.
func (s *hfspSide) changed(j slotmodel.Job) {
	s.foresee()
	loose := s.options.Caps == CapNone
	if len(s.order) == 0 || j == slotmodel.None || !loose && s.options.Refresh == 0 {
		s.forget()
		return
	}
	s.stale = s.stale || !loose
	s.move(j)
}

// move gives a phase its place in an order that stands: without caps by its tag, else before the first phase with more
// virtual work left. A place after the last is not known unless the order is whole.
func (s *hfspSide) move(j slotmodel.Job) {
	if i := s.place(j); i < len(s.order) {
		s.order = slices.Delete(s.order, i, i+1)
		s.renumber(i)
		s.cursor, s.samples = min(s.cursor, i), min(s.samples, i)
	}
	if len(s.order) > s.cursor+2*keepAhead { // so that a move stays cheap
		s.order, s.whole = s.order[:s.cursor+keepAhead], false
		s.samples = min(s.samples, len(s.order))
	}
	x, ok := s.virtual.Job(j)
	if !ok || !s.phases[j].present || x.Work == 0 {
		return
	}
	i := len(s.order)
	for i > 0 && !s.precedes(s.order[i-1], j, x.Work) {
		i--
	}
	if i < len(s.order) || s.whole {
		s.order = slices.Insert(s.order, i, j)
		s.renumber(i)
		s.cursor, s.samples = min(s.cursor, i), min(s.samples, i)
	}
}

// keepAhead is how many places of the order after the first phase with a task to start are kept when a phase moves, at least.
const keepAhead = 32

// precedes reports whether phase a of the order stays before phase b, which has so much work left. Those that have ended in
// virtual time do.
func (s *hfspSide) precedes(a, b slotmodel.Job, work float64) bool {
	if s.options.Caps != CapNone {
		x, _ := s.virtual.Job(a)
		return x.Work <= work
	}
	if s.phases[a].late > 0 {
		return true
	}
	x, ok := s.virtual.Tag(a)
	y, _ := s.virtual.Tag(b)
	return !ok || x.Compare(y) < 0
}

// renumber notes the places from i on.
func (s *hfspSide) renumber(i int) {
	for ; i < len(s.order); i++ {
		s.phases[s.order[i]].rank = int32(i)
	}
}

// forget drops the order.
func (s *hfspSide) forget() {
	s.order, s.whole, s.stale, s.cursor, s.samples = s.order[:0], false, false, 0, 0
}

// foresee notes when the next phase ends in the virtual cluster.
func (s *hfspSide) foresee() {
	s.due = math.Inf(1)
	if _, in, ok := s.virtual.NextFinish(); ok {
		s.in, s.due = in, s.at+in
	}
}

// refresh makes late phases and order those of the present.
func (s *hfspSide) refresh(v *slotmodel.View) {
	now := v.Now()
	if moved := s.moving && now > s.at; moved || now >= s.due {
		s.advance(now)
		s.foresee()
		if moved {
			s.forget()
		}
	}
	if s.stale && now >= s.made+s.options.Refresh {
		s.forget()
	}
	if s.lapsed {
		s.lapsed = false
		s.scratch = s.virtual.Late(s.scratch[:0])
		for _, j := range s.scratch {
			if s.phases[j].late == 0 {
				s.becomeLate(v, j)
			}
		}
	}
}

func (s *hfspSide) becomeLate(v *slotmodel.View, j slotmodel.Job) {
	p := &s.phases[j]
	s.lates++
	p.late = s.lates
	if p.want > 0 {
		s.wantLate++
	}
	s.requeue(v, j)
}

// becomeOnTime lets a late phase that has got a greater size age again, or forgets its lateness when it leaves.
func (s *hfspSide) becomeOnTime(j slotmodel.Job) {
	p := &s.phases[j]
	if p.queued {
		s.late.Remove(s.pos[j], s.pos, s)
		p.queued = false
	}
	if p.want > 0 {
		s.wantLate--
	}
	p.late = 0
}

// requeue puts a late phase where its number of running tasks has it.
func (s *hfspSide) requeue(v *slotmodel.View, j slotmodel.Job) {
	p := &s.phases[j]
	switch runnable := v.Runnable(j, s.kind); {
	case !runnable && p.queued:
		s.late.Remove(s.pos[j], s.pos, s)
		p.queued = false
	case runnable && !p.queued:
		s.late.Push(heap.Entry{Key: s.lateKey(v, j), ID: int32(j)}, s.pos, s)
		p.queued = true
	case runnable:
		s.late.Fix(s.pos[j], s.lateKey(v, j), s.pos, s)
	}
}

func (s *hfspSide) lateKey(v *slotmodel.View, j slotmodel.Job) float64 {
	if s.options.Late == LateFirst {
		return float64(s.phases[j].late)
	}
	return float64(v.Count(j, s.kind).Running)
}

// fill lengthens order to at least n phases, and then up to the first that has a task to start.
func (s *hfspSide) fill(v *slotmodel.View, n int) {
	if len(s.order) == 0 {
		s.made = v.Now()
	}
	s.whole = true
	for j := range s.virtual.All(s.key) {
		p := &s.phases[j]
		if p.late > 0 || int(p.rank) < len(s.order) && s.order[p.rank] == j {
			continue
		}
		p.rank = int32(len(s.order))
		s.order = append(s.order, j)
		if len(s.order) >= n && v.Runnable(j, s.kind) {
			s.whole = false
			return
		}
	}
}

// eligible reports whether a phase on time has a task to start.
func (s *hfspSide) eligible(v *slotmodel.View, j slotmodel.Job) bool {
	p := &s.phases[j]
	return p.present && p.late == 0 && v.Runnable(j, s.kind)
}

// nextOnTime returns the first place from i on in the order at which a phase has a task to start, or one that needs a sample; -1: none.
func (s *hfspSide) nextOnTime(v *slotmodel.View, i int, sample bool) int {
	for {
		for ; i < len(s.order); i++ {
			if j := s.order[i]; (!sample || s.phases[j].want > 0) && s.eligible(v, j) {
				return i
			}
		}
		if s.stale { // it ends before some phases that have come since
			s.forget()
			i = 0
		}
		if s.whole || v.NextRunnable(s.kind, slotmodel.None) == slotmodel.None {
			return -1
		}
		s.fill(v, 2*len(s.order))
	}
}

// revive notes that a phase has a task to start again, or needs a sample again.
func (s *hfspSide) revive(j slotmodel.Job) {
	if r := s.phases[j].rank; int(r) < len(s.order) && s.order[r] == j {
		s.cursor, s.samples = min(s.cursor, int(r)), min(s.samples, int(r))
	}
}

// sortLate sorts late phases by the late rule.
func (s *hfspSide) sortLate(v *slotmodel.View, jobs []slotmodel.Job) {
	slices.SortFunc(jobs, func(a, b slotmodel.Job) int {
		return cmp.Or(cmp.Compare(s.lateKey(v, a), s.lateKey(v, b)), cmp.Compare(s.phases[a].late, s.phases[b].late))
	})
}
