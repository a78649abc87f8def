package shufflewatcher_test

import (
	"math"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
)

// Settings out of their ranges are refused, by Run before the first event.
func TestSettings(t *testing.T) {
	expect.Words(t, map[shufflewatcher.Target]string{shufflewatcher.LocalTasks: "local tasks", shufflewatcher.PreferredTasks: "preferred tasks"})
	wrong := func(field string, s shufflewatcher.Chooser) {
		t.Helper()
		policytest.Refused(t, "shufflewatcher.Chooser.Check", policytest.Wrong{Arg: field, Index: -1, Policy: &policy.PerUser{Chooser: &s}})
	}
	inf := math.Inf(1)
	for _, x := range []float64{math.NaN(), -1, -inf, -math.SmallestNonzeroFloat64, inf} {
		wrong("Threshold", shufflewatcher.Chooser{Threshold: x})
		wrong("Period", shufflewatcher.Chooser{Period: x})
		wrong("Wait", shufflewatcher.Chooser{Wait: x})
		wrong("Patience", shufflewatcher.Chooser{Patience: x})
		wrong("Completion", shufflewatcher.Chooser{Completion: x})
		if x != inf {
			wrong("Window", shufflewatcher.Chooser{Window: x})
		}
	}
	wrong("Window", shufflewatcher.Chooser{Window: 0x1p-201})
	wrong("Window", shufflewatcher.Chooser{Window: 0x1p201})
	wrong("Completion", shufflewatcher.Chooser{Completion: math.Nextafter(1, 2)})
	wrong("WaitFor", shufflewatcher.Chooser{WaitFor: shufflewatcher.PreferredTasks + 1})
}

// The bounds of the ranges are allowed.
func TestSettingsAtBounds(t *testing.T) {
	const least = math.SmallestNonzeroFloat64
	c, jobs := shuffled(3, 40)
	for _, s := range []*shufflewatcher.Chooser{
		{Threshold: least, Period: least, Wait: least, Patience: least, Window: 0x1p-200},
		{Threshold: 0x1p200, Period: math.MaxFloat64, Window: 0x1p200},
		{Window: math.Inf(1), Completion: 1, WaitFor: shufflewatcher.PreferredTasks},
	} {
		allFinish(t, c, jobs, &policy.PerUser{Chooser: s})
	}
}

// allFinish runs a policy under which each job must finish.
func allFinish(t testing.TB, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, p slotmodel.Policy) *slotmodel.Result {
	t.Helper()
	res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true})
	must(t, err)
	for j, r := range res.Jobs {
		if r.Outcome != slotmodel.Finished {
			t.Fatalf("job %d: %v", j, r.Outcome)
		}
	}
	return res
}

// shuffled is the cluster of blocked with links between racks, and its jobs with bytes: a third
// each with twice, as much and a tenth of the input to shuffle.
func shuffled(seed uint64, n int) (*slotmodel.Cluster, []slotmodel.JobSpec) {
	c, jobs := policytest.Blocked(seed, n)
	c.Network = slotmodel.Network{Fluid: true}
	for i := range c.Nodes {
		c.Nodes[i].Memory = 4
	}
	for range 4 {
		c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: 120, Ingress: 120})
	}
	for i := range jobs {
		j := &jobs[i]
		j.User %= 2
		j.Slowstart = 0
		j.Reduces.Tasks *= 3
		j.Input = 64 * float64(j.Maps.Tasks)
		j.Shuffle = j.Input * []float64{2, 1, .1}[i%3]
		j.Reduces.Memory = 1
	}
	return c, jobs
}

// With Wait a user without a local or preferred task is passed over for as long from the first time
// on, and then takes any node until it finds a near one.
func TestShuffleRelaxed(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 1, 0), Network: slotmodel.Network{Fluid: true}}
	job := func(user int, arrival float64, n int) slotmodel.JobSpec {
		j := policytest.Maps(arrival, n, 10)
		j.User, j.Input, j.Copies = user, 64, 1
		for range n {
			j.Replicas = append(j.Replicas, 0)
		}
		return j
	}
	// User 0's maps are on node 0. Node 1 passes user 0 over from 0 s to 3 s. At 1 s user 1, whose
	// map is on node 0 as well, is passed over too, until 4 s, and by then node 1 is taken.
	jobs := []slotmodel.JobSpec{job(0, 0, 4), job(1, 1, 1)}
	got := policytest.Starts(t, c, jobs, &policy.PerUser{Chooser: &shufflewatcher.Chooser{Wait: 3, NoSAMP: true}})
	if want := "0:0m@0 3:0m@1 10:1m@0 13:0m@1 20:0m@0 | 30 20"; got != want {
		t.Errorf("the starts are %q, want %q", got, want)
	}
	got = policytest.Starts(t, c, jobs, &policy.PerUser{Chooser: &shufflewatcher.Chooser{NoSAMP: true}})
	if want := "0:0m@0 0:0m@1 10:0m@0 10:1m@1 20:0m@0 | 30 20"; got != want {
		t.Errorf("without Wait the starts are %q, want %q", got, want)
	}
}

// A job whose blocks lie in both racks prefers one. A node of the other waits for a preferred task,
// but not for a local one, nor with a job that prefers no rack.
func TestShuffleWaitFor(t *testing.T) {
	nodes := policytest.Nodes(2, 1, 1, 1)
	nodes[1].Rack = 1
	c := &slotmodel.Cluster{Nodes: nodes, Racks: make([]slotmodel.RackSpec, 2), Network: slotmodel.Network{Fluid: true}}
	j := policytest.Maps(0, 3, 10)
	j.Input, j.Shuffle, j.Copies, j.Reduces, j.Replicas = 64, 64, 2, slotmodel.Phase{Tasks: 1, Work: 1}, []int32{0, 1, 0, 1, 0, 1}
	for _, x := range []struct {
		chooser shufflewatcher.Chooser
		want    string
	}{
		{shufflewatcher.Chooser{Wait: 3}, "0:0m@0 0:0m@1 10:0m@0"},
		{shufflewatcher.Chooser{Wait: 3, WaitFor: shufflewatcher.PreferredTasks}, "0:0m@0 3:0m@1 10:0m@0"},
		{shufflewatcher.Chooser{Wait: 3, WaitFor: shufflewatcher.PreferredTasks, NoSAMP: true}, "0:0m@0 0:0m@1 10:0m@0"},
	} {
		got := policytest.Starts(t, c, []slotmodel.JobSpec{j}, &policy.PerUser{Chooser: &x.chooser})
		if !strings.HasPrefix(got, x.want+" ") {
			t.Errorf("with %+v the starts are %q, want %q first", x.chooser.WaitFor, got, x.want)
		}
	}
}

// eager starts a task of the earliest job where a Chooser starts none.
type eager struct{ *shufflewatcher.Chooser }

func (c eager) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	if j, k, t, ok := c.Chooser.Choose(v, u, n); ok {
		return j, k, t, ok
	}
	return new(policy.Earliest).Choose(v, u, n)
}

// Idle answers for eager's Choose, and not for that of the Chooser, which never has a task for a
// node that it calls idle.
func (eager) Idle(*slotmodel.View, slotmodel.Node) bool { return false }

// A type that embeds a Chooser and changes Choose and Idle is asked where the Chooser has no
// candidate.
func TestShuffleEmbedded(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 1)}
	job := policytest.Maps(0, 2, 10)
	job.Reduces = slotmodel.Phase{Tasks: 1, Work: 1}
	for _, x := range []struct {
		chooser policy.Chooser
		want    string
	}{
		{new(shufflewatcher.Chooser), "0:0m@0 10:0m@0 10:0r@0 | 21"}, // the reduce is a candidate when no map waits
		{eager{new(shufflewatcher.Chooser)}, "0:0m@0 0:0r@0 10:0m@0 | 21"},
	} {
		if got := policytest.Starts(t, c, []slotmodel.JobSpec{job}, &policy.PerUser{Chooser: x.chooser}); got != x.want {
			t.Errorf("%T: the starts are %q, want %q", x.chooser, got, x.want)
		}
	}
}

// asks is PerUser that before each decision asks its parts about all users and nodes, and counts
// what that allocates.
type asks struct {
	*policy.PerUser
	asked, chose int
	allocated    float64
}

func (p *asks) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	ask := func() {
		for n := range slotmodel.Node(v.Nodes()) {
			p.Users.Begin(v, n)
			for u := p.Users.Next(v); u != slotmodel.None; u = p.Users.Next(v) {
				p.Chooser.(policy.Preferrer).Prefers(v, u, n)
				if _, _, _, ok := p.Chooser.Choose(v, u, n); ok {
					p.chose++
				}
			}
		}
		p.Chooser.(policy.Alarm).Alarm(v)
	}
	if p.asked++; p.asked%20 == 0 {
		p.allocated += testing.AllocsPerRun(10, ask) // rounded down: the runtime itself allocates now and then
	}
	p.PerUser.Decide(v, a)
}

// Choices and walks of users allocate nothing.
func TestShuffleAllocations(t *testing.T) {
	c, jobs := shuffled(5, 100)
	for _, wait := range []float64{0, 5} {
		p := &asks{PerUser: &policy.PerUser{Users: new(policy.DRF), Chooser: &shufflewatcher.Chooser{Wait: wait, Patience: wait}, Prefer: true}}
		allFinish(t, c, jobs, p)
		if p.allocated > 0 || p.chose < 200 {
			t.Errorf("Wait %v: %v allocations in %d calls with %d choices, want 0", wait, p.allocated, p.asked, p.chose)
		}
	}
}

// figure5 is the paper's Figure 5 with a user for each job: blocks with copies in both racks.
func figure5() (*slotmodel.Cluster, []slotmodel.JobSpec) {
	c := &slotmodel.Cluster{
		Nodes:   policytest.Nodes(2, 1, 2, 2),
		Racks:   []slotmodel.RackSpec{{Egress: 10, Ingress: 10}, {Egress: 10, Ingress: 10}},
		Network: slotmodel.Network{Fluid: true},
	}
	job := slotmodel.JobSpec{
		Maps: slotmodel.Phase{Tasks: 4, Work: 10}, Reduces: slotmodel.Phase{Tasks: 2, Work: 5},
		Input: 400, Shuffle: 800, Replicas: []int32{0, 1, 0, 1, 0, 1, 0, 1}, Copies: 2,
	}
	other := job
	other.User = 1
	return c, []slotmodel.JobSpec{job, other}
}

// Two users with a job each split both jobs among the racks, since each free slot is offered to the
// poorest user first. If nodes take a task at a time, and among equals the user who prefers the
// node goes first, nothing crosses.
func TestFigure5TwoUsers(t *testing.T) {
	c, jobs := figure5()
	slots := &slotmodel.Cluster{Nodes: policytest.Nodes(2, 1, 1, 1), Racks: c.Racks, Network: c.Network}
	for _, users := range []policy.Users{nil, new(policy.DRF)} {
		cross := func(c *slotmodel.Cluster, prefer bool) float64 {
			return allFinish(t, c, jobs, &policy.PerUser{Users: users, Chooser: new(shufflewatcher.Chooser), Prefer: prefer}).Totals.CrossRack.Shuffle
		}
		if a, b := cross(c, false), cross(c, true); a != 800 || b != 800 {
			t.Errorf("users %T: %v bytes cross racks, and %v with Prefer, want 800 each while all slots of a node are filled at once", users, a, b)
		}
		if got := cross(slots, true); got != 0 {
			t.Errorf("users %T: with Prefer %v bytes cross racks, want 0", users, got)
		}
	}
}
