package circumflex

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/sharedscan"
)

// A sub is a part of the work under way: a request, or under CIRCUMFLEX a subjob that completes
// one.
type sub struct {
	work     float64
	request  int
	dataset  int
	min, max int
	riders   int     // how many jobs' slots it can use: it has max for each
	rest     bool    // CIRCUMFLEX, f < 1: what no other job shares, after the scan
	ends     bool    // the request is done with it
	weight   float64 // in a sum
	deadline float64 // in a maximum: the penalty is (time - deadline)*weight
}

// A runner plays runs one after the other; it keeps memory only.
type runner struct {
	slots    int
	min      int
	chainSum bool
	fifo     bool
	metric   metric
	now      float64
	subs     []sub // those of a chain stand together, in its order
	finish   []float64
	schedule malleable.Schedule
	chain    []sharedscan.Subjob
	scans    []sharedscan.Scan
	rests    []float64
	of       []sub // of each of scans
	arcs     [][2]int
	next     []sub
	work     []float64
	weight   []float64
	penalty  []precedence.Penalty
	jobs     []malleable.Job
	minima   []int
	left     []float64
	done     []float64
	arrived  []int
}

// join makes a scan part of the chain of its dataset, and returns how much work that adds. What a
// job does beside scanning comes after its scan.
func (r *runner) join(n sub, fraction float64) (float64, error) {
	from := 0
	for from < len(r.subs) && r.subs[from].dataset != n.dataset {
		from++
	}
	to := from
	left, before := 0.0, 0.0 // of the chain, and in all
	r.scans, r.rests, r.of = r.scans[:0], r.rests[:0], r.of[:0]
	for ; to < len(r.subs) && r.subs[to].dataset == n.dataset; to++ {
		s := r.subs[to]
		before += s.work
		scan, rest := 0.0, s.work
		if !s.rest {
			left += s.work
			scan, rest = left, 0
		} else if k := slices.IndexFunc(r.of, func(other sub) bool { return other.request == s.request }); k >= 0 {
			r.rests[k] = s.work
			continue
		}
		r.scans, r.rests, r.of = append(r.scans, sharedscan.Scan{Remaining: scan, Min: s.min, Max: s.max}), append(r.rests, rest), append(r.of, s)
	}
	scan := float64(fraction * n.work)
	r.scans, r.rests, r.of = append(r.scans, sharedscan.Scan{Remaining: scan, Min: n.min, Max: n.max}), append(r.rests, n.work-scan), append(r.of, n)
	var err error
	if fraction == 1 {
		r.chain, err = sharedscan.CyclicChain(r.chain[:0], r.scans)
	} else {
		r.chain, r.arcs, err = sharedscan.CyclicTree(r.chain[:0], r.arcs[:0], r.scans, r.rests)
	}
	if err != nil {
		return 0, err
	}
	r.next = r.next[:0]
	added := -before
	for _, c := range r.chain {
		// Members come with the scan that has least left first: the one that this subjob ends.
		s := r.of[c.Members[0]]
		s.work, s.min, s.max, s.ends = c.Work, c.Min, c.Max, c.Completes >= 0
		if r.chainSum {
			s.riders = len(c.Members)
		}
		s.rest = s.ends && r.rests[c.Members[0]] > 0
		added += c.Work
		r.next = append(r.next, s)
	}
	r.subs = slices.Replace(r.subs, from, to, r.next...)
	return added, nil
}

// follow makes a plan and follows it until a time.
func (r *runner) follow(until float64, chains bool) error {
	if len(r.subs) == 0 || until <= r.now {
		r.now = max(r.now, until)
		return nil
	}
	g, err := r.graph(chains)
	if err != nil {
		return err
	}
	order, err := r.order(g)
	if err != nil {
		return err
	}
	r.jobs = r.jobs[:0]
	for i := range r.subs {
		r.jobs = append(r.jobs, malleable.Job{Work: r.subs[i].work, Min: r.subs[i].min, Max: r.subs[i].max * r.subs[i].riders})
	}
	if r.min > 0 {
		if r.minima, err = malleable.NormalizeMinima(r.minima[:0], r.slots, r.jobs, g); err != nil {
			return err
		}
		for i := range r.jobs {
			r.jobs[i].Min = r.minima[i]
		}
	}
	if err := malleable.PackInto(&r.schedule, r.slots, r.jobs, g, order, until-r.now); err != nil {
		return err
	}
	r.done, r.left = r.schedule.Completion(r.done[:0]), r.schedule.Remaining(r.left[:0])
	kept := r.subs[:0]
	for i, s := range r.subs {
		if t := r.done[i]; t <= math.MaxFloat64 {
			if s.ends {
				r.finish[s.request] = r.now + t
			}
			continue
		}
		s.work = r.left[i]
		kept = append(kept, s)
	}
	r.subs, r.now = kept, until
	return nil
}

// graph returns the precedence among subs: the chain of each dataset, and a request's rest after
// its last subjob.
func (r *runner) graph(chains bool) (*precedence.Graph, error) {
	r.arcs = r.arcs[:0]
	first := 0 // of this dataset
	for i := range r.subs {
		s := &r.subs[i]
		if i > 0 && s.dataset != r.subs[i-1].dataset {
			first = i
		}
		if chains && i > first && !s.rest {
			r.arcs = append(r.arcs, [2]int{i - 1, i})
		}
		for k := first; s.rest && k < i; k++ {
			if r.subs[k].request == s.request {
				r.arcs = append(r.arcs, [2]int{k, i})
			}
		}
	}
	return precedence.NewGraph(len(r.subs), r.arcs)
}

// order returns the priority of the subs: the best order on one machine of speed S, or by arrival.
func (r *runner) order(g *precedence.Graph) ([]int, error) {
	if r.fifo {
		r.arrived = r.arrived[:0]
		for i := range r.subs { // FLEX's stand in this order
			r.arrived = append(r.arrived, i)
		}
		return r.arrived, nil
	}
	r.work, r.weight, r.penalty = r.work[:0], r.weight[:0], r.penalty[:0]
	var solution precedence.Solution
	var err error
	if r.metric >= maximumStretch {
		for i := range r.subs {
			s := &r.subs[i]
			r.work = append(r.work, s.work/float64(r.slots))
			switch {
			case !s.ends:
				r.penalty = append(r.penalty, precedence.NoPenalty{})
			case r.metric == maximumTardiness:
				r.penalty = append(r.penalty, precedence.Tardiness{Deadline: s.deadline - r.now, Weight: s.weight})
			default:
				r.penalty = append(r.penalty, precedence.Lateness{Deadline: s.deadline - r.now, Weight: s.weight})
			}
		}
		solution, err = precedence.Lawler(g, r.work, r.penalty)
	} else {
		for i := range r.subs {
			s := &r.subs[i]
			weight := s.weight
			if !s.ends {
				weight = 0
			}
			r.work, r.weight = append(r.work, s.work), append(r.weight, weight)
		}
		solution, err = precedence.Smith(g, r.work, r.weight)
	}
	return solution.Order, err
}
