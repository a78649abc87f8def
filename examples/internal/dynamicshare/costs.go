package dynamicshare

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/partition"
)

// slowest is how long the reduce phase takes when machine i has load[i] values.
func (j *job) slowest(load, speeds []float64) float64 {
	last := 0.0
	for i, v := range load {
		last = math.Max(last, j.seconds(v, speeds[i]))
	}
	return last
}

// rotated is the mean of a time over the rotations of the machines: a scheme that is blind to
// speeds gives each machine any load alike.
func rotated(speeds []float64, time func(speeds []float64) float64) float64 {
	sum, twice := 0.0, slices.Concat(speeds, speeds)
	for i := range speeds {
		sum += time(twice[i:][:len(speeds)])
	}
	return sum / float64(len(speeds))
}

// cost is the exact time of values on a machine.
func (j *job) cost(speeds []float64) (partition.Cost, error) {
	var fixed, rates []float64
	for _, v := range speeds {
		fixed, rates = append(fixed, j.start), append(rates, j.rate*v)
	}
	return partition.Affine(fixed, rates)
}

// steps are n numbers of values, evenly spaced up to most.
func steps(most float64, n int) []float64 {
	var list []float64
	for k := range n {
		list = append(list, most*float64(k+1)/float64(n))
	}
	return list
}

// skewTune is how long the reduce phase takes, in s, under a scheme like SkewTune [27]. Machine
// i begins with load[i] values, of which the longest list has longest[i]. When a machine becomes
// idle, the values that the task with most time left has not processed are split over that machine
// and all idle ones. To stop the task and to scan what is left takes the overhead, in s. Lists are
// not split, since a reduce function sees the whole list of a key: the longest goes to the fastest
// machine of the group.
//
// A careful one splits if half of the time left exceeds the overhead and the task then ends
// earlier. Otherwise a task is split, once, if it lags: it would end after twice the time at which
// the machine became idle. Then the overhead may exceed what splitting gains.
//
// Both are kinder than SkewTune: times left and speeds are known exactly, the longest list is
// always the last that a task processes, and all other values are split in proportion to the
// speeds.
func (j *job) skewTune(load, longest, speeds []float64, overhead float64, careful bool) float64 {
	type task struct {
		values, longest, end float64
		split                bool
	}
	tasks := make([]task, len(load))
	now := math.Inf(1)
	for i, v := range load {
		tasks[i] = task{v, longest[i], j.seconds(v, speeds[i]), false}
		now = min(now, tasks[i].end)
	}
	for {
		last := 0
		for i := range tasks {
			if tasks[i].end > tasks[last].end {
				last = i
			}
		}
		slow := tasks[last]
		if careful && slow.end-now <= 2*overhead || !careful && (slow.split || slow.end <= 2*now) {
			return slow.end // nor will any task have more time left later, or lag
		}
		var group []int
		fast, rate := last, 0.0 // rate: values in a second, of the group
		for i := range tasks {
			if i == last || tasks[i].end <= now {
				group, rate = append(group, i), rate+j.rate*speeds[i]
				if speeds[i] > speeds[fast] {
					fast = i
				}
			}
		}
		begin, most := now+overhead+j.start, j.rate*speeds[fast]
		rest := min(slow.values, (slow.end-now)*j.rate*speeds[last])
		list := min(slow.longest, rest)
		// The fastest machine gets its share, and the list at least.
		share := max(list, rest*most/rate)
		if !careful || begin+share/most < slow.end {
			for _, i := range group {
				if i == fast {
					tasks[i] = task{share, list, begin + share/most, true}
				} else {
					part := (rest - share) / (rate - most) // seconds
					tasks[i] = task{part * j.rate * speeds[i], 0, begin + part, true}
				}
			}
		}
		next := math.Inf(1)
		for i := range tasks {
			if tasks[i].end > now {
				next = min(next, tasks[i].end)
			}
		}
		now = next
	}
}

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
