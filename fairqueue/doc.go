// Package fairqueue says who is served next when requests cost different amounts, when their costs
// are known late, and when flows nest in tenants.
//
//	q, err := fairqueue.New[string](fairqueue.Options{Lag: 100}) // errors are left out below
//	q.Join("ann", 1)
//	q.Join("bob", 2)                  // twice the share
//	q.SetActive("ann", true)          // ann has something waiting
//	q.SetActive("bob", true)
//	key, ok := q.Next(nil)            // "ann", true: serve her first request
//	s, err := q.Start(key, 100)       // in flight, charged what it may cost
//	key, ok = q.Next(nil)             // "bob", true
//	err = q.End(s, 6)                 // over: it cost 6
//
// # Model
//
// Flows share one server, or several, by weights. Start-time fair queueing [1] gives each request
// two tags and serves the least start tag first:
//
//	S = max(v, F)       start tag; F is the finish tag of the flow's last request
//	F = S + l / r       finish tag; l is the request's cost, r the flow's weight
//	v                   virtual time: the greatest start tag served so far
//
// A flow alone for a while is not behind afterwards, since v keeps up with it; a flow that was idle
// has saved nothing up. Once nothing waits and nothing is in flight all flows are level, and v
// starts from 0 again.
//
// [Queue.Start] begins a service with a guess of its cost, [Queue.Grow] adds to it, [Queue.End]
// closes it with the truth: if nothing was decided in between, the queue is as if the truth had
// been charged at the start. [Queue.SetLimit] bounds what a flow, or a whole subtree, has in
// flight.
//
// # What is promised
//
// While two flows wait all the time, below their limits, and no guess was above the truth, what
// their services cost differs by at most
//
//	|W_f/r_f - W_m/r_m| <= l_f/r_f + l_m/r_m
//
// with the largest costs l, however fast the server is and however its speed changes [1]; with D
// servers, services counted at their ends, by at most D+1 times that if costs are known at the
// start [2], and 2D times that if they are known at the end. If the weights sum to at most the
// speed of one server, a request is done no later than its expected arrival, plus one largest
// request of each other flow and its own, at that speed [1]. In a tree each node is such a server
// for its children [3], and the bounds hold for the siblings at every node. With unit costs they
// are those of stride scheduling [5]; a binary tree is hierarchical stride scheduling.
//
// A flow that is passed over by skip or a limit, or gets back part of a guess, can fall behind v.
// Its next service is charged from v - Lag at least ([Options]): while it and another flow wait
// from then on it gets at most Lag more than its part, in cost per weight, beside the bound above.
// Who joins starts at v, and waits for no more. What to choose:
//
//	Lag 0                   costs known at the start; who was held has lost its turn but for the
//	                        next service, and a tenfold guess, with eight in flight, gets a fourth
//	                        of its part
//	Lag = guess / weight    guesses do no harm to who makes them; a burst of one guess after a hold
//	Lag of several guesses  caps just above a tenant's part leave the parts as they are; after a long
//	                        hold the others wait for as long
//	Lag +Inf                parts in the long run whatever holds them; a hold of an hour starves
//	                        others for up to an hour
//
// A flow that only some servers may serve, by [Queue.SetServers] or a skip, is passed over at the
// others, whose flows move v on without it. Once v is ahead by more than Lag, the flows of the
// server behind take equal turns, whatever their weights and costs; with Lag +Inf one that becomes
// active waits until its server has caught up. Groups of servers that share no flow keep a Queue
// each.
//
// Under ToLeast a flow that becomes active starts at the least start tag of those that wait, as in
// the virtual token counter [4]. Then the difference between two flows that wait all the time is at
// most 2 max(l/r).
//
// k replicas that each have a Queue of the same flows, on D servers each, and tell each other by
// [Queue.Elsewhere] what they have served, share in proportion in total [6]: of flows that wait at
// each of them none is ahead of another by more than
//
//	k D (l_f/r_f + l_m/r_m) + e_f/r_f
//
// where e is what the others have served of a flow and a replica has not heard, late or lost. A
// flow that only some replicas serve is held back at these alone. [Options].Least keeps a part of
// the service of a flow here whatever it got elsewhere, at the price of as much disproportion in
// total.
//
// The proofs are in docs/fair-queues.md, each with the test that plays it.
//
// # Units
//
// Costs are in any one unit: seconds, tokens, bytes, slot-seconds. Costs are 0 or in [2^-60, 2^60],
// and so are weights. Sums are exact and quotients rounded down by less than a part in 2^55, so
// that a guess of any size leaves the tags of the others as exact as they were. The same calls of a
// [Queue] give the same bits on every machine; those of [Decay] and [FairShare] to rounding, since
// they call package math.
//
// # What to call
//
// A scheduler keeps a [Queue]: Join, SetActive when a flow's queue fills or empties, Next, Start
// and End to serve, or Charge for what is over at once. [Waiting] is a Queue that holds the items
// too. JoinUnder makes a tree; a tenant whose keys never return is an owner by SetOwner. Where not
// every server may serve every flow, SetServers and NextAt choose for one of them. Order lists who
// waits, and Why explains a place. A caller that keeps its own heap or database uses [Tag] and
// sorts by the start tag. [Decay], [FairShare] and [RealPriority] lower a weight by past use. A
// Queue is not safe for concurrent use, not even for questions: keep a mutex around it, and tell
// the loop that dispatches what has ended over a channel, as the example of Waiting does.
//
// # Cost
//
// For n siblings at each node and a tree of depth d:
//
//	Join, SetWeight, SetLimit                  O(d log n)
//	Leave, SetActive, Charge, Start, End, Grow O(d log n), amortised
//	Next, NextAt                               O(d (1 + b)) where skip passes over b flows
//	Why                                        O(d n)
//	Order                                      O(m log m) for m active flows
//	Services                                   O(s log s) for s in flight
//	Snapshot                                   O(M log M) for M flows and services in all
//	Restore                                    O(M log M + s d)
//
// A flow that s servers may serve takes s times that for its own heaps. SetActive, Next, Charge,
// Start, Grow and End allocate nothing once the queue has grown to its size. A flow that left is
// remembered while a service of it is in flight, and until v has passed its finish tag. From then
// on it is unknown; its memory is freed two flows with each call that joins, leaves or charges, so
// that no call pauses for many.
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
//  6. Y. Wang, A. Merchant: Proportional-share scheduling for distributed storage systems.
//     FAST 2007. Distributed start-time fair queueing.
package fairqueue
