package drf

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/tree"
)

// filling is progressive filling over a tree. It raises the tasks of users at constant rates up to
// the next event, where the rates change: a resource is used up, a user below an inner node has all
// of its tasks, a node catches up with a sibling that is ahead, or another resource becomes
// dominant at an inner node. A user directly below the root who has all of its tasks within a step
// changes no other's rate, so that the step is only too short.
//
// Rates are by the level of the root. Vectors are parts of the capacity, per resource.
type filling struct {
	tree  tree.Tree
	tasks []float64
	nodes []node // the root is last
	full  []bool // resources that are used up
	used  []float64
	done  []float64 // used by users who cannot grow
	rates []float64 // of used
}

// node is a user, or an inner node.
type node struct {
	weight float64
	share  float64 // dominant share
	open   bool    // it can grow
	rate   float64 // of a user's tasks, or of an inner node's level; 0: it does not grow now
	// Of a user:
	unit []float64 // one task
	one  float64   // dominant share of one task
	most float64
	// Of an inner node:
	inner    bool
	kids     []int     // its children, but for users who cannot grow
	done     []float64 // counted of these users
	counted  []float64 // what counts for its share
	grows    []float64 // growth of counted by the level
	level    float64   // the least share for each unit of weight of a child that can grow
	gain     float64   // growth of its share by the level; 0: its children grow without it
	onlyFree bool      // only the children at the level whose gain is 0 grow
}

// near is the relative difference below which two shares or levels are one: far more than rounding,
// far less than matters.
const near = 0x1p-40

func newFilling(capacity []float64, users []User, t tree.Tree, tasks []float64) *filling {
	m, n := len(capacity), len(users)
	f := &filling{tree: t, tasks: tasks, nodes: make([]node, n+1), full: make([]bool, m), used: make([]float64, m),
		done: make([]float64, m), rates: make([]float64, m)}
	vectors := make([]float64, 2*m*(n+1))
	for i := range f.nodes {
		k := &f.nodes[i]
		k.counted, k.grows = vectors[2*m*i:][:m], vectors[2*m*i:][m:2*m]
		if k.open = true; i < n {
			k.weight, k.kids = users[i].weight(), t.Children(i)
		} else {
			k.kids = t.Children(-1)
		}
		if k.inner = i == n || len(k.kids) > 0; k.inner {
			k.done = make([]float64, m)
		}
		// A user who demands what there is none of gets no tasks.
		if k.inner || math.IsInf(users[i].dominant(capacity), 1) {
			continue
		}
		k.unit, k.one, k.most = k.grows, users[i].dominant(capacity), users[i].most()
		for r, d := range users[i].Demand {
			if d > 0 {
				k.unit[r] = d / capacity[r]
			}
		}
	}
	return f
}

// measure finds shares and rates, and says whether anybody can grow.
func (f *filling) measure() bool {
	copy(f.used, f.done)
	clear(f.rates)
	for _, i := range slices.Backward(f.tree.Order) {
		k := &f.nodes[i]
		if k.inner {
			f.combine(k)
			continue
		}
		if !k.open {
			continue
		}
		k.share, k.open = f.tasks[i]*k.one, k.one > 0 && f.tasks[i] < k.most
		for r, u := range k.unit {
			k.counted[r] = f.tasks[i] * u
			f.used[r] += k.counted[r]
			k.open = k.open && !(f.full[r] && u > 0)
		}
		if !k.open {
			k.rate = 0
			add(f.done, k.counted)
		}
	}
	root := &f.nodes[len(f.tasks)]
	f.combine(root)
	root.rate = 1
	f.drive(root)
	for _, i := range f.tree.Order {
		if k := &f.nodes[i]; k.inner {
			f.drive(k)
		} else if k.rate > 0 {
			for r, u := range k.unit {
				f.rates[r] += k.rate * u
			}
		}
	}
	return root.open
}

// add adds v to sum.
func add(sum, v []float64) {
	for r, x := range v {
		sum[r] += x
	}
}

// at reports whether a child that can grow is at the level of its parent.
func (k *node) at(p *node) bool { return k.open && k.share/k.weight <= p.level*(1+near) }

// combine finds the share of an inner node and how it grows.
func (f *filling) combine(p *node) {
	kids := p.kids[:0]
	for _, c := range p.kids {
		if k := &f.nodes[c]; k.inner || k.open {
			kids = append(kids, c)
		} else {
			add(p.done, k.counted)
		}
	}
	p.kids = kids
	p.open, p.onlyFree, p.level = false, false, math.Inf(1)
	for _, c := range kids {
		if k := &f.nodes[c]; k.open {
			p.open, p.level = true, min(p.level, k.share/k.weight)
		}
	}
	for _, c := range kids {
		k := &f.nodes[c]
		p.onlyFree = p.onlyFree || k.inner && k.gain == 0 && k.at(p)
	}
	copy(p.counted, p.done)
	clear(p.grows)
	for _, c := range kids {
		k := &f.nodes[c]
		scale, slope := 1., 0. // of counted, and of its growth
		along := 0.            // growth of what k.grows is by, by the level
		switch {
		case !k.open:
		case k.at(p):
			along = f.along(k, p)
		case p.onlyFree:
			scale = p.level * k.weight / k.share
		default: // ahead: it counts as far as the level
			scale, slope = p.level*k.weight/k.share, k.weight/k.share
		}
		for r := range p.counted {
			p.counted[r] += scale * k.counted[r]
			p.grows[r] += slope*k.counted[r] + along*k.grows[r]
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

// along returns how fast the tasks of a user, or the level of an inner node, grow by the level of
// the parent, at which it is.
func (f *filling) along(k, p *node) float64 {
	switch {
	case !k.inner && !p.onlyFree:
		return k.weight / k.one
	case k.inner && !p.onlyFree:
		return k.weight / k.gain
	case k.inner && k.gain == 0:
		return k.weight
	}
	return 0
}

// drive sets the rates of the children of an inner node.
func (f *filling) drive(p *node) {
	for _, c := range p.kids {
		k := &f.nodes[c]
		if k.rate = 0; p.rate > 0 && k.at(p) {
			k.rate = p.rate * f.along(k, p)
		}
	}
}

// step goes on to the next event.
func (f *filling) step() {
	root := len(f.tasks)
	span := math.Inf(1) // of the root's level
	for r, rate := range f.rates {
		if !f.full[r] && rate > 0 {
			span = min(span, max(0, 1-f.used[r])/rate)
		}
	}
	until := span // when a resource is used up
	for i := range f.nodes {
		p := &f.nodes[i]
		if !p.inner || p.rate == 0 || !p.open {
			continue
		}
		for _, c := range p.kids {
			k := &f.nodes[c]
			switch {
			case !k.open:
			case !k.at(p) && !p.onlyFree:
				span = min(span, (k.share/k.weight-p.level)/p.rate)
			case !k.inner && k.rate > 0 && i != root:
				span = min(span, (k.most-f.tasks[c])/k.rate)
			}
		}
		for r, grows := range p.grows {
			if i != root && !f.full[r] && grows > p.gain && p.counted[r] < p.share*(1-near) {
				span = min(span, (p.share-p.counted[r])/((grows-p.gain)*p.rate))
			}
		}
	}
	ended := false
	for i := range f.tasks {
		k := &f.nodes[i]
		if k.inner || k.rate == 0 {
			continue
		}
		if f.tasks[i] += k.rate * span; f.tasks[i] >= k.most*(1-0x1p-50) {
			f.tasks[i], ended = k.most, true
		}
	}
	for r, rate := range f.rates {
		if !ended && span == until && rate > 0 && max(0, 1-f.used[r])/rate <= span*(1+near) {
			f.full[r] = true
		}
	}
}
