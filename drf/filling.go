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
// The users below one node who can grow have grown together, so that one number says how far all of
// them are. Rates are by the level of the root. Vectors are parts of the capacity, per resource.
type filling struct {
	tasks []float64
	nodes []*node // inner nodes, children before their parents; the root is last
	full  []bool  // resources that are used up
	used  []float64
	rates []float64 // of used
}

// node is an inner node.
type node struct {
	weight   float64
	kids     []*node   // children that are inner nodes
	users    []user    // children who can grow, in the order of their limits
	sums     []float64 // of the units of users[k:], for each k
	top      float64   // dominant share of each of users, for each unit of weight
	done     []float64 // used by the users who cannot grow
	counted  []float64 // what counts for its share
	grows    []float64 // growth of counted by the level
	share    float64   // dominant share
	level    float64   // the least share for each unit of weight of a child that can grow
	gain     float64   // growth of its share by the level; 0: its children grow without it
	rate     float64   // of its level; 0: it does not grow now
	open     bool      // it can grow
	onlyFree bool      // only the children at the level whose gain is 0 grow
}

// user is one who can grow.
type user struct {
	index int
	unit  []float64 // what it uses, by top
	tasks float64   // by top
	most  float64   // tasks
	limit float64   // top at which it has most
}

// near is the relative difference below which two shares or levels are one: far more than rounding,
// far less than matters.
const near = 0x1p-40

func newFilling(capacity []float64, users []User, t tree.Tree, tasks []float64) *filling {
	m, n := len(capacity), len(users)
	f := &filling{tasks: tasks, full: make([]bool, m), used: make([]float64, m), rates: make([]float64, m)}
	units := make([]float64, m*n)
	inner := make([]*node, n)
	build := func(weight float64, children []int) *node {
		p := &node{weight: weight, done: make([]float64, m), counted: make([]float64, m), grows: make([]float64, m)}
		for _, c := range children {
			u := &users[c]
			one := DominantShare(capacity, u.Demand)
			if inner[c] != nil {
				p.kids = append(p.kids, inner[c])
			}
			if one == 0 || math.IsInf(one, 1) { // such a user gets no tasks
				continue
			}
			k := user{c, units[m*c:][:m], u.weight() / one, u.most(), u.most() / (u.weight() / one)}
			for r, d := range u.Demand {
				if d > 0 {
					k.unit[r] = d / capacity[r] * k.tasks
				}
			}
			p.users = append(p.users, k)
		}
		slices.SortFunc(p.users, func(a, b user) int { return cmp.Or(cmp.Compare(a.limit, b.limit), cmp.Compare(a.index, b.index)) })
		p.add(m)
		f.nodes = append(f.nodes, p)
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

// add adds up the units of the users, from the last one on: differences of sums would lose small
// ones.
func (p *node) add(m int) {
	p.sums = slices.Grow(p.sums[:0], m*(len(p.users)+1))[:m*(len(p.users)+1)]
	clear(p.sums[m*len(p.users):])
	for k := len(p.users) - 1; k >= 0; k-- {
		for r, u := range p.users[k].unit {
			p.sums[m*k+r] = p.sums[m*(k+1)+r] + u
		}
	}
}

// unit is what all users use together, by top.
func (p *node) unit() []float64 { return p.sums[:len(p.done)] }

// end gives a user its tasks.
func (f *filling) end(p *node, u user, top float64) {
	f.tasks[u.index] = top * u.tasks
	if top == u.limit {
		f.tasks[u.index] = u.most // to the last bit
	}
	accumulate(p.done, top, u.unit)
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
	for _, p := range f.nodes {
		for len(p.users) > 0 && p.users[0].limit <= p.top*(1+0x1p-50) {
			f.end(p, p.users[0], p.users[0].limit)
			p.users, p.sums = p.users[1:], p.sums[len(p.done):]
		}
		accumulate(f.used, 1, p.done)
		accumulate(f.used, p.top, p.unit())
		f.combine(p)
	}
	root := f.nodes[len(f.nodes)-1]
	root.rate = 1
	for _, p := range slices.Backward(f.nodes) {
		for _, k := range p.kids {
			if k.rate = 0; p.rate > 0 && k.at(p) {
				k.rate = p.rate * k.along(p)
			}
		}
		if p.usersGrow() {
			accumulate(f.rates, p.rate, p.unit())
		}
	}
	return root.open
}

// at reports whether a child that can grow is at the level of its parent.
func (k *node) at(p *node) bool { return k.open && k.share/k.weight <= p.level*(1+near) }

// along returns how fast the level of k grows by the level of its parent, at which it is.
func (k *node) along(p *node) float64 {
	switch {
	case !p.onlyFree:
		return k.weight / k.gain
	case k.gain == 0:
		return k.weight
	}
	return 0
}

// usersGrow reports whether the users below p grow.
func (p *node) usersGrow() bool {
	return p.rate > 0 && len(p.users) > 0 && !p.onlyFree && p.top <= p.level*(1+near)
}

// combine finds the share of a node and how it grows.
func (f *filling) combine(p *node) {
	p.open, p.onlyFree, p.level = len(p.users) > 0, false, math.Inf(1)
	if p.open {
		p.level = p.top
	}
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
	// A child that is ahead counts as far as the level.
	if len(p.users) > 0 {
		accumulate(p.counted, min(p.top, p.level), p.unit())
		if !p.onlyFree {
			accumulate(p.grows, 1, p.unit())
		}
	}
	for _, k := range p.kids {
		if !k.open {
			accumulate(p.counted, 1, k.counted)
		} else if k.at(p) {
			accumulate(p.counted, 1, k.counted)
			accumulate(p.grows, k.along(p), k.grows)
		} else {
			accumulate(p.counted, p.level*k.weight/k.share, k.counted)
			if !p.onlyFree {
				accumulate(p.grows, k.weight/k.share, k.counted)
			}
		}
	}
	p.share, p.gain = 0, 0
	for r, c := range p.counted {
		if !f.full[r] {
			p.share = max(p.share, c)
		}
	}
	for r, c := range p.counted {
		if !f.full[r] && c >= p.share*(1-near) {
			p.gain = max(p.gain, p.grows[r])
		}
	}
}

// step goes on to the next event. It returns false if a level leaves the range of a float64.
func (f *filling) step() bool {
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
		for _, k := range p.kids {
			if k.open && !k.at(p) && !p.onlyFree {
				span = min(span, (k.share/k.weight-p.level)/p.rate)
			}
		}
		if p.usersGrow() {
			span = min(span, (p.users[0].limit-p.top)/p.rate)
		} else if len(p.users) > 0 && !p.onlyFree {
			span = min(span, (p.top-p.level)/p.rate)
		}
		for r, grows := range p.grows {
			if i < len(f.nodes)-1 && !f.full[r] && grows > p.gain && p.counted[r] < p.share*(1-near) {
				span = min(span, (p.share-p.counted[r])/((grows-p.gain)*p.rate))
			}
		}
	}
	for _, p := range f.nodes {
		if p.usersGrow() {
			p.top += p.rate * span
		}
		if !(p.top <= math.MaxFloat64) {
			return false
		}
	}
	if span == until {
		f.fill(span)
	}
	return true
}

// fill marks the resources that are used up within span, and ends the users who need them.
func (f *filling) fill(span float64) {
	for r, rate := range f.rates {
		f.full[r] = f.full[r] || rate > 0 && max(0, 1-f.used[r])/rate <= span*(1+near)
	}
	for _, p := range f.nodes {
		p.users = slices.DeleteFunc(p.users, func(u user) bool {
			for r, x := range u.unit {
				if f.full[r] && x > 0 {
					f.end(p, u, p.top)
					return true
				}
			}
			return false
		})
		p.add(len(p.done))
	}
}
