package malleable_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// leastMakespan is the least time that any schedule takes which never interrupts a job: each job in
// turn, in every order that respects the arcs, on the machine that is free first.
func leastMakespan(machines int, work []float64, arcs [][2]int) float64 {
	n, best := len(work), math.Inf(1)
	end, placed, free := make([]float64, n), make([]bool, n), make([]float64, machines)
	var place func(left int, makespan float64)
	place = func(left int, makespan float64) {
		if makespan >= best {
			return
		}
		if left == 0 {
			best = makespan
			return
		}
		for j := range n {
			ready, start := !placed[j], 0.
			for _, a := range arcs {
				if a[1] == j {
					ready, start = ready && placed[a[0]], max(start, end[a[0]])
				}
			}
			if !ready {
				continue
			}
			first := slices.Index(free, slices.Min(free))
			was := free[first]
			end[j] = max(start, was) + work[j]
			placed[j], free[first] = true, end[j]
			place(left-1, max(makespan, end[j]))
			placed[j], free[first] = false, was
		}
	}
	place(n, 0)
	return best
}

// By critical paths jobs of one machine each take at most 2 - 1/m times the least time of any
// schedule without interruptions (Graham 1969), and the least if all works are 1 and nobody has
// two successors (Hu 1961).
func TestCriticalPath(t *testing.T) {
	for _, hu := range []bool{false, true} {
		rapid.Check(t, func(r *rapid.T) {
			n, machines := rapid.IntRange(1, 8).Draw(r, "jobs"), rapid.IntRange(1, 4).Draw(r, "machines")
			work, jobs := make([]float64, n), make([]malleable.Job, n)
			var arcs [][2]int
			for j := range n {
				work[j] = 1
				if !hu {
					work[j] = float64(rapid.IntRange(0, 9).Draw(r, "work"))
				}
				jobs[j] = malleable.Job{Work: work[j], Max: 1}
				for k := j + 1; k < n; k++ {
					if rapid.IntRange(0, 2).Draw(r, "arc") == 0 {
						arcs = append(arcs, [2]int{j, k})
						if hu {
							break
						}
					}
				}
			}
			g, err := precedence.NewGraph(n, arcs)
			expect.Must(r, err)
			tails, err := precedence.Tails(nil, g, work)
			expect.Must(r, err)
			priority := g.Topological(nil)
			slices.SortStableFunc(priority, func(a, b int) int { return cmp.Compare(tails[b], tails[a]) })
			s, err := malleable.Pack(machines, jobs, g, priority)
			expect.Must(r, err)
			expect.Must(r, malleable.Verify(machines, jobs, g, s))
			limits, err := malleable.Bounds(machines, jobs, g, priority)
			expect.Must(r, err)
			got, least := s.Makespan(), leastMakespan(machines, work, arcs)
			factor := 2 - 1/float64(machines)
			if hu {
				factor = 1
			}
			if !(got <= factor*least*(1+1e-9)) || !(limits.Makespan <= least*(1+1e-9)) {
				r.Fatalf("%d machines, works %v, arcs %v: %v by critical paths and at least %v by Bounds, want at most %v times %v",
					machines, work, arcs, got, limits.Makespan, factor, least)
			}
		})
	}
}

// Graham's bound is met where small jobs with a long path after them come last by number, and not by
// critical paths.
func TestCriticalPathBeatsNumbers(t *testing.T) {
	const machines = 4
	var jobs []malleable.Job
	for range machines * (machines - 1) {
		jobs = append(jobs, malleable.Job{Work: 1, Max: 1})
	}
	jobs = append(jobs, malleable.Job{Work: machines, Max: 1})
	work, numbers := make([]float64, len(jobs)), make([]int, len(jobs))
	for j := range jobs {
		work[j], numbers[j] = jobs[j].Work, j
	}
	tails, err := precedence.Tails(nil, nil, work)
	expect.Must(t, err)
	paths := slices.Clone(numbers)
	slices.SortStableFunc(paths, func(a, b int) int { return cmp.Compare(tails[b], tails[a]) })
	for _, c := range []struct {
		priority []int
		want     float64
	}{{numbers, 2*machines - 1}, {paths, machines}} {
		s, err := malleable.Pack(machines, jobs, nil, c.priority)
		expect.Must(t, err)
		if got := s.Makespan(); got != c.want {
			t.Errorf("by %v: %v, want %v", c.priority, got, c.want)
		}
	}
}
