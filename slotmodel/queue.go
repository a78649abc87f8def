package slotmodel

// Classes of what can happen in one instant, in the order in which it does. Flows that arrive come
// after attempts, and heartbeats last; the queue has neither.
const (
	classAttempt uint64 = iota // an attempt's transfer of fixed time, work or write is over
	classUp                    // a node returns
	classDown                  // a node is lost
	classPace                  // a node gets slower, or no longer is
	classLimit                 // a job's walltime or crash
	classCancel
	classWake
	classArrival
)

// entry is something that will happen.
type entry struct {
	time float64
	key  uint64 // class, then a running number, of an arrival the job: the order within one instant
	ref  int32  // the attempt, node or job; of a gang gangRef of its job
	// gen is that of the attempt or gang, or for a node's pace the number of the slowdown from 1, 0: none.
	// An entry whose attempt or gang has another gen by now counts for nothing.
	gen uint32
}

func (a *entry) before(b *entry) bool { return a.time < b.time || a.time == b.time && a.key < b.key }

// queue is a 4-ary heap of entries by (time, class, number).
type queue struct {
	heap   []entry
	number uint64
}

func (q *queue) push(time float64, class uint64, ref int32, gen uint32) {
	q.number++
	q.add(entry{time, class<<60 | q.number, ref, gen})
}

func (q *queue) add(e entry) {
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
		for c := child + 1; c < min(child+4, last); c++ {
			if h[c].before(&h[least]) {
				least = c
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
