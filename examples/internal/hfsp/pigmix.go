package hfsp

import (
	"math/bits"
	"math/rand/v2"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
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
// The paper publishes neither the queries' shapes nor their times, only Table I, the gaps, the
// hardware and Figure 4. The shapes are chosen here; a setting says how many reduces there are and how
// long tasks take.
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
