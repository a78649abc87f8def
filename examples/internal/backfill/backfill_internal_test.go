package backfill

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/examples/internal/report/reporttest"
	"github.com/schedmath/schedmath/slotmodel"
)

// rowsOf are all rows of slowdowns for results by contender, the same on all logs but for a little.
func rowsOf(r result) []report.Claim {
	s := study{names: []string{"KTH", "HPC2N"}, real: []result{r, r}}
	for i := range 5 {
		x := r
		for k := range x {
			x[k] *= 1 + .01*float64(i*k%3)
		}
		s.seeds = append(s.seeds, x)
	}
	return append(append(s.policyClaims(), s.requestClaims()...), s.depthClaims()...)
}

// TestRowsCanFail: each row holds with some slowdowns, and fails with others.
func TestRowsCanFail(t *testing.T) {
	like := result{fcfs: 4000, easy: 80, sjbf: 60, exact: 70, plusPlus: 65, conservative: 95, twice: 75, exactTwice: 60}
	unlike := result{fcfs: 80, easy: 90, sjbf: 100, exact: 120, plusPlus: 110, conservative: 70, twice: 130, exactTwice: 150}
	reporttest.CanFail(t, rowsOf(like), rowsOf(unlike))

	// each row of forecasts holds with the first verdict and fails with another one
	all := func(change func(v *[len(methods)]verdict)) []report.Claim {
		var v [len(methods)]verdict
		for k := range v {
			v[k] = verdict{score: score{jobs: 100, cover: .9, pinball: 1}, weeks: []score{{jobs: 20, cover: .75}, {jobs: 19}}}
			for q := range v[k].quarters {
				v[k].quarters[q].cover = .9
			}
		}
		v[0].pinball = .9
		change(&v)
		return forecastClaims([]hearing{{"synthetic", v}, {"KTH", v}, {"HPC2N", v}}, false)
	}
	good := all(func(*[len(methods)]verdict) {})
	reporttest.CanFail(t, good, all(func(v *[len(methods)]verdict) {
		v[0].cover, v[0].quarters[2].cover, v[0].weeks[0], v[len(v)-1].pinball = .94, .79, score{jobs: 20, cover: .74}, .89
	}))
	reporttest.CanFail(t, good, all(func(v *[len(methods)]verdict) {
		v[0].cover, v[0].quarters[0].cover, v[0].weeks[1], v[baselines].pinball = .86, .96, score{jobs: 30}, .8
	}))

	some := []hole{{1, 2}}
	reporttest.CanFail(t, ganttClaims(nil, some), ganttClaims(some, nil))
}

// TestLogsNotAtHand: a quick run leaves the rows of a log undecided, and a whole run without the log
// says that they are not run.
func TestLogsNotAtHand(t *testing.T) {
	for _, quick := range []bool{true, false} {
		s := study{quick: quick, seeds: []result{{1, 1}, {1, 1}}}
		rows := append(s.policyClaims(), forecastClaims([]hearing{{name: "synthetic"}}, quick)...)
		for _, c := range rows {
			if want := map[bool]string{true: "undecided", false: "not run"}[quick]; c.Model == "a whole run plays this log, where it is at hand" && c.In(quick).HoldsWord() != want {
				t.Errorf("quick %v: %q is %s, want %s", quick, c.Claim, c.In(quick).HoldsWord(), want)
			}
		}
	}
}

// TestUnknownRequest: an unknown request is the longest of the log, not the run time.
func TestUnknownRequest(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(name, []byte("; MaxProcs: 4\n1 0 0 50 3 -1 -1 3 100 -1 1 1 1 -1 1 -1 -1 -1\n2 1 0 10 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := real("hand", name)
	if err != nil || len(l.Jobs) != 2 || l.Jobs[1].Requested != 100 {
		t.Errorf("real = %+v, %v, want two jobs, the second with the request of the first, 100", l, err)
	}
}

// handLog is a log by hand on 4 processors: the first job holds 3 until 50 s, the second wants all,
// the third fits beside the first and ends before it, the fourth does not end by then.
func handLog() Log {
	job := func(arrival float64, tasks int, run float64) slotmodel.JobSpec {
		return slotmodel.JobSpec{Arrival: arrival, Rigid: true, Requested: run, Maps: slotmodel.Phase{Tasks: tasks, Work: run}}
	}
	return Log{Processors: 4, Jobs: []slotmodel.JobSpec{job(0, 3, 50), job(1, 4, 10), job(2, 1, 40), job(3, 1, 60)}}
}

// TestHoles: under FCFS the third job waits in a hole; under EASY nobody does, though the fourth
// waits while a processor is free.
func TestHoles(t *testing.T) {
	l := handLog()
	for _, c := range []struct {
		k      int
		starts []float64
		holes  bool
	}{{fcfs, []float64{0, 50, 60, 60}, true}, {easy, []float64{0, 50, 2, 60}, false}} {
		starts, err := play(&l, list[c.k].make())
		if err != nil {
			t.Fatal(err)
		}
		for i := range starts {
			if starts[i] != c.starts[i] {
				t.Errorf("%s: starts are %v, want %v", list[c.k].name, starts, c.starts)
			}
		}
		if holes, _ := l.holes(starts); (len(holes) > 0) != c.holes {
			t.Errorf("%s: the holes are %v, want some: %v", list[c.k].name, holes, c.holes)
		}
	}
	if passed := l.overtook([]float64{0, 50, 2, 60}); passed[0] || passed[1] || !passed[2] || passed[3] {
		t.Errorf("overtook = %v, want the third alone", passed)
	}
}

// TestPlaces: in the picture no processor has two jobs at a time, and each job has what it needs.
func TestPlaces(t *testing.T) {
	l, err := synthetic(1, 0, 300)
	if err != nil {
		t.Fatal(err)
	}
	starts, err := play(&l, list[easy].make())
	if err != nil {
		t.Fatal(err)
	}
	pieces := l.place(starts, 0, math.Inf(1))
	count := make([]int, len(starts))
	for i, a := range pieces {
		count[a.job] += a.count
		for _, b := range pieces[:i] {
			if a.from < b.to && b.from < a.to && a.low < b.low+b.count && b.low < a.low+a.count {
				t.Fatalf("%+v and %+v hold the same processors", a, b)
			}
		}
	}
	for i, n := range count {
		if n != l.Jobs[i].Maps.Tasks {
			t.Errorf("job %d is shown on %d processors, want %d", i, n, l.Jobs[i].Maps.Tasks)
		}
	}
}

// TestSynthetic: the load is as asked for, and requests are round and at least the run times.
func TestSynthetic(t *testing.T) {
	l, err := synthetic(1, 0, 3000)
	if err != nil {
		t.Fatal(err)
	}
	work, last := 0., 0.
	for i, j := range l.Jobs {
		if j.Requested < j.Maps.Work || j.Maps.Work != math.Trunc(j.Maps.Work) {
			t.Errorf("job %d runs for %v s of %v", i, j.Maps.Work, j.Requested)
		}
		work, last = work+float64(j.Maps.Tasks)*j.Maps.Work, max(last, j.Arrival)
	}
	if got := work / last / processors; math.Abs(got-load) > .001 {
		t.Errorf("the load is %v, want %v", got, load)
	}
}
