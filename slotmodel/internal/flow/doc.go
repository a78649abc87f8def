// Package flow computes when bytes arrive if fluid flows between racks share the racks' links max-min fairly.
//
// # Model
//
// There are R racks. Rack r has an egress and an ingress link; everything that leaves it for another rack passes
// the first, everything that comes from another rack the second. A flow goes from rack src to rack dst with a
// whole-number weight w >= 1 and a limit unit on its rate per unit of weight. While it has bytes queued it is
// active and is sent at rate w*x, where the x of all active flows are weighted max-min fair:
//
//	x <= unit; the sum of w*x over the active flows that leave (enter) a rack is at most its egress (ingress);
//	no flow's x can grow without making a smaller or equal x of another flow smaller.
//
// A flow may also pass ports, like further links: one of its rack src by which it leaves, for instance the NIC of a node there, and one
// of its rack dst by which it enters. Then it has no unit. Ports are shared by all flows that name them.
//
// The last line holds exactly if every flow has x = unit or passes a saturated link on which no x is greater than
// its own. A flow with src == dst passes no link but its ports: without any, x = unit. If nothing limits a flow its bytes arrive in the
// instant in which they are sent.
//
// Bytes queued at a flow leave it first in, first out; a mark is a position in that queue, reported when it is passed.
//
// # Method
//
// Active flows of equal src, dst, ports and unit form a class. They have the same x at all times, so a class needs one
// clock, the bytes sent per unit of weight (the virtual time of fair queueing), and a flow's next mark or the end of
// its queue is a fixed tag on it. A heap of tags per class makes the cost of advancing independent of the number of
// flows. A unit that cannot bind, because it is not below the capacity of one of the two links, is taken as +Inf, so
// that most flows between two racks share a class (class.go).
//
// Progressive filling finds the x (fill.go): all x grow together until a link is full or a unit is reached, what is
// limited by that is fixed, the rest grows on. So a class's x is its unit or the level at which one of its links got
// full, and all classes which that link limits have the same x. They ride on the clock of that link (pace.go): a new
// level changes one clock and no class; only classes that another link limits from now on are touched.
//
// Without units and ports the order in which links get full is taken from the last solution, checked and mended (refill.go), from the
// first link that can differ, since the state of filling at each of them is kept (rank.go). With ports only those are looked at while links
// fill that were full before or have got more weight; the others are checked in the end (gate.go).
//
// # Units
//
// Bytes, seconds, bytes per second, all float64. Time is absolute and starts at 0. Racks and flows are dense integers.
//
// # Interval mode
//
// With an interval v > 0 rates are solved only at multiples of v. What Open, Send, Weigh and Resize change takes effect at
// the next multiple of v that is not before the instant of the call; in between all rates per unit of weight are
// frozen. A flow whose queue ends in between leaves, and its bandwidth stays unused until the next multiple. Bytes
// taken away by Lose or Close are gone at once, and the bandwidth they free is given to others at the next multiple.
// So no link ever carries more than its capacity, and with v -> 0 the run tends to the exact one. The rule holds for
// every flow, also for flows inside a rack.
//
// # Which function
//
// The caller's loop is: t := Next(), or the instant of an earlier event of its own; refs := Advance(refs[:0], t); then
// Open, Send, Mark, Weigh, Resize, Lose, Close at t. Changes of one instant cost one solution, found at the next call of Next,
// Advance or Rates.
//
// # Cost
//
// R racks, L <= 2R links in use, C active classes, n flows of a class, m marks of a flow, r <= R classes that one
// link limits (with units, more than one per pair of racks):
//
//	Open, Mark, Pending, Now          O(1)
//	Send to a flow with bytes queued  O(log n + r), O(1) if its last position is marked
//	Send, Close, Weigh                O(log n + r + log C), and a solution is due; if the class has a unit and starts
//	                                  or ends, a move of 16 bytes per class with a unit; if it has a port, of 24 per class there
//	Resize                            O(1), and a solution is due; O(flows) if a port gets a limit or loses it
//	Lose                              O(log n + r + m)
//	Next                              O(1); after a change O(R + C/64) and the solution: without units and ports O(R) for each link
//	                                  that gets full from the first one that may differ on, and for each place that a
//	                                  link goes back; with units or ports O((L + F) L + pairs of racks in use + classes at their unit + P),
//	                                  P ports in use, F of them full, and the classes of those that are or could be; a few times that
//	                                  if a port gets full that had not been before
//	Advance                           O(R + C/64), O(log n + r) for each mark, and Next's cost if a solution is due
//	Rates, Sent                       O(classes of the rack); Rates also Next's cost
//	memory                            56.5 R^2 bytes and O(flows + marks + ports); pooled, nothing is allocated in the steady state
//
// At most 32,767 racks: a link and a rack at its other end are numbered by an int32.
//
// # Accuracy
//
// Weights are whole numbers below 2^53 in sum, so sums of weights are exact. Tags and clocks are sums of two float64
// (about 106 bits) and a clock restarts at 0 when its class empties: small flows next to large ones lose nothing in long
// runs. Rates on a link exceed its capacity by rounding only (relative 1e-12 up to 1,000 racks). Results do not depend on the machine
// (no fused multiply-add) and scale exactly with powers of two of all bytes and rates. Simultaneous means equal in
// all bits; there is no tolerance on time or bytes.
//
// # Concurrency
//
// A Network is for one goroutine at a time. There is no global state.
//
// # References
//
//   - D. Bertsekas, R. Gallager: Data Networks, 2nd ed., 1992, section 6.5.2 (max-min fair flow control, progressive filling).
//   - A. Parekh, R. Gallager: A generalized processor sharing approach to flow control in integrated services
//     networks: the single-node case. IEEE/ACM Transactions on Networking 1(3), 1993, section IV (virtual time).
//   - D. Knuth: The Art of Computer Programming, vol. 2, section 4.2.2 (exact error of a floating-point sum).
package flow
