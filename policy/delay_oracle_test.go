package policy_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// definedDelay decides by the definition: from the blocks of the maps that wait and from what has
// happened since a job's last start.
type definedDelay struct {
	t          rapid.TB
	node, rack float64
	filter     slotmodel.Observer
	accept     func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool
	level      []int     // distance of the block that the job's last map started from
	first      []float64 // the first refusal since then; -1: none
	accepted   [3]int
	refused    int
}

func (d *definedDelay) BeginRun(v *slotmodel.View) {
	policytest.Begin(d.filter, v)
	d.level, d.first = make([]int, v.Jobs()), make([]float64, v.Jobs())
	for j := range d.first {
		d.first[j] = -1
	}
}

func (d *definedDelay) Alarm(v *slotmodel.View) float64 { return d.filter.(policy.Alarm).Alarm(v) }

// near returns how far from a node the nearest block of a task is.
func near(v *slotmodel.View, j slotmodel.Job, i int, n slotmodel.Node) int {
	s, best := v.Spec(j), 2
	for _, at := range s.Replicas[i*s.Copies : (i+1)*s.Copies] {
		switch {
		case at == int32(n):
			return 0
		case at >= 0 && v.RackOf(slotmodel.Node(at)) == v.RackOf(n):
			best = 1
		}
	}
	return best
}

func (d *definedDelay) Observe(v *slotmodel.View, e slotmodel.Event) {
	d.filter.Observe(v, e)
	if e.Type == slotmodel.Started && e.Kind == slotmodel.Map && v.Spec(e.Job).Replicas != nil {
		_, _, i := v.Index(e.Task)
		d.level[e.Job], d.first[e.Job] = near(v, e.Job, i, e.Node), -1
	}
}

func (d *definedDelay) Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	got := d.accept(v, j, k, n)
	s := v.Spec(j)
	if k == slotmodel.Reduce || s.Replicas == nil {
		if !got {
			d.t.Fatalf("at %v s job %d refuses node %d for a %v, want it to accept what has no block", v.Now(), j, n, k)
		}
		return got
	}
	nearest := 2
	for t := v.NextPending(j, k, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, k, t) {
		_, _, i := v.Index(t)
		nearest = min(nearest, near(v, j, i, n))
	}
	since := d.first[j]
	if since < 0 {
		since = v.Now()
	}
	until := [3][3]float64{{since, since + d.node, since + (d.node + d.rack)}, {since, since, since + d.rack}, {since, since, since}}[d.level[j]]
	if want := v.Now() >= until[nearest]; got != want {
		d.t.Fatalf("at %v s job %d of level %d, which first refused a node at %v s, accepts node %d, whose nearest block has distance %d: %t, want %t",
			v.Now(), j, d.level[j], d.first[j], n, nearest, got, want)
	}
	if got {
		d.accepted[nearest]++
	} else {
		d.refused++
		d.first[j] = since
	}
	return got
}

// longest is a Ranker of somebody else's: the job with the most maps left first, ties by arrival.
type longest struct {
	jobs []slotmodel.Job
	next int
}

func (r *longest) Begin(v *slotmodel.View, k slotmodel.Kind) {
	r.jobs, r.next = r.jobs[:0], 0
	for j := v.NextRunnable(slotmodel.None, k); j != slotmodel.None; j = v.NextRunnable(j, k) {
		r.jobs = append(r.jobs, j)
	}
	slices.SortStableFunc(r.jobs, func(a, b slotmodel.Job) int { return cmp.Compare(left(v, b), left(v, a)) })
}

func (r *longest) Next(*slotmodel.View) slotmodel.Job {
	if r.next == len(r.jobs) {
		return slotmodel.None
	}
	r.next++
	return r.jobs[r.next-1]
}

func left(v *slotmodel.View, j slotmodel.Job) int32 {
	c := v.Count(j, slotmodel.Map)
	return c.Tasks - c.Done
}

// comparing is longest with a Comparer.
type comparing struct {
	longest
	asked *int
}

func (r *comparing) Ahead(v *slotmodel.View, _ slotmodel.Kind, a, b slotmodel.Job) (first, known bool) {
	*r.asked++
	if c := cmp.Compare(left(v, a), left(v, b)); c != 0 {
		return c > 0, true
	}
	_, x := v.Arrival(a)
	_, y := v.Arrival(b)
	return x < y, true
}

// plain is a Ranker without its Comparer.
type plain struct{ inner policy.Ranker }

func (r plain) Begin(v *slotmodel.View, k slotmodel.Kind) { r.inner.Begin(v, k) }
func (r plain) Next(v *slotmodel.View) slotmodel.Job      { return r.inner.Next(v) }
func (r plain) BeginRun(v *slotmodel.View)                { r.inner.(slotmodel.Beginner).BeginRun(v) }
func (r plain) Observe(v *slotmodel.View, e slotmodel.Event) {
	r.inner.(slotmodel.Observer).Observe(v, e)
}

// Every answer of Delay is that of the definition, and the starts that its index finds are those of
// offering every node to every job.
func TestDelayIsDefined(t *testing.T) {
	var accepted [3]int
	refused, asked := 0, 0
	check := func(t rapid.TB, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, make func() policy.Ranker, node, rack float64, overtake bool) {
		run := func(p slotmodel.Policy) uint64 {
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true})
			if err != nil {
				t.Fatalf("Run(Delay{%v, %v}) failed: %v", node, rack, err)
			}
			return res.Hash
		}
		delay := &policy.Delay{Node: node, Rack: rack}
		defined := &definedDelay{t: t, node: node, rack: rack, filter: delay, accept: delay.Accept}
		want := run(&policy.Greedy{Inner: make(), Filter: defined, Overtake: overtake})
		if got := run(&policy.Delay{Inner: make(), Node: node, Rack: rack, Overtake: overtake}); got != want {
			t.Fatalf("Delay{%v, %v}: the events have hash %x, with every node offered to every job %x", node, rack, got, want)
		}
		if got := run(&policy.Greedy{Inner: make(), Filter: &policy.Delay{Node: node, Rack: rack}, Overtake: overtake}); got != want {
			t.Fatalf("Delay{%v, %v}: as a filter the events have hash %x, want %x", node, rack, got, want)
		}
		refused += defined.refused
		for i, n := range defined.accepted {
			accepted[i] += n
		}
	}
	inner := []func() policy.Ranker{
		func() policy.Ranker { return nil },
		func() policy.Ranker { return new(policy.Fair) },
		func() policy.Ranker { return new(policy.SRPT) },
		func() policy.Ranker { return new(hfsp.Policy) },
		func() policy.Ranker { return &hfsp.Policy{NoCaps: true, Samples: 2, Limit: .2} },
		func() policy.Ranker { // some sizes are far too low, so that phases are late
			return &hfsp.Policy{Samples: 1, Limit: .02, Size: func(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
				return []float64{.1, 1, 3}[j%3] * hfsp.TrueSize(v, j, k)
			}}
		},
		func() policy.Ranker { return &policy.Capacity{Guaranteed: []float64{.4, .3, .3}} },
		func() policy.Ranker {
			return &policy.Fair{PoolOf: policy.ByUser, Pools: []policy.Pool{{MinMaps: 2}, {Weight: 2}}}
		},
		// As a Ranker it orders by the work left now.
		func() policy.Ranker { return &policy.SRPT{Preempt: policy.PreemptKill} },
		func() policy.Ranker { return policy.By(workOfTasks) },
		func() policy.Ranker { return new(longest) },
		func() policy.Ranker { return &comparing{asked: &asked} },
		func() policy.Ranker { return plain{new(policy.Fair)} },
	}
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		gangs := rapid.IntRange(0, 3).Draw(t, "gangs") == 0
		memory := max(0, rapid.IntRange(-6, 2).Draw(t, "memory"))
		for i := range c.Nodes {
			// With gangs a reduce that holds a shared slot would wait for a map that a rigid job
			// holds up.
			if c.Nodes[i].Memory = 3; !gangs {
				c.Nodes[i].Slots = max(0, rapid.IntRange(-2, 1).Draw(t, "shared"))
			}
		}
		for i := range jobs {
			if jobs[i].Rigid = jobs[i].Rigid && gangs; policytest.Wide(&jobs[i]) > 1 {
				jobs[i].Replicas = nil // the filter is not asked about rigid jobs
			} else {
				jobs[i].Maps.Memory = float64(memory * (i % 2))
			}
		}
		wait := func(name string) float64 {
			if rapid.IntRange(0, 15).Draw(t, "short") == 0 {
				return 0x1p-50 // beyond 4 s the clock does not tell it from 0
			}
			return policytest.DrawWork(t, name) / 2
		}
		i := rapid.IntRange(0, len(inner)-1).Draw(t, "inner")
		check(t, c, jobs, inner[i], wait("node"), wait("rack"), rapid.Bool().Draw(t, "overtake"))
	}
	rapid.Check(t, property)
	accepted, refused = [3]int{}, 0
	policytest.Counted(t, 1000, property)
	for seed := range uint64(70) {
		r := rand.New(rand.NewPCG(seed, 17))
		c, jobs := policytest.Blocked(seed, 100)
		for i := range jobs {
			jobs[i].Arrival *= []float64{.2, 1, 2}[seed%3] // backlogs, and none
		}
		check(t, c, jobs, inner[seed%uint64(len(inner))], 10*r.Float64(), 10*r.Float64(), false)
	}
	if asked < 20 {
		t.Errorf("a Comparer is asked %d times, want 20", asked)
	}
	if accepted[0] < 1000 || accepted[1] < 1000 || accepted[2] < 100 || refused < 1000 {
		t.Errorf("%v nodes are accepted by distance, %d refused: the workloads test nothing", accepted, refused)
	}
}
