// Package sharedscan turns scans of a dataset that several jobs need at the same time into jobs
// under precedence, each of which is done once for all who need it, and keeps the books while such
// scans run.
//
//	// of one dataset, in slot-seconds
//	scans := []sharedscan.Scan{{Remaining: 16, Max: 8}, {Remaining: 40}, {Remaining: 60}}
//	chain, err := sharedscan.CyclicChain(nil, scans) // errors are left out below
//	g, err := precedence.Chains(len(chain))
//	sum, err := precedence.SumResponse(len(scans))   // what to minimise over the scans
//	obj, err := sharedscan.OverSubjobs(chain, sum)   // the same over the subjobs
//	// works 16, 24 and 20: of scans 0 to 2, 1 and 2, 2
//	jobs, err := sharedscan.FromSubjobs(nil, chain, nil)
//	s, r, err := malleable.Plan(8, jobs, g, obj, malleable.PlanOptions{}) // on 8 slots
//	ends := s.Completion(nil)                        // [2 5 7.5], each the end of one scan
//	// r.Value is 14.5, r.Exact true
//
// # Model
//
// A dataset is a set of blocks. A scan is one job's need to read all or some of them. The scans of
// K jobs become subjobs: a subjob is a set of blocks that the same scans still need, its members.
// It is read once, whatever the number of its members.
//
//	scan      one job's need for blocks       Remaining   work that a scan has left
//	subjob    blocks that its members need    Members     the scans that a subjob serves
//	region    subjob of overlapping sets      Completes   the scan that ends with a subjob
//
// Three ways of sharing, of references 1 and 2:
//
//	cyclic piggybacking   a scan joins those under way and goes round to the blocks that it
//	                      missed; CyclicChain: a chain
//	semi-shared scans     each scan needs its own set of blocks, and the sets overlap; Regions: an
//	                      order by inclusion
//	batching              scans wait for the end of a window and are read together; Batches: one
//	                      scan a window
//
// # Units
//
// Work is in slot-seconds or any other unit, the same for all scans of a call. Minima and maxima
// are whole slots. Times and windows share one unit of time, and a Rate is arrivals in a unit of
// it. Blocks are numbered from 0. Numbers are finite and, except arrivals and boundaries, not
// negative; a Rate is above 0, a Min at most its Max. All else, a result that is not finite, and a
// list or an index that does not fit is a *schedmath.InputError. No tolerance is absolute.
//
// # What to call
//
// [CyclicChain] or [Regions] makes subjobs of the scans under way. [OverSubjobs] puts a
// [precedence.Objective] on the subjobs, and [precedence.Minimize] orders them on one machine.
// [FromSubjobs] makes jobs of them for [malleable.Plan], which gives them slots. [CircularScan]
// keeps who reads what while scans run: who drives a block, who rides, where a rider's output
// begins, and what must be read again after a failure. [BatchWindows] chooses windows for batching.
//
// # Cost
//
//	CyclicChain, CyclicTree        O(K log K) for K scans
//	Regions                        O(n + L) for n blocks of which L are listed, and at most O(R^2)
//	                               comparisons of R <= K + n regions
//	Batches                        O(n log n) for n arrivals
//	BatchWindows                   O(D) for D datasets
//	CircularScan                   O(n) a call for n blocks, O(1) for Left and for Next if a job
//	                               waits for the first block; Start and Finish O(K log K) for K
//	                               jobs, O(K) while nothing has failed; Leave O(n + K); Fail and
//	                               Lost O(n K); Snapshot, Restore and memory O(n K)
//
// # References
//
//  1. J. Wolf, A. Balmin, D. Rajan, K. Hildrum, R. Khandekar, S. Parekh, K.-L.
//     Wu, R. Vernica: CIRCUMFLEX: a scheduling optimizer for MapReduce workloads
//     involving shared scans. IBM Research Report. Section 1: perceived wait;
//     Section 2.1: batching; Section 2.2: cyclic piggybacking; end of Section 3:
//     semi-shared scans; Appendix A.1: chains; Appendix C: failures.
//  2. P. Agrawal, D. Kifer, C. Olston: Scheduling shared scans of
//     large data files. Proceedings of the VLDB Endowment 1(1), 2008.
package sharedscan
