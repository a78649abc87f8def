package policy_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// TestFairShare: jobs start as by plans that are made afresh, or with promises, of the queue in the
// order of what its users have used: the sum over their runs of width x the integral of 2^-(age of an
// instant / half-life), per entitlement.
func TestFairShare(t *testing.T) {
	policytest.CheckOften(t, func(t *rapid.T) {
		processors, jobs := drawLog(t)
		weights := []float64{1, 0, .5}[:rapid.IntRange(1, 3).Draw(t, "users")]
		for i := range jobs {
			jobs[i].User = rapid.IntRange(0, len(weights)-1).Draw(t, "user")
		}
		halfLife := rapid.SampledFrom([]float64{.5, 7, 1000}).Draw(t, "half-life")
		close := false // two users have used the same, to rounding
		byUse := func(now float64, queue []int, starts []float64) {
			used := make([]float64, len(weights))
			for j, s := range starts {
				if u := jobs[j].User; s < now {
					faded := func(at float64) float64 { return math.Exp2(-(now - at) / halfLife) }
					used[u] += float64(jobs[j].Maps.Tasks) * (faded(min(now, s+jobs[j].Maps.Work)) - faded(s)) / weights[u]
				}
			}
			for u, w := range weights {
				if w == 0 {
					used[u] = math.Inf(1)
				}
				for _, other := range used[:u] {
					close = close || math.Abs(used[u]-other) <= 1e-9*used[u] && used[u] > 0
				}
			}
			slices.SortFunc(queue, func(a, b int) int {
				return cmp.Or(cmp.Compare(used[jobs[a].User], used[jobs[b].User]), cmp.Compare(a, b))
			})
		}
		o := backfill.Options{Depth: rapid.IntRange(-1, 2).Draw(t, "depth")}
		afresh := rapid.Bool().Draw(t, "afresh")
		want := plannedBy(t, processors, jobs, o, !afresh, byUse)
		if close {
			return
		}
		p := &policy.Backfill{Depth: o.Depth, Afresh: afresh, Inner: &policy.FairShare{HalfLife: halfLife}}
		r, err := slotmodel.Run(machine(processors), jobs, p, slotmodel.Options{Entitlements: weights})
		must(t, err)
		got := make([]float64, len(jobs))
		for j := range got {
			got[j] = r.Jobs[j].Finish - jobs[j].Maps.Work
		}
		sameStarts(t, fmt.Sprintf("%+v, %v, half-life %v, %d processors, %+v", o, afresh, halfLife, processors, jobs), got, want)
	})
}

// TestBackfillAfresh: user 0 has used more than user 1 when their jobs come, and less when a small
// job comes at 50. Planned afresh, user 0's job then goes first, and the former head has no
// reservation; otherwise that keeps its start.
func TestBackfillAfresh(t *testing.T) {
	job := func(user int, arrival float64, width int, work float64) slotmodel.JobSpec {
		return slotmodel.JobSpec{User: user, Arrival: arrival, Rigid: true, Requested: work, Maps: slotmodel.Phase{Tasks: width, Work: work}}
	}
	jobs := []slotmodel.JobSpec{job(0, 0, 3, 10), job(1, 5, 1, 100), job(1, 6, 4, 10), job(0, 6, 2, 200), job(2, 50, 1, 5)}
	for afresh, want := range map[bool][]float64{false: {0, 5, 105, 115, 50}, true: {0, 5, 250, 50, 50}} {
		if got := startsOf(t, 4, jobs, &policy.Backfill{Inner: new(policy.FairShare), Afresh: afresh}); !slices.Equal(got, want) {
			t.Errorf("afresh %v: jobs start at %v, want %v", afresh, got, want)
		}
	}
}

// TestFairShareOnLogs: what fair share with EASY makes of mean waits, with promises and without, as
// an independent program found it.
func TestFairShareOnLogs(t *testing.T) {
	if testing.Short() {
		t.Skip("two logs")
	}
	for _, c := range []struct {
		log                 string
		processors          int
		easy, kept, forgets float64
	}{{"KTH-SP2-1996-2.1-cln.swf.gz", 100, 7000, 6732, 6919}, {hpc2n, 240, 4679, 3723, 3304}} {
		jobs := readLog(t, c.log)[:20000]
		for _, x := range []struct {
			p    policy.Backfill
			want float64
		}{{policy.Backfill{}, c.easy}, {policy.Backfill{Inner: new(policy.FairShare)}, c.kept}, {policy.Backfill{Inner: new(policy.FairShare), Afresh: true}, c.forgets}} {
			sum := 0.0
			for j, s := range startsOf(t, c.processors, jobs, &x.p) {
				sum += s - jobs[j].Arrival
			}
			if mean := sum / float64(len(jobs)); math.Abs(mean-x.want) > .51 {
				t.Errorf("%s, afresh %v: a mean wait of %v, want %v", c.log, x.p.Afresh, mean, x.want)
			}
		}
	}
}
