package policy

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/slotmodel"
)

// byLack is the Users and the Chooser of Market and Capacity: for each kind of slot apart, the user who lacks most first. Ties: the user with
// the earliest job that has a task of the kind to start. Within a user jobs come by arrival.
type byLack struct {
	shares sharer
	filter Filter // nil: every start is accepted
	walk   []lacking
	next   int
}

// sharer says who lacks slots.
type sharer interface {
	// lack returns by how much a user's slots fall short, in any unit, and how many more the user may take.
	lack(v *slotmodel.View, u slotmodel.User, k slotmodel.Kind) (by float64, most int)
}

// lacking is a user who may take slots of a kind.
type lacking struct {
	user  slotmodel.User
	kind  slotmodel.Kind
	by    float64
	most  int
	first slotmodel.Job // the user's earliest with a task to start
}

// Begin starts a walk over the users for the free slots of a node. A user may come twice, once for each kind.
func (w *byLack) Begin(v *slotmodel.View, n slotmodel.Node) {
	w.walk, w.next = w.walk[:0], 0
	for k := range slotmodel.Kind(2) {
		if v.Free(n, k) > 0 {
			w.list(v, k)
		}
	}
}

// list adds the users who may take slots of a kind to the walk.
func (w *byLack) list(v *slotmodel.View, k slotmodel.Kind) {
	for u := range slotmodel.User(v.Users()) {
		if v.UserJobs(u) == 0 {
			continue
		}
		by, most := w.shares.lack(v, u, k)
		if most <= 0 {
			continue
		}
		if j := v.NextRunnableOf(u, k, slotmodel.None); j != slotmodel.None {
			w.walk = append(w.walk, lacking{u, k, by, most, j})
		}
	}
	slices.SortFunc(w.walk, func(a, b lacking) int {
		switch c := cmp.Or(cmp.Compare(b.by, a.by), cmp.Compare(a.kind, b.kind)); {
		case c != 0 || a.first == b.first:
			return c
		case earlier(v, a.first, b.first):
			return -1
		}
		return 1
	})
}

// Next returns the next user of the walk.
func (w *byLack) Next(*slotmodel.View) slotmodel.User {
	if w.next == len(w.walk) {
		return slotmodel.None
	}
	w.next++
	return w.walk[w.next-1].user
}

// Choose returns the earliest job that starts a task on a node, of the kind for which the user came in the walk. A rigid job is passed over unless the user may
// take all the slots that it needs, and they are free.
func (w *byLack) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	x := w.walk[w.next-1]
	for j := x.first; j != slotmodel.None; j = v.NextRunnableOf(u, x.kind, j) {
		if slots := width(v, j); slots > 1 && slots <= min(x.most, v.FreeSlots(x.kind)) || slots == 1 && v.Fits(j, x.kind, n) && w.accepts(v, j, x.kind, n) {
			return j, x.kind, slotmodel.None, true
		}
	}
	return slotmodel.None, x.kind, slotmodel.None, false
}

// accepts asks the filter.
func (w *byLack) accepts(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	return w.filter == nil || w.filter.Accept(v, j, k, n)
}

// reclaim takes slots from users beyond their shares for those below: it kills the attempts that market.Victims names, and starts in each slot
// a task of the user who lacks most. Attempts of rigid jobs are spared, and no slot is taken for them.
type reclaim struct {
	taker    taker
	claims   []market.Claim // by user
	running  []market.Running
	attempts []slotmodel.Attempt // of running
	victims  []int
}

// begin forgets the previous run.
func (r *reclaim) begin(v *slotmodel.View) {
	r.taker.begin(v)
	r.claims = make([]market.Claim, v.Users())
}

// kill takes the slots and returns how many. share returns the slots a user is to have of a kind, and whether the user may have others killed
// for them; spare says of each attempt whether it goes before others, and may be nil.
func (r *reclaim) kill(v *slotmodel.View, a *slotmodel.Actions, w *byLack, o market.VictimOptions, spare []bool, share func(u slotmodel.User, k slotmodel.Kind) (slots int, claims bool)) int {
	r.running, r.attempts = r.running[:0], r.attempts[:0]
	for u := range r.claims {
		r.claims[u] = market.Claim{}
		for k := range slotmodel.Kind(2) {
			r.claims[u].Share[k], _ = share(slotmodel.User(u), k)
			r.claims[u].Held[k] = v.UserRunning(slotmodel.User(u), k)
		}
	}
	for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
		u := slotmodel.User(v.Spec(j).User)
		for k := range slotmodel.Kind(2) {
			if width(v, j) > 1 {
				continue
			}
			if _, claims := share(u, k); claims && v.Runnable(j, k) {
				r.claims[u].Pending[k] += v.Count(j, k).Pending()
			}
			for x := newestRunning(v, v.Newest(j, k)); x != slotmodel.None; x = newestRunning(v, v.Older(x)) {
				info := v.Attempt(x)
				r.attempts = append(r.attempts, x)
				r.running = append(r.running, market.Running{User: int(u), Kind: int(k), Elapsed: v.Now() - info.Start, Progress: min(1, info.Progress), Spare: int(x) < len(spare) && spare[x]})
			}
		}
	}
	// It cannot fail: numbers of slots and times are in range, and the options have been checked.
	r.victims, _ = market.Victims(r.victims[:0], market.Slots{v.FreeSlots(slotmodel.Map), v.FreeSlots(slotmodel.Reduce)}, r.claims, r.running, o)
	kills := 0
	for _, i := range r.victims {
		if r.replace(v, a, w, r.attempts[i], slotmodel.Kind(r.running[i].Kind)) {
			kills++
		}
	}
	return kills
}

// replace kills an attempt for the first job that can use its slot, and reports whether there was one.
func (r *reclaim) replace(v *slotmodel.View, a *slotmodel.Actions, w *byLack, x slotmodel.Attempt, k slotmodel.Kind) bool {
	n := v.Attempt(x).Node
	w.walk, w.next = w.walk[:0], 0
	w.list(v, k)
	for _, y := range w.walk {
		if c := &r.claims[y.user]; c.Pending[k] == 0 || v.UserRunning(y.user, k) >= c.Share[k] {
			continue
		}
		for j := y.first; j != slotmodel.None; j = v.NextRunnableOf(y.user, k, j) {
			if width(v, j) > 1 || !w.accepts(v, j, k, n) {
				continue
			}
			if taken, _ := r.taker.replace(v, a, x, PreemptKill, j); taken {
				return true
			}
		}
	}
	return false
}
