package sharedscan

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// CircularScan keeps the books of scans that share the blocks of one dataset ([1], Appendix C).
//
// The blocks 0 to n-1 form a circle. A job that joins waits for every block, and is given each
// once. All jobs that wait for a block share its next run, not one that has started. The job that
// has waited longest, ties to the first that joined, is the driver, the others ride. A run writes
// the output partitions of its jobs in this order: a job's part begins at its offset, the sum of
// the Partitions before it.
//
// While nothing fails Next follows the subjobs of CyclicChain. After failures, ask Waiting for each
// job and Regions for the order.
//
// A key that left may join again, as another job. A key of an interface type must hold a comparable
// value, or Join panics as a map does. The zero value has no blocks.
type CircularScan[K comparable] struct {
	waiting []int           // for each block, the number of jobs that wait for it
	cursor  int             // the block after the block that started last
	jobs    []*passenger[K] // in the order of joining
	byKey   map[K]*passenger[K]
	runs    []*blockRun[K] // under way, by id
	runID   int64          // of the last run
	serial  int64          // of the last job
	ticket  int64          // the last ticket
	total   int            // partitions of all jobs
}

// A passenger is a job that has joined and not left.
type passenger[K comparable] struct {
	key        K
	serial     int64 // 1, 2, ... in the order of joining
	partitions int
	left       int       // blocks that the job has not been given
	parts      []part[K] // by block
}

// A part is what one job has of one block. Jobs that wait for a block stand in the order of their
// tickets.
type part[K comparable] struct {
	ticket int64
	run    *blockRun[K] // nil: the job waits for the block
	offset int
}

// A blockRun is a block that is being read, or has been.
type blockRun[K comparable] struct {
	id     int64
	block  int
	driver K
	serial int64 // of the driver
	done   bool  // the jobs of the run have been given the block
}

// Run says what one run of a block does. Rides[0] is the driver's, with offset 0. The driver runs
// the map functions of all jobs of the list on each record.
type Run[K comparable] struct {
	ID    int64 // 1, 2, ... in the order of starting
	Block int
	Rides []Ride[K]
}

// Ride is one job's part in a run: its output partitions are Offset to Offset+Partitions-1 of the
// run.
type Ride[K comparable] struct {
	Job                K
	Offset, Partitions int
}

const circularName = "sharedscan.CircularScan."

// maxBlocks bounds what a few bytes of snapshot can make Restore allocate.
const maxBlocks = 1 << 24

// New returns the books of a dataset of so many blocks, 0 to 2^24, which nobody scans yet.
func New[K comparable](blocks int) (*CircularScan[K], error) {
	if blocks < 0 || blocks > maxBlocks {
		return nil, input.Bad("sharedscan.New", "blocks", -1, "%d, want 0 to %d", blocks, maxBlocks)
	}
	return &CircularScan[K]{waiting: make([]int, blocks)}, nil
}

// Join adds a job that has the given number of output partitions, usually its reducers. It waits
// for every block, behind the jobs that wait already. begin is the block that Next would look at
// first, from which the job goes round the circle.
//
// Errors: a key that is not equal to itself (NaN) or has joined already; a sum of the partitions of
// all jobs above 2^31 - 1.
func (c *CircularScan[K]) Join(job K, partitions int) (begin int, err error) {
	const fn = circularName + "Join"
	switch {
	case job != job:
		return 0, input.Bad(fn, "job", -1, "%v, want a key that equals itself", job)
	case c.byKey[job] != nil:
		return 0, input.Bad(fn, "job", -1, "%v has joined already, want a new key", job)
	case partitions < 0 || partitions > math.MaxInt32-c.total:
		return 0, input.Bad(fn, "partitions", -1, "%d, want at least 0 and a sum of at most %d", partitions, math.MaxInt32)
	}
	c.serial++
	p := &passenger[K]{key: job, serial: c.serial, partitions: partitions, left: len(c.waiting), parts: make([]part[K], len(c.waiting))}
	c.add(p)
	for b := range p.parts {
		c.wait(b, p)
	}
	return c.cursor, nil
}

func (c *CircularScan[K]) add(p *passenger[K]) {
	if c.byKey == nil {
		c.byKey = make(map[K]*passenger[K])
	}
	c.byKey[p.key] = p
	c.jobs = append(c.jobs, p)
	c.total += p.partitions
}

// wait puts p at the end of the list of a block.
func (c *CircularScan[K]) wait(block int, p *passenger[K]) {
	c.ticket++
	c.waiting[block]++
	p.parts[block] = part[K]{ticket: c.ticket}
}

// list returns the jobs that the run carries or has carried, or with a nil run those that wait
// for the block, by ticket.
func (c *CircularScan[K]) list(block int, r *blockRun[K]) []*passenger[K] {
	var list []*passenger[K]
	for _, p := range c.jobs {
		if p.parts[block].run == r {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(p, q *passenger[K]) int { return cmp.Compare(p.parts[block].ticket, q.parts[block].ticket) })
	return list
}

// rides returns the list as the caller sees it.
func rides[K comparable](list []*passenger[K]) []Ride[K] {
	out, offset := make([]Ride[K], len(list)), 0
	for k, p := range list {
		out[k] = Ride[K]{p.key, offset, p.partitions}
		offset += p.partitions
	}
	return out
}

// Next returns the first block that a job waits for, going round the circle from the block after
// the block that started last; ok is false if no job waits.
func (c *CircularScan[K]) Next() (block int, ok bool) {
	n := len(c.waiting)
	for k := range n {
		if b := (c.cursor + k) % n; c.waiting[b] > 0 {
			return b, true
		}
	}
	return 0, false
}

// Start begins a run of the block for all jobs that wait for it, and closes the list. It need not
// be the block of Next: the order within a subjob is free ([1], Section 2.2).
//
// Errors: a block that does not exist or that no job waits for.
func (c *CircularScan[K]) Start(block int) (Run[K], error) {
	const fn = circularName + "Start"
	if uint(block) >= uint(len(c.waiting)) {
		return Run[K]{}, input.Bad(fn, "block", -1, "%d, want 0 to %d", block, len(c.waiting)-1)
	}
	list := c.list(block, nil)
	if len(list) == 0 {
		return Run[K]{}, input.Bad(fn, "block", -1, "%d, want a block that a job waits for", block)
	}
	c.runID++
	r := &blockRun[K]{id: c.runID, block: block, driver: list[0].key, serial: list[0].serial}
	out := Run[K]{r.id, block, rides(list)}
	for k, p := range list {
		p.parts[block].run, p.parts[block].offset = r, out.Rides[k].Offset
	}
	c.runs = append(c.runs, r)
	c.waiting[block] = 0
	c.cursor = (block + 1) % len(c.waiting)
	return out, nil
}

// Finish ends a run: each of its jobs that has not left is given the block. It appends to dst the
// jobs that have thereby been given every block, in the order of the run's list.
//
// Errors: a run that is not under way.
func (c *CircularScan[K]) Finish(dst []K, run int64) ([]K, error) {
	k := c.underWay(run)
	if k < 0 {
		return dst, input.Bad(circularName+"Finish", "run", -1, "%d, want a run under way", run)
	}
	r := c.runs[k]
	r.done = true
	c.runs = slices.Delete(c.runs, k, k+1)
	for _, p := range c.list(r.block, r) {
		if p.left--; p.left == 0 {
			dst = append(dst, p.key)
		}
	}
	return dst, nil
}

// underWay returns the place of a run in runs, or -1.
func (c *CircularScan[K]) underWay(id int64) int {
	return slices.IndexFunc(c.runs, func(r *blockRun[K]) bool { return r.id == id })
}

// Source is where a job's reducers find its part of a block: reducer r reads partition Offset+r of
// the output of Run, which Driver holds.
type Source[K comparable] struct {
	Block  int
	Run    int64
	Driver K
	Offset int
}

// Left returns how many blocks the job has still to be given: the Remaining of its Scan, in blocks.
// ok is false for a job that has not joined.
func (c *CircularScan[K]) Left(job K) (blocks int, ok bool) {
	if p := c.byKey[job]; p != nil {
		return p.left, true
	}
	return 0, false
}

// Jobs appends to dst the jobs that have joined and not left, in the order of joining.
func (c *CircularScan[K]) Jobs(dst []K) []K {
	for _, p := range c.jobs {
		dst = append(dst, p.key)
	}
	return dst
}

// Waiting appends to dst the blocks that the job waits for, ascending, without those that a run
// carries: a scan as Regions takes it. A job that has not joined waits for none.
func (c *CircularScan[K]) Waiting(dst []int, job K) []int {
	if p := c.byKey[job]; p != nil {
		for b := range p.parts {
			if p.parts[b].run == nil {
				dst = append(dst, b)
			}
		}
	}
	return dst
}

// Sources appends to dst, by ascending block, where the job finds its part of each block that it
// has been given: its table of offsets. A job that has not joined has none.
func (c *CircularScan[K]) Sources(dst []Source[K], job K) []Source[K] {
	if p := c.byKey[job]; p != nil {
		for b, s := range p.parts {
			if s.run != nil && s.run.done {
				dst = append(dst, Source[K]{b, s.run.id, s.run.driver, s.offset})
			}
		}
	}
	return dst
}
