package dynprio

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// levels are the sizes of groups of users with about the same time: a group begins where a user is
// faster than the one before by more than the drop, or where users begin to end jobs at all.
func levels(times []numbers.Interval) []int {
	const drop = .15
	var list []int
	for u, t := range times {
		none := math.IsNaN(t.Mean)
		if u == 0 || none != math.IsNaN(times[u-1].Mean) || t.Mean < (1-drop)*times[u-1].Mean {
			list = append(list, 0)
		}
		list[len(list)-1]++
	}
	return list
}

func (s *study) figure6() (report.Figure, error) {
	f := report.NewFigure("Figure 6: 80 queues with preemption, under FIFO, and without preemption",
		fmt.Sprintf("User n bids n. 120 slots, jobs of %d tasks that take %.0f s under FIFO. Six users, first seed. Users 1 to 13 have no slot, and no job that ends.", eighty.tasks, eighty.cycle))
	c := s.trace(&f, []int{19, 29, 39, 49, 59, 79}, phase{"preempting", eightyOn}, phase{"FIFO", eightyFIFO}, phase{"not preempting", eightyOff})
	on, off, none := s.runs[eightyOn], s.runs[eightyOff], s.runs[eightyFIFO]
	unsteady := func(o *outcome) float64 { // mean over the users of how much their times range, over their means
		var list []float64
		for u := range o.times {
			if len(o.later(u)) > 1 {
				list = append(list, spread(u)(o)/o.mean(u))
			}
		}
		return numbers.Mean(list)
	}
	groups, reduces := levels(s.measured("", eightyOn).times), levels(s.measured("", eightyReduces).times)
	steadier := less(on, off, unsteady)
	return f.Done([]report.Claim{
		row("with preemption times are somewhat steadier", "somewhat more stable", "95% interval of the difference below 0", "users' times range over %s of their mean against %s", numbers.Across(on, unsteady), numbers.Across(off, unsteady)).AllBelow(0, steadier),
		when(len(groups)-1 == 10, row("the 10 service levels are maintained", "10", "10 groups of users with a job that ended", "groups of %v users; with 10 reduces a job %v", groups, reduces)),
	}, fmt.Sprintf("Completion times of six of 80 users over time in three phases. With preemption and without they lie on levels; under FIFO all take %.0f s.", numbers.Across(none, meanOf(79)).Mean), c...)
}

// tenToFifteen are the sizes of Figure 9's groups.
var tenToFifteen = report.Range("10", "15")

func (s *study) figure9() (report.Figure, error) {
	f := report.NewFigure("Figure 9: mean completion times of 80 users, and what they ought to be",
		fmt.Sprintf("Whole slots make levels. Ten reduces a job of %.1f s, on 60 slots, add a constant. A user without a job that ended has no point.", scenarios[eightyReduces].last))
	whole, reduces := s.measured("maps alone", eightyOn), s.measured("with reduces", eightyReduces)
	none := s.measured("FIFO", eightyFIFO)
	paper, _, adjusted := ideals(80, none.times[0].Mean, whole.times[79].Mean)
	c := fidelity(&f, none, whole, reduces, paper.profile(80), adjusted.profile(80))
	groups := levels(whole.times)
	missed := slices.DeleteFunc(outside(whole.times, paper, adjusted), func(n int) bool { return n <= 16 })
	return f.Done([]report.Claim{
		headline("groups of 80 users", when(!slices.ContainsFunc(groups[1:], func(n int) bool { return !tenToFifteen.Holds(float64(n)) }), row("users fall into groups of about 10 to 15", "10-15", "all groups with jobs that end of 10 to 15 users",
			"groups of %v", groups))),
		when(len(levels(reduces.times)) > 2 && len(groups) == 2, row("the groups come from the 10 reducers", "most likely", "several groups with jobs that end with reduces, one without",
			"with reduces %v, without %v", levels(reduces.times), groups)),
		when(len(missed) == 0, row("the top 80 percent of the users are within the ideal lines", "80%", "none of users 17 to 80 outside the paper's ideal and the adjusted line by more than 5%", "%d of 64 are not", len(missed))),
	}, "Mean times over 80 users on a logarithmic axis: steps, and no time for the first users.", c)
}
