package dynprio

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/market"
)

// others is the mean time of a user's jobs but for the boosted one.
func (o *outcome) others(user int) float64 {
	return (sum(o.times[user]) - o.times[user][user]) / float64(len(o.times[user])-1)
}

// valley and usual are the mean times of the boosted jobs and of all others; speedup is their
// ratio.
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

func speedup(o *outcome) float64 { return usual(o) / valley(o) }

func (s *study) figure10() (report.Figure, error) {
	f := report.NewFigure("Figure 10: user n bids four times as much for its n-th job, with preemption",
		fmt.Sprintf("Ten users run ten jobs of %d tasks each on 40 slots; a job takes %.0f s at an equal share. First seed.", boosts.tasks, boosts.cycle))
	c := s.trace(&f, allUsers, phase{"preempting", boostOn})
	exact, err := bid(40, 1, bidders(1000, 40, append([]float64{boosts.boost}, boosts.rates[1:]...)...), market.Options{}, nil)
	if err != nil {
		return f, err
	}
	gain := exact[0].grants[0].Share * float64(boosts.users)
	on := s.runs[boostOn]
	ratio, low, high, least := report.Across(on, speedup), report.Across(on, valley).Mean, report.Across(on, usual).Mean, math.Inf(1)
	for _, u := range allUsers {
		least = min(least, report.Across(on, func(o *outcome) float64 { return o.others(u) / o.times[u][u] }).Mean)
	}
	return f.Done([]report.Claim{
		as(report.Theory, row("a share with the boost over one without", "(4/13)/(1/10)", "3.08 to two decimals", math.Abs(gain-3.08) < .005, "a share is not the rate over the price", "%.3f", gain)),
		row("boosted jobs take 300 s, others 900 s: a threefold boost", "3", "mean ratio within 10% of 3", math.Abs(ratio.Mean-3) <= .3, "a job of one task for each slot ends in whole rounds of its grant",
			"%.0f s and %.0f s: %s; with %d tasks a job %s", low, high, ratio, scenarios[boostFine].tasks, report.Across(s.runs[boostFine], speedup)),
		row("consistently for all users and jobs", "consistently", "at least 2.5 for each user", least >= 2.5, "user 1's job starts on an empty cluster, user 10's with fewer rivals", "least mean ratio of a user %.2f", least),
	}, fmt.Sprintf("Completion times of ten users over time: each has one job of about %.0f s, all others take about %.0f s.", low, high), c)
}

func (s *study) figure11() (report.Figure, error) {
	f := report.NewFigure("Figure 11: the same without preemption", "As Figure 10, with the same jobs. First seed.")
	c := s.trace(&f, allUsers, phase{"not preempting", boostOff})
	on, off := s.runs[boostOn], s.runs[boostOff]
	overhead := func(with, without experiment) report.Interval {
		var list []float64 // percent
		for i := range s.runs[with] {
			list = append(list, 100*(report.Mean(slices.Concat(s.runs[with][i].times...))/report.Mean(slices.Concat(s.runs[without][i].times...))-1))
		}
		return report.Over(list)
	}
	cost := overhead(boostOn, boostOff)
	var users, jobs [10]float64 // how much turning preemption off changes user u's boosted job, and all users' k-th jobs: mean percentage
	for i := range on {
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
	stable := slices.IndexFunc(jobs[:], func(change float64) bool { return change <= 10 })
	if stable < 0 {
		stable = len(jobs)
	}
	random := less(off, on, firstRange)
	return f.Done([]report.Claim{
		row("preemption changes the mean time of a job by less than 2.6%", "< 2.6%", "95% interval within 2.6% of 0", cost.Low() >= -2.6 && cost.High() <= 2.6, "with one task of 90 s for each slot, kills when boosts begin and end lose whole tasks",
			"%s%%, %.1f%% of the work lost; with %d tasks a job %s%%, %.1f%%", cost, report.Across(on, lost).Mean, scenarios[boostFine].tasks, overhead(boostFine, boostFineOff), report.Across(s.runs[boostFine], lost).Mean),
		row("the boosted jobs of users 1 and 10 deviate most", "1 and 10", "the two largest mean changes", min(order[0], order[1]) == 0 && max(order[0], order[1]) == 9, "a boost at any time waits for tasks of others to end",
			"users %d and %d: %.0f%% and %.0f%%", order[0]+1, order[1]+1, users[order[0]], users[order[1]]),
		row("without preemption the first jobs' times are random", "random", "95% interval of the difference above 0", above(random), "jobs of one task for each slot", "they range over %s of their mean, %s more than with", report.Across(off, firstRange), random),
		row("the market converges quickly without preemption: jobs until stable", "1, the first", "at most 1 before a job takes as long as with preemption within 10% on average", stable <= 1, "the order of users that the first jobs leave lasts", "%d; first jobs change by %.0f%%, second ones by %.0f%%", stable, jobs[0], jobs[1]),
		row("all other jobs follow the same pattern", "almost identical", "jobs from the second on within 10% on average", slices.Max(jobs[1:]) <= 10, "the last jobs run with fewer rivals, in another order", "by job from the second on: %.0f%%", jobs[1:]),
	}, fmt.Sprintf("Completion times of ten users over time. The first jobs range over %.1f times their mean; then as in Figure 10.", report.Across(off, firstRange).Mean), c)
}
