package policy_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// Runs worked out by hand: six slots, user 0 is guaranteed four of them, user 1 two. User 1's job
// comes first and takes all.
func TestCapacitySequences(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 6, 0)}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 8, 10), policytest.Maps(2, 8, 10)}
	jobs[0].User = 1
	first := "0 started 0@0, 0 started 0@0, 0 started 0@0, 0 started 0@0, 0 started 0@0, 0 started 0@0, "
	for _, x := range []struct {
		reclaim float64
		want    string
	}{
		// At 10 s all slots become free: four for user 0 and two for user 1, which fill alike by
		// fraction; then user 1's job has ended.
		{0, first + "10 started 0@0, 10 started 1@0, 10 started 1@0, 10 started 0@0, 10 started 1@0, 10 started 1@0, 20 started 1@0, 20 started 1@0, 20 started 1@0, 20 started 1@0, | 20 30"},
		// At 5 s user 0 has waited for three seconds, and takes its four.
		{3, first + "5 killed 0@0, 5 started 1@0, 5 killed 0@0, 5 started 1@0, 5 killed 0@0, 5 started 1@0, 5 killed 0@0, 5 started 1@0, " +
			"10 started 0@0, 10 started 0@0, 15 started 1@0, 15 started 1@0, 15 started 1@0, 15 started 1@0, 20 started 0@0, 20 started 0@0, 25 started 0@0, 25 started 0@0, | 35 25"},
	} {
		p := &policy.Capacity{Guaranteed: []float64{2. / 3, 1. / 3}, Reclaim: x.reclaim}
		if got := policytest.SlotEvents(t, c, jobs, p); got != x.want {
			t.Errorf("Reclaim %v:\n got %s\nwant %s", x.reclaim, got, x.want)
		}
	}
}

// Users who want more than there is hold at least their guarantees, in whole slots, and what is
// beyond them in proportion; a user's jobs are served by arrival.
func TestCapacityShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slots := rapid.IntRange(1, 40).Draw(t, "slots")
		var o policy.Capacity
		var jobs []slotmodel.JobSpec
		sum := 0
		for range rapid.IntRange(2, 4).Draw(t, "users") {
			percent := rapid.IntRange(1, 25).Draw(t, "percent")
			for range 2 {
				j := policytest.Maps(0, policytest.Endless, .125+policytest.DrawWork(t, "work"))
				j.User = len(o.Guaranteed)
				jobs = append(jobs, j)
			}
			o.Guaranteed = append(o.Guaranteed, float64(percent)/100)
			sum += percent
		}
		check := func(v *slotmodel.View) {
			for u, g := range o.Guaranteed {
				percent := int(100*g + .5)
				n := v.UserRunning(slotmodel.User(u), slotmodel.Map)
				if least := percent * slots / 100; n < least {
					t.Fatalf("user %d holds %d slots, guaranteed %d%% of %d", u, n, percent, slots)
				}
				for w, h := range o.Guaranteed { // w would have less per fraction with another slot than u has
					if m := v.UserRunning(slotmodel.User(w), slotmodel.Map); n > percent*slots/100 && float64(m+1)/h < float64(n-1)/g {
						t.Fatalf("users %d and %d hold %d and %d slots, guaranteed %v of %d", u, w, n, m, o.Guaranteed, slots)
					}
				}
				if later := slotmodel.Job(2*u + 1); v.Count(later, slotmodel.Map).Running > 0 {
					t.Fatalf("job %d runs while job %d of the same user has tasks to start", later, later-1)
				}
			}
		}
		c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, slots, 0)}
		if _, err := slotmodel.Run(c, jobs, &policytest.After{Policy: &o, Check: check}, slotmodel.Options{Until: 2}); err != nil {
			t.Fatalf("Run failed: %v", err)
		}
	})
}

// A guarantee of 29% of 100 slots is 29 slots, although the product is a little less.
func TestCapacityWholeSlots(t *testing.T) {
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 100, 50), policytest.Maps(1, 100, 50)}
	jobs[0].User = 1
	p := &policy.Capacity{Guaranteed: []float64{.29, .71}, Reclaim: 5}
	res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(10, 10, 10, 0)}, jobs, p, slotmodel.Options{Until: 20})
	if err != nil || res.Totals.Kills != 29 {
		t.Errorf("error %v and %d kills, want none and 29", err, res.Totals.Kills)
	}
}

// One user alone, whatever the guarantee, is served as by FIFO; with a Delay as by Delay.
func TestCapacityOneUser(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		for i := range jobs {
			jobs[i].User = 0
		}
		wait := policytest.DrawWork(t, "node")
		o := policy.Capacity{Reclaim: 1}
		if rapid.Bool().Draw(t, "guaranteed") {
			o.Guaranteed = []float64{.5}
		}
		got, err := slotmodel.Run(c, jobs, &policy.Delay{Inner: &o, Node: wait}, slotmodel.Options{Hash: true})
		want, greedy := slotmodel.Run(c, jobs, &policy.Delay{Node: wait}, slotmodel.Options{Hash: true})
		if err != nil || greedy != nil || got.Hash != want.Hash {
			t.Fatalf("errors %v and %v, want none, and the same events", err, greedy)
		}
	})
}
