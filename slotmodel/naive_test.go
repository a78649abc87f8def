package slotmodel_test

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// naive is the model once more, as plain as possible and from what the package says of it alone:
// every question is a scan of all there is, every event looks at all that can come next, and rates
// are filled from nothing each time. It shares no code with the engine. Instead of a policy that
// sees a View it has firstFit's twin, or the deeds of a policy in a run of the engine.
type naive struct {
	*naiveCase
	deeds []naiveDeed // to come

	now      float64
	state    []naiveJob
	attempts []*naiveAttempt // in the order of their starts
	flows    []*naiveFlow
	up       []bool
	losses   []int     // of each node, how many of its outages have begun
	returns  []int     // and have ended
	paced    []float64 // of each node, when its pace changed last, -1 before
	speeds   []naiveSpeed
	known    int // a running number
	arrivals int
	done     int  // steps of the script
	begun    bool // a job has been present at a decision
	res      slotmodel.Result
	row      slotmodel.Sample // sums since the last row
	log      []slotmodel.Event
}

type naiveTask struct {
	kind  slotmodel.Kind
	work  float64
	state byte                    // w waits, r runs, s suspended, i rides, d done
	on    *naiveAttempt           // on which it rides
	ran   int                     // a done map: the node with its output
	gone  bool                    // a done map: its output is lost
	again bool                    // a map: it runs again
	lost  int                     // how many attempts had started when it was found to be lost
	owed  map[naiveColumn]float64 // what it had not yet sent then
}

type naiveJob struct {
	tasks       []naiveTask // maps, then reduces
	first       int         // number of its first task
	here, ended bool
	arrived     bool
	turn        int  // in the order of arrival, from 1
	ready       bool // a reduce may hold a slot
	doomed      int  // walltime and crash became known
	res         slotmodel.JobResult
}

// stage is what an attempt is doing.
type stage uint8

const (
	fetching stage = iota
	computing
	writing
	suspended
)

type naiveAttempt struct {
	job, task, node int
	stage           stage
	over            bool
	resuming        bool
	until           float64 // when what it does ends; +Inf: not known
	known           int     // since when that is known
	began           float64
	asked           bool    // a reduce: for its data
	computed        float64 // seconds, for the log
	since           float64 // when it began to compute, or went on
	left            float64 // work at since
	marks           []naiveMark
}

// Classes of events in one instant.
const (
	naiveStage = iota
	naiveFlown
	naiveReturn
	naiveLoss
	naivePace
	naiveDoom
	naiveCancel
	naiveWake
	naiveArrive
	naiveDecision
)

type naiveEvent struct {
	time  float64
	class int
	known int
	do    func()
}

// naiveSpeed is how fast all nodes are from a time on.
type naiveSpeed struct{ at, factor float64 }

func newNaive(c *naiveCase) *naive {
	n := &naive{naiveCase: c, speeds: []naiveSpeed{{0, 1}}}
	users, first := 0, 0
	for i := range c.jobs {
		s := &c.jobs[i]
		j := naiveJob{first: first, res: slotmodel.JobResult{Arrival: s.Arrival, Start: -1, MapEnd: -1, Finish: -1}}
		if s.After > 0 {
			j.res.Arrival = -1
		}
		for t := range s.Maps.Tasks {
			j.tasks = append(j.tasks, naiveTask{work: s.Maps.Of(t), state: 'w', ran: -1})
		}
		for t := range s.Reduces.Tasks {
			j.tasks = append(j.tasks, naiveTask{kind: slotmodel.Reduce, work: s.Reduces.Of(t), state: 'w', ran: -1})
		}
		first += len(j.tasks)
		n.state = append(n.state, j)
		users = max(users, s.User+1)
	}
	n.res.Users = make([]slotmodel.UserResult, max(users, len(c.weight)))
	n.newRow()
	for range c.cluster.Nodes {
		n.up = append(n.up, true)
	}
	n.returns, n.losses, n.paced = make([]int, len(n.up)), make([]int, len(n.up)), slices.Repeat([]float64{-1}, len(n.up))
	return n
}

func (n *naive) run() *slotmodel.Result {
	for {
		e, some := n.next()
		if n.over() && n.until == 0 && (!some || e.time > n.now) {
			break
		}
		if !some {
			for j := range n.state {
				if !n.state[j].ended {
					n.state[j].res.Outcome = slotmodel.Stuck
				}
			}
		}
		if n.until > 0 && (!some || e.time > n.until) {
			n.pass(n.until)
			break
		}
		if !some {
			break
		}
		n.pass(e.time)
		e.do()
		n.close()
		if f, some := n.next(); !some || f.time > n.now || f.class == naiveDecision {
			n.decide()
			n.ask()
		}
	}
	for _, x := range n.attempts {
		if !x.over {
			n.res.Totals.Work += n.worked(x)
		}
	}
	for j := range n.state {
		n.res.Jobs = append(n.res.Jobs, n.state[j].res)
	}
	n.res.End = n.now
	return &n.res
}

func (n *naive) over() bool {
	for j := range n.state {
		if !n.state[j].ended {
			return false
		}
	}
	return true
}

// next looks at all that can happen.
func (n *naive) next() (naiveEvent, bool) {
	var best naiveEvent
	some := false
	add := func(time float64, class, known int, do func()) {
		if math.IsInf(time, 1) || some && (time > best.time || time == best.time && (class > best.class || class == best.class && known >= best.known)) {
			return
		}
		best, some = naiveEvent{time, class, known, do}, true
	}
	n.rate()
	for _, x := range n.attempts {
		if !x.over && x.stage != suspended {
			add(x.until, naiveStage, x.known, func() { n.stageEnds(x) })
		}
	}
	n.flowEvents(add)
	for i, s := range n.cluster.Nodes {
		if k := n.returns[i]; k < n.losses[i] {
			add(s.Down[k].Until, naiveReturn, i, func() {
				n.returns[i]++
				n.up[i] = true
				n.emit(slotmodel.NodeUp, -1, -1, i, 0)
			})
		} else if k < len(s.Down) {
			add(s.Down[k].From, naiveLoss, i, func() { n.losses[i]++; n.lose(i) })
		}
		if at := n.nextPace(i); !math.IsInf(at, 1) {
			add(at, naivePace, i, func() {
				n.paced[i] = at
				n.emit(slotmodel.NodeSlow, -1, -1, i, n.slow(i, at))
			})
		}
	}
	for i := range n.state {
		j, s := &n.state[i], &n.jobs[i]
		if j.ended {
			continue
		}
		if s.Walltime > 0 && j.res.Start >= 0 {
			add(j.res.Start+s.Walltime, naiveDoom, j.doomed, func() { n.end(i, slotmodel.TimedOut) })
		}
		if s.Crash > 0 && j.res.Start >= 0 {
			add(j.res.Start+s.Crash, naiveDoom, j.doomed+1, func() { n.end(i, slotmodel.Failed) })
		}
		if s.Cancel > 0 && j.arrived {
			add(max(s.Cancel, j.res.Arrival), naiveCancel, i, func() { n.end(i, slotmodel.Canceled) })
		}
		if !j.arrived && j.res.Arrival >= 0 {
			add(j.res.Arrival, naiveArrive, i, func() { n.arrive(i) })
		}
	}
	if n.begun && n.done < len(n.script) && n.script[n.done].at > n.now {
		add(n.script[n.done].at, naiveWake, 0, func() {})
	}
	if len(n.deeds) > 0 {
		if t := max(n.now, n.deeds[0].at); !some || t < best.time {
			return naiveEvent{t, naiveDecision, 0, func() {}}, true
		}
	}
	return best, some
}

// pass lets time go by, in pieces between the rows of the series.
func (n *naive) pass(to float64) {
	for at := n.nextRow(); at <= to; at = n.nextRow() {
		n.passWithin(at - n.now)
		n.now = at
		n.newRow()
	}
	n.passWithin(to - n.now)
	n.now = to
}

// nextRow returns when a row of the time series ends next.
func (n *naive) nextRow() float64 {
	if n.period == 0 {
		return math.Inf(1)
	}
	return float64(len(n.res.Series)+1) * n.period
}

// newRow keeps the row that has ended, if one has, and begins one.
func (n *naive) newRow() {
	if n.now > 0 {
		n.row.Time = n.now
		n.res.Series = append(n.res.Series, n.row)
	}
	n.row = slotmodel.Sample{Users: make([]slotmodel.UserSample, len(n.res.Users))}
	if n.cluster.Network.Fluid {
		n.row.Egress, n.row.Ingress = make([]float64, n.racks()), make([]float64, n.racks())
	}
}

// passWithin lets a time go by in which nothing happens.
func (n *naive) passWithin(dt float64) {
	if dt <= 0 {
		return
	}
	n.fluidPass(dt)
	here, busy := make([]bool, len(n.res.Users)), 0.0
	weight := func(u int) float64 {
		if n.weight == nil {
			return 1
		}
		return n.weight[u]
	}
	part := dt / n.period // of the row
	for i := range n.state {
		if !n.state[i].here {
			continue
		}
		if u := n.jobs[i].User; !here[u] {
			here[u] = true
			busy += weight(u)
		}
		n.res.Totals.Load += dt
		n.row.Load += part
		n.row.Pending[slotmodel.Map] += part * float64(n.count(i, slotmodel.Map, 'w'))
		if n.state[i].ready {
			n.row.Pending[slotmodel.Reduce] += part * float64(n.count(i, slotmodel.Reduce, 'w'))
		}
	}
	for u := range here {
		if here[u] {
			n.res.Users[u].Entitled += dt * weight(u) / busy
			n.row.Users[u].Entitled += part * weight(u) / busy
		}
	}
	for i, s := range n.cluster.Nodes {
		if n.up[i] {
			n.row.Slots[slotmodel.Map] += part * float64(s.Maps)
			n.row.Slots[slotmodel.Reduce] += part * float64(s.Reduces)
			n.row.Shared += part * float64(s.Slots)
		}
	}
	for _, x := range n.attempts {
		if !x.over && x.stage != suspended {
			u, k := n.jobs[x.job].User, n.kind(x)
			n.res.Users[u].SlotSeconds[k] += dt
			n.row.Users[u].Slots[k] += part
			n.row.Running[k] += part
			if x.resuming {
				n.res.Totals.Overhead += dt
			}
		}
	}
}

// emit notes what the log should say; task is the job's own number.
func (n *naive) emit(what slotmodel.EventType, job, task, node int, value float64) {
	e := slotmodel.Event{Time: n.now, Value: value, Job: slotmodel.Job(job), Task: slotmodel.Task(task), Attempt: slotmodel.None, Node: slotmodel.Node(node), Type: what}
	if task >= 0 {
		e.Task += slotmodel.Task(n.state[job].first)
	}
	n.log = append(n.log, e)
}

func (n *naive) kind(x *naiveAttempt) slotmodel.Kind { return n.state[x.job].tasks[x.task].kind }

// free counts how many tasks of a kind could start on a node by its slots alone: one after the
// other, as long as the tasks of either kind beyond its own slots are no more than the shared ones.
func (n *naive) free(node int, k slotmodel.Kind) int {
	if !n.up[node] {
		return 0
	}
	s, held, free := n.cluster.Nodes[node], [2]int{}, 0
	for _, x := range n.attempts {
		if !x.over && x.node == node && x.stage != suspended {
			held[n.kind(x)]++
		}
	}
	for {
		if held[k]++; max(0, held[0]-s.Maps)+max(0, held[1]-s.Reduces) > s.Slots {
			return free
		}
		free++
	}
}

// memory returns the memory of a node that no attempt holds.
func (n *naive) memory(node int) float64 {
	left := unlimited(n.cluster.Nodes[node].Memory)
	for _, x := range n.attempts {
		if !x.over && x.node == node {
			left -= n.needs(x.job, n.kind(x))
		}
	}
	return left
}

func (n *naive) needs(j int, k slotmodel.Kind) float64 {
	return [2]float64{n.jobs[j].Maps.Memory, n.jobs[j].Reduces.Memory}[k]
}

// fits reports whether a task of a job has room on a node.
func (n *naive) fits(j int, k slotmodel.Kind, node int) bool {
	if n.free(node, k) == 0 || n.needs(j, k) > n.memory(node) {
		return false
	}
	if k == slotmodel.Map || n.mapsOver(j) {
		return true
	}
	if !n.anyFits(j, slotmodel.Map) {
		return false
	}
	early, shared := n.early()
	if early[node]++; early[node] <= n.cluster.Nodes[node].Reduces {
		return true
	}
	held := 0
	for i := range early {
		held += max(0, early[i]-n.cluster.Nodes[i].Reduces)
	}
	most := n.cluster.EarlyReduces
	if most == 0 {
		most = .5
	}
	return float64(held) <= most*float64(shared)
}

// anyFits reports whether a node that is up could run a task of a kind of a job if it held nothing
// else.
func (n *naive) anyFits(j int, k slotmodel.Kind) bool {
	for i, s := range n.cluster.Nodes {
		own := [2]int{s.Maps, s.Reduces}[k]
		if n.up[i] && own+s.Slots > 0 && n.needs(j, k) <= unlimited(s.Memory) {
			return true
		}
	}
	return false
}

// early counts the reduces on each node that wait for maps, and the shared slots that are up.
func (n *naive) early() (early []int, shared int) {
	early = make([]int, len(n.up))
	for _, x := range n.attempts {
		if n.fetches(x, x.job) && !n.mapsOver(x.job) {
			early[x.node]++
		}
	}
	for i, s := range n.cluster.Nodes {
		if n.up[i] {
			shared += s.Slots
		}
	}
	return early, shared
}

// nextPace returns when a slowdown of a node begins or ends next; +Inf: none does.
func (n *naive) nextPace(node int) float64 {
	at := math.Inf(1)
	for _, s := range n.cluster.Nodes[node].Slow {
		for _, t := range []float64{s.From, s.Until} {
			if t > n.paced[node] {
				at = min(at, t)
			}
		}
	}
	return at
}

// slow returns the factor by which a node is slow just after a time.
func (n *naive) slow(node int, at float64) float64 {
	for _, s := range n.cluster.Nodes[node].Slow {
		if s.From <= at && at < s.Until {
			return s.Factor
		}
	}
	return 1
}

// rate notes how fast nodes are with what is in flight now, and when attempts end if that stays so.
func (n *naive) rate() {
	if n.cluster.Speed == nil {
		return
	}
	var l slotmodel.Load
	for j := range n.state {
		if n.state[j].here && n.state[j].res.Start >= 0 {
			l.Jobs++
			for _, t := range n.state[j].tasks {
				l.Tasks[t.kind]++
			}
		}
	}
	holding := map[int]bool{}
	for _, x := range n.attempts {
		if !x.over && x.stage != suspended {
			l.Running[n.kind(x)]++
			holding[x.job] = true
		}
	}
	l.Holding = len(holding)
	n.speeds = append(n.speeds, naiveSpeed{n.now, n.cluster.Speed(l)})
	for _, x := range n.attempts {
		if !x.over && x.stage == computing && !x.resuming {
			x.until = n.takes(x.node, x.left-n.does(x.node, x.since, n.now))
		}
	}
}

// does returns the work that a node does between two times.
func (n *naive) does(node int, from, to float64) float64 {
	work := 0.0
	for i, s := range n.speeds {
		end := to
		if i+1 < len(n.speeds) {
			end = min(to, n.speeds[i+1].at)
		}
		if begin := max(from, s.at); begin < end {
			work += float64(n.atSpeed(node, begin, end) * s.factor)
		}
	}
	return work
}

// atSpeed is what does returns while Cluster.Speed gives 1.
func (n *naive) atSpeed(node int, from, to float64) float64 {
	slowly := 0.0
	for _, s := range n.cluster.Nodes[node].Slow {
		if a, b := max(from, s.From), min(to, s.Until); a < b {
			slowly += (b - a) * (1 - 1/s.Factor)
		}
	}
	return float64((to - from - slowly) * n.speed(node))
}

// takes returns when some work will be done that a node begins now.
func (n *naive) takes(node int, work float64) float64 {
	at := n.now
	work /= n.speeds[len(n.speeds)-1].factor
	for _, s := range n.cluster.Nodes[node].Slow {
		for _, piece := range [][2]float64{{s.From, 1}, {s.Until, s.Factor}} {
			if can := (piece[0] - at) * n.speed(node) / piece[1]; can >= work {
				return at + work/(n.speed(node)/piece[1])
			} else if can > 0 {
				at, work = piece[0], work-can
			}
		}
	}
	return at + work/n.speed(node)
}

func (n *naive) speed(node int) float64 {
	if s := n.cluster.Nodes[node].Speed; s > 0 {
		return s
	}
	return 1
}

// count counts the tasks of a kind in a state.
func (n *naive) count(j int, k slotmodel.Kind, state byte) int {
	c := 0
	for _, t := range n.state[j].tasks {
		if t.kind == k && t.state == state {
			c++
		}
	}
	return c
}

func (n *naive) mapsOver(j int) bool {
	return n.count(j, slotmodel.Map, 'd') == n.jobs[j].Maps.Tasks
}
