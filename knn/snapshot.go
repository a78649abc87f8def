package knn

import "github.com/schedmath/schedmath/internal/input"

// mostAdded is where Snapshot.Added stops: every reader of JSON holds it exactly.
const mostAdded = 1 << 53

// Snapshot is the observations of an Estimator as plain data, fit for JSON. The Options are not
// part of it, since K is a function.
type Snapshot struct {
	Version int `json:"version"` // 1
	Dim     int `json:"dim"`
	// Added: observations added so far, those forgotten included; it stops at 2^53
	Added int64 `json:"added"`
	// X: dim coordinates of each observation that counts, oldest first
	X []float64 `json:"x,omitempty"`
	Y []float64 `json:"y,omitempty"`
}

// Snapshot returns the observations as data that shares nothing with the estimator.
func (e *Estimator) Snapshot() Snapshot {
	s := Snapshot{Version: 1, Dim: e.dim, Added: e.added}
	for i := range e.ys {
		x, y := e.observation(i)
		s.X, s.Y = append(s.X, x...), append(s.Y, y)
	}
	return s
}

// Restore returns an estimator with the observations of s. With the Options of the estimator that s
// was taken from it goes on as that would, to the bit; other Options are allowed too, and a smaller
// Window forgets the oldest observations. s is not kept.
//
// Errors: those of New; an s that no estimator could have given.
func Restore(s Snapshot, o Options) (*Estimator, error) {
	const fn = "knn.Restore"
	if err := o.check(fn); err != nil {
		return nil, err
	}
	if err := s.check(fn); err != nil {
		return nil, err
	}
	e := &Estimator{dim: s.Dim, options: o, added: s.Added - int64(len(s.Y))}
	for i, y := range s.Y {
		e.add(s.X[i*s.Dim:][:s.Dim], y)
	}
	return e, nil
}

func (s *Snapshot) check(fn string) error {
	switch {
	case s.Version != 1:
		return input.Bad(fn, "s", -1, "Version is %d, want 1", s.Version)
	case s.Dim < 1:
		return input.Bad(fn, "s", -1, "Dim is %d, want >= 1", s.Dim)
	case len(s.X)%s.Dim != 0 || len(s.X)/s.Dim != len(s.Y):
		return input.Bad(fn, "s", -1, "X has %d numbers and Y %d, want %d times as many in X", len(s.X), len(s.Y), s.Dim)
	case s.Added < int64(len(s.Y)):
		return input.Bad(fn, "s", -1, "Added is %d, want at least the %d observations", s.Added, len(s.Y))
	case s.Added > mostAdded:
		return input.Bad(fn, "s", -1, "Added is %d, want at most 2^53", s.Added)
	}
	if err := checkVector(fn, "s", s.X, len(s.X)); err != nil {
		return err
	}
	return checkVector(fn, "s", s.Y, len(s.Y))
}
