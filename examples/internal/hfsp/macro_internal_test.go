package hfsp

import (
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// The whole experiment on two processors, which the race detector sees too. That one processor
// gives the same is tested by the files of package figures.
func TestMacroRuns(t *testing.T) {
	before := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(before)
	one, err := runMacro(experiment{testbed(foundOnSmall), 20, 7}, 1, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	runs := len(one.cells[onLarge])*len(one.cells) + (len(one.slowed)-len(one.table))*one.tableSeeds()*2 + (len(one.assumed)-1)*len(supposed) + (one.tableSeeds()-one.seeds)*len(one.table)*len(tabled)
	if got := macroRuns(1, 2); got != runs {
		t.Errorf("macroRuns(1, 2) = %d, want %d", got, runs)
	}
	// Table II and the first assumption repeat runs of the first seeds.
	for k, name := range supposed {
		for rep := range one.seeds {
			if got, want := one.table[onLarge][k][rep].mean, one.cells[onLarge][find(name)][rep].mean; got != want {
				t.Errorf("%s, seed %d: mean %v for Table II, %v elsewhere", name, rep, got, want)
			}
		}
		if got, want := one.under("as-table2").ratio[k], one.toFair(onLarge, find(name)); got != want {
			t.Errorf("%s as in Table II: ratio %v, want %v", name, got, want)
		}
	}
}

// The means of a run follow from its jobs, and what a recorder notes changes nothing and adds up.
func TestPlayRecorded(t *testing.T) {
	c := testbed(foundOnSmall)
	for kind, mix := range mixes {
		jobs, err := (&experiment{c, jobsPerRun, 3}).pigmix(mix(), 1)
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
	c := testbed(foundOnSmall)
	jobs, err := (&experiment{c, jobsPerRun, 1}).pigmix(largeMix(), 0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := play(testbed(0), jobs, &contenders[find("alone")], nil)
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
	c := testbed(foundOnSmall)
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

// No two attempts hold a row at once, and the bars hold all the work.
func TestGantt(t *testing.T) {
	f, err := figureGantt()
	if err != nil {
		t.Fatal(err)
	}
	c := &slotmodel.Cluster{}
	for range toyMachines {
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Maps: toyMaps, Reduces: toyReduces})
	}
	l := newSlotLog()
	r, err := slotmodel.Run(c, toyJobs, &policy.Fair{}, slotmodel.Options{Log: l.log})
	if err != nil {
		t.Fatal(err)
	}
	held := 0.0
	for i, b := range l.bars {
		held += b.end - b.start
		first, last := 0, toyMachines*toyMaps-1
		if b.kind == slotmodel.Reduce {
			first, last = last+1, last+toyMachines*toyReduces
		}
		if b.row < first || b.row > last {
			t.Errorf("bar %+v lies outside of the rows %d to %d of its kind", b, first, last)
		}
		for _, o := range l.bars[:i] {
			if o.row == b.row && b.start < o.end && o.start < b.end {
				t.Errorf("bars %+v and %+v overlap", o, b)
			}
		}
	}
	if want := r.Users[0].SlotSeconds[0] + r.Users[0].SlotSeconds[1]; !near(held, want, 1e-12) {
		t.Errorf("the bars hold slots for %v s, want %v", held, want)
	}
	if last := l.calls[len(l.calls)-1]; last.load != 0 || last.running != [2]int{} {
		t.Errorf("the timeline ends with %+v, want nothing", last)
	}
	if len(f.Numbers.Rows) != 2*len(l.bars) || len(f.Claims) == 0 {
		t.Errorf("the figure has %d rows and %d claims, want %d rows", len(f.Numbers.Rows), len(f.Claims), 2*len(l.bars))
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
