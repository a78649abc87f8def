// Package slotmodel is a deterministic model of a cluster that runs jobs task by task: nodes in
// racks, slots for maps and reduces, memory, phases, a network, failures and preemption. A policy
// decides what runs where; [Run] tells what came of it.
//
// It is the witness of this library: it calls none of the algorithms that are checked on it.
//
//	node := slotmodel.NodeSpec{Maps: 2, Reduces: 1}
//	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{node, node}}
//	maps, reduces := slotmodel.Phase{Tasks: 8, Work: 10}, slotmodel.Phase{Tasks: 2, Work: 5}
//	jobs := []slotmodel.JobSpec{
//		{Arrival: 0, Maps: maps, Reduces: reduces, Slowstart: 1},
//		{Arrival: 3, Maps: slotmodel.Phase{Tasks: 1, Work: 10}},
//	}
//	result, err := slotmodel.Run(cluster, jobs, policy.FIFO{}, slotmodel.Options{})
//	if err != nil {
//		log.Fatal(err)
//	}
//	for _, j := range result.Jobs {
//		fmt.Println(j.MapEnd, j.Finish) // 20 25, then 30 30: seconds
//	}
//
// # Model
//
// A job arrives with maps and, optionally, reduces. An attempt is one execution of a task in a slot
// of its kind on one node:
//
//	map       reads its block if that is elsewhere; computes work/speed seconds; without reduces it
//	          writes its output
//	reduce    shuffles: fetches its part of every map's output; computes; writes its output
//
// A node has slots for maps, slots for reduces and shared slots for either; an attempt takes one of
// its kind's own slots first. It holds the memory of its phase on its node from its start to its
// end, suspended or not. Nothing starts without a slot and the memory. Reduces that wait for maps
// may start on a fraction of the shared slots only, [Cluster.EarlyReduces]; otherwise they could
// hold all slots that their maps need. They can still hold all memory.
//
// A reduce may hold a slot when the fraction Slowstart of the maps has ended. It computes after the
// last map has ended and its data has arrived. A job ends when all its tasks have ended, at its
// walltime, when it fails of itself or is cancelled.
//
// A job with [JobSpec.After] arrives when the end of another job has released it, as when a user
// submits the next job on seeing the results of the last.
//
// Maps of the same number of jobs with the same [JobSpec.Dataset] read the same block. One attempt
// can read it for several of them: the others ride along ([Actions.Ride]), hold no slot and no
// memory, and end when the attempt ends. The read and its work count once. What riders shuffle is
// modelled; what they would write, having no reduces, is not.
//
// A node that is lost takes its attempts with it, suspended ones too, and the outputs of maps that
// ran on it: those maps run again if a reduce of the job waits or shuffles. Reduces that compute
// have their data and go on. A rigid job starts over when it loses an attempt. A node that is
// overloaded for a while (NodeSpec.Slow) computes slower in that time; its transfers do not.
//
// Without [Cluster.Speed] a task takes the same time whatever runs beside it, unlike on a real
// cluster [1, Table II]. How the speed falls with the load is the caller's assumption.
//
// # Network
//
// Without [Network.Fluid] a transfer takes a given time. With it, data moves as fluid flows that
// share the links of racks, and with [Network.Pair] those of pairs of racks, max-min fairly. The
// shuffles of one job from one rack to another are one flow, whose weight is the number of reduces
// that fetch there, so that the cost does not grow with maps times reduces. If some NIC has a
// limit, the shuffles of one job from a rack to a node are one flow. All data that a node receives
// shares its NIC, and so do the blocks and the output that it sends. A NIC has the same bandwidth
// in each direction. Data that stays on a node passes no NIC, and data that stays in a rack no link
// of the rack.
//
// The model is exact for blocks and output, and for shuffles if links of racks and NICs of reduces
// are the bottleneck and all reduces of a job that share a flow fetch alike. It is an approximation
// where
//
//   - the NIC of a node that sends a shuffle's data is the bottleneck. All nodes of a rack with
//     outputs of a job are taken to send the same fraction of them in any time, so that the node
//     whose NIC needs longest limits the rate of all. Blocks and output that these nodes send do
//     not slow the shuffle down, nor does the shuffle slow them down;
//   - a reduce starts later than other reduces of its job: they share a flow, and the bytes for the
//     later reduce come after the bytes that were queued before;
//   - a reduce is killed while it fetches: the bytes queued for it still arrive, and count as Lost.
//
// Output goes to another rack; which one is chosen in turn, by the number of the task within its
// kind and job. A block is read from the nearest node that holds it and is up. If no such node is
// up, the block comes from the rack of the first of them, as if the file system had restored it
// there, and passes no sender's NIC. Output passes no NIC of a receiver.
//
// # Time and order
//
// Time is float64 seconds from 0, without any tolerance: events are simultaneous when their times
// are equal to the bit. In one instant come, in this order: attempts that end a stage, flows that
// arrive, nodes that return, nodes that are lost, nodes whose pace changes, walltimes and crashes,
// cancellations, wake-ups, arrivals; each class in the order in which it became known, arrivals by
// index. So a task whose end and its job's walltime fall on one instant has ended. Then the policy
// decides, once; what it does may let more happen in the same instant, and so on.
//
// The same input gives the same event log, and the same hash of it, on every run, machine and
// GOMAXPROCS, as far as the policy decides alike: no product is fused with a sum. A policy that
// compares rounded sums of its own may break a tie otherwise on another kind of processor.
//
// # Units
//
// Seconds, bytes, bytes per second; work in seconds on a node of speed 1. Positive quantities must
// lie in [2^-200, 2^200], about 6e-61 to 1.6e60, so that nothing can overflow: every number in a
// [Result] is finite.
//
// # What to call
//
// [Run], with a [Policy] of your own or one of package policy. Workloads come from
// slotmodel/workload.
//
// # Complexity
//
//	an event                    O(log attempts under way)
//	a gang's start and end      one event, and O(maps) of a few ns, while nothing tells its maps
//	                            apart: see [GangObserver]
//	a map's end, fluid          O(racks) more, O(nodes) where some NIC has a limit
//	a reduce's start, fluid     O(racks) more
//	a kill                      another call of Decide
//	a flow's begin or end       a new division of the links, once per instant: O(classes of flows
//	                            with equal links)
//	a node's loss               O(attempts + tasks of jobs present)
//	the end of a job that rides O(attempts) more
//	a change of Cluster.Speed   O(attempts log attempts)
//
// In steady state an event allocates nothing.
//
// # References
//
//	[1] M. Pastorelli, A. Barbuzzi, D. Carra, M. Dell'Amico, P. Michiardi: HFSP: Size-based
//	    Scheduling for Hadoop. IEEE BigData 2013.
//	[2] J. Dean, S. Ghemawat: MapReduce: Simplified Data Processing on Large Clusters. OSDI 2004.
//	[3] D. Bertsekas, R. Gallager: Data Networks, 2nd ed., 6.5.2 (max-min fair flow control).
//	    Prentice-Hall 1992.
package slotmodel
