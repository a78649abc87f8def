package dynamicshare

import (
	"math"
	"slices"

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
