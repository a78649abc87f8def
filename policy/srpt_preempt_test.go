package policy_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// Sequences worked out by hand.
func TestSRPTPreemptionSequences(t *testing.T) {
	one := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}
	costly := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0), ResumeCost: 2}
	lost := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 1, 0)}
	lost.Nodes[0].Down = []slotmodel.Outage{{From: 3, Until: 4}}
	gang := func(s slotmodel.JobSpec) slotmodel.JobSpec {
		s.Rigid = true
		return s
	}
	canceled := gang(policytest.Maps(2, 2, 4))
	canceled.Cancel = 5
	two := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 2, 0)}
	wide := []slotmodel.JobSpec{policytest.Maps(0, 2, 10), policytest.Maps(1, 1, 1), policytest.Maps(1, 1, 30)}
	three := []slotmodel.JobSpec{policytest.Maps(0, 1, 10), policytest.Maps(2, 1, 4), policytest.Maps(3, 1, 1), policytest.Maps(5, 1, 8)}
	for _, c := range []struct {
		name    string
		c       *slotmodel.Cluster
		jobs    []slotmodel.JobSpec
		preempt policy.Preemption
		want    string
	}{
		{"wait", one, three, policy.PreemptWait, "0 started 0@0, 10 started 2@0, 11 started 1@0, 15 started 3@0, | 10 15 11 23"},
		// At 2 s 8 s are left of job 0, at 3 s 3 s of job 1; at 7 s job 0 and job 3 have 8 s left
		// each, and job 0 was first.
		{"suspend", one, three, policy.PreemptSuspend,
			"0 started 0@0, 2 suspends 0@0, 2 started 1@0, 3 suspends 1@0, 3 started 2@0, 4 resumes 1@0, 7 resumes 0@0, 15 started 3@0, | 15 7 4 23"},
		{"suspend at a cost", costly, three, policy.PreemptSuspend,
			"0 started 0@0, 2 suspends 0@0, 2 started 1@0, 3 suspends 1@0, 3 started 2@0, 4 resumes 1@0, 9 resumes 0@0, 19 started 3@0, | 19 9 4 27"},
		// What is killed starts over: at 4 s 4 s are left of job 1, at 8 s 8 s of job 3 and 10 s of
		// job 0.
		{"kill", one, three, policy.PreemptKill,
			"0 started 0@0, 2 killed 0@0, 2 started 1@0, 3 killed 1@0, 3 started 2@0, 4 started 1@0, 8 started 3@0, 16 started 0@0, | 26 8 4 16"},
		// What is done of a task counts: at 5 s 5 s are left of job 0, no more than of job 1.
		{"a tie preempts nobody", one, []slotmodel.JobSpec{policytest.Maps(0, 1, 10), policytest.Maps(5, 1, 5)}, policy.PreemptKill, "0 started 0@0, 10 started 1@0, | 10 15"},
		// Job 1 takes one slot of job 0, and job 2, with more left than job 0, does not take the
		// other.
		{"no more than is due, suspended", two, wide, policy.PreemptSuspend, "0 started 0@0, 0 started 0@0, 1 suspends 0@0, 1 started 1@0, 2 resumes 0@0, 10 started 2@0, | 11 2 40"},
		{"no more than is due, killed", two, wide, policy.PreemptKill, "0 started 0@0, 0 started 0@0, 1 killed 0@0, 1 started 1@0, 2 started 0@0, 10 started 2@0, | 12 2 40"},
		// Node 0 has not the memory for job 0's attempt, so the newest attempt that can be
		// suspended is that on node 1. The attempt that is suspended on node 0 is lost with it, and
		// its task starts over elsewhere.
		{"a suspended attempt is lost", lost, []slotmodel.JobSpec{policytest.Maps(0, 1, 12), policytest.Maps(0, 1, 20), policytest.Maps(1, 1, 9), policytest.Maps(1, 1, 2)}, policy.PreemptSuspend,
			"0 started 0@0, 0 started 1@1, 1 suspends 1@1, 1 started 3@1, 1 suspends 0@0, 1 started 2@0, 3 crashed 0@0, 3 crashed 2@0, 3 started 2@1, 4 started 0@0, 12 resumes 1@1, | 16 31 12 3"},
		{"a rigid job is left alone, and waits", &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 2, 0)},
			[]slotmodel.JobSpec{gang(policytest.Maps(0, 2, 10)), policytest.Maps(1, 1, 1), gang(policytest.Maps(2, 2, 1))}, policy.PreemptKill,
			"0 started 0@0, 0 started 0@0, 10 started 1@0, 11 started 2@0, 11 started 2@0, | 10 11 12"},
		// Job 1 does not go on while job 3 waits for both slots with less left; that is cancelled
		// at 5 s.
		{"a rigid job that waits is cancelled", &slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 1, 0)}, []slotmodel.JobSpec{policytest.Maps(0, 1, 20), policytest.Maps(0, 1, 30), policytest.Maps(1, 1, 2), canceled},
			policy.PreemptSuspend, "0 started 0@0, 0 started 1@1, 1 suspends 1@1, 1 started 2@1, 5 resumes 1@1, | 20 34 3 5"},
	} {
		if got := policytest.SlotEvents(t, c.c, c.jobs, &policy.SRPT{Preempt: c.preempt}); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// remaining is the work left of a job: of what runs what is not done.
func remaining(v *slotmodel.View, j slotmodel.Job) float64 {
	sum := workOfTasks(v, j, slotmodel.Map)
	for k, phase := range []*slotmodel.Phase{&v.Spec(j).Maps, &v.Spec(j).Reduces} {
		for a := v.Newest(j, slotmodel.Kind(k)); a != slotmodel.None; a = v.Older(a) {
			x := v.Attempt(a)
			_, _, i := v.Index(x.Task)
			sum -= phase.Of(i) * x.Progress
		}
	}
	return sum
}

// After each decision no job waits that has less left than one that could be preempted for it,
// and no slot is free that a suspended attempt of its node could use.
func TestSRPTPreempts(t *testing.T) {
	kills, suspensions, crashes := 0, 0, 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		c.ResumeCost = policytest.DrawWork(t, "resume cost") / 4
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		preempt := []policy.Preemption{policy.PreemptKill, policy.PreemptSuspend}[rapid.IntRange(0, 1).Draw(t, "preempt")]
		check := func(v *slotmodel.View) {
			for _, k := range []slotmodel.Kind{slotmodel.Map, slotmodel.Reduce} {
				least, blocked := math.Inf(1), false
				for _, j := range policytest.Runnable(v, k) {
					if policytest.Wide(v.Spec(j)) == 1 {
						least = min(least, remaining(v, j))
					} else {
						blocked = true
					}
				}
				for j := v.NextActive(slotmodel.None); j != slotmodel.None && !blocked; j = v.NextActive(j) {
					for a := v.Newest(j, k); a != slotmodel.None; a = v.Older(a) {
						x := v.Attempt(a)
						switch {
						case x.Suspended:
							if v.Free(k, x.Node) > 0 {
								t.Fatalf("at %v s a slot of node %d is free while attempt %d of job %d is suspended there", v.Now(), x.Node, a, j)
							}
						case policytest.Wide(v.Spec(j)) > 1 || preempt == policy.PreemptSuspend && !v.CanSuspend(a):
						case remaining(v, j) > least+1e-9: // of works up to 10 in sums of some hundred
							t.Fatalf("at %v s attempt %d of job %d with %v s left runs while a job with %v s waits", v.Now(), a, j, remaining(v, j), least)
						}
					}
				}
			}
		}
		p := &policy.SRPT{Preempt: preempt}
		res, err := slotmodel.Run(c, jobs, &policytest.After{Policy: p, Check: check}, slotmodel.Options{Log: func(e slotmodel.Event) {
			if e.Type == slotmodel.Crashed {
				crashes++
			}
		}})
		if err != nil {
			t.Fatalf("Run failed: %v", err)
		}
		kills, suspensions = kills+res.Totals.Kills, suspensions+res.Totals.Suspensions
	}
	rapid.Check(t, property)
	kills, suspensions, crashes = 0, 0, 0
	policytest.Counted(t, 300, property)
	if kills < 100 || suspensions < 100 || crashes < 100 {
		t.Errorf("%d kills, %d suspensions, %d crashes, want 100 each: the workloads test nothing", kills, suspensions, crashes)
	}
}
