package slotmodel

import "cmp"

// View is what a policy sees of a run: the present state, without the future. A method costs O(1)
// and allocates nothing unless its comment says otherwise. For handles and kinds out of range the
// methods return None, zeros and false. After an action that was not allowed a View shows no free
// slot and no runnable job, so that a policy's loops end. A View that Run has not given shows
// nothing.
type View struct{ e *engine }

// noRun is the engine of a View and of Actions that no run has given. Nothing changes it.
var noRun = engine{err: ErrPolicy, beating: None}

func (v *View) engine() *engine {
	if v.e == nil {
		return &noRun
	}
	return v.e
}

// noNode and noUser stand for nodes and users that do not exist. They are not changed.
var (
	noNode nodeState
	noUser user
)

func (v *View) node(n Node) *nodeState {
	if e := v.engine(); e.isNode(n) {
		return &e.nodes[n]
	}
	return &noNode
}

func (v *View) user(u User) *user {
	if e := v.engine(); e.isUser(u) {
		return &e.users[u]
	}
	return &noUser
}

// Now returns the time, in seconds.
func (v *View) Now() float64 { return v.engine().now }

// Heartbeat returns the node whose heartbeat the call is for, or None.
func (v *View) Heartbeat() Node { return v.engine().beating }

// Nodes returns the number of nodes, lost ones included.
func (v *View) Nodes() int { return len(v.engine().nodes) }

// Racks returns the number of racks.
func (v *View) Racks() int { return v.engine().racks }

// Users returns the number of users.
func (v *View) Users() int { return len(v.engine().users) }

// Jobs returns the number of jobs of the whole workload: job handles are below it.
func (v *View) Jobs() int { return len(v.engine().jobs) }

// Entitlement returns the weight of a user.
func (v *View) Entitlement(u User) float64 { return v.user(u).weight }

// Slots returns how many slots attempts of a kind can hold on the nodes that are up; shared slots
// count in both kinds.
func (v *View) Slots(k Kind) int {
	if k >= kinds {
		return 0
	}
	return int(v.engine().slots[k])
}

// TotalSlots returns the number of slots of the nodes that are up; shared ones count once.
func (v *View) TotalSlots() int {
	e := v.engine()
	return int(e.slots[Map] + e.slots[Reduce] - e.shared)
}

// FreeSlots returns how many of the slots for a kind are free: the sum of Free over the nodes.
func (v *View) FreeSlots(k Kind) int {
	e := v.engine()
	if e.err != nil || k >= kinds {
		return 0
	}
	return int(e.free[k])
}

// Up reports whether a node is up.
func (v *View) Up(n Node) bool { return v.node(n).up }

// Free returns the number of free slots of a node for attempts of a kind, shared ones included.
// Fits tells whether a task of a given job can start there.
func (v *View) Free(k Kind, n Node) int {
	if v.engine().err != nil || k >= kinds {
		return 0
	}
	return int(v.node(n).free[k])
}

// NextFree returns the first node after n that has a free slot for a kind, None when there is none.
// O(log nodes).
func (v *View) NextFree(k Kind, n Node) Node {
	e := v.engine()
	if e.err != nil || k >= kinds || n != None && !e.isNode(n) {
		return None
	}
	return Node(e.open[k].next(int32(n)))
}

// NextFreeIn is NextFree within one rack. O(log nodes).
func (v *View) NextFreeIn(k Kind, r Rack, n Node) Node {
	e := v.engine()
	if e.err != nil || k >= kinds || !e.isRack(r) || n != None && !e.isNode(n) {
		return None
	}
	return Node(e.open[k].nextIn(int32(r), int32(n)))
}

// Fits reports whether a task of a kind of a job can start on a node now: one waits and may start,
// and the node is up and has a free slot and the memory. For a reduce that has to wait for maps,
// Cluster.EarlyReduces must leave a slot, and the maps must fit some node that is up. For a rigid
// job Fits tells whether one of its maps has room.
func (v *View) Fits(j Job, k Kind, n Node) bool {
	e := v.engine()
	return e.startFault(j, k, n) == ""
}

// Room returns for how many tasks of a kind of a job a node has free slots and memory. The job may
// have fewer.
func (v *View) Room(j Job, k Kind, n Node) int {
	e := v.engine()
	if !e.isPhase(j, k) || !e.isNode(n) {
		return 0
	}
	x := &e.nodes[n]
	return int(x.room(x.free[k], e.jobs[j].phase[k].spec.Memory, x.held))
}

// Capacity returns how many tasks of a kind of a job the nodes that are up could run at once if
// they held nothing else: until nodes return, a rigid job with more maps cannot start. O(nodes) for
// the first call about a phase with memory after a node was lost or has returned.
func (v *View) Capacity(j Job, k Kind) int {
	e := v.engine()
	if !e.isPhase(j, k) {
		return 0
	}
	return int(e.capacity(&e.jobs[j], k))
}

// AtRest reports whether no attempt will end by itself: each is suspended, or is a reduce that
// waits for maps of its job.
func (v *View) AtRest() bool {
	e := v.engine()
	return e.running[Map]+e.running[Reduce] == e.awaiting
}

// Memory returns the memory of a node, lost or not, and how much of it is free, in bytes; +Inf
// where there is no limit.
func (v *View) Memory(n Node) (all, free float64) {
	x := v.node(n)
	return x.memory, max(0, x.memory-x.held.value)
}

// RackOf returns the rack of a node.
func (v *View) RackOf(n Node) Rack {
	e := v.engine()
	if !e.isNode(n) {
		return None
	}
	return Rack(e.nodes[n].rack)
}

// Speed returns NodeSpec.Speed of a node: the work per second that it does in each slot while it is
// not slow.
func (v *View) Speed(n Node) float64 { return v.node(n).speed }

// Slowdown returns the factor by which a node, lost or not, is slower than its Speed now, 1 if it
// is not slower. A policy that is not meant to know which nodes are overloaded does not ask.
func (v *View) Slowdown(n Node) float64 { return v.node(n).slow }

// LinkBytes returns the bytes that have left a rack for other racks and entered it from other racks
// until now, those of attempts that died included; 0 without a fluid network. O(racks).
func (v *View) LinkBytes(r Rack) (egress, ingress float64) {
	e := v.engine()
	if !e.isRack(r) || !e.net.on {
		return 0, 0
	}
	return e.net.flows.Sent(int(r)), e.net.flows.Sent(e.racks + int(r))
}

// LinkCapacity returns the bandwidth of a rack's links to and from all other racks, in bytes per
// second; +Inf where there is no limit and without a fluid network.
func (v *View) LinkCapacity(r Rack) (egress, ingress float64) {
	e := v.engine()
	switch {
	case !e.isRack(r):
		return 0, 0
	case !e.net.on:
		return never, never
	}
	egress, ingress = never, never
	if pair := e.cluster.Network.Pair; pair > 0 && e.racks > 1 {
		egress, ingress = pair*float64(e.racks-1), pair*float64(e.racks-1)
	}
	if e.cluster.Racks != nil {
		s := e.cluster.Racks[r]
		egress, ingress = min(egress, cmp.Or(s.Egress, never)), min(ingress, cmp.Or(s.Ingress, never))
	}
	return egress, ingress
}
