package internal

import "github.com/schedmath/schedmath/slotmodel"

// phaseOf returns a phase of a job.
func PhaseOf(s *slotmodel.JobSpec, k slotmodel.Kind) *slotmodel.Phase {
	if k == slotmodel.Reduce {
		return &s.Reduces
	}
	return &s.Maps
}

// totalWork returns the work of all tasks of a phase.
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
