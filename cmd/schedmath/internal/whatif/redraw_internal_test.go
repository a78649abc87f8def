package whatif

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/replay"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
)

// Jobs that are drawn anew are jobs of the trace in blocks, each with its own gap; those of a file
// keep the time from arrival to deadline.
func TestRedraw(t *testing.T) {
	var swim []joblog.SWIMJob
	var specs []slotmodel.JobSpec
	now := 7.1
	for i := range 100 {
		now += 0.1 * float64(1+i%17)
		swim = append(swim, joblog.SWIMJob{Submit: now, MapInput: float64(i)})
		specs = append(specs, slotmodel.JobSpec{Arrival: now, Input: float64(i), Deadline: now + 30})
	}
	slices.Reverse(specs) // a job file may have any order
	drawn := redraw(replay.Trace{SWIM: swim}, 3)
	files := redraw(replay.Trace{Jobs: specs}, 3)
	if len(drawn.SWIM) != 100 || len(files.Jobs) != 100 || drawn.SWIM[0].Submit != swim[0].Submit {
		t.Fatalf("redraw gives %d and %d jobs, the first at %v", len(drawn.SWIM), len(files.Jobs), drawn.SWIM[0].Submit)
	}
	within := 0 // pairs of neighbours of the trace
	for i, j := range drawn.SWIM {
		f := files.Jobs[i]
		if f.Input != j.MapInput || f.Arrival != j.Submit || math.Abs(f.Deadline-f.Arrival-30) > 1e-9 {
			t.Fatalf("job %d is %+v as a job file and %+v as a trace", i, f, j)
		}
		if i == 0 {
			continue
		}
		k := int(j.MapInput)
		want := 0.1 * float64(1+k%17)
		if k == 0 {
			want = (swim[99].Submit - swim[0].Submit) / 99
		}
		if gap := j.Submit - drawn.SWIM[i-1].Submit; math.Abs(gap-want) > 1e-9 {
			t.Errorf("job %d of the trace comes %v after the job before, want %v", k, gap, want)
		}
		if k == (int(drawn.SWIM[i-1].MapInput)+1)%100 {
			within++
		}
	}
	if within < 80 { // blocks of 5
		t.Errorf("%d of 99 pairs are neighbours in the trace, want at least 80", within)
	}
	if swim[0].MapInput != 0 || specs[0].Input != 99 {
		t.Error("redraw changed the trace")
	}
	again, other := redraw(replay.Trace{SWIM: swim}, 3), redraw(replay.Trace{SWIM: swim}, 4)
	if !slices.Equal(again.SWIM, drawn.SWIM) || slices.Equal(other.SWIM, drawn.SWIM) {
		t.Error("a seed gives other jobs again, or another seed the same")
	}
}
