package fairqueue

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/internal/input"
)

// Sequence is the state of a Sequencer as plain data, fit for JSON if K is. RestoreLottery and
// RestoreSmoothWRR check it.
type Sequence[K comparable] struct {
	Version int       `json:"version"`
	Rule    string    `json:"rule"`
	Last    float64   `json:"last"` // latest charge above 0; 0: none so far
	Users   []Turn[K] `json:"users"`
}

// Turn is one user of a Sequence.
type Turn[K comparable] struct {
	Key    K       `json:"key"`
	Weight float64 `json:"weight"`
	// Current, of a SmoothWRR: the current weight, the sum of the weights times what the user is
	// behind
	Current float64 `json:"behind,omitempty"`
	Cost    float64 `json:"cost,omitempty"`  // Lottery: charged since it was last drawn
	Drawn   bool    `json:"drawn,omitempty"` // Lottery: drawn and not charged yet; Cost is of before
}

const sequenceVersion = 2 // grows with every change of what a Sequence means

// Snapshot returns the state as data that shares nothing with s. The source of a Lottery is not in
// it.
func (s *Sequencer[K, R]) Snapshot() Sequence[K] {
	q := Sequence[K]{Version: sequenceVersion, Rule: (*new(R)).name(), Users: []Turn[K]{}}
	if s != nil {
		q.Last, q.Users = s.last, append(q.Users, s.users...)
	}
	return q
}

// RestoreSmoothWRR returns a SmoothWRR in the state of s: the same answers follow. s is not kept.
//
// Errors: an unknown version, or anything that no SmoothWRR could have produced; Reason names the
// element.
func RestoreSmoothWRR[K comparable](s Sequence[K]) (*SmoothWRR[K], error) {
	return restore("fairqueue.RestoreSmoothWRR", new(SmoothWRR[K]), s)
}

// RestoreLottery is RestoreSmoothWRR for a Lottery that draws from src. The same answers follow if
// src is in the same state too.
//
// Errors: those of RestoreSmoothWRR; a nil src.
func RestoreLottery[K comparable](s Sequence[K], src rand.Source) (*Lottery[K], error) {
	const fn = "fairqueue.RestoreLottery"
	if src == nil {
		return nil, input.Bad(fn, "src", -1, "nil")
	}
	return restore(fn, &Lottery[K]{src: src}, s)
}

// restore puts an empty Sequencer into the state of s.
func restore[K comparable, R rule](fn string, q *Sequencer[K, R], s Sequence[K]) (*Sequencer[K, R], error) {
	switch {
	case s.Version != sequenceVersion:
		return nil, input.Bad(fn, "s", -1, "Version is %d, want %d", s.Version, sequenceVersion)
	case s.Rule != (*new(R)).name():
		return nil, input.Bad(fn, "s", -1, "Rule is %q, want %q", s.Rule, (*new(R)).name())
	case !validCost(s.Last):
		return nil, input.Bad(fn, "s", -1, "Last: %s", badCost)
	}
	q.last = s.Last
	for i, u := range s.Users {
		_, present := q.index[u.Key]
		reason := ""
		switch {
		case u.Key != u.Key:
			reason = "Key: " + badKey
		case present:
			reason = "a Key for the second time"
		case !validWeight(u.Weight):
			reason = "Weight: " + badWeight
		case !(math.Abs(u.Current) <= maxTag) || !validCost(u.Cost) || u.Cost > 0 && s.Last == 0:
			reason = "Current or Cost out of range"
		case q.draws() && u.Current != 0 || !q.draws() && (u.Cost != 0 || u.Drawn):
			reason = "Current, Cost or Drawn is of another Rule"
		}
		if reason != "" {
			return nil, input.Bad(fn, "s", -1, "Users[%d]: %s", i, reason)
		}
		q.add(u)
	}
	return q, nil
}
