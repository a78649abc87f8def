package shufflewatcher

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// TestTables: in two thousand jobs the types and the sizes have the percentages of Tables 1 and 2,
// under other mixes those of the classes.
func TestTables(t *testing.T) {
	const n = 2000 // a multiple of all decks: 40 of each range of 5%
	for mix := range mixes {
		draw := tables(mix, true, random(1), random(2))
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
				return input >= sizeScale*r.from*gigabyte && input < sizeScale*r.to*gigabyte
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

// TestRatiosOfTrace: the ratios of the types are the quantiles of the trace that the comment names.
func TestRatiosOfTrace(t *testing.T) {
	f, err := os.Open(golden.Trace(t, "data/swim/FB-2010_samples_24_times_1hr_0.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	jobs, err := joblog.ReadSWIM(f)
	if err != nil {
		t.Fatal(err)
	}
	var of [classes][]float64
	for _, j := range jobs {
		if j.MapInput >= gigabyte {
			q := j.Shuffle / j.MapInput
			k := light
			if q > .2 {
				k = medium
			}
			if q > 1 {
				k = heavy
			}
			of[k] = append(of[k], q)
		}
	}
	levels := [classes][]float64{light: {.1, .3, .5, .7, .9}, medium: {.25, .75}, heavy: {.1, .3, .5, .7, .9}}
	at := [classes]int{}
	for _, typ := range jobTypes {
		slices.Sort(of[typ.class])
		level := levels[typ.class][at[typ.class]]
		at[typ.class]++
		if want := numbers.Quantile(of[typ.class], level); math.Abs(typ.ratio-want) > .005*want+1e-9 {
			t.Errorf("%s has the ratio %v, want %v, the %v quantile", typ.name, typ.ratio, want, level)
		}
	}
}

// streams are those of a seed.
func streams(seed uint64) func(workload.Purpose) *rand.Rand {
	return func(p workload.Purpose) *rand.Rand { return rand.New(workload.Stream(seed, p, 0)) }
}

// TestLoad: users have equally many jobs in flight, each followed by one of the same user, their
// first ones come within minutes, and there are more than the cluster can do.
func TestLoad(t *testing.T) {
	const span = 3600
	for _, set := range []setting{{}, {small: true}, {small: true, users: 144, perUser: 1}, {small: true, perUser: 18}} {
		c := set.cluster()
		l, err := set.draw(streams(1), span, c)
		if err != nil {
			t.Fatal(err)
		}
		users, jobs := set.atOnce()
		inFlight, work := slices.Repeat([]int{0}, users), 0.0
		for i, j := range l.specs {
			work += float64(j.Maps.Tasks) * j.Maps.Work
			if len(j.Replicas) != 3*j.Maps.Tasks || j.Reduces.Tasks < 1 || j.Maps.Memory == 0 || j.Shuffle > 0 && l.class(i) == heavy != (j.Shuffle > j.Input) {
				t.Fatalf("job %d is %+v of class %v", i, j, l.class(i))
			}
			if j.After == 0 {
				inFlight[j.User]++
				if !(j.Arrival > 0 && j.Arrival < 3*interarrival*float64(jobs)+600) {
					t.Errorf("%+v: job %d comes after %v s", set, i, j.Arrival)
				}
			} else if before := l.specs[j.After-1]; before.User != j.User || j.After != i-users*jobs+1 {
				t.Fatalf("%+v: job %d of user %d follows job %d of user %d", set, i, j.User, j.After, before.User)
			}
		}
		if slices.Min(inFlight) != jobs || slices.Max(inFlight) != jobs {
			t.Errorf("%+v: users have %v jobs in flight, want %d", set, inFlight, jobs)
		}
		if can := span * float64(slots*len(c.Nodes)); work < 2*can {
			t.Errorf("%+v: jobs for %v s of the slots for maps, which can do %v", set, work, can)
		}
	}
}

func TestCluster(t *testing.T) {
	for _, c := range []struct {
		set   setting
		nodes int
		link  float64
	}{{setting{}, 100, 62.5e6}, {setting{small: true}, 16, 25e6}, {setting{oversubscription: 20}, 100, 15.625e6}, {setting{pairs: true}, 100, 0}} {
		got := c.set.cluster()
		if len(got.Nodes) != c.nodes || got.Racks[0] != (slotmodel.RackSpec{Egress: c.link, Ingress: c.link}) {
			t.Errorf("%+v: %d nodes, %+v, want %d and %v", c.set, len(got.Nodes), got.Racks[0], c.nodes, c.link)
		}
	}
}

// TestReadings: only a closed loop has jobs that follow others; with home racks each block of a job
// has a copy in one rack; equal jobs have equal inputs, and the others those of Table 2; the types
// are those of Table 1.
func TestReadings(t *testing.T) {
	for _, r := range []reading{readingA, readingB} {
		r.set.small = false
		c := r.set.cluster()
		l, err := r.set.draw(streams(2), 0, c)
		if err != nil {
			t.Fatal(err)
		}
		if r.set.backlog != (len(l.specs) == 360) || r.set.backlog != (l.specs[len(l.specs)-1].After == 0) {
			t.Errorf("reading %s has %d jobs, the last after %d", r.Name, len(l.specs), l.specs[len(l.specs)-1].After)
		}
		var byType [12]int
		gathered, input := 0, 0.0
		for i, j := range l.specs[:360] {
			byType[l.types[i]]++
			input += j.Input / 360
			if !r.set.tables && j.Input != equalInput {
				t.Errorf("reading %s: job %d reads %v bytes, want %v", r.Name, i, j.Input, float64(equalInput))
			}
			racks := slices.Repeat([]int{0}, len(c.Racks)) // blocks with a copy in the rack
			for k := 0; k < len(j.Replicas); k += j.Copies {
				here := map[int]bool{}
				for _, n := range j.Replicas[k : k+j.Copies] {
					here[c.Nodes[n].Rack] = true
				}
				for q := range here {
					racks[q]++
				}
			}
			if j.Maps.Tasks > 10 && slices.Max(racks) == j.Maps.Tasks {
				gathered++
			}
		}
		if big := numbers.Number(l.specs[:360], func(j slotmodel.JobSpec) bool { return j.Maps.Tasks > 10 }); !r.set.uniform && gathered != big || r.set.uniform && gathered > big/10 {
			t.Errorf("reading %s: %d of %d jobs have all blocks in one rack", r.Name, gathered, big)
		}
		if terasort := byType[0]; terasort < 12 || terasort > 24 {
			t.Errorf("reading %s has %d terasorts of 360 jobs, want about 18", r.Name, terasort)
		}
		mean := 0.0
		for _, x := range table2 {
			mean += float64(x.percent) / 100 * (x.from + x.to) / 2 * gigabyte * sizeScale
		}
		if r.set.tables && math.Abs(input/mean-1) > .2 {
			t.Errorf("reading %s: mean input %v, want about %v", r.Name, input, mean)
		}
	}
}
