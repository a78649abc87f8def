package batch_test

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// drawnLog is a log of so many jobs of a few users, who ask for twice their run times or more.
func drawnLog(t testing.TB, n int) []slotmodel.JobSpec {
	t.Helper()
	jobs, err := workload.LublinFeitelson(nil, n, 64, workload.Stream(1, workload.Trace, 0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		jobs[i].Arrival *= .7
		jobs[i].Requested = float64(2+i%3) * jobs[i].Maps.Work
		jobs[i].User = i % 4
	}
	return jobs
}

func silent(int) {}

// TestForecastsLookBack: what a job is told does not change by what comes after it: neither the
// forecast, nor how it is calibrated, nor the proposal beside it.
func TestForecastsLookBack(t *testing.T) {
	jobs := drawnLog(t, 400)
	whole, err := batch.Forecasts(jobs, 64, nil, 3, 1, silent)
	if err != nil || len(whole) < 50 {
		t.Fatalf("%d forecasts, %v", len(whole), err)
	}
	const cut = 300
	part, err := batch.Forecasts(jobs[:cut], 64, nil, 3, 1, silent)
	if err != nil || len(part) < 30 {
		t.Fatalf("%d forecasts, %v", len(part), err)
	}
	for i, told := range part {
		told.Start = whole[i].Start // later jobs may change it
		if !reflect.DeepEqual(told, whole[i]) {
			t.Errorf("forecast %d is %+v, and %+v when later jobs are there", i, told, whole[i])
		}
	}
}

// TestForecastsOfExactRequests: where jobs run as long as they ask for and no later one may pass,
// forecasts are points and right.
func TestForecastsOfExactRequests(t *testing.T) {
	var jobs []slotmodel.JobSpec
	for i := range 20 {
		jobs = append(jobs, slotmodel.JobSpec{Arrival: float64(i), Rigid: true, Requested: 100, Maps: slotmodel.Phase{Tasks: 4, Work: 100}})
	}
	told, err := batch.Forecasts(jobs, 4, nil, 1, 1, silent)
	if err != nil || len(told) != 19 {
		t.Fatalf("%d forecasts, %v, want 19", len(told), err)
	}
	for i, x := range told {
		if want := 100 * float64(i+1); x.Start != want || x.Forecast != (backfill.Interval{Low: want, Median: want, High: want}) {
			t.Errorf("forecast %d: %+v, want %v", i, x, want)
		}
	}
	if v := batch.Judge(told); v.Raw != 1 || v.Error != 0 || v.ByProposal == 0 {
		t.Errorf("the verdict is %+v, want all within, no error, and one of the proposal", v)
	}
}

// TestProposal: the mean gap is over the last 100 starts. The first two of 110 jobs that come at 0 take
// 1,000 s, the others 10 s. When one more comes at 2,995 s, 102 have started, the last hundred 10 s apart,
// and 8 wait before it.
func TestProposal(t *testing.T) {
	var jobs []slotmodel.JobSpec
	for i := range 111 {
		s := slotmodel.JobSpec{Rigid: true, Requested: 10, Maps: slotmodel.Phase{Tasks: 4, Work: 10}}
		if i < 2 {
			s.Requested, s.Maps.Work = 1000, 1000
		}
		jobs = append(jobs, s)
	}
	jobs[110].Arrival = 2995
	told, err := batch.Forecasts(jobs, 4, nil, 110, 1, silent) // the 110th job that waits
	if err != nil || len(told) != 1 || told[0].At != 2995 || told[0].Proposal != 2995+9*10 {
		t.Errorf("told is %+v, %v, want one at 2995 with the proposal 3085", told, err)
	}
}

// TestForecastsOnLogs: on logs of the archive 88% to 92% of the starts of the weeks from the third
// on lie within calibrated intervals, and the median error is below the proposal's.
func TestForecastsOnLogs(t *testing.T) {
	if testing.Short() {
		t.Skip("two logs")
	}
	for _, c := range []struct {
		file       string
		processors int
		every      int
	}{{"KTH-SP2-1996-2.1-cln.swf.gz", 100, 8}, {"HPC2N-2002-2.1-cln.swf.gz", 240, 40}} {
		all, err := workload.Load(golden.Trace(t, "data/swf/"+c.file))
		if err != nil {
			t.Fatal(err)
		}
		all = slices.DeleteFunc(all, func(j slotmodel.JobSpec) bool { return j.Maps.Work <= 0 || j.Maps.Tasks > c.processors })
		for i := range all {
			all[i].Requested = max(all[i].Requested, all[i].Maps.Work)
		}
		slices.SortStableFunc(all, func(a, b slotmodel.JobSpec) int { return cmp.Compare(a.Arrival, b.Arrival) })
		told, err := batch.Forecasts(all[:min(len(all), 40000)], c.processors, nil, c.every, 1, silent)
		if err != nil {
			t.Fatal(err)
		}
		first := told[0].At
		for k := 0; k < len(told); {
			week := math.Floor((told[k].At - first) / 604800)
			end := k
			for end < len(told) && math.Floor((told[end].At-first)/604800) == week {
				end++
			}
			v := batch.Judge(told[k:end])
			t.Logf("%s, week %v: %d jobs, %.3f within, %.3f calibrated, error %.0f s, %.0f s", c.file, week+1, v.Jobs, v.Raw, v.Cover, v.Error, v.ByProposal)
			k = end
		}
		held := told[slices.IndexFunc(told, func(x batch.Told) bool { return x.At >= first+2*604800 }):]
		v := batch.Judge(held)
		t.Logf("%s, held-out weeks: %+v", c.file, v)
		if v.Cover < .88 || v.Cover > .92 || v.Error >= v.ByProposal {
			t.Errorf("%s: %+v, want 88%% to 92%% within and an error below the proposal's", c.file, v)
		}
	}
}

// TestUnknownRequest: under EASY++ a job of unknown request holds up no head of the queue: of three
// jobs on 4 processors the third, which runs for 1,000 s, would delay the second by 900.
func TestUnknownRequest(t *testing.T) {
	job := func(user int, at float64, width int, run, requested float64) slotmodel.JobSpec {
		return slotmodel.JobSpec{User: user, Arrival: at, Maps: slotmodel.Phase{Tasks: width, Work: run}, Requested: requested, Rigid: true}
	}
	jobs := []slotmodel.JobSpec{job(0, 0, 3, 100, 100), job(1, 1, 4, 50, 50), job(2, 2, 1, 1000, 0)}
	r, err := slotmodel.Run(&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 4}}}, jobs, new(batch.PlusPlus), slotmodel.Options{})
	if err != nil || r.Jobs[1].Finish != 150 || r.Jobs[2].Finish != 1150 {
		t.Errorf("jobs end at %v, %v and %v, error %v, want 100, 150 and 1150", r.Jobs[0].Finish, r.Jobs[1].Finish, r.Jobs[2].Finish, err)
	}
}

// TestAt: jobs that run as long as they ask for are told their starts.
func TestAt(t *testing.T) {
	var jobs []slotmodel.JobSpec
	var starts []float64
	for i := range 20 {
		jobs = append(jobs, slotmodel.JobSpec{Arrival: float64(i), Rigid: true, Requested: 100, Maps: slotmodel.Phase{Tasks: 4, Work: 100}})
		starts = append(starts, 100*float64(i))
	}
	waits, told, err := batch.At(jobs, starts, 4, 350, 1)
	if err != nil || len(waits) != 16 || waits[0] != 4 || len(told) != 16 {
		t.Fatalf("at 350 s %d jobs wait, %v, want 16 from the fifth on", len(waits), err)
	}
	for i, f := range told {
		if want := 100 * float64(waits[i]); f != (backfill.Interval{Low: want, Median: want, High: want}) {
			t.Errorf("job %d is told %v, want %v", waits[i], f, want)
		}
	}
	if waits, _, err := batch.At(jobs, starts, 4, 1950, 1); err != nil || len(waits) != 0 {
		t.Errorf("at the end %v wait, %v", waits, err)
	}
}
