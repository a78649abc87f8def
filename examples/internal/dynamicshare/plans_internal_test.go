package dynamicshare

import (
	"fmt"
	"math"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/partition"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// A job of a map of 1 s and a reduce of 6 s, which a plan binds to the worker of speed 3: by hand.
func TestDecided(t *testing.T) {
	for _, x := range []struct {
		name    string
		seconds float64
		down    []slotmodel.Outage // of the node of the map
		cancel  float64
		want    string
	}{
		{"at once", 0, nil, 0, "asked [1], ends 3 finished"},
		{"two seconds", 2, nil, 0, "asked [3], ends 5 finished"},
		{"cancelled meanwhile", 2, nil, 2, "asked [], ends 2 canceled"},
		// The map's output is lost at 2 s. The reduce enters its queue at 3 s all the same, and waits
		// for the map's second end at 5 s and for the plan of then.
		{"output lost meanwhile", 2, []slotmodel.Outage{{From: 2, Until: 4}}, 0, "asked [3], ends 9 finished"},
	} {
		c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Down: x.down}, {Reduces: 1}, {Reduces: 1, Speed: 3}}}
		job := slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 1, Work: 1}, Reduces: slotmodel.Phase{Tasks: 1, Work: 6}, Cancel: x.cancel}
		q := &queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining}
		plan := &queues.ReducePlan{Queues: q}
		var asked []float64
		q.Bind = func(v *slotmodel.View, task slotmodel.Task) slotmodel.Node {
			if _, k, _ := v.Index(task); k == slotmodel.Reduce {
				asked = append(asked, v.Now())
			}
			return plan.Bind(v, task)
		}
		res, err := slotmodel.Run(c, []slotmodel.JobSpec{job}, &decided{Policy: q, seconds: func(slotmodel.Job) float64 { return x.seconds }}, slotmodel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("asked %v, ends %v %v", asked, res.Jobs[0].Finish, res.Jobs[0].Outcome); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

// TestPlans: a job by itself ends when its layout says, and all layouts hold the same values.
func TestPlans(t *testing.T) {
	j := twitter
	j.start = 0
	p, err := newPlant(1, 0, steepest, []*job{&j})
	if err != nil {
		t.Fatal(err)
	}
	set, err := newKeySet(&j, stream(1, 2, layoutStream)) // whose first hash function is not the best
	if err != nil {
		t.Fatal(err)
	}
	keys := set.population(steepest)
	b := p.submit(1, 1, []*job{&j}, 0)
	for _, l := range layouts {
		sketch, err := keys.sketch(l.rows, l.partitions)
		if err != nil {
			t.Fatal(err)
		}
		x, err := l.lay(sketch, &j, 2, p.nodes[maps:])
		if err != nil {
			t.Fatal(err)
		}
		sum, least := 0.0, math.Inf(1)
		for _, v := range x.values {
			sum += v
		}
		for row := range l.rows { // the best hash function, by exact costs
			sizes, err := sketch.Row(nil, row)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := partition.Assign(reduces, sizes, func(i int, total float64) float64 { return 2 * total / (j.rate * p.nodes[maps+i].Speed) }, partition.Options{})
			if err != nil {
				t.Fatal(err)
			}
			least = min(least, plan.Makespan+l.deciding)
		}
		if len(x.values) != l.partitions || math.Abs(sum-2*keys.total) > 1e-6*sum || l.deciding > 0 && math.Abs(x.end-least) > 1e-9*least {
			t.Errorf("%s: %d partitions of %v values end after %v s, want %d, %v and %v", l.name, len(x.values), sum, x.end, l.partitions, 2*keys.total, least)
		}
		var alone planned
		err = alone.plan(0, b, &j, []laid{x})
		if err != nil || math.Abs(alone.phase[0]-1000*x.end) > 1e-6*x.end || alone.missed[0] != 0 {
			t.Errorf("%s: the reduces of a job alone take %v ms and miss %v%%, %v, want %v s and 0", l.name, alone.phase[0], alone.missed[0], err, x.end)
		}
	}
}

// TestMerged: the sketches of the maps, merged, count each value once.
func TestMerged(t *testing.T) {
	set, err := newKeySet(&youTube, stream(1, 0, keyStream))
	if err != nil {
		t.Fatal(err)
	}
	p := set.population(40)
	sketch, err := p.sketch(2, reduces)
	if err != nil {
		t.Fatal(err)
	}
	for row := range 2 {
		want := make([]float64, reduces)
		for k, id := range p.ids {
			i, err := sketch.Partition(row, id)
			if err != nil {
				t.Fatal(err)
			}
			want[i] += float64(p.values[k])
		}
		got, err := sketch.Row(nil, row)
		for i := range want {
			if err != nil || got[i] != want[i] {
				t.Errorf("partition %d of hash function %d has %v values, %v, want %v", i, row, got[i], err, want[i])
			}
		}
	}
}

func TestPlanClaimsCanFail(t *testing.T) {
	made := func(twitter, youTube [planners]float64) []report.Claim {
		var all plannedJobs
		for seed := range 3 {
			for kind, phases := range [][planners]float64{twitter, youTube} {
				var x planned
				for k := range phases {
					x.phase[k] = phases[k] * (1 + .001*float64(seed))
				}
				all[kind] = append(all[kind], x)
			}
		}
		return all.claims()
	}
	bothWays(t, made([...]float64{9, 5, 4, 3, 2.8, 2.5}, [...]float64{.9, .5, .4, .45, .39, .35}),
		made([...]float64{2, 3, 4, 5, 4.8, 3.5}, [...]float64{.2, .3, .4, .35, .5, .25}))
}
