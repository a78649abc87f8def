// Package policy holds policies for the slot model: who gets the next free slot, by arrival, by fair shares, by size, or nearest to
// the data.
//
// # Model
//
// Policies decide by what slotmodel.View shows and act by slotmodel.Actions. Most are a Ranker, an order of the jobs that have a task
// to start, and a rule that fills slots from it: Greedy fills every slot at once, Delay waits for slots near the data. FIFO, Fair
// and SRPT are policies by themselves, and do what Greedy does with their order; HFSP has rules of its own for samples, rigid jobs
// and preemption, which its comment tells. All but Delay are work-conserving: no slot stays free while there is a task for it, rigid
// jobs apart, whose tasks need several slots at once. HFSP, SRPT and Fair can be told to take slots away from tasks that run.
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
//	  Deficits   O(log n)     O(log n + log N)     O(m log m), and O(n) for the first of an instant
//	SRPT         O(log n)     O(log n + log N)     O(m log m)
//	  Preempt    O(log n)     O(log n + log N)     O(m log m), and each call what SRPT tells
//	HFSP         see its comment
//	Delay        as Inner     as Inner, and what Delay tells
//
// # Concurrency
//
// Policies are not safe for concurrent use, FIFO apart, which has no state. The others keep what they learn in a run, and begin
// anew in the next.
//
// # References
//
//	[1] M. Pastorelli, A. Barbuzzi, D. Carra, M. Dell'Amico, P. Michiardi. HFSP: size-based scheduling for Hadoop. IEEE BigData 2013.
//	    Section III-A: the fair scheduler; III-B: wait-based preemption and delay scheduling.
//	[2] M. Zaharia, D. Borthakur, J. Sen Sarma, K. Elmeleegy, S. Shenker, I. Stoica. Delay scheduling: a simple technique for achieving
//	    locality and fairness in cluster scheduling. EuroSys 2010. Algorithms 1 and 2.
//	[3] L. Schrage. A proof of the optimality of the shortest remaining processing time discipline. Operations Research 16 (1968).
//	[4] Apache Hadoop 0.20, contrib/fairscheduler, 2009: deficits. Hadoop 0.21 (MAPREDUCE-706) gave them up for the number of running
//	    tasks by weight, and MAPREDUCE-551 added preemption.
//	[5] L. Schrage, L. Miller. The queue M/G/1 with the shortest remaining processing time discipline. Operations Research 14 (1966).
package policy
