package fluid

// sharing is weighted processor sharing without caps: one clock and a heap of fixed keys, O(log n) per event.
type sharing struct {
	r *Runner
	c clock
}

func (s *sharing) restart() { s.c.at = dd{} }

func (s *sharing) idle() bool { return s.c.n == 0 }

func (s *sharing) event(until dd) bool {
	r := s.r
	if s.c.n == 0 {
		return false
	}
	e := r.wait.min()
	if s.c.after(e.key, until) {
		return false
	}
	u := s.c.when(e.key)
	if u.minus(until) > 0 {
		return false
	}
	r.wait.pop()
	r.done(e.id, u)
	if s.c.leave(u, e.key, r.weight(e.id)) {
		r.resum(&s.c, -1, r.wait)
	}
	return true
}

func (s *sharing) arrive(id int32, u dd) {
	r := s.r
	if r.enter(id) {
		r.wait.push(entry{s.c.join(u, dd{hi: r.jobs[id].Size}, r.weight(id)), id})
	}
}
