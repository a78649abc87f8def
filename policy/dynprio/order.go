package dynprio

import (
	"cmp"
	"math"
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
	class int           // 0: has waited for the limit of Victims; 1
	first slotmodel.Job // the user's earliest with a task to start
}

// Begin starts a walk over the users who lack slots for the free slots of a node. A user may come
// twice, once for each kind.
func (m *order) Begin(v *slotmodel.View, n slotmodel.Node) {
	m.walk, m.at = m.walk[:0], 0
	for k := range slotmodel.Kind(2) {
		if v.Free(n, k) > 0 {
			m.list(v, k)
		}
	}
}

// list adds the users who lack slots of a kind to the walk.
func (m *order) list(v *slotmodel.View, k slotmodel.Kind) {
	for i := range m.accounts {
		u, x := slotmodel.User(i), &m.accounts[i]
		slots, class := x.Granted[k]-x.held[k], 1
		if limit := m.Victims.Limit; limit > 0 && v.Now()-x.waits[k] >= limit {
			class = 0
			if x.held[k] == 0 {
				slots = max(slots, 1)
			}
		}
		if slots > 0 {
			if j := v.NextRunnableOf(u, k, slotmodel.None); j != slotmodel.None {
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
	for j := x.first; j != slotmodel.None; j = v.NextRunnableOf(u, x.kind, j) {
		if s := internal.Width(v, j); s > 1 && s <= x.slots && internal.GangFits(v, j, s) || s == 1 && v.Fits(j, x.kind, n) && m.accept(v, j, x.kind, n) {
			return j, x.kind, slotmodel.None, true
		}
	}
	return slotmodel.None, x.kind, slotmodel.None, false
}

// accept asks the filter.
func (m *order) accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	return m.Filter == nil || m.Filter.Accept(v, j, k, n)
}

// reclaim takes slots for the users who hold less than their grants, and returns how many.
func (m *order) reclaim(v *slotmodel.View, a *slotmodel.Actions) (kills int, err error) {
	claims := make([]market.Claim, v.Users())
	for u := range claims {
		claims[u] = market.Claim{Share: m.accounts[u].Granted, Held: m.accounts[u].held}
	}
	var attempts []slotmodel.Attempt
	var running []market.Running
	for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
		if internal.Width(v, j) > 1 {
			continue
		}
		u := v.Spec(j).User
		for k := range slotmodel.Kind(2) {
			if v.Runnable(j, k) {
				claims[u].Pending[k] += v.Count(j, k).Pending()
			}
			for x := internal.NewestRunning(v, v.Newest(j, k)); x != slotmodel.None; x = internal.NewestRunning(v, v.Older(x)) {
				if info := v.Attempt(x); m.kills[info.Task] < v.Nodes() {
					attempts = append(attempts, x)
					running = append(running, market.Running{User: u, Kind: k, Elapsed: v.Now() - info.Start, Progress: info.Progress, Spare: m.unpaid[x]})
				}
			}
		}
	}
	for u := range claims {
		c, x := &claims[u], &m.accounts[u]
		for k := range c.Waiting {
			if c.Pending[k] > 0 && c.Held[k] < max(c.Share[k], 1) && u < len(m.grants) && m.grants[u].Share > 0 {
				x.waits[k] = min(x.waits[k], v.Now())
				c.Waiting[k] = v.Now() - x.waits[k]
			} else {
				x.waits[k] = math.Inf(1)
			}
		}
	}
	victims, err := market.Victims(nil, market.Slots{v.FreeSlots(slotmodel.Map), v.FreeSlots(slotmodel.Reduce)}, claims, running, m.Victims)
	for _, i := range victims {
		if m.replace(v, a, attempts[i], running[i].Kind) {
			kills++
		}
	}
	return kills, err
}

// replace kills an attempt for the first job that can use its slot, and reports whether there was
// one.
func (m *order) replace(v *slotmodel.View, a *slotmodel.Actions, x slotmodel.Attempt, k slotmodel.Kind) bool {
	n, t := v.Attempt(x).Node, v.Attempt(x).Task
	m.walk = m.walk[:0]
	m.list(v, k)
	for _, y := range m.walk {
		for j := y.first; j != slotmodel.None; j = v.NextRunnableOf(y.user, k, j) {
			if internal.Width(v, j) > 1 || !m.accept(v, j, k, n) {
				continue
			}
			if taken, _ := m.taker.Replace(v, a, x, internal.PreemptKill, j); taken {
				m.kills[t]++
				return true
			}
		}
	}
	return false
}
