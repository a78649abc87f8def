package policy

import (
	"github.com/schedmath/schedmath/drf"
	"github.com/schedmath/schedmath/slotmodel"
)

// DRF is dominant resource fairness among users [6]: first the user with the smallest dominant
// share (drf.DominantShare) per entitlement (slotmodel.View.Entitlement); a user of entitlement 0
// comes last. Ties: the lower number. The resources are the slots of both kinds together and the
// memory of the nodes that are up; a user has of them what its attempts hold, suspended ones their
// memory. If a node has no limit of memory, slots alone count, and the order is that of FairUsers,
// except for rounding.
//
// DRF must see every event; PerUser hands events on. A walk costs what one of FairUsers does, the
// loss or return of a node O(nodes).
type DRF struct {
	userWalk
	memory float64 // bytes, of nodes that are up
}

// BeginRun forgets the previous run.
func (d *DRF) BeginRun(v *slotmodel.View) { d.measure(v) }

// Observe follows the nodes that are up.
func (d *DRF) Observe(v *slotmodel.View, e slotmodel.Event) {
	if e.Type == slotmodel.NodeDown || e.Type == slotmodel.NodeUp {
		d.measure(v)
	}
}

// measure adds up the memory of the cluster.
func (d *DRF) measure(v *slotmodel.View) {
	d.memory = 0
	for n := range slotmodel.Node(v.Nodes()) {
		if v.Up(n) {
			all, _ := v.Memory(n)
			d.memory += all
		}
	}
}

// Begin starts a walk over the users who have jobs.
func (d *DRF) Begin(v *slotmodel.View, _ slotmodel.Node) { d.begin(v, d) }

// Level returns the dominant share of user u per entitlement, +Inf for an entitlement of 0. Slots
// fewer make both fractions smaller by their part of the cluster's slots; a share is at least 0.
func (d *DRF) Level(v *slotmodel.View, u slotmodel.User, fewer float64) float64 {
	slots := float64(v.TotalSlots())
	held := [2]float64{slotsHeld(v, u) - fewer, v.UserMemory(u) - fewer/slots*d.memory}
	return perEntitlement(v, u, drf.DominantShare([]float64{slots, d.memory}, held[:]))
}
