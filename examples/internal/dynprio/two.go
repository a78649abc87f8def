package dynprio

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/market"
)

// dryAt is the first step at which the first queue's budget pays for no slot.
func dryAt(o *outcome) int {
	k := 0
	for k < len(o.steps)-1 && o.steps[k].budgets[0] >= two.rates[0] {
		k++
	}
	return k
}

// meanSlots is a user's mean number of paid slots over steps.
func meanSlots(steps []step, user int) float64 {
	return numbers.Mean(numbers.Column(steps, func(st *step) float64 { return float64(st.slots[user]) }))
}

// mostSlots is a user's largest number of paid slots in steps.
func mostSlots(steps []step, user int) (most float64) {
	for _, st := range steps {
		most = max(most, float64(st.slots[user]))
	}
	return most
}

// apart is the ratio of the queues' longest times, which the paper has: 5800/3200 and 5500/3600.
func apart(o *outcome) float64 { return slices.Max(o.later(1)) / slices.Max(o.later(0)) }

func ratioOfMeans(o *outcome) float64 { return o.mean(1) / o.mean(0) }

// spent is what queue 2 spends over what queue 1 spends.
func spent(o *outcome) float64 {
	from, to := o.steps[0].budgets, o.steps[len(o.steps)-1].budgets
	return (from[1] - to[1]) / (from[0] - to[0])
}

func (s *study) figure3() (report.Figure, error) {
	f := report.NewFigure("Figure 3: budgets of two queues, the first with twice the rate",
		fmt.Sprintf("Rates of %v and %v credits a slot and interval on 120 slots. First without preemption from budgets of 1,000 and 10,000; after a day both are set to 10,000 and preemption begins. First seed.", two.rates[0], two.rates[1]),
		"experiment", "time_s", "budget_1", "budget_2", "slots_1", "slots_2", "price")
	c := &draw.Chart{X: draw.Axis{Label: "time (h)"}, Y: draw.Axis{Label: "budget (credits)", Max: 10500}, GridY: true}
	var x []float64
	var y [2][]float64
	for _, p := range []phase{{"out of budget", drain}, {"reset, preempting", twoOn}} {
		for _, st := range s.runs[p.experiment][0].steps {
			f.Numbers.Add(p.name, st.time, st.budgets[0], st.budgets[1], st.slots[0], st.slots[1], st.price)
			x, y[0], y[1] = append(x, st.time/3600), append(y[0], st.budgets[0]), append(y[1], st.budgets[1])
		}
	}
	c.X.Max = x[len(x)-1]
	lines := []draw.Series{draw.Curve(0, "queue 1", x, y[0]), draw.Curve(1, "queue 2", x, y[1])}
	lines[0].Radius, lines[1].Radius = 0, 0
	c.Series(lines)
	exact, err := bid(120, 2, bidders(1000, 120, two.rates...), market.Options{})
	if err != nil {
		return f, err
	}
	times := charge(exact[1], 0) / charge(exact[1], 1)
	r, spending := s.runs[drain], numbers.Across(s.runs[twoOn], spent)
	before := numbers.Across(r, func(o *outcome) float64 { return (10000 - o.steps[dryAt(o)].budgets[1]) / 1000 })
	after := numbers.Across(r, func(o *outcome) float64 { return meanSlots(o.steps[dryAt(o)+1:], 1) / meanSlots(o.steps[:dryAt(o)], 1) })
	kept := numbers.Across(r, func(o *outcome) float64 { return mostSlots(o.steps[dryAt(o)+1:], 0) })
	none := !slices.ContainsFunc(r, func(o outcome) bool { return mostSlots(o.steps[dryAt(&o)+1:], 0) > 0 })
	return f.Done([]report.Claim{
		report.Says("at twice the rate queue 1 spends 4 times as much in an interval", "4 times", "equal, by the shares of users who can use all slots", "%v", times).When(times == 4).InTheory(),
		report.Says("what queue 2 spends over what queue 1 spends (the paper: \"more than\")", "26-27% (25% expected)", "", "%s", spending).
			Single(spending, report.Range("26", "27").Times(.01).Ratio()).Headlined("queue 2's spending over queue 1's"),
		report.Says("when queue 1 has spent its 1000, queue 2 has spent a quarter", "(25% expected)", "", "%s of it", before).Single(before, report.Printed("25").Times(.01).Ratio()),
		report.Says("then the allocation is given over to queue 2", "given over", "no paid slot of queue 1 in any step after the first dry one, in every repetition; 95% interval of queue 2's paid slots over those before above 1",
			"%s times as many slots, at most %s left to queue 1", after, kept).All(report.Claim{}.Above(after, 1), report.Claim{}.When(none)),
	}, fmt.Sprintf("Falling budgets, twice. Queue 1's 1000 credits end when queue 2 has spent %.0f; then queue 2 has %.1f times as many slots.", 1000*before.Mean, after.Mean), c)
}

func (s *study) figure4() (report.Figure, error) {
	f := report.NewFigure("Figure 4: completion times of two queues under four settings", fmt.Sprintf("The first queue bids twice as much. Jobs take %.0f s under FIFO. "+
		"Capacity guarantees two thirds and one third, and takes slots after 60 minutes. First seed; in the first phase the first queue runs out of credits. Rings: the ends of the published ranges, in the colour of their queue.", two.cycle))
	phases := []phase{{"out of budget", drain}, {"preempting", twoOn}, {"Capacity", twoCapacity}, {"FIFO", twoFIFO}}
	c := s.trace(&f, []int{0, 1}, phases...)
	for q := range 2 {
		label, color := fmt.Sprintf("queue %d, published", q+1), draw.Look(q, "").Stroke.Color
		s.publishedTimes(c[0], phases[:1], phases[1], label, color, [][]float64{{3000, 3200}, {4500, 5800}}[q]...)
		s.publishedTimes(c[0], phases[:2], phases[2], "", color, [][]float64{{3000, 3600}, {3600, 5500}}[q]...)
	}
	on, reserved, none := s.runs[twoOn], s.runs[twoCapacity], s.runs[twoFIFO]
	worse := less(s.runs[drain], s.runs[twoOff], meanOf(0))
	tighter := numbers.Across(on, func(o *outcome) float64 { return spread(0)(o) - spread(1)(o) })
	wider := []numbers.Interval{less(reserved, on, spread(0)), less(reserved, on, spread(1))}
	between := []numbers.Interval{less(none, on, meanOf(0)), less(none, reserved, meanOf(0)), less(on, none, meanOf(1)), less(reserved, none, meanOf(1))}
	alike, longest, byCapacity := numbers.Across(none, ratioOfMeans), numbers.Across(on, apart), numbers.Across(reserved, apart)
	mean := func(runs []outcome, user int) float64 { return numbers.Across(runs, meanOf(user)).Mean }
	return f.Done([]report.Claim{
		report.Says("queue 1 takes longer when its budget runs out", "degrades significantly", "95% interval above 0", "%s s longer on average than with a budget that lasts", worse).Above(worse, 0),
		report.Says("queue 2's longest time over queue 1's is less than the factor 2 of the slots", "about 1.8: 5800/3200", "",
			"%s; of the means %s", longest, numbers.Across(on, ratioOfMeans)).Single(longest, report.About("1.8").Ratio()).Headlined("longest times of two queues"),
		report.Says("under Capacity queue 2's longest time over queue 1's", "about 1.5: 5500/3600", "",
			"%s; of the means %s", byCapacity, numbers.Across(reserved, ratioOfMeans)).Single(byCapacity, report.About("1.5").Ratio()).Headlined("the same under Capacity"),
		report.Says("queue 1's times spread less than queue 2's", "3000-3200 s against 4500-5800 s", "95% interval of the difference below 0", "%s s against %s s", numbers.Across(on, spread(0)), numbers.Across(on, spread(1))).Below(tighter, 0),
		report.Says("under Capacity the times of both queues spread more", "3000-3600 s, 3600-5500 s",
			"95% intervals of the differences above 0, both queues", "%s s and %s s more", wider[0], wider[1]).AllAbove(0, wider...),
		report.Says("Capacity tells the queues apart less", "1.5 against 1.8: 5500/3600, 5800/3200", "95% interval of the difference below 0", "%s against %s", byCapacity, longest).Below(less(reserved, on, apart), 0),
		report.Says("FIFO's mean lies above queue 1's and below queue 2's under the other schedulers", "above queue 1, below queue 2", "95% intervals of the four differences", "FIFO %.0f and %.0f s; market %.0f and %.0f s; Capacity %.0f and %.0f s", mean(none, 0), mean(none, 1), mean(on, 0), mean(on, 1), mean(reserved, 0), mean(reserved, 1)).AllAbove(0, between...),
		report.Says("FIFO does not tell the queues apart", "no differentiation", "95% interval of the ratio of means within 5% of 1", "%s", alike).Within(alike, .95, 1.05).InTheory(),
	}, fmt.Sprintf("Completion times of two queues over time in four phases. Preempting: about %.0f and %.0f s. FIFO: both %.0f s.", mean(on, 0), mean(on, 1), mean(none, 0)), c...)
}

// lengths are numbers of tasks of a job of two queues: tasks of half an hour, of seven minutes, and
// of two.
var lengths = []int{120, 480, 1725}

func (s *study) figureTasks() (report.Figure, error) {
	f := report.NewFigure("Section 5: preemption for long tasks and for short ones",
		"Queue 2's mean time over queue 1's, which has twice the rate. Reading B but for the number of tasks. Dotted: the 2 of the shares.", "task_s", "preempting", "preempting_ci95", "not_preempting", "not_preempting_ci95")
	var names []string
	var ratios [2][]numbers.Interval
	var runs [][2][]outcome
	for _, n := range lengths {
		x := &study{Options: s.Options, n: s.n, seeds: s.seeds, terminal: s.terminal, change: func(c *scenario) { c.tasks = n }}
		var pair [2][]outcome
		for i, preempt := range []bool{true, false} {
			var err error
			if pair[i], err = x.each(two.with(func(c *scenario) { c.preempt, c.quick = preempt, day/2 })); err != nil {
				return f, err
			}
			ratios[i] = append(ratios[i], numbers.Across(pair[i], ratioOfMeans))
		}
		runs = append(runs, pair)
		c := two.with(func(c *scenario) { c.tasks = n })
		names = append(names, fmt.Sprintf("%.0f s", c.mapTime()))
		on, off := ratios[0][len(names)-1], ratios[1][len(names)-1]
		f.Numbers.Add(c.mapTime(), on.Mean, on.Half, off.Mean, off.Half)
	}
	c := draw.PointsAt("time of a task", "ratio of mean times", names, []draw.Series{draw.Means(0, "preempting", nil, ratios[0]), draw.Means(1, "not preempting", nil, ratios[1])}, 2)
	c.Level("", 2, draw.Stroke{Color: draw.Black, Dash: draw.Dotted})
	return f.Done(lengthClaims(runs[0], runs[len(runs)-1]), "Ratios of two queues' times for three lengths of tasks, with and without preemption.", c)
}

// lengthClaims are about runs with preemption and without, for long tasks and for short ones.
func lengthClaims(long, short [2][]outcome) []report.Claim {
	off := func(o *outcome) float64 { return math.Abs(ratioOfMeans(o) - 2) } // from the shares
	gain, little := less(long[0], long[1], off), less(short[0], short[1], ratioOfMeans)
	return []report.Claim{
		report.Says("for long tasks preemption may be necessary", "necessary to avoid starvation", "95% interval of the distance to the ratio of shares, 2, less that without, below 0", "tasks of half an hour: %s against %s, %s farther", numbers.Across(long[0], ratioOfMeans), numbers.Across(long[1], ratioOfMeans), gain).Below(gain, 0),
		report.Says("for tasks of a couple of minutes preemption may not add much value", "not much", "95% interval of the difference of the ratios within .1 of 0", "%s against %s, %s more", numbers.Across(short[0], ratioOfMeans), numbers.Across(short[1], ratioOfMeans), little).Within(little, -.1, .1),
	}
}

// An ideal is what times ought to be, by the user's number. The paper's has times in inverse
// proportion to the rates, with FIFO's mean; it needs more throughput than FIFO's. The reachable
// one has times in the same proportion with FIFO's throughput.
type ideal struct {
	name string
	at   func(n float64) float64
}

// twoIdeals are those of two queues when FIFO takes F.
func twoIdeals(F float64) [2]ideal {
	return [2]ideal{{"ideal (paper)", func(n float64) float64 { return n * 2 / 3 * F }}, {"reachable ideal", func(n float64) float64 { return n * .75 * F }}}
}

// ideals are those of users who bid 1, 2 and so on, and the paper's adjusted one, which is its
// ideal moved to the best user's time.
func ideals(users int, F, best float64) (paper, reachable, adjusted ideal) {
	harmonic, last := 0.0, float64(users)
	for n := range users {
		harmonic += 1 / float64(n+1)
	}
	return ideal{"ideal (paper)", func(n float64) float64 { return F * last / (n * harmonic) }},
		ideal{"reachable ideal", func(n float64) float64 { return F * (last + 1) / 2 / n }},
		ideal{"adjusted", func(n float64) float64 { return best * last / n }}
}

// throughput is that of an ideal over FIFO's.
func (p ideal) throughput(users int, F float64) float64 {
	total := 0.0
	for n := range users {
		total += F / p.at(float64(n+1)) / float64(users)
	}
	return total
}

// outside lists the users, from 1, whose mean time is not between two ideals, within 5% of them.
func outside(times []numbers.Interval, p, q ideal) []int {
	const margin = .05
	var list []int
	for u, t := range times {
		a, b := p.at(float64(u+1)), q.at(float64(u+1))
		if !(t.Mean >= (1-margin)*min(a, b) && t.Mean <= (1+margin)*max(a, b)) { // NaN: no job has ended
			list = append(list, u+1)
		}
	}
	return list
}

// fifoMean is the mean time of both queues under FIFO.
func (s *study) fifoMean() float64 {
	return numbers.Across(s.runs[twoFIFO], func(o *outcome) float64 { return (o.mean(0) + o.mean(1)) / 2 }).Mean
}

func (s *study) table3() (report.Figure, error) {
	f := report.NewFigure("Table 3: distance of mean completion times to the ideal", "In seconds. The paper's ideal, which queue 1's entries and Figure 4 imply, has times of 1 : 2 with FIFO's mean. The reachable one has times of 1 : 2 with FIFO's throughput.",
		"ideal", "scheduler", "queue", "ideal_s", "mean_s", "distance_s", "distance_ci95", "published_s", "published_bound_s")
	f.Shown.Columns = f.Numbers.Columns
	F := s.fifoMean()
	pair := twoIdeals(F)
	published := [][2]float64{{1000, 150}, {600, 250}, {800, 20}, {300, 200}}
	var names []string
	var places [3][]numbers.Interval
	for k, d := range published {
		e, name, q := []experiment{twoCapacity, twoOn}[k/2], []string{"Capacity", "DynPrio"}[k/2], k%2
		names = append(names, fmt.Sprintf("%s, %d", name, q+1))
		places[0] = append(places[0], numbers.Interval{Mean: d[0], Half: d[1]})
		for i, p := range pair {
			want := p.at(float64(q + 1))
			away := func(o *outcome) float64 { return math.Abs(o.mean(q) - want) }
			got := numbers.Across(s.runs[e], away)
			cells := []any{p.name, name, q + 1, want, numbers.Across(s.runs[e], meanOf(q)).Mean, got.Mean, got.Half, d[0], d[1]}
			f.Numbers.Add(cells...)
			f.Shown.Show(cells...)
			places[i+1] = append(places[i+1], got)
		}
	}
	c := draw.PointsAt("scheduler, queue", "distance (s)", names, []draw.Series{draw.Means(0, "published", nil, places[0]), draw.Means(1, pair[0].name, nil, places[1]), draw.Means(2, pair[1].name, nil, places[2])}, 1150)
	var closer []numbers.Interval
	for q := range 2 {
		closer = append(closer, less(s.runs[twoOn], s.runs[twoCapacity], func(o *outcome) float64 { return math.Abs(o.mean(q) - pair[0].at(float64(q+1))) }))
	}
	needs := pair[0].throughput(2, F)
	return f.Done([]report.Claim{
		report.Says("both queues are nearer to the paper's ideal than under Capacity", "1000 and 600 s against 800 and 300 s", "95% intervals of the differences below 0, both queues",
			"farther: queue 1 %s s; queue 2 %s s", closer[0], closer[1]).AllBelow(0, closer...).Headlined("Table 3: nearer to the ideal"),
		report.Says("the paper's ideal has the throughput of FIFO (Figure 7)", "the same throughput", "at most 1", "%.3f of it; the reachable ideal %.3f", needs, pair[1].throughput(2, F)).When(needs <= 1).InTheory(),
	}, "Distances to two ideals in seconds for two queues under Capacity and DynPrio, beside the published ones.", c)
}

func (s *study) figure7() (report.Figure, error) {
	f := report.NewFigure("Figure 7: mean completion times of two queues, and what they ought to be", "Queue 1 bids twice as much. The ideals are those of Table 3. Capacity takes slots after an hour. Rings: the middles of Figure 4's published ranges.")
	F := s.fifoMean()
	pair := twoIdeals(F)
	f.Numbers.Columns = profileColumns
	profiles := []profile{pair[0].profile(2), pair[1].profile(2), s.measured("preempting", twoOn), s.measured("not preempting", twoOff), s.measured("Capacity", twoCapacity), s.measured("FIFO", twoFIFO)}
	var places [2][]numbers.Interval
	var names []string
	for _, p := range profiles {
		for u, t := range p.times {
			f.Numbers.Add(p.name, u+1, t.Mean, t.Half)
			places[u] = append(places[u], t)
		}
		names = append(names, p.name)
	}
	c := draw.PointsAt("", "completion time (s)", names, []draw.Series{draw.Means(0, "queue 1", nil, places[0]), draw.Means(1, "queue 2", nil, places[1])}, 0)
	c.Published([]float64{1.8, 2.2, 3.8, 4.2}, figure4Means[:]) // preempting, and Capacity after an hour
	on, off, reserved := s.runs[twoOn], s.runs[twoOff], s.runs[twoCapacity]
	var nearer []numbers.Interval
	model := ""
	for _, p := range pair {
		miss := func(o *outcome) float64 { return math.Abs(o.mean(1) - o.mean(0) - p.at(1)) } // an ideal's slope is its first time
		model += fmt.Sprintf("; %s: %.0f s off, Capacity %.0f s", p.name, numbers.Across(on, miss).Mean, numbers.Across(reserved, miss).Mean)
		nearer = append(nearer, less(on, reserved, miss))
	}
	closer := less(off, on, func(o *outcome) float64 { return (math.Abs(o.mean(0)-F) + math.Abs(o.mean(1)-F)) / 2 })
	return f.Done([]report.Claim{
		report.Says("the preempting market's slope is nearer to the ideal's than Capacity's", "a closer match", "95% interval of the difference below 0, both ideals", "%s", model[2:]).AllBelow(0, nearer...),
		report.Says("without preemption the market is nearer to the FIFO line", "closer", "95% interval of the difference below 0", "mean distance of both queues %s s more; with preemption %.2f%% of the work is lost", closer, numbers.Across(on, lost).Mean).Below(closer, 0),
	}, fmt.Sprintf("The two queues' times under four schedulers and two ideals: farthest apart for the market with preemption, both %.0f s for FIFO.", F), c)
}
