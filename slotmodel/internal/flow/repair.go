package flow

import (
	"math"
	"math/bits"
)

// repairs holds what repair needs, all per link.
type repairs struct {
	touched []int32   // links whose weights have changed since the last solution
	review  []int32   // links whose use changes
	queue   []int32   // links whose level may not be in balance
	state   []uint8   // which of these it is in
	aim     []float64 // of one in the queue: the level at which it is in balance
	when    []float64 // of one in the queue: the lesser of level and aim
	crowd   []float64 // of one in review that is not full: its use
	driven  []float64 // of one that is full: weight of what it drives, once
}

const (
	isTouched = 1 << iota
	inReview
	inQueue
	isMoved   // its level has changed
	isGuessed // its aim is an estimate
	isExact   // its crowd is no running sum
)

func (k *repairs) init(racks int) {
	k.state = make([]uint8, 2*racks)
	k.aim, k.when = make([]float64, 2*racks), make([]float64, 2*racks)
	k.crowd, k.driven = make([]float64, 2*racks), make([]float64, 2*racks)
}

// touch notes that weights on link l have changed.
func (n *Network) touch(l int32) {
	if n.state[l]&isTouched == 0 {
		n.state[l] |= isTouched
		n.touched = append(n.touched, l)
	}
}

// solve finds the rates after weights have changed.
func (n *Network) solve() {
	if len(n.capped) > 0 || len(n.touched) > 2*patience || !n.repair() {
		n.fill()
	}
	clear(n.state)
	n.touched, n.review, n.queue = n.touched[:0], n.review[:0], n.queue[:0]
}

// patience is the number of levels that repair changes before it gives up, so that it costs little against fill.
const patience = 4

// slack is how far below its capacity a link that is not full is without any doubt not full.
const slack = 1 - 0x1p-30

// repair finds the levels from those of the last solution, if that takes few steps, and reports whether it did.
// Classes have no units.
//
// A link is in balance if its level is the x at which the sum of w*min(x, level of the other link) over its cells is its
// capacity, +Inf if there is none. When all are, each class is held by the link with the lesser level, which is full, and
// no class on that has a greater x: these are the max-min fair rates, in whatever order they were found. Links are brought
// into balance one after the other. Only levels above that of the link that changes depend on it; hence, as in Dijkstra's algorithm, the least of all old and new
// levels goes first, as far as estimates tell, and most links
// change at most once.
func (n *Network) repair() bool {
	for _, l := range n.touched {
		n.consider(l)
		n.enqueue(l)
		n.aim[l], n.when[l] = 0, 0
		n.state[l] |= isGuessed
	}
	steps := patience
	floor := 0.0
	for len(n.queue) > 0 {
		k, first, second := 0, inf, inf
		for i, l := range n.queue {
			switch t := n.when[l]; {
			case t < first:
				k, first, second = i, t, first
			case t < second:
				second = t
			}
		}
		l := n.queue[k]
		leaves := false
		if n.state[l]&isGuessed != 0 {
			y := n.balance(l)
			if alike(y, floor) {
				y = floor
			}
			n.state[l] &^= isGuessed
			n.aim[l], n.when[l] = y, lesser(y, n.level[l])
			if leaves = alike(y, n.level[l]); !leaves && n.when[l] > second {
				continue
			}
		}
		last := len(n.queue) - 1
		n.queue[k] = n.queue[last]
		n.queue = n.queue[:last]
		n.state[l] &^= inQueue
		if leaves {
			continue
		}
		if steps--; steps < 0 {
			return false
		}
		floor = later(floor, n.when[l])
		n.adopt(l, floor)
	}
	n.confirm()
	return true
}

// alike reports whether two levels differ by rounding only.
func alike(x, y float64) bool { return x <= float64(y*tie) && y <= float64(x*tie) }

// consider notes that the use of link l changes.
func (n *Network) consider(l int32) {
	if n.state[l]&inReview == 0 {
		n.state[l] |= inReview
		n.review = append(n.review, l)
		n.accrue(l)
		n.crowd[l] = n.used[l]
	}
}

func (n *Network) enqueue(l int32) {
	if n.state[l]&inQueue == 0 {
		n.state[l] |= inQueue
		n.queue = append(n.queue, l)
	}
}

// others returns the first of the links at the other end of l's cells.
func (n *Network) others(l int32) int32 {
	if int(l) < n.racks {
		return int32(n.racks)
	}
	return 0
}

// adopt gives link l its aim for a level and notes which links get out of balance by that.
func (n *Network) adopt(l int32, floor float64) {
	x, y := n.level[l], n.aim[l]
	if n.state[l]&isMoved == 0 {
		n.state[l] |= isMoved
		n.refresh(l)
	}
	n.level[l] = y
	from := n.others(l)
	cells := n.cell[int(l)*n.racks : (int(l)+1)*n.racks]
	for k, set := range n.peers[int(l)*n.words : (int(l)+1)*n.words] {
		for ; set != 0; set &= set - 1 {
			i := k<<6 + bits.TrailingZeros64(set)
			p := from + int32(i)
			a := n.level[p]
			if a <= x && a <= y {
				continue
			}
			n.consider(p)
			gain := cells[i] * (lesser(y, a) - lesser(x, a))
			if n.state[p]&inQueue == 0 {
				if a == inf && x < inf && y < inf {
					n.crowd[p] += gain
					n.state[p] &^= isExact
					if n.crowd[p] <= float64(n.capacity[p]*slack) {
						continue
					}
				}
				n.enqueue(p)
				n.aim[p] = a
			}
			n.state[p] |= isGuessed
			if a < inf && n.driven[p] > 0 {
				n.aim[p] -= gain / n.driven[p]
			} else {
				n.aim[p] = floor
			}
			if !(n.aim[p] >= floor) {
				n.aim[p] = floor
			}
			n.when[p] = lesser(a, n.aim[p])
		}
	}
}

// balance returns the level at which link l is in balance with the others. Newton's method on a concave function, so from
// below, and after one step always, it comes from below; it is exact once it knows which of the others have less.
func (n *Network) balance(l int32) float64 {
	room := n.capacity[l]
	if n.weight[l] == 0 || room == inf {
		n.crowd[l], _ = n.below(l, inf)
		n.state[l] |= isExact
		return inf
	}
	x, before := n.aim[l], 0.0
	if !(x > 0) {
		x = n.level[l]
	}
	if x == inf {
		x = room
	}
	for k := 0; ; k++ {
		used, rest := n.below(l, x)
		switch {
		case rest > 0 && (rest == before || k > 1 && rest > before):
			n.driven[l] = rest
			return x
		case rest > 0 && used < room:
			was := x
			x, before = (room-used)/rest, rest
			if alike(x, was) {
				n.driven[l] = rest
				return x
			}
		case rest == 0 && (used <= room || k > 0):
			n.crowd[l] = used
			n.state[l] |= isExact
			return inf
		case k > 0:
			return x
		default:
			x = room / n.weight[l]
		}
	}
}

// below returns what cells of l use whose other link has a level below x, and the weight of the others.
func (n *Network) below(l int32, x float64) (used, rest float64) {
	from := n.others(l)
	cells := n.cell[int(l)*n.racks : (int(l)+1)*n.racks]
	levels := n.level[from : int(from)+n.racks]
	key := math.Float64bits(x)
	for k, set := range n.peers[int(l)*n.words : (int(l)+1)*n.words] {
		for ; set != 0; set &= set - 1 {
			i := k<<6 + bits.TrailingZeros64(set)
			w, a := math.Float64bits(cells[i]), levels[i]
			u := math.Float64bits(cells[i] * a)
			if math.Float64bits(a) < key {
				w = 0
			} else {
				u = 0
			}
			used += math.Float64frombits(u)
			rest += math.Float64frombits(w)
		}
	}
	return used, rest
}

// confirm lets classes ride on the links that hold them now, and notes the rates in use.
func (n *Network) confirm() {
	n.round++
	n.fixed = 0
	for _, l := range n.review {
		if n.state[l]&(isTouched|isMoved) != 0 {
			n.steer(l)
		}
		switch {
		case n.level[l] < inf:
			n.used[l] = n.capacity[l]
		case n.state[l]&isExact != 0:
			n.used[l] = n.crowd[l]
		default:
			n.used[l], _ = n.below(l, inf)
		}
	}
	n.assign()
	for _, l := range n.review {
		n.arrive(l)
	}
}

// steer settles who drives the cells of link l.
func (n *Network) steer(l int32) {
	from := n.others(l)
	own := l - int32(n.racks) + from
	word, bit := int(own)>>6, uint64(1)<<(own&63)
	x := n.level[l]
	drives := n.drives[int(l)*n.words : (int(l)+1)*n.words]
	for k, set := range n.peers[int(l)*n.words : (int(l)+1)*n.words] {
		drives[k] &= set
		was := drives[k]
		for ; set != 0; set &= set - 1 {
			i := bits.TrailingZeros64(set)
			p := from + int32(k<<6+i)
			mine := was>>i&1 != 0
			a := n.level[p]
			theirs := &n.drives[int(p)*n.words+word]
			switch {
			case !mine && (x < a || x == a && *theirs&bit == 0):
				drives[k] |= 1 << i
				*theirs &^= bit
				n.redirect(l, p, l)
			case x > a && *theirs&bit == 0:
				drives[k] &^= 1 << i
				*theirs |= bit
				n.redirect(l, p, p)
				if n.state[p]&inReview == 0 {
					n.arrive(p)
				}
			}
		}
	}
}
