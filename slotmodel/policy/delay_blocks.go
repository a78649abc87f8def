package policy

import "github.com/schedmath/schedmath/slotmodel"

// blocks finds the jobs with a waiting map whose block lies on a node or in a rack. Places are the nodes, and after them the racks.
type blocks struct {
	pairs []pair
	spare int32   // the first pair that is not in use
	heads []int32 // the first pair of each place: of the job that has waited longest, more or less
	tails []int32 // the last
	sizes []int32 // the number of pairs in its list
	marks []int32 // scratch: by place, the last mark
	mark  int32
	nodes int32
}

// pair is a job and a place where it has blocks.
type pair struct {
	job        slotmodel.Job
	place      int32
	prev, next int32 // in the list of the place; prev is absent for the first, and before for a pair that is not in it
	after      int32 // in the list of the job, or of pairs not in use
}

func newBlocks(v *slotmodel.View) blocks {
	n := v.Nodes() + v.Racks()
	return blocks{spare: absent, heads: places(n), tails: places(n), sizes: make([]int32, n), marks: make([]int32, n), nodes: int32(v.Nodes())}
}

// placeOf returns the place that is a rack.
func (b *blocks) placeOf(r slotmodel.Rack) int32 { return b.nodes + int32(r) }

// rack returns the rack of a pair.
func (b *blocks) rack(i int32) slotmodel.Rack { return slotmodel.Rack(b.pairs[i].place - b.nodes) }

// list makes the pairs of a job, none of them in the list of its place.
func (b *blocks) list(v *slotmodel.View, j slotmodel.Job, x *delayJob) {
	x.listed, x.nodes, x.racks = true, absent, absent
	b.mark++
	for _, n := range v.Spec(j).Replicas {
		if r := v.RackOf(slotmodel.Node(n)); r >= 0 { // there is such a node
			x.nodes = b.add(j, n, x.nodes)
			x.racks = b.add(j, b.placeOf(r), x.racks)
		}
	}
}

// add puts a pair before a list, unless this has the place, and returns the first of the list.
func (b *blocks) add(j slotmodel.Job, place, list int32) int32 {
	if b.marks[place] == b.mark {
		return list
	}
	b.marks[place] = b.mark
	i := b.spare
	if i == absent {
		i = int32(len(b.pairs))
		b.pairs = append(b.pairs, pair{})
	} else {
		b.spare = b.pairs[i].after
	}
	b.pairs[i] = pair{job: j, place: place, prev: before, after: list}
	return i
}

// forget drops the pairs of a job.
func (b *blocks) forget(x *delayJob) {
	if !x.listed {
		return
	}
	x.listed = false
	for _, i := range [...]int32{x.nodes, x.racks} {
		for i != absent {
			b.cut(i)
			after := b.pairs[i].after
			b.pairs[i].after, b.spare = b.spare, i
			i = after
		}
	}
	x.nodes, x.racks = absent, absent
}

// link puts a pair into the list of its place.
func (b *blocks) link(i int32) {
	p := &b.pairs[i]
	if p.prev != before {
		return
	}
	p.prev, p.next = b.tails[p.place], absent
	if p.prev == absent {
		b.heads[p.place] = i
	} else {
		b.pairs[p.prev].next = i
	}
	b.tails[p.place] = i
	b.sizes[p.place]++
}

// cut takes a pair out of the list of its place.
func (b *blocks) cut(i int32) {
	p := &b.pairs[i]
	if p.prev == before {
		return
	}
	if p.prev == absent {
		b.heads[p.place] = p.next
	} else {
		b.pairs[p.prev].next = p.next
	}
	if p.next == absent {
		b.tails[p.place] = p.prev
	} else {
		b.pairs[p.next].prev = p.prev
	}
	p.prev = before
	b.sizes[p.place]--
}

// unlink cuts all pairs of a job's list.
func (b *blocks) unlink(list int32) {
	for i := list; i != absent; i = b.pairs[i].after {
		b.cut(i)
	}
}

// waits reports whether the job of a pair has a waiting map at the place.
func (b *blocks) waits(v *slotmodel.View, i int32) bool {
	p := &b.pairs[i]
	if p.place < b.nodes {
		return v.Local(p.job, slotmodel.Node(p.place)) != slotmodel.None
	}
	return v.LocalRack(p.job, b.rack(i)) != slotmodel.None
}

// first returns a job with a waiting map at a place, and cuts the pairs of those before it, which have none; None when there is none.
func (b *blocks) first(v *slotmodel.View, place int32) slotmodel.Job {
	for i := b.heads[place]; i != absent; i = b.heads[place] {
		if b.waits(v, i) {
			return b.pairs[i].job
		}
		b.cut(i)
	}
	return slotmodel.None
}

func (b *blocks) firstOn(v *slotmodel.View, n slotmodel.Node) slotmodel.Job {
	return b.first(v, int32(n))
}

func (b *blocks) firstIn(v *slotmodel.View, r slotmodel.Rack) slotmodel.Job {
	return b.first(v, b.placeOf(r))
}

// count returns the number of pairs in the lists of a node and a rack.
func (b *blocks) count(n slotmodel.Node, r slotmodel.Rack) int {
	return int(b.sizes[n] + b.sizes[b.placeOf(r)])
}
