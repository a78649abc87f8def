package workload

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/schedmath/schedmath/slotmodel"
)

// Slowstart is the fraction of a job's maps that must have ended before its reduces may start, in HFSP's experiments and in every
// job that this package makes.
const Slowstart = 0.95

// gib is what this package takes for a GB of data.
const gib = 1 << 30

// blockBytes is HDFS's block in HFSP's experiments, 128 MB: what one map reads.
const blockBytes = 128 << 20

// pigMixGiB are the sizes of the four datasets.
var pigMixGiB = [4]float64{1, 10, 40, 100}

// PigMix makes workloads like the SMALL and LARGE ones of HFSP's experiments: jobs arrive as a Poisson process, each picks one of
// four datasets at random and, uniformly, one of 17 queries. The zero value is SMALL; SmallPigMix and LargePigMix are those of
// the paper's Table I:
//
//	dataset   map tasks   SMALL   LARGE
//	1 GB      < 5          65%      0%
//	10 GB     10 - 50      20%     10%
//	40 GB     50 - 150     10%     60%
//	100 GB    > 150         5%     30%
//	mean gap               30 s   120 s
//
// A query reads a fixed fraction of whatever dataset it meets; PigMixQuery says how its tasks follow from that, TaskTimes how
// long they take. A GB is 2^30 bytes and a block 128 * 2^20, so the datasets have 8, 80, 320 and 800 blocks, and the fractions of
// the 17 queries, .19 to .46, put all of them into the table's bins: 2-4, 16-37, 61-148 and 152-368 maps.
//
// The paper publishes neither the queries' shapes nor their times, only Table I, the gaps, the hardware and Figure 4. The shapes are
// this package's choice; MapTimes says which published facts the times were chosen after. On the paper's 72 map and 36 reduce slots the defaults
// offer a load, in the long run and before any transfer, of
//
//	        maps   reduces
//	SMALL    .96    .48
//	LARGE   1.18    .61
//
// which Load computes: LARGE is more than the map slots can do while jobs arrive. The paper has no load; its 16.8 jobs on average
// under FAIR, of 100 that come every 120 s, say that there was too much of it. A sample of 100 jobs varies widely: see OfferedLoad.
type PigMix struct {
	Shares  [4]float64    // how often 1, 10, 40 and 100 GB are picked, relative to their sum; all 0: SMALL's
	Gap     float64       // mean seconds between arrivals; 0: 30
	Queries []PigMixQuery // picked uniformly; nil: PigMixQueries
	Map     TaskTimes     // of map tasks; zero: MapTimes
	Reduce  TaskTimes     // of reduce tasks; zero: ReduceTimes
}

// PigMixJob says what a job of a PigMix workload is made of.
type PigMixJob struct {
	Dataset int // 0 to 3: 1, 10, 40, 100 GB
	Query   int // index into the queries
}

// SmallPigMix is the workload SMALL of HFSP's Table I: mostly jobs of a few tasks, every 30 s.
func SmallPigMix() PigMix { return PigMix{Shares: [4]float64{65, 20, 10, 5}, Gap: 30} }

// LargePigMix is the workload LARGE of HFSP's Table I: mostly jobs of more than 50 maps, every 120 s.
func LargePigMix() PigMix { return PigMix{Shares: [4]float64{0, 10, 60, 30}, Gap: 120} }

// Jobs returns n jobs in the order of arrival, and what each is made of; the paper's experiments have 100. They have all bytes set,
// Slowstart .95, user 0 (the paper has a single pool) and no replicas: see Placer.
//
// Three streams of the seed and replication are used: Arrivals, one number a job; JobSizes, two a job, for dataset and query;
// and Tasks, four a job, which seed a generator for its maps and one for its reduces. So another gap changes arrivals alone, other
// shares leave arrivals as well as each job's query, other times of reduces leave maps alone, and the first n of more jobs
// are the n.
//
// The cost is O(n + tasks), the memory 8 bytes a task. An n outside 0..2^27 or with which the jobs could have more than 2^27 tasks, and a
// field of p that is out of its range, are *schedmath.InputErrors.
func (p PigMix) Jobs(n int, seed, replication uint64) ([]slotmodel.JobSpec, []PigMixJob, error) {
	g := guard{fn: "PigMix.Jobs"}
	p = p.defaults()
	p.check(&g)
	g.count("n", n, 0)
	if most := p.mostTasks(); g.err == nil && float64(n)*most > maxDraws {
		g.arg("n", strconv.Itoa(n)+" jobs of up to "+text(most)+" tasks, want at most "+strconv.Itoa(maxDraws)+" tasks")
	}
	if g.err != nil {
		return nil, nil, g.err
	}
	arrivals, sizes, tasks := Stream(seed, Arrivals, replication), Stream(seed, JobSizes, replication), Stream(seed, Tasks, replication)
	jobs, made := make([]slotmodel.JobSpec, n), make([]PigMixJob, n)
	t := 0.0
	for i := range jobs {
		t += float64(p.Gap * standardExponential(arrivals))
		m := PigMixJob{Dataset: p.dataset(sizes), Query: below(sizes, len(p.Queries))}
		maps, reduces := rand.NewPCG(tasks.Uint64(), tasks.Uint64()), rand.NewPCG(tasks.Uint64(), tasks.Uint64())
		s := p.Queries[m.Query].job(pigMixGiB[m.Dataset])
		s.Arrival = t
		s.Maps.Works = p.Map.draw(s.Maps, pigMixGiB[m.Dataset], p.Queries[m.Query].MapTime, maps)
		s.Reduces.Works = p.Reduce.draw(s.Reduces, pigMixGiB[m.Dataset], p.Queries[m.Query].ReduceTime, reduces)
		s.Maps.Work, s.Reduces.Work = 0, 0
		jobs[i], made[i] = s, m
	}
	return jobs, made, nil
}

// Load returns the work that the workload offers per second and slot in the long run, for maps and reduces:
//
//	sum over datasets d of share(d) * mean over queries of tasks * mean task time / (Gap * slots)
//
// From 1 on a cluster of so many slots of speed 1 cannot keep up. Slots below 1 and a field of p out of its range are
// *schedmath.InputErrors.
func (p PigMix) Load(mapSlots, reduceSlots int) (maps, reduces float64, err error) {
	g := guard{fn: "PigMix.Load"}
	g.slots(mapSlots, reduceSlots)
	p = p.defaults()
	p.check(&g)
	if g.err != nil {
		return 0, 0, g.err
	}
	all := p.sum()
	for d, share := range p.Shares {
		for i := range p.Queries {
			q := &p.Queries[i]
			job := q.job(pigMixGiB[d])
			w := share / all / float64(len(p.Queries))
			maps += float64(w * float64(job.Maps.Tasks) * p.Map.mean(pigMixGiB[d], q.MapTime))
			reduces += float64(w * float64(job.Reduces.Tasks) * p.Reduce.mean(pigMixGiB[d], q.ReduceTime))
		}
	}
	return maps / p.Gap / float64(mapSlots), reduces / p.Gap / float64(reduceSlots), nil
}

// defaults fills in what is zero.
func (p PigMix) defaults() PigMix {
	if p.Shares == ([4]float64{}) {
		p.Shares = SmallPigMix().Shares
	}
	if p.Gap == 0 {
		p.Gap = SmallPigMix().Gap
	}
	if p.Queries == nil {
		p.Queries = PigMixQueries()
	}
	if p.Map == (TaskTimes{}) {
		p.Map = MapTimes()
	}
	if p.Reduce == (TaskTimes{}) {
		p.Reduce = ReduceTimes()
	}
	return p
}

// check faults fields out of their range; p has its defaults.
func (p *PigMix) check(g *guard) {
	for d, x := range p.Shares {
		if reason := notAmount(x); reason != "" {
			g.elem("p", d, "Shares["+strconv.Itoa(d)+"] is "+reason)
		}
	}
	if sum := p.sum(); !(sum > 0 && sum <= math.MaxFloat64) {
		g.arg("p", "Shares add up to "+text(sum)+", want a finite sum > 0")
	}
	if reason := notPositive(p.Gap); reason != "" {
		g.arg("p", "Gap is "+reason)
	}
	if !(p.Gap*maxExponential*maxDraws <= math.MaxFloat64) {
		g.arg("p", "Gap is "+text(p.Gap)+", which allows times beyond float64")
	}
	if len(p.Queries) == 0 {
		g.arg("p", "Queries is empty, want at least one or nil")
	}
	p.Map.check(g, "Map")
	p.Reduce.check(g, "Reduce")
	for i := range p.Queries {
		p.Queries[i].check(g, i, p)
	}
}

func (p *PigMix) sum() float64 { return p.Shares[0] + p.Shares[1] + p.Shares[2] + p.Shares[3] }

// dataset picks one from one number of src.
func (p *PigMix) dataset(src rand.Source) int {
	u, _ := unit(src)
	x, d := float64(u*p.sum()), 0
	for i, share := range p.Shares {
		if share > 0 {
			d = i // the last possible one takes what rounding leaves
			if x -= share; x < 0 {
				break
			}
		}
	}
	return d
}

// mostTasks is the number of tasks of the largest job that can be picked.
func (p *PigMix) mostTasks() float64 {
	most := 0.0
	for d, share := range p.Shares {
		for i := range p.Queries {
			if share > 0 {
				job := p.Queries[i].job(pigMixGiB[d])
				most = max(most, float64(job.Maps.Tasks)+float64(job.Reduces.Tasks))
			}
		}
	}
	return most
}
