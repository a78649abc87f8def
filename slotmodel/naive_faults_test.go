package slotmodel_test

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// die ends an attempt before its time; its task waits again.
func (n *naive) die(x *naiveAttempt, why slotmodel.EventType) {
	if why == slotmodel.Killed {
		n.res.Totals.Kills++
	}
	lost := n.worked(x)
	n.emit(why, x.job, x.task, x.node, lost)
	n.waste(x.job, lost)
	n.res.Totals.Work += lost
	n.cut(x)
	n.alight(x)
	x.over = true
	n.close()
	n.state[x.job].tasks[x.task].state = 'w'
}

func (n *naive) waste(j int, work float64) {
	n.state[j].res.Wasted += work
	n.res.Totals.Wasted += work
}

// rigid reports whether a job's tasks live and die together.
func (n *naive) rigid(j int) bool { return n.jobs[j].Rigid && n.jobs[j].Maps.Tasks > 1 }

// startOver takes a rigid job back to its beginning.
func (n *naive) startOver(j int, why slotmodel.EventType) {
	for _, x := range n.attempts {
		if x.job == j && !x.over {
			n.die(x, why)
		}
	}
	for i := range n.state[j].tasks {
		if t := &n.state[j].tasks[i]; t.state == 'd' {
			t.state = 'w'
			n.emit(slotmodel.OutputLost, j, i, -1, 0)
			n.waste(j, t.work)
		}
	}
}

func (n *naive) kill(x *naiveAttempt) {
	n.die(x, slotmodel.Killed)
	if n.rigid(x.job) {
		n.startOver(x.job, slotmodel.Killed)
	}
	n.reopen(x.job)
}

// lose takes a node.
func (n *naive) lose(node int) {
	n.up[node] = false
	n.emit(slotmodel.NodeDown, -1, -1, node, 0)
	for _, x := range n.attempts {
		if !x.over && x.node == node {
			n.die(x, slotmodel.Crashed)
			if n.rigid(x.job) {
				n.startOver(x.job, slotmodel.Crashed)
			}
		}
	}
	for j := range n.state {
		if !n.state[j].here || n.jobs[j].Reduces.Tasks == 0 {
			continue
		}
		for i := range n.state[j].tasks {
			if t := &n.state[j].tasks[i]; t.kind == slotmodel.Map && t.state == 'd' && t.ran == node {
				t.gone = true
			}
		}
		n.reopen(j)
	}
}

// reopen lets maps run again whose output is lost, if a reduce waits or shuffles.
func (n *naive) reopen(j int) {
	wanted := n.count(j, slotmodel.Reduce, 'w') > 0
	for _, x := range n.attempts {
		wanted = wanted || n.fetches(x, j)
	}
	if !wanted {
		return
	}
	lost := false
	for _, t := range n.state[j].tasks {
		lost = lost || t.gone
	}
	if !lost {
		return
	}
	n.owe(j)
	for i := range n.state[j].tasks {
		t := &n.state[j].tasks[i]
		if !t.gone {
			continue
		}
		t.state, t.gone, t.again = 'w', false, true
		n.state[j].res.MapEnd = -1
		n.emit(slotmodel.OutputLost, j, i, t.ran, 0)
		n.waste(j, t.work)
		for _, x := range n.attempts {
			if n.fetches(x, j) {
				x.until, x.marks = math.Inf(1), nil
			}
		}
	}
}

func (n *naive) canSuspend(x *naiveAttempt) bool {
	return x.stage == computing && !n.rigid(x.job)
}

func (n *naive) suspend(x *naiveAttempt) {
	x.left = n.state[x.job].tasks[x.task].work - n.worked(x)
	if !x.resuming {
		x.computed += n.now - x.since
	}
	n.alight(x)
	n.emit(slotmodel.Suspends, x.job, x.task, x.node, 0)
	x.stage, x.resuming = suspended, false
	n.state[x.job].tasks[x.task].state = 's'
	n.res.Totals.Suspensions++
}

// resume lets an attempt work again after a while.
func (n *naive) resume(x *naiveAttempt) {
	n.state[x.job].tasks[x.task].state = 'r'
	x.stage, x.resuming = computing, true
	n.emit(slotmodel.Resumes, x.job, x.task, x.node, 0)
	n.at(x, n.now+n.cluster.ResumeCost)
}
