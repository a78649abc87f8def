package policy_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// fairOrder sorts the jobs that can start a task as Fair's doc says, from nothing but the View.
// Ratios are compared as products, which are exact for the small numbers and weights drawn here.
func fairOrder(f *policy.Fair, v *slotmodel.View, k slotmodel.Kind) []slotmodel.Job {
	type pool struct {
		turn            int
		weight, minimum float64
		running         float64
	}
	pools := map[int]*pool{}
	poolOf := func(j slotmodel.Job) *pool {
		n := 0
		if f.PoolOf != nil {
			n = f.PoolOf(v.Spec(j))
		}
		if pools[n] == nil {
			p := &pool{turn: len(pools), weight: 1}
			if n >= 0 && n < len(f.Pools) {
				p.minimum = float64([]int{f.Pools[n].MinMaps, f.Pools[n].MinReduces}[k])
				p.weight = cmp.Or(f.Pools[n].Weight, 1)
			}
			pools[n] = p
		}
		return pools[n]
	}
	turn := make([]int, v.Jobs())
	for i, j := range policytest.ByArrival(v) {
		turn[j] = i
		poolOf(j).running += float64(v.Count(j, k).Running)
	}
	weight := func(j slotmodel.Job) float64 {
		if f.WeightOf == nil {
			return 1
		}
		return f.WeightOf(v.Spec(j))
	}
	jobs := policytest.Runnable(v, k)
	slices.SortFunc(jobs, func(i, j slotmodel.Job) int {
		p, q := poolOf(i), poolOf(j)
		if p != q {
			needs := func(p *pool) bool { return p.running < p.minimum }
			switch {
			case needs(p) && !needs(q):
				return -1
			case needs(q) && !needs(p):
				return 1
			case needs(p):
				return cmp.Or(cmp.Compare(p.running*q.minimum, q.running*p.minimum), cmp.Compare(p.turn, q.turn))
			}
			return cmp.Or(cmp.Compare(p.running*q.weight, q.running*p.weight), cmp.Compare(p.turn, q.turn))
		}
		a, b := float64(v.Count(i, k).Running), float64(v.Count(j, k).Running)
		return cmp.Or(cmp.Compare(a*weight(j), b*weight(i)), cmp.Compare(turn[i], turn[j]))
	})
	return jobs
}

// srptOrder sorts the jobs that can start a task by the work left, which it adds up anew from
// the tasks that wait or run.
func srptOrder(v *slotmodel.View, k slotmodel.Kind) []slotmodel.Job {
	first := make([]int, v.Jobs())
	for j, n := 0, 0; j < v.Jobs(); j++ {
		first[j] = n
		n += v.Spec(slotmodel.Job(j)).Maps.Tasks + v.Spec(slotmodel.Job(j)).Reduces.Tasks
	}
	left := func(j slotmodel.Job) float64 {
		sum := 0.0
		for _, kind := range []slotmodel.Kind{slotmodel.Map, slotmodel.Reduce} {
			phase, base := &v.Spec(j).Maps, first[j]
			if kind == slotmodel.Reduce {
				phase, base = &v.Spec(j).Reduces, base+phase.Tasks
			}
			for t := v.NextPending(j, kind, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, kind, t) {
				sum += phase.Of(int(t) - base)
			}
			for a := v.Newest(j, kind); a != slotmodel.None; a = v.Older(a) {
				sum += phase.Of(int(v.Attempt(a).Task) - base)
			}
		}
		return sum
	}
	jobs := policytest.Runnable(v, k)
	slices.SortStableFunc(jobs, func(a, b slotmodel.Job) int { return cmp.Compare(left(a), left(b)) })
	return jobs
}

// checkWalks runs random workloads and compares each walk, at every start, with a sort.
func checkWalks(t *testing.T, draw func(t *rapid.T) (policy.Ranker, func(*slotmodel.View, slotmodel.Kind) []slotmodel.Job)) {
	longest := 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		ranker, sorted := draw(t)
		p := &policy.Greedy{Overtake: rapid.Bool().Draw(t, "overtake")}
		p.Inner = &policytest.Spy{Ranker: ranker, Check: func(v *slotmodel.View, k slotmodel.Kind, walk []slotmodel.Job) {
			longest = max(longest, len(walk))
			if want := sorted(v, k); !slices.Equal(walk, want) {
				t.Fatalf("at %v s the walk of %T over the jobs with a %v to start is %v, want %v", v.Now(), ranker, k, walk, want)
			}
		}}
		if _, err := slotmodel.Run(c, jobs, p, slotmodel.Options{}); err != nil {
			t.Fatalf("Run failed: %v", err)
		}
	}
	policytest.CheckOften(t, property)
	longest = 0
	policytest.Counted(200, property)
	if longest < 5 {
		t.Errorf("the longest walk had %d jobs, want 5: the workloads test nothing", longest)
	}
}

func TestFairOrder(t *testing.T) {
	checkWalks(t, func(t *rapid.T) (policy.Ranker, func(*slotmodel.View, slotmodel.Kind) []slotmodel.Job) {
		f := &policy.Fair{}
		if rapid.Bool().Draw(t, "pools") {
			f.PoolOf = policy.ByUser
			f.Pools = make([]policy.Pool, rapid.IntRange(0, 3).Draw(t, "configured"))
			for i := range f.Pools {
				f.Pools[i] = policy.Pool{
					Weight:     float64(rapid.IntRange(0, 3).Draw(t, "weight")),
					MinMaps:    rapid.IntRange(0, 4).Draw(t, "min maps"),
					MinReduces: rapid.IntRange(0, 2).Draw(t, "min reduces"),
				}
			}
		}
		if rapid.Bool().Draw(t, "weights") {
			f.WeightOf = func(s *slotmodel.JobSpec) float64 { return float64(1 + s.Maps.Tasks%3) }
		}
		return f, func(v *slotmodel.View, k slotmodel.Kind) []slotmodel.Job { return fairOrder(f, v, k) }
	})
}

func TestSRPTOrder(t *testing.T) {
	checkWalks(t, func(t *rapid.T) (policy.Ranker, func(*slotmodel.View, slotmodel.Kind) []slotmodel.Job) {
		return new(policy.SRPT), srptOrder
	})
}

func TestArrivalOrder(t *testing.T) {
	checkWalks(t, func(t *rapid.T) (policy.Ranker, func(*slotmodel.View, slotmodel.Kind) []slotmodel.Job) {
		return new(policy.ByArrival), policytest.Runnable
	})
}

// A thousand jobs that wait, walked to the end: the heaps have several levels.
func TestLongWalks(t *testing.T) {
	jobs := make([]slotmodel.JobSpec, 1000)
	for i := range jobs {
		jobs[i] = policytest.Maps(float64(i%7), 1+i*i%5, float64(i*i%64)/8)
		jobs[i].User = i % 11
	}
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(5, 5, 10, 0)}
	fair, pooled := new(policy.Fair), &policy.Fair{PoolOf: policy.ByUser}
	for _, p := range []struct {
		ranker policy.Ranker
		sorted func(*slotmodel.View, slotmodel.Kind) []slotmodel.Job
	}{
		{fair, func(v *slotmodel.View, k slotmodel.Kind) []slotmodel.Job { return fairOrder(fair, v, k) }},
		{pooled, func(v *slotmodel.View, k slotmodel.Kind) []slotmodel.Job { return fairOrder(pooled, v, k) }},
		{new(policy.SRPT), srptOrder},
	} {
		walks := 0
		check := func(v *slotmodel.View, k slotmodel.Kind, walk []slotmodel.Job) {
			if walks++; walks%97 == 0 {
				if want := p.sorted(v, k); !slices.Equal(walk, want) {
					t.Fatalf("at %v s the walk of %T is %v, want %v", v.Now(), p.ranker, walk, want)
				}
			}
		}
		if _, err := slotmodel.Run(c, jobs, &policy.Greedy{Inner: &policytest.Spy{Ranker: p.ranker, Check: check}}, slotmodel.Options{}); err != nil {
			t.Fatalf("Run failed: %v", err)
		}
		if walks < 2000 {
			t.Errorf("%T: %d walks, want at least one for each of some 3,000 tasks", p.ranker, walks)
		}
	}
}
