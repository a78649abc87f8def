package policy

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/slotmodel"
)

// marketOrder is the Users and the Chooser of Market: for each kind of slot apart, the user whose grant exceeds the slots held by most comes
// first. Ties: the user with the earliest job that has a task of the kind to start. Within a user jobs come by arrival.
type marketOrder struct {
	market *Market
	filter Filter // nil: every start is accepted
	walk   []lacking
	next   int

	taker    taker
	claims   []market.Claim      // by user
	running  []market.Running    // attempts that may be killed
	attempts []slotmodel.Attempt // of running
	victims  []int
	kills    []int // of each task
}

// lacking is a user who lacks slots of a kind.
type lacking struct {
	user  slotmodel.User
	kind  slotmodel.Kind
	slots int
	first slotmodel.Job // the user's earliest with a task to start
}

// begin forgets the previous run.
func (w *marketOrder) begin(v *slotmodel.View) {
	w.taker.begin(v)
	w.claims = make([]market.Claim, v.Users())
	tasks := 0
	for j := range slotmodel.Job(v.Jobs()) {
		tasks += v.Spec(j).Maps.Tasks + v.Spec(j).Reduces.Tasks
	}
	w.kills = make([]int, tasks)
}

// Begin starts a walk over the users who lack slots for the free slots of a node. A user may come twice, once for each kind.
func (w *marketOrder) Begin(v *slotmodel.View, n slotmodel.Node) {
	w.walk, w.next = w.walk[:0], 0
	for k := range slotmodel.Kind(2) {
		if v.Free(n, k) > 0 {
			w.list(v, k)
		}
	}
}

// list adds the users who lack slots of a kind to the walk.
func (w *marketOrder) list(v *slotmodel.View, k slotmodel.Kind) {
	if v.NextRunnable(k, slotmodel.None) == slotmodel.None {
		return
	}
	for i := range w.market.accounts {
		u, x := slotmodel.User(i), &w.market.accounts[i]
		if slots := x.Granted[k] - x.held[k]; slots > 0 {
			if j := v.NextRunnableOf(u, k, slotmodel.None); j != slotmodel.None {
				w.walk = append(w.walk, lacking{u, k, slots, j})
			}
		}
	}
	slices.SortFunc(w.walk, func(a, b lacking) int {
		return cmp.Or(cmp.Compare(b.slots, a.slots), cmp.Compare(a.kind, b.kind), cmp.Compare(rank(v, a.first), rank(v, b.first)))
	})
}

// Next returns the next user of the walk.
func (w *marketOrder) Next(*slotmodel.View) slotmodel.User {
	if w.next == len(w.walk) {
		return slotmodel.None
	}
	w.next++
	return w.walk[w.next-1].user
}

// Choose returns the earliest job that starts a task on a node, of the kind for which the user came in the walk. A rigid job is passed over unless
// the user may take all the slots that it needs, and they are free.
func (w *marketOrder) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	x := w.walk[w.next-1]
	for j := x.first; j != slotmodel.None; j = v.NextRunnableOf(u, x.kind, j) {
		if s := width(v, j); s > 1 && s <= min(x.slots, v.FreeSlots(x.kind)) || s == 1 && v.Fits(j, x.kind, n) && w.accepts(v, j, x.kind, n) {
			return j, x.kind, slotmodel.None, true
		}
	}
	return slotmodel.None, x.kind, slotmodel.None, false
}

// accepts asks the filter.
func (w *marketOrder) accepts(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	return w.filter == nil || w.filter.Accept(v, j, k, n)
}

// reclaim takes slots from users who hold more than their grants for those who hold less, and returns how many. It kills the attempts that
// market.Victims names, and starts in each slot a task of the user who lacks most.
func (w *marketOrder) reclaim(v *slotmodel.View, a *slotmodel.Actions) (kills int) {
	w.running, w.attempts = w.running[:0], w.attempts[:0]
	for u := range w.claims {
		x := &w.market.accounts[u]
		w.claims[u] = market.Claim{Share: x.Granted, Held: x.held}
	}
	for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
		u := v.Spec(j).User
		for k := slotmodel.Kind(0); k < 2 && width(v, j) == 1; k++ {
			if v.Runnable(j, k) {
				w.claims[u].Pending[k] += v.Count(j, k).Pending()
			}
			for x := newestRunning(v, v.Newest(j, k)); x != slotmodel.None; x = newestRunning(v, v.Older(x)) {
				info := v.Attempt(x)
				if w.kills[info.Task] >= v.Nodes() {
					continue
				}
				w.attempts = append(w.attempts, x)
				w.running = append(w.running, market.Running{User: u, Kind: int(k), Elapsed: v.Now() - info.Start, Progress: info.Progress, Spare: w.market.unpaid[x]})
			}
		}
	}
	// It cannot fail: numbers of slots and times are in range, and the options have been checked.
	w.victims, _ = market.Victims(w.victims[:0], market.Slots{v.FreeSlots(slotmodel.Map), v.FreeSlots(slotmodel.Reduce)}, w.claims, w.running, w.market.options.Victims)
	for _, i := range w.victims {
		if w.replace(v, a, w.attempts[i], slotmodel.Kind(w.running[i].Kind)) {
			kills++
		}
	}
	return kills
}

// replace kills an attempt for the first job that can use its slot, and reports whether there was one.
func (w *marketOrder) replace(v *slotmodel.View, a *slotmodel.Actions, x slotmodel.Attempt, k slotmodel.Kind) bool {
	n, t := v.Attempt(x).Node, v.Attempt(x).Task
	w.walk = w.walk[:0]
	w.list(v, k)
	for _, y := range w.walk {
		for j := y.first; j != slotmodel.None; j = v.NextRunnableOf(y.user, k, j) {
			if width(v, j) > 1 || !w.accepts(v, j, k, n) {
				continue
			}
			if taken, _ := w.taker.replace(v, a, x, PreemptKill, j); taken {
				w.kills[t]++
				return true
			}
		}
	}
	return false
}
