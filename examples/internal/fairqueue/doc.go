// Package fairqueue plays the rules of four fair queues in use, each on a scenario that goes wrong,
// beside the same rule with one repair and beside fairqueue.Queue.
//
// The rules are written anew from descriptions of August 2026 (rules.go). Requests are served on a
// few slots (serve.go); each scenario has a file of its name.
package fairqueue
