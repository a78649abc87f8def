// Package estimate answers how large a job is, in slot-seconds, before it has run: from its number
// of tasks, then from the run times of a few sample tasks, and it describes how wrong such
// estimates are. It also answers how long a task will take by earlier runs of its kind, and how
// much delay its job can bear.
//
//	// 4 slots; errors are left out below
//	t, err := estimate.NewTrainer[string](4, estimate.TrainerOptions{Samples: 2})
//	t.Add("report", 300)                 // jobs and their numbers of tasks
//	t.Add("query", 2)
//	job, ok := t.Next()                  // "query", true: the job whose sample task to start
//	a, err := t.Started("query")         // 0
//	b, err := t.Started("query")         // 1
//	t.Finished("query", a, 8)            // the samples took 8 and 10 seconds
//	t.Finished("query", b, 10)
//	size, ok := t.Size("query")          // 18, true
//	size, err = estimate.PhaseSize([]float64{8, 10, 9, 11, 12}, 100) // 1000: 5 of 100 tasks
//
// # Model
//
// A job here is one phase, MAP or REDUCE, of k tasks; the two phases of one submission are two
// jobs, estimated one after the other [HFSP III-B]. Its size is the sum of the run times of its
// tasks, as if they ran one after another on one slot.
//
//   - At arrival nothing is known but k: [InitialSize] = xi * k * l, with l the mean run time of
//     past tasks of this kind.
//   - The first s tasks are samples. They are given slots before other tasks, as long as sample
//     tasks run on less than the fraction t of the slots: [Trainer] says which job's sample runs
//     next and keeps what the samples yield.
//   - With the samples in, [PhaseSize] = k * (mean of the samples).
//   - A REDUCE task first shuffles, then executes. [ShuffleSize] weighs the samples' shuffle times
//     by their input; the execution is a PhaseSize whose slow samples, still running at a timeout
//     Delta with progress p, stand in with [Extrapolate] = Delta / p; [ReduceSize] is the sum of
//     both.
//   - The error of an estimate is the ratio estimate / size: 1 is perfect, below 1 the job was
//     under-estimated. [LogNormal] is the distribution that such ratios follow well [HFSP IV-C].
//
// DynamicShare [DS] estimates task by task. [Requirements] keeps the runs of each class of jobs,
// kind of task and worker: the features of a run and its time. Features that are not known before a
// run, as CPU and memory, are expected to be the mode of those runs; with the known ones, as bytes,
// a predictor tells the time. The caller gives the predictor; package nearest has the paper's, by
// k-NN regression. A job's [ProjectedTime] is that of its longest map and its longest reduce, or
// waves where a phase has more tasks than slots ([PhaseTime]). Its [Laxity] is for how long it may
// still be delayed, and [LaxityOrder] serves the least laxity first.
//
// HFSP's settings are s = 5, Delta = 10 s, xi = 1 and t = 1 [HFSP IV-A].
//
// # Units
//
// Times and sizes share one unit, any that the caller likes, and lie in [0, 2^200]; a larger result
// is an error. Numbers of tasks are at least 0. An argument out of range is a
// *schedmath.InputError. Inputs of tasks are plain numbers (bytes, records), of which only the
// proportions matter. Multiplying all times by a power of two multiplies every size exactly, except
// where a result or a product of a time and an input is subnormal.
//
// # What to call
//
// A scheduler keeps one [Trainer] per kind of phase and asks it, whenever a slot is free, for the
// Next job to sample. When Done says so it takes Size, and hands it to its priorities
// (aging.Cluster.Reestimate). Someone who has the samples at hand calls [PhaseSize]. Someone who
// models errors calls [FitLogNormal] on observed ratios, [FitKS] to see whether the fit can be
// believed, and draws from the fit with Rand. Someone with deadlines reports each task that ends to
// [Requirements.Add], and asks [Requirements.Estimate].
//
// # Cost
//
// n jobs in training, s samples, r ratios, B replications; v values in b bins; h runs of d features
// in a history.
//
//	InitialSize, Extrapolate, ReduceSize       O(1)
//	PhaseSize, ShuffleSize                     O(s)
//	Trainer.Next, Room, Done, MeanTask         O(1), no allocation
//	Trainer.Size                               O(s), no allocation
//	Trainer.Add, Started, Failed, Remove       O(log n + s)
//	Trainer.Finished, Extrapolated             O(1), no allocation
//	Trainer.Snapshot, RestoreTrainer           O(n (log n + s))
//	FitLogNormal                               O(r log r)
//	LogNormal.KS                               O(r log r)
//	FitKS                                      O(B r log r)
//	ModeOf                                     O(v (log v + log b))
//	ProjectedTime, PhaseTime                   O(tasks), and O(tasks log slots) in waves
//	LaxityOrder                                O(n log n), no allocation
//	Requirements.Add                           O(d) amortised
//	Requirements.Estimate                      a call of the predictor, no allocation
//	the first after new runs                   O(d h log h) and Fit besides
//	memory of Requirements                     at most 2 (Window + Period) runs a history
//
// # References
//
//   - [HFSP] M. Pastorelli, A. Barbuzzi, D. Carra, M. Dell'Amico, P. Michiardi. HFSP: Size-based
//     Scheduling for Hadoop. IEEE BigData 2013. III-B priority to training, III-D job size
//     estimation, IV-A settings, IV-C estimation errors.
//   - [DS] N. Zacheilas, V. Kalogeraki. Real-time scheduling of skewed MapReduce jobs in
//     heterogeneous environments. ICAC 2014. 3.1 estimation, 3.2 least laxity first.
//   - [G] R. L. Graham. Bounds on multiprocessing timing anomalies. SIAM Journal on Applied
//     Mathematics 17 (1969).
//   - [V] J. Vrbik. Small-sample corrections to Kolmogorov-Smirnov test statistic. Pioneer Journal
//     of Theoretical and Applied Statistics 15 (2018).
//   - [MTW] G. Marsaglia, W. W. Tsang, J. Wang. Evaluating Kolmogorov's distribution. Journal of
//     Statistical Software 8 (2003).
//   - [BT] Z. W. Birnbaum, F. H. Tingey. One-sided confidence contours for probability distribution
//     functions. Annals of Mathematical Statistics 22 (1951).
//   - [L] H. W. Lilliefors. On the Kolmogorov-Smirnov test for normality with mean and variance
//     unknown. Journal of the American Statistical Association 62 (1967).
package estimate
