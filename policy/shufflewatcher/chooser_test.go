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

// newShuffleWatcher makes one whose options are right.
func newShuffleWatcher(t testing.TB, o shufflewatcher.Options) *shufflewatcher.Chooser {
	t.Helper()
	s, err := shufflewatcher.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Options out of their ranges are refused.
func TestShuffleOptions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, o := range map[string]shufflewatcher.Options{
		"NetSat -1": {NetSat: -1}, "NetSat 4": {NetSat: 4},
		"Threshold NaN": {Threshold: nan}, "Threshold -1": {Threshold: -1}, "Threshold +Inf": {Threshold: inf},
		"Period NaN": {Period: nan}, "Period -1": {Period: -1}, "Period +Inf": {Period: inf},
		"Window NaN": {Window: nan}, "Window -1": {Window: -1}, "Window -Inf": {Window: -inf},
		"Window 2^-201": {Window: 0x1p-201}, "Window 2^201": {Window: 0x1p201},
		"Wait NaN": {Wait: nan}, "Wait -1": {Wait: -1}, "Wait +Inf": {Wait: inf},
		"MapsDone NaN": {MapsDone: nan}, "MapsDone -1": {MapsDone: -1}, "MapsDone 1.1": {MapsDone: 1.1},
		"Waves -1": {Waves: -1}, "Waves 1001": {Waves: 1001},
	} {
		s, err := shufflewatcher.New(o)
		expect.InputError(t, "NewShuffleWatcher with "+name, err, "policy.NewShuffleWatcher", "o", -1)
		if s != nil {
			t.Errorf("NewShuffleWatcher with %s = %v, want nil", name, s)
		}
	}
	const least = math.SmallestNonzeroFloat64
	c, jobs := shuffled(3, 40)
	for _, o := range []shufflewatcher.Options{
		{Threshold: least, Period: least, Wait: least, MapsDone: least, Window: 0x1p-200},
		{Threshold: 0x1p200, Period: math.MaxFloat64, Window: 0x1p200, MapsDone: 1, Waves: 1000},
		{Window: math.Inf(1), Period: .1, Measured: func(slotmodel.Rack, shuffle.Link) shuffle.Link { return shuffle.Link{Out: nan, In: -1} }},
	} {
		s := newShuffleWatcher(t, o)
		allFinish(t, c, jobs, &policy.PerUser{Chooser: s})
		if r := s.Report(); o.Measured != nil && (r.Flips[0] != 0 || r.Saturated[0] != 0 || r.Periods == 0) {
			t.Errorf("with readings of NaN: %+v, want periods and no flag", r)
		}
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

// shuffled is the cluster of blocked with links between racks, and its jobs with bytes: a third each with twice, as much and a tenth of the input to shuffle.
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

// The zero value is that of zero options. Without NASS a ShuffleWatcher is Earliest; without SAMP and SARP nothing is preferred; NetSat is as it is told.
func TestShuffleAblations(t *testing.T) {
	c, jobs := shuffled(1, 200)
	hash := func(x policy.Chooser) uint64 { return allFinish(t, c, jobs, &policy.PerUser{Chooser: x}).Hash }
	full := hash(newShuffleWatcher(t, shufflewatcher.Options{}))
	if got := hash(new(shufflewatcher.Chooser)); got != full {
		t.Error("the zero value runs differently from zero options")
	}
	if got, want := hash(newShuffleWatcher(t, shufflewatcher.Options{NoNASS: true})), hash(new(policy.Earliest)); got != want || got == full {
		t.Error("without NASS the run is not that of Earliest")
	}
	seen := map[uint64]string{full: "zero options"}
	for _, x := range []struct {
		name string
		o    shufflewatcher.Options
	}{
		{"no SAMP", shufflewatcher.Options{NoSAMP: true}},
		{"no SARP", shufflewatcher.Options{NoSARP: true}},
		{"neither", shufflewatcher.Options{NoSAMP: true, NoSARP: true}},
		{"any", shufflewatcher.Options{NetSat: shufflewatcher.SaturatedAny}},
		{"never", shufflewatcher.Options{NetSat: shufflewatcher.SaturatedNever}},
		{"always", shufflewatcher.Options{NetSat: shufflewatcher.SaturatedAlways}},
		{"true ratio", shufflewatcher.Options{TrueRatio: true}},
		{"relaxed", shufflewatcher.Options{Wait: 5}},
		{"recompute", shufflewatcher.Options{Recompute: true}},
		{"window", shufflewatcher.Options{Window: 30}},
	} {
		o := x.o
		s := newShuffleWatcher(t, o)
		h := hash(s)
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s run the same", x.name, other)
		}
		seen[h] = x.name
		l := s.Report().Lines
		saturated, unsaturated := l[4]+l[5]+l[6]+l[7]+l[8]+l[9], l[13]+l[14]+l[15]+l[16]+l[17]+l[18]
		if o.NoSAMP && l[4]+l[16] > 0 || o.NoSARP && l[8]+l[13] > 0 || saturated+unsaturated == 0 ||
			o.NetSat == shufflewatcher.SaturatedNever && saturated > 0 || o.NetSat == shufflewatcher.SaturatedAlways && unsaturated > 0 {
			t.Errorf("%s: lines %v chose", x.name, l)
		}
		for j := range jobs {
			if plan, quota := s.Plan(slotmodel.Job(j)); o.NoSAMP && plan.Racks != nil || o.NoSARP && quota != nil {
				t.Fatalf("%s: job %d has plan %+v and quotas %v", x.name, j, plan, quota)
			}
		}
	}
}

// Measured replaces what is measured, and moves the flag.
func TestShuffleMeasured(t *testing.T) {
	c, jobs := shuffled(2, 100)
	turn := 0
	s := newShuffleWatcher(t, shufflewatcher.Options{Period: 1, Measured: func(r slotmodel.Rack, mean shuffle.Link) shuffle.Link {
		if r == 0 {
			turn++
		}
		return shuffle.Link{Out: 120 * .8, In: 120*.8 + float64(turn%2)} // at the threshold, or above it
	}})
	allFinish(t, c, jobs, &policy.PerUser{Chooser: s})
	r := s.Report()
	for i := range 4 {
		if r.Periods != turn || r.Saturated[i] != (turn+1)/2 || r.Flips[i] != turn {
			t.Errorf("rack %d: %d periods, %d saturated, %d flips, want %d, %d, %d", i, r.Periods, r.Saturated[i], r.Flips[i], turn, (turn+1)/2, turn)
		}
	}
}

// A rack that is down all run and holds copies of all blocks starves nobody, whichever jobs prefer it.
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
	for _, o := range []shufflewatcher.Options{
		{TrueRatio: true}, {TrueRatio: true, Window: math.Inf(1)}, {TrueRatio: true, Wait: 5}, {TrueRatio: true, NetSat: shufflewatcher.SaturatedAlways},
	} {
		s := newShuffleWatcher(t, o)
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

// With Wait a user without a local or preferred task is passed over for as long from the first time on, and then takes any node until it finds a near one.
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
	// User 0's maps are on node 0. Node 1 passes user 0 over from 0 s to 3 s. At 1 s user 1, whose map is on node 0 as well, is
	// passed over too, until 4 s, and by then node 1 is taken.
	jobs := []slotmodel.JobSpec{job(0, 0, 4), job(1, 1, 1)}
	got := policytest.Starts(t, c, jobs, &policy.PerUser{Chooser: newShuffleWatcher(t, shufflewatcher.Options{Wait: 3, NoSAMP: true})})
	if want := "0:0m@0 3:0m@1 10:1m@0 13:0m@1 20:0m@0 | 30 20"; got != want {
		t.Errorf("the starts are %q, want %q", got, want)
	}
	got = policytest.Starts(t, c, jobs, &policy.PerUser{Chooser: newShuffleWatcher(t, shufflewatcher.Options{NoSAMP: true})})
	if want := "0:0m@0 0:0m@1 10:0m@0 10:1m@1 20:0m@0 | 30 20"; got != want {
		t.Errorf("without Wait the starts are %q, want %q", got, want)
	}
}

// eager starts a task of the earliest job where ShuffleWatcher starts none.
type eager struct{ *shufflewatcher.Chooser }

func (c eager) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	if j, k, t, ok := c.Chooser.Choose(v, u, n); ok {
		return j, k, t, ok
	}
	return new(policy.Earliest).Choose(v, u, n)
}

// Idle answers for eager's Choose, and not for that of ShuffleWatcher, which never has a task for a node that it calls idle.
func (eager) Idle(*slotmodel.View, slotmodel.Node) bool { return false }

// A Chooser that embeds a ShuffleWatcher and changes Choose and Idle is asked where the ShuffleWatcher has no candidate.
func TestShuffleEmbedded(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 1)}
	job := policytest.Maps(0, 2, 10)
	job.Reduces = slotmodel.Phase{Tasks: 1, Work: 1}
	for _, x := range []struct {
		chooser policy.Chooser
		want    string
	}{
		{newShuffleWatcher(t, shufflewatcher.Options{}), "0:0m@0 10:0m@0 10:0r@0 | 21"}, // the reduce is a candidate when no map waits
		{eager{newShuffleWatcher(t, shufflewatcher.Options{})}, "0:0m@0 0:0r@0 10:0m@0 | 21"},
	} {
		if got := policytest.Starts(t, c, []slotmodel.JobSpec{job}, &policy.PerUser{Chooser: x.chooser}); got != x.want {
			t.Errorf("%T: the starts are %q, want %q", x.chooser, got, x.want)
		}
	}
}

// asks is PerUser that before each decision asks its parts about all users and nodes, and counts what that allocates.
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
		p := &asks{PerUser: &policy.PerUser{Users: new(policy.DRF), Chooser: newShuffleWatcher(t, shufflewatcher.Options{Wait: wait})}}
		allFinish(t, c, jobs, p)
		if p.allocated > 0 || p.chose < 500 {
			t.Errorf("Wait %v: %v allocations in %d calls with %d choices, want 0", wait, p.allocated, p.asked, p.chose)
		}
	}
}
