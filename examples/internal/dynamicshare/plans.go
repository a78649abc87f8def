package dynamicshare

import (
	"errors"
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/partition"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// A layout is how the keys of a job are divided among its reduces. Deciding so takes a time; those
// with mostPartitions are the paper's, and the others are in proportion.
type layout struct {
	name       string
	partitions int
	rows       int     // hash functions, of which the best is taken
	deciding   float64 // s; 0: partition i goes to reduce i, and there is nothing to decide
}

var layouts = []layout{
	{"hashing, 23", reduces, 1, 0},
	{"DP, 23", reduces, 1, .08 * reduces / mostPartitions},
	{"DP, 45", mostPartitions, 1, .08},
	{"DP, 45, sketches", mostPartitions, sketchRows, .2},
}

// Policies of the figure plans: every job has one of the layouts, or each its own.
const (
	hashFew = iota
	dpFew
	dpMany
	dpBest
	asSoon    // dpBest if the decision took no longer than dpMany's
	predicted // for each job the layout of DP that is expected to end first, deciding included
	planners
)

var plannerNames = [planners]string{layouts[0].name, layouts[1].name, layouts[2].name, layouts[3].name, "the same, decided as soon", "chosen for each job"}

const populations = 2 // sets of keys of a seed, of which each job has one

// laid is a job in one layout.
type laid struct {
	layout
	values []float64 // of each partition
	end    float64   // s from its last map to its end on idle machines, deciding included
}

// lay divides the keys of a job that is size times the usual one, by exact times.
func (l layout) lay(sketch *partition.Sketch, j *job, size float64, nodes []slotmodel.NodeSpec) (laid, error) {
	o := partition.Options{}
	if l.deciding == 0 {
		o.Method = partition.Hash
	}
	row, plan, err := partition.AssignSketch(len(nodes), sketch, func(i int, total float64) float64 { return j.seconds(size*total, 1) / nodes[i].Speed }, o)
	values, worse := sketch.Row(nil, row)
	for i := range values {
		values[i] *= size
	}
	return laid{l, values, plan.Makespan + l.deciding}, errors.Join(err, worse)
}

// planned is, by policy, the mean time from the last map of a job to its end, ms, and the missed
// deadlines, %.
type planned struct{ phase, missed [planners]float64 }

// plannedJobs is that of each kind of jobs by seed.
type plannedJobs [2][]planned

// plan runs the jobs of a batch, each in its layout, under policy k.
func (x *planned) plan(k int, b *batch, j *job, jobs []laid) error {
	specs := slices.Clone(b.specs)
	for i, l := range jobs {
		specs[i].Reduces = slotmodel.Phase{Tasks: l.partitions}
		for _, values := range l.values { // together they start as often as there are reduces
			specs[i].Reduces.Works = append(specs[i].Reduces.Works, j.start*reduces/float64(l.partitions)+values/j.rate)
		}
	}
	q := &queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining}
	plan := &queues.ReducePlan{
		Queues: q,
		Size: func(v *slotmodel.View, t slotmodel.Task) float64 {
			i, _, p := v.Index(t)
			return jobs[i].values[p]
		},
		Cost: func(v *slotmodel.View, _ slotmodel.Job, n slotmodel.Node, total float64) float64 {
			return j.seconds(total, 1) / v.Speed(n)
		},
	}
	q.Bind = func(v *slotmodel.View, t slotmodel.Task) slotmodel.Node {
		if i, kind, _ := v.Index(t); kind == slotmodel.Map || jobs[i].deciding == 0 {
			return hashed(v, t)
		}
		return plan.Bind(v, t)
	}
	p := &decided{Policy: q, seconds: func(i slotmodel.Job) float64 { return jobs[i].deciding }}
	result, err := slotmodel.Run(b.cluster, specs, p, slotmodel.Options{})
	if err != nil {
		return err
	}
	for i, r := range result.Jobs {
		x.phase[k] += 1000 * (r.Finish - r.MapEnd) / float64(len(specs))
		if r.Finish > specs[i].Deadline {
			x.missed[k] += 100 / float64(len(specs))
		}
	}
	return nil
}

// decided are queues that the reduces of a job enter some seconds after its last map has ended: a
// plan for them is made in the meantime.
type decided struct {
	*queues.Policy
	seconds func(j slotmodel.Job) float64
	waiting []slotmodel.Event // ends of maps that the queues are told of at Time
	asked   int               // how many of them Decide has asked to be called for
}

// BeginRun forgets the previous run.
func (p *decided) BeginRun(v *slotmodel.View) {
	p.waiting, p.asked = nil, 0
	p.Policy.BeginRun(v)
}

// Observe holds back that the maps of a job have ended.
func (p *decided) Observe(v *slotmodel.View, e slotmodel.Event) {
	if e.Type != slotmodel.MapsEnded || p.seconds(e.Job) == 0 {
		p.Policy.Observe(v, e)
		return
	}
	e.Time += p.seconds(e.Job)
	p.waiting = append(p.waiting, e)
}

// Decide tells of the maps for whose job the plan is made.
func (p *decided) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	for ; p.asked < len(p.waiting); p.asked++ {
		if at := p.waiting[p.asked].Time; at > v.Now() {
			a.Wake(at)
		}
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(e slotmodel.Event) bool {
		if e.Time <= v.Now() {
			p.Policy.Observe(v, e)
		}
		return e.Time <= v.Now()
	})
	p.asked = len(p.waiting)
	p.Policy.Decide(v, a)
}

// planJobs runs jobs of one kind under each policy.
func (s *study) planJobs(j *job, repetition int) (x planned, err error) {
	p, err := newPlant(s.Seed, repetition, steepest, nil)
	if err != nil {
		return x, err
	}
	p.sizes[j] = make([]float64, reduces) // the reduces are laid out below
	var sketches [populations][dpBest + 1]*partition.Sketch
	for i := range sketches {
		set, err := newKeySet(j, stream(s.Seed, repetition<<1|i, layoutStream))
		if err != nil {
			return x, err
		}
		keys := set.population(steepest)
		for l := range layouts {
			if sketches[i][l], err = keys.sketch(layouts[l].rows, layouts[l].partitions); err != nil {
				return x, err
			}
		}
	}
	b, r := p.submit(s.inStream()/2, 2*j.alone(), []*job{j}, 1), stream(s.Seed, repetition, choiceStream)
	var of [planners][]laid
	for i := range b.specs {
		keys, best, list := r.IntN(populations), dpFew, make([]laid, planners)
		for l, layout := range layouts {
			if list[l], err = layout.lay(sketches[keys][l], j, b.each[i]/j.medianValues(), p.nodes[maps:]); err != nil {
				return x, err
			}
			if l > dpFew && list[l].end < list[best].end {
				best = l
			}
		}
		list[asSoon], list[predicted] = list[dpBest], list[best]
		list[asSoon].deciding = layouts[dpMany].deciding
		for k := range of {
			of[k] = append(of[k], list[k])
		}
	}
	for k := range of {
		err = errors.Join(err, x.plan(k, b, j, of[k]))
	}
	return x, err
}

func (s *study) figurePlans() (report.Figure, error) {
	f := report.NewFigure("More partitions than reduces, and sketches, in the scheduler",
		fmt.Sprintf("Mean time from a job's last map to its end, the decision included: %v ms for DP with %d partitions and %v ms with sketches of %d hash functions, as published; %.0f ms with %d. %d jobs of one kind a seed, %s, log-normal sizes, σ 1, %d%% skewness, by LLF with known times. "+
			"The partitions of a job on a worker are one reduce. Chosen for each job is the layout of DP that is predicted to end first on idle machines, the decision included.", 1000*layouts[dpMany].deciding, mostPartitions, 1000*layouts[dpBest].deciding, sketchRows, 1000*layouts[dpFew].deciding, reduces, s.inStream()/2, report.Count(s.n, "repetition"), steepest),
		"jobs", "policy", "repetitions", "reduce_phase_s", "reduce_phase_ci95", "missed_percent", "missed_ci95")
	f.Shown.Columns = []string{"jobs", "policy", "last map to end, ms", "missed, %"}
	var all plannedJobs
	var charts []*draw.Chart
	for kind, j := range jobs {
		var err error
		if all[kind], err = report.Each(s.terminal, "dynamicshare: plans", s.n, func(i int) (planned, error) { return s.planJobs(j, i) }); err != nil {
			return f, err
		}
		var list []report.Interval // against dpFew
		for k, name := range plannerNames {
			phase, missed := report.Across(all[kind], func(x *planned) float64 { return x.phase[k] }), report.Across(all[kind], func(x *planned) float64 { return x.missed[k] })
			f.Numbers.Add(j.name, name, s.n, phase.Mean/1000, phase.Half/1000, missed.Mean, missed.Half)
			f.Shown.Add(j.name, name, phase.String(), missed.String())
			if k > dpFew {
				list = append(list, all.less(kind, k, dpFew))
			}
		}
		c := &draw.Chart{Height: 150, GridX: true, X: draw.Axis{Label: j.name + ": difference to " + plannerNames[dpFew] + " (ms)"}, Y: draw.Categories("", plannerNames[dpMany:]...)}
		c.Points([]draw.Series{whiskers(0, "", nil, list)}, 0)
		c.Line("", []float64{0, 0}, []float64{c.Y.Min, c.Y.Max}, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 1})
		charts = append(charts, c)
	}
	return f.Done(all.claims(), "Differences of the times from the last map to the end under four policies to those with 23 partitions, for two kinds of jobs.", charts...)
}

// less is by how many ms the times of one policy exceed those of another.
func (all plannedJobs) less(kind, a, b int) report.Interval {
	return report.Across(all[kind], func(x *planned) float64 { return x.phase[a] - x.phase[b] })
}

func (all plannedJobs) claims() []report.Claim {
	claim := func(claim, published, note string, kind report.Kind, i report.Interval) report.Claim {
		return report.Claim{Claim: claim, Published: published, Model: i.String() + " ms", Relation: "95% interval of the difference of the times from the last map to the end below 0", Note: note, Kind: kind}.Below(i, 0)
	}
	each := func(c report.Claim, policy int, than ...int) report.Claim {
		var list []report.Interval
		for kind := range jobs {
			for _, k := range than {
				list = append(list, all.less(kind, policy, k))
			}
		}
		c.Kind, c.Relation = report.Beyond, "95% interval of each difference of the times from the last map to the end below 0, Twitter's first"
		c.Model = report.Words(list, "; ", report.Interval.String) + " ms"
		return every(c, list, 0, report.Claim.Below)
	}
	return []report.Claim{
		claim("in the scheduler sketches are worth the time of deciding for Twitter", "the extra overhead is negligible", "sketches gain about the 120 ms that deciding by them takes longer", report.Measured, all.less(onTwitter, dpBest, dpMany)),
		claim("for YouTube no sketches are preferable", "preferable", "waiting for a busy worker hides the time of deciding", report.Measured, all.less(onYouTube, dpMany, dpBest)),
		claim("decided as soon as without, sketches would be worth it for YouTube", "not said", "the heaviest key is in some partition under every hash function", report.Beyond, all.less(onYouTube, asSoon, dpMany)),
		each(report.Claim{Claim: "more partitions than reduces are worth the time of deciding", Published: "more partitions", Note: "the heaviest key is in one partition of either number; for short jobs the rest gains about what deciding costs"}, dpMany, dpFew),
		each(report.Claim{Claim: "partitions and sketches chosen for each job are better than 23, than 45 and than sketches for all jobs", Published: "future work", Note: "predictions leave the queues out"}, predicted, dpFew, dpMany, dpBest),
	}
}
