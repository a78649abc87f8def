package hfsp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// Each claim about contests holds on numbers as the paper says and fails on their opposite.
func TestContestClaimsCanFail(t *testing.T) {
	seeds := func(large, small, kept float64) [][3]float64 {
		return [][3]float64{{large, small, kept}, {large * 1.01, small * 1.01, kept}, {large * 0.99, small, kept}}
	}
	good := contested{"t = 100%": seeds(100, 900, 0), "t = 50%": seeds(80, 900, 0), "t = 10%": seeds(70, 900, 0),
		"FIFO": seeds(50, 100, 0), "SRPT": seeds(1000, 5, 0), "FAIR": seeds(100, 60, 0), "HFSP": seeds(200, 50, 0), "true sizes": seeds(200, 50, 0), "true sizes, t = 50%": seeds(150, 20, 0),
		"without weights": seeds(6, 6, 0.9), "with weights": seeds(4, 9, 1)}
	bad := contested{"t = 100%": seeds(100, 900, 0), "t = 50%": seeds(80, 900, 0), "t = 10%": seeds(110, 900, 0),
		"FIFO": seeds(50, 100, 0), "SRPT": seeds(1000, 5, 0), "FAIR": seeds(100, 60, 0), "HFSP": seeds(1200, 50, 0), "true sizes": seeds(1100, 50, 0), "true sizes, t = 50%": seeds(150, 120, 0),
		"without weights": seeds(6, 6, 0.9), "with weights": seeds(4, 5, 0.98)}
	yes, no := good.claims(), bad.claims()
	for i := range yes {
		if !yes[i].Holds || no[i].Holds || yes[i].Note == "" || len([]rune(yes[i].Note)) > 200 {
			t.Errorf("claim %q: %v and %v (note %q), want true and false", yes[i].Claim, yes[i].Holds, no[i].Holds, yes[i].Note)
		}
	}
	if len(yes) != 6 || len(no) != 6 {
		t.Errorf("%d and %d claims, want 6", len(yes), len(no))
	}
}

// Rivals have names of their own in all contests, and one job or every other is of the first group.
func TestContests(t *testing.T) {
	seen := map[string]bool{}
	for i, c := range contests {
		for _, r := range c.rivals {
			if seen[r.name] {
				t.Errorf("%s: there are two rivals %q", c.title, r.name)
			}
			seen[r.name] = true
		}
		jobs, n := c.jobs(3, 1), 0
		for j := range jobs {
			if jobs[j].Priority > 1 {
				n++
			}
		}
		if want := []int{1, 1, fineJobs / 2}[i]; n != want {
			t.Errorf("%s: %d jobs of the first group, want %d", c.title, n, want)
		}
	}
	four := mapsOf(0, fineSlots, 2)
	four.Priority = 2
	means, finish, err := contests[1].play([]slotmodel.JobSpec{four, mapsOf(0, fineSlots, 1)}, policy.FIFO{})
	if err != nil || means != [3]float64{2, 3} || !slices.Equal(finish, []float64{2, 3}) {
		t.Errorf("play = %v, %v, %v, want that the first job ends at 2, the other at 3", means, finish, err)
	}
	work, last := 0.0, 0.0
	for rep := range 20 {
		for _, j := range streamJobs(5, rep)[1:] {
			work, last = work+float64(j.Maps.Tasks)*j.Maps.Work, max(last, j.Arrival)
		}
	}
	// Of some 40,000 small jobs: the load has a standard deviation below .01.
	if offered := work / 20 / fineSlots / 1990; math.Abs(offered-1) > 0.04 || last > 2000 {
		t.Errorf("the stream offers a load of %v until %v s, want 1 until 2000 s", offered, last)
	}
}

// Jobs that end at once keep their shares, jobs that end very late do not.
func TestKeepShares(t *testing.T) {
	finish := make([]float64, fineJobs)
	if got, err := keepShares(1, 0, finish); err != nil || got != 1 {
		t.Errorf("keepShares of jobs that end at once = %v, %v, want 1", got, err)
	}
	for i := range finish {
		finish[i] = 1e6
	}
	if got, err := keepShares(1, 0, finish); err != nil || got != 0 {
		t.Errorf("keepShares of jobs that end late = %v, %v, want 0", got, err)
	}
}

func TestSampleClaimsCanFail(t *testing.T) {
	mus := func(x float64) [][]float64 {
		list := make([][]float64, len(taskLaws))
		for i := range list {
			list[i] = []float64{-0.1, -0.11}
		}
		list[1] = []float64{x, x + 0.01}
		return list
	}
	fits := []estimate.LogNormal{{Mu: 0.1, Sigma: 0.4}, {Mu: 0.1, Sigma: 0.4}}
	for _, c := range []struct {
		claim report.Claim
		want  bool
	}{
		{overEstimates(mus(0.1)), true}, {overEstimates(mus(-0.1)), false},
		{weightedClaim(report.Interval{Mean: 1}, report.Interval{Mean: 1.01, Half: 0.01}), true},
		{weightedClaim(report.Interval{Mean: 1}, report.Interval{Mean: 1.13, Half: 0.01}), false},
		{(&madeUp{fits: fits}).claim("MAP"), true}, {(&madeUp{fits: fits, rejected: 1}).claim("MAP"), false},
	} {
		if c.claim.Holds != c.want || c.claim.Note == "" || len([]rune(c.claim.Note)) > 200 {
			t.Errorf("%s: %v on %s, want %v; note %q", c.claim.Claim, c.claim.Holds, c.claim.Model, c.want, c.claim.Note)
		}
	}
}

// The mean error of samples like the others is 1, whatever the law; of longer samples it is as much
// above where there are many tasks, and weighted by inputs above by their squared coefficient of
// variation, 1 for exponential times, times (s-1)/(s+1).
func TestSampleErrors(t *testing.T) {
	tasks := make([]int, 20000)
	for i := range tasks {
		tasks[i] = 200
	}
	draw := (*rand.Rand).ExpFloat64
	for _, c := range []struct {
		longer  float64
		byInput bool
		want    float64
	}{{1, false, 1}, {2, false, 2 / (1 + 1./40)}, {1, true, 1 + 4./6}} {
		got := report.Over(sampleErrors(tasks, draw, c.longer, c.byInput, rand.New(rand.NewPCG(1, 2))))
		if math.Abs(got.Mean-c.want) > 3*got.Half {
			t.Errorf("mean error %v with samples %v times as long, by input %v, want %v", got, c.longer, c.byInput, c.want)
		}
	}
}

// The errors that are made up have the published μ over all seeds.
func TestMakeUp(t *testing.T) {
	m := imagined(2)
	r := rand.New(rand.NewPCG(3, 4))
	for k := range m.tasks {
		m.tasks[k] = make([][]int, 2)
		for rep := range m.tasks[k] {
			for range 120 {
				m.tasks[k][rep] = append(m.tasks[k][rep], 6+r.IntN(200))
			}
		}
	}
	for k, want := range paperFit {
		y, err := m.makeUp(slotmodel.Kind(k))
		if err != nil {
			t.Fatal(err)
		}
		if mu := report.Across(y.fits, func(f *estimate.LogNormal) float64 { return f.Mu }).Mean; len(y.fits) != 2 || math.Abs(mu-want.Mu) > 1e-6 || y.longer < 1 || y.spread < want.Sigma {
			t.Errorf("errors made up for kind %d have %+v with a spread of %v and samples %v times as long, want %+v", k, y.fits, y.spread, y.longer, want)
		}
	}
}
