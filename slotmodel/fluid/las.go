package fluid

// leastAttained is least attained service without caps, O(log n) amortised per event.
type leastAttained struct {
	r *Runner
	levels
}

func (s *leastAttained) restart() { s.at = dd{} }

func (s *leastAttained) idle() bool { return s.n == 0 }

func (s *leastAttained) event(until dd) bool {
	if s.n == 0 {
		return false
	}
	u := s.when()
	if !(u.minus(until) <= tie*until.hi) { // a job that is done as another arrives must not wait for that one
		return false
	}
	if id := s.fire(u); id >= 0 {
		s.r.done(id, u)
	} else {
		s.r.events++
	}
	return true
}

func (s *leastAttained) arrive(id int32, u dd) {
	if s.r.enter(id) {
		s.sync(u)
		s.add(id, dd{})
	}
}
