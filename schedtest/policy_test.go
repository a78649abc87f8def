package schedtest_test

import (
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/schedtest"
	"github.com/schedmath/schedmath/slotmodel"
)

// A decider is a policy made of one function.
type decider func(v *slotmodel.View, a *slotmodel.Actions)

func (d decider) Decide(v *slotmodel.View, a *slotmodel.Actions) { d(v, a) }

// fill starts tasks by arrival while there are slots, of the jobs that may start one.
func fill(v *slotmodel.View, a *slotmodel.Actions, may func(j slotmodel.Job, n slotmodel.Node) bool) {
	for k := range slotmodel.Kind(2) {
		for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; n = v.NextFree(k, n) {
			for j := v.NextRunnable(slotmodel.None, k); j != slotmodel.None; j = v.NextRunnable(j, k) {
				for may(j, n) && v.Runnable(j, k) && v.Fits(j, k, n) {
					a.Start(j, k, n)
				}
			}
		}
	}
}

// killer kills the newest map of the first job every 1/16 s.
func killer(v *slotmodel.View, a *slotmodel.Actions) {
	if x := v.Newest(0, slotmodel.Map); x != slotmodel.None && v.Attempt(x).Start < v.Now() {
		a.Kill(x)
	}
	fill(v, a, anybody)
	a.Wake(v.Now() + 1./16)
}

func anybody(slotmodel.Job, slotmodel.Node) bool { return true }

// learning takes the second job first, from its second run on.
type learning struct{ runs int }

func (l *learning) BeginRun(*slotmodel.View) { l.runs++ }
func (l *learning) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if l.runs > 1 {
		fill(v, a, func(j slotmodel.Job, _ slotmodel.Node) bool { return j == 1 })
	}
	fill(v, a, anybody)
}

func TestPolicyFaults(t *testing.T) {
	for name, c := range map[string]struct {
		want   string
		decide func() slotmodel.Policy
		o      schedtest.PolicyOptions
	}{
		"starts where no slot is free": {"Legal: ", func() slotmodel.Policy {
			return decider(func(v *slotmodel.View, a *slotmodel.Actions) {
				for j := v.NextRunnable(slotmodel.None, slotmodel.Map); j != slotmodel.None; j = v.NextRunnable(j, slotmodel.Map) {
					a.Start(j, slotmodel.Map, 0)
				}
				fill(v, a, anybody)
			})
		}, schedtest.PolicyOptions{}},
		"a setting out of range": {"Legal: ", func() slotmodel.Policy { return &hfsp.Policy{Delta: -1} }, schedtest.PolicyOptions{}},
		"one job is forgotten": {"Ends: ", func() slotmodel.Policy {
			return decider(func(v *slotmodel.View, a *slotmodel.Actions) {
				fill(v, a, func(j slotmodel.Job, _ slotmodel.Node) bool { return j != 2 })
			})
		}, schedtest.PolicyOptions{Without: map[schedtest.Law]string{schedtest.Busy: "the job could be run"}}},
		"one start a decision": {"Busy: ", func() slotmodel.Policy {
			return decider(func(v *slotmodel.View, a *slotmodel.Actions) {
				started := false
				fill(v, a, func(slotmodel.Job, slotmodel.Node) bool {
					first := !started
					started = true
					return first
				})
			})
		}, schedtest.PolicyOptions{}},
		"waits longer than it says": {"Busy: ", func() slotmodel.Policy {
			return decider(func(v *slotmodel.View, a *slotmodel.Actions) {
				fill(v, a, func(j slotmodel.Job, n slotmodel.Node) bool {
					at, _ := v.Arrival(j)
					if v.Now() < at+2 {
						a.Wake(at + 2)
						return false
					}
					return true
				})
			})
		}, schedtest.PolicyOptions{Patience: 1}},
		"kills until the others are done": {"Bounded: ", func() slotmodel.Policy {
			kills := 0
			return decider(func(v *slotmodel.View, a *slotmodel.Actions) {
				if x := v.Newest(0, slotmodel.Map); x != slotmodel.None && kills < 1000 && v.Attempt(x).Start < v.Now() {
					a.Kill(x)
					kills++
				}
				fill(v, a, anybody)
				a.Wake(v.Now() + .125)
			})
		}, schedtest.PolicyOptions{Without: map[schedtest.Law]string{schedtest.Repeats: "it counts its kills", schedtest.Permutes: "it kills the first of the list"}}},
		"kills for ever": {"Bounded: ", func() slotmodel.Policy { return decider(killer) }, schedtest.PolicyOptions{}},
		"kills for ever, with excuses": {"Ends: ", func() slotmodel.Policy { return decider(killer) },
			schedtest.PolicyOptions{Without: map[schedtest.Law]string{schedtest.Bounded: "what is killed is done again"}}},
		"kills for ever where nodes fail": {"Bounded: ", func() slotmodel.Policy { return decider(killer) },
			schedtest.PolicyOptions{Failures: true, Users: true, Memory: true,
				Without: map[schedtest.Law]string{schedtest.Permutes: "who is killed depends on the place in the list too"}}},
		"remembers the run before": {"Repeats: ", func() slotmodel.Policy { return new(learning) }, schedtest.PolicyOptions{}},
		"the last in the list first": {"Permutes: ", func() slotmodel.Policy {
			return &policy.Greedy{Inner: policy.By(func(_ *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind) float64 { return -float64(j) })}
		}, schedtest.PolicyOptions{}},
		"memory overlooked": {"Legal: ", func() slotmodel.Policy {
			return decider(func(v *slotmodel.View, a *slotmodel.Actions) {
				for k := range slotmodel.Kind(2) {
					for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; n = v.NextFree(k, n) {
						for j := v.NextRunnable(slotmodel.None, k); j != slotmodel.None; j = v.NextRunnable(j, k) {
							for v.Runnable(j, k) && v.Free(k, n) > 0 && a.Start(j, k, n) {
							}
						}
					}
				}
			})
		}, schedtest.PolicyOptions{Memory: true}},
		"rigid jobs map by map": {"Legal: ", func() slotmodel.Policy {
			return decider(func(v *slotmodel.View, a *slotmodel.Actions) { fill(v, a, anybody) })
		}, schedtest.PolicyOptions{Rigid: true}},
	} {
		t.Run(name, func(t *testing.T) {
			caught(t, c.want, func(t testing.TB) { schedtest.Policy(t, c.decide, c.o) })
		})
	}
}

// The policies of this library keep all laws, but for what the table says.
func TestOurPolicies(t *testing.T) {
	all := schedtest.PolicyOptions{Users: true, Memory: true, Failures: true, Rigid: true}
	for name, c := range map[string]struct {
		make func() slotmodel.Policy
		o    schedtest.PolicyOptions
	}{
		"Fair":          {func() slotmodel.Policy { return new(policy.Fair) }, all},
		"Delay":         {func() slotmodel.Policy { return &policy.Delay{Inner: new(policy.Fair), Node: 1, Rack: 1} }, all},
		"Backfill, all": {func() slotmodel.Policy { return &policy.Backfill{Depth: -1, Shortest: true} }, all},
		"Backfill, true times": {func() slotmodel.Policy {
			return &policy.Backfill{Shortest: true, Time: func(v *slotmodel.View, j slotmodel.Job) float64 { return v.Spec(j).Maps.Work }}
		}, all},
		"HFSP":                        {func() slotmodel.Policy { return new(hfsp.Policy) }, all},
		"PerUser":                     {func() slotmodel.Policy { return new(policy.PerUser) }, all},
		"FIFO, one user, no failures": {func() slotmodel.Policy { return policy.FIFO{} }, schedtest.PolicyOptions{}},
		"SRPT, kills": {func() slotmodel.Policy { return &policy.SRPT{Preempt: policy.PreemptKill} },
			schedtest.PolicyOptions{Without: map[schedtest.Law]string{schedtest.Bounded: "what is killed is done again"}}},
	} {
		t.Run(name, func(t *testing.T) { schedtest.Policy(t, c.make, c.o) })
	}
}

func TestReasons(t *testing.T) {
	caught(t, "Busy is left out without a reason", func(t testing.TB) {
		schedtest.Policy(t, func() slotmodel.Policy { return policy.FIFO{} }, schedtest.PolicyOptions{Without: map[schedtest.Law]string{schedtest.Busy: ""}})
	})
	expect.Words(t, map[schedtest.Law]string{
		schedtest.Legal: "Legal", schedtest.Ends: "Ends", schedtest.Busy: "Busy", schedtest.Bounded: "Bounded",
		schedtest.Repeats: "Repeats", schedtest.Permutes: "Permutes", schedtest.Conserves: "Conserves"})
}
