package slotmodel_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// placed starts every task as soon as it may on the node that is named for it, lost nodes and full
// ones giving way to the next.
func placed(nodes ...slotmodel.Node) decide {
	return func(v *slotmodel.View, a *slotmodel.Actions) {
		for k := mapK; k <= reduce; k++ {
			for j := v.NextRunnable(none, k); j != none; j = v.NextRunnable(j, k) {
				for t := v.NextPending(j, k, none); t != none; t = v.NextPending(j, k, t) {
					n := nodes[t]
					for range v.Nodes() {
						if v.Free(k, n) > 0 {
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

// A transfer alone takes its bytes over the bandwidth, to the bit: a shuffle, a remote read, an
// output, over a link or a NIC.
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

// A NIC is shared by all that passes it in one direction, and by nothing else. Nodes 0 to 3 are in
// rack 0, nodes 4 and 5 in rack 1; NICs carry 16 bytes per second, the links of racks are wide.
func TestNICsShared(t *testing.T) {
	c := &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true}, Racks: []slotmodel.RackSpec{{Egress: 1000, Ingress: 1000}, {}}}
	for n := range 6 {
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Rack: n / 4, Maps: 4, Reduces: 4, NIC: 16})
	}
	read := func(bytes float64, from int32) slotmodel.JobSpec {
		return slotmodel.JobSpec{Maps: tasks(1, 0), Input: bytes, Replicas: []int32{from}, Copies: 1}
	}
	write := func(bytes float64) slotmodel.JobSpec { return slotmodel.JobSpec{Maps: tasks(1, 0), Output: bytes} }
	shuffle := func(bytes float64, maps int) slotmodel.JobSpec {
		return slotmodel.JobSpec{Maps: tasks(maps, 0), Reduces: tasks(1, 0), Shuffle: bytes, Slowstart: 1}
	}
	for _, x := range []struct {
		name   string
		jobs   []slotmodel.JobSpec
		places []slotmodel.Node // of the tasks
		want   []float64        // when jobs end
	}{
		// 8 bytes/s each until the second has its 512; the first has 512 left.
		{"two reads from a node by two others", []slotmodel.JobSpec{read(1024, 0), read(512, 0)}, []slotmodel.Node{1, 4}, []float64{96, 64}},
		{"two reads by a node from two others", []slotmodel.JobSpec{read(1024, 0), read(512, 4)}, []slotmodel.Node{1, 1}, []float64{96, 64}},
		{"two reads within the rack", []slotmodel.JobSpec{read(1024, 0), read(512, 0)}, []slotmodel.Node{1, 2}, []float64{96, 64}},
		{"a read each way between two nodes", []slotmodel.JobSpec{read(1024, 0), read(512, 4)}, []slotmodel.Node{4, 0}, []float64{64, 32}},
		// Of node 0 each has 8 at first; once node 1 has 16 for its second read, 8 of it, the
		// others halve what is left: 8 each again.
		{"reads over a chain of NICs", []slotmodel.JobSpec{read(512, 0), read(512, 0), read(512, 2), read(512, 2)}, []slotmodel.Node{1, 4, 1, 5}, []float64{64, 64, 64, 64}},
		// Node 1 receives three reads, 16/3 each. Node 0 has 16 - 16/3 left for the other.
		{"what one NIC leaves at another", []slotmodel.JobSpec{read(512, 0), read(1024, 0), read(512, 2), read(512, 4)}, []slotmodel.Node{1, 5, 1, 1}, []float64{96, 96, 96, 96}},
		{"a read and a shuffle at the receiver", []slotmodel.JobSpec{read(1024, 0), shuffle(512, 1)}, []slotmodel.Node{1, 4, 1}, []float64{96, 64}},
		{"a read and a shuffle within the rack", []slotmodel.JobSpec{read(1024, 4), shuffle(512, 1)}, []slotmodel.Node{1, 0, 1}, []float64{96, 64}},
		{"two outputs of a node", []slotmodel.JobSpec{write(1024), write(512)}, []slotmodel.Node{0, 0}, []float64{96, 64}},
		{"outputs of two nodes", []slotmodel.JobSpec{write(1024), write(512)}, []slotmodel.Node{0, 1}, []float64{64, 32}},
		{"an output and a read from the node", []slotmodel.JobSpec{write(1024), read(512, 0)}, []slotmodel.Node{0, 5}, []float64{96, 64}},
		{"an output and a read by the node", []slotmodel.JobSpec{write(1024), read(512, 0)}, []slotmodel.Node{1, 1}, []float64{64, 32}},
		// Three quarters of 1024 bytes leave node 0 through its NIC.
		{"a shuffle from two nodes", []slotmodel.JobSpec{{Maps: tasks(4, 0), Reduces: tasks(2, 0), Shuffle: 1024, Slowstart: 1}}, []slotmodel.Node{0, 0, 0, 1, 4, 5}, []float64{48}},
		{"a shuffle from two nodes within the rack", []slotmodel.JobSpec{{Maps: tasks(4, 0), Reduces: tasks(2, 0), Shuffle: 1024, Slowstart: 1}}, []slotmodel.Node{0, 0, 0, 1, 2, 3}, []float64{48}},
	} {
		log, res, err := play(c, x.jobs, placed(x.places...), slotmodel.Options{})
		if err != nil || len(log.faults) > 0 {
			t.Errorf("%s: %v, %q", x.name, err, log.faults)
		}
		for j, want := range x.want {
			if got := res.Jobs[j].Finish; math.Abs(got-want) > 1e-12*want {
				t.Errorf("%s: job %d finished at %v, want %v", x.name, j, got, want)
			}
		}
	}
}

// A block whose nodes are all lost is read from the rack of the first, and past no NIC of a sender;
// one whose NIC has no limit shares nothing.
func TestReadFromLostNode(t *testing.T) {
	c := &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true}, Racks: []slotmodel.RackSpec{{Egress: 64}, {}}}
	c.Nodes = []slotmodel.NodeSpec{{NIC: 4, Down: []slotmodel.Outage{{From: 1, Until: 1000}}}, {Rack: 1, Maps: 2, NIC: 32}, {Rack: 1, Maps: 2}}
	job := slotmodel.JobSpec{Arrival: 2, Maps: tasks(1, 0), Input: 1024, Replicas: []int32{0}, Copies: 1}
	for n, want := range map[slotmodel.Node]float64{1: 34, 2: 18} {
		res := mustRun(t, c, []slotmodel.JobSpec{job}, placed(n), slotmodel.Options{})
		if got := res.Jobs[0].Finish; got != want {
			t.Errorf("1024 bytes by node %d from a lost node with a NIC of 4 bytes/s, from 2 s on: finished at %v, want %v", n, got, want)
		}
	}
}

// A job's outputs in a rack lie on a node without a NIC limit at first, and its shuffle takes no
// time; then as many on one with a limit, which halves of what is sent from there on pass.
func TestNICOfSecondSender(t *testing.T) {
	c := &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true}, Racks: []slotmodel.RackSpec{{}, {}}}
	c.Nodes = []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1, NIC: 16}, {Rack: 1, Reduces: 1}}
	jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 2, Works: []float64{1, 5}}, Reduces: tasks(1, 1), Shuffle: 1024}}
	moved := 0.0
	for _, until := range []float64{4, 0} {
		res := mustRun(t, c, jobs, placed(0, 1, 2), slotmodel.Options{Until: until})
		if until > 0 {
			moved = res.Totals.CrossRack.Shuffle
		} else if f := res.Jobs[0].Finish; f != 5+16+1 {
			t.Errorf("512 bytes at once, 512 at 32 bytes/s from 5 s on, 1 s of work: finished at %v, want 22", f)
		}
	}
	if moved != 512 {
		t.Errorf("%v bytes moved by 4 s, want the 512 of the map that ended at 1 s", moved)
	}
}

// Two jobs that shuffle over one link halve it until the smaller is done.
func TestTwoJobsShare(t *testing.T) {
	c := fluidRacks(2, 64, 2, 2)
	jobs := []slotmodel.JobSpec{
		{Maps: tasks(1, 1), Reduces: tasks(1, 0), Slowstart: 1, Shuffle: 1024},
		{Maps: tasks(1, 1), Reduces: tasks(1, 0), Slowstart: 1, Shuffle: 512},
	}
	res := mustRun(t, c, jobs, placed(0, 1, 0, 1), slotmodel.Options{Period: 1})
	if a, b := res.Jobs[0].Finish, res.Jobs[1].Finish; a != 1+24 || b != 1+16 {
		t.Errorf("1024 and 512 bytes over 64 bytes/s from 1 s on: finished at %v and %v, want 25 and 17", a, b)
	}
	for _, r := range res.Series[1:24] {
		if r.Egress[0] != 64 || r.Ingress[1] != 64 || r.Egress[1] != 0 || r.Ingress[0] != 0 {
			t.Errorf("at %v: egress %v, ingress %v, want 64 from rack 0 to rack 1", r.Time, r.Egress, r.Ingress)
		}
	}
}

// A node is lost in the middle of a shuffle: what it had not sent is sent by the map that runs
// again.
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

// LinkCapacity is what the cluster says, +Inf where that is no limit.
func TestLinkCapacity(t *testing.T) {
	inf := math.Inf(1)
	ask := func(c *slotmodel.Cluster, want ...[2]float64) {
		t.Helper()
		mustRun(t, c, []slotmodel.JobSpec{{Maps: tasks(1, 1)}}, decide(func(v *slotmodel.View, a *slotmodel.Actions) {
			fifo.Decide(v, a)
			for r, w := range want {
				if out, in := v.LinkCapacity(slotmodel.Rack(r)); out != w[0] || in != w[1] {
					t.Errorf("LinkCapacity(%d) = %v, %v, want %v", r, out, in, w)
				}
			}
		}), slotmodel.Options{})
	}
	c := fluidRacks(3, 64, 1, 1)
	c.Racks[1] = slotmodel.RackSpec{Egress: 0, Ingress: 3}
	c.Racks[2] = slotmodel.RackSpec{Egress: inf, Ingress: 0}
	ask(c, [2]float64{64, 64}, [2]float64{inf, 3}, [2]float64{inf, inf}, [2]float64{})
	c.Racks = nil
	ask(c, [2]float64{inf, inf})
	ask(&slotmodel.Cluster{Nodes: c.Nodes}, [2]float64{inf, inf})
}

// curious asks for all that the network shows, if it asks at all: before and after each decision,
// and at each event.
type curious struct {
	*chaos
	asks  bool
	asked int64
}

func (p *curious) ask(v *slotmodel.View) {
	if !p.asks {
		return
	}
	p.asked++
	for r := range slotmodel.Rack(v.Racks()) {
		v.LinkBytes(r)
	}
}

func (p *curious) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.ask(v)
	p.chaos.Decide(v, a)
	p.ask(v)
}

func (p *curious) Observe(v *slotmodel.View, _ slotmodel.Event) { p.ask(v) }

// A policy that asks for the loads of links and the bytes they have carried sees the same run as
// one that does not.
func TestAskingChangesNothing(t *testing.T) {
	for seed := range uint64(3) {
		run := func(asks bool) (*slotmodel.Result, int64) {
			c, jobs, p := hashCase(seed, true)
			x := &curious{chaos: p.(*chaos), asks: asks}
			return mustRun(t, c, jobs, x, slotmodel.Options{Hash: true, Period: 8}), x.asked
		}
		want, _ := run(false)
		got, asked := run(true)
		if got.Hash != want.Hash || !reflect.DeepEqual(got, want) || asked < want.Events {
			t.Errorf("seed %d: hash %#x after %d questions, want %#x as without, and all results alike", seed, got.Hash, asked, want.Hash)
		}
	}
}

// LinkBytes counts what has passed a rack's links until now, and nothing without a fluid network.
func TestLinkBytes(t *testing.T) {
	seen := 0
	p := decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		placed(0, 1)(v, a)
		out, back := v.LinkBytes(0)
		from, in := v.LinkBytes(1)
		want := 64 * min(max(0, v.Now()-1), 16)
		if out != want || in != want || back != 0 || from != 0 {
			t.Errorf("at %v: LinkBytes %v out of and %v into rack 0, %v and %v of rack 1, want %v from rack 0 to rack 1", v.Now(), out, back, from, in, want)
		}
		for _, r := range []slotmodel.Rack{-1, 2} {
			if out, in := v.LinkBytes(r); out != 0 || in != 0 {
				t.Errorf("LinkBytes(%d) = %v, %v, want 0, 0", r, out, in)
			}
		}
		if seen++; v.Now() < 20 {
			a.Wake(math.Floor(v.Now()) + 1.5)
		}
	})
	jobs := []slotmodel.JobSpec{{Maps: tasks(1, 1), Reduces: tasks(1, 5), Slowstart: 1, Shuffle: 1024}}
	mustRun(t, fluidRacks(2, 64, 1, 1), jobs, p, slotmodel.Options{})
	if seen < 20 {
		t.Errorf("%d decisions, want 20 or more", seen)
	}
	c := fluidRacks(2, 64, 1, 1)
	c.Network.Fluid = false
	mustRun(t, c, jobs, decide(func(v *slotmodel.View, a *slotmodel.Actions) {
		placed(0, 1)(v, a)
		if out, in := v.LinkBytes(0); out != 0 || in != 0 {
			t.Errorf("LinkBytes(0) = %v, %v without a fluid network, want 0, 0", out, in)
		}
	}), slotmodel.Options{})
}

// BenchmarkNICs is BenchmarkNetwork's larger cluster with NICs of 1 Gbit/s, racks that carry a
// fifth of what their nodes can send or all of it, and, in the last case, maps of which nearly all
// read their block from another node.
func BenchmarkNICs(b *testing.B) {
	for _, x := range []struct {
		name  string
		link  float64
		reads bool
	}{{"racks=40/link=fifth", 25 * 1.25e8 / 5, false}, {"racks=40/link=all", 25 * 1.25e8, false}, {"racks=40/link=fifth/reads", 25 * 1.25e8 / 5, true}} {
		b.Run(x.name, func(b *testing.B) {
			if testing.Short() && x.reads {
				b.Skip("long")
			}
			const racks, per, slots = 40, 25, 6
			c := grid(racks, per, slots, slots/2)
			for i := range c.Nodes {
				c.Nodes[i].NIC = 1.25e8
			}
			for range racks {
				c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: x.link, Ingress: x.link})
			}
			c.Network.Fluid = true
			jobs := traceLike(400, racks*per*slots, 0.7)
			r := rand.New(rand.NewPCG(7, 8))
			for i := range jobs {
				s := &jobs[i]
				s.Shuffle = float64(s.Maps.Tasks) * 64e6
				s.Output = float64(s.Maps.Tasks) * 16e6
				if x.reads {
					s.Input, s.Copies = float64(s.Maps.Tasks)*128e6, 2
					for range 2 * s.Maps.Tasks {
						s.Replicas = append(s.Replicas, int32(r.IntN(racks*per)))
					}
				}
			}
			measure(b, c, jobs, fifo)
		})
	}
}

// A rack as wide as a rack can be beside a NIC.
func TestWideRackBesideNIC(t *testing.T) {
	c := &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true}, Racks: []slotmodel.RackSpec{{}, {Ingress: 0x1p200}},
		Nodes: []slotmodel.NodeSpec{{Maps: 2}, {Maps: 1, NIC: 8}, {Rack: 1, Maps: 1}}}
	read := slotmodel.JobSpec{Maps: tasks(1, 0), Input: 16, Replicas: []int32{0}, Copies: 1}
	within(t, "Run", func() {
		if f := mustRun(t, c, []slotmodel.JobSpec{read, read}, placed(2, 1), slotmodel.Options{}).Jobs[1].Finish; f != 2 {
			t.Errorf("16 bytes past a NIC of 8: finished at %v, want 2", f)
		}
	})
}
