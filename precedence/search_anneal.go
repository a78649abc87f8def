package precedence

// annealJobs is from how many jobs on the search anneals first, if there are arcs.
const annealJobs = 200

// anneal makes random moves of one job, up to 100 places away, until steps are used up: all that do
// not cost more and, as the heat falls by counts of steps, ever fewer of the others. Arcs leave a
// job little room: a long way is many moves that each gain little or nothing.
func (s *search) anneal(steps int) {
	const stages, reach = 1000, 100
	n := len(s.order)
	heat := 0.3 * s.above[n] / float64(n)
	for range stages {
		for until := s.steps - steps/stages; s.steps > until; {
			i := s.random.IntN(n)
			after, before := s.room(i)
			low, high := max(after+1, i-reach), min(before-1, i+reach)
			k := low + s.random.IntN(high-low+1)
			if k == i {
				continue
			}
			if delta := s.rise(i, k); delta <= 0 || s.random.Float64() < decay(delta, heat) {
				s.move(i, k)
				s.value += delta
			}
		}
		heat -= float64(heat * 0.0069) // to a thousandth in all
	}
	s.total()
}

// rise is what the sum gains if the job at place i moves to place k.
func (s *search) rise(i, k int) (delta float64) {
	a := s.order[i]
	low, high, shift, end := i+1, k, -s.work[a], s.end[k]
	if k < i {
		low, high, shift, end = k, i-1, s.work[a], s.end[k]-s.work[s.order[k]]+s.work[a]
	}
	for m := low; m <= high; m++ {
		delta += s.cost[s.order[m]].at(s.end[m]+shift) - s.pays[m]
	}
	s.steps -= high - low + 1
	return delta + s.cost[a].at(end) - s.pays[i]
}
