package shufflewatcher

import (
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
)

// A contender is a scheduler. Without watch it is a baseline, which starts the earliest job's task.
type contender struct {
	name  string
	drf   bool                    // dominant resource fairness among users, not equal slots
	delay bool                    // delay scheduling: a job waits for local nodes
	late  bool                    // a baseline whose reduces start after all maps of their job
	fixed fixedBy                 // reduces go to racks fixed in advance
	watch *shufflewatcher.Chooser // ShuffleWatcher: each run has a copy of its own
	slack float64                 // slots by which a user with a preferred task may be richer; only with ties
}

// relaxed is the interval of relaxed fairness, in s: the paper's, of Delay too.
const relaxed = 5

// The paper's contenders, and its baselines with late reduces. Each has a state of its own in every
// run.
var (
	fair      = &contender{name: "Fair"}
	delay     = &contender{name: "Delay", delay: true}
	drf       = &contender{name: "DRF", drf: true}
	lateFair  = &contender{name: "Fair, late reduces", late: true}
	swFair    = &contender{name: "SW-fair", watch: &shufflewatcher.Chooser{}}
	swRelaxed = &contender{name: "SW-relaxed", watch: &shufflewatcher.Chooser{Wait: relaxed, WaitFor: shufflewatcher.PreferredTasks}}
	swDRF     = &contender{name: "SW-DRF", drf: true, watch: &shufflewatcher.Chooser{}}

	onlyNASS = &contender{name: "NASS", watch: &shufflewatcher.Chooser{NoSAMP: true, NoSARP: true}}
	withSARP = &contender{name: "SARP", watch: &shufflewatcher.Chooser{NoSAMP: true}}

	byOutput = &contender{name: "fixed by map output", fixed: fixedByOutput}
	byInput  = &contender{name: "fixed by input", fixed: fixedByInput}

	patient  = &contender{name: "patience 120 s", watch: &shufflewatcher.Chooser{Patience: 120}}
	longer   = &contender{name: "patience 600 s", watch: &shufflewatcher.Chooser{Patience: 600}}
	forLocal = &contender{name: "SW-relaxed, any local map", watch: &shufflewatcher.Chooser{Wait: relaxed}}
	within4  = &contender{name: "ties within 4 slots", slack: 4, watch: &shufflewatcher.Chooser{}}
)

// Memory of a task in bytes, an assumption for DRF: it never binds, since every node has room for
// the tasks of its slots. A user with more reduces than maps of heavy jobs has a greater share of
// the memory than of the slots.
var taskMemory = map[slotmodel.Kind][classes]float64{
	slotmodel.Map:    {light: 2e9, medium: 2e9, heavy: 2e9},
	slotmodel.Reduce: {light: 2e9, medium: 4e9, heavy: 5.5e9},
}

// policy makes the scheduler of one run in a setting, and its ShuffleWatcher: a new one, that plans
// nothing, of a baseline.
func (c *contender) policy(set setting) (slotmodel.Policy, *shufflewatcher.Chooser) {
	p, w := &policy.PerUser{Prefer: set.ties, Slack: c.slack}, new(shufflewatcher.Chooser)
	if c.drf {
		p.Users = &policy.DRF{}
	}
	switch {
	case c.watch != nil:
		*w = *c.watch
		w.Window, w.Threshold, w.Completion = set.window, set.saturation, set.completion
		p.Chooser = w
	case c.delay:
		p.Chooser = &policy.Earliest{Filter: &policy.Delay{Node: relaxed, Rack: relaxed}}
	case c.fixed != unfixed:
		p.Chooser = &policy.Earliest{Filter: &fixed{by: c.fixed}}
	}
	return p, w
}
