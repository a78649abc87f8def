package hfsp

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// Assumptions have names of their own; the first is what Table II has, and each of the others
// differs from it in what it says.
func TestAssumptions(t *testing.T) {
	x := &experiment{testbed(0), jobsPerRun, 2}
	plain, err := x.pigmix(largeMix(), 1)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range assumptions {
		a := &assumptions[i]
		if seen[a.name] || seen[a.label] || a.name == "" || a.label == "" {
			t.Errorf("assumptions[%d] is %q, %q: want a name and a label of its own", i, a.name, a.label)
		}
		seen[a.name], seen[a.label] = true, true
		jobs, err := a.workload(x, 1)
		if err != nil {
			t.Fatal(err)
		}
		jobsDiffer := !reflect.DeepEqual(jobs, plain)
		if says := a.mix != nil || a.jobs != nil || a.apart; jobsDiffer != says {
			t.Errorf("%s: jobs other than Table II's %v, want %v", a.name, jobsDiffer, says)
		}
		if says := jobsDiffer || a.share != nil || a.bare || a.beat > 0 || a.down.Until > 0; says != (i > 0) {
			t.Errorf("%s: changes something %v, want %v", a.name, says, i > 0)
		}
		down := 0
		for _, n := range a.machines(0, jobs).Nodes {
			if half := jobs[jobsPerRun-1].Arrival / 2; len(n.Down) == 1 && (n.Down[0].From == half) != (n.Down[0].Until == half) {
				down++
			}
		}
		if want := map[string]int{"failure": 12, "scale-out": 12}[a.name]; down != want {
			t.Errorf("%s: %d machines are lost or added in mid-run, want %d", a.name, down, want)
		}
		for j := range jobs {
			if jobs[j].Arrival != plain[j].Arrival || jobs[j].Maps.Tasks != plain[j].Maps.Tasks {
				t.Fatalf("%s: job %d comes at %v with %d maps, want %v and %d", a.name, j, jobs[j].Arrival, jobs[j].Maps.Tasks, plain[j].Arrival, plain[j].Maps.Tasks)
			}
		}
	}
	for j := range plain {
		s := plain[j]
		fullWave(&s)
		if want := min(s.Reduces.Tasks, 1) * reduceSlots; s.Reduces.Tasks != want || len(s.Reduces.Works) != want {
			t.Errorf("fullWave gives job %d %d reduces with %d times, want %d", j, s.Reduces.Tasks, len(s.Reduces.Works), want)
		}
	}
	// 100 jobs * 2291 s / 16.8 jobs present and 100 * 544 / 4.6.
	if f, h := littleHours(fair)*3600, littleHours(byHFSP)*3600; !near(f, 229100/16.8, 1e-12) || !near(h, 54400/4.6, 1e-12) || !near(f/h, 1.153, 1e-3) {
		t.Errorf("Table II's runs took %v and %v s, %v times as long, want 13,637, 11,826 and 1.153", f, h, f/h)
	}
}

// All jobs on one dataset read the same blocks: a query always the same ones in a row.
func TestDatasets(t *testing.T) {
	c := testbed(0)
	for kind, mix := range mixes {
		jobs, err := (&experiment{c, jobsPerRun, 4}).pigmix(mix(), 2)
		if err != nil {
			t.Fatal(err)
		}
		_, made, err := mix().jobs(jobsPerRun, 4, 2)
		if err != nil {
			t.Fatal(err)
		}
		d, err := store(c, 4, 2)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[pigMixJob][]int32{}
		wrapped := 0
		for i := range jobs {
			if was, ok := seen[made[i]]; ok && !slices.Equal(was, jobs[i].Replicas) {
				t.Errorf("%s: query %d reads %v and %v of dataset %d", workloadNames[kind], made[i].query, was, jobs[i].Replicas, made[i].dataset)
			}
			seen[made[i]] = jobs[i].Replicas
			begin, whole := d.begin[made[i].dataset][made[i].query], datasetBlocks[made[i].dataset]
			if begin+jobs[i].Maps.Tasks > whole {
				wrapped++
			}
			for b := range jobs[i].Maps.Tasks {
				at := (begin + b) % whole * copies
				if got, want := jobs[i].Replicas[b*copies:(b+1)*copies], d.places[made[i].dataset][at:at+copies]; !slices.Equal(got, want) {
					t.Fatalf("%s: job %d: block %d lies on %v, want %v", workloadNames[kind], i, b, got, want)
				}
			}
		}
		if len(seen) == len(jobs) || wrapped == 0 {
			t.Errorf("%s: %d jobs are %d different ones, %d go past the end of a dataset: want some alike, some past", workloadNames[kind], len(jobs), len(seen), wrapped)
		}
	}
}

// At heartbeats a node gets a map and a reduce at most, when it calls, and blocks from elsewhere
// only after the delay.
func TestBeating(t *testing.T) {
	const period, delay = 3.0, 4.5
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Reduces: 2}, {Maps: 2, Reduces: 2}, {Maps: 2, Reduces: 2}}}
	onFirst := make([]int32, 8)
	jobs := []slotmodel.JobSpec{
		{Arrival: 1, Maps: slotmodel.Phase{Tasks: 8, Work: 50}, Reduces: slotmodel.Phase{Tasks: 4, Work: 2}, Replicas: onFirst, Copies: 1, Slowstart: 0.95},
		{Arrival: 20, Maps: slotmodel.Phase{Tasks: 3, Work: 1}},
	}
	type call struct {
		node slotmodel.Node
		time float64
		kind slotmodel.Kind
	}
	starts, away := map[call]int{}, 0
	p := &beating{inner: &policy.Fair{}, period: period, delay: delay, since: map[slotmodel.Job]float64{}}
	r, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type != slotmodel.Started {
			return
		}
		starts[call{e.Node, e.Time, e.Kind}]++
		if late := math.Mod(e.Time-float64(e.Node)+1e-9, period); late > 1e-6 { // node i beats at i + 3 k; sums of thirds round
			t.Errorf("node %d starts a task at %v s, between its heartbeats", e.Node, e.Time)
		}
		if e.Kind == slotmodel.Map && e.Job == 0 && e.Node != 0 {
			away++
			if e.Time < jobs[0].Arrival+delay {
				t.Errorf("a map starts without its block at %v s, %v s after its job came", e.Time, e.Time-jobs[0].Arrival)
			}
		}
	}})
	if err != nil || r.Jobs[0].Outcome != slotmodel.Finished || r.Jobs[1].Outcome != slotmodel.Finished {
		t.Fatalf("Run = %+v, %v", r, err)
	}
	for c, n := range starts {
		if n > 1 {
			t.Errorf("node %d starts %d tasks of kind %v in its call at %v s", c.node, n, c.kind, c.time)
		}
	}
	if away == 0 {
		t.Error("no map starts without its block, want some after the delay")
	}
}

// Each row of the numbers, and of what is shown, has what belongs to its variant and policy.
func TestVariantNumbers(t *testing.T) {
	m := imagined(2)
	mean := func(i, k int) report.Interval { return report.Interval{Mean: float64(1000*i + k + 1), Half: 0.5} }
	ratio := func(i, k int) report.Interval { return report.Interval{Mean: float64(i+1) + float64(k)/8, Half: 0.25} }
	for i := range m.assumed {
		for k := range supposed {
			m.assumed[i].mean[k], m.assumed[i].ratio[k] = mean(i, k), ratio(i, k)
		}
	}
	f, err := m.figureAssumptions()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(m.assumed); len(f.Numbers.Rows) != n*(len(supposed)+2) || len(f.Shown.Rows) != n {
		t.Fatalf("%d rows and %d shown, want %d for each of %d variants and one", len(f.Numbers.Rows), len(f.Shown.Rows), len(supposed)+2, n)
	}
	for n, row := range f.Numbers.Rows[:len(m.assumed)*len(supposed)] {
		i, k := n/len(supposed), n%len(supposed)
		want := []string{report.Full(mean(i, k).Mean), report.Full(0.5), report.Full(ratio(i, k).Mean), report.Full(0.25)}
		if row[0] != "0.15" || row[1] != assumptions[i].name || row[2] != supposed[k] || !slices.Equal(row[4:8], want) {
			t.Errorf("row %d is %q, want .15, %s and %s with %q", n, row, assumptions[i].name, supposed[k], want)
		}
	}
	for i, row := range f.Shown.Rows {
		for column, k := range map[string]int{"HFSP/FAIR": 1, "true sizes": 2, "SRPT": 3} {
			if at := slices.Index(f.Shown.Columns, column); at < 0 || row[at] != ratio(i, k).String() {
				t.Errorf("shown is %q in variant %d, want %v under %s", row, i, ratio(i, k), column)
			}
		}
	}
}
