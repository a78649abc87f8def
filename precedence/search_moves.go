package precedence

import "slices"

// insertions moves each place's job, in random order, to where the sum is least.
func (s *search) insertions() bool {
	any := false
	for _, i := range s.visit {
		if s.steps <= 0 {
			break
		}
		if s.insert(int(i)) {
			any = true
		}
	}
	return any
}

// room returns the places of the last predecessor and of the first successor of the job at place i:
// it may move strictly between them.
func (s *search) room(i int) (after, before int) {
	s.steps--
	after, before = -1, len(s.order)
	a := int(s.order[i])
	for _, j := range s.g.Preds(a) {
		after = max(after, int(s.place[j]))
	}
	for _, j := range s.g.Succs(a) {
		before = min(before, int(s.place[j]))
	}
	return after, before
}

// insert moves the job at place i to its best place, if that lowers the sum. Each further place
// passes one job more and costs two penalties.
func (s *search) insert(i int) bool {
	a := s.order[i]
	c := &s.cost[a]
	work, own := s.work[a], s.pays[i]
	after, before := s.room(i)
	best, to := -s.rounding(), i
	// Later: the jobs passed end earlier by its work, and save no more than what they pay above
	// their floors.
	delta, now := -own, 0.0
	k := i + 1
	for ; k < before && now-(s.above[before]-s.above[k]) < best; k++ {
		delta += s.cost[s.order[k]].at(s.end[k]-work) - s.pays[k]
		if now = delta + c.at(s.end[k]); now < best {
			best, to = now, k
		}
	}
	s.steps -= k - i - 1
	// Earlier: the jobs passed end later, and the job can save no more than what it pays above its
	// floor.
	gain := own - s.floor[a]
	k = i - 1
	for delta = 0; k > after && delta-gain < best; k-- {
		b := s.order[k]
		delta += s.cost[b].at(s.end[k]+work) - s.pays[k]
		if v := delta - own + c.at(s.end[k]-s.work[b]+work); v < best {
			best, to = v, k
		}
	}
	s.steps -= i - 1 - k
	if to == i {
		return false
	}
	s.move(i, to)
	s.sumAbove(min(i, to))
	s.value += best
	return true
}

// rounding is what a sum may seem to fall by without falling.
func (s *search) rounding() float64 { return float64(1e-13 * max(s.value, -s.value)) }

func (s *search) move(i, to int) {
	a := s.order[i]
	if to > i {
		copy(s.order[i:to], s.order[i+1:to+1])
	} else {
		copy(s.order[to+1:i+1], s.order[to:i])
	}
	s.order[to] = a
	s.recompute(min(i, to), max(i, to)+1)
}

// swaps makes the first swap that lowers the sum.
func (s *search) swaps() bool {
	for _, i := range s.visit {
		_, before := s.room(int(i))
		a, pays := &s.cost[s.order[i]], s.pays[i]
		saved := s.above[before] - s.above[i+1] + s.rounding() // at most, by the jobs after place i
		for k := int(i) + 2; k < before; k++ {                 // neighbours are insertions
			if s.steps <= 0 {
				return false
			}
			pay := a.at(s.end[k]) - pays
			if pay >= saved {
				break // and so in all later places
			}
			if s.swap(int(i), k, pay) {
				return true
			}
		}
	}
	return false
}

// swap exchanges the jobs at places i < k, the first of which then pays more by pay, if that lowers
// the sum and the second has no predecessor from place i on. A swap counts as one move for each job
// between.
func (s *search) swap(i, k int, pay float64) bool {
	a, b := s.order[i], s.order[k]
	shift := s.work[b] - s.work[a]
	most := -s.rounding()
	s.steps--
	// Where the jobs between end later, only these two can save.
	delta := pay + s.cost[b].at(s.end[i]+shift) - s.pays[k]
	if between := s.above[k] - s.above[i+1]; shift >= 0 && delta >= most || delta-between >= most {
		return false
	}
	if after, _ := s.room(k); after >= i {
		return false
	}
	for m := i + 1; m < k; m++ {
		delta += s.cost[s.order[m]].at(s.end[m]+shift) - s.pays[m]
		s.steps--
		if shift >= 0 && delta >= most {
			return false
		}
	}
	if delta >= most {
		return false
	}
	s.order[i], s.order[k] = b, a
	s.recompute(i, k+1)
	s.sumAbove(i)
	s.value += delta
	return true
}

// disturb makes random legal moves: swaps and, if there are arcs, moves of a job over a long way
// together with its predecessors or successors on the way.
func (s *search) disturb(moves int) {
	n := len(s.order)
	s.steps -= 4 * n // ends, penalties and sums are computed anew, orders copied
	for range moves {
		i, k := s.random.IntN(n), s.random.IntN(n)
		if i > k {
			i, k = k, i
		}
		s.steps--
		if !s.arcless() && s.random.IntN(2) == 0 {
			s.drag(i, k, s.random.IntN(2) == 0)
			continue
		}
		if _, before := s.room(i); i == k || before <= k {
			continue
		}
		if after, _ := s.room(k); after >= i {
			continue
		}
		s.order[i], s.order[k] = s.order[k], s.order[i]
		s.place[s.order[i]], s.place[s.order[k]] = int32(i), int32(k)
	}
	s.recompute(0, n)
	s.total()
}

// drag moves the job at place i later, together with the jobs up to place k that must follow it, to
// the end of the part; or, if later is not set, the job at place k earlier, together with the jobs
// from place i on that must precede it, to the beginning of the part.
func (s *search) drag(i, k int, later bool) {
	part, before := s.order[i:k+1], s.g.Preds
	s.steps -= len(part)
	s.stamp++
	s.apart = s.apart[:0]
	if !later { // the same backwards
		before = s.g.Succs
		slices.Reverse(part)
	}
	s.mark[part[0]] = s.stamp
	kept := part[:0]
	for _, j := range part {
		if s.marked(j, before(int(j))) {
			s.apart = append(s.apart, j)
		} else {
			kept = append(kept, j)
		}
	}
	copy(part[len(kept):], s.apart)
	if !later {
		slices.Reverse(part)
	}
	for m, j := range part {
		s.place[j] = int32(i + m)
	}
}

// marked says whether job j is marked, and marks it if a neighbour is.
func (s *search) marked(j int32, neighbours []int32) bool {
	for _, i := range neighbours {
		if s.mark[i] == s.stamp {
			s.mark[j] = s.stamp
		}
	}
	return s.mark[j] == s.stamp
}
