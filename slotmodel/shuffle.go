package slotmodel

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// shuffle is the intermediate data of one job. Each map sends an equal number of bytes, its part,
// to each reduce.
//
// In a fluid network data moves in columns. A column is all data of the job that flows into one
// rack; if some NIC has a limit, all data that flows to one node. It has one flow for each rack
// from which data comes. The reduces of a column share its flows, and the weight of a flow is their
// number. So the number of flows does not grow with maps times reduces.
//
// A reduce that starts queues its parts of the outputs that lie ready. A map that ends queues its
// parts for all reduces that fetch.
//
// A reduce that waits for the last map of the job is open. When the last map has ended, the open
// reduces of each column form a cohort; reduces that start later form a cohort for each column and
// decision. The shuffles of a cohort end together, when all bytes that were queued in the column
// before the cohort was formed have arrived.
//
// When a node is lost, outputs are lost of which reduces have fetched a part. All reduces of the
// job become open again. A column then counts what its reduces lack of the lost outputs, and the
// maps that run again send that.
type shuffle struct {
	job Job
	out []int32 // by rack: number of maps whose output lies there
	// at is, by node, the number of maps whose output lies there, if columns are of nodes. A reduce
	// on the node gets these outputs past all NICs.
	at []int32
	// links + r is the number of the link that limits what the job sends from rack r.
	links   int
	columns []column // by the rack into which data flows; by the node if some NIC has a limit
}

// column is the data of one job that flows into one rack, or to one node.
type column struct {
	flows    []flow.Flow // by the rack from which data comes; -1: none
	fetching int32       // number of reduces that fetch here, open or in a cohort
	// The first open reduce, the others by attempt.next; None: no reduce is open.
	open    Attempt
	cohorts []int32 // the cohorts that have formed here and are not over
	// owed is how many bytes of lost outputs the reduces lack that had started before the last
	// loss. The maps that run again send them, each an equal share.
	owed float64
	// young is the number of reduces that have started since the last loss, while maps were yet to
	// run again. They lack the whole outputs of these maps.
	young int32
}

// part returns the bytes that a map sends to a reduce.
func (s *jobState) part() float64 {
	return s.spec.Shuffle / float64(s.phase[Map].Tasks) / float64(s.phase[Reduce].Tasks)
}

// shuffles reports whether a job moves data from maps to reduces.
func (s *jobState) shuffles() bool {
	return s.spec.Shuffle > 0 && s.phase[Map].Tasks > 0 && s.phase[Reduce].Tasks > 0
}

// shuffleBegins begins the shuffle of a reduce that has just started. In a fluid network the reduce
// queues its data after the decision (askShuffles).
func (e *engine) shuffleBegins(a Attempt) {
	x := &e.attempts[a]
	s := &e.jobs[x.job]
	x.stage, x.cohort, x.young = fetching, None, false
	s.fetching++
	if e.net.on && s.shuffles() {
		e.net.fresh = append(e.net.fresh, a)
		return
	}
	if s.phase[Map].Done == s.phase[Map].Tasks {
		e.shuffleTimed(a)
	}
}

// shuffleTimed begins a shuffle that takes Network.Shuffle. In a fluid network it is called for
// shuffles without data, and they take no time.
func (e *engine) shuffleTimed(a Attempt) {
	seconds := e.cluster.Network.Shuffle
	if e.net.on {
		seconds = 0
	}
	e.after(a, seconds)
}

// askShuffles queues the data of the reduces that the last decision started, job by job and column
// by column.
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

// askShuffle queues the outputs that lie ready for reduces of one job and column that have just
// started. The reduces become open, or a cohort if all maps have ended.
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
			e.acct.bytes(j, false).Shuffle += float64(s.part() * float64(sh.at[to]) * float64(n))
		}
		if maps > 0 {
			e.send(sh, c, int32(from), to, float64(s.part()*float64(maps)*float64(n)))
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

// mapOutput queues the parts of a map that has ended for the reduces that fetch. A map that ran
// again sends its share of what older reduces are owed, and its parts for the young ones.
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
		bytes := float64(s.part() * float64(c.fetching))
		if rerun {
			owed := c.owed / float64(s.lost+1)
			c.owed -= owed
			bytes = owed + float64(s.part()*float64(c.young))
			if s.lost == 0 {
				c.young = 0
			}
		}
		if e.net.byNode && to == int(node) {
			e.acct.bytes(j, false).Shuffle += bytes // from the node itself, without a flow
		} else {
			e.send(sh, c, rack, int32(to), bytes)
		}
	}
}

// store adds to the number of maps whose outputs lie on a node, or subtracts if maps < 0.
//
// All nodes of a rack are taken to send the same fraction of the job's outputs in any time. So the
// node whose NIC needs longest for its outputs limits the rate at which the job can send from the
// rack.
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

// send queues bytes from a rack to a column, in the flow between them. The first bytes open the
// flow. Within a rack bytes need no flow, unless some NIC has a limit.
func (e *engine) send(sh *shuffle, c *column, from, to int32, bytes float64) {
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
		egress, ingress, pair := e.rackLinks(from, rack)
		c.flows[from] = e.net.flows.Open(max(1, int(c.fetching)), egress, ingress, out, in, pair)
	}
	e.net.flows.Send(c.flows[from], bytes)
}

// uncount subtracts bytes that were queued, but not sent, from the job's total.
func (e *engine) uncount(sh *shuffle, from, to int32, bytes float64) {
	e.acct.bytes(sh.job, from != e.rackOf(to)).Shuffle -= bytes
}

// weigh gives each flow of a column the number of its reduces as weight.
func (e *engine) weigh(c *column) {
	for _, f := range c.flows {
		if f >= 0 {
			e.net.flows.Weigh(f, int(c.fetching))
		}
	}
}

// shuffleOf returns the job's shuffle. The first call for a job takes one from the pool of shuffles
// that are over, or makes one.
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

// freeShuffle ends the shuffle of a job that is over, and puts it into the pool.
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
