package slotmodel

import (
	"cmp"
	"math"
	"slices"
)

// newEngine checks the input and lays out a run.
func newEngine(c *Cluster, specs []JobSpec, p Policy, o *Options) (*engine, error) {
	if err := checkCluster(c); err != nil {
		return nil, err
	}
	tasks, users, most := 0, len(o.Entitlements), maxUsers
	if o.Entitlements == nil {
		most = min(most, len(specs)+userGap)
	}
	for i := range specs {
		if f := checkJob(&specs[i], len(c.Nodes), most); f != "" {
			return nil, bad("jobs", i, "%s", f)
		}
		if tasks += specs[i].Maps.Tasks + specs[i].Reduces.Tasks; tasks > maxTasks {
			return nil, bad("jobs", i, "the workload has more than %d tasks up to here", maxTasks)
		}
		users = max(users, specs[i].User+1)
	}
	if err := checkAfter(specs); err != nil {
		return nil, err
	}
	if p == nil {
		return nil, bad("p", -1, "is nil")
	}
	if err := checkOptions(o, users); err != nil {
		return nil, err
	}
	o.Until = cmp.Or(o.Until, never)
	e := &engine{cluster: c, opts: o, policy: p, beating: None, speed: 1}
	e.view, e.actions = &View{e}, &Actions{e}
	e.folds = o.Log == nil && c.Speed == nil && !c.Network.Fluid
	if ob, ok := p.(Observer); ok {
		e.observer = ob
		g, ok := p.(GangObserver)
		e.folds = e.folds && ok && g.ObservesGangs(p)
	}
	e.log.on = o.Log != nil || o.Hash || e.observer != nil
	e.log.hash = hashBasis
	if t, ok := p.(Ticker); ok {
		e.beats.period, e.beats.nodes = t.Heartbeat(), float64(len(c.Nodes))
		if f := amount("what Heartbeat returns", e.beats.period); f != "" {
			return nil, bad("p", -1, "%s", f)
		}
	}
	e.layNodes()
	e.layJobs(specs, tasks, users)
	e.layUsers(users)
	return e, nil
}

// layNodes lays out nodes and racks.
func (e *engine) layNodes() {
	c := e.cluster
	e.racks = len(c.Racks)
	for i := range c.Nodes {
		e.racks = max(e.racks, c.Nodes[i].Rack+1)
	}
	e.nodes = make([]nodeState, len(c.Nodes))
	e.byRack = newRoster(len(c.Nodes), e.racks, func(i int) int { return c.Nodes[i].Rack })
	for i := range c.Nodes {
		s := &c.Nodes[i]
		e.nodes[i] = nodeState{
			rack: int32(s.Rack), slots: [kinds]int32{int32(s.Maps), int32(s.Reduces)}, shared: int32(s.Slots),
			speed: cmp.Or(s.Speed, 1), slow: 1, pace: cmp.Or(s.Speed, 1), nic: cmp.Or(s.NIC, never), memory: cmp.Or(s.Memory, never),
		}
		e.byRack.join(int32(i), s.Rack)
		e.expectFaults(Node(i), s)
	}
	for k := range kinds {
		e.open[k] = newMuster(e.byRack)
	}
	for i := range e.nodes {
		e.setUp(Node(i), true)
	}
	e.stamps = make([]int32, len(c.Nodes))
	if c.Network.Fluid {
		e.layLinks(c)
		e.acct.lastSent = make([][2]float64, e.racks)
	}
}

// layJobs lays out jobs and tasks.
func (e *engine) layJobs(specs []JobSpec, tasks, users int) {
	n := len(specs)
	e.jobs = make([]jobState, n)
	e.acct.jobs = make([]JobResult, n)
	e.tasks = make([]taskState, tasks)
	e.ranOn = make([]int32, tasks)
	e.arrivals = make([]int32, 0, n)
	at := int32(0)
	for i := range specs {
		s := &specs[i]
		x := &e.jobs[i]
		x.spec, x.heir = s, None
		for k, p := range [kinds]*Phase{&s.Maps, &s.Reduces} {
			x.phase[k] = phaseState{Counts: Counts{Tasks: int32(p.Tasks)}, spec: p, first: at, cursor: at, newest: None}
			at += int32(p.Tasks)
		}
		x.need = slowstart(s.Slowstart, s.Maps.Tasks)
		e.acct.jobs[i] = JobResult{Arrival: -1, Start: -1, MapEnd: -1, Finish: -1}
		if s.After == 0 {
			e.acct.jobs[i].Arrival = s.Arrival
			e.arrivals = append(e.arrivals, int32(i))
		}
	}
	for i := range specs {
		if a := specs[i].After; a > 0 {
			e.jobs[i].sibling, e.jobs[a-1].heir = e.jobs[a-1].heir, Job(i)
		}
	}
	slices.SortStableFunc(e.arrivals, func(a, b int32) int { return cmp.Compare(specs[a].Arrival, specs[b].Arrival) })
	e.expectNext()
	e.byUser = newRoster(n, users, func(j int) int { return specs[j].User })
	e.active = newMuster(e.byUser)
	for k := range kinds {
		e.runnable[k] = newMuster(e.byUser)
	}
}

// layUsers lays out users.
func (e *engine) layUsers(n int) {
	e.users = make([]user, n)
	greatest := 0.0
	for u := range e.users {
		e.users[u].weight = 1
		if e.opts.Entitlements != nil {
			e.users[u].weight = e.opts.Entitlements[u]
		}
		greatest = max(greatest, e.users[u].weight)
	}
	_, scale := math.Frexp(greatest) // a power of two: rounds nothing
	for u := range e.users {
		e.users[u].share = max(leastShare, math.Ldexp(e.users[u].weight, -scale))
	}
}

// slowstart returns the least number of maps that are at least a fraction of them, from which the
// product may differ by rounding.
func slowstart(fraction float64, maps int) int32 {
	n := int32(math.Ceil(fraction * float64(maps)))
	for n > 0 && float64(n-1)/float64(maps) >= fraction {
		n--
	}
	for float64(n)/float64(maps) < fraction {
		n++
	}
	return n
}
