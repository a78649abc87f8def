package dynamicshare

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// natural is the skewness, in percent, of the degrees of the YouTube graph hashed into as many
// partitions as reduces.
const natural = 16

func (s *study) figure1() (report.Figure, error) {
	f := report.NewFigure("Figure 1: sizes of the partitions of a YouTube-like job, and run times of its reduces",
		fmt.Sprintf("Simple hashing into one partition for each of %d reduce tasks, on machines of speeds 1 to %d; first seed. The skewness of the sizes is %d%%, as when the degrees of the YouTube graph are hashed. Sizes and times are multiples of their means.",
			reduces, fastest, natural),
		"partition", "values", "speed", "reduce_s")
	f.Shown.Columns = []string{"partition", "size / mean", "machine's speed", "time / mean"}
	var sizes, times, pace []float64 // of the first seed
	var follows []float64            // by seed: correlation of the ranks of sizes and times
	for i := range s.n {
		set, err := newKeySet(&youTube, stream(s.Seed, i, keyStream+onYouTube))
		if err != nil {
			return f, err
		}
		values, err := set.population(natural).sizes(reduces)
		if err != nil {
			return f, err
		}
		v := speeds(reduces, stream(s.Seed, i, speedStream))
		took := make([]float64, reduces)
		for p := range took {
			took[p] = youTube.seconds(values[p], v[p])
		}
		if i == 0 {
			sizes, times, pace = values, took, v
		}
		follows = append(follows, stat.Correlation(ranks(values), ranks(took), nil))
	}
	c := &draw.Chart{GridY: true}
	c.X = draw.Axis{Label: "partition, the largest first", Min: -.7, Max: reduces - .3, Ticks: draw.Ticks(0, reduces-1, 2)}
	c.Y.Label = "multiple of the mean"
	c.FitY(slices.Max(sizes)/report.Mean(sizes), slices.Max(times)/report.Mean(times))
	c.Key("size", draw.Blue)
	c.Key("run time", draw.Orange)
	falling := slices.Sorted(slices.Values(sizes))
	slices.Reverse(falling)
	for n, values := range falling {
		i := slices.Index(sizes, values)
		x, size, time := float64(n), values/report.Mean(sizes), times[i]/report.Mean(times)
		c.Area(x-.4, 0, x, size, draw.Blue)
		c.Area(x, 0, x+.4, time, draw.Orange)
		f.Numbers.Add(n, values, pace[i], times[i])
		f.Shown.Show(strconv.Itoa(n), size, pace[i], time)
	}
	correlation := report.Over(follows)
	return f.Done([]report.Claim{{
		Claim: "the skewness of the partition sizes affects the execution times of the reduce tasks", Published: "clearly", Model: fmt.Sprintf("rank correlation of size and time %s", correlation),
		Relation: "95% interval above 0", Holds: correlation.Low() > 0, Note: "the speeds of the machines hide it",
	}}, "Bars of 23 partition sizes in falling order and of the run times of their reduces.", c)
}

// ranks returns the rank of each value.
func ranks(values []float64) []float64 {
	sorted, list := slices.Sorted(slices.Values(values)), make([]float64, len(values))
	for i, x := range values {
		rank, _ := slices.BinarySearch(sorted, x)
		list[i] = float64(rank)
	}
	return list
}
