// Package shufflewatcher shapes and reduces the traffic between racks, under any order of users:
// ShuffleWatcher [1] as a [policy.Chooser].
//
//	p := &policy.PerUser{Chooser: &shufflewatcher.Chooser{Wait: 5}}
//	result, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
//
// # Model
//
// The policy chooses a user first, by fair shares for example. The [Chooser] then picks a task of
// this user for the free node by three mechanisms and a flag of the network's state. Package
// shuffle has their algorithms.
//
// NASS, network-aware task selection: the Chooser starts the candidate that [shuffle.Next] prefers
// in the present state of the network. Candidates are the user's tasks of the kinds for which the
// node has a free slot. The reduces of a job become candidates when the job's maps have ended or
// when no map of the user waits, and stay candidates. The jobs should therefore have a Slowstart of
// 0. With a Wait and a Patience of 0 a task always starts if there is a candidate.
//
// SAMP, shuffle-aware map placement: when a job arrives, [shuffle.MapRacks] chooses the racks that
// the job's maps prefer. Ties between racks are broken by load, the bytes of other jobs' waiting
// maps that prefer a rack. On a node of a preferred rack, the job starts first a map with its block
// on the node, then a map with its block in the rack, then a map whose block has no copy in a
// preferred rack, then any map. Rigid jobs prefer no rack.
//
// SARP, shuffle-aware reduce placement: when the reduces of a job become candidates, each rack gets
// a quota of them. If enough maps of the job have ended, 15% by default,
// [shuffle.ReducesPerRack] divides the reduces by the map output in each rack; otherwise the
// quotas are the tentative ones of SAMP.
// Without SAMP there are no quotas until enough maps have ended. Only a fluid network knows the map
// output in a rack. As in the paper, quotas matter for the reduces of heavy jobs alone: jobs with
// more shuffle than input. A job with as much of both is light.
//
// NetSat: at the end of each Period a flag of each rack is set if the mean load of the rack's links
// over the period exceeds the Threshold. The flag stands until the end of the next period. While
// nothing runs, a period does not end. If no link of a rack has a limit, there are no periods and
// no flag is set.
//
// # Preferences that are obeyed
//
// In the paper a preference is an order among the tasks of one user, and a free node is always
// given a task. A node that nobody of the poorest user prefers thus takes any task of this user.
// Three settings give preferences more force. None of them is the paper's:
//
//   - policy.PerUser.Prefer lets a user whose task prefers the node go before equally poor ones;
//     policy.PerUser.Slack also before users who are poorer by a few slots.
//   - Patience has a job wait for its racks.
//   - Within keeps quotas of reduces to the slots of a rack, which matters with Patience.
//
// # Units
//
// Time is in seconds, sizes in bytes and loads in bytes per second, as in slotmodel.
//
// # What to call
//
// Give [policy.PerUser] a Chooser. With [policy.FairUsers] this is the paper's SW-fair, with a Wait
// of 5 as well its SW-relaxed, and with [policy.DRF] its SW-DRF. WaitFor has both readings of what
// relaxed fairness waits for. Report says what happened in the last run, and Plan what SAMP and SARP
// planned for a job.
//
// # Cost
//
// R racks:
//
//	Choose, Prefers        O(R + log jobs + log tasks) for each job of the user
//	                       O(jobs of the user) besides for each task that waits for Patience
//	a call of Decide       O(users) besides
//	the arrival of a job   shuffle.MapRacks, and O(R) for each job with waiting maps
//	the end of a period    O(R)
//	the end of a wait      O(jobs), with Patience
//	the first quotas       O(R), with Within O(nodes)
//
// Choose allocates nothing, apart from the first choice that concerns the reduces of a job.
// Arrivals allocate. The memory is O(R) for each job of the run, and O(maps) for each job present.
//
// # References
//
//	[1] F. Ahmad, S. T. Chakradhar, A. Raghunathan, T. N. Vijaykumar. ShuffleWatcher:
//	    shuffle-aware scheduling in multi-tenant MapReduce clusters. USENIX ATC 2014. Section 3
//	    and Figures 3 (NASS) and 6 (SARP).
package shufflewatcher
