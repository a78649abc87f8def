package dynprio

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

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

// tableClaim is that both queues are nearer to the paper's ideal than under Capacity.
func tableClaim(on, reserved []outcome, F float64) report.Claim {
	var closer []numbers.Interval
	for q := range 2 {
		closer = append(closer, less(on, reserved, func(o *outcome) float64 { return math.Abs(o.mean(q) - twoIdeals(F)[0].at(float64(q+1))) }))
	}
	return report.Says("both queues are nearer to the paper's ideal than under Capacity", "1000 and 600 s against 800 and 300 s", "95% intervals of the differences below 0, both queues",
		"farther: queue 1 %s s; queue 2 %s s", closer[0], closer[1]).AllBelow(0, closer...).Headlined("Table 3: nearer to the ideal")
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
	needs := pair[0].throughput(2, F)
	return f.Done([]report.Claim{
		tableClaim(s.runs[twoOn], s.runs[twoCapacity], F),
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
		report.Says("without preemption the market is nearer to the FIFO line", "closer", "95% interval of the difference below 0", "mean distance of both queues %s s more; with preemption %.2f%% of the work is lost", closer, numbers.Across(on, lost).Mean).AllBelow(0, closer),
	}, fmt.Sprintf("The two queues' times under four schedulers and two ideals: farthest apart for the market with preemption, both %.0f s for FIFO.", F), c)
}
