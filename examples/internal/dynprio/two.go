package dynprio

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/market"
)

// spent is what a queue has paid in a run.
func spent(o *outcome, user int) float64 {
	return o.steps[0].budgets[user] - o.steps[len(o.steps)-1].budgets[user]
}

// dryAt is the first step at which the first queue's budget pays for no slot.
func dryAt(o *outcome) int {
	k := 0
	for k < len(o.steps)-1 && o.steps[k].budgets[0] >= scenarios[drain].rates[0] {
		k++
	}
	return k
}

func (s *study) figure3() (report.Figure, error) {
	f := report.Figure{
		Item:  "fig3",
		Title: "Figure 3: budgets of two queues, the first with twice the rate",
		Caption: fmt.Sprintf("120 slots, rates of %v and %v credits a slot and minute, jobs of %d tasks. First without preemption from budgets of 1,000 and 10,000; then with preemption from 10,000 each. First seed.",
			two.rates[0], two.rates[1], two.tasks),
		Numbers: report.Table{Columns: []string{"experiment", "time_s", "budget_1", "budget_2", "slots_1", "slots_2", "price"}},
	}
	c := &draw.Chart{X: draw.Axis{Label: "time (h)"}, Y: draw.Axis{Label: "budget (credits)", Max: 10500}, GridY: true}
	var x []float64
	var y [2][]float64
	for _, p := range []phase{{"first queue runs out", drain}, {"reset, preemption", twoOn}} {
		for _, st := range s.runs[p.experiment][0].steps {
			f.Numbers.Add(p.name, st.time, st.budgets[0], st.budgets[1], st.slots[0], st.slots[1], st.price)
			x = append(x, (c.X.Max*3600+st.time)/3600)
			y[0], y[1] = append(y[0], st.budgets[0]), append(y[1], st.budgets[1])
		}
		c.X.Max = x[len(x)-1]
	}
	c.Series(thin(x, line(0, "queue 1, budget 1000, then 10000", y[0]), line(1, "queue 2, budget 10000 twice", y[1])))
	exact, err := bid(120, 2, bidders(1000, 120, two.rates...), market.Options{}, nil)
	if err != nil {
		return f, err
	}
	ratio := func(e experiment) report.Interval {
		return over(s.runs[e], func(o *outcome) float64 { return spent(o, 1) / spent(o, 0) })
	}
	fine, medium, coarse := ratio(twoFine), ratio(twoOn), ratio(twoCoarse)
	drained := s.runs[drain]
	before := over(drained, func(o *outcome) float64 { return (10000 - o.steps[dryAt(o)].budgets[1]) / 1000 })
	after := over(drained, func(o *outcome) float64 { // the second queue's slots after over before
		k := dryAt(o)
		return meanSlots(o.steps[k+1:], 1) / meanSlots(o.steps[:k], 1)
	})
	kept := over(drained, func(o *outcome) float64 { return meanSlots(o.steps[dryAt(o)+1:], 0) })
	times := charges(exact, 0)[1] / charges(exact, 1)[1]
	f.Claims = claims("fig3",
		report.Claim{Claim: "at twice the rate queue 1 spends 4 times as much in an interval", Published: "4 times", Model: report.Short(times), Relation: "equal, by the shares of users who can use all slots", Holds: times == 4, Note: "rounding", Kind: report.Theory},
		report.Claim{Claim: "what queue 2 spends over what queue 1 spends (the paper: \"more than\")", Published: "26-27% (25% expected)",
			Model:    fmt.Sprintf("%.3f with %d tasks a job, %.3f with %d, %.3f with %d, one for each slot", fine.Mean, scenarios[twoFine].tasks, medium.Mean, two.tasks, coarse.Mean, scenarios[twoCoarse].tasks),
			Relation: "at most .27 with the most tasks, at least .26 with one for each slot", Holds: fine.Mean <= .27 && coarse.Mean >= .26, Note: "while a job's last tasks run the other queue gets more than its share"},
		report.Claim{Claim: "when queue 1 has spent its 1000, queue 2 has spent a quarter", Published: "(25% expected)", Model: fmt.Sprintf("%s of it", before), Relation: "within 10% of .25", Holds: math.Abs(before.Mean-.25) <= .025,
			Note: "as above: the last tasks of queue 1's jobs leave slots to queue 2"},
		report.Claim{Claim: "then the allocation is given over to queue 2", Published: "given over", Model: fmt.Sprintf("%s times as many slots, %s left to queue 1", after, kept), Relation: "at least 2.5 times (3 by the shares), none paid by queue 1", Holds: after.Mean >= 2.5 && kept.Mean == 0,
			Note: "queue 2's last tasks of a job cannot use all slots"},
	)
	f.Picture, err = draw.New(fmt.Sprintf("Two falling lines, twice. Queue 1's budget of 1000 ends when queue 2 has spent %.0f of 10000; then queue 2's falls %.1f times as fast. After the reset queue 1's falls %.1f times as fast as queue 2's.",
		1000*before.Mean, after.Mean, 1/medium.Mean), c)
	return f, err
}

// meanSlots is a user's mean number of paid slots over steps.
func meanSlots(steps []step, user int) float64 {
	total := 0.0
	for _, st := range steps {
		total += float64(st.slots[user])
	}
	return total / float64(len(steps))
}

func (s *study) figure4() (report.Figure, error) {
	f := report.Figure{
		Item:  "fig4",
		Title: "Figure 4: completion times of two queues under four settings",
		Caption: fmt.Sprintf("The first queue bids twice as much. Jobs of %d tasks take %.0f s under FIFO. Capacity guarantees two thirds and one third, and takes slots after 60 minutes. First seed; in the first phase the first queue runs out of credits.",
			two.tasks, twoCycle),
	}
	c := s.trace(&f, []int{0, 1}, phase{"out of budget", drain}, phase{"preempting", twoOn}, phase{"Capacity", twoCapacity}, phase{"FIFO", twoFIFO})
	r := &s.runs
	apart := func(o *outcome) float64 { return o.mean(1) / o.mean(0) }
	ratio := func(e experiment) report.Interval { return over(r[e], apart) }
	range0, range1 := func(o *outcome) float64 { return o.spread(0) }, func(o *outcome) float64 { return o.spread(1) }
	steady := over(r[twoOn], func(o *outcome) float64 { return o.spread(0) - o.spread(1) })
	wider := []report.Interval{paired(r[twoCapacity], r[twoOn], range0), paired(r[twoCapacity], r[twoOn], range1)}
	worse := over(r[drain], func(o *outcome) float64 { // of queue 1's jobs: the mean after running out less the mean before
		var before, after []float64
		for k, end := range o.ends[0] {
			if end <= o.steps[dryAt(o)].time {
				before = append(before, o.times[0][k])
			} else {
				after = append(after, o.times[0][k])
			}
		}
		return report.Mean(after) - report.Mean(before)
	})
	between := true
	for _, e := range []experiment{twoOn, twoCapacity} {
		between = between && paired(r[twoFIFO], r[e], meanOf(0)).Low() > 0 && paired(r[twoFIFO], r[e], meanOf(1)).High() < 0
	}
	on, last, cap, none := ratio(twoOn), ratio(twoLast), ratio(twoCapacity), ratio(twoFIFO)
	f.Claims = claims("fig4",
		report.Claim{Claim: "queue 1's times grow when its budget runs out", Published: "degrades significantly", Model: fmt.Sprintf("%s s more", worse), Relation: "95% interval above 0", Holds: worse.Low() > 0, Note: "spare slots suffice"},
		report.Claim{Claim: "queue 1 is faster by less than the factor 2 of its slots", Published: "about 1.8", Model: fmt.Sprintf("%s; %s if each job ends with reduces of %.0f s that no share limits", on, last, scenarios[twoLast].last), Relation: "mean with those reduces within .1 of 1.8",
			Holds: math.Abs(last.Mean-1.8) <= .1, Note: "while queue 1's reduces run queue 2 has all slots, which a job's time as slots' part plus a constant leaves out"},
		report.Claim{Claim: "queue 1's times spread less than queue 2's", Published: "3000-3200 s against 4500-5800 s", Model: fmt.Sprintf("%s s against %s s", over(r[twoOn], range0), over(r[twoOn], range1)), Relation: "95% interval of the difference below 0", Holds: steady.High() < 0, Note: "equal tasks"},
		report.Claim{Claim: "under Capacity the times of both queues spread more", Published: "3000-3600 s, 3600-5500 s", Model: fmt.Sprintf("%s s and %s s more", wider[0], wider[1]), Relation: "95% intervals of the differences above 0, both queues", Holds: wider[0].Low() > 0 && wider[1].Low() > 0,
			Note: "Capacity gives free slots to the queue below its guarantee: with a job always waiting it holds the shares without preemption"},
		report.Claim{Claim: "Capacity tells the queues apart less", Published: "1.5 against 1.8", Model: fmt.Sprintf("%s against %s", cap, on), Relation: "95% interval of the difference below 0", Holds: paired(r[twoCapacity], r[twoOn], apart).High() < 0, Note: "its free slots go where they are missing, as the market's do"},
		report.Claim{Claim: "FIFO does not tell the queues apart", Published: "no differentiation", Model: none.String(), Relation: "ratio within 2% of 1", Holds: math.Abs(none.Mean-1) <= .02, Note: "the order of arrival"},
		report.Claim{Claim: "FIFO's mean lies between the queues' under the other schedulers", Published: "above queue 1, below queue 2", Model: fmt.Sprintf("%.0f s; %s and %s; Capacity %s and %s", over(r[twoFIFO], meanOf(0)).Mean, over(r[twoOn], meanOf(0)), over(r[twoOn], meanOf(1)), over(r[twoCapacity], meanOf(0)), over(r[twoCapacity], meanOf(1))),
			Relation: "95% intervals of the differences, both schedulers", Holds: between, Note: "Capacity tells them not apart"},
	)
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Completion times of two queues over time in four phases. Preempting: queue 1 about %.0f s, queue 2 %.0f s. FIFO: both %.0f s.",
		over(r[twoOn], meanOf(0)).Mean, over(r[twoOn], meanOf(1)).Mean, over(r[twoFIFO], meanOf(0)).Mean), c)
	return f, err
}
