// Package precedence orders jobs on one machine, under any precedence, for twenty objectives: sums
// and maxima of penalties on the completion times. Every [Solution] has a lower bound and says
// whether its order is a best one.
//
//	// job 0 before 1, job 2 before 3; errors are left out below
//	g, err := precedence.Chains(2, 2)
//	work := []float64{3, 1, 2, 4}
//	deadlines, weights := []float64{4, 5, 3, 9}, []float64{1, 4, 2, 1}
//	obj, err := precedence.SumWeightedTardiness(deadlines, weights)
//	s, err := precedence.Minimize(g, work, obj, precedence.Options{})
//	// s.Order is [2 0 1 3], s.Value 6, s.Bound 6, s.Exact true, s.Method down-sets
//
// # Model
//
// One machine of speed 1 serves n jobs one after the other from time 0. An arc (i, j) of a [Graph]
// says that j cannot begin before i has ended. An [Objective] gives each job a penalty, a
// non-decreasing function of its completion time. The sum or the maximum of all penalties is to be
// small.
//
//	p_j   work of job j                   C_j   its completion time
//	w_j   weight                          F_j   penalty
//	d_j   deadline; C_j = d_j is on time  e     arcs
//	w/p   ratio of a job or of a set of jobs: its weight over its work; 0/0 is 0
//
// An initial set, or down-set, has with each job all its predecessors: it is what an order can have
// done at some time. A set of jobs is series-parallel if it is made from single jobs by putting
// sets one after the other, every job of the first before every job of the second, or side by side;
// chains and forests are series-parallel.
//
// The order found here is the priority that package malleable packs on many slots. If every job can
// use all slots and none has a minimum, the packing of a best order is a best schedule; in other
// cases the lower bound of malleable.Plan tells how much better another may be. Package sharedscan
// makes jobs under precedence of scans that share their data.
//
// # Units
//
// Work, completion times and deadlines share one unit of time; weights and penalties are plain
// numbers. Scaling works and deadlines by a power of two scales the answer exactly. Works and
// weights that are multiples of a common power of two, whole numbers above all, are added and
// compared without rounding; each function says up to which sums. The answer depends on the input
// alone, to the last bit.
//
// # What to call
//
// [Minimize], with one of the twenty constructors of objectives, picks the method. [Smith] and
// [Lawler] are for callers who know that they have a sum of weighted completion times, or a
// maximum. [Verify] and [Evaluate] check any order from scratch. [Tails] is for several machines and
// the time until all is done: the critical paths.
//
//	objective                         without arcs         up to series-parallel  any arcs
//	sum of w C, stretch, lateness     Smith, exact         Smith, exact           Smith; exact for few jobs
//	sum of tardy jobs                 Moore, exact         down-sets or search    down-sets or search
//	sum of weighted tardy jobs        Lawler-Moore, exact  down-sets or search    down-sets or search
//	sum of (weighted) tardiness, SLA  down-sets or search  down-sets or search    down-sets or search
//	maximum of any                    Lawler, exact        Lawler, exact          Lawler, exact
//
// For any arcs, the order of Smith costs at most twice the least sum of w C. Down-sets is an exact
// programme over all of them, search a local search with a Lagrangian bound, both within Options.
//
// # Methods
//
// Each method of [Solution] has instances on which no other is as good:
//
//	Smith                 sums of w C, up to series-parallel: exact for a million jobs
//	Sidney                sums of w C under any arcs: within 2, exact where its blocks are narrow
//	modified due dates    a maximum of one type and one weight: one sort, no passes
//	thresholds            other maxima of the types here: exact for a million jobs; a sum that one
//	                      job can pay alone
//	backward dynamic      maxima of a caller's own penalties, of which only values are known
//	programme
//	Moore-Hodgson         the number of tardy jobs without arcs: exact for a million jobs
//	Lawler-Moore          the weight of tardy jobs without arcs: exact for hundreds of jobs, if works
//	                      or weights are multiples of one unit and its table is within States
//	down-sets             any other sum of at most States down-sets or 20 jobs, as of a few long
//	                      chains, jobs times chains at most 2^23: exact
//	local search          all else, annealing in the first half from 200 jobs on if there are arcs
//
// # Cost
//
//	NewGraph                           O(n + e) if arcs ascend, O((n + e) log n) otherwise
//	Graph.Reduce                       O((n + e) n / 512) cache lines
//	Graph.Shape                        O(n + e) for a reduced graph
//	Tails                              O(n + e)
//	Smith                              O(e + n log n) up to series-parallel; otherwise minimum cuts
//	                                   on each of at most n levels, near O((n + e) log n) as a rule
//	Lawler                             O(n log n + e) by modified due dates, and for each pass by
//	                                   thresholds; otherwise O(n^2 + e) values of penalties
//	Minimize                           that of the algorithm, or the budgets of Options
//
// # References
//
//  1. J. Wolf, A. Balmin, D. Rajan, K. Hildrum, R. Khandekar, S. Parekh, K.-L.
//     Wu, R. Vernica: CIRCUMFLEX: a scheduling optimizer for MapReduce workloads
//     involving shared scans. IBM Research Report. Section 3.2 and Appendix B:
//     generalized Smith's rule (B.1), backward dynamic programming (B.2).
//  2. W. Smith: Various optimizers for single-stage
//     production. Naval Research Logistics Quarterly 3, 1956.
//  3. W. Horn: Single-machine job sequencing with treelike precedence ordering and
//     linear delay penalties. SIAM Journal on Applied Mathematics 23(2), 1972. The
//     method for forests; its form in O(n log n) is due to D. Adolphson and T. C.
//     Hu: Optimal linear ordering. SIAM Journal on Applied Mathematics 25(3), 1973.
//  4. E. Lawler: Sequencing jobs to minimize total weighted completion time
//     subject to precedence constraints. Annals of Discrete Mathematics 2, 1978.
//  5. J. Valdes, R. Tarjan, E. Lawler: The recognition of series
//     parallel digraphs. SIAM Journal on Computing 11(2), 1982.
//  6. J. Sidney: Decomposition algorithms for single-machine sequencing with
//     precedence relations and deferral costs. Operations Research 23(2), 1975.
//  7. C. Chekuri, R. Motwani: Precedence constrained scheduling to minimize sum of
//     weighted completion times on a single machine. Discrete Applied Mathematics
//     98, 1999. The factor of two of any order that keeps Sidney's blocks.
//  8. M. Goemans, D. Williamson: Two-dimensional Gantt charts and a scheduling
//     algorithm of Lawler. SIAM Journal on Discrete Mathematics 13(3), 2000.
//  9. E. Lawler: Optimal sequencing of a single machine subject to precedence
//     constraints. Management Science 19(5), 1973. The maximum of any penalties.
//  10. J. Moore: An n job, one machine sequencing algorithm for
//     minimizing the number of late jobs. Management Science 15(1), 1968.
//  11. E. Lawler, J. Moore: A functional equation and its application to resource
//     allocation and sequencing problems. Management Science 16(1), 1969.
//  12. A. Goldberg, R. Tarjan: A new approach to the maximum-flow problem. Journal of the
//     ACM 35(4), 1988. Push and relabel, of which the minimum cuts here are the first phase.
//  13. R. Graham: Bounds on multiprocessing timing anomalies. SIAM Journal on Applied
//     Mathematics 17(2), 1969.
//  14. T. C. Hu: Parallel sequencing and assembly line problems. Operations Research 9(6), 1961.
package precedence
