package shufflewatcher

import (
	"math/rand/v2"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
)

// vacant is ShuffleWatcher by section 3.3 read literally: the reduces of a job become candidates as
// soon as their user is asked about a node with room for one.
type vacant struct{ *shufflewatcher.Chooser }

// enable makes the reduces of a user candidates that node n could start. To a Chooser that is the
// same as the end of the job's maps.
func (c vacant) enable(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) {
	for j := v.NextRunnableOf(u, slotmodel.None, slotmodel.Reduce); j != slotmodel.None; j = v.NextRunnableOf(u, j, slotmodel.Reduce) {
		if v.Fits(j, slotmodel.Reduce, n) {
			c.Observe(v, slotmodel.Event{Type: slotmodel.MapsEnded, Job: j})
		}
	}
}

// Choose returns the task that node n starts for user u.
func (c vacant) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	c.enable(v, u, n)
	return c.Chooser.Choose(v, u, n)
}

// Prefers reports whether the best task of user u for node n prefers the node.
func (c vacant) Prefers(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) bool {
	c.enable(v, u, n)
	return c.Chooser.Prefers(v, u, n)
}

// Idle reports whether no user has a candidate for node n.
func (c vacant) Idle(v *slotmodel.View, n slotmodel.Node) bool {
	return (v.Free(slotmodel.Reduce, n) == 0 || v.NextRunnable(slotmodel.None, slotmodel.Reduce) == slotmodel.None) && c.Chooser.Idle(v, n)
}

// scattered is PerUser with a ShuffleWatcher whose free nodes are served in random order, drawn anew
// for each decision.
type scattered struct {
	*policy.PerUser
	only   *only
	random *rand.Rand
	nodes  []slotmodel.Node
}

// only is a Chooser that has tasks for one node alone.
type only struct {
	*shufflewatcher.Chooser
	node slotmodel.Node
}

// Idle reports whether no user has a candidate for node n, or whether it is not the node.
func (c *only) Idle(v *slotmodel.View, n slotmodel.Node) bool {
	return n != c.node || c.Chooser.Idle(v, n)
}

func newScattered(p *policy.PerUser, w *shufflewatcher.Chooser, seed uint64) *scattered {
	s := &scattered{PerUser: p, only: &only{Chooser: w}, random: rand.New(rand.NewPCG(seed, 0))}
	p.Chooser = s.only
	return s
}

// Decide serves the free nodes one by one, until no task starts on any of them.
func (s *scattered) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	free := func(n slotmodel.Node) int { return v.Free(slotmodel.Map, n) + v.Free(slotmodel.Reduce, n) }
	s.nodes = s.nodes[:0]
	for n := range slotmodel.Node(v.Nodes()) {
		if free(n) > 0 {
			s.nodes = append(s.nodes, n)
		}
	}
	s.random.Shuffle(len(s.nodes), func(i, j int) { s.nodes[i], s.nodes[j] = s.nodes[j], s.nodes[i] })
	for started := true; started; {
		started = false
		for _, n := range s.nodes {
			was := free(n)
			s.only.node = n
			s.PerUser.Decide(v, a)
			started = started || free(n) < was
		}
	}
}
