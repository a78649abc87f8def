// Package policy holds policies for the slot model: who gets the next free slot. Here are the parts
// that policies are put together from, and the simple orders: by arrival, by fair shares, by the
// work left, by a key of your own, by user, by the place of the data.
//
//	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}, {Maps: 2}}}
//	jobs := []slotmodel.JobSpec{
//		{Arrival: 0, Maps: slotmodel.Phase{Tasks: 12, Work: 10}},
//		{Arrival: 1, Maps: slotmodel.Phase{Tasks: 2, Work: 10}},
//	}
//	for _, p := range []slotmodel.Policy{policy.FIFO{}, new(policy.Fair), new(policy.SRPT)} {
//		result, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(result.Jobs[0].Finish, result.Jobs[1].Finish)
//	}
//
// This prints when each job ends, in seconds: 30 40 under FIFO, 40 20 under the two others.
//
// The policies of the papers have a package each, below this one:
//
//	policy/hfsp              size-based scheduling, with sizes learnt from sample tasks
//	policy/queues            a queue on each node: by arrival, fair shares, deadlines or laxity
//	policy/circumflex        plans for malleable jobs, run slot by slot; shared scans
//	policy/dynprio           slots sold to users who bid for them out of budgets
//	policy/shufflewatcher    a Chooser where the links between racks are narrow
//
// # Model
//
// A policy decides by what [slotmodel.View] shows and acts by [slotmodel.Actions]. Four policies
// are made of parts, [Greedy], [Delay], [Backfill] and [PerUser]:
//
//	Greedy    fills each free slot from a Ranker, an order of the jobs with a task to start.
//	          A Filter may refuse a start.
//	Delay     is Greedy around a Ranker, with jobs that wait for nodes that hold their blocks.
//	Backfill  plans when rigid jobs start, in the order of a Ranker, and lets others go first that
//	          do not put them off.
//	PerUser   chooses a user by Users, an order of users, and then a task of that user, a map
//	          or a reduce, by a Chooser.
//
// [ByArrival], [Fair], [FairShare], [SRPT], [Capacity] and [By] are Rankers. Delay is a [Filter]
// too, for Greedy, Earliest and policies of users. [FairUsers] and [DRF] are [Users], [Earliest]
// is a [Chooser]. [FIFO], Fair, SRPT and Capacity are also policies by themselves: each does what
// Greedy does with its order, and Fair, SRPT and Capacity can be told to take slots away from
// tasks that run. Without a Filter no slot stays free while a job could use it, except for rigid
// jobs, whose tasks need several slots at once. Maps and reduces are served separately, except by
// PerUser, which gives slots of any kind. Backfill keeps slots free for the jobs that it has
// promised them.
//
// A part with settings is a [slotmodel.Checker]. A part with state is a [slotmodel.Beginner], which
// forgets the previous run, and a [slotmodel.Observer], which learns from events. A part whose
// answers change as time passes is an [Alarm]. Greedy, Delay, Backfill, PerUser and Earliest hand
// all of these on to their parts. Two more interfaces are optional, and save time: [Comparer] of a
// [Ranker], [Idler] of a Chooser. A part of your own that has them costs as little as one of this
// package. Two others serve PerUser.Prefer: [Preferrer] of a Chooser, [Leveler] of Users.
//
// # Units
//
// Time is in seconds and work in seconds on a node of speed 1, as in slotmodel; weights and slots
// are plain numbers.
//
// # What to call
//
// Give [slotmodel.Run] FIFO{}, &Fair{}, &SRPT{}, &Capacity{Guaranteed: ...} or &Delay{Inner:
// &Fair{}, Node: 5, Rack: 5}; to share among users, &PerUser{} or &PerUser{Users: &DRF{}}; for logs
// of rigid jobs &Backfill{}. A new order of jobs is a key function for By, or a Ranker of your own,
// for Greedy, Delay or Backfill.
//
// # Settings
//
// The exported fields of a policy, here and in the packages below, are its settings, and the zero
// value of every policy is usable. [slotmodel.Run] calls Check before the first event, which
// returns a [*schedmath.InputError] if a setting is out of its range; a policy whose Check nobody
// calls starts nothing then. What functions return while a run goes on is no setting; their
// comments say what counts for a value out of range.
//
// # Complexity
//
// n jobs present, m steps of a walk, N nodes, U users. Nothing is allocated in the steady state,
// except by FIFO for a rigid job and by Backfill, whose comment has its cost:
//
//	            event       start               walk
//	FIFO        -           O(log n + log N)    O(m log n)
//	Fair        O(log n)    O(log n + log N)    O(m log n)
//	Capacity    as Fair     as Fair             as Fair
//	SRPT        O(log n)    O(log n + log N)    O(m log n); with preemption see SRPT
//	By          -           O(n)                O(n + m log n)
//	PerUser     -           O(U log U)          see FairUsers, DRF and Earliest
//	Delay       see below   as the Ranker       see below
//
// As a Filter, Delay takes O(log tasks + log jobs) for a question. As a Policy it takes, for a slot
// that becomes free, O(log nodes) and a question to each job with a block on its node or rack, or
// under overload a walk to the job that starts; for an event of a job, O(log nodes) for each copy of
// its blocks and each free node of their racks. A Ranker that is a Comparer saves walks. With Skips,
// rigid jobs, or maps that need memory Delay costs what Greedy does.
//
// # References
//
//	[1] M. Pastorelli, A. Barbuzzi, D. Carra, M. Dell'Amico, P. Michiardi. HFSP: size-based
//	    scheduling for Hadoop. IEEE BigData 2013. Section III-A: the fair scheduler.
//	[2] M. Zaharia, D. Borthakur, J. Sen Sarma, K. Elmeleegy, S. Shenker, I. Stoica. Delay
//	    scheduling: a simple technique for achieving locality and fairness in cluster scheduling.
//	    EuroSys 2010. Algorithms 1 and 2.
//	[3] L. Schrage. A proof of the optimality of the shortest remaining processing time discipline.
//	    Operations Research 16 (1968).
//	[4] Apache Hadoop 0.21, fair scheduler: shares by the number of running tasks (MAPREDUCE-706),
//	    preemption (MAPREDUCE-551).
//	[5] L. Schrage, L. Miller. The queue M/G/1 with the shortest remaining processing time
//	    discipline. Operations Research 14 (1966).
//	[6] A. Ghodsi, M. Zaharia, B. Hindman, A. Konwinski, S. Shenker, I. Stoica. Dominant resource
//	    fairness: fair allocation of multiple resource types. NSDI 2011. Section 4.
//	[7] Apache Hadoop 0.20, capacity scheduler: guaranteed capacities, reclaimed after a time limit.
//	[8] A. Mu'alem, D. Feitelson. Utilization, predictability, workloads, and user runtime estimates
//	    in scheduling the IBM SP2 with backfilling. IEEE TPDS 12(6), 2001.
package policy
