package hfsp

import (
	"fmt"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// The experiments of Section IV-A.
const (
	machines    = 36
	mapSlots    = 2 * machines
	reduceSlots = machines
	copies      = 3   // of each block
	jobsPerRun  = 100 // of each workload; quickJobs in a quick run
	rackRead    = 1.1 // s: 128 MiB from another machine over a link of 1 Gb/s
	localDelay  = 4.5 // s a job waits for a machine with its data, 1.5 heartbeats of 3 s: an assumption, since the paper gives no number and Hadoop's default depends on the version
)

// Places in workloads.
const (
	onSmall = iota
	onLarge
)

var (
	workloadNames = [...]string{onSmall: "SMALL", onLarge: "LARGE"}
	mixes         = [...]func() pigMix{onSmall: smallMix, onLarge: largeMix}
)

// testbed is the cluster of the experiments: 36 machines in one rack, each with two slots for
// maps and one for reduces. Reading a block that lies on another machine takes a second. Shuffles
// take no time of their own: the task times are those of whole reduces.
func testbed(s setting) *slotmodel.Cluster {
	c := &slotmodel.Cluster{Network: slotmodel.Network{RackRead: rackRead}}
	if s.slower > 0 {
		c.Speed = s.speed
	}
	for range machines {
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Maps: mapSlots / machines, Reduces: reduceSlots / machines})
	}
	return c
}

// An experiment is what all runs have in common.
type experiment struct {
	cluster *slotmodel.Cluster
	jobs    int // of a run
	seed    uint64
}

// pigmix makes the jobs of one seed. Arrivals, sizes, task times and places of blocks have streams
// of their own: all policies see the same jobs, and two mixes differ only in what their parameters
// say.
func (x *experiment) pigmix(mix pigMix, rep int) ([]slotmodel.JobSpec, error) {
	jobs, made, err := mix.jobs(x.jobs, x.seed, uint64(rep))
	if err != nil {
		return nil, err
	}
	stored, err := store(x.cluster, x.seed, rep)
	if err != nil {
		return nil, err
	}
	for i := range jobs {
		jobs[i].Replicas, jobs[i].Copies = stored.read(made[i], jobs[i].Maps.Tasks), copies
	}
	return jobs, nil
}

// datasetBlocks are the blocks of the four datasets, 1, 10, 40 and 100 GiB.
var datasetBlocks = [4]int{8, 80, 320, 800}

// datasets are the four datasets as they lie on the cluster. All jobs read them, and a query reads
// the same part of one in whichever job.
type datasets struct {
	places [4][]int32 // of the copies of each block
	begin  [4][]int   // by query: the first block of its part
}

// store places the datasets of one seed. Which part of a dataset a query reads is not published,
// only that the parts differ.
func store(c *slotmodel.Cluster, seed uint64, rep int) (*datasets, error) {
	placer, err := workload.NewPlacer(c.Nodes)
	if err != nil {
		return nil, err
	}
	src := workload.Stream(seed, workload.Placement, uint64(rep))
	var d datasets
	for i, blocks := range datasetBlocks {
		if d.places[i], err = placer.Place(nil, blocks, copies, src); err != nil {
			return nil, err
		}
		for range pigMixQueries {
			d.begin[i] = append(d.begin[i], int(src.Uint64()%uint64(blocks)))
		}
	}
	return &d, nil
}

// read returns where the blocks of a job lie: so many in a row, after the last block the first.
func (d *datasets) read(job pigMixJob, blocks int) []int32 {
	var list []int32
	places := d.places[job.dataset]
	for b := range blocks {
		at := (d.begin[job.dataset][job.query] + b) * copies % len(places)
		list = append(list, places[at:at+copies]...)
	}
	return list
}

// An outcome is what one run gives.
type outcome struct {
	sojourn []float64  // by job, s
	mean    float64    // of sojourn
	load    float64    // mean number of jobs present
	soon    [2]float64 // share of the jobs that end within soonSeconds
	local   float64    // share of the maps that ran where their block lies
	sampled float64    // share of the sample maps that did, the first samples of each job to start
	lost    float64    // share of the work done that was lost
	hours   float64    // until the last job ended
	mapped  []float64  // by job, s: from its arrival to the end of its last map
	met     []int      // by job: how many others it found
	phases  [3]float64 // s, means over jobs: of mapped; over jobs with reduces: until these may start, and from then to the end
}

// soonSeconds are the times at which the paper reads Figure 3(b), and samples its s, sample tasks
// of each phase.
var soonSeconds = [2]float64{100, 1000}

const samples = 5

// apart is the time, in seconds, between two jobs that are to have the cluster for themselves:
// more than any job takes.
const apart = 1e6

// play runs the jobs under a contender. What happens goes to the recorder, unless it is nil.
func play(c *slotmodel.Cluster, jobs []slotmodel.JobSpec, x *contender, r *recorder) (outcome, error) {
	p, err := x.start(r)
	if err != nil {
		return outcome{}, err
	}
	if x.alone {
		jobs = append([]slotmodel.JobSpec(nil), jobs...)
		for i := range jobs {
			jobs[i].Arrival = apart * float64(i)
		}
	}
	locality := sampleLocality{started: make([]int, len(jobs)), sample: map[slotmodel.Task]bool{}}
	ready, reducing := make([]float64, len(jobs)), 0.0 // when reduces may start; how many jobs have some
	o := slotmodel.Options{Log: func(e slotmodel.Event) {
		locality.log(e)
		if e.Type == slotmodel.Ready && e.Kind == slotmodel.Reduce {
			ready[e.Job] = e.Time
			reducing++
		}
		if r != nil {
			r.log(e)
		}
	}}
	res, err := slotmodel.Run(c, jobs, p, o)
	if err != nil {
		return outcome{}, fmt.Errorf("%s: %w", x.name, err)
	}
	out := outcome{sojourn: make([]float64, len(jobs))}
	for i := range res.Jobs {
		if res.Jobs[i].Outcome != slotmodel.Finished {
			return outcome{}, fmt.Errorf("%s: job %d is %v: %s", x.name, i, res.Jobs[i].Outcome, res.Jobs[i].Reason)
		}
		out.sojourn[i] = res.Jobs[i].Finish - jobs[i].Arrival
		out.met = append(out.met, numbers.Number(res.Jobs[:i], func(j slotmodel.JobResult) bool { return j.Finish > jobs[i].Arrival }))
		out.mean += out.sojourn[i] / float64(len(jobs))
		out.mapped = append(out.mapped, res.Jobs[i].MapEnd-jobs[i].Arrival)
		out.phases[0] += out.mapped[i] / float64(len(jobs))
		if ready[i] > 0 {
			out.phases[1] += (ready[i] - jobs[i].Arrival) / reducing
			out.phases[2] += (res.Jobs[i].Finish - ready[i]) / reducing
		}
		for k, limit := range soonSeconds {
			if out.sojourn[i] <= limit {
				out.soon[k] += 1 / float64(len(jobs))
			}
		}
	}
	out.sampled = locality.share()
	out.hours = res.End / 3600
	out.load = res.Totals.Load / res.End
	out.lost = res.Totals.Wasted / res.Totals.Work
	out.local = float64(res.Totals.LocalMaps) / float64(res.Totals.LocalMaps+res.Totals.RackMaps+res.Totals.RemoteMaps)
	return out, nil
}

// sampleLocality counts where the sample maps of all jobs run: with HFSP the first tasks of a phase
// to start are its samples. A map whose block lies elsewhere reads it before it computes.
type sampleLocality struct {
	started []int // by job: samples that have started
	sample  map[slotmodel.Task]bool
	away    int // samples whose blocks lay elsewhere
}

func (l *sampleLocality) log(e slotmodel.Event) {
	switch {
	case e.Type == slotmodel.Started && e.Kind == slotmodel.Map && l.started[e.Job] < samples:
		l.started[e.Job]++
		l.sample[e.Task] = true
	case e.Type == slotmodel.Computes && l.sample[e.Task]:
		l.away++
	}
}

// ratios are a number of each seed's outcome over that of another contender.
func ratios(a, b []outcome, number func(*outcome) float64) []float64 {
	n := min(len(a), len(b))
	return numbers.Ratios(numbers.Column(a[:n], number), numbers.Column(b[:n], number))
}

func sojournOf(o *outcome) float64 { return o.mean }
func hoursOf(o *outcome) float64   { return o.hours }
func loadOf(o *outcome) float64    { return o.load }
func lostOf(o *outcome) float64    { return o.lost }

func soonOf(limit int) func(*outcome) float64 {
	return func(o *outcome) float64 { return o.soon[limit] }
}

func (l *sampleLocality) share() float64 { return 1 - float64(l.away)/float64(len(l.sample)) }
