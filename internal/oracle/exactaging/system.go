package exactaging

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Slack is the part of a job's largest size below which its remaining work counts as near nothing.
const Slack = 1e-9

// Span brackets the virtual finish of a job: at Near the part Slack of its size was left, at At
// nothing, and at Past it would have received that much too much. All three are one instant for a
// job that a call made late.
type Span[E any] struct{ Near, At, Past E }

// System is one virtual cluster with keys of type K in the field E.
type System[K comparable, E any] struct {
	f        Field[E]
	zero     E
	capacity E
	now      E
	added    int
	// active ones in order of slots/weight, those without a limit last; late ones have left == 0
	jobs []*job[K, E]
}

type job[K comparable, E any] struct {
	key       K
	seq       int // place in the order of Add
	left      E   // remaining virtual work
	received  E   // virtual service since Add
	weight    E
	slots     E
	ratio     E // slots / weight
	limited   bool
	late      bool // nothing left
	completed bool // done in reality
	near      bool // no more than the slack is left; span.Near says since when
	slack     E
	largest   float64 // the largest size it was ever given
	rate      E       // what the last water-filling gave it
	span      Span[E]
}

// New returns an empty system.
func New[K comparable, E any](f Field[E], capacity float64) *System[K, E] {
	return &System[K, E]{f: f, zero: f.Of(0), capacity: f.Of(capacity), now: f.Of(0)}
}

// Add enters a job: slots 0 or +Inf is no limit, weight 0 means 1.
func (s *System[K, E]) Add(key K, work, slots, weight float64) {
	if s.find(key) != nil {
		panic(fmt.Sprintf("exactaging: key %v is present", key))
	}
	s.added++
	j := &job[K, E]{key: key, seq: s.added, received: s.zero, left: s.f.Of(work), largest: work, slack: s.slackOf(work), rate: s.zero}
	s.limit(j, slots, weight)
	s.insert(j)
	s.settle(j)
}

// Complete is the end of a job in reality.
func (s *System[K, E]) Complete(key K) bool {
	j := s.find(key)
	if j == nil || j.completed {
		return false
	}
	j.completed = true
	if j.late {
		s.drop(j)
	}
	return true
}

// Remove takes a job out of the virtual system at once.
func (s *System[K, E]) Remove(key K) bool {
	j := s.find(key)
	if j == nil {
		return false
	}
	s.drop(j)
	return true
}

// Reestimate gives a job a new total size.
func (s *System[K, E]) Reestimate(key K, work float64) {
	j := s.must(key)
	if work > j.largest {
		j.largest, j.slack = work, s.slackOf(work)
	}
	left := s.f.Sub(s.f.Of(work), j.received)
	if s.f.Cmp(left, s.zero) <= 0 {
		left = s.zero
		if j.late {
			return
		}
	}
	j.left, j.late = left, false
	s.settle(j)
}

// SetSlots changes a job's limit.
func (s *System[K, E]) SetSlots(key K, slots float64) {
	j := s.must(key)
	s.drop(j)
	s.limit(j, slots, s.f.Float64(j.weight))
	s.insert(j)
}

// SetWeight changes a job's weight.
func (s *System[K, E]) SetWeight(key K, weight float64) {
	j := s.must(key)
	slots := math.Inf(1)
	if j.limited {
		slots = s.f.Float64(j.slots)
	}
	s.drop(j)
	s.limit(j, slots, weight)
	s.insert(j)
}

// SetCapacity changes the slots that all jobs share.
func (s *System[K, E]) SetCapacity(capacity float64) { s.capacity = s.f.Of(capacity) }

// Now is the sum of all advances.
func (s *System[K, E]) Now() E { return s.now }

// Len counts the jobs that Left knows.
func (s *System[K, E]) Len() int { return len(s.jobs) }

// Left is what is left of a job; ok is false when it is gone.
func (s *System[K, E]) Left(key K) (left E, ok bool) {
	j := s.find(key)
	if j == nil {
		return s.zero, false
	}
	return j.left, true
}

// Largest is the largest size that a job was ever given.
func (s *System[K, E]) Largest(key K) float64 { return s.must(key).largest }

// Completed says whether a job that still ages is done in reality.
func (s *System[K, E]) Completed(key K) bool { return s.must(key).completed }

// IsLate says whether nothing is left of a job that is not done.
func (s *System[K, E]) IsLate(key K) bool { return s.must(key).late }

// Widen extends the span of a late job to now: the checked program has only now seen it finish.
func (s *System[K, E]) Widen(key K) {
	if j := s.must(key); j.late {
		j.span.Past = s.now
	}
}

// Keys are the keys of all jobs, in the order of their ratios.
func (s *System[K, E]) Keys() []K {
	keys := make([]K, 0, len(s.jobs))
	for _, j := range s.jobs {
		keys = append(keys, j.key)
	}
	return keys
}

// Late are the late jobs in the order of becoming late, the same instant by the order of Add, each
// with its span.
func (s *System[K, E]) Late() (keys []K, spans []Span[E]) {
	var late []*job[K, E]
	for _, j := range s.jobs {
		if j.late {
			late = append(late, j)
		}
	}
	slices.SortFunc(late, func(a, b *job[K, E]) int {
		return cmp.Or(s.f.Cmp(a.span.At, b.span.At), cmp.Compare(a.seq, b.seq))
	})
	for _, j := range late {
		keys, spans = append(keys, j.key), append(spans, j.span)
	}
	return keys, spans
}

// settle brings a job's state in line with what is left of it after a call.
func (s *System[K, E]) settle(j *job[K, E]) {
	if s.f.Cmp(j.left, j.slack) > 0 {
		j.near = false
		return
	}
	if !j.near {
		j.near, j.span.Near = true, s.now
	}
	if s.f.Cmp(j.left, s.zero) <= 0 {
		s.finish(j, s.now)
	}
}

// finish makes a job late, or drops it when it is done in reality.
func (s *System[K, E]) finish(j *job[K, E], past E) {
	j.left, j.late = s.zero, true
	j.span.At, j.span.Past = s.now, past
	if j.completed {
		s.drop(j)
	}
}

func (s *System[K, E]) slackOf(work float64) E { return s.f.Mul(s.f.Of(Slack), s.f.Of(work)) }

func (s *System[K, E]) limit(j *job[K, E], slots, weight float64) {
	if weight == 0 {
		weight = 1
	}
	j.weight = s.f.Of(weight)
	j.limited = slots > 0 && !math.IsInf(slots, 1)
	if j.limited {
		j.slots = s.f.Of(slots)
		j.ratio = s.f.Quo(j.slots, j.weight)
	}
}

func (s *System[K, E]) insert(j *job[K, E]) {
	i, _ := slices.BinarySearchFunc(s.jobs, j, func(a, b *job[K, E]) int {
		switch {
		case a.limited && b.limited:
			return s.f.Cmp(a.ratio, b.ratio)
		case a.limited:
			return -1
		case b.limited:
			return 1
		}
		return 0
	})
	s.jobs = slices.Insert(s.jobs, i, j)
}

func (s *System[K, E]) drop(j *job[K, E]) {
	i := slices.Index(s.jobs, j)
	s.jobs = slices.Delete(s.jobs, i, i+1)
}

func (s *System[K, E]) find(key K) *job[K, E] {
	for _, j := range s.jobs {
		if j.key == key {
			return j
		}
	}
	return nil
}

func (s *System[K, E]) must(key K) *job[K, E] {
	j := s.find(key)
	if j == nil {
		panic(fmt.Sprintf("exactaging: key %v is unknown", key))
	}
	return j
}
