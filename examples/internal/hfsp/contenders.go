package hfsp

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
)

// A contender is a policy that takes part in the experiments; it is made anew for each run.
type contender struct {
	name  string // in files
	label string // for people
	bare  bool   // without delay scheduling
	alone bool   // each job has the cluster for itself
	all   bool   // played with all seeds: claims compare it
	make  func(r *recorder) policy.Ranker
}

// Places in contenders: the two of the paper come first.
const (
	fair = iota
	byHFSP
)

// contenders are FAIR, HFSP as in Table II, and what the ablations change of it.
var contenders = []contender{
	{name: "fair", label: "FAIR", all: true, make: makeFair},
	{name: "hfsp", label: "HFSP, as in Table II", all: true, make: with(nil)},
	{name: "hfsp-xi-2", label: "ξ = 2", make: with(func(o *hfsp.Policy) { o.Xi = 2 })},
	{name: "hfsp-xi-4", label: "ξ = 4", make: with(func(o *hfsp.Policy) { o.Xi = 4 })},
	{name: "hfsp-s-1", label: "s = 1 sample", make: with(func(o *hfsp.Policy) { o.Samples = 1 })},
	{name: "hfsp-s-2", label: "s = 2", make: with(func(o *hfsp.Policy) { o.Samples = 2 })},
	{name: "hfsp-s-10", label: "s = 10", make: with(func(o *hfsp.Policy) { o.Samples = 10 })},
	{name: "hfsp-t-50", label: "t = 50%", make: with(func(o *hfsp.Policy) { o.Limit = 0.5 })},
	{name: "hfsp-t-10", label: "t = 10%", make: with(func(o *hfsp.Policy) { o.Limit = 0.1 })},
	{name: "hfsp-no-training", label: "no samples: ξ k l only", make: with(func(o *hfsp.Policy) { o.NoTraining = true })},
	{name: "hfsp-cap-none", label: "caps: none", make: with(func(o *hfsp.Policy) { o.NoCaps = true })},
	{name: "hfsp-over", label: "estimates 10% longer", all: true, make: with(overEstimated)},
	{name: "hfsp-true", label: "true sizes", all: true, make: with(trueSizes)},
	{name: "hfsp-wait", label: "no delay scheduling", bare: true, all: true, make: with(nil)},
	{name: "hfsp-kill", label: "same, killing", bare: true, make: with(func(o *hfsp.Policy) { o.Preempt = policy.PreemptKill })},
	{name: "hfsp-suspend", label: "same, suspending", bare: true, make: with(func(o *hfsp.Policy) { o.Preempt = policy.PreemptSuspend })},
	{name: "srpt", label: "SRPT, true sizes", make: func(*recorder) policy.Ranker { return &policy.SRPT{} }},
	{name: "fifo", label: "FIFO", all: true, make: makeFIFO},
	{name: "alone", label: "each job alone", alone: true, make: makeFIFO},
}

func makeFair(*recorder) policy.Ranker { return &policy.Fair{} }

func makeFIFO(*recorder) policy.Ranker { return &policy.ByArrival{} }

func trueSizes(o *hfsp.Policy) { o.Size, o.NoTraining = hfsp.TrueSize, true }

// overEstimated makes HFSP whose estimates are longer as the paper's of maps are.
func overEstimated(o *hfsp.Policy) {
	o.Estimate = func(v *slotmodel.View, s hfsp.Samples) float64 {
		return math.Exp(paperFit[slotmodel.Map].Mu) * phaseSize(v, s)
	}
}

// with makes HFSP with the paper's s = 5, Delta = 10 s, xi = 1 and t = 100%, but for what is
// changed. Phases go by virtual finish, where the paper has remaining work, and late phases share,
// of which the paper says nothing. A recorder that is not nil notes its estimates.
func with(change func(o *hfsp.Policy)) func(*recorder) policy.Ranker {
	return func(r *recorder) policy.Ranker {
		o := new(hfsp.Policy)
		if change != nil {
			change(o)
		}
		if r != nil && o.Estimate == nil {
			o.Estimate = r.estimate
		}
		return o
	}
}

// start makes the policy of a run: delay scheduling around the contender, the same at heartbeats,
// or the contender itself.
func (x *contender) start(r *recorder) (slotmodel.Policy, error) {
	inner := x.make(r)
	if !x.bare {
		return &policy.Delay{Inner: inner, Node: localDelay}, nil
	}
	p, ok := inner.(slotmodel.Policy)
	if !ok {
		return nil, fmt.Errorf("hfsp: %T is no policy by itself", inner)
	}
	return p, nil
}

// find returns the place of a contender, which must be there.
func find(name string) int {
	for i := range contenders {
		if contenders[i].name == name {
			return i
		}
	}
	panic("hfsp: no contender " + name)
}
