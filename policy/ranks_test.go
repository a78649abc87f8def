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

// srptOrder sorts the jobs that can start a task by the work of the tasks that wait or run.
func srptOrder(v *slotmodel.View, k slotmodel.Kind) []slotmodel.Job {
	jobs := policytest.Runnable(v, k)
	slices.SortStableFunc(jobs, func(a, b slotmodel.Job) int {
		return cmp.Compare(workOfTasks(v, a, k), workOfTasks(v, b, k))
	})
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
	rapid.Check(t, property)
	longest = 0
	policytest.Counted(t, 200, property)
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

func TestOrders(t *testing.T) {
	for ranker, sorted := range map[policy.Ranker]func(*slotmodel.View, slotmodel.Kind) []slotmodel.Job{new(policy.SRPT): srptOrder, new(policy.ByArrival): policytest.Runnable} {
		checkWalks(t, func(*rapid.T) (policy.Ranker, func(*slotmodel.View, slotmodel.Kind) []slotmodel.Job) {
			return ranker, sorted
		})
	}
}
