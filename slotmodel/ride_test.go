package slotmodel_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// riders is a policy that reads a block for all jobs of a dataset that wait for it, after what
// else a test does.
func riders(also decide) decide {
	p := &firstFit{}
	return func(v *slotmodel.View, a *slotmodel.Actions) {
		also(v, a)
		p.Decide(v, a)
	}
}

// nothing is what a policy does besides.
func nothing(*slotmodel.View, *slotmodel.Actions) {}

// scans are jobs of one map each that read block 0 of dataset 1.
func scans(works ...float64) []slotmodel.JobSpec {
	var jobs []slotmodel.JobSpec
	for _, w := range works {
		jobs = append(jobs, slotmodel.JobSpec{Dataset: 1, Maps: tasks(1, w)})
	}
	return jobs
}

// One attempt reads for three jobs; its work, its slot and its memory count once, and the log has
// who rode.
func TestOneReadsForAll(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Rack: 1, Maps: 1, Memory: 5}, {}}}
	jobs := scans(8, 3, 20)
	for j := range jobs {
		jobs[j].User, jobs[j].Maps.Memory = j, 5
		jobs[j].Output = 7
	}
	var log []slotmodel.Event
	seen := false
	p := riders(func(v *slotmodel.View, _ *slotmodel.Actions) {
		if v.Now() != 4 {
			return
		}
		seen = true
		if got := v.Count(1, mapK); got != (slotmodel.Counts{Tasks: 1, Riding: 1}) || got.Pending() != 0 || v.Runnable(1, mapK) || v.NextPending(1, mapK, none) != none {
			t.Errorf("of a job whose map rides, Count = %+v", got)
		}
		if v.WorkLeft(0, mapK) != 4 || v.WorkLeft(1, mapK) != 0 || v.UserRunning(1, mapK) != 0 || v.UserMemory(1) != 0 || v.Newest(1, mapK) != none {
			t.Errorf("WorkLeft = %v and %v, want 4 of the driver; UserRunning %v, UserMemory %v", v.WorkLeft(0, mapK), v.WorkLeft(1, mapK), v.UserRunning(1, mapK), v.UserMemory(1))
		}
		if v.Started(1, mapK, 1) != 1 || v.Started(1, mapK, 0) != 0 {
			t.Errorf("Started of a map that rides = %d and %d, want 1 in its rack", v.Started(1, mapK, 1), v.Started(1, mapK, 0))
		}
	})
	waker := riders(func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Now() == 0 {
			a.Wake(4)
		}
		p(v, a)
	})
	res := mustRun(t, c, jobs, waker, slotmodel.Options{Log: func(e slotmodel.Event) { log = append(log, e) }})
	if !seen {
		t.Fatal("Decide was not called at 4 s")
	}
	for j, r := range res.Jobs {
		if r.Start != 0 || r.MapEnd != 8 || r.Finish != 8 || r.Outcome != slotmodel.Finished || res.Users[j].SlotSeconds[mapK] != []float64{8, 0, 0}[j] {
			t.Errorf("job %d: %+v after %v slot-seconds, want all at 8, and 8 for job 0 alone", j, r, res.Users[j].SlotSeconds[mapK])
		}
	}
	if got := res.Totals; got.Work != 8 || got.Rides != 2 || got.Load != 24 {
		t.Errorf("totals %+v, want 8 of work and 2 rides", got)
	}
	for _, e := range []slotmodel.Event{
		{Time: 0, Type: slotmodel.Rode, Job: 1, Task: 1, Attempt: 0, Node: 0},
		{Time: 8, Type: slotmodel.Ended, Value: 8, Job: 0, Task: 0, Attempt: 0, Node: 0},
		{Time: 8, Type: slotmodel.Ended, Job: 2, Task: 2, Attempt: 0, Node: 0},
	} {
		n := 0
		for _, x := range log {
			if reflect.DeepEqual(e, x) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("the log has %+v %d times, want once, in %+v", e, n, log)
		}
	}
}

// Whatever takes the driver's slot makes its riders wait again; what ends the rider's job does
// nothing to the driver.
func TestRidesThatEndEarly(t *testing.T) {
	at := func(when float64, act func(v *slotmodel.View, a *slotmodel.Actions)) decide {
		return func(v *slotmodel.View, a *slotmodel.Actions) {
			if v.Now() == 0 {
				a.Wake(when)
			}
			if v.Now() == when && v.Count(0, mapK).Running == 1 {
				act(v, a)
			}
		}
	}
	for _, c := range []struct {
		name   string
		change func(c *slotmodel.Cluster, jobs []slotmodel.JobSpec)
		also   decide
		want   []float64
		rides  int
	}{
		{name: "nothing", want: []float64{8, 8}, rides: 1},
		{name: "killed", also: at(3, func(v *slotmodel.View, a *slotmodel.Actions) {
			before := v.Started(1, mapK, 0)
			a.Kill(0)
			if after := v.Started(1, mapK, 0); before != 1 || after != 0 || v.Count(1, mapK).Pending() != 1 {
				t.Errorf("Started of the rider's job is %d before the kill and %d after it, want 1 and 0", before, after)
			}
		}), want: []float64{11, 11}, rides: 2},
		// firstFit resumes the driver at once. The rider is off, and reads for itself from 8 on.
		{name: "suspended", also: at(3, func(_ *slotmodel.View, a *slotmodel.Actions) { a.Suspend(0) }), want: []float64{8, 13}, rides: 1},
		{name: "lost", change: func(c *slotmodel.Cluster, _ []slotmodel.JobSpec) {
			c.Nodes[0].Down = []slotmodel.Outage{{From: 3, Until: 4}}
		}, want: []float64{12, 12}, rides: 2},
		{name: "the driver's walltime", change: func(_ *slotmodel.Cluster, jobs []slotmodel.JobSpec) { jobs[0].Walltime = 3 }, want: []float64{3, 8}, rides: 1},
		{name: "the driver is cancelled", change: func(_ *slotmodel.Cluster, jobs []slotmodel.JobSpec) { jobs[0].Cancel = 3 }, want: []float64{3, 8}, rides: 1},
		{name: "the rider's walltime", change: func(_ *slotmodel.Cluster, jobs []slotmodel.JobSpec) { jobs[1].Walltime = 3 }, want: []float64{8, 3}, rides: 1},
		{name: "the rider is cancelled", change: func(_ *slotmodel.Cluster, jobs []slotmodel.JobSpec) { jobs[1].Cancel = 3 }, want: []float64{8, 3}, rides: 1},
		{name: "walltimes at the end", change: func(_ *slotmodel.Cluster, jobs []slotmodel.JobSpec) { jobs[0].Walltime, jobs[1].Walltime = 8, 8 }, want: []float64{8, 8}, rides: 1},
		{name: "a driver that is rigid", change: func(_ *slotmodel.Cluster, jobs []slotmodel.JobSpec) { jobs[0].Rigid = true }, want: []float64{8, 8}, rides: 1},
	} {
		cluster, jobs := one(1, 0), scans(8, 5)
		if c.change != nil {
			c.change(cluster, jobs)
		}
		if c.also == nil {
			c.also = nothing
		}
		res := mustRun(t, cluster, jobs, riders(once(c.also)), slotmodel.Options{})
		if res.Jobs[0].Finish != c.want[0] || res.Jobs[1].Finish != c.want[1] || res.Totals.Rides != c.rides {
			t.Errorf("%s: the jobs end at %v and %v after %d rides, want %v after %d", c.name, res.Jobs[0].Finish, res.Jobs[1].Finish, res.Totals.Rides, c.want, c.rides)
		}
	}
}

// A job of which no map has room anywhere can ride.
func TestRiderThatFitsNowhere(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Memory: 1}}}
	jobs := scans(8, 5)
	jobs[1].Maps.Memory = 2
	if res := mustRun(t, c, jobs, riders(nothing), slotmodel.Options{}); res.Jobs[1].Finish != 8 {
		t.Errorf("the rider's job: %+v, want finished at 8", res.Jobs[1])
	}
	res := mustRun(t, c, jobs, decide(fifo), slotmodel.Options{})
	if res.Jobs[0].Finish != 8 || res.Jobs[1].Outcome != slotmodel.Stuck {
		t.Errorf("without riding: %+v, want job 1 stuck", res.Jobs)
	}
}

// A map that runs again, rides, and waits again because its driver was killed, is still one that
// runs again: it sends the 6 bytes that the reduce lacks, not all 10.
func TestRiderThatRunsAgain(t *testing.T) {
	c := &slotmodel.Cluster{
		Nodes:   []slotmodel.NodeSpec{{Maps: 1, Down: []slotmodel.Outage{{From: 5, Until: math.Inf(1)}}}, {Rack: 1, Maps: 1, Reduces: 1}},
		Racks:   []slotmodel.RackSpec{{Egress: 1}, {}},
		Network: slotmodel.Network{Fluid: true},
	}
	jobs := []slotmodel.JobSpec{{Dataset: 1, Maps: tasks(1, 1), Reduces: tasks(1, 1), Shuffle: 10}, {Arrival: 5, Dataset: 1, Maps: tasks(1, 3), Cancel: 6}}
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		switch {
		case v.Now() == 0:
			a.Start(0, mapK, 0)
			a.Start(0, reduce, 1)
		case v.Present(1) && v.Runnable(1, mapK):
			a.Start(1, mapK, 1)
			a.Ride(0, 0, v.Newest(1, mapK))
		case v.Now() >= 6 && v.Fits(0, mapK, 1):
			a.Start(0, mapK, 1)
		}
	})
	res := mustRun(t, c, jobs, p, slotmodel.Options{})
	if r := res.Jobs[0]; r.MapEnd != 7 || r.CrossRack.Shuffle != 4 || r.InRack.Shuffle != 6 || res.Totals.Rides != 1 {
		t.Errorf("job 0: %+v after %d rides, want its map at 7, and 4 + 6 bytes", r, res.Totals.Rides)
	}
}

// Rides that are not allowed end the run with the reason.
func TestRidesThatAreNotAllowed(t *testing.T) {
	for _, c := range []struct {
		reason string
		j      slotmodel.Job
		t      slotmodel.Task
		on     slotmodel.Attempt
		change func(jobs []slotmodel.JobSpec)
		before decide
	}{
		{reason: "no such job", j: 9},
		{reason: "no such job", j: none},
		{reason: "no such map of the job", j: 1, t: none},
		{reason: "no such map of the job", j: 1, t: 0},
		{reason: "no such map of the job", j: 1, t: 4},
		{reason: "no such attempt of a map", j: 1, t: 2, on: 7},
		{reason: "no such attempt of a map", j: 1, t: 2, on: none},
		{reason: "no such attempt of a map", j: 1, t: 2, on: 1, before: func(_ *slotmodel.View, a *slotmodel.Actions) { a.Start(0, reduce, 0) }},
		{reason: "the job is rigid", j: 1, t: 2, change: func(jobs []slotmodel.JobSpec) { jobs[1].Rigid, jobs[1].Reduces = true, slotmodel.Phase{} }},
		{reason: "the job is not present", j: 1, t: 2, change: func(jobs []slotmodel.JobSpec) { jobs[1].Arrival = 1 }},
		{reason: "the task does not wait", j: 1, t: 2, before: func(_ *slotmodel.View, a *slotmodel.Actions) { a.StartTask(2, 0) }},
		{reason: "the task does not wait", j: 1, t: 2, before: func(_ *slotmodel.View, a *slotmodel.Actions) { a.Ride(1, 2, 0) }},
		{reason: "the attempt is suspended", j: 1, t: 2, before: func(_ *slotmodel.View, a *slotmodel.Actions) { a.Suspend(0) }},
		{reason: "the jobs have no dataset in common", j: 1, t: 2, change: func(jobs []slotmodel.JobSpec) { jobs[1].Dataset = 2 }},
		{reason: "the jobs have no dataset in common", j: 1, t: 2, change: func(jobs []slotmodel.JobSpec) { jobs[0].Dataset, jobs[1].Dataset = 0, 0 }},
		{reason: "the attempt reads another block", j: 1, t: 3},
	} {
		jobs := []slotmodel.JobSpec{{Dataset: 1, Maps: tasks(1, 8), Reduces: tasks(1, 1)}, {Dataset: 1, Maps: tasks(2, 8), Reduces: tasks(1, 1)}}
		if c.change != nil {
			c.change(jobs)
		}
		allowed := false
		_, err := slotmodel.Run(one(3, 3), jobs, decide(func(v *slotmodel.View, a *slotmodel.Actions) {
			a.Start(0, mapK, 0)
			if c.before != nil {
				c.before(v, a)
			}
			allowed = a.Ride(c.j, c.t, c.on)
		}), slotmodel.Options{})
		var fault *slotmodel.ActionError
		if allowed || !errors.As(err, &fault) || fault.Reason != c.reason {
			t.Errorf("Ride(%d, %d, %d) = %v, error %v, want an ActionError: %s", c.j, c.t, c.on, allowed, err, c.reason)
		}
	}
}

// A ride is allowed in the decision in which the driver started, and in no later one of the same
// instant.
func TestRideInALaterDecision(t *testing.T) {
	calls := 0
	_, err := slotmodel.Run(one(2, 0), append(scans(8, 8), slotmodel.JobSpec{Maps: tasks(1, 1)}), decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		if calls++; calls == 1 {
			a.Start(0, mapK, 0)
			a.Start(2, mapK, 0)
			a.Kill(v.Newest(2, mapK)) // another decision follows
			return
		}
		a.Ride(1, 1, v.Newest(0, mapK))
	}), slotmodel.Options{})
	var fault *slotmodel.ActionError
	if !errors.As(err, &fault) || fault.Reason != "the attempt did not start in this decision" || fault.Time != 0 || calls != 2 {
		t.Errorf("after %d calls: %v, want an ActionError at 0 s", calls, err)
	}
}
