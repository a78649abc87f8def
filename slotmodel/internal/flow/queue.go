package flow

// A piece is a run of queued bytes that ends in a mark. Only the last piece of a queue may end
// without one.
type piece struct {
	// Of the first piece of a queue: the bytes left when the flow got its present tag.
	bytes     float64
	ref, next int32
}

// A queue is a list of pieces, first in, first out.
type queue struct {
	head, tail int32 // none: empty
	open       bool  // the last piece has no mark yet and can still grow
	rest       clock // bytes of all pieces but the first
}

var emptyQueue = queue{head: none, tail: none}

// empty reports whether nothing is queued, not even a mark.
func (q *queue) empty() bool { return q.head == none }

// marked reports whether there is a mark in q, which is not empty.
func (q *queue) marked() bool { return q.head != q.tail || !q.open }

// push appends bytes.
func (n *Network) push(q *queue, bytes float64) {
	if q.open {
		last := &n.pieces[q.tail]
		last.bytes = clock{hi: last.bytes}.add(bytes).hi
		if q.tail != q.head {
			q.rest = q.rest.add(bytes)
		}
		return
	}
	i := n.freePiece
	if i != none {
		n.freePiece = n.pieces[i].next
	} else {
		i = int32(len(n.pieces))
		n.pieces = append(n.pieces, piece{})
	}
	n.pieces[i] = piece{bytes: bytes, next: none}
	if q.empty() {
		q.head = i
	} else {
		n.pieces[q.tail].next = i
		q.rest = q.rest.add(bytes)
	}
	q.tail, q.open = i, true
}

// mark marks the end of q, which is not empty.
func (n *Network) mark(q *queue, ref int32) {
	if !q.open {
		n.push(q, 0)
	}
	n.pieces[q.tail].ref, q.open = ref, false
}

// shift removes the first piece and returns its mark, if it has one.
func (n *Network) shift(q *queue) (ref int32, marked bool) {
	i := q.head
	p := &n.pieces[i]
	ref, marked = p.ref, q.marked()
	q.head = p.next
	p.next, n.freePiece = n.freePiece, i
	switch q.head {
	case none:
		*q = emptyQueue
	case q.tail:
		q.rest = clock{}
	default:
		q.rest = q.rest.add(-n.pieces[q.head].bytes)
	}
	return ref, marked
}

// thin takes a fraction of the bytes from every piece.
func (n *Network) thin(q *queue, fraction float64) {
	q.rest = clock{}
	for i := q.head; i != none; i = n.pieces[i].next {
		p := &n.pieces[i]
		p.bytes -= float64(p.bytes * fraction)
		if i != q.head {
			q.rest = q.rest.add(p.bytes)
		}
	}
}

// clear frees all pieces.
func (n *Network) clear(q *queue) {
	if !q.empty() {
		n.pieces[q.tail].next, n.freePiece = n.freePiece, q.head
	}
	*q = emptyQueue
}
