package queues_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// queueModel is Queues from its definition, played along with the events of a run: it says which
// task a worker starts. Nodes have slots of one kind or the other and are never lost, and jobs are
// not rigid.
type queueModel struct {
	*queues.Policy
	t        interface{ Fatalf(string, ...any) }
	estimate func(t slotmodel.Task, n slotmodel.Node) float64 // NaN: unknown
	queues   [][]slotmodel.Task                               // by node, as last put into order, newer tasks at the end
	running  map[slotmodel.Attempt]slotmodel.AttemptInfo
	turn     map[slotmodel.Job]int // starts until its last
	starts   int
	demoted  int // starts before a task of negative laxity that would have been first by deadline
	moved    int // starts of a task that has not been in the queue for longest
}

func (m *queueModel) BeginRun(v *slotmodel.View) {
	m.Policy.BeginRun(v)
	m.queues = make([][]slotmodel.Task, v.Nodes())
	m.running, m.turn = map[slotmodel.Attempt]slotmodel.AttemptInfo{}, map[slotmodel.Job]int{}
}

func (m *queueModel) Observe(v *slotmodel.View, e slotmodel.Event) {
	enter := func(k slotmodel.Kind) {
		for i := range int(v.Count(e.Job, k).Tasks) {
			t := v.Task(e.Job, k, i)
			n := m.Bind(v, t)
			m.queues[n] = append(m.queues[n], t)
		}
	}
	switch e.Type {
	case slotmodel.Arrived:
		enter(slotmodel.Map)
	case slotmodel.MapsEnded:
		enter(slotmodel.Reduce)
	case slotmodel.Started:
		m.started(v, e)
		m.running[e.Attempt] = v.Attempt(e.Attempt)
	case slotmodel.Ended:
		delete(m.running, e.Attempt)
	}
	m.Policy.Observe(v, e)
}

// started checks a start. The View shows the slot as taken already.
func (m *queueModel) started(v *slotmodel.View, e slotmodel.Event) {
	n := e.Node
	queue := m.queues[n]
	job := func(t slotmodel.Task) slotmodel.Job {
		j, _, _ := v.Index(t)
		return j
	}
	laxity := m.laxities(v, n, e.Kind)
	byLaxity := m.Order == queues.LLF || m.Order >= queues.EDFDemoted && m.Order <= queues.JobLLF
	late := func(t slotmodel.Task) int {
		if byLaxity && laxity[job(t)] < 0 {
			return 1
		}
		return 0
	}
	key := func(t slotmodel.Task) float64 {
		switch m.Order {
		case queues.Fair:
			_, k, _ := v.Index(t)
			c := float64(v.Count(job(t), k).Running)
			if job(t) == e.Job && k == e.Kind {
				c--
			}
			return c
		case queues.EDF, queues.EDFDemoted:
			return due(v, job(t))
		case queues.LLF, queues.LLFAhead, queues.JobLLF:
			return laxity[job(t)]
		case queues.Turns:
			return float64(m.turn[job(t)])
		}
		return 0
	}
	arrival := func(t slotmodel.Task) int { _, place := v.Arrival(job(t)); return place }
	first := queue[0]
	slices.SortFunc(queue, func(a, b slotmodel.Task) int {
		return cmp.Or(late(a)-late(b), cmp.Compare(key(a), key(b)), cmp.Compare(arrival(a), arrival(b)), int(a-b))
	})
	want := queue[slices.IndexFunc(queue, func(t slotmodel.Task) bool {
		_, k, _ := v.Index(t)
		return k == e.Kind
	})]
	if e.Task != want {
		m.t.Fatalf("at %v s node %d starts task %d of job %d (laxity %v), want task %d of job %d (laxity %v)", v.Now(), n, e.Task, e.Job, laxity[e.Job], want, job(want), laxity[job(want)])
	}
	for _, t := range queue {
		if byLaxity && laxity[e.Job] >= 0 && laxity[job(t)] < 0 && due(v, job(t)) < due(v, e.Job) {
			m.demoted++
		}
	}
	m.starts++
	m.turn[e.Job] = m.starts
	if first != want {
		m.moved++
	}
	m.queues[n] = slices.DeleteFunc(queue, func(t slotmodel.Task) bool { return t == want })
}

func due(v *slotmodel.View, j slotmodel.Job) float64 {
	if d := v.Spec(j).Deadline; d > 0 {
		return d
	}
	return math.Inf(1)
}

// known returns an estimate, 0 if there is none.
func (m *queueModel) known(t slotmodel.Task, n slotmodel.Node) float64 {
	x := m.estimate(t, n)
	if math.IsNaN(x) {
		return 0
	}
	return x
}

// laxities returns the laxity of each job on a worker before the start of a task of a kind: one
// task after the other goes to the slot that is free first.
func (m *queueModel) laxities(v *slotmodel.View, n slotmodel.Node, k slotmodel.Kind) map[slotmodel.Job]float64 {
	type pair struct {
		job  slotmodel.Job
		kind slotmodel.Kind
	}
	ends := map[pair]float64{}
	var slots [2][]float64
	for _, x := range m.running {
		if x.Node == n {
			left := max(0, m.known(x.Task, n)-(v.Now()-x.Start))
			slots[x.Kind] = append(slots[x.Kind], left)
			ends[pair{x.Job, x.Kind}] = max(ends[pair{x.Job, x.Kind}], left)
		}
	}
	for kind := range slots {
		free := v.Free(slotmodel.Kind(kind), n)
		if slotmodel.Kind(kind) == k {
			free++
		}
		for range free {
			slots[kind] = append(slots[kind], 0)
		}
		if len(slots[kind]) == 0 {
			slots[kind] = []float64{0}
		}
	}
	all := map[slotmodel.Job]float64{}
	seen := map[slotmodel.Job]bool{}
	for _, t := range m.queues[n] {
		j, _, _ := v.Index(t)
		seen[j] = true
	}
	for j := range seen {
		if m.Order == queues.JobLLF {
			all[j] = due(v, j) - v.Now() - m.projected(v, j)
			continue
		}
		own := [2][]float64{slices.Clone(slots[0]), slices.Clone(slots[1])}
		queue := slices.Clone(m.queues[n])
		if m.Order != queues.LLFAhead { // the job's own, by number
			queue = slices.DeleteFunc(queue, func(t slotmodel.Task) bool { i, _, _ := v.Index(t); return i != j })
			slices.Sort(queue)
		}
		for _, t := range queue {
			i, kind, _ := v.Index(t)
			at := slices.Index(own[kind], slices.Min(own[kind]))
			own[kind][at] += m.known(t, n)
			if i == j {
				ends[pair{j, kind}] = max(ends[pair{j, kind}], own[kind][at])
			}
		}
		after, c := 0.0, v.Count(j, slotmodel.Map)
		if c.Done < c.Tasks { // the reduces need no more slots than there are
			for i := range int(v.Count(j, slotmodel.Reduce).Tasks) {
				after = max(after, m.known(v.Task(j, slotmodel.Reduce, i), slotmodel.None))
			}
		}
		all[j] = due(v, j) - v.Now() - max(ends[pair{j, slotmodel.Map}]+after, ends[pair{j, slotmodel.Reduce}])
	}
	return all
}

// projected returns equation 3's time of what is left of a job: a task runs, is in a queue, or is a
// reduce that may run anywhere.
func (m *queueModel) projected(v *slotmodel.View, j slotmodel.Job) float64 {
	var longest [2]float64
	left := func(t slotmodel.Task, seconds float64) {
		if i, k, _ := v.Index(t); i == j {
			longest[k] = max(longest[k], seconds)
		}
	}
	for _, x := range m.running {
		left(x.Task, max(0, m.known(x.Task, x.Node)-(v.Now()-x.Start)))
	}
	for n, queue := range m.queues {
		for _, t := range queue {
			left(t, m.known(t, slotmodel.Node(n)))
		}
	}
	if c := v.Count(j, slotmodel.Map); c.Done < c.Tasks {
		for i := range int(v.Count(j, slotmodel.Reduce).Tasks) {
			t := v.Task(j, slotmodel.Reduce, i)
			left(t, m.known(t, slotmodel.None))
		}
	}
	return longest[0] + longest[1]
}

// Each worker starts the task that the definition names, in all orders that do not preempt. Times
// are multiples of 1/8, so that sums are exact.
func TestOrder(t *testing.T) {
	starts, moved, demoted := map[queues.Order]int{}, map[queues.Order]int{}, map[queues.Order]int{}
	property := func(t *rapid.T) {
		c := &slotmodel.Cluster{}
		nodes := rapid.IntRange(1, 3).Draw(t, "nodes")
		for range nodes {
			c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Maps: rapid.IntRange(1, 2).Draw(t, "maps"), Reduces: 1 + rapid.IntRange(1, 2).Draw(t, "reduces"),
				Slow: []slotmodel.Slowdown{{From: policytest.DrawWork(t, "slow"), Until: math.Inf(1), Factor: 2}}})
		}
		jobs := make([]slotmodel.JobSpec, rapid.IntRange(1, 8).Draw(t, "jobs"))
		for i := range jobs {
			s := &jobs[i]
			s.Arrival, s.Maps, s.Reduces = policytest.DrawWork(t, "arrival"), policytest.DrawPhase(t, "maps of job", 5), policytest.DrawPhase(t, "reduces of job", 2)
			if s.Deadline = s.Arrival + 2*policytest.DrawWork(t, "deadline"); rapid.IntRange(0, 5).Draw(t, "none") == 0 {
				s.Deadline = 0
			}
			s.Slowstart = float64(rapid.IntRange(0, 1).Draw(t, "slowstart"))
			s.After = max(0, rapid.IntRange(-8, i).Draw(t, "after"))
		}
		salt := rapid.IntRange(0, 100).Draw(t, "salt")
		m := &queueModel{t: t, estimate: func(t slotmodel.Task, n slotmodel.Node) float64 {
			x := (int(t)*7 + int(n)*3 + salt) % 17
			if x == 0 {
				return math.NaN()
			}
			return float64(x) / 8
		}}
		m.Policy = &queues.Policy{
			Order: queues.Order(rapid.IntRange(0, 7).Draw(t, "order")),
			Bind: func(_ *slotmodel.View, t slotmodel.Task) slotmodel.Node {
				return slotmodel.Node((int(t)*5 + salt) % nodes)
			},
			Remaining: queues.ByEstimate(func(_ *slotmodel.View, t slotmodel.Task, n slotmodel.Node) float64 {
				return m.estimate(t, n)
			}),
		}
		res, err := slotmodel.Run(c, jobs, m, slotmodel.Options{})
		if err != nil {
			t.Fatalf("Run failed: %v", err)
		}
		for j, r := range res.Jobs {
			if r.Outcome != slotmodel.Finished {
				t.Fatalf("job %d: %v, want it finished", j, r.Outcome)
			}
		}
		starts[m.Order] += m.starts
		moved[m.Order] += m.moved
		demoted[m.Order] += m.demoted
	}
	rapid.Check(t, property)
	clear(starts)
	clear(moved)
	clear(demoted)
	policytest.Counted(t, 3000, property)
	for o := range queues.EDFPreempting {
		if starts[o] < 500 || o >= queues.EDF && moved[o] < 50 {
			t.Errorf("order %d: %d starts, %d of them not of the oldest task: the workloads test nothing", o, starts[o], moved[o])
		}
	}
	for _, o := range []queues.Order{queues.LLF, queues.EDFDemoted, queues.LLFAhead, queues.JobLLF} {
		if demoted[o] < 20 {
			t.Errorf("%v: jobs of negative laxity were passed over %d times, want 20", o, demoted[o])
		}
	}
}

func TestEnumerationsKeepTheirWords(t *testing.T) {
	expect.Words(t, map[queues.Order]string{
		queues.FIFO: "FIFO", queues.Fair: "Fair", queues.EDF: "EDF", queues.LLF: "LLF",
		queues.Turns: "Turns", queues.EDFDemoted: "EDFDemoted", queues.LLFAhead: "LLFAhead",
		queues.JobLLF: "JobLLF", queues.EDFPreempting: "EDFPreempting",
		queues.JobLLFPreempting: "JobLLFPreempting",
	})
}

// A reduce in a queue stays there when a map of its job runs again for a lost output: only the
// first end of the maps binds the reduces. They start when the maps have ended again.
func TestBoundOnce(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{
		{Maps: 1, Down: []slotmodel.Outage{{From: 2, Until: math.Inf(1)}}},
		{Maps: 1},
		{Reduces: 1},
	}}
	job := slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 2, Work: 1}, Reduces: slotmodel.Phase{Tasks: 2, Work: 7.1}}
	var binds [2][2]int // by kind and task
	q := &queues.Policy{Bind: func(v *slotmodel.View, t slotmodel.Task) slotmodel.Node {
		_, k, i := v.Index(t)
		binds[k][i]++
		return slotmodel.None
	}}
	lost := 0
	res, err := slotmodel.Run(c, []slotmodel.JobSpec{job}, q, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type == slotmodel.OutputLost {
			lost++
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Jobs[0].Outcome != slotmodel.Finished || lost != 1 || binds[slotmodel.Reduce] != [2]int{1, 1} {
		t.Errorf("the job is %v after %d lost outputs, its reduces are bound %v times, want finished after 1, bound once each", res.Jobs[0].Outcome, lost, binds[slotmodel.Reduce])
	}
}

// again is a policy whose decisions are made anew many times, and the allocations of each counted.
type again struct {
	*queues.Policy
	at     float64
	allocs float64 // by a decision at that time
}

func (p *again) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.Policy.Decide(v, a)
	if v.Now() == p.at {
		p.allocs = testing.AllocsPerRun(100, func() { p.Policy.Decide(v, a) })
	}
}

// A decision allocates nothing while tasks wait that no node which is up can hold.
func TestLooseAllocations(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{
		{Maps: 2, Memory: 8, Down: []slotmodel.Outage{{From: 1, Until: 100}}},
		{Maps: 1, Memory: 1},
	}}
	large, small := policytest.Maps(2, 20, .3), policytest.Maps(3, 1, 7.1)
	large.Maps.Memory = 8
	p := &again{Policy: new(queues.Policy), at: 3, allocs: -1}
	res, err := slotmodel.Run(c, []slotmodel.JobSpec{large, small}, p, slotmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !(res.Jobs[0].Finish > 100) || p.allocs != 0 {
		t.Errorf("the large job ends at %v, a decision while it waits allocates %v times, want after 100, and 0", res.Jobs[0].Finish, p.allocs)
	}
}

// What is no task or no node of a run is unknown to every Remaining of the package, and never NaN.
func TestRemainingOfNothing(t *testing.T) {
	byProgress := queues.ByProgress(nil)
	ask := func(name string, v *slotmodel.View, task slotmodel.Task, n slotmodel.Node) {
		for _, x := range []slotmodel.Attempt{slotmodel.None, 0, 7} {
			if got := queues.TrueRemaining(v, task, n, x); !(got < 0) {
				t.Errorf("%s: TrueRemaining(task %d, node %d, attempt %d) = %v, want unknown, below 0", name, task, n, x, got)
			}
			if got := byProgress(v, task, n, slotmodel.None); !(got < 0) {
				t.Errorf("%s: ByProgress(nil)(task %d, node %d) = %v, want unknown, below 0", name, task, n, got)
			}
		}
	}
	for _, n := range []slotmodel.Node{slotmodel.None, 0, 7} {
		ask("no run", new(slotmodel.View), 0, n)
	}
	p := &policytest.After{Policy: policy.FIFO{}, Check: func(v *slotmodel.View) {
		ask("no such node", v, 0, 7)
		ask("no such task", v, 7, 0)
	}}
	if _, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 1)}, []slotmodel.JobSpec{policytest.Maps(0, 1, 5)}, p, slotmodel.Options{}); err != nil {
		t.Fatal(err)
	}
}
