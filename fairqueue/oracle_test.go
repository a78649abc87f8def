package fairqueue_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
	"pgregory.net/rapid"
)

// twin is a tree of flows in rationals, played by the definition: no heap, no index, every node
// looks at all its children.
type twin struct {
	toLeast         bool
	key             int
	weight          *big.Rat
	parent          *twin
	children        []*twin
	on, left        bool // a leaf has something to serve; it has left
	floor, finish   *big.Rat
	virtual, latest *big.Rat // of the children
}

func newTwin(parent *twin, key int, weight float64) *twin {
	n := &twin{key: key, parent: parent, weight: new(big.Rat).SetFloat64(weight),
		floor: new(big.Rat), finish: new(big.Rat), virtual: new(big.Rat), latest: new(big.Rat)}
	if parent != nil {
		n.toLeast = parent.toLeast
		parent.children = append(parent.children, n)
	}
	return n
}

func (n *twin) active() bool {
	return n.on || slices.ContainsFunc(n.children, (*twin).active)
}

func highest(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

func (n *twin) start() *big.Rat { return highest(n.floor, n.finish) }

// now is the virtual time among the children of n.
func (n *twin) now() *big.Rat {
	var least *big.Rat
	for _, c := range n.children {
		if c.active() && (least == nil || c.start().Cmp(least) < 0) {
			least = c.start()
		}
	}
	switch {
	case least == nil:
		n.virtual = highest(n.virtual, n.latest)
	case n.toLeast:
		n.virtual = highest(n.virtual, least)
	}
	return n.virtual
}

// set makes a leaf active or inactive, and tells the nodes above it that become active or idle.
func (n *twin) set(on bool) {
	if n.on == on {
		return
	}
	if on {
		n.wake()
		n.on = true
		return
	}
	n.on = false
	n.parent.rest()
}

// wake tells a node, and those above it, that they become active.
func (n *twin) wake() {
	for ; n.parent != nil && !n.active(); n = n.parent {
		n.floor = n.parent.now()
	}
}

// rest tells a node, and those above it, that they may have become idle.
func (n *twin) rest() {
	for ; n != nil && !n.active(); n = n.parent {
		n.now()
	}
}

// next returns the leaf to serve that skip does not pass over.
func (n *twin) next(skip func(int) bool) *twin {
	if !slices.ContainsFunc(n.children, func(c *twin) bool { return !c.left }) {
		if n.on && !skip(n.key) {
			return n
		}
		return nil
	}
	order := slices.Clone(n.children)
	slices.SortStableFunc(order, func(a, b *twin) int { return a.start().Cmp(b.start()) })
	for _, c := range order {
		if c.active() {
			if leaf := c.next(skip); leaf != nil {
				return leaf
			}
		}
	}
	return nil
}

func (n *twin) serve() {
	for m := n; m.parent != nil; m = m.parent {
		if m.toLeast {
			m.parent.now()
		} else {
			m.parent.virtual = highest(m.parent.virtual, m.start())
		}
	}
}

func (n *twin) adjust(cost float64, service bool) {
	for m := n; m.parent != nil; m = m.parent {
		if service {
			m.finish = m.start()
		}
		d := new(big.Rat).SetFloat64(cost)
		m.finish = new(big.Rat).Add(m.finish, d.Quo(d, m.weight))
		m.parent.latest = highest(m.parent.latest, m.finish)
	}
}

// path returns a leaf and the nodes above it.
func (n *twin) path() (p []*twin) {
	for ; n.parent != nil; n = n.parent {
		p = append(p, n)
	}
	return p
}

// near reports whether a and b differ by less than the rounding of tags.
func near(a, b *big.Rat) bool {
	d := new(big.Rat).Sub(a, b)
	size := new(big.Rat).Add(new(big.Rat).Abs(a), new(big.Rat).Abs(b))
	return d.Abs(d).Cmp(size.Mul(size, new(big.Rat).SetFloat64(0x1p-90))) <= 0
}

// tied reports whether rounding may let leaf b be served before leaf a: their ways part at nodes of
// near start tags.
func tied(a, b *twin) bool {
	p, q := a.path(), b.path()
	for i, j := len(p)-1, len(q)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if p[i] != q[j] {
			return near(p[i].start(), q[j].start())
		}
	}
	return false
}

// amounts are the weights and costs of tests: decimals, whole numbers, reals, and all of them up to
// 10^6 apart.
var amounts = rapid.OneOf(
	rapid.SampledFrom([]float64{.1, .3, 7.1, 1, 2, 3, 10, 1. / 3, 1e6, 1e-3}),
	rapid.Map(rapid.IntRange(1, 9), func(i int) float64 { return float64(i) }),
	rapid.Float64Range(.001, 1000),
)

// Histories of everything that a queue can do, against the definition: the same leaf is next, but
// for ties within rounding, and the tags agree.
func TestQueueRational(t *testing.T) {
	contests := 0
	rapid.Check(t, func(t *rapid.T) {
		o := fairqueue.Options{Return: fairqueue.Return(rapid.IntRange(0, 1).Draw(t, "return")), Forget: rapid.Bool().Draw(t, "forget")}
		q, err := fairqueue.New[int](o)
		must(t, err)
		top := newTwin(nil, -1, 1)
		top.toLeast = o.Return == fairqueue.ToLeast
		nodes := map[int]*twin{}
		leaf := func(n *twin) bool { return !slices.ContainsFunc(n.children, func(c *twin) bool { return !c.left }) }
		for range rapid.IntRange(100, 200).Draw(t, "steps") {
			key := rapid.IntRange(0, 7).Draw(t, "key")
			n, known := nodes[key]
			joined := known && !n.left
			what := rapid.SampledFrom([]int{9, 9, 9, 4, 4, 1, 1, 6, 7, 2, 3, 9, 9, 9, 9, 4, 1}).Draw(t, "what")
			var err error
			wantErr := !joined
			switch what {
			case 1:
				w := amounts.Draw(t, "weight")
				p, parent := rapid.IntRange(-4, 7).Draw(t, "parent"), top
				if p < 0 {
					err = q.Join(key, w)
				} else {
					err = q.JoinUnder(p, key, w)
					parent = nodes[p]
				}
				wantErr = joined || parent == nil || parent.left || parent.on
				if wantErr {
					break
				}
				if known && !o.Forget && n.start().Cmp(n.parent.virtual) > 0 {
					attach(n, parent)
					n.left, n.weight = false, new(big.Rat).SetFloat64(w)
				} else {
					if known {
						detach(n)
					}
					nodes[key] = newTwin(parent, key, w)
				}
				if parent.latest.Cmp(nodes[key].finish) < 0 {
					parent.latest = nodes[key].finish
				}
			case 2:
				left := q.Leave(key)
				if want := joined && leaf(n); left != want {
					t.Fatalf("Leave(%d) = %t, want %t", key, left, want)
				}
				if left {
					n.set(false)
					n.now() // which drops the children that left
					n.left = true
				}
				continue
			case 3:
				w := amounts.Draw(t, "weight")
				if err = q.SetWeight(key, w); joined {
					n.weight = new(big.Rat).SetFloat64(w)
				}
			case 4:
				on := rapid.IntRange(0, 3).Draw(t, "inactive") != 3
				err = q.SetActive(key, on)
				if wantErr = !joined || !leaf(n); !wantErr {
					n.set(on)
				}
			case 6:
				c := amounts.Draw(t, "cost")
				remembered := known && !o.Forget && n.start().Cmp(n.parent.virtual) > 0
				if err = q.Charge(key, c); !joined && !remembered || !leaf(n) {
					wantErr = true
					break
				}
				wantErr = false
				n.adjust(c, true)
			case 7:
				c := amounts.Draw(t, "difference")
				if rapid.Bool().Draw(t, "negative") {
					c = -c
				}
				remembered := known && !o.Forget && n.start().Cmp(n.parent.virtual) > 0
				if err = q.Settle(key, c); !joined && !remembered {
					wantErr = true
					break
				}
				wantErr = false
				n.adjust(c, false)
			default:
				blocked := rapid.SliceOfDistinct(rapid.IntRange(0, 7), rapid.ID[int]).Draw(t, "blocked")
				skip := func(k int) bool { return slices.Contains(blocked, k) }
				got, ok := q.Next(skip)
				want := top.next(skip)
				if ok != (want != nil) {
					t.Fatalf("Next() = %d, %t, want %v", got, ok, want)
				}
				if !ok {
					continue
				}
				if n = nodes[got]; n != want && !tied(n, want) {
					t.Fatalf("Next() = %d, want %d", got, want.key)
				}
				if w := n.parent; slices.ContainsFunc(w.children, func(c *twin) bool { return c != n && c.active() }) {
					contests++
				}
				n.serve()
				if rapid.Bool().Draw(t, "charge") {
					c := amounts.Draw(t, "cost")
					must(t, q.Charge(got, c))
					n.adjust(c, true)
				}
				continue
			}
			if (err != nil) != wantErr {
				t.Fatalf("step %d on %d: %v, want an error: %t", what, key, err, wantErr)
			}
		}
		for key, n := range nodes {
			if n.left {
				continue
			}
			levels, err := q.Why(nil, key)
			must(t, err)
			p := n.path()
			slices.Reverse(p)
			for i, l := range levels {
				got, want := new(big.Rat).SetFloat64(l.Start), p[i].start()
				if d := new(big.Rat).Sub(got, want); !(l.Active == p[i].active()) || d.Abs(d).Cmp(new(big.Rat).Mul(highest(want, big.NewRat(1, 1)), big.NewRat(1, 1e12))) > 0 {
					t.Fatalf("Why(%d)[%d] = %+v, want start %v", key, i, l, want.FloatString(6))
				}
			}
		}
	})
	if contests < 50 { // some 14 a history, of which -short draws 20
		t.Errorf("%d services with a sibling waiting, want 50: the histories test nothing", contests)
	}
}

// detach takes n from its parent.
func detach(n *twin) {
	n.parent.children = slices.DeleteFunc(n.parent.children, func(c *twin) bool { return c == n })
}

// attach puts n under a parent, behind the virtual time there as it was before, last in the order
// of joining for a flow that left.
func attach(n, parent *twin) {
	now := n.parent.now()
	if n.parent != parent {
		debt := highest(new(big.Rat), new(big.Rat).Sub(n.start(), now))
		n.floor, n.finish = parent.now(), new(big.Rat).Add(parent.virtual, debt)
	}
	detach(n)
	n.parent = parent
	parent.children = append(parent.children, n)
}
