// Package policy holds policies for the slot model: who gets the next free slot, by arrival, by fair shares, by size, by user, or by the
// place of the data.
//
//	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}, {Maps: 2}}}
//	jobs := []slotmodel.JobSpec{
//		{Arrival: 0, Maps: slotmodel.Phase{Tasks: 12, Work: 10}},
//		{Arrival: 1, Maps: slotmodel.Phase{Tasks: 2, Work: 10}},
//	}
//	for _, p := range []slotmodel.Policy{policy.FIFO{}, new(policy.Fair), new(hfsp.Policy)} {
//		result, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(result.Jobs[0].Finish, result.Jobs[1].Finish)
//	}
//
// This prints when each job ends, in seconds: 30 40 under FIFO, 40 20 under the two others.
//
// # Model
//
// A policy decides by what slotmodel.View shows and acts by slotmodel.Actions. Most are put together from parts:
//
//	Greedy    fills each free slot from a Ranker, an order of the jobs with a task to start. A Filter may refuse a start.
//	PerUser   chooses a user by Users, an order of users, and a task of that user, of either kind, by a Chooser.
//
// ByArrival, Fair, SRPT, hfsp.Policy and By are Rankers, Delay is a Filter, FairUsers and DRF are Users, Earliest and ShuffleWatcher are Choosers.
// FIFO, Fair, SRPT and hfsp.Policy are policies by themselves too: each does what Greedy does with its order, and SRPT, hfsp.Policy and Fair can be told to take slots away
// from tasks that run. Without a Filter no slot stays free while a job could use it, rigid jobs apart, whose tasks need several slots at
// once. Maps and reduces are served separately, but for PerUser, which gives slots of any kind.
//
// Package queues, below this one, has policies of another kind: they bind tasks to nodes, and each
// node serves a queue of its own, so that a slot may stay free. Package shufflewatcher has a Chooser
// for clusters whose links between racks are narrow.
//
// Capacity guarantees users fractions of the slots; in package policy/dynprio users bid for slots.
//
// A part with settings is a slotmodel.Checker. A part with state is a slotmodel.Beginner, which forgets the previous run, and a slotmodel.Observer, which
// learns from events; one whose answers change as time passes is an Alarm. Greedy, PerUser and Earliest hand all of these on to their parts.
//
// # Units
//
// Time is in seconds and work in seconds on a node of speed 1, as in slotmodel; weights and slots are plain numbers.
//
// # What to call
//
// Give slotmodel.Run FIFO{}, &Fair{}, &SRPT{}, &hfsp.Policy{}, or &Greedy{Inner: &Fair{}, Filter: &Delay{Node: 5, Rack: 5}}; where the
// links between racks are narrow, &PerUser{Chooser: s} with s from NewShuffleWatcher. A new
// order of jobs is a key function for By, or a Ranker. For jobs with deadlines there are &Queues{Order: QueueLLF, Remaining: ...} and DynamicShare.
//
// # Settings
//
// The zero value of every policy is usable. A setting out of its range is an *schedmath.InputError: NewMarket, NewCapacity and
// NewShuffleWatcher return it, and slotmodel.Run before the first event for all others, which are slotmodel.Checkers. What functions return while a
// run goes on is no setting; their comments say what counts for a value out of range.
//
// # Complexity
//
// n jobs present, m steps of a walk, N nodes, U users. Nothing is allocated in the steady state, but by FIFO for a rigid job:
//
//	            event       start               walk
//	FIFO        -           O(log n + log N)    O(m log n)
//	Fair        O(log n)    O(log n + log N)    O(m log n)
//	SRPT        O(log n)    O(log n + log N)    O(m log n); with preemption see SRPT
//	By          -           O(n)                O(n + m log n)
//	PerUser     -           O(U log U)          see FairUsers, DRF and Earliest
//	Delay       see Delay   as the Ranker       see Delay
//	Capacity    as Fair     as Fair             -
//
// # Concurrency
//
// Policies are not safe for concurrent use, FIFO apart, which has no state. A value serves one run after another.
//
// # References
//
//	[1] M. Pastorelli, A. Barbuzzi, D. Carra, M. Dell'Amico, P. Michiardi. HFSP: size-based scheduling for Hadoop. IEEE BigData 2013.
//	    Section III-A: the fair scheduler; III-B: wait-based preemption and delay scheduling.
//	[2] M. Zaharia, D. Borthakur, J. Sen Sarma, K. Elmeleegy, S. Shenker, I. Stoica. Delay scheduling: a simple technique for achieving
//	    locality and fairness in cluster scheduling. EuroSys 2010. Algorithms 1 and 2.
//	[3] L. Schrage. A proof of the optimality of the shortest remaining processing time discipline. Operations Research 16 (1968).
//	[4] Apache Hadoop 0.21, fair scheduler: shares by the number of running tasks (MAPREDUCE-706), preemption (MAPREDUCE-551).
//	[5] L. Schrage, L. Miller. The queue M/G/1 with the shortest remaining processing time discipline. Operations Research 14 (1966).
//	[8] A. Ghodsi, M. Zaharia, B. Hindman, A. Konwinski, S. Shenker, I. Stoica. Dominant resource fairness: fair allocation of multiple
//	    resource types. NSDI 2011. Section 4.
//	[9] T. Sandholm, K. Lai. Dynamic proportional share scheduling in Hadoop. JSSPP 2010. Section 3.
//	[10] Apache Hadoop 0.20, capacity scheduler: guaranteed capacities, reclaimed after a time limit.
package policy
