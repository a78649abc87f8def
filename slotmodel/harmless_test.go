package slotmodel_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/circumflex"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// harmless calls every exported method of x with zero arguments, with -1 and with the largest
// numbers, with a View and Actions of no run, and a yield function that what returns an iterator is
// given; nothing may panic.
func harmless(t *testing.T, x any) {
	t.Helper()
	v := reflect.ValueOf(x)
	for i := range v.NumMethod() {
		m := v.Method(i)
		name := fmt.Sprintf("(%T)(%+v).%s", x, x, v.Type().Method(i).Name)
		for _, n := range []int64{0, -1, math.MaxInt32} {
			in := make([]reflect.Value, m.Type().NumIn())
			for a := range in {
				in[a] = reflect.New(m.Type().In(a)).Elem()
				switch {
				case in[a].Type() == reflect.TypeFor[*slotmodel.View](), in[a].Type() == reflect.TypeFor[*slotmodel.Actions]():
					in[a].Set(reflect.New(in[a].Type().Elem()))
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
}

// Nothing that is exported panics on a zero value, whatever the arguments.
func TestZeroValuesAreHarmless(t *testing.T) {
	for _, x := range []any{
		new(slotmodel.View), new(slotmodel.Actions),
		new(slotmodel.Result), new(slotmodel.JobResult),
		new(slotmodel.Totals), new(slotmodel.Phase), &slotmodel.Phase{Works: []float64{}},
		new(slotmodel.ActionError), new(slotmodel.DeadlockError),
		slotmodel.Counts{}, slotmodel.Kind(255), slotmodel.EventType(255), slotmodel.Outcome(255),

		policy.FIFO{}, new(policy.ByArrival), new(policy.Greedy), new(policy.Fair), new(policy.SRPT), new(policy.Delay),
		new(hfsp.Policy), &policy.Greedy{Inner: new(hfsp.Policy)}, &policy.Greedy{Filter: new(policy.Delay)},
		new(policy.Capacity), new(policy.PerUser), new(policy.FairUsers), new(policy.Earliest), policy.By(nil), new(dynprio.Policy),
		new(policy.Backfill), new(policy.FairShare), new(policy.DRF), new(shufflewatcher.Chooser), &policy.PerUser{Chooser: new(shufflewatcher.Chooser)}, new(queues.Policy),
		new(queues.DynamicShare), new(queues.ReducePlan), &queues.ReducePlan{Queues: new(queues.Policy)}, queues.Order(255),
		new(circumflex.Policy),

		new(fluid.Runner), new(fluid.Result),
		fluid.FSP{Late: 255}, fluid.Late(255),

		new(workload.Placer),
	} {
		harmless(t, x)
	}
}
