package sharedscan

import (
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Rerun is a block that must be read again, and what its next run would be now: Rides[0] drives.
// Jobs that join before the run starts ride too. The last Again of the rides are those of the jobs
// that must be given the block again.
type Rerun[K comparable] struct {
	Block int
	Rides []Ride[K]
	Again int
}

// Leave takes the job away: its reducers have all they need, or it is cancelled. Where it was to
// drive, the next job in the list drives, and the offsets of the jobs behind fall. Runs under way
// go on, and the output that the job drove stays readable; Fail is for a driver whose output is
// lost with it. Leave returns false if the job has not joined.
func (c *CircularScan[K]) Leave(job K) bool {
	p := c.byKey[job]
	if p == nil {
		return false
	}
	for b := range p.parts {
		if p.parts[b].run == nil {
			c.waiting[b]--
		}
	}
	delete(c.byKey, job)
	c.total -= p.partitions
	k := slices.Index(c.jobs, p)
	c.jobs = slices.Delete(c.jobs, k, k+1)
	return true
}

// Fail takes the job away as Leave does, and with it all output that it drove: its runs under way
// end without result, and riders that have not left must be given again what its runs gave them.
// They go to the end of the block's list in the order of joining. Blocks that the job itself rode
// need nothing again. Fail appends to dst the blocks that must be read again, ascending.
//
// Errors: a job that has not joined.
func (c *CircularScan[K]) Fail(dst []Rerun[K], job K) ([]Rerun[K], error) {
	p := c.byKey[job]
	if p == nil {
		return dst, input.Bad(circularName+"Fail", "job", -1, "%v, want a job that has joined and not left", job)
	}
	c.Leave(job)
	return c.again(dst, func(r *blockRun[K]) bool { return r.serial == p.serial }), nil
}

// Lost reports that the output of a run is lost with the node that held it, or that a run under way
// has failed. Every job of the run that has not left, the driver too, must be given the block
// again, in the order of Fail; if the driver has left, a rider drives ([1], Appendix C.3). Lost
// appends the block to dst if it must be read again.
//
// Errors: a run that never started.
func (c *CircularScan[K]) Lost(dst []Rerun[K], run int64) ([]Rerun[K], error) {
	if run < 1 || run > c.runID {
		return dst, input.Bad(circularName+"Lost", "run", -1, "%d, want a run that has started", run)
	}
	return c.again(dst, func(r *blockRun[K]) bool { return r.id == run }), nil
}

// again ends the lost runs and lets their jobs wait again.
func (c *CircularScan[K]) again(dst []Rerun[K], lost func(*blockRun[K]) bool) []Rerun[K] {
	c.runs = slices.DeleteFunc(c.runs, lost)
	for b := range c.waiting {
		again := 0
		for _, p := range c.jobs {
			if r := p.parts[b].run; r != nil && lost(r) {
				if r.done {
					p.left++
				}
				c.wait(b, p)
				again++
			}
		}
		if again > 0 {
			dst = append(dst, Rerun[K]{b, rides(c.list(b, nil)), again})
		}
	}
	return dst
}
