package fluid

// serial serves one job at a time, without caps: in the order of arrival (FIFO), or the job of least (key, index), the key being the
// estimate (SPT) or the estimate less what the job has attained (SRPT). O(1) per event under FIFO, else O(log n).
type serial struct {
	r    *Runner
	p    Policy
	cur  int32 // job in service, -1: none
	end  dd    // work clock at which it is done
	key  dd    // its key, to which SRPT adds the work clock at the start of service
	head int   // of r.fifo, the jobs that wait under FIFO; under the other policies r.wait has them
}

func (s *serial) restart() { s.r.fifo, s.head = s.r.fifo[:0], 0 }

func (s *serial) idle() bool { return s.cur < 0 }

func (s *serial) event(until dd) bool {
	r := s.r
	if s.cur < 0 || s.end.minus(until) > tie*until.hi {
		return false
	}
	r.done(s.cur, s.end)
	s.cur = -1
	switch {
	case s.head < len(r.fifo):
		s.serve(r.fifo[s.head], s.end)
		s.head++
	case len(r.wait) > 0:
		s.serve(r.wait.pop(), s.end)
	}
	return true
}

func (s *serial) arrive(id int32, u dd) {
	r := s.r
	if !r.enter(id) {
		return
	}
	r.rem[id] = dd{hi: r.jobs[id].Size}
	e := entry{dd{hi: r.jobs[id].Estimate}, id}
	if s.cur < 0 {
		s.serve(e, u)
		return
	}
	now := entry{s.key, s.cur}
	switch s.p.(type) {
	case FIFO:
		r.fifo = append(r.fifo, e)
		return
	case SRPT:
		now.key = s.key.sub(u)
	}
	if !e.before(now) {
		r.wait.push(e)
		return
	}
	r.rem[s.cur] = s.end.sub(u)
	r.wait.push(now)
	s.serve(e, u)
}

// serve begins to serve job e at work clock u.
func (s *serial) serve(e entry, u dd) {
	s.cur, s.key, s.end = e.id, e.key, u.add(s.r.rem[e.id])
	if s.p == (SRPT{}) {
		s.key = s.key.add(u)
	}
}
