package policy

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// Remaining says how many seconds a task still needs on node n: x is its attempt there, None while it waits. n is None where the task may run anywhere, as a reduce of
// a job whose maps run. NaN, a negative number and one above 2^200 mean unknown, which counts as 0.
type Remaining func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64

// ByEstimate returns the Remaining of estimates of how many seconds a task takes on a node as a whole, which may be None: what is left of them after the time since the
// attempt has taken its slot, 0 when they are exceeded. NaN means unknown. A nil function knows nothing.
func ByEstimate(seconds func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node) float64) Remaining {
	if seconds == nil {
		return nil
	}
	return func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64 {
		left := seconds(v, t, n)
		if x != slotmodel.None {
			left = max(0, left-(v.Now()-v.Attempt(x).Start))
		}
		return left
	}
}

// ByProgress returns the Remaining of the same estimates that an attempt corrects by its progress once it has some: of what it has computed in so much time, the rest takes as
// long in proportion. So it shows that a node has become slow, by the tasks that run there.
func ByProgress(seconds func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node) float64) Remaining {
	estimated := ByEstimate(seconds)
	return func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64 {
		info := v.Attempt(x)
		switch {
		case x != slotmodel.None && info.Computed >= 0 && info.Progress > 0:
			return (v.Now() - info.Computed) * (1 - info.Progress) / info.Progress
		case estimated == nil:
			return math.NaN()
		}
		return estimated(v, t, n, x)
	}
}

// TrueRemaining is the Remaining of one who knows the work of each task, what is done of it and which nodes are slow at present: no scheduler does. It counts the time of
// computing alone. Where the task may run anywhere it takes a node of speed 1.
func TrueRemaining(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64 {
	j, k, i := v.Index(t)
	if j == slotmodel.None {
		return math.NaN()
	}
	work := phaseOf(v.Spec(j), k).Of(i)
	if x != slotmodel.None {
		work *= 1 - v.Attempt(x).Progress
	}
	if n != slotmodel.None {
		work /= v.Speed(n) / v.Slowdown(n)
	}
	return work
}

// ask asks for a remaining time.
func (p *Queues) ask(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node, x slotmodel.Attempt) float64 {
	if p.Remaining == nil {
		return 0
	}
	if s := p.Remaining(v, t, n, x); s >= 0 && s <= 0x1p200 {
		return s
	}
	return 0
}
