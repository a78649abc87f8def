// Package backfill says when jobs that hold machines to their end will start, and whether a small
// one may go before a large one without putting it off.
//
//	starts, err := backfill.Plan(nil, []int64{64}, now, running, queue, backfill.Options{})
//	for i, start := range starts {
//		if start == now {
//			// start queue[i]
//		}
//	}
//
// # Model
//
// A job needs whole units of each of one or more resources, all of them from its start to its end:
// machines, cores, GPUs. Its [Job.Time] is for how long, as planned: the time after which it would
// be killed, or a prediction. Units are interchangeable: which machines a job gets is the caller's.
// A [Profile] is what is free over time: the capacity less what runs, up to its planned end, less
// nodes that left. A [Window] holds units for nobody or for the jobs of an owner. A plan is made anew
// at each arrival, end and change.
//
// Who is planned, by [Options]:
//
//	FCFS          InOrder    nobody starts before a job ahead of it
//	EASY [1, 2]   zero value the first job that must wait has its start reserved; any other may
//	                         start now if that does not move the reservation
//	EASY-SJBF [3] Shortest   the same; those others are tried by their times, the shortest first
//	depth d       Depth: d   the first d jobs that must wait have reservations
//	conservative  Depth: -1  all have [2]
//
// # Guarantees
//
// Who passes the start that a plan gave a job to later plans, as [Job.Promised], and whose times
// and ends are upper bounds, gets: no promised job starts later than promised, if the capacity only
// grows. For promised jobs are placed by their promises. One that moves forward holds, from its
// promise on, no more than it would have held; so those promised later still fit where they were
// promised, and their earliest starts are not later. Without promises, EASY keeps this for the first
// job of a queue whose order stands: jobs that start beside its reservation end before it, or use
// what it leaves. If a job outlives its planned end, reservations move to their earliest starts:
// [Extend] gives a new prediction, [LastTwo] a first one.
//
// When a job ends early, promises move forward in their own order, not in that of arrival. In the
// order of arrival a job could only move beside the promises of all others, and what one behind it
// leaves as it moves would stay a hole until the next plan.
//
// A plan in which every job has a start stays: as long as jobs start and end as planned and the
// capacity stands, the next plan gives the same starts to those with promises. For take them in the
// order of promises, and let X be the first with another start, which is an earlier one, t, since all
// starts of the last plan fit beside each other. In the last plan X did not fit at t beside the jobs
// placed before it: some resource lacked at a time u in [t, t + Time). u lies before X's promise, for
// from there on X did fit beside these jobs. So those of them that hold something at u start before X's
// promise; they come before X now, too, where they were, and X does not fit at t. Who has a plan of
// all jobs thus places new jobs beside it ([Profile.Planned]), until a job ends early or late. Then plan
// all anew: any may move, even past what was freed, since each that moves frees what later ones take.
// If a job on all units that was to end at 10 ends at 1, those on all units behind it that were promised
// 10, 20 and 25 start at 1, 11 and 16.
//
// Windows that were known at the promise change none of this: a job that holds less leaves no less to
// anybody, since what its owner's windows then hold grows by at most as much. Beside the same jobs an
// owner's job starts when it would without its window; but jobs that keep out of the window may come
// before it elsewhere.
//
// In each plan nobody starts beyond what is free, and no job that waits could start earlier beside
// the others' starts (but for those behind it under FCFS). A job that can never run gets +Inf and
// delays nobody: it needs more than there will ever be, as far as the profile shows, which counts
// jobs that run to +Inf and nodes that left to +Inf. A job whose end is unknown and which must not
// be overtaken gets some finite time.
//
// [Forecast] says when jobs that wait will start, as intervals: it plays plans forward over samples
// of how long each job still runs, as [Remaining] has it from earlier runs. A [Calibrator] moves the
// bounds of such intervals by the errors of past ones.
//
// # Units
//
// Times in any one unit, on any one clock, as finite float64; [Extend] in seconds. Times are
// compared as they are: where .1 + .2 ends after .3, so does the job. Units of a resource lie in
// [0, 2^60].
//
// Right after a time is the next float64, [math.Nextafter] towards +Inf: it says after, not how
// long after. Times in a unit that is a power of two of another give the same starts in that unit,
// right after them too. A time of 0 has no unit: right after 0 is 5e-324, and half of that is 0. So
// compare a start with now before you convert it.
//
// # What to call
//
// Plan at every event. Who asks many questions keeps a Profile: Take, Give, Earliest, and
// Profile.Plan. Package policy has the same as a policy of the slot model.
//
// # Cost
//
// With s steps of the profile, at most two for each job that runs or has a start and for each occurrence
// of a window, all of which are looked at; costs are times the resources. What windows hold for an
// owner has steps of its own, which only the owner's jobs look at.
//
//	Take, Give, Earliest, Free, Advance    O(s)
//	Plan                                   O(s) a reservation or a start, O(log s) for others
//	Forecast                               samples times a plan at each start and end
//	Calibrator, Remaining                  O(log m) and m numbers moved, m outcomes or runs remembered
//
// A Profile, a Calibrator, a Remaining and a LastTwo are not safe for concurrent use; functions are.
//
// # References
//
// [1] D. Lifka: The ANL/IBM SP scheduling system. JSSPP 1995.
//
// [2] A. Mu'alem, D. Feitelson: Utilization, predictability, workloads, and user runtime estimates
// in scheduling the IBM SP2 with backfilling. IEEE TPDS 12(6), 2001.
//
// [3] D. Tsafrir, Y. Etsion, D. Feitelson: Backfilling using system-generated predictions rather
// than user runtime estimates. IEEE TPDS 18(6), 2007.
//
// [4] V. Vovk, A. Gammerman, G. Shafer: Algorithmic learning in a random world. Springer 2005.
package backfill
