package dynamicshare

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// natural is the skewness, in percent, of the degrees of the YouTube graph hashed into as many
// partitions as reduces.
const natural = 16

func (s *study) figure1() (report.Figure, error) {
	f := report.NewFigure("Figure 1: sizes of the partitions of a YouTube-like job, and run times of its reduces",
		fmt.Sprintf("Simple hashing into one partition for each of %d reduce tasks, on machines of speeds 1 to %v; first seed. The skewness of the sizes is %d%%, as when the degrees of the YouTube graph are hashed. Sizes and times are multiples of their means.",
			reduces, fastest, natural),
		"partition", "values", "speed", "reduce_s")
	f.Shown.Columns = []string{"partition", "size / mean", "machine's speed", "time / mean"}
	var sizes, times, pace []float64 // of the first seed
	var alone [2][]float64           // by seed: how uneven times are by the sizes alone and by the speeds alone
	for i := range s.n {
		values := newKeySet(&youTube, report.Stream(s.Seed, i, keyStream+onYouTube)).population(natural).sizes()
		v := speeds(reduces, fastest, report.Stream(s.Seed, i, speedStream))
		var took, bySize, bySpeed []float64
		for p, size := range values {
			took = append(took, youTube.seconds(size, v[p]))
			bySize, bySpeed = append(bySize, youTube.seconds(size, 1)), append(bySpeed, youTube.seconds(youTube.medianValues(), v[p]))
		}
		if i == 0 {
			sizes, times, pace = values, took, v
		}
		for k, list := range [][]float64{bySize, bySpeed} {
			alone[k] = append(alone[k], numbers.SD(list)/numbers.Mean(list))
		}
	}
	c := &draw.Chart{GridY: true}
	c.X = draw.Axis{Label: "partition, the largest first", Min: -.7, Max: reduces - .3, Ticks: draw.Ticks(0, reduces-1, 2)}
	c.Y.Label = "multiple of the mean"
	c.FitY(slices.Max(sizes)/numbers.Mean(sizes), slices.Max(times)/numbers.Mean(times))
	c.Key("size", draw.Blue)
	c.Key("run time", draw.Orange)
	falling := slices.Sorted(slices.Values(sizes))
	slices.Reverse(falling)
	for n, values := range falling {
		i := slices.Index(sizes, values)
		x, size, time := float64(n), values/numbers.Mean(sizes), times[i]/numbers.Mean(times)
		c.Area(x-.4, 0, x, size, draw.Blue)
		c.Area(x, 0, x+.4, time, draw.Orange)
		f.Numbers.Add(n, values, pace[i], times[i])
		f.Shown.Show(strconv.Itoa(n), size, pace[i], time)
	}
	return f.Done([]report.Claim{claim1(alone[0], alone[1])}, "Bars of 23 partition sizes in falling order and of the run times of their reduces.", c)
}

// claim1 compares the coefficients of variation, by seed, that times have by the sizes alone and by
// the speeds alone.
func claim1(bySize, bySpeed []float64) report.Claim {
	return report.Says("the reduce tasks take unequal times because of the sizes of their partitions, more than of their machines", "due to the uneven distribution of the data", "95% interval of the ratio above 1",
		"coefficient of variation of the times %s by the sizes alone, %s by the speeds alone", numbers.Over(bySize), numbers.Over(bySpeed)).Above(numbers.Ratio(bySize, bySpeed), 1)
}
