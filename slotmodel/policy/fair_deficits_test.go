package policy_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
)

// priority is a weight for Fair.
func priority(s *slotmodel.JobSpec) float64 { return s.Priority }

// Sequences worked out by hand, some beside what Fair does without memory.
func TestFairDeficitSequences(t *testing.T) {
	job := func(user int, weight, arrival float64, n int, work float64) slotmodel.JobSpec {
		s := maps(arrival, n, work)
		s.User, s.Priority = user, weight
		return s
	}
	lost := nodes(2, 2, 1, 0)
	lost[1].Down = []slotmodel.Outage{{From: 1, Until: 5}}
	fair := func(deficits bool) *policy.Fair { return &policy.Fair{Deficits: deficits, WeightOf: priority} }
	pools := func(p ...policy.Pool) *policy.Fair {
		return &policy.Fair{Deficits: true, PoolOf: policy.ByUser, Pools: p}
	}
	times := func(n int, s string) string { return strings.Repeat(s+" ", n) }
	for _, c := range []struct {
		name  string
		nodes []slotmodel.NodeSpec
		jobs  []slotmodel.JobSpec
		p     slotmodel.Policy
		want  string
	}{
		// Half a slot each: after 3 s job 1 is owed 1.5 s, for which it has the slot for 3 s.
		{"one slot, tasks of 3 s and of 1 s", nodes(1, 1, 1, 0), []slotmodel.JobSpec{job(0, 1, 0, 3, 3), job(0, 1, 0, 6, 1)}, fair(true),
			"0:0m@0 3:1m@0 4:1m@0 5:1m@0 6:0m@0 9:1m@0 10:1m@0 11:1m@0 12:0m@0 | 15 12"},
		{"the same, without memory", nodes(1, 1, 1, 0), []slotmodel.JobSpec{job(0, 1, 0, 3, 3), job(0, 1, 0, 6, 1)}, fair(false),
			"0:0m@0 3:0m@0 6:0m@0 9:1m@0 10:1m@0 11:1m@0 12:1m@0 13:1m@0 14:1m@0 | 9 15"},
		// A quarter and three quarters: after 2 s job 1 is owed 1.5 s, and half a second less after each of its tasks.
		{"one slot, weights", nodes(1, 1, 1, 0), []slotmodel.JobSpec{job(0, 1, 0, 3, 2), job(0, 3, 0, 5, 2)}, fair(true),
			"0:0m@0 2:1m@0 4:1m@0 6:1m@0 8:0m@0 10:1m@0 12:1m@0 14:0m@0 | 16 14"},
		// Job 1 waits for 9 s for its slot, and then has both for 9 s. At 19 s nobody is owed anything.
		{"starved, and made up for", nodes(1, 1, 2, 0), []slotmodel.JobSpec{job(0, 1, 0, 3, 10), job(0, 1, 1, 20, 1)}, fair(true),
			"0:0m@0 0:0m@0 10:1m@0 10:1m@0 11:1m@0 11:1m@0 12:1m@0 12:1m@0 13:1m@0 13:1m@0 14:1m@0 14:1m@0 15:1m@0 15:1m@0 " +
				"16:1m@0 16:1m@0 17:1m@0 17:1m@0 18:1m@0 18:1m@0 19:0m@0 19:1m@0 20:1m@0 | 29 21"},
		{"starved, and forgotten", nodes(1, 1, 2, 0), []slotmodel.JobSpec{job(0, 1, 0, 3, 10), job(0, 1, 1, 20, 1)}, fair(false),
			"0:0m@0 0:0m@0 10:0m@0 10:1m@0 11:1m@0 12:1m@0 13:1m@0 14:1m@0 15:1m@0 16:1m@0 17:1m@0 18:1m@0 19:1m@0 " +
				"20:1m@0 20:1m@0 21:1m@0 21:1m@0 22:1m@0 22:1m@0 23:1m@0 23:1m@0 24:1m@0 24:1m@0 | 20 25"},
		// At 2 s job 1 is owed 2 s and gets all four slots; at 7 s it has had 8 s too much, but its pool is below its guarantee of one.
		{"a minimum share before deficits", nodes(1, 1, 4, 0), []slotmodel.JobSpec{job(0, 1, 0, 16, 2), job(1, 1, 1, 5, 5)}, pools(policy.Pool{}, policy.Pool{MinMaps: 1}),
			times(4, "0:0m@0") + times(4, "2:1m@0") + "7:1m@0 " + times(3, "7:0m@0") + times(3, "9:0m@0") + times(3, "11:0m@0") + "12:0m@0 " + times(2, "13:0m@0") + "| 15 12"},
		{"deficits alone", nodes(1, 1, 4, 0), []slotmodel.JobSpec{job(0, 1, 0, 16, 2), job(1, 1, 1, 5, 5)}, pools(),
			times(4, "0:0m@0") + times(4, "2:1m@0") + times(4, "7:0m@0") + times(4, "9:0m@0") + times(4, "11:0m@0") + "13:1m@0 | 13 18"},
		// Pools 0 and 1 are guaranteed 3 and 1 of the 2 slots, so they are entitled to 1.5 and 0.5: at 2 s job 1 is owed half a second, and at
		// 3 s nobody is owed anything, but it has nothing running.
		{"guarantees that exceed the slots", nodes(1, 1, 2, 0), []slotmodel.JobSpec{job(0, 1, 0, 9, 2), job(1, 1, 1, 2, 1)}, pools(policy.Pool{MinMaps: 3}, policy.Pool{MinMaps: 1}),
			"0:0m@0 0:0m@0 2:1m@0 2:0m@0 3:1m@0 4:0m@0 4:0m@0 6:0m@0 6:0m@0 8:0m@0 8:0m@0 | 10 4"},
		// Job 1 can use one slot only, so job 0 is entitled to three and owed nothing.
		{"no more than can be used", nodes(1, 1, 4, 0), []slotmodel.JobSpec{job(0, 1, 0, 9, 2), job(0, 1, 0, 1, 5)}, fair(true),
			"0:0m@0 0:1m@0 0:0m@0 0:0m@0 2:0m@0 2:0m@0 2:0m@0 4:0m@0 4:0m@0 4:0m@0 | 6 5"},
		// With shares of a half from 3 s on, and of a third from 7 s on, the order is made at 4 s, when job 1 has come, and at 8 s, when job 2
		// has; then it stands.
		{"an order that stands", nodes(1, 1, 1, 0), []slotmodel.JobSpec{job(0, 1, 0, 5, 2), job(0, 1, 3, 3, 2), job(0, 1, 7, 1, 2)}, &policy.Fair{Deficits: true, Update: 100},
			"0:0m@0 2:0m@0 4:1m@0 6:1m@0 8:0m@0 10:0m@0 12:0m@0 14:2m@0 16:1m@0 | 14 18 16"},
		// At 12 s it is made anew: job 2 is owed 5/3 s, job 1 has had 1/3 s too much and job 0 has had 4/3.
		{"an order that stands for 4 s", nodes(1, 1, 1, 0), []slotmodel.JobSpec{job(0, 1, 0, 5, 2), job(0, 1, 3, 3, 2), job(0, 1, 7, 1, 2)}, &policy.Fair{Deficits: true, Update: 4},
			"0:0m@0 2:0m@0 4:1m@0 6:1m@0 8:0m@0 10:0m@0 12:2m@0 14:1m@0 16:0m@0 | 18 16 14"},
		// From 1 to 5 s there is one slot: half a slot each, so job 1, whose task was lost, is owed half a second at 2 s, and job 0 at 4 s.
		{"a slot that is lost", lost, []slotmodel.JobSpec{job(0, 1, 0, 4, 2), job(0, 1, 0, 4, 2)}, fair(true),
			"0:0m@0 0:1m@1 2:1m@0 4:0m@0 5:1m@1 6:0m@0 7:1m@1 8:0m@0 9:1m@1 | 10 11"},
	} {
		if got := starts(t, &slotmodel.Cluster{Nodes: c.nodes}, c.jobs, c.p); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// The deficits are those of the ledger, and each walk has all jobs with a task to start in their order.
func TestFairDeficits(t *testing.T) {
	const runs = 250
	longest, needy, apart := 0, 0, 0
	draw := rapid.Custom(func(t *rapid.T) func(testing.TB) {
		c := drawCluster(t)
		jobs := drawJobs(t, len(c.Nodes))
		f := &policy.Fair{Deficits: true}
		if rapid.Bool().Draw(t, "pools") {
			f.PoolOf = policy.ByUser
			f.Pools = make([]policy.Pool, rapid.IntRange(0, 3).Draw(t, "configured"))
			for i := range f.Pools {
				f.Pools[i] = policy.Pool{Weight: float64(rapid.IntRange(0, 3).Draw(t, "weight")),
					MinMaps: rapid.IntRange(0, 4).Draw(t, "min maps"), MinReduces: rapid.IntRange(0, 2).Draw(t, "min reduces")}
			}
		}
		if rapid.Bool().Draw(t, "weights") {
			f.WeightOf = func(s *slotmodel.JobSpec) float64 { return float64(1 + s.Maps.Tasks%3) }
		}
		overtake := rapid.Bool().Draw(t, "overtake")
		return func(t testing.TB) {
			l := &ledger{fair: f}
			check := func(v *slotmodel.View, k slotmodel.Kind, walk []slotmodel.Job) {
				longest = max(longest, len(walk))
				if got, want := len(walk), len(runnable(v, k)); got != want {
					t.Fatalf("at %v s the walk is %v, want each of the %d jobs with a %v to start", v.Now(), walk, want, k)
				}
				// Shares by bisection are right to a few units in the last place of the slots, at most 24, and no event comes after 100 s.
				const tolerance = 24 * 100 * 0x1p-45
				for i, j := range walk {
					if got, want := f.Deficit(v, j, k), l.owed[k][j]; !(math.Abs(got-want) <= tolerance) {
						t.Fatalf("at %v s Deficit(%d, %v) = %v, want %v", v.Now(), j, k, got, want)
					}
					if i == 0 {
						continue
					}
					h := walk[i-1]
					if l.need[k][h] != l.need[k][j] {
						needy++
						if l.need[k][j] {
							t.Fatalf("at %v s the walk %v has job %d, whose pool is below its minimum share, after job %d, whose is not", v.Now(), walk, j, h)
						}
						continue
					}
					if l.owed[k][j] > l.owed[k][h]+tolerance {
						t.Fatalf("at %v s the walk %v has job %d with a deficit of %v after job %d with %v", v.Now(), walk, j, l.owed[k][j], h, l.owed[k][h])
					}
					if l.owed[k][h] > l.owed[k][j]+tolerance {
						apart++
					}
				}
			}
			p := &observed{policy.Greedy{Inner: &spy{Ranker: f, check: check}, Overtake: overtake}, l}
			if _, err := slotmodel.Run(c, jobs, p, slotmodel.Options{}); err != nil {
				t.Fatalf("Run failed: %v", err)
			}
		}
	})
	for seed := range runs {
		draw.Example(seed)(t)
	}
	if longest < 5 || needy < 100 || apart < 1000 {
		t.Errorf("the longest walk has %d jobs, %d pairs are parted by minimum shares, %d by deficits: want 5, 100 and 1000", longest, needy, apart)
	}
}

// Jobs that want more than there is get what they are entitled to, whatever their tasks take: less than (n-1) S times the longest task is
// missing at any time, and nobody is ahead by more than S times that. The accounts are those of the model.
func TestFairDeficitsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "jobs")
		slots := rapid.IntRange(1, 8).Draw(t, "slots")
		jobs := make([]slotmodel.JobSpec, n)
		weights := make([]float64, n)
		longest := 0.0
		for j := range jobs {
			jobs[j] = maps(0, endless, .125+drawWork(t, "work"))
			jobs[j].User = j
			weights[j] = float64(rapid.IntRange(1, 4).Draw(t, "weight"))
			jobs[j].Priority = weights[j]
			longest = max(longest, jobs[j].Maps.Work)
		}
		until := float64(rapid.IntRange(1, 100).Draw(t, "until"))
		c := &slotmodel.Cluster{Nodes: nodes(1, 1, slots, 0)}
		res, err := slotmodel.Run(c, jobs, &policy.Fair{Deficits: true, WeightOf: priority}, slotmodel.Options{Until: until, Entitlements: weights})
		if err != nil {
			t.Fatal(err)
		}
		rounding := 1e-12 * until * float64(slots) // of sums of at most some thousand terms
		for u, x := range res.Users {
			owed := x.Entitled*float64(slots) - x.SlotSeconds[slotmodel.Map]
			if most := float64((n-1)*slots) * longest; owed > most+rounding || owed < -float64(slots)*longest-rounding {
				t.Fatalf("job %d of %d on %d slots, tasks of at most %v s: after %v s it is owed %v slot-seconds, want within [%v, %v]",
					u, n, slots, longest, until, owed, -float64(slots)*longest, most)
			}
		}
	})
}

// With one slot the form without memory never serves the second job; deficits share the slot in time.
func TestFairDeficitsLongRun(t *testing.T) {
	jobs := []slotmodel.JobSpec{maps(0, 1000, 7), maps(0, 10000, 1), maps(0, 10000, .5)}
	for j := range jobs {
		jobs[j].User = j
	}
	c := &slotmodel.Cluster{Nodes: nodes(1, 1, 1, 0)}
	for _, x := range []struct {
		p    slotmodel.Policy
		want [3]float64
	}{{new(policy.Fair), [3]float64{3000, 0, 0}}, {&policy.Fair{Deficits: true}, [3]float64{1000, 1000, 1000}}} {
		res, err := slotmodel.Run(c, jobs, x.p, slotmodel.Options{Until: 3000})
		if err != nil {
			t.Fatal(err)
		}
		for u, want := range x.want {
			if got := res.Users[u].SlotSeconds[slotmodel.Map]; !(math.Abs(got-want) <= 14) { // twice the longest task
				t.Errorf("%+v: job %d has had %v of 3000 s, want %v to 14", x.p, u, got, want)
			}
		}
	}
}

// Where nobody ever lacks anything the two forms are one: equal tasks, as many slots for each job.
func TestFairDeficitsAgree(t *testing.T) {
	for n := 1; n <= 5; n++ {
		jobs := make([]slotmodel.JobSpec, n)
		for j := range jobs {
			jobs[j] = maps(0, 24, 3)
		}
		c := &slotmodel.Cluster{Nodes: nodes(2, 2, 2*n, 0)}
		with, without := starts(t, c, jobs, &policy.Fair{Deficits: true}), starts(t, c, jobs, new(policy.Fair))
		if with != without {
			t.Errorf("%d jobs with equal tasks on %d slots:\nwith deficits %s\nwithout       %s", n, 4*n, with, without)
		}
	}
}

// Little's law holds to rounding, no slot is idle while a task waits, times scale, and an order that stands for a while is another, but
// serves on average alike.
func TestFairDeficitsRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	var jobs []slotmodel.JobSpec
	at := 0.0
	for range 600 {
		at += .7 * r.ExpFloat64()
		j := maps(at, 1+r.IntN(12), math.Ldexp(1+r.Float64(), r.IntN(4)-1))
		j.User = r.IntN(4)
		jobs = append(jobs, j)
	}
	c := &slotmodel.Cluster{Nodes: nodes(4, 2, 5, 0)}
	run := func(jobs []slotmodel.JobSpec, update float64) *slotmodel.Result {
		f := &policy.Fair{Deficits: true, PoolOf: policy.ByUser, Pools: []policy.Pool{{MinMaps: 3}, {Weight: 2}}, Update: update}
		idle := func(v *slotmodel.View) {
			if v.FreeSlots(slotmodel.Map) > 0 && v.NextRunnable(slotmodel.Map, slotmodel.None) != slotmodel.None {
				t.Fatalf("at %v s %d slots are free while tasks wait", v.Now(), v.FreeSlots(slotmodel.Map))
			}
		}
		res, err := slotmodel.Run(c, jobs, &after{f, nil, idle}, slotmodel.Options{Hash: true})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, s := range res.Sojourns(nil) {
			sum += s
		}
		if len(res.Sojourns(nil)) != len(jobs) || !(math.Abs(sum-res.Totals.Load) <= 1e-12*sum*float64(len(jobs))) {
			t.Errorf("%d of %d jobs have sojourns that add up to %v, the integral of the load is %v", len(res.Sojourns(nil)), len(jobs), sum, res.Totals.Load)
		}
		return res
	}
	exact, late := run(jobs, 0), run(jobs, .5)
	if again := run(jobs, 0); again.Hash != exact.Hash {
		t.Error("two runs have different events")
	}
	if a, b := exact.Totals.Load, late.Totals.Load; exact.Hash == late.Hash || math.Abs(a-b) > a/10 {
		t.Errorf("loads with Update 0 and 0.5: %v and %v, want them different, by less than a tenth", a, b)
	}
	scaled := append([]slotmodel.JobSpec(nil), jobs...)
	for j := range scaled {
		scaled[j].Arrival *= 4
		scaled[j].Maps.Work *= 4
	}
	for j, x := range run(scaled, 2).Jobs {
		if want := 4 * late.Jobs[j].Finish; x.Finish != want {
			t.Fatalf("with all times fourfold job %d finishes at %v, want %v", j, x.Finish, want)
		}
	}
}
