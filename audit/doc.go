// Package audit says from a log who was owed how much, when, and who had it instead.
//
//	gpus := []audit.Capacity{{Amount: 16}}
//	spans := []audit.Span{
//		{User: 0, From: 0, Start: 10, End: 15, Amount: 16}, // waited from 0 to 10
//		{User: 1, From: 0, Start: 0, End: 10, Amount: 16},
//	}
//	debts, report, err := audit.Shortfall(nil, gpus, spans, audit.Options{})
//	// debts[0].Worst is 80 GPU-seconds, from 0 to 10; report.Pairs[0][1] says that user 1 had them
//
// # Model
//
// A user's demand at a time is what its spans ask for, whether they wait or run; its use is what
// those ask for that run. Its entitlement is its share of the capacity of that time by
// aging.Shares, of the demands of that time, over a tree with weights, floors, priorities and caps.
// The gap is its entitlement less its use. All four stay as they are between two events of the log,
// and the package integrates, over nodes i and time:
//
//	Owed      of max(0, gap_i)              Idle   of max(0, sum of all gaps)
//	Beyond    of max(0, -gap_i)             Over   of max(0, -sum of all gaps)
//	Net       of gap_i: Owed - Beyond       Worst  greatest integral of gap_i over any window
//
// Idle is capacity that somebody was entitled to and nobody used; Over what ran above all
// entitlements together, as when nodes were lost under their jobs. Summed over the leaves of the
// tree, Owed + Over = Beyond + Idle. What i is owed at a time is divided among those above their
// entitlements, in proportion to how far above, and Idle: that is Pairs. Idle has two columns there:
// one for times at which the smallest span of i that waits would have fitted into what was free,
// alone, and one for times at which none would have.
//
// With a Patience P the wait of a span counts from From to From + P. A job that nobody can start, or
// that its user has forgotten, makes a debt for P and no longer; when it runs it counts again.
//
// # What to judge by
//
// Whether somebody was treated unfairly is a matter of Net and of Worst, not of Owed: two users who
// take turns on one server owe each other a quarter of the time for ever, and no more than half a
// turn net. Tasks that are not interrupted make debts of their size whoever schedules: start-time
// fair queueing on D servers owes users of one weight who always wait less than 2 (D + 1) largest
// tasks in any window, by the bound of package fairqueue, and D + 1 in the runs tried; processor
// sharing owes nothing. Entitlements have no memory: who used less before is entitled to no more
// now. What stood idle in parts too small for a job that waits is the price of rigid jobs, not of a
// policy. Look at WorstSpan, the job behind the worst window, and at NeverRan and Late, the parts of a
// debt by jobs that never ran and by waits beyond Patience, before you accuse anybody. Report.Whole has
// the debts if all of each wait counted.
//
// # Units
//
// Amounts in any one unit of one resource, GPUs for example, or dominant shares; times in any one
// unit; debts in amount x time. Positive amounts lie in [2^-200, 2^200], times within 2^200 of 0. A
// gap below 2^-40 of entitlement and use together is rounding, and none.
//
// # Cost
//
// For s spans, c changes of the capacity, n nodes, and a of them at a time that have a span which
// waits or runs, or had one less than a Window ago:
//
//	Shortfall   O((s + c) log (s + c)), and at each instant at which entitlements or uses change
//	            O(a log a) for the shares and O(owed x beyond) for Pairs; memory O(s + c), n + 1
//	            numbers for each leaf that is owed something, and, with a Window, the changes of
//	            each node within one window; O(log s) more for a span that begins or ends to wait,
//	            and its depth in the tree for WorstSpan; where a wait exceeds Patience, all but
//	            Pairs again, for Whole
//
// The package has no state; functions are safe for concurrent use.
package audit
