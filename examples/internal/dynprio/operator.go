package dynprio

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy/dynprio"
)

// Three queues of one rate: the first of one user, the second shared by three, the third opened
// after two hours and closed after six. The first runs dry after four and gets a deposit after
// five.
const hour = 3600.

var operated = big.with(func(c *scenario) {
	c.users, c.rates, c.streams = 3, []float64{1, 1, 1}, []int{1, 3, 1}
	c.tasks, c.cycle, c.horizon, c.preempt = 480, 3600, 8*hour, true
	c.changes = []dynprio.Change{
		{Time: 2 * hour, User: 2, Set: dynprio.Open, Amount: credits(enough)},
		{Time: 4 * hour, User: 0, Set: dynprio.SetBudget},
		{Time: 5 * hour, User: 0, Set: dynprio.Deposit, Amount: credits(enough)},
		{Time: 6 * hour, User: 2, Set: dynprio.Close},
	}
})

// granted is a queue's mean number of paid slots over hours of the run, without their first two
// minutes.
func granted(queue int, from, to float64) func(o *outcome) float64 {
	return func(o *outcome) float64 {
		var list []float64
		for _, st := range o.steps {
			if st.time >= from*hour+120 && st.time < to*hour {
				list = append(list, float64(st.slots[queue]))
			}
		}
		return report.Mean(list)
	}
}

func (s *study) figureOperator() (report.Figure, error) {
	f := report.NewFigure("Table 1: queues are opened, run dry, get deposits and are closed",
		"Paid slots of three queues of one rate on 120 slots, preempting. Queue 2 is shared by three users. Queue 3 is opened after 2 h and closed after 6; queue 1's budget is 0 from 4 h to 5 h. First seed.", "time_s", "slots_1", "slots_2", "slots_3")
	runs, err := s.each(operated)
	if err != nil {
		return f, err
	}
	var x []float64
	var y [3][]float64
	for _, st := range runs[0].steps {
		f.Numbers.Add(st.time, st.slots[0], st.slots[1], st.slots[2])
		x = append(x, st.time/hour)
		for q := range y {
			y[q] = append(y[q], float64(st.slots[q]))
		}
	}
	var charts []*draw.Chart
	for q := range y {
		c := &draw.Chart{Title: fmt.Sprintf("queue %d", q+1), X: axis("time (h)", 8, 1), Y: draw.Axis{Label: "slots", Max: 125}, Height: 125}
		c.Steps("", x, y[q], looks[0])
		charts = append(charts, c)
	}
	return f.Done(operatorClaims(runs), "Slots of three queues over eight hours: 60 or 40 each, none for a queue that is closed or has no budget.", draw.Panels(1, charts...)...)
}

func operatorClaims(runs []outcome) []report.Claim {
	of := func(queue int, from, to float64) report.Interval {
		return report.Across(runs, granted(queue, from, to))
	}
	near := func(i report.Interval, slots float64) report.Claim {
		return within(report.Claim{}, i, .9*slots, 1.1*slots)
	}
	opened, alone, closed := of(2, 2, 4), of(0, 0, 2), of(2, 6, 8)
	dry, deposited, shared := of(0, 4, 5), of(0, 5, 6), of(1, 0, 2)
	return []report.Claim{
		each(row("a queue that is added has its share from the next interval on, and none when it is removed (Table 1)", "addQueue, removeQueue", "95% interval within 10% of a third of the slots, then 0",
			"last tasks of jobs leave slots to others", "%s slots, then %s", opened, closed), near(opened, 40), when(closed.Mean == 0, report.Claim{})),
		each(row("a queue without budget has no paid slots, and its share with a deposit (Table 1)", "addBudget", "0, then 95% interval within 10% of a third", "as above", "%s slots, then %s", dry, deposited), when(dry.Mean == 0, report.Claim{}), near(deposited, 40)),
		each(row("queues can be shared across users (4): one of three users has what one of a single user has", "as a bank account", "95% intervals within 10% of half the slots", "as above", "%s slots, and %s", shared, alone), near(shared, 60), near(alone, 60)),
	}
}
