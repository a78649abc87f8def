// Package exactshares divides a capacity in a tree of claims by definition, in rationals.
package exactshares

import (
	"math"
	"math/big"
	"slices"
)

// Claim is what a node claims, as package aging has it; a Weight of 0 is 1.
type Claim struct {
	Demand, Floor, Weight *big.Rat
	Priority              int
}

// Rat is x as a rational; infinities become 2^300, more than all else together.
func Rat(x float64) *big.Rat {
	if math.IsInf(x, 1) {
		x = 0x1p300
	}
	return new(big.Rat).SetFloat64(x)
}

// Min is the lesser of two.
func Min(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// Max is the greater of two.
func Max(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// Tree is who claims, nil Parents are all the root. Floors are OnTop of what is shared by weight, or
// part of it.
type Tree struct {
	Claims  []Claim
	Parents []int
	OnTop   bool
	shares  []*big.Rat
}

// Children lists those of node p, -1 the root.
func (e *Tree) Children(p int) (kids []int) {
	for i := range e.Claims {
		if e.Parents == nil && p == -1 || e.Parents != nil && e.Parents[i] == p {
			kids = append(kids, i)
		}
	}
	return kids
}

// Demand is what node i can use.
func (e *Tree) Demand(i int) *big.Rat {
	d, kids := e.Claims[i].Demand, e.Children(i)
	if len(kids) == 0 {
		return d
	}
	sum := new(big.Rat)
	for _, k := range kids {
		sum.Add(sum, e.Demand(k))
	}
	if d.Sign() == 0 {
		return sum
	}
	return Min(d, sum)
}

// Shares divides a capacity.
func (e *Tree) Shares(capacity *big.Rat) []*big.Rat {
	total := new(big.Rat)
	for _, i := range e.Children(-1) {
		total.Add(total, e.Demand(i))
	}
	e.shares = make([]*big.Rat, len(e.Claims))
	e.divide(Min(capacity, total), -1)
	return e.shares
}

func (e *Tree) weight(i int) *big.Rat {
	if w := e.Claims[i].Weight; w.Sign() > 0 {
		return w
	}
	return big.NewRat(1, 1)
}

// level returns the shares of an amount that are clamped to [low, high] at one level.
func level(amount *big.Rat, low, high, weight []*big.Rat) []*big.Rat {
	at := func(x *big.Rat) (shares []*big.Rat, sum *big.Rat) {
		sum = new(big.Rat)
		for i := range low {
			s := Min(high[i], Max(low[i], new(big.Rat).Mul(x, weight[i])))
			shares, sum = append(shares, s), sum.Add(sum, s)
		}
		return shares, sum
	}
	points := []*big.Rat{new(big.Rat)}
	for i := range low {
		points = append(points, new(big.Rat).Quo(low[i], weight[i]), new(big.Rat).Quo(high[i], weight[i]))
	}
	slices.SortFunc(points, (*big.Rat).Cmp)
	below := points[0]
	for _, p := range points {
		_, sum := at(p)
		if sum.Cmp(amount) < 0 {
			below = p
			continue
		}
		_, less := at(below)
		if sum.Cmp(less) == 0 {
			shares, _ := at(p)
			return shares
		}
		// The sum is linear between two breakpoints.
		part := new(big.Rat).Quo(new(big.Rat).Sub(amount, less), new(big.Rat).Sub(sum, less))
		shares, _ := at(new(big.Rat).Add(below, part.Mul(part, new(big.Rat).Sub(p, below))))
		return shares
	}
	shares, _ := at(below)
	return shares
}

func (e *Tree) divide(amount *big.Rat, p int) {
	kids := e.Children(p)
	slices.SortStableFunc(kids, func(a, b int) int { return e.Claims[b].Priority - e.Claims[a].Priority })
	var low, high, weight []*big.Rat
	floors := new(big.Rat)
	for _, i := range kids {
		f := Min(e.Claims[i].Floor, e.Demand(i))
		low, high, weight = append(low, f), append(high, e.Demand(i)), append(weight, e.weight(i))
		floors.Add(floors, f)
	}
	zeros := make([]*big.Rat, len(kids))
	for k := range zeros {
		zeros[k] = new(big.Rat)
	}
	set := func(from int, shares []*big.Rat) {
		for k, s := range shares {
			e.shares[kids[from+k]] = s
		}
	}
	if floors.Cmp(amount) >= 0 {
		set(0, level(amount, zeros, low, weight))
	} else {
		rest := new(big.Rat).Sub(amount, floors)
		for from := 0; from < len(kids); {
			to := from + 1
			for to < len(kids) && e.Claims[kids[to]].Priority == e.Claims[kids[from]].Priority {
				to++
			}
			var spare []*big.Rat
			held, need := new(big.Rat), new(big.Rat)
			for k := from; k < to; k++ {
				s := new(big.Rat).Sub(high[k], low[k])
				spare, held, need = append(spare, s), held.Add(held, low[k]), need.Add(need, s)
			}
			give := Min(rest, need)
			if !e.OnTop {
				set(from, level(new(big.Rat).Add(held, give), low[from:to], high[from:to], weight[from:to]))
			} else {
				extra := level(give, zeros[from:to], spare, weight[from:to])
				for k := range extra {
					extra[k] = new(big.Rat).Add(extra[k], low[from+k])
				}
				set(from, extra)
			}
			rest.Sub(rest, give)
			from = to
		}
	}
	for _, i := range kids {
		e.divide(e.shares[i], i)
	}
}
