package precedence

// closureCut finds initial sets (with each job all its predecessors) of the greatest gain by a
// minimum cut: a job with a gain sends it along arcs without limit to its predecessors, and a
// job with a loss swallows as much. The gain that cannot be swallowed is the greatest gain of an
// initial set. Capacities have 128 bits, so that products of two 63-bit sums are exact.
//
// The flow is found by push and relabel [12]: jobs with excess, first in first out, push it towards
// jobs that can still swallow, with labels that never exceed the distance to such a job. Excess
// that can reach none stays where it is: the cut needs only a preflow, not a flow.
type closureCut struct {
	n               int
	predBegin, pred []int32 // an edge is an index of pred
	succBegin, succ []int32
	succEdge        []int32
	flow            []u128 // of an edge, from the job to its predecessor
	excess, loss    []u128 // loss: what the job can still swallow
	label, arc      []int32
	active          []int32 // jobs with excess, the first to discharge first
	queue           []int32
	count           []int32 // jobs by label
	relabelled      int
}

func newClosureCut(n, edges int) *closureCut {
	return &closureCut{
		predBegin: make([]int32, n+1), pred: make([]int32, 0, edges), succBegin: make([]int32, n+1),
		succ: make([]int32, edges), succEdge: make([]int32, edges), flow: make([]u128, edges),
		excess: make([]u128, n), loss: make([]u128, n), label: make([]int32, n), arc: make([]int32, n),
		queue: make([]int32, 0, n), count: make([]int32, n+2),
	}
}

// link makes the lists of successors, and forgets all flow, once predBegin and pred are filled for
// n jobs.
func (c *closureCut) link(n int) {
	c.n = n
	begin := c.succBegin[:n+1]
	clear(begin)
	for _, i := range c.pred {
		begin[i+1]++
	}
	for j := range n {
		begin[j+1] += begin[j]
	}
	for j := range int32(n) {
		for e := c.predBegin[j]; e < c.predBegin[j+1]; e++ {
			i := c.pred[e]
			c.succ[begin[i]], c.succEdge[begin[i]] = j, e
			begin[i]++
		}
	}
	copy(begin[1:], begin[:n])
	begin[0] = 0
	clear(c.flow[:len(c.pred)])
}

// none is the label of the jobs that can reach no loss.
func (c *closureCut) none() int32 { return int32(c.n) + 1 }

// run pushes until no excess can reach a loss. Afterwards the jobs whose label is none are the
// largest initial set of the greatest gain.
func (c *closureCut) run() {
	c.relabelAll()
	for len(c.active) > 0 {
		u := c.active[0]
		c.active = c.active[1:]
		if c.label[u] < c.none() {
			c.discharge(u)
		}
		if c.relabelled > c.n {
			c.relabelAll()
		}
	}
	c.relabelAll()
}

// relabelAll sets each label to the distance to a job with a loss, counted from 1, or to none where
// there is none, and lists the jobs with excess again.
func (c *closureCut) relabelAll() {
	n, none := int32(c.n), c.none()
	c.relabelled = 0
	queue := c.queue[:0]
	for u := range n {
		c.label[u] = none
		if !c.loss[u].isZero() {
			c.label[u] = 1
			queue = append(queue, u)
		}
	}
	for k := 0; k < len(queue); k++ {
		v := queue[k]
		d := c.label[v] + 1
		for _, u := range c.succ[c.succBegin[v]:c.succBegin[v+1]] {
			if c.label[u] == none {
				c.label[u] = d
				queue = append(queue, u)
			}
		}
		for e := c.predBegin[v]; e < c.predBegin[v+1]; e++ {
			if u := c.pred[e]; c.label[u] == none && !c.flow[e].isZero() {
				c.label[u] = d
				queue = append(queue, u)
			}
		}
	}
	clear(c.count[:none+1])
	c.active = c.active[:0]
	for u := range n {
		c.arc[u] = 0
		c.count[c.label[u]]++
		if c.label[u] < none && !c.excess[u].isZero() {
			c.active = append(c.active, u)
		}
	}
}

// discharge pushes u's excess to neighbours one label below, and raises u's label when there are
// none left.
func (c *closureCut) discharge(u int32) {
	none := c.none()
	ups, downs := c.predBegin[u+1]-c.predBegin[u], c.succBegin[u+1]-c.succBegin[u]
	for {
		d := c.label[u]
		for ; c.arc[u] < ups+downs; c.arc[u]++ {
			if k := c.arc[u]; k < ups { // to a predecessor, without limit
				e := c.predBegin[u] + k
				if v := c.pred[e]; c.label[v] == d-1 {
					x := c.excess[u]
					c.flow[e] = c.flow[e].plus(x)
					c.excess[u] = u128{}
					c.receive(v, x)
					return
				}
			} else { // back to a successor, as far as it has pushed to u
				at := c.succBegin[u] + k - ups
				e, v := c.succEdge[at], c.succ[at]
				if f := c.flow[e]; c.label[v] == d-1 && !f.isZero() {
					x := c.excess[u]
					if f.less(x) {
						x = f
					}
					c.flow[e] = f.minus(x)
					c.excess[u] = c.excess[u].minus(x)
					c.receive(v, x)
					if c.excess[u].isZero() {
						return
					}
				}
			}
		}
		c.arc[u] = 0
		c.relabelled++
		low := none
		for _, v := range c.pred[c.predBegin[u]:c.predBegin[u+1]] {
			low = min(low, c.label[v]+1)
		}
		for k := c.succBegin[u]; k < c.succBegin[u+1]; k++ {
			if !c.flow[c.succEdge[k]].isZero() {
				low = min(low, c.label[c.succ[k]]+1)
			}
		}
		c.count[d]--
		if c.count[d] == 0 && low < none { // no label d left: those above reach no loss
			for v := range c.n {
				if l := c.label[v]; l > d && l < none {
					c.count[l]--
					c.label[v] = none
					c.count[none]++
				}
			}
			low = none
		}
		c.label[u] = low
		c.count[low]++
		if low == none {
			return
		}
	}
}

// receive gives x to v, which swallows what it can.
func (c *closureCut) receive(v int32, x u128) {
	if l := c.loss[v]; !l.isZero() {
		if !l.less(x) {
			c.loss[v] = l.minus(x)
			return
		}
		c.loss[v] = u128{}
		x = x.minus(l)
	}
	idle := c.excess[v].isZero()
	c.excess[v] = c.excess[v].plus(x)
	if idle {
		c.active = append(c.active, v)
	}
}
