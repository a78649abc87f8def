package dynamicshare

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/estimate/nearest"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/partition"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// Settings of the slot model. A map takes as long as a reduce of the mean size.
const (
	strictShare = .7 // of the jobs
	rehearsals  = 60 // earlier runs on each worker, from which times are estimated
)

// A plant is the paper's cluster for one seed: the first machines have a slot for maps each, the
// others a slot for reduces.
type plant struct {
	nodes []slotmodel.NodeSpec
	times map[*job]partition.Cost // estimated time of values on a machine
	sizes map[*job][]float64      // values of the partitions of simple hashing
	r     *rand.Rand
	shown *rand.Rand // of what monitors show
}

func newPlant(seed uint64, repetition int, skewness float64, list []*job) (*plant, error) {
	p := &plant{times: map[*job]partition.Cost{}, sizes: map[*job][]float64{}, r: report.Stream(seed, repetition, arrivalStream), shown: report.Stream(seed, repetition, monitorStream)}
	pace := append(speeds(maps, fastest, report.Stream(seed, repetition, overloadStream)), speeds(reduces, fastest, report.Stream(seed, repetition, speedStream))...)
	for n, v := range pace {
		p.nodes = append(p.nodes, slotmodel.NodeSpec{Speed: v, Maps: 1})
		if n >= maps {
			p.nodes[n] = slotmodel.NodeSpec{Speed: v, Reduces: 1}
		}
	}
	past := report.Stream(seed, repetition, runStream)
	for i, j := range list {
		var err error
		if p.times[j], err = j.rehearsed(pace, past); err != nil {
			return nil, err
		}
		p.sizes[j] = newKeySet(j, report.Stream(seed, repetition, keyStream+i)).population(skewness).sizes()
	}
	return p, nil
}

// rehearsed is the time of values on each machine, estimated by k-NN from earlier runs there up to
// three times the median size. Beyond, it grows in proportion.
func (j *job) rehearsed(pace []float64, r *rand.Rand) (partition.Cost, error) {
	fit, err := nearest.Fit(asPrinted)
	if err != nil {
		return nil, err
	}
	history, err := estimate.NewRequirements(estimate.RequirementOptions[string]{Fit: fit})
	if err != nil {
		return nil, err
	}
	for n, v := range pace {
		for range rehearsals {
			if err := history.Add(estimate.Task[string]{Worker: n}, j.run(v, r)); err != nil {
				return nil, err
			}
		}
	}
	return partition.Predicted(len(pace), steps(3*j.medianValues(), 30), func(n int, total float64) float64 {
		q, err := history.Estimate(estimate.Task[string]{Worker: n}, []float64{total})
		if err != nil {
			return math.NaN()
		}
		return q.Time.Value
	})
}

// A batch is some jobs with what the scheduler may know of their tasks.
type batch struct {
	plant   *plant
	cluster *slotmodel.Cluster
	specs   []slotmodel.JobSpec
	of      []*job
	each    []float64        // values of each map of a job
	values  [][]float64      // of each reduce of a job
	runs    map[*job]float64 // mean over the reduce workers of the time of a reduce of the mean size
}

// submit makes jobs of the kinds given, with exponential gaps. Their sizes are multiples of the
// usual one, log-normal with this σ.
func (p *plant) submit(n int, gap float64, list []*job, spread float64) *batch {
	b := &batch{plant: p, cluster: &slotmodel.Cluster{Nodes: p.nodes}, runs: map[*job]float64{}}
	for _, j := range list {
		for _, node := range p.nodes[maps:] {
			b.runs[j] += j.seconds(j.medianValues(), node.Speed) / reduces
		}
	}
	work := func(j *job, values float64) float64 {
		return j.seconds(values, 1) * (1 + load*p.r.ExpFloat64()) * math.Exp(timeSpread*p.r.NormFloat64())
	}
	at := 0.0
	for range n {
		j := list[p.r.IntN(len(list))]
		within := j.strict
		if p.r.Float64() >= strictShare {
			within = j.relaxed
		}
		size := 1.
		if spread > 0 {
			size = math.Exp(spread * p.r.NormFloat64())
		}
		each := size * j.medianValues()
		s := slotmodel.JobSpec{Arrival: at, Deadline: at + within, Slowstart: 1, Maps: slotmodel.Phase{Tasks: maps}, Reduces: slotmodel.Phase{Tasks: reduces}}
		for range maps {
			s.Maps.Works = append(s.Maps.Works, work(j, each))
		}
		values := make([]float64, reduces)
		for i, k := range p.r.Perm(reduces) { // the keys of each job meet the hash function anew
			values[i] = size * p.sizes[j][k]
			s.Reduces.Works = append(s.Reduces.Works, work(j, values[i]))
		}
		b.specs, b.of, b.each, b.values = append(b.specs, s), append(b.of, j), append(b.each, each), append(b.values, values)
		at += gap * p.r.ExpFloat64()
	}
	return b
}

// alone is how long a job takes on the idle cluster when nothing is random: its slowest map and its
// slowest reduce of the mean size.
func (j *job) alone() float64 { return 2 * j.seconds(j.medianValues(), 1) }

// hashed binds map i to worker i and reduce i to the i-th worker for reduces, as key mod R does.
func hashed(v *slotmodel.View, t slotmodel.Task) slotmodel.Node {
	_, k, i := v.Index(t)
	return slotmodel.Node(int(k)*maps + i)
}

// expected is the estimated time of a task on a worker. For no worker it is the mean over the
// workers for reduces.
func (b *batch) expected(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node) float64 {
	j, k, i := v.Index(t)
	if n == slotmodel.None {
		return b.runs[b.of[j]] * b.input(j, k, i) / b.of[j].medianValues()
	}
	return b.plant.times[b.of[j]](int(n), b.input(j, k, i))
}

// input is how many values a task processes.
func (b *batch) input(j slotmodel.Job, k slotmodel.Kind, i int) float64 {
	if k == slotmodel.Map {
		return b.each[j]
	}
	return b.values[j][i]
}

// missed runs the jobs under a policy and returns how many miss their deadlines.
func (b *batch) missed(p slotmodel.Policy) (int, error) {
	result, err := slotmodel.Run(b.cluster, b.specs, p, slotmodel.Options{})
	if err != nil {
		return 0, err
	}
	n := 0
	for j, x := range result.Jobs {
		if x.Outcome != slotmodel.Finished || x.Finish > b.specs[j].Deadline {
			n++
		}
	}
	return n, nil
}

// A contender is a policy for a batch.
type contender struct {
	name string
	make func(b *batch) slotmodel.Policy
}

// inQueues makes the policy of queues of hashed tasks, ordered with the remaining times given.
func inQueues(q queues.Policy, remaining func(b *batch) queues.Remaining) func(b *batch) slotmodel.Policy {
	return func(b *batch) slotmodel.Policy {
		made := q
		made.Bind, made.Remaining = hashed, remaining(b)
		return &made
	}
}

func unknown(*batch) queues.Remaining     { return nil }
func byNearest(b *batch) queues.Remaining { return queues.ByProgress(b.expected) }

// byWork takes what is left of the estimated time of a hashed task from the work that is done.
func byWork(b *batch) queues.Remaining {
	return func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64 {
		j, k, i := v.Index(t)
		return b.plant.times[b.of[j]](int(k)*maps+i, b.input(j, k, i)) * (1 - v.Attempt(x).Progress)
	}
}

var contenders = [...]contender{
	{"FIFO", inQueues(queues.Policy{Order: queues.FIFO}, unknown)},
	{"FAIR", inQueues(queues.Policy{Order: queues.Fair}, unknown)},
	{"EDF", inQueues(queues.Policy{Order: queues.EDF}, unknown)},
	{"LLF", inQueues(queues.Policy{Order: queues.LLF}, byNearest)},
	{"EDF, late jobs last", inQueues(queues.Policy{Order: queues.EDFDemoted}, byNearest)},
	{"LLF, one laxity a job", inQueues(queues.Policy{Order: queues.JobLLF}, byWork)},
	{"LLF, preempting", inQueues(queues.Policy{Order: queues.JobLLFPreempting}, byWork)},
	{"LLF, queues counted", inQueues(queues.Policy{Order: queues.LLFAhead}, byNearest)},
	{"FAIR by turns", inQueues(queues.Policy{Order: queues.Turns}, unknown)},
}

const (
	fifoQueue = iota
	fairQueue
	edfQueue
	llfQueue
	edfLateQueue
	llfJobQueue
	llfPreemptQueue
	llfAheadQueue
	turnsQueue
)
