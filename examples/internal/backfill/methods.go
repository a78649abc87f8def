package backfill

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// ranks are those of the quantiles that a method says of a job's wait.
var ranks = [...]float64{.05, .1, .25, .5, .75, .9, .95}

const median, last = len(ranks) / 2, len(ranks) - 1

// quantiles are waits at the ranks, in seconds.
type quantiles [len(ranks)]float64

// ofSorted are those of waits in ascending order, 0 where there is none.
func ofSorted(waits []float64) (q quantiles) {
	for k, p := range ranks {
		if n := float64(len(waits)); n > 0 {
			q[k] = waits[max(0, int(math.Ceil(p*n))-1)]
		}
	}
	return q
}

// A past wait, and what was known when it began: logarithms of the work ahead a processor, doubled,
// of the width and of the request. On the tuned parts twice the weight of the first was best.
type past struct {
	wait  float64
	known [3]float64
}

// An observer knows the waits that have ended.
type observer struct {
	log    *Log
	seed   uint64
	past   []past    // in the order of starts
	sorted []float64 // waits
}

func (o *observer) learn(x past) {
	o.past = append(o.past, x)
	k, _ := slices.BinarySearch(o.sorted, x.wait)
	o.sorted = slices.Insert(o.sorted, k, x.wait)
}

// now is what is known of the last job of the queue.
func (o *observer) now(i *batch.Instant) [3]float64 {
	ahead, n := 0., len(i.Queue)-1
	for _, r := range i.Running {
		ahead += float64(r.Need[0]) * max(0, r.End-i.Now)
	}
	for _, j := range i.Queue[:n] {
		ahead += float64(j.Need[0]) * j.Time
	}
	return [3]float64{2 * math.Log1p(ahead/float64(o.log.Processors)), math.Log(float64(i.Queue[n].Need[0])), math.Log1p(i.Queue[n].Time)}
}

// forecast plays futures.
func (o *observer) forecast(i *batch.Instant) (q quantiles, err error) {
	for k := range median {
		f, err := i.Forecast(1-2*ranks[k], workload.Stream(o.seed, workload.FirstFreePurpose, uint64(len(o.past))))
		if err != nil {
			return q, err
		}
		x := f[len(f)-1]
		q[k], q[median], q[last-k] = x.Low-i.Now, x.Median-i.Now, x.High-i.Now
	}
	return q, nil
}

// byRequests plays the one future in which jobs run for as long as they requested.
func (o *observer) byRequests(i *batch.Instant) (quantiles, error) {
	remaining := func(k int, _ float64) float64 {
		if k < len(i.Running) {
			return max(0, i.Running[k].End-i.Now)
		}
		return i.Queue[k-len(i.Running)].Time
	}
	f, err := backfill.Forecast(nil, []int64{int64(o.log.Processors)}, i.Now, i.Running, i.Queue, remaining, backfill.ForecastOptions{Samples: 1}, rand.NewPCG(1, 1))
	if err != nil {
		return quantiles{}, err
	}
	return ofSorted([]float64{f[len(f)-1].Median - i.Now}), nil
}

// average is the mean of the last 100 waits.
func (o *observer) average(*batch.Instant) (quantiles, error) {
	sum, recent := 0., o.past[max(0, len(o.past)-100):]
	for _, x := range recent {
		sum += x.wait
	}
	return ofSorted([]float64{sum / max(1, float64(len(recent)))}), nil
}

// bmbp are bounds of the quantiles of all waits that hold with 95%: of n waits the k-th with
// P(Binomial(n, rank) < k) >= .95, the greatest where there is none (Brevik, Nurmi, Wolski 2006).
func (o *observer) bmbp(*batch.Instant) (q quantiles, err error) {
	n := len(o.past)
	if n == 0 {
		return q, nil
	}
	for k, p := range ranks {
		law := distuv.Binomial{N: float64(n), P: p}
		q[k] = o.sorted[sort.Search(n-1, func(k int) bool { return law.CDF(float64(k)) >= .95 })]
	}
	return q, nil
}

// nearest are the quantiles of the 30 of the last 1,000 waits of which most alike was known.
func (o *observer) nearest(i *batch.Instant) (quantiles, error) {
	now := o.now(i)
	distance := func(x past) (d float64) {
		for k := range now {
			d += (x.known[k] - now[k]) * (x.known[k] - now[k])
		}
		return d
	}
	list := slices.Clone(o.past[max(0, len(o.past)-1000):])
	slices.SortStableFunc(list, func(a, b past) int { return cmp.Compare(distance(a), distance(b)) })
	var waits []float64
	for _, x := range list[:min(30, len(list))] {
		waits = append(waits, x.wait)
	}
	slices.Sort(waits)
	return ofSorted(waits), nil
}

// margins are a Calibrator for each pair of ranks.
type margins [median]*backfill.Calibrator

func newMargins() (m margins, err error) {
	for k := range m {
		if m[k], err = backfill.NewCalibrator(backfill.CalibratorOptions{Level: 1 - 2*ranks[k]}); err != nil {
			return m, err
		}
	}
	return m, nil
}

func (q *quantiles) interval(k int) backfill.Interval {
	return backfill.Interval{Low: q[k], Median: q[median], High: q[last-k]}
}

func (m *margins) move(q quantiles) (moved quantiles, err error) {
	for k, c := range m {
		f, failed := c.Interval(0, q.interval(k))
		moved[k], moved[median], moved[last-k], err = f.Low, f.Median, f.High, cmp.Or(err, failed)
	}
	return moved, err
}

func (m *margins) learn(raw quantiles, wait float64) (err error) {
	for k, c := range m {
		err = cmp.Or(err, c.Add(backfill.Outcome{Forecast: raw.interval(k), Start: wait}))
	}
	return err
}
