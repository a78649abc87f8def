package flow

// A piece is a run of queued bytes that ends in a mark; only the last piece of a queue may end without one.
type piece struct {
	bytes     float64 // a head's: what it had left when it got its present tag
	ref, next int32
}

// A queue is a list of pieces, first in, first out.
type queue struct {
	head, tail int32
	open       bool  // the tail has no mark yet, so it can still grow
	rest       clock // bytes of all pieces but the head, compensated: they come and go for as long as the flow is active
}

var empty = queue{head: none, tail: none}

// push appends bytes.
func (n *Network) push(q *queue, bytes float64) {
	if q.open {
		n.pieces[q.tail].bytes += bytes
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
	if q.head == none {
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

// marked reports whether there is a mark in q, which is not empty.
func (q *queue) marked() bool { return q.head != q.tail || !q.open }

// shift removes the head and returns its mark, if it has one.
func (n *Network) shift(q *queue) (ref int32, marked bool) {
	i := q.head
	p := &n.pieces[i]
	ref, marked = p.ref, q.marked()
	q.head = p.next
	p.next, n.freePiece = n.freePiece, i
	switch q.head {
	case none:
		*q = empty
	case q.tail:
		q.rest = clock{}
	default:
		q.rest = q.rest.add(-n.pieces[q.head].bytes)
	}
	return ref, marked
}

// splice moves all of b behind a.
func (n *Network) splice(a, b *queue) {
	if b.head == none {
		return
	}
	if a.head == none {
		*a, *b = *b, empty
		return
	}
	n.push(a, n.pieces[b.head].bytes)
	if b.head != b.tail || !b.open {
		n.pieces[a.tail].ref, a.open = n.pieces[b.head].ref, false
	}
	open, rest, last := b.open, b.rest, b.head == b.tail
	next, tail := n.pieces[b.head].next, b.tail
	n.pieces[b.head].next, n.freePiece = n.freePiece, b.head
	if !last {
		n.pieces[a.tail].next = next
		a.tail, a.open = tail, open
		a.rest = a.rest.add(rest.hi).add(rest.lo)
	}
	*b = empty
}

// thin takes the fraction lose from every piece but the head.
func (n *Network) thin(q *queue, lose float64) {
	if q.head == none || q.head == q.tail {
		return
	}
	q.rest = clock{}
	for i := n.pieces[q.head].next; i != none; i = n.pieces[i].next {
		p := &n.pieces[i]
		p.bytes -= float64(p.bytes * lose)
		q.rest = q.rest.add(p.bytes)
	}
}

// clear frees all pieces.
func (n *Network) clear(q *queue) {
	if q.head != none {
		n.pieces[q.tail].next, n.freePiece = n.freePiece, q.head
	}
	*q = empty
}
