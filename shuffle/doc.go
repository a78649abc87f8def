// Package shuffle decides where the maps and reduces of a job run so that less data crosses racks,
// and which task a free node takes next so that the links between racks are neither idle nor
// overloaded [SW].
//
//	// at submission; errors are left out below
//	plan, err := shuffle.MapRacks(10, blocks, ratio.Value(), 40, shuffle.Options{Load: load})
//	for _, q := range plan.Racks {
//		load[q] += plan.Maps[q] // so that ties of the next job go to other racks
//	}
//	// when reduces may start: bytes of map output on each rack
//	quota, err := shuffle.ReducesPerRack(nil, 40, output)
//	// bytes of the shuffle that will cross racks
//	moved, err := shuffle.CrossRack(output, quota)
//	full, err := shuffle.Saturated(nil, used, capacity, 0) // every few seconds
//	i, why, err := shuffle.Next(tasks, full[rack], 600)   // a node of rack asks for a task
//	err = ratio.Add(64e6, 80e6)                            // a map read 64 MB and wrote 80 MB
//
// # Model
//
// The cluster is racks 0 to racks-1. Within a rack data moves freely; a rack's link to the others
// has a limit each way. A rack stands for any such domain: a rack, a zone, a node, an executor. A
// job's input is blocks, each with copies on some racks. The maps on rack q write I_q bytes; each
// of the job's R reduces takes an equal part of every map's output. With R_q reduces on rack q the
// part R_q / R of I_q stays there, and
//
//	sum of I_q (1 - R_q / R)
//
// crosses racks. A map that runs on a rack without a copy of its block reads it across racks.
//
// [MapRacks] (the paper's SAMP) chooses racks for the maps, [ReducesPerRack] (SARP) a number of
// reduces for each rack, [Saturated] (NetSat) marks racks with a full link, [Next] (NASS) picks
// among the tasks of a user, and [Ratio] tells heavy jobs from light ones. All of these are
// preferences: Next always returns a task if there is one.
//
// Beyond the paper: reduces in proportion to map output do not move the least data; sending all of
// them to the rack with most output does. [ReducesWithin] gives the least traffic under a limit for
// each rack, [PlaceReduces] does so for partitions of unequal sizes.
//
// # Units
//
// Bytes are numbers in [0, 2^200], in one unit throughout. Rates are bytes per unit of time.
// Numbers of tasks and slots are at most 10^9, racks 1 to 2^20. All else, an unknown Kind or
// Locality, and a list of another length than racks, is a *schedmath.InputError.
//
// # Verification
//
// What a plan promises is its traffic. [CrossRack] and [Traffic] compute that from the definition
// for any placement, whoever made it; for partitions of unequal sizes it is the sum of CrossRack
// over the partitions, each as a job of one reduce.
//
// # Cost
//
// n racks, b blocks with c copies in all, p partitions, t tasks, k prefixes of racks that bounds do
// not rule out.
//
//	CrossRack, Traffic, Saturated   O(n), no allocation with room in dst
//	Next                            O(t), no allocation
//	MapRacks                        O(n log n + c log c + k (b + c + n log n)), k few as a rule
//	ReducesPerRack                  O(n) in the mean
//	ReducesWithin                   O(n log n)
//	PlaceReduces                    O(p n (p + n)), less while racks have room
//
// # References
//
//   - [SW] F. Ahmad, S. T. Chakradhar, A. Raghunathan, T. N. Vijaykumar. ShuffleWatcher:
//     shuffle-aware scheduling in multi-tenant MapReduce clusters. USENIX ATC 2014. 3.1 NASS and
//     NetSat, Figure 3; 3.2 SAMP, Figures 4 and 5; 3.3 SARP, Figures 6 and 7; 3.4 windows.
package shuffle
