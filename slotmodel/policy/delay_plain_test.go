package policy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
)

// plainDelay is delay scheduling by walks alone: every node that may have something new for somebody is offered to one job after the other.
type plainDelay struct {
	inner      policy.Ranker
	node, rack float64
	overtake   bool

	jobs    []waiting
	refused []int // the round in which everybody let a node pass
	round   int
	due     float64
	asked   float64
}

type waiting struct {
	since float64 // +Inf: no offer has been let pass
	level int
}

func (d *plainDelay) Observe(v *slotmodel.View, e slotmodel.Event) {
	if d.jobs == nil {
		d.jobs, d.refused, d.round, d.due, d.asked = make([]waiting, v.Jobs()), make([]int, v.Nodes()), 1, math.Inf(1), -1
		for j := range d.jobs {
			d.jobs[j].since = math.Inf(1)
		}
	}
	switch e.Type {
	case slotmodel.Ended, slotmodel.Suspends:
		d.refused[e.Node] = 0
	case slotmodel.Ready, slotmodel.Killed, slotmodel.Crashed, slotmodel.OutputLost, slotmodel.NodeUp, slotmodel.NodeDown:
		d.round++
	}
	if o, ok := d.inner.(slotmodel.Observer); ok {
		o.Observe(v, e)
	}
}

func (d *plainDelay) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if d.jobs == nil {
		return
	}
	if v.Now() >= d.due {
		d.due = math.Inf(1)
		d.round++
	}
	for n := v.NextFree(slotmodel.Map, slotmodel.None); n != slotmodel.None; n = v.NextFree(slotmodel.Map, n) {
		for d.refused[n] != d.round && v.Free(n, slotmodel.Map) > 0 {
			if !d.offer(v, a, n) {
				break
			}
		}
	}
	for n := v.NextFree(slotmodel.Reduce, slotmodel.None); n != slotmodel.None; n = v.NextFree(slotmodel.Reduce, n-1) {
		d.inner.Begin(v, slotmodel.Reduce)
		j := d.inner.Next(v)
		if j == slotmodel.None {
			break
		}
		a.Start(j, slotmodel.Reduce, n)
	}
	if d.due <= math.MaxFloat64 && (d.asked <= v.Now() || d.due < d.asked) {
		a.Wake(d.due)
		d.asked = d.due
	}
}

// offer offers a node, and reports whether a job has started.
func (d *plainDelay) offer(v *slotmodel.View, a *slotmodel.Actions, n slotmodel.Node) bool {
	d.inner.Begin(v, slotmodel.Map)
	for j := d.inner.Next(v); j != slotmodel.None; j = d.inner.Next(v) {
		s := v.Spec(j)
		if w := wide(s); w > 1 {
			if w <= v.FreeSlots(slotmodel.Map) {
				var on []slotmodel.Node
				for n := v.NextFree(slotmodel.Map, slotmodel.None); n != slotmodel.None; n = v.NextFree(slotmodel.Map, n) {
					for i := 0; i < v.Free(n, slotmodel.Map) && len(on) < w; i++ {
						on = append(on, n)
					}
				}
				return a.StartGang(j, on)
			}
			if !d.overtake && w <= v.Slots(slotmodel.Map) {
				return false
			}
			continue
		}
		if s.Replicas == nil {
			return a.Start(j, slotmodel.Map, n)
		}
		x := &d.jobs[j]
		x.since = min(x.since, v.Now())
		forRack, forAny := x.since, x.since
		switch x.level {
		case 0:
			forRack += d.node
			forAny += d.node + d.rack
		case 1:
			forAny += d.rack
		}
		level := 2
		switch {
		case v.Local(j, n) != slotmodel.None:
			level = 0
		case v.Now() >= forRack && v.LocalRack(j, v.RackOf(n)) != slotmodel.None:
			level = 1
		case v.Now() < forAny:
			if forRack > v.Now() {
				d.due = min(d.due, forRack)
			} else {
				d.due = min(d.due, forAny)
			}
			continue
		}
		*x = waiting{math.Inf(1), level}
		return a.Start(j, slotmodel.Map, n)
	}
	d.refused[n] = d.round
	return false
}

// walked is a Ranker of which nothing is known but its walk.
type walked struct{ policy.Ranker }

func (w walked) Observe(v *slotmodel.View, e slotmodel.Event) {
	if o, ok := w.Ranker.(slotmodel.Observer); ok {
		o.Observe(v, e)
	}
}

// innerRankers makes one of each; those with the same name are in the same order.
var innerRankers = []struct {
	name string
	make func() policy.Ranker
}{
	{"ByArrival", func() policy.Ranker { return new(policy.ByArrival) }},
	{"ByArrival, walked", func() policy.Ranker { return walked{new(policy.ByArrival)} }},
	{"Fair", func() policy.Ranker { return new(policy.Fair) }},
	{"Fair, users", func() policy.Ranker {
		return &policy.Fair{PoolOf: policy.ByUser, Pools: []policy.Pool{{Weight: 2, MinMaps: 2}, {}, {MinMaps: 1}}}
	}},
	{"Fair, deficits", func() policy.Ranker {
		return &policy.Fair{Deficits: true, PoolOf: policy.ByUser, Pools: []policy.Pool{{MinMaps: 2}}, Update: .5}
	}},
	{"SRPT", func() policy.Ranker { return new(policy.SRPT) }},
	{"HFSP", func() policy.Ranker { return new(policy.HFSP) }},
}

// sameDelay compares the events of Delay with those of plainDelay, and returns how many maps ran near their blocks, and elsewhere.
func sameDelay(t testing.TB, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, inner int, node, rack float64, overtake bool) (near, far int) {
	r := innerRankers[inner]
	got, err := slotmodel.Run(c, jobs, &policy.Delay{Inner: r.make(), Node: node, Rack: rack, Overtake: overtake}, slotmodel.Options{Hash: true})
	want, plain := slotmodel.Run(c, jobs, &plainDelay{inner: r.make(), node: node, rack: rack, overtake: overtake}, slotmodel.Options{Hash: true})
	if err != nil || plain != nil {
		t.Fatalf("Run(Delay{%s, %v, %v}) failed: %v; by walks alone: %v", r.name, node, rack, err, plain)
	}
	if got.Hash != want.Hash || got.Events != want.Events {
		t.Fatalf("Delay{%s, %v, %v}, Overtake %v: %d events with hash %x, by walks alone %d with %x", r.name, node, rack, overtake, got.Events, got.Hash, want.Events, want.Hash)
	}
	return got.Totals.LocalMaps, got.Totals.RackMaps + got.Totals.RemoteMaps
}

// Delay does to the bit what it would do by walks alone: on small cases of all sorts, with losses and rigid jobs, and on larger ones.
func TestDelayIsPlain(t *testing.T) {
	const small, large = 4000, 60
	near, far := 0, 0
	count := func(a, b int) { near, far = near+a, far+b }
	draw := rapid.Custom(func(t *rapid.T) func(testing.TB) {
		c := drawCluster(t)
		jobs := drawJobs(t, len(c.Nodes))
		gangs := rapid.Bool().Draw(t, "gangs")
		for i := range jobs {
			jobs[i].Rigid = jobs[i].Rigid && gangs
		}
		inner := rapid.IntRange(0, len(innerRankers)-1).Draw(t, "inner")
		node, rack, overtake := drawWork(t, "node")/2, drawWork(t, "rack")/2, rapid.Bool().Draw(t, "overtake")
		return func(t testing.TB) {
			for i := range jobs {
				if wide(&jobs[i]) > 1 {
					jobs[i].Replicas = nil
				}
			}
			count(sameDelay(t, c, jobs, inner, node, rack, overtake))
		}
	})
	for seed := range small {
		draw.Example(seed)(t)
	}
	for seed := range uint64(large) {
		r := rand.New(rand.NewPCG(seed, 17))
		c, jobs := blocked(seed, 150)
		late := []float64{.2, 1, 2}[seed%3] // backlogs, and none
		for i := range jobs {
			jobs[i].Arrival *= late
		}
		if seed%4 == 0 {
			for n := range 5 {
				from := 200 * r.Float64()
				c.Nodes[8*n].Down = []slotmodel.Outage{{From: from, Until: from + 50*r.Float64()}}
			}
		}
		count(sameDelay(t, c, jobs, int(seed)%len(innerRankers), 10*r.Float64(), 10*r.Float64(), false))
	}
	if near < 10000 || far < 10000 {
		t.Errorf("%d maps ran on nodes with their blocks and %d elsewhere, want 10000 each: the workloads test nothing", near, far)
	}
}
