package hfsp

import (
	"io"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
)

// The whole experiment on two processors, which the race detector sees too. That one processor
// gives the same is tested by the files of package figures.
func TestMacroRuns(t *testing.T) {
	before := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(before)
	m := &macro{experiment: experiment{testbed(busy), 20, 7}, seeds: 1, most: [2]int{3, 2}}
	if err := m.play(io.Discard); err != nil {
		t.Fatal(err)
	}
	for kind := range m.cells {
		for x, list := range m.cells[kind] {
			if want := map[bool]int{true: m.most[kind], false: 1}[contenders[x].all]; len(list) != want {
				t.Errorf("%s has %d seeds, want %d", contenders[x].name, len(list), want)
			}
		}
	}
	// The runs are those of the seeds that judge, with the reading's setting.
	jobs, err := m.pigmix(busy.mix(onLarge), judged.First+1)
	if err != nil {
		t.Fatal(err)
	}
	if o, err := play(m.cluster, jobs, &contenders[byFIFO], nil); err != nil || o.mean != m.cells[onLarge][byFIFO][1].mean {
		t.Errorf("FIFO's second seed has a mean of %v, %v, want %v", o.mean, err, m.cells[onLarge][byFIFO][1].mean)
	}
	for _, make := range []func() (report.Figure, error){m.table2, func() (report.Figure, error) { return m.figure3ab(onSmall) }, func() (report.Figure, error) { return m.figure3ab(onLarge) }, m.figure3c, m.figure4, m.figureAblation} {
		if f, err := make(); err != nil || len(f.Claims) == 0 { // with more seeds of SMALL than of LARGE
			t.Errorf("figure %q has %d claims, %v", f.Title, len(f.Claims), err)
		}
	}
	if table, err := m.workloads(); err != nil || len(table.Rows) != 2 || len(table.Rows[0]) != len(table.Columns) {
		t.Errorf("workloads = %+v, %v, want two rows", table, err)
	}
	if len(m.recorded) != 1 || len(m.tasks[slotmodel.Map]) != 2 || len(m.perSeed[slotmodel.Map][1]) == 0 || len(m.errors(slotmodel.Map)) != len(m.perSeed[slotmodel.Map][0]) {
		t.Errorf("%d recorded, tasks of %d seeds, %d errors, want 1, 2 and the first seed's", len(m.recorded), len(m.tasks[slotmodel.Map]), len(m.errors(slotmodel.Map)))
	}
}

// The means of a run follow from its jobs, and what a recorder notes changes nothing and adds up.
func TestPlayRecorded(t *testing.T) {
	c := testbed(busy)
	for kind := range mixes {
		jobs, err := (&experiment{c, jobsPerRun, 3}).pigmix(busy.mix(kind), 1)
		if err != nil {
			t.Fatal(err)
		}
		for x := range contenders[:byHFSP+1] {
			r := newRecorder()
			with, err := play(c, jobs, &contenders[x], r)
			if err != nil {
				t.Fatal(err)
			}
			without, err := play(c, jobs, &contenders[x], nil)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(with, without) {
				t.Errorf("play(%s, %s) with a recorder = %+v, without %+v", workloadNames[kind], contenders[x].name, with, without)
			}
			maps, reduces, area := 0, 0, 0.0
			for i := range jobs {
				maps += jobs[i].Maps.Tasks
				reduces += jobs[i].Reduces.Tasks
			}
			if len(r.taken[slotmodel.Map]) != maps || len(r.taken[slotmodel.Reduce]) != reduces {
				t.Errorf("%s, %s: %d and %d tasks ended, want %d and %d", workloadNames[kind], contenders[x].name, len(r.taken[0]), len(r.taken[1]), maps, reduces)
			}
			if !(with.sampled > 0.95 && with.sampled <= 1) {
				t.Errorf("%s, %s: %v of the samples are local, %v of all maps", workloadNames[kind], contenders[x].name, with.sampled, with.local)
			}
			early, late, n := 0.0, 0.0, 0.0
			for i := range jobs {
				early += with.mapped[i] / float64(len(jobs))
				if jobs[i].Reduces.Tasks > 0 {
					late, n = late+with.sojourn[i], n+1
				}
			}
			if !near(with.phases[0], early, 1e-9) || !near(with.phases[1]+with.phases[2], late/n, 1e-9) || !(with.phases[1] < with.phases[0]*1.5) {
				t.Errorf("%s, %s: phases take %v s, maps %v s and jobs with reduces %v s", workloadNames[kind], contenders[x].name, with.phases, early, late/n)
			}
			for i := range jobs {
				if at := slices.Index(r.times, jobs[i].Arrival); i > 0 && float64(with.met[i]) != r.pending[at-1] {
					t.Errorf("%s, %s: job %d meets %d others, want %v", workloadNames[kind], contenders[x].name, i, with.met[i], r.pending[at-1])
				}
			}
			for i := 1; i < len(r.times); i++ {
				area += r.pending[i-1] * (r.times[i] - r.times[i-1])
			}
			// The integral of the load is the sum of the sojourn times; sums of some hundred terms.
			if want := with.mean * float64(len(jobs)); !near(area, want, 1e-9) || r.pending[len(r.pending)-1] != 0 {
				t.Errorf("%s, %s: the load over time adds up to %v, want the sojourn times' %v, and ends with %v jobs", workloadNames[kind], contenders[x].name, area, want, r.pending[len(r.pending)-1])
			}
			if !near(with.load*with.hours*3600, area, 1e-9) {
				t.Errorf("%s, %s: mean load %v over %v h, want %v in all", workloadNames[kind], contenders[x].name, with.load, with.hours, area)
			}
			for k := range r.guess {
				for _, e := range r.errors(slotmodel.Kind(k), len(jobs)) {
					if !(e > 0 && e <= math.MaxFloat64) || x == fair {
						t.Errorf("%s, %s: an error of %v", workloadNames[kind], contenders[x].name, e)
					}
				}
			}
		}
	}
}

// A job that has the cluster for itself ends after its longest chain of work at the earliest, and
// after as long as its slots need for all of it.
func TestAloneIsABound(t *testing.T) {
	if testing.Short() {
		t.Skip("long: many runs of the slot model")
	}
	c := testbed(busy)
	jobs, err := (&experiment{c, jobsPerRun, 1}).pigmix(largeMix(), 0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := play(testbed(plain), jobs, &contenders[find("alone")], nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		sum := 0.0
		for _, w := range jobs[i].Maps.Works {
			sum += w
		}
		least := max(slices.Max(jobs[i].Maps.Works), sum/mapSlots)
		if jobs[i].Reduces.Tasks > 0 {
			least = max(least, slices.Min(jobs[i].Maps.Works)) + slices.Max(jobs[i].Reduces.Works)
		}
		if o.sojourn[i] < least*(1-1e-9) { // starts are at multiples of 1e6 s, with 1e-8 s of rounding
			t.Errorf("job %d alone takes %v s, want at least %v", i, o.sojourn[i], least)
		}
	}
}

func TestPigmixHasPlaces(t *testing.T) {
	c := testbed(busy)
	jobs, err := (&experiment{c, jobsPerRun, 1}).pigmix(smallMix(), 0)
	if err != nil || len(jobs) != jobsPerRun {
		t.Fatalf("pigmix = %d jobs, %v, want %d", len(jobs), err, jobsPerRun)
	}
	for i := range jobs {
		if jobs[i].Copies != copies || len(jobs[i].Replicas) != copies*jobs[i].Maps.Tasks {
			t.Errorf("job %d of %d maps has %d places and Copies %d, want %d of each block", i, jobs[i].Maps.Tasks, len(jobs[i].Replicas), jobs[i].Copies, copies)
		}
	}
}

func TestWithin(t *testing.T) {
	if got := within([]float64{1, 2, 2, 3}, 2); got != 0.75 {
		t.Errorf("within(1 2 2 3, 2) = %v, want 0.75", got)
	}
}

// Contenders have names of their own, and each can be made and run.
func TestContenders(t *testing.T) {
	if testing.Short() {
		t.Skip("long: many runs of the slot model")
	}
	seen := map[string]bool{}
	for i := range contenders {
		x := &contenders[i]
		if seen[x.name] || seen[x.label] || x.name == "" || x.label == "" || find(x.name) != i {
			t.Errorf("contenders[%d] is %q, %q: want a name and a label of its own", i, x.name, x.label)
		}
		seen[x.name], seen[x.label] = true, true
		if p, err := x.start(nil); err != nil || p == nil {
			t.Errorf("start of %s = %v, %v", x.name, p, err)
		}
	}
	if contenders[fair].name != "fair" || contenders[byHFSP].name != "hfsp" {
		t.Errorf("the first contenders are %q and %q, want fair and hfsp", contenders[fair].name, contenders[byHFSP].name)
	}
	if _, err := (&contender{name: "x", bare: true, make: makeFIFO}).start(nil); err == nil {
		t.Error("start of a Ranker that is no policy, without delay scheduling, = nil error")
	}
}

// Estimates that are too long are longer by the paper's factor for maps.
func TestOverEstimated(t *testing.T) {
	h := contenders[find("hfsp-over")].make(nil).(*hfsp.Policy)
	if got := h.Estimate(nil, hfsp.Samples{Tasks: 10, Times: []float64{3, 5}}); !near(got, 40*math.Exp(.0976), 1e-12) {
		t.Errorf("an estimate of %v for 10 tasks of 4 s, want 44.1", got)
	}
}
