package slotmodel

import "slices"

// roster orders things, the nodes or the jobs, as they join, and those of each group: the nodes of
// a rack, the jobs of a user.
type roster struct {
	order []int32 // the things that have joined, in order
	rank  []int32 // the place of each thing there; behind all places before it has joined
	seats []int32 // the things group by group, each group in order
	seat  []int32 // the place of each thing there, as rank
	begin []int32 // seats of group g: begin[g] to begin[g+1]
	next  []int32 // the first free seat of each group
}

// newRoster returns the roster of n things that are to join.
func newRoster(n, groups int, groupOf func(i int) int) *roster {
	r := &roster{order: make([]int32, 0, n), seats: make([]int32, n), begin: make([]int32, groups+1)}
	for i := range n {
		r.begin[groupOf(i)+1]++
	}
	for g := range groups {
		r.begin[g+1] += r.begin[g]
	}
	r.next = slices.Clone(r.begin)
	r.rank, r.seat = slices.Repeat([]int32{int32(n)}, n), slices.Repeat([]int32{int32(n)}, n)
	return r
}

// join puts thing i of group g behind the others.
func (r *roster) join(i int32, g int) {
	r.rank[i], r.seat[i] = int32(len(r.order)), r.next[g]
	r.order = append(r.order, i)
	r.seats[r.next[g]] = i
	r.next[g]++
}

// group lists the things of a group.
func (r *roster) group(g int32) []int32 { return r.seats[r.begin[g]:r.begin[g+1]] }

// muster is a set of things of a roster, walked in order through all groups or one.
type muster struct {
	*roster
	byRank bitset
	bySeat bitset
}

func newMuster(r *roster) muster { // with a bit for what has not joined, which is never set
	return muster{r, newBitset(len(r.rank) + 1), newBitset(len(r.rank) + 1)}
}

func (m *muster) add(i int32) {
	m.byRank.set(m.rank[i])
	m.bySeat.set(m.seat[i])
}

func (m *muster) remove(i int32) {
	m.byRank.clear(m.rank[i])
	m.bySeat.clear(m.seat[i])
}

func (m *muster) has(i int32) bool { return m.byRank.has(m.rank[i]) }

// next returns the first element after i, which need not be one; i = None is the start. It returns
// None at the end.
func (m *muster) next(i int32) int32 {
	if i != None {
		i = m.rank[i]
	}
	if i = m.byRank.next(i); i < 0 {
		return None
	}
	return m.order[i]
}

// nextIn is next within a group; None if i is of another.
func (m *muster) nextIn(g, i int32) int32 {
	from, end := m.begin[g]-1, m.begin[g+1]
	if i != None {
		if m.seat[i] <= from || m.seat[i] >= end {
			return None
		}
		from = m.seat[i]
	}
	if i = m.bySeat.next(from); i < 0 || i >= end {
		return None
	}
	return m.seats[i]
}
