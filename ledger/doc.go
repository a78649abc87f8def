// Package ledger charges work back to the budgets of teams and organisations.
//
// Accounts form trees: a team below a department below an organisation. Work is admitted by
// [Ledger.Reserve] and charged by [Ledger.Settle], and has to fit the budget of its account and of
// every account above it. [Ledger.Refund] gives back what preempted work has paid, and
// [Ledger.NextPeriod] ends a period with its statement.
//
// Money is in [Credits], whole micro-credits, so that sums are exact. [ParseCredits] and String
// read and write it. Package market has the same Credits: for work that bids there, reserve a
// Quote's Cost times the intervals that the work takes.
//
//	Reserve, Settle, Refund    O(depth of the accounts + log lines)
//	NextPeriod                 O(accounts + lines)
//	Snapshot, Restore          O(accounts + lines)
//
// The functions are pure and safe for concurrent use. A Ledger is not.
package ledger
