package shufflewatcher_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// Settings out of their ranges are refused, by Run before the first event.
func TestSettings(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	c, jobs := shuffled(3, 4)
	check := func(s *shufflewatcher.Chooser, field string) {
		t.Helper()
		expect.InputError(t, "Check with a wrong "+field, s.Check(), "shufflewatcher.Chooser.Check", field, -1)
		res, err := slotmodel.Run(c, jobs, &policy.PerUser{Chooser: s}, slotmodel.Options{})
		expect.InputError(t, "Run with a wrong "+field, err, "shufflewatcher.Chooser.Check", field, -1)
		if res != nil {
			t.Errorf("Run with a wrong %s returns a result", field)
		}
	}
	for _, x := range []float64{nan, -1, -inf, -math.SmallestNonzeroFloat64} {
		check(&shufflewatcher.Chooser{Threshold: x}, "Threshold")
		check(&shufflewatcher.Chooser{Period: x}, "Period")
		check(&shufflewatcher.Chooser{Window: x}, "Window")
		check(&shufflewatcher.Chooser{Wait: x}, "Wait")
		check(&shufflewatcher.Chooser{Patience: x}, "Patience")
	}
	for field, s := range map[string]*shufflewatcher.Chooser{"Threshold": {Threshold: inf}, "Period": {Period: inf}, "Wait": {Wait: inf}, "Patience": {Patience: inf}} {
		check(s, field)
	}
	check(&shufflewatcher.Chooser{Window: 0x1p-201}, "Window")
	check(&shufflewatcher.Chooser{Window: 0x1p201}, "Window")
}

// A run leaves the settings as they were set, those with a default too.
func TestSettingsStay(t *testing.T) {
	c, jobs := shuffled(3, 40)
	s := new(shufflewatcher.Chooser)
	allFinish(t, c, jobs, &policy.PerUser{Chooser: s})
	if s.Period != 0 || s.Window != 0 || s.Threshold != 0 || s.Wait != 0 {
		t.Errorf("after a run of the zero value the settings are %+v, want zeros", s)
	}
}

// The bounds of the ranges are allowed.
func TestSettingsAtBounds(t *testing.T) {
	const least = math.SmallestNonzeroFloat64
	c, jobs := shuffled(3, 40)
	for _, s := range []*shufflewatcher.Chooser{
		{Threshold: least, Period: least, Wait: least, Patience: least, Window: 0x1p-200},
		{Threshold: 0x1p200, Period: math.MaxFloat64, Window: 0x1p200},
		{Window: math.Inf(1)},
	} {
		allFinish(t, c, jobs, &policy.PerUser{Chooser: s})
	}
}

// allFinish runs a policy under which each job must finish.
func allFinish(t testing.TB, c *slotmodel.Cluster, jobs []slotmodel.JobSpec, p slotmodel.Policy) *slotmodel.Result {
	t.Helper()
	res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true})
	if err != nil {
		t.Fatal(err)
	}
	for j, r := range res.Jobs {
		if r.Outcome != slotmodel.Finished {
			t.Fatalf("job %d: %v", j, r.Outcome)
		}
	}
	return res
}

// third numbers the types of the jobs of shuffled.
func third(j slotmodel.Job) int { return int(j) % 3 }

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

// Each setting changes a run; without SAMP and SARP nothing is preferred.
func TestShuffleAblations(t *testing.T) {
	c, jobs := shuffled(1, 200)
	hash := func(x policy.Chooser) uint64 { return allFinish(t, c, jobs, &policy.PerUser{Chooser: x}).Hash }
	full := hash(new(shufflewatcher.Chooser))
	seen := map[uint64]string{full: "the zero value"}
	for _, x := range []struct {
		name string
		s    *shufflewatcher.Chooser
	}{
		{"no SAMP", &shufflewatcher.Chooser{NoSAMP: true}},
		{"no SARP", &shufflewatcher.Chooser{NoSARP: true}},
		{"neither", &shufflewatcher.Chooser{NoSAMP: true, NoSARP: true}},
		{"always saturated", &shufflewatcher.Chooser{Threshold: 1e-9}},
		{"never saturated", &shufflewatcher.Chooser{Threshold: 0x1p200}},
		{"types", &shufflewatcher.Chooser{TypeOf: third}},
		{"relaxed", &shufflewatcher.Chooser{Wait: 5}},
		{"window", &shufflewatcher.Chooser{Window: 30}},
		{"patience", &shufflewatcher.Chooser{Patience: 5}},
		{"patience, within", &shufflewatcher.Chooser{Patience: 5, Within: true}},
	} {
		s := x.s
		h := hash(s)
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s run the same", x.name, other)
		}
		seen[h] = x.name
		by := s.Report().Chosen
		chosen := func(why shuffle.Reason) int { return by[0][why] + by[1][why] }
		unsaturated, saturated := 0, 0
		for why := range by[0] {
			unsaturated, saturated = unsaturated+by[0][why], saturated+by[1][why]
		}
		if s.NoSAMP && chosen(shuffle.PreferredMap) > 0 || s.NoSARP && chosen(shuffle.PreferredReduce) > 0 || chosen(shuffle.NoTask) > 0 || unsaturated == 0 || (saturated > 0) != (s.Threshold < 1) {
			t.Errorf("%s: rules %v chose", x.name, by)
		}
		for j := range jobs {
			if plan, quota := s.Plan(slotmodel.Job(j)); s.NoSAMP && plan.Racks != nil || s.NoSARP && quota != nil {
				t.Fatalf("%s: job %d has plan %+v and quotas %v", x.name, j, plan, quota)
			}
		}
	}
}

// A rack that is down all run and holds copies of all blocks starves nobody, whichever jobs prefer
// it.
func TestShufflePreferredRackDown(t *testing.T) {
	c, jobs := shuffled(4, 100)
	for n := range 10 {
		c.Nodes[n].Down = []slotmodel.Outage{{From: 0, Until: math.Inf(1)}}
	}
	for i := range jobs {
		for r := range jobs[i].Replicas {
			if r%2 == 0 {
				jobs[i].Replicas[r] %= 10
			}
		}
	}
	for _, s := range []*shufflewatcher.Chooser{
		{}, {Window: math.Inf(1)}, {Wait: 5}, {Threshold: 1e-9}, {Patience: 30, Within: true},
	} {
		s.TypeOf = third
		allFinish(t, c, jobs, &policy.PerUser{Chooser: s})
		prefer := 0
		for j := range jobs {
			if p, _ := s.Plan(slotmodel.Job(j)); len(p.Racks) == 1 && p.Racks[0] == 0 {
				prefer++
			}
		}
		if prefer < 50 {
			t.Errorf("%d jobs prefer rack 0 alone, want 50: the workload tests nothing", prefer)
		}
	}
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
		if p.allocated > 0 || p.chose < 500 {
			t.Errorf("Wait %v: %v allocations in %d calls with %d choices, want 0", wait, p.allocated, p.asked, p.chose)
		}
	}
}
