package policy_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// watchedUsers is FairUsers each of whose walks is checked against the definition.
type watchedUsers struct {
	policy.FairUsers
	t    testing.TB
	last slotmodel.User
}

func (w *watchedUsers) Begin(v *slotmodel.View, n slotmodel.Node) {
	w.FairUsers.Begin(v, n)
	w.last = slotmodel.None
}

func (w *watchedUsers) Next(v *slotmodel.View) slotmodel.User {
	level := func(u slotmodel.User) float64 {
		held := 0
		for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
			if slotmodel.User(v.Spec(j).User) == u {
				held += int(v.Count(j, slotmodel.Map).Running + v.Count(j, slotmodel.Reduce).Running)
			}
		}
		return float64(held) / v.Entitlement(u)
	}
	after := func(u slotmodel.User) bool { // u comes after the last one
		return w.last == slotmodel.None || level(u) > level(w.last) || level(u) == level(w.last) && u > w.last
	}
	want, least := slotmodel.User(slotmodel.None), math.Inf(1)
	for u := range slotmodel.User(v.Users()) {
		if v.UserJobs(u) > 0 && after(u) && level(u) < least {
			want, least = u, level(u)
		}
	}
	got := w.FairUsers.Next(v)
	if got != want {
		w.t.Fatalf("at %v s user %d comes after user %d, want %d", v.Now(), got, w.last, want)
	}
	w.last = got
	return got
}

// watchedChooser is Earliest each of whose choices is checked against the definition.
type watchedChooser struct {
	policy.Earliest
	t       testing.TB
	choices int
}

func (w *watchedChooser) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	j, k, t, ok := w.Earliest.Choose(v, u, n)
	wantJob, wantKind, found := slotmodel.Job(slotmodel.None), slotmodel.Map, false
	for _, x := range policytest.ByArrival(v) {
		for kind := range slotmodel.Kind(2) {
			s := v.Spec(x)
			if found || slotmodel.User(s.User) != u || policytest.Wide(s) == 1 && !v.Fits(x, kind, n) || policytest.Wide(s) > 1 && (!v.Runnable(x, kind) || v.Free(kind, n) == 0 || policytest.Wide(s) > v.FreeSlots(kind)) {
				continue
			}
			wantJob, wantKind, found = x, kind, true
		}
	}
	if ok != found || ok && (j != wantJob || k != wantKind || t != slotmodel.None) {
		w.t.Fatalf("at %v s user %d starts a %v of job %d on node %d (%t), want a %v of job %d (%t)", v.Now(), u, k, j, n, ok, wantKind, wantJob, found)
	}
	w.choices++
	return j, k, t, ok
}

// Users and choices are those of the definition, no slot stays free that a job could use, and every
// job ends.
func TestPerUser(t *testing.T) {
	choices := 0
	draw := rapid.Custom(func(t *rapid.T) func(testing.TB) {
		c := policytest.DrawCluster(t)
		for i := range c.Nodes {
			c.Nodes[i].Slots = rapid.IntRange(0, 2).Draw(t, "shared slots")
		}
		jobs := policytest.DrawJobs(t, len(c.Nodes))
		weights := make([]float64, 4)
		for u := range weights {
			weights[u] = float64(rapid.IntRange(1, 3).Draw(t, "weight"))
		}
		return func(t testing.TB) {
			chooser := &watchedChooser{t: t}
			check := func(v *slotmodel.View) {
				for k := range slotmodel.Kind(2) {
					for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; n = v.NextFree(k, n) {
						for _, j := range policytest.Runnable(v, k) {
							if policytest.Wide(v.Spec(j)) == 1 && v.Fits(j, k, n) {
								t.Fatalf("at %v s a %v slot of node %d stays free while job %d waits", v.Now(), k, n, j)
							}
						}
					}
				}
			}
			p := &policy.PerUser{Users: &watchedUsers{t: t}, Chooser: chooser}
			res, err := slotmodel.Run(c, jobs, &policytest.After{Policy: p, Check: check}, slotmodel.Options{Entitlements: weights})
			if err != nil {
				t.Fatalf("Run failed: %v", err)
			}
			for j, r := range res.Jobs {
				if r.Outcome == slotmodel.Unended {
					t.Fatalf("job %d has not ended", j)
				}
			}
			choices += chooser.choices
		}
	})
	for seed := range 500 {
		draw.Example(seed)(t)
	}
	if choices < 10000 {
		t.Errorf("%d choices, want 10000: the workloads test nothing", choices)
	}
}

// part counts what a combinator hands on.
type part struct {
	policy.ByArrival
	policy.FairUsers
	begun, seen int
	at          float64
}

func (p *part) BeginRun(*slotmodel.View)                 { p.begun++ }
func (p *part) Observe(*slotmodel.View, slotmodel.Event) { p.seen++ }
func (p *part) Alarm(*slotmodel.View) float64            { return p.at }

// The types give a part one role each.
type (
	rankerPart struct{ *part }
	usersPart  struct{ *part }
	filterPart struct{ *part }
)

func (p rankerPart) Begin(v *slotmodel.View, k slotmodel.Kind) { p.ByArrival.Begin(v, k) }
func (p rankerPart) Next(v *slotmodel.View) slotmodel.Job      { return p.ByArrival.Next(v) }
func (p usersPart) Begin(v *slotmodel.View, n slotmodel.Node)  { p.FairUsers.Begin(v, n) }
func (p usersPart) Next(v *slotmodel.View) slotmodel.User      { return p.FairUsers.Next(v) }
func (p filterPart) Accept(v *slotmodel.View, _ slotmodel.Job, _ slotmodel.Kind, _ slotmodel.Node) bool {
	return v.Now() >= p.at
}

// Combinators hand on the beginning of a run, every event and the earliest alarm.
func TestCombinatorsHandOn(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 1)}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 2, 1), policytest.Maps(0, 1, 2)}
	for name, make := range map[string]func(a, b *part) slotmodel.Policy{
		"Greedy": func(a, b *part) slotmodel.Policy {
			return &policy.Greedy{Inner: rankerPart{a}, Filter: filterPart{b}}
		},
		"PerUser": func(a, b *part) slotmodel.Policy {
			return &policy.PerUser{Users: usersPart{a}, Chooser: &policy.Earliest{Filter: filterPart{b}}}
		},
	} {
		a, b := &part{at: math.Inf(1)}, &part{at: 3}
		p := make(a, b)
		for range 2 {
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
			if err != nil {
				t.Fatalf("%s: Run failed: %v", name, err)
			}
			// Nothing starts before the alarm at 3 s.
			if res.End != 7 {
				t.Errorf("%s: the run ends at %v s, want 7", name, res.End)
			}
		}
		if a.begun != 2 || b.begun != 2 || a.seen < 10 || a.seen != b.seen {
			t.Errorf("%s: its parts are told of %d and %d runs and %d and %d events, want 2 runs and all events each", name, a.begun, b.begun, a.seen, b.seen)
		}
	}
}

// dynprio.Policy does so for its filter.
func TestFilterHandedOn(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 1)}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 2, 1), policytest.Maps(0, 1, 2)}
	f := &part{at: 3}
	for _, p := range []slotmodel.Policy{
		&dynprio.Policy{Filter: filterPart{f}},
	} {
		f.begun, f.seen = 0, 0
		res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
		if err != nil {
			t.Fatalf("Run under %T failed: %v", p, err)
		}
		if res.End != 7 || f.begun != 1 || f.seen < 10 { // nothing starts before the alarm at 3 s
			t.Errorf("%T: the run ends at %v s, the filter is told of %d runs and %d events, want 7 s, 1 and at least 10", p, res.End, f.begun, f.seen)
		}
	}
}
