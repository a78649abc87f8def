package hfsp

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
	"gonum.org/v1/gonum/stat/distuv"
)

// pigMixGiB are the sizes of the four datasets.
var pigMixGiB = [4]float64{1, 10, 40, 100}

// pigMix makes workloads like the SMALL and LARGE ones of HFSP's experiments: jobs arrive as a
// Poisson process, each picks one of four datasets at random and, uniformly, one of 17 queries.
// The paper's Table I has:
//
//	dataset   map tasks   SMALL   LARGE
//	1 GB      < 5          65%      0%
//	10 GB     10 - 50      20%     10%
//	40 GB     50 - 150     10%     60%
//	100 GB    > 150         5%     30%
//	mean gap               30 s   120 s
//
// A query reads a fixed fraction of whatever dataset it meets; pigMixQuery says how its tasks
// follow from that, taskTimes how long they take. A GB is 2^30 bytes and a block 128 * 2^20, so the
// datasets have 8, 80, 320 and 800 blocks, and the fractions of the 17 queries, .19 to .46, put all
// of them into the table's bins: 2-4, 16-37, 61-148 and 152-368 maps.
//
// The shapes are chosen here; a setting says how many reduces there are and how long tasks take.
type pigMix struct {
	shares        [4]float64    // how often 1, 10, 40 and 100 GB are picked, relative to their sum
	gap           float64       // mean seconds between arrivals
	queries       []pigMixQuery // picked uniformly
	maps, reduces taskTimes     // of map tasks, of reduce tasks
}

// pigMixJob says what a job is made of.
type pigMixJob struct {
	dataset int // 0 to 3: 1, 10, 40, 100 GB
	query   int // index into the queries
}

// smallMix is the workload SMALL of Table I: mostly jobs of a few tasks, every 30 s.
func smallMix() pigMix {
	return pigMix{[4]float64{65, 20, 10, 5}, 30, pigMixQueries[:], ordinary(), ordinary()}
}

// largeMix is the workload LARGE of Table I: mostly jobs of more than 50 maps, every 120 s.
func largeMix() pigMix {
	return pigMix{[4]float64{0, 10, 60, 30}, 120, pigMixQueries[:], ordinary(), ordinary()}
}

// jobs returns n jobs in the order of arrival, and what each is made of. They have all bytes set,
// Slowstart .95, user 0 (the paper has a single pool) and no replicas.
//
// Three streams of the seed and replication are used: Arrivals, one number a job; JobSizes, two a
// job, for dataset and query; and Tasks, four a job, which seed a generator for its maps and one
// for its reduces. So another gap changes arrivals alone, other shares leave arrivals as well as
// each job's query, other times of reduces leave maps alone, and the first n of more jobs are the
// n.
func (p pigMix) jobs(n int, seed, replication uint64) ([]slotmodel.JobSpec, []pigMixJob, error) {
	arrivals, err := workload.Poisson(nil, n, 1/p.gap, workload.Stream(seed, workload.Arrivals, replication))
	if err != nil {
		return nil, nil, err
	}
	sizes, tasks := workload.Stream(seed, workload.JobSizes, replication), workload.Stream(seed, workload.Tasks, replication)
	jobs, made := make([]slotmodel.JobSpec, n), make([]pigMixJob, n)
	for i := range jobs {
		m := pigMixJob{dataset: p.dataset(sizes), query: below(sizes, len(p.queries))}
		maps, reduces := rand.NewPCG(tasks.Uint64(), tasks.Uint64()), rand.NewPCG(tasks.Uint64(), tasks.Uint64())
		q := &p.queries[m.query]
		s := q.job(pigMixGiB[m.dataset])
		s.Arrival = arrivals[i]
		s.Maps.Works = p.maps.draw(s.Maps.Tasks, q.MapTime, maps)
		s.Reduces.Works = p.reduces.draw(s.Reduces.Tasks, q.ReduceTime, reduces)
		jobs[i], made[i] = s, m
	}
	return jobs, made, nil
}

func (p pigMix) sum() float64 { return p.shares[0] + p.shares[1] + p.shares[2] + p.shares[3] }

// dataset picks one from one number of src.
func (p pigMix) dataset(src rand.Source) int {
	x, d := uniform(src)*p.sum(), 0
	for i, share := range p.shares {
		if share > 0 {
			d = i // the last possible one takes what rounding leaves
			if x -= share; x < 0 {
				break
			}
		}
	}
	return d
}

// uniform draws the middle of one of 2^52 equal parts of (0, 1) from one Uint64.
func uniform(src rand.Source) float64 { return (float64(src.Uint64()>>12) + 0.5) / (1 << 52) }

// below draws one of 0..n-1 from one Uint64.
func below(src rand.Source, n int) int {
	hi, _ := bits.Mul64(src.Uint64(), uint64(n))
	return int(hi)
}

// gib is what the experiments take for a GB of data.
const gib = 1 << 30

// blockBytes is HDFS's block, 128 MB: what one map reads.
const blockBytes = 128 << 20

// pigMixQuery is the shape of one query, in proportion to the dataset that it meets, of D bytes. A
// query is one MapReduce job:
//
//	input bytes   = Fraction * D             maps    = ceil(input / 128 MiB), at least 1
//	shuffle bytes = Shuffle * input          reduces = ceil(PerGiB * input / 1 GiB), 0 if PerGiB is 0
//	output bytes  = Output * input
type pigMixQuery struct {
	Name       string
	Fraction   float64 // of the dataset that is read, in (0, 1]
	MapTime    float64 // how long its maps take, relative to other queries, > 0
	PerGiB     float64 // reduces per GiB of input, >= 0; 0: a query without reduce phase
	ReduceTime float64 // how long its reduces take, relative to other queries, > 0
	Shuffle    float64 // bytes sent to reduces per byte read, >= 0; 0 without reduce phase
	Output     float64 // bytes written per byte read, >= 0
}

// pigMixQueries has what the benchmark's scripts L1 to L17 do to the big table; how much, and how
// long it takes, is a guess of a plausible size. About one reduce per GiB of input is what Pig
// takes when a script does not say.
var pigMixQueries = [17]pigMixQuery{
	{"L1", 0.30, 1.0, 1.0, 0.8, 0.10, 0.01},   // flatten, group
	{"L2", 0.24, 1.3, 0, 1, 0, 0.02},          // join with a small table in the maps
	{"L3", 0.36, 1.2, 1.2, 1.3, 0.30, 0.03},   // join, group
	{"L4", 0.27, 0.9, 0.8, 0.9, 0.12, 0.01},   // group, distinct inside groups
	{"L5", 0.33, 0.8, 0.8, 0.8, 0.15, 0.01},   // anti-join
	{"L6", 0.40, 1.1, 1.2, 1.2, 0.35, 0.20},   // group by many keys
	{"L7", 0.25, 0.8, 0.6, 0.7, 0.12, 0.01},   // group, filter inside groups
	{"L8", 0.28, 0.7, 0.01, 0.6, 0.005, 1e-6}, // group all: one reduce
	{"L9", 0.46, 0.9, 1.4, 1.5, 1.00, 1.00},   // order by one column
	{"L10", 0.45, 1.0, 1.4, 1.6, 1.00, 1.00},  // order by three columns
	{"L11", 0.38, 1.2, 0.5, 0.9, 0.06, 0.02},  // distinct, union
	{"L12", 0.43, 1.4, 1.0, 1.1, 0.40, 0.15},  // several outputs
	{"L13", 0.35, 1.0, 1.0, 1.2, 0.25, 0.10},  // outer join
	{"L14", 0.22, 1.1, 0, 1, 0, 0.05},         // merge join in the maps
	{"L15", 0.31, 1.3, 0.8, 1.0, 0.18, 0.01},  // several distincts
	{"L16", 0.19, 0.7, 0.6, 0.7, 0.10, 0.01},  // group, order inside groups
	{"L17", 0.42, 1.6, 1.5, 1.7, 1.10, 0.60},  // group by all columns of a wide table
}

// job is the query on a dataset of so many GiB, without times.
func (q *pigMixQuery) job(size float64) slotmodel.JobSpec {
	in := q.Fraction * size * gib
	return slotmodel.JobSpec{
		Maps:      slotmodel.Phase{Tasks: int(max(1, math.Ceil(in/blockBytes)))},
		Reduces:   slotmodel.Phase{Tasks: int(math.Ceil(q.PerGiB * in / gib))},
		Slowstart: workload.Slowstart,
		Input:     in,
		Shuffle:   q.Shuffle * in,
		Output:    q.Output * in,
	}
}

// taskTimes is the law of the task times of one kind, maps or reduces, in a PigMix workload. A task
// of a query with the time factor F takes Median * F * exp(Spread * Z) s where nothing else runs, Z
// standard normal, for each task.
type taskTimes struct {
	Median float64 // seconds, > 0
	Spread float64 // standard deviation of the logarithm, >= 0
}

// ordinary are the times of both kinds, of which a setting changes the Median. The paper publishes
// none. No tasks are long by themselves: Figure 4 has the times that tasks took in all experiments,
// those of LARGE under load among them, and how long reduces waited for maps.
func ordinary() taskTimes { return taskTimes{Median: 15, Spread: 0.4} }

// draw returns the times of so many tasks, from one number of src each.
func (t *taskTimes) draw(tasks int, factor float64, src rand.Source) []float64 {
	works := make([]float64, tasks)
	for i := range works {
		works[i] = t.Median * factor * math.Exp(t.Spread*distuv.UnitNormal.Quantile(uniform(src)))
	}
	return works
}
