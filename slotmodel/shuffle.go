package slotmodel

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// shuffle is the intermediate data of one job: each map sends the same number of bytes to each reduce.
//
// In a fluid network the data that the job moves from one rack to another is one flow, shared by the reduces that fetch there.
// A reduce asks for its part of what lies ready when it starts, and gets its part of each later map's output when that
// ends. Reduces that wait for the job's last map are "open". When it has ended they form a cohort, which is complete when
// all that was queued until then has arrived; reduces that start later in the same decision form a cohort of their own.
type shuffle struct {
	out     []int32  // maps that have ended and whose output is there, by rack
	columns []column // by the rack into which data flows
}

// column is what flows into one rack.
type column struct {
	flows    []flow.Flow // by the rack from which it comes, -1: none
	sources  int32       // number of flows
	fetching int32       // reduces that fetch here
	open     Attempt     // list of those that wait for the last map
	cohorts  []int32     // of the others
	owed     float64     // bytes of lost outputs that reduces still have to get from maps that run again
	moved    float64     // bytes queued, without those that reduces have got; at the end, what was for reduces that died
	died     bool        // one has
	young    int32       // reduces that started since the last loss, and need the whole output of those maps
}

// part returns the bytes that a map sends to a reduce.
func (s *jobState) part() float64 {
	return s.spec.Shuffle / float64(s.count[Map].Tasks) / float64(s.count[Reduce].Tasks)
}

// shuffles reports whether a job moves data from maps to reduces.
func (s *jobState) shuffles() bool {
	return s.spec.Shuffle > 0 && s.count[Map].Tasks > 0 && s.count[Reduce].Tasks > 0
}

// shuffleBegins lets a reduce that has just started fetch its data.
func (e *engine) shuffleBegins(a Attempt) {
	x := &e.attempts[a]
	s := &e.jobs[x.job]
	x.stage, x.cohort, x.young = Fetching, None, false
	s.fetching++
	if e.net.on && s.shuffles() {
		x.fresh = true
		e.net.fresh = append(e.net.fresh, a)
		return
	}
	if s.count[Map].Done == s.count[Map].Tasks {
		e.shuffleTimed(a)
	}
}

// shuffleTimed lets a shuffle of fixed time begin; in a fluid network it takes none.
func (e *engine) shuffleTimed(a Attempt) {
	seconds := e.cluster.Network.Shuffle
	if e.net.on {
		seconds = 0
	}
	if seconds > 0 {
		e.after(a, seconds)
		return
	}
	e.jobs[e.attempts[a].job].fetching--
	e.compute(a)
}

// askShuffles lets the reduces that the last decision started ask for their data, those of one job and rack together.
func (e *engine) askShuffles() {
	fresh := e.net.fresh
	for i := 0; i < len(fresh); {
		x := &e.attempts[fresh[i]]
		if !x.fresh {
			i++
			continue
		}
		j, rack := x.job, e.nodes[x.node].rack
		k := i
		for k < len(fresh) && e.attempts[fresh[k]].fresh && e.attempts[fresh[k]].job == j && e.nodes[e.attempts[fresh[k]].node].rack == rack {
			k++
		}
		e.askShuffle(j, rack, fresh[i:k])
		i = k
	}
	e.net.fresh = fresh[:0]
}

func (e *engine) askShuffle(j Job, rack int32, fresh []Attempt) {
	s := &e.jobs[j]
	sh := e.shuffleOf(s)
	c := &sh.columns[rack]
	n := int32(len(fresh))
	c.fetching += n
	list := Attempt(None)
	for i := len(fresh) - 1; i >= 0; i-- {
		x := &e.attempts[fresh[i]]
		x.fresh, x.next = false, list
		x.young = s.lost > 0
		list = fresh[i]
	}
	if s.lost > 0 {
		c.young += n
	}
	for from, maps := range sh.out {
		if maps > 0 {
			e.send(s, c, int32(from), rack, s.part()*float64(maps)*float64(n))
		}
	}
	e.weigh(s, c, rack)
	if s.count[Map].Done < s.count[Map].Tasks {
		for _, a := range fresh {
			e.attempts[a].cohort = None
		}
		e.attempts[fresh[n-1]].next = c.open
		c.open = list
		return
	}
	e.newCohort(j, rack, list)
}

// mapOutput makes the output of a map that has ended available.
func (e *engine) mapOutput(j Job, rack int32, rerun bool) {
	s := &e.jobs[j]
	sh := e.shuffleOf(s)
	sh.out[rack]++
	for to := range sh.columns {
		c := &sh.columns[to]
		if c.fetching == 0 {
			continue
		}
		bytes := s.part() * float64(c.fetching)
		if rerun {
			owed := c.owed / float64(s.lost+1)
			c.owed -= owed
			bytes = owed + float64(s.part()*float64(c.young))
			if s.lost == 0 {
				c.young = 0
			}
		}
		if e.send(s, c, rack, int32(to), bytes) {
			e.weigh(s, c, int32(to))
		}
	}
}

// send queues bytes from one rack to another and reports whether that opened a flow.
func (e *engine) send(s *jobState, c *column, from, to int32, bytes float64) (opened bool) {
	c.moved += bytes
	if from != to {
		e.acct.totals.CrossRack.Shuffle += bytes
	} else {
		e.acct.totals.InRack.Shuffle += bytes
		if math.IsInf(e.rackNIC[to], 1) {
			return false
		}
	}
	if c.flows[from] < 0 {
		c.flows[from] = e.net.flows.Open(int(from), int(to), max(1, int(c.fetching)), math.Inf(1))
		c.sources++
		opened = true
	}
	e.net.flows.Send(c.flows[from], bytes)
	return opened
}

// uncount takes bytes of a shuffle that were queued and not sent out of the totals.
func (e *engine) uncount(from, to int32, bytes float64) {
	if from != to {
		e.acct.totals.CrossRack.Shuffle -= bytes
	} else {
		e.acct.totals.InRack.Shuffle -= bytes
	}
}

// weigh gives the flows of a column the weight of its reduces, and what the NICs of their nodes allow each, divided evenly among
// the racks from which they fetch.
func (e *engine) weigh(s *jobState, c *column, rack int32) {
	if c.fetching == 0 {
		return
	}
	unit := math.Inf(1)
	if nic := e.rackNIC[rack]; !math.IsInf(nic, 1) && c.sources > 0 {
		unit = nic * float64(e.nodesFetching(s, rack)) / float64(c.fetching) / float64(c.sources)
	}
	for _, f := range c.flows {
		if f >= 0 {
			e.net.flows.Weigh(f, int(c.fetching), unit)
		}
	}
}

// nodesFetching counts the nodes of a rack on which reduces of a job fetch.
func (e *engine) nodesFetching(s *jobState, rack int32) int {
	e.stamp++
	n := 0
	for a := s.newest[Reduce]; a != None; a = e.attempts[a].older {
		x := &e.attempts[a]
		if x.stage == Fetching && e.nodes[x.node].rack == rack && e.stamps[x.node] != e.stamp {
			e.stamps[x.node] = e.stamp
			n++
		}
	}
	return n
}

// shuffleOf returns the job's shuffle, from the pool at first.
func (e *engine) shuffleOf(s *jobState) *shuffle {
	if s.shuffle != nil {
		return s.shuffle
	}
	if n := len(e.net.pool); n > 0 {
		s.shuffle = e.net.pool[n-1]
		e.net.pool = e.net.pool[:n-1]
		clear(s.shuffle.out)
		return s.shuffle
	}
	sh := &shuffle{out: make([]int32, e.racks)}
	if e.net.on {
		sh.columns = make([]column, e.racks)
		flows := make([]flow.Flow, e.racks*e.racks)
		for i := range flows {
			flows[i] = -1
		}
		for i := range sh.columns {
			sh.columns[i] = column{flows: flows[i*e.racks : (i+1)*e.racks], open: None}
		}
	}
	s.shuffle = sh
	return sh
}

func (e *engine) freeShuffle(s *jobState) {
	if s.shuffle == nil {
		return
	}
	for rack := range s.shuffle.columns {
		e.closeColumn(&s.shuffle.columns[rack], int32(rack))
	}
	e.net.pool = append(e.net.pool, s.shuffle)
	s.shuffle = nil
}

// output returns the bytes of a job's shuffle that lie in a rack.
func (e *engine) output(j Job, r Rack) float64 {
	s := &e.jobs[j]
	if s.shuffle == nil {
		return 0
	}
	return float64(s.shuffle.out[r]) * s.part() * float64(s.count[Reduce].Tasks)
}
