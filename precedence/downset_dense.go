package precedence

import (
	"math/bits"

	"github.com/schedmath/schedmath/internal/dd"
)

// dense runs the programme over all m vectors of the partition in ascending number, so that each comes after those that it needs.
func (p *problem) dense(c *partition, m int) []int {
	d := newDense(p, c)
	value := make([]float64, m)
	for s := 1; s < m; s++ {
		d.next()
		value[s], _ = d.best(value, s)
	}
	// The way back takes the same minima again.
	order := make([]int, len(p.work))
	for s, place := m-1, len(order)-1; place >= 0; place-- {
		d.set(s)
		_, chain := d.best(value, s)
		order[place] = int(d.jobs[chain][d.count[chain]-1])
		s -= d.stride[chain]
	}
	return order
}

// A dense is the place of the programme among the vectors: an odometer whose first wheel turns fastest.
type dense struct {
	*problem
	jobs   [][]int32
	needs  [][]need
	stride []int
	count  []int32
	time   []dd.T   // time[i]: the work done in chains i and above
	sums   [][]dd.T // sums[i][k]: the work of the first k jobs of chain i
	free   bool     // no arcs between the chains
	single bool     // free, and all chains of one job: the number is the set
	signed bool     // some penalty is negative
}

func newDense(p *problem, c *partition) *dense {
	k := len(c.chains)
	d := &dense{problem: p, jobs: c.chains, needs: c.needs, stride: make([]int, k), count: make([]int32, k),
		time: make([]dd.T, k+1), sums: make([][]dd.T, k), free: true, single: true}
	s := 1
	for i, jobs := range c.chains {
		d.stride[i] = s
		s *= len(jobs) + 1
		d.sums[i] = make([]dd.T, len(jobs)+1)
		for l, j := range jobs {
			d.sums[i][l+1] = d.sums[i][l].AddFloat(p.work[j])
			d.free = d.free && len(c.needs[j]) == 0
		}
		d.single = d.single && len(jobs) == 1
	}
	d.single = d.single && d.free
	for j := range d.cost {
		d.signed = d.signed || d.cost[j].at(0) < 0
	}
	return d
}

// next steps to the next vector.
func (d *dense) next() {
	i := 0
	for int(d.count[i]) == len(d.jobs[i]) {
		d.count[i] = 0
		i++
	}
	d.count[i]++
	t := d.time[i+1].Add(d.sums[i][d.count[i]])
	for ; i >= 0; i-- {
		d.time[i] = t
	}
}

// set goes to vector s, with the same sums as next.
func (d *dense) set(s int) {
	for i := len(d.jobs) - 1; i >= 0; i-- {
		d.count[i] = int32(s / d.stride[i])
		s %= d.stride[i]
		d.time[i] = d.time[i+1].Add(d.sums[i][d.count[i]])
	}
}

// best returns the value of vector s, where the odometer stands, and the chain whose job is last; +Inf for what is no down-set.
func (d *dense) best(value []float64, s int) (float64, int) {
	t := d.time[0].Hi
	least, chain := posInf, -1
	if d.single {
		for set := uint32(s); set != 0; set &= set - 1 {
			i := bits.TrailingZeros32(set)
			before := value[s-1<<i]
			if before >= least && !d.signed {
				continue
			}
			if v := before + d.cost[d.jobs[i][0]].at(t); v < least {
				least, chain = v, i
			}
		}
		return least, chain
	}
	for i, k := range d.count {
		if k == 0 {
			continue
		}
		before := value[s-d.stride[i]]
		if before >= least && !d.signed {
			continue
		}
		j := d.jobs[i][k-1]
		if !d.free && (before == posInf || !d.ready(j)) {
			continue
		}
		if v := before + d.cost[j].at(t); v < least {
			least, chain = v, i
		}
	}
	return least, chain
}

// ready says whether the jobs that j needs are done.
func (d *dense) ready(j int32) bool {
	for _, x := range d.needs[j] {
		if d.count[x.chain] < x.count {
			return false
		}
	}
	return true
}
