package slotmodel

import "slices"

// cohort is a set of reduces of one job and column whose shuffles end together. Each flow of the
// column that still has bytes to send gets a mark behind the bytes queued so far. The shuffles end
// when all marks have been reached.
type cohort struct {
	job   Job     // None: the cohort is over
	to    int32   // number of its column
	marks int32   // number of marks that have not been reached
	first Attempt // the first reduce, the others by attempt.next
}

// newCohort makes a cohort of the reduces of a list, all of one column, and marks the end of the
// queue of each flow of that column.
func (e *engine) newCohort(j Job, to int32, list Attempt) {
	s := &e.jobs[j]
	c := &s.shuffle.columns[to]
	id := int32(len(e.net.cohorts))
	marks := int32(0)
	for _, f := range c.flows {
		if f >= 0 && e.net.flows.Mark(f, cohortRef(id)) {
			marks++
		}
	}
	e.net.cohorts = append(e.net.cohorts, cohort{j, to, marks, list})
	c.cohorts = append(c.cohorts, id)
	for a := list; a != None; a = e.attempts[a].next {
		e.attempts[a].cohort = id
	}
	if marks == 0 {
		e.cohortDone(id)
	}
}

// cohortReached is called when a flow reaches its mark for a cohort.
func (e *engine) cohortReached(id int32) {
	if e.net.cohorts[id].job == None { // the column was closed in this instant
		return
	}
	if e.net.cohorts[id].marks--; e.net.cohorts[id].marks == 0 {
		e.cohortDone(id)
	}
}

// cohortDone ends the shuffles of a cohort. A cohort from which reopen has taken the reduces has
// none.
func (e *engine) cohortDone(id int32) {
	co := e.net.cohorts[id]
	s := &e.jobs[co.job]
	c := &s.shuffle.columns[co.to]
	c.cohorts = slices.DeleteFunc(c.cohorts, func(other int32) bool { return other == id })
	e.net.cohorts[id].job = None
	for a := co.first; a != None; a = e.attempts[a].next {
		c.fetching--
		s.fetching--
	}
	e.columnChanged(s.shuffle, co.to)
	for a := co.first; a != None; {
		next := e.attempts[a].next
		e.attempts[a].cohort = None
		e.compute(a)
		a = next
	}
}

// columnChanged gives the flows of a column their new weight after reduces have left it, and closes
// the column if no reduce fetches.
func (e *engine) columnChanged(sh *shuffle, to int32) {
	if c := &sh.columns[to]; c.fetching > 0 {
		e.weigh(c)
		return
	}
	e.closeColumn(sh, to)
}

// closeColumn ends all flows and cohorts of a column, and empties it. Bytes that are queued and not
// sent do not count as moved.
func (e *engine) closeColumn(sh *shuffle, to int32) {
	c := &sh.columns[to]
	for from, f := range c.flows {
		if f < 0 {
			continue
		}
		unsent := e.net.flows.Close(f)
		e.uncount(sh, int32(from), to, unsent)
		c.flows[from] = -1
	}
	for _, id := range c.cohorts {
		e.net.cohorts[id].job = None
	}
	c.cohorts = c.cohorts[:0]
	c.fetching, c.open, c.owed, c.young = 0, None, 0, 0
}

// closeShuffle is called when the last map of a job has ended. Its open reduces become cohorts,
// one for each column. Without a fluid network, or without data, the reduces that wait begin a
// shuffle of a given time.
func (e *engine) closeShuffle(j Job) {
	s := &e.jobs[j]
	if s.fetching == 0 {
		return
	}
	if e.net.on && s.shuffles() {
		sh := e.shuffleOf(j)
		for to := range sh.columns {
			if c := &sh.columns[to]; c.open != None {
				list := c.open
				c.open = None
				e.newCohort(j, int32(to), list)
			}
		}
		return
	}
	for a := s.phase[Reduce].newest; a != None; a = e.attempts[a].older {
		if e.attempts[a].stage == fetching {
			e.shuffleTimed(a)
		}
	}
}

// leaveShuffle takes a reduce that dies out of its column. The bytes queued for the reduce still
// arrive, unless it was the last one of its column.
func (e *engine) leaveShuffle(a Attempt) {
	x := &e.attempts[a]
	s := &e.jobs[x.job]
	s.fetching--
	if i := slices.Index(e.net.fresh, a); i >= 0 {
		e.net.fresh = slices.Delete(e.net.fresh, i, i+1)
		return
	}
	if s.shuffle == nil || !e.net.on {
		return
	}
	to := e.columnOf(x.node)
	c := &s.shuffle.columns[to]
	list := &c.open
	if x.cohort != None {
		list = &e.net.cohorts[x.cohort].first
	}
	for *list != a {
		list = &e.attempts[*list].next
	}
	*list = x.next
	x.cohort = None
	c.fetching--
	if x.young {
		c.young = max(0, c.young-1)
	}
	e.columnChanged(s.shuffle, to)
}

// reopen is called when a node was lost with the outputs of maps of a job: lost is the number of
// these maps, rack the rack of the node, before the number of maps that had to run again already.
// All reduces that fetch become open: they wait for the last map again.
//
// In each column the share of the lost outputs in the bytes still queued from the rack is taken out
// of the flow. The column is owed these bytes. Young reduces are young no more: they are owed the
// whole outputs of the maps that had to run again already.
func (e *engine) reopen(j Job, rack int32, lost, before int32) {
	s := &e.jobs[j]
	if !e.net.on {
		for a := s.phase[Reduce].newest; a != None; a = e.attempts[a].older {
			if e.attempts[a].stage == fetching {
				e.attempts[a].gen++
			}
		}
		return
	}
	if s.shuffle == nil {
		return
	}
	for to := range s.shuffle.columns {
		c := &s.shuffle.columns[to]
		if c.fetching == 0 {
			continue
		}
		c.owed += float64(s.part() * float64(c.young) * float64(before))
		c.young = 0
		for a := c.open; a != None; a = e.attempts[a].next {
			e.attempts[a].young = false
		}
		if f := c.flows[rack]; f >= 0 {
			carried := s.shuffle.out[rack] + lost // number of maps whose outputs the flow carries
			if e.net.byNode && e.rackOf(int32(to)) == rack {
				carried -= s.shuffle.at[to]
			}
			bytes := e.net.flows.Lose(f, float64(lost)/float64(carried))
			c.owed += bytes
			e.uncount(s.shuffle, rack, int32(to), bytes)
		}
		for _, id := range c.cohorts {
			for a := e.net.cohorts[id].first; a != None; {
				x := &e.attempts[a]
				next := x.next
				x.cohort, x.young, x.next = None, false, c.open
				c.open = a
				a = next
			}
			e.net.cohorts[id].first = None
		}
	}
}
