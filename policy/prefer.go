package policy

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
)

// Preferrer is an optional interface of a Chooser that prefers some nodes for a task to others. It
// serves PerUser.Prefer.
//
// A type that embeds a Chooser and changes Choose must change Prefers too: the Prefers that it
// inherits answers for the embedded Chooser.
type Preferrer interface {
	// Prefers reports whether Choose would now find a task of user u for node n, and node n is
	// one that this task prefers. It leaves the answers of Choose as they are.
	Prefers(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) bool
}

// Leveler is an optional interface of Users who come in the order of a level, the lowest first. It
// serves PerUser.Prefer. FairUsers and DRF have it.
type Leveler interface {
	// Level returns what the level of user u would be if its attempts held fewer slots, by the
	// number given, which is >= 0; the result need not be.
	Level(v *slotmodel.View, u slotmodel.User, fewer float64) float64
}

// preferring is the Users of PerUser with Prefer.
type preferring struct {
	users   Users
	level   Leveler
	chooser Preferrer
	slack   float64
	walk    []claim
	at      int // index in walk of the next user
}

// claim is the place of a user in a walk.
type claim struct {
	user  slotmodel.User
	level float64
	after int // 0: the user has a preferred task; 1: none
}

// around returns the walk around users, or users if they have no level or chooser prefers nothing.
func (p *preferring) around(users Users, chooser Chooser, slack float64) Users {
	level, ordered := users.(Leveler)
	prefer, ok := chooser.(Preferrer)
	if !ordered || !ok {
		return users
	}
	p.users, p.level, p.chooser, p.slack = users, level, prefer, slack
	return p
}

// Begin walks users once and orders them.
func (p *preferring) Begin(v *slotmodel.View, n slotmodel.Node) {
	p.walk, p.at = p.walk[:0], 0
	p.users.Begin(v, n)
	for u := p.users.Next(v); u != slotmodel.None; u = p.users.Next(v) {
		c := claim{user: u, after: 1}
		fewer := 0.0
		if p.chooser.Prefers(v, u, n) {
			c.after, fewer = 0, min(p.slack, max(0, slotsHeld(v, u)-1))
		}
		c.level = p.level.Level(v, u, fewer)
		p.walk = append(p.walk, c)
	}
	slices.SortStableFunc(p.walk, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.after, b.after))
	})
}

// Next returns the next user of the walk.
func (p *preferring) Next(*slotmodel.View) slotmodel.User {
	if p.at == len(p.walk) {
		return slotmodel.None
	}
	p.at++
	return p.walk[p.at-1].user
}
