package fluid

// runFIFO serves one job after the other in the order of arrival, without caps.
func (r *Runner) runFIFO() {
	n := len(r.jobs)
	job := func(k int) int32 {
		if r.order {
			return r.ids[k]
		}
		return int32(k)
	}
	var end dd // work clock at which the job in service is done
	for head := 0; head < n || r.next < n; {
		if head == r.next { // idle
			id := r.arrival()
			r.rebase(r.jobs[id].Arrival)
			r.enter(id)
			end = dd{hi: r.jobs[id].Size}
		}
		id := job(head)
		for r.next < n && r.line.toWork(r.jobs[r.arrival()].Arrival).less(end) {
			r.enter(r.arrival())
		}
		if r.jobs[id].Size > 0 || r.turn {
			r.done(id, end)
		}
		head++
		if head < r.next {
			end = end.plus(r.jobs[job(head)].Size)
		}
	}
}

// runSerial serves the job of least (key, index) alone, without caps: the key is the estimate, less what the job has attained if
// shrink is set (SRPT) and for ever if not (SPT). O(log n) per event.
func (r *Runner) runSerial(shrink bool) {
	q := &r.wait
	var cur int32 = -1 // job in service
	var end dd         // work clock at which it is done
	var key dd         // its key, to which SRPT adds the work clock at the start of service
	for {
		id := r.arrival()
		uA := far
		if id >= 0 {
			a := r.jobs[id].Arrival
			if cur < 0 {
				r.rebase(a)
			}
			uA = r.line.toWork(a)
		}
		idle := cur < 0
		for cur >= 0 && end.minus(uA) <= tie*uA.hi {
			r.done(cur, end)
			cur = -1
			if len(*q) > 0 {
				e := q.min()
				q.pop()
				cur, key = e.id, e.key
				if shrink {
					key = key.add(end)
				}
				end = end.add(r.rem[cur])
			}
		}
		if id < 0 {
			break
		}
		if cur < 0 && !idle {
			continue // the busy period ended before this arrival: its clock starts anew
		}
		if !r.enter(id) {
			continue
		}
		now := entry{key, cur}
		if shrink && cur >= 0 {
			now.key = key.sub(uA)
		}
		e := entry{dd{hi: r.jobs[id].Estimate}, id}
		r.rem[id] = dd{hi: r.jobs[id].Size}
		if cur >= 0 && !e.before(now) {
			q.push(e)
			continue
		}
		if cur >= 0 {
			r.rem[cur] = end.sub(uA)
			q.push(now)
		}
		cur, key, end = id, e.key, uA.add(r.rem[id])
		if shrink {
			key = key.add(uA)
		}
	}
}
