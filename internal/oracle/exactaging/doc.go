// Package exactaging is the slow witness of package aging: a virtual cluster as a plain list of
// jobs, in arithmetic that is exact (Rat) or carries 300 bits (Float). It shares no code with
// package aging and has no clocks, tags or heaps: every advance is cut into pieces at the virtual
// completions, each piece shares the capacity anew by water-filling, and every job's remaining work
// is written down.
//
// A System answers what package aging's Cluster answers: what is left of each job, who is late
// since when, which job finishes next in virtual time, and when each job will finish if nothing
// else happens. Because a program in float64 may see an instant slightly earlier or later, the
// System also says between which instants a job's remaining work was within Slack of nothing; a
// checker excuses a different order only where those spans meet.
//
// An advance costs O(n) field operations for each virtual completion in it, a look ahead O(n^2).
// For tests only: arguments are not checked, and the wrong ones panic.
package exactaging
