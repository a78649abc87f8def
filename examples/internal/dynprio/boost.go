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

// others is the mean time of a user's jobs but for the boosted one.
func (o *outcome) others(user int) float64 {
	return (sum(o.times[user]) - o.times[user][user]) / float64(len(o.times[user])-1)
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
		report.Says("without preemption the first jobs' times are random", "random", "95% interval of the difference above 0", "they range over %s of their mean, %s more than with", numbers.Across(off, firstRange), random).AllAbove(0, random),
		report.Says("all other jobs follow the same pattern", "almost identical", "jobs from the second on within 10% on average", "by job from the second on: %.0f%%", jobs[1:]).When(slices.Max(jobs[1:]) <= 10),
	}, fmt.Sprintf("Completion times of ten users over time. The first jobs range over %.1f times their mean; then as in Figure 10.", numbers.Across(off, firstRange).Mean), c...)
}
