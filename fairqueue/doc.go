// Package fairqueue says who is served next when requests cost different amounts, when their costs
// are known late, and when flows nest in tenants.
//
//	q, err := fairqueue.New[string](fairqueue.Options{})      // errors are left out below
//	q.Join("ann", 1)
//	q.Join("bob", 2)                                          // twice the share
//	q.SetActive("ann", true)                                  // ann has something to serve
//	q.SetActive("bob", true)
//	key, ok := q.Next(nil)                                    // "ann", true: serve her first request
//	q.Charge("ann", 10)                                       // at its start; an estimate will do
//	key, ok = q.Next(nil)                                     // "bob", true
//	q.Charge("bob", 10)
//	q.Settle("ann", -4)                                       // at its end: it cost 6
//
// # Model
//
// Flows share one server, or several, by weights. Start-time fair queueing [1] gives each request
// two tags and serves the least start tag first:
//
//	S = max(v, F)       start tag; F is the finish tag of the flow's last request
//	F = S + l / r       finish tag; l is the request's cost, r the flow's weight
//	v                   virtual time: the greatest start tag served so far;
//	                    the greatest finish tag once nothing waits
//
// A flow alone for a while is not behind afterwards, since v keeps up with it; a flow that was idle
// has saved nothing up. While two flows wait all the time, the service W that they have got differs
// by at most
//
//	|W_f/r_f - W_m/r_m| <= l_f/r_f + l_m/r_m
//
// with the largest costs l, however fast the server is and however its speed changes [1]. With D
// servers the bound is D+1 times that [2]. If the weights sum to at most the speed of one server, a
// request is done no later than its expected arrival, plus one largest request of each other flow
// and its own, at that speed [1]. In a tree each node is such a server for its children [3], and
// the bounds hold for the siblings at every node. With unit costs they are those of stride
// scheduling [5]; a binary tree is hierarchical stride scheduling.
//
// Under ToLeast a flow that becomes active starts at the least start tag of those that wait, as in
// the virtual token counter [4]. Then the difference between two flows that wait all the time is at
// most 2 max(l/r).
//
// # Units
//
// Costs are in any one unit: seconds, tokens, bytes, slot-seconds. Weights are plain numbers in
// [2^-100, 2^100], costs lie in [0, 2^200]. Tags are in double-double, so that a flow of small
// costs advances beside tags of any size that occurs.
//
// # What to call
//
// A scheduler keeps a [Queue]: Join, SetActive when a flow's queue fills or empties, Next and
// Charge to serve, Settle when the cost is known. JoinUnder makes a tree. Why explains an order. A
// caller that keeps its own heap or database uses [Tag] and sorts by the start tag. [Decay],
// [FairShare] and [RealPriority] lower a weight by past use.
//
// # Cost
//
// For n siblings at each node and a tree of depth d:
//
//	Join, SetWeight                      O(log n) amortised
//	Leave, SetActive, Charge, Settle     O(d log n), amortised
//	Next                                 O(d (1 + b)) where skip passes over b flows
//	Why                                  O(d n)
//	Snapshot, Restore                    O(N log N) for N flows in all
//
// SetActive, Next, Charge and Settle allocate nothing once the queue has grown to its size.
//
// # Concurrency
//
// The functions are pure and safe for concurrent use. A Queue is not, not even for questions.
//
// # References
//
//  1. P. Goyal, H. Vin, H. Cheng: Start-time fair queueing: a scheduling algorithm for
//     integrated services packet switching networks. IEEE/ACM Trans. Networking 5(5), 1997.
//     Theorem 1: fairness; Theorem 4: delay.
//  2. W. Jin, J. Chase, J. Kaur: Interposed proportional sharing for a storage service utility.
//     SIGMETRICS 2004. SFQ(D).
//  3. P. Goyal, X. Guo, H. Vin: A hierarchical CPU scheduler for multimedia operating systems.
//     OSDI 1996. Trees.
//  4. Y. Sheng, S. Cao, D. Li, B. Zhu, Z. Li, D. Zhuo, J. Gonzalez, I. Stoica: Fairness in
//     serving large language models. OSDI 2024. Virtual token counter.
//  5. C. A. Waldspurger, W. E. Weihl: Stride scheduling: deterministic proportional-share
//     resource management. MIT/LCS/TM-528, 1995.
package fairqueue
