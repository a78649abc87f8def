package circumflex

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/sharedscan"
	"github.com/schedmath/schedmath/slotmodel"
)

// Policy is CIRCUMFLEX, and FLEX where no dataset has two jobs. The zero value is FLEX for the
// least average response time, with a plan at each arrival and each end of a job, and nodes that
// report at once.
//
// Ties: the dataset of which a job came first. A free slot is filled on the node of the lowest
// number.
type Policy struct {
	// Dataset numbers the dataset that a job reads; nil: each job has one of its own.
	Dataset func(s *slotmodel.JobSpec) int
	// Max is the most slots that a job can use; nil or a value below 1: no limit. A dataset with
	// several scans has the least of their limits.
	Max func(s *slotmodel.JobSpec) int
	// Estimate is the time of a block, in seconds, as it is believed when a plan is made. Of the
	// jobs of a dataset that are present it is asked for the one that arrived first. A dataset
	// whose blocks take no time has no place in a plan, and gets the slots that others leave; so it
	// is with a value that is negative or not finite. nil: the true mean of the job's maps.
	Estimate func(v *slotmodel.View, j slotmodel.Job) float64
	// Penalty is what the end of a job costs, by the time from now on; nil, also as a value:
	// precedence.Response with weight 1.
	Penalty   func(v *slotmodel.View, j slotmodel.Job) precedence.Penalty
	Aggregate precedence.Aggregate // what plans minimise: the sum of the penalties or the maximum
	// Epoch is the time between plans, s; 0: a plan at each arrival and each end. A plan is made at
	// a multiple of Epoch if anything has happened since the plan before.
	Epoch float64
	Beat  float64 // s between two reports of a node, as of a slotmodel.Ticker; 0: at once

	known    int            // jobs of the run that BeginRun saw
	rides    slotmodel.Node // the RideNode; None: nothing is shared
	datasets []dataset      // those with jobs present, by arrival of the first one
	rigid    []slotmodel.Job
	fresh    bool      // the plan is that of the jobs present
	next     float64   // when the next epoch begins
	changed  bool      // something has happened since the last plan
	aboard   []bool    // by task: it rides
	riders   [][]rider // by attempt: who rides
	landed   []rider   // whose block has been read
	waiting  bool      // a block may wait that starts on another node
	reduces  internal.Steps
	wake     internal.Wake

	// Scratch.
	scans   []sharedscan.Scan
	chain   []sharedscan.Subjob
	jobs    []malleable.Job
	claims  []malleable.Claim
	offers  []rider // the block that each dataset would read next
	gangs   []slotmodel.Node
	slots   []int
	assigns []int
}

// A dataset is one with scans under way.
type dataset struct {
	number  int
	members []slotmodel.Job // those present, by arrival
	plan    int             // slots that the plan gives it
}

// A rider is a task of a job.
type rider struct {
	job  slotmodel.Job
	task slotmodel.Task
}

// RideNode returns the node on which the tasks of riders end in no time. In a cluster with one,
// jobs of a dataset share scans; only riders run there. It stands for no machine: it has slots for
// 2^20 maps and the greatest speed. Riders whose reads or outputs take time in the network of the
// model take this time there.
func RideNode() slotmodel.NodeSpec { return slotmodel.NodeSpec{Maps: 1 << 20, Speed: 0x1p200} }

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming Aggregate, Epoch or Beat.
func (p *Policy) Check() error {
	const fn = "circumflex.Policy.Check"
	switch {
	case p == nil:
	case p.Aggregate != precedence.Sum && p.Aggregate != precedence.Max:
		return input.Bad(fn, "Aggregate", -1, "%d, want Sum or Max", int(p.Aggregate))
	case !(p.Epoch >= 0 && p.Epoch <= math.MaxFloat64):
		return input.Bad(fn, "Epoch", -1, "%v, want finite and >= 0", p.Epoch)
	case !(p.Beat >= 0 && p.Beat <= math.MaxFloat64):
		return input.Bad(fn, "Beat", -1, "%v, want finite and >= 0", p.Beat)
	}
	return nil
}

// Heartbeat returns Beat.
func (p *Policy) Heartbeat() float64 {
	if p == nil {
		return 0
	}
	return p.Beat
}

// BeginRun forgets the previous run.
func (p *Policy) BeginRun(v *slotmodel.View) {
	if p == nil {
		return
	}
	tasks := 0
	for j := range v.Jobs() {
		s := v.Spec(slotmodel.Job(j))
		tasks += s.Maps.Tasks + s.Reduces.Tasks
	}
	p.known, p.aboard = v.Jobs(), make([]bool, tasks)
	p.datasets, p.rigid, p.riders, p.landed = nil, nil, nil, nil
	p.fresh, p.changed, p.next, p.wake = false, false, 0, internal.Wake{}
	p.rides = slotmodel.None
	for n := range slotmodel.Node(v.Nodes()) {
		if v.Speed(n) == RideNode().Speed {
			p.rides = n
		}
	}
}

// Observe follows who is present and who rides.
func (p *Policy) Observe(v *slotmodel.View, e slotmodel.Event) {
	if p == nil || v.Jobs() != p.known || v.Spec(e.Job) == nil && e.Job != slotmodel.None {
		return
	}
	p.changed = true
	switch e.Type {
	case slotmodel.Arrived:
		p.join(v, e.Job)
	case slotmodel.JobEnded:
		p.leave(e.Job)
	case slotmodel.NodeUp, slotmodel.NodeDown:
		p.fresh = false
	case slotmodel.Ended:
		p.landed = append(p.landed, p.takeRiders(e.Attempt)...)
	case slotmodel.Killed, slotmodel.Crashed:
		for _, r := range p.takeRiders(e.Attempt) {
			p.aboard[r.task] = false
		}
	}
}

// join adds a job to its dataset.
func (p *Policy) join(v *slotmodel.View, j slotmodel.Job) {
	s := v.Spec(j)
	switch {
	case s == nil || s.Maps.Tasks == 0:
		return
	case internal.Width(v, j) > 1:
		p.rigid = append(p.rigid, j)
		return
	}
	p.fresh = false
	number, shared := int(j), p.Dataset != nil && p.rides != slotmodel.None
	if shared {
		number = p.Dataset(s)
	}
	for i := range p.datasets {
		if d := &p.datasets[i]; shared && d.number == number {
			d.members = append(d.members, j)
			return
		}
	}
	p.datasets = append(p.datasets, dataset{number: number, members: []slotmodel.Job{j}})
}

// leave removes a job from its dataset.
func (p *Policy) leave(j slotmodel.Job) {
	p.fresh = false
	p.rigid = slices.DeleteFunc(p.rigid, func(m slotmodel.Job) bool { return m == j })
	p.datasets = slices.DeleteFunc(p.datasets, func(d dataset) bool { return len(d.members) == 1 && d.members[0] == j })
	for i := range p.datasets {
		d := &p.datasets[i]
		d.members = slices.DeleteFunc(d.members, func(m slotmodel.Job) bool { return m == j })
	}
}

// takeRiders returns who rode on an attempt that is over.
func (p *Policy) takeRiders(x slotmodel.Attempt) []rider {
	if x < 0 || int(x) >= len(p.riders) {
		return nil
	}
	list := p.riders[x]
	p.riders[x] = nil
	return list
}

// Decide ends the tasks of riders whose blocks have been read, makes a plan if one is due, and
// fills free slots.
func (p *Policy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p == nil || v.Jobs() != p.known {
		return
	}
	if p.land(v, a) {
		return // they end in this instant, and another decision follows
	}
	switch {
	case p.Epoch == 0 && !p.fresh:
		p.plan(v)
	case p.Epoch > 0 && v.Now() >= p.next:
		p.plan(v)
		p.changed, p.next = false, v.Now()
		if n := math.Floor(v.Now()/p.Epoch) + 1; n < 1<<53 { // else epochs are shorter than the clock can tell
			p.next = p.Epoch * n
		}
	}
	for _, j := range p.rigid {
		p.gang(v, a, j)
	}
	p.waiting = true
	for n := v.NextFree(slotmodel.Map, slotmodel.None); n != slotmodel.None && p.waiting; n = v.NextFree(slotmodel.Map, n) {
		if n != p.rides && (p.Beat == 0 || n == v.Heartbeat()) {
			for v.Free(slotmodel.Map, n) > 0 && p.start(v, a, n) {
			}
		}
	}
	p.reduces.Fill(v, a, slotmodel.Reduce)
	if p.Epoch > 0 && p.changed && len(p.datasets) > 0 {
		p.wake.Ask(v, a, p.next)
	}
}

// land starts the tasks of riders whose blocks have been read, and reports whether there are any.
func (p *Policy) land(v *slotmodel.View, a *slotmodel.Actions) bool {
	some := false
	for _, r := range p.landed {
		p.aboard[r.task] = false
		some = v.Present(r.job) && a.StartTask(r.task, p.rides) || some
	}
	p.landed = p.landed[:0]
	return some
}
