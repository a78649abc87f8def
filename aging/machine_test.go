package aging_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

// slack is the error allowed in a job's remaining work, as a part of the largest size that the job
// was ever given.
const slack = exactaging.Slack

// call is one call of a history.
type call struct {
	op  string // the method; "Restore" goes on with a cluster restored from a snapshot
	key int
	job aging.Job
	x   float64
}

func (a call) String() string {
	switch a.op {
	case "Add":
		return fmt.Sprintf("Add(%d, %+v)", a.key, a.job)
	case "Complete", "Remove":
		return fmt.Sprintf("%s(%d)", a.op, a.key)
	case "Advance", "SetCapacity":
		return fmt.Sprintf("%s(%v)", a.op, a.x)
	case "SetReady":
		return fmt.Sprintf("SetReady(%d, %t)", a.key, a.x != 0)
	case "Restore", "Lapsed":
		return a.op
	}
	return fmt.Sprintf("%s(%d, %v)", a.op, a.key, a.x)
}

// scale is what works, times, slots and weights are multiplied with.
type scale struct{ work, time, slots, weight float64 }

// apply makes a call and returns what Complete and Remove return.
func apply(t rapid.TB, c *aging.Cluster[int], a call, by scale) (done bool) {
	t.Helper()
	switch a.op {
	case "Add":
		must(t, c.Add(a.key, aging.Job{Work: a.job.Work * by.work, Slots: a.job.Slots * by.slots, Weight: one(a.job.Weight) * by.weight}))
	case "Complete":
		return c.Complete(a.key)
	case "Remove":
		return c.Remove(a.key)
	case "Reestimate":
		must(t, c.Reestimate(a.key, a.x*by.work))
	case "SetSlots":
		must(t, c.SetSlots(a.key, a.x*by.slots))
	case "SetWeight":
		must(t, c.SetWeight(a.key, a.x*by.weight))
	case "SetReady":
		must(t, c.SetReady(a.key, a.x != 0))
	case "SetCapacity":
		must(t, c.SetCapacity(a.x*by.slots))
	case "Advance":
		must(t, c.Advance(a.x*by.time))
	}
	return false
}

// machine makes the same calls on a Cluster, on one whose numbers are scaled by powers of two and
// that is never restored, on the batch functions and on the oracle.
type machine struct {
	*rapid.T
	*generator
	c, scaled *aging.Cluster[int]
	by        scale
	o         *exactaging.System[int, rational]
	known     []int // keys that the oracle or the Cluster still have, in the order of Add
	batch     []aging.Job
	largest   map[int]float64
	pending   map[int]bool      // late in the oracle, not yet in the Cluster
	busy      map[int]bool      // not ready
	told      map[int]bool      // late since Lapsed named them
	tags      map[int]aging.Tag // without caps: as they were when the job was added or changed
	ended     []aging.Tag       // without caps: of late jobs that were completed
}

type rational = *big.Rat

var field exactaging.Rat

// TestHistories: along histories of all calls, with few and with many jobs that are ready or not,
// the Cluster answers as the oracle does within the slack, and a scaled one to the bit.
func TestHistories(t *testing.T) {
	for _, r := range regimes {
		t.Run(r.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { r.play(t) })
		})
	}
}

func (r regime) play(t *rapid.T) {
	draw := func() *rand.Rand { return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)) }
	r.jobs = rapid.SampledFrom([]int{r.jobs, r.jobs, r.jobs, 40}).Draw(t, "most jobs")
	g := r.generator(draw(), true)
	m := &machine{T: t, generator: g, largest: map[int]float64{}, pending: map[int]bool{}, busy: map[int]bool{}, told: map[int]bool{}, tags: map[int]aging.Tag{}}
	g.capacity = g.round(g.capacity * float64(r.jobs) / 14)
	m.by = rapid.SampledFrom([]scale{{0x1p41, 0x1p41, 1, 1}, {0x1p-70, 0x1p-70, 1, 1}, {1, 0x1p-13, 0x1p13, 1}, {1, 1, 1, 0x1p-9}, {0x1p9, 0x1p6, 0x1p3, 0x1p2}}).Draw(t, "scale")
	m.c, m.scaled, m.o = newCluster(t, g.capacity), newCluster(t, g.capacity*m.by.slots), exactaging.New[int](field, g.capacity)
	t.Logf("New(%v)", g.capacity)
	for range g.rng.IntN(r.jobs) {
		m.do(m.add())
	}
	t.Repeat(map[string]func(*rapid.T){"call": func(t *rapid.T) {
		g.rng = draw()
		m.do(m.next())
		m.always()
		if g.rng.IntN(12) == 0 {
			m.check()
		}
	}})
	m.check()
}

// do makes one call everywhere and compares the remaining work of every job.
func (m *machine) do(a call) {
	m.Helper()
	_, here := m.c.Job(a.key)
	_, there := m.o.Left(a.key)
	switch a.op {
	case "Complete", "Remove", "Reestimate", "SetSlots", "SetWeight", "SetReady":
		if here != there { // within the slack of its finish: the histories would part
			a.op = "Remove"
		}
	case "Restore":
		m.Log(a)
		m.restore()
		return
	case "Lapsed":
		m.Log(a)
		m.lapsed()
		return
	}
	m.Log(a)
	elapsed, finishing := m.elapsed(a)
	late, completed := slices.Contains(m.c.Late(nil), a.key), there && m.o.Completed(a.key)
	want := a.op == "Complete" && !completed || a.op == "Remove" && here
	if got := apply(m, m.c, a, scale{1, 1, 1, 1}); got != want {
		m.Fatalf("%v = %v, want %v", a, got, want)
	}
	apply(m, m.scaled, a, m.by)
	at := slices.Index(m.known, a.key)
	tag, tagged := m.c.Tag(a.key)
	switch a.op {
	case "Add":
		m.o.Add(a.key, a.job.Work, a.job.Slots, a.job.Weight)
		m.largest[a.key] = a.job.Work
		m.known, m.batch = append(m.known, a.key), append(m.batch, a.job)
		m.tags[a.key] = tag
		if i := slices.IndexFunc(m.ended, func(g aging.Tag) bool { return g.Compare(tag) >= 0 }); i >= 0 && m.caps == 0 {
			m.Fatalf("%v: its tag %+v comes before %+v of a job that has ended", a, tag, m.ended[i])
		}
	case "Complete":
		m.o.Complete(a.key)
		if late {
			m.ended = append(m.ended, m.tags[a.key])
		}
	case "Remove":
		m.o.Remove(a.key)
		delete(m.busy, a.key)
	case "Reestimate":
		m.o.Reestimate(a.key, a.x)
		m.largest[a.key] = max(m.largest[a.key], a.x)
		left, _ := m.o.Left(a.key)
		m.batch[at].Work = field.Float64(left)
		m.tags[a.key] = tag
		if j, ok := m.c.Job(a.key); a.x == 0 && (ok == completed || j.Work != 0) {
			m.Fatalf("after %v: Job(%d) = %v, %v, want it late, or gone if completed", a, a.key, j, ok)
		}
	case "SetSlots":
		m.o.SetSlots(a.key, a.x)
		m.batch[at].Slots = a.x
		m.tags[a.key] = tag
	case "SetReady":
		m.busy[a.key] = a.x == 0
	case "SetWeight":
		m.o.SetWeight(a.key, a.x)
		m.batch[at].Weight = a.x
		m.tags[a.key] = tag
	case "SetCapacity":
		m.o.SetCapacity(a.x)
		m.capacity = a.x
	case "Advance":
		m.o.AdvanceBy(elapsed)
		aged, err := aging.Age(nil, m.capacity, a.x, m.batch)
		must(m, err)
		m.batch = aged
		if finishing >= 0 {
			i := m.known[finishing]
			if j, here := m.c.Job(i); here && j.Work > 0 {
				m.Fatalf("NextFinish() = %d, %v, true, but after %v Job(%d) = %v", i, a.x, a, i, j)
			}
		}
	}
	if !tagged {
		delete(m.tags, a.key)
	}
	m.compareWork(a)
}

// elapsed is the time that an Advance stands for. NextFinish rounds the time to the next finish,
// and an Advance by that makes the job finish (its index in known is returned, else -1): the oracle
// advances by the time before rounding, since what rounding leaves of a huge job would take from a
// tiny one more than the slack.
func (m *machine) elapsed(a call) (elapsed rational, finishing int) {
	if a.op != "Advance" {
		return nil, -1
	}
	elapsed = field.Of(a.x)
	key, in, ok := m.c.NextFinish()
	if !ok || in != a.x {
		return elapsed, -1
	}
	for _, v := range m.o.Finishes() {
		if v.Key == key && v.Near.Cmp(elapsed) <= 0 && elapsed.Cmp(v.Past) <= 0 {
			elapsed = v.At
		}
	}
	return elapsed, slices.Index(m.known, key)
}

// compareWork compares the remaining work of every job with the oracle and the scaled cluster.
func (m *machine) compareWork(after call) {
	m.Helper()
	kept, same := 0, true // same: both systems have the same jobs on time
	for i, key := range m.known {
		got, here := m.c.Job(key)
		left, there := m.o.Left(key)
		if s, ok := m.scaled.Job(key); ok != here || s.Work != got.Work*m.by.work {
			m.Fatalf("after %v: Job(%d) = %v, %v, scaled by %v %v, %v", after, key, got, here, m.by, s, ok)
		}
		if !here && !there {
			for _, of := range []map[int]bool{m.pending, m.busy, m.told} {
				delete(of, key)
			}
			delete(m.largest, key)
			delete(m.tags, key)
			continue
		}
		spec, tolerance := m.batch[i], slack*m.largest[key]
		same = same && here && there && m.o.IsLate(key) == (got.Work == 0)
		if got.Work > 0 {
			delete(m.told, key)
		}
		want := field.Float64(left)
		switch {
		case !there:
			if !(got.Work <= tolerance) {
				m.Fatalf("after %v: Job(%d) = %v, true, want gone", after, key, got)
			}
			spec.Work = 0
		case !here:
			if !m.o.Completed(key) || !(want <= tolerance) {
				m.Fatalf("after %v: Job(%d) = _, false, want %v left of %v", after, key, want, m.largest[key])
			}
		case !(math.Abs(got.Work-want) <= tolerance):
			m.Fatalf("after %v: Job(%d).Work = %v, want %v", after, key, got.Work, want)
		case !(math.Abs(spec.Work-want) <= tolerance):
			m.Fatalf("after %v: Age leaves %v of job %d, want %v", after, spec.Work, key, want)
		case unlimited(got.Slots) != unlimited(spec.Slots) || !unlimited(spec.Slots) && got.Slots != spec.Slots || one(got.Weight) != one(spec.Weight):
			m.Fatalf("after %v: Job(%d) = %v, want the limit and weight of %v", after, key, got, spec)
		case m.o.IsLate(key) && got.Work > 0:
			m.pending[key] = true
		default:
			if m.o.IsLate(key) && m.pending[key] {
				m.o.Widen(key)
			}
			delete(m.pending, key)
		}
		spec.Work = want // what rounding leaves of a huge job would take from a tiny one more than the slack
		m.known[kept], m.batch[kept] = key, spec
		kept++
	}
	m.known, m.batch = m.known[:kept], m.batch[:kept]
	if same && kept > 0 && m.rng.IntN(4) == 0 {
		key := m.known[kept/2] // one is enough, as the oracle shares the slots out anew for each
		want := field.Float64(m.o.Share(key))
		if got, ok := m.c.Rate(key); !ok || !(math.Abs(got-want) <= slack*want) {
			m.Fatalf("after %v: Rate(%d) = %v, %v, want %v", after, key, got, ok, want)
		}
	}
}

func unlimited(slots float64) bool { return slots == 0 || math.IsInf(slots, 1) }

func one(weight float64) float64 {
	if weight == 0 {
		return 1
	}
	return weight
}

// restore goes on with a cluster restored from the snapshot.
func (m *machine) restore() {
	s := deep(m, m.c.Snapshot())
	c, err := aging.Restore(s)
	must(m, err)
	if diff := cmp.Diff(m.c.Snapshot(), c.Snapshot()); diff != "" {
		m.Fatalf("the snapshot of a restored cluster differs: %s", diff)
	}
	m.c = c
}

// lapsed: Lapsed names the late jobs that it has not named since they are late.
func (m *machine) lapsed() {
	late := slices.DeleteFunc(m.c.Late(nil), func(key int) bool { return m.told[key] })
	want := append([]int{-1}, late...) // a job may have the key -1, too
	for range 2 {
		if got := m.c.Lapsed([]int{-1}); !slices.Equal(got, want) {
			m.Fatalf("Lapsed([-1]) = %v, want %v; Late(nil) = %v", got, want, m.c.Late(nil))
		}
		for _, key := range want[1:] {
			m.told[key] = true
		}
		want = want[:1]
	}
}
