package slotmodel

import "math"

// Classes of what can happen in one instant, in the order in which it does. Flows that arrive, faults, arrivals and heartbeats
// are found outside the queue, at their place in this order.
const (
	classAttempt uint64 = iota // an attempt's transfer of fixed time, work or write is over
	classLimit                 // a job's walltime or crash
	classCancel
	classWake
)

// entry is something that will happen.
type entry struct {
	time float64
	key  uint64 // class, then a running number: the order within one instant
	ref  int32  // the attempt or job
	gen  uint32 // of the attempt: an entry of an attempt that is over means nothing
}

func (a *entry) before(b *entry) bool { return a.time < b.time || a.time == b.time && a.key < b.key }

// queue is a 4-ary heap of entries by (time, class, number).
type queue struct {
	heap   []entry
	number uint64
}

func (q *queue) push(time float64, class uint64, ref int32, gen uint32) {
	q.number++
	e := entry{time + 0, class<<60 | q.number, ref, gen} // +0, not -0: see leastOf
	q.heap = append(q.heap, e)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

func (q *queue) pop() entry {
	h := q.heap
	top := h[0]
	last := len(h) - 1
	e := h[last]
	h = h[:last]
	q.heap = h
	if last == 0 {
		return top
	}
	i := 0
	for {
		child := 4*i + 1
		if child >= last {
			break
		}
		least := child
		if child+4 <= last {
			least = child + leastOf((*[4]entry)(h[child:]))
		} else {
			for c := child + 1; c < last; c++ {
				if h[c].before(&h[least]) {
					least = c
				}
			}
		}
		if !h[least].before(&e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
	return top
}

// leastOf returns the place of the first of four. Times are >= +0, so their bits are in their order; chosen as integers there is no branch,
// and which is the least cannot be predicted.
func leastOf(x *[4]entry) int {
	a, b, c, d := math.Float64bits(x[0].time), math.Float64bits(x[1].time), math.Float64bits(x[2].time), math.Float64bits(x[3].time)
	i, j := 0, 2
	if b < a {
		i = 1
	}
	if d < c {
		j = 3
	}
	e, f := min(a, b), min(c, d)
	if f < e {
		i = j
	}
	if a == b || c == d || e == f { // within an instant the number decides
		i = 0
		for k := range x {
			if x[k].before(&x[i]) {
				i = k
			}
		}
	}
	return i
}
