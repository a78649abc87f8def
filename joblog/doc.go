// Package joblog reads what schedulers write down of their jobs, and tables of one's own: logs in the
// Standard Workload Format [1], the accounting of Slurm (sacct), lists of Kubernetes and Kueue, comma
// separated values, and SWIM traces of MapReduce jobs [2].
//
//	log, err := joblog.ReadJobs(file, joblog.ReadOptions{})
//	if err != nil {
//		return err
//	}
//	for _, j := range log.Jobs {
//		fmt.Println(j.ID, j.User, j.Start-j.Submit, j.Processors)
//	}
//
// docs/trace.md describes the formats: whoever wants a file read should look there.
//
// # Model
//
// A [Job] waits from Submit to Start and holds its Processors for Run seconds to End. A [Span] is the
// part of it that an audit needs, with the amount of one resource. What a file does not say is NaN, 0
// or "", as each field's comment says.
//
// # What to call
//
// [ReadJobs] for jobs, [EachSpan] to pass over a log of any length within little memory. Package
// slotmodel/workload makes jobs of the slot model of a [Log]. [New] and [Number] are for packages
// with a format of their own that is read line by line.
//
// # Units
//
// Times are seconds: since 1970 in UTC where the file has dates, otherwise those of the file. Memory
// is bytes.
//
// # Cost
//
// All functions take time in proportion to the file. Memory is bounded by ReadOptions, whatever the
// file holds.
//
// # References
//
//	[1] S. Chapin, W. Cirne, D. Feitelson et al.: Benchmarks and Standards for the Evaluation of
//	    Parallel Job Schedulers. JSSPP 1999; version 2.2 of the format, Parallel Workloads Archive, 2006.
//	[2] Y. Chen, S. Alspaugh, R. Katz: Interactive Analytical Processing in Big Data Systems. PVLDB
//	    5(12), 2012.
package joblog
