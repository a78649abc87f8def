package fairqueue

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/internal/input"
)

// Sequence is the state of a Sequencer as plain data, fit for JSON if K is. RestoreStride,
// RestoreLottery and RestoreSmoothWRR check it.
type Sequence[K comparable] struct {
	Version int       `json:"version"`
	Rule    string    `json:"rule"`
	Joined  int64     `json:"joined"` // number of users that have ever joined
	Mark    float64   `json:"mark"`   // global pass when the sum of the weights last changed
	Grants  int64     `json:"grants"` // grants to all users since the sum of the weights last changed
	Users   []Turn[K] `json:"users"`
}

// Turn is one user of a Sequence.
type Turn[K comparable] struct {
	Key    K       `json:"key"`
	Weight float64 `json:"weight"`
	Joined int64   `json:"joined"` // place in the order of joining
	Mark   float64 `json:"mark"`   // its pass when its weight was last set; above the global pass it has had more than its share
	Grants int64   `json:"grants"` // its grants since its weight was last set; each moves its pass on by 1/Weight
}

const sequenceVersion = 1 // grows with every change of what a Sequence means

// Snapshot returns the state as data that shares nothing with s. The source of a Lottery is not in
// it.
func (s *Sequencer[K, R]) Snapshot() Sequence[K] {
	var r R
	q := Sequence[K]{Version: sequenceVersion, Rule: r.name(), Users: make([]Turn[K], s.Len())}
	if s != nil {
		q.Joined, q.Mark, q.Grants = s.joined, s.mark, s.grants
		copy(q.Users, s.users)
	}
	return q
}

// RestoreStride returns a Stride in the state of s: the same answers follow. s is not kept.
//
// Errors: an unknown version, or anything that no Stride could have produced; Reason names the
// element.
func RestoreStride[K comparable](s Sequence[K]) (*Stride[K], error) {
	return restore("fairqueue.RestoreStride", new(Stride[K]), s)
}

// RestoreSmoothWRR is RestoreStride for a SmoothWRR.
func RestoreSmoothWRR[K comparable](s Sequence[K]) (*SmoothWRR[K], error) {
	return restore("fairqueue.RestoreSmoothWRR", new(SmoothWRR[K]), s)
}

// RestoreLottery is RestoreStride for a Lottery that draws from src. The same answers follow if src
// is in the same state too.
//
// Errors: those of RestoreStride; a nil src.
func RestoreLottery[K comparable](s Sequence[K], src rand.Source) (*Lottery[K], error) {
	const fn = "fairqueue.RestoreLottery"
	if src == nil {
		return nil, input.Bad(fn, "src", -1, "nil")
	}
	return restore(fn, &Lottery[K]{src: src}, s)
}

// restore puts a new Sequencer into the state of s.
func restore[K comparable, R rule](fn string, q *Sequencer[K, R], s Sequence[K]) (*Sequencer[K, R], error) {
	fail := func(i int, reason string) (*Sequencer[K, R], error) {
		return nil, input.Bad(fn, "s", -1, "Users[%d]: %s", i, reason)
	}
	valid := func(mark float64, grants int64) bool {
		return math.Abs(mark) <= maxMark && grants >= 0 && grants <= maxGrants
	}
	var r R
	switch {
	case s.Version != sequenceVersion:
		return nil, input.Bad(fn, "s", -1, "Version is %d, want %d", s.Version, sequenceVersion)
	case s.Rule != r.name():
		return nil, input.Bad(fn, "s", -1, "Rule is %q, want %q", s.Rule, r.name())
	case s.Joined < 0 || s.Joined > maxJoined || !valid(s.Mark, s.Grants) || len(s.Users) == 0 && s.Grants > 0:
		return nil, input.Bad(fn, "s", -1, "Joined, Mark or Grants is not of a Snapshot")
	}
	q.joined, q.mark, q.grants = s.Joined, s.Mark, s.Grants
	places := make(map[int64]bool, len(s.Users))
	for i, u := range s.Users {
		_, present := q.index[u.Key]
		switch {
		case u.Key != u.Key:
			return fail(i, "Key: "+badKey)
		case present:
			return fail(i, "a Key for the second time")
		case !validTurn(u.Weight):
			return fail(i, "Weight: "+badTurn)
		case !valid(u.Mark, u.Grants):
			return fail(i, "Mark or Grants out of range")
		case u.Joined < 0 || u.Joined >= s.Joined || places[u.Joined]:
			return fail(i, "Joined: not a place of its own in the order of joining")
		}
		places[u.Joined] = true
		q.add(u)
	}
	return q, nil
}
