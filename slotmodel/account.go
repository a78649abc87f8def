package slotmodel

// account is the figures of a run.
type account struct {
	jobs       []JobResult
	totals     Totals
	calls      int64
	passedOver int64      // times that calls of the policy were passed over
	pending    [kinds]int // waiting tasks of jobs present that may start

	weights sum // sum of the shares of users with jobs
	// Entitlement clock: integral of 1/weights, the seconds of the cluster that a user of share 1
	// is entitled to.
	clock sum

	rows     []Sample
	row      Sample       // integrals over the time since the last row
	lastSent [][2]float64 // bytes out of and into each rack until the last row
	lastUser []UserSample // totals of users until the last row
}

// leastShare is the least share of a user, of at most 1 for others: with less, the clock would lose
// bits while only that user has jobs.
const leastShare = 0x1p-60

// maxSeries is how many bytes the time series may take.
const maxSeries = 1 << 28

// seriesFits reports whether the time series until t takes at most maxSeries bytes.
func (e *engine) seriesFits(t float64) bool {
	words := 18 + 3*len(e.users)
	if e.net.on {
		words += 2 * e.racks
	}
	return e.opts.Period == 0 || t/e.opts.Period*float64(8*words) <= maxSeries
}

// rowEnd returns the time at which the next row of the time series ends; +Inf: there is none.
func (e *engine) rowEnd() float64 {
	if e.opts.Period > 0 {
		return float64(len(e.acct.rows)+1) * e.opts.Period
	}
	return never
}

// lapse integrates the counts over the time from now to t, and sets the clock to t.
func (e *engine) lapse(t float64) {
	c := &e.acct
	d := t - e.now
	c.totals.Load += float64(float64(e.present) * d)
	if c.weights.value > 0 {
		c.clock.add(d / c.weights.value)
	}
	if e.opts.Period > 0 {
		r := &c.row
		r.Load += float64(float64(e.present) * d)
		for k := range kinds {
			r.Running[k] += float64(float64(e.running[k]) * d)
			r.Pending[k] += float64(float64(c.pending[k]) * d)
			r.Slots[k] += float64(float64(e.slots[k]-e.shared) * d)
		}
		r.Shared += float64(float64(e.shared) * d)
	}
	e.now = t
}

// closeRow ends a row of the time series now. The network has advanced to an earlier time only; its
// rates have not changed since.
func (e *engine) closeRow(network float64) {
	c := &e.acct
	r, d := c.row, e.opts.Period
	r.Time = e.now
	r.Load /= d
	r.Shared /= d
	for k := range kinds {
		r.Running[k] /= d
		r.Pending[k] /= d
		r.Slots[k] /= d
	}
	r.Users = e.sampleUsers()
	if e.net.on {
		r.Egress, r.Ingress = make([]float64, e.racks), make([]float64, e.racks)
		for i := range r.Egress {
			out, in := e.sentBy(i, e.now-network)
			r.Egress[i] = max(0, (out-c.lastSent[i][0])/d) // differences of sums may round below 0
			r.Ingress[i] = max(0, (in-c.lastSent[i][1])/d)
			c.lastSent[i] = [2]float64{out, in}
		}
	}
	c.rows = append(c.rows, r)
	c.row = Sample{}
}

// sampleUsers returns the means of users since the last row.
func (e *engine) sampleUsers() []UserSample {
	c := &e.acct
	if c.lastUser == nil {
		c.lastUser = make([]UserSample, len(e.users))
	}
	rows := make([]UserSample, len(e.users))
	for u := range e.users {
		c.hold(e, u, Map, 0)
		last, had := &c.lastUser[u], UserSample{e.users[u].held, c.entitled(e, u)}
		for k := range kinds {
			rows[u].Slots[k] = max(0, (had.Slots[k]-last.Slots[k])/e.opts.Period)
		}
		rows[u].Entitled = max(0, (had.Entitled-last.Entitled)/e.opts.Period)
		*last = had
	}
	return rows
}

// sentBy returns the bytes that have passed a rack's links until some seconds after the time to
// which the network has advanced.
func (e *engine) sentBy(rack int, seconds float64) (out, in float64) {
	out, in = e.view.LinkBytes(Rack(rack))
	return out + float64(e.net.flows.Rate(rack)*seconds), in + float64(e.net.flows.Rate(e.racks+rack)*seconds)
}

// hold brings a user's slot-seconds up to now, then changes how many slots the user holds.
func (c *account) hold(e *engine, u int, k Kind, by int32) {
	x := &e.users[u]
	d := e.now - x.changed
	if d > 0 {
		for i := range x.held {
			x.held[i] += float64(float64(x.running[i]) * d)
		}
		x.changed = e.now
	}
	x.running[k] += by
}

// join notes that a user has one more job. The first one starts the user's entitlement.
func (c *account) join(e *engine, u int) {
	x := &e.users[u]
	if x.jobs++; x.jobs == 1 {
		c.weights.add(x.share)
		x.joined = c.clock
	}
}

// leave notes that a user has one job less. Without jobs a user is entitled to nothing more.
func (c *account) leave(e *engine, u int) {
	x := &e.users[u]
	if x.jobs > 1 {
		x.jobs--
		return
	}
	x.entitled = c.entitled(e, u)
	x.jobs = 0
	c.weights.add(-x.share)
	if e.present == 0 {
		c.weights = sum{}
	}
}

// entitled returns the seconds of the whole cluster that a user has been entitled to until now.
func (c *account) entitled(e *engine, u int) float64 {
	x := &e.users[u]
	if x.jobs == 0 {
		return x.entitled
	}
	return x.entitled + float64(x.share*((c.clock.value-x.joined.value)+(c.clock.lost-x.joined.lost)))
}

// sum is a running sum and what its rounding has lost, so that terms that come and go leave nothing
// behind.
type sum struct{ value, lost float64 }

// plus returns the value of s + x.
func (s sum) plus(x float64) float64 {
	s.add(x)
	return s.value
}

func (s *sum) add(x float64) {
	t := s.value + x
	back := t - s.value
	lost := (s.value - (t - back)) + (x - back) + s.lost
	total := t + lost
	*s = sum{total, lost - (total - t)}
}

// bytes returns the count of bytes moved for a job, between racks or within one.
func (c *account) bytes(j Job, across bool) *Bytes {
	if across {
		return &c.jobs[j].CrossRack
	}
	return &c.jobs[j].InRack
}

// settleTransfers counts what the transfers under way have moved until now, and adds up the jobs.
func (e *engine) settleTransfers() {
	if !e.net.on {
		return
	}
	for j := range e.jobs {
		if sh := e.jobs[j].shuffle; sh != nil {
			for to := range sh.columns {
				for from, f := range sh.columns[to].flows {
					if f >= 0 { // bytes that it has not sent yet are in the job's total
						e.uncount(sh, int32(from), int32(to), e.net.flows.Pending(f))
					}
				}
			}
		}
	}
	for a := range e.attempts {
		if x := &e.attempts[a]; x.job != None && x.flow >= 0 {
			e.moved(Attempt(a), max(0, x.bytes-e.net.flows.Pending(x.flow)))
		}
	}
	for j := range e.acct.jobs {
		r := &e.acct.jobs[j]
		// A difference of sums: bytes queued, less bytes not sent.
		r.CrossRack.Shuffle = max(0, r.CrossRack.Shuffle)
		r.InRack.Shuffle = max(0, r.InRack.Shuffle)
		e.acct.totals.CrossRack.add(&r.CrossRack)
	}
}

// result closes the accounts.
func (e *engine) result() *Result {
	c := &e.acct
	e.settleTransfers()
	e.unfoldAll()
	r := &Result{Jobs: c.jobs, Series: c.rows, Totals: c.totals, Hash: e.log.hash, Events: e.log.count, Calls: c.calls, PassedOver: c.passedOver, End: e.now}
	if !e.opts.Hash {
		r.Hash = 0
	}
	for j := range r.Jobs {
		if o := r.Jobs[j].Outcome; o == Unended || o == Stuck {
			r.Jobs[j].Finish = -1
		}
	}
	for a := range e.attempts { // the work that attempts under way have done
		if x := &e.attempts[a]; x.job != None {
			r.Totals.Work += e.done(x)
			if x.resuming {
				r.Totals.Overhead += e.now - x.since
			}
		}
	}
	all := 0.0
	r.Users = make([]UserResult, len(e.users))
	for u := range e.users {
		x := &e.users[u]
		c.hold(e, u, Map, 0)
		r.Users[u] = UserResult{SlotSeconds: x.held, Entitled: c.entitled(e, u)}
		all += x.held[Map] + x.held[Reduce]
	}
	if all > 0 {
		for u := range r.Users {
			r.Users[u].Share = (r.Users[u].SlotSeconds[Map] + r.Users[u].SlotSeconds[Reduce]) / all
		}
	}
	return r
}
