package fluid

import "math"

// server is a run on one server of speed 1, whose clock is the work done. It keeps no time: the
// timeline knows at which time the capacity has done how much.
//
// The virtual system is one clock with its jobs in two queues: those to be served, whose least one
// is next in turn, and those done in reality, which stay to their virtual finish. Without a virtual
// system the jobs on time are all in the first queue.
type server struct {
	r *Runner
	plan
	moving bool // by virtual work with unequal weights: the order changes while time passes
	now    dd   // work clock

	v clock

	cur int32 // the job served alone; -1: the late jobs share, or there is none
	end dd    // work clock at which cur is done

	nLate int
	head  int   // of r.fifo, under LateFirst
	share clock // under LateShare and LateNext
	mate  entry // the on-time job that shares with the late ones, under LateNext; id -1: none
}

// serve runs the jobs under policy p.
func (r *Runner) serve(p Policy) {
	r.server = server{r: r, plan: planOf(p), cur: -1, mate: entry{id: -1}}
	f := &r.server
	f.moving = f.key == work && !r.equal
	if f.rule == LateLeastAttained {
		r.las.reset(r.jobs)
	}
	for {
		id := r.arrival()
		u := far
		idle := f.idle()
		if id >= 0 {
			a := r.jobs[id].Arrival
			if idle { // a busy period begins: clocks start at 0
				r.rebase(a)
				f.now, f.v.at, f.share.at = dd{}, dd{}, dd{}
				r.fifo, f.head = r.fifo[:0], 0
			}
			u = r.line.toWork(a)
		}
		for f.event(u) {
		}
		if id < 0 {
			return
		}
		if !idle && f.idle() {
			continue // the busy period ended before this arrival: its clocks start anew
		}
		f.arrive(id, u)
		f.decide()
	}
}

// decide chooses anew whom to serve, if the order can have changed.
func (f *server) decide() {
	if f.moving {
		f.pause()
		f.resume()
	}
}

// idle reports whether nobody is there, also not in a virtual system.
func (f *server) idle() bool { return f.v.n == 0 && f.r.live == 0 }

// event carries out the next completion, real or virtual, if there is one by work clock uA.
func (f *server) event(uA dd) bool {
	u, sign := uA, 1.0
	done := f.end
	if f.cur < 0 {
		done = f.finish()
	}
	due := done.minus(uA) <= tie*uA.hi
	if due {
		u, sign = done, -1
	}
	if f.v.n > 0 {
		q := &f.r.wait
		late := len(*q) > 0
		if len(f.r.virt) > 0 && (!late || f.r.virt.min().before(q.min())) {
			q, late = &f.r.virt, false
		}
		if e := q.min(); !f.v.after(e.key, u) {
			e.key.lo += f.r.residue[e.id] // clocks must not inherit the rounding of snap
			if t := f.v.when(e.key); t.minus(u) <= sign*f.v.blur(e.key, u) {
				q.pop()
				f.advance(t, uA, f.v.blur(e.key, uA))
				f.depart(e, late)
				f.decide()
				return true
			}
		}
	}
	if due {
		f.advance(done, uA, tie*uA.hi)
		f.complete()
	}
	return due
}

// advance sets the work clock to u, or to uA where they differ by less than blur; rounding must not
// move it back.
func (f *server) advance(u, uA dd, blur float64) {
	if math.Abs(u.minus(uA)) < blur { // false for far
		u = uA
	}
	if f.now.less(u) {
		f.now = u
	}
}

// arrive lets job id in.
func (f *server) arrive(id int32, uA dd) {
	r := f.r
	f.now = uA
	there := r.enter(id)
	j := &r.jobs[id]
	r.rem[id] = dd{hi: j.Size}
	if r.lateAtOnce(id, f.plan) {
		if there {
			f.late(id, twoSum(j.Arrival, -r.line.base))
		}
		return
	}
	e := entry{dd{hi: j.Estimate}, id}
	if f.virtual() {
		key := f.v.join(uA, e.key, r.weight(id))
		e.key = key.snap()
		r.residue[id] = key.minus(e.key)
	}
	if !there {
		if f.virtual() {
			r.virt.push(e)
		}
		return
	}
	if f.key == remaining {
		f.pause() // keys are compared as they are now
	}
	r.wait.push(e)
	if f.cur < 0 && f.key == remaining || r.wait.min().id == id && (f.nLate == 0 || f.rule == LateNext) {
		f.pause()
		f.resume()
	}
}

// depart takes e out of the virtual system, where it is done; late tells that it is not done in
// reality.
func (f *server) depart(e entry, late bool) {
	r := f.r
	if f.v.leave(f.now, e.key, r.weight(e.id)) {
		r.resum(&f.v, -1, r.wait, r.virt)
	}
	at := r.line.toTime(f.now)
	r.virtuallyDone(e.id, at)
	if late {
		f.late(e.id, at)
	}
}

// complete ends the job whose completion is next.
func (f *server) complete() {
	r := f.r
	if f.cur >= 0 {
		r.done(f.cur, f.now)
		if f.nLate > 0 {
			f.nLate--
			f.head++
		} else {
			e := r.wait.remove(f.cur)
			if f.virtual() {
				r.virt.push(e)
			}
		}
		f.cur = -1
		f.resume()
		return
	}
	switch f.rule {
	case LateLeastAttained:
		id := r.las.fire(f.now)
		if id < 0 { // two levels meet
			return
		}
		r.done(id, f.now)
		f.nLate--
	default:
		e := f.mate
		if e.id >= 0 && (f.nLate == 0 || e.before(r.late.min())) {
			f.mate.id = -1
			r.virt.push(r.wait.remove(e.id))
		} else {
			e = r.late.pop()
			f.nLate--
		}
		r.done(e.id, f.now)
		if f.share.leave(f.now, e.key, r.weight(e.id)) {
			f.resum()
		}
		f.pause()
	}
	f.resume()
}

// finish is the work clock at which the next of the late jobs that share is done if nothing else
// happens.
func (f *server) finish() dd {
	switch {
	case f.nLate == 0:
		return far
	case f.rule == LateLeastAttained:
		return f.r.las.when()
	case f.mate.id >= 0 && f.mate.before(f.r.late.min()):
		return f.share.when(f.mate.key)
	}
	return f.share.when(f.r.late.min().key)
}

// late makes job id, whose work left is in rem, a late one.
func (f *server) late(id int32, at dd) {
	r := f.r
	f.pause()
	f.nLate++
	switch f.rule {
	case LateFirst:
		q := append(r.fifo, entry{at, id})
		i := len(q) - 1
		for ; i > f.head && id < q[i-1].id && math.Abs(at.minus(q[i-1].key)) <= tie*at.hi; i-- {
			q[i] = q[i-1]
		}
		q[i] = entry{at, id}
		r.fifo = q
	case LateLeastAttained:
		r.las.sync(f.now)
		r.las.add(id, dd{hi: r.jobs[id].Size}.sub(r.rem[id]))
	default:
		r.late.push(entry{f.share.join(f.now, r.rem[id], r.weight(id)), id})
	}
	f.resume()
}

// pause stops the on-time job in service, or the late one that is served alone.
func (f *server) pause() {
	r := f.r
	if f.cur >= 0 {
		left := f.end.sub(f.now)
		r.rem[f.cur] = left
		if f.key == remaining {
			j := &r.jobs[f.cur]
			r.wait[0].key = dd{hi: j.Estimate}.sub(dd{hi: j.Size}.sub(left))
		}
		f.cur = -1
	}
	if id := f.mate.id; id >= 0 {
		f.share.sync(f.now)
		left := f.mate.key.sub(f.share.v)
		if w := r.weight(id); w != 1 {
			left = left.scale(w)
		}
		r.rem[id] = left
		f.mate.id = -1
		if f.share.leave(f.now, f.share.v, r.weight(id)) {
			f.resum()
		}
	}
}

// resume chooses whom to serve; nobody must be in service but late jobs that share.
func (f *server) resume() {
	r := f.r
	switch {
	case f.nLate == 0:
		if len(r.wait) > 0 {
			f.cur = f.first()
		}
	case f.rule == LateFirst:
		f.cur = r.fifo[f.head].id
	case f.rule == LateNext && len(r.wait) > 0:
		id := f.first()
		f.mate = entry{f.share.join(f.now, r.rem[id], r.weight(id)), id}
	}
	if f.cur >= 0 {
		f.end = f.now.add(r.rem[f.cur])
	}
}

// first is the job on time to be served first; there must be one.
func (f *server) first() int32 {
	r := f.r
	if !f.moving {
		return r.wait.min().id
	}
	// Virtual work left. What differs by rounding alone is equal, and the index decides.
	f.v.sync(f.now)
	best, least := int32(-1), far
	for _, e := range r.wait {
		left := e.key.sub(f.v.v).plus(r.residue[e.id]).scale(r.weight(e.id))
		d, slack := left.minus(least), tie*(f.now.hi+max(left.hi, least.hi))
		if best < 0 || d < -slack || d <= slack && e.id < best {
			best, least = e.id, left
		}
	}
	return best
}

// resum sums the weights of the jobs that share afresh.
func (f *server) resum() {
	f.r.resum(&f.share, f.mate.id, f.r.late)
}
