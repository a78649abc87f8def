// Package shufflewatcher draws the figures of ShuffleWatcher (Ahmad, Chakradhar, Raghunathan,
// Vijaykumar: ShuffleWatcher: Shuffle-aware Scheduling in Multi-tenant MapReduce Clusters) and
// checks what the paper's evaluation says about them, under several readings of what it does not
// say (readings.go).
//
// All experiments run jobs on the slot model (workload.go, setting.go) under the schedulers of
// contenders.go. A backlog is measured until five sixths of its jobs have ended. A run at a steady
// rate has a ramp-up, a window and a tail, in which jobs arrive alike, and goes on until all jobs
// have ended: throughput counts the jobs that end in the window, turn-around and traffic those that
// arrive in it. One seed draws one workload, which all schedulers see. The 95% interval of the
// ratios over the seeds decides.
package shufflewatcher
