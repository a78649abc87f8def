// Package ledger charges work back to the budgets of teams and organisations.
//
//	l, err := ledger.New([]ledger.Account{
//		{Parent: -1, Free: 100 * ledger.Credit},              // the organisation
//		{Parent: 0, Free: 60 * ledger.Credit}})               // a team of it
//	job, err := l.Reserve(1, 50*ledger.Credit)                // when the team's work is admitted
//	err = l.Settle(job, 40*ledger.Credit)                     // what it cost
//
// Accounts form trees: a team below a department below an organisation. Work is admitted by
// [Ledger.Reserve] and charged by [Ledger.Settle], and has to fit the budget of its account and of
// every account above it. [Ledger.Refund] gives back what preempted work has paid, and
// [Ledger.NextPeriod] ends a period with its statement.
//
// Money is in [Credits], whole micro-credits, so that sums are exact. For work that bids in package
// market, which has the same Credits, reserve a Quote's Cost times the intervals that it takes.
//
//	Reserve, Settle, Refund           O(depth of the accounts + log lines)
//	NextPeriod, Snapshot, Restore     O(accounts + lines)
package ledger
