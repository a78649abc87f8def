// Package shufflewatcher draws the figures of ShuffleWatcher (Ahmad, Chakradhar, Raghunathan,
// Vijaykumar: ShuffleWatcher: Shuffle-aware Scheduling in Multi-tenant MapReduce Clusters) and
// checks what the paper's evaluation says about them.
//
// All experiments run jobs of Tables 1 and 2 on the slot model (workload.go, setting.go) under
// the schedulers of contenders.go. A run has a ramp-up, a window and a tail, in which jobs arrive
// alike, and goes on until all jobs have ended. Throughput counts the jobs that end in the window;
// turn-around and traffic are those of the jobs that arrive in it, whenever they end, so that
// schedulers are compared over the same jobs. One seed draws one workload, which all schedulers
// see. The 95% interval of the ratios over the seeds decides which mean is lower.
package shufflewatcher
