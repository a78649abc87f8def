// Package dynprio is the Dynamic Priority scheduler for the slot model: users bid for slots out of
// budgets that last, and a user who bids more has more of the slots.
//
//	m := &dynprio.Policy{
//		Users: []market.User{
//			{Budget: 100 * market.Credit, Rate: 2 * market.Credit},
//			{Budget: 100 * market.Credit, Rate: market.Credit},
//		},
//		Period: 60,
//		Report: func(r dynprio.Report) { fmt.Println(r.Time, r.Totals.Price) },
//	}
//	result, err := slotmodel.Run(cluster, jobs, m, slotmodel.Options{})
//
// # Model
//
// Every Period, while tasks run, a [market.Step] charges each user for the slot-seconds that it
// held within its last grant, and grants slots until the next Step, in proportion to the rates of
// those who can pay [1, section 3]. The demand of a user is the slots that its attempts hold and
// the tasks that it could start on the nodes that are up ([slotmodel.View.Capacity]). A free slot
// goes to
//
//   - the user with the largest grant less slots held of the kind, if above 0; ties: maps first,
//     then the earliest job with a task to start;
//   - when there is none, and Rules.Fill is FIFO, the earliest job: a spare slot, free of charge
//     while its user holds more than the grant.
//
// Within a user jobs come by arrival. The task is the one that [slotmodel.Actions.Start] picks:
// node-local, of the rack, any; no job waits for a block unless Filter refuses starts. While nobody
// can pay, the starts are those of FIFO. Shared slots are offered as slots of both kinds.
//
// A user's rate is multiplied by the Priority of its earliest job present, if that is above 0. A
// [Change] is made just before the first Step at its time or later. A new rate counts from this
// Step on. A new income counts already for the period that this Step settles, and the charge for
// the period comes out of a new budget. When the last job present has ended, a Step settles what is
// owed; the next Step is made when a job arrives. Income goes on between the two, for at most 10^9
// periods. Nothing is settled at slotmodel.Options.Until.
//
// # Preemption
//
// With Preempt.On a Step kills the attempts that [market.Victims] names, those on spare slots
// first, and starts in the slot of each a task of the user who lacks most. It kills only for demand
// that the free slots do not serve, even if Filter keeps them free, and only where Filter accepts
// the task that starts. A task is killed at most as often as the cluster has nodes, so that every
// job ends even if grants move at every Step. With Victims.Limit, users that have waited for the
// limit go before all others; one of them that holds no slot of the kind counts as lacking at least
// one.
//
// A rigid job starts on paid slots when its user lacks as many as the job needs and so many are
// free; a market.User.Lot has slots granted in such numbers. It is killed whole or not at all: only
// if users lack as many slots as it holds, it holds no more than its user has above the grant, and
// each of its slots has a task that Filter accepts there and that needs no more memory. Its maps
// that have ended start over too. market.Victims is told the progress of its newest attempt. Nobody
// is killed for a rigid job.
//
// # Units
//
// Time is in seconds. Money is [market.Credits], whole micro-credits; a rate is money per slot and
// period, an income money per period.
//
// # What to call
//
// Give [slotmodel.Run] a &Policy{Users: ..., Period: ...}. A [Change] changes bids, deposits money,
// and opens and closes queues while the run goes on; users of one queue are jobs of one User. A
// [Report] has prices, grants and accounts of a Step. Where blocks matter, a [policy.Delay] is the
// Filter. [Restore] makes a Policy that goes on where one stopped.
//
// # Complexity
//
// U users; nothing is allocated in the steady state, but to take slots:
//
//	event     O(1)
//	start     O(U), and O(log jobs) for each user who lacks slots
//	Step      as market.Step, and O(log jobs) for each job present;
//	          with Preempt O(attempts log attempts) more
//	memory    O(U + attempts)
//
// # References
//
//	[1] T. Sandholm, K. Lai. Dynamic proportional share scheduling in Hadoop. JSSPP 2010.
package dynprio
