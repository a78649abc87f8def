// Package circumflex runs plans for malleable jobs in the slot model: FLEX [2], and CIRCUMFLEX [1],
// in which one task reads a block for all jobs that need it.
//
//	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 4}, {Maps: 4}, circumflex.RideNode()}}
//	p := &circumflex.Policy{Dataset: func(s *slotmodel.JobSpec) int { return s.User }, Beat: 3}
//	result, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
//
// # Model
//
// The map with index i of a job reads block i of the job's dataset. Two layers decide, as in [1],
// appendix A.1:
//
//	allocation    a plan: the scans of each dataset become a chain of subjobs
//	              (sharedscan.CyclicChain), and malleable.Plan orders and packs these. A dataset may
//	              hold what the plan gives its chain now.
//	assignment    each free slot goes to the dataset that has least of what the plan gives it
//	              (malleable.Assign), when the slot's node reports
//
// Of a dataset's blocks one that its earliest scan waits for is read first. All scans of the
// dataset that wait for the block when the read begins ride along ([1], appendix C.3): the job of
// the earliest one drives. When the driver's attempt has ended the riders' tasks have ended too.
// When it is killed or lost the riders wait again. A scan that begins later reads the block anew.
//
// The slot model lets a task do the work of its own job alone. A cluster with a [RideNode] lets it
// serve several: the riders' tasks run there at the end of the read, in no time. Without a
// [RideNode] no scan is shared, and every job reads for itself.
//
// The plan gives whole slots for as long as it likes. The slot model takes them in whole tasks,
// which nobody interrupts, and with Beat leaves each slot idle until its node reports. What that
// costs is the difference between the two layers.
//
// # What a plan knows
//
// The work left of a scan is the number of blocks not yet read, those under way included, times the
// time of a block, Estimate. A plan is made when a job arrives or ends and when a node is lost or
// returns; with Epoch, at whole multiples of Epoch alone, at those before which something happened.
// What estimates get wrong the next plan corrects.
//
// Reduces start by arrival, without a plan. So do rigid jobs of several maps, whenever there is
// room for all of their maps; they share no scans.
//
// # Units
//
// Seconds, and work in seconds on a node of speed 1, as in slotmodel. The plan counts all slots as
// of speed 1.
//
// # Cost
//
// With k datasets that are being read and n scans under way, a plan costs that of [malleable.Plan]
// for n subjobs, a start O(k log k + n) and the tasks that ride, and a read that ends O(1) for each
// rider.
//
// # Concurrency
//
// A [Policy] is for one run at a time. It serves one run after another.
//
// # References
//
//  1. J. Wolf, A. Balmin, D. Rajan, K. Hildrum, R. Khandekar, S. Parekh, K.-L. Wu, R. Vernica:
//     CIRCUMFLEX: a scheduling optimizer for MapReduce workloads involving shared scans. IBM
//     Research Report. Sections 2.2 and 3, appendices A.1, A.4 and C.
//  2. J. Wolf, D. Rajan, K. Hildrum, R. Khandekar, V. Kumar, S. Parekh, K.-L. Wu, A. Balmin: FLEX:
//     a slot allocation scheduling optimizer for MapReduce workloads. Middleware 2010.
package circumflex
