package aging

import "github.com/schedmath/schedmath/internal/heap"

// frontier walks heaps of jobs in order without changing them: it holds the least elements not
// yet visited, and an element's children join when it is taken out. The first m elements of heaps
// of n jobs cost O(m log m).
type frontier[K comparable] struct {
	c     *Cluster[K]
	heap  heap.Heap // of indices of nodes
	nodes []node
}

// node is an element of a heap of jobs, or a job on its own.
type node struct {
	half *heap.Heap // nil: a job on its own
	pos  int32      // in half
	job  int32
}

func (f *frontier[K]) start(c *Cluster[K]) {
	f.c, f.nodes = c, f.nodes[:0]
	f.heap.Clear()
}

// Before orders nodes of one key. A node that also stands for the jobs below it in its heap comes
// before a job on its own, so that jobs of the same key below it are found first. Jobs on their
// own go by the order of Add.
func (f *frontier[K]) Before(a, b int32) bool {
	x, y := f.nodes[a], f.nodes[b]
	if (x.half == nil) != (y.half == nil) {
		return x.half != nil
	}
	if x.half == nil {
		return f.c.jobs[x.job].added < f.c.jobs[y.job].added
	}
	return (*jobTies[K])(f.c).Before(x.job, y.job)
}

func (f *frontier[K]) push(key float64, n node) {
	f.nodes = append(f.nodes, n)
	f.heap.Push(heap.Entry{Key: key, ID: int32(len(f.nodes) - 1)}, nil, f)
}

// pop takes the least node out.
func (f *frontier[K]) pop() node { return f.nodes[f.heap.Pop(nil, f).ID] }

// pushRange adds elements from to to-1 of a heap of jobs, each under key, or under its own key if
// key is nil.
func (f *frontier[K]) pushRange(half *heap.Heap, from, to int32, key func(i int32) float64) {
	for p := from; p < to; p++ {
		e := half.At(p)
		if key != nil {
			e.Key = key(e.ID)
		}
		f.push(e.Key, node{half: half, pos: p, job: e.ID})
	}
}

// inOrder yields the jobs of a queue in order, or of its ready half only, until yield returns
// false. It reports whether it has yielded them all.
func (f *frontier[K]) inOrder(c *Cluster[K], q *queue, ready bool, yield func(i int32) bool) bool {
	f.start(c)
	f.pushRange(&q.ready, 0, min(1, int32(q.ready.Len())), nil)
	if !ready {
		f.pushRange(&q.passed, 0, min(1, int32(q.passed.Len())), nil)
	}
	for f.heap.Len() > 0 {
		n := f.pop()
		if !yield(n.job) {
			return false
		}
		from, to := n.half.Children(n.pos)
		f.pushRange(n.half, from, to, nil)
	}
	return true
}

// boundSlack lowers a bound by more than rounding can make two computations of the same work
// differ.
const boundSlack = 1 - 0x1p-50

// byWork yields the jobs on time by remaining work, or those of them that are ready, until yield
// returns false.
//
// The heap of a group is in the order of work for each unit of weight, not of work. So an element
// of it is first queued under a bound: its work for each unit of weight times the least weight
// of all jobs, which neither its own work nor that of an element below it is less than. When the
// bound comes up, the job is queued again under its own work, and the elements below it under their
// bounds. Only jobs whose bounds are below the last answer are looked at.
func (f *frontier[K]) byWork(c *Cluster[K], ready bool, yield func(i int32) bool) {
	if c.entered > len(c.jobs) {
		c.recount()
	}
	f.start(c)
	perWeight := func(i int32) float64 {
		j := &c.jobs[i]
		return max(0, j.tag.Sub(c.now(&c.groups[j.group])).Float())
	}
	bound := func(i int32) float64 { return perWeight(i) * c.minWeight * boundSlack }
	for _, s := range [2]*side{&c.open, &c.capped} {
		for k := range int32(s.finish.Len()) {
			q := &c.groups[s.finish.ID(k)].queue
			f.pushRange(&q.ready, 0, min(1, int32(q.ready.Len())), bound)
			if !ready {
				f.pushRange(&q.passed, 0, min(1, int32(q.passed.Len())), bound)
			}
		}
	}
	for f.heap.Len() > 0 {
		n := f.pop()
		if n.half == nil {
			if !yield(n.job) {
				return
			}
			continue
		}
		if j := &c.jobs[n.job]; j.state == OnTime {
			f.push(perWeight(n.job)*j.weight, node{job: n.job})
		}
		from, to := n.half.Children(n.pos)
		f.pushRange(n.half, from, to, bound)
	}
}

// countWeight lowers minWeight to take in a job that enters the virtual system.
func (c *Cluster[K]) countWeight(weight float64) {
	if c.minWeight == 0 || weight < c.minWeight {
		c.minWeight = weight
	}
	c.entered++
}

// recount makes minWeight the least weight of the jobs in the virtual system.
func (c *Cluster[K]) recount() {
	c.minWeight = 0
	for i := range c.jobs {
		if j := &c.jobs[i]; j.weight > 0 && j.state != Late {
			c.countWeight(j.weight)
		}
	}
	c.entered = 0
}
