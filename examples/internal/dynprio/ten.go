package dynprio

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

func (s *study) figure5() (report.Figure, error) {
	f := report.Figure{
		Item:    "fig5",
		Title:   "Figure 5: ten service levels, then FIFO",
		Caption: fmt.Sprintf("User n bids n. 120 slots, preemption every %.0f s, jobs of %d tasks that take %.0f s under FIFO. First seed.", interval, ten.tasks, ten.cycle),
	}
	users := make([]int, ten.users)
	for u := range users {
		users[u] = u
	}
	c := s.trace(&f, users, phase{"preempting", tenOn}, phase{"FIFO", tenFIFO})
	on, none := s.runs[tenOn], s.runs[tenFIFO]
	ordered, better := 0, 0
	for u := range ten.users {
		if u > 0 && over(on, func(o *outcome) float64 { return o.mean(u) - o.mean(u-1) }).High() < 0 {
			ordered++
		}
		if paired(on, none, meanOf(u)).High() < 0 {
			better++
		}
	}
	// Users' first jobs, and all later ones, under FIFO: by how much of their mean they range.
	first := over(none, func(o *outcome) float64 { return spreadOf(firsts(o)) / report.Mean(firsts(o)) })
	later := over(none, func(o *outcome) float64 {
		most := 0.0
		for u := range o.times {
			most = max(most, o.spread(u)/o.mean(u))
		}
		return most
	})
	f.Claims = claims("fig5",
		report.Claim{Claim: "all 10 service levels are enforced", Published: "10", Model: fmt.Sprint(1 + ordered), Relation: "each user's mean below that of the user before: 95% interval of the difference", Holds: ordered == 9, Note: "whole slots"},
		report.Claim{Claim: "half of the queues do better than under FIFO, the other half worse", Published: "5 of 10", Model: fmt.Sprintf("%d of 10", better), Relation: "5: 95% interval of the difference below 0", Holds: better == 5, Note: "user 5 and 6 are near FIFO"},
		report.Claim{Claim: "under FIFO the first jobs' times are random, all others' identical", Published: "random, identical", Model: fmt.Sprintf("first jobs range over %s of their mean, a user's later ones over at most %s", first, later), Relation: "the first range above .5, the others below .1", Holds: first.Mean > .5 && later.Mean < .1, Note: "task times vary"},
	)
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Completion times of ten users over time. Preempting: ten levels from %.0f s for user 1 to %.0f s for user 10. FIFO: all %.0f s but the first jobs.",
		over(on, meanOf(0)).Mean, over(on, meanOf(9)).Mean, over(none, meanOf(0)).Mean), c)
	return f, err
}

// firsts are the times of the users' first jobs.
func firsts(o *outcome) []float64 {
	var list []float64
	for _, times := range o.times {
		list = append(list, times[0])
	}
	return list
}

// An ideal line is by user. The paper's has times in inverse proportion to the rates, with FIFO's mean F; its throughput is above the cluster's. The reachable
// one has FIFO's throughput. The adjusted line is the paper's moved to the best user's time.
func ideals(users int, F, best float64) (paper, reachable, adjusted func(n float64) float64) {
	harmonic := 0.0
	for n := range users {
		harmonic += 1 / float64(n+1)
	}
	last := float64(users)
	return func(n float64) float64 { return F * last / (n * harmonic) },
		func(n float64) float64 { return F * (last + 1) / 2 / n },
		func(n float64) float64 { return best * last / n }
}

// outside lists the users, from 1, whose mean time is not between the paper's ideal line and the adjusted one, within 5% of them.
func outside(p profile, paper, adjusted func(n float64) float64) []int {
	const margin = .05
	var list []int
	for u, t := range p.times {
		n := float64(u + 1)
		low, high := min(paper(n), adjusted(n)), max(paper(n), adjusted(n))
		if !(t.Mean >= (1-margin)*low && t.Mean <= (1+margin)*high) { // NaN: no job has ended
			list = append(list, u+1)
		}
	}
	return list
}

func (s *study) figure8() (report.Figure, error) {
	f := report.Figure{
		Item:    "fig8",
		Title:   "Figure 8: mean completion times of ten users, and what they ought to be",
		Caption: "The paper's ideal has FIFO's mean time with times in proportion to 1/n; no scheduler reaches it. Reachable: FIFO's throughput. Adjusted: the paper's ideal through user 10's time.",
	}
	on, none := s.measured("preempting", tenOn), s.measured("FIFO", tenFIFO)
	F := none.times[0].Mean
	paper, reachable, adjusted := ideals(10, F, on.times[9].Mean)
	c := &draw.Chart{Y: draw.Axis{Log: true}, Height: 260}
	fidelity(&f, c, on, none, computed("ideal (paper)", 10, paper), computed("reachable", 10, reachable), computed("adjusted", 10, adjusted))
	throughput := 0.0
	for n := range 10 {
		throughput += F / paper(float64(n+1)) / 10
	}
	missed := outside(on, paper, adjusted)
	off := func(n int) float64 { return on.times[n-1].Mean/reachable(float64(n)) - 1 }
	rest := 0.0
	for n := 3; n <= 9; n++ {
		rest = max(rest, math.Abs(off(n)))
	}
	f.Claims = claims("fig8",
		report.Claim{Claim: "the ideal line has the average of FIFO", Published: "no overhead, the same throughput", Model: fmt.Sprintf("%.2f of FIFO's throughput", throughput), Relation: "at most that of FIFO", Holds: throughput <= 1, Note: "times of equal mean in proportion to 1/n need more slots than there are", Kind: report.Theory},
		report.Claim{Claim: "only users 1 and 2 lie outside the ideal and the adjusted line", Published: "1 and 2", Model: fmt.Sprint(missed), Relation: "users not between the lines within 5%", Holds: fmt.Sprint(missed) == "[1 2]", Note: "whole slots: 2, 4 and 7 of 120 for shares of 2.2, 4.4 and 6.5; a job's last tasks"},
		report.Claim{Claim: "the market is biased against users with low rates", Published: "a bit", Model: fmt.Sprintf("users 1 and 2 %.0f%% and %.0f%% off the reachable line, users 3 to 9 at most %.0f%%", 100*off(1), 100*off(2), 100*rest),
			Relation: "users 1 and 2 slower than the reachable line", Holds: off(1) > 0 && off(2) > 0, Note: "spare slots at the ends of others' jobs go to all alike"},
	)
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Mean times over users 1 to 10 on a logarithmic axis: from %.0f s to %.0f s, near the reachable line; FIFO %.0f s for all.", on.times[0].Mean, on.times[9].Mean, F), c)
	return f, err
}
