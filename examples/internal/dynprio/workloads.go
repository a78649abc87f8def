package dynprio

import (
	"slices"

	"github.com/schedmath/schedmath/internal/numbers"
)

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
		s.of(&c)
		slots := c.nodes[0] * c.nodes[1]
		used := numbers.Across(on, func(o *outcome) float64 {
			return 100 * sum(o.held) / (float64(slots) * max(slices.Max(slices.Concat(o.ends...)), s.horizon(c)))
		})
		ratios := numbers.Ratios(numbers.Column(on, mean), numbers.Column(none, mean))
		t.Show(w.name, c.users, c.tasks, c.mapTime(), "1, by design", slots, used.Mean, "map slots", numbers.Across(on, mean).String(), numbers.Across(none, mean).String(),
			numbers.Middle(ratios, numbers.Short), len(on))
	}
	return t, nil
}
