// Package flow computes when bytes arrive if fluid flows share links max-min fairly.
//
// # Model
//
// A link carries at most its capacity: the egress or ingress of a rack, one direction of a NIC, or
// any other limit that flows share. A flow passes up to five links, with a whole-number weight w >=
// 1. While it has bytes queued it is active and is sent at rate w*x, where the x of all active
// flows are weighted max-min fair:
//
//	the sum of w*x over the active flows that pass a link is at most its capacity;
//	no flow's x can grow without making a smaller or equal x of another flow smaller.
//
// The last line holds exactly if every flow passes a saturated link on which no x is greater than
// its own. If nothing limits a flow its bytes arrive in the instant in which they
// are sent.
//
// Bytes queued at a flow leave it first in, first out. A mark is a position in that queue, reported
// when it is passed.
//
// # Method
//
// Active flows of equal links form a class. They have the same x at all times, so a class needs one
// clock, the bytes sent per unit of weight (the virtual time of fair queueing), and a flow's next
// mark or the end of its queue is a fixed tag on it. A heap of tags for each class and a heap of
// classes by their next event make the cost of time that passes independent of the number of flows.
//
// Progressive filling finds the x (fill.go): all x grow together until a link is full; the classes
// that pass it stay there, the others grow on. A class whose x comes out as before keeps its clock
// and its next event.
//
// # Units
//
// Bytes, seconds, bytes per second, all float64. Time is absolute and starts at 0. Links and
// flows are dense integers.
//
// # Which function
//
// The caller's loop is: t := Next(), or the instant of an earlier event of its own; refs :=
// Advance(refs[:0], t); then Open, Send, Mark, Weigh, Resize, Lose, Close at t. Changes of one
// instant cost one filling, at the next call of Next, Advance or Rate. Rate, Sent and Pending may
// be asked at any time: no later result depends on it.
//
// # Cost
//
// C active classes, L links that they pass, n flows of a class, m marks of a flow:
//
//	Open, Mark, Pending, Resize       O(1)
//	Send to a flow with bytes queued  O(log n + log C), O(1) if its last position is marked
//	Send, Close, Weigh                O(log n + log C), and links are filled
//	Lose                              the same and O(m)
//	Next                              O(1); after a change O(C + L log L), O(log L) for each time that
//	                                  a link's share is looked up, which is O(L) times for each link
//	                                  that gets full, and O(log C) for each class with a new x
//	Advance                           O(log n + log C) for each mark, and Next's cost after a change
//	Rate, Sent                        O(classes of the link); Rate also a filling after a change
//	memory                            O(links + flows + classes + marks); pooled, nothing is allocated
//	                                  in the steady state
//
// # Accuracy
//
// Weights are whole numbers below 2^53 in sum, so sums of weights are exact. Tags and clocks are
// sums of two float64 (about 106 bits) and a clock restarts at 0 when its class becomes active:
// small flows next to large ones lose nothing in long runs. Rates on a link exceed its capacity by
// rounding only (relative 1e-12 up to 1,000 classes on it). Results do not depend on the machine
// (no fused multiply-add) and scale exactly with powers of two of all bytes and rates. Sums and
// products of huge finite inputs stop at the greatest float64. Simultaneous means equal in all
// bits; there is no tolerance on time or bytes.
//
// # Concurrency
//
// A [Network] is for one goroutine at a time. There is no global state.
//
// # References
//
//   - D. Bertsekas, R. Gallager: Data Networks, 2nd ed., 1992, section 6.5.2 (max-min fair flow
//     control, progressive filling).
//   - A. Parekh, R. Gallager: A generalized processor sharing approach to flow control in
//     integrated services networks: the single-node case. IEEE/ACM Transactions on Networking 1(3),
//     1993, section IV (virtual time).
//   - D. Knuth: The Art of Computer Programming, vol. 2, section 4.2.2 (exact error of a
//     floating-point sum).
package flow
