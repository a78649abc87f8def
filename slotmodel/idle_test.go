package slotmodel_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// Jobs that no policy could finish are Stuck, with the reason, and the others end; with heartbeats
// and a time at which to stop, too. The run ends where the last thing happens, not where a job or an
// attempt that is over was expected to end.
func TestStuck(t *testing.T) {
	gone := []slotmodel.Outage{{From: 3, Until: math.Inf(1)}}
	phase := func(n int, memory float64) slotmodel.Phase { return slotmodel.Phase{Tasks: n, Work: 1, Memory: memory} }
	type nodes = []slotmodel.NodeSpec
	type jobs = []slotmodel.JobSpec
	small := nodes{{Maps: 2, Memory: 4}, {Reduces: 1, Memory: 9}, {Maps: 1, Memory: 7, Down: []slotmodel.Outage{{Until: math.Inf(1)}}}}
	early := slotmodel.JobSpec{Maps: tasks(1, 1), Reduces: tasks(1, 1)}
	other := slotmodel.JobSpec{Maps: phase(3, 4)}
	reducesFirst := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		for _, k := range []slotmodel.Kind{reduce, mapK} {
			for n := room(v, 0, k); n != none; n = room(v, 0, k) {
				a.Start(0, k, n)
			}
		}
		fifo(v, a)
	})
	waits := jobs{{Maps: phase(1, 3), Reduces: phase(1, 0)}, {Arrival: 4, Maps: tasks(2, 1), Rigid: true}}
	behind := nodes{{Slots: 2, Memory: 1}, {Maps: 1, Memory: 3, Down: gone}}
	reduceOnly := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Now() == 0 {
			a.Start(0, reduce, 0)
		} else if v.Now() >= 4 {
			fifo(v, a)
		}
	})
	for _, c := range []struct {
		nodes   nodes
		jobs    jobs
		p       decide
		early   float64
		end     float64  // without heartbeats
		reasons []string // of each job why it is stuck; "": it finishes
	}{
		{nodes: nodes{{Maps: 1, Reduces: 1, Down: gone}}, jobs: jobs{{Maps: tasks(1, 100)}, {}}, end: 3, reasons: []string{"no map slot is up", ""}},
		{nodes: nodes{{Reduces: 1}}, jobs: jobs{early}, reasons: []string{"no map slot is up"}},
		{nodes: nodes{{Maps: 1, Down: gone}, {Reduces: 1}}, jobs: jobs{{Maps: tasks(1, 5), Reduces: tasks(1, 1), Shuffle: 1}}, end: 3, reasons: []string{"no map slot is up"}},
		{nodes: nodes{{Maps: 1}}, jobs: jobs{early, {Maps: tasks(1, 1)}}, end: 2, reasons: []string{"no reduce slot is up", ""}},
		{nodes: nodes{{Maps: 1}}, jobs: jobs{{Maps: tasks(1, 1), Walltime: 1e6}, early}, end: 2, reasons: []string{"", "no reduce slot"}},
		{nodes: nodes{{Maps: 1}}, jobs: jobs{{Maps: tasks(1, 1), Cancel: 1e6, Crash: 1e5}, early}, end: 2, reasons: []string{"", "no reduce slot"}},
		{nodes: nodes{{Maps: 1}}, jobs: jobs{{Maps: tasks(1, 10), Walltime: 1e3, Cancel: 1e4}}, end: 10, reasons: []string{""}},
		{nodes: nodes{{Maps: 3}}, jobs: jobs{{Maps: tasks(4, 10), Rigid: true}, other}, reasons: []string{"rigid, of 4 tasks, and 3 slots", ""}},
		{nodes: nodes{{Maps: 1}}, jobs: jobs{{Reduces: tasks(1, 10)}, {After: 1, Maps: tasks(1, 2)}, {After: 2, Maps: tasks(1, 2)}, {Maps: tasks(1, 2)}, {After: 4}}, end: 2,
			reasons: []string{"no reduce slot", "after which it comes", "after which it comes", "", ""}},
		{nodes: small, jobs: jobs{{Maps: phase(1, 5)}, other}, reasons: []string{"a map holds 5 bytes of memory", ""}},
		{nodes: small, jobs: jobs{{Maps: phase(1, 1), Reduces: phase(1, 10)}, other}, reasons: []string{"a reduce holds 10 bytes of memory", ""}},
		{nodes: small, jobs: jobs{{Maps: phase(2, 3), Rigid: true}, other}, reasons: []string{"rigid, of 2 tasks, and 1 slots", ""}},
		{nodes: small, jobs: jobs{{Maps: phase(2, 2), Rigid: true}, {Maps: phase(1, 4), Reduces: phase(1, 9)}, other}, reasons: []string{"", "", ""}},
		{nodes: nodes{{Slots: 2}}, jobs: jobs{{Maps: tasks(1, 1), Reduces: tasks(2, 1)}}, p: reducesFirst, early: 1, reasons: []string{"map slots are held"}},
		{nodes: nodes{{Slots: 2}}, jobs: jobs{{Maps: tasks(1, 1), Reduces: tasks(2, 1)}}, p: reducesFirst, reasons: []string{""}},
		{nodes: nodes{{Maps: 1, Reduces: 2, Memory: 4}}, jobs: jobs{{Maps: phase(1, 3), Reduces: phase(2, 2)}}, p: reducesFirst, reasons: []string{"not the memory"}},
		{nodes: nodes{{Maps: 1, Reduces: 2, Memory: 4}}, jobs: jobs{{Maps: phase(1, 3), Reduces: phase(2, 2)}}, reasons: []string{""}},
		{nodes: behind, jobs: waits, p: reduceOnly, reasons: []string{"a map holds 3 bytes", "attempts that wait for ever hold slots or memory"}},
	} {
		for i := range 8 {
			if c.p != nil && i&1 > 0 {
				continue // only a great many calls in vain tell that the heartbeats will change nothing
			}
			p, o := slotmodel.Policy(fifo), slotmodel.Options{}
			if c.p != nil {
				p = c.p
			}
			if i&1 > 0 {
				p = ticker{p, 3}
			}
			if i&2 > 0 {
				o.Until = 100
			}
			cluster := &slotmodel.Cluster{Nodes: c.nodes, EarlyReduces: c.early, Network: slotmodel.Network{Fluid: i&4 > 0}}
			what := fmt.Sprintf("Run on %+v of %+v, case %d", c.nodes, c.jobs, i)
			within(t, what, func() {
				res := mustRun(t, cluster, c.jobs, p, o)
				for j, reason := range c.reasons {
					r, want := res.Jobs[j], slotmodel.Finished
					if reason != "" {
						want = slotmodel.Stuck
					}
					if r.Outcome != want || (reason == "") != (r.Reason == "") || !strings.Contains(r.Reason, reason) || (r.Finish < 0) != (reason != "") {
						t.Errorf("%s: job %d %+v, want %v with %q", what, j, r, want, reason)
					}
				}
				if i < 4 && i != 1 && c.end > 0 && res.End != max(o.Until, c.end) || res.Calls > 150 {
					t.Errorf("%s: End = %v after %d calls, want %v", what, res.End, res.Calls, max(o.Until, c.end))
				}
			})
		}
	}
}

// A policy that leaves tasks that could run is at fault, and is reported with what waits, before the
// run's last time too; the job is not.
func TestDeadlock(t *testing.T) {
	never := decide(func(*slotmodel.View, *slotmodel.Actions) {})
	only := func(k slotmodel.Kind) decide {
		return func(v *slotmodel.View, a *slotmodel.Actions) {
			for j := v.NextRunnable(none, k); j != none && v.FreeSlots(k) > 0; j = v.NextRunnable(j, k) {
				a.Start(j, k, v.NextFree(k, none))
			}
		}
	}
	suspends := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Now() == 0 {
			a.Start(0, mapK, 0)
			a.Wake(0.5)
		} else if x := v.Newest(0, mapK); v.CanSuspend(x) {
			a.Suspend(x)
		}
	})
	after := []slotmodel.JobSpec{{Maps: tasks(3, 1), Reduces: tasks(2, 1), Slowstart: 1}, {Arrival: 2, Maps: tasks(1, 1)}}
	early := []slotmodel.JobSpec{{Maps: tasks(3, 1), Reduces: tasks(2, 1)}}
	for name, c := range map[string]struct {
		p    slotmodel.Policy
		jobs []slotmodel.JobSpec
		text string
	}{
		"never starts":   {never, after, "at 2 s slotmodel_test.decide leaves 2 free map slots idle for ever, while 3 tasks of job 0 wait"},
		"heartbeats":     {ticker{never, 1}, after, "3 tasks of job 0"},
		"wakes for ever": {decide(func(v *slotmodel.View, a *slotmodel.Actions) { a.Wake(v.Now() + 1) }), after, "3 tasks of job 0"},
		"no reduces":     {only(mapK), after, "1 free reduce slots idle for ever, while 2 tasks of job 0"},
		"no maps":        {only(reduce), early, "3 tasks of job 0"},
		"never resumes":  {suspends, after, "3 tasks of job 0"},
		"a rigid job":    {never, []slotmodel.JobSpec{{Maps: tasks(2, 1), Rigid: true}}, "2 tasks of job 0"},
		"another job":    {never, []slotmodel.JobSpec{{}, {Maps: tasks(3, 1)}}, "3 tasks of job 1"},
	} {
		for _, until := range []float64{0, 1e7} {
			within(t, name, func() {
				res, err := slotmodel.Run(one(2, 1), c.jobs, c.p, slotmodel.Options{Until: until})
				var e *slotmodel.DeadlockError
				if !errors.As(err, &e) || !errors.Is(err, slotmodel.ErrPolicy) || !strings.Contains(err.Error(), c.text) {
					t.Errorf("%s, until %v: Run = %v, want a DeadlockError with %q", name, until, err, c.text)
					return
				}
				if r := res.Jobs[e.Job]; r.Outcome != slotmodel.Unended || r.Finish != -1 || r.Reason != "" || !strings.Contains(c.text, fmt.Sprintf("%d tasks of job %d", e.Tasks, e.Job)) || e.Free < 1 {
					t.Errorf("%s, until %v: %+v and job %+v, want it unended", name, until, *e, r)
				}
			})
		}
	}
}

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
		refused(t, &input{*one(1, 1), []slotmodel.JobSpec{{Arrival: c.arrival, Maps: tasks(1, 1)}}, ticker{fifo, c.period}, slotmodel.Options{}}, "p", -1, "Heartbeat")
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

// A time series that would take more memory than its limit is refused before it takes it. A row takes
// 144 bytes and 24 for each user: of 2^28 bytes 1117 rows of 10,000 users.
func TestSeriesTooLong(t *testing.T) {
	rows := func(seconds float64, user int, until float64) *input {
		return &input{*one(1, 0), []slotmodel.JobSpec{{User: user, Maps: tasks(1, seconds)}}, fifo, slotmodel.Options{Period: 1, Until: until}}
	}
	for _, c := range []struct {
		seconds float64
		user    int
		until   float64
	}{{1e9, 0, 0}, {1118, 9999, 0}, {1, 0, 1e9}, {100, 1 << 20, 0}} {
		refused(t, rows(c.seconds, c.user, c.until), "o", -1, "Period")
	}
	x := rows(1117, 9999, 0)
	if res := mustRun(t, &x.c, x.jobs, x.p, x.o); len(res.Series) != 1117 {
		t.Errorf("rows of 1 s for 1117 s: %d", len(res.Series))
	}
}

// A policy may wait on purpose for a long time.
func TestPatientPolicy(t *testing.T) {
	const begin = 3600
	late := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Now() >= begin {
			fifo(v, a)
		}
	})
	wakes := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if late(v, a); v.Now() < begin {
			a.Wake(v.Now() + 1)
		}
	})
	c := &slotmodel.Cluster{Nodes: make([]slotmodel.NodeSpec, 36)}
	for i := range c.Nodes {
		c.Nodes[i].Maps = 1
	}
	for name, x := range map[string]struct {
		c *slotmodel.Cluster
		p slotmodel.Policy
	}{"heartbeats of 36 nodes": {c, ticker{late, 3}}, "wakes every second": {one(1, 0), wakes}} {
		res, err := slotmodel.Run(x.c, []slotmodel.JobSpec{{Maps: tasks(1, 1)}}, x.p, slotmodel.Options{})
		if err != nil || res.Jobs[0].Outcome != slotmodel.Finished || !(res.Jobs[0].Start >= begin) {
			t.Errorf("%s: %+v, %v, want a job that starts at %v and ends", name, res.Jobs[0], err, begin)
		}
	}
}
