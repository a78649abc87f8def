package dynprio

import (
	"slices"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// An experiment is a scenario that figures draw from.
type experiment int

const (
	drain       experiment = iota // two queues, of which the first runs out of budget
	twoOn                         // the same run, with budgets reset and preemption
	twoOff                        // without preemption
	twoCapacity                   // under the capacity scheduler
	twoFIFO                       // under FIFO
	tenOn                         // ten queues
	tenFIFO
	eightyOn // 80 queues
	eightyFIFO
	eightyOff
	eightyReduces // as eightyOn, with 10 reduces a job
	boostOn       // a boosted job of each of ten users, on the small cluster
	boostOff
	boostFIFO
	experiments
)

// What the scenarios of a size have in common, as reading B has it: what the paper says of the runs.
// The paper prints no times under FIFO; for two queues what Table 3 and Figure 4 say of queue 1
// implies it.
var (
	big    = scenario{nodes: [2]int{30, 4}}.with(several.of)
	two    = big.with(func(c *scenario) { c.users, c.rates, c.cycle, c.horizon = 2, []float64{.02, .01}, 3450, day })
	ten    = big.with(func(c *scenario) { c.users, c.cycle, c.horizon, c.quick = 10, 3000, 60000, 48000 })
	eighty = big.with(func(c *scenario) { c.users, c.cycle, c.horizon, c.quick = 80, 3000, 24000, 12000 })
	boosts = scenario{nodes: [2]int{5, 8}}.with(several.of).with(func(c *scenario) {
		c.users, c.rates, c.cycle, c.jobs, c.boost = 10, slices.Repeat([]float64{1}, 10), 900, 10, 4
	})
)

const day = 86400. // s

// with is a scenario with changes.
func (c scenario) with(change func(c *scenario)) scenario {
	change(&c)
	return c
}

func preempting(c *scenario) { c.preempt = true }
func underFIFO(c *scenario)  { c.scheduler = fifo }

// A shape is how many tasks a job has for each slot, and how much their times vary.
type shape struct {
	tasks  int
	spread float64
}

func (x shape) of(c *scenario) { c.tasks, c.spread = x.tasks*c.nodes[0]*c.nodes[1], x.spread }

// contrib gives a scenario the rules of reading A.
func contrib(c *scenario) { c.contrib = true }

// scenarios are those of the experiments, as reading B has them. drain and twoOn are the two halves
// of one run.
var scenarios = [experiments]scenario{
	drain:         two.with(func(c *scenario) { c.budgets, c.horizon, c.reset = []float64{1000, 10000}, 2*day, day }),
	twoOff:        two,
	twoCapacity:   two.with(func(c *scenario) { c.scheduler = capacity }),
	twoFIFO:       two.with(underFIFO),
	tenOn:         ten.with(preempting),
	tenFIFO:       ten.with(underFIFO),
	eightyOn:      eighty.with(preempting),
	eightyFIFO:    eighty.with(underFIFO),
	eightyOff:     eighty,
	eightyReduces: eighty.with(func(c *scenario) { c.preempt, c.reduces, c.last = true, 10, c.mapTime() }),
	boostOn:       boosts.with(preempting),
	boostOff:      boosts,
	boostFIFO:     boosts.with(underFIFO),
}

// after runs the experiments that a figure draws from, each once.
func (s *study) after(list ...experiment) func() (*study, error) {
	return func() (*study, error) {
		for _, e := range list {
			if e == twoOn {
				e = drain
			}
			if s.runs[e] != nil {
				continue
			}
			runs, err := s.each(scenarios[e])
			if err != nil {
				return nil, err
			}
			if s.runs[e] = runs; e == drain {
				s.runs[drain], s.runs[twoOn] = halves(runs)
			}
		}
		return s, nil
	}
}

// each runs a scenario, as the reading changes it, at all seeds.
func (s *study) each(c scenario) ([]outcome, error) {
	if s.change != nil {
		s.change(&c)
	}
	c.horizon = s.horizon(c)
	return program.Each(s.terminal, "dynprio: runs", s.n, func(i int) (outcome, error) { return c.run(s.Seed, s.seeds.At(i)) })
}

// horizon is that of a scenario's runs, 0 where all jobs end.
func (s *study) horizon(c scenario) float64 {
	if s.Quick && c.quick > 0 {
		return c.quick
	}
	return c.horizon
}

// halves parts runs of the scenario of drain at its reset.
func halves(runs []outcome) (before, after []outcome) {
	for _, o := range runs {
		var a, b outcome
		for u, ends := range o.ends {
			k := 0
			for k < len(ends) && ends[k] < day {
				k++
			}
			a.times, a.ends = append(a.times, o.times[u][:k]), append(a.ends, ends[:k])
			b.times, b.ends = append(b.times, o.times[u][k:]), append(b.ends, ends[k:])
			for i := range b.ends[u] {
				b.ends[u][i] -= day
			}
		}
		k := 0
		for k < len(o.steps) && o.steps[k].time < day {
			k++
		}
		a.steps, b.steps, b.lost = o.steps[:k], o.steps[k:], 2*o.lost // nothing is lost before
		before, after = append(before, a), append(after, b)
	}
	return before, after
}

// workloads are what loads the cluster in the main reading, and FIFO beside the market.
func (s *study) workloads() (numbers.Table, error) {
	t := numbers.Table{Columns: []string{"workload", "users", "maps a job", "time of a map (s)", "load", "map slots", "in use (%)", "bottleneck", "mean job, market (s)", "FIFO (s)", "market : FIFO, 16 to 84% of the seeds", "seeds"}}
	mean := func(o *outcome) float64 {
		var list []float64
		for u := range o.times {
			list = append(list, o.later(u)...)
		}
		return numbers.Mean(list)
	}
	for _, w := range []struct {
		name     string
		on, none experiment
	}{{"two queues, not preempting", twoOff, twoFIFO}, {"ten users", tenOn, tenFIFO}, {"80 users", eightyOn, eightyFIFO}, {"boosts", boostOn, boostFIFO}} {
		if _, err := s.after(w.on, w.none)(); err != nil {
			return t, err
		}
		c, on, none := scenarios[w.on], s.runs[w.on], s.runs[w.none]
		slots := c.nodes[0] * c.nodes[1]
		used := numbers.Across(on, func(o *outcome) float64 {
			return 100 * o.held / (float64(slots) * max(slices.Max(slices.Concat(o.ends...)), s.horizon(c)))
		})
		ratios := numbers.Ratios(numbers.Column(on, mean), numbers.Column(none, mean))
		t.Show(w.name, c.users, c.tasks, c.mapTime(), "1, by design", slots, used.Mean, "map slots", numbers.Across(on, mean).String(), numbers.Across(none, mean).String(),
			numbers.Middle(ratios, numbers.Short), len(on))
	}
	return t, nil
}
