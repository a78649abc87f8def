// Package drf shares several resources among users whose tasks need them in fixed proportions:
// dominant resource fairness.
//
//	cluster := []float64{9, 18}                                   // CPUs and GB
//	users := []drf.User{{Demand: []float64{1, 4}}, {Demand: []float64{3, 1}}}
//	tasks, err := drf.Shares(nil, cluster, users, nil)            // 3 and 2 tasks
//	i, err := drf.Next(cluster, users, []int{0, 0})               // 0: who gets the next task
//
// # Model
//
// A user's dominant share is the greatest part of any resource that its tasks take. [Shares] raises
// the dominant shares of all users together, each for each unit of its weight, until a user has all
// of its tasks or a resource that it needs is used up; the others go on [1, 2]. A user who demands
// nothing of a resource is not stopped by its lack. [Next] comes to the same task by task, and
// [DominantShare] orders users by what they hold.
//
// If all users have one weight and no limit, each gets at least what an equal part of every
// resource would give it, none would rather have another's allocation, none can have more unless
// another has less, and none gains by stating another demand [1, 2]. With weights the first two
// hold for parts and allocations in proportion. With one resource this is weighted max-min
// fairness.
//
// In a tree, an inner node shares among its children as the root does, and has a share itself:
// hierarchical DRF [3]. In that share a child that can still grow counts up to the least share for
// each unit of weight among such children, a child that cannot grow counts in full, and resources
// that are used up do not count. So a tenant who holds much of one resource, because nobody else
// wants it, still gets its part of the others. Whoever is due a dominant share below 2^-40 there
// gets something below that.
//
// # Units
//
// Capacities and demands are in the unit of each resource; demands are for one task. Positive
// numbers must lie in [2^-200, 2^200], and a Demand has one for each capacity: all else is a
// *schedmath.InputError. A user of no demand at all gets no tasks.
//
// # Cost
//
// For n nodes and m resources:
//
//	Shares          O(n m + n log n), and O(k m) for each event, of k inner nodes: a user has all
//	                of its tasks, an inner node catches up with its siblings, another resource
//	                becomes dominant there; O(n m) for each resource that is used up
//	Next            O(n m)
//	DominantShare   O(m)
//
// # References
//
//  1. A. Ghodsi, M. Zaharia, B. Hindman, A. Konwinski, S. Shenker, I. Stoica: Dominant
//     resource fairness: fair allocation of multiple resource types. NSDI 2011.
//  2. D. Parkes, A. Procaccia, N. Shah: Beyond dominant resource fairness: extensions,
//     limitations, and indivisibilities. EC 2012. Weights and zero demands.
//  3. A. Bhattacharya, D. Culler, E. Friedman, A. Ghodsi, S. Shenker, I. Stoica:
//     Hierarchical scheduling for diverse datacenter workloads. SoCC 2013.
package drf
