package dynprio

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// order is a Policy as its own Users and Chooser: the order in which it sells slots.
type order Policy

// lacking is a user who lacks slots of a kind.
type lacking struct {
	user  slotmodel.User
	kind  slotmodel.Kind
	slots int
	class int           // 0: it has waited for the limit of Victims, 1: it has not
	first slotmodel.Job // its earliest job with a task to start
}

// Begin starts a walk over the users who lack slots for the free slots of a node. A user may come
// twice, once for each kind.
func (m *order) Begin(v *slotmodel.View, n slotmodel.Node) {
	m.walk, m.at = m.walk[:0], 0
	for k := range slotmodel.Kind(2) {
		if v.Free(k, n) > 0 {
			m.list(v, k)
		}
	}
}

// list adds the users who lack slots of a kind to the walk.
func (m *order) list(v *slotmodel.View, k slotmodel.Kind) {
	for i := range m.accounts {
		u, x := slotmodel.User(i), &m.accounts[i]
		slots, class := x.User.Granted[k]-x.held[k], 1
		if limit := m.Preempt.Victims.Limit; limit > 0 && x.Waiting[k] >= 0 && v.Now()-x.Waiting[k] >= limit {
			class = 0
			if x.held[k] == 0 {
				slots = max(slots, 1)
			}
		}
		if slots > 0 {
			if j := v.NextRunnableOf(u, slotmodel.None, k); j != slotmodel.None {
				m.walk = append(m.walk, lacking{u, k, slots, class, j})
			}
		}
	}
	slices.SortFunc(m.walk, func(a, b lacking) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.slots, a.slots), cmp.Compare(a.kind, b.kind), cmp.Compare(internal.Rank(v, a.first), internal.Rank(v, b.first)))
	})
}

// Next returns the next user of the walk.
func (m *order) Next(*slotmodel.View) slotmodel.User {
	if m.at == len(m.walk) {
		return slotmodel.None
	}
	m.at++
	return m.walk[m.at-1].user
}

// Choose returns the earliest job of the user that can start a task on the node, of the kind for
// which the walk lists the user. A rigid job of s slots is returned if the user lacks at least s
// slots and the cluster has room for all maps of the job.
func (m *order) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	x := m.walk[m.at-1]
	for j := x.first; j != slotmodel.None; j = v.NextRunnableOf(u, j, x.kind) {
		if s := internal.Width(v, j); s > 1 && s <= x.slots && internal.GangFits(v, j, s) || s == 1 && v.Fits(j, x.kind, n) && m.accept(v, j, x.kind, n) {
			return j, x.kind, slotmodel.None, true
		}
	}
	return slotmodel.None, x.kind, slotmodel.None, false
}

// Accept refuses spare slots to users without a queue, and asks the filter.
func (m *order) Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	return !m.accounts[v.Spec(j).User].Closed && m.accept(v, j, k, n)
}

// accept asks the filter.
func (m *order) accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	return m.Filter == nil || m.Filter.Accept(v, j, k, n)
}

// attempt is one that may be killed.
type attempt struct {
	id   slotmodel.Attempt
	rank int32 // of its job
	market.Running
}

// reclaim takes slots for the users who hold less than their grants, and returns how many.
func (m *order) reclaim(v *slotmodel.View, a *slotmodel.Actions) (kills int, err error) {
	claims := make([]market.Claim, v.Users())
	for u := range claims {
		claims[u] = market.Claim{Share: m.accounts[u].User.Granted, Held: m.accounts[u].held}
	}
	var attempts []attempt
	latest := make([]int32, v.Users()) // rank of each user's latest job with attempts
	for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
		u := v.Spec(j).User
		add := func(x slotmodel.Attempt, k slotmodel.Kind, slots int) {
			info, rank := v.Attempt(x), internal.Rank(v, j)
			latest[u] = max(latest[u], rank)
			attempts = append(attempts, attempt{x, rank, market.Running{User: u, Kind: k, Slots: slots, Elapsed: v.Now() - info.Start, Progress: info.Progress, Spare: m.unpaid[x]}})
		}
		if internal.Width(v, j) > 1 { // a kill ends all its attempts, and its maps start over
			if x := v.Newest(j, slotmodel.Map); x != slotmodel.None && m.kills[v.Task(j, slotmodel.Map, 0)] < v.Nodes() {
				add(x, slotmodel.Map, int(v.Count(j, slotmodel.Map).Running))
			}
			continue
		}
		for k := range slotmodel.Kind(2) {
			if v.Runnable(j, k) {
				claims[u].Pending[k] += v.Count(j, k).Pending()
			}
			for x := internal.NewestRunning(v, v.Newest(j, k)); x != slotmodel.None; x = internal.NewestRunning(v, v.Older(x)) {
				if m.kills[v.Attempt(x).Task] < v.Nodes() {
					add(x, k, 1)
				}
			}
		}
	}
	for u := range claims {
		c, x := &claims[u], &m.accounts[u]
		for k := range c.Waiting {
			if c.Pending[k] > 0 && c.Held[k] < max(c.Share[k], 1) && x.Share > 0 {
				if x.Waiting[k] < 0 {
					x.Waiting[k] = v.Now()
				}
				c.Waiting[k] = v.Now() - x.Waiting[k]
			} else {
				x.Waiting[k] = -1
			}
		}
	}
	if m.Preempt.Victims.AsListed {
		slices.SortStableFunc(attempts, func(a, b attempt) int {
			return cmp.Or(cmp.Compare(latest[b.User], latest[a.User]), cmp.Compare(a.rank, b.rank), cmp.Compare(a.Progress, b.Progress))
		})
	}
	var running []market.Running
	for _, x := range attempts {
		running = append(running, x.Running)
	}
	victims, err := market.Victims(nil, market.Slots{v.FreeSlots(slotmodel.Map), v.FreeSlots(slotmodel.Reduce)}, claims, running, m.Preempt.Victims)
	for _, i := range victims {
		if x := attempts[i].id; internal.Width(v, v.Attempt(x).Job) > 1 {
			kills += m.replaceGang(v, a, x)
		} else if m.replace(v, a, x) {
			kills++
		}
	}
	return kills, err
}

// replace kills an attempt for the first job that can use its slot, and reports whether there was
// one.
func (m *order) replace(v *slotmodel.View, a *slotmodel.Actions, x slotmodel.Attempt) bool {
	info := v.Attempt(x)
	taken := m.offer(v, info.Kind, info.Node, func(j slotmodel.Job) bool {
		taken, _ := m.taker.Replace(v, a, x, internal.PreemptKill, j)
		return taken
	})
	if taken {
		m.kills[info.Task]++
	}
	return taken
}

// replaceGang kills a rigid job, of which x is the newest attempt, if there is a job that can use
// each of its slots. It returns the number of slots.
func (m *order) replaceGang(v *slotmodel.View, a *slotmodel.Actions, x slotmodel.Attempt) int {
	gang := v.Attempt(x).Job
	memory := v.Spec(gang).Maps.Memory
	var nodes []slotmodel.Node // of its slots
	for ; x != slotmodel.None; x = v.Older(x) {
		n := v.Attempt(x).Node
		if !m.offer(v, slotmodel.Map, n, func(j slotmodel.Job) bool { return v.Spec(j).Maps.Memory <= memory }) {
			return 0
		}
		nodes = append(nodes, n)
	}
	if !a.Kill(v.Newest(gang, slotmodel.Map)) {
		return 0
	}
	m.kills[v.Task(gang, slotmodel.Map, 0)]++
	for _, n := range nodes {
		m.offer(v, slotmodel.Map, n, func(j slotmodel.Job) bool {
			return v.Fits(j, slotmodel.Map, n) && a.Start(j, slotmodel.Map, n)
		})
	}
	return len(nodes)
}

// offer offers a slot of a node to the users who lack slots, in order, until one of their jobs uses
// it. It reports whether one did. Rigid jobs are left out.
func (m *order) offer(v *slotmodel.View, k slotmodel.Kind, n slotmodel.Node, use func(slotmodel.Job) bool) bool {
	m.walk = m.walk[:0]
	m.list(v, k)
	for _, y := range m.walk {
		for j := y.first; j != slotmodel.None; j = v.NextRunnableOf(y.user, j, k) {
			if internal.Width(v, j) == 1 && m.accept(v, j, k, n) && use(j) {
				return true
			}
		}
	}
	return false
}
