package shufflewatcher_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// drawShuffle draws a fluid cluster with slots of one kind or of either, links that saturate, and
// jobs that shuffle.
func drawShuffle(t *rapid.T) (*slotmodel.Cluster, []slotmodel.JobSpec) {
	c := policytest.DrawCluster(t)
	c.Network = slotmodel.Network{Fluid: true}
	for range 3 {
		out, in := rapid.IntRange(1, 4).Draw(t, "egress"), rapid.IntRange(1, 4).Draw(t, "ingress")
		c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: float64(out), Ingress: float64(in)})
	}
	either, limited := rapid.IntRange(0, 2).Draw(t, "slots of either kind"), rapid.IntRange(0, 2).Draw(t, "memory is limited") == 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if either > 0 {
			n.Slots = rapid.IntRange(0, 2).Draw(t, "shared slots")
		}
		if either == 2 { // of either kind alone
			n.Slots, n.Maps, n.Reduces = n.Slots+n.Maps+n.Reduces, 0, 0
		}
		if limited {
			n.Memory = float64(rapid.IntRange(4, 8).Draw(t, "memory"))
		}
	}
	jobs := policytest.DrawJobs(t, len(c.Nodes))
	for i := range jobs {
		s := &jobs[i]
		s.User %= 2
		if rapid.IntRange(0, 3).Draw(t, "slowstart is 0") > 0 {
			s.Slowstart = 0
		}
		s.Input = float64(rapid.IntRange(0, 8).Draw(t, "input"))
		s.Shuffle = s.Input * []float64{0, .5, 1, 2, 4}[rapid.IntRange(0, 4).Draw(t, "ratio")]
		s.Output = float64(rapid.IntRange(0, 4).Draw(t, "output"))
		s.Maps.Memory = float64(rapid.IntRange(0, 4).Draw(t, "map memory"))
	}
	return c, jobs
}

// drawChooser draws the settings of a Chooser.
func drawChooser(t *rapid.T) *shufflewatcher.Chooser {
	s := &shufflewatcher.Chooser{
		NoSAMP:    rapid.IntRange(0, 4).Draw(t, "no SAMP") == 0,
		NoSARP:    rapid.IntRange(0, 4).Draw(t, "no SARP") == 0,
		Threshold: []float64{0, .4, 0x1p200}[rapid.IntRange(0, 2).Draw(t, "threshold")],
		Period:    []float64{0, .5, 1}[rapid.IntRange(0, 2).Draw(t, "period")],
		Window:    []float64{0, 4, math.Inf(1)}[rapid.IntRange(0, 2).Draw(t, "window")],
		Wait:      max(0, float64(rapid.IntRange(-1, 3).Draw(t, "wait"))),
		WaitFor:   shufflewatcher.Target(rapid.IntRange(0, 1).Draw(t, "wait for")),
		Patience:  max(0, float64(rapid.IntRange(-2, 3).Draw(t, "patience"))),
		Within:    rapid.Bool().Draw(t, "within"),

		Completion: []float64{0, .5, 1}[rapid.IntRange(0, 2).Draw(t, "completion")],
	}
	if rapid.Bool().Draw(t, "types") {
		s.TypeOf = func(j slotmodel.Job) int { return int(j) % 3 }
	}
	return s
}

// Choices, plans, quotas and flags are those of the naive model. No slot stays free for which there
// is a candidate, but for Wait and Patience, and every job ends.
func TestShuffleWatcher(t *testing.T) {
	var chosen [2][shuffle.HeavyReduce + 1]int
	changes, passed, declined := 0, 0, 0
	draw := rapid.Custom(func(t *rapid.T) func(testing.TB) {
		c, jobs := drawShuffle(t)
		s := drawChooser(t)
		prefer, slack := rapid.Bool().Draw(t, "prefer"), rapid.IntRange(0, 2).Draw(t, "slack")
		return func(t testing.TB) {
			w := newWatchedShuffle(t, c, s)
			p := &policy.PerUser{Chooser: w, Prefer: prefer, Slack: float64(slack)}
			check := func(v *slotmodel.View) {
				for u := range slotmodel.User(v.Users()) {
					for n := range slotmodel.Node(v.Nodes()) {
						all := slices.DeleteFunc(w.wishes(v, u, n), func(x wish) bool { return w.declines(v, x, false) })
						if len(all) > 0 && !(v.Now() < w.waits[u]+w.Wait) {
							t.Fatalf("at %v s a slot of node %d stays free, where user %d could start %+v", v.Now(), n, u, all)
						}
					}
				}
			}
			res, err := slotmodel.Run(c, jobs, &policytest.After{Policy: p, Check: check}, slotmodel.Options{})
			if err != nil {
				t.Fatalf("Run failed: %v", err)
			}
			for j, r := range res.Jobs {
				if r.Outcome == slotmodel.Unended {
					t.Fatalf("job %d has not ended", j)
				}
			}
			r, flips := w.Report(), 0
			for _, f := range r.Flips {
				flips += f
			}
			if r.Chosen != w.chosen || flips != w.changes || r.Declined != w.declined {
				t.Fatalf("Report() tells of rules %v, %d flips and %d tasks that waited, want %v, %d and %d", r.Chosen, flips, r.Declined, w.chosen, w.changes, w.declined)
			}
			for flag := range chosen {
				for why, n := range r.Chosen[flag] {
					chosen[flag][why] += n
				}
			}
			changes, passed, declined = changes+flips, passed+r.Passed, declined+r.Declined
		}
	})
	for seed := range 2000 {
		draw.Example(seed)(t)
	}
	for flag := range chosen {
		for why := shuffle.PreferredMap; why <= shuffle.HeavyReduce; why++ {
			if n := chosen[flag][why]; n < 100 {
				t.Errorf("flag %d: %v %d times, want 100: the workloads test nothing", flag, why, n)
			}
		}
	}
	if changes < 100 || passed < 100 || declined < 100 {
		t.Errorf("%d flips, %d users passed over and %d tasks that waited, want 100 each: the workloads test nothing", changes, passed, declined)
	}
}

// Any settings.
func FuzzChooser(f *testing.F) {
	policytest.Fuzz(f, func(t *rapid.T) func() slotmodel.Policy {
		on := func(name string) bool { return rapid.Bool().Draw(t, name) }
		number := func(name string) float64 { return policytest.DrawSetting(t, name) }
		s := shufflewatcher.Chooser{NoSAMP: on("no SAMP"), NoSARP: on("no SARP"),
			Threshold: number("threshold"), Period: number("period"), Window: number("window"), Wait: policytest.DrawWait(t, "wait"), Patience: policytest.DrawWait(t, "patience"), Within: on("within"),
			WaitFor: shufflewatcher.Target(rapid.IntRange(0, 2).Draw(t, "wait for")), Completion: number("completion")}
		prefer := on("prefer")
		return func() slotmodel.Policy {
			c := s
			return &policy.PerUser{Users: new(policy.FairUsers), Chooser: &c, Prefer: prefer}
		}
	})
}
