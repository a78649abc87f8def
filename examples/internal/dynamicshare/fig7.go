package dynamicshare

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/lof"
	"github.com/schedmath/schedmath/partition"
)

// reporting are the numbers of tasks of Figure 7.
var reporting = []int{12, 24, 36, 48, 60, 72, 84}

// k of Figure 7.
const neighbours = 20

// micros measures a call, in µs: the least mean of several batches of calls.
func micros(batches, calls int, call func() error) (least float64, err error) {
	least = math.Inf(1)
	for range batches {
		begin := time.Now()
		for range calls {
			err = errors.Join(err, call())
		}
		least = min(least, 1e6*time.Since(begin).Seconds()/float64(calls))
	}
	return least, err
}

// timeOfDeciding measures, in µs, what the master does once the maps have ended: it merges their
// sketches, of so many hash functions, and plans the partitions by times that k-NN has estimated.
func (s *study) timeOfDeciding(rows int) (float64, error) {
	set, err := newKeySet(&twitter, stream(s.Seed, 0, keyStream))
	if err != nil {
		return 0, err
	}
	local, err := set.population(steepest).sketch(rows, mostPartitions)
	cost, worse := twitter.estimated(speeds(reduces, fastest, stream(s.Seed, 0, speedStream)), stream(s.Seed, 0, pastStream))
	if err := errors.Join(err, worse); err != nil {
		return 0, err
	}
	return micros(5, 5, func() error {
		global, err := partition.NewSketch(rows, mostPartitions, set.seed)
		for range maps {
			err = errors.Join(err, global.Merge(local))
		}
		_, _, worse := partition.AssignSketch(reduces, global, cost, partition.Options{})
		return errors.Join(err, worse)
	})
}

// figure7 is the one figure that differs from run to run: it shows times of this machine.
func (s *study) figure7() (report.Figure, error) {
	f := report.NewFigure("Figure 7: run time of LOF over the number of tasks",
		fmt.Sprintf("One call on the laxities of one job, k = %d, one goroutine, least mean of several batches on this machine. The claims also have the times of deciding on %d partitions, which the text on Figure 11 gives.", neighbours, mostPartitions), "tasks", "lof_s")
	f.Shown.Columns = []string{"tasks", "lof.Scores1D (µs)"}
	var micro []float64
	for i, n := range reporting {
		r, laxity := stream(s.Seed, n, timingStream), make([]float64, n)
		for i := range laxity {
			laxity[i] = youTube.strict - usual*math.Exp(.1*r.NormFloat64())
		}
		var scores []float64
		t, err := micros(15, 50, func() (err error) {
			scores, err = lof.Scores1D(scores[:0], laxity, min(neighbours, n-1), lof.Options{})
			return err
		})
		if err != nil {
			return f, err
		}
		micro = append(micro, t)
		f.Numbers.Add(n, t/1e6)
		f.Shown.Show(strconv.Itoa(n), micro[i])
	}
	simple, err := s.timeOfDeciding(1)
	sketches, worse := s.timeOfDeciding(sketchRows)
	if err := errors.Join(err, worse); err != nil {
		return f, err
	}
	c := &draw.Chart{GridY: true, X: draw.Axis{Label: "tasks that report their laxity", Max: 88, Ticks: draw.Ticks(0, 84, 12)}, Y: draw.Axis{Label: "time (µs)"}}
	c.Series([]draw.Series{curve(0, "", floats(reporting), micro...)})
	return f.Done(claims7(micro, simple, sketches), fmt.Sprintf("Time over tasks; %s microseconds at 84 tasks.", report.Short2(micro[len(micro)-1])), c)
}

// claims7 are about the times, in µs, of a call on as many laxities as reporting has, and of
// deciding without sketches and with them.
func claims7(micro []float64, simple, sketches float64) []report.Claim {
	first, last := micro[0], micro[len(micro)-1]
	ms := func(t float64) string { return report.Short2(t/1000) + " ms" }
	slow := "a machine under heavy load"
	return []report.Claim{
		{Claim: "LOF takes only a few milliseconds even for 84 tasks", Published: "a few ms", Model: report.Short2(last) + " µs", Relation: "below 5 ms", Holds: last < 5000, Note: slow},
		{Claim: "the time increases with the number of tasks", Published: "increases", Model: fmt.Sprintf("%s µs at %d, %s µs at %d", report.Short2(first), reporting[0], report.Short2(last), reporting[len(reporting)-1]),
			Relation: "longer for 84 than for 12", Holds: last > first, Note: "other load on the machine"},
		{Claim: "deciding on 45 partitions takes 80 ms", Published: "80 ms", Model: ms(simple), Relation: "at most 80 ms", Holds: simple <= 80_000, Note: slow, Kind: report.Beyond},
		{Claim: "with sketches it takes 200 ms", Published: "200 ms", Model: ms(sketches), Relation: "at most 200 ms", Holds: sketches <= 200_000, Note: slow, Kind: report.Beyond},
		{Claim: "sketches take longer to decide", Published: "2.5 times as long", Model: report.Short2(sketches/simple) + " times as long", Relation: "longer", Holds: sketches > simple, Note: "other load on the machine"},
	}
}
