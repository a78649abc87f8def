package policy_test

import (
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// Sequences worked out by hand.
func TestSequences(t *testing.T) {
	rigid := func(s slotmodel.JobSpec, walltime float64) slotmodel.JobSpec {
		s.Rigid, s.Walltime = true, walltime
		return s
	}
	user := func(s slotmodel.JobSpec, u int) slotmodel.JobSpec {
		s.User = u
		return s
	}
	blocks := func(s slotmodel.JobSpec, at ...int32) slotmodel.JobSpec {
		s.Replicas, s.Copies = at, 1
		return s
	}
	holds := func(s slotmodel.JobSpec, bytes float64) slotmodel.JobSpec {
		s.Maps.Memory = bytes
		return s
	}
	memory := func(nodes []slotmodel.NodeSpec, bytes float64) []slotmodel.NodeSpec {
		for i := range nodes {
			nodes[i].Memory = bytes
		}
		return nodes
	}
	reduces := func(s slotmodel.JobSpec, n int, work float64) slotmodel.JobSpec {
		s.Reduces = slotmodel.Phase{Tasks: n, Work: work}
		s.Slowstart = 1
		return s
	}
	batsim := []slotmodel.JobSpec{rigid(policytest.Maps(0, 4, 10), 0), rigid(policytest.Maps(1, 2, 5), 0), rigid(policytest.Maps(1, 2, 10), 6)}
	narrow := []slotmodel.JobSpec{rigid(policytest.Maps(0, 3, 4), 0), rigid(policytest.Maps(1, 4, 1), 0), policytest.Maps(2, 1, 1)}
	lost := policytest.Nodes(2, 2, 1, 0)
	lost[1].Down = []slotmodel.Outage{{From: 2, Until: 5}}
	fails := policytest.Nodes(3, 2, 1, 0)
	fails[1].Down = []slotmodel.Outage{{From: 22, Until: 100}}
	for _, c := range []struct {
		name  string
		nodes []slotmodel.NodeSpec
		jobs  []slotmodel.JobSpec
		p     func() slotmodel.Policy
		want  string
	}{
		{"FIFO, Batsim's example", policytest.Nodes(4, 4, 1, 0), batsim,
			func() slotmodel.Policy { return policy.FIFO{} },
			"0:0m@0 0:0m@1 0:0m@2 0:0m@3 10:1m@0 10:1m@1 10:2m@2 10:2m@3 | 10 15 16 timed-out"},
		{"Greedy by arrival, Batsim's example", policytest.Nodes(4, 4, 1, 0), batsim,
			func() slotmodel.Policy { return &policy.Greedy{Inner: new(policy.ByArrival)} },
			"0:0m@0 0:0m@1 0:0m@2 0:0m@3 10:1m@0 10:1m@1 10:2m@2 10:2m@3 | 10 15 16 timed-out"},
		{"FIFO, a rigid job blocks", policytest.Nodes(2, 2, 2, 0), narrow,
			func() slotmodel.Policy { return policy.FIFO{} },
			"0:0m@0 0:0m@0 0:0m@1 4:1m@0 4:1m@0 4:1m@1 4:1m@1 5:2m@0 | 4 5 6"},
		{"Greedy, a rigid job blocks", policytest.Nodes(2, 2, 2, 0), narrow,
			func() slotmodel.Policy { return &policy.Greedy{Inner: new(policy.ByArrival)} },
			"0:0m@0 0:0m@0 0:0m@1 4:1m@0 4:1m@0 4:1m@1 4:1m@1 5:2m@0 | 4 5 6"},
		{"SRPT, a rigid job blocks those with more left", policytest.Nodes(2, 2, 2, 0),
			[]slotmodel.JobSpec{rigid(policytest.Maps(0, 3, 4), 0), rigid(policytest.Maps(1, 4, 1), 0), policytest.Maps(2, 1, 5), policytest.Maps(2, 1, 3)},
			func() slotmodel.Policy { return new(policy.SRPT) },
			"0:0m@0 0:0m@0 0:0m@1 2:3m@1 5:1m@0 5:1m@0 5:1m@1 5:1m@1 6:2m@0 | 4 6 11 5"},
		{"Greedy, a rigid job is overtaken", policytest.Nodes(2, 2, 2, 0), narrow,
			func() slotmodel.Policy { return &policy.Greedy{Overtake: true} },
			"0:0m@0 0:0m@0 0:0m@1 2:2m@1 4:1m@0 4:1m@0 4:1m@1 4:1m@1 | 4 5 3"},
		{"FIFO, a rigid job too wide while a node is lost", lost, []slotmodel.JobSpec{policytest.Maps(0, 2, 3), rigid(policytest.Maps(1, 2, 1), 0), policytest.Maps(1, 1, 1)},
			func() slotmodel.Policy { return policy.FIFO{} },
			"0:0m@0 0:0m@1 3:0m@0 6:1m@0 6:1m@1 7:2m@0 | 6 7 8"},
		{"FIFO, a rigid job behind the first start of an idle cluster", policytest.Nodes(2, 2, 1, 0), []slotmodel.JobSpec{policytest.Maps(0, 1, 4), rigid(policytest.Maps(0, 2, 1), 0), policytest.Maps(0, 1, 1)},
			func() slotmodel.Policy { return policy.FIFO{} },
			"0:0m@0 4:1m@0 4:1m@1 5:2m@0 | 4 5 6"},
		{"FIFO, a rigid job behind one that is too wide", policytest.Nodes(2, 2, 1, 0), []slotmodel.JobSpec{rigid(policytest.Maps(0, 3, 1), 0), policytest.Maps(0, 1, 4), rigid(policytest.Maps(0, 2, 1), 0), policytest.Maps(0, 1, 1)},
			func() slotmodel.Policy { return policy.FIFO{} },
			"0:1m@0 4:2m@0 4:2m@1 5:3m@0 | -1 stuck 4 5 6"},
		{"SRPT, a rigid job lacks the memory of a suspended attempt", memory(policytest.Nodes(1, 1, 2, 0), 2),
			[]slotmodel.JobSpec{holds(policytest.Maps(0, 1, 100), 1), holds(policytest.Maps(1, 2, 1), .5), holds(rigid(policytest.Maps(1.5, 2, .5), 0), .7)},
			func() slotmodel.Policy { return &policy.SRPT{Preempt: policy.PreemptSuspend} },
			"0:0m@0 1:1m@0 1:1m@0 101:2m@0 101:2m@0 | 101 2 101.5"},
		{"dynprio, a user's rigid job that never fits", memory(policytest.Nodes(1, 1, 2, 0), 1), []slotmodel.JobSpec{holds(rigid(policytest.Maps(0, 2, 1), 0), .7), policytest.Maps(0, 4, 1)},
			func() slotmodel.Policy { return paidOnly(false) },
			"0:1m@0 0:1m@0 1:1m@0 1:1m@0 | -1 stuck 2"},
		{"FIFO, reduces", policytest.Nodes(1, 1, 1, 1), []slotmodel.JobSpec{reduces(policytest.Maps(0, 2, 1), 2, 3), reduces(policytest.Maps(0, 1, 1), 1, 1)},
			func() slotmodel.Policy { return policy.FIFO{} },
			"0:0m@0 1:0m@0 2:1m@0 2:0r@0 5:0r@0 8:1r@0 | 8 9"},
		{"Fair, one pool", policytest.Nodes(1, 1, 3, 0), []slotmodel.JobSpec{policytest.Maps(0, 5, 4), policytest.Maps(1, 2, 2)},
			func() slotmodel.Policy { return new(policy.Fair) },
			// At 4 s three slots are free: job 1 has none, then both have one and job 0 was first,
			// and so on.
			"0:0m@0 0:0m@0 0:0m@0 4:0m@0 4:1m@0 4:0m@0 6:1m@0 | 8 8"},
		{"Fair, a pool for each user", policytest.Nodes(1, 1, 4, 0),
			[]slotmodel.JobSpec{user(policytest.Maps(0, 4, 1), 7), user(policytest.Maps(0, 4, 1), 7), user(policytest.Maps(0, 4, 1), 3)},
			func() slotmodel.Policy { return &policy.Fair{PoolOf: policy.ByUser} },
			"0:0m@0 0:2m@0 0:1m@0 0:2m@0 1:0m@0 1:2m@0 1:1m@0 1:2m@0 2:0m@0 2:1m@0 2:0m@0 2:1m@0 | 3 3 2"},
		{"Fair, weights and a minimum share", policytest.Nodes(1, 1, 6, 0),
			[]slotmodel.JobSpec{user(policytest.Maps(0, 6, 1), 0), user(policytest.Maps(0, 6, 1), 1), user(policytest.Maps(0, 6, 1), 2)},
			func() slotmodel.Policy {
				return &policy.Fair{PoolOf: policy.ByUser, Pools: []policy.Pool{{}, {Weight: 2}, {MinMaps: 2}}}
			},
			// The guarantee of pool 2, then 0, 1, 1 (half a task per weight before a whole one),
			// and the tie 1, 1, 2 goes to pool 0.
			"0:2m@0 0:2m@0 0:0m@0 0:1m@0 0:1m@0 0:0m@0 " +
				"1:2m@0 1:2m@0 1:0m@0 1:1m@0 1:1m@0 1:0m@0 " +
				"2:2m@0 2:2m@0 2:0m@0 2:1m@0 2:1m@0 2:0m@0 | 3 3 3"},
		{"SRPT", policytest.Nodes(1, 1, 1, 0), []slotmodel.JobSpec{policytest.Maps(0, 2, 3), policytest.Maps(1, 3, 1), policytest.Maps(1, 1, 4), policytest.Maps(4, 1, .5)},
			func() slotmodel.Policy { return new(policy.SRPT) },
			// At 3 s jobs 0 and 1 have 3 s left each, and 0 was first.
			"0:0m@0 3:0m@0 6:3m@0 6.5:1m@0 7.5:1m@0 8.5:1m@0 9.5:2m@0 | 6 9.5 13.5 6.5"},
		{"SRPT, both kinds together", policytest.Nodes(1, 1, 1, 1), []slotmodel.JobSpec{reduces(policytest.Maps(0, 1, 1), 1, 9), policytest.Maps(0, 1, 2)},
			func() slotmodel.Policy { return new(policy.SRPT) },
			"0:1m@0 2:0m@0 3:0r@0 | 12 2"},
		{"Delay, the node in time", policytest.Nodes(2, 1, 1, 0), []slotmodel.JobSpec{blocks(policytest.Maps(0, 1, 5), 0), blocks(policytest.Maps(1, 1, 1), 0)},
			func() slotmodel.Policy { return &policy.Delay{Node: 2, Rack: 3} },
			"0:0m@0 5:1m@0 | 5 6"},
		{"Delay, the rack in time", policytest.Nodes(2, 2, 1, 0), []slotmodel.JobSpec{blocks(policytest.Maps(0, 1, 5), 0), blocks(policytest.Maps(1, 1, 1), 0)},
			func() slotmodel.Policy { return &policy.Delay{Node: 2, Rack: 3} },
			"0:0m@0 3:1m@1 | 5 4"},
		{"Delay, neither in time", policytest.Nodes(2, 1, 1, 0), []slotmodel.JobSpec{blocks(policytest.Maps(0, 1, 9), 0), blocks(policytest.Maps(1, 1, 1), 0)},
			func() slotmodel.Policy { return &policy.Delay{Node: 2, Rack: 3} },
			"0:0m@0 6:1m@1 | 9 7"},
		{"Delay, others go first", policytest.Nodes(2, 1, 1, 0), []slotmodel.JobSpec{blocks(policytest.Maps(0, 1, 9), 0), blocks(policytest.Maps(1, 2, 1), 0, 0), blocks(policytest.Maps(2, 1, 7), 1)},
			func() slotmodel.Policy { return &policy.Delay{Node: 2, Rack: 3} },
			// Job 1 starts on node 0 at 9 s, and then waits anew for its second map.
			"0:0m@0 2:2m@1 9:1m@0 10:1m@0 | 9 11 9"},
		{"Delay, at level 2 nobody waits", policytest.Nodes(2, 1, 1, 0), []slotmodel.JobSpec{blocks(policytest.Maps(0, 1, 90), 0), blocks(policytest.Maps(1, 3, 2), 0, 0, 0)},
			func() slotmodel.Policy { return &policy.Delay{Node: 2, Rack: 3} },
			"0:0m@0 6:1m@1 8:1m@1 10:1m@1 | 90 12"},
		{"Delay, at level 1 any rack after Rack", policytest.Nodes(4, 2, 1, 0),
			[]slotmodel.JobSpec{blocks(policytest.Maps(0, 1, 90), 0), blocks(policytest.Maps(0, 1, 4), 3), blocks(policytest.Maps(1, 3, 50), 0, 0, 0)},
			func() slotmodel.Policy { return &policy.Delay{Node: 2, Rack: 3} },
			// At 1 s nodes 1 and 2 are free; at 3 s the rack's node 1 will do, and the wait
			// for node 2 begins anew.
			"0:0m@0 0:1m@3 3:2m@1 6:2m@2 6:2m@3 | 90 4 56"},
		{"Delay, a wait that begins later and ends sooner", fails,
			[]slotmodel.JobSpec{blocks(policytest.Maps(0, 1, 90), 0), blocks(policytest.Maps(0, 1, 50), 0), blocks(policytest.Maps(0, 1, 20), 2), blocks(policytest.Maps(21, 1, 1), 0)},
			func() slotmodel.Policy { return &policy.Delay{Node: 10, Rack: 1} },
			// Job 3 waits from 21 until 32 s; job 1, lost at 22 s, has its level 1 and waits until
			// 23 s.
			"0:0m@0 0:2m@2 10:1m@1 23:1m@2 73:3m@2 | 90 73 20 74"},
		{"Delay by calls", policytest.Nodes(2, 1, 1, 0), []slotmodel.JobSpec{blocks(policytest.Maps(0, 1, 90), 0), blocks(policytest.Maps(1, 1, 1), 0)},
			func() slotmodel.Policy {
				return &policy.Delay{Node: 1, Rack: 2, Skips: true, Retry: 10}
			},
			// Calls at 1, 11 and 21 s are let pass.
			"0:0m@0 31:1m@1 | 90 32"},
		{"Delay by calls, each counts once", policytest.Nodes(3, 1, 1, 0), []slotmodel.JobSpec{blocks(policytest.Maps(0, 1, 90), 0), blocks(policytest.Maps(1, 1, 1), 0)},
			func() slotmodel.Policy {
				return &policy.Delay{Node: 1, Skips: true}
			},
			"0:0m@0 4:1m@1 | 90 5"},
		{"Delay by calls, what was let pass is offered again when the wait is over", policytest.Nodes(3, 1, 1, 0),
			[]slotmodel.JobSpec{blocks(policytest.Maps(0, 1, 90), 0), blocks(policytest.Maps(0, 1, 5), 2), blocks(policytest.Maps(1, 2, 1), 0, 0)},
			func() slotmodel.Policy {
				return &policy.Delay{Node: 1, Skips: true, Retry: 100}
			},
			"0:0m@0 0:1m@2 5:2m@1 5:2m@2 | 90 5 6"},
		{"Delay, a rigid job blocks", policytest.Nodes(2, 1, 1, 0),
			[]slotmodel.JobSpec{blocks(policytest.Maps(0, 1, 9), 0), rigid(policytest.Maps(1, 2, 1), 0), blocks(policytest.Maps(2, 1, 7), 1)},
			func() slotmodel.Policy { return &policy.Delay{Node: 2, Rack: 3} },
			"0:0m@0 9:1m@0 9:1m@1 10:2m@1 | 9 10 17"},
	} {
		cluster := &slotmodel.Cluster{Nodes: c.nodes}
		if got := policytest.Starts(t, cluster, c.jobs, c.p()); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
