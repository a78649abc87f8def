package precedence

import (
	"math/bits"

	"github.com/schedmath/schedmath/internal/dd"
)

// dense runs the programme over all m vectors of the partition in ascending number, so that each comes after those that it needs. It
// returns false if more than limit of them are down-sets.
func (p *problem) dense(c *partition, m, limit int) ([]int, bool) {
	d := newDense(p, c)
	value := make([]float64, m)
	if !d.free {
		for s := range value[1:] {
			value[s+1] = posInf
		}
	}
	states := 1
	for s := 1; s < m; s++ {
		d.next()
		if !d.free {
			s = d.skip(s)
		}
		v, _ := d.best(value, s)
		if value[s] = v; v < posInf {
			states++
		}
	}
	if states > limit {
		return nil, false
	}
	// The way back takes the same minima again.
	order := make([]int, len(p.work))
	for s, place := m-1, len(order)-1; place >= 0; place-- {
		d.set(s)
		_, chain := d.best(value, s)
		order[place] = int(d.jobs[chain][d.count[chain]-1])
		s -= d.stride[chain]
	}
	return order, true
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
	whole  bool     // sums of works are exact in one float64
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
	_, _, d.whole = wholeUnits(p.work)
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
	d.retime(i)
}

// retime sets the times of wheels i and below, where those below stand at 0.
func (d *dense) retime(i int) {
	t := d.sum(i)
	for ; i >= 0; i-- {
		d.time[i] = t
	}
}

// sum returns the work done in chains i and above.
func (d *dense) sum(i int) dd.T {
	if d.whole {
		return dd.T{Hi: d.time[i+1].Hi + d.sums[i][d.count[i]].Hi}
	}
	return d.time[i+1].Add(d.sums[i][d.count[i]])
}

// skip goes on from vector s to the next in which the last job done of each chain has what it needs, and returns its number. Where
// a slower wheel needs more of a faster one, that wheel turns; where a faster wheel needs more of a slower one, it is past its last.
func (d *dense) skip(s int) int {
wheels:
	for i := len(d.count) - 1; i >= 0; i-- {
		if d.count[i] == 0 {
			continue
		}
		for _, x := range d.needs[d.jobs[i][d.count[i]-1]] {
			w := int(x.chain)
			if d.count[w] >= x.count {
				continue
			}
			if w < i {
				for l := range w {
					s -= int(d.count[l]) * d.stride[l]
					d.count[l] = 0
				}
				s += int(x.count-d.count[w]) * d.stride[w]
				d.count[w] = x.count
				d.retime(w)
			} else {
				for l := range i + 1 {
					s += (len(d.jobs[l]) - int(d.count[l])) * d.stride[l]
					d.count[l] = int32(len(d.jobs[l]))
				}
				d.next()
				s++
			}
			i = len(d.count)
			continue wheels
		}
	}
	return s
}

// set goes to vector s, with the same sums as next.
func (d *dense) set(s int) {
	for i := len(d.jobs) - 1; i >= 0; i-- {
		d.count[i] = int32(s / d.stride[i])
		s %= d.stride[i]
		d.time[i] = d.sum(i)
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
		j := d.jobs[i][k-1]
		before := value[s-d.stride[i]]
		if before >= least && !d.signed || before == posInf {
			continue
		}
		if v := before + d.cost[j].at(t); v < least {
			least, chain = v, i
		}
	}
	return least, chain
}
