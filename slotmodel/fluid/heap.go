package fluid

import "slices"

// entry is a job with its key; the index breaks ties.
type entry struct {
	key dd
	id  int32
}

func (a entry) before(b entry) bool {
	return a.key.less(b.key) || a.key == b.key && a.id < b.id
}

// heap is a 4-ary min-heap of entries: push and pop cost O(log n), and pushing in increasing order
// O(1).
type heap []entry

// min returns the least entry of a heap that is not empty.
func (h heap) min() entry { return h[0] }

func (h *heap) push(e entry) {
	a := append(*h, e)
	*h = a
	i := len(a) - 1
	for i > 0 {
		p := (i - 1) / 4
		if !e.before(a[p]) {
			break
		}
		a[i] = a[p]
		i = p
	}
	a[i] = e
}

// remove takes out the entry of job id, in O(log n) if it is the least one, else in O(n log n).
func (h *heap) remove(id int32) entry {
	a := *h
	if a[0].id == id {
		return h.pop()
	}
	i := slices.IndexFunc(a, func(e entry) bool { return e.id == id })
	gone := a[i]
	rest := slices.Delete(a, i, i+1)
	*h = rest[:0]
	for _, e := range rest {
		h.push(e)
	}
	return gone
}

func (h *heap) pop() entry {
	a := *h
	top := a[0]
	n := len(a) - 1
	e := a[n]
	a = a[:n]
	*h = a
	if n == 0 {
		return top
	}
	i := 0
	for {
		c := 4*i + 1
		if c >= n {
			break
		}
		m := c
		for k := c + 1; k < min(c+4, n); k++ {
			if a[k].before(a[m]) {
				m = k
			}
		}
		if !a[m].before(e) {
			break
		}
		a[i] = a[m]
		i = m
	}
	a[i] = e
	return top
}
