package aging

import (
	"iter"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/enum"
)

// By selects the priority among jobs that are not late.
type By uint8

const (
	// ByWork puts the least remaining virtual work first, as HFSP's text has it (section III-C).
	// With unequal weights or caps FSP's dominance over processor sharing is lost.
	ByWork By = iota
	// ByFinish puts the earliest virtual finish first, as FSP does (Friedman and Henderson 2003).
	// On one server with exact sizes no job then finishes later than under processor sharing.
	ByFinish
)

// String returns "work" or "finish".
func (by By) String() string { return enum.Name(by, "By", "work", "finish") }

// MarshalText returns what String does.
func (by By) MarshalText() ([]byte, error) { return []byte(by.String()), nil }

// All yields the jobs that are not done in reality by priority, the job to serve first in front:
// the late ones in the order of becoming late, then the others as by says, with a capacity of 0 as
// it tends to 0. The loop's body may ask the cluster anything; if it changes the cluster, the
// iteration ends. An unknown by yields nothing.
//
// The first m of n jobs cost O(m log n), to which ByFinish adds O(log n) for each completed job and
// for each group that meets its cap before them, and ByWork what First says.
func (c *Cluster[K]) All(by By) iter.Seq2[K, Job] {
	return func(yield func(K, Job) bool) {
		if by > ByFinish {
			return
		}
		w := &c.walk
		if w.busy {
			w = new(walk[K])
		}
		w.busy = true
		defer func() { w.busy = false }()
		version := c.changes
		give := func(i int32) bool { return yield(c.jobs[i].key, c.public(i)) && c.changes == version }
		if !w.nodes.inOrder(c, &c.late, false, give) {
			return
		}
		switch {
		case by == ByWork:
			w.nodes.byWork(c, false, give)
		case len(c.ratios) == 1: // the jobs of one group finish in the order of its queue
			s := &c.open
			if s.finish.Len() == 0 {
				s = &c.capped
			}
			q := &c.groups[s.finish.ID(0)].queue
			w.nodes.inOrder(c, q, false, func(i int32) bool { return c.jobs[i].state == Completed || give(i) })
		default:
			w.byFinish(c, give)
		}
	}
}

// walk is the scratch of All, kept for the next call. An All inside the loop of another has a walk
// of its own.
type walk[K comparable] struct {
	busy  bool // in use
	nodes frontier[K]
	ended []int32
}

// byFinish plays the virtual system forward in rounds. It restores the cluster before it yields,
// so each round starts from the present. The first round plays firstFinishes finishes, each further
// round moreFinishes times as many as the round before.
const (
	firstFinishes = 32
	moreFinishes  = 4
)

// byFinish yields the jobs on time in the order in which they will finish, until yield returns
// false.
func (w *walk[K]) byFinish(c *Cluster[K], yield func(i int32) bool) {
	for known, n := 0, firstFinishes; ; known, n = n, n*moreFinishes {
		played := 0
		w.ended = w.ended[:0]
		c.play(func(i int32) bool {
			if played++; played > known && c.jobs[i].state == OnTime {
				w.ended = append(w.ended, i)
			}
			return played < n
		})
		for _, i := range w.ended {
			if !yield(i) {
				return
			}
		}
		if played < n {
			return
		}
	}
}

// step is one change that play must undo: a job has left its group, or a group has crossed the
// water level.
type step struct {
	job     int32
	group   int32
	crossed bool
	offset  dd.T // of the clock of the group before it crossed
}

// play runs the virtual system forward as Advance does, finish by finish. It calls ended with each
// job that finishes, until ended returns false or no job is left, and then restores the cluster.
// While the capacity is 0, no time passes, and jobs finish in their order as the capacity tends to
// 0.
//
// Every answer after play is the same as before, to the bit: the clocks and the level are saved,
// the sums are exact, so that subtracting what was added leaves no rounding, and the order of
// each heap is total, so that its elements come out in the same order even if they are arranged
// differently inside.
func (c *Cluster[K]) play(ended func(i int32) bool) {
	clock, water, level := c.clock, c.water, c.level
	c.trying, c.tried = true, c.tried[:0]
	for more := true; more && c.open.finish.Len()+c.capped.finish.Len() > 0; {
		id, in, ok := c.next()
		if ok {
			c.run(id, in)
		} else {
			id = c.open.finish.ID(0)
		}
		i := c.first(&c.groups[id].queue)
		c.tried = append(c.tried, step{job: i})
		c.part(i)
		c.settle()
		more = ended(i)
	}
	c.clock, c.water, c.level, c.trying = clock, water, level, false
	for k := len(c.tried) - 1; k >= 0; k-- {
		if s := &c.tried[k]; s.crossed {
			c.move(s.group, s.offset)
		} else {
			c.join(s.job)
		}
	}
}
