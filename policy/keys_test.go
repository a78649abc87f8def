package policy_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// asking counts the keys that are asked for, and forgets them with every decision and event.
type asking struct {
	policy.Greedy
	t     *testing.T
	asked map[[2]int]bool // a job and a kind
	keys  int
	most  int // questions that a walk for each free node would ask
}

func (p *asking) key(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind) float64 {
	at := [2]int{int(j), int(k)}
	if p.asked[at] {
		p.t.Fatalf("at %v s the key of job %d is asked for twice between two events", v.Now(), j)
	}
	p.asked[at] = true
	p.keys++
	return tasksLeft(v, j, k)
}

func (p *asking) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	clear(p.asked)
	for k := range slotmodel.Kind(2) {
		for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; n = v.NextFree(k, n) {
			for j := v.NextRunnable(slotmodel.None, k); j != slotmodel.None; j = v.NextRunnable(j, k) {
				p.most++
			}
		}
	}
	p.Greedy.Decide(v, a)
}

func (p *asking) Observe(v *slotmodel.View, e slotmodel.Event) {
	clear(p.asked)
	p.Greedy.Observe(v, e)
}

// Between two events, an action's among them, Greedy asks a Ranker once,
// however many nodes a filter refuses: By asks for each key at most once.
func TestKeysAskedOnce(t *testing.T) {
	c, jobs := policytest.Blocked(11, 150)
	heavy, large := policytest.Blocked(12, 100)
	for i := range heavy.Nodes {
		heavy.Nodes[i].Memory = 1
	}
	for i := range large {
		large[i].Maps.Memory = []float64{0, .1, .7, 1}[i%4]
	}
	for name, x := range map[string]struct {
		c      *slotmodel.Cluster
		jobs   []slotmodel.JobSpec
		filter policy.Filter
	}{
		"no filter":              {c, jobs, nil},
		"a quota":                {c, jobs, slotQuota(6)},
		"Delay":                  {c, jobs, &policy.Delay{Node: 4, Rack: 4}},
		"Delay, asked as any":    {c, jobs, &policy.Delay{Node: 4, Rack: 4, Skips: true}},
		"memory":                 {heavy, large, nil},
		"memory, a quota":        {heavy, large, slotQuota(6)},
		"memory, Delay for long": {heavy, large, &policy.Delay{Node: 20, Rack: 20}},
	} {
		p := &asking{t: t, asked: map[[2]int]bool{}}
		p.Inner, p.Filter = policy.By(p.key), x.filter
		if _, err := slotmodel.Run(x.c, x.jobs, p, slotmodel.Options{}); err != nil {
			t.Fatalf("%s: Run failed: %v", name, err)
		}
		if name == "a quota" && !(5*p.keys < p.most) {
			t.Errorf("%s: %d keys asked for, %d would be for each free node: the workload tests nothing", name, p.keys, p.most)
		}
	}
}

// A key of NaN counts as +Inf: the job comes after all that have a key, ties by arrival.
func TestKeyNaN(t *testing.T) {
	keys := []float64{math.NaN(), math.Inf(1), math.MaxFloat64, -1}
	jobs := make([]slotmodel.JobSpec, len(keys))
	for j := range jobs {
		jobs[j] = policytest.Maps(0, 1, 1)
	}
	p := &policy.Greedy{Inner: policy.By(func(_ *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind) float64 { return keys[j] })}
	res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}, jobs, p, slotmodel.Options{})
	must(t, err)
	for j, want := range []float64{3, 4, 2, 1} {
		if got := res.Jobs[j].Finish; got != want {
			t.Errorf("the job with key %v ends at %v s, want %v", keys[j], got, want)
		}
	}
}
