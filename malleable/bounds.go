package malleable

import (
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/precedence"
)

// Limits are bounds on completion times: below for every schedule, above for one packing.
type Limits struct {
	// Makespan: no schedule of these jobs ends sooner: the greater of all work/slots and the
	// longest chain of Work/Max
	Makespan float64
	// Earliest: no schedule completes job j sooner: the longest chain of Work/Max that ends at j
	Earliest []float64
	// Latest: Pack completes job j no later: (works up to j in the priority)/slots + Earliest; nil
	// if some Min > 0 or without a priority
	Latest []float64
}

// Bounds returns bounds that need no schedule. priority is the one to pack by, nil if only lower
// bounds are wanted.
//
// Errors: those of Pack except MinimaError; a priority that puts a job before its predecessor.
func Bounds(slots int, jobs []Job, g *precedence.Graph, priority []int) (Limits, error) {
	const fn = "malleable.Bounds"
	if err := checkJobs(fn, slots, jobs, g); err != nil {
		return Limits{}, err
	}
	n := len(jobs)
	l := Limits{Earliest: make([]float64, n)}
	order := priority
	if priority != nil {
		rank := make([]int32, n)
		if err := checkPriority(fn, rank, priority); err != nil {
			return Limits{}, err
		}
		if g != nil {
			for r, j := range priority {
				for _, i := range g.Preds(j) {
					if rank[i] > rank[j] {
						return Limits{}, input.Bad(fn, "priority", r, "is job %d, whose predecessor %d comes later", j, i)
					}
				}
			}
		}
	} else if g != nil {
		order = g.Topological(make([]int, 0, n))
	} else {
		order = identity(n)
	}
	free, total := true, 0.0
	for _, j := range order {
		ready := 0.0
		if g != nil {
			for _, i := range g.Preds(j) {
				ready = max(ready, l.Earliest[i])
			}
		}
		l.Earliest[j] = ready + jobs[j].Work/float64(jobs[j].most(slots))
		l.Makespan = max(l.Makespan, l.Earliest[j])
		free = free && jobs[j].Min == 0
		total += jobs[j].Work
	}
	l.Makespan = max(l.Makespan, total/float64(slots))
	// Why Latest holds: take a moment at which job j is unfinished, and the first unfinished job i
	// on a longest chain to j. Job i is ready. Either it runs at its Max, which happens for no
	// longer than Earliest in all, or all slots serve jobs that come no later than i in the
	// priority, and hence no later than j. With minima this is false: slots serve later jobs too.
	if priority != nil && free {
		l.Latest = make([]float64, n)
		prefix := 0.0
		for _, j := range priority {
			prefix += jobs[j].Work
			l.Latest[j] = prefix/float64(slots) + l.Earliest[j]
		}
	}
	return l, nil
}

func identity(n int) []int {
	order := make([]int, n)
	for j := range order {
		order[j] = j
	}
	return order
}
