package malleable

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/precedence"
)

// improve packs orders other than r's for a maximum with arcs, and returns the best schedule: first
// the order by critical paths, the jobs from which most time lies ahead first; then, from the better
// one, orders in which one job has moved by at most five places, kept if the value is no more.
func (r *Report) improve(fn string, slots int, jobs []Job, g *precedence.Graph, obj precedence.Objective, o PlanOptions, s *Schedule) (*Schedule, error) {
	const reach = 5
	alone := make([]float64, len(jobs))
	for j := range jobs {
		alone[j] = jobs[j].Work / float64(jobs[j].most(slots))
	}
	tails, err := precedence.Tails(nil, g, alone)
	if err != nil {
		return nil, input.As(fn, "", err)
	}
	next := new(Schedule)
	try := func(order []int) (kept bool, err error) {
		var minima *MinimaError
		err = next.run(fn, slots, jobs, g, order, o.Allowed, math.Inf(1))
		if errors.As(err, &minima) { // other jobs are ready together than in r's order
			return false, nil
		}
		if err != nil {
			return false, err
		}
		v, err := value(fn, obj, next.completion)
		if err != nil || v > r.Value {
			return false, err
		}
		r.Value, r.Order = v, append(r.Order[:0], order...)
		s, next = next, s
		return true, nil
	}
	order := g.Topological(nil)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(tails[b], tails[a]) })
	random := rand.New(rand.NewPCG(0x9ac5, uint64(len(jobs))))
	for tried := 1; tried < o.Packs && !meets(r.Value, r.Bound); tried++ {
		if tried > 1 {
			i := random.IntN(len(order))
			k := max(0, min(len(order)-1, i-reach+random.IntN(2*reach+1)))
			if !legal(g, order, i, k) {
				continue
			}
			move(order, i, k)
		}
		kept, err := try(order)
		if err != nil {
			return nil, err
		}
		if !kept {
			copy(order, r.Order)
		}
	}
	return s, nil
}

// legal reports whether the job at place i can go to place k without passing a predecessor or a
// successor.
func legal(g *precedence.Graph, order []int, i, k int) bool {
	if i == k {
		return false
	}
	j := order[i]
	passed, arcs := order[min(i, k):max(i, k)+1], g.Succs(j)
	if k < i {
		arcs = g.Preds(j)
	}
	return !slices.ContainsFunc(arcs, func(a int32) bool { return slices.Contains(passed, int(a)) })
}

// move puts the element at place i at place k.
func move(order []int, i, k int) {
	j := order[i]
	if i < k {
		copy(order[i:k], order[i+1:k+1])
	} else {
		copy(order[k+1:i+1], order[k:i])
	}
	order[k] = j
}
