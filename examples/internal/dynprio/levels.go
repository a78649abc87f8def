package dynprio

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/market"
)

// allUsers are the indices of ten users.
var allUsers = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}

func (s *study) figure5() (report.Figure, error) {
	f := report.NewFigure("Figure 5: ten service levels, then FIFO", fmt.Sprintf("User n bids n on 120 slots. Jobs take %.0f s under FIFO. First seed.", ten.cycle))
	c := s.trace(&f, allUsers, phase{"preempting", tenOn}, phase{"FIFO", tenFIFO})
	on, none := s.runs[tenOn], s.runs[tenFIFO]
	var apart []numbers.Interval
	better, worse := 0, 0
	for u := range allUsers {
		if u > 0 {
			apart = append(apart, numbers.Across(on, func(o *outcome) float64 { return o.mean(u) - o.mean(u-1) }))
		}
		if i := less(on, none, meanOf(u)); i.High() < 0 {
			better++
		} else if i.Low() > 0 {
			worse++
		}
	}
	exchange := numbers.Across(on, func(o *outcome) float64 {
		return meanPrice(o.steps[len(o.steps)/2:]) / meanPrice(o.steps[:len(o.steps)/2])
	})
	half := report.Says("half of the queues do better than under FIFO, the other half worse", "5 and 5", "5 and 5: 95% intervals of the differences below and above 0", "%d and %d of 10", better, worse).When(better == 5 && worse == 5).InTheory()
	return f.Done([]report.Claim{
		report.Says("all 10 service levels are enforced", "10", "95% intervals of the differences from user to user below 0", "%d levels", 1+numbers.Number(apart, func(i numbers.Interval) bool { return i.High() < 0 })).AllBelow(0, apart...).Headlined("ten service levels"),
		half,
		report.Says("FIFO's first jobs have random service levels", "random", "95% interval of the range over the mean, less that of later jobs' means, above 0", "%s of the mean against %s", numbers.Across(none, firstRange), numbers.Across(none, laterRange)).Above(numbers.Across(none, func(o *outcome) float64 { return firstRange(o) - laterRange(o) }), 0).InTheory(),
		report.Says("and its other jobs one level", "identical", "95% interval of the range of users' means below 5% of their mean", "%s", numbers.Across(none, laterRange)).Below(numbers.Across(none, laterRange), .05).InTheory(),
		report.Says("prices fluctuate, the average remains stable (5)", "stable exchange rate", "95% interval of the mean price of the later half over that of the earlier within 5% of 1", "%s", exchange).Within(exchange, .95, 1.05),
	}, fmt.Sprintf("Completion times of ten users over time. Preempting: ten levels from %.0f s for user 1 to %.0f s for user 10. FIFO: one level.", numbers.Across(on, meanOf(0)).Mean, numbers.Across(on, meanOf(9)).Mean), c...)
}

func meanPrice(steps []step) float64 {
	return numbers.Mean(numbers.Column(steps, func(st *step) float64 { return st.price }))
}

// firstRange is the range of the users' first jobs' times over their mean.
func firstRange(o *outcome) float64 {
	list := numbers.Column(o.times, func(times *[]float64) float64 { return (*times)[0] })
	return rangeOf(list) / numbers.Mean(list)
}

// laterRange is the range of the users' mean times of later jobs over the mean of all.
func laterRange(o *outcome) float64 {
	var list []float64
	for u := range o.times {
		list = append(list, o.mean(u))
	}
	return rangeOf(list) / numbers.Mean(list)
}

func (s *study) figure8() (report.Figure, error) {
	f := report.NewFigure("Figure 8: mean completion times of ten users, and what they ought to be",
		"The paper's ideal has times in proportion to 1/n with FIFO's mean; no scheduler reaches it. Reachable: FIFO's throughput. Adjusted: the paper's ideal through user 10's time.")
	on, none := s.measured("preempting", tenOn), s.measured("FIFO", tenFIFO)
	F := none.times[0].Mean
	paper, reachable, adjusted := ideals(10, F, on.times[9].Mean)
	c := fidelity(&f, none, on, paper.profile(10), reachable.profile(10), adjusted.profile(10))
	missed, needs := outside(on.times, paper, adjusted), paper.throughput(10, F)
	slower := func(u int) numbers.Interval { // percent beyond the reachable line
		return numbers.Across(s.runs[tenOn], func(o *outcome) float64 { return 100 * (o.mean(u)/reachable.at(float64(u+1)) - 1) })
	}
	far := func(u int) float64 { return math.Abs(math.Log(on.times[u].Mean / paper.at(float64(u+1)))) }
	near := 0.0 // of users 3 to 9 the farthest
	for u := 2; u < 9; u++ {
		near = max(near, far(u))
	}
	return f.Done([]report.Claim{
		report.Says("levels 3 to 9 mimic the ideal line, the extremes are far away (4.3)", "far away, mimic well", "users 3 to 9 are within 20% of the paper's ideal, users 1 and 10 are not",
			"users 1 and 10 %.0f%% and %.0f%% away, 3 to 9 at most %.0f%%", 100*(math.Exp(far(0))-1), 100*(math.Exp(far(9))-1), 100*(math.Exp(near)-1)).When(near < math.Log(1.2) && min(far(0), far(9)) > math.Log(1.2)),
		report.Says("the ideal line has the average of FIFO", "no overhead, the same throughput", "at most that of FIFO", "%.2f of FIFO's throughput", needs).When(needs <= 1).InTheory(),
		report.Says("only users 1 and 2 lie outside the ideal and the adjusted line", "1 and 2", "users not between the lines within 5%", "%v", missed).When(fmt.Sprint(missed) == "[1 2]").Headlined("ten users outside the ideal lines"),
		report.Says("the market is biased against users with low rates", "a bit", "95% intervals of users 1 and 2 above the reachable line",
			"users 1 and 2 %s%% and %s%% above the reachable line", slower(0), slower(1)).AllAbove(0, slower(0), slower(1)),
	}, fmt.Sprintf("Mean times over users 1 to 10 on a logarithmic axis: from %.0f s to %.0f s, near the reachable line; FIFO %.0f s for all.", on.times[0].Mean, on.times[9].Mean, F), c)
}

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
		report.Says("with preemption times are somewhat steadier", "somewhat more stable", "95% interval of the difference below 0", "users' times range over %s of their mean against %s", numbers.Across(on, unsteady), numbers.Across(off, unsteady)).Below(steadier, 0),
		report.Says("the 10 service levels are maintained", "10", "10 groups of users with a job that ended", "groups of %v users; with 10 reduces a job %v", groups, reduces).When(len(groups)-1 == 10),
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
		report.Says("users fall into groups of about 10 to 15", "10-15", "all groups with jobs that end of 10 to 15 users",
			"groups of %v", groups).When(!slices.ContainsFunc(groups[1:], func(n int) bool { return !tenToFifteen.Holds(float64(n)) })).Headlined("groups of 80 users"),
		report.Says("the groups come from the 10 reducers", "most likely", "several groups with jobs that end with reduces, one without",
			"with reduces %v, without %v", levels(reduces.times), groups).When(len(levels(reduces.times)) > 2 && len(groups) == 2),
		report.Says("the top 80 percent of the users are within the ideal lines", "80%", "none of users 17 to 80 outside the paper's ideal and the adjusted line by more than 5%", "%d of 64 are not", len(missed)).When(len(missed) == 0),
	}, "Mean times over 80 users on a logarithmic axis: steps, and no time for the first users.", c)
}

// others is the mean time of a user's jobs but for the boosted one.
func (o *outcome) others(user int) float64 {
	total := 0.0
	for _, t := range o.times[user] {
		total += t
	}
	return (total - o.times[user][user]) / float64(len(o.times[user])-1)
}

// valley and usual are the mean times of the boosted jobs and of all others.
func valley(o *outcome) (mean float64) {
	for u, times := range o.times {
		mean += times[u] / float64(len(o.times))
	}
	return mean
}

func usual(o *outcome) (mean float64) {
	for u := range o.times {
		mean += o.others(u) / float64(len(o.times))
	}
	return mean
}

func (s *study) figure10() (report.Figure, error) {
	f := report.NewFigure("Figure 10: user n bids four times as much for its n-th job, with preemption",
		fmt.Sprintf("Ten users run ten jobs of %d tasks each on 40 slots; a job takes %.0f s at an equal share. First seed. Rings: the published times of boosted jobs and of all others.", boosts.tasks, boosts.cycle))
	preempting := phase{"preempting", boostOn}
	c := s.trace(&f, allUsers, preempting)
	for _, panel := range c {
		s.publishedTimes(panel, nil, preempting, "published", draw.Black, 300, 900)
	}
	exact, err := bid(40, 1, bidders(1000, 40, append([]float64{boosts.boost}, boosts.rates[1:]...)...), market.Options{})
	if err != nil {
		return f, err
	}
	gain := exact[0].grants[0].Share * float64(boosts.users)
	on := s.runs[boostOn]
	low, high := numbers.Across(on, valley).Mean, numbers.Across(on, usual).Mean
	ratio := numbers.Across(on, func(o *outcome) float64 { return usual(o) / valley(o) })
	least, all := math.Inf(1), []report.Claim(nil)
	for _, u := range allUsers {
		i := numbers.Across(on, func(o *outcome) float64 { return o.others(u) / o.times[u][u] })
		least, all = min(least, i.Mean), append(all, report.Claim{}.Above(i, 2.5))
	}
	return f.Done([]report.Claim{
		report.Says("a share with the boost over one without", "(4/13)/(1/10)", "3.08 to two decimals", "%.3f", gain).When(math.Abs(gain-3.08) < .005).InTheory(),
		report.Says("boosted jobs take 300 s, others 900 s: a threefold boost", "3", "", "%.0f s and %.0f s: %s", low, high, ratio).
			Single(ratio, report.Printed("3").Ratio()).Headlined("boost by four times the rate"),
		report.Says("consistently for all users and jobs", "consistently", "95% interval of each user's ratio above 2.5", "least mean ratio of a user %.2f", least).All(all...),
	}, fmt.Sprintf("Completion times of ten users over time: each has one job of about %.0f s, all others take about %.0f s.", low, high), c...)
}

func (s *study) figure11() (report.Figure, error) {
	f := report.NewFigure("Figure 11: the same without preemption", "As Figure 10, with the same jobs. First seed.")
	c := s.trace(&f, allUsers, phase{"not preempting", boostOff})
	on, off := s.runs[boostOn], s.runs[boostOff]
	var costs []float64         // percent
	var users, jobs [10]float64 // how much turning preemption off changes user u's boosted job, and all users' k-th jobs: mean percentage
	for i := range on {
		costs = append(costs, 100*(numbers.Mean(slices.Concat(on[i].times...))/numbers.Mean(slices.Concat(off[i].times...))-1))
		for u := range users {
			for k := range jobs {
				change := 100 * math.Abs(off[i].times[u][k]/on[i].times[u][k]-1) / float64(len(on))
				jobs[k] += change / float64(len(users))
				if k == u {
					users[u] += change
				}
			}
		}
	}
	order := slices.SortedStableFunc(slices.Values(allUsers), func(a, b int) int { return cmp.Compare(users[b], users[a]) })
	random, cost := less(off, on, firstRange), numbers.Over(costs)
	return f.Done([]report.Claim{
		report.Says("preemption changes the mean time of a job by less than 2.6%", "< 2.6%", "95% interval within 2.6% of 0",
			"%s%%, %.1f%% of the work lost", cost, numbers.Across(on, lost).Mean).Within(cost, -2.6, 2.6).Headlined("cost of preemption"),
		report.Says("the boosted jobs of users 1 and 10 deviate most", "1 and 10", "the two largest mean changes", "users %d and %d: %.0f%% and %.0f%%", order[0]+1, order[1]+1, users[order[0]], users[order[1]]).When(min(order[0], order[1]) == 0 && max(order[0], order[1]) == 9),
		report.Says("without preemption the first jobs' times are random", "random", "95% interval of the difference above 0", "they range over %s of their mean, %s more than with", numbers.Across(off, firstRange), random).Above(random, 0),
		report.Says("all other jobs follow the same pattern", "almost identical", "jobs from the second on within 10% on average", "by job from the second on: %.0f%%", jobs[1:]).When(slices.Max(jobs[1:]) <= 10),
	}, fmt.Sprintf("Completion times of ten users over time. The first jobs range over %.1f times their mean; then as in Figure 10.", numbers.Across(off, firstRange).Mean), c...)
}
