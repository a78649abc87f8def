package slotmodel

import "cmp"

// View is what a policy sees of a run: the present state, without the future. A method costs O(1)
// unless its comment says otherwise. No method allocates, except for the first call of Local,
// LocalRack or Started about a job. For handles and kinds out of range the methods return None,
// zeros and false. After an action that was not allowed a View shows no free slot and no runnable
// job, so that a policy's loops end. A View that Run has not given shows nothing.
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
func (v *View) Entitlement(u User) float64 {
	return v.user(u).weight
}

// Slots returns how many slots attempts of a kind can hold on the nodes that are up: slots for the
// kind alone and shared slots. So shared slots count in both kinds.
func (v *View) Slots(k Kind) int {
	if k >= kinds {
		return 0
	}
	return int(v.engine().slots[k])
}

// TotalSlots returns the number of slots of nodes that are up, of whatever kind: shared ones count
// once.
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
func (v *View) Up(n Node) bool {
	return v.node(n).up
}

// Free returns the number of free slots of a node for attempts of a kind, those for the kind alone
// and shared ones. A start on a shared slot takes it from both kinds. Fits tells whether a task of
// a given job can start there.
func (v *View) Free(k Kind, n Node) int {
	if v.engine().err != nil || k >= kinds {
		return 0
	}
	return int(v.node(n).free[k])
}

// NextFree returns the first node after n that has a free slot for the kind, its own or a shared
// one, in the order of their numbers; None when there is none. O(log nodes).
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

// Fits reports whether a task of a kind of a job can start on a node now. A task of the job
// must wait and be allowed to start. The node must be up and have a free slot, for the kind
// alone or shared, and the memory. For a reduce that has to wait for maps, a slot within
// Cluster.EarlyReduces must be free, and the maps must fit some node that is up. For a rigid job
// Fits tells whether one of its maps has room on the node.
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
// they held nothing else. Until nodes return, a rigid job with more maps cannot start, and no task
// of the kind can start if the Capacity is 0. O(1), except for the first call about a phase with
// memory after a node was lost or has returned: O(nodes).
func (v *View) Capacity(j Job, k Kind) int {
	e := v.engine()
	if !e.isPhase(j, k) {
		return 0
	}
	return int(e.capacity(&e.jobs[j], k))
}

// AtRest reports whether no attempt will end by itself: each attempt is suspended, or is a reduce
// that waits for maps of its job. Until the policy acts, slots and memory then become free only
// when a node returns, or when a job meets its walltime, crashes or is cancelled.
func (v *View) AtRest() bool {
	e := v.engine()
	return e.running[Map]+e.running[Reduce] == e.awaiting
}

// Memory returns the memory of a node and how much of it is free, in bytes; +Inf where there is no
// limit. A lost node has its memory too.
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

// Speed returns the work per second that a node does in each slot while it is not slow, as
// NodeSpec.Speed has it. Slowdown tells how slow the node is now.
func (v *View) Speed(n Node) float64 {
	return v.node(n).speed
}

// Slowdown returns the factor by which a node is slower than its Speed now, 1 if it is not slower.
// Attempts that compute there do Speed/Slowdown work per second, times Cluster.Speed. A lost node
// has a factor too. A policy that is not meant to know which nodes are overloaded does not call
// Slowdown.
func (v *View) Slowdown(n Node) float64 {
	return v.node(n).slow
}

// LinkBytes returns the bytes that have left a rack for other racks and entered it from other racks
// until now; 0 without a fluid network. What attempts that died have moved is included. Asking
// changes nothing in the run. O(racks).
func (v *View) LinkBytes(r Rack) (egress, ingress float64) {
	e := v.engine()
	if !e.isRack(r) || !e.net.on {
		return 0, 0
	}
	return e.net.flows.Sent(int(r)), e.net.flows.Sent(e.racks + int(r))
}

// LinkCapacity returns the bandwidth of a rack's links to and from other racks, in bytes per
// second, at most that of all pairs with the other racks; +Inf where there is no limit and without
// a fluid network.
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
