package fluid

import "slices"

// levels is least attained service on a server of speed 1. Jobs of equal attained service are a
// group that moves together; the least group runs, its level growing by du over its number of jobs,
// until a job reaches its size or the group reaches the next one and they become one. A group keeps
// its jobs by size in a pairing heap, so that two groups merge in O(1).
type levels struct {
	jobs  []Job
	n     int // jobs in all groups
	at    dd  // work clock
	level dd  // of the running group, at work clock at
	root  int32
	count int32
	rest  heap // waiting groups by level, each named by its root

	counts      []int32 // by root, of waiting groups
	child, next []int32 // -1: none
}

func (l *levels) reset(jobs []Job) {
	n := len(jobs)
	l.jobs, l.n, l.count = jobs, 0, 0
	l.rest = l.rest[:0]
	l.counts = slices.Grow(l.counts[:0], n)[:n]
	l.child = slices.Grow(l.child[:0], n)[:n]
	l.next = slices.Grow(l.next[:0], n)[:n]
}

// sync moves the running group to work clock u.
func (l *levels) sync(u dd) {
	if l.count == 1 {
		l.level = l.level.add(u.sub(l.at))
	} else if l.count > 0 {
		l.level = l.level.add(u.sub(l.at).over(float64(l.count)))
	}
	l.at = u
}

// add adds a job that has attained the given service; the clock must be at the time of adding.
func (l *levels) add(id int32, attained dd) {
	l.n++
	l.child[id], l.next[id] = -1, -1
	switch {
	case l.count == 0:
		l.root, l.count, l.level = id, 1, attained
	case attained == l.level:
		l.root = l.meld(l.root, id)
		l.count++
	case attained.less(l.level):
		l.counts[l.root] = l.count
		l.rest.push(entry{l.level, l.root})
		l.root, l.count, l.level = id, 1, attained
	default:
		l.counts[id] = 1
		l.rest.push(entry{attained, id})
	}
}

// target is the level at which the running group changes next.
func (l *levels) target() (level dd, meet bool) {
	level = dd{hi: l.jobs[l.root].Size}
	if len(l.rest) > 0 {
		if m := l.rest.min().key; m.less(level) {
			return m, true
		}
	}
	return level, false
}

// when is the work clock of the next change if nobody is added.
func (l *levels) when() dd {
	level, _ := l.target()
	d := level.sub(l.level)
	if l.count > 1 {
		d = d.scale(float64(l.count))
	}
	return l.at.add(d)
}

// fire makes the next change, at work clock u: it returns the job that is done, or -1 when two
// groups became one.
func (l *levels) fire(u dd) int32 {
	level, meet := l.target()
	l.at, l.level = u, level
	if meet {
		g := l.rest.min().id
		l.rest.pop()
		l.root = l.meld(l.root, g)
		l.count += l.counts[g]
		return -1
	}
	id := l.root
	l.n--
	l.count--
	if l.count > 0 {
		l.root = l.pair(l.child[id])
	} else if len(l.rest) > 0 {
		e := l.rest.min()
		l.rest.pop()
		l.root, l.count, l.level = e.id, l.counts[e.id], e.key
	}
	return id
}

// meld makes one heap of those of roots a and b.
func (l *levels) meld(a, b int32) int32 {
	sa, sb := l.jobs[a].Size, l.jobs[b].Size
	if sb < sa || sb == sa && b < a {
		a, b = b, a
	}
	l.next[b] = l.child[a]
	l.child[a] = b
	return a
}

// pair melds a list of siblings, in pairs from the left and then from the right.
func (l *levels) pair(first int32) int32 {
	var done int32 = -1
	for first >= 0 {
		a, b := first, l.next[first]
		if b < 0 {
			l.next[a] = done
			done = a
			break
		}
		first = l.next[b]
		a = l.meld(a, b)
		l.next[a] = done
		done = a
	}
	root := done
	for done = l.next[root]; done >= 0; {
		n := l.next[done]
		root = l.meld(root, done)
		done = n
	}
	l.next[root] = -1
	return root
}
