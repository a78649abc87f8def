package main

import (
	"cmp"
	"flag"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// traceFile is given by main.go.
var traceFile = flag.String("trace", "", "log of rigid jobs that BenchmarkEASY plays, in any format of workload.ReadJobs; \"\": a synthetic one")

// plainEASY is a simulator of EASY and nothing else: rigid jobs on one machine, by arrival.
type plainEASY struct {
	jobs   []slotmodel.JobSpec
	starts []float64
	free   int
	queue  []int32
	ends   []plainRun // by real end, the first one last
	plans  []plainRun // by planned end
}

type plainRun struct {
	at    float64
	width int
	job   int32
}

// play returns when each job starts under EASY, +Inf for one that is wider than the machine.
func play(processors int, jobs []slotmodel.JobSpec) []float64 {
	order := make([]int32, 0, len(jobs))
	for j := range jobs {
		if jobs[j].Maps.Tasks <= processors {
			order = append(order, int32(j))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(jobs[a].Arrival, jobs[b].Arrival) })
	s := plainEASY{jobs: jobs, starts: slices.Repeat([]float64{math.Inf(1)}, len(jobs)), free: processors}
	for len(order) > 0 || len(s.ends) > 0 {
		now := math.Inf(1)
		if len(order) > 0 {
			now = jobs[order[0]].Arrival
		}
		if last := len(s.ends) - 1; last >= 0 {
			now = min(now, s.ends[last].at)
		}
		for last := len(s.ends) - 1; last >= 0 && s.ends[last].at <= now; last-- {
			s.end(s.ends[last])
			s.ends = s.ends[:last]
		}
		for ; len(order) > 0 && jobs[order[0]].Arrival <= now; order = order[1:] {
			s.queue = append(s.queue, order[0])
		}
		s.decide(now)
	}
	return s.starts
}

// asked is how long a job says that it runs.
func (s *plainEASY) asked(j int32) float64 { return cmp.Or(s.jobs[j].Requested, 1e9) }

func (s *plainEASY) start(j int32, now float64) {
	width := s.jobs[j].Maps.Tasks
	s.starts[j] = now
	s.free -= width
	end, plan := plainRun{now + s.jobs[j].Maps.Work, width, j}, plainRun{now + s.asked(j), width, j}
	k, _ := slices.BinarySearchFunc(s.ends, end, func(a, b plainRun) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.job, a.job)) })
	s.ends = slices.Insert(s.ends, k, end)
	k, _ = slices.BinarySearchFunc(s.plans, plan, byEnd)
	s.plans = slices.Insert(s.plans, k, plan)
}

func byEnd(a, b plainRun) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.job, b.job)) }

func (s *plainEASY) end(r plainRun) {
	s.free += r.width
	r.at = s.starts[r.job] + s.asked(r.job)
	k, _ := slices.BinarySearchFunc(s.plans, r, byEnd)
	s.plans = slices.Delete(s.plans, k, k+1)
}

// decide starts the queue in order as far as it fits. Then the head's start is found from the
// planned ends, and who fits now starts if it ends by then or fits beside the head.
func (s *plainEASY) decide(now float64) {
	started := 0
	for ; started < len(s.queue) && s.jobs[s.queue[started]].Maps.Tasks <= s.free; started++ {
		s.start(s.queue[started], now)
	}
	if s.queue = s.queue[started:]; len(s.queue) < 2 || s.free == 0 {
		return
	}
	soon := math.Nextafter(now, math.Inf(1)) // at which late jobs are taken to end
	head, shadow, extra := s.jobs[s.queue[0]].Maps.Tasks, math.Inf(1), s.free
	for i := 0; i < len(s.plans) && max(s.plans[i].at, soon) <= shadow; i++ {
		if extra += s.plans[i].width; extra >= head {
			shadow = max(s.plans[i].at, soon)
		}
	}
	extra -= head
	kept := s.queue[:1]
	for i, j := range s.queue[1:] {
		if s.free == 0 {
			kept = append(kept, s.queue[1+i:]...)
			break
		}
		width, beside := s.jobs[j].Maps.Tasks, max(now+s.asked(j), soon) > shadow
		if width > s.free || beside && width > extra {
			kept = append(kept, j)
			continue
		}
		if beside {
			extra -= width
		}
		s.start(j, now)
	}
	s.queue = kept
}

// easyLog is the log that is asked for, or n jobs by the model of Lublin and Feitelson on 128
// processors at a load of .85, which ask for up to five times of what they run.
func easyLog(t testing.TB, n int) (jobs []slotmodel.JobSpec, processors int) {
	if *traceFile == "" {
		processors = 128
		jobs, err := workload.LublinFeitelson(nil, n, processors, workload.Stream(1, workload.Trace, 0))
		if err != nil {
			t.Fatal(err)
		}
		offered, _, err := workload.OfferedLoad(processors, 1, jobs)
		if err != nil {
			t.Fatal(err)
		}
		src := workload.Stream(1, workload.Errors, 0)
		for i := range jobs {
			j := &jobs[i]
			j.Arrival, j.Maps.Work = math.Floor(j.Arrival*offered/.85), math.Ceil(j.Maps.Work)
			j.Requested = math.Ceil(j.Maps.Work * (1 + 4*float64(src.Uint64()>>11)/(1<<53)))
		}
		return jobs, processors
	}
	f, err := os.Open(*traceFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	log, err := joblog.ReadJobs(f, joblog.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	read, err := workload.FromLog(nil, log, workload.FromLogOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range read {
		jobs = append(jobs, slotmodel.JobSpec{User: j.User, Arrival: j.Arrival, Maps: slotmodel.Phase{Tasks: j.Maps.Tasks, Work: j.Maps.Work}, Requested: j.Requested, Rigid: true})
		processors = max(processors, j.Maps.Tasks)
	}
	return jobs, cmp.Or(log.MaxProcs, processors)
}

// modelEASY runs EASY in the slot model. It fails unless every job starts when it does under play,
// to the bit.
func modelEASY(t testing.TB, processors int, jobs []slotmodel.JobSpec, starts []float64) {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: processors}}}
	r, err := slotmodel.Run(cluster, jobs, new(policy.Backfill), slotmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range starts {
		if got := r.Jobs[j].Start; got != want && !(got < 0 && math.IsInf(want, 1)) {
			t.Fatalf("job %d starts at %v, want %v", j, got, want)
		}
	}
}

func TestEASYIsPlain(t *testing.T) {
	jobs, processors := easyLog(t, 3000)
	for i := range jobs {
		if i%7 == 0 {
			jobs[i].Requested /= 4 // late
		}
	}
	modelEASY(t, processors, jobs, play(processors, jobs))
}

// EASY on one log, by the slot model and by a simulator that does nothing else.
func BenchmarkEASY(b *testing.B) {
	n := 200_000
	if testing.Short() {
		n = 5_000
	}
	jobs, processors := easyLog(b, n)
	starts := play(processors, jobs)
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			modelEASY(b, processors, jobs, starts)
		}
		b.ReportMetric(float64(len(jobs))*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	})
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			starts = play(processors, jobs)
		}
		b.ReportMetric(float64(len(jobs))*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	})
}
