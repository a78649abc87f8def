package policy_test

import (
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

// drawWindows draws windows of maintenance and of the users 0 and 1, in multiples of 1/8.
func drawWindows(t *rapid.T, processors int) (all []backfill.Window) {
	for range rapid.IntRange(1, 3).Draw(t, "windows") {
		from := policytest.DrawWork(t, "from") * 3
		w := backfill.Window{Need: []int64{rapid.Int64Range(0, int64(processors)).Draw(t, "held")}, From: from, To: from + .125 + policytest.DrawWork(t, "long")}
		w.Owner = rapid.IntRange(0, 2).Draw(t, "owner")
		if rapid.Bool().Draw(t, "recurs") {
			w.Period = w.To - w.From + policytest.DrawWork(t, "gap")
			w.Until = from + w.Period*float64(rapid.IntRange(0, 4).Draw(t, "times"))
		}
		all = append(all, w)
	}
	return all
}

// TestBackfillWindows: with windows jobs start as plans of package backfill at each arrival, end and
// end of a window have it, whatever the depth. Where nobody runs for longer than requested, all jobs and
// what windows hold for others have room together, at each start of a job and of a window.
func TestBackfillWindows(t *testing.T) {
	policytest.CheckOften(t, func(t *rapid.T) {
		processors, jobs := drawLog(t)
		for i := range jobs {
			jobs[i].User = rapid.IntRange(0, 2).Draw(t, "user")
		}
		o := backfill.Options{Depth: rapid.IntRange(-1, 3).Draw(t, "depth"), Shortest: rapid.Bool().Draw(t, "shortest"), Windows: drawWindows(t, processors)}
		starts := startsOf(t, processors, jobs, &policy.Backfill{Depth: o.Depth, Shortest: o.Shortest, Windows: o.Windows})
		what := fmt.Sprintf("%+v, %d processors, %+v", o, processors, jobs)
		sameStarts(t, what, starts, planned(t, processors, jobs, o, true))
		type occurrence struct {
			backfill.Window
			from, to float64
		}
		var all []occurrence
		instants := slices.Clone(starts)
		for _, w := range o.Windows {
			for from := w.From; from == w.From || w.Period > 0 && from < w.Until; from += w.Period {
				all = append(all, occurrence{w, from, from + w.To - w.From})
				if instants = append(instants, from); w.Period == 0 {
					break
				}
			}
		}
		for _, j := range jobs {
			if j.Requested < j.Maps.Work {
				return // somebody may reach into a window
			}
		}
		for _, at := range instants {
			used, of := 0, [4]int{} // by owner
			for j, s := range starts {
				if s <= at && at < s+jobs[j].Maps.Work {
					used += jobs[j].Maps.Tasks
					of[jobs[j].User+1] += jobs[j].Maps.Tasks
				}
			}
			held := [4]int{}
			for _, w := range all {
				if w.from <= at && at < w.to {
					held[w.Owner] += int(w.Need[0])
				}
			}
			for owner := range held {
				if owner > 0 {
					held[owner] = max(0, held[owner]-of[owner])
				}
			}
			for owner, n := range of {
				if has := used + held[0] + held[1] + held[2] - held[owner]; n > 0 && has > processors {
					t.Fatalf("at %v jobs and windows of others than user %d have %d of %d processors: %s, starts %v", at, owner-1, has, processors, what, starts)
				}
			}
		}
	})
}

// TestBackfillKeepsWindowsFree: nothing is lent out of a window, though nothing runs and a job waits;
// the job starts when the window is over.
func TestBackfillKeepsWindowsFree(t *testing.T) {
	jobs := []slotmodel.JobSpec{policytest.Maps(1, 2, 10), policytest.Maps(2, 1, 10), policytest.Maps(3, 1, 10)}
	for i := range jobs {
		jobs[i].Rigid, jobs[i].Requested, jobs[i].User = true, 10, i
	}
	w := backfill.Window{Need: []int64{3}, From: 5, To: 20, Owner: 3} // of the third job's user
	maintenance := backfill.Window{Need: []int64{4}, From: 0, To: 20}
	for _, c := range []struct {
		window backfill.Window
		want   []float64
	}{{w, []float64{20, 2, 3}}, {maintenance, []float64{20, 20, 20}}} {
		if got := startsOf(t, 4, jobs, &policy.Backfill{Windows: []backfill.Window{c.window}}); !slices.Equal(got, c.want) {
			t.Errorf("with %+v jobs start at %v, want %v", c.window, got, c.want)
		}
	}
	maintenance.To = math.Inf(1)
	if _, err := slotmodel.Run(machine(4), jobs, &policy.Backfill{Windows: []backfill.Window{maintenance}}, slotmodel.Options{}); err == nil {
		t.Error("jobs behind a window without end: no error, want a DeadlockError")
	}
}
