package queues

import (
	"math"

	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Remaining says how many seconds a task still needs on node n: x is its attempt there, None while it waits. n is None where the task may run anywhere, as
// a reduce of a job whose maps run. NaN, a negative number and one above 2^200 mean unknown, which counts as 0.
type Remaining func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64

// ByEstimate returns the Remaining of estimates of how many seconds a whole task takes on a node, which may be None. An attempt needs what is left of its
// estimate after the time since it took its slot, 0 when that time is longer. NaN means unknown. A nil function knows nothing.
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

// ByProgress is ByEstimate until an attempt has made progress. Then the rest of its work takes time in proportion to what is done, since the attempt began
// to compute. So the remaining times of the tasks that run on a node show that it has become slow.
func ByProgress(seconds func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node) float64) Remaining {
	estimated := ByEstimate(seconds)
	return func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64 {
		if info := v.Attempt(x); info.Progress > 0 {
			return (v.Now() - info.Computed) * (1 - info.Progress) / info.Progress
		}
		if estimated == nil {
			return math.NaN()
		}
		return estimated(v, t, n, x)
	}
}

// TrueRemaining is the Remaining that knows the work of each task, what is done of it and which nodes are slow at present. No real scheduler knows that.
// It counts the time of computing alone. Where a task may run anywhere it assumes a node of speed 1.
func TrueRemaining(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64 {
	j, k, i := v.Index(t)
	if j == slotmodel.None {
		return math.NaN()
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

// ask asks for a remaining time.
func (p *Policy) ask(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64 {
	if p.Remaining == nil {
		return 0
	}
	if s := p.Remaining(v, t, n, x); s >= 0 && s <= 0x1p200 {
		return s
	}
	return 0
}
