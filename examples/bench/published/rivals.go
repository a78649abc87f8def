package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// The rivals are short and share no code with the library. Each has a budget of time, and a seed of
// its own that never changes.

// dynasearch is iterated dynasearch for weighted tardiness without arcs (Congram, Potts, van de
// Velde, INFORMS Journal on Computing 14, 2002): each step carries out the best set of swaps that
// are independent, found by dynamic programming over the places; from each local optimum the search
// goes on after six random swaps of neighbours. Swaps span at most 50 places.
func dynasearch(w weighted, end time.Time) float64 {
	const span, kicks, patience = 50, 6, 100
	n := len(w.work)
	random := rand.New(rand.NewPCG(1, 1))
	order := apparentTardiness(w)
	best, value := slices.Clone(order), w.tardiness(order)
	least := value
	gain, from := make([]float64, n+1), make([]int, n+1)
	finish := make([]float64, n+1) // of the first k jobs
	late := func(j int, t float64) float64 { return w.weight[j] * max(0, t-w.due[j]) }
	for idle := 0; least > 0 && time.Now().Before(end); {
		for k, j := range order {
			finish[k+1] = finish[k] + w.work[j]
		}
		// gain[k] is the most that swaps among the first k places gain, from[k] the first place of
		// the swap that ends there, or k.
		for k := 1; k <= n; k++ {
			gain[k], from[k] = gain[k-1], k
			b := order[k-1]
			for i := k - 2; i >= max(0, k-1-span); i-- {
				a := order[i]
				change := w.work[b] - w.work[a]
				g := gain[i] + late(a, finish[i+1]) + late(b, finish[k]) - late(b, finish[i]+w.work[b]) - late(a, finish[k])
				for j := i + 1; j < k-1; j++ {
					g += late(order[j], finish[j+1]) - late(order[j], finish[j+1]+change)
				}
				if g > gain[k]+1e-9 {
					gain[k], from[k] = g, i
				}
			}
		}
		if gain[n] > 0 {
			for k := n; k > 0; {
				if i := from[k]; i < k {
					order[i], order[k-1] = order[k-1], order[i]
					k = i
				} else {
					k--
				}
			}
			continue
		}
		now := w.tardiness(order)
		least = min(least, now)
		if now <= value {
			value = now
			copy(best, order)
			idle = 0
		} else if idle++; idle >= patience {
			value, idle = now, 0 // stuck: go on from here
			copy(best, order)
		}
		copy(order, best)
		for range kicks {
			i := random.IntN(n - 1)
			order[i], order[i+1] = order[i+1], order[i]
		}
	}
	return least
}

// tardiness is the value of an order.
func (w weighted) tardiness(order []int) (sum float64) {
	t := 0.0
	for _, j := range order {
		t += w.work[j]
		sum += w.weight[j] * max(0, t-w.due[j])
	}
	return sum
}

// apparentTardiness is the order of the dispatch rule ATC (Vepsalainen, Morton, Management Science
// 33, 1987) with a look-ahead of two mean works.
func apparentTardiness(w weighted) []int {
	left, t, mean := make([]int, len(w.work)), 0.0, 0.0
	for j := range left {
		left[j] = j
		mean += w.work[j] / float64(len(left))
	}
	var order []int
	for len(left) > 0 {
		index := func(j int) float64 {
			return w.weight[j] / w.work[j] * math.Exp(-max(0, w.due[j]-w.work[j]-t)/(2*mean))
		}
		next := 0
		for i, j := range left {
			if index(j) > index(left[next]) {
				next = i
			}
		}
		t += w.work[left[next]]
		order = append(order, left[next])
		left = slices.Delete(left, next, next+1)
	}
	return order
}

// anneal is simulated annealing for weighted tardiness with arcs: a job moves to another place up
// to 100 places away if it passes no predecessor or successor. The temperature falls with time from
// .3 of the mean cost of a job to a thousandth of that.
func anneal(w weighted, end time.Time) float64 {
	const reach = 100
	n := len(w.work)
	random := rand.New(rand.NewPCG(2, 2))
	order := w.bySmith()
	arc := map[[2]int]bool{}
	for _, a := range w.arcs {
		arc[a] = true
	}
	finish := make([]float64, n+1)
	recompute := func() {
		for k, j := range order {
			finish[k+1] = finish[k] + w.work[j]
		}
	}
	recompute()
	late := func(j int, t float64) float64 { return w.weight[j] * max(0, t-w.due[j]) }
	value := w.tardiness(order)
	least, first := value, .3*value/float64(n)
	start := time.Now()
	span := end.Sub(start).Seconds()
	temperature := first
	for step := 0; n > 1 && least > 0; step++ {
		if step%64 == 0 {
			now := time.Now()
			if !now.Before(end) {
				break
			}
			temperature = first * math.Pow(1e-3, now.Sub(start).Seconds()/span)
		}
		i, k := random.IntN(n), 0
		for k = i; k == i; {
			k = min(n-1, max(0, i-reach+random.IntN(2*reach+1)))
		}
		j, side := order[i], 1
		if k < i {
			side = -1
		}
		// j goes from place i to place k, the jobs between one place towards i.
		change, legal := 0.0, true
		for l := i + side; l != k+side && legal; l += side {
			o := order[l]
			legal = !arc[[2]int{j, o}] && !arc[[2]int{o, j}]
			change += late(o, finish[l+1]-float64(side)*w.work[j]) - late(o, finish[l+1])
		}
		at := finish[k+1]
		if side < 0 {
			at = finish[k] + w.work[j]
		}
		change += late(j, at) - late(j, finish[i+1])
		if !legal || change > 0 && random.Float64() >= math.Exp(-change/temperature) {
			continue
		}
		order = slices.Insert(slices.Delete(order, i, i+1), k, j)
		for l := min(i, k); l <= max(i, k); l++ {
			finish[l+1] = finish[l] + w.work[order[l]]
		}
		value += change
		least = min(least, value)
	}
	return least
}

// bySmith is an order by weight per work, each job after its predecessors.
func (w weighted) bySmith() []int {
	n := len(w.work)
	waits, next := make([]int, n), make([][]int, n)
	for _, a := range w.arcs {
		waits[a[1]]++
		next[a[0]] = append(next[a[0]], a[1])
	}
	var ready, order []int
	for j := range n {
		if waits[j] == 0 {
			ready = append(ready, j)
		}
	}
	for len(ready) > 0 {
		j := slices.MaxFunc(ready, func(a, b int) int { return cmp.Compare(w.weight[a]*w.work[b], w.weight[b]*w.work[a]) })
		ready = slices.DeleteFunc(ready, func(k int) bool { return k == j })
		order = append(order, j)
		for _, k := range next[j] {
			if waits[k]--; waits[k] == 0 {
				ready = append(ready, k)
			}
		}
	}
	return order
}

// randomSwaps puts each work, from the largest down, on the machine with the least load; then it
// takes a random work of the fullest machine and swaps it for a random one, or for none, of another
// machine, if neither load then is above what the fullest had.
func randomSwaps(machines int, work []float64, end time.Time) float64 {
	random := rand.New(rand.NewPCG(3, 3))
	load, on := make([]float64, machines), make([][]float64, machines)
	for _, x := range slices.Backward(slices.Sorted(slices.Values(work))) {
		i := slices.Index(load, slices.Min(load))
		load[i] += x
		on[i] = append(on[i], x)
	}
	for step := 0; machines > 1; step++ {
		if step%64 == 0 && !time.Now().Before(end) {
			break
		}
		full := slices.Index(load, slices.Max(load))
		other := (full + 1 + random.IntN(machines-1)) % machines
		a := random.IntN(len(on[full]))
		b, change := random.IntN(len(on[other])+1), on[full][a]
		if b < len(on[other]) {
			change -= on[other][b]
		}
		if change < 0 || load[other]+change > load[full] {
			continue
		}
		if b < len(on[other]) {
			on[full][a], on[other][b] = on[other][b], on[full][a]
		} else {
			on[other] = append(on[other], on[full][a])
			on[full] = slices.Delete(on[full], a, a+1)
		}
		load[full] -= change
		load[other] += change
	}
	return slices.Max(load)
}
