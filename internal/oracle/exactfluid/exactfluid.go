package exactfluid

import (
	"fmt"
	"math/big"
	"sort"
)

// Job is one job; Slots nil means no limit. The other fields must be set.
type Job struct {
	Arrival, Size, Estimate, Weight *big.Rat
	Slots                           *big.Rat
}

// Step sets the number of slots from Time on.
type Step struct{ Time, Slots *big.Rat }

// Policy is a scheduling policy.
type Policy int

// The policies.
const (
	FIFO Policy = iota
	PS
	LAS
	SRPT
	SPT
	FSP
)

// Late is the rule for jobs that are done in the virtual system and not in reality.
type Late int

// The rules: late jobs share, one at a time in the order of becoming late, least attained service first, or sharing
// together with the first on-time job.
const (
	Share Late = iota
	First
	LeastAttained
	Next
)

// Config chooses what to run.
type Config struct {
	Policy Policy
	Late   Late // FSP only
	ByWork bool // FSP only: order by remaining virtual work instead of by virtual finish
	Turn   bool // FIFO only: a job of size 0 waits until those before it leave a slot over or are done

	// RemoveAtCompletion takes a job out of the virtual system when it ends in reality. That is not FSP: its
	// dominance over processor sharing fails then, which is what the switch is for.
	RemoveAtCompletion bool
}

// Result holds the times of each job; nil where the job never finishes.
type Result struct {
	Finish  []*big.Rat
	Virtual []*big.Rat // FSP only
}

// system is the state of one run.
type system struct {
	c     Config
	jobs  []Job
	now   *big.Rat
	slots *big.Rat

	arrived  []bool
	attained []*big.Rat // real service
	order    []int      // the order of service that the last event decided
	virtual  []*big.Rat // virtual work left
	lateAt   []*big.Rat // when the job became late; nil: it has not
	res      Result
}

// Run simulates the jobs on slots slots, which steps override from their times on.
func Run(slots *big.Rat, steps []Step, jobs []Job, c Config) Result {
	n := len(jobs)
	s := &system{
		c: c, jobs: jobs, now: new(big.Rat), slots: slots,
		arrived: make([]bool, n), attained: make([]*big.Rat, n), virtual: make([]*big.Rat, n), lateAt: make([]*big.Rat, n),
		res: Result{Finish: make([]*big.Rat, n)},
	}
	if c.Policy == FSP {
		s.res.Virtual = make([]*big.Rat, n)
	}
	for j := range jobs {
		s.attained[j] = new(big.Rat)
		s.virtual[j] = new(big.Rat).Set(jobs[j].Estimate)
	}
	for event := 0; ; event++ {
		if event > 1000*(n+len(steps)+1) {
			panic(fmt.Sprintf("exactfluid: no end after %d events", event))
		}
		decide := s.settle(steps)
		real, virt := s.rates(decide)
		dt := s.untilNext(steps, real, virt)
		if dt == nil {
			return s.res
		}
		for j := range jobs {
			s.attained[j] = plus(s.attained[j], times(real[j], dt))
			s.virtual[j] = minus(s.virtual[j], times(virt[j], dt))
		}
		s.now = plus(s.now, dt)
	}
}

// settle applies everything that happens at this instant: steps, arrivals, real completions, then virtual completions. It
// tells whether there were any, as the order of service is decided anew at these events only.
func (s *system) settle(steps []Step) (decide bool) {
	for _, st := range steps {
		if c := st.Time.Cmp(s.now); c <= 0 {
			s.slots = st.Slots
			decide = decide || c == 0
		}
	}
	for j, job := range s.jobs {
		if !s.arrived[j] && job.Arrival.Cmp(s.now) <= 0 {
			s.arrived[j] = true
			decide = true
		}
	}
	for j, job := range s.jobs {
		if s.active(j) && s.attained[j].Cmp(job.Size) == 0 && !(s.c.Turn && job.Size.Sign() == 0) {
			s.res.Finish[j] = s.now
			decide = true
		}
	}
	if s.c.Turn {
		s.turns()
	}
	if s.c.Policy != FSP {
		return decide
	}
	for j := range s.jobs {
		if s.arrived[j] && s.res.Virtual[j] == nil && s.virtual[j].Sign() == 0 {
			s.res.Virtual[j] = s.now
			decide = true
			if s.res.Finish[j] == nil {
				s.lateAt[j] = s.now
			}
		}
	}
	return decide
}

// turns ends the jobs of size 0 whose turn has come.
func (s *system) turns() {
	left := s.slots
	first := true
	for _, j := range s.sorted(s.set(s.active), func(j int) *big.Rat { return s.jobs[j].Arrival }) {
		if s.jobs[j].Size.Sign() > 0 {
			left = s.greedy(zeros(len(s.jobs)), []int{j}, left)
			first = false
		} else if first || left.Sign() > 0 {
			s.res.Finish[j] = s.now
		}
	}
}

// set lists the jobs for which in holds.
func (s *system) set(in func(j int) bool) []int {
	var out []int
	for j := range s.jobs {
		if in(j) {
			out = append(out, j)
		}
	}
	return out
}

// active tells whether j is there and not done in reality.
func (s *system) active(j int) bool { return s.arrived[j] && s.res.Finish[j] == nil }

// inVirtual tells whether j takes part in the virtual system.
func (s *system) inVirtual(j int) bool {
	if s.c.Policy != FSP || !s.arrived[j] || s.res.Virtual[j] != nil {
		return false
	}
	return !s.c.RemoveAtCompletion || s.res.Finish[j] == nil
}

// untilNext is the time to the next event: a step, an arrival, a real or virtual completion, or two levels of attained
// service meeting. nil: there is none.
func (s *system) untilNext(steps []Step, real, virt []*big.Rat) *big.Rat {
	var dt *big.Rat
	offer := func(d *big.Rat) {
		if d.Sign() > 0 && (dt == nil || d.Cmp(dt) < 0) {
			dt = d
		}
	}
	for _, st := range steps {
		offer(minus(st.Time, s.now))
	}
	for j, job := range s.jobs {
		offer(minus(job.Arrival, s.now))
		if real[j].Sign() > 0 {
			offer(over(minus(job.Size, s.attained[j]), real[j]))
		}
		if virt[j].Sign() > 0 {
			offer(over(s.virtual[j], virt[j]))
		}
	}
	var levels []int
	switch {
	case s.c.Policy == LAS:
		levels = s.set(s.active)
	case s.c.Policy == FSP && s.c.Late == LeastAttained:
		levels = s.set(func(j int) bool { return s.active(j) && s.lateAt[j] != nil })
	}
	for _, i := range levels {
		for _, j := range levels {
			if real[i].Cmp(real[j]) > 0 && s.attained[i].Cmp(s.attained[j]) < 0 {
				offer(over(minus(s.attained[j], s.attained[i]), minus(real[i], real[j])))
			}
		}
	}
	return dt
}

// rates gives every job's rate in the real and in the virtual system.
func (s *system) rates(decide bool) (real, virt []*big.Rat) {
	real, virt = zeros(len(s.jobs)), zeros(len(s.jobs))
	active, vset := s.set(s.active), s.set(s.inVirtual)
	s.share(virt, vset, s.slots, true)
	switch s.c.Policy {
	case FIFO:
		s.greedy(real, s.sorted(active, func(j int) *big.Rat { return s.jobs[j].Arrival }), s.slots)
	case SPT:
		s.greedy(real, s.sorted(active, func(j int) *big.Rat { return s.jobs[j].Estimate }), s.slots)
	case SRPT:
		s.greedy(real, s.sorted(active, func(j int) *big.Rat { return minus(s.jobs[j].Estimate, s.attained[j]) }), s.slots)
	case PS:
		s.share(real, active, s.slots, true)
	case LAS:
		s.leastAttained(real, active, s.slots)
	case FSP:
		if decide {
			s.decide(vset)
		}
		s.fsp(real)
	}
	return real, virt
}

// decide orders the on-time jobs.
func (s *system) decide(vset []int) {
	s.order = s.set(func(j int) bool { return s.active(j) && s.lateAt[j] == nil })
	key := s.virtual
	if !s.c.ByWork {
		key = s.projected(vset)
	}
	if key != nil { // nil: no slots, so that the order does not matter
		s.order = s.sorted(s.order, func(j int) *big.Rat { return key[j] })
	}
}

// fsp serves the late jobs by the rule and gives what is left to the on-time jobs in order.
func (s *system) fsp(real []*big.Rat) {
	late := s.set(func(j int) bool { return s.active(j) && s.lateAt[j] != nil })
	onTime, left := s.order, s.slots
	switch s.c.Late {
	case First:
		left = s.greedy(real, s.sorted(late, func(j int) *big.Rat { return s.lateAt[j] }), left)
	case Share:
		left = s.share(real, late, left, true)
	case LeastAttained:
		left = s.leastAttained(real, late, left)
	case Next:
		if len(onTime) > 0 {
			late = append(late, onTime[0])
			onTime = onTime[1:]
		}
		left = s.share(real, late, left, true)
	}
	s.greedy(real, onTime, left)
}

// projected gives the time left to each virtual finish if nothing else happens; nil without slots.
func (s *system) projected(vset []int) []*big.Rat {
	if s.slots.Sign() == 0 {
		return nil
	}
	left := make([]*big.Rat, len(s.jobs))
	copy(left, s.virtual)
	out := make([]*big.Rat, len(s.jobs))
	t := new(big.Rat)
	for len(vset) > 0 {
		rate := zeros(len(s.jobs))
		s.share(rate, vset, s.slots, true)
		var dt *big.Rat
		for _, j := range vset {
			if d := over(left[j], rate[j]); dt == nil || d.Cmp(dt) < 0 {
				dt = d
			}
		}
		t = plus(t, dt)
		var rest []int
		for _, j := range vset {
			left[j] = minus(left[j], times(rate[j], dt))
			if left[j].Sign() == 0 {
				out[j] = t
			} else {
				rest = append(rest, j)
			}
		}
		vset = rest
	}
	return out
}

// sorted sorts by (key, index).
func (s *system) sorted(set []int, key func(j int) *big.Rat) []int {
	out := append([]int(nil), set...)
	keys := make([]*big.Rat, len(s.jobs))
	for _, j := range out {
		keys[j] = key(j)
	}
	sort.Slice(out, func(a, b int) bool {
		if c := keys[out[a]].Cmp(keys[out[b]]); c != 0 {
			return c < 0
		}
		return out[a] < out[b]
	})
	return out
}

// greedy gives each job in turn as much as it can use of left, and returns the rest.
func (s *system) greedy(rate []*big.Rat, order []int, left *big.Rat) *big.Rat {
	for _, j := range order {
		r := left
		if c := s.jobs[j].Slots; c != nil && c.Cmp(r) < 0 {
			r = c
		}
		rate[j] = r
		left = minus(left, r)
	}
	return left
}

// share gives the jobs of set their weighted max-min share of left, and returns the rest.
func (s *system) share(rate []*big.Rat, set []int, left *big.Rat, weighted bool) *big.Rat {
	weight := func(j int) *big.Rat {
		if weighted {
			return s.jobs[j].Weight
		}
		return one
	}
	for len(set) > 0 {
		sum := new(big.Rat)
		for _, j := range set {
			sum.Add(sum, weight(j))
		}
		level := over(left, sum)
		var rest []int
		taken := new(big.Rat)
		for _, j := range set {
			if c := s.jobs[j].Slots; c != nil && c.Cmp(times(level, weight(j))) <= 0 {
				rate[j] = c
				taken.Add(taken, c)
			} else {
				rest = append(rest, j)
			}
		}
		left = minus(left, taken)
		if len(rest) == len(set) {
			for _, j := range set {
				rate[j] = times(level, weight(j))
			}
			return new(big.Rat)
		}
		set = rest
	}
	return left
}

// leastAttained serves the jobs level by level of attained service, equal shares up to the caps at a level, and
// returns the rest.
func (s *system) leastAttained(rate []*big.Rat, set []int, left *big.Rat) *big.Rat {
	order := s.sorted(set, func(j int) *big.Rat { return s.attained[j] })
	for len(order) > 0 {
		k := 1
		for k < len(order) && s.attained[order[k]].Cmp(s.attained[order[0]]) == 0 {
			k++
		}
		left = s.share(rate, order[:k], left, false)
		order = order[k:]
	}
	return left
}

var one = big.NewRat(1, 1)

func zeros(n int) []*big.Rat {
	z := make([]*big.Rat, n)
	for i := range z {
		z[i] = new(big.Rat)
	}
	return z
}

func plus(a, b *big.Rat) *big.Rat  { return new(big.Rat).Add(a, b) }
func minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func times(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func over(a, b *big.Rat) *big.Rat  { return new(big.Rat).Quo(a, b) }
