package workload

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/joblog"
)

// fbArrivals returns the submit times of a day in ascending order, in whole seconds. How many
// arrivals share a second is fixed by fbBatches, in random order; the seconds of an hour that have
// any are a fixed number, spread over its minutes in proportion to fbPace in random order, and
// within a minute every choice of seconds is equally likely.
func fbArrivals(src rand.Source) []float64 {
	var batches []int
	for k, seconds := range fbBatches {
		for range seconds {
			batches = append(batches, k+1)
		}
	}
	permute(batches, src)
	pace := make([]float64, 60)
	for i := range pace {
		pace[i] = fbPace[i%len(fbPace)] / 60
	}
	times := make([]float64, 0, fbJobs)
	perJob := float64(len(batches)-1) / fbJobs // seconds with arrivals, the last one apart
	next, due := 0, 0.0
	for hour, jobs := range fbHourJobs {
		permute(pace, src)
		for minute, share := range pace {
			due += float64(share * float64(float64(jobs)*perJob))
			want := min(int(math.Round(due)), len(batches)-1) - next
			for s := range 60 { // selection sampling: want of the 60-s seconds that are left
				if below(src, 60-s) < want {
					for range batches[next] {
						times = append(times, float64(3600*hour+60*minute+s))
					}
					next++
					want--
				}
			}
		}
	}
	for ; next < len(batches); next++ {
		for range batches[next] {
			times = append(times, fbLastSecond)
		}
	}
	return times
}

// fbPlace returns the jobs (giants first) in the order of times, with ids, times and gaps. Where
// the largest jobs stand decides how long queues get, so they are placed with care: some giants
// together in the busiest hour, the other large jobs, in descending order, each in the hour that
// lacks most of its share of the day's work, anywhere in it. All other jobs stand anywhere.
func fbPlace(jobs []joblog.SWIMJob, times []float64, src rand.Source) []joblog.SWIMJob {
	const large = 400 // of the jobs hold nine tenths of the work
	work := make([]float64, len(jobs))
	total := 0.0
	for i := range jobs {
		work[i] = diskBytes(&jobs[i], 4)
		total += work[i]
	}
	free := make([][]int, len(fbHourJobs)) // arrivals of each hour that have no job yet
	for i, t := range times {
		h := min(int(t/3600), len(free)-1)
		free[h] = append(free[h], i)
	}
	lack := make([]float64, len(fbHourWork))
	for h, share := range fbHourWork {
		lack[h] = float64(share/1000) * total
	}
	job := make([]int, len(times)) // of each arrival, -1 for none yet
	for i := range job {
		job[i] = -1
	}
	busiest := slices.Index(lack, slices.Max(lack))
	const apart = 8 // arrivals from one giant to the next: about half a minute
	first := below(src, len(free[busiest])-apart*fbTogether)
	for k := fbTogether - 1; k >= 0; k-- {
		at := first + apart*k
		job[free[busiest][at]] = k
		free[busiest] = slices.Delete(free[busiest], at, at+1)
		lack[busiest] -= work[k]
	}
	for _, arrivals := range free {
		permute(arrivals, src)
	}
	rest := make([]int, 0, len(jobs))
	for j := fbTogether; j < len(jobs); j++ {
		rest = append(rest, j)
	}
	slices.SortFunc(rest, func(a, b int) int { return cmp.Or(cmp.Compare(work[b], work[a]), cmp.Compare(a, b)) })
	for _, j := range rest[:large] {
		h := slices.Index(lack, slices.Max(lack))
		last := len(free[h]) - 1
		job[free[h][last]] = j
		free[h] = free[h][:last]
		if lack[h] -= work[j]; last == 0 {
			lack[h] = -total // full
		}
	}
	rest = rest[large:]
	permute(rest, src)
	placed := make([]joblog.SWIMJob, len(jobs))
	before := 0.0
	for i, t := range times {
		j := job[i]
		if j < 0 {
			j, rest = rest[0], rest[1:]
		}
		placed[i] = jobs[j]
		placed[i].ID = "job" + strconv.Itoa(i)
		placed[i].Submit, placed[i].Gap = t, t-before
		before = t
	}
	return placed
}
