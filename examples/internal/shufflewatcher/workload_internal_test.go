package shufflewatcher

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// TestTables: in two thousand jobs the types and the sizes have the percentages of Tables 1 and 2,
// under other mixes those of the classes.
func TestTables(t *testing.T) {
	const n = 2000 // a multiple of all decks: 40 of each range of 5%
	for mix := range mixes {
		draw := tables(mix, random(1), random(2))
		var byType, bySize []int
		byClass := [classes]int{}
		byType, bySize = make([]int, len(jobTypes)), make([]int, len(table2))
		for range n {
			input, shuffle, kind := draw()
			byType[kind]++
			byClass[jobTypes[kind].class]++
			if want := input * jobTypes[kind].ratio; shuffle != want {
				t.Fatalf("mix %d: a job of %v bytes shuffles %v, want %v", mix, input, shuffle, want)
			}
			i := slices.IndexFunc(table2, func(r struct {
				percent  int
				from, to float64
			}) bool {
				return input >= r.from*gigabyte && input < r.to*gigabyte
			})
			if i < 0 {
				t.Fatalf("mix %d: a job of %v bytes is in no range of Table 2", mix, input)
			}
			bySize[i]++
		}
		for i, s := range table2 {
			if bySize[i] != s.percent*n/100 {
				t.Errorf("mix %d: %d of %d jobs are in range %d, want %d%%", mix, bySize[i], n, i, s.percent)
			}
		}
		for k, want := range mixes[mix] {
			if d := math.Abs(float64(byClass[k])/n - float64(want)/100); d > .02 {
				t.Errorf("mix %d: %d of %d jobs are %s, want %d%%", mix, byClass[k], n, classNames[k], want)
			}
		}
		for i, typ := range jobTypes {
			if want := float64(typ.percent*mixes[mix][typ.class]) / float64(mixes[0][typ.class]) / 100; math.Abs(float64(byType[i])/n-want) > .02 {
				t.Errorf("mix %d: %d of %d jobs are %s, want %v of them", mix, byType[i], n, typ.name, want)
			}
		}
	}
}

// TestRatios: the ratios of the types are the quantiles of the trace that the comment names.
func TestRatios(t *testing.T) {
	f, err := os.Open("../../../../shared/data/swim/FB-2010_samples_24_times_1hr_0.tsv")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no trace here")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	jobs, err := workload.ReadSWIM(f)
	if err != nil {
		t.Fatal(err)
	}
	var of [classes][]float64
	for _, j := range jobs {
		if j.MapInput >= gigabyte {
			q := j.Shuffle / j.MapInput
			k := classOf(q)
			of[k] = append(of[k], q)
		}
	}
	levels := [classes][]float64{light: {.1, .3, .5, .7, .9}, medium: {.25, .75}, heavy: {.1, .3, .5, .7, .9}}
	at := [classes]int{}
	for _, typ := range jobTypes {
		slices.Sort(of[typ.class])
		level := levels[typ.class][at[typ.class]]
		at[typ.class]++
		if want := report.Quantile(of[typ.class], level); math.Abs(typ.ratio-want) > .005*want+1e-9 {
			t.Errorf("%s has the ratio %v, want %v, the %v quantile", typ.name, typ.ratio, want, level)
		}
	}
}

// TestLoad: users have equally many jobs, blocks lie on nodes, nothing depends on the scheduler,
// and the load is the setting's.
func TestLoad(t *testing.T) {
	s := &study{Options: report.Options{Seed: 1}, after: 40 * 3600, jobs: userJobs}
	set := setting{}
	c := set.cluster()
	l, err := s.load(set, 0, c)
	if err != nil {
		t.Fatal(err)
	}
	users := make([]int, 30)
	input := 0.0
	for i, j := range l.specs[:3*userJobs] {
		users[j.User]++
		input += j.Input
		if len(j.Replicas) != 3*j.Maps.Tasks || j.Reduces.Tasks < 1 || j.Maps.Memory == 0 || j.Shuffle > 0 && l.class(i) == heavy != (j.Shuffle > j.Input) {
			t.Fatalf("job %d is %+v of class %v", i, j, l.class(i))
		}
	}
	for u, n := range users {
		if n != 36 {
			t.Errorf("user %d has %d of %d jobs, want 36", u, n, 3*userJobs)
		}
	}
	if rate := float64(len(l.specs)) / s.after; math.Abs(rate*interarrival-1) > .06 {
		t.Errorf("%v jobs a second, want 1 in %v s", rate, interarrival)
	}
	mean := 0.0
	for _, r := range table2 {
		mean += float64(r.percent) / 100 * (r.from + r.to) / 2 * gigabyte * sizeScale
	}
	if got := input / (3 * userJobs); math.Abs(got/mean-1) > .1 {
		t.Errorf("mean input %v, want about %v", got, mean)
	}
}

// TestTraced: the jobs of a trace have the mean shuffle of the tables.
func TestTraced(t *testing.T) {
	jobs := []workload.SWIMJob{{MapInput: 2e9, Shuffle: 3e9}, {MapInput: 4e9, Shuffle: 2e9}, {MapInput: 8e9}, {MapInput: 1e6, Shuffle: 1e12}}
	draw, err := traced(jobs, random(3))
	if err != nil {
		t.Fatal(err)
	}
	const n = 30000
	sum, want := 0.0, 0.0
	for range n {
		input, shuffle, kind := draw()
		sum += shuffle
		if k := class(kind - len(jobTypes)); k != classOf(shuffle/input) {
			t.Fatalf("a job with the ratio %v is of class %v", shuffle/input, k)
		}
	}
	size, ratio := 0.0, 0.0
	for _, r := range table2 {
		size += float64(r.percent) / 100 * (r.from + r.to) / 2 * gigabyte
	}
	for _, typ := range jobTypes {
		ratio += float64(typ.percent) / 100 * typ.ratio
	}
	want = size * ratio
	if got := sum / n; math.Abs(got/want-1) > .03 {
		t.Errorf("mean shuffle %v, want %v", got, want)
	}
	if _, err := traced(jobs[2:3], random(3)); err == nil {
		t.Error("a trace without shuffle is drawn from, want an error")
	}
}

func TestCluster(t *testing.T) {
	for _, c := range []struct {
		set   setting
		nodes int
		link  float64
	}{{setting{}, 100, 62.5e6}, {setting{small: true}, 16, 25e6}, {setting{oversubscription: 20}, 100, 15.625e6}} {
		got := c.set.cluster()
		if len(got.Nodes) != c.nodes || got.Racks[0] != (slotmodel.RackSpec{Egress: c.link, Ingress: c.link}) {
			t.Errorf("%+v: %d nodes, %+v, want %d and %v", c.set, len(got.Nodes), got.Racks[0], c.nodes, c.link)
		}
	}
}
