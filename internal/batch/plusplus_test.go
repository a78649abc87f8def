package batch_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// plainPlusPlus is EASY++ by its definition, of jobs in the order of arrival: at each arrival, end and
// planned end the queue is planned. It returns when each job starts.
func plainPlusPlus(jobs []slotmodel.JobSpec, processors int) []float64 {
	var (
		starts           = make([]float64, len(jobs))
		first            = make([]float64, len(jobs)) // prediction at arrival
		last             = map[int][]float64{}        // run times of ended jobs by user
		waiting, running []int                        // by arrival; by start
		free             = processors
		arrived          = 0
	)
	increments := []float64{60, 300, 900, 1800, 3600, 7200, 18000, 36000, 72000, 180000, 360000}
	plannedEnd := func(j int, now float64) float64 {
		end := starts[j] + first[j]
		for k := 0; end <= now && k < len(increments); k++ {
			end = starts[j] + first[j] + increments[k]
		}
		if asked := starts[j] + jobs[j].Requested; end > asked || end <= now {
			end = asked
		}
		return max(end, math.Nextafter(now, math.Inf(1)))
	}
	for now := 0.0; ; {
		next := math.Inf(1)
		if arrived < len(jobs) {
			next = jobs[arrived].Arrival
		}
		for _, j := range running {
			next = min(next, starts[j]+jobs[j].Maps.Work)
			if end := plannedEnd(j, now); len(waiting) > 0 && end > math.Nextafter(now, math.Inf(1)) {
				next = min(next, end)
			}
		}
		if math.IsInf(next, 1) {
			return starts
		}
		now = next
		running = slices.DeleteFunc(running, func(j int) bool {
			if starts[j]+jobs[j].Maps.Work > now {
				return false
			}
			free += jobs[j].Maps.Tasks
			last[jobs[j].User] = append(last[jobs[j].User], now-starts[j])
			return true
		})
		for ; arrived < len(jobs) && jobs[arrived].Arrival <= now; arrived++ {
			first[arrived] = jobs[arrived].Requested
			if runs := last[jobs[arrived].User]; len(runs) > 1 {
				n := len(runs)
				first[arrived] = min(first[arrived], runs[n-1]/2+runs[n-2]/2)
			}
			waiting = append(waiting, arrived)
		}
		// Jobs start in order as long as they fit; the next one is the head.
		head := 0
		begin := map[int]bool{}
		left := free
		for ; head < len(waiting) && jobs[waiting[head]].Maps.Tasks <= left; head++ {
			begin[waiting[head]] = true
			left -= jobs[waiting[head]].Maps.Tasks
		}
		if head < len(waiting) {
			type end struct {
				at    float64
				width int
			}
			var ends []end
			soon := math.Nextafter(now, math.Inf(1))
			for _, j := range running {
				ends = append(ends, end{plannedEnd(j, now), jobs[j].Maps.Tasks})
			}
			for j := range begin {
				ends = append(ends, end{max(now+first[j], soon), jobs[j].Maps.Tasks})
			}
			slices.SortFunc(ends, func(a, b end) int { return cmp.Compare(a.at, b.at) })
			shadow, extra := now, left-jobs[waiting[head]].Maps.Tasks
			for i := 0; extra < 0 || i < len(ends) && ends[i].at == shadow; i++ {
				shadow = ends[i].at
				extra += ends[i].width
			}
			others := slices.Clone(waiting[head+1:])
			slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(first[a], first[b]) })
			for _, j := range others {
				w := jobs[j].Maps.Tasks
				if short := max(now+first[j], soon) <= shadow; w <= left && (short || w <= extra) {
					begin[j] = true
					left -= w
					if !short {
						extra -= w
					}
				}
			}
		}
		waiting = slices.DeleteFunc(waiting, func(j int) bool {
			if begin[j] {
				starts[j], running, free = now, append(running, j), free-jobs[j].Maps.Tasks
			}
			return begin[j]
		})
	}
}

func samePlusPlus(t rapid.TB, jobs []slotmodel.JobSpec, processors int) []float64 {
	t.Helper()
	r, err := slotmodel.Run(&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: processors}}}, jobs, new(batch.PlusPlus), slotmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := plainPlusPlus(jobs, processors)
	for j, s := range want {
		if got := r.Jobs[j].Finish - jobs[j].Maps.Work; math.Abs(got-s) > 1e-6 {
			t.Fatalf("job %d starts at %v, want %v: %d processors, %s", j, got, s, processors, fmt.Sprint(jobs[:min(len(jobs), 30)]))
		}
	}
	return want
}

// TestPlusPlusIsItself: EASY++ starts each job when a simulator of it alone does: a job that outlives
// its prediction is noted at once, even if it started in the decision before.
func TestPlusPlusIsItself(t *testing.T) {
	for range 20 {
		rapid.Check(t, func(t *rapid.T) {
			processors := rapid.IntRange(1, 6).Draw(t, "processors")
			jobs := make([]slotmodel.JobSpec, rapid.IntRange(1, 25).Draw(t, "jobs"))
			at := 0.0
			for i := range jobs {
				at += float64(rapid.IntRange(0, 40).Draw(t, "gap"))
				run := float64(rapid.SampledFrom([]int{1, 5, 30, 59, 60, 61, 200, 400}).Draw(t, "run"))
				jobs[i] = slotmodel.JobSpec{User: rapid.IntRange(0, 1).Draw(t, "user"), Arrival: at, Rigid: true, Requested: run * float64(rapid.IntRange(1, 4).Draw(t, "factor")),
					Maps: slotmodel.Phase{Tasks: rapid.IntRange(1, processors).Draw(t, "width"), Work: run}}
			}
			samePlusPlus(t, jobs, processors)
		})
	}
}

// TestPlusPlusOnLog: the same on a log of the archive, with the mean bounded slowdown of an
// independent simulator.
func TestPlusPlusOnLog(t *testing.T) {
	jobs, err := workload.Load(golden.Trace(t, "data/swf/KTH-SP2-1996-2.1-cln.swf.gz"))
	if err != nil {
		t.Fatal(err)
	}
	const processors = 100
	jobs = slices.DeleteFunc(jobs, func(j slotmodel.JobSpec) bool { return j.Maps.Work <= 0 || j.Maps.Tasks > processors })
	for i := range jobs {
		jobs[i].Requested = max(jobs[i].Requested, jobs[i].Maps.Work)
	}
	slices.SortStableFunc(jobs, func(a, b slotmodel.JobSpec) int { return cmp.Compare(a.Arrival, b.Arrival) })
	if testing.Short() {
		jobs = jobs[:5000]
	}
	starts := samePlusPlus(t, jobs, processors)
	sum := 0.0
	for j, s := range starts {
		sum += batch.Bounded(jobs[j].Maps.Work, s+jobs[j].Maps.Work-jobs[j].Arrival)
	}
	if mean := sum / float64(len(jobs)); !testing.Short() && (len(jobs) != 27992 || math.Abs(mean-66.386) > .0005) {
		t.Errorf("%d jobs have a mean bounded slowdown of %v, want 27992 and 66.386", len(jobs), mean)
	}
}
