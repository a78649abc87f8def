package shufflewatcher

import (
	"slices"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/shuffle"
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

// fixedBy says what fixes the numbers of a job's reduces on each rack: section 3.4's alternative to
// ShuffleWatcher.
type fixedBy int

const (
	unfixed       fixedBy = iota
	fixedByOutput         // the map output, when the maps have ended
	fixedByInput          // the input, at submission
)

// fixed is a filter that lets reduces start only within the numbers fixed for each rack.
type fixed struct {
	by    fixedBy
	quota [][]int // by job and rack; nil: not fixed yet
}

// BeginRun forgets the previous run.
func (f *fixed) BeginRun(v *slotmodel.View) { f.quota = make([][]int, v.Jobs()) }

// Accept reports whether a job may start a task of a kind on a node.
func (f *fixed) Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	if k == slotmodel.Map {
		return true
	}
	if maps := v.Count(j, slotmodel.Map); f.by == fixedByOutput && maps.Done < maps.Tasks {
		return false
	}
	if f.quota[j] == nil {
		f.quota[j] = f.fix(v, j)
	}
	r := v.RackOf(n)
	return v.Started(j, slotmodel.Reduce, r) < f.quota[j][r]
}

// fix divides the reduces of a job among the racks.
func (f *fixed) fix(v *slotmodel.View, j slotmodel.Job) []int {
	spec, bytes := v.Spec(j), make([]float64, v.Racks())
	if f.by == fixedByInput {
		for _, n := range spec.Replicas {
			bytes[v.RackOf(slotmodel.Node(n))]++
		}
	} else {
		for r := range bytes {
			bytes[r] = v.Output(j, slotmodel.Rack(r))
		}
	}
	if slices.Max(bytes) == 0 { // no shuffle: as if all racks had the same
		bytes = slices.Repeat([]float64{1}, len(bytes))
	}
	quota, err := shuffle.ReducesPerRack(nil, spec.Reduces.Tasks, bytes)
	if err != nil {
		return make([]int, len(bytes)) // the run ends with stuck jobs
	}
	return quota
}
