package dynprio

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// idealPair is the times of two queues that an ideal scheduler gives when FIFO's is F.
type idealPair struct {
	name string
	of   [2]float64 // over F
}

// The paper's ideal has times of 1 : 2 with FIFO's mean; it implies 2300 s and 4600 s. The reachable ideal has FIFO's throughput, 1/T1 + 1/T2 = 2/F.
var idealPairs = [2]idealPair{{"paper", [2]float64{2. / 3, 4. / 3}}, {"reachable", [2]float64{.75, 1.5}}}

// fifoMean is the mean time of both queues under FIFO.
func (s *study) fifoMean() float64 {
	return over(s.runs[twoFIFO], func(o *outcome) float64 { return (o.mean(0) + o.mean(1)) / 2 }).Mean
}

// away is how far a queue's mean time lies from an ideal.
func away(p idealPair, queue int, F float64) func(o *outcome) float64 {
	return func(o *outcome) float64 { return math.Abs(o.mean(queue) - p.of[queue]*F) }
}

func (s *study) table3() (report.Figure, error) {
	f := report.Figure{
		Item:    "table3",
		Title:   "Table 3: distance of mean completion times to the ideal",
		Caption: "In seconds. The paper's ideal, which its rows and Figure 4 imply, has times of 1 : 2 with FIFO's mean. It needs 9/8 of FIFO's throughput. The reachable ideal has times of 1 : 2 with FIFO's throughput.",
		Numbers: report.Table{Columns: []string{"ideal", "scheduler", "queue", "ideal_s", "mean_s", "distance_s", "distance_ci95", "published_s", "published_bound_s"}},
	}
	F := s.fifoMean()
	published := [2][2][2]float64{{{1000, 150}, {600, 250}}, {{800, 20}, {300, 200}}} // by scheduler and queue
	c := &draw.Chart{X: draw.Axis{Min: .5, Max: 4.5}, Y: draw.Axis{Label: "distance (s)"}, GridY: true}
	var lines []draw.Series
	for i, p := range idealPairs {
		var y, half []float64
		for k, e := range []experiment{twoCapacity, twoOn} {
			for q := range 2 {
				d, name := over(s.runs[e], away(p, q, F)), []string{"Capacity", "DynPrio"}[k]
				f.Numbers.Add(p.name, name, q+1, p.of[q]*F, over(s.runs[e], meanOf(q)).Mean, d.Mean, d.Half, published[k][q][0], published[k][q][1])
				y, half = append(y, d.Mean), append(half, d.Half)
				if i == 0 {
					c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(2*k + q + 1), Label: fmt.Sprintf("%s, queue %d", name, q+1)})
				}
			}
		}
		l := curve(i, p.name+" ideal", nil, y)
		l.Spread = half
		lines = append(lines, l)
	}
	lines = append(lines, curve(3, "published", nil, []float64{1000, 600, 800, 300}))
	c.Series(lines)
	f.Shown = report.Table{Columns: f.Numbers.Columns[:7]}
	for _, row := range f.Numbers.Rows {
		f.Shown.Rows = append(f.Shown.Rows, row[:7])
	}
	nearer := func(p idealPair) (model string, holds bool) {
		holds = true
		for q := range 2 {
			d := paired(s.runs[twoOn], s.runs[twoCapacity], away(p, q, F))
			model += fmt.Sprintf("queue %d: %s s nearer; ", q+1, report.Interval{Mean: -d.Mean, Half: d.Half})
			holds = holds && d.High() < 0
		}
		return model[:len(model)-2], holds
	}
	first, ok1 := nearer(idealPairs[0])
	second, ok2 := nearer(idealPairs[1])
	need := func(p idealPair) float64 { return (1/p.of[0] + 1/p.of[1]) / 2 }
	f.Claims = claims("table3",
		report.Claim{Claim: "both queues are nearer to the paper's ideal than under Capacity", Published: "1000 and 600 s, against 800 and 300 s", Model: first, Relation: "95% intervals of the differences, both queues", Holds: ok1,
			Note: "Capacity's queue 2 gets more than its share, and so does the paper's ideal, whose throughput nobody reaches"},
		report.Claim{Claim: "both queues are nearer to the reachable ideal than under Capacity", Published: "not considered", Model: second, Relation: "95% intervals of the differences, both queues", Holds: ok2, Note: "preemption", Kind: report.Beyond},
		report.Claim{Claim: "the paper's ideal has the throughput of FIFO (Figure 7)", Published: "the same throughput", Model: fmt.Sprintf("%.3f of it; reachable ideal %.3f", need(idealPairs[0]), need(idealPairs[1])), Relation: "at most 1", Holds: need(idealPairs[0]) <= 1,
			Note: "times of 1 : 2 with FIFO's mean F are 2F/3 and 4F/3: rates add up to 2.25/F where the cluster has 2/F", Kind: report.Theory},
	)
	var err error
	f.Picture, err = draw.New("Distances to two ideals in seconds for two queues under Capacity and DynPrio, beside the published ones.", c)
	return f, err
}

func (s *study) figure7() (report.Figure, error) {
	f := report.Figure{
		Item:    "fig7",
		Title:   "Figure 7: mean completion times of two queues, and what they ought to be",
		Caption: "Queue 1 bids twice as much. The ideal lines are those of Table 3.",
	}
	F := s.fifoMean()
	ideal := func(p idealPair) profile {
		return computed("ideal ("+p.name+")", 2, func(n float64) float64 { return p.of[int(n)-1] * F })
	}
	c := &draw.Chart{Height: 260}
	fidelity(&f, c, s.measured("preempting", twoOn), s.measured("not preempting", twoOff), s.measured("Capacity", twoCapacity), s.measured("FIFO", twoFIFO), ideal(idealPairs[0]), ideal(idealPairs[1]))
	r := &s.runs
	slope := func(o *outcome) float64 { return o.mean(1) - o.mean(0) }
	both := func(o *outcome) float64 { return (o.mean(0) + o.mean(1)) / 2 }
	fifoAway := func(o *outcome) float64 { return (math.Abs(o.mean(0)-F) + math.Abs(o.mean(1)-F)) / 2 }
	nearest, slopes := true, ""
	for _, p := range idealPairs {
		want := (p.of[1] - p.of[0]) * F
		miss := func(o *outcome) float64 { return math.Abs(slope(o) - want) }
		on, reserved := over(r[twoOn], miss), over(r[twoCapacity], miss)
		slopes += fmt.Sprintf("%s: %.0f s off, Capacity %.0f s; ", p.name, on.Mean, reserved.Mean)
		nearest = nearest && paired(r[twoOn], r[twoCapacity], miss).High() < 0
	}
	off := paired(r[twoOff], r[twoOn], fifoAway)
	least := []report.Interval{paired(r[twoCapacity], r[twoOn], both), paired(r[twoCapacity], r[twoOff], both)}
	f.Claims = claims("fig7",
		report.Claim{Claim: "the preempting market's slope is nearer to the ideal's than Capacity's", Published: "a closer match", Model: slopes[:len(slopes)-2], Relation: "95% interval of the difference below 0 for both ideals", Holds: nearest,
			Note: "the paper's ideal has a slope of 2F/3, the reachable one of 3F/4"},
		report.Claim{Claim: "without preemption the market is nearer to the FIFO line", Published: "closer", Model: fmt.Sprintf("%s s farther; %.2f%% of the work lost with preemption", off, 100*over(r[twoOn], func(o *outcome) float64 { return o.lost }).Mean), Relation: "95% interval of the mean distance of both queues below 0",
			Holds: off.High() < 0, Note: "preemption moves slots at a job's ends alone: quotas are constant, and little work is lost"},
		report.Claim{Claim: "Capacity degrades both users' times least", Published: "least degradation", Model: fmt.Sprintf("mean of the queues %s s and %s s above the market with and without preemption", least[0], least[1]), Relation: "95% intervals below 0", Holds: least[0].High() < 0 && least[1].High() < 0,
			Note: "a mean of two queues' times is lower, the less they differ"},
	)
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Lines over queues 1 and 2: preempting %.0f and %.0f s, Capacity %.0f and %.0f s, FIFO level at %.0f s.", over(r[twoOn], meanOf(0)).Mean, over(r[twoOn], meanOf(1)).Mean,
		over(r[twoCapacity], meanOf(0)).Mean, over(r[twoCapacity], meanOf(1)).Mean, F), c)
	return f, err
}
