package internal

import (
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// Rank returns the place of a job in the order of arrival, from 0; Absent for a job that has not
// arrived.
func Rank(v *slotmodel.View, j slotmodel.Job) int32 {
	_, place := v.Arrival(j)
	return int32(place)
}

// Earlier reports whether job a arrived before job b. Both must have arrived.
func Earlier(v *slotmodel.View, a, b slotmodel.Job) bool {
	return Rank(v, a) < Rank(v, b)
}

// PhaseOf returns the phase of a job that has the tasks of a kind.
func PhaseOf(s *slotmodel.JobSpec, k slotmodel.Kind) *slotmodel.Phase {
	if k == slotmodel.Reduce {
		return &s.Reduces
	}
	return &s.Maps
}

// TotalWork returns the work of all tasks of a phase, in seconds on a node of speed 1.
func TotalWork(p *slotmodel.Phase) float64 {
	if p.Works == nil {
		return float64(float64(p.Tasks) * p.Work)
	}
	sum := 0.0
	for _, w := range p.Works {
		sum += w
	}
	return sum
}

// Width returns how many slots a job needs at once: the number of its maps if it is rigid, else 1.
func Width(v *slotmodel.View, j slotmodel.Job) int {
	if s := v.Spec(j); s != nil && s.Rigid && s.Maps.Tasks > 1 {
		return s.Maps.Tasks
	}
	return 1
}

// JobSet is a set of jobs.
type JobSet struct {
	Jobs []slotmodel.Job // in the order in which they were added
	has  []bool          // by job
}

// NewJobSet returns an empty set for the jobs 0 to n-1.
func NewJobSet(n int) JobSet { return JobSet{has: make([]bool, n)} }

// Add puts a job in, if the set does not have it.
func (s *JobSet) Add(j slotmodel.Job) {
	if !s.has[j] {
		s.has[j] = true
		s.Jobs = append(s.Jobs, j)
	}
}

// Filter takes out the jobs for which stays is false.
func (s *JobSet) Filter(stays func(slotmodel.Job) bool) {
	s.Jobs = slices.DeleteFunc(s.Jobs, func(j slotmodel.Job) bool {
		s.has[j] = stays(j)
		return !s.has[j]
	})
}
