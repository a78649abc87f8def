package dynamicshare

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/partition"
)

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
