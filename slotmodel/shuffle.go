package slotmodel

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// shuffle is the intermediate data of one job: each map sends the same number of bytes to each reduce.
//
// In a fluid network all data that the job moves from one rack to another is one flow, shared by the reduces that fetch there. If some NIC has
// a limit, all data from one rack to one node is one flow. The flows into one rack, or to one node, are a column.
//
// A reduce that starts queues its part of the outputs that lie ready. Each map that ends queues the parts of the reduces that fetch. Reduces
// that wait for the job's last map are open. When the last map has ended, the open reduces of a column form a cohort; their shuffles end when
// everything queued until then has arrived. Reduces that start later form a cohort for each decision and column.
type shuffle struct {
	job     Job
	out     []int32  // by rack: number of maps whose output lies there
	at      []int32  // by node: the same, if columns are of nodes; a reduce on that node gets these outputs past all NICs
	links   int      // by rack, from this number on: the link that limits what leaves the rack for this job
	columns []column // by the rack into which data flows; by the node if some NIC has a limit
}

// column is the data of one job that flows into one rack, or to one node.
type column struct {
	flows    []flow.Flow // by the rack from which data comes; -1: none
	fetching int32       // number of reduces that fetch here
	open     Attempt     // list of the open reduces
	cohorts  []int32     // the cohorts of the other reduces that fetch
	owed     float64     // bytes of lost outputs that older reduces still have to get from maps that run again
	young    int32       // number of reduces that started since the last loss, and need the whole output of these maps
	moved    float64     // bytes queued, less those of reduces that are through; when nobody fetches any more, the bytes for reduces that died
	died     bool        // a reduce that fetched here has died
}

// part returns the bytes that a map sends to a reduce.
func (s *jobState) part() float64 {
	return s.spec.Shuffle / float64(s.phase[Map].Tasks) / float64(s.phase[Reduce].Tasks)
}

// shuffles reports whether a job moves data from maps to reduces.
func (s *jobState) shuffles() bool {
	return s.spec.Shuffle > 0 && s.phase[Map].Tasks > 0 && s.phase[Reduce].Tasks > 0
}

// shuffleBegins begins the shuffle of a reduce that has just started. In a fluid network it asks for its data after the decision.
func (e *engine) shuffleBegins(a Attempt) {
	x := &e.attempts[a]
	s := &e.jobs[x.job]
	x.stage, x.cohort, x.young = Fetching, None, false
	s.fetching++
	if e.net.on && s.shuffles() {
		e.net.fresh = append(e.net.fresh, a)
		return
	}
	if s.phase[Map].Done == s.phase[Map].Tasks {
		e.shuffleTimed(a)
	}
}

// shuffleTimed begins a shuffle that takes Network.Shuffle; in a fluid network, where it moves nothing, it takes no time.
func (e *engine) shuffleTimed(a Attempt) {
	seconds := e.cluster.Network.Shuffle
	if e.net.on {
		seconds = 0
	}
	e.after(a, seconds)
}

// askShuffles queues the data of the reduces that the last decision started, job by job and column by column.
func (e *engine) askShuffles() {
	fresh := e.net.fresh
	slices.SortStableFunc(fresh, func(a, b Attempt) int {
		x, y := &e.attempts[a], &e.attempts[b]
		return cmp.Or(cmp.Compare(x.job, y.job), cmp.Compare(e.columnOf(x.node), e.columnOf(y.node)))
	})
	for i := 0; i < len(fresh); {
		x := &e.attempts[fresh[i]]
		j, to := x.job, e.columnOf(x.node)
		k := i
		for k < len(fresh) && e.attempts[fresh[k]].job == j && e.columnOf(e.attempts[fresh[k]].node) == to {
			k++
		}
		e.askShuffle(j, to, fresh[i:k])
		i = k
	}
	e.net.fresh = fresh[:0]
}

// columnOf returns the number of the column that brings data to a node.
func (e *engine) columnOf(n Node) int32 {
	if e.net.byNode {
		return int32(n)
	}
	return e.nodes[n].rack
}

// rackOf returns the rack into which a column flows.
func (e *engine) rackOf(to int32) int32 {
	if e.net.byNode {
		return e.nodes[to].rack
	}
	return to
}

// askShuffle queues the data that reduces of one job and column can get when they start. They become open, or a cohort if all maps have ended.
func (e *engine) askShuffle(j Job, to int32, fresh []Attempt) {
	s := &e.jobs[j]
	sh := e.shuffleOf(j)
	c := &sh.columns[to]
	n := int32(len(fresh))
	c.fetching += n
	if s.lost > 0 {
		c.young += n
	}
	for from, maps := range sh.out {
		if e.net.byNode && int32(from) == e.rackOf(to) && sh.at[to] > 0 {
			maps -= sh.at[to]
			e.keep(sh, c, s.part()*float64(sh.at[to])*float64(n))
		}
		if maps > 0 {
			e.send(sh, c, int32(from), to, s.part()*float64(maps)*float64(n))
		}
	}
	e.weigh(c)
	open := s.phase[Map].Done < s.phase[Map].Tasks
	list := Attempt(None)
	if open {
		list = c.open
	}
	for _, a := range slices.Backward(fresh) {
		e.attempts[a].young, e.attempts[a].next = s.lost > 0, list
		list = a
	}
	if open {
		c.open = list
	} else {
		e.newCohort(j, to, list)
	}
}

// mapOutput queues the parts of a map that has ended for the reduces that fetch. A map that ran again has only what reduces are still owed.
func (e *engine) mapOutput(j Job, node Node, rerun bool) {
	s := &e.jobs[j]
	sh := e.shuffleOf(j)
	rack := e.nodes[node].rack
	e.store(sh, node, 1)
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
		if e.net.byNode && to == int(node) {
			e.keep(sh, c, bytes)
		} else {
			e.send(sh, c, rack, int32(to), bytes)
		}
	}
}

// store notes that the outputs of some more maps lie on a node, or of fewer if maps < 0. All outputs of a job in a rack leave their nodes in the same
// proportion, so the node that needs longest for its NIC limits the rate at which the job can send from there.
func (e *engine) store(sh *shuffle, n Node, maps int32) {
	rack := e.nodes[n].rack
	sh.out[rack] += maps
	if !e.net.byNode {
		return
	}
	sh.at[n] += maps
	rate := never
	for _, i := range e.byRack.group(rack) {
		if sh.at[i] > 0 {
			rate = min(rate, e.nodes[i].nic*(float64(sh.out[rack])/float64(sh.at[i])))
		}
	}
	e.net.flows.Resize(sh.links+int(rack), rate)
}

// keep counts bytes that lie on a column's own node, and need no flow.
func (e *engine) keep(sh *shuffle, c *column, bytes float64) {
	c.moved += bytes
	e.acct.bytes(sh.job, false).Shuffle += bytes
}

// send queues bytes from a rack to a column.
func (e *engine) send(sh *shuffle, c *column, from, to int32, bytes float64) {
	c.moved += bytes
	rack := e.rackOf(to)
	e.acct.bytes(sh.job, from != rack).Shuffle += bytes
	if from == rack && !e.net.byNode {
		return
	}
	if c.flows[from] < 0 {
		out, in := None, None
		if e.net.byNode {
			out, in = sh.links+int(from), e.nicIn(Node(to))
		}
		egress, ingress := e.rackLinks(from, rack)
		c.flows[from] = e.net.flows.Open(max(1, int(c.fetching)), 0, egress, ingress, out, in)
	}
	e.net.flows.Send(c.flows[from], bytes)
}

// uncount takes bytes that were queued and not sent out of the job's total.
func (e *engine) uncount(sh *shuffle, from, to int32, bytes float64) {
	e.acct.bytes(sh.job, from != e.rackOf(to)).Shuffle -= bytes
}

// weigh gives each flow of a column the number of its reduces as weight.
func (e *engine) weigh(c *column) {
	for _, f := range c.flows {
		if f >= 0 {
			e.net.flows.Weigh(f, int(c.fetching), 0)
		}
	}
}

// shuffleOf returns the job's shuffle. The first call takes one from the pool, or makes it.
func (e *engine) shuffleOf(j Job) *shuffle {
	s := &e.jobs[j]
	if s.shuffle == nil {
		if len(e.net.pool) == 0 {
			e.net.pool = append(e.net.pool, e.newShuffle())
		}
		last := len(e.net.pool) - 1
		s.shuffle, e.net.pool = e.net.pool[last], e.net.pool[:last]
		s.shuffle.job = j
	}
	return s.shuffle
}

// newShuffle returns a shuffle in which nothing is under way.
func (e *engine) newShuffle() *shuffle {
	sh := &shuffle{out: make([]int32, e.racks)}
	if !e.net.on {
		return sh
	}
	columns := e.racks
	if e.net.byNode {
		columns = len(e.nodes)
		sh.at = make([]int32, columns)
		sh.links = e.net.flows.Links(make([]float64, e.racks)...)
	}
	sh.columns = make([]column, columns)
	for i := range sh.columns {
		sh.columns[i] = column{flows: slices.Repeat([]flow.Flow{-1}, e.racks), open: None}
	}
	return sh
}

// freeShuffle ends the shuffle of a job that is over, and gives it back to the pool.
func (e *engine) freeShuffle(s *jobState) {
	sh := s.shuffle
	if sh == nil {
		return
	}
	for to := range sh.columns {
		e.closeColumn(sh, int32(to))
	}
	clear(sh.out)
	clear(sh.at)
	if e.net.byNode {
		for r := range e.racks {
			e.net.flows.Resize(sh.links+r, never)
		}
	}
	s.shuffle, e.net.pool = nil, append(e.net.pool, sh)
}
