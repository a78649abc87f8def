// Package shufflewatcher draws the figures of ShuffleWatcher (Ahmad, Chakradhar, Raghunathan,
// Vijaykumar: ShuffleWatcher: Shuffle-aware Scheduling in Multi-tenant MapReduce Clusters) and
// checks what the paper's evaluation says about them, under two readings of what it does not
// say (readings.go).
//
// All experiments run jobs on the slot model (setting.go) under the schedulers of
// contenders.go. A closed loop runs for a time, whose last four hours are measured; a backlog runs
// until all jobs have ended, and all of it is. One seed draws one workload, which all schedulers
// see. The 95% interval of the ratios over the seeds decides.
package shufflewatcher
