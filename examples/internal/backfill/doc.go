// Package backfill plays logs of parallel machines under the rules of package backfill: what they
// do to jobs' waits, what wrong requested times cost, and what forecasts of starts are worth.
//
// log.go has the logs, synthetic or of the Parallel Workloads Archive, play.go the policies,
// study.go the figures of slowdowns; forecasts.go and gantt.go have one figure each.
package backfill
