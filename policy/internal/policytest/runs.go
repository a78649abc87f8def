// Package policytest has what the tests of policy and of the packages below it share: runs written
// as text, workloads, and policies that check the policy that they hold.
package policytest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// Starts runs a policy and lists the starts, as "TIME:JOBk@NODE" with k m for a map and r for a
// reduce, and when and how each job ended.
func Starts(t testing.TB, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, p slotmodel.Policy) string {
	t.Helper()
	var b strings.Builder
	res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type == slotmodel.Started {
			fmt.Fprintf(&b, "%v:%d%c@%d ", e.Time, e.Job, e.Kind.String()[0], e.Node)
		}
	}})
	if err != nil {
		t.Fatalf("Run(%T) failed: %v", p, err)
	}
	b.WriteString("|")
	for _, j := range res.Jobs {
		fmt.Fprintf(&b, " %v", j.Finish)
		if j.Outcome != slotmodel.Finished {
			fmt.Fprintf(&b, " %v", j.Outcome)
		}
	}
	return b.String()
}

// SlotEvents runs a policy and lists the events of slots, as "TIME EVENT JOB@NODE", and when each
// job ended.
func SlotEvents(t testing.TB, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, p slotmodel.Policy) string {
	t.Helper()
	var b strings.Builder
	res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Log: func(e slotmodel.Event) {
		switch e.Type {
		case slotmodel.Started, slotmodel.Killed, slotmodel.Crashed, slotmodel.Suspends, slotmodel.Resumes:
			fmt.Fprintf(&b, "%v %v %d@%d, ", e.Time, e.Type, e.Job, e.Node)
		}
	}})
	if err != nil {
		t.Fatalf("Run(%T) failed: %v", p, err)
	}
	b.WriteString("|")
	for _, j := range res.Jobs {
		fmt.Fprintf(&b, " %v", j.Finish)
	}
	return b.String()
}

// Runnable lists the jobs with a task to start, in the order of arrival.
func Runnable(v *slotmodel.View, k slotmodel.Kind) []slotmodel.Job {
	var all []slotmodel.Job
	for j := v.NextRunnable(slotmodel.None, k); j != slotmodel.None; j = v.NextRunnable(j, k) {
		all = append(all, j)
	}
	return all
}

// ByArrival lists the jobs that have arrived, in the order of arrival.
func ByArrival(v *slotmodel.View) []slotmodel.Job {
	var all []slotmodel.Job
	for j := v.Arrived(0); j != slotmodel.None; j = v.Arrived(len(all)) {
		all = append(all, j)
	}
	return all
}

// Wide returns how many slots a job needs at once, its maps if it is rigid.
func Wide(s *slotmodel.JobSpec) int {
	if s.Rigid {
		return max(1, s.Maps.Tasks)
	}
	return 1
}

// Idles returns a job that could use a free slot of a kind, if there is one. Without overtake a
// rigid job that lacks slots holds up the jobs after it: those that arrived later if the order is
// that of arrival, and all jobs otherwise.
func Idles(v *slotmodel.View, k slotmodel.Kind, overtake, byArrival bool) (slotmodel.Job, bool) {
	free, all := v.FreeSlots(k), Runnable(v, k)
	behind := len(all) // index of the first job that a rigid job may hold up
	for i, j := range all {
		if w := Wide(v.Spec(j)); !overtake && w > free && w <= v.Slots(k) {
			behind = 0
			if byArrival {
				behind = i
			}
			break
		}
	}
	for _, j := range all[:behind] {
		if Wide(v.Spec(j)) <= free {
			return j, free > 0
		}
	}
	return slotmodel.None, false
}

// Endless is a number of tasks of 1/8 s that no cluster of the tests runs in 20 s.
const Endless = 1 << 13
