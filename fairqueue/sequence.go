package fairqueue

import (
	"fmt"
	"math"
)

// Sequence is the state of a Sequencer as plain data, fit for JSON if K is. Restore checks it.
type Sequence[K comparable] struct {
	Version int       `json:"version"`
	Rule    string    `json:"rule"`
	Joined  int64     `json:"joined"` // number of users that have ever joined
	Mark    float64   `json:"mark"`   // the global pass when the sum of the weights last changed
	Grants  int64     `json:"grants"` // of all users since then
	Users   []Turn[K] `json:"users"`
}

// Turn is one user of a Sequence.
type Turn[K comparable] struct {
	Key    K       `json:"key"`
	Weight float64 `json:"weight"`
	Joined int64   `json:"joined"` // place in the order of joining
	Mark   float64 `json:"mark"`   // the global pass at which its grants before its weight was set are exactly its share
	Grants int64   `json:"grants"` // its grants since its weight was set
}

const sequenceVersion = 1 // grows with every change of what a Sequence means

// Snapshot returns the state as data that shares nothing
// with s. The source of a Lottery is not in it.
func (s *Sequencer[K, R]) Snapshot() Sequence[K] {
	var r R
	q := Sequence[K]{Version: sequenceVersion, Rule: r.name(), Users: make([]Turn[K], s.Len())}
	if s != nil {
		q.Joined, q.Mark, q.Grants = s.joined, s.mark, s.grants
		copy(q.Users, s.users)
	}
	return q
}

// Restore replaces the state by that of a Snapshot. The same answers
// follow; for a Lottery its source must be in the same state too.
//
// Errors: a Sequence that Snapshot does not return for this
// rule; a nil s, or a zero Lottery. s is unchanged then.
func (s *Sequencer[K, R]) Restore(q Sequence[K]) error {
	const fn = "Restore"
	if err := s.unusable(fn); err != nil {
		return err
	}
	fail := func(i int, reason string) error {
		return s.inputError(fn, "q", fmt.Sprintf("Users[%d]: %s", i, reason))
	}
	valid := func(mark float64, grants int64) bool {
		return math.Abs(mark) <= maxMark && grants >= 0 && grants <= maxGrants
	}
	var r R
	if q.Version != sequenceVersion || q.Rule != r.name() || q.Joined < 0 || q.Joined > maxJoined || !valid(q.Mark, q.Grants) || len(q.Users) == 0 && q.Grants > 0 {
		return s.inputError(fn, "q", "Version, Rule, Joined, Mark or Grants is not of a Snapshot")
	}
	restored := Sequencer[K, R]{src: s.src, joined: q.Joined, mark: q.Mark, grants: q.Grants}
	places := make(map[int64]bool, len(q.Users))
	for i, u := range q.Users {
		_, present := restored.index[u.Key]
		switch {
		case u.Key != u.Key:
			return fail(i, "Key: "+badKey)
		case present:
			return fail(i, "a Key for the second time")
		case !validTurn(u.Weight):
			return fail(i, "Weight: "+badTurn)
		case !valid(u.Mark, u.Grants):
			return fail(i, "Mark or Grants out of range")
		case u.Joined < 0 || u.Joined >= q.Joined || places[u.Joined]:
			return fail(i, "Joined: not a place of its own in the order of joining")
		}
		places[u.Joined] = true
		restored.add(u)
	}
	*s = restored
	return nil
}
