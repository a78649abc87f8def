package slotmodel_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// harmless calls every exported method of x with zero arguments, with -1 and with the largest
// numbers, and a yield function that what returns an iterator is given; nothing may panic. It
// returns the number of methods.
func harmless(t *testing.T, x any) int {
	t.Helper()
	v := reflect.ValueOf(x)
	for i := range v.NumMethod() {
		m := v.Method(i)
		name := fmt.Sprintf("(%T)(%+v).%s", x, x, v.Type().Method(i).Name)
		if v.Kind() == reflect.Pointer && v.IsNil() {
			name = fmt.Sprintf("(%T)(nil).%s", x, v.Type().Method(i).Name)
		}
		for _, n := range []int64{0, -1, math.MaxInt32} {
			in := make([]reflect.Value, m.Type().NumIn())
			for a := range in {
				in[a] = reflect.New(m.Type().In(a)).Elem()
				switch {
				case in[a].CanInt():
					in[a].SetInt(n)
				case in[a].CanUint():
					in[a].SetUint(uint64(n))
				case in[a].CanFloat():
					in[a].SetFloat(float64(n))
				}
			}
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("%s with %d panics: %v", name, n, p)
					}
				}()
				for _, out := range m.Call(in) {
					if out.Kind() == reflect.Float64 && math.IsNaN(out.Float()) {
						t.Errorf("%s with %d: NaN", name, n)
					}
					if out.Kind() == reflect.Func && !out.IsNil() { // an iterator
						yield := reflect.MakeFunc(out.Type().In(0), func([]reflect.Value) []reflect.Value {
							return []reflect.Value{reflect.ValueOf(false)}
						})
						out.Call([]reflect.Value{yield})
					}
				}
			}()
		}
	}
	return v.NumMethod()
}

// Nothing that is exported panics on a nil receiver or a zero value, whatever the arguments.
func TestNilReceivers(t *testing.T) {
	methods := 0
	for _, x := range []any{
		(*slotmodel.View)(nil), new(slotmodel.View), (*slotmodel.Actions)(nil), new(slotmodel.Actions),
		(*slotmodel.LogWriter)(nil), new(slotmodel.LogWriter), slotmodel.NewLogWriter(nil),
		(*slotmodel.Result)(nil), new(slotmodel.Result), (*slotmodel.JobResult)(nil), new(slotmodel.JobResult),
		(*slotmodel.Totals)(nil), new(slotmodel.Totals), (*slotmodel.Phase)(nil), new(slotmodel.Phase), &slotmodel.Phase{Works: []float64{}},
		(*slotmodel.ActionError)(nil), new(slotmodel.ActionError), (*slotmodel.DeadlockError)(nil), new(slotmodel.DeadlockError),
		slotmodel.Counts{}, slotmodel.Kind(255), slotmodel.Stage(255), slotmodel.EventType(255), slotmodel.Outcome(255),

		policy.FIFO{}, (*policy.ByArrival)(nil), new(policy.ByArrival),
		(*policy.Greedy)(nil), new(policy.Greedy), &policy.Greedy{Inner: (*policy.Fair)(nil)},
		(*policy.Fair)(nil), new(policy.Fair), (*policy.SRPT)(nil), new(policy.SRPT),
		(*policy.Delay)(nil), new(policy.Delay), &policy.Greedy{Inner: (*policy.SRPT)(nil), Filter: (*policy.Delay)(nil)},
		(*hfsp.Policy)(nil), new(hfsp.Policy), &policy.Greedy{Inner: (*hfsp.Policy)(nil)}, &policy.Greedy{Inner: new(hfsp.Policy)}, &policy.Greedy{Filter: new(policy.Delay)},

		(*policy.Capacity)(nil), new(policy.Capacity), (*policy.PerUser)(nil), new(policy.PerUser), (*policy.FairUsers)(nil), new(policy.FairUsers),
		(*policy.Earliest)(nil), new(policy.Earliest), policy.By(nil), (*dynprio.Policy)(nil), new(dynprio.Policy),
		(*policy.DRF)(nil), new(policy.DRF), (*shufflewatcher.Chooser)(nil), new(shufflewatcher.Chooser), &policy.PerUser{Users: (*policy.DRF)(nil)},
		&policy.PerUser{Chooser: (*shufflewatcher.Chooser)(nil)}, &policy.PerUser{Chooser: new(shufflewatcher.Chooser)},
		(*queues.Policy)(nil), new(queues.Policy), (*queues.DynamicShare)(nil), new(queues.DynamicShare),
		(*queues.ReducePlan)(nil), new(queues.ReducePlan), &queues.ReducePlan{Queues: new(queues.Policy)}, queues.Order(255), shufflewatcher.NetSat(255),

		(*fluid.Runner)(nil), new(fluid.Runner), (*fluid.Result)(nil), new(fluid.Result),
		(*fluid.UnfinishedError)(nil), new(fluid.UnfinishedError), fluid.FSP{Late: 255}, fluid.Late(255),

		(*workload.ParseError)(nil), new(workload.ParseError), (*workload.Placer)(nil), new(workload.Placer),
		(*workload.Zipf)(nil), new(workload.Zipf),
	} {
		methods += harmless(t, x)
	}
	t.Logf("%d methods", methods)
}

// What a nil receiver cannot do is an error where there is one to return, and says nothing
// otherwise.
func TestNilAnswers(t *testing.T) {
	var in *schedmath.InputError
	for _, l := range []*slotmodel.LogWriter{nil, {}, slotmodel.NewLogWriter(nil)} {
		l.Log(slotmodel.Event{})
		if err := l.Flush(); !errors.As(err, &in) || in.Func != "slotmodel.LogWriter.Flush" || in.Arg != "l" || in.Index != -1 {
			t.Errorf("Flush of a LogWriter without a writer = %v, want an InputError of l", err)
		}
	}
	if err := (*fluid.Runner)(nil).Run(new(fluid.Result), 1, nil, fluid.PS{}, fluid.Options{}); !errors.As(err, &in) || in.Arg != "r" {
		t.Errorf("(*fluid.Runner)(nil).Run = %v, want an InputError of r", err)
	}
	var v *slotmodel.View
	var a *slotmodel.Actions
	if v.Slots(mapK) != 0 || v.NextFree(mapK, none) != none || v.NextActive(none) != none || v.Attempt(0).Job != none || v.Heartbeat() != none {
		t.Error("a nil View shows something")
	}
	if a.Start(0, mapK, 0) || a.StartTask(0, 0) || a.StartGang(0, nil) || a.Kill(0) || a.Suspend(0) || a.Resume(0) || a.Wake(1) {
		t.Error("an action of nil Actions was allowed")
	}
	for _, totals := range []*slotmodel.Totals{nil, {}} {
		if node, rack, remote := totals.Locality(); node != 0 || rack != 0 || remote != 0 {
			t.Errorf("Locality of %+v = %v, %v, %v, want 0 each", totals, node, rack, remote)
		}
	}
	if got := slotmodel.ErrPolicy; !errors.Is((*slotmodel.ActionError)(nil), got) || !errors.Is((*slotmodel.DeadlockError)(nil), got) {
		t.Error("nil errors of policies are not ErrPolicy")
	}
}

// A nil policy of a type that has one leaves all slots idle, which is a deadlock.
func TestNilPolicies(t *testing.T) {
	for _, p := range []slotmodel.Policy{(*policy.Fair)(nil), (*policy.SRPT)(nil), (*policy.Greedy)(nil), (*hfsp.Policy)(nil),
		&policy.Greedy{Inner: (*hfsp.Policy)(nil)}, &policy.PerUser{Users: (*policy.DRF)(nil)}, &policy.PerUser{Chooser: (*shufflewatcher.Chooser)(nil)}} {
		within(t, fmt.Sprintf("Run of a nil %T", p), func() {
			_, err := slotmodel.Run(one(1, 1), []slotmodel.JobSpec{{Maps: tasks(2, 1)}}, p, slotmodel.Options{})
			var deadlock *slotmodel.DeadlockError
			if !errors.As(err, &deadlock) {
				t.Errorf("Run of a nil %T = %v, want a DeadlockError", p, err)
			}
		})
	}
}
