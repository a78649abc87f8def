package audit_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/audit"
	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// served is a log of users who have tasks waiting at all times, on servers that a fair queue gives to
// them, and how long the longest task of each takes.
func served(r *rapid.T, servers int, claims []aging.Claim, until float64) (spans []audit.Span, longest []float64) {
	q, err := fairqueue.New[int](fairqueue.Options{})
	expect.Must(r, err)
	for i, c := range claims {
		expect.Must(r, q.Join(i, c.Weight))
		expect.Must(r, q.SetActive(i, true))
		spans = append(spans, audit.Span{User: i, Start: inf, End: inf, Amount: float64(servers)})
	}
	type task struct {
		end, cost float64
		service   fairqueue.Service
	}
	var running []task
	longest = make([]float64, len(claims))
	cost := rapid.OneOf(rapid.SampledFrom([]float64{.1, 1, 8, 8}), rapid.Float64Range(.1, 8))
	for now := 0.; now < until; {
		for len(running) < servers {
			i, _ := q.Next(nil)
			c := cost.Draw(r, "cost")
			s, err := q.Start(i, c)
			expect.Must(r, err)
			running, longest[i] = append(running, task{now + c, c, s}), max(longest[i], c)
			spans = append(spans, audit.Span{User: i, From: now, Start: now, End: now + c, Amount: 1})
		}
		slices.SortStableFunc(running, func(a, b task) int { return cmp.Compare(a.end, b.end) })
		expect.Must(r, q.End(running[0].service, running[0].cost))
		now, running = running[0].end, running[1:]
	}
	return spans, longest
}

// Users of one weight who always wait are owed at most D + 1 largest tasks in any window by start-time
// fair queueing on D servers. With weights r that sum up to R the difference in service that the
// queue promises, (D + 1)(l_f/r_f + l_m/r_m), bounds what f is owed beside the part r_f/R of all
// service: by (D + 1) times l_f (1 - r_f/R), and r_f/R of each other largest task.
func TestFairQueueOwesFewTasks(t *testing.T) {
	for _, weights := range [][]float64{{1}, {1, 1, 2, 5}} {
		rapid.Check(t, func(r *rapid.T) {
			servers := rapid.IntRange(1, 4).Draw(r, "servers")
			claims := make([]aging.Claim, rapid.IntRange(2, 6).Draw(r, "users"))
			sum := 0.
			for i := range claims {
				claims[i].Weight = rapid.SampledFrom(weights).Draw(r, "weight")
				sum += claims[i].Weight
			}
			const until = 60
			spans, longest := served(r, servers, claims, until)
			debts, report := shortfall(t, []audit.Capacity{{Amount: float64(servers)}}, spans, audit.Options{Claims: claims, Until: until})
			for i, d := range debts {
				part := claims[i].Weight / sum
				bound := longest[i] * (1 - part)
				for j, l := range longest {
					if j != i {
						bound += part * l
					}
				}
				if len(weights) == 1 {
					bound = slices.Max(longest)
				}
				bound *= float64(servers + 1)
				if !(d.Worst <= bound*(1+accuracy)) {
					r.Fatalf("%d servers, %+v: user %d is owed %v in a window, want at most %v: %v", servers, claims, i, d.Worst, bound, report.Text)
				}
			}
		})
	}
}

// Processor sharing owes nobody anything: what each job gets at each time is its entitlement.
func TestProcessorSharingOwesNothing(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const slots = 4.
		number := rapid.SampledFrom([]float64{.1, .3, .7, 1, 2, 3})
		jobs := make([]fluid.Job, rapid.IntRange(1, 6).Draw(r, "jobs"))
		claims := make([]aging.Claim, len(jobs))
		for i := range jobs {
			jobs[i] = fluid.Job{Arrival: number.Draw(r, "arrival"), Size: number.Draw(r, "size"), Weight: number.Draw(r, "weight")}
			claims[i].Weight = jobs[i].Weight
		}
		result, err := fluid.Run(slots, jobs, fluid.PS{})
		expect.Must(r, err)
		var instants []float64
		for i, j := range jobs {
			instants = append(instants, j.Arrival, result.Finish[i])
		}
		slices.Sort(instants)
		// Between two instants each job that is there has its part by weight, and would use all slots.
		var spans []audit.Span
		served := make([]float64, len(jobs))
		for k := 1; k < len(instants); k++ {
			from, to, sum := instants[k-1], instants[k], 0.
			there := func(i int) bool { return jobs[i].Arrival <= from && result.Finish[i] >= to }
			for i, j := range jobs {
				if there(i) {
					sum += j.Weight
				}
			}
			for i, j := range jobs {
				if rate := slots * j.Weight / sum; there(i) {
					served[i] += rate * (to - from)
					spans = append(spans, audit.Span{User: i, From: from, Start: from, End: to, Amount: rate},
						audit.Span{User: i, From: from, Start: inf, End: to, Amount: slots})
				}
			}
		}
		debts, report := shortfall(t, []audit.Capacity{{Amount: slots}}, spans, audit.Options{Claims: claims})
		for i, d := range debts {
			if d.Owed != 0 || d.Beyond != 0 || d.Worst != 0 || report.Text != "nobody was owed anything" {
				r.Fatalf("%+v: job %d has %+v, want no debts: %v", jobs, i, d, report.Text)
			}
			if !(math.Abs(d.Had-jobs[i].Size) <= 1e-9*slots*slices.Max(result.Finish)) || !(math.Abs(served[i]-d.Had) <= 1e-9*d.Had) {
				r.Fatalf("%+v: job %d had %v, want its size", jobs, i, d.Had)
			}
		}
	})
}
