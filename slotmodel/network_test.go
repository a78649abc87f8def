package slotmodel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// placed starts every task as soon as it may on the node that is named for it, lost nodes and full ones giving way to the
// next.
func placed(nodes ...slotmodel.Node) decide {
	return func(v *slotmodel.View, a *slotmodel.Actions) {
		for k := mapK; k <= reduce; k++ {
			for j := v.NextRunnable(k, none); j != none; j = v.NextRunnable(k, j) {
				for t := v.NextPending(j, k, none); t != none; t = v.NextPending(j, k, t) {
					n := nodes[t]
					for range v.Nodes() {
						if v.Free(n, k) > 0 {
							a.StartTask(t, n)
							break
						}
						n = (n + 1) % slotmodel.Node(v.Nodes())
					}
				}
			}
		}
	}
}

// A transfer alone takes its bytes over the bandwidth, to the bit: a shuffle, a remote read, an output, over a link or a NIC.
func TestTransferAlone(t *testing.T) {
	limits := func(egress, ingress, nic float64) *slotmodel.Cluster {
		return &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true},
			Racks: []slotmodel.RackSpec{{Egress: egress}, {Ingress: ingress}},
			Nodes: []slotmodel.NodeSpec{{Maps: 1, Reduces: 1, NIC: nic}, {Rack: 1, Maps: 1, Reduces: 1, NIC: nic}}}
	}
	shuffle := slotmodel.JobSpec{Maps: tasks(1, 1), Reduces: tasks(1, 2), Slowstart: 1, Shuffle: 1024}
	read := slotmodel.JobSpec{Maps: tasks(1, 3), Input: 1024, Replicas: []int32{0}, Copies: 1}
	write := slotmodel.JobSpec{Maps: tasks(1, 3), Output: 1024}
	for _, c := range []struct {
		name  string
		c     *slotmodel.Cluster
		job   slotmodel.JobSpec
		p     slotmodel.Policy
		bytes func(*slotmodel.Totals) float64
		want  float64
	}{
		{"shuffle over egress", limits(64, 0, 0), shuffle, placed(0, 1), func(t *slotmodel.Totals) float64 { return t.CrossRack.Shuffle }, 19},
		{"shuffle over ingress", limits(0, 32, 0), shuffle, placed(0, 1), func(t *slotmodel.Totals) float64 { return t.CrossRack.Shuffle }, 35},
		{"shuffle over a NIC", limits(64, 64, 16), shuffle, placed(0, 1), func(t *slotmodel.Totals) float64 { return t.CrossRack.Shuffle }, 67},
		{"shuffle without a limit", limits(0, 0, 0), shuffle, placed(0, 1), func(t *slotmodel.Totals) float64 { return t.CrossRack.Shuffle }, 3},
		{"shuffle within a rack", limits(1, 1, 0), shuffle, placed(0, 0), func(t *slotmodel.Totals) float64 { return t.InRack.Shuffle }, 3},
		{"read over egress", limits(64, 0, 0), read, placed(1), func(t *slotmodel.Totals) float64 { return t.CrossRack.Read }, 19},
		{"read over a NIC", limits(64, 64, 16), read, placed(1), func(t *slotmodel.Totals) float64 { return t.CrossRack.Read }, 67},
		{"read of a local block", limits(1, 1, 1), read, placed(0), func(t *slotmodel.Totals) float64 { return t.CrossRack.Read + 1024 }, 3},
		{"output over egress", limits(64, 0, 0), write, placed(0), func(t *slotmodel.Totals) float64 { return t.CrossRack.Output }, 19},
		{"output over ingress", limits(0, 32, 0), write, placed(0), func(t *slotmodel.Totals) float64 { return t.CrossRack.Output }, 35},
		{"output over a NIC", limits(64, 32, 16), write, placed(0), func(t *slotmodel.Totals) float64 { return t.CrossRack.Output }, 67},
	} {
		log, res, err := play(c.c, []slotmodel.JobSpec{c.job}, c.p, slotmodel.Options{})
		if err != nil || len(log.faults) > 0 {
			t.Errorf("%s: %v, %q", c.name, err, log.faults)
		}
		if res.Jobs[0].Finish != c.want || c.bytes(&res.Totals) != 1024 {
			t.Errorf("%s of 1024 bytes: finished at %v after %v bytes, want %v", c.name, res.Jobs[0].Finish, c.bytes(&res.Totals), c.want)
		}
	}
}

// Two jobs that shuffle over one link halve it until the smaller is done.
func TestTwoJobsShare(t *testing.T) {
	c := fluidRacks(2, 64, 2, 2)
	jobs := []slotmodel.JobSpec{
		{Maps: tasks(1, 1), Reduces: tasks(1, 0), Slowstart: 1, Shuffle: 1024},
		{Maps: tasks(1, 1), Reduces: tasks(1, 0), Slowstart: 1, Shuffle: 512},
	}
	res := mustRun(t, c, jobs, placed(0, 1, 0, 1), slotmodel.Options{Sample: 1})
	if a, b := res.Jobs[0].Finish, res.Jobs[1].Finish; a != 1+24 || b != 1+16 {
		t.Errorf("1024 and 512 bytes over 64 bytes/s from 1 s on: finished at %v and %v, want 25 and 17", a, b)
	}
	for _, r := range res.Series[1:24] {
		if r.Egress[0] != 64 || r.Ingress[1] != 64 || r.Egress[1] != 0 || r.Ingress[0] != 0 {
			t.Errorf("at %v: egress %v, ingress %v, want 64 from rack 0 to rack 1", r.Time, r.Egress, r.Ingress)
		}
	}
}

// A node is lost in the middle of a shuffle: what it had not sent is sent by the map that runs again.
func TestLossWithinShuffle(t *testing.T) {
	c := &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true}, Racks: []slotmodel.RackSpec{{Egress: 64}, {}}}
	c.Nodes = []slotmodel.NodeSpec{{Maps: 1, Down: []slotmodel.Outage{{From: 9, Until: 1000}}}, {Maps: 1}, {Rack: 1, Reduces: 1}}
	jobs := []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 2), Slowstart: 1, Shuffle: 1024}}
	log, res, err := play(c, jobs, placed(0, 2), slotmodel.Options{})
	if err != nil || len(log.faults) > 0 {
		t.Fatalf("%v, %q", err, log.faults)
	}
	if f, b := res.Jobs[0].Finish, res.Totals.CrossRack.Shuffle; f != 20 || b != 1024 || res.Totals.Reruns != 1 || res.Totals.Wasted != 1 {
		t.Errorf("node lost at 9 after 512 of 1024 bytes, map run again from 9 to 10: finished at %v after %v bytes, %+v, want 20 and 1024", f, b, res.Totals)
	}
}

// A run that is stopped counts what was moved until then.
func TestUntilWithinShuffle(t *testing.T) {
	jobs := []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 2), Slowstart: 1, Shuffle: 1024}}
	res := mustRun(t, fluidRacks(2, 64, 1, 1), jobs, placed(0, 1), slotmodel.Options{Until: 9})
	if b := res.Totals.CrossRack.Shuffle; b != 512 {
		t.Errorf("stopped after 8 s of 1024 bytes at 64/s: CrossRack.Shuffle = %v, want 512", b)
	}
	jobs = []slotmodel.JobSpec{{Maps: tasks(1, 1), Output: 1024}}
	res = mustRun(t, fluidRacks(2, 64, 1, 1), jobs, placed(0, 1), slotmodel.Options{Until: 9})
	if b := res.Totals.CrossRack.Output; b != 512 {
		t.Errorf("stopped after 8 s of 1024 bytes of output at 64/s: CrossRack.Output = %v, want 512", b)
	}
}

// LinkLoad is within [0, 1], and 1 while a transfer has the link to itself.
func TestLinkLoad(t *testing.T) {
	seen := false
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		placed(0, 1)(v, a)
		out, _ := v.LinkLoad(0)
		_, in := v.LinkLoad(1)
		want := 0.0
		if v.Now() > 1 && v.Now() < 17 {
			want, seen = 1, true
		}
		if out != want || in != want {
			t.Errorf("at %v: LinkLoad %v out of rack 0, %v into rack 1, want %v", v.Now(), out, in, want)
		}
		if v.Now() < 20 {
			a.Wake(math.Floor(v.Now()) + 1.5)
		}
	})
	mustRun(t, fluidRacks(2, 64, 1, 1), []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 5), Slowstart: 1, Shuffle: 1024}}, p, slotmodel.Options{})
	if !seen {
		t.Error("no decision while the shuffle was under way")
	}
}

// With a shorter interval the results come closer to the exact ones. Data waits for at most one interval per hop, so the mean
// difference falls about in proportion.
func TestIntervalConverges(t *testing.T) {
	intervals := []float64{4, 1, 0.25, 1.0 / 16, 1.0 / 64}
	diff := make([]float64, len(intervals))
	n := 0.0
	for seed := range uint64(20) {
		x := drawShuffle(rand.New(rand.NewPCG(seed, 8)), 0, 150, false)
		_, want := x.run(t)
		n += float64(len(want))
		for i, d := range intervals {
			x.c.Network.Interval = d
			_, got := x.run(t)
			for j := range got {
				diff[i] += math.Abs(got[j] - want[j])
			}
		}
	}
	for i := range diff {
		t.Logf("interval %v s: mean difference %.4f s", intervals[i], diff[i]/n)
		if diff[i]/n > 4*intervals[i] || i > 0 && diff[i] > 0.6*diff[i-1] {
			t.Errorf("interval %v: the mean finish differs by %v s, with %v by %v s", intervals[i], diff[i]/n, intervals[max(i-1, 0)], diff[max(i-1, 0)]/n)
		}
	}
}
