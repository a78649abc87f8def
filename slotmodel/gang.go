package slotmodel

import "slices"

// gang is the attempts of a job without reduces whose maps have started together on equal terms:
// the same work at the same pace. As long as nothing tells the attempts apart they are folded: the
// queue has one entry for all of them, and their records are made when somebody asks for one, kills
// one, or a node is lost or changes its pace. Unfolded or not, a run has the same events, in the
// same order and with the same numbers of attempts.
type gang struct {
	job     Job
	gen     uint32    // that of its entries in the queue
	place   int       // in engine.folded
	numbers []Attempt // of the attempts, in the order of the tasks
	call    int64     // number of the decision in which it started
	began   float64   // when it took its slots and began to compute
	worked  float64   // seconds that each attempt has computed, once it writes
	writing bool
	ends    float64 // when the present stage ends
	key     uint64  // that of the first attempt in the queue; those of the others follow
}

// startGang starts all maps of a job, map i on nodes[i].
func (e *engine) startGang(j Job, nodes []Node) {
	s := &e.jobs[j]
	first := Task(s.phase[Map].first)
	if !e.foldable(s, nodes) {
		for i, n := range nodes {
			e.start(first+Task(i), j, Map, n)
		}
		return
	}
	for i := 0; i < len(nodes); {
		n, count := nodes[i], sameAhead(nodes[i:])
		e.holdSlot(n, s, Map, count)
		e.holdMemory(n, s, Map, count)
		e.waitsNoMore(j, Map, first+Task(i), count, n, taskRunning)
		i += int(count)
	}
	g := e.newGang(j)
	g.numbers = append(g.numbers, e.vacant[len(e.vacant)-min(len(nodes), len(e.vacant)):]...)
	slices.Reverse(g.numbers) // as newAttempt takes them
	e.vacant = e.vacant[:len(e.vacant)-len(g.numbers)]
	for len(g.numbers) < len(nodes) {
		g.numbers = append(g.numbers, e.newAttempt())
	}
	g.call, g.began, g.writing = e.acct.calls, e.now, false
	e.emitGang(Started, g, 0)
	e.expectGang(g, s.spec.Maps.Work/e.pace(nodes[0]))
}

// foldable reports whether the maps of a job that start on nodes are equal in all that the run
// shows of them but their numbers and nodes, and nobody listens to each of them.
func (e *engine) foldable(s *jobState, nodes []Node) bool {
	if !e.folds || len(nodes) == 1 || s.phase[Reduce].Tasks > 0 || s.spec.Maps.Works != nil || s.spec.Replicas != nil {
		return false
	}
	pace := e.nodes[nodes[0]].pace
	for len(nodes) > 0 && e.nodes[nodes[0]].pace == pace {
		nodes = nodes[sameAhead(nodes):]
	}
	return len(nodes) == 0
}

// sameAhead returns how many elements at the front of a list are equal.
func sameAhead[T comparable](list []T) (count int32) {
	for int(count) < len(list) && list[count] == list[0] {
		count++
	}
	return count
}

// newGang returns a gang of a job, without attempts.
func (e *engine) newGang(j Job) *gang {
	g := new(gang)
	if last := len(e.gangPool) - 1; last >= 0 {
		g, e.gangPool = e.gangPool[last], e.gangPool[:last]
	}
	e.gangs++
	g.job, g.gen, g.place = j, e.gangs, len(e.folded)
	e.folded = append(e.folded, g)
	e.jobs[j].gang = g
	return g
}

// dissolve takes a gang from its job. The caller gives it back to the pool.
func (e *engine) dissolve(g *gang) {
	last := e.folded[len(e.folded)-1]
	e.folded[g.place], last.place = last, g.place
	e.folded = e.folded[:len(e.folded)-1]
	e.jobs[g.job].gang = nil
}

// freeGang gives a gang back to the pool.
func (e *engine) freeGang(g *gang) {
	g.numbers = g.numbers[:0]
	e.gangPool = append(e.gangPool, g)
}

// expectGang ends the present stage of a gang in some seconds. The keys that the entries of its
// attempts would have stay free for them.
func (e *engine) expectGang(g *gang, seconds float64) {
	g.ends, g.key = e.now+seconds, classAttempt<<60|(e.queue.number+1)
	e.queue.number += uint64(len(g.numbers))
	e.queue.add(entry{g.ends, g.key, gangRef(g.job), g.gen})
}

// The queue has a gang by the complement of its job.
func gangRef(j Job) int32 { return ^int32(j) }

// gangOf returns the gang of an entry of the queue, nil if it has ended or was unfolded.
func (e *engine) gangOf(x *entry) *gang {
	if g := e.jobs[^x.ref].gang; g != nil && g.gen == x.gen {
		return g
	}
	return nil
}

// gangStageOver ends the present stage of a gang.
func (e *engine) gangStageOver(g *gang) {
	if !g.writing {
		g.writing, g.worked = true, e.now-g.began
		if seconds := e.cluster.Network.Write; seconds > 0 {
			e.expectGang(g, seconds)
			return
		}
	}
	j := g.job
	s := &e.jobs[j]
	p := &s.phase[Map]
	e.dissolve(g)
	on := e.ranOn[p.first:p.end()]
	for len(on) > 0 {
		n, count := Node(on[0]), sameAhead(on)
		e.holdSlot(n, s, Map, -count)
		e.holdMemory(n, s, Map, -count)
		on = on[count:]
	}
	for t := p.first; t < p.end(); t++ {
		e.tasks[t] = taskDone
		e.acct.totals.Work += p.spec.Work
	}
	p.Done += p.Tasks
	e.emitGang(Ended, g, g.worked)
	e.vacant = append(e.vacant, g.numbers...)
	e.freeGang(g)
	e.mapsMayBeOver(j)
}

// emitGang emits an event of each attempt of a gang. The observer is shown the last one.
func (e *engine) emitGang(t EventType, g *gang, value float64) {
	first := e.jobs[g.job].phase[Map].first
	last := len(g.numbers) - 1
	if e.log.on && e.opts.Hash {
		for i, a := range g.numbers[:last] {
			at := first + int32(i)
			e.log.take(&Event{Time: e.now, Type: t, Value: value, Job: g.job, Task: Task(at), Attempt: a, Node: Node(e.ranOn[at])})
		}
	}
	e.log.count += int64(last)
	at := first + int32(last)
	e.emit(Event{Type: t, Value: value, Job: g.job, Task: Task(at), Attempt: g.numbers[last], Node: Node(e.ranOn[at])})
}

// unfold makes the records of the attempts of a job that are folded, as if each had started by
// itself.
func (e *engine) unfold(j Job) {
	g := e.jobs[j].gang
	if g == nil {
		return
	}
	e.dissolve(g)
	first := e.jobs[j].phase[Map].first
	for i, a := range g.numbers {
		at := first + int32(i)
		x := e.record(a, Task(at), j, Map, Node(e.ranOn[at]))
		x.call, x.began, x.computed, x.since = g.call, g.began, g.began, g.began
		x.stage = computing
		if g.writing {
			x.stage, x.left, x.worked = writing, 0, g.worked
		}
		e.queue.add(entry{g.ends, g.key + uint64(i), int32(a), x.gen})
	}
	e.freeGang(g)
}

// unfoldAll unfolds all gangs.
func (e *engine) unfoldAll() {
	for len(e.folded) > 0 {
		e.unfold(e.folded[len(e.folded)-1].job)
	}
}
