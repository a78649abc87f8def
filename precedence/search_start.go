package precedence

import (
	"math"

	"github.com/schedmath/schedmath/internal/heap"
)

// starts calls try with the orders that the local search begins from: by modified due dates; by
// weight over work (Smith's rule where there is no precedence); and by apparent tardiness cost with
// four look-aheads (Vepsalainen and Morton 1987).
func (p *problem) starts(try func(order []int)) {
	n := len(p.work)
	due, ratio := make([]float64, n), make([]float64, n)
	for j := range due {
		due[j], ratio[j] = p.firstDeadline(j), -p.ratio(j)
	}
	try(p.byDue(due))
	try(p.byPriority(ratio))
	for _, k := range [4]float64{0.5, 1, 2, 4} {
		try(p.apparent(k))
	}
}

// firstDeadline is when the job begins to cost.
func (p *problem) firstDeadline(j int) float64 {
	c := &p.cost[j]
	switch {
	case c.kind == kindNone || c.kind == kindSLA && len(c.deadlines) == 0:
		return posInf
	case c.kind == kindSLA:
		return graced(c.deadlines[0])
	case c.kind == kindUser:
		return 0
	}
	return c.deadline
}

// ratio is the penalty gained from time 0 to the end, over the work.
func (p *problem) ratio(j int) float64 {
	c := &p.cost[j]
	w := c.weight
	if c.kind == kindSLA || c.kind == kindUser {
		w = float64(c.at(p.total.Hi)/2) - float64(c.at(0)/2)
	}
	if w == 0 || c.kind == kindNone {
		return 0
	}
	return w / p.work[j]
}

// byPriority lists the jobs by ascending key among those whose predecessors are done, ties to the
// lower index.
func (p *problem) byPriority(key []float64) []int {
	return ints(p.g.listBy(func(j int32) float64 { return key[j] }))
}

// apparent lists the jobs by apparent tardiness cost: at each time, among those whose predecessors
// are done, the greatest weight over work, less the more slack there is before the deadline, with k
// mean works as the scale. Beyond 1,023 jobs several jobs are taken at a time, so that no more than
// 2^20 urgencies are computed.
func (p *problem) apparent(k float64) []int {
	n := len(p.work)
	scale, batch := k*(p.total.Hi/float64(n)), 1+int(int64(n)*int64(n)>>20)
	waiting := make([]int32, n)
	var ready, next []int32
	for j := range n {
		if waiting[j] = int32(len(p.g.Preds(j))); waiting[j] == 0 {
			ready = append(ready, int32(j))
		}
	}
	order := make([]int, 0, n)
	var first heap.Heap // the most urgent, ties to the lower index
	for t := 0.0; len(ready) > 0; ready, next = next, ready[:0] {
		first.Clear()
		for _, j := range ready {
			first.Push(heap.Entry{Key: -p.urgency(int(j), t, scale), ID: j}, nil, heap.LowID{})
		}
		for range min(batch, len(ready)) {
			j := int(first.Pop(nil, heap.LowID{}).ID)
			order = append(order, j)
			t += p.work[j]
			for _, i := range p.g.Succs(j) {
				if waiting[i]--; waiting[i] == 0 {
					next = append(next, i)
				}
			}
		}
		for i := range int32(first.Len()) {
			next = append(next, first.ID(i))
		}
	}
	return order
}

// urgency is what a unit of work on the job saves, if it starts at t.
func (p *problem) urgency(j int, t, scale float64) float64 {
	c, end := &p.cost[j], t+p.work[j]
	per := func(saved float64) float64 {
		if saved > 0 {
			return saved / p.work[j]
		}
		return 0
	}
	switch c.kind {
	case kindLinear:
		return per(c.weight)
	case kindTardiness:
		return per(c.weight * decay(c.deadline-end, scale))
	case kindTardy:
		if end <= c.deadline {
			return per(c.weight * decay(c.deadline-end, scale))
		}
	case kindSLA:
		saved, before := 0.0, 0.0
		for k, d := range c.deadlines {
			d = graced(d)
			if end <= d {
				saved = max(saved, (c.costs[k]-before)*decay(d-end, scale))
			}
			before = c.costs[k]
		}
		return per(saved)
	case kindUser:
		return per(float64(c.at(min(end+scale, p.total.Hi))/2) - float64(c.at(min(end, p.total.Hi))/2))
	}
	return 0
}

// decay falls from 1 at no slack like exp(-slack/scale), without an exponential that differs among
// machines.
func decay(slack, scale float64) float64 {
	if !(slack > 0) {
		return 1
	}
	x := slack / scale
	if !(x <= math.MaxFloat32) {
		return 0
	}
	return 1 / (1 + float64(x*(1+float64(x*(0.5+float64(x*(1.0/6+float64(x*(1.0/24)))))))))
}
