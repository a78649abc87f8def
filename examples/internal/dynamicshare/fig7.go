package dynamicshare

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/lof"
)

// reporting are the numbers of tasks of Figure 7.
var reporting = []int{12, 24, 36, 48, 60, 72, 84}

// k of Figure 7.
const neighbours = 20

// timeOf measures one call of Scores1D on n laxities: the least mean of several batches.
func (s *study) timeOf(n int) (float64, error) {
	r := stream(s.Seed, n, timingStream)
	laxity := make([]float64, n)
	for i := range laxity {
		laxity[i] = youTube.strict - usual*math.Exp(.1*r.NormFloat64())
	}
	var scores []float64
	var err error
	least := math.Inf(1)
	const calls = 50
	for range 15 {
		begin := time.Now()
		for range calls {
			if scores, err = lof.Scores1D(scores[:0], laxity, min(neighbours, n-1), lof.Options{}); err != nil {
				return 0, err
			}
		}
		least = min(least, time.Since(begin).Seconds()/calls)
	}
	return least, nil
}

// figure7 is the one figure that differs from run to run: it shows times of this machine.
func (s *study) figure7() (report.Figure, error) {
	f := report.NewFigure("Figure 7: run time of LOF over the number of tasks",
		fmt.Sprintf("One call on the laxities of one job, k = %d, one goroutine, least mean of several batches on this machine.", neighbours), "tasks", "lof_s")
	f.Shown.Columns = []string{"tasks", "lof.Scores1D (µs)"}
	var micro []float64 // µs
	for i, n := range reporting {
		t, err := s.timeOf(n)
		if err != nil {
			return f, err
		}
		micro = append(micro, 1e6*t)
		f.Numbers.Add(n, t)
		f.Shown.Show(strconv.Itoa(n), micro[i])
	}
	c := &draw.Chart{GridY: true, X: draw.Axis{Label: "tasks that report their laxity", Max: 88, Ticks: draw.Ticks(0, 84, 12)}, Y: draw.Axis{Label: "time (µs)"}}
	c.Series([]draw.Series{curve(0, "", floats(reporting), micro...)})
	return f.Done(claims7(micro), fmt.Sprintf("Time over tasks; %s microseconds at 84 tasks.", report.Short2(micro[len(micro)-1])), c)
}

// claims7 are about the times, in µs, of a call on as many laxities as reporting has.
func claims7(micro []float64) []report.Claim {
	first, last := micro[0], micro[len(micro)-1]
	return []report.Claim{
		{Claim: "LOF takes only a few milliseconds even for 84 tasks", Published: "a few ms", Model: report.Short2(last) + " µs", Relation: "below 5 ms", Holds: last < 5000, Note: "a machine under heavy load"},
		{Claim: "the time increases with the number of tasks", Published: "increases", Model: fmt.Sprintf("%s µs at %d, %s µs at %d", report.Short2(first), reporting[0], report.Short2(last), reporting[len(reporting)-1]),
			Relation: "longer for 84 than for 12", Holds: last > first, Note: "other load on the machine"},
	}
}
