package dynprio_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// plainPolicy is Policy without preemption by its definition: all is looked up anew for every
// start. It keeps the running attempts by the event log.
type plainPolicy struct {
	o        *dynprio.Policy
	accounts []market.User
	rates    []market.Credits
	grants   []market.Slots
	running  map[slotmodel.Attempt]*plainAttempt
	ended    []*plainAttempt // since the last Step
	last     float64
	next     float64
	was      bool // jobs were present at the last Step
}

// plainAttempt is an attempt that holds a slot.
type plainAttempt struct {
	user     int
	kind     slotmodel.Kind
	from, to float64
}

func (p *plainPolicy) BeginRun(v *slotmodel.View) {
	p.running = map[slotmodel.Attempt]*plainAttempt{}
	p.accounts = append(slices.Clone(p.o.Users), make([]market.User, 8)...)[:v.Users()]
	p.grants = make([]market.Slots, v.Users())
	p.rates = nil
	for _, u := range p.accounts {
		p.rates = append(p.rates, u.Rate)
	}
}

func (p *plainPolicy) Observe(v *slotmodel.View, e slotmodel.Event) {
	switch e.Type {
	case slotmodel.Started:
		p.running[e.Attempt] = &plainAttempt{v.Spec(e.Job).User, e.Kind, v.Now(), math.Inf(1)}
	case slotmodel.Ended, slotmodel.Killed, slotmodel.Crashed:
		x := p.running[e.Attempt]
		x.to = v.Now()
		p.ended = append(p.ended, x)
		delete(p.running, e.Attempt)
	}
}

// held returns how many slots a user held at a time since the last Step.
func (p *plainPolicy) held(u int, k slotmodel.Kind, at float64) (n int) {
	count := func(x *plainAttempt) {
		if x.user == u && x.kind == k && x.from <= at && at < x.to {
			n++
		}
	}
	for _, x := range p.running {
		count(x)
	}
	for _, x := range p.ended {
		count(x)
	}
	return n
}

// used returns the slot-seconds within the grant since the last Step: a sum over the times between
// two changes.
func (p *plainPolicy) used(u int, k slotmodel.Kind, now float64) (sum float64) {
	times := []float64{p.last, now}
	for _, x := range p.running {
		times = append(times, max(p.last, x.from))
	}
	for _, x := range p.ended {
		times = append(times, max(p.last, x.from), x.to)
	}
	slices.Sort(times)
	for i := range len(times) - 1 {
		sum += float64(min(p.grants[u][k], p.held(u, k, times[i]))) * (times[i+1] - times[i])
	}
	return sum
}

// step makes a Step. The market itself is not what is tested.
func (p *plainPolicy) step(v *slotmodel.View) {
	users := slices.Clone(p.accounts)
	elapsed := (v.Now() - p.last) / p.o.Period
	for u := range users {
		boost, met := 1.0, false
		users[u].Demand = market.Slots{p.held(u, 0, v.Now()), p.held(u, 1, v.Now())}
		for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
			s := v.Spec(j)
			if s.User != u {
				continue
			}
			if !met && s.Priority > 0 {
				boost = s.Priority
			}
			met = true
			for k := range slotmodel.Kind(2) {
				// Tasks need no memory here.
				if c := v.Count(j, k); v.Runnable(j, k) && policytest.Wide(s) <= v.Slots(k) && v.Slots(k) > 0 {
					users[u].Demand[k] += int(c.Tasks - c.Running - c.Done)
				}
			}
		}
		for k := range slotmodel.Kind(2) {
			users[u].Used[k] = p.used(u, k, v.Now()) / p.o.Period
		}
		users[u].Rate = market.Credits(float64(p.rates[u]) * boost)
	}
	rules := p.o.Rules
	rules.Fill = market.NoFill
	if rules.Elapsed = elapsed; elapsed == 0 { // nothing to settle: an Elapsed of 0 would be a whole interval
		for u := range users {
			users[u].Income = 0
		}
	}
	grants, _, err := market.Step(nil, market.Slots{v.Slots(slotmodel.Map), v.Slots(slotmodel.Reduce)}, users, rules)
	if err != nil {
		panic(err)
	}
	for u, g := range grants {
		g.Next.Income = p.accounts[u].Income
		p.accounts[u], p.grants[u] = g.Next, g.Slots
	}
	p.last, p.ended = v.Now(), nil
}

func (p *plainPolicy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	present := v.NextActive(slotmodel.None) != slotmodel.None
	if present && v.Now() >= p.next || !present && p.was {
		p.step(v)
		p.was, p.next = present, v.Now()
		if present {
			p.next += p.o.Period
		}
	}
	for p.start(v, a) {
	}
	policy.FIFO{}.Decide(v, a)
	if len(p.running) > 0 && p.next > v.Now() {
		a.Wake(p.next)
	}
}

// start makes the first start that the definition wants, and reports whether there is one.
func (p *plainPolicy) start(v *slotmodel.View, a *slotmodel.Actions) bool {
	for n := range slotmodel.Node(v.Nodes()) {
		type candidate struct {
			lack, at int
			job      slotmodel.Job
			kind     slotmodel.Kind
		}
		var all []candidate
		for k := range slotmodel.Kind(2) {
			for u := range p.accounts {
				lack := p.grants[u][k] - p.held(u, k, v.Now())
				first := -1
				for i, j := range policytest.Runnable(v, k) {
					s := v.Spec(j)
					if s.User != u {
						continue
					}
					if first < 0 {
						first = i
					}
					if lack > 0 && v.Free(k, n) > 0 && (policytest.Wide(s) > 1 && policytest.Wide(s) <= min(lack, v.FreeSlots(k)) || policytest.Wide(s) == 1 && v.Fits(j, k, n)) {
						all = append(all, candidate{lack, 2*first + int(k), j, k})
						break
					}
				}
			}
		}
		if len(all) == 0 {
			continue
		}
		best := slices.MinFunc(all, func(x, y candidate) int {
			if x.lack != y.lack {
				return y.lack - x.lack
			}
			if x.kind != y.kind {
				return int(x.kind) - int(y.kind)
			}
			return x.at - y.at
		})
		if w := policytest.Wide(v.Spec(best.job)); w > 1 {
			var nodes []slotmodel.Node
			for n := v.NextFree(best.kind, slotmodel.None); n != slotmodel.None; n = v.NextFree(best.kind, n) {
				for range v.Free(best.kind, n) {
					nodes = append(nodes, n)
				}
			}
			return a.StartGang(best.job, nodes[:w])
		}
		return a.Start(best.job, best.kind, n)
	}
	return false
}

// Policy makes the starts that its definition makes, with accounts that run dry, nodes that fail,
// rigid jobs, two kinds, priorities.
func TestOrder(t *testing.T) {
	differ := 0
	property := func(t *rapid.T) {
		c := policytest.DrawCluster(t)
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		for i := range jobs {
			jobs[i].Priority = float64(rapid.IntRange(-1, 3).Draw(t, "priority"))
		}
		o := drawPolicy(t)
		o.Preempt.On, o.Changes, o.Rules.Fill, o.Rules.Charge = false, nil, market.FIFO, market.Basis(rapid.IntRange(0, 1).Draw(t, "within or spend")*2)
		got, err := slotmodel.Run(c, jobs, o, slotmodel.Options{Hash: true})
		want, plain := slotmodel.Run(c, jobs, &plainPolicy{o: o}, slotmodel.Options{Hash: true})
		if err != nil || plain != nil {
			t.Fatalf("Run failed: %v, by definition: %v", err, plain)
		}
		if got.Hash != want.Hash {
			t.Fatalf("Policy has other events than its definition")
		}
		if fifo, err := slotmodel.Run(c, jobs, policy.FIFO{}, slotmodel.Options{Hash: true}); err != nil || fifo.Hash != got.Hash {
			differ++
		}
	}
	rapid.Check(t, property)
	differ = 0
	policytest.Counted(t, 300, property)
	if differ < 40 {
		t.Errorf("%d of 300 runs differ from FIFO's, want 40: the workloads test nothing", differ)
	}
}
