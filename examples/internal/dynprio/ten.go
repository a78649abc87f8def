package dynprio

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// allUsers are the indices of ten users.
var allUsers = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}

func (s *study) figure5() (report.Figure, error) {
	f := report.NewFigure("Figure 5: ten service levels, then FIFO", fmt.Sprintf("User n bids n. 120 slots, preemption every %.0f s, jobs of %d tasks that take %.0f s under FIFO. First seed.", interval, ten.tasks, ten.cycle))
	c := s.trace(&f, allUsers, phase{"preempting", tenOn}, phase{"FIFO", tenFIFO})
	on, none := s.runs[tenOn], s.runs[tenFIFO]
	ordered, better := 1, 0
	for u := range allUsers {
		if u > 0 && below(report.Across(on, func(o *outcome) float64 { return o.mean(u) - o.mean(u-1) })) {
			ordered++
		}
		if below(less(on, none, meanOf(u))) {
			better++
		}
	}
	return f.Done([]report.Claim{
		row("all 10 service levels are enforced", "10", "10: 95% intervals of the differences from user to user below 0", ordered == 10, "whole slots", "%d", ordered),
		row("half of the queues do better than under FIFO, the other half worse", "5 of 10", "5: 95% interval of the difference below 0", better == 5, "users 5 and 6 are near FIFO", "%d of 10", better),
	}, fmt.Sprintf("Completion times of ten users over time. Preempting: ten levels from %.0f s for user 1 to %.0f s for user 10. FIFO: one level.", report.Across(on, meanOf(0)).Mean, report.Across(on, meanOf(9)).Mean), c)
}

// firstRange is the range of the users' first jobs' times over their mean.
func firstRange(o *outcome) float64 {
	list := report.Column(o.times, func(times *[]float64) float64 { return (*times)[0] })
	return rangeOf(list) / report.Mean(list)
}

func (s *study) figure8() (report.Figure, error) {
	f := report.NewFigure("Figure 8: mean completion times of ten users, and what they ought to be",
		"The paper's ideal has times in proportion to 1/n with FIFO's mean; no scheduler reaches it. Reachable: FIFO's throughput. Adjusted: the paper's ideal through user 10's time.")
	on, none := s.measured("preempting", tenOn), s.measured("FIFO", tenFIFO)
	F := none.times[0].Mean
	paper, reachable, adjusted := ideals(10, F, on.times[9].Mean)
	c := &draw.Chart{Height: 260}
	fidelity(&f, c, on, none, paper.profile(10), reachable.profile(10), adjusted.profile(10))
	missed, needs := outside(on.times, paper, adjusted), paper.throughput(10, F)
	off := func(n int) float64 { return 100 * (on.times[n-1].Mean/reachable.at(float64(n)) - 1) }
	return f.Done([]report.Claim{
		as(report.Theory, row("the ideal line has the average of FIFO", "no overhead, the same throughput", "at most that of FIFO", needs <= 1, "times of equal mean in proportion to 1/n need more slots than there are", "%.2f of FIFO's throughput", needs)),
		row("only users 1 and 2 lie outside the ideal and the adjusted line", "1 and 2", "users not between the lines within 5%", fmt.Sprint(missed) == "[1 2]", "whole slots cost user 2 less than that, and user 1 gains by spare slots", "%v", missed),
		row("the market is biased against users with low rates", "a bit", "users 1 and 2 slower than the reachable line", off(1) > 0 && off(2) > 0,
			"user 1 has 2 slots of 120 for a share of 2.2, but spare slots at the ends of others' jobs count more", "users 1 and 2 %.0f%% and %.0f%% above the reachable line", off(1), off(2)),
	}, fmt.Sprintf("Mean times over users 1 to 10 on a logarithmic axis: from %.0f s to %.0f s, near the reachable line; FIFO %.0f s for all.", on.times[0].Mean, on.times[9].Mean, F), c)
}
