// Package dynamicshare draws the figures of DynamicShare (Zacheilas, Kalogeraki: Real-Time
// Scheduling of Skewed MapReduce Jobs in Heterogeneous Environments) and checks what the paper's
// evaluation says about them.
//
// Figures 1 and 4 to 6 are about estimates, laxities and stragglers; Figures 8 to 12 about the
// assignment of skewed partitions to reduce tasks on unequal machines. The paper's two data sets
// are not available, and it prints only the number of its machines. Both jobs are therefore made
// (workload.go): the lengths of the lists of a job's keys follow a truncated zeta law, whose
// exponent is solved for a skewness. One seed makes one set of keys, hash functions and machine
// speeds, which all schemes see. Figures 8 to 12 have two readings (partitions.go): in A a few long
// lists make the skewness, in B, the main one, the default hash function does. The 95% interval of
// the ratios over the seeds decides which mean is lower.
package dynamicshare
