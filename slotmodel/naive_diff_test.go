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

// The engine agrees with the naive model: each job's times, each user's, the totals, the time series
// and every event; and what a policy sees is what the events say. Nodes, jobs and acts are drawn at
// random; times, works and speeds are small multiples of powers of two, so that much happens in one
// instant, except in a fluid network. Neither looking nor a speed of 1 at any load changes anything.
func TestNaive(t *testing.T) {
	cases, failed := 10000, 0
	if testing.Short() {
		cases /= 4
	}
	for i := 0; i < cases && failed < 3; i++ {
		r := rand.New(rand.NewPCG(uint64(i), 77))
		f := anyFamily(r)
		c := f.draw(r)
		faults := c.compare(r.IntN(6) == 0, r.IntN(8) == 0)
		for _, s := range faults {
			t.Errorf("case %d: %s", i, s)
		}
		if len(faults) > 0 {
			failed++
			t.Logf("case %d of %+v: Run(%+v, %+v), script %v, until %v, rows of %v, weights %v", i, *f, c.cluster, c.jobs, c.script, c.until, c.period, c.weight)
		}
	}
}

// compare runs both models and says where they differ. The policy looks at all that the View shows,
// or the engine's nodes have a speed of 1 whatever the load, if asked for.
func (c *naiveCase) compare(look, speed bool) []string {
	var log []slotmodel.Event
	cluster := c.cluster
	if speed && cluster.Speed == nil {
		cluster.Speed = func(slotmodel.Load) float64 { return 1 }
	}
	random := &atRandom{r: c.random, apart: c.cluster.Network.Fluid}
	var p slotmodel.Policy = &firstFit{script: c.script}
	if c.random != nil {
		p = random
	}
	w := watch(p, 1, &cluster, c.jobs, c.weight)
	if look {
		p = w
	}
	got, err := slotmodel.Run(&cluster, c.jobs, p, slotmodel.Options{Until: c.until, Period: c.period, Entitlements: c.weight, Log: func(e slotmodel.Event) { log = append(log, e) }})
	if err != nil {
		return []string{err.Error()}
	}
	n := newNaive(c)
	n.deeds = random.deeds
	want := n.run()
	faults := w.faults
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
	if len(got.Series) != len(want.Series) {
		differ("rows", len(got.Series), len(want.Series))
	}
	moved := want.Totals.CrossRack.Read + want.Totals.CrossRack.Shuffle + want.Totals.CrossRack.Output
	close := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, b, moved/c.period) } // differences of running sums
	for i := range min(len(got.Series), len(want.Series)) {
		if g, w := &got.Series[i], &want.Series[i]; g.Time != w.Time || !slices.EqualFunc(naiveRow(g), naiveRow(w), close) {
			differ(fmt.Sprintf("row %d", i), *g, *w)
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
	return []float64{t.Work, t.Wasted, t.Overhead, t.CrossRack.Read, t.CrossRack.Shuffle, t.CrossRack.Output,
		float64(t.LocalMaps), float64(t.RackMaps), float64(t.RemoteMaps), float64(t.Kills), float64(t.Suspensions)}
}

func naiveRow(r *slotmodel.Sample) []float64 {
	all := []float64{r.Load, r.Running[0], r.Running[1], r.Pending[0], r.Pending[1], r.Slots[0], r.Slots[1], r.Shared}
	for _, u := range r.Users {
		all = append(all, u.Slots[0], u.Slots[1], u.Entitled)
	}
	for i := range r.Egress { // none without a fluid network
		all = append(all, r.Egress[i], r.Ingress[i])
	}
	return all
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
