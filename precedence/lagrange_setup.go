package precedence

import (
	"cmp"
	"slices"
)

const maxClosure = 4096 // jobs up to which the transitive closure is made, in n^2/8 bytes each way

func (p *problem) newLagrange(order []int) *lagrange {
	n := len(p.work)
	l := &lagrange{problem: p, jobs: make([]priced, n)}
	// the tables take 48 bytes a job and edge
	l.makeEdges(order, max(2, min(lagrangeEdges, 1<<17/n)))
	m := len(l.edges) - 1
	l.lambda, l.use = make([]float64, m), make([]float64, m)
	l.integral, l.whole = make([]float64, m+1), make([]float64, m+1)
	l.slope, l.end = make([]float64, n), make([]float64, n)
	l.makeVariables()
	total := l.edges[m]
	before, after := p.around()
	for j := range l.jobs {
		q, c, work := &l.jobs[j], &p.cost[j], p.work[j]
		q.min = before[j] + work
		q.max = max(q.min, total-after[j])
		q.options = make([]option, 0, 3+len(c.deadlines)+len(l.edges))
		complete := func(t float64) {
			q.options = append(q.options, option{c.at(t), t, l.place(t), l.place(t - work)})
		}
		inside := func(t float64) {
			if t > q.min && t < q.max {
				complete(t)
			}
		}
		complete(q.min)
		complete(q.max)
		switch c.kind {
		case kindTardiness, kindTardy:
			inside(c.deadline)
		case kindSLA:
			for _, d := range c.deadlines {
				inside(graced(d))
			}
		}
		for _, e := range l.edges {
			inside(e + work)
		}
		if c.kind == kindUser {
			q.lower()
		}
	}
	return l
}

// makeVariables sets the drops and the pulls to 0. A drop is measured by the time about its edge,
// so that close edges do not count twice.
func (l *lagrange) makeVariables() {
	g := l.g
	if g.Len() <= maxClosure {
		g = g.Reduce()
	}
	m := len(l.lambda)
	for j := range g.Len() {
		for _, i := range g.Preds(j) {
			l.arcs = append(l.arcs, [2]int32{i, int32(j)})
		}
	}
	l.x = make([]float64, m-1+len(l.arcs))
	l.drop, l.pull = l.x[:m-1], l.x[m-1:]
	l.excess, l.scale = make([]float64, len(l.x)), make([]float64, len(l.x))
	for k := range l.drop {
		l.scale[k] = l.edges[k+2] - l.edges[k]
	}
	for k := range l.pull {
		l.scale[m-1+k] = l.total.Hi / float64(m)
	}
}

// makeEdges cuts the time from 0 to the end at the completion times of order and at the deadlines,
// where good prices change. Of more than most such times it takes every second, every third and so
// on; if there are fewer it halves the longest intervals.
func (l *lagrange) makeEdges(order []int, most int) {
	var marks []float64
	t, total := 0.0, l.total.Hi
	for _, j := range order {
		t += l.work[j]
		marks = append(marks, t)
		switch c := &l.cost[j]; c.kind {
		case kindTardiness, kindTardy:
			marks = append(marks, c.deadline)
		case kindSLA:
			for _, d := range c.deadlines {
				marks = append(marks, graced(d))
			}
		}
	}
	marks = slices.DeleteFunc(marks, func(t float64) bool { return !(t > 0 && t < total) })
	slices.Sort(marks)
	marks = slices.Compact(marks)
	l.edges = append(l.edges, 0)
	for every, i := (len(marks)+most-1)/most, 0; i < len(marks); i += every {
		l.edges = append(l.edges, marks[i])
	}
	l.edges = append(l.edges, total)
	for part := 8.0; len(l.edges) < most && part < float64(4*most); part *= 1.5 {
		for k := len(l.edges) - 1; k > 0 && len(l.edges) < most; k-- {
			if d := l.edges[k] - l.edges[k-1]; d > total/part {
				l.edges = slices.Insert(l.edges, k, l.edges[k-1]+float64(d/2))
			}
		}
	}
}

// lower replaces the penalty at each time by that at the time before: what lies between costs no
// less.
func (q *priced) lower() {
	slices.SortFunc(q.options, func(a, b option) int {
		return cmp.Or(cmp.Compare(a.end.k, b.end.k), cmp.Compare(a.end.part, b.end.part))
	})
	for i := len(q.options) - 1; i > 0; i-- {
		q.options[i].penalty = q.options[i-1].penalty
	}
}

// around returns bounds of the work that must come before and after each job: of all its ancestors
// and descendants, or for large graphs of a heaviest path of them.
func (p *problem) around() (before, after []float64) {
	n := len(p.work)
	before, after = make([]float64, n), make([]float64, n)
	if p.arcless() {
		return before, after
	}
	topo := p.g.Topological(nil)
	sum := func(into []float64, neighbours func(int) []int32) {
		sets := make([]bitSet, n) // all that come before j, or after; none for large graphs
		for _, j := range topo {
			if n <= maxClosure {
				sets[j] = newBitSet(n)
			}
			for _, i := range neighbours(j) {
				if n > maxClosure {
					into[j] = max(into[j], into[i]+p.work[i])
					continue
				}
				sets[j].join(sets[i])
				sets[j].add(int(i))
			}
			if n <= maxClosure {
				into[j] = sets[j].sum(p.work)
			}
			into[j] *= 1 - float64(0x1p-50*float64(n)) // rounded sums must not exceed the true ones
		}
	}
	sum(before, p.g.Preds)
	slices.Reverse(topo)
	sum(after, p.g.Succs)
	return before, after
}

// place returns where t is among the intervals.
func (l *lagrange) place(t float64) place {
	k, found := slices.BinarySearch(l.edges, t)
	if !found {
		k--
	}
	k = min(max(k, 0), len(l.lambda)-1)
	return place{t - l.edges[k], int32(k)}
}

// grain returns a number of which every value of the objective is a multiple, or 0 if none is
// known.
func (p *problem) grain() float64 {
	times := slices.Clone(p.work)
	var weights []float64
	steps, slopes := false, false
	for j := range p.cost {
		switch c := &p.cost[j]; c.kind {
		case kindUser:
			return 0
		case kindSLA:
			steps = true
			weights = append(weights, c.costs...)
		case kindTardy:
			steps = true
			weights = append(weights, c.weight)
		case kindLinear, kindTardiness:
			slopes = true
			times = append(times, c.deadline)
			weights = append(weights, c.weight)
		}
	}
	if steps && slopes {
		return 0
	}
	_, grain, _ := wholeUnits(weights)
	if slopes {
		_, time, _ := wholeUnits(times)
		grain *= time
	}
	return grain
}
