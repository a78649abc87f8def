package partition

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// tolerance is the relative difference up to which two times or two loads count as equal: the sums
// of decimals are rounded, and .1 + .2 is not .3.
const tolerance = 0x1p-40

// less reports whether a is less than b >= 0 by more than the tolerance.
func less(a, b float64) bool { return a < b*(1-tolerance) }

// problem is the arguments of Assign and what has been seen of the cost.
type problem struct {
	fn      string // the function to name in errors
	sizes   []float64
	cost    Cost
	o       Options
	ready   []float64 // by machine, +Inf: away
	up      []int     // the machines that are not away
	held    []int     // by partition, Previous if that machine is not away, -1: none
	order   []int     // the partitions of known size from the largest down
	unknown []int     // the others, which have size 0 in sizes
	total   float64   // of all sizes

	unit float64 // all sizes are multiples of it; 0: of none

	// leastLoad is a load that some machine has in every assignment, 0 if the search for it did not end
	leastLoad float64
	last      []sample // by machine, the last cost that was asked for
	decreases bool     // a cost was seen to decrease
	err       error    // the first Cost or Extra that was no time
}

type sample struct{ total, time float64 }

// newProblem checks the arguments and sorts the partitions.
func newProblem(fn string, machines int, sizes []float64, cost Cost, o Options) (*problem, error) {
	known := sizes
	if o.Unknown {
		known = withoutNaN(sizes)
	}
	if err := check(fn, machines, known, cost, &o); err != nil {
		return nil, err
	}
	if o.Steps == 0 {
		o.Steps = 1000
	}
	p := &problem{fn: fn, sizes: known, cost: cost, o: o, ready: make([]float64, machines),
		held: make([]int, len(sizes)), order: make([]int, 0, len(sizes)), last: make([]sample, machines)}
	copy(p.ready, o.Ready)
	for i, x := range p.ready {
		if !math.IsInf(x, 1) {
			p.up = append(p.up, i)
		}
	}
	for k, x := range sizes {
		if p.held[k] = -1; o.Previous != nil && o.Previous[k] >= 0 && p.ready[o.Previous[k]] <= most {
			p.held[k] = o.Previous[k]
		}
		if x == x {
			p.order = append(p.order, k)
		} else {
			p.unknown = append(p.unknown, k)
		}
	}
	slices.SortFunc(p.order, func(a, b int) int { return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a, b)) })
	for _, k := range p.order {
		p.total += sizes[k]
	}
	p.unit = p.unitOf()
	return p, nil
}

// time returns the cost of total > 0 on machine i, and 0 where it is no time. It notes errors, and
// a time that is less than that of a smaller total.
func (p *problem) time(i int, total float64) float64 {
	t := p.cost(i, total)
	if !(t >= 0 && t <= most) {
		if p.err == nil {
			p.err = input.Bad(p.fn, "cost", i, "%v for a total of %v, want a time in [0, 2^200]", t, total)
		}
		return 0
	}
	last := &p.last[i]
	if total > last.total && less(t, last.time) || total < last.total && less(last.time, t) {
		p.decreases = true
	}
	*last = sample{total, t}
	return t
}

// finish is when a machine is done, and whether it holds anything and misses its deadline.
type finish struct {
	late bool
	at   float64
}

// before reports whether a is better than b: on time rather than late, then earlier by more than
// the tolerance. A non-decreasing cost makes a finish no better when a load grows.
func (a finish) before(b finish) bool {
	if a.late != b.late {
		return b.late
	}
	return less(a.at, b.at)
}

// state is an assignment, perhaps of some partitions only: what all methods work on.
type state struct {
	*problem
	of      []int
	why     []Reason
	load    []float64 // by machine
	fetched []float64 // by machine, the time of fetching and moving its partitions
	finish  []finish  // by machine
}

// size returns the size of the r-th largest partition, 0 for r = -1.
func (p *problem) size(r int) float64 {
	if r < 0 {
		return 0
	}
	return p.sizes[p.order[r]]
}

func (p *problem) newState() *state {
	n, m := len(p.sizes), len(p.ready)
	return &state{problem: p, of: make([]int, n), why: make([]Reason, n),
		load: make([]float64, m), fetched: make([]float64, m), finish: make([]finish, m)}
}

// when returns the finish of machine i with a load and a time of fetching.
func (s *state) when(i int, load, fetched float64) finish {
	at := s.ready[i]
	if !(load > 0) {
		return finish{false, at}
	}
	at += s.time(i, load) + fetched
	return finish{s.o.Deadlines != nil && less(s.o.Deadlines[i], at), at}
}

// fetch returns the time that partition k adds to the finish of machine i besides the Cost of its
// size.
func (p *problem) fetch(k, i int) float64 {
	if p.o.Extra == nil && p.o.MoveCost == 0 {
		return 0
	}
	return p.extra(k, i) + p.o.MoveCost*p.sizes[k]*float64(p.leaves(k, i))
}

// extra returns Extra of partition k on machine i, and 0 where that is no time. It notes errors.
func (p *problem) extra(k, i int) float64 {
	if p.o.Extra == nil || p.sizes[k] == 0 {
		return 0
	}
	t := p.o.Extra(k, i)
	if !(t >= 0 && t <= most) {
		if p.err == nil {
			p.err = input.Bad(p.fn, "o", k, "Extra is %v on machine %d, want a time in [0, 2^200]", t, i)
		}
		return 0
	}
	return t
}

// leaves returns 1 if partition k leaves a machine that is not away when it goes to machine i, else
// 0.
func (p *problem) leaves(k, i int) int {
	if p.held[k] < 0 || p.held[k] == i {
		return 0
	}
	return 1
}

// put places partition k on machine i, and leaves finish to settle.
func (s *state) put(k, i int, why Reason) {
	s.of[k], s.why[k] = i, why
	s.load[i] += s.sizes[k]
	s.fetched[i] += s.fetch(k, i)
}

// settle computes loads and finishes anew, sums being in the order of partitions, so that two
// states of one assignment are equal.
func (s *state) settle() *state {
	clear(s.load)
	clear(s.fetched)
	for k, i := range s.of {
		s.put(k, i, s.why[k])
	}
	for i := range s.finish {
		s.finish[i] = s.when(i, s.load[i], s.fetched[i])
	}
	return s
}

// moved returns the number of partitions that leave a machine. Those of unknown size never do.
func (s *state) moved() (n int) {
	for _, k := range s.order {
		n += s.leaves(k, s.of[k])
	}
	return n
}

// spread places the partitions of unknown size. Those that a machine holds stay; each of the others
// goes to the machine with fewest of them, of several to the one that finishes first.
func (s *state) spread() {
	count := make([]int, len(s.ready))
	for _, k := range s.unknown {
		if i := s.held[k]; i >= 0 {
			s.of[k], s.why[k] = i, kept
			count[i]++
		}
	}
	for _, k := range s.unknown {
		if s.held[k] >= 0 {
			continue
		}
		to := s.up[0]
		for _, i := range s.up[1:] {
			if count[i] < count[to] || count[i] == count[to] && s.finish[i].before(s.finish[to]) {
				to = i
			}
		}
		s.of[k], s.why[k] = to, spread
		count[to]++
	}
}

// slowest returns the machine with the worst finish of those that have a load, the lowest of
// several, or -1.
func (s *state) slowest() int {
	worst := -1
	for i, f := range s.finish {
		if s.load[i] > 0 && (worst < 0 || s.finish[worst].before(f)) {
			worst = i
		}
	}
	return worst
}

// worst returns the finish of the slowest machine.
func (s *state) worst() finish {
	if i := s.slowest(); i >= 0 {
		return s.finish[i]
	}
	return finish{}
}

// makespan returns the latest finish of a machine with a load.
func (s *state) makespan() float64 {
	latest := 0.0
	for i, f := range s.finish {
		if s.load[i] > 0 {
			latest = max(latest, f.at)
		}
	}
	return latest
}

// plan returns the assignment with its bound, or the error of a cost.
func (s *state) plan() (Plan, error) {
	s.spread()
	p := Plan{Of: s.of, Load: s.load, Finish: make([]float64, len(s.finish)), Feasible: !s.worst().late, Why: s.why, Moves: s.moved()}
	for i, f := range s.finish {
		p.Finish[i] = f.at
	}
	p.Makespan = s.makespan()
	if p.NetMakespan = p.Makespan; s.o.MoveCost > 0 {
		s.o.MoveCost = 0 // from here on
		p.NetMakespan = s.settle().makespan()
	}
	p.Bound, p.Critical = s.bound(p.NetMakespan)
	p.Exact = p.NetMakespan*(1-exact) <= p.Bound
	if s.err != nil {
		return Plan{}, s.err
	}
	return p, nil
}

// solve runs the method.
func (p *problem) solve() *state {
	switch p.o.Method {
	case LoadBalance:
		return p.loadBalance()
	case Hash:
		return p.hash()
	case Multifit:
		return p.multifit(p.dynamicShare())
	case LocalSearch:
		return p.keep().search()
	case Best:
		return p.best()
	}
	return p.dynamicShare()
}

// best returns the best state of all methods, of several that with the fewest moves, then the
// first.
func (p *problem) best() *state {
	start := p.dynamicShare()
	found := []*state{start.search(), p.multifit(start).search(), p.loadBalance(), p.hash()}
	if p.o.Previous != nil {
		found = slices.Insert(found, 0, p.keep().search())
	}
	best, moves := found[0], found[0].moved()
	for _, s := range found[1:] {
		n := s.moved()
		if s.worst().before(best.worst()) || n < moves && !best.worst().before(s.worst()) {
			best, moves = s, n
		}
	}
	return p.exhaust(best)
}
