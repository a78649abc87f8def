package workload

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/slotmodel"
)

// TaskTimes is the law of the task times of one kind, maps or reduces, in a PigMix workload. In HFSP's Figure 4 most tasks take
// a few tens of seconds; about a tenth of the reduces and a small share of the maps take orders of magnitude longer. Here a task of a
// job on a dataset of D GiB, of a query with the time factor F, takes
//
//	ordinary   Median * F * exp(Spread * Z) s            Z standard normal
//	long       LongLow * (LongPerGiB * D / LongLow)^U s   U uniform on (0, 1): a log-uniform time
//
// A job has long tasks with probability LongJobs, and then each of its tasks is one with probability Long / LongJobs, all
// independently: Long is the share of tasks that are long. The longest time grows with the dataset since a long task is one that
// got much of the data; where LongPerGiB * D <= LongLow there are no long tasks. They come together in few jobs since the
// paper's errors of estimates from 5 tasks are mostly within a factor of 2 (Figure 5), and 30% of its LARGE jobs end within
// 100 s (Figure 3): neither could be if each job had its share of them.
//
// A TaskTimes in which every field is 0 stands for the defaults, MapTimes or ReduceTimes. In any other each field counts as it
// is: Spread 0 makes ordinary tasks of a query equal, Long 0 leaves long ones out.
type TaskTimes struct {
	Median     float64 // seconds, > 0
	Spread     float64 // standard deviation of the logarithm, >= 0
	Long       float64 // share of long tasks, 0 to LongJobs
	LongJobs   float64 // share of jobs that have long tasks, 0 to 1
	LongLow    float64 // shortest long task, seconds; > 0 if Long is
	LongPerGiB float64 // longest long task, seconds per GiB of the dataset, >= 0
}

// MapTimes returns the default for maps: median 20 s with spread .4; 2% long ones, in a tenth of the jobs, of 200 s to 50 s per
// GiB: none on 1 GB, up to 500, 2000 and 5000 s on 10, 40 and 100 GB.
func MapTimes() TaskTimes {
	return TaskTimes{Median: 20, Spread: 0.4, Long: 0.02, LongJobs: 0.1, LongLow: 200, LongPerGiB: 50}
}

// ReduceTimes returns the default for reduces: as MapTimes, but 10% long ones, in a fifth of the jobs.
func ReduceTimes() TaskTimes {
	return TaskTimes{Median: 20, Spread: 0.4, Long: 0.1, LongJobs: 0.2, LongLow: 200, LongPerGiB: 50}
}

// draw returns the times of a phase's tasks, from one number of src and two a task.
func (t *TaskTimes) draw(phase slotmodel.Phase, size, factor float64, src rand.Source) []float64 {
	works := make([]float64, phase.Tasks)
	low, high := t.LongLow, t.LongPerGiB*size
	long := 0.0
	if u, _ := unit(src); high > low && u < t.LongJobs {
		long = t.Long / t.LongJobs
	}
	stretch := math.Log(high) - math.Log(low)
	for i := range works {
		if u, _ := unit(src); u < long {
			u, _ := unit(src)
			works[i] = min(low*math.Exp(u*stretch), high)
		} else {
			works[i] = t.Median * factor * math.Exp(t.Spread*standardNormal(src))
		}
	}
	return works
}

// mean is the expected time of a task.
func (t *TaskTimes) mean(size, factor float64) float64 {
	ordinary := t.Median * factor * math.Exp(t.Spread*t.Spread/2)
	low, high := t.LongLow, t.LongPerGiB*size
	if !(high > low && t.Long > 0) {
		return ordinary
	}
	long := (high - low) / (math.Log(high) - math.Log(low))
	return float64((1-t.Long)*ordinary) + float64(t.Long*long)
}

// largest bounds the times of a query, on any dataset.
func (t *TaskTimes) largest(factor float64) float64 {
	ordinary := t.Median * factor * math.Exp(max(maxNormal*t.Spread, t.Spread*t.Spread/2)) // the largest drawn; the mean
	return max(ordinary, t.LongLow, t.LongPerGiB*pigMixGiB[len(pigMixGiB)-1])
}

func (t *TaskTimes) check(g *guard, kind string) {
	fault := func(name, reason string) {
		if reason != "" {
			g.arg("p", kind+"."+name+" is "+reason)
		}
	}
	fault("Median", notPositive(t.Median))
	fault("Spread", notAmount(t.Spread))
	if !(t.LongJobs >= 0 && t.LongJobs <= 1) {
		fault("LongJobs", text(t.LongJobs)+", want within [0, 1]")
	}
	if !(t.Long >= 0 && t.Long <= t.LongJobs) {
		fault("Long", text(t.Long)+", want within [0, LongJobs] = [0, "+text(t.LongJobs)+"]")
	}
	if t.Long > 0 {
		fault("LongLow", notPositive(t.LongLow))
	}
	fault("LongLow", notAmount(t.LongLow))
	fault("LongPerGiB", notAmount(t.LongPerGiB))
}
