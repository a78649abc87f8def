package dynamicshare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// In the figure joined the mean gap between Twitter-like jobs is the time that one takes alone, and
// some workers for maps are always overloaded.
const (
	steepest = 80 // skewness of the partitions, percent
	spell    = 30 // s for which the same workers are overloaded
	period   = 1  // s between the reports of DynamicShare
)

// inStream returns how many jobs a seed has.
func (s *study) inStream() int {
	if s.Quick {
		return 30
	}
	return 60
}

// everybody names all workers: their tasks leave wherever another worker ends them sooner.
func everybody(dst []int, laxity []float64) []int {
	for i := range laxity {
		dst = append(dst, i)
	}
	return dst
}

// shared is DynamicShare on some jobs; without a rule no worker stands out.
func shared(b *batch, rule func(dst []int, laxity []float64) []int, kill, plan bool) *queues.DynamicShare {
	d := &queues.DynamicShare{Policy: queues.Policy{Order: queues.LLF, Bind: hashed, Remaining: byNearest(b)}, Period: period, Stragglers: rule, Kill: kill}
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
var joins = []contender{
	contenders[fifoQueue],
	{"LLF, nothing known", inQueues(queues.Policy{Order: queues.LLF}, unknown)},
	{"LLF, learning", newLearner},
	{"LLF, k-NN", contenders[llfQueue].make},
	{"+ LOF", func(b *batch) slotmodel.Policy { return shared(b, three, false, false) }},
	{"+ LOF with cpu", func(b *batch) slotmodel.Policy {
		d := shared(b, nil, false, false)
		d.Outliers = withCPU(b.plant.shown)
		return d
	}},
	{"+ LOF > 1", func(b *batch) slotmodel.Policy { return shared(b, one, false, false) }},
	{"+ all moves", func(b *batch) slotmodel.Policy { return shared(b, everybody, false, false) }},
	{"+ LOF, kills", func(b *batch) slotmodel.Policy { return shared(b, three, true, false) }},
	{"+ DP", func(b *batch) slotmodel.Policy { return shared(b, nil, false, true) }},
	{"DynamicShare", func(b *batch) slotmodel.Policy { return shared(b, one, false, true) }},
}

// A warning is about one job on one worker.
type warning struct {
	lof, negative float64 // s at which LOF first named the worker, and the laxity was first negative; +Inf: never
	lost          bool    // the laxity was negative in its first report
	slow          bool    // the worker was overloaded at the time of a report
	right         bool    // it was when LOF first named it
}

// A joint is what one seed gives.
type joint struct {
	missed   []float64                // percent, by policy
	warnings [2]map[[2]int32]*warning // by job and worker, under LLF, k-NN, where LOF only watches: laxities, and with cpu
	learnt   []float64                // mean relative error of estimates learnt in the run, by place in counted
}

func (s *study) join(repetition int) (joint, error) {
	x := joint{missed: make([]float64, len(joins))}
	p, err := newPlant(s.Seed, repetition, steepest, []*job{&twitter})
	if err != nil {
		return x, err
	}
	j := &twitter
	b := p.submit(s.inStream(), j.alone(), []*job{j}, 0)
	r := stream(s.Seed, repetition, laxityStream)
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
			x.learnt = report.Column(l.errors, func(list *[]float64) float64 { return report.Mean(*list) })
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
	d := shared(b, nil, false, false)
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
			x = &warning{lof: math.Inf(1), negative: math.Inf(1), lost: r.Laxity < 0}
			w.all[at] = x
		}
		x.slow = x.slow || slow
		if slices.Contains(outliers, i) && r.Time < x.lof {
			x.lof, x.right = r.Time, slow
		}
		if r.Laxity < 0 {
			x.negative = min(x.negative, r.Time)
		}
	}
	w.latest = w.latest[:0]
}

func (s *study) figureJoined(list []joint) (report.Figure, error) {
	f := report.NewFigure("The parts of DynamicShare joined, with overloaded workers and skewed partitions",
		fmt.Sprintf("%d Twitter-like jobs a seed, %s; %d of %d workers for maps are overloaded by a factor of 2 to 4, others every %d s; partitions of %d%% skewness, as many as reduce workers. Learning begins without a history; k-NN has %d earlier runs on each worker. With cpu LOF sees laxities and the cpu that monitors show. Top: missed deadlines with 95%% intervals. "+
			"Bottom: how long before the laxity of a job on a worker is first negative LOF names the worker, under LLF with k-NN; laxities are reported every second.", s.inStream(), report.Count(s.n, "repetition"), overloaded, maps, spell, steepest, rehearsals),
		"policy", "repetitions", "missed_percent", "missed_ci95", "less_fifo", "less_fifo_ci95")
	f.Shown.Columns = []string{"policy", "missed, %"}
	top := &draw.Chart{Height: 230, GridX: true, X: draw.Axis{Label: "missed deadlines (%)", Max: 100, Ticks: draw.Ticks(0, 100, 20)}, Y: named(joins, func(c *contender) string { return c.name })}
	var means []report.Interval
	for i := range joins {
		name := joins[i].name
		mean, less := report.Over(missedBy(list, i)), report.Difference(missedBy(list, i), missedBy(list, 0))
		f.Numbers.Add(name, s.n, mean.Mean, mean.Half, less.Mean, less.Half)
		f.Shown.Add(name, mean.String())
		means = append(means, mean)
	}
	top.Points([]draw.Series{whiskers(0, "", nil, means)})
	var leads, shares []float64
	for i := range list {
		leads = append(leads, tell(list[i].warnings[0]).leads...)
	}
	slices.Sort(leads)
	for i := range leads {
		shares = append(shares, float64(i+1)/float64(len(leads)))
	}
	bottom := &draw.Chart{Height: 170, GridY: true}
	bottom.X = draw.Axis{Label: "s from LOF's first naming to the first negative laxity", Max: slices.Max(append(leads, 1))}
	bottom.Y = draw.Axis{Label: "share of these laxities", Max: 1, Ticks: draw.Ticks(0, 1, .25)}
	bottom.Steps("", leads, shares, draw.Stroke{Color: draw.Vermilion})
	return f.Done(joinedClaims(list), "Missed deadlines under eleven policies, and the distribution of the time from LOF's first naming to the first negative laxity.", top, bottom)
}

// missedBy are the missed deadlines of a policy, in percent, by seed.
func missedBy(list []joint, policy int) []float64 {
	return report.Column(list, func(x *joint) float64 { return x.missed[policy] })
}

// A count sums the warnings of a seed up. Laxities that are negative in their first report leave no
// time for a warning, and count as lost alone.
type count struct {
	names, right int       // workers that LOF named, and those of them that were overloaded then
	slow, found  int       // workers that were overloaded, and those of them that LOF named
	turned, lost int       // overloaded workers whose laxity turned negative, and those where it was so at first
	others       int       // workers that were not overloaded and where it was so at first
	leads        []float64 // s from LOF's first naming to the first negative laxity, of those that turned
}

func tell(warnings map[[2]int32]*warning) (c count) {
	never := math.Inf(1)
	for _, w := range warnings {
		if w.lof < never {
			c.names++
			if w.right {
				c.right++
			}
		}
		if !w.slow {
			if w.lost {
				c.others++
			}
			continue
		}
		if c.slow++; w.lof < never {
			c.found++
		}
		switch {
		case w.lost:
			c.lost++
		case w.negative < never:
			if c.turned++; w.lof < w.negative {
				c.leads = append(c.leads, w.negative-w.lof)
			}
		}
	}
	return c
}

func joinedClaims(list []joint) []report.Claim {
	below := func(claim, policy, than, note string) report.Claim {
		at := func(name string) int {
			return slices.IndexFunc(joins, func(c contender) bool { return c.name == name })
		}
		x, y := missedBy(list, at(policy)), missedBy(list, at(than))
		d := report.Difference(x, y)
		model := fmt.Sprintf("%s%% against %s%%: %s percentage points", report.Short2(report.Mean(x)), report.Short2(report.Mean(y)), d)
		return report.Claim{Claim: claim, Published: "not measured", Model: model, Relation: "95% interval of the difference below 0", Note: note}.Below(d, 0)
	}
	var sum count
	var precision, recall, ahead, morePrecise, moreRecalled []float64 // by seed
	for i := range list {
		c, cpu := tell(list[i].warnings[0]), tell(list[i].warnings[1])
		sum.names, sum.right, sum.slow, sum.found = sum.names+c.names, sum.right+c.right, sum.slow+c.slow, sum.found+c.found
		sum.turned, sum.lost, sum.others, sum.leads = sum.turned+c.turned, sum.lost+c.lost, sum.others+c.others, append(sum.leads, c.leads...)
		share := func(part, of int) float64 { return float64(part) / float64(max(1, of)) }
		precision, recall, ahead = append(precision, share(c.right, c.names)), append(recall, share(c.found, c.slow)), append(ahead, share(len(c.leads), c.turned))
		morePrecise, moreRecalled = append(morePrecise, share(cpu.right, cpu.names)-precision[i]), append(moreRecalled, share(cpu.found, cpu.slow)-recall[i])
	}
	precise, recalled := report.Over(morePrecise), report.Over(moreRecalled)
	slices.Sort(sum.leads)
	most := "95% interval above .5"
	return []report.Claim{
		below("LLF misses fewer deadlines than FIFO", "LLF, k-NN", "FIFO", "with so few jobs at a time the order matters little"),
		below("estimates let LLF miss fewer than knowing nothing", "LLF, k-NN", "LLF, nothing known", "jobs of one kind differ little in what is left of them, and k-NN flattens the estimates of their partitions"),
		below("estimates learnt from the tasks that end let LLF miss fewer than knowing nothing", "LLF, learning", "LLF, nothing known", "what is learnt late in the run helps no job before"),
		below("and fewer than those from 60 earlier runs, which learn nothing in the run", "LLF, learning", "LLF, k-NN", "runs of before, without overload, tell more than the few runs so far"),
		below("cpu beside the laxities lets fewer be missed than laxities alone", "+ LOF with cpu", "+ LOF", "slow machines and busy ones, which laxities alone name too, keep their tasks"),
		below("taking queued tasks off overloaded workers lets fewer deadlines be missed", "+ LOF", "LLF, k-NN", "a queued task is seldom the last of its job to end: the slow tasks already run"),
		below("the paper's limit, LOF > 1, lets fewer be missed than a limit of 3", "+ LOF > 1", "+ LOF", "tasks that move for a false alarm gain nothing"),
		below("naming the outliers lets fewer be missed than naming every worker", "+ LOF", "+ all moves", "a task leaves only for a worker that ends it sooner: this test saves the deadlines, and LOF only saves moves"),
		below("killing running tasks on overloaded workers, to start them elsewhere, lets fewer be missed", "+ LOF, kills", "+ LOF", "the work of a killed attempt is lost, and the other worker has tasks of its own"),
		below("DP lets fewer be missed than hashing", "+ DP", "LLF, k-NN", "estimates do not know the largest partitions"),
		below("DynamicShare, DP and LOF > 1, lets fewer be missed than DP alone", "DynamicShare", "+ DP", "the misses that remain under DP are not due to overloaded workers"),
		below("DynamicShare lets fewer be missed than LOF > 1 alone", "DynamicShare", "+ LOF > 1", "tasks that leave for faster workers already even the partitions out"),
		report.Claim{Claim: "precision: workers that LOF names are overloaded", Published: "such nodes are marked as overloaded", Model: fmt.Sprintf("%d of %d names; by seed %s", sum.right, sum.names, report.Over(precision)), Relation: most,
			Note: "workers differ in speed and in queue: those with the least laxity of a job are as a rule slow machines, or busy ones"}.Above(report.Over(precision), .5),
		report.Claim{Claim: "recall: LOF names the overloaded workers", Published: "identified early on", Model: fmt.Sprintf("%d of %d; by seed %s", sum.found, sum.slow, report.Over(recall)), Relation: most,
			Note: "on slow machines and behind long queues laxities differ more than by the overload of one worker"}.Above(report.Over(recall), .5),
		report.Claim{Claim: "with cpu beside the laxities the precision is higher", Published: "used by the anomaly detection algorithm", Model: "higher by " + precise.String(), Relation: "95% interval of the difference above 0", Note: "the usual load by others looks like overload"}.Above(precise, 0),
		report.Claim{Claim: "and so is the recall", Published: "used by the anomaly detection algorithm", Model: "higher by " + recalled.String(), Relation: "95% interval of the difference above 0", Note: "workers whose laxity alone stands out are missed in the plane"}.Above(recalled, 0),
		report.Claim{Claim: "LOF names an overloaded worker before the laxity of the job there turns negative", Published: "proactively",
			Model:    fmt.Sprintf("before %d of %d that turn, in the median by %s s; by seed %s; %d more, and %d of workers that are not overloaded, are negative in their first report", len(sum.leads), sum.turned, report.Short2(report.Quantile(sum.leads, .5)), report.Over(ahead), sum.lost, sum.others),
			Relation: most + " of those that turn", Note: "towards its end a job has tasks on fewer than 7 workers, and there LOF compares nothing"}.Above(report.Over(ahead), .5),
	}
}
