package slotmodel_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
)

// drawGangs draws a case of the naive model in which most jobs are rigid, and most of these have
// maps of equal work on nodes of equal speed.
func drawGangs(r *rand.Rand) *naiveCase {
	f := anyFamily(r)
	f.rigid, f.fluid, f.random = true, 0, false
	f.speed, f.blocks = f.speed && r.IntN(4) == 0, f.blocks && r.IntN(2) == 0
	c := f.draw(r)
	if r.IntN(4) == 0 {
		c.until = float64(1 + r.IntN(30))
	}
	alike := r.IntN(3) > 0
	for i := range c.cluster.Nodes {
		if n := &c.cluster.Nodes[i]; alike {
			n.Speed, n.Maps = 1, n.Maps*(1+r.IntN(3))
		}
	}
	for i := range c.jobs {
		if s := &c.jobs[i]; s.Rigid && r.IntN(4) > 0 {
			s.Maps.Works, s.Replicas, s.Copies = nil, nil, 0
			if s.Requested = float64(r.IntN(12)); r.IntN(3) == 0 {
				s.Walltime = float64(1 + r.IntN(9))
			}
		}
	}
	return c
}

// prying is a policy that asks now and then what only single attempts can answer, also about
// attempts that there are not, and kills some.
type prying struct {
	slotmodel.Policy
	r     *rand.Rand
	kills int
	seen  float64
}

func (p *prying) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p.r.IntN(3) > 0 {
		p.Policy.Decide(v, a)
	} else {
		defer p.Policy.Decide(v, a)
	}
	j := slotmodel.Job(p.r.IntN(v.Jobs()+1) - 1)
	switch p.r.IntN(26) {
	case 0:
		p.seen += v.WorkLeft(j, slotmodel.Map)
	case 1, 2:
		for x := v.Newest(j, slotmodel.Map); x != slotmodel.None; x = v.Older(x) {
			p.seen += v.Attempt(x).Progress
		}
	case 3, 4:
		i := v.Attempt(slotmodel.Attempt(p.r.IntN(9) - 1))
		p.seen += i.Progress + float64(i.Task) + i.Computed
	case 5:
		if x := slotmodel.Attempt(p.r.IntN(9)); p.kills > 0 && v.Attempt(x).Job != slotmodel.None {
			p.kills--
			a.Kill(x)
		}
	case 6:
		if x := v.Newest(j, slotmodel.Map); p.kills > 0 && x != slotmodel.None {
			p.kills--
			a.Kill(x)
		}
	case 7:
		p.seen += float64(v.Started(j, slotmodel.Map, 0))
	case 8:
		if n := slotmodel.Node(p.r.IntN(v.Nodes())); v.Runnable(j, slotmodel.Map) && p.r.IntN(8) == 0 {
			a.StartGang(j, []slotmodel.Node{n, n, 0, n}) // allowed or not
		}
	case 10, 11:
		if s := v.Count(j, slotmodel.Map); v.Runnable(j, slotmodel.Map) && s.Pending() == int(s.Tasks) {
			if nodes := seats(v, j); nodes != nil { // whether the job is rigid or not
				a.StartGang(j, nodes)
			}
		}
	case 9:
		a.Wake(v.Now() + 1)
	}
}

// pryingObserver is prying around a policy that observes and begins.
type pryingObserver struct{ prying }

func (p *pryingObserver) BeginRun(v *slotmodel.View) { p.Policy.(slotmodel.Beginner).BeginRun(v) }
func (p *pryingObserver) Observe(v *slotmodel.View, e slotmodel.Event) {
	p.Policy.(slotmodel.Observer).Observe(v, e)
}
func (p *pryingObserver) ObservesGangs(self any) bool { return self == any(p) }

// gangPolicies makes policies for a case: some preempt, some plan, some ask about attempts.
func gangPolicies(c *naiveCase, seed uint64) []slotmodel.Policy {
	pry := func(p slotmodel.Policy) slotmodel.Policy {
		inner := prying{Policy: p, r: rand.New(rand.NewPCG(seed, 3)), kills: 2}
		if _, ok := p.(slotmodel.GangObserver); ok {
			return &pryingObserver{inner}
		}
		return &inner
	}
	narrow := func(v *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind) float64 {
		return float64(v.Spec(j).Maps.Tasks)
	}
	half := func(v *slotmodel.View, j slotmodel.Job) float64 { return v.Spec(j).Requested / 2 }
	return []slotmodel.Policy{
		policy.FIFO{}, pry(policy.FIFO{}), &policy.Greedy{Overtake: true}, new(policy.Fair), pry(new(policy.Fair)),
		&policy.Fair{MinTimeout: 2, Pools: []policy.Pool{{MinMaps: 2}}, PoolOf: policy.ByUser}, &policy.SRPT{Preempt: policy.PreemptSuspend},
		&policy.SRPT{Preempt: policy.PreemptKill}, &policy.Greedy{Inner: policy.By(narrow)}, new(policy.PerUser), new(policy.Backfill), pry(new(policy.Backfill)),
		&policy.Backfill{Shortest: true, Time: half}, &policy.Backfill{Depth: -1}, pry(&policy.Backfill{Depth: -1}), &policy.Backfill{Depth: 2, Inner: new(policy.Fair)}, new(hfsp.Policy),
		&firstFit{script: c.script},
	}
}

// apart and together say what became of a case whose attempts are kept apart by a listener, and of
// one whose gangs are folded.
func (c *naiveCase) outcome(p slotmodel.Policy, listener func(slotmodel.Event)) string {
	r, err := slotmodel.Run(&c.cluster, c.jobs, p, slotmodel.Options{Until: c.until, Period: c.period, Entitlements: c.weight, Hash: true, Log: listener})
	return fmt.Sprintf("%v: %+v", err, r)
}

// checkGangs compares them, for each policy.
func checkGangs(t *testing.T, c *naiveCase, seed uint64) {
	t.Helper()
	folded, apart := gangPolicies(c, seed), gangPolicies(c, seed)
	for i := range folded {
		want := c.outcome(apart[i], func(slotmodel.Event) {})
		if got := c.outcome(folded[i], nil); got != want {
			t.Fatalf("policy %d, %T: %s, want %s; Run(%+v, %+v) until %v", i, folded[i], got, want, c.cluster, c.jobs, c.until)
		}
		a, b := reflect.ValueOf(folded[i]), reflect.ValueOf(apart[i])
		if a.Kind() == reflect.Pointer && a.Elem().FieldByName("seen").IsValid() && a.Elem().FieldByName("seen").Float() != b.Elem().FieldByName("seen").Float() {
			t.Fatalf("policy %d, %T: it has seen %v, want %v; Run(%+v, %+v)", i, folded[i], a.Elem().FieldByName("seen"), b.Elem().FieldByName("seen"), c.cluster, c.jobs)
		}
	}
}

// A run whose gangs are folded has the same result, to the bit, and the same events as one in which
// each attempt is kept apart, whatever tells attempts apart on the way.
func TestGangsFolded(t *testing.T) {
	cases := 5000
	if testing.Short() {
		cases = 500
	}
	for i := range uint64(cases) {
		r := rand.New(rand.NewPCG(i, 79))
		checkGangs(t, drawGangs(r), i)
	}
}

// counter counts the Started and Ended events that it is shown.
type counter struct {
	policy.Backfill
	shown int
}

func (c *counter) Observe(v *slotmodel.View, e slotmodel.Event) {
	if e.Type == slotmodel.Started || e.Type == slotmodel.Ended {
		c.shown++
	}
	c.Backfill.Observe(v, e)
}

// promising is a counter for which one call a gang is enough.
type promising struct{ counter }

func (p *promising) ObservesGangs(self any) bool { return self == any(p) }

// silent is an Observer around which Backfill makes no promise.
type silent struct {
	policy.ByArrival
	counter
}

// Who promises it sees a gang once; a type that only embeds who promises, and one whose part does
// not promise, sees every map.
func TestGangObserver(t *testing.T) {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 3}, {Maps: 3}}}
	jobs := []slotmodel.JobSpec{{Rigid: true, Maps: slotmodel.Phase{Tasks: 5, Work: 1}}}
	embeds, promises, inner := new(counter), new(promising), new(silent)
	for _, c := range []struct {
		p     slotmodel.Policy
		shown *int
		want  int
	}{{embeds, &embeds.shown, 10}, {promises, &promises.shown, 2}, {&policy.Backfill{Inner: inner}, &inner.shown, 10}} {
		r, err := slotmodel.Run(cluster, jobs, c.p, slotmodel.Options{})
		if err != nil || r.Events != 14 || *c.shown != c.want {
			t.Errorf("%T is shown %d starts and ends, want %d; %d events, want 14: %v", c.p, *c.shown, c.want, r.Events, err)
		}
	}
}

// drawnSource takes random numbers from data, then from a generator.
type drawnSource struct {
	data []byte
	rest rand.PCG
}

func (s *drawnSource) Uint64() uint64 {
	if len(s.data) < 8 {
		return s.rest.Uint64()
	}
	x := binary.LittleEndian.Uint64(s.data)
	s.data = s.data[8:]
	return x
}

func FuzzGangsFolded(f *testing.F) {
	for i := range uint64(50) {
		f.Add(binary.LittleEndian.AppendUint64(nil, i*0x9e3779b97f4a7c15))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkGangs(t, drawGangs(rand.New(&drawnSource{data: data})), uint64(len(data)))
	})
}
