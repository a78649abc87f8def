package fairqueue

import "slices"

// Level is one step of the way from the root to a flow: a node among its siblings.
type Level[K comparable] struct {
	Key     K
	Active  bool    // something waits at or below it, and limits allow it to be served
	Virtual float64 // the virtual time among the siblings
	Start   float64 // tag at which its next service starts, or would if it were active
	Finish  float64 // tag at which its last service ended
	Place   int     // number of active siblings that are served before it
	Servers []int   // that alone may serve it, in increasing order; nil: all may
}

// Why appends to dst the levels that lead from the root to a flow, which explain its place: the
// flow is next if it is active and Place is 0 at every level. Otherwise the first level with
// another Place decided. Of what is before it at one server, OrderAt tells. Errors: a key that has
// not joined.
func (q *Queue[K]) Why(dst []Level[K], key K) ([]Level[K], error) {
	i, err := q.find("fairqueue.Queue.Why", "key", key, false)
	if err != nil {
		return dst, err
	}
	from := len(dst)
	for ; i != root; i = q.nodes[i].parent {
		q.current(i)
		n := &q.nodes[i]
		p := q.nodes[n.parent].inner
		start := later(n.start(), q.behind(p))
		l := Level[K]{Key: n.key, Active: n.in != nil, Virtual: p.virtual.float(), Start: start.float(), Finish: n.finish.float()}
		for _, k := range q.waiting(n.parent) {
			if q.compare(k, i) < 0 {
				l.Place++
			}
		}
		if n.bound {
			for _, s := range q.places.of[i] {
				l.Servers = append(l.Servers, q.places.seats[s].server)
			}
		}
		dst = append(dst, l)
	}
	slices.Reverse(dst[from:])
	return dst, nil
}
