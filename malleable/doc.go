// Package malleable decides how many slots each of many jobs holds at each time, when every job can
// use more or fewer slots as it runs and some jobs must wait for others.
//
//	// slot-seconds; any number of slots
//	jobs := []malleable.Job{{Work: 30}, {Work: 10}, {Work: 20}, {Work: 60}}
//	// job 0 before 1, job 2 before 3; errors are left out below
//	g, err := precedence.Chains(2, 2)
//	obj, err := precedence.SumResponse(4)            // make the sum of the completion times least
//	s, r, err := malleable.Plan(10, jobs, g, obj, malleable.PlanOptions{}) // on 10 slots
//	// r.Order is [0 1 2 3], r.Value 25, r.Exact true
//	ends := s.Completion(nil)                        // [3 4 6 12]
//	for p := range s.Pieces() {
//		// job p.Job holds p.Slots slots from p.Start to p.End
//	}
//	err = malleable.Verify(10, jobs, g, s)           // nil
//
// # Model
//
// There are S equal slots. [Job] j has work p, in slot-seconds, and holds a whole number of slots
// between its minimum m and its maximum M from when it is ready until it completes; with a slots it
// advances by a each second. It is ready when its predecessors in a [precedence.Graph] have
// completed. The number may change at any time (the schedule is malleable, not just moldable), and
// a job with m = 0 may pause. The objective is the sum or the maximum of penalties at the
// completion times C.
//
//	S        slots
//	p        work
//	m, M     least and most slots of a job
//	prefix   work of a job and of all before it in the priority
//	CP       longest chain of p/M that ends at a job
//	X        times that a job's slots change in a schedule
//
// The scheme of CIRCUMFLEX [1] has two steps. A priority is found as if there were one machine
// of speed S (package precedence); then packing goes from completion to completion and gives each
// ready job its m and, by priority, what is left, up to its M.
//
// How good that is:
//
//	m = 0, M >= S            optimal, for every non-decreasing penalty, if the priority is optimal
//	                         on one machine
//	m = 0                    C <= prefix/S + CP for a topological priority. So the makespan is at
//	                         most twice the least, and so is the total weighted completion time if
//	                         the priority is optimal for it on one machine
//	m = 0, allowed counts    the same with S and M reduced by what rounding to the counts loses:
//	                         PlanOptions.Allowed
//	maximum, no arcs         not optimal when some M < S; WaterFill is, and Plan uses it
//	m > 0                    no bound: two jobs of which the later one holds its minimum all the
//	                         time suffice to break it
//
// [Pack] corrects the pseudo-code of appendix B.3 of [1].
//
// # Units
//
// Work is in slot-seconds and times are in seconds, or in any other unit that the two share. Slots
// are whole. Times are float64: scaling all works by a power of two scales all times exactly, and
// two events that differ by less than 2^-40 of the clock are one. [WaterFill] meets deadlines, and
// [Plan] a least maximum, to the tolerances stated there. No tolerance is absolute.
//
// Every function of slots and jobs refuses, with an InputError: slots outside 1 to [MaxSlots]; a
// Work that is negative, NaN or infinite, or a sum of works above a quarter of math.MaxFloat64; a
// negative Min or Max, a Min above a Max; a graph of another number of jobs. A nil graph has no
// arcs.
//
// # What to call
//
// [Plan] does both steps and reports the value, a lower bound and whether the value is exact.
// Callers with a priority of their own call [Pack]; in a loop [PackInto], which reuses memory and
// stops at a horizon. A scheduler that re-plans at arrivals or at epochs calls Plan or PackInto for
// what [Schedule.Remaining] says is left, and [Assign] to give slots out. [WaterFill] decides
// whether deadlines can be met. [NormalizeMinima] scales minima that are too large together.
// [Verify] checks any schedule. sharedscan.FromSubjobs makes the jobs of shared scans.
//
// # Cost
//
// For n jobs and e arcs:
//
//	Pack, PackInto                O((n + e + X) log n); X is O(n) without arcs, up to n^2 with
//	                              them
//	Plan with k allowed counts    O(n r log k + e) beside, for r ready jobs
//	WaterFill                     O(n log n) and the schedule, up to n^2
//	Bounds                        O(n + e)
//	NormalizeMinima               O(n + e) on forests, otherwise a maximum flow
//	Verify, Intervals             O(n + e + p log p) for p pieces
//	Assign                        O(k log k) for k claims, and O(k) a slot
//	Plan                          precedence.Minimize and Pack; for some maxima up to 41 calls of
//	                              WaterFill, or PlanOptions.Packs of Pack
//
// # References
//
//  1. J. Wolf, A. Balmin, D. Rajan, K. Hildrum, R. Khandekar, S. Parekh, K.-L. Wu, R.
//     Vernica: CIRCUMFLEX: a scheduling optimizer for MapReduce workloads involving
//     shared scans. IBM Research Report. Section 3.3 and appendices A.1, A.3, A.4, B.3.
//  2. J. Wolf, D. Rajan, K. Hildrum, R. Khandekar, V. Kumar, S. Parekh, K.-L.
//     Wu, A. Balmin: FLEX: a slot allocation scheduling optimizer for MapReduce
//     workloads. Middleware 2010. Malleable packing without precedence.
//  3. O. Beaumont, N. Bonichon, L. Eyraud-Dubois, L. Marchal: Minimizing weighted
//     mean completion time for malleable tasks scheduling. IPDPS 2012. Water-filling.
//  4. R. McNaughton: Scheduling with deadlines and loss
//     functions. Management Science 6(1), 1959. Wrap-around.
//  5. R. P. Dilworth: A decomposition theorem for partially
//     ordered sets. Annals of Mathematics 51(1), 1950.
//  6. M. Zaharia, D. Borthakur, J. Sen Sarma, K. Elmeleegy, S. Shenker,
//     I. Stoica: Delay scheduling: a simple technique for achieving
//     locality and fairness in cluster scheduling. EuroSys 2010.
package malleable
