package drf

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/tree"
)

// filling is progressive filling over a tree. It raises levels at constant rates up to the next
// event, where the rates change: a resource is used up, a user has all of its tasks, a node catches
// up with a sibling that is ahead, or another resource becomes dominant at an inner node.
//
// Rates are by the level of the root. Vectors are parts of the capacity, per resource.
type filling struct {
	tasks []float64
	nodes []*node   // children before their parents; the root is last
	units []float64 // of user i from m i on: what it uses, by the level of its group
	full  []bool    // resources that are used up
	used  []float64
	rates []float64 // of used
}

// node is an inner node, or a group: the users below one inner node who can grow. They have grown
// together, each by its weight, so that to the inner node they are one child of weight 1.
type node struct {
	weight  float64
	share   float64   // dominant share
	open    bool      // it can grow
	level   float64   // the least share for each unit of weight of a child that can grow
	rate    float64   // of its level; 0: it does not grow now
	gain    float64   // growth of its share by the level; 0: its children grow without it
	pace    float64   // gain, or where that is 0 the growth of the resource that grows most
	counted []float64 // what counts for its share
	grows   []float64 // growth of counted by the level
	// Of an inner node:
	kids     []*node
	done     []float64 // used by users below it who cannot grow
	onlyFree bool      // only the children at the level whose gain is 0 grow
	// Of a group:
	over  *node
	users []user    // in the order of their limits
	sums  []float64 // of the units of users[k:], for each k
}

// user is one who can grow.
type user struct {
	index int
	tasks float64 // by the level of its group
	most  float64 // tasks
	limit float64 // level at which it has most
}

// near is the relative difference below which two shares or levels are one: far more than rounding,
// far less than matters.
const near = 0x1p-40

// begin is the part of a resource with which the users of each group begin: so shares in a tree,
// and their ratios at every level, stay inside float64.
const begin = 0x1p-100

func newFilling(capacity []float64, users []User, t tree.Tree, tasks []float64) *filling {
	m := len(capacity)
	f := &filling{tasks: tasks, units: make([]float64, m*len(users)),
		full: make([]bool, m), used: make([]float64, m), rates: make([]float64, m)}
	inner := make([]*node, len(users))
	build := func(weight float64, children []int) *node {
		p := &node{weight: weight, counted: make([]float64, m), grows: make([]float64, m), done: make([]float64, m)}
		g := &node{weight: 1, gain: 1, pace: 1, counted: make([]float64, m), over: p}
		heaviest := 0.
		for _, c := range children {
			one := DominantShare(capacity, users[c].Demand)
			switch {
			case inner[c] != nil:
				p.kids = append(p.kids, inner[c])
			case one > 0 && !math.IsInf(one, 1): // others get no tasks
				by, most := users[c].weight()/one, users[c].most()
				heaviest = max(heaviest, users[c].weight())
				g.users = append(g.users, user{c, by, most, most / by})
				for r, d := range users[c].Demand {
					if d > 0 {
						f.units[m*c+r] = d / capacity[r] * by
					}
				}
			}
		}
		slices.SortFunc(g.users, func(a, b user) int { return cmp.Or(cmp.Compare(a.limit, b.limit), cmp.Compare(a.index, b.index)) })
		f.sum(g)
		if heaviest > 0 {
			g.level = begin / heaviest
		}
		p.kids = append(p.kids, g)
		f.nodes = append(f.nodes, g, p)
		return p
	}
	for _, i := range slices.Backward(t.Order) {
		if kids := t.Children(i); len(kids) > 0 {
			inner[i] = build(users[i].weight(), kids)
		}
	}
	build(1, t.Children(-1))
	return f
}

// unit is what a user uses, by the level of its group.
func (f *filling) unit(u user) []float64 { return f.units[len(f.used)*u.index:][:len(f.used)] }

// sum adds up the units of a group from the last user on: differences of sums would lose small
// ones.
func (f *filling) sum(g *node) {
	m, n := len(f.used), len(g.users)
	g.sums = make([]float64, m*(n+1))
	for k := n - 1; k >= 0; k-- {
		copy(g.sums[m*k:], g.sums[m*(k+1):][:m])
		accumulate(g.sums[m*k:], 1, f.unit(g.users[k]))
	}
}

// accumulate adds part v to sum.
func accumulate(sum []float64, part float64, v []float64) {
	for r, x := range v {
		sum[r] += float64(part * x)
	}
}

// measure finds shares and rates, and says whether anybody can grow.
func (f *filling) measure() bool {
	clear(f.used)
	clear(f.rates)
	for _, k := range f.nodes {
		if k.over != nil {
			f.gather(k)
			accumulate(f.used, 1, k.counted)
		} else {
			f.combine(k)
			accumulate(f.used, 1, k.done)
		}
	}
	root := f.nodes[len(f.nodes)-1]
	root.rate = 1
	for _, p := range slices.Backward(f.nodes) {
		for _, k := range p.kids {
			if k.rate = 0; p.rate > 0 && k.at(p) {
				k.rate = p.rate * k.along(p)
			}
		}
		if p.over != nil {
			accumulate(f.rates, p.rate, p.grows)
		}
	}
	return root.open
}

// at reports whether a child that can grow is at the level of its parent.
func (k *node) at(p *node) bool { return k.open && k.share/k.weight <= p.level*(1+near) }

// along returns how fast the level of k grows by the level of its parent, at which it is.
func (k *node) along(p *node) float64 {
	if p.onlyFree && k.gain > 0 {
		return 0
	}
	return k.weight / k.pace
}

// gather ends the users of a group who have all of their tasks, and finds what the others use.
func (f *filling) gather(g *node) {
	m := len(f.used)
	for len(g.users) > 0 && g.users[0].limit <= g.level*(1+0x1p-50) {
		f.end(g, g.users[0], g.users[0].most)
		g.users, g.sums = g.users[1:], g.sums[m:]
	}
	g.share, g.open, g.grows = g.level, len(g.users) > 0, g.sums[:m]
	clear(g.counted)
	accumulate(g.counted, g.level, g.grows)
}

// end gives a user of a group its tasks.
func (f *filling) end(g *node, u user, tasks float64) {
	f.tasks[u.index] = tasks
	accumulate(g.over.done, tasks/u.tasks, f.unit(u))
}

// combine finds the share of an inner node and how it grows.
func (f *filling) combine(p *node) {
	p.open, p.onlyFree, p.level = false, false, math.Inf(1)
	for _, k := range p.kids {
		if k.open {
			p.open, p.level = true, min(p.level, k.share/k.weight)
		}
	}
	for _, k := range p.kids {
		p.onlyFree = p.onlyFree || k.gain == 0 && k.at(p)
	}
	copy(p.counted, p.done)
	clear(p.grows)
	for _, k := range p.kids {
		scale, slope := 1., 0. // of counted, and of its growth
		switch {
		case !k.open:
		case k.at(p):
			accumulate(p.grows, k.along(p), k.grows)
		case p.onlyFree:
			scale = p.level * k.weight / k.share
		default: // ahead: it counts as far as the level
			scale, slope = p.level*k.weight/k.share, k.weight/k.share
		}
		accumulate(p.counted, scale, k.counted)
		accumulate(p.grows, slope, k.counted)
	}
	p.share, p.gain = 0, 0
	most := 0. // growth of any resource
	for r, c := range p.counted {
		if !f.full[r] {
			p.share, most = max(p.share, c), max(most, p.grows[r])
		}
	}
	for r, c := range p.counted {
		if !f.full[r] && c >= p.share*(1-near) {
			p.gain = max(p.gain, p.grows[r])
		}
	}
	if p.pace = p.gain; p.gain <= most*begin {
		p.gain, p.pace = 0, most
	}
}

// step goes on to the next event.
func (f *filling) step() {
	span := math.Inf(1) // of the root's level
	for r, rate := range f.rates {
		if !f.full[r] && rate > 0 {
			span = min(span, max(0, 1-f.used[r])/rate)
		}
	}
	until := span // when a resource is used up
	for i, p := range f.nodes {
		if p.rate == 0 || !p.open {
			continue
		}
		if p.over != nil {
			span = min(span, (p.users[0].limit-p.level)/p.rate)
			continue
		}
		for _, k := range p.kids {
			if k.open && !k.at(p) && !p.onlyFree {
				span = min(span, (k.share/k.weight-p.level)/p.rate)
			}
		}
		for r, grows := range p.grows {
			if i < len(f.nodes)-1 && !f.full[r] && grows > p.gain && p.counted[r] < p.share*(1-near) {
				span = min(span, (p.share-p.counted[r])/((grows-p.gain)*p.rate))
			}
		}
	}
	for _, g := range f.nodes {
		if g.over != nil && g.rate > 0 {
			g.level += float64(g.rate * span)
		}
	}
	if span == until {
		f.fill(span)
	}
}

// fill marks the resources that are used up within span, and ends the users who need them.
func (f *filling) fill(span float64) {
	for r, rate := range f.rates {
		f.full[r] = f.full[r] || rate > 0 && max(0, 1-f.used[r])/rate <= span*(1+near)
	}
	for _, g := range f.nodes {
		if g.over == nil {
			continue
		}
		g.users = slices.DeleteFunc(g.users, func(u user) bool {
			for r, x := range f.unit(u) {
				if f.full[r] && x > 0 {
					f.end(g, u, g.level*u.tasks)
					return true
				}
			}
			return false
		})
		f.sum(g)
	}
}
