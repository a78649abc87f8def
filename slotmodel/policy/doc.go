// Package policy holds policies for the slot model: who gets the next free slot, by arrival, by fair shares, by size, or nearest to
// the data.
//
// # Model
//
// Policies decide by what slotmodel.View shows and act by slotmodel.Actions. Most are a Ranker, an order of the jobs that have a task
// to start, and a rule that fills slots from it: Greedy fills every slot at once, Delay waits for slots near the data. FIFO, Fair
// and SRPT are policies by themselves, and do what Greedy does with their order; HFSP has rules of its own for samples, rigid jobs
// and preemption, which its comment tells. All but Delay are work-conserving: no slot stays free while there is a task for it, rigid
// jobs apart, whose tasks need several slots at once. Only HFSP can take a slot away from a task that runs.
//
// Maps and reduces have slots of their own and are served separately. A Ranker keeps its order from event to event, and so has to
// see all of them, and belongs to one run; FIFO alone keeps nothing.
//
// # Units
//
// Time is in seconds and work in seconds on a node of speed 1, as in slotmodel; weights and slots are plain numbers.
//
// # What to call
//
// Give slotmodel.Run FIFO{}, &Fair{}, &SRPT{}, or &Delay{Inner: &Fair{}, Node: 5, Rack: 5}. A new order needs no more than a
// Ranker, which Greedy makes a policy.
//
// # Complexity
//
// n jobs that have a task to start, m steps of a walk, N nodes. Nothing is allocated in the steady state, but by FIFO for a rigid job:
//
//	             event        start                walk
//	FIFO         -            O(log n + log N)     O(m log n)
//	Fair         O(log n)     O(log n + log N)     O(m log m)
//	SRPT         O(log n)     O(log n + log N)     O(m log m)
//	HFSP         see its comment
//	Delay        as Inner     as Inner, and for each node offered O(log tasks) for each job that lets it pass
//
// # Concurrency
//
// Policies are not safe for concurrent use. FIFO has no state; of the others each run needs its own.
//
// # References
//
//	[1] M. Pastorelli, A. Barbuzzi, D. Carra, M. Dell'Amico, P. Michiardi. HFSP: size-based scheduling for Hadoop. IEEE BigData 2013.
//	    Section III-A: the fair scheduler; III-B: wait-based preemption and delay scheduling.
//	[2] M. Zaharia, D. Borthakur, J. Sen Sarma, K. Elmeleegy, S. Shenker, I. Stoica. Delay scheduling: a simple technique for achieving
//	    locality and fairness in cluster scheduling. EuroSys 2010. Algorithms 1 and 2.
//	[3] L. Schrage. A proof of the optimality of the shortest remaining processing time discipline. Operations Research 16 (1968).
package policy
