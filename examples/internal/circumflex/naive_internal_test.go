package circumflex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/precedence"
	"gonum.org/v1/gonum/floats/scalar"
)

// naive is a second simulation that shares no code with the first: plans by the pseudo-code of
// Appendix B, with its errata mended, and packing interval by interval. Many orders have the least
// maximum, and the first found decides what comes later; there the naive plan only checks the value
// and then follows the package's order.
type naive struct {
	chains []naiveChain // in the order in which they began
	o      settings
	m      metric
	now    float64
	finish []float64
	plans  int // with a maximum that was checked
	wrong  []string
}

type naiveChain struct {
	key  int
	subs []sub
}

// A place is a sub: the chain, and where it stands in it.
type place struct{ chain, at int }

// maximum returns the package's order and checks its value by the backward dynamic programme.
func (n *naive) maximum() []place {
	var order, places []place
	var lengths []int
	var work []float64
	var penalties []precedence.Penalty
	last, left := make([]int, len(n.chains)), 0.0
	for d, c := range n.chains {
		last[d] = len(c.subs) - 1
		lengths = append(lengths, len(c.subs))
		for k, s := range c.subs {
			left += s.work / float64(n.o.slots)
			places = append(places, place{d, k})
			work = append(work, s.work/float64(n.o.slots))
			penalties = append(penalties, n.penalty(s))
		}
	}
	g, err := precedence.Chains(lengths...)
	if err != nil {
		panic(err)
	}
	solution, err := precedence.Lawler(g, work, penalties)
	if err != nil {
		panic(err)
	}
	for _, j := range solution.Order {
		order = append(order, places[j])
	}
	most := math.Inf(-1)
	for range places {
		best, least := -1, math.Inf(1)
		for d, k := range last {
			if k >= 0 {
				if x := n.penalty(n.chains[d].subs[k]).At(left); x < least {
					best, least = d, x
				}
			}
		}
		most = math.Max(most, least)
		left -= n.chains[best].subs[last[best]].work / float64(n.o.slots)
		last[best]--
	}
	n.plans++
	if len(places) > 0 && !scalar.EqualWithinAbs(solution.Value, most, rounding*math.Abs(most)) {
		n.wrong = append(n.wrong, fmt.Sprintf("at %v the largest penalty planned is %v, want %v", n.now, solution.Value, most))
	}
	return order
}

// penalty is that of a sub, from now on.
func (n *naive) penalty(s sub) precedence.Penalty {
	if n.m == maximumTardiness {
		return precedence.Tardiness{Deadline: s.deadline - n.now, Weight: s.weight}
	}
	return precedence.Lateness{Deadline: s.deadline - n.now, Weight: s.weight}
}

// sum returns the order of Appendix B.1.
func (n *naive) sum() []place {
	var order []place
	first := make([]int, len(n.chains))
	for {
		best, to, least := -1, 0, math.Inf(1)
		for d, c := range n.chains {
			p, w := 0.0, 0.0
			for k := first[d]; k < len(c.subs); k++ {
				p, w = p+c.subs[k].work, w+c.subs[k].weight
				if p/w < least {
					best, to, least = d, k, p/w
				}
			}
		}
		if best < 0 {
			return order
		}
		for ; first[best] <= to; first[best]++ {
			order = append(order, place{best, first[best]})
		}
	}
}

func (n *naive) follow(until float64) {
	order := n.sum
	if n.m >= maximumStretch {
		order = n.maximum
	}
	list := order()
	done := make([]int, len(n.chains)) // subs of each chain that have ended
	for n.now < until {
		held := make([]float64, len(n.chains))
		free, step := n.o.slots, until-n.now
		for _, s := range list {
			if s.at == done[s.chain] && free > 0 {
				head := &n.chains[s.chain].subs[s.at]
				give := min(free, head.max)
				if n.o.chainSum { // for all that still need what it scans
					give = min(free, head.max*(len(n.chains[s.chain].subs)-s.at))
				}
				held[s.chain] = float64(give)
				free -= give
				step = math.Min(step, head.work/float64(give))
			}
		}
		if math.IsInf(step, 1) {
			break
		}
		n.now += step
		for d := range n.chains {
			if held[d] == 0 {
				continue
			}
			head := &n.chains[d].subs[done[d]]
			if head.work -= held[d] * step; head.work <= 1e-12*held[d]*n.now {
				n.finish[head.request] = n.now
				done[d]++
			}
		}
	}
	kept := n.chains[:0]
	for d, c := range n.chains {
		if c.subs = c.subs[done[d]:]; len(c.subs) > 0 {
			kept = append(kept, c)
		}
	}
	n.chains = kept
}

func (n *naive) run(w *workload, requests []request, s scheme) outcome {
	n.finish = make([]float64, len(requests))
	var out outcome
	for i, q := range requests {
		n.follow(q.time)
		n.now = q.time
		alone := w.size[q.dataset] / float64(min(n.o.max, n.o.slots))
		next := sub{work: w.size[q.dataset], request: i, max: q.max, weight: float64(len(q.members)), deadline: q.first}
		switch n.m {
		case averageStretch:
			next.weight /= alone
		case maximumStretch:
			next.weight = 1 / alone
		case maximumTardiness, maximumLateness:
			next.weight, next.deadline = 1, q.first+2*alone
		}
		key := i
		if s == circumflex {
			key = q.dataset
		}
		at := slices.IndexFunc(n.chains, func(c naiveChain) bool { return c.key == key })
		if at < 0 {
			at = len(n.chains)
			n.chains = append(n.chains, naiveChain{key: key})
		}
		for _, before := range n.chains[at].subs {
			next.work -= before.work
		}
		out.work += next.work
		n.chains[at].subs = append(n.chains[at].subs, next)
	}
	n.follow(math.Inf(1))
	sum, most, members := 0.0, math.Inf(-1), 0
	for i, q := range requests {
		for _, a := range q.members {
			x := n.finish[i] - w.time[a]
			switch alone := w.alone(q.dataset, n.o); n.m {
			case averageStretch, maximumStretch:
				x /= alone
			case maximumTardiness:
				x = math.Max(0, x-2*alone)
			case maximumLateness:
				x -= 2 * alone
			}
			sum, most, members = sum+x, math.Max(most, x), members+1
		}
	}
	if out.value = sum / float64(members); n.m >= maximumStretch {
		out.value = most
	}
	return out
}

func TestAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	shared, plans, cases := 0, 0, 40
	if testing.Short() {
		cases = 8
	}
	for range cases {
		p := point{r.IntN(steps), r.IntN(steps), r.IntN(relations)}
		o := base([]int{7, 20, 40, 100}[r.IntN(4)])
		o.batchSum = r.IntN(2) == 0
		o.load *= 1 + 2*r.Float64()
		o.chainSum = r.IntN(2) == 0
		w := small(p, o, r.Uint64(), 120)
		for d := range w.size {
			w.size[d] *= 1 + r.Float64()/4 // without ties, which the two break in their own ways
		}
		for s := range schemes {
			requests, err := w.requests(o, s)
			must(t, err)
			for m := range metrics {
				got := play(t, &w, o, s, m)
				n := naive{o: o, m: m}
				want := n.run(&w, requests, s)
				if !scalar.EqualWithinAbs(got.value, want.value, rounding*math.Abs(want.value)) || !scalar.EqualWithinAbs(got.work, want.work, rounding*want.work) {
					t.Errorf("%s of %s at %+v with %+v: value %v and work %v, want %v and %v", metricNames[m], schemeNames[s], p, o, got.value, got.work, want.value, want.work)
				}
				for _, wrong := range n.wrong {
					t.Errorf("%s of %s at %+v with %+v: %s", metricNames[m], schemeNames[s], p, o, wrong)
				}
				plans += n.plans
				if s == circumflex && overDatasets(&got.subjobs) > 1 {
					shared++
				}
			}
		}
	}
	if shared < 3*cases/2 || plans < 200*cases {
		t.Errorf("%d of %d runs of CIRCUMFLEX share scans in the average dataset, and %d maxima were checked; want at least half and %d", shared, 3*cases, plans, 200*cases)
	}
}
