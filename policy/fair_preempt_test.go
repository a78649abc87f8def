package policy_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// Sequences worked out by hand: four slots, a job that takes all of them, and one a second later
// whose pool is guaranteed two.
func TestFairTimeoutSequences(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 4, 0)}
	late := policytest.Maps(1, 3, 4)
	late.User = 1
	for _, x := range []struct {
		name    string
		work    float64
		timeout float64
		want    string
	}{
		// At 8 s job 1 is below its guarantee again, and starts its last task; at 10 s it can start
		// no more.
		{"after 3 s", 10, 3, strings.Repeat("0 started 0@0, ", 4) + strings.Repeat("4 killed 0@0, 4 started 1@0, ", 2) +
			"8 started 1@0, 8 started 0@0, 10 started 0@0, 10 started 0@0, 12 started 0@0, 18 started 0@0, 20 started 0@0, | 30 12"},
		{"never", 10, 0, strings.Repeat("0 started 0@0, ", 4) + "10 started 1@0, 10 started 1@0, 10 started 0@0, 10 started 0@0, " +
			"14 started 1@0, 14 started 0@0, 18 started 0@0, | 28 18"},
		{"in time", 2, 3, strings.Repeat("0 started 0@0, ", 4) + "2 started 1@0, 2 started 1@0, 2 started 0@0, 2 started 0@0, " +
			"4 started 0@0, 4 started 0@0, 6 started 1@0, | 6 10"},
	} {
		p := &policy.Fair{PoolOf: policy.ByUser, Pools: []policy.Pool{{}, {MinMaps: 2}}, MinTimeout: x.timeout}
		if got := policytest.SlotEvents(t, c, []slotmodel.JobSpec{policytest.Maps(0, 8, x.work), late}, p); got != x.want {
			t.Errorf("%s:\n got %s\nwant %s", x.name, got, x.want)
		}
	}
}

// No pool stays below its minimum share for longer than the timeout while another has more than
// its own. Every job ends.
func TestFairTimeouts(t *testing.T) {
	kills := 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		for i := range jobs { // longer than guarantees wait
			jobs[i].Maps.Work *= 8
			jobs[i].Reduces.Work *= 8
		}
		f := &policy.Fair{PoolOf: policy.ByUser, MinTimeout: (1 + policytest.DrawWork(t, "timeout")) / 8}
		for range 4 {
			f.Pools = append(f.Pools, policy.Pool{MinMaps: rapid.IntRange(0, 3).Draw(t, "maps"), MinReduces: rapid.IntRange(0, 2).Draw(t, "reduces")})
		}
		var since [4][2]float64
		for p := range since {
			since[p] = [2]float64{-1, -1}
		}
		least := func(p int, k slotmodel.Kind) int { return []int{f.Pools[p].MinMaps, f.Pools[p].MinReduces}[k] }
		check := func(v *slotmodel.View) {
			for _, k := range []slotmodel.Kind{slotmodel.Map, slotmodel.Reduce} {
				spare := -1 // a pool that has more than its minimum share, and a task that may be killed
				var held [4]int
				var wants [4]bool
				for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
					u := v.Spec(j).User
					held[u] += int(v.Count(j, k).Running)
					wants[u] = wants[u] || v.Runnable(j, k) && policytest.Wide(v.Spec(j)) == 1
				}
				for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
					if u := v.Spec(j).User; held[u] > least(u, k) && v.Count(j, k).Running > 0 && policytest.Wide(v.Spec(j)) == 1 {
						spare = u
					}
				}
				for p := range since {
					switch at := &since[p][k]; {
					case held[p] >= least(p, k) || !wants[p]:
						*at = -1
					case *at < 0:
						*at = v.Now()
					case spare >= 0 && v.Now() >= *at+f.MinTimeout:
						t.Fatalf("at %v s pool %d holds %d of its %d %v slots, since %v s, while pool %d holds %d of %d", v.Now(), p, held[p], least(p, k), k, *at,
							spare, held[spare], least(spare, k))
					}
				}
			}
		}
		res, err := slotmodel.Run(c, jobs, &policytest.After{Policy: f, Check: check, Every: true}, slotmodel.Options{})
		if err != nil {
			t.Fatalf("Run failed: %v", err)
		}
		finished := 0
		for j, r := range res.Jobs {
			if r.Outcome == slotmodel.Unended {
				t.Fatalf("job %d has not ended", j)
			}
			if r.Outcome == slotmodel.Finished {
				finished++
			}
		}
		if finished == len(jobs) { // else the ends of jobs may have killed some
			kills += res.Totals.Kills
		}
	}
	rapid.Check(t, property)
	kills = 0
	policytest.Counted(t, 5000, property)
	if kills < 50 {
		t.Errorf("%d kills, want 50: the workloads test nothing", kills)
	}
}
