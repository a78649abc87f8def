package slotmodel_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
)

// within runs f and fails the test if that takes more than a minute: a run that never ends must not
// hang the tests, and a run that a busy machine slows down ends long before.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	watched(t, time.Minute, what, f)
}

// watched is within for a time of the caller's.
func watched(t *testing.T, limit time.Duration, what string, f func()) {
	t.Helper()
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		f()
	}()
	select {
	case p := <-done:
		if p != nil {
			t.Fatalf("%s panicked: %v", what, p)
		}
	case <-time.After(limit):
		t.Fatalf("%s has not returned after %v", what, limit)
	}
}

func one(maps, reduces int) *slotmodel.Cluster {
	return &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: maps, Reduces: reduces}}}
}

func tasks(n int, work float64) slotmodel.Phase { return slotmodel.Phase{Tasks: n, Work: work} }

func mustRun(t testing.TB, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, p slotmodel.Policy, o slotmodel.Options) *slotmodel.Result {
	t.Helper()
	res, err := slotmodel.Run(c, jobs, p, o)
	if err != nil {
		t.Fatalf("Run(%d nodes, %d jobs) = %v", len(c.Nodes), len(jobs), err)
	}
	return res
}

// ticker is a policy with heartbeats.
type ticker struct {
	slotmodel.Policy
	period float64
}

func (t ticker) Heartbeat() float64 { return t.period }

// Heartbeats while a long task runs are not a policy that spins: the task ends.
func TestLongTaskUnderHeartbeats(t *testing.T) {
	for _, work := range []float64{100, 5000, 100000} {
		within(t, "Run", func() {
			res, err := slotmodel.Run(one(1, 1), []slotmodel.JobSpec{{Maps: tasks(1, work)}}, ticker{fifo, 1}, slotmodel.Options{})
			if err != nil || res.Jobs[0].Outcome != slotmodel.Finished || res.Jobs[0].Finish != work {
				t.Errorf("one task of %v s under heartbeats of 1 s: %+v, err %v, want finished at %v", work, res.Jobs[0], err, work)
			}
		})
	}
}

// A policy that wakes every second until a late job comes sees it.
func TestWakesUntilLateArrival(t *testing.T) {
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		fifo(v, a)
		if v.Now() < 20000 {
			a.Wake(v.Now() + 1)
		}
	})
	res, err := slotmodel.Run(one(1, 1), []slotmodel.JobSpec{{Maps: tasks(1, 1)}, {Arrival: 15000, Maps: tasks(1, 1)}}, p, slotmodel.Options{})
	if err != nil || res.Jobs[1].Finish != 15001 {
		t.Errorf("second job %+v, err %v, want finished at 15001", res.Jobs[1], err)
	}
}

// With every node lost for ever there are no heartbeats left to wait for.
func TestHeartbeatsOfLostNodesEnd(t *testing.T) {
	c := one(1, 1)
	c.Nodes[0].Down = []slotmodel.Outage{{From: 1, Until: math.Inf(1)}}
	within(t, "Run with all nodes lost under heartbeats", func() {
		res, err := slotmodel.Run(c, []slotmodel.JobSpec{{Maps: tasks(1, 5)}}, ticker{fifo, 1}, slotmodel.Options{})
		if err != nil || res.Jobs[0].Outcome != slotmodel.Stuck || res.Jobs[0].Reason == "" {
			t.Errorf("job %+v, err %v, want stuck with a reason", res.Jobs[0], err)
		}
	})
}

// A run ends when its last job does, whatever was to happen later.
func TestEndIsTheLastJobsEnd(t *testing.T) {
	wakes := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		fifo(v, a)
		if v.Now() == 0 {
			a.Wake(700)
		}
	})
	for name, c := range map[string]struct {
		job slotmodel.JobSpec
		p   slotmodel.Policy
	}{
		"walltime": {slotmodel.JobSpec{Maps: tasks(1, 10), Walltime: 1000}, fifo},
		"crash":    {slotmodel.JobSpec{Maps: tasks(1, 10), Crash: 1000}, fifo},
		"cancel":   {slotmodel.JobSpec{Maps: tasks(1, 10), Cancel: 1000}, fifo},
		"wake":     {slotmodel.JobSpec{Maps: tasks(1, 10)}, wakes},
	} {
		res := mustRun(t, one(1, 1), []slotmodel.JobSpec{c.job}, c.p, slotmodel.Options{Period: 10})
		if res.End != 10 || len(res.Series) != 1 {
			t.Errorf("%s: job finished at %v, End = %v with %d rows of 10 s, want 10 and 1", name, res.Jobs[0].Finish, res.End, len(res.Series))
		}
	}
}

// Seconds that slots were held for resuming are counted.
func TestOverhead(t *testing.T) {
	c := one(1, 1)
	c.ResumeCost = 3
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		x := v.Newest(0, mapK)
		switch v.Now() {
		case 0:
			a.Start(0, mapK, 0)
			a.Wake(4)
			a.Wake(6)
		case 4:
			a.Suspend(x)
		case 6:
			a.Resume(x)
		}
	})
	res := mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, 10)}}, p, slotmodel.Options{})
	if got := res.Jobs[0].Finish; got != 15 {
		t.Errorf("10 s of work, suspended from 4 to 6, resumed for 3 s: finished at %v, want 15", got)
	}
	if got := res.Totals.Overhead; got != 3 {
		t.Errorf("Totals.Overhead = %v, want 3", got)
	}
}

// What is lost is at most what was sent.
func TestLostShuffleBytesWereSent(t *testing.T) {
	c := fluidRacks(2, 100, 1, 1)
	p := once(func(v *slotmodel.View, a *slotmodel.Actions) {
		switch v.Now() {
		case 0:
			a.Start(0, mapK, 0)
		case 1:
			a.Start(0, reduce, 1)
			a.Wake(6)
		case 6:
			a.Kill(v.Newest(0, reduce))
			a.Start(0, reduce, 1)
		}
	})
	res := mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 1), Shuffle: 1000}}, p, slotmodel.Options{})
	if got := res.Jobs[0].Finish; got != 17 {
		t.Errorf("1000 bytes at 100/s, killed after 5 s, begun anew: finished at %v, want 17", got)
	}
	if s := res.Totals; s.CrossRack.Shuffle != 1500 || s.Lost != 500 {
		t.Errorf("CrossRack.Shuffle = %v, Lost = %v, want 1500 and 500", s.CrossRack.Shuffle, s.Lost)
	}
}

// A reduce that is killed in the decision that started it leaves no trace.
func TestStartKillStartInOneDecision(t *testing.T) {
	c := fluidRacks(2, 100, 1, 1)
	p := once(func(v *slotmodel.View, a *slotmodel.Actions) {
		switch v.Now() {
		case 0:
			a.Start(0, mapK, 0)
		case 1:
			for range 3 {
				a.Start(0, reduce, 1)
				a.Kill(v.Newest(0, reduce))
			}
			a.Start(0, reduce, 1)
		}
	})
	within(t, "Run", func() {
		res, err := slotmodel.Run(c, []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 1), Shuffle: 1000}}, p, slotmodel.Options{})
		if err != nil || res.Jobs[0].Finish != 12 || res.Totals.Lost != 0 || res.Totals.CrossRack.Shuffle != 1000 {
			t.Errorf("job %+v totals %+v err %v, want finished at 12, 1000 bytes sent, none lost", res.Jobs[0], res.Totals, err)
		}
	})
}

// View.Output without a fluid network, and of a job that has no reduces.
func TestOutputOfAJob(t *testing.T) {
	for _, fluid := range []bool{false, true} {
		for _, reduces := range []int{0, 2} {
			c := one(2, 2)
			c.Network.Fluid = fluid
			want := 0.0
			if reduces > 0 {
				want = 60
			}
			seen := false
			p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
				fifo(v, a)
				if v.Now() == 3 {
					seen = true
					if got := v.Output(0, 0); got != want {
						t.Errorf("fluid %v, %d reduces: Output = %v after 2 of 3 maps, shuffle of 90 bytes, want %v", fluid, reduces, got, want)
					}
				}
			})
			mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(3, 3), Reduces: tasks(reduces, 1), Slowstart: 1, Shuffle: 90}}, p, slotmodel.Options{})
			if !seen {
				t.Fatal("no decision at 3 s")
			}
		}
	}
}

// The number of tasks is checked without overflow.
func TestTaskCountOverflow(t *testing.T) {
	huge := math.MaxInt
	for _, jobs := range [][]slotmodel.JobSpec{
		{{Maps: tasks(2, 1)}, {Maps: tasks(huge, 1), Reduces: tasks(huge, 1)}},
		{{Maps: tasks(huge, 1)}, {Maps: tasks(huge, 1)}},
		{{Maps: tasks(huge, 1), Reduces: tasks(3, 1)}},
	} {
		within(t, "Run", func() {
			_, err := slotmodel.Run(one(1, 1), jobs, fifo, slotmodel.Options{})
			var in *schedmath.InputError
			if !errors.As(err, &in) || in.Arg != "jobs" {
				t.Errorf("Run with %d maps and %d reduces in the last job = %v, want an InputError of jobs", jobs[len(jobs)-1].Maps.Tasks, jobs[len(jobs)-1].Reduces.Tasks, err)
			}
		})
	}
}

// The longest task on the slowest node takes 2^400 s.
func TestLongestTask(t *testing.T) {
	c := one(1, 1)
	c.Nodes[0].Speed = 0x1p-200
	within(t, "Run", func() {
		res := mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, 0x1p200)}}, fifo, slotmodel.Options{})
		if got := res.Jobs[0].Finish; got != 0x1p400 {
			t.Errorf("2^200 s of work at speed 2^-200 finished at %v, want 2^400", got)
		}
	})
}

func fluidRacks(racks int, link float64, maps, reduces int) *slotmodel.Cluster {
	c := &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true}}
	for r := range racks {
		c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: link, Ingress: link})
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Rack: r, Maps: maps, Reduces: reduces})
	}
	return c
}

// Reduces that wait for maps which nobody can run do not keep a run with heartbeats going.
func TestHeartbeatsWhileReducesWaitForEver(t *testing.T) {
	for _, fluid := range []bool{false, true} {
		c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Down: []slotmodel.Outage{{From: 2, Until: math.Inf(1)}}}, {Reduces: 1}}}
		c.Network.Fluid = fluid
		within(t, "Run with a reduce that waits for a map for ever", func() {
			res, err := slotmodel.Run(c, []slotmodel.JobSpec{{Maps: tasks(1, 5), Reduces: tasks(1, 5), Shuffle: 1}}, ticker{fifo, 1}, slotmodel.Options{})
			if err != nil || res.Jobs[0].Outcome != slotmodel.Stuck || res.Jobs[0].Reason == "" {
				t.Errorf("fluid %v: job %+v, err %v, want stuck with a reason", fluid, res.Jobs[0], err)
			}
		})
	}
}

// The least fraction above a half is not reached by a half.
func TestSlowstartAboveHalf(t *testing.T) {
	jobs := []slotmodel.JobSpec{{Maps: tasks(6, 1), Reduces: tasks(1, 1), Slowstart: math.Nextafter(.5, 1)}}
	seen := false
	mustRun(t, one(1, 1), jobs, fifo, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type == slotmodel.Ready && e.Kind == reduce {
			if seen = true; e.Time != 4 {
				t.Errorf("Slowstart %v of 6 maps of 1 s: reduces are ready at %v, want 4", jobs[0].Slowstart, e.Time)
			}
		}
	}})
	if !seen {
		t.Error("reduces were never ready")
	}
}

// Reduces may start as soon as the fraction of the maps has ended, for all hundredths, though
// 0.07*100 is a little more than 7.
func TestSlowstartHundredths(t *testing.T) {
	for percent := range 101 {
		for _, maps := range []int{100, 300} {
			ready := -1.0
			jobs := []slotmodel.JobSpec{{Maps: tasks(maps, 1), Reduces: tasks(1, 1), Slowstart: float64(percent) / 100}}
			mustRun(t, one(1, 1), jobs, fifo, slotmodel.Options{Log: func(e slotmodel.Event) {
				if e.Type == slotmodel.Ready && e.Kind == reduce {
					ready = e.Time
				}
			}})
			if want := float64(percent * maps / 100); ready != want {
				t.Errorf("Slowstart %v of %d maps of 1 s: reduces are ready at %v, want %v", jobs[0].Slowstart, maps, ready, want)
			}
		}
	}
}
