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

// Policy is CIRCUMFLEX, and FLEX where no dataset has two jobs. The zero value plans for the least
// average response time, at each arrival and each end of a job, and its nodes report at once.
//
// Ties: the dataset of which a job came first. A free slot is filled on the node of the lowest
// number.
type Policy struct {
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
	Epoch  float64
	Period float64 // s between two reports of a node, as of a slotmodel.Ticker; 0: at once

	known    int       // jobs of the run that BeginRun saw
	datasets []dataset // those with jobs present, by arrival of the first one
	fresh    bool      // the plan is that of the jobs present
	next     float64   // when the next epoch begins
	changed  bool      // something has happened since the last plan
	waiting  bool      // a block may wait that starts on another node
	reduces  internal.Steps
	wake     internal.Wake

	// Scratch.
	scans   []sharedscan.Scan
	chain   []sharedscan.Subjob
	jobs    []malleable.Job
	claims  []malleable.Claim
	offers  []slotmodel.Task // the map by which each dataset would go on; None: there is none
	gangs   []slotmodel.Node
	slots   []int
	assigns []int
}

// A dataset is one with scans under way.
type dataset struct {
	number  int             // JobSpec.Dataset
	members []slotmodel.Job // those present, by arrival
	plan    int             // slots that the plan gives it
}

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming Aggregate, Epoch or Period.
func (p *Policy) Check() error {
	const fn = "circumflex.Policy.Check"
	switch {
	case p.Aggregate != precedence.Sum && p.Aggregate != precedence.Max:
		return input.Bad(fn, "Aggregate", -1, "%d, want Sum or Max", int(p.Aggregate))
	case !(p.Epoch >= 0 && p.Epoch <= math.MaxFloat64):
		return input.Bad(fn, "Epoch", -1, "%v, want finite and >= 0", p.Epoch)
	case !(p.Period >= 0 && p.Period <= math.MaxFloat64):
		return input.Bad(fn, "Period", -1, "%v, want finite and >= 0", p.Period)
	}
	return nil
}

// Heartbeat returns Period.
func (p *Policy) Heartbeat() float64 { return p.Period }

// BeginRun forgets the previous run.
func (p *Policy) BeginRun(v *slotmodel.View) {
	p.known, p.datasets = v.Jobs(), nil
	p.fresh, p.changed, p.next, p.wake = false, false, 0, internal.Wake{}
}

// Observe follows who is present.
func (p *Policy) Observe(v *slotmodel.View, e slotmodel.Event) {
	if v.Jobs() != p.known {
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
	}
}

// join adds a job to its dataset.
func (p *Policy) join(v *slotmodel.View, j slotmodel.Job) {
	s := v.Spec(j)
	if s == nil || s.Maps.Tasks == 0 || internal.Width(v, j) > 1 {
		return
	}
	p.fresh = false
	for i := range p.datasets {
		if d := &p.datasets[i]; s.Dataset > 0 && d.number == s.Dataset {
			d.members = append(d.members, j)
			return
		}
	}
	p.datasets = append(p.datasets, dataset{number: s.Dataset, members: []slotmodel.Job{j}})
}

// leave removes a job from its dataset.
func (p *Policy) leave(j slotmodel.Job) {
	p.fresh = false
	p.datasets = slices.DeleteFunc(p.datasets, func(d dataset) bool { return len(d.members) == 1 && d.members[0] == j })
	for i := range p.datasets {
		d := &p.datasets[i]
		d.members = slices.DeleteFunc(d.members, func(m slotmodel.Job) bool { return m == j })
	}
}

// Decide makes a plan if one is due, and fills free slots.
func (p *Policy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if v.Jobs() != p.known {
		return
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
	for j := v.NextRunnable(slotmodel.None, slotmodel.Map); j != slotmodel.None; j = v.NextRunnable(j, slotmodel.Map) {
		if w := internal.Width(v, j); w > 1 {
			internal.StartGang(v, a, j, w, &p.gangs)
		}
	}
	p.waiting = true
	for n := v.NextFree(slotmodel.Map, slotmodel.None); n != slotmodel.None && p.waiting; n = v.NextFree(slotmodel.Map, n) {
		if p.Period == 0 || n == v.Heartbeat() {
			for v.Free(slotmodel.Map, n) > 0 && p.start(v, a, n) {
			}
		}
	}
	p.reduces.Fill(v, a, slotmodel.Reduce)
	if p.Epoch > 0 && p.changed && len(p.datasets) > 0 {
		p.wake.Ask(v, a, p.next)
	}
}
