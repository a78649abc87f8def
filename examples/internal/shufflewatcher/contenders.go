package shufflewatcher

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// A contender is a scheduler. Without watch it is a baseline, which starts the earliest job's task.
type contender struct {
	name    string
	drf     bool                    // dominant resource fairness among users, not equal slots
	delay   bool                    // delay scheduling: a job waits for local nodes
	fixed   fixedBy                 // reduces go to racks fixed in advance
	watch   *shufflewatcher.Chooser // ShuffleWatcher: each run has a copy of its own
	unknown bool                    // a job's ratio of shuffle to input is 1 at first, whatever its type had
	noise   float64                 // σ of a log-normal factor on the load that NetSat measures
}

// relaxed is the interval of relaxed fairness, in s: the paper's, of Delay too.
const relaxed = 5

// The paper's contenders. Each has a state of its own in every run.
var (
	fair      = &contender{name: "Fair"}
	delay     = &contender{name: "Delay", delay: true}
	drf       = &contender{name: "DRF", drf: true}
	swFair    = &contender{name: "SW-fair", watch: &shufflewatcher.Chooser{}}
	swRelaxed = &contender{name: "SW-relaxed", watch: &shufflewatcher.Chooser{Wait: relaxed}}
	swDRF     = &contender{name: "SW-DRF", drf: true, watch: &shufflewatcher.Chooser{}}

	onlyNASS = &contender{name: "NASS", watch: &shufflewatcher.Chooser{NoSAMP: true, NoSARP: true}}
	withSARP = &contender{name: "NASS+SARP", watch: &shufflewatcher.Chooser{NoSAMP: true}}

	noWindows = &contender{name: "no windows", watch: &shufflewatcher.Chooser{Window: math.Inf(1)}}

	byOutput = &contender{name: "fixed by map output", fixed: fixedByOutput}
	byInput  = &contender{name: "fixed by input", fixed: fixedByInput}
)

// settings are SW-fair with another setting each.
var settings = []*contender{
	{name: "threshold 75%", watch: &shufflewatcher.Chooser{Threshold: .75}},
	{name: "threshold 90%", watch: &shufflewatcher.Chooser{Threshold: .9}},
	{name: "threshold 100%", watch: &shufflewatcher.Chooser{Threshold: 1}},
	{name: "maps done 5%", watch: &shufflewatcher.Chooser{MapsDone: .05}},
	{name: "maps done 25%", watch: &shufflewatcher.Chooser{MapsDone: .25}},
	{name: "noise on the load", watch: &shufflewatcher.Chooser{}, noise: .3},
	{name: "period 1 s", watch: &shufflewatcher.Chooser{Period: 1}},
	{name: "period 30 s", watch: &shufflewatcher.Chooser{Period: 30}},
	{name: "windows of 2 min", watch: &shufflewatcher.Chooser{Window: 120}},
	{name: "windows of 1 h", watch: &shufflewatcher.Chooser{Window: 3600}},
	noWindows,
	{name: "ratio 1 at first", watch: &shufflewatcher.Chooser{}, unknown: true},
	{name: "true ratios", watch: &shufflewatcher.Chooser{TrueRatio: true}},
	{name: "quotas after each map", watch: &shufflewatcher.Chooser{Recompute: true}},
	{name: "any link saturated", watch: &shufflewatcher.Chooser{NetSat: shufflewatcher.SaturatedAny}},
	{name: "never saturated", watch: &shufflewatcher.Chooser{NetSat: shufflewatcher.SaturatedNever}},
	{name: "always saturated", watch: &shufflewatcher.Chooser{NetSat: shufflewatcher.SaturatedAlways}},
	{name: "room for all maps", watch: &shufflewatcher.Chooser{Waves: 1}},
	{name: "without SARP", watch: &shufflewatcher.Chooser{NoSARP: true}},
}

// Memory of a task in bytes, an assumption for DRF: it never binds, since every node has room
// for the tasks of its slots.
var taskMemory = map[slotmodel.Kind][classes]float64{
	slotmodel.Map:    {light: 2e9, medium: 2e9, heavy: 2.5e9},
	slotmodel.Reduce: {light: 2e9, medium: 3e9, heavy: 4e9},
}

// policy makes the scheduler of one run, and its ShuffleWatcher if it has one.
func (c *contender) policy(s *study, l load, replication int) (slotmodel.Policy, *shufflewatcher.Chooser) {
	p := &policy.PerUser{}
	if c.drf {
		p.Users = &policy.DRF{}
	}
	switch {
	case c.watch == nil && c.delay:
		p.Chooser = &policy.Earliest{Filter: &policy.Delay{Node: relaxed, Rack: relaxed}}
	case c.watch == nil && c.fixed != unfixed:
		p.Chooser = &policy.Earliest{Filter: &fixed{by: c.fixed}}
	case c.watch != nil:
		w := *c.watch
		if !c.unknown {
			w.TypeOf = func(j slotmodel.Job) int { return l.types[j] }
		}
		if c.noise > 0 {
			r := rand.New(workload.Stream(s.Seed, noiseStream, uint64(replication)))
			factor := func() float64 { return math.Exp(c.noise * r.NormFloat64()) }
			w.Measured = func(_ slotmodel.Rack, mean shuffle.Link) shuffle.Link {
				return shuffle.Link{Out: mean.Out * factor(), In: mean.In * factor()}
			}
		}
		p.Chooser = &w
		return p, &w
	}
	return p, nil
}
