// Package queues schedules tasks that are bound to nodes before they run: each node has one queue,
// ordered by arrival, fair shares, deadlines or laxity. The scheduler is that of DynamicShare [1].
//
//	p := &queues.DynamicShare{
//		Policy: queues.Policy{
//			Order:     queues.LLF,
//			Remaining: queues.ByProgress(seconds), // seconds estimates the time of a whole task
//		},
//		Period:     4,          // s
//		Stragglers: stragglers, // made of lof.Stragglers, for example
//	}
//	result, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
//
// # Model
//
// A worker is a node with its queue. The maps of a job are bound to workers when the job arrives,
// its reduces when its last map has ended, whatever the job's Slowstart is: before that, nobody
// knows which partitions a reduce will process. A free slot of a worker goes to the first task in
// the worker's queue that can start there. So a slot may stay free while tasks wait in the queues
// of other workers.
//
// The laxity of a job on a worker is
//
//	deadline - now - the time until the job's last task on the worker ends
//
// The time until then assumes that the worker's slots become free as its running tasks end, and
// that the slots then serve the job's tasks in the queue in the order of their numbers, before the
// tasks of other jobs. While maps of the job are unfinished, the job's reduces follow its last map
// on the worker; they take the [estimate.PhaseTime] of their remaining times on all reduce slots of
// the cluster. So a negative laxity says that the job misses its deadline even if the worker serves
// the job next. A job without a deadline has the laxity +Inf. Remaining times come from
// Policy.Remaining.
//
// Laxities are computed at the instant at which a worker can start a task. They count tasks that
// have entered the worker's queue or have ended by that instant, and deadlines missed by then.
// Where laxities count ([Order] says where), a task of a job with negative laxity starts
// on a worker only if no task of a job with a laxity of 0 or more can start there. A job that has
// missed its deadline runs on. [JobLLF] has the paper's laxity instead: one a job.
//
// # Units
//
// Time is in seconds, memory in bytes, as in slotmodel. Sizes of partitions are plain numbers in
// [0, 2^200].
//
// # What to call
//
// [Policy], with [LLF] and a Remaining, serves jobs that have deadlines. [ByEstimate] makes a
// Remaining of a history of run times, [ByProgress] one that notices slow nodes, and
// [TrueRemaining] knows the true work: a reference that no scheduler can reach. [DynamicShare] is
// Policy with workers that report laxities, whose tasks leave overloaded workers. [ReducePlan]
// chooses the workers of a job's reduces so that deadlines stay met; its Bind is for Policy.Bind.
//
// # Cost
//
// q tasks in a worker's queue, s slots of the worker, N nodes; in the steady state Policy allocates
// nothing:
//
//	binding a task          O(log N), or O(N) where nodes lack the memory for the task
//	a call of Decide        O(q) for each worker where a task has entered the queue or has ended
//	                        since the last call
//	a start, a suspension   O(q log q); where laxities count O(q s) more, and a question to Remaining
//	                        for each task on the worker and each reduce of its jobs
//	a job's one laxity      O(tasks of the job) in a call of Decide, a question to Remaining for each
//	the end of a job        O(tasks of the job), and O(q) more for each task still in a queue
//	a report                the cost of ordering each queue, and O(q) for each job with tasks there
//	a task that may leave   O(N) on an overloaded worker, and O(q) more if the task leaves
//	a plan of p reduces     O(q^2 s) for each of the p reduces and each worker that may be the best
//
// # References
//
//	[1] N. Zacheilas, V. Kalogeraki. Real-time scheduling of skewed MapReduce jobs in
//	    heterogeneous environments. ICAC 2014. Section 3.2: least laxity first; 3.3: overloaded
//	    workers; 4: assignment of partitions.
package queues
