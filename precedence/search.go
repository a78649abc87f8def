package precedence

import (
	"math/rand/v2"
	"slices"
)

// A search is a local search for a sum of penalties: from the best start, descent by moving one job
// to another place and by swapping two, then again and again from a few random moves away. A move
// is legal if it passes no predecessor or successor; arcs alone tell, because a path between two
// jobs has its other jobs between them in the order.
type search struct {
	*problem
	steps  int // moves that may still be evaluated
	random *rand.Rand
	order  []int32
	end    []float64 // completion time at each place
	pays   []float64 // penalty at each place
	above  []float64 // what the jobs before each place pay above their floors, in total
	floor  []float64 // the least that a job can pay
	place  []int32   // where each job is
	visit  []int32   // the places in random order
	mark   []int32   // the jobs with stamp go along; apart lists them
	stamp  int32
	apart  []int32
	value  float64
}

// search returns the best order found within the budget of steps.
func (p *problem) search(steps int, first []int) []int {
	n := len(p.work)
	var best []int
	value := posInf
	try := func(order []int) {
		if v := p.evaluate(order); best == nil || v < value {
			best, value = order, v
		}
	}
	if first != nil {
		try(first)
	}
	p.starts(try)
	if n < 2 {
		return best
	}
	s := p.newSearch(steps, best)
	least := 0.0
	for _, v := range s.floor {
		least += v
	}
	if !p.arcless() && n >= annealJobs {
		s.anneal(steps / 2)
	}
	s.descend()
	now, top := s.snapshot(), s.snapshot()
	for fails := 0; s.steps > 0 && top.value > least; {
		s.disturb(2 + s.random.IntN(4))
		s.descend()
		if s.value < now.value {
			fails = 0
		} else if s.value > now.value {
			fails++
		}
		if s.value <= now.value {
			s.keep(&now)
		}
		if s.value < top.value {
			s.keep(&top)
		}
		if fails > 25 { // stuck: go on from here, or from the best
			fails = 0
			s.keep(&now)
			if s.random.IntN(2) == 0 {
				copy(now.order, top.order)
				now.value = top.value
			}
		}
		copy(s.order, now.order)
		s.recompute(0, n)
		s.sumAbove(0)
		s.value = now.value
	}
	found := ints(top.order)
	// The search's own sums are rounded at each step: the orders are compared once more.
	if p.evaluate(found) <= value {
		return found
	}
	return best
}

// A snapshot is an order that the search has found.
type snapshot struct {
	order []int32
	value float64
}

func (s *search) snapshot() snapshot { return snapshot{slices.Clone(s.order), s.value} }

func (s *search) keep(in *snapshot) {
	copy(in.order, s.order)
	in.value = s.value
}

// newSearch returns a search that stands at order.
func (p *problem) newSearch(steps int, order []int) *search {
	n := len(p.work)
	s := &search{problem: p, steps: steps, random: rand.New(rand.NewPCG(0x5eed, uint64(n))),
		order: make([]int32, n), end: make([]float64, n), pays: make([]float64, n), above: make([]float64, n+1), floor: make([]float64, n),
		place: make([]int32, n), visit: make([]int32, n), mark: make([]int32, n)}
	for i, j := range order {
		s.order[i] = int32(j)
		s.visit[i] = int32(i)
		s.floor[i] = p.cost[i].at(p.work[i])
	}
	s.recompute(0, n)
	s.total()
	return s
}

// recompute sets end and pays from place lo up to place hi.
func (s *search) recompute(lo, hi int) {
	t := 0.0
	if lo > 0 {
		t = s.end[lo-1]
	}
	for i := lo; i < hi; i++ {
		j := s.order[i]
		t += s.work[j]
		s.end[i] = t
		s.place[j] = int32(i)
		s.pays[i] = s.cost[j].at(t)
	}
}

// sumAbove sets above from place lo on.
func (s *search) sumAbove(lo int) {
	for i := lo; i < len(s.order); i++ {
		s.above[i+1] = s.above[i] + (s.pays[i] - s.floor[s.order[i]])
	}
}

func (s *search) total() {
	s.value = 0
	for _, v := range s.pays {
		s.value += v
	}
	s.sumAbove(0)
}

// descend moves and swaps until no move of either kind improves, or the budget is used up.
func (s *search) descend() {
	for s.steps > 0 {
		s.shuffle()
		if s.insertions() {
			continue
		}
		if !s.swaps() {
			return
		}
	}
}

func (s *search) shuffle() {
	for i := len(s.visit) - 1; i > 0; i-- {
		k := s.random.IntN(i + 1)
		s.visit[i], s.visit[k] = s.visit[k], s.visit[i]
	}
}
