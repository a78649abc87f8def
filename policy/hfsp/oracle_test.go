package hfsp

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/slotmodel"
)

// Walk returns what a walk from Begin on has to give, by sorting all phases; and a fault when
// the late phases are not those without virtual work left.
func Walk(h *Policy, v *slotmodel.View, k slotmodel.Kind) (walk []slotmodel.Job, fault error) {
	s := &h.sides[k]
	var late, onTime, lateSamples, samples []slotmodel.Job
	for j := range s.virtual.All(aging.ByFinish) {
		p := &s.phases[j]
		if x, _ := s.virtual.Job(j); x.Work == 0 != (p.late > 0) {
			return nil, fmt.Errorf("job %d has %v of virtual work left, and number %d among the late ones", j, x.Work, p.late)
		}
		if !v.Runnable(j, k) {
			continue
		}
		needs := false
		if x, ok := s.trainers[run].Job(j); ok {
			needs = x.Waiting > 0
		}
		switch {
		case p.late > 0:
			late = append(late, j)
			if needs {
				lateSamples = append(lateSamples, j)
			}
		default:
			onTime = append(onTime, j)
			if needs {
				samples = append(samples, j)
			}
		}
	}
	running := func(j slotmodel.Job) float64 {
		x, _ := s.virtual.Job(j)
		return float64(v.Count(j, k).Running) / x.Weight
	}
	sort := func(jobs []slotmodel.Job) {
		slices.SortFunc(jobs, func(a, b slotmodel.Job) int {
			return cmp.Or(cmp.Compare(running(a), running(b)), cmp.Compare(s.phases[a].late, s.phases[b].late))
		})
	}
	sort(late)
	sort(lateSamples)
	give := func(jobs ...slotmodel.Job) {
		for _, j := range jobs {
			if !slices.Contains(walk, j) {
				walk = append(walk, j)
			}
		}
	}
	if s.trainers[run].Room() > 0 {
		give(lateSamples...)
		give(samples...)
	}
	give(late...)
	give(onTime...)
	return walk, nil
}

// Newcomers returns how many notes of phases that may preempt are kept, and how many phases are
// present.
func (h *Policy) Newcomers() (notes, present int) {
	for k := range h.sides {
		notes += len(h.sides[k].newcomers)
		present += h.sides[k].present
	}
	return notes, present
}
