package aging

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/internal/tree"
)

// Claim is what one node of a tree claims of a capacity.
type Claim struct {
	Demand   float64 // most that it can use; 0: nothing, of an inner node no limit; +Inf: no limit
	Floor    float64 // comes first: it gets min(Floor, Demand) before anybody gets more
	Weight   float64 // its share beyond the floors, relative to its siblings; 0 means 1
	Priority int     // beyond the floors, siblings of higher Priority come first
}

// Floors says how shares grow beyond the floors.
type Floors uint8

const (
	Within Floors = iota // a share is max(floor, Weight x level): floors are part of it
	OnTop                // a share is floor + Weight x level: floors come on top
)

// String returns "within" or "on top".
func (f Floors) String() string { return enum.Name(f, "Floors", "within", "on top") }

// MarshalText returns what String does.
func (f Floors) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// Shares appends to dst the weighted max-min shares of capacity in a tree of claims. parents[i] is
// the index of the parent of i, -1 for a child of the root; nil puts all directly under the root.
// An inner node's share is the sum of its children's.
//
// Each node divides its share among its children: first their floors, by weight where they exceed
// it; then the rest, group by group from the highest Priority, by weight in the group whose demand
// it does not cover. To hold in the whole tree, a floor needs floors of the nodes above.
//
// Errors: parents of another length or in a cycle.
func Shares(dst []float64, capacity float64, claims []Claim, parents []int, f Floors) ([]float64, error) {
	t, err := checkClaims("aging.Shares", capacity, claims, parents, f)
	if err != nil {
		return dst, err
	}
	return appendShares(dst, capacity, claims, t, f), nil
}

// Entitlement returns the share that node i would get if its demand were unlimited, and that of all
// below it, while the others claim what they claim: how much it can count on before it asks. Shares
// gives it no more for any demand.
func Entitlement(capacity float64, claims []Claim, parents []int, i int, f Floors) (float64, error) {
	const fn = "aging.Entitlement"
	t, err := checkClaims(fn, capacity, claims, parents, f)
	if err != nil {
		return 0, err
	}
	if i < 0 || i >= len(claims) {
		return 0, input.Bad(fn, "i", -1, "%d, want the index of one of %d claims", i, len(claims))
	}
	claims = slices.Clone(claims)
	below := make([]bool, len(claims))
	for _, j := range t.Order {
		below[j] = j == i || parents != nil && parents[j] >= 0 && below[parents[j]]
		if below[j] {
			claims[j].Demand = math.Inf(1)
		}
	}
	return appendShares(nil, capacity, claims, t, f)[i], nil
}

// appendShares is Shares of what has been checked. It sorts the children of t.
func appendShares(dst []float64, capacity float64, claims []Claim, t tree.Tree, f Floors) []float64 {
	n := len(dst)
	dst = slices.Grow(dst, len(claims))[:n+len(claims)]
	// At first shares holds what each node can use, found from the leaves up: t.Order has parents
	// before their children.
	d := divider{claims: claims, floors: f, shares: dst[n:]}
	for _, i := range slices.Backward(t.Order) {
		d.shares[i] = claims[i].Demand
		if kids := t.Children(i); len(kids) > 0 {
			d.shares[i] = min(cmp.Or(claims[i].Demand, math.Inf(1)), d.sum(kids))
		}
	}
	d.divide(capacity, t.Children(-1))
	for _, i := range t.Order {
		d.divide(d.shares[i], t.Children(i))
	}
	for _, i := range slices.Backward(t.Order) {
		if kids := t.Children(i); len(kids) > 0 {
			d.shares[i] = d.sum(kids) // less than divided where shares of children underflow
		}
	}
	return dst
}

// checkClaims checks the arguments of a function on claims and returns their tree.
func checkClaims(fn string, capacity float64, claims []Claim, parents []int, f Floors) (tree.Tree, error) {
	if err := checkAmount(fn, "capacity", capacity); err != nil {
		return tree.Tree{}, err
	}
	for i, c := range claims {
		for _, x := range []struct {
			field string
			value float64
			ok    bool
		}{{"Demand", c.Demand, amount(c.Demand) || math.IsInf(c.Demand, 1)}, {"Floor", c.Floor, amount(c.Floor)}, {"Weight", c.Weight, amount(c.Weight)}} {
			if !x.ok {
				return tree.Tree{}, input.Bad(fn, "claims", i, "%s is %v, %s", x.field, x.value, amountRange)
			}
		}
	}
	if f > OnTop {
		return tree.Tree{}, input.Bad(fn, "f", -1, "%v, want Within or OnTop", f)
	}
	t, bad, reason := tree.New(len(claims), parents)
	if reason != "" {
		return tree.Tree{}, input.Bad(fn, "parents", bad, "%s", reason)
	}
	return t, nil
}

// divider shares what each node has among its children.
type divider struct {
	claims []Claim
	floors Floors
	shares []float64 // what each node can use; its share once its parent's has been divided
	// Scratch of fill:
	jobs        []Job
	lows, parts []float64
}

func (d *divider) sum(nodes []int) (sum float64) {
	for _, i := range nodes {
		sum += d.shares[i]
	}
	return sum
}

// floor returns the part of what node i can use that its Floor covers.
func (d *divider) floor(i int) float64 { return min(d.claims[i].Floor, d.shares[i]) }

// divide gives the children of one node their shares of an amount.
func (d *divider) divide(amount float64, kids []int) {
	if amount >= d.sum(kids) {
		return
	}
	floors := 0.0
	for _, i := range kids {
		floors += d.floor(i)
	}
	if floors >= amount {
		d.fill(amount, kids, func(i int) (low, high, base float64) { return 0, d.floor(i), 0 })
		return
	}
	rest := amount - floors
	slices.SortStableFunc(kids, func(a, b int) int { return cmp.Compare(d.claims[b].Priority, d.claims[a].Priority) })
	for len(kids) > 0 {
		size := slices.IndexFunc(kids, func(i int) bool { return d.claims[i].Priority != d.claims[kids[0]].Priority })
		if size < 0 {
			size = len(kids)
		}
		group := kids[:size]
		kids = kids[size:]
		need, held := 0.0, 0.0
		for _, i := range group {
			need += d.shares[i] - d.floor(i)
			held += d.floor(i)
		}
		switch {
		case need <= rest: // all have what they can use
			rest -= need
			continue
		case rest == 0:
			d.fill(0, group, func(i int) (low, high, base float64) { return 0, 0, d.floor(i) })
		case d.floors == Within:
			d.fill(rest+held, group, func(i int) (low, high, base float64) { return d.floor(i), d.shares[i], 0 })
		default:
			d.fill(rest, group, func(i int) (low, high, base float64) { return 0, d.shares[i] - d.floor(i), d.floor(i) })
		}
		rest = 0
	}
}

// fill gives siblings base and a part of an amount, by weight between low and high.
func (d *divider) fill(amount float64, kids []int, bounds func(i int) (low, high, base float64)) {
	d.jobs, d.lows = d.jobs[:0], d.lows[:0]
	for _, i := range kids {
		low, high, _ := bounds(i)
		d.jobs = append(d.jobs, Job{Work: high, Slots: high, Weight: d.claims[i].Weight})
		d.lows = append(d.lows, low)
	}
	d.parts = slices.Grow(d.parts[:0], len(kids))[:len(kids)]
	fill(d.parts, amount, d.jobs, d.lows)
	for k, i := range kids {
		_, _, base := bounds(i)
		d.shares[i] = base + d.parts[k]
	}
}
