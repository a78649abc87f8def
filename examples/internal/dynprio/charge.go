package dynprio

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

func (s *study) figureCharge() (report.Figure, error) {
	f := report.Figure{
		Item:    "charge",
		Title:   "Section 3.1: a job's charge, whatever its parallelism",
		Caption: "Three users run one job each of about the same work on 120 slots, in 30 to 480 tasks. All slots held are charged, no spare ones given. Means over users and seeds.",
		Numbers: report.Table{Columns: []string{"tasks", "seed", "user", "slot_seconds", "charge", "rate_times_slot_time", "completion_s"}},
	}
	c := &draw.Chart{X: draw.Axis{Label: "tasks of a job", Log: true, Min: 25, Max: 550}, Y: draw.Axis{Label: "credits, minutes"}, GridY: true}
	var x, cost, time []float64
	worst := 0.0 // relative difference of a charge to the rate times the slot-time
	over := 0    // steps in which somebody paid more than its rate for each slot
	for _, e := range []experiment{narrow, medium, wide} {
		sc := scenarios[e]
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(sc.tasks), Label: fmt.Sprint(sc.tasks)})
		var charges, times []float64
		for i := range s.runs[e] {
			o := &s.runs[e][i]
			for u := range sc.users {
				charge, want := enough-o.steps[len(o.steps)-1].budgets[u], sc.rate(u)*o.held[u]/interval
				f.Numbers.Add(sc.tasks, i+1, u+1, o.held[u], charge, want, o.times[u][0])
				worst = max(worst, math.Abs(charge/want-1))
				charges, times = append(charges, charge), append(times, o.times[u][0]/60)
			}
		}
		x, cost, time = append(x, float64(sc.tasks)), append(cost, report.Mean(charges)), append(time, report.Mean(times))
	}
	for _, e := range []experiment{narrow, medium, wide, twoOn, eightyOn, boostOff} {
		for _, o := range s.runs[e] {
			for _, st := range o.steps {
				if st.overpaid {
					over++
				}
			}
		}
	}
	c.Series([]draw.Series{curve(0, "charge (credits)", x, cost), curve(1, "completion time (minutes)", x, time)})
	f.Claims = claims("charge", report.OfKind(report.Theory,
		report.Claim{Claim: "a job costs its rate times its slot-time, whatever its parallelism", Published: "the same amount of resources, run longer", Model: fmt.Sprintf("greatest difference %.1g", worst), Relation: "at most 1e-6 of it", Holds: worst <= 1e-6, Note: "slots held beyond the grant"},
		report.Claim{Claim: "nobody pays more than its rate for an allocated slot", Published: "guaranteed", Model: fmt.Sprintf("%d steps of six experiments", over), Relation: "none", Holds: over == 0, Note: "charges beyond the grant"},
	)...)
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Charge and completion time over the number of tasks: the charge stays at %.1f credits, the time falls from %.0f to %.0f minutes.", cost[0], time[0], time[2]), c)
	return f, err
}
