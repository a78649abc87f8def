package malleable

// queue is an indexed 4-ary min-heap of the running jobs by the time at which they finish, ties by rank. It is not
// internal/heap because positions stand in the jobs' own records, where the packer has just been: with a table of positions
// beside them packing takes 7 to 20% more processor time.
type queue []finish

type finish struct {
	at   float64
	rank int32
}

func (a finish) before(b finish) bool { return a.at < b.at || a.at == b.at && a.rank < b.rank }

const arity = 4

// set puts rank under a new key, whether it was waiting or not. Cost O(log n).
func (q *queue) set(at float64, rank int32, jobs []task) {
	e := finish{at, rank}
	i := int(jobs[rank].pos)
	if i < 0 {
		*q = append(*q, e)
		q.up(len(*q)-1, e, jobs)
		return
	}
	q.place(i, e, jobs)
}

// remove takes rank out if it waits. Cost O(log n).
func (q *queue) remove(rank int32, jobs []task) {
	i := int(jobs[rank].pos)
	if i < 0 {
		return
	}
	jobs[rank].pos = -1
	s := *q
	last := len(s) - 1
	e := s[last]
	*q = s[:last]
	if i < last {
		q.place(i, e, jobs)
	}
}

func (q *queue) place(i int, e finish, jobs []task) {
	if i > 0 && e.before((*q)[(i-1)/arity]) {
		q.up(i, e, jobs)
	} else {
		q.down(i, e, jobs)
	}
}

func (q *queue) up(i int, e finish, jobs []task) {
	s := *q
	for i > 0 {
		parent := (i - 1) / arity
		if !e.before(s[parent]) {
			break
		}
		s[i] = s[parent]
		jobs[s[i].rank].pos = int32(i)
		i = parent
	}
	s[i] = e
	jobs[e.rank].pos = int32(i)
}

func (q *queue) down(i int, e finish, jobs []task) {
	s := *q
	for {
		child := arity*i + 1
		if child >= len(s) {
			break
		}
		least, first := child, s[child]
		for k := child + 1; k < min(child+arity, len(s)); k++ {
			if s[k].before(first) {
				least, first = k, s[k]
			}
		}
		if !first.before(e) {
			break
		}
		s[i] = first
		jobs[first.rank].pos = int32(i)
		i = least
	}
	s[i] = e
	jobs[e.rank].pos = int32(i)
}
