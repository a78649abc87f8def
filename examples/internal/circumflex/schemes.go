package circumflex

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/sharedscan"
)

// scheme is who shares scans with whom.
type scheme int

const (
	flex scheme = iota
	batch
	circumflex
	schemes
)

var schemeNames = [schemes]string{flex: "FLEX", batch: "BATCH", circumflex: "CIRCUMFLEX"}

// metric is what the plans optimise and what is measured.
type metric int

const (
	averageResponse metric = iota
	averageStretch
	maximumStretch
	maximumTardiness
	maximumLateness
	metrics
	drawn = maximumStretch + 1 // those of Figure 6
)

var metricNames = [metrics]string{"average response time", "average stretch", "maximum stretch", "maximum tardiness", "maximum lateness"}

// slack is how many times as long as alone a scan may take to be on time.
const slack = 2

// A request is what a scheme plans: a scan, or a batch of them.
type request struct {
	time    float64 // when it can begin
	first   float64 // when the first of its members arrived
	dataset int
	members []int // arrivals
	max     int
	work    float64
}

// An outcome is what a run measured.
type outcome struct {
	value   float64       // of the metric
	work    float64       // slot-minutes
	subjobs [datasets]int // CIRCUMFLEX: the most subjobs of each dataset at a time
	largest [datasets]int // BATCH: the largest batch of each dataset
	end     float64       // when the last scan is done, minutes
}

// run plays the requests of a scheme with plans that optimise a metric, and measures this metric.
func (r *runner) run(w *workload, requests []request, o settings, s scheme, m metric) (outcome, error) {
	r.slots, r.min, r.chainSum, r.fifo, r.metric, r.now, r.subs = o.slots, o.min, o.chainSum, o.fifo, m, 0, r.subs[:0]
	r.finish = slices.Grow(r.finish[:0], len(requests))[:len(requests)]
	var out outcome
	for i := range requests {
		q := &requests[i]
		if err := r.follow(q.time, s == circumflex); err != nil {
			return out, err
		}
		n := sub{
			work: q.work, request: i, dataset: q.dataset, min: o.min, max: q.max, riders: 1, ends: true,
			weight: float64(len(q.members)), deadline: q.first,
		}
		alone := w.alone(q.dataset, o)
		switch m {
		case averageStretch:
			n.weight /= alone
		case maximumStretch:
			n.weight = 1 / alone
		case maximumTardiness, maximumLateness:
			n.deadline, n.weight = q.first+slack*alone, 1
		}
		if s != circumflex {
			r.subs = append(r.subs, n)
			out.work += n.work
			out.largest[q.dataset] = max(out.largest[q.dataset], len(q.members))
			continue
		}
		added, err := r.join(n, o.fraction)
		if err != nil {
			return out, err
		}
		out.work += added
		for k, length := 0, 0; k < len(r.subs); k++ {
			if k > 0 && r.subs[k].dataset != r.subs[k-1].dataset {
				length = 0
			}
			if !r.subs[k].rest {
				length++
			}
			out.subjobs[r.subs[k].dataset] = max(out.subjobs[r.subs[k].dataset], length)
		}
	}
	if err := r.follow(math.Inf(1), s == circumflex); err != nil {
		return out, err
	}
	out.value, out.end = r.measure(w, o, requests), slices.Max(r.finish)
	return out, nil
}

// alone is how long a scan of a dataset takes on an idle cluster, in minutes.
func (w *workload) alone(dataset int, o settings) float64 {
	return w.size[dataset] / float64(min(o.max, o.slots))
}

// requests returns what a scheme plans, in the order of time.
func (w *workload) requests(o settings, s scheme) ([]request, error) {
	var list []request
	if s != batch {
		list = make([]request, len(w.time))
		members := make([]int, len(w.time))
		for i, t := range w.time {
			members[i] = i
			d := w.dataset[i]
			list[i] = request{time: t, first: t, dataset: d, members: members[i : i+1], max: o.max, work: w.size[d]}
		}
		return list, nil
	}
	var times [datasets][]float64
	var index [datasets][]int
	for i, d := range w.dataset {
		times[d], index[d] = append(times[d], w.time[i]), append(index[d], i)
	}
	var batches []sharedscan.Batch
	for d := range times {
		var err error
		if batches, err = sharedscan.Batches(batches[:0], times[d], window, float64(d)*window/datasets); err != nil {
			return nil, err
		}
		for _, b := range batches {
			q := request{time: b.Start, dataset: d, members: b.Members, max: o.max}
			for k, i := range q.members {
				q.members[k] = index[d][i]
			}
			q.first = w.time[q.members[0]]
			q.work = w.size[d] * (o.fraction + float64(len(q.members))*(1-o.fraction))
			if o.batchSum {
				q.max *= len(q.members)
			}
			list = append(list, q)
		}
	}
	slices.SortFunc(list, func(a, b request) int { return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.dataset, b.dataset)) })
	return list, nil
}

// measure returns the metric over all arrivals.
func (r *runner) measure(w *workload, o settings, requests []request) float64 {
	sum, most := 0.0, math.Inf(-1)
	for i := range requests {
		for _, a := range requests[i].members {
			t, alone := r.finish[i]-w.time[a], w.alone(requests[i].dataset, o)
			switch r.metric {
			case averageStretch, maximumStretch:
				t /= alone
			case maximumTardiness:
				t = max(0, t-slack*alone)
			case maximumLateness:
				t -= slack * alone
			}
			sum += t
			most = max(most, t)
		}
	}
	if r.metric >= maximumStretch {
		return most
	}
	return sum / float64(len(w.time))
}
