package slotmodel_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// waking is fifo that asks for another call some time after each, at the next float64 at least.
func waking(after float64) decide {
	return func(v *slotmodel.View, a *slotmodel.Actions) {
		fifo(v, a)
		a.Wake(max(v.Now()+after, math.Nextafter(v.Now(), math.Inf(1))))
	}
}

// Calls in vain without end beside a long task are passed over, and the task ends.
func TestCallsPassedOver(t *testing.T) {
	for _, c := range []struct {
		name string
		work float64
		p    slotmodel.Policy
	}{
		{"heartbeats of 1 s, a task of 1e18 s", 1e18, ticker{fifo, 1}},
		{"heartbeats of 1e-12 s, a task of 1 s", 1, ticker{fifo, 1e-12}},
		{"wake-ups each second, a task of 1e18 s", 1e18, waking(1)},
		{"wake-ups each 1e-12 s, a task of 1 s", 1, waking(1e-12)},
		{"wake-ups each float64, a task of 1 s", 1, waking(0)},
	} {
		within(t, c.name, func() {
			res := mustRun(t, one(1, 0), []slotmodel.JobSpec{{Maps: tasks(1, c.work)}}, c.p, slotmodel.Options{})
			if res.Jobs[0].Finish != c.work || res.PassedOver != 1 || res.Calls > 120_000 {
				t.Errorf("%s: %+v, %d calls, passed over %d times, want finished after %v s, at most 120000 calls, once", c.name, res.Jobs[0], res.Calls, res.PassedOver, c.work)
			}
		})
	}
	res := mustRun(t, one(1, 0), []slotmodel.JobSpec{{Maps: tasks(1, 1e5)}}, ticker{fifo, 1}, slotmodel.Options{})
	if res.PassedOver != 0 {
		t.Errorf("heartbeats of 1 s for 1e5 s: passed over %d times, want 0", res.PassedOver)
	}
}

// What comes after the next change is not passed over: wake-ups then, and heartbeats in their
// order.
func TestCallsAfterPassingOver(t *testing.T) {
	const arrival = 1e6
	var calls []string
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Runnable(0, mapK) {
			a.Start(0, mapK, 0)
			a.Wake(arrival + .25)
		}
		if v.Now() >= arrival && v.Now() <= arrival+1.5 {
			calls = append(calls, fmt.Sprint(v.Now()-arrival, v.Heartbeat()))
		}
	})
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}, {Maps: 2}}}
	res := mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, arrival+2)}, {Arrival: arrival}}, ticker{p, 1}, slotmodel.Options{})
	want := "[0 -1 0 0 0.25 -1 0.5 1 1 0 1.5 1]" // the arrival has a call of its own
	if fmt.Sprint(calls) != want || res.PassedOver != 1 {
		t.Errorf("calls (seconds after the arrival, node that beats) %v, passed over %d times, want %s and once", calls, res.PassedOver, want)
	}
}

// Heartbeats that do not advance the clock are refused, when the clock stands there with jobs
// present.
func TestHeartbeatsThatStandStill(t *testing.T) {
	for _, c := range []struct{ arrival, period float64 }{{1e6, 1e-12}, {1, 1e-300}, {1, 0x1p-200}, {1e18, 1}, {1, 0x1p-52}} {
		within(t, "Run", func() {
			what := fmt.Sprintf("heartbeats of %v s, a job at %v s", c.period, c.arrival)
			res, err := slotmodel.Run(one(1, 1), []slotmodel.JobSpec{{Arrival: c.arrival, Maps: tasks(1, 1)}}, ticker{fifo, c.period}, slotmodel.Options{})
			refused(t, what, res, err, "p", -1, "Heartbeat")
		})
	}
	within(t, "Run", func() {
		mustRun(t, one(1, 1), []slotmodel.JobSpec{{Arrival: 1, Maps: tasks(1, 0x1p-40)}}, ticker{fifo, 0x1p-51}, slotmodel.Options{})
	})
}

// A wake-up beyond 2^500 s never comes: a policy that waits for it leaves its jobs for ever.
func TestWakeBeyondTime(t *testing.T) {
	for _, at := range []float64{0x1p500, 0x1p501, math.MaxFloat64} {
		p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
			if fifo(v, a); v.Now() == 0 {
				a.Wake(at)
			}
		})
		within(t, "Run", func() {
			res, err := slotmodel.Run(one(1, 0), []slotmodel.JobSpec{{Maps: tasks(1, 1)}, {Maps: tasks(2, 1), Rigid: true}}, p, slotmodel.Options{})
			want := 0x1p500
			if at > want {
				want = 1
			}
			if err != nil || res.End != want || res.Jobs[1].Outcome != slotmodel.Stuck {
				t.Errorf("Wake(%v): End %v, %v, %+v, want the end at %v with a job stuck", at, res.End, err, res.Jobs[1], want)
			}
		})
	}
}

// A time series that would take more memory than its limit is refused before it takes it.
func TestSeriesTooLong(t *testing.T) {
	within(t, "Run", func() {
		res, err := slotmodel.Run(one(1, 0), []slotmodel.JobSpec{{Maps: tasks(1, 1e9)}}, fifo, slotmodel.Options{Period: 1})
		refused(t, "rows of 1 s for 1e9 s", res, err, "o", -1, "Period")
		// A row takes 144 bytes and 24 for the user: of 2^28 bytes 1597830 rows.
		res, err = slotmodel.Run(one(1, 0), []slotmodel.JobSpec{{Maps: tasks(1, 1597831)}}, fifo, slotmodel.Options{Period: 1})
		refused(t, "1597831 rows", res, err, "o", -1, "Period")
		res, err = slotmodel.Run(one(1, 0), nil, fifo, slotmodel.Options{Period: 1, Until: 1e9})
		refused(t, "rows of 1 s until 1e9 s", res, err, "o", -1, "Period")
		res, err = slotmodel.Run(one(1, 0), []slotmodel.JobSpec{{User: 1 << 20, Maps: tasks(1, 100)}}, fifo, slotmodel.Options{Period: 1})
		refused(t, "100 rows of a million users", res, err, "o", -1, "Period")
	})
	for _, rows := range []int{1000, 1597830} {
		res := mustRun(t, one(1, 0), []slotmodel.JobSpec{{Maps: tasks(1, float64(rows))}}, fifo, slotmodel.Options{Period: 1})
		if len(res.Series) != rows {
			t.Errorf("rows of 1 s for %d s: %d", rows, len(res.Series))
		}
	}
}
