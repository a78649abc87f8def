package policy_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

var must = expect.Must

// machine is one node with so many processors.
func machine(processors int) *slotmodel.Cluster {
	return &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: processors}}}
}

// startsOf runs rigid jobs on one node and returns when each starts.
func startsOf(t rapid.TB, processors int, jobs []slotmodel.JobSpec, p slotmodel.Policy) []float64 {
	t.Helper()
	res, err := slotmodel.Run(machine(processors), jobs, p, slotmodel.Options{})
	if err != nil {
		t.Fatalf("Run under %T: %v", p, err)
	}
	starts := make([]float64, len(jobs))
	for j, r := range res.Jobs {
		starts[j] = r.Finish - jobs[j].Maps.Work
	}
	return starts
}

// plainEASY is EASY by its definition: at each arrival and end the queue starts in order as long as
// its head fits; then the head's start is found by going through the ends of those that run, and
// who fits now starts if it ends by then or fits beside the head.
func plainEASY(processors int, jobs []slotmodel.JobSpec, time func(j int) float64) []float64 {
	type run struct {
		end, planned float64
		width        int
	}
	starts := slices.Repeat([]float64{math.Inf(1)}, len(jobs))
	var queue []int
	var runs []run
	free := processors
	start := func(j int, now float64) {
		starts[j] = now
		free -= jobs[j].Maps.Tasks
		runs = append(runs, run{now + jobs[j].Maps.Work, now + time(j), jobs[j].Maps.Tasks})
	}
	order := make([]int, len(jobs))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(jobs[a].Arrival, jobs[b].Arrival) })
	for arrived := 0; arrived < len(jobs) || len(runs) > 0; {
		now := math.Inf(1)
		if arrived < len(jobs) {
			now = jobs[order[arrived]].Arrival
		}
		for _, r := range runs {
			now = min(now, r.end)
		}
		runs = slices.DeleteFunc(runs, func(r run) bool {
			if r.end <= now {
				free += r.width
			}
			return r.end <= now
		})
		for ; arrived < len(jobs) && jobs[order[arrived]].Arrival <= now; arrived++ {
			if j := order[arrived]; jobs[j].Maps.Tasks <= processors {
				queue = append(queue, j)
			}
		}
		for len(queue) > 0 && jobs[queue[0]].Maps.Tasks <= free {
			start(queue[0], now)
			queue = queue[1:]
		}
		if len(queue) == 0 {
			continue
		}
		soon := math.Nextafter(now, math.Inf(1))
		slices.SortFunc(runs, func(a, b run) int { return cmp.Compare(max(a.planned, soon), max(b.planned, soon)) })
		shadow, extra := math.Inf(1), free
		for i, r := range runs {
			extra += r.width
			if last := i+1 == len(runs) || max(runs[i+1].planned, soon) > max(r.planned, soon); last && extra >= jobs[queue[0]].Maps.Tasks {
				shadow = max(r.planned, soon)
				break
			}
		}
		extra -= jobs[queue[0]].Maps.Tasks // left beside the head at its start
		queue = slices.DeleteFunc(queue, func(j int) bool {
			w := jobs[j].Maps.Tasks
			ends := max(now+time(j), soon) <= shadow
			if j == queue[0] || w > free || !ends && w > extra {
				return false
			}
			if !ends {
				extra -= w
			}
			start(j, now)
			return true
		})
	}
	return starts
}

// requested is how long a job was said to run.
func requested(jobs []slotmodel.JobSpec) func(j int) float64 {
	return func(j int) float64 { return cmp.Or(jobs[j].Requested, 1e9) }
}

// sameStarts fails at the first job that starts at another time than it should, beyond rounding.
func sameStarts(t rapid.TB, what string, got, want []float64) {
	t.Helper()
	for j := range want {
		if math.Abs(got[j]-want[j]) > 1e-6 && !(math.IsInf(want[j], 1) && math.IsInf(got[j], 1)) {
			t.Fatalf("%s: job %d starts at %v, want %v", what, j, got[j], want[j])
		}
	}
}

// drawLog draws rigid jobs whose times are multiples of 1/8.
func drawLog(t *rapid.T) (processors int, jobs []slotmodel.JobSpec) {
	processors = rapid.IntRange(1, 9).Draw(t, "processors")
	jobs = make([]slotmodel.JobSpec, rapid.IntRange(1, 25).Draw(t, "jobs"))
	late := rapid.Bool().Draw(t, "late")
	at := 0.0
	for i := range jobs {
		at += policytest.DrawWork(t, "gap") / 4
		jobs[i] = policytest.Maps(at, rapid.IntRange(1, processors).Draw(t, "width"), .125+policytest.DrawWork(t, "run"))
		jobs[i].Rigid = true
		jobs[i].Requested = jobs[i].Maps.Work + policytest.DrawWork(t, "beyond")
		if late && rapid.IntRange(0, 3).Draw(t, "runs longer") == 0 {
			jobs[i].Requested /= 4
		}
		if rapid.IntRange(0, 9).Draw(t, "says nothing") == 0 {
			jobs[i].Requested = 0
		}
	}
	return processors, jobs
}

// Depth 1 is EASY as a plain program has it, start by start, with late jobs and jobs of which
// nothing is said.
func TestBackfillIsEASY(t *testing.T) {
	policytest.CheckOften(t, func(t *rapid.T) {
		processors, jobs := drawLog(t)
		sameStarts(t, fmt.Sprintf("%d processors, %+v", processors, jobs), startsOf(t, processors, jobs, new(policy.Backfill)), plainEASY(processors, jobs, requested(jobs)))
	})
}

// readLog reads a log of the archive.
func readLog(t testing.TB, name string) []slotmodel.JobSpec {
	t.Helper()
	jobs, err := workload.Load(golden.Trace(t, "data/swf/"+name))
	must(t, err)
	return jobs
}

const hpc2n = "HPC2N-2002-2.1-cln.swf.gz"

// BenchmarkBackfillLog plays the 202,876 jobs of a log on 240 processors.
func BenchmarkBackfillLog(b *testing.B) {
	jobs := readLog(b, hpc2n)
	if testing.Short() {
		jobs = jobs[:5000]
	}
	for _, p := range []struct {
		name   string
		policy *policy.Backfill
	}{{"easy", new(policy.Backfill)}, {"easy-sjbf", &policy.Backfill{Shortest: true}}, {"conservative", &policy.Backfill{Depth: -1}}} {
		b.Run(p.name, func(b *testing.B) {
			for b.Loop() {
				if res, err := slotmodel.Run(machine(240), jobs, p.policy, slotmodel.Options{}); err != nil || res.Jobs[0].Finish == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

// The same on whole logs of the archive, late jobs included.
func TestBackfillIsEASYOnLogs(t *testing.T) {
	for name, processors := range map[string]int{"KTH-SP2-1996-2.1-cln.swf.gz": 100, hpc2n: 240} {
		jobs := readLog(t, name)
		if testing.Short() {
			jobs = jobs[:5000]
		}
		sameStarts(t, name, startsOf(t, processors, jobs, new(policy.Backfill)), plainEASY(processors, jobs, requested(jobs)))
	}
}

// planned runs rigid jobs by package backfill alone: at each arrival and end the queue is planned.
func planned(t rapid.TB, processors int, jobs []slotmodel.JobSpec, o backfill.Options, promise bool) []float64 {
	t.Helper()
	return plannedBy(t, processors, jobs, o, promise, func(float64, []int, []float64) {})
}

// plannedBy is planned of a queue that order brings into its order, by the starts so far.
func plannedBy(t rapid.TB, processors int, jobs []slotmodel.JobSpec, o backfill.Options, promise bool, order func(now float64, queue []int, starts []float64)) []float64 {
	t.Helper()
	starts := slices.Repeat([]float64{math.Inf(1)}, len(jobs))
	promised := make([]float64, len(jobs))
	time := requested(jobs)
	var waiting, running []int
	last := math.Inf(-1) // when the queue was planned
	for arrived := 0; ; {
		now := math.Inf(1)
		if arrived < len(jobs) {
			now = jobs[arrived].Arrival
		}
		for _, j := range running {
			now = min(now, starts[j]+jobs[j].Maps.Work)
		}
		for _, w := range o.Windows {
			for from, to := w.From, w.To; len(waiting) > 0 && (from == w.From || from < w.Until); from, to = from+w.Period, to+w.Period {
				if to > last {
					now = min(now, to)
				}
				if w.Period == 0 {
					break
				}
			}
		}
		if math.IsInf(now, 1) {
			return starts
		}
		last = now
		running = slices.DeleteFunc(running, func(j int) bool { return starts[j]+jobs[j].Maps.Work <= now })
		for ; arrived < len(jobs) && jobs[arrived].Arrival <= now; arrived++ {
			waiting = append(waiting, arrived)
		}
		order(now, waiting, starts)
		var held []backfill.Running
		for _, j := range running {
			held = append(held, backfill.Running{Need: []int64{int64(jobs[j].Maps.Tasks)}, End: starts[j] + time(j), Owner: jobs[j].User + 1})
		}
		var queue []backfill.Job
		for _, j := range waiting {
			queue = append(queue, backfill.Job{Need: []int64{int64(jobs[j].Maps.Tasks)}, Time: time(j), Promised: promised[j], Owner: jobs[j].User + 1})
		}
		plan, err := backfill.Plan(nil, []int64{int64(processors)}, now, held, queue, o)
		if err != nil {
			t.Fatalf("Plan: %v", err)
		}
		var left []int
		for i, j := range waiting {
			if plan[i] == now {
				starts[j], running = now, append(running, j)
			} else {
				left = append(left, j)
				if promise {
					promised[j] = plan[i]
				}
			}
		}
		waiting = left
	}
}

// Whatever the depth, jobs start as a plan of package backfill at each arrival and end has it.
func TestBackfillIsItsPlan(t *testing.T) {
	policytest.CheckOften(t, func(t *rapid.T) {
		processors, jobs := drawLog(t)
		o := backfill.Options{Depth: rapid.IntRange(-1, 3).Draw(t, "depth"), Shortest: rapid.Bool().Draw(t, "shortest")}
		afresh := rapid.Bool().Draw(t, "afresh")
		got := startsOf(t, processors, jobs, &policy.Backfill{Depth: o.Depth, Shortest: o.Shortest, Afresh: afresh})
		sameStarts(t, fmt.Sprintf("%+v, %v, %d processors, %+v", o, afresh, processors, jobs), got, planned(t, processors, jobs, o, !afresh))
	})
}

// meddler is Backfill, and in every so many decisions kills the newest attempt of a job, or starts a
// job of one map that Backfill lets wait.
type meddler struct {
	*policy.Backfill
	every, decisions, kills, starts int
}

func (k *meddler) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	k.Backfill.Decide(v, a)
	k.decisions++
	j := slotmodel.Job(k.decisions % v.Jobs())
	if x := v.Newest(j, slotmodel.Map); k.kills > 0 && k.decisions%k.every == 0 && x != slotmodel.None {
		k.kills--
		a.Kill(x)
	}
	if n := v.NextFree(slotmodel.Map, slotmodel.None); k.starts > 0 && v.Spec(j).Maps.Tasks == 1 && v.Fits(j, slotmodel.Map, n) {
		k.starts--
		a.Start(j, slotmodel.Map, n)
	}
}

// What Backfill keeps from one decision to the next changes nothing: with an Inner it walks the queue
// and plans anew each time. Nodes are lost, jobs are cancelled, killed, run late, need memory, and some
// are not rigid.
func TestBackfillKeepsItsPlan(t *testing.T) {
	policytest.CheckOften(t, func(t *rapid.T) {
		_, jobs := drawLog(t)
		c := &slotmodel.Cluster{}
		troubled := rapid.Bool().Draw(t, "troubled")
		for range rapid.IntRange(1, 3).Draw(t, "nodes") {
			n := slotmodel.NodeSpec{Maps: rapid.IntRange(1, 5).Draw(t, "maps"), Reduces: 1}
			if troubled && rapid.Bool().Draw(t, "limited") {
				n.Memory = float64(rapid.IntRange(2, 5).Draw(t, "memory"))
			}
			if troubled && rapid.Bool().Draw(t, "fails") {
				from := float64(rapid.IntRange(1, 30).Draw(t, "from"))
				n.Down = []slotmodel.Outage{{From: from, Until: from + float64(rapid.IntRange(1, 20).Draw(t, "for"))}}
			}
			c.Nodes = append(c.Nodes, n)
		}
		narrow := troubled && rapid.IntRange(0, 2).Draw(t, "narrow") == 0
		for i := range jobs {
			j := &jobs[i]
			if narrow {
				j.Maps.Tasks, j.Maps.Memory = 1, float64(rapid.IntRange(0, 3).Draw(t, "bytes"))
			}
			switch rapid.IntRange(0, 9).Draw(t, "how") {
			case 0:
				j.Cancel = j.Arrival + policytest.DrawWork(t, "cancelled after")
			case 1:
				j.Walltime = .5 + policytest.DrawWork(t, "walltime")
			case 2:
				j.Rigid = !troubled
			case 3:
				j.Maps.Memory = float64(rapid.IntRange(0, 3).Draw(t, "bytes"))
			case 4:
				j.Maps.Work = 0
			}
		}
		depth, shortest := rapid.SampledFrom([]int{-1, -1, -1, 0, 2}).Draw(t, "depth"), rapid.Bool().Draw(t, "shortest")
		every, starts := rapid.IntRange(1, 12).Draw(t, "every"), rapid.IntRange(0, 2).Draw(t, "starts")
		run := func(inner policy.Ranker) string {
			p := &meddler{Backfill: &policy.Backfill{Depth: depth, Shortest: shortest, Inner: inner}, every: every, starts: starts}
			if troubled {
				p.kills = 2
			}
			r, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true})
			return fmt.Sprintf("%v %+v", err, r)
		}
		if got, want := run(nil), run(new(policy.ByArrival)); got != want {
			t.Fatalf("Backfill of depth %d, shortest %v, kills every %d: %s, want %s; %+v, %+v", depth, shortest, every, got, want, c.Nodes, jobs)
		}
	})
}

// FCFS by plans is FIFO, which does not plan.
func TestFIFOIsFCFS(t *testing.T) {
	policytest.CheckOften(t, func(t *rapid.T) {
		processors, jobs := drawLog(t)
		sameStarts(t, fmt.Sprintf("%d processors, %+v", processors, jobs), startsOf(t, processors, jobs, policy.FIFO{}), planned(t, processors, jobs, backfill.Options{InOrder: true}, false))
	})
}

func TestFIFOIsFCFSOnLogs(t *testing.T) {
	jobs := readLog(t, "KTH-SP2-1996-2.1-cln.swf.gz")
	if testing.Short() {
		jobs = jobs[:3000]
	}
	sameStarts(t, "KTH", startsOf(t, 100, jobs, policy.FIFO{}), planned(t, 100, jobs, backfill.Options{InOrder: true}, false))
}

// With Time a plan is made again when a planned end passes: the first job outlives its prediction,
// its next one is far, and so a job that would have put off the head no longer does. The others come
// later, or at once with the first, so that its end is planned in the only decision before it.
func TestBackfillPlansAtPlannedEnds(t *testing.T) {
	for _, later := range []float64{1, 0} {
		jobs := []slotmodel.JobSpec{policytest.Maps(0, 2, 100), policytest.Maps(later, 4, 10), policytest.Maps(2*later, 2, 30)}
		for i := range jobs {
			jobs[i].Rigid = true
		}
		time := func(v *slotmodel.View, j slotmodel.Job) float64 {
			switch {
			case j > 0:
				return jobs[j].Maps.Work
			case v.Now() < 20:
				return 20
			}
			return 100
		}
		if got, want := startsOf(t, 4, jobs, &policy.Backfill{Time: time}), []float64{0, 100, 20}; !slices.Equal(got, want) {
			t.Errorf("jobs that come %v s after each other start at %v, want %v", later, got, want)
		}
	}
}

// A reduce that starts while the map of its job runs does not move the map's planned end, 20: a job that
// would end at 23 does not go before the head.
func TestBackfillPlansMapsAlone(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}, {Reduces: 1, Down: []slotmodel.Outage{{From: 0, Until: 5}}}}}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 1, 20), policytest.Maps(6, 2, 10), policytest.Maps(6, 1, 17)}
	for i := range jobs {
		jobs[i].Requested, jobs[i].Rigid = jobs[i].Maps.Work, i > 0
	}
	jobs[0].Reduces = slotmodel.Phase{Tasks: 1, Work: 1}
	const want = "0:0m@0 5:0r@1 20:1m@0 20:1m@0 30:2m@0 | 21 30 47"
	if got := policytest.Starts(t, c, jobs, new(policy.Backfill)); got != want {
		t.Errorf("starts are %s, want %s", got, want)
	}
}

// The maps of a job that is not rigid are planned each by itself: two run until 20, when a head of three
// starts. Who would end at 27 waits behind it, who ends at 12 does not.
func TestBackfillPlansEachMap(t *testing.T) {
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 2, 20), policytest.Maps(1, 3, 10), policytest.Maps(2, 1, 25), policytest.Maps(2, 1, 10)}
	for i := range jobs {
		jobs[i].Requested, jobs[i].Rigid = jobs[i].Maps.Work, i > 0
	}
	if got, want := startsOf(t, 3, jobs, new(policy.Backfill)), []float64{0, 20, 30, 2}; !slices.Equal(got, want) {
		t.Errorf("jobs start at %v, want %v", got, want)
	}
}

// While a node is lost its slot is in no plan, and once it is back it is: each time the last of three
// jobs would put off a head that needs all slots there are.
func TestBackfillPlansLostNodes(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 3}, {Maps: 1, Down: []slotmodel.Outage{{From: .5, Until: 45}}}}}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 2, 10), policytest.Maps(1, 3, 10), policytest.Maps(2, 1, 20),
		policytest.Maps(50, 3, 10), policytest.Maps(51, 4, 10), policytest.Maps(52, 1, 20)}
	for i := range jobs {
		jobs[i].Requested, jobs[i].Rigid = jobs[i].Maps.Work, true
	}
	res, err := slotmodel.Run(c, jobs, new(policy.Backfill), slotmodel.Options{})
	must(t, err)
	for j, want := range []float64{10, 20, 40, 60, 70, 90} {
		if got := res.Jobs[j].Finish; got != want {
			t.Errorf("job %d ends at %v, want %v", j, got, want)
		}
	}
}

// What Time and the specifications say counts as documented.
func TestBackfillTimes(t *testing.T) {
	// A head of 4 waits for a job of 3 that runs from 0. A job of 1 comes at 2: it starts if it ends
	// by the planned end of the first, otherwise after the head.
	run := func(first, small slotmodel.JobSpec, time func(*slotmodel.View, slotmodel.Job) float64) float64 {
		jobs := []slotmodel.JobSpec{first, policytest.Maps(1, 4, 10), small}
		for i := range jobs {
			jobs[i].Rigid = true
		}
		return startsOf(t, 4, jobs, &policy.Backfill{Time: time})[2]
	}
	first := policytest.Maps(0, 3, 50)
	small := policytest.Maps(2, 1, 10)
	with := func(s slotmodel.JobSpec, requested, walltime float64) slotmodel.JobSpec {
		s.Requested, s.Walltime = requested, walltime
		return s
	}
	constant := func(x float64) func(*slotmodel.View, slotmodel.Job) float64 {
		return func(_ *slotmodel.View, j slotmodel.Job) float64 {
			if j == 2 {
				return x
			}
			return 50
		}
	}
	for _, c := range []struct {
		name         string
		first, small slotmodel.JobSpec
		time         func(*slotmodel.View, slotmodel.Job) float64
		want         float64
	}{
		{"nothing is said", first, small, nil, 60},
		{"of the running job nothing is said", first, with(small, 1e6, 0), nil, 2},
		{"requested", with(first, 50, 0), with(small, 40, 0), nil, 2},
		{"requested too long", with(first, 50, 0), with(small, 49, 0), nil, 60},
		{"walltime", with(first, 50, 0), with(small, 0, 40), nil, 2},
		{"the walltime comes first", with(first, 50, 0), with(small, 49, 40), nil, 2},
		{"the request comes first", with(first, 50, 0), with(small, 40, 49), nil, 2},
		{"Time", first, small, constant(40), 2},
		{"Time, too long", first, small, constant(49), 60},
		{"Time of NaN", first, small, constant(math.NaN()), 60},
		{"Time below 0", first, small, constant(-1), 60},
		{"Time of +Inf", first, small, constant(math.Inf(1)), 60},
		{"Time of 0", first, small, constant(0), 2},
	} {
		if got := run(c.first, c.small, c.time); got != c.want {
			t.Errorf("%s: the job starts at %v, want %v", c.name, got, c.want)
		}
	}
}

// The order of the queue is that of Inner: the widest job first, for which the next ones wait.
func TestBackfillInner(t *testing.T) {
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 3, 10), policytest.Maps(1, 2, 10), policytest.Maps(2, 4, 10)}
	for i := range jobs {
		jobs[i].Rigid, jobs[i].Requested = true, 10
	}
	widest := policy.By(func(v *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind) float64 {
		return -float64(v.Spec(j).Maps.Tasks)
	})
	for _, c := range []struct {
		inner policy.Ranker
		want  []float64
	}{{nil, []float64{0, 10, 20}}, {widest, []float64{0, 10, 20}}} {
		// The second job is promised 10 before the widest comes, and keeps it.
		if got := startsOf(t, 4, jobs, &policy.Backfill{Inner: c.inner}); !slices.Equal(got, c.want) {
			t.Errorf("with Inner %T jobs start at %v, want %v", c.inner, got, c.want)
		}
	}
	jobs[1].Arrival = 2 // both come at once: nobody has a promise
	if got, want := startsOf(t, 4, jobs, &policy.Backfill{Inner: widest}), []float64{0, 20, 10}; !slices.Equal(got, want) {
		t.Errorf("jobs start at %v, want %v", got, want)
	}
}

// A planned start that the nodes' memory does not allow waits, and starts when it does.
func TestBackfillWaitsForMemory(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Memory: 10}, {Maps: 2, Memory: 10}}}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 1, 10), policytest.Maps(1, 2, 5), policytest.Maps(2, 1, 5)}
	for i := range jobs {
		jobs[i].Rigid, jobs[i].Requested = true, jobs[i].Maps.Work
	}
	jobs[0].Maps.Memory, jobs[1].Maps.Memory = 6, 6
	const want = "0:0m@0 2:2m@0 10:1m@0 10:1m@1 | 10 15 7"
	if got := policytest.Starts(t, c, jobs, new(policy.Backfill)); got != want {
		t.Errorf("starts are %s, want %s", got, want)
	}
}

// Slots that a planned start cannot use for want of memory go to the jobs behind it, unless a rigid
// job of several maps waits and something runs that ends by itself.
func TestBackfillLendsSlotsThatLackMemory(t *testing.T) {
	job := func(arrival float64, maps int, work, memory float64) slotmodel.JobSpec {
		return slotmodel.JobSpec{Arrival: arrival, Rigid: maps > 1, Requested: work, Maps: slotmodel.Phase{Tasks: maps, Work: work, Memory: memory}}
	}
	one := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2, Memory: 10}}}
	// Job 0's map runs on node 0, and its reduce, which waits for the map, on node 1.
	lost := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Memory: 10, Down: []slotmodel.Outage{{From: 1, Until: 20}}}, {Maps: 3, Reduces: 1, Memory: 10}}}
	reducing := job(0, 1, 5, 3)
	reducing.Reduces = slotmodel.Phase{Tasks: 1, Work: 1, Memory: 8}
	for _, c := range []struct {
		name    string
		cluster *slotmodel.Cluster
		jobs    []slotmodel.JobSpec
		want    string
	}{
		{"nobody is wide", one, []slotmodel.JobSpec{job(0, 1, 10, 6), job(1, 1, 10, 6), job(2, 1, 10, 2)},
			"0:0m@0 2:2m@0 10:1m@0 | 10 20 12"},
		{"a wide job waits, too", one, []slotmodel.JobSpec{job(0, 1, 10, 6), job(1, 1, 10, 6), job(2, 1, 10, 2), job(2, 2, 10, 1)},
			"0:0m@0 10:1m@0 10:2m@0 20:3m@0 20:3m@0 | 10 20 20 30"},
		{"a wide job waits, and nothing ends by itself", lost, []slotmodel.JobSpec{reducing, job(2, 2, 10, 3), job(3, 1, 2, 1)},
			"0:0m@0 0:0r@1 3:2m@1 20:0m@0 26:1m@0 26:1m@1 | 26 36 5"},
	} {
		if got := policytest.Starts(t, c.cluster, c.jobs, new(policy.Backfill)); got != c.want {
			t.Errorf("%s: starts are %s, want %s", c.name, got, c.want)
		}
	}
}
