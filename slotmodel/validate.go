package slotmodel

import (
	"cmp"
	"fmt"
	"math"

	"github.com/schedmath/schedmath"
)

const (
	fn       = "slotmodel.Run"
	maxTasks = math.MaxInt32 / 4 // of a workload; the sum of three does not overflow 32 bits
	maxUsers = math.MaxInt32 / 2 // with Entitlements; without, there may be userGap more than jobs
	userGap  = 1 << 20
	maxRacks = 1 << 14 // of a fluid network: a job has room for a flow between each pair of them
)

// Positive quantities lie in [least, most] and the clock stays below 2 horizon: the longest stage
// of an attempt, all bytes over the slowest link, takes less than 2^500 s. So no sum over 2^40
// tasks, and no product or ratio of such sums and a time, leaves float64.
const (
	least    = 0x1p-200
	most     = 0x1p200
	mostSlow = 0x1p50  // of a slowdown
	horizon  = 0x1p500 // s, no wake-up is later
)

// bad returns an input error about element index of an argument of Run, or about the whole argument
// if index is -1.
func bad(arg string, index int, format string, args ...any) error {
	return &schedmath.InputError{Func: fn, Arg: arg, Index: index, Reason: fmt.Sprintf(format, args...)}
}

// amount says what is wrong with a quantity; "" when nothing is.
func amount(name string, x float64) string {
	if x == 0 || x >= least && x <= most {
		return ""
	}
	return fmt.Sprintf("%s is %v, want 0 or a value in [2^-200, 2^200]", name, x)
}

// limit is amount where +Inf means no limit.
func limit(name string, x float64) string {
	if x == never {
		return ""
	}
	return amount(name, x)
}

func checkCluster(c *Cluster) error {
	if c == nil {
		return bad("cluster", -1, "is nil")
	}
	if len(c.Nodes) == 0 {
		return bad("cluster", -1, "Nodes is empty, want at least one node")
	}
	if len(c.Nodes) > math.MaxInt32/2 {
		return bad("cluster", -1, "Nodes has %d elements, want fewer", len(c.Nodes))
	}
	if f := cmp.Or(amount("ResumeCost", c.ResumeCost), limit("Network.Pair", c.Network.Pair),
		amount("Network.RackRead", c.Network.RackRead), amount("Network.RemoteRead", c.Network.RemoteRead),
		amount("Network.Shuffle", c.Network.Shuffle), amount("Network.Write", c.Network.Write)); f != "" {
		return bad("cluster", -1, "%s", f)
	}
	if !(c.EarlyReduces >= 0 && c.EarlyReduces <= 1) {
		return bad("cluster", -1, "EarlyReduces is %v, want within [0, 1]", c.EarlyReduces)
	}
	for i := range c.Racks {
		if f := cmp.Or(limit("Egress", c.Racks[i].Egress), limit("Ingress", c.Racks[i].Ingress)); f != "" {
			return bad("cluster", i, "Racks[%d].%s", i, f)
		}
	}
	racks := len(c.Racks)
	for i := range c.Nodes {
		if f := checkNode(&c.Nodes[i], c.Racks); f != "" {
			return bad("cluster", i, "Nodes[%d].%s", i, f)
		}
		racks = max(racks, c.Nodes[i].Rack+1)
	}
	if c.Network.Fluid && racks > maxRacks {
		return bad("cluster", -1, "Network is Fluid with %d racks, want at most %d", racks, maxRacks)
	}
	if c.Network.Fluid && racks > len(c.Nodes)+1<<10 {
		return bad("cluster", -1, "Network is Fluid with %d racks for %d nodes, want numbers from 0 without great gaps", racks, len(c.Nodes))
	}
	return nil
}

func checkNode(n *NodeSpec, racks []RackSpec) string {
	switch {
	case n.Rack < 0 || racks != nil && n.Rack >= len(racks):
		return fmt.Sprintf("Rack is %d, want one of the %d racks", n.Rack, len(racks))
	case n.Rack > 1<<20:
		return fmt.Sprintf("Rack is %d, want at most %d", n.Rack, 1<<20)
	case n.Maps < 0 || n.Maps > 1<<20:
		return fmt.Sprintf("Maps is %d, want within [0, %d]", n.Maps, 1<<20)
	case n.Reduces < 0 || n.Reduces > 1<<20:
		return fmt.Sprintf("Reduces is %d, want within [0, %d]", n.Reduces, 1<<20)
	case n.Slots < 0 || n.Slots > 1<<20:
		return fmt.Sprintf("Slots is %d, want within [0, %d]", n.Slots, 1<<20)
	}
	if f := cmp.Or(amount("Speed", n.Speed), limit("NIC", n.NIC), limit("Memory", n.Memory)); f != "" {
		return f
	}
	last := 0.0
	for i, o := range n.Down {
		if f := cmp.Or(amount("From", o.From), limit("Until", o.Until)); f != "" {
			return fmt.Sprintf("Down[%d].%s", i, f)
		}
		if o.From < last || o.Until <= o.From {
			return fmt.Sprintf("Down[%d] is from %v until %v, want ascending times, the outage before over", i, o.From, o.Until)
		}
		last = o.Until
	}
	last = 0
	for i, s := range n.Slow {
		if f := cmp.Or(amount("From", s.From), limit("Until", s.Until)); f != "" {
			return fmt.Sprintf("Slow[%d].%s", i, f)
		}
		if s.From < last || s.Until <= s.From {
			return fmt.Sprintf("Slow[%d] is from %v until %v, want ascending times, each slowdown over before the next", i, s.From, s.Until)
		}
		if !(s.Factor >= 1 && s.Factor <= mostSlow) {
			return fmt.Sprintf("Slow[%d].Factor is %v, want within [1, 2^50]", i, s.Factor)
		}
		last = s.Until
	}
	return ""
}

// checkJob says what is wrong with a job on so many nodes, whose user's number is to be below
// users; "" when nothing is.
func checkJob(s *JobSpec, nodes, users int) string {
	switch {
	case s.User < 0 || s.User >= users:
		return fmt.Sprintf("User is %d, want within [0, %d), numbers from 0 without great gaps", s.User, users)
	case s.Maps.Tasks < 0 || s.Maps.Tasks > maxTasks:
		return fmt.Sprintf("Maps.Tasks is %d, want within [0, %d]", s.Maps.Tasks, maxTasks)
	case s.Reduces.Tasks < 0 || s.Reduces.Tasks > maxTasks:
		return fmt.Sprintf("Reduces.Tasks is %d, want within [0, %d]", s.Reduces.Tasks, maxTasks)
	case s.Maps.Works != nil && len(s.Maps.Works) != s.Maps.Tasks:
		return fmt.Sprintf("Maps.Works has %d elements, want %d", len(s.Maps.Works), s.Maps.Tasks)
	case s.Reduces.Works != nil && len(s.Reduces.Works) != s.Reduces.Tasks:
		return fmt.Sprintf("Reduces.Works has %d elements, want %d", len(s.Reduces.Works), s.Reduces.Tasks)
	case !(s.Slowstart >= 0 && s.Slowstart <= 1):
		return fmt.Sprintf("Slowstart is %v, want within [0, 1]", s.Slowstart)
	case s.Dataset < 0:
		return fmt.Sprintf("Dataset is %d, want >= 0", s.Dataset)
	case s.Rigid && s.Reduces.Tasks > 0:
		return fmt.Sprintf("Rigid with %d reduces, want none", s.Reduces.Tasks)
	case math.IsNaN(s.Priority):
		return "Priority is NaN"
	}
	if f := cmp.Or(amount("Arrival", s.Arrival), amount("Deadline", s.Deadline), amount("Maps.Work", s.Maps.Work),
		amount("Reduces.Work", s.Reduces.Work), amount("Input", s.Input), amount("Shuffle", s.Shuffle), amount("Output", s.Output),
		amount("Think", s.Think), amount("Walltime", s.Walltime), amount("Requested", s.Requested), amount("Crash", s.Crash), amount("Cancel", s.Cancel),
		amount("Maps.Memory", s.Maps.Memory), amount("Reduces.Memory", s.Reduces.Memory)); f != "" {
		return f
	}
	for k, p := range [kinds]*Phase{&s.Maps, &s.Reduces} {
		for i, w := range p.Works {
			if f := amount("Works", w); f != "" {
				return fmt.Sprintf("the %v task %d: %s", Kind(k), i, f)
			}
		}
	}
	if s.Replicas == nil {
		return ""
	}
	if s.Copies < 1 || len(s.Replicas)%s.Copies != 0 || len(s.Replicas)/s.Copies != s.Maps.Tasks {
		return fmt.Sprintf("Replicas has %d elements and Copies is %d, want Copies >= 1 for each of the %d maps", len(s.Replicas), s.Copies, s.Maps.Tasks)
	}
	for i, n := range s.Replicas {
		if n < -1 || int(n) >= nodes {
			return fmt.Sprintf("Replicas[%d] is %d, want -1 or one of the %d nodes", i, n, nodes)
		}
	}
	return ""
}

// checkAfter checks that each job comes after a job of the workload or none, and not after itself
// by way of others.
func checkAfter(specs []JobSpec) error {
	for i := range specs {
		switch s := &specs[i]; {
		case s.After < 0 || s.After > len(specs):
			return bad("jobs", i, "After is %d, want 0 or the number of one of the %d jobs, counted from 1", s.After, len(specs))
		case s.After == 0 && s.Think > 0:
			return bad("jobs", i, "Think is %v without After", s.Think)
		}
	}
	walk := make([]int, len(specs)) // the first walk, numbered from 1, that has passed each job
	for i := range specs {
		j := i
		for ; j >= 0 && walk[j] == 0; j = specs[j].After - 1 {
			walk[j] = i + 1
		}
		if j >= 0 && walk[j] == i+1 {
			return bad("jobs", j, "After is %d, which is the job itself or comes after it", specs[j].After)
		}
	}
	return nil
}
