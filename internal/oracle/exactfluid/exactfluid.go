package exactfluid

import (
	"fmt"
	"math/big"
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

// The rules: late jobs share, one at a time in the order of becoming late, least attained service
// first, or sharing together with the first on-time job.
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
	// FIFO only: a job of size 0 waits until those before it leave a slot over or are done
	Turn bool
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

// settle applies everything that happens at this instant: steps, arrivals, real completions, then
// virtual completions. It tells whether there were any, as the order of service is decided anew at
// these events only.
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
	return s.c.Policy == FSP && s.arrived[j] && s.res.Virtual[j] == nil
}

// untilNext is the time to the next event: a step, an arrival, a real or virtual completion, or two
// levels of attained service meeting. nil: there is none.
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
