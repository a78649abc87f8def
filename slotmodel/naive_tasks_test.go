package slotmodel_test

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

func (n *naive) arrive(j int) {
	n.state[j].arrived, n.state[j].here = true, true
	n.arrivals++
	n.state[j].turn = n.arrivals
	n.emit(slotmodel.Arrived, j, -1, -1, 0)
	if n.jobs[j].Maps.Tasks > 0 {
		n.emit(slotmodel.Ready, j, -1, -1, 0)
	} else {
		n.state[j].res.MapEnd = n.now
		n.emit(slotmodel.MapsEnded, j, -1, -1, 0)
	}
	n.openReduces(j)
	if len(n.state[j].tasks) == 0 {
		n.end(j, slotmodel.Finished)
	}
}

// openReduces applies slowstart. What may start once may start for ever.
func (n *naive) openReduces(j int) {
	s := &n.jobs[j]
	if s.Reduces.Tasks > 0 && !n.state[j].ready && float64(n.count(j, slotmodel.Map, 'd')) >= s.Slowstart*float64(s.Maps.Tasks) {
		n.state[j].ready = true
		n.emit(slotmodel.Ready, j, -1, -1, 0)
		n.log[len(n.log)-1].Kind = slotmodel.Reduce
	}
}

// at says when what an attempt does will end.
func (n *naive) at(x *naiveAttempt, until float64) {
	x.until = until
	n.known++
	x.known = n.known
}

// start lets an attempt of a task take a slot.
func (n *naive) start(j, task, node int) {
	n.begin(j)
	t := &n.state[j].tasks[task]
	t.state = 'r'
	x := &naiveAttempt{job: j, task: task, node: node, left: t.work, began: n.now}
	n.attempts = append(n.attempts, x)
	n.emit(slotmodel.Started, j, task, node, 0)
	if t.kind == slotmodel.Map {
		n.read(x)
		return
	}
	x.until = math.Inf(1)
	if !n.flowing(j) && n.mapsOver(j) {
		n.fetch(x, n.shuffleTime())
	}
}

// begin notes when a job starts.
func (n *naive) begin(j int) {
	if n.state[j].res.Start < 0 {
		n.state[j].res.Start = n.now
		n.known += 2
		n.state[j].doomed = n.known - 1
	}
}

// canRide reports whether a job has a map that may ride on an attempt of this decision.
func (n *naive) canRide(j int, x *naiveAttempt) bool {
	s, d := &n.jobs[j], &n.jobs[x.job]
	return n.kind(x) == slotmodel.Map && s.Dataset > 0 && s.Dataset == d.Dataset && !n.rigid(j) && x.task < s.Maps.Tasks && n.state[j].tasks[x.task].state == 'w'
}

// ride lets the map of a job that reads what an attempt reads end with that.
func (n *naive) ride(j int, x *naiveAttempt) {
	n.begin(j)
	n.state[j].tasks[x.task].state, n.state[j].tasks[x.task].on = 'i', x
	n.emit(slotmodel.Rode, j, x.task, x.node, 0)
}

// alight lets all that ride on an attempt wait again.
func (n *naive) alight(x *naiveAttempt) {
	for j := range n.state {
		for i := range n.state[j].tasks {
			if t := &n.state[j].tasks[i]; t.state == 'i' && t.on == x {
				t.state = 'w'
			}
		}
	}
}

// read brings a map its block.
func (n *naive) read(x *naiveAttempt) {
	s := &n.jobs[x.job]
	if s.Replicas == nil {
		n.compute(x)
		return
	}
	near, first := 3, -1
	var from int
	for _, h := range s.Replicas[x.task*s.Copies : (x.task+1)*s.Copies] {
		if h < 0 {
			continue
		}
		if first < 0 {
			first = int(h)
		}
		d := n.distance(int(h), x.node)
		if n.up[h] && d < near {
			near, from = d, int(h)
		}
	}
	if first < 0 { // nobody has it, nobody misses it
		near = 0
	}
	// A block that no node has comes from the rack of the first that had it.
	if near == 3 {
		from = first
		near = max(1, n.distance(first, x.node))
	}
	*[]*int{&n.res.Totals.LocalMaps, &n.res.Totals.RackMaps, &n.res.Totals.RemoteMaps}[near]++
	switch {
	case near == 0:
		n.compute(x)
	case n.cluster.Network.Fluid:
		n.readFlow(x, from)
	default:
		n.fetch(x, []float64{0, n.cluster.Network.RackRead, n.cluster.Network.RemoteRead}[near])
	}
}

// fetch lets a transfer take its time; one that takes none is over at once.
func (n *naive) fetch(x *naiveAttempt, seconds float64) {
	if seconds > 0 {
		n.at(x, n.now+seconds)
	} else {
		n.compute(x)
	}
}

// distance is 0 to the node itself, 1 in its rack, 2 elsewhere.
func (n *naive) distance(a, b int) int {
	switch {
	case a == b:
		return 0
	case n.cluster.Nodes[a].Rack == n.cluster.Nodes[b].Rack:
		return 1
	}
	return 2
}

// compute lets an attempt work. A log names that only after a transfer that took time.
func (n *naive) compute(x *naiveAttempt) {
	if x.stage == fetching && x.began < n.now {
		n.emit(slotmodel.Computes, x.job, x.task, x.node, 0)
	}
	x.stage, x.since = computing, n.now
	n.at(x, n.takes(x.node, x.left))
}

func (n *naive) stageEnds(x *naiveAttempt) {
	s := &n.jobs[x.job]
	switch {
	case x.resuming:
		x.resuming = false
		n.compute(x)
	case x.stage == fetching:
		n.compute(x)
	case x.stage == computing && n.computed(x) && (n.kind(x) == slotmodel.Reduce || s.Reduces.Tasks == 0) && n.write(x):
		x.stage = writing
	default:
		n.finish(x)
	}
}

// computed notes how long an attempt has computed; true always.
func (n *naive) computed(x *naiveAttempt) bool {
	x.computed += n.now - x.since
	return true
}

// finish ends a task.
func (n *naive) finish(x *naiveAttempt) {
	x.over = true
	n.res.Totals.Work += n.state[x.job].tasks[x.task].work
	n.taskDone(x.job, x.task, x.node, x.computed)
	for j := range n.state {
		for i, t := range n.state[j].tasks {
			if t.state == 'i' && t.on == x {
				n.taskDone(j, i, x.node, 0)
			}
		}
	}
}

// taskDone notes what follows from the end of a task on a node.
func (n *naive) taskDone(job, task, node int, computed float64) {
	j := &n.state[job]
	t := &j.tasks[task]
	t.state, t.ran = 'd', node
	n.emit(slotmodel.Ended, job, task, node, computed)
	if t.kind == slotmodel.Map {
		n.openReduces(job)
		n.publish(job, t)
		if n.mapsOver(job) {
			j.res.MapEnd = n.now
			n.emit(slotmodel.MapsEnded, job, -1, -1, 0)
			for _, y := range n.attempts {
				if !n.flowing(job) && n.fetches(y, job) {
					n.fetch(y, n.shuffleTime())
				}
			}
		}
	}
	for _, t := range j.tasks {
		if t.state != 'd' {
			return
		}
	}
	n.end(job, slotmodel.Finished)
}

// worked returns the work that an attempt has done.
func (n *naive) worked(x *naiveAttempt) float64 {
	work := n.state[x.job].tasks[x.task].work
	switch {
	case x.stage == writing:
		return work
	case x.stage == computing && !x.resuming:
		return work - (x.left - n.does(x.node, x.since, n.now))
	}
	return work - x.left
}

// end ends a job, however.
func (n *naive) end(j int, o slotmodel.Outcome) {
	for _, x := range n.attempts {
		if !x.over && x.job == j {
			n.die(x, slotmodel.Killed)
		}
	}
	for i := range n.state[j].tasks {
		if t := &n.state[j].tasks[i]; t.state == 'i' {
			t.state = 'w'
		}
	}
	n.emit(slotmodel.JobEnded, j, -1, -1, float64(o))
	n.state[j].here, n.state[j].ended, n.state[j].arrived = false, true, true
	n.state[j].res.Outcome, n.state[j].res.Finish = o, n.now
	for i, s := range n.jobs {
		if s.After == j+1 {
			n.state[i].res.Arrival = max(s.Arrival, n.now+s.Think)
		}
	}
}
