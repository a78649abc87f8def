// Package workload makes the inputs of scheduling experiments: which jobs come when, how large they are, and how wrong their
// estimates are.
//
// # Model
//
// A trace is a sequence of jobs j in the order of their submit times a(j). SWIM traces of MapReduce clusters give each
// job three amounts of bytes and no durations; Sizes turns them into a size s(j), the time that the whole cluster
// would need for the job alone, after the model behind HFSP's trace replay [1]:
//
//	bytes(j) = MapInput + (1 + d/n) Shuffle + Output        d/n: disk over network bandwidth
//	s(j)     = bytes(j) * load * a(last) / sum of bytes        a(last): the latest submit time
//
// Estimates are log-normal around sizes [1, 2]: e(j) = s(j) exp(mu + sigma Z). Workloads without a trace come from
// distributions: Poisson arrivals, or gaps from any of them; exponential, Weibull, Pareto, bounded Pareto and log-normal sizes;
// Zipf-like popularity; Stretch brings a drawn workload to an exact load [2]. SyntheticFB2010 is a whole synthetic trace
// that resembles a day of a Facebook cluster [3].
//
// Jobs of tasks, for package slotmodel, come from three places: PigMix makes workloads like those of HFSP's experiments (its
// Section IV-A, Table I and Figure 4), Explode cuts the bytes of a SWIM trace into tasks, and job files, a format of this package,
// hold jobs with numbers of tasks and their times. Placer puts the blocks of any of them on nodes.
//
// # Units
//
// Times and sizes are seconds in traces; the generators work in any unit, that of their parameters. Amounts of data are
// bytes, as float64 (whole numbers up to 2^53 are exact).
//
// # What to call
//
// With a trace at hand: ReadSWIM (or NewSWIMReader for one that does not fit memory), Sizes, Estimates. Without one:
// SyntheticFB2010 in place of ReadSWIM. For the slot model: PigMix.Jobs, or Explode after ReadSWIM, or ReadJobs and Specs, whose
// files RecordOf and WriteJobs make; OfferedLoad says what jobs ask of a cluster. Each random step takes a source from Stream with
// its purpose, so that two experiments with the same seed have the same workload whatever policy they run.
//
// # Randomness
//
// Every generator takes exactly one Uint64 of its source per value, or the number that it states, and inverts the distribution
// function there, so values drawn from the same source rise and fall together when parameters change. They are the same bits in
// every run on one architecture; on another one they may differ in the last bits, as functions of package math do.
//
// # Complexity
//
//	SWIMReader.Read, SWIMWriter.Write    O(bytes of the line), memory O(longest line)
//	ReadSWIM                             O(bytes of the trace), memory O(jobs)
//	Sizes, Estimates, Stretch            O(n) for n jobs, no memory beyond dst
//	Poisson, Exponential, Weibull, Pareto, BoundedPareto, LogNormal
//	                                     O(n) for n values, no memory beyond dst
//	ZipfProbabilities, NewZipf           O(k) for k ranks
//	Zipf.Draw                            O(log k) a value
//	SyntheticFB2010                      about 10 ms
//	JobReader.Read, JobWriter.Write      O(bytes of the line), memory O(longest line)
//	ReadJobs                             O(bytes of the file), memory O(jobs)
//	Specs, Explode                       O(n) for n jobs, whatever the number of tasks
//	PigMix.Jobs                          O(n + tasks), 8 bytes a task
//	Placer.Place                         O(blocks copies^2), no memory beyond dst
//
// # Concurrency
//
// Functions share nothing but their arguments; a source must not be used by two calls at a time. A reader or writer belongs to
// one goroutine, as does a JobNames. A Zipf and a Placer are immutable.
//
// # References
//
//	[1] M. Pastorelli, A. Barbuzzi, D. Carra, M. Dell'Amico, P. Michiardi: HFSP: Size-based Scheduling for Hadoop. IEEE BigData
//	    2013. Section II-B and Figure 2 (trace replay, log-normal errors), Section IV-A and Table I (workloads), Section IV-C
//	    (task times, Figure 4; errors measured).
//	[2] M. Dell'Amico, D. Carra, P. Michiardi: PSBS: Practical Size-Based Scheduling. IEEE Transactions on Computers 65(7), 2016.
//	[3] Y. Chen, S. Alspaugh, R. Katz: Interactive Analytical Processing in Big Data Systems. PVLDB 5(12), 2012.
package workload
