package policy

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/slotmodel"
)

// hfspSide is all that HFSP keeps for one kind of slots.
type hfspSide struct {
	kind    slotmodel.Kind
	options *HFSPOptions
	key     aging.By
	moving  bool    // the order changes as time passes
	sparse  bool    // the order may be made by fillByFirst
	most    float64 // slots when all nodes are up: a larger cap is none

	virtual hfspVirtual
	at      float64 // time that the virtual cluster has reached
	due     float64 // time of its next finish
	in      float64 // the same, from at
	lapsed  bool    // a phase may have become late that is not yet noted

	phases  []hfspPhase // by job
	present int         // number of those present

	// order holds the first phases on time, and those that were when it was made: all of them if whole. No phase before
	// cursor has a task to start, none before samples needs a sample. If byFirst, phases are left out that had no task to start: the first
	// is all that most decisions need, and is found much sooner.
	order           []slotmodel.Job
	whole           bool
	byFirst         bool
	cursor, samples int
	made            float64 // when it was
	stale           bool    // something has changed since; it stands for a while yet

	late        lateQueue // late phases with tasks to start
	lateSamples lateQueue // those of them that need samples
	lates       int32     // number of the last that became late
	scratch     []slotmodel.Job
	trainer     *estimate.Trainer[slotmodel.Job]
	wanting     []slotmodel.Job // phases with samples to start, in no order
	wantLate    int             // how many of them are late
	sample      slotmodel.Job   // the first of those on time, unless it is none any more; None: to be found

	blocks    [][]float64 // shuffle times of the samples of reduces in training
	vacant    []int32
	shuffled  float64 // s, of all reduces that have ended
	reduces   float64
	newcomers []slotmodel.Job // phases that may preempt
	losing    []slotmodel.Job // phases that have attempts to lose, in no order
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
	losing  int32   // place in hfspSide.losing + 1; 0: not there
	stamp   uint32  // of the walk that has given it
	present bool    // its tasks may start and are not all done
	over    bool    // all were done
	idle    bool    // not ready in the virtual cluster, see fillByFirst
	sated   bool    // not ready in the virtual cluster of samples, see firstSample
}

// advance lets the virtual cluster reach the present.
func (s *hfspSide) advance(now float64) {
	elapsed := now - s.at
	if now >= s.due { // in may exceed elapsed by rounding
		elapsed = max(elapsed, s.in)
		s.lapsed = true
	}
	if elapsed > 0 {
		s.virtual.advance(elapsed)
	}
	s.at = now
}

// changed notes that the virtual cluster is another than it was. j is the phase that has come, gone or got a new size; None: all
// may have another place. The order is then found anew, with caps and Refresh only after a while.
func (s *hfspSide) changed(j slotmodel.Job) {
	s.foresee()
	s.sample = slotmodel.None
	if len(s.order) == 0 || j == slotmodel.None || s.options.Caps == CapNone || s.options.Refresh == 0 {
		s.forget()
		return
	}
	s.stale = true
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
	x, ok := s.virtual.all.Job(j)
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
	x, _ := s.virtual.all.Job(a)
	return x.Work <= work
}

// renumber notes the places from i on.
func (s *hfspSide) renumber(i int) {
	for ; i < len(s.order); i++ {
		s.phases[s.order[i]].rank = int32(i)
	}
}

// forget drops the order.
func (s *hfspSide) forget() {
	s.order, s.whole, s.byFirst, s.stale, s.cursor, s.samples = s.order[:0], false, false, false, 0, 0
}

// foresee notes when the next phase ends in the virtual cluster.
func (s *hfspSide) foresee() {
	s.due = math.Inf(1)
	if _, in, ok := s.virtual.all.NextFinish(); ok {
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
			s.sample = slotmodel.None
			s.forget()
		}
	}
	if s.stale && now >= s.made+s.options.Refresh {
		s.forget()
	}
	if s.lapsed {
		s.lapsed = false
		s.scratch = s.virtual.all.Lapsed(s.scratch[:0])
		for _, j := range s.scratch {
			if s.phases[j].late == 0 {
				s.becomeLate(v, j)
			}
		}
	}
}

// fill lengthens order to at least n phases, and then up to the first that has a task to start.
func (s *hfspSide) fill(v *slotmodel.View, n int) {
	if s.byFirst {
		s.forget()
	}
	s.extend(v, func(j slotmodel.Job) bool { return len(s.order) < n || !v.Runnable(j, s.kind) })
}

// extend adds phases to order for as long as it is told to go on.
func (s *hfspSide) extend(v *slotmodel.View, goOn func(j slotmodel.Job) bool) {
	if len(s.order) == 0 {
		s.made = v.Now()
	}
	s.whole = true
	for j := range s.virtual.all.All(s.key) {
		p := &s.phases[j]
		if p.late > 0 || int(p.rank) < len(s.order) && s.order[p.rank] == j {
			continue
		}
		p.rank = int32(len(s.order))
		s.order = append(s.order, j)
		if !goOn(j) {
			s.whole = false
			return
		}
	}
}

// fillByFirst adds to order the first phase on time that has a task to start, when no phase of order has any. The virtual cluster is
// told of those on the way that they are none to serve, being late or with all tasks running; so the next way is short.
func (s *hfspSide) fillByFirst(v *slotmodel.View) {
	s.byFirst = true
	for {
		j, ok := s.virtual.all.First(s.key)
		if !ok {
			s.whole = true
			return
		}
		p := &s.phases[j]
		if p.late == 0 && v.Runnable(j, s.kind) {
			p.rank = int32(len(s.order))
			s.order = append(s.order, j)
			return
		}
		p.idle = true
		_ = s.virtual.all.SetReady(j, false) // it is there
	}
}

// ready takes back what fillByFirst has said of a phase.
func (s *hfspSide) ready(j slotmodel.Job) {
	if p := &s.phases[j]; p.idle {
		p.idle = false
		_ = s.virtual.all.SetReady(j, true)
		if s.byFirst {
			s.forget()
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
	first := i <= s.cursor && !sample
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
		switch {
		case s.sparse && first && (s.byFirst || len(s.order) == 0):
			s.fillByFirst(v)
		case s.byFirst:
			i = 0
			fallthrough
		default:
			s.fill(v, 2*len(s.order))
		}
	}
}

// revive notes that a phase has a task to start again, or needs a sample again.
func (s *hfspSide) revive(j slotmodel.Job) {
	s.ready(j)
	s.unsated(j)
	if r := s.phases[j].rank; int(r) < len(s.order) && s.order[r] == j {
		s.cursor, s.samples = min(s.cursor, int(r)), min(s.samples, int(r))
	}
}
