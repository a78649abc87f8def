// Package circumflex runs plans for malleable jobs in the slot model: FLEX [2], and CIRCUMFLEX [1],
// in which one task reads a block for all jobs that need it.
//
//	scan := slotmodel.JobSpec{Dataset: 1, Maps: slotmodel.Phase{Tasks: 8, Work: 10}}
//	jobs := []slotmodel.JobSpec{scan, scan}
//	result, err := slotmodel.Run(cluster, jobs, &circumflex.Policy{Period: 3}, slotmodel.Options{})
//
// # Model
//
// Jobs with the same [slotmodel.JobSpec.Dataset] share scans; without one, each job reads for
// itself, and the policy is FLEX. Two layers decide, as in [1], appendix A.1:
//
//	allocation    a plan: the scans of each dataset become a chain of subjobs
//	              (sharedscan.CyclicChain), and malleable.Plan orders and packs these. A dataset may
//	              hold what the plan gives its chain now.
//	assignment    each free slot goes to the dataset that has least of what the plan gives it
//	              (malleable.Assign), when the slot's node reports
//
// Of a dataset's blocks one that its earliest scan waits for is read first. All scans of the
// dataset that wait for the block when the read begins ride along ([slotmodel.Actions.Ride]; [1],
// appendix C.3): the job of the earliest one drives. A scan that begins later reads the block anew.
//
// The plan gives whole slots for as long as it likes. The slot model takes them in whole tasks,
// which nobody interrupts, and with Period leaves each slot idle until its node reports. What that
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
// for n subjobs, and a start O(k log k + n).
//
// # References
//
//  1. J. Wolf, A. Balmin, D. Rajan, K. Hildrum, R. Khandekar, S. Parekh, K.-L. Wu, R. Vernica:
//     CIRCUMFLEX: a scheduling optimizer for MapReduce workloads involving shared scans. IBM
//     Research Report. Sections 2.2 and 3, appendices A.1, A.4 and C.
//  2. J. Wolf, D. Rajan, K. Hildrum, R. Khandekar, V. Kumar, S. Parekh, K.-L. Wu, A. Balmin: FLEX:
//     a slot allocation scheduling optimizer for MapReduce workloads. Middleware 2010.
package circumflex
