// Package hfsp serves the jobs of the slot model by size where nobody knows the sizes: samples of
// a job's tasks tell how large the job is, and a fair virtual cluster keeps large jobs from waiting
// for ever. The policy is the Hadoop Fair Sojourn Protocol [1].
//
//	p := &hfsp.Policy{Samples: 5, Preempt: policy.PreemptSuspend}
//	result, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{})
//
// # Model
//
// Maps and reduces of a job are scheduled apart, each as a phase. A phase enters when its tasks
// may start and leaves when its last task has ended. Beside the real slots of each kind an
// [aging.Cluster] shares as many virtual slots max-min fairly among the phases present. The phase
// that ends first there is served first. A phase that has ended there and not in reality is late:
// its size was underestimated. Late phases go before phases on time.
//
//	s      samples of a phase                        Samples
//	t      fraction of the slots for samples         Limit
//	xi     factor of the initial size                Xi
//	Delta  seconds until a reduce is extrapolated    Delta
//
// A free slot goes to the first phase in the order that still needs samples, while samples run
// on less than a fraction t of the slots. Otherwise it goes to the first phase that has a task
// to start. The first s tasks of a phase to start are its samples, also where the phase got the
// slot by its priority alone.
//
// The initial size of a phase is xi * tasks * mean time of past tasks. When all samples have a
// time the size becomes tasks * mean time of the samples. A sample reduce that still computes Delta
// seconds after its shuffle counts with a time extrapolated from its progress; one that need not
// shuffle counts when it ends. Reduces add the mean time of their shuffles. The virtual service
// that a phase has received stays when its size changes. A phase of at most s tasks has ended when
// all its samples have a time. In the virtual cluster it goes on with its true size, as FSP [2]
// requires.
//
// A sample that is lost with its attempt is drawn again. When nodes fail or return, the virtual
// capacity follows. Maps whose outputs are lost after their phase has ended make a new phase of
// that many tasks, of the mean size known for them and without samples. Rigid jobs are treated as
// under [policy.Greedy].
//
// The paper orders phases on time by remaining virtual work and is silent on late phases. Here
// phases on time go by virtual finish, and late phases share the slots: the late phase with the
// fewest running tasks for its weight goes first; ties: the phase that became late first. Each
// phase is capped in the virtual cluster at its number of tasks, done ones too, so that its virtual
// work drains at an even rate. Weight is the paper's "Job Priority and QoS".
//
// # Preemption
//
// A phase may preempt once when it enters and once whenever it gets a new size, and only until it
// runs on its fair share of the slots: their number over the number of phases present, at least
// one. Victims are attempts of phases on time behind it in the order: the last phase first, its
// newest attempt first, samples never. A phase loses at most as many attempts as it has tasks.
//
// An attempt is killed only if the work lost is less than the time for which its slot would still
// be taken, half of the mean time of its phase's tasks. An attempt is suspended only if it computes
// and its node has the memory. A suspended attempt goes on when a slot of its node is free and no
// phase with a task to start goes before its own. As a [policy.Ranker] HFSP is an order alone, and
// preempts nobody.
//
// # Units
//
// Time is in seconds and work in seconds on a node of speed 1, as in slotmodel. A phase's size is
// in slot-seconds.
//
// # What to call
//
// Give [slotmodel.Run] a [*Policy]. For locality put it into a [policy.Delay]. [TrueSize] is the
// size for experiments in which sizes are known or, times a draw of estimate.LogNormal, known up to
// an error, as in section II-B of the paper [1].
//
// # Cost
//
// n phases are present, l of them late:
//
//	phase enters, gets a new size or leaves unfinished    O(log n)
//	other event of a late phase                           O(log l)
//	other event                                           O(1)
//	first step of a walk                                  amortised O(1 + log l)
//	whole walk                                            O(n)
//	first longer walk after a change of the order         O(n log n)
//	preemption                                            O(n)
//
// The order changes when a phase enters, gets a new size or leaves unfinished, and when a node
// fails or returns. Time that passes and tasks that start or end do not change the order. Nothing
// is allocated in the steady state.
//
// # References
//
//  1. M. Pastorelli, A. Barbuzzi, D. Carra, M. Dell'Amico, P. Michiardi: HFSP: size-based
//     scheduling for Hadoop. IEEE BigData 2013. Sections III-B to III-D.
//  2. E. Friedman, S. Henderson: Fairness and efficiency in web server protocols. SIGMETRICS 2003.
package hfsp
