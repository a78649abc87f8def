package slotmodel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

const (
	fn       = "slotmodel.Run"
	maxTasks = math.MaxInt32 / 4 // of a workload; the sum of three does not overflow 32 bits
)

// bad is an input error; index is the element of the argument.
func bad(arg string, index int, format string, args ...any) error {
	return &schedmath.InputError{Func: fn, Arg: arg, Index: index, Reason: fmt.Sprintf(format, args...)}
}

// amount says what is wrong with a quantity that must be finite and >= 0; "" when nothing is.
func amount(name string, x float64) string {
	if !(x >= 0 && x <= math.MaxFloat64) {
		return fmt.Sprintf("%s is %v, want a finite number >= 0", name, x)
	}
	return ""
}

// bandwidth is amount where +Inf means no limit.
func bandwidth(name string, x float64) string {
	if !(x >= 0) {
		return fmt.Sprintf("%s is %v, want >= 0", name, x)
	}
	return ""
}

// first returns the first fault.
func first(faults ...string) string {
	for _, f := range faults {
		if f != "" {
			return f
		}
	}
	return ""
}

func checkCluster(c *Cluster) error {
	if c == nil {
		return bad("cluster", -1, "is nil")
	}
	if len(c.Nodes) == 0 {
		return bad("cluster", -1, "Nodes is empty, want at least one node")
	}
	if len(c.Nodes) > math.MaxInt32/2 {
		return bad("cluster", -1, "Nodes has %d elements, want fewer", len(c.Nodes))
	}
	if f := first(amount("ResumeCost", c.ResumeCost), amount("Network.Interval", c.Network.Interval),
		amount("Network.RackRead", c.Network.RackRead), amount("Network.RemoteRead", c.Network.RemoteRead),
		amount("Network.Shuffle", c.Network.Shuffle), amount("Network.Write", c.Network.Write)); f != "" {
		return bad("cluster", -1, "%s", f)
	}
	for i := range c.Racks {
		if f := first(bandwidth("Egress", c.Racks[i].Egress), bandwidth("Ingress", c.Racks[i].Ingress)); f != "" {
			return bad("cluster", i, "Racks[%d].%s", i, f)
		}
	}
	for i := range c.Nodes {
		if f := checkNode(&c.Nodes[i], c.Racks); f != "" {
			return bad("cluster", i, "Nodes[%d].%s", i, f)
		}
	}
	return nil
}

func checkNode(n *NodeSpec, racks []RackSpec) string {
	switch {
	case n.Rack < 0 || racks != nil && n.Rack >= len(racks):
		return fmt.Sprintf("Rack is %d, want one of the %d racks", n.Rack, len(racks))
	case n.Rack > 1<<20:
		return fmt.Sprintf("Rack is %d, want at most %d", n.Rack, 1<<20)
	case n.Maps < 0 || n.Maps > 1<<20:
		return fmt.Sprintf("Maps is %d, want within [0, %d]", n.Maps, 1<<20)
	case n.Reduces < 0 || n.Reduces > 1<<20:
		return fmt.Sprintf("Reduces is %d, want within [0, %d]", n.Reduces, 1<<20)
	}
	if f := first(amount("Speed", n.Speed), bandwidth("NIC", n.NIC), bandwidth("Memory", n.Memory)); f != "" {
		return f
	}
	last := 0.0
	for i, o := range n.Down {
		if !(o.From >= last && o.From <= math.MaxFloat64) || !(o.Until > o.From) {
			return fmt.Sprintf("Down[%d] is from %v until %v, want ascending times, the outage before over", i, o.From, o.Until)
		}
		last = o.Until
	}
	return ""
}

func checkJob(s *JobSpec, nodes int) string {
	switch {
	case s.User < 0 || s.User > math.MaxInt32/2:
		return fmt.Sprintf("User is %d, want a small number >= 0", s.User)
	case s.Maps.Tasks < 0 || s.Maps.Tasks > maxTasks:
		return fmt.Sprintf("Maps.Tasks is %d, want within [0, %d]", s.Maps.Tasks, maxTasks)
	case s.Reduces.Tasks < 0 || s.Reduces.Tasks > maxTasks:
		return fmt.Sprintf("Reduces.Tasks is %d, want within [0, %d]", s.Reduces.Tasks, maxTasks)
	case s.Maps.Works != nil && len(s.Maps.Works) != s.Maps.Tasks:
		return fmt.Sprintf("Maps.Works has %d elements, want %d", len(s.Maps.Works), s.Maps.Tasks)
	case s.Reduces.Works != nil && len(s.Reduces.Works) != s.Reduces.Tasks:
		return fmt.Sprintf("Reduces.Works has %d elements, want %d", len(s.Reduces.Works), s.Reduces.Tasks)
	case !(s.Slowstart >= 0 && s.Slowstart <= 1):
		return fmt.Sprintf("Slowstart is %v, want within [0, 1]", s.Slowstart)
	case s.Rigid && s.Reduces.Tasks > 0:
		return fmt.Sprintf("Rigid with %d reduces, want none", s.Reduces.Tasks)
	case math.IsNaN(s.Priority):
		return "Priority is NaN"
	}
	if f := first(amount("Arrival", s.Arrival), amount("Deadline", s.Deadline), amount("Maps.Work", s.Maps.Work),
		amount("Reduces.Work", s.Reduces.Work), amount("Input", s.Input), amount("Shuffle", s.Shuffle), amount("Output", s.Output),
		amount("Walltime", s.Walltime), amount("Crash", s.Crash), amount("Cancel", s.Cancel), amount("Memory", s.Memory)); f != "" {
		return f
	}
	for k := range Kind(kinds) {
		for i, w := range s.phase(k).Works {
			if f := amount("Works", w); f != "" {
				return fmt.Sprintf("the %v task %d: %s", k, i, f)
			}
		}
	}
	if s.Replicas == nil {
		return ""
	}
	if s.Copies < 1 || len(s.Replicas)%s.Copies != 0 || len(s.Replicas)/s.Copies != s.Maps.Tasks {
		return fmt.Sprintf("Replicas has %d elements and Copies is %d, want Copies >= 1 for each of the %d maps", len(s.Replicas), s.Copies, s.Maps.Tasks)
	}
	for i, n := range s.Replicas {
		if n < -1 || int(n) >= nodes {
			return fmt.Sprintf("Replicas[%d] is %d, want -1 or one of the %d nodes", i, n, nodes)
		}
	}
	return ""
}

func checkOptions(o *Options, users int) error {
	if f := first(amount("Sample", o.Sample), bandwidth("Until", o.Until)); f != "" {
		return bad("o", -1, "%s", f)
	}
	if o.Entitlements != nil && len(o.Entitlements) < users {
		return bad("o", -1, "Entitlements has %d elements, want at least %d", len(o.Entitlements), users)
	}
	for i, w := range o.Entitlements {
		if !(w > 0 && w <= math.MaxFloat64) {
			return bad("o", i, "Entitlements[%d] is %v, want a finite number > 0", i, w)
		}
	}
	return nil
}

// newEngine checks the input and lays out a run.
func newEngine(c *Cluster, specs []JobSpec, p Policy, o *Options) (*engine, error) {
	if err := checkCluster(c); err != nil {
		return nil, err
	}
	tasks, users := 0, len(o.Entitlements)
	for i := range specs {
		if f := checkJob(&specs[i], len(c.Nodes)); f != "" {
			return nil, bad("jobs", i, "%s", f)
		}
		if tasks += specs[i].Maps.Tasks + specs[i].Reduces.Tasks; tasks > maxTasks {
			return nil, bad("jobs", i, "the workload has more than %d tasks up to here", maxTasks)
		}
		users = max(users, specs[i].User+1)
	}
	if o.Entitlements == nil && users > len(specs)+1<<20 {
		return nil, bad("jobs", -1, "User goes up to %d, want numbers from 0 without great gaps", users-1)
	}
	if p == nil {
		return nil, bad("p", -1, "is nil")
	}
	if err := checkOptions(o, users); err != nil {
		return nil, err
	}
	if o.Until == 0 {
		o.Until = never
	}
	e := &engine{cluster: c, opts: o, policy: p, beating: None}
	e.view, e.actions = &View{e}, &Actions{e}
	if ob, ok := p.(Observer); ok {
		e.observer = ob
	}
	e.log.on = o.Log != nil || o.Hash || e.observer != nil
	e.log.hash = hashBasis
	if t, ok := p.(Ticker); ok {
		e.beats.period, e.beats.nodes = t.Heartbeat(), float64(len(c.Nodes))
		if !(e.beats.period >= 0 && e.beats.period <= math.MaxFloat64) {
			return nil, bad("p", -1, "Heartbeat returns %v, want a finite number of seconds >= 0", e.beats.period)
		}
	}
	e.layNodes()
	e.layJobs(specs, tasks)
	e.layUsers(users)
	return e, nil
}

// layNodes lays out nodes and racks.
func (e *engine) layNodes() {
	c := e.cluster
	n := len(c.Nodes)
	e.racks = len(c.Racks)
	for i := range c.Nodes {
		e.racks = max(e.racks, c.Nodes[i].Rack+1)
	}
	e.nodes = make([]nodeState, n)
	e.rackBegin = make([]int32, e.racks+1)
	e.rackNIC = make([]float64, e.racks)
	for r := range e.rackNIC {
		e.rackNIC[r] = never
	}
	for i := range c.Nodes {
		s := &c.Nodes[i]
		x := nodeState{rack: int32(s.Rack), speed: s.Speed, nic: s.NIC, up: true, slots: [kinds]int32{int32(s.Maps), int32(s.Reduces)}}
		if x.speed == 0 {
			x.speed = 1
		}
		if x.nic == 0 {
			x.nic = never
		}
		x.free = x.slots
		e.nodes[i] = x
		e.rackBegin[s.Rack+1]++
		e.rackNIC[s.Rack] = min(e.rackNIC[s.Rack], x.nic)
	}
	for r := range e.racks {
		e.rackBegin[r+1] += e.rackBegin[r]
	}
	at := slices.Clone(e.rackBegin)
	e.atPlace = make([]int32, n)
	for i := range e.nodes {
		x := &e.nodes[i]
		x.place = at[x.rack]
		e.atPlace[x.place] = int32(i)
		at[x.rack]++
	}
	for k := range Kind(kinds) {
		e.freeNodes[k], e.freePlaces[k] = newBitset(n), newBitset(n)
		for i := range e.nodes {
			if x := &e.nodes[i]; x.free[k] > 0 {
				e.freeNodes[k].set(int32(i))
				e.freePlaces[k].set(x.place)
				e.slots[k] += x.slots[k]
			}
		}
		e.free[k] = e.slots[k]
	}
	e.faults = faultsOf(c.Nodes)
	e.stamps = make([]int32, n)
	if c.Network.Fluid {
		links := make([]flow.Link, e.racks)
		for r := range c.Racks {
			links[r] = flow.Link{Egress: c.Racks[r].Egress, Ingress: c.Racks[r].Ingress}
		}
		e.net.on, e.net.flows = true, flow.New(links, c.Network.Interval)
		e.acct.lastSent = make([][2]float64, e.racks)
	}
}

// layJobs lays out jobs and tasks.
func (e *engine) layJobs(specs []JobSpec, tasks int) {
	n := len(specs)
	e.jobs = make([]jobState, n)
	e.acct.jobs = make([]JobResult, n)
	e.tasks = make([]taskState, tasks)
	if len(e.faults) > 0 {
		e.ranOn = make([]int32, tasks)
	}
	e.arrivals = make([]Job, n)
	at := int32(0)
	for i := range specs {
		s := &specs[i]
		x := &e.jobs[i]
		x.spec, x.first = s, at
		x.newest = [kinds]Attempt{None, None}
		x.count[Map].Tasks, x.count[Reduce].Tasks = int32(s.Maps.Tasks), int32(s.Reduces.Tasks)
		x.need = int32(math.Ceil(s.Slowstart * float64(s.Maps.Tasks)))
		at += int32(s.Maps.Tasks + s.Reduces.Tasks)
		e.arrivals[i] = Job(i)
		e.acct.jobs[i] = JobResult{Arrival: s.Arrival, Start: -1, MapEnd: -1, Finish: -1}
	}
	slices.SortStableFunc(e.arrivals, func(a, b Job) int { return cmp.Compare(specs[a].Arrival, specs[b].Arrival) })
	for rank, j := range e.arrivals {
		e.jobs[j].rank = int32(rank)
	}
	e.active = newBitset(n)
	for k := range kinds {
		e.runnable[k], e.seats[k] = newBitset(n), newBitset(n)
	}
}

// layUsers lays out users, and the seats of their jobs.
func (e *engine) layUsers(n int) {
	e.users = make([]user, n)
	for u := range e.users {
		e.users[u].weight = 1
		if e.opts.Entitlements != nil {
			e.users[u].weight = e.opts.Entitlements[u]
		}
	}
	e.userBegin = make([]int32, n+1)
	for j := range e.jobs {
		e.userBegin[e.jobs[j].spec.User+1]++
	}
	for u := range n {
		e.userBegin[u+1] += e.userBegin[u]
	}
	at := slices.Clone(e.userBegin)
	e.atSeat = make([]int32, len(e.jobs))
	for _, j := range e.arrivals {
		x := &e.jobs[j]
		x.seat = at[x.spec.User]
		e.atSeat[x.seat] = int32(j)
		at[x.spec.User]++
	}
}
