package malleable_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/orders"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

var must = expect.Must

// exactInterval is an interval between changes in exact arithmetic; slots lists every job, also
// those with none.
type exactInterval struct {
	start, end *big.Rat
	slots      []int
}

// exactPack is the packing by its definition, in rational arithmetic: at each completion all is
// shared anew from nothing. Works are taken as the thirds that the cases are made of. With steps
// a job holds one of them or nothing, and its Min and Max must be among them. It returns nil
// completion times if minima of ready jobs exceed the slots, and the time of that.
func exactPack(slots int, jobs []malleable.Job, arcs [][2]int, priority []int, steps ...int) (completion []*big.Rat, intervals []exactInterval, at *big.Rat) {
	n := len(jobs)
	completion = make([]*big.Rat, n)
	left := make([]*big.Rat, n)
	for j := range left {
		left[j] = big.NewRat(int64(math.Round(3*jobs[j].Work)), 3)
	}
	ready := func(j int) bool {
		return completion[j] == nil && !slices.ContainsFunc(arcs, func(a [2]int) bool { return a[1] == j && completion[a[0]] == nil })
	}
	now := new(big.Rat)
	for {
		for again := true; again; {
			again = false
			for j := range jobs {
				if left[j].Sign() == 0 && ready(j) {
					completion[j], again = now, true
				}
			}
		}
		alloc := make([]int, n)
		slack, some := slots, false
		for _, j := range priority {
			if ready(j) {
				some = true
				alloc[j] = jobs[j].Min
				slack -= jobs[j].Min
			}
		}
		if !some {
			return completion, intervals, now
		}
		if slack < 0 {
			return nil, nil, now
		}
		for _, j := range priority {
			if ready(j) {
				most := jobs[j].Max
				if most == 0 || most > slots {
					most = slots
				}
				give := min(slack, most-alloc[j])
				if steps != nil {
					best := 0
					for _, s := range steps {
						if s <= alloc[j]+give {
							best = s
						}
					}
					give = best - alloc[j]
				}
				alloc[j] += give
				slack -= give
			}
		}
		var step *big.Rat
		for j, a := range alloc {
			if a > 0 {
				d := new(big.Rat).Quo(left[j], big.NewRat(int64(a), 1))
				if step == nil || d.Cmp(step) < 0 {
					step = d
				}
			}
		}
		next := new(big.Rat).Add(now, step)
		intervals = append(intervals, exactInterval{now, next, alloc})
		for j, a := range alloc {
			left[j].Sub(left[j], new(big.Rat).Mul(step, big.NewRat(int64(a), 1)))
		}
		now = next
	}
}

func float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// near allows for the tie rule of the package, 2^-40 of the clock, on a chain of roundings.
func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 0x1p-38*max(math.Abs(a), math.Abs(b)) }

// instance is one random problem.
type instance struct {
	slots    int
	jobs     []malleable.Job
	arcs     [][2]int
	priority []int // topological
}

func (in *instance) graph(t testing.TB) *precedence.Graph {
	t.Helper()
	if in.arcs == nil {
		return nil
	}
	g, err := precedence.NewGraph(len(in.jobs), in.arcs)
	if err != nil {
		t.Fatalf("NewGraph(%d, %v): %v", len(in.jobs), in.arcs, err)
	}
	return g
}

// randomInstance draws jobs, no graph or one of any kind, and a random topological priority.
func randomInstance(r *rand.Rand, minima bool) instance {
	in := instance{slots: 1 + r.IntN(8)}
	n := 1 + r.IntN(9)
	for range n {
		job := malleable.Job{Work: float64(r.IntN(8)), Max: r.IntN(in.slots + 3)}
		if r.IntN(3) == 0 {
			job.Work /= 3
		}
		if minima && r.IntN(2) == 0 {
			job.Min = r.IntN(in.slots*3/4 + 1)
			if job.Max > 0 {
				job.Min = min(job.Min, job.Max)
			}
		}
		in.jobs = append(in.jobs, job)
	}
	if r.IntN(5) > 0 {
		in.arcs = append([][2]int{}, orders.Draw(r, pick(r, orders.Kinds), n)...)
	}
	before, placed := orders.Ancestors(n, in.arcs), uint64(0)
	for len(in.priority) < n {
		if j := r.IntN(n); placed>>j&1 == 0 && before[j]&^placed == 0 {
			placed |= 1 << j
			in.priority = append(in.priority, j)
		}
	}
	return in
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6d616c6c)) }
