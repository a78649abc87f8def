package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// recipes are sets drawn as those that others published were drawn.
func recipes() (list []set) {
	for _, n := range []int{100, 300, 1000} {
		list = append(list, set{fmt.Sprintf("weighted tardiness, %d jobs by the recipe of wt50", n), "iterated dynasearch", func() []instance { return potts(n) }})
	}
	return append(list,
		set{"weighted tardiness, 1000 jobs with arcs", "annealing", dags},
		set{"equal machines, recipe of Dell'Amico and Martello", "random swaps", dellAmico},
		set{"equal machines, recipe of França et al.", "random swaps", franca},
		set{"malleable jobs in four layers, makespan", "", layers},
		set{"malleable jobs with arcs, makespan, known: the bound", "", arcs})
}

// potts draws 125 instances of weighted tardiness as Potts and Van Wassenhove did (Operations
// Research 33, 1985): works 1 to 100, weights 1 to 10, due dates about P (1 - TF), where P is the
// sum of the works, over a range of RDD P, for TF and RDD of .2, .4, .6, .8 and 1.
func potts(n int) (list []instance) {
	random := rand.New(rand.NewPCG(4, uint64(n)))
	for i := range 125 {
		w := drawWeighted(random, n, .2*float64(1+i/25), .2*float64(1+i/5%5))
		list = append(list, w.instance(fmt.Sprint(i+1), math.NaN(), false))
	}
	return list
}

func drawWeighted(random *rand.Rand, n int, tf, rdd float64) weighted {
	w := weighted{work: make([]float64, n), weight: make([]float64, n), due: make([]float64, n)}
	sum := 0.0
	for j := range n {
		w.work[j], w.weight[j] = float64(1+random.IntN(100)), float64(1+random.IntN(10))
		sum += w.work[j]
	}
	low, high := math.Round(sum*(1-tf-rdd/2)), math.Round(sum*(1-tf+rdd/2))
	for j := range n {
		w.due[j] = low + float64(random.IntN(int(high-low)+1))
	}
	return w
}

// dags draws 50 instances as potts does, of 1,000 jobs, each after one or two of the jobs before it:
// of the 40 before it in every second instance, of all in the others.
func dags() (list []instance) {
	const n = 1000
	random := rand.New(rand.NewPCG(9, 9))
	for i := range 50 {
		w := drawWeighted(random, n, .2*float64(1+i/10), .2*float64(1+i/2%5))
		for j := 1; j < n; j++ {
			reach := min(j, [...]int{40, n}[i%2])
			for range 1 + random.IntN(2) {
				w.arcs = append(w.arcs, [2]int{j - 1 - random.IntN(reach), j})
			}
		}
		list = append(list, w.instance(fmt.Sprint(i+1), math.NaN(), false))
	}
	return list
}

// dellAmico draws 315 instances of jobs on equal machines as Dell'Amico and Martello did (ORSA
// Journal on Computing 7, 1995): uniform from 1, 20 or 50 to 100, or normal of mean 100 and
// deviation 50 or 20.
func dellAmico() (list []instance) {
	random := rand.New(rand.NewPCG(5, 5))
	for class := range 5 {
		draw := func() float64 {
			if class < 3 {
				low := [...]int{1, 20, 50}[class]
				return float64(low + random.IntN(101-low))
			}
			return max(1, math.Round(100+[...]float64{50, 20}[class-3]*random.NormFloat64()))
		}
		for _, m := range []int{3, 5, 10, 15} {
			for _, n := range []int{10, 25, 50, 100, 250, 500} {
				if n >= 2*m {
					list = append(list, drawMachines(m, n, 3, draw)...)
				}
			}
		}
	}
	return list
}

// franca draws 390 instances of jobs on equal machines as França, Gendreau, Laporte and Müller did
// (Computers and Operations Research 21, 1994): works uniform from 1 to 100, 1,000 or 10,000.
func franca() (list []instance) {
	random := rand.New(rand.NewPCG(6, 6))
	for _, most := range []int{100, 1000, 10000} {
		for _, m := range []int{5, 10, 25} {
			for _, n := range []int{10, 50, 100, 500, 1000} {
				if n > m {
					list = append(list, drawMachines(m, n, 10, func() float64 { return float64(1 + random.IntN(most)) })...)
				}
			}
		}
	}
	return list
}

func drawMachines(m, n, times int, draw func() float64) (list []instance) {
	for k := range times {
		e := equalMachines{Name: fmt.Sprintf("%d jobs on %d, %d", n, m, k+1), M: m, P: make([]float64, n)}
		for j := range e.P {
			e.P[j] = draw()
		}
		e.UB = math.NaN()
		list = append(list, e.instance())
	}
	return list
}

// layers draws 200 instances of malleable jobs in four layers, each job after all of the layer
// before. A layer takes the longer of all its work on all slots and its longest job.
func layers() (list []instance) {
	const slots, each = 8, 6
	random := rand.New(rand.NewPCG(7, 7))
	for i := range 200 {
		m, known := malleableJobs{}, 0.0
		for range 4 {
			first, work, longest := len(m.jobs), 0.0, 0.0
			for j := range each {
				job := malleable.Job{Work: float64(1 + random.IntN(20)), Max: 1 + random.IntN(slots/2)}
				m.jobs = append(m.jobs, job)
				work += job.Work
				longest = max(longest, job.Work/float64(job.Max))
				for k := max(0, first-each); k < first; k++ {
					m.arcs = append(m.arcs, [2]int{k, first + j})
				}
			}
			known += max(work/slots, longest)
		}
		list = append(list, instance{name: fmt.Sprint(i + 1), known: known, proven: true, solve: m.solver(slots)})
	}
	return list
}

// arcs draws 200 instances of 40 malleable jobs, each after some of the ten jobs before it.
func arcs() (list []instance) {
	const slots, n = 8, 40
	random := rand.New(rand.NewPCG(8, 8))
	for i := range 200 {
		var m malleableJobs
		for j := range n {
			m.jobs = append(m.jobs, malleable.Job{Work: float64(1 + random.IntN(20)), Max: 1 + random.IntN(slots/2)})
			for k := max(0, j-10); k < j; k++ {
				if random.IntN(7) == 0 {
					m.arcs = append(m.arcs, [2]int{k, j})
				}
			}
		}
		list = append(list, instance{name: fmt.Sprint(i + 1), known: m.bound(slots), solve: m.solver(slots)})
	}
	return list
}

type malleableJobs struct {
	jobs []malleable.Job
	arcs [][2]int
}

// bound is the longer of all work on all slots and the longest path. Arcs go to later jobs.
func (m malleableJobs) bound(slots float64) (least float64) {
	work, end := 0.0, make([]float64, len(m.jobs))
	for j, job := range m.jobs {
		for _, a := range m.arcs {
			if a[1] == j {
				end[j] = max(end[j], end[a[0]])
			}
		}
		end[j] += job.Work / float64(job.Max)
		work += job.Work
	}
	return max(work/slots, slices.Max(end))
}

func (m malleableJobs) solver(slots int) func() (answer, error) {
	return func() (answer, error) {
		g, err := precedence.NewGraph(len(m.jobs), m.arcs)
		if err != nil {
			return answer{}, err
		}
		obj, err := precedence.MaxResponse(len(m.jobs))
		if err != nil {
			return answer{}, err
		}
		_, r, err := malleable.Plan(slots, m.jobs, g, obj, malleable.PlanOptions{})
		return answer{r.Value, r.Bound, r.Exact}, err
	}
}
