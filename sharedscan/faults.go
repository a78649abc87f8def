package sharedscan

import (
	"cmp"
	"slices"
)

// Rerun is a block that must be read again, and what its next run will be as things stand: Rides[0] drives. Jobs that join before
// it starts ride too. Again says how many of the riders, the last in the list, are there for the rerun.
type Rerun[K comparable] struct {
	Block int
	Rides []Ride[K]
	Again int
}

// Waiting appends to dst the blocks that the job waits for, ascending, without those that a run carries: a scan as Regions takes
// it. A job that is not there waits for none. Cost O(n r) for n blocks with r waiting each.
func (c *CircularScan[K]) Waiting(dst []int, job K) []int {
	p, ok := c.byKey[job]
	if !ok {
		return dst
	}
	for b, list := range c.waits {
		for _, q := range list {
			if p == q {
				dst = append(dst, b)
				break
			}
		}
	}
	return dst
}

// List returns what a run of the block would be if it started now: who drives, who rides, at which offsets. It is empty for a block
// that nobody waits for, or outside 0 to n-1.
func (c *CircularScan[K]) List(block int) []Ride[K] {
	if uint(block) >= uint(len(c.waits)) || len(c.waits[block]) == 0 {
		return nil
	}
	return rides(c.waits[block])
}

// Sources appends to dst, by ascending block, where the job finds its part of each block that it has been given: its table of
// offsets. A job that is not there has none. Cost O(n).
func (c *CircularScan[K]) Sources(dst []Source[K], job K) []Source[K] {
	p, ok := c.byKey[job]
	if !ok {
		return dst
	}
	for b, s := range p.given {
		if s.run > 0 {
			dst = append(dst, Source[K]{b, s.run, s.driver, s.offset})
		}
	}
	return dst
}

// Leave takes the job away: its reducers have all they need, or it is cancelled. Where it was to drive, the next in the list
// drives, and the offsets of those behind it fall. Runs under way go on with the offsets that they have, also those that it
// drives, and what it has driven stays readable: see Fail for a driver that takes its output with it. false if it is not there.
// Cost O(n r) for n blocks with r waiting each.
func (c *CircularScan[K]) Leave(job K) bool {
	p, ok := c.byKey[job]
	if !ok {
		return false
	}
	c.remove(p)
	return true
}

func (c *CircularScan[K]) remove(p *passenger[K]) {
	p.gone = true
	for b, list := range c.waits {
		for k, q := range list {
			if p == q {
				c.waits[b] = append(list[:k], list[k+1:]...)
				if len(c.waits[b]) == 0 {
					c.waiting--
				}
				break
			}
		}
	}
	delete(c.byKey, p.key)
	c.total -= int64(p.partitions)
	for k, q := range c.jobs {
		if p == q {
			c.jobs = append(c.jobs[:k], c.jobs[k+1:]...)
			break
		}
	}
}

// Fail takes the job away as Leave does, and all output that it drove with it: the runs under way that it drives end without
// result, and what riders were given by its runs they have to be given again. They go to the end of the block's list in the order of
// joining, so that the first of them drives where nobody else waits. Riders that have left, and the blocks that the job itself
// rode, need nothing again. It returns the blocks that must be read again, ascending.
// Cost O(n K) for K jobs, plus what Leave costs.
//
// Errors: a job that is not there.
func (c *CircularScan[K]) Fail(job K) ([]Rerun[K], error) {
	p, ok := c.byKey[job]
	if !ok {
		return nil, badInput(bookName+"Fail", "job", -1, "%v, want a job that has joined and not left", job)
	}
	c.remove(p)
	return c.again(func(_, serial int64) bool { return serial == p.serial }), nil
}

// Lost says that the output of a run is lost, with the node that held it, or that the run itself has failed if it is under way. Every
// one of its jobs that has not left has to be given the block again, also the driver if it is there; otherwise a rider drives, as
// in [1], Appendix C.3, where the driver has ended and cannot run again. The order is that of Fail. It returns the block if it
// must be read again, and nothing if nobody needs it any more. Cost O(n K) for K jobs and n blocks.
//
// Errors: a run that never started.
func (c *CircularScan[K]) Lost(run int64) ([]Rerun[K], error) {
	if run < 1 || run > c.runID {
		return nil, badInput(bookName+"Lost", "run", -1, "%d, want a run that has started, 1 to %d", run, c.runID)
	}
	return c.again(func(id, _ int64) bool { return id == run }), nil
}

// again takes back what was given, and ends what is under way, of the runs that are lost, and lets their jobs wait again.
func (c *CircularScan[K]) again(lost func(id, serial int64) bool) []Rerun[K] {
	type claim struct {
		block int
		job   *passenger[K]
	}
	var claims []claim // a block has one lost run at most: a job drives a block again only after its last run of it is lost
	kept := c.runs[:0]
	for _, r := range c.runs {
		if !lost(r.id, r.serial) {
			kept = append(kept, r)
			continue
		}
		for _, t := range r.rides {
			if !t.job.gone {
				claims = append(claims, claim{r.block, t.job})
			}
		}
	}
	clear(c.runs[len(kept):])
	c.runs = kept
	for _, p := range c.jobs {
		for b, s := range p.given {
			if s.run > 0 && lost(s.run, s.serial) {
				claims = append(claims, claim{b, p})
				p.given[b] = source[K]{}
				p.left++
			}
		}
	}
	slices.SortFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.job.serial, b.job.serial))
	})
	var reruns []Rerun[K]
	for k, q := range claims {
		c.wait(q.block, q.job)
		if k == 0 || claims[k-1].block != q.block {
			reruns = append(reruns, Rerun[K]{Block: q.block})
		}
		reruns[len(reruns)-1].Again++
	}
	for k := range reruns {
		reruns[k].Rides = rides(c.waits[reruns[k].Block])
	}
	return reruns
}
