package dynprio

import "github.com/schedmath/schedmath/examples/internal/report"

// An experiment is a scenario that figures draw from.
type experiment int

const (
	drain         experiment = iota // two queues, of which the first runs out of budget
	twoOn                           // with preemption
	twoOff                          // without
	twoCapacity                     // ...
	twoSwift                        // Capacity that takes slots as soon as the market does
	twoFIFO                         //
	tenOn                           // ten queues
	tenFIFO                         //
	eightyOn                        // 80 queues
	eightyFIFO                      //
	eightyOff                       //
	eightyReduces                   // as eightyOn, with 10 reduces a job
	eightyCarry                     // with fractions of slots carried on
	boostOn                         // a boosted job of each of ten users, on the small cluster
	boostOff                        //
	boostFine                       // as boostOn, with ten times as many tasks
	boostFineOff                    //
	thousand                        // 1,000 queues
	thousandCarry                   //
	thousandOff                     // as thousandCarry, without preemption
	experiments
)

// What the scenarios of a size have in common. The paper prints no times under FIFO; for two queues
// what Table 3 and Figure 4 say of queue 1 implies it. Tasks are as many as there are slots, as in
// the paper, but for two and ten queues: with one task a slot a share hardly shows.
var (
	big    = [2]int{30, 4}
	two    = scenario{nodes: big, users: 2, rates: []float64{.02, .01}, tasks: 480, cycle: 3450, horizon: 86400}
	ten    = scenario{nodes: big, users: 10, tasks: 1200, cycle: 3000, horizon: 60000, quick: 48000}
	eighty = scenario{nodes: big, users: 80, tasks: 120, cycle: 3000, horizon: 24000, quick: 12000}
	many   = scenario{nodes: big, users: 1000, tasks: 120, cycle: 37500, horizon: 6000, quick: 3000}
	boosts = scenario{nodes: [2]int{5, 8}, users: 10, rates: []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, tasks: 40, cycle: 900, jobs: 10, boost: 4}
)

// with is a scenario with changes.
func (c scenario) with(change func(c *scenario)) scenario {
	change(&c)
	return c
}

func preempting(c *scenario) { c.preempt = true }
func underFIFO(c *scenario)  { c.scheduler = fifo }

// scenarios are those of the experiments.
var scenarios = [experiments]scenario{
	drain:         two.with(func(c *scenario) { c.budgets = []float64{1000, 10000} }),
	twoOn:         two.with(func(c *scenario) { c.preempt, c.budgets = true, []float64{10000, 10000} }),
	twoOff:        two,
	twoCapacity:   two.with(func(c *scenario) { c.scheduler, c.reclaim = capacity, 3600 }),
	twoSwift:      two.with(func(c *scenario) { c.scheduler, c.reclaim = capacity, interval }),
	twoFIFO:       two.with(underFIFO),
	tenOn:         ten.with(preempting),
	tenFIFO:       ten.with(underFIFO),
	eightyOn:      eighty.with(preempting),
	eightyFIFO:    eighty.with(underFIFO),
	eightyOff:     eighty,
	eightyReduces: eighty.with(func(c *scenario) { c.preempt, c.reduces, c.last = true, 10, c.mapTime() }),
	eightyCarry:   eighty.with(func(c *scenario) { c.preempt, c.carry = true, true }),
	boostOn:       boosts.with(preempting),
	boostOff:      boosts,
	boostFine:     boosts.with(func(c *scenario) { c.preempt, c.tasks = true, 400 }),
	boostFineOff:  boosts.with(func(c *scenario) { c.tasks = 400 }),
	thousand:      many.with(preempting),
	thousandCarry: many.with(func(c *scenario) { c.preempt, c.carry = true, true }),
	thousandOff:   many.with(func(c *scenario) { c.carry = true }),
}

// after runs the experiments that a figure draws from, each once.
func (s *study) after(list ...experiment) func() (*study, error) {
	return func() (_ *study, err error) {
		for _, e := range list {
			c := scenarios[e]
			if s.Quick && c.quick > 0 {
				c.horizon = c.quick
			}
			if s.runs[e] == nil && err == nil {
				s.runs[e], err = report.Each(s.terminal, "dynprio: runs", s.n, func(i int) (outcome, error) { return c.run(s.Seed, i) })
			}
		}
		return s, err
	}
}
