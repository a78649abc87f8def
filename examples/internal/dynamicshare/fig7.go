package dynamicshare

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/lof"
)

// reporting are the numbers of tasks of Figure 7.
var reporting = []int{12, 24, 36, 48, 60, 72, 84}

// k of Figure 7, under both libraries.
const neighbours = 20

// published is what scikit-learn 1.2.1 takes for 84 laxities, in seconds, as docs/benchmarks.md has
// it.
const published = 446e-6

// sklearn prints the seconds that scikit-learn takes for each number of tasks, the least of 15
// means.
const sklearn = `
import sys, timeit, warnings
import numpy as np
from sklearn.neighbors import LocalOutlierFactor
warnings.simplefilter("ignore")
r, least = np.random.default_rng(1), []
for n in map(int, sys.argv[1:]):
    x = r.normal(1.65, .035, (n, 1))
    f = LocalOutlierFactor(n_neighbors=min(20, n - 1))
    least.append(min(timeit.repeat(lambda: f.fit(x), number=5, repeat=15)) / 5)
print(least)
`

// scikitLearn measures scikit-learn; nil if there is none.
func scikitLearn() []float64 {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	args := []string{"-c", sklearn}
	for _, n := range reporting {
		args = append(args, strconv.Itoa(n))
	}
	out, err := exec.CommandContext(ctx, "python3", args...).Output()
	var list []float64
	if err != nil || json.Unmarshal(out, &list) != nil || len(list) != len(reporting) {
		return nil
	}
	return list
}

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
	theirs, source := scikitLearn(), "measured in this run"
	if theirs == nil {
		source = "an earlier measurement (no python3 with sklearn here)"
		theirs = slices.Repeat([]float64{math.NaN()}, len(reporting))
		theirs[len(theirs)-1] = published
	}
	f := report.NewFigure("Figure 7: run time of LOF over the number of tasks",
		fmt.Sprintf("One call on the laxities of one job, k = %d, one goroutine, least mean of several batches on this machine. scikit-learn: %s.", neighbours, source),
		"tasks", "lof_s", "scikit_learn_s")
	f.Shown.Columns = []string{"tasks", "lof.Scores1D (µs)", "scikit-learn (µs)"}
	var micro, other []float64 // µs
	for i, n := range reporting {
		t, err := s.timeOf(n)
		if err != nil {
			return f, err
		}
		micro, other = append(micro, 1e6*t), append(other, 1e6*theirs[i])
		f.Numbers.Add(n, t, theirs[i])
		f.Shown.Show(strconv.Itoa(n), micro[i], other[i])
	}
	c := &draw.Chart{GridY: true}
	c.X = draw.Axis{Label: "tasks that report their laxity", Min: 8, Max: 88, Ticks: draw.Ticks(12, 84, 12)}
	c.Y = draw.Axis{Label: "time (µs)", Log: true}
	c.Y.Min, c.Y.Max = draw.LogRange(append(micro, other[len(other)-1])...)
	c.Series([]draw.Series{curve(0, "lof.Scores1D", floats(reporting), micro...), curve(1, "scikit-learn", floats(reporting), other...)})
	last := len(micro) - 1
	return f.Done([]report.Claim{
		{Claim: "LOF takes only a few milliseconds even for 84 tasks", Published: "a few ms", Model: report.Short2(micro[last]) + " µs", Relation: "below 5 ms", Holds: micro[last] < 5000, Note: "a machine under heavy load"},
		{Claim: "the time increases with the number of tasks", Published: "increases", Model: fmt.Sprintf("%s µs at %d, %s µs at %d", report.Short2(micro[0]), reporting[0], report.Short2(micro[last]), reporting[last]),
			Relation: "longer for 84 than for 12", Holds: micro[last] > micro[0], Note: "other load on the machine"},
		{Claim: "faster than scikit-learn for 84 tasks", Published: "not compared", Model: fmt.Sprintf("%s µs against %s µs, %s", report.Short2(micro[last]), report.Short2(other[last]), source),
			Relation: "below", Holds: micro[last] < other[last], Note: "other load on the machine", Kind: report.Beyond},
	}, fmt.Sprintf("Time over tasks; %s microseconds at 84 tasks, scikit-learn %s.", report.Short2(micro[last]), report.Short2(other[last])), c)
}
