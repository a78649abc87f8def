package hfsp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
)

// mapsOf is a job of n maps.
func mapsOf(arrival float64, n int, work float64) slotmodel.JobSpec {
	return slotmodel.JobSpec{Arrival: arrival, Maps: slotmodel.Phase{Tasks: n, Work: work}}
}

// startsUnder runs an order and lists the starts, "TIME:JOB@NODE", and when each job ended.
func startsUnder(t *testing.T, nodes []slotmodel.NodeSpec, jobs []slotmodel.JobSpec, r policy.Ranker) string {
	t.Helper()
	var b strings.Builder
	res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: nodes}, jobs, &policy.Greedy{Inner: r}, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type == slotmodel.Started {
			fmt.Fprintf(&b, "%v:%d@%d ", e.Time, e.Job, e.Node)
		}
	}})
	if err != nil {
		t.Fatalf("Run(%T) failed: %v", r, err)
	}
	b.WriteString("|")
	for _, j := range res.Jobs {
		fmt.Fprintf(&b, " %v", j.Finish)
	}
	return b.String()
}

// Sequences worked out by hand, some beside what Fair does, which does not remember.
func TestDeficitSequences(t *testing.T) {
	one, two, four := []slotmodel.NodeSpec{{Maps: 1}}, []slotmodel.NodeSpec{{Maps: 2}}, []slotmodel.NodeSpec{{Maps: 4}}
	lost := []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1, Down: []slotmodel.Outage{{From: 1, Until: 5}}}}
	for _, c := range []struct {
		name  string
		nodes []slotmodel.NodeSpec
		jobs  []slotmodel.JobSpec
		order policy.Ranker
		want  string
	}{
		// Half a slot each: after 3 s job 1 is owed 1.5 s, for which it has the slot for 3 s.
		{"one slot, tasks of 3 s and of 1 s", one, []slotmodel.JobSpec{mapsOf(0, 3, 3), mapsOf(0, 6, 1)}, new(deficits),
			"0:0@0 3:1@0 4:1@0 5:1@0 6:0@0 9:1@0 10:1@0 11:1@0 12:0@0 | 15 12"},
		{"the same under Fair", one, []slotmodel.JobSpec{mapsOf(0, 3, 3), mapsOf(0, 6, 1)}, new(policy.Fair),
			"0:0@0 3:0@0 6:0@0 9:1@0 10:1@0 11:1@0 12:1@0 13:1@0 14:1@0 | 9 15"},
		// Job 1 waits for 9 s for its slot, and then has both for 9 s. At 19 s nobody is owed
		// anything.
		{"starved, and made up for", two, []slotmodel.JobSpec{mapsOf(0, 3, 10), mapsOf(1, 20, 1)}, new(deficits),
			"0:0@0 0:0@0 10:1@0 10:1@0 11:1@0 11:1@0 12:1@0 12:1@0 13:1@0 13:1@0 14:1@0 14:1@0 15:1@0 15:1@0 " +
				"16:1@0 16:1@0 17:1@0 17:1@0 18:1@0 18:1@0 19:0@0 19:1@0 20:1@0 | 29 21"},
		// Job 1 can use one slot only, so job 0 is entitled to three and owed nothing.
		{"no more than can be used", four, []slotmodel.JobSpec{mapsOf(0, 9, 2), mapsOf(0, 1, 5)}, new(deficits),
			"0:0@0 0:1@0 0:0@0 0:0@0 2:0@0 2:0@0 2:0@0 4:0@0 4:0@0 4:0@0 | 6 5"},
		// From 1 to 5 s there is one slot: half a slot each, so job 1, whose task was lost, is owed
		// half a second at 2 s, and job 0 at 4 s.
		{"a slot that is lost", lost, []slotmodel.JobSpec{mapsOf(0, 4, 2), mapsOf(0, 4, 2)}, new(deficits),
			"0:0@0 0:1@1 2:1@0 4:0@0 5:1@1 6:0@0 7:1@1 8:0@0 9:1@1 | 10 11"},
		// From 1 on job 0 reduces and can use no slot for maps. So job 1 has what it is entitled to
		// until 2, and from 2 to 4 has a second more than job 2, which makes it up until 6.
		{"maps that have ended", []slotmodel.NodeSpec{{Maps: 1, Reduces: 1}}, []slotmodel.JobSpec{
			{Maps: slotmodel.Phase{Tasks: 1, Work: 1}, Reduces: slotmodel.Phase{Tasks: 1, Work: 100}, Slowstart: 1}, mapsOf(1, 2, 3), mapsOf(2, 4, 1)}, new(deficits),
			"0:0@0 1:1@0 1:0@0 4:2@0 5:2@0 6:1@0 9:2@0 10:2@0 | 101 9 11"},
	} {
		if got := startsUnder(t, c.nodes, c.jobs, c.order); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Of n jobs that want more than the S slots none is ever ahead of its entitlement by more than S
// times the longest task, nor behind by more than (n-1) S times that, whatever their tasks take.
func TestDeficitBound(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		n, slots := 2+r.IntN(5), 1+r.IntN(8)
		jobs := make([]slotmodel.JobSpec, n)
		longest := 0.0
		for j := range jobs {
			jobs[j] = mapsOf(0, 10000, .125+10*r.Float64())
			jobs[j].User = j
			longest = max(longest, jobs[j].Maps.Work)
		}
		until := 1 + 99*r.Float64()
		res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: slots}}}, jobs, &policy.Greedy{Inner: new(deficits)}, slotmodel.Options{Until: until})
		if err != nil {
			t.Fatal(err)
		}
		rounding := 1e-12 * until * float64(slots) // of sums of at most some thousand terms
		for u, x := range res.Users {
			owed := until*float64(slots)/float64(n) - x.SlotSeconds[slotmodel.Map]
			if most := float64((n-1)*slots) * longest; owed > most+rounding || owed < -float64(slots)*longest-rounding {
				t.Fatalf("seed %d: job %d of %d on %d slots, tasks of at most %v s: after %v s it is owed %v slot-seconds, want within [%v, %v]",
					seed, u, n, slots, longest, until, owed, -float64(slots)*longest, most)
			}
		}
	}
}

// On one slot Fair never serves the second job; deficits share the slot in time.
func TestDeficitLongRun(t *testing.T) {
	jobs := []slotmodel.JobSpec{mapsOf(0, 1000, 7), mapsOf(0, 10000, 1), mapsOf(0, 10000, .5)}
	for j := range jobs {
		jobs[j].User = j
	}
	res, err := slotmodel.Run(&slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}, jobs, &policy.Greedy{Inner: new(deficits)}, slotmodel.Options{Until: 3000})
	if err != nil {
		t.Fatal(err)
	}
	for u := range jobs {
		if got := res.Users[u].SlotSeconds[slotmodel.Map]; !(math.Abs(got-1000) <= 14) { // twice the longest task
			t.Errorf("job %d has had %v of 3000 s, want 1000 to 14", u, got)
		}
	}
}
