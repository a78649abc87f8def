package slotmodel_test

import (
	"errors"
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
