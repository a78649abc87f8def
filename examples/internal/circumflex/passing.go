package circumflex

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// What Section 4 says in passing: of other maxima, and of small scans that come early in a window.

// claimsDue are of the maximum tardiness and lateness at the points of Figure 5.
func claimsDue(cells []cell) []report.Claim {
	var list []report.Claim
	for _, m := range []metric{maximumTardiness, maximumLateness} {
		better := countOf(cells, func(c cell) verdict { return below(numbers.Differences(c.value[m][circumflex], c.value[m][flex]), 0) })
		worse := countOf(cells, func(c cell) verdict { return above(numbers.Differences(c.value[m][batch], c.value[m][flex]), 0) })
		value := func(c *cell) string {
			v := &c.value[m]
			return fmt.Sprintf("%s, %s, %s", numbers.Fixed(numbers.Mean(v[circumflex])), numbers.Fixed(numbers.Mean(v[flex])), numbers.Fixed(numbers.Mean(v[batch])))
		}
		list = append(list, min(better.all(), worse.all()).of(report.Claim{Claim: metricNames[m] + " runs yield results comparable to the maximum stretch", Published: "comparable",
			Model: fmt.Sprintf("CIRCUMFLEX below FLEX at %d of %d, BATCH above at %d; CIRCUMFLEX, FLEX and BATCH in minutes: %s at perfectly negative correlation, %s at perfectly positive",
				better.yes, better.things, worse.yes, value(&cells[0]), value(&cells[len(cells)-1])),
			Relation: "95% intervals at θ1 = θ2 = 1: CIRCUMFLEX below FLEX, BATCH above, at all correlations, as for the maximum stretch"}))
	}
	return list
}

// An inBatch is what became of small scans that came early in their windows: scans of one of the
// ten smaller datasets that waited for at least half of the window.
type inBatch struct {
	stretch []float64 // by repetition: their mean stretch over that of all scans
	worst   int       // repetitions in which the largest stretch is one of theirs
}

// playEarly plays BATCH where both laws are steepest and nothing is correlated.
func playEarly(o settings, seed uint64, n int, m metric) (inBatch, error) {
	x := inBatch{stretch: make([]float64, n)}
	worst := make([]bool, n)
	err := program.Parallel(n, func(r *runner, k int) error {
		w := newWorkload(point{theta1: steps - 1, theta2: steps - 1, relation: relations / 2}, o, seed, judged.At(k))
		requests, err := w.requests(o, batch)
		if err != nil {
			return err
		}
		if _, err := r.run(&w, requests, o, batch, m); err != nil {
			return err
		}
		median := slices.Sorted(slices.Values(w.size))[datasets/2]
		var all, early []float64
		most := 0.0
		for i, q := range requests {
			for _, a := range q.members {
				stretch := (r.finish[i] - w.time[a]) / w.alone(q.dataset, o)
				all = append(all, stretch)
				is := w.size[q.dataset] < median && q.time-w.time[a] >= window/2.
				if is {
					early = append(early, stretch)
				}
				if stretch > most {
					most, worst[k] = stretch, is
				}
			}
		}
		x.stretch[k] = numbers.Mean(early) / numbers.Mean(all)
		return nil
	})
	x.worst = numbers.Number(worst, func(is bool) bool { return is })
	return x, err
}

func (x *inBatch) claimAverage() report.Claim {
	return report.Claim{Claim: "a small dataset scan which arrives early in a batching window will cause a high average stretch", Published: "high",
		Model:    "stretch of these scans over that of all: " + numbers.Over(x.stretch).String(),
		Relation: "95% interval above 2; small: of the ten smaller datasets; early: in the first half of a window; θ1 = θ2 = 1, no correlation"}.Above(numbers.Over(x.stretch), 2)
}

func (x *inBatch) claimWorst() report.Claim {
	return report.Claim{Claim: "a small dataset scan which arrives early in a batching window will cause a very high maximum stretch", Published: "very high",
		Model:    fmt.Sprintf("the largest stretch is one of these in %d of %s", x.worst, numbers.Count(len(x.stretch), "repetition")),
		Relation: "in 9 of 10; small: of the ten smaller datasets; early: in the first half of a window; θ1 = θ2 = 1, no correlation",
		Holds:    10*x.worst >= 9*len(x.stretch)}
}
