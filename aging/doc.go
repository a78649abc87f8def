// Package aging says which job to serve next so that small jobs need not wait for large ones and
// no job waits for ever as long as the virtual load, the estimated work that arrives over the
// work that the slots can do, stays below 1. The section Overload of docs/guide.md has a table of
// how long large jobs wait at and above that load, and two recipes that bound the wait.
//
//	c, err := aging.New[string](1)                   // one slot; errors are left out below
//	c.Add("j1", aging.Job{Work: 30})                 // three jobs, as in Figure 1 of HFSP [1]
//	c.Advance(10)                                    // 10 seconds later
//	c.Add("j2", aging.Job{Work: 10})
//	c.Advance(5)
//	c.Add("j3", aging.Job{Work: 10})
//	key, ok := c.First(aging.ByFinish)               // "j2", true: the job to serve
//	key, in, ok := c.NextFinish()                    // "j2", 22.5, true: in a fair share
//	for key, job := range c.All(aging.ByFinish) {    // j2, j3, j1 with job.Work 7.5, 10, 17.5
//	}
//
// # Model
//
// Beside the real cluster runs a virtual one, fluid and fair. At each instant it shares its slots
// among all jobs present by weighted max-min fairness: job i gets min(Slots, r Weight) for the
// one water level r that uses the capacity up. A job's virtual work, its estimated size at first,
// drains at that rate, whatever is served in reality. Jobs are then served by the state of the
// virtual system: by the work that they have left there (HFSP) or by the order in which they will
// finish there (FSP). A job that has finished there but not in reality is late and comes first.
//
//	S   capacity in slots            w   weight
//	r   water level                  t   real time
//	u   virtual clock of the jobs below their caps, du = r dt
//	tag the reading of its group's clock at which a job ends, fixed while it waits
//
// The guarantee holds on one server (or with caps that never bind), with exact sizes, with
// ByFinish, and with completed jobs kept until their virtual finish: no job ends later than
// under processor sharing, or under generalised processor sharing with the same weights [2]. Each
// condition is needed. With caps below the capacity, with ByWork and unequal weights, or with jobs
// removed when they are done, some job may end later than under sharing; the tests hold an example
// of each.
//
// Late jobs are those whose size was underestimated. Share the slots among all of LateReady rather
// than serve the late jobs one by one: one large job that is late blocks every other job for all of
// its missing work.
//
// # Units
//
// Work is in slot-seconds and time in seconds, or in any other unit that the two share; slots and
// weights are plain numbers and need not be whole. Scaling all works and times by a power of two
// scales every answer exactly. Positive quantities must lie in [2^-200, 2^200], about 6e-61 to
// 1.6e60, so that nothing can overflow; a limit on slots may be larger and then never binds. What
// is out of range, and an unknown By or Floors, is a *schedmath.InputError. The same calls give the
// same bits on every machine.
//
// # What to call
//
// A scheduler keeps a [Cluster]: Add on arrival, Advance with the time that has passed, First or
// All to decide, Reestimate when it knows more about a size, SetReady when all of a job's tasks
// run, Complete when it is done. Lapsed tells which jobs have become late. A [Tag] is a key for a
// heap of the caller's own. [MaxMin] and [MaxMinSlots] share slots once, [Shares] does over a tree
// with floors, where [Entitlement] says what one node can count on; [Age], [Finish] and [Order]
// answer for a list of jobs and keep nothing.
//
// # Cost
//
// For n jobs in g groups of equal Slots/Weight:
//
//	MaxMin                                   O(n) a pass, 2 to 10 passes, no allocation
//	MaxMinSlots, Shares, Entitlement         O(n log n)
//	Age, Finish, Order                       O(n log n)
//	Cluster.Add, Complete, Remove, Set...    O(log n), and O(log g) for each group that meets or
//	                                         leaves its cap
//	Cluster.Advance                          the same for each virtual finish
//	Cluster.Job, Rate, Tag, NextFinish       O(1)
//	Cluster.Late, Lapsed                     O(l log l) for l late jobs, or those late since
//	Cluster.First, All                       see First
//
// Without caps there is one group, and an event costs O(log n) whatever the history.
//
// # References
//
//  1. M. Pastorelli, A. Barbuzzi, D. Carra, M. Dell'Amico, P. Michiardi: HFSP: size-based
//     scheduling for Hadoop. IEEE BigData 2013. Section III-C: max-min fairness, job aging.
//  2. E. Friedman, S. Henderson: Fairness and efficiency in web
//     server protocols. SIGMETRICS 2003. FSP and its dominance.
//  3. M. Dell'Amico, D. Carra, P. Michiardi: PSBS: practical size-based scheduling. IEEE
//     Trans. Computers 65(7), 2016. Late jobs that share; weights; tags in O(log n).
//  4. A. Parekh, R. Gallager: A generalized processor sharing approach to flow
//     control. IEEE/ACM Trans. Networking 1(3), 1993. Virtual finish times.
package aging
