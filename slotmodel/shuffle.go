package slotmodel

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// shuffle is the intermediate data of one job: each map sends the same number of bytes to each reduce.
//
// In a fluid network the data that the job moves from one rack to another, with NICs to a node of another, is one flow, shared by
// the reduces that fetch there.
// A reduce asks for its part of what lies ready when it starts, and gets its part of each later map's output when that
// ends. Reduces that wait for the job's last map are "open". When it has ended they form a cohort, which is complete when
// all that was queued until then has arrived; reduces that start after that form one for each decision and column.
type shuffle struct {
	out     []int32  // maps that have ended and whose output is there, by rack
	at      []int32  // the same by node, if columns are of nodes: what is there already passes no NIC
	slowest []Node   // by rack: the node with the most of them for its NIC, or None
	ports   int      // the port by which data leave rack 0; those of the others come after it
	columns []column // by the rack into which data flows; by the node if NICs have a limit
}

// column is what flows into one rack, or to one node.
type column struct {
	job      Job
	flows    []flow.Flow // by the rack from which it comes, -1: none
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

// askShuffles lets the reduces that the last decision started ask for their data, those of one job and column together.
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

// columnOf returns which column brings a node its data.
func (e *engine) columnOf(n Node) int32 {
	if e.net.byNode {
		return int32(n)
	}
	return e.nodes[n].rack
}

// rackOf returns the rack of a column.
func (e *engine) rackOf(to int32) int32 {
	if e.net.byNode {
		return e.nodes[to].rack
	}
	return to
}

func (e *engine) askShuffle(j Job, to int32, fresh []Attempt) {
	s := &e.jobs[j]
	sh := e.shuffleOf(j)
	c := &sh.columns[to]
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
		if e.net.byNode && int32(from) == e.rackOf(to) && sh.at[to] > 0 {
			maps -= sh.at[to]
			e.keep(c, s.part()*float64(sh.at[to])*float64(n))
		}
		if maps > 0 {
			e.send(sh, c, int32(from), to, s.part()*float64(maps)*float64(n))
		}
	}
	e.weigh(c)
	if s.count[Map].Done < s.count[Map].Tasks {
		for _, a := range fresh {
			e.attempts[a].cohort = None
		}
		e.attempts[fresh[n-1]].next = c.open
		c.open = list
		return
	}
	e.newCohort(j, to, list)
}

// mapOutput makes the output of a map that has ended available.
func (e *engine) mapOutput(j Job, node Node, rerun bool) {
	s := &e.jobs[j]
	sh := e.shuffleOf(j)
	rack := e.nodes[node].rack
	sh.out[rack]++
	if e.net.byNode {
		sh.at[node]++
		if e.slower(sh, node, sh.slowest[rack]) {
			sh.slowest[rack] = node
		}
		e.limit(sh, rack)
	}
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
			e.keep(c, bytes)
		} else {
			e.send(sh, c, rack, int32(to), bytes)
		}
	}
}

// unstore notes that outputs of a job's maps were lost with a node.
func (e *engine) unstore(s *jobState, n Node, maps int32) {
	s.shuffle.out[e.nodes[n].rack] -= maps
	if e.net.byNode {
		sh, rack := s.shuffle, e.nodes[n].rack
		sh.at[n] -= maps
		sh.slowest[rack] = None
		for _, i := range e.byRack.group(rack) {
			if sh.at[i] > 0 && e.slower(sh, Node(i), sh.slowest[rack]) {
				sh.slowest[rack] = Node(i)
			}
		}
		e.limit(sh, rack)
	}
}

// slower reports whether node a has more outputs for its NIC than b, which may be None.
func (e *engine) slower(sh *shuffle, a, b Node) bool {
	return b == None || float64(sh.at[a])/e.nodes[a].nic > float64(sh.at[b])/e.nodes[b].nic
}

// limit sets what a job can send from a rack: as if its outputs there left their nodes in the same proportion all the time, so that
// the node with the most of them for its NIC limits them all.
func (e *engine) limit(sh *shuffle, rack int32) {
	rate := never
	if n := sh.slowest[rack]; n != None {
		rate = e.nodes[n].nic * (float64(sh.out[rack]) / float64(sh.at[n]))
	}
	e.net.flows.Resize(sh.ports+int(rack), rate)
}

// keep brings a column bytes that are at its node.
func (e *engine) keep(c *column, bytes float64) {
	c.moved += bytes
	e.acct.bytes(c.job, false).Shuffle += bytes
}

// send queues bytes from a rack to a column.
func (e *engine) send(sh *shuffle, c *column, from, to int32, bytes float64) {
	c.moved += bytes
	rack := e.rackOf(to)
	e.acct.bytes(c.job, from != rack).Shuffle += bytes
	if from == rack && !e.net.byNode {
		return
	}
	if c.flows[from] < 0 {
		weight := max(1, int(c.fetching))
		if e.net.byNode {
			c.flows[from] = e.net.flows.OpenAt(int(from), int(rack), sh.ports+int(from), e.ingress(Node(to)), weight)
		} else {
			c.flows[from] = e.net.flows.Open(int(from), int(rack), weight, math.Inf(1))
		}
	}
	e.net.flows.Send(c.flows[from], bytes)
}

// uncount takes bytes of a shuffle that were queued and not sent out of the totals.
func (e *engine) uncount(c *column, from, to int32, bytes float64) {
	e.acct.bytes(c.job, from != e.rackOf(to)).Shuffle -= bytes
}

// weigh gives the flows of a column the weight of its reduces.
func (e *engine) weigh(c *column) {
	if c.fetching == 0 {
		return
	}
	for _, f := range c.flows {
		if f >= 0 {
			e.net.flows.Weigh(f, int(c.fetching), math.Inf(1))
		}
	}
}

// shuffleOf returns the job's shuffle, from the pool at first.
func (e *engine) shuffleOf(j Job) *shuffle {
	s := &e.jobs[j]
	if s.shuffle != nil {
		return s.shuffle
	}
	if n := len(e.net.pool); n > 0 {
		s.shuffle = e.net.pool[n-1]
		e.net.pool = e.net.pool[:n-1]
		clear(s.shuffle.out)
		clear(s.shuffle.at)
		for r := range s.shuffle.slowest {
			s.shuffle.slowest[r] = None
			e.limit(s.shuffle, int32(r))
		}
		s.shuffle.own(j)
		return s.shuffle
	}
	sh := &shuffle{out: make([]int32, e.racks)}
	if e.net.on {
		columns := e.racks
		if e.net.byNode {
			columns = len(e.nodes)
			sh.at, sh.slowest = make([]int32, columns), slices.Repeat([]Node{None}, e.racks)
			sh.ports = e.net.flows.Ports(slices.Repeat([]float64{never}, e.racks)...)
		}
		sh.columns = make([]column, columns)
		flows := make([]flow.Flow, columns*e.racks)
		for i := range flows {
			flows[i] = -1
		}
		for i := range sh.columns {
			sh.columns[i] = column{flows: flows[i*e.racks : (i+1)*e.racks], open: None}
		}
	}
	sh.own(j)
	s.shuffle = sh
	return sh
}

// own names the job to the columns of its shuffle.
func (sh *shuffle) own(j Job) {
	for to := range sh.columns {
		sh.columns[to].job = j
	}
}

func (e *engine) freeShuffle(s *jobState) {
	if s.shuffle == nil {
		return
	}
	for to := range s.shuffle.columns {
		e.closeColumn(&s.shuffle.columns[to], int32(to))
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
