package dynprio

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/market"
)

// others is the mean time of a user's jobs but for the boosted one.
func (o *outcome) others(user int) float64 {
	return (sum(o.times[user]) - o.times[user][user]) / float64(len(o.times[user])-1)
}

// boosted is the mean of what a function gives for the users' boosted jobs.
func boosted(o *outcome, of func(u int) float64) float64 {
	total := 0.0
	for u := range o.times {
		total += of(u)
	}
	return total / float64(len(o.times))
}

// allUsers are the indices of the ten users.
var allUsers = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}

func (s *study) figure10() (report.Figure, error) {
	f := report.Figure{
		Item:    "fig10",
		Title:   "Figure 10: user n bids four times as much for its n-th job, with preemption",
		Caption: fmt.Sprintf("Ten users run ten jobs of %d tasks each on 40 slots; a job takes %.0f s at an equal share. First seed.", boosts.tasks, boosts.cycle),
	}
	c := s.trace(&f, allUsers, phase{"preempting", boostOn})
	rates := []float64{4, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	exact, err := bid(40, 1, bidders(1000, 40, rates...), market.Options{}, nil)
	if err != nil {
		return f, err
	}
	gain := exact[0].grants[0].Share * 10
	valley := func(o *outcome) float64 { return boosted(o, func(u int) float64 { return o.times[u][u] }) }
	usual := func(o *outcome) float64 { return boosted(o, o.others) }
	speedup := func(o *outcome) float64 { return usual(o) / valley(o) }
	on, fine := over(s.runs[boostOn], speedup), over(s.runs[boostFine], speedup)
	least := math.Inf(1)
	for _, u := range allUsers {
		least = min(least, over(s.runs[boostOn], func(o *outcome) float64 { return o.others(u) / o.times[u][u] }).Mean)
	}
	f.Claims = claims("fig10",
		report.Claim{Claim: "a share with the boost over one without", Published: "(4/13)/(1/10)", Model: report.Short(gain), Relation: "3.08 to two decimals", Holds: math.Abs(gain-3.08) < .005, Note: "a share is not the rate over the price", Kind: report.Theory},
		report.Claim{Claim: "boosted jobs take 300 s, others 900 s: a threefold boost", Published: "3", Model: fmt.Sprintf("%.0f s and %.0f s: %s; with %d tasks a job %s", over(s.runs[boostOn], valley).Mean, over(s.runs[boostOn], usual).Mean, on, scenarios[boostFine].tasks, fine), Relation: "mean ratio within 10% of 3",
			Holds: math.Abs(on.Mean-3) <= .3, Note: "a job of one task for each slot ends in whole rounds of its grant"},
		report.Claim{Claim: "consistently for all users and jobs", Published: "consistently", Model: fmt.Sprintf("least mean ratio of a user %.2f", least), Relation: "at least 2.5", Holds: least >= 2.5, Note: "user 1's job starts on an empty cluster, user 10's with fewer rivals"},
	)
	f.Picture, err = draw.New(fmt.Sprintf("Completion times of ten users over time: each has one job of about %.0f s, all others take about %.0f s.", over(s.runs[boostOn], valley).Mean, over(s.runs[boostOn], usual).Mean), c)
	return f, err
}

func (s *study) figure11() (report.Figure, error) {
	f := report.Figure{
		Item:    "fig11",
		Title:   "Figure 11: the same without preemption",
		Caption: "As Figure 10, with the same jobs. First seed.",
	}
	c := s.trace(&f, allUsers, phase{"not preempting", boostOff})
	on, off := s.runs[boostOn], s.runs[boostOff]
	mean := func(o *outcome) float64 { return report.Mean(slices.Concat(o.times...)) }
	// The change of one job by turning preemption off, relative and in size.
	change := func(i, u, k int) float64 { return math.Abs(off[i].times[u][k]/on[i].times[u][k] - 1) }
	var ratios []float64
	for i := range on {
		ratios = append(ratios, mean(&on[i])/mean(&off[i])-1)
	}
	overhead := report.Over(ratios)
	lost := over(on, func(o *outcome) float64 { return o.lost })
	var users, jobs [10]float64 // mean change of user u's boosted job, and of all users' k-th jobs
	for i := range on {
		for u := range users {
			users[u] += change(i, u, u) / float64(len(on))
			for k := range jobs {
				jobs[k] += change(i, u, k) / float64(10*len(on))
			}
		}
	}
	order := slices.Clone(allUsers)
	slices.SortStableFunc(order, func(a, b int) int { return int(math.Copysign(1, users[b]-users[a])) })
	stable := 10 // jobs after which the users' times are those with preemption within 10% on average
	for stable > 0 && jobs[stable-1] <= .1 {
		stable--
	}
	first := func(o *outcome) float64 { return spreadOf(firsts(o)) / report.Mean(firsts(o)) }
	random := paired(off, on, first)
	f.Claims = claims("fig11",
		report.Claim{Claim: "preemption changes the mean time of a job by less than 2.6%", Published: "< 2.6%", Model: fmt.Sprintf("%s%%, %.1f%% of the work lost", report.Interval{Mean: 100 * overhead.Mean, Half: 100 * overhead.Half}, 100*lost.Mean), Relation: "95% interval within 2.6% of 0",
			Holds: overhead.Low() >= -.026 && overhead.High() <= .026, Note: "work is lost when grants move while tasks of 90 s run, and jobs of one task for each slot wait for their last task"},
		report.Claim{Claim: "the boosted jobs of users 1 and 10 deviate most", Published: "1 and 10", Model: fmt.Sprintf("%s and %s: %.0f%% and %.0f%%", userName(order[0]), userName(order[1]), 100*users[order[0]], 100*users[order[1]]), Relation: "the two largest mean changes",
			Holds: slices.Equal(slices.Sorted(slices.Values(order[:2])), []int{0, 9}), Note: "a boost at any time waits for tasks of others to end"},
		report.Claim{Claim: "without preemption the first jobs' times are random", Published: "random", Model: fmt.Sprintf("they range over %s of their mean, %s more than with", over(off, first), random), Relation: "95% interval of the difference above 0", Holds: random.Low() > 0, Note: "jobs of one task for each slot"},
		report.Claim{Claim: "all other jobs follow the same pattern", Published: "from the second on", Model: fmt.Sprintf("within 10%% on average from job %d on; job by job %.0f%%", stable+1, scaled(jobs[:], 100)), Relation: "from the second job on", Holds: stable <= 1, Note: "the order of users that the first jobs leave lasts"},
	)
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Completion times of ten users over time. The first jobs range over %.1f times their mean; then as in Figure 10.", over(off, first).Mean), c)
	return f, err
}

// scaled are numbers times a factor.
func scaled(list []float64, by float64) []float64 {
	var out []float64
	for _, x := range list {
		out = append(out, x*by)
	}
	return out
}
