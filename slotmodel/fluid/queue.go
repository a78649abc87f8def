package fluid

import "slices"

// queue is a priority queue of entries, the least one first. The least entries lie sorted in front: most workloads keep few
// jobs in the system, and there a sorted slice beats a heap whose branches nobody predicts. The others are in a heap, until front
// asks for more than a few of them; then the whole heap is sorted, once, which is cheaper than to pop it bit by bit.
// Push and pop cost O(log n) amortised.
type queue struct {
	front []entry // decreasing, at most width; empty only when the others are
	run   []entry // decreasing; nothing here or in rest is before an entry of front
	rest  heap
}

// width is the most that front holds.
const width = 32

// reset empties the queue; the zero value is not ready before.
func (q *queue) reset() {
	q.front, q.run, q.rest = slices.Grow(q.front[:0], width), q.run[:0], q.rest[:0]
}

func (q *queue) len() int { return len(q.front) + len(q.run) + len(q.rest) }

// min is the least entry of a queue that is not empty.
func (q *queue) min() entry { return q.front[len(q.front)-1] }

func (q *queue) push(e entry) {
	if (len(q.front) == width || len(q.run)+len(q.rest) > 0) && q.behind(e) {
		return
	}
	n := len(q.front)
	f := q.front[:n+1]
	q.front = f
	for n > 0 && f[n-1].before(e) {
		f[n] = f[n-1]
		n--
	}
	f[n] = e
}

// behind puts e behind front if it belongs there, and otherwise makes room in front and reports false.
func (q *queue) behind(e entry) bool {
	if len(q.run)+len(q.rest) == 0 || e.before(q.front[0]) {
		if len(q.front) < width {
			return false
		}
		q.spill()
		if e.before(q.front[0]) {
			return false
		}
	}
	q.rest.push(e)
	return true
}

// spill moves the larger half of front to rest.
func (q *queue) spill() {
	for i := width/2 - 1; i >= 0; i-- {
		q.rest.push(q.front[i])
	}
	q.front = q.front[:copy(q.front, q.front[width/2:])]
}

func (q *queue) pop() {
	q.front = q.front[:len(q.front)-1]
	if len(q.front) == 0 {
		q.fill()
	}
}

// fill moves the least of the other entries, if there are any, to the empty front.
func (q *queue) fill() {
	if len(q.run) == 0 && len(q.rest) > width {
		q.run, q.rest = q.rest, q.run
		slices.SortFunc(q.run, func(a, b entry) int {
			if b.before(a) {
				return -1
			}
			return 1
		})
	}
	n := min(width/2, len(q.run)+len(q.rest))
	q.front = q.front[:n]
	for i := n - 1; i >= 0; i-- {
		k := len(q.run) - 1
		if k < 0 || len(q.rest) > 0 && q.rest[0].before(q.run[k]) {
			q.front[i] = q.rest.pop()
			continue
		}
		q.front[i] = q.run[k]
		q.run = q.run[:k]
	}
}
