package queues

import (
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Remaining says how many seconds a task still needs on node n. x is the task's attempt on n, None
// while the task waits. n is None where the task may run anywhere, as a reduce of a job whose maps
// are unfinished may. NaN, negative numbers and numbers above 2^200 mean unknown, which counts as
// 0.
type Remaining func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64

// unknown is a remaining time that is not known.
const unknown = -1

// ByEstimate makes a Remaining of estimates: seconds returns how many seconds a whole task takes
// on node n, which may be None. An attempt needs the estimate less the time since it took its slot,
// or 0 if that time is longer. NaN means unknown. A nil function knows nothing: ByEstimate returns
// nil.
func ByEstimate(seconds func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node) float64) Remaining {
	if seconds == nil {
		return nil
	}
	return func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64 {
		if x == slotmodel.None {
			return seconds(v, t, n)
		}
		return max(0, seconds(v, t, n)-(v.Now()-v.Attempt(x).Start))
	}
}

// ByProgress is ByEstimate for a task until its attempt has made progress. From then on the attempt
// is assumed to go on at its mean speed since it began to compute. So the remaining times of tasks
// that run on a slow node show that the node is slow. With a nil function, only attempts that have
// made progress have a known remaining time.
func ByProgress(seconds func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node) float64) Remaining {
	estimated := ByEstimate(seconds)
	return func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64 {
		if info := v.Attempt(x); info.Progress > 0 {
			return (v.Now() - info.Computed) * (1 - info.Progress) / info.Progress
		}
		if estimated == nil {
			return unknown
		}
		return estimated(v, t, n, x)
	}
}

// TrueRemaining is the Remaining that knows the work of each task, how much of the work is done
// and which nodes are slow at present. No real scheduler knows that. Only the time of computing
// counts, not that of reading or of the shuffle. Where a task may run anywhere, a node of speed 1
// is assumed. What is no task or no node of the run is unknown.
func TrueRemaining(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64 {
	j, k, i := v.Index(t)
	if j == slotmodel.None || n != slotmodel.None && !(v.Speed(n) > 0) {
		return unknown
	}
	work := internal.PhaseOf(v.Spec(j), k).Of(i)
	if x != slotmodel.None {
		work *= 1 - v.Attempt(x).Progress
	}
	if n != slotmodel.None {
		work /= v.Speed(n) / v.Slowdown(n)
	}
	return work
}
