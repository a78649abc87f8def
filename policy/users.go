package policy

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// FairUsers is fair sharing among users: first the user whose attempts hold the fewest slots,
// of both kinds together, per entitlement (slotmodel.View.Entitlement). A user of entitlement 0
// comes last. Ties: the lower number. A walk costs O(n + U log U) for n users, U of them with jobs
// present. Nothing is allocated in the steady state.
type FairUsers struct{ userWalk }

// Begin starts a walk over the users who have jobs.
func (f *FairUsers) Begin(v *slotmodel.View, _ slotmodel.Node) { f.begin(v, f) }

// Level returns the slots of user u per entitlement, +Inf for an entitlement of 0.
func (f *FairUsers) Level(v *slotmodel.View, u slotmodel.User, fewer float64) float64 {
	return perEntitlement(v, u, slotsHeld(v, u)-fewer)
}

// perEntitlement returns what a user has per entitlement, +Inf for an entitlement of 0.
func perEntitlement(v *slotmodel.View, u slotmodel.User, has float64) float64 {
	if weight := v.Entitlement(u); weight > 0 {
		return has / weight
	}
	return math.Inf(1)
}

// slotsHeld returns the slots of both kinds that the attempts of a user hold.
func slotsHeld(v *slotmodel.View, u slotmodel.User) float64 {
	return float64(v.UserRunning(u, slotmodel.Map) + v.UserRunning(u, slotmodel.Reduce))
}

// userWalk takes the users with jobs present in the order of their levels, ties by number.
type userWalk struct {
	users  []slotmodel.User
	levels []float64 // by user
	at     int       // index in users of the next one
}

// begin starts a walk.
func (w *userWalk) begin(v *slotmodel.View, l Leveler) {
	w.users, w.levels, w.at = w.users[:0], w.levels[:0], 0
	for u := range slotmodel.User(v.Users()) {
		w.levels = append(w.levels, l.Level(v, u, 0))
		if v.UserJobs(u) > 0 {
			w.users = append(w.users, u)
		}
	}
	slices.SortFunc(w.users, func(a, b slotmodel.User) int {
		return cmp.Or(cmp.Compare(w.levels[a], w.levels[b]), cmp.Compare(a, b))
	})
}

// Next returns the next user, slotmodel.None at the end.
func (w *userWalk) Next(*slotmodel.View) slotmodel.User {
	if w.at == len(w.users) {
		return slotmodel.None
	}
	w.at++
	return w.users[w.at-1]
}
