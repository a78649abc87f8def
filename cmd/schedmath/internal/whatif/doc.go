// Package whatif replays one workload under several scheduling policies and compares what users
// would see: sojourn times, their upper percentiles, slowdowns, and how many jobs would have been
// better off under processor sharing.
package whatif
