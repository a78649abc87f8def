package fluid

// loose is a binary min-heap of entries whose keys carry rounding errors: keys that differ by at most tol are equal and
// the index breaks the tie. Exact ties have errors far below tol and different keys hardly ever come so close, so that this is an
// order in practice; if it once is not, two jobs with nearly equal keys change places.
type loose struct {
	tol  float64
	heap []entry
}

func (q *loose) before(a, b entry) bool {
	if d := a.key.minus(b.key); d < -q.tol || d > q.tol {
		return d < 0
	}
	return a.id < b.id
}

func (q *loose) push(e entry) {
	q.heap = append(q.heap, e)
	a, i := q.heap, len(q.heap)-1
	for i > 0 && q.before(e, a[(i-1)/2]) {
		a[i] = a[(i-1)/2]
		i = (i - 1) / 2
	}
	a[i] = e
}

func (q *loose) pop() entry {
	a := q.heap
	top, e, n := a[0], a[len(a)-1], len(a)-1
	q.heap = a[:n]
	i := 0
	for c := 1; c < n; c = 2*i + 1 {
		if c+1 < n && q.before(a[c+1], a[c]) {
			c++
		}
		if !q.before(a[c], e) {
			break
		}
		a[i] = a[c]
		i = c
	}
	if n > 0 {
		a[i] = e
	}
	return top
}
