package main

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/fairqueue"
)

type answer struct {
	key int
	ok  bool
}

// newQueue returns a queue with random options.
func newQueue(r *rand.Rand) (*pair[*fairqueue.Queue[int], fairqueue.Snapshot[int]], fairqueue.Return) {
	type queue = *fairqueue.Queue[int]
	o := fairqueue.Options{Return: fairqueue.Return(r.IntN(2)), Forget: r.IntN(2) == 0}
	return &pair[queue, fairqueue.Snapshot[int]]{r: r, it: must(fairqueue.New[int](o)), snapshot: queue.Snapshot, restore: fairqueue.Restore[int]}, o.Return
}

// flatQueue is eight flows by the definition of start and finish tags. Weights are powers of two,
// so that tags are exact.
func flatQueue(r *rand.Rand) func(loss) {
	p, back := newQueue(r)
	var flows [8]struct {
		weight, floor, finish float64
		active                bool
	}
	var virtual, greatest float64
	for i := range flows {
		flows[i].weight = math.Ldexp(1, r.IntN(4))
		must(0, p.it.Join(i, flows[i].weight))
	}
	start := func(i int) float64 { return max(flows[i].floor, flows[i].finish) }
	next := func(mask int) (first answer) {
		for i := range flows {
			if flows[i].active && mask>>i&1 == 0 && (!first.ok || start(i) < start(first.key)) {
				first = answer{i, true}
			}
		}
		return first
	}
	pass := func() { // brings the virtual time up to date
		if first := next(0); !first.ok {
			virtual = max(virtual, greatest)
		} else if back == fairqueue.ToLeast {
			virtual = max(virtual, start(first.key))
		}
	}
	adjust := func(i int, from, cost float64) {
		flows[i].finish = from + cost/flows[i].weight
		greatest = max(greatest, flows[i].finish)
	}
	return func(l loss) {
		i, cost, mask, active := r.IntN(len(flows)), float64(r.IntN(9)), r.IntN(256)&r.IntN(256), r.IntN(3) > 0
		switch r.IntN(4) {
		case 0:
			p.do(l, func(q *fairqueue.Queue[int]) any { return q.SetActive(i, active) }, func() {
				f := &flows[i]
				if active && !f.active {
					pass()
					f.floor = virtual
				}
				if f.active = active; !next(0).ok {
					pass()
				}
			})
		case 1:
			p.do(l, func(q *fairqueue.Queue[int]) any { return q.Settle(i, cost-4) }, func() { adjust(i, flows[i].finish, cost-4) })
		default:
			first := next(mask)
			same("Next", p.do(noLoss, func(q *fairqueue.Queue[int]) any {
				key, ok := q.Next(func(i int) bool { return mask>>i&1 == 1 })
				return answer{key, ok}
			}, func() {
				if first.ok && back == fairqueue.ByVirtualTime {
					virtual = max(virtual, start(first.key))
				} else if first.ok {
					pass()
				}
			}), first)
			if first.ok {
				p.do(l, func(q *fairqueue.Queue[int]) any { return q.Charge(first.key, cost) }, func() { adjust(first.key, start(first.key), cost) })
			}
		}
	}
}

// treeQueue is a tree of flows that come and go. It has no plain form.
func treeQueue(r *rand.Rand) func(loss) {
	p, _ := newQueue(r)
	return func(l loss) {
		op, key, parent, weight, cost := r.IntN(11), r.IntN(12), r.IntN(12), 1+9*r.Float64(), 10*r.Float64()
		p.do(l, func(q *fairqueue.Queue[int]) any {
			switch op {
			case 0:
				return q.Join(key, weight)
			case 1, 2:
				return q.JoinUnder(parent, key, weight)
			case 3:
				return q.Leave(key)
			case 4:
				return q.SetWeight(key, weight)
			case 5:
				return q.Settle(key, cost-5)
			case 6, 7:
				return q.SetActive(key, cost > 2)
			}
			key, ok := q.Next(nil)
			return []any{key, ok, q.Charge(key, cost)}
		}, func() {})
	}
}
