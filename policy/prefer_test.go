package policy_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// picky is Earliest for users who prefer racks by number. Each of its choices is checked against
// the definitions of Earliest, of the users and of PerUser.Prefer.
type picky struct {
	policy.Earliest
	t        policytest.Failer
	users    string // DRF, or a level of slots
	prefer   bool
	slack    float64
	nodes    []slotmodel.NodeSpec
	choices  int
	overtook [2]int // starts that went to a user who does not come first without Prefer: of its level, within Slack
}

func (c *picky) Prefers(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) bool {
	_, _, _, ok := c.Earliest.Choose(v, u, n)
	return ok && (int(u)+int(v.RackOf(n)))%3 == 0
}

// holds counts the slots that the attempts of a user hold.
func holds(v *slotmodel.View, u slotmodel.User) (slots float64) {
	for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
		if slotmodel.User(v.Spec(j).User) == u {
			slots += float64(v.Count(j, slotmodel.Map).Running + v.Count(j, slotmodel.Reduce).Running)
		}
	}
	return slots
}

// level is that of a user as if it held fewer slots.
func (c *picky) level(v *slotmodel.View, u slotmodel.User, fewer float64) float64 {
	w := v.Entitlement(u)
	if c.users == "DRF" {
		slots, memory := 0., 0. // of the nodes that are up
		for i, n := range c.nodes {
			if v.Up(slotmodel.Node(i)) {
				slots, memory = slots+float64(n.Maps+n.Reduces+n.Slots), memory+n.Memory
			}
		}
		return max((holds(v, u)-fewer)/slots, v.UserMemory(u)/memory-fewer/slots) / w
	}
	return (holds(v, u) - fewer) / w
}

// before reports whether user a comes before user b for node n.
func (c *picky) before(v *slotmodel.View, a, b slotmodel.User, n slotmodel.Node) bool {
	fewer := func(u slotmodel.User) float64 {
		if !c.prefer || !c.Prefers(v, u, n) || holds(v, u) < 1 {
			return 0
		}
		return min(c.slack, holds(v, u)-1)
	}
	x, y := c.level(v, a, fewer(a)), c.level(v, b, fewer(b))
	if c.users == "DRF" && fewer(a)+fewer(b) > 0 && math.Abs(x-y) < 1e-12 {
		return false // shares of slots and of memory that are equal but for rounding
	}
	if x != y {
		return x < y
	}
	if p, q := c.Prefers(v, a, n), c.Prefers(v, b, n); c.prefer && p != q {
		return p
	}
	if x, y := c.level(v, a, 0), c.level(v, b, 0); x != y {
		return x < y
	}
	return a < b
}

// earliest checks a choice of Earliest: the first job by arrival with a task that fits, its maps
// first.
func (c *picky) earliest(v *slotmodel.View, u slotmodel.User, n slotmodel.Node, j slotmodel.Job, k slotmodel.Kind, ok bool) {
	for _, x := range policytest.ByArrival(v) {
		for kind := range slotmodel.Kind(2) {
			s := v.Spec(x)
			wide := policytest.Wide(s)
			if slotmodel.User(s.User) != u || wide == 1 && !v.Fits(x, kind, n) || wide > 1 && (!v.Runnable(x, kind) || v.Free(kind, n) == 0 || wide > v.FreeSlots(kind)) {
				continue
			}
			if !ok || j != x || k != kind {
				c.t.Fatalf("at %v s user %d starts a %v of job %d on node %d (%t), want a %v of job %d", v.Now(), u, k, j, n, ok, kind, x)
			}
			return
		}
	}
	if ok {
		c.t.Fatalf("at %v s user %d starts a %v of job %d on node %d, want nothing", v.Now(), u, k, j, n)
	}
}

// Choose is checked: no user who could start a task comes before u.
func (c *picky) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	j, k, t, ok := c.Earliest.Choose(v, u, n)
	c.earliest(v, u, n, j, k, ok)
	if !ok || policytest.Wide(v.Spec(j)) > 1 {
		return j, k, t, ok
	}
	c.choices++
	for w := range slotmodel.User(v.Users()) {
		other, _, _, could := c.Earliest.Choose(v, w, n)
		if w == u || !could || policytest.Wide(v.Spec(other)) > 1 {
			continue
		}
		if c.before(v, w, u, n) {
			c.t.Fatalf("at %v s node %d serves user %d of level %v, want user %d of level %v", v.Now(), n, u, c.level(v, u, 0), w, c.level(v, w, 0))
		}
		switch x, y := c.level(v, u, 0), c.level(v, w, 0); {
		case x > y:
			c.overtook[1]++
			if holds(v, w) == 0 || holds(v, u) == 0 {
				c.t.Fatalf("at %v s user %d goes before user %d, who holds nothing", v.Now(), u, w)
			}
		case x == y && u > w:
			c.overtook[0]++
		}
	}
	return j, k, t, ok
}

// leveledUsers is ownUsers with a level.
type leveledUsers struct{ ownUsers }

func (*leveledUsers) Level(v *slotmodel.View, u slotmodel.User, fewer float64) float64 {
	return (holds(v, u) - fewer) / v.Entitlement(u)
}

// Each start goes to the user who comes first by the definition, under FairUsers, DRF and Users of
// one's own, with Prefer and without, whatever the nodes that are up; no slot stays free that a
// user could use, and every job ends.
func TestPrefer(t *testing.T) {
	var overtook [2]int
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		x := &picky{users: []string{"fair", "DRF", "own"}[rapid.IntRange(0, 2).Draw(t, "users")], prefer: rapid.IntRange(0, 4).Draw(t, "prefer") > 0,
			slack: []float64{0, .5, 1, 2.5}[rapid.IntRange(0, 3).Draw(t, "slack")]}
		limited := rapid.Bool().Draw(t, "memory is limited")
		for i := range c.Nodes {
			n := &c.Nodes[i]
			n.Slots = rapid.IntRange(0, 2).Draw(t, "shared slots")
			n.Memory = math.Inf(1)
			if limited {
				n.Memory = float64(rapid.IntRange(4, 8).Draw(t, "memory"))
			}
		}
		x.nodes = c.Nodes
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		for i := range jobs {
			if jobs[i].Maps.Memory = float64(rapid.IntRange(0, 4).Draw(t, "map memory")); jobs[i].Rigid {
				jobs[i].Maps.Memory = 0
			}
		}
		weights := []float64{1, 1, 1, 1}
		if x.users != "own" {
			for u := range weights {
				weights[u] = float64(rapid.IntRange(1, 3).Draw(t, "weight"))
			}
		}
		x.t = t
		p := &policy.PerUser{Chooser: x, Prefer: x.prefer, Slack: x.slack}
		switch x.users {
		case "DRF":
			p.Users = new(policy.DRF)
		case "own":
			p.Users = new(leveledUsers)
		}
		check := func(v *slotmodel.View) {
			walk := new(policy.FairUsers)
			walk.Begin(v, 0)
			for u := walk.Next(v); u != slotmodel.None; u = walk.Next(v) {
				if v.UserJobs(u) == 0 {
					t.Fatalf("at %v s user %d of the walk has no job", v.Now(), u)
				}
			}
			for u := range slotmodel.User(v.Users()) {
				for n := range slotmodel.Node(v.Nodes()) {
					if _, _, _, ok := x.Earliest.Choose(v, u, n); ok {
						t.Fatalf("at %v s a slot of node %d stays free, though user %d has a task for it", v.Now(), n, u)
					}
				}
			}
		}
		res, err := slotmodel.Run(c, jobs, &policytest.After{Policy: p, Check: check}, slotmodel.Options{Entitlements: weights})
		if err != nil {
			t.Fatalf("Run failed: %v", err)
		}
		for j, r := range res.Jobs {
			if r.Outcome == slotmodel.Unended {
				t.Fatalf("job %d has not ended", j)
			}
		}
		if x.prefer {
			overtook[0], overtook[1] = overtook[0]+x.overtook[0], overtook[1]+x.overtook[1]
		}
	}
	rapid.Check(t, property)
	overtook = [2]int{}
	policytest.Counted(t, 3000, property)
	if overtook[0] < 200 || overtook[1] < 200 {
		t.Errorf("%d users go first among equals and %d within Slack, want 200 each: the workloads test nothing", overtook[0], overtook[1])
	}
}

// Of many users of one level those with a preferred task come by number, and then the others.
func TestPreferKeepsOrder(t *testing.T) {
	const users = 60
	jobs, want := make([]slotmodel.JobSpec, users), ""
	for i := range jobs {
		jobs[i] = policytest.Maps(0, 1, 1)
		jobs[i].User = i
		want += fmt.Sprintf("0:%dm@%d ", (2*i+1)%(users+1), i)
	}
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(users, users, 1, 0)}
	got := policytest.Starts(t, c, jobs, &policy.PerUser{Prefer: true, Chooser: oddUsers{}})
	if got, _, _ = strings.Cut(got, "|"); got != want {
		t.Errorf("the starts are %q, want %q", got, want)
	}
}

// oddUsers is Earliest that prefers all nodes for users of odd numbers.
type oddUsers struct{}

func (oddUsers) Prefers(_ *slotmodel.View, u slotmodel.User, _ slotmodel.Node) bool { return u%2 == 1 }

func (oddUsers) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	return new(policy.Earliest).Choose(v, u, n)
}
