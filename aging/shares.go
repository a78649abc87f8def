package aging

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Claim is what one node of a tree claims of a capacity.
type Claim struct {
	Demand   float64 // most that it can use; 0: nothing, +Inf: no limit. Of a node with children a cap on their sum
	Floor    float64 // comes first: it gets min(Floor, Demand) before anybody gets more
	Weight   float64 // its share beyond the floors, relative to its siblings; 0 means 1
	Priority int     // beyond the floors, siblings of higher Priority come first
}

// Floors says how shares grow beyond the floors.
type Floors int

const (
	Within Floors = iota // a share is max(floor, Weight x level): floors are part of it
	OnTop                // a share is floor + Weight x level: what the floors leave is shared on top of them
)

// Shares appends to dst the weighted max-min shares of capacity in a tree of claims. parents[i] is the index of the parent of i, -1 for
// a child of the root; nil puts all directly under the root. An inner node's share is the sum of its children's: its Demand counts as far as
// theirs go.
//
// Each node divides its share among its children: first their floors; then what is left, group by group from the highest Priority, until a
// group cannot have all of its demand. That group shares by weight: one level for the group, at which a child gets its Demand or
// what Floors says. Lower groups keep their floors. Where the floors exceed what there is, the floors alone are shared by weighted max-min. A
// floor counts among siblings: for a floor that holds in the whole tree, the nodes above need floors too.
//
// With one level, no floors and one priority the shares are those of MaxMin. Cost O(n log n) for n claims.
//
// Errors: capacity, Floor or Weight that is NaN, negative, infinite or outside the range stated in the package comment, and Demand
// too, which may be +Inf; parents of another length than claims, or with an index that is out of range or leads into a cycle; an
// unknown f. dst is then returned as given.
func Shares(dst []float64, capacity float64, claims []Claim, parents []int, f Floors) ([]float64, error) {
	if err := checkClaims(capacity, claims, parents, f); err != nil {
		return dst, err
	}
	t := newClaimTree(claims, parents)
	if len(t.order) < len(claims) {
		reached := make([]bool, len(claims))
		for _, i := range t.order {
			reached[i] = true
		}
		return dst, inputError("Shares", "parents", slices.Index(reached, false), "leads into a cycle")
	}
	n := len(dst)
	dst = slices.Grow(dst, len(claims))[:n+len(claims)]
	// What each node can use, before its share: children come after their parents in order.
	demand := dst[n:]
	for _, i := range slices.Backward(t.order) {
		demand[i] = claims[i].Demand
		if kids := t.children(i); len(kids) > 0 {
			demand[i] = min(demand[i], t.sum(kids, demand))
		}
	}
	t.divide(capacity, t.children(-1), demand, f)
	for _, i := range t.order {
		t.divide(demand[i], t.children(i), demand, f)
	}
	return dst, nil
}

func checkClaims(capacity float64, claims []Claim, parents []int, f Floors) error {
	if err := checkAmount("Shares", "capacity", capacity); err != nil {
		return err
	}
	for i, c := range claims {
		for _, x := range []struct {
			field string
			value float64
			ok    bool
		}{{"Demand", c.Demand, amount(c.Demand) || math.IsInf(c.Demand, 1)}, {"Floor", c.Floor, amount(c.Floor)}, {"Weight", c.Weight, amount(c.Weight)}} {
			if !x.ok {
				return inputError("Shares", "claims", i, fmt.Sprintf("%s is %v, %s", x.field, x.value, amountRange))
			}
		}
	}
	if parents != nil && len(parents) != len(claims) {
		return inputError("Shares", "parents", -1, fmt.Sprintf("%d parents of %d claims", len(parents), len(claims)))
	}
	for i, p := range parents {
		if p < -1 || p >= len(claims) {
			return inputError("Shares", "parents", i, fmt.Sprintf("%d, want -1 or an index of claims", p))
		}
	}
	if f != Within && f != OnTop {
		return inputError("Shares", "f", -1, fmt.Sprintf("%d, want Within or OnTop", f))
	}
	return nil
}

// claimTree is the tree of Shares.
type claimTree struct {
	claims []Claim
	first  []int // the children of node i are kids[first[i+1]:first[i+2]]; node -1 is the root
	kids   []int
	order  []int     // the nodes below the root, each after its parent
	spans  []span    // scratch of fill
	parts  []float64 // scratch of fill
}

func newClaimTree(claims []Claim, parents []int) *claimTree {
	n := len(claims)
	t := &claimTree{claims: claims, first: make([]int, n+3), kids: make([]int, n), order: make([]int, 0, n)}
	parent := func(i int) int {
		if parents == nil {
			return -1
		}
		return parents[i]
	}
	for i := range claims {
		t.first[parent(i)+3]++
	}
	for k := range n + 1 {
		t.first[k+2] += t.first[k+1]
	}
	for i := range claims { // moves first[p+2] from where the children of p begin to where they end
		at := &t.first[parent(i)+2]
		t.kids[*at] = i
		*at++
	}
	t.order = append(t.order, t.children(-1)...)
	for k := 0; k < len(t.order); k++ {
		t.order = append(t.order, t.children(t.order[k])...)
	}
	return t
}

func (t *claimTree) children(i int) []int { return t.kids[t.first[i+1]:t.first[i+2]] }

func (t *claimTree) sum(nodes []int, of []float64) (sum float64) {
	for _, i := range nodes {
		sum += of[i]
	}
	return sum
}

// span bounds one share: min(high, max(low, weight x level)).
type span struct{ low, high, weight float64 }

func (s span) span() span { return s }

// divide gives the children of one node their shares of an amount, in place of what they can use.
func (t *claimTree) divide(amount float64, kids []int, shares []float64, f Floors) {
	if amount >= t.sum(kids, shares) {
		return
	}
	floor := func(i int) float64 { return min(t.claims[i].Floor, shares[i]) }
	floors := 0.0
	for _, i := range kids {
		floors += floor(i)
	}
	if floors >= amount {
		t.fill(amount, kids, shares, func(i int) (low, high, base float64) { return 0, floor(i), 0 })
		return
	}
	rest := amount - floors
	slices.SortStableFunc(kids, func(a, b int) int { return cmp.Compare(t.claims[b].Priority, t.claims[a].Priority) })
	for len(kids) > 0 {
		size := slices.IndexFunc(kids, func(i int) bool { return t.claims[i].Priority != t.claims[kids[0]].Priority })
		if size < 0 {
			size = len(kids)
		}
		group := kids[:size]
		kids = kids[size:]
		need, held := 0.0, 0.0
		for _, i := range group {
			need += shares[i] - floor(i)
			held += floor(i)
		}
		switch {
		case need <= rest: // all have what they can use
			rest -= need
			continue
		case rest == 0:
			t.fill(held, group, shares, func(i int) (low, high, base float64) { return 0, 0, floor(i) })
		case f == Within:
			t.fill(rest+held, group, shares, func(i int) (low, high, base float64) { return floor(i), shares[i], 0 })
		default:
			t.fill(rest, group, shares, func(i int) (low, high, base float64) { return 0, shares[i] - floor(i), floor(i) })
		}
		rest = 0
	}
}

// fill gives siblings base and a part of an amount, by weight between low and high.
func (t *claimTree) fill(amount float64, kids []int, shares []float64, bounds func(i int) (low, high, base float64)) {
	t.spans, t.parts = t.spans[:0], slices.Grow(t.parts[:0], len(kids))[:len(kids)]
	for _, i := range kids {
		low, high, _ := bounds(i)
		t.spans = append(t.spans, span{low, high, Job{Weight: t.claims[i].Weight}.weight()})
	}
	fill(t.parts, amount, t.spans)
	for k, i := range kids {
		_, _, base := bounds(i)
		shares[i] = base + t.parts[k]
	}
}
