// Package internal holds what package policy and the packages below it share: the keyed order of
// jobs, the filling of free slots, the taking of slots from attempts, wake-ups. It does not import
// policy. What it needs of a policy it declares as a small interface with exported methods, which
// the policies implement.
//
//	Order       items in the order of a key, with walks from the front
//	JobSet      a set of jobs without repeats
//	Steps       gives free slots to the jobs of a Ranker, rigid jobs included
//	Offer       offers nodes with free slots one after another; Served is the answer of each
//	Preemption  what happens to running tasks when another job goes before theirs
//	Taker       takes the slot of an attempt for a job that waits
//	Suspended   the suspended attempts, each resumed when it is its turn
//	Wake        asks for calls of Decide, for each time once
//	Check, BeginRun, Observe, AlarmOf
//	            hand a call on to the parts of a policy
//	Rank, Earlier, PhaseOf, TotalWork, Width, GangFits, NewestRunning
//	            what policies ask about a job
//	StartGang   starts all maps of a rigid job
//
// A value belongs to one policy. The policy makes a new value for each run, or has the value forget
// the previous run. Nothing is safe for concurrent use.
package internal
