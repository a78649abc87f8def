package whatif

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// What is measured: 1,000,000 jobs of 1,499,900 tasks under four policies on two processors take 14
// s of processor time, half of that on each, and 1.4e9 bytes; FB-2010 12 s and 1.6e8 bytes; 400,000
// tasks at once on 100,000 machines 3.5e8 bytes under two policies, five times as many of both
// 1.7e9. The estimate is within a factor of 1.5.
func TestCost(t *testing.T) {
	for _, c := range []struct {
		jobs, tasks, slots, runs int
		seconds, bytes           float64
		announced                bool
	}{{1_000_000, 1_499_900, 108, 4, 7, 1.4e9, true}, {24_442, 8_506_980, 108, 4, 6, 1.6e8, false}, {2, 400_001, 600_000, 2, 0, 3.5e8, false}, {2, 2_000_004, 3_000_000, 2, 0, 1.7e9, true}} {
		took, size := slotsPrice.cost(c.jobs, c.tasks, c.slots, c.runs, 1, 2)
		if r := took.Seconds() / c.seconds; c.seconds > 0 && (r < 1/1.5 || r > 1.5) || size/c.bytes < 1/1.5 || size/c.bytes > 1.5 {
			t.Errorf("cost of %d jobs = %v, %.2g bytes, measured %v s, %.2g bytes", c.jobs, took, size, c.seconds, c.bytes)
		}
		var stderr bytes.Buffer
		(&console{stderr: &stderr, seeds: 1}).announce(c.jobs, c.tasks, c.slots, c.runs)
		if got := stderr.String(); strings.Contains(got, " GB\n") != c.announced || (got == "") == c.announced {
			t.Errorf("%d jobs are announced by %q, want something: %v", c.jobs, got, c.announced)
		}
	}
}

// A million jobs on the fluid server under all policies take 5.5 s of processor time and on two
// processors 5.8e8 bytes.
func TestFluidCost(t *testing.T) {
	took, size := fluidPrice.cost(1_000_000, 0, 0, 9, 1, 2)
	if r := 2 * took.Seconds() / 5.5; r < 1/1.5 || r > 1.5 || size/5.8e8 < 1/1.5 || size/5.8e8 > 1.5 {
		t.Errorf("cost of a million jobs = %v, %.2g bytes, measured half of 5.5 s, 5.8e8 bytes", took, size)
	}
	var stderr bytes.Buffer
	c := &console{stderr: &stderr, seeds: 1}
	c.begin(&stage{sizes: make([]float64, 1_000_000)}, 9)
	c.begin(&stage{sizes: make([]float64, 1_000_000)}, 9)
	if got := stderr.String(); !strings.HasPrefix(got, "whatif: 1000000 jobs in 9 runs will take about ") || strings.Count(got, "\n") != 1 {
		t.Errorf("a million jobs are announced by %q, want one line", got)
	}
}

// Jobs that are drawn anew are jobs of the trace in blocks, each with its own gap; those of a file
// keep the time from arrival to deadline.
func TestRedraw(t *testing.T) {
	var swim []workload.SWIMJob
	var specs []slotmodel.JobSpec
	now := 7.1
	for i := range 100 {
		now += 0.1 * float64(1+i%17)
		swim = append(swim, workload.SWIMJob{Submit: now, MapInput: float64(i)})
		specs = append(specs, slotmodel.JobSpec{Arrival: now, Input: float64(i), Deadline: now + 30})
	}
	slices.Reverse(specs) // a job file may have any order
	drawn := redraw(replay.Trace{Log: workload.Log{SWIM: swim}}, 3)
	files := redraw(replay.Trace{Log: workload.Log{Jobs: specs}}, 3)
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
	again, other := redraw(replay.Trace{Log: workload.Log{SWIM: swim}}, 3), redraw(replay.Trace{Log: workload.Log{SWIM: swim}}, 4)
	if !slices.Equal(again.SWIM, drawn.SWIM) || slices.Equal(other.SWIM, drawn.SWIM) {
		t.Error("a seed gives other jobs again, or another seed the same")
	}
}
