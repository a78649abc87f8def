package dynprio

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

func (s *study) figure6() (report.Figure, error) {
	f := report.Figure{
		Item:    "fig6",
		Title:   "Figure 6: 80 queues with preemption, under FIFO, and without preemption",
		Caption: fmt.Sprintf("User n bids n. 120 slots, jobs of %d tasks that take %.0f s under FIFO. Every tenth user, first seed. Users 1 to 13 have no slot, and no job that ends.", eighty.tasks, eighty.cycle),
	}
	c := s.trace(&f, []int{19, 29, 39, 49, 59, 79}, phase{"preempting", eightyOn}, phase{"FIFO", eightyFIFO}, phase{"not preempting", eightyOff})
	r := &s.runs
	// The mean over users of how much their times range, relative to their means.
	unsteady := func(o *outcome) float64 {
		var list []float64
		for u := range o.times {
			if len(o.times[u]) > 2 {
				list = append(list, o.spread(u)/o.mean(u))
			}
		}
		return report.Mean(list)
	}
	on, off := over(r[eightyOn], unsteady), over(r[eightyOff], unsteady)
	steadier := paired(r[eightyOn], r[eightyOff], unsteady)
	groups := levels(s.measured("", eightyOn))
	none := over(r[eightyFIFO], func(o *outcome) float64 { return o.mean(79) / o.mean(0) })
	last := func(o *outcome) float64 { return o.mean(79) }
	f.Claims = claims("fig6",
		report.Claim{Claim: "with preemption times are somewhat steadier", Published: "somewhat more stable", Model: fmt.Sprintf("users' times range over %s of their mean against %s", on, off), Relation: "95% interval of the difference below 0", Holds: steadier.High() < 0, Note: "grants hardly change, so that slots seldom move"},
		report.Claim{Claim: "the 10 service levels are maintained", Published: "10", Model: fmt.Sprintf("%d levels, of %v users", len(groups), groups), Relation: "10", Holds: len(groups) == 10, Note: "levels are whole slots: 0, 1, 2 and 3 of 120; the paper's graph shows a sample of the users"},
		report.Claim{Claim: "FIFO has one level for all", Published: "(middle of the graph)", Model: fmt.Sprintf("user 80/user 1 %s", none), Relation: "within 2% of 1", Holds: math.Abs(none.Mean-1) <= .02, Note: "order of arrival"},
		report.Claim{Claim: "user 80 does better than under FIFO, with and without preemption", Published: "(three parts of the graph)", Model: fmt.Sprintf("%s s and %s s against %s s", over(r[eightyOn], last), over(r[eightyOff], last), over(r[eightyFIFO], last)),
			Relation: "95% intervals of the differences below 0", Holds: paired(r[eightyOn], r[eightyFIFO], last).High() < 0 && paired(r[eightyOff], r[eightyFIFO], last).High() < 0, Note: "whole slots"},
	)
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Completion times of six of 80 users over time in three phases. With preemption and without they lie on %d levels; under FIFO all take %.0f s.", len(groups)-1, over(r[eightyFIFO], last).Mean), c)
	return f, err
}

// levels are the sizes of groups of users with about the same time: a group begins where a user is faster than the one before by more than
// the drop, or where users begin to end jobs at all.
func levels(p profile) []int {
	const drop = .15
	var list []int
	for u, t := range p.times {
		switch none := t.Mean != t.Mean; {
		case u == 0, none != (p.times[u-1].Mean != p.times[u-1].Mean), !none && t.Mean < (1-drop)*p.times[u-1].Mean:
			list = append(list, 1)
		default:
			list[len(list)-1]++
		}
	}
	return list
}

func (s *study) figure9() (report.Figure, error) {
	f := report.Figure{
		Item:  "fig9",
		Title: "Figure 9: mean completion times of 80 users, and what they ought to be",
		Caption: fmt.Sprintf("User n bids n for 120 slots. Whole slots make levels; fractions that are carried to the next interval (ApportionCarry) do away with them. Ten reduces a job of %.1f s, on 60 slots, add a constant. "+
			"Users without a job that ended have no point.", scenarios[eightyReduces].last),
	}
	none := s.measured("FIFO", eightyFIFO)
	lines := []profile{s.measured("whole slots", eightyOn), s.measured("carried", eightyCarry), s.measured("whole slots, reduces", eightyReduces), s.measured("carried, reduces", eightyBoth)}
	F := none.times[0].Mean
	paper, reachable, adjusted := ideals(80, F, lines[0].times[79].Mean)
	c := &draw.Chart{Y: draw.Axis{Log: true}, Height: 280}
	fidelity(&f, c, append(lines, computed("ideal (paper)", 80, paper), computed("reachable", 80, reachable))...)
	for u := range 80 {
		f.Numbers.Add("adjusted", u+1, adjusted(float64(u+1)), math.NaN())
		f.Numbers.Add("FIFO", u+1, none.times[u].Mean, none.times[u].Half)
	}
	var groups [4][]int
	var starved, leap [4]int
	for i, p := range lines {
		groups[i] = levels(p)
		for _, t := range p.times {
			if t.Mean != t.Mean {
				starved[i]++
			}
		}
		leap[i] = len(groups[i])
	}
	missed := outside(lines[0], paper, adjusted)
	top := len(slices.DeleteFunc(missed, func(n int) bool { return n <= 16 }))
	fed := over(s.runs[eightyCarry], func(o *outcome) float64 { return slices.Min(o.held[:13]) })
	f.Claims = claims("fig9",
		report.Claim{Claim: "users fall into groups of about 10 to 15", Published: "10-15", Model: fmt.Sprintf("groups of %v", groups[0]), Relation: "all but the first of 8 to 18 users", Holds: !slices.ContainsFunc(groups[0][1:], func(n int) bool { return n < 8 || n > 18 }),
			Note: "whole slots of 120 give groups of 13, 27, 27 and 13; the paper's cluster had other numbers of slots for maps or reduces"},
		report.Claim{Claim: "the groups come from the 10 reducers", Published: "most likely", Model: fmt.Sprintf("with reduces %v; without %v; carried %d levels with reduces, %d without", groups[2], groups[0], leap[3], leap[1]), Relation: "with reduces more levels than without, whole slots", Holds: leap[2] > leap[0],
			Note: "whole slots make them: without reduces they are there, and with fractions carried on they are gone"},
		report.Claim{Claim: "the top 80 percent of the users are within the ideal lines", Published: "80%", Model: fmt.Sprintf("%d of users 17 to 80 are not", top), Relation: "none outside the paper's ideal and the adjusted line by more than 5%", Holds: top == 0, Note: "whole slots: 1 slot for shares up to 1.5, 2 up to 2.5"},
		report.Claim{Claim: "carried fractions of slots end the starvation", Published: "not considered", Model: fmt.Sprintf("%d users without a job that ended, of them all hold slots: least %s slot-seconds; %d with whole slots", starved[1], fed, starved[0]), Relation: "users 1 to 13 hold slots; fewer without an ended job",
			Holds: fed.Low() > 0 && starved[1] < starved[0], Note: "the run is too short for them", Kind: report.Beyond},
	)
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Mean times over 80 users on a logarithmic axis. With whole slots steps, and no time for users 1 to %d; with carried fractions a smooth curve.", starved[0]), c)
	return f, err
}

func (s *study) figureQueues() (report.Figure, error) {
	f := report.Figure{
		Item:    "queues",
		Title:   "Beyond the paper: the same with 1,000 queues",
		Caption: fmt.Sprintf("Figure 6's scenario, user n bids n for 120 slots, for %.0f s. Slots held on average over the share of the rate; means of 50 users. The published implementation could not run its tests with more than 80 queues.", scenarios[thousand].horizon),
		Numbers: report.Table{Columns: []string{"users", "whole_slots_over_share", "carried_over_share", "carried_not_preempting_over_share"}},
	}
	const users, group = 1000, 50
	settings := []struct {
		name string
		experiment
	}{{"whole slots", thousand}, {"carried", thousandCarry}, {"carried, not preempting", thousandOff}}
	var x []float64
	excess := make([][]float64, len(settings)) // by setting and group: slots over share
	starved := make([]int, len(settings))
	lost := make([]float64, len(settings))
	var lines []draw.Series
	for i, v := range settings {
		excess[i] = make([]float64, users/group)
		length := s.runs[v.experiment][0].steps[len(s.runs[v.experiment][0].steps)-1].time + interval
		for u := range users {
			held := over(s.runs[v.experiment], func(o *outcome) float64 { return o.held[u] }).Mean
			excess[i][u/group] += held / (float64(u+1) / (users * (users + 1) / 2) * 120 * length) / group
			if held == 0 {
				starved[i]++
			}
		}
		lost[i] = 100 * over(s.runs[v.experiment], func(o *outcome) float64 { return o.lost }).Mean
	}
	for g := range users / group {
		x = append(x, float64(group*g)+.5*group)
		f.Numbers.Add(fmt.Sprintf("%d-%d", group*g+1, group*(g+1)), excess[0][g], excess[1][g], excess[2][g])
	}
	for i, v := range settings {
		lines = append(lines, curve(i, v.name, x, excess[i]))
	}
	c := &draw.Chart{X: axis("user", users, 100), Y: draw.Axis{Label: "slots over share"}, GridY: true}
	c.Series(lines)
	within := func(i int) (text string, ok bool) {
		top := excess[i][len(excess[i])/2:]
		return fmt.Sprintf("groups of %d get %.2f to %.2f of them; %d users never hold a slot; %.0f%% of the work lost", group, slices.Min(top), slices.Max(top), starved[i], lost[i]), slices.Min(top) >= .85 && slices.Max(top) <= 1.15
	}
	text1, ok1 := within(1)
	text2, ok2 := within(2)
	f.Claims = claims("queues", report.OfKind(report.Beyond,
		report.Claim{Claim: "1,000 queues run", Published: "80, limited by the memory of the experiment's client", Model: fmt.Sprintf("%d steps of 1,000 users", len(s.runs[thousand][0].steps)), Relation: "the run ends", Holds: len(s.runs[thousand][0].steps) > 0, Note: "-", Extends: true},
		report.Claim{Claim: "whole slots starve all but 120 of them", Published: "not considered", Model: fmt.Sprintf("%d users never hold a slot", starved[0]), Relation: "at least 880", Holds: starved[0] >= users-120, Note: "slots that become free before the first grants go to others"},
		report.Claim{Claim: "with carried fractions users 501 to 1000 get their shares", Published: "not considered", Model: text1, Relation: "each group's mean within 15% of its share", Holds: ok1, Note: "grants of one interval are no whole tasks"},
		report.Claim{Claim: "the same without preemption", Published: "not considered", Model: text2, Relation: "each group's mean within 15% of its share", Holds: ok2, Note: "a task that outlasts its interval keeps its slot from those granted the next"},
	)...)
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Slots over share for groups of 1,000 users: with whole slots 0 for the lower users and up to %.1f times the share for the top ones; with carried fractions near 1.", slices.Max(excess[0])), c)
	return f, err
}
