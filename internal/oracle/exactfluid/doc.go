// Package exactfluid computes in exact rational arithmetic when jobs finish on a fluid server with
// caps, for tests: it follows the definitions of the policies word by word, event by event, and
// takes O(n^2) rational operations per event or more.
//
// Time moves from one event to the next: an arrival, a step of the capacity, a real or virtual
// completion, or two levels of attained service meeting. At each the rates of all jobs are worked
// out afresh: greedily in the order of service, as weighted max-min shares, or level by level of
// attained service. The order by a moving key is decided at all events but the last kind. There
// are no data structures and no tolerances, and nothing is shared with the package that is checked
// against this one.
package exactfluid
