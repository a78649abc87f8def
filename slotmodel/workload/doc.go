// Package workload makes the inputs of scheduling experiments: which jobs come when, how large they
// are, and how wrong their estimates are. It also compares two policies by what they give under the
// same seeds.
//
//	trace, err := workload.SyntheticFB2010(workload.Stream(1, workload.Trace, 0)) // or joblog.ReadSWIM
//	if err != nil {
//		log.Fatal(err)
//	}
//	jobs, err := workload.Explode(nil, trace, workload.ExplodeOptions{MapSlots: 72, ReduceSlots: 36})
//	if err != nil {
//		log.Fatal(err)
//	}
//	maps, reduces, err := workload.OfferedLoad(72, 36, jobs)
//	fmt.Printf("%d jobs, %.2f of the map slots, %.2f of the reduce slots, %v\n", len(jobs), maps, reduces, err)
//
// This prints: 24442 jobs, 0.90 of the map slots, 0.90 of the reduce slots, <nil>.
//
// # Model
//
// A trace is a sequence of jobs j in the order of their submit times a(j). SWIM traces of MapReduce
// clusters give each job three amounts of bytes and no durations; [Sizes] turns them into a size
// s(j), the time that the whole cluster would need for the job alone, after the model behind
// HFSP's trace replay [1]:
//
//	bytes(j) = MapInput + (1 + d/n) Shuffle + Output        d/n: disk over network bandwidth
//	s(j)     = bytes(j) * load * a(last) / sum of bytes        a(last): the latest submit time
//
// [Estimates] are log-normal around sizes [1]: e(j) = s(j) exp(mu + sigma Z). [SyntheticFB2010] is
// a synthetic trace that resembles a day of a Facebook cluster [2], [LublinFeitelson] a log
// of a parallel machine whose jobs are rigid [4]; other workloads begin with [Poisson] arrivals.
//
// Jobs of tasks, for package [slotmodel], come from [FromLog], which takes those of a log or a table
// that package joblog has read, from [Explode], which cuts the bytes of a SWIM trace into tasks, or
// from a job file ([ReadJobs]); [Load] does any of these. A job file carries everything that a
// [slotmodel.JobSpec] has, so that an experiment can be written ([WriteJobs]) and replayed. [Placer]
// puts the blocks of jobs on nodes.
//
// # Units
//
// Times and sizes are seconds in traces; the generators work in any unit, that of their parameters.
// Amounts of data are bytes, as float64 (whole numbers up to 2^53 are exact). Numbers outside
// the range that their comment gives, numbers that are negative or not finite where it does not
// allow that, and a nil source are *schedmath.InputErrors.
//
// # What to call
//
// For the slot model: [Load]. For its options [ReadJobs], [FromLog] and [Explode]; [OfferedLoad] says
// what jobs ask of a cluster. For a fluid server: joblog.ReadSWIM, [Sizes], [Estimates]. Without a
// trace: [SyntheticFB2010] in place of ReadSWIM. Each random step takes a source from [Stream] with
// its [Purpose], so that two experiments with the same seed have the same workload whatever policy
// they run. [Paired] says from the results of some seeds whether one policy is better than another.
//
// # Randomness
//
// Every generator takes exactly one Uint64 of its source per value, or the number that it states,
// and returns the quantile of its distribution there, so values drawn from the same source rise and
// fall together when parameters change. They are the same bits in every run on one machine. What
// [Placer] draws, whole numbers, is the same on every machine. [Poisson], [Estimates],
// [SyntheticFB2010] and [LublinFeitelson] call Exp, Log and their like of package math, whose last
// bits differ from one kind of processor to another, and with them, rarely, a whole number of bytes
// or processors.
//
// # Job files
//
// The first line is a header: the names, separated by single tabs, of some of these columns in any
// order, which are the fields of a [slotmodel.JobSpec]. A header with maps or map_s is one of a job
// file, any other one of a log:
//
//	submit                     Arrival, s
//	user                       User
//	deadline                   Deadline, s
//	priority                   Priority: any number, Inf and -Inf
//	maps, reduces              Tasks of Maps and Reduces
//	map_s, reduce_s            Work of each task, s
//	map_works, reduce_works    Works: s for each task, with commas between them; empty for none
//	map_memory, reduce_memory  Memory of each attempt, bytes
//	slowstart                  Slowstart, at most 1; without the column .95
//	input, shuffle, output     bytes
//	copies                     Copies
//	replicas                   Replicas: nodes, or -1, with commas between them; empty for none
//	walltime, requested        Walltime and Requested, s
//	crash, cancel              s
//	rigid                      Rigid: 0 or 1
//	after                      After: the number of another job of the file, from 1; 0 for none
//	think                      Think, s
//	dataset                    Dataset
//
// submit, maps and map_s are required; without its column a field is zero, except Slowstart. Each
// further line is a job, with one field for each name of the header. Numbers are decimals without
// plus signs or blanks, >= 0 where nothing else is said; times, works and bytes may have a fraction
// and an exponent and are at most 2^200. Lines end in LF or CRLF; empty lines after the last job
// are skipped.
//
// # Cost
//
// Functions take time in proportion to what they read, write, draw or return, and readers memory
// for jobs, their lists and their names; no cost grows with the number of tasks. SyntheticFB2010
// also sorts its 24,442 jobs.
//
// # References
//
//	[1] M. Pastorelli, A. Barbuzzi, D. Carra, M. Dell'Amico, P. Michiardi: HFSP: Size-based
//	    Scheduling for Hadoop. IEEE BigData 2013. Section II-B and Figure 2 (trace replay, log-normal errors).
//	[2] Y. Chen, S. Alspaugh, R. Katz: Interactive Analytical Processing in Big Data Systems. PVLDB
//	    5(12), 2012.
//	[3] A. Law: Simulation Modeling and Analysis, 5th ed. McGraw-Hill 2015. Section 10.2.1
//	    (paired-t confidence interval).
//	[4] U. Lublin, D. Feitelson: The workload on parallel supercomputers: modeling the
//	    characteristics of rigid jobs. Journal of Parallel and Distributed Computing 63(11), 2003;
//	    parameters of the authors' program.
package workload
