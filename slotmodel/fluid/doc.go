// Package fluid computes when jobs finish on one fluid server, or on S fluid slots of which each
// job can use all, under FIFO, processor sharing, least attained service, SRPT, SPT and the fair
// sojourn protocol with estimated sizes.
//
//	jobs := []fluid.Job{ // Figure 1 of HFSP [3]
//		{Arrival: 0, Size: 30, Estimate: 30},
//		{Arrival: 10, Size: 10, Estimate: 10},
//		{Arrival: 15, Size: 10, Estimate: 10},
//	}
//	ps, err := fluid.Run(1, jobs, fluid.PS{})
//	// ps.Finish is [50 37.5 42.5], ps.MeanSojourn() 35
//	fsp, err := fluid.Run(1, jobs, fluid.FSP{})
//	// fsp.Finish is [50 20 30], fsp.MeanSojourn() 25
//
// # Model
//
// Job j arrives at time a_j with work s_j, of which the scheduler sees an estimate e_j only. The
// rates of the jobs present add up to S, and a job finishes once the integral of its rate is s_j.
//
// [FSP] runs weighted processor sharing on the estimates in a virtual system V, in which nothing is
// known of real progress, and serves in reality by virtual finish time, late jobs first.
//
// The order of service is decided when a job arrives and when one is done in reality or in V. That
// matters only to FSP by virtual work with unequal weights, whose keys move meanwhile. The levels of
// LAS are exact at every moment. Ties go to the lower index. A job of size 0 finishes when it
// arrives (but see [FIFO.Turn]), and stays in V for its estimate; a job with an estimate of 0 is
// late at once. When several things coincide, real completions come first, then virtual
// completions, then arrivals.
//
// # Units
//
// Times are in any one unit and work in slots times that unit. Every number of a job is 0 or in
// [2^-200, 2^200]. Scaling all times by a power of two scales the results bit for bit. Clocks are
// double-double and start at 0 with each busy period, and two instants are one if they agree to 80
// bits of such a clock: what ties in exact arithmetic ties here, and a job of 1e-9 seconds at a
// time of 1e5 is as exact as any. The same input gives the same bits on every machine.
//
// # Which laws hold
//
// With exact sizes:
//   - nobody is later under FSP than under PS with the same weights, if V's order is by virtual
//     finish [1] [2];
//   - no policy has a smaller sum of sojourn times than SRPT;
//   - all policies have the same busy periods (for that the estimates may be wrong).
//
// By virtual work the first fails once weights differ: jobs of size 12, weight 5 and size 5, weight
// 1 that arrive together finish after 14.4 and 17 under PS, and the first after 17 under
// FSP{ByWork: true}. It would also fail if a job left V with its real completion.
//
// V's finish times are those of PS run on the estimates, and the sum of the sojourn times is
// [Result.Area] (Little's law in one run).
//
// # What to call
//
// [Run] for one run; a [Runner] for thousands of them allocates nothing in the steady state.
//
// # Complexity
//
// n jobs, of which m are present at a time, in reality or in V:
//
//	FIFO                      O(1) per event
//	PS, LAS, SRPT, SPT, FSP   O(log n) per event, amortised
//	FSP by virtual work       O(m log m) per event with unequal weights
//
// Memory is O(n). Jobs that do not come sorted by arrival cost O(n log n) once.
//
// # References
//
//  1. E. J. Friedman, S. G. Henderson: Fairness and efficiency in web server protocols.
//     SIGMETRICS 2003. (FSP)
//  2. M. Dell'Amico, D. Carra, P. Michiardi: On fair size-based scheduling. arXiv:1506.09158, 2015.
//     (any reference policy, weights, late jobs); PSBS: practical size-based scheduling. IEEE Trans.
//     Computers, 2015. doi:10.1109/TC.2015.2468225.
//  3. M. Pastorelli, A. Barbuzzi, D. Carra, M. Dell'Amico, P. Michiardi: HFSP: size-based
//     scheduling for Hadoop. IEEE BigData 2013. (sections II-B and III-C; Figure 1)
//  4. M. Dell'Amico: Scheduling with inexact job sizes: the merits of shortest processing time
//     first. arXiv:1907.04824. (SPT)
package fluid
