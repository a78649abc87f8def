// Package dynprio is the Dynamic Priority scheduler for the slot model: users bid for slots out of
// budgets that last, and a user who bids more has more of the slots.
//
//	m := &dynprio.Policy{
//		Users: []market.User{
//			{Budget: 100 * market.Credit, Rate: 2 * market.Credit},
//			{Budget: 100 * market.Credit, Rate: market.Credit},
//		},
//		Interval: 60,
//		Report:   func(r dynprio.Report) { fmt.Println(r.Time, r.Totals.Price) },
//	}
//	result, err := slotmodel.Run(cluster, jobs, m, slotmodel.Options{})
//
// # Model
//
// Time is cut into intervals. At the start of each, a [market.Step] charges every user for the last
// interval and divides the slots of each kind among those who can pay, in proportion to their rates
// [1, section 3]. Between two Steps [Policy] starts tasks, so that each user holds the slots that
// it is granted, and gives slots that nobody pays for to jobs by arrival. Package market has the
// prices and the rounding, this package the tasks: demand, starts, use, kills and changes of bids.
//
// # Units
//
// Time is in seconds. Money is [market.Credits], whole micro-credits; a rate is money per slot and
// interval, an income money per interval, where Policy.Interval is the length of an interval.
//
// # What to call
//
// Give [slotmodel.Run] a &Policy{Users: ..., Interval: ...}. A [Change] has users change their bids
// while the run goes on, deposits money and opens and closes queues; [ReadChanges] reads them from
// a file. A [Report] has prices, grants and accounts of a Step. Where tasks are long, Preempt takes
// slots back for whoever pays for them; where blocks matter, a [policy.Delay] is the Filter.
//
// Users of one queue are jobs of one User. A [Snapshot] lets another Policy go on where one
// stopped.
//
// # Complexity
//
// U users:
//
//	event     O(1)
//	start     O(U), and O(log jobs) for each user who lacks slots
//	Step      as market.Step, and O(log jobs) for each job present;
//	          with Preempt O(attempts log attempts) more
//	memory    O(U + attempts)
//
// # Concurrency
//
// A Policy is not safe for concurrent use. It serves one run after another.
//
// # References
//
//	[1] T. Sandholm, K. Lai. Dynamic proportional share scheduling in Hadoop. JSSPP 2010.
//	    Section 3: the allocation, its intervals and preemption.
package dynprio
