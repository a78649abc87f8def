// Package market shares whole slots in proportion to what users bid for them, out of budgets that
// last.
//
//	users := []market.User{                             // Figure 1 of the paper [DP]
//		{Budget: 100 * market.Credit, Rate: 4 * market.Credit, Demand: market.Slots{15}},
//		{Budget: 100 * market.Credit, Rate: 3 * market.Credit / 2, Demand: market.Slots{15}},
//		{Budget: 100 * market.Credit, Rate: 2 * market.Credit, Demand: market.Slots{15}},
//	}
//	grants, totals, err := market.Step(nil, market.Slots{15}, users, market.Options{})
//	fmt.Println(totals.Price)                           // 7.5 credits, and 8, 3 and 4 slots:
//	for i, g := range grants {
//		fmt.Println(g.Slots[0], g.Why[0])
//		users[i] = g.Next // before the next Step set Rate, Demand and Used
//		users[i].Used = [2]float64{float64(g.Slots[0])} // held; the next charges 32, 4.5, 8
//	}
//
// # Model
//
// Time is divided into intervals. Each user has a budget and bids a rate for a slot and interval.
// In each interval the price is the sum of the rates of all users who could use a slot and pay for
// it, and a user's share of the slots is its rate over the price. Shares become whole slots by
// apportionment. At the next [Step] users pay their rates for the slot-time that they held.
//
// By default slots held beyond the grant are not charged; under AllHeld they are. A charge is at
// the rate of the grant, and a grant is within the budget: the published implementation keeps
// neither rule, see [HadoopContrib]. Two things stay as the paper has them unless Charge is Spend.
// A slot costs its user's rate however many others bid: demand makes slots scarce, not dear. And
// twice the rate spends up to four times as much, twice the slots at twice the price, so that a
// user can halve the cost of its slots by dividing its account.
//
// # A step
//
// Settlement: a user pays the slot-time really held at the rate of its last grant, then receives
// its Income for the Elapsed time. Fractions of a micro-credit are kept for the next Step.
//
// Price: a user is active if it could use a slot (a Lot), its rate is above 0 and at least Reserve,
// and its budget pays for that slot for an interval; for Spend, if its budget holds the rate. Only
// active users count in the price, get shares, and can be charged.
//
// Slots: each kind is divided among the active users in proportion to their rates, with Rounding,
// up to their demands and maxima, and up to as many slots as the budget pays for an interval at the
// rate. A budget that does not pay for both kinds is divided in proportion to the slots that the
// user would get with enough money; slots still left are then offered once more to whoever can pay.
// Slots that nobody pays for go by Fill. Without Carry a higher rate never gets fewer slots while
// the budget pays for all that its owner wants.
//
// Minima of a kind that exceed its slots in total, as after a loss of nodes, are scaled down by
// Hamilton's method, each part in whole lots. With Carry, a user who is not active loses what
// rounding owes it to the active users. Lots are cut from the proportional slots; the slots left
// over go lot by lot, first to the user who lost most.
//
// # Units
//
// [Credits] are whole micro-credits. [Slots] are whole numbers up to 10^9. Intervals are of any
// length that the rates refer to; [Options.Elapsed] says how many have passed since the last
// [Step], a fraction if need be. Seats, minima and caps are at most 10^9, weights 0 or in
// [2^-200, 2^200], times finite and not negative, and lists that go together have one length: all
// else, and an unknown option or index, is a *schedmath.InputError.
//
// # What to call
//
// A scheduler calls [Step] every interval and [Victims] where running tasks stand in the way of the
// grants. [Apportion] divides anything else whole in proportion to weights, and [ApportionCarry]
// lets rounding even out over time. A user calls [RateForSlots], [RateToLast] or [RateByDeadline]
// to find its rate. With several clusters, each with its price, package market/equilibrium divides
// a budget among them and tells where that leads. The operator divides a constant total by
// [Incomes], and sees by [Inflation] whether prices stay.
//
// Without a market, package fairqueue says who gets the next freed slot, and lowers weights by past
// use. Package ledger charges work back to the budgets of teams and organisations, in the [Credits]
// of this package: a user's Budget may be what an account of it has Free.
//
// # Cost
//
// n users:
//
//	Step                  O(n) in the mean, and a sort where slots are left over or come in lots
//	Apportion             O(n) a pass: a few passes for Hamilton, 25 to 60 for the divisor
//	                      methods, whatever the number of seats
//	ApportionCarry        as Apportion with Hamilton, and about 40 passes more
//	Victims               O(a log a) for a attempts
//	RateForSlots          about 65 Steps and a play; RateByDeadline one more play
//	RateToLast            about 60 plays; a play is a Step for each change of the grants, with Carry
//	                      for each interval, at most 10,000
//
// # References
//
//   - [DP] T. Sandholm, K. Lai. Dynamic proportional share scheduling in Hadoop. JSSPP 2010. 3 the
//     mechanism, 3.1 starvation, 5 currency management.
//   - [BY] M. L. Balinski, H. P. Young. Fair representation. Yale University Press, 1982.
//   - [E] J. Edmonds. Matroids and the greedy algorithm. Mathematical Programming 1 (1971).
package market
