package dynamicshare

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/lof"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
	"gonum.org/v1/gonum/mat"
)

// In the figure joined the mean gap between Twitter-like jobs is the time that one takes alone, and
// some workers for maps are always overloaded.
const (
	uneven = 60 // skewness of the partitions, percent
	spell  = 30 // s for which the same workers are overloaded
	period = 1  // s between the reports of DynamicShare
)

// inStream returns how many jobs a seed has.
func (s *study) inStream() int {
	if s.Quick {
		return 20
	}
	return 60
}

// shared is DynamicShare on some jobs; without a rule no worker stands out.
func shared(b *batch, rule func(dst []int, laxity []float64) []int, plan bool) *queues.DynamicShare {
	d := &queues.DynamicShare{Policy: queues.Policy{Order: queues.LLF, Bind: hashed, Remaining: byNearest(b)}, Period: period, Stragglers: rule}
	if plan {
		reduces := &queues.ReducePlan{
			Queues: &d.Policy,
			Size: func(v *slotmodel.View, t slotmodel.Task) float64 {
				j, k, i := v.Index(t)
				return b.input(j, k, i)
			},
			Cost: func(_ *slotmodel.View, j slotmodel.Job, n slotmodel.Node, total float64) float64 {
				return b.plant.times[b.of[j]](int(n), total)
			},
			Else: hashed,
		}
		d.Policy.Bind = reduces.Bind
	}
	return d
}

// joins are the policies, joined one after the other.
var joins = [...]contender{
	contenders[fifoQueue],
	{"LLF, learning", newLearner},
	{"LLF, k-NN", contenders[llfQueue].make},
	{"+ LOF", func(b *batch) slotmodel.Policy { return shared(b, three, false) }},
	{"+ LOF with cpu", func(b *batch) slotmodel.Policy {
		d := shared(b, nil, false)
		d.Outliers = withCPU(b.plant.shown)
		return d
	}},
	{"+ LOF > 1", func(b *batch) slotmodel.Policy { return shared(b, one, false) }},
	{"+ DP", func(b *batch) slotmodel.Policy { return shared(b, nil, true) }},
	{"DynamicShare", func(b *batch) slotmodel.Policy { return shared(b, one, true) }},
}

// Places in joins.
const (
	joinNearest = 2 + iota
	joinLOF
	_
	joinAboveOne
)

// A warning is about one job on one worker.
type warning struct {
	named bool // by LOF
	right bool // the worker was overloaded when LOF first named it
	slow  bool // it was at the time of a report
}

// A joint is what one seed gives.
type joint struct {
	offered  [2]float64               // by kind: the load of the slots
	missed   []float64                // percent, by policy
	warnings [2]map[[2]int32]*warning // by job and worker, under LLF, k-NN, where LOF only watches: laxities, and with cpu
	learnt   []float64                // mean relative error of estimates learnt in the run, by place in counted
}

func (s *study) join(repetition int) (joint, error) {
	x := joint{missed: make([]float64, len(joins))}
	p, err := newPlant(s.Seed, repetition, uneven, []*job{&twitter})
	if err != nil {
		return x, err
	}
	j := &twitter
	b := p.submit(s.inStream(), j.alone(), []*job{j}, 0)
	x.offered = b.offered(j.alone())
	r := report.Stream(s.Seed, repetition, laxityStream)
	for at := 0.; at < 2*float64(s.inStream())*j.alone(); at += spell {
		for _, n := range r.Perm(maps)[:overloaded] {
			p.nodes[n].Slow = append(p.nodes[n].Slow, slotmodel.Slowdown{From: at, Until: at + spell, Factor: 2 + 2*r.Float64()})
		}
	}
	for i := range joins {
		made := joins[i].make(b)
		missed, err := b.missed(made)
		if l, ok := made.(*learner); ok {
			err = errors.Join(err, l.err)
			x.learnt = numbers.Column(l.errors, func(list *[]float64) float64 { return numbers.Mean(*list) })
		}
		if err != nil {
			return x, err
		}
		x.missed[i] = 100 * float64(missed) / float64(s.inStream())
	}
	slow := func(n slotmodel.Node, at float64) bool {
		return slices.ContainsFunc(p.nodes[n].Slow, func(x slotmodel.Slowdown) bool { return x.From <= at && at < x.Until })
	}
	watches := [2]watcher{{byLaxity(three), slow, map[[2]int32]*warning{}, nil}, {withCPU(p.shown), slow, map[[2]int32]*warning{}, nil}}
	d := shared(b, nil, false)
	d.Report = func(r queues.Report) {
		for i := range watches {
			watches[i].report(r)
		}
	}
	_, err = b.missed(d)
	for i := range watches {
		watches[i].compare()
		x.warnings[i] = watches[i].all
	}
	return x, err
}

// A watcher compares the reports on each job and moves nothing.
type watcher struct {
	rule   func(dst []int, list []queues.Report) []int
	slow   func(n slotmodel.Node, at float64) bool // whether a worker is overloaded: the truth
	all    map[[2]int32]*warning
	latest []queues.Report // those of one job at one time
}

func (w *watcher) report(r queues.Report) {
	if n := len(w.latest); n > 0 && (w.latest[n-1].Job != r.Job || w.latest[n-1].Time != r.Time) {
		w.compare()
	}
	w.latest = append(w.latest, r)
}

// compare ends the reports on a job at one time.
func (w *watcher) compare() {
	outliers := w.rule(nil, w.latest)
	for i, r := range w.latest {
		at := [2]int32{int32(r.Job), int32(r.Node)}
		x, slow := w.all[at], w.slow(r.Node, r.Time)
		if x == nil {
			x = new(warning)
			w.all[at] = x
		}
		x.slow = x.slow || slow
		if slices.Contains(outliers, i) && !x.named {
			x.named, x.right = true, slow
		}
	}
	w.latest = w.latest[:0]
}

func (s *study) figureJoined(list []joint) (report.Figure, error) {
	f := report.NewFigure("The parts of DynamicShare joined, with overloaded workers and skewed partitions",
		fmt.Sprintf("%d Twitter-like jobs a seed, %s; %d of %d workers for maps are overloaded by a factor of 2 to 4, others every %d s; partitions of %d%% skewness, as many as reduce workers. Learning begins without a history; k-NN has %d earlier runs on each worker. With cpu LOF sees laxities and the cpu that monitors show. Missed deadlines with 95%% intervals.",
			s.inStream(), numbers.Count(s.n, "repetition"), overloaded, maps, spell, uneven, rehearsals),
		"policy", "repetitions", "missed_percent", "missed_ci95", "less_fifo", "less_fifo_ci95")
	f.Shown.Columns = []string{"policy", "missed, %"}
	c := &draw.Chart{Height: 190, GridX: true, X: draw.Axis{Label: "missed deadlines (%)", Max: 100, Ticks: draw.Ticks(0, 100, 20)}}
	var names []string
	var means []numbers.Interval
	for i := range joins {
		name := joins[i].name
		mean, less := numbers.Over(missedBy(list, i)), numbers.Difference(missedBy(list, i), missedBy(list, 0))
		f.Numbers.Add(name, s.n, mean.Mean, mean.Half, less.Mean, less.Half)
		f.Shown.Add(name, mean.String())
		names, means = append(names, name), append(means, mean)
	}
	c.Y = draw.Categories("", names...)
	c.Points([]draw.Series{draw.Means(0, "", nil, means)})
	return f.Done(joinedClaims(list), "Missed deadlines under eight policies.", c)
}

// missedBy are the missed deadlines of a policy, in percent, by seed.
func missedBy(list []joint, policy int) []float64 {
	return numbers.Column(list, func(x *joint) float64 { return x.missed[policy] })
}

// tell returns the precision, the share of the workers named by LOF that were overloaded, and the
// recall, the share of the overloaded workers that it named.
func tell(warnings map[[2]int32]*warning) (precision, recall float64) {
	names, right, slow, found := 0, 0, 0, 0
	for _, w := range warnings {
		if w.named {
			names++
			if w.right {
				right++
			}
		}
		if w.slow {
			slow++
			if w.named {
				found++
			}
		}
	}
	return float64(right) / float64(max(1, names)), float64(found) / float64(max(1, slow))
}

func joinedClaims(list []joint) []report.Claim {
	below := func(claim string, policy, than int) report.Claim {
		x, y := missedBy(list, policy), missedBy(list, than)
		d := numbers.Difference(x, y)
		model := fmt.Sprintf("%s%% against %s%%: %s percentage points", numbers.Short2(numbers.Mean(x)), numbers.Short2(numbers.Mean(y)), d)
		return report.Says(claim, "not measured", "95% interval of the difference below 0", "%s", model).Below(d, 0)
	}
	var precision, recall [2][]float64 // by rule and seed
	for i := range list {
		for k := range list[i].warnings {
			p, r := tell(list[i].warnings[k])
			precision[k], recall[k] = append(precision[k], p), append(recall[k], r)
		}
	}
	higher := func(claim string, of [2][]float64) report.Claim {
		d := numbers.Difference(of[1], of[0])
		return report.Says(claim, "used by the anomaly detection algorithm", "95% interval of the difference above 0",
			"%s against %s: higher by %s", numbers.Short2(numbers.Mean(of[1])), numbers.Short2(numbers.Mean(of[0])), d).Above(d, 0)
	}
	return []report.Claim{
		below("taking queued tasks off overloaded workers lets fewer deadlines be missed", joinLOF, joinNearest),
		below("the paper's limit, LOF > 1, lets fewer be missed than a limit of 3", joinAboveOne, joinLOF),
		higher("with cpu beside the laxities the precision is higher", precision),
		higher("and so is the recall", recall),
	}
}

// byLaxity is a rule for reports that sees their laxities alone.
func byLaxity(rule func(dst []int, laxity []float64) []int) func([]int, []queues.Report) []int {
	return func(dst []int, list []queues.Report) []int {
		return rule(dst, numbers.Column(list, func(r *queues.Report) float64 { return r.Laxity }))
	}
}

// withCPU names the workers that stand out by the laxity of a job and the cpu that their monitors
// show, each over its standard deviation: those with a LOF above 3 of which both are below the
// median. A monitor shows the usual load by others, too. As lof.Stragglers, it names none of fewer
// than seven.
func withCPU(r *rand.Rand) func([]int, []queues.Report) []int {
	return func(dst []int, list []queues.Report) []int {
		laxity := numbers.Column(list, func(r *queues.Report) float64 { return r.Laxity })
		share := numbers.Column(list, func(x *queues.Report) float64 { return 100 / (x.Slowdown * (1 + load*r.ExpFloat64())) })
		points := mat.NewDense(len(list), 2, nil)
		for c, x := range [][]float64{laxity, share} {
			for i := range x {
				points.Set(i, c, x[i]/math.Max(numbers.SD(x), 1e-9))
			}
		}
		scores, err := lof.Scores(nil, points, min(lof.Neighbours(len(list)), max(1, (len(list)-1)/2)), lof.Options{})
		if lax, usual := numbers.Median(laxity), numbers.Median(share); err == nil && len(list) >= 7 {
			for i := range list {
				if scores[i] > 3 && laxity[i] < lax && share[i] < usual {
					dst = append(dst, i)
				}
			}
		}
		return dst
	}
}
