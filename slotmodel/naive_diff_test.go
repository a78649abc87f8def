package slotmodel_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// naiveRounding is how far rounding may lead both models apart in a fluid network, relative to the
// length of the run: a hundred times what it does in these cases, where the end of one flow comes
// into the times of some dozens of others. Without flows they agree to the bit.
const naiveRounding = 1e-12

// The engine agrees with the naive model: each job's times, each user's, the totals and every
// event. Nodes, jobs and acts are drawn at random; times, works and speeds are small multiples of
// powers of two, so that much happens in one instant, except in a fluid network.
func TestNaive(t *testing.T) {
	for _, f := range []naiveFamily{
		{name: "phases", cases: 1500},
		{name: "ends", cases: 1500, ends: true},
		{name: "transfers", cases: 1500, blocks: true},
		{name: "kills", cases: 1500, kills: true},
		{name: "suspensions", cases: 1500, halts: true, kills: true},
		{name: "until", cases: 1500, until: true},
		{name: "losses", cases: 1500, faults: true},
		{name: "losses, transfers", cases: 1500, blocks: true, faults: true},
		{name: "rigid", cases: 1500, rigid: true, kills: true},
		{name: "all", cases: 3000, blocks: true, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "all, more", cases: 300, wide: 3, blocks: true, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "stuck", cases: 1500, bare: true, faults: true},
		{name: "stuck, all", cases: 1000, bare: true, wide: 2, blocks: true, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "odd", cases: 1500, odd: true, ends: true},
		{name: "odd, all", cases: 1500, odd: true, blocks: true, faults: true, rigid: true, kills: true, halts: true, until: true},
		{name: "random acts", cases: 1500, random: true},
		{name: "random acts, all", cases: 1500, random: true, blocks: true, faults: true, rigid: true, halts: true},
		{name: "random acts, odd", cases: 1500, random: true, blocks: true, faults: true, ends: true, halts: true, until: true, odd: true},
		{name: "memory", cases: 1500, memory: true},
		{name: "memory, all", cases: 1500, memory: true, blocks: true, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "shared", cases: 1500, shared: true},
		{name: "shared, losses", cases: 1500, shared: true, faults: true, blocks: true},
		{name: "shared, memory, all", cases: 3000, shared: true, memory: true, blocks: true, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "shared, memory, stuck", cases: 1500, shared: true, memory: true, bare: true, odd: true, faults: true, kills: true, halts: true},
		{name: "shared, memory, random acts", cases: 1500, random: true, shared: true, memory: true, faults: true, ends: true, rigid: true, halts: true},
		{name: "shared, memory, fluid", cases: 500, shared: true, memory: true, fluid: 2, faults: true, ends: true, kills: true, halts: true},
		{name: "slow", cases: 1000, slow: true},
		{name: "slow, all", cases: 1500, slow: true, shared: true, memory: true, blocks: true, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "slow, stuck", cases: 500, slow: true, bare: true, odd: true, faults: true, kills: true, halts: true},
		{name: "slow, random acts", cases: 500, random: true, slow: true, blocks: true, faults: true, ends: true, halts: true, until: true},
		{name: "slow, fluid", cases: 300, slow: true, fluid: 2, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "speed", cases: 1000, speed: true},
		{name: "speed, kills", cases: 1000, speed: true, kills: true, halts: true, ends: true},
		{name: "speed, all", cases: 1500, speed: true, slow: true, after: true, shared: true, memory: true, blocks: true, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "speed, stuck", cases: 500, speed: true, bare: true, odd: true, faults: true, kills: true, halts: true},
		{name: "speed, random acts", cases: 500, random: true, speed: true, slow: true, blocks: true, faults: true, ends: true, halts: true, until: true},
		{name: "speed, fluid", cases: 300, speed: true, slow: true, fluid: 2, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "after", cases: 1000, after: true},
		{name: "after, odd", cases: 500, after: true, odd: true, ends: true, until: true},
		{name: "after, stuck", cases: 500, after: true, odd: true, bare: true, faults: true, until: true},
		{name: "after, random acts", cases: 500, after: true, random: true, faults: true, ends: true, halts: true},
		{name: "after, all", cases: 1000, after: true, slow: true, shared: true, memory: true, blocks: true, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "after, fluid", cases: 200, after: true, fluid: 2, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "fluid", cases: 800, fluid: 1},
		{name: "fluid, losses", cases: 800, fluid: 1, faults: true},
		{name: "fluid, all", cases: 800, fluid: 1, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "fluid, more", cases: 40, wide: 3, fluid: 1, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "fluid, random acts", cases: 500, random: true, fluid: 1, faults: true, ends: true, rigid: true, halts: true},
		{name: "pairs of racks", cases: 500, fluid: 1, pairs: true, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "pairs of racks, NICs", cases: 300, fluid: 2, pairs: true, faults: true, ends: true, kills: true, halts: true},
		{name: "pairs of racks, more", cases: 40, wide: 3, fluid: 1, pairs: true, faults: true, ends: true, rigid: true, kills: true, halts: true},
		{name: "NICs", cases: 600, fluid: 2},
		{name: "NICs, losses", cases: 600, fluid: 2, faults: true},
		{name: "NICs, kills", cases: 500, fluid: 2, kills: true},
		{name: "NICs, all", cases: 600, fluid: 2, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "NICs, more", cases: 100, wide: 2, fluid: 2, faults: true, ends: true, rigid: true, kills: true, halts: true},
		{name: "NICs, random acts", cases: 500, random: true, fluid: 2, faults: true, ends: true, rigid: true, halts: true},
		{name: "NICs, odd", cases: 500, odd: true, bare: true, fluid: 2, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "riders", cases: 1500, riders: true},
		{name: "riders, kills", cases: 1500, riders: true, kills: true, halts: true},
		{name: "riders, ends", cases: 1500, riders: true, ends: true, blocks: true},
		{name: "riders, losses", cases: 1500, riders: true, blocks: true, faults: true, ends: true},
		{name: "riders, all", cases: 1500, riders: true, slow: true, after: true, shared: true, memory: true, blocks: true, faults: true, ends: true, rigid: true, kills: true, halts: true, until: true},
		{name: "riders, more", cases: 200, riders: true, wide: 3, speed: true, shared: true, memory: true, blocks: true, faults: true, ends: true, rigid: true, kills: true, halts: true},
		{name: "riders, stuck", cases: 1000, riders: true, bare: true, odd: true, memory: true, faults: true, kills: true, halts: true},
		{name: "riders, random acts", cases: 1500, riders: true, random: true, faults: true, ends: true, halts: true, until: true},
		{name: "riders, random acts, all", cases: 1000, riders: true, random: true, shared: true, memory: true, blocks: true, speed: true, slow: true, faults: true, ends: true, rigid: true, halts: true, odd: true},
		{name: "riders, fluid", cases: 500, riders: true, fluid: 1, faults: true, ends: true, kills: true, halts: true, until: true},
		{name: "riders, NICs", cases: 500, riders: true, fluid: 2, faults: true, ends: true, rigid: true, kills: true, halts: true},
		{name: "riders, fluid, random acts", cases: 500, riders: true, random: true, fluid: 2, faults: true, ends: true, rigid: true, halts: true},
	} {
		t.Run(f.name, func(t *testing.T) {
			cases := f.cases
			if testing.Short() {
				cases /= 5
			}
			for i, failed := 0, 0; i < cases && failed < 3; i++ {
				c := f.draw(rand.New(rand.NewPCG(uint64(i), 77)))
				faults := c.compare()
				for _, s := range faults {
					t.Errorf("case %d: %s", i, s)
				}
				if len(faults) > 0 {
					failed++
					t.Logf("case %d: Run(%+v, %+v), script %v, until %v", i, c.cluster, c.jobs, c.script, c.until)
				}
			}
		})
	}
}

// compare runs both models and says where they differ.
func (c *naiveCase) compare() []string {
	var log []slotmodel.Event
	random := &atRandom{r: c.random, apart: c.cluster.Network.Fluid}
	var p slotmodel.Policy = &firstFit{script: c.script}
	if c.random != nil {
		p = random
	}
	got, err := slotmodel.Run(&c.cluster, c.jobs, p, slotmodel.Options{Until: c.until, Log: func(e slotmodel.Event) { log = append(log, e) }})
	if err != nil {
		return []string{err.Error()}
	}
	n := newNaive(c)
	n.deeds = random.deeds
	want := n.run()
	var faults []string
	differ := func(what string, a, b any) {
		if s := fmt.Sprintf("%s: %+v, want %+v", what, a, b); !slices.Contains(faults, s) {
			faults = append(faults, s)
		}
	}
	same := func(what string, a, b any, x, y []float64) {
		for k := range x {
			if !c.near(x[k], y[k], want.End) {
				differ(what, a, b)
			}
		}
	}
	for j := range got.Jobs {
		g, w := &got.Jobs[j], &want.Jobs[j]
		if g.Outcome == slotmodel.Stuck && g.Reason == "" || !c.sameOutcome(g.Outcome, w.Outcome) {
			differ(fmt.Sprintf("job %d", j), *g, *w)
		}
		same(fmt.Sprintf("job %d", j), *g, *w, naiveTimes(g), naiveTimes(w))
	}
	same("totals", got.Totals, want.Totals, naiveSums(&got.Totals), naiveSums(&want.Totals))
	same("end", got.End, want.End, []float64{got.End, got.Totals.Load}, []float64{want.End, want.Totals.Load})
	for u := range got.Users {
		g, w := &got.Users[u], &want.Users[u]
		same(fmt.Sprintf("user %d", u), *g, *w, []float64{g.SlotSeconds[0], g.SlotSeconds[1]}, []float64{w.SlotSeconds[0], w.SlotSeconds[1]})
		if !(math.Abs(g.Entitled-w.Entitled) <= naiveRounding*want.End) { // thirds and the like
			differ(fmt.Sprintf("user %d", u), *g, *w)
		}
	}
	if got.Events != int64(len(n.log)) || len(log) != len(n.log) {
		differ("events", got.Events, len(n.log))
	}
	a, b := naiveSorted(log), naiveSorted(n.log)
	for i := range min(len(a), len(b)) {
		x := a[i]
		if c.near(x.Time, b[i].Time, want.End) && c.near(x.Value, b[i].Value, want.End) {
			x.Time, x.Value = b[i].Time, b[i].Value
		}
		if x != b[i] {
			differ("event", a[i], b[i])
			break
		}
	}
	return faults
}

// sameOutcome compares outcomes. With Until a job that is stuck may be unended, if a call that the
// random policy asked for was to come later.
func (c *naiveCase) sameOutcome(a, b slotmodel.Outcome) bool {
	return a == b || c.random != nil && c.until > 0 && min(a, b) == slotmodel.Unended && max(a, b) == slotmodel.Stuck
}

// near compares two times, works or amounts of bytes.
func (c *naiveCase) near(a, b, end float64) bool {
	return a == b || c.cluster.Network.Fluid && math.Abs(a-b) <= naiveRounding*max(math.Abs(b), end)
}

func naiveTimes(r *slotmodel.JobResult) []float64 {
	return []float64{r.Arrival, r.Start, r.MapEnd, r.Finish, r.Wasted, r.CrossRack.Read, r.CrossRack.Shuffle, r.CrossRack.Output, r.InRack.Read,
		r.InRack.Shuffle, r.InRack.Output}
}

// naiveSums lists all but the Load.
func naiveSums(t *slotmodel.Totals) []float64 {
	return []float64{t.Work, t.Wasted, t.Overhead, t.CrossRack.Read, t.CrossRack.Shuffle, t.CrossRack.Output, t.InRack.Read, t.InRack.Shuffle,
		t.InRack.Output, t.Lost, float64(t.LocalMaps), float64(t.RackMaps), float64(t.RemoteMaps),
		float64(t.Kills), float64(t.Suspensions), float64(t.Crashes), float64(t.Reruns), float64(t.Rides)}
}

// naiveSorted sorts events by what they are about, since their order within one instant is the
// engine's own, and leaves out the numbers of attempts, which are used again.
func naiveSorted(log []slotmodel.Event) []slotmodel.Event {
	log = slices.Clone(log)
	for i := range log {
		if log[i].Attempt = slotmodel.None; log[i].Type != slotmodel.Ready {
			log[i].Kind = slotmodel.Map
		}
	}
	slices.SortStableFunc(log, func(a, b slotmodel.Event) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Task, b.Task), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Time, b.Time), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Value, b.Value))
	})
	return log
}
