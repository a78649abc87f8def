package policy_test

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// Settings of PerUser out of their ranges are refused before the first event.
func TestPerUserSettings(t *testing.T) {
	c, jobs := policytest.Blocked(1, 3)
	for _, x := range []float64{math.NaN(), math.Inf(1), -1, -math.SmallestNonzeroFloat64} {
		for field, p := range map[string]*policy.PerUser{"Slack": {Slack: x}, "Beat": {Beat: x}} {
			expect.InputError(t, "Check", p.Check(), "policy.PerUser.Check", field, -1)
			if _, err := slotmodel.Run(c, jobs, p, slotmodel.Options{}); err == nil {
				t.Errorf("Run with a %s of %v returns no error", field, x)
			}
		}
	}
	for _, p := range []*policy.PerUser{nil, {Slack: math.MaxFloat64, Prefer: true}, {Beat: 0x1p200}} {
		if err := p.Check(); err != nil {
			t.Errorf("Check of %+v = %v, want none", p, err)
		}
	}
}

// Seed draws the order of the free nodes: every order comes, a seed gives the same one in each run,
// and each node gets as much as if it came first.
func TestPerUserSeed(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(3, 3, 1, 0)}
	seen := map[string]int{}
	for seed := range uint64(60) {
		p := &policy.PerUser{Seed: seed}
		got := policytest.Starts(t, c, []slotmodel.JobSpec{policytest.Maps(0, 3, 1)}, p)
		if again := policytest.Starts(t, c, []slotmodel.JobSpec{policytest.Maps(0, 3, 1)}, p); again != got {
			t.Errorf("seed %d: the starts are %q, and then %q", seed, got, again)
		}
		if byNumber := "0:0m@0 0:0m@1 0:0m@2 | 1"; seed == 0 && got != byNumber {
			t.Errorf("without a seed the starts are %q, want %q", got, byNumber)
		}
		seen[got]++
	}
	if len(seen) != 6 {
		t.Errorf("the orders are %v, want all 6", seen)
	}
}

// With Beat a node starts one task at each of its own heartbeats, and nothing at other times.
func TestPerUserBeat(t *testing.T) {
	user := func(u int, arrival float64, maps, reduces int) slotmodel.JobSpec {
		return slotmodel.JobSpec{User: u, Arrival: arrival, Maps: slotmodel.Phase{Tasks: maps, Work: 10}, Reduces: slotmodel.Phase{Tasks: reduces, Work: 1}}
	}
	rigid := policytest.Maps(0, 3, 1)
	rigid.Rigid = true
	for _, x := range []struct {
		name  string
		nodes []slotmodel.NodeSpec
		jobs  []slotmodel.JobSpec
		want  string
	}{
		{"two nodes", policytest.Nodes(2, 2, 2, 1), []slotmodel.JobSpec{user(0, .5, 4, 2)},
			"2:0m@1 4:0m@0 6:0m@1 8:0m@0 10:0r@1 12:0r@0 | 19"},
		{"two users", policytest.Nodes(1, 1, 2, 2), []slotmodel.JobSpec{user(0, 0, 2, 0), user(1, 0, 1, 1)},
			"0:0m@0 4:1m@0 8:1r@0 12:0m@0 | 22 15"},
		{"a rigid job", policytest.Nodes(2, 2, 2, 0), []slotmodel.JobSpec{rigid, user(1, 0, 1, 0)},
			"0:0m@0 0:0m@0 0:0m@1 2:1m@1 | 1 12"},
	} {
		got := policytest.Starts(t, &slotmodel.Cluster{Nodes: x.nodes}, x.jobs, &policy.PerUser{Beat: 4})
		if got != x.want {
			t.Errorf("%s: the starts are %q, want %q", x.name, got, x.want)
		}
	}
}

// The shortest period is that of the heartbeats.
func TestPerUserHeartbeat(t *testing.T) {
	for _, x := range []struct{ beat, part, want float64 }{{0, 0, 0}, {4, 0, 4}, {0, 5, 5}, {4, 5, 4}, {6, 5, 5}} {
		p := &policy.PerUser{Beat: x.beat, Users: usersPart{&part{period: x.part}}}
		if got := p.Heartbeat(); got != x.want {
			t.Errorf("with a Beat of %v and Users that ask for %v Heartbeat() = %v, want %v", x.beat, x.part, got, x.want)
		}
	}
}

// Under Seed and Beat every job ends, and each start comes at a heartbeat of its node.
func TestPerUserOffers(t *testing.T) {
	for seed := range uint64(4) {
		c, jobs := policytest.Blocked(seed, 60)
		for _, p := range []*policy.PerUser{{Seed: 7}, {Beat: 3}} {
			bad := 0
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Log: func(e slotmodel.Event) {
				period := p.Beat / float64(len(c.Nodes))
				if beat := math.Round(e.Time / period); e.Type == slotmodel.Started && p.Beat > 0 && (math.Abs(e.Time-beat*period) > 1e-9 || int(beat)%len(c.Nodes) != int(e.Node)) {
					bad++
				}
			}})
			if err != nil || bad > 0 {
				t.Fatalf("Beat %v: %v, %d starts are out of turn", p.Beat, err, bad)
			}
			if slices.ContainsFunc(res.Jobs, func(j slotmodel.JobResult) bool { return j.Outcome != slotmodel.Finished }) {
				t.Errorf("Seed %d, Beat %v: not every job is finished", p.Seed, p.Beat)
			}
		}
	}
}
