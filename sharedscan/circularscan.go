package sharedscan

import (
	"cmp"
	"math"
	"slices"
)

// CircularScan is the bookkeeping of scans that share the blocks of one dataset ([1], Appendix C): for each block who drives it,
// who rides along, where in the output of the driver the rider's part begins, and what has to be read again when a driver fails.
//
// The blocks 0 to n-1 form a circle. A job that joins waits for every block. All who wait for the same block share its next
// run: the first of them in the list is the driver, the others are riders. When the block starts, its list is closed (the
// bus leaves); who joins later waits for another run of it. A run writes the output partitions of all its jobs one after the
// other in the order of the list, so that a job's part begins at the sum of the Partitions before it, its offset. A job has
// all its input when it has been given each block once.
//
// At any time, each job is in exactly one of three states for each block: it waits for it, a run of the block carries it, or it has
// been given it. For each block there is at most one list that waits, and any number of runs.
//
// Next goes round the circle. As long as nothing fails, the blocks that the job longest under way still needs come first, that is, the
// subjobs of CyclicChain in their order; after failures ask Waiting for each job, and Regions for the order.
//
// Keys are the caller's; a key that left may join again, as another job. The zero CircularScan has no blocks;
// NewCircularScan makes one that has. Not safe for concurrent use. Memory O(n) for each job.
type CircularScan[K comparable] struct {
	waits   [][]*passenger[K] // for each block, the list for its next run
	waiting int               // blocks with a list that is not empty
	cursor  int               // the block after the one that started last
	runs    []*run[K]         // under way, by id
	jobs    []*passenger[K]   // by serial
	byKey   map[K]*passenger[K]
	runID   int64 // of the last run
	serial  int64 // of the last job
	total   int64 // partitions of all jobs
}

// passenger is a job under way.
type passenger[K comparable] struct {
	key        K
	serial     int64
	partitions int
	begin      int
	left       int         // blocks that it has not been given
	given      []source[K] // for each block; run 0: not yet
	gone       bool
}

// source is where a block's output for one job is.
type source[K comparable] struct {
	run, serial int64 // serial: of the driver
	driver      K
	offset      int
}

type run[K comparable] struct {
	id     int64
	block  int
	driver K
	serial int64 // of the driver
	rides  []ride[K]
}

type ride[K comparable] struct {
	job    *passenger[K]
	offset int
}

// Run says what one run of a block does. Rides[0] is the driver's, with offset 0; with the others it runs the map functions of
// all jobs on each record.
type Run[K comparable] struct {
	ID    int64 // 1, 2, ... in the order of starting
	Block int
	Rides []Ride[K]
}

// Ride is one job's part in a run: its output partitions are Offset to Offset+Partitions-1 of the run.
type Ride[K comparable] struct {
	Job                K
	Offset, Partitions int
}

// Source is where a job's reducers find its part of a block: reducer r reads partition Offset+r of the output of Run, which is in the
// hands of Driver.
type Source[K comparable] struct {
	Block  int
	Run    int64
	Driver K
	Offset int
}

const bookName = "sharedscan.CircularScan."

// maxBlocks bounds what a few bytes of snapshot can make Restore allocate.
const maxBlocks = 1 << 24

// NewCircularScan returns the bookkeeping of a dataset of the given number of blocks, which nobody scans yet. Cost O(blocks).
//
// Errors: blocks negative or above 2^24.
func NewCircularScan[K comparable](blocks int) (*CircularScan[K], error) {
	if blocks < 0 || blocks > maxBlocks {
		return nil, badInput("sharedscan.NewCircularScan", "blocks", -1, "%d, want 0 to %d", blocks, maxBlocks)
	}
	return &CircularScan[K]{waits: make([][]*passenger[K], blocks), byKey: make(map[K]*passenger[K])}, nil
}

// Blocks returns the number of blocks.
func (c *CircularScan[K]) Blocks() int { return len(c.waits) }

// Len returns the number of jobs that have joined and not left.
func (c *CircularScan[K]) Len() int { return len(c.jobs) }

// Join adds a job that scans the whole dataset and has the given number of output partitions, usually its reducers. It waits
// for every block, behind those who wait already: a rider of blocks that others wait for, the driver of the rest. It returns
// the block of the circle from which it goes round, which is the one that Next would look at first. A dataset without blocks
// leaves nothing to wait for. Cost O(n) for n blocks.
//
// Errors: a key that is NaN or has joined already; partitions negative; a sum of the partitions of all jobs above 2^31 - 1.
func (c *CircularScan[K]) Join(job K, partitions int) (begin int, err error) {
	const fn = bookName + "Join"
	if job != job {
		return 0, badInput(fn, "job", -1, "NaN, want a key that equals itself")
	}
	if _, present := c.byKey[job]; present {
		return 0, badInput(fn, "job", -1, "%v has joined already, want a new key", job)
	}
	if partitions < 0 || int64(partitions) > math.MaxInt32-c.total {
		return 0, badInput(fn, "partitions", -1, "%d, want at least 0 and a sum of at most %d", partitions, math.MaxInt32)
	}
	c.serial++
	p := &passenger[K]{key: job, serial: c.serial, partitions: partitions, begin: c.cursor, left: len(c.waits),
		given: make([]source[K], len(c.waits))}
	if c.byKey == nil {
		c.byKey = make(map[K]*passenger[K])
	}
	c.jobs = append(c.jobs, p)
	c.byKey[job] = p
	c.total += int64(partitions)
	for b := range c.waits {
		c.wait(b, p)
	}
	return p.begin, nil
}

// wait puts p at the end of the list of block b.
func (c *CircularScan[K]) wait(b int, p *passenger[K]) {
	if len(c.waits[b]) == 0 {
		c.waiting++
	}
	c.waits[b] = append(c.waits[b], p)
}

// Next returns the first block of the circle, from the one after the block that started last, for which somebody waits; ok is
// false if nobody waits for any. Cost O(1) when the next block is wanted, O(n) at most.
func (c *CircularScan[K]) Next() (block int, ok bool) {
	if c.waiting == 0 {
		return 0, false
	}
	for b := c.cursor; ; {
		if len(c.waits[b]) > 0 {
			return b, true
		}
		if b++; b == len(c.waits) {
			b = 0
		}
	}
}

// Start begins a run of the block for all who wait for it, and closes the list. Any block may be started, not only that of Next: the
// order within a subjob is free ([1], Section 2.2). Cost O(riders).
//
// Errors: a block outside 0 to n-1, or one that nobody waits for.
func (c *CircularScan[K]) Start(block int) (Run[K], error) {
	const fn = bookName + "Start"
	if uint(block) >= uint(len(c.waits)) {
		return Run[K]{}, badInput(fn, "block", -1, "%d, want 0 to %d", block, len(c.waits)-1)
	}
	list := c.waits[block]
	if len(list) == 0 {
		return Run[K]{}, badInput(fn, "block", -1, "%d, want a block that a job waits for", block)
	}
	c.runID++
	r := &run[K]{id: c.runID, block: block, driver: list[0].key, serial: list[0].serial, rides: make([]ride[K], len(list))}
	for k, offset := range offsets(list) {
		r.rides[k] = ride[K]{list[k], offset}
	}
	c.runs = append(c.runs, r)
	c.waits[block] = nil
	c.waiting--
	if c.cursor = block + 1; c.cursor == len(c.waits) {
		c.cursor = 0
	}
	return Run[K]{r.id, block, rides(list)}, nil
}

// offsets returns where in the output of a run over the list each job's partitions begin.
func offsets[K comparable](list []*passenger[K]) []int {
	at, sum := make([]int, len(list)), 0
	for k, p := range list {
		at[k] = sum
		sum += p.partitions
	}
	return at
}

// rides returns the list as the caller sees it.
func rides[K comparable](list []*passenger[K]) []Ride[K] {
	out := make([]Ride[K], len(list))
	for k, offset := range offsets(list) {
		out[k] = Ride[K]{list[k].key, offset, list[k].partitions}
	}
	return out
}

// Finish ends a run: each of its jobs that has not left is given the block. It appends to dst those that have thereby been given
// every block, in the order of the run's list. Cost O(riders + runs under way).
//
// Errors: a run that is not under way.
func (c *CircularScan[K]) Finish(dst []K, run int64) ([]K, error) {
	k := c.underWay(run)
	if k < 0 {
		return dst, badInput(bookName+"Finish", "run", -1, "%d, want a run under way", run)
	}
	r := c.runs[k]
	for _, t := range r.rides {
		if p := t.job; !p.gone {
			p.given[r.block] = source[K]{r.id, r.serial, r.driver, t.offset}
			if p.left--; p.left == 0 {
				dst = append(dst, p.key)
			}
		}
	}
	c.runs = slices.Delete(c.runs, k, k+1)
	return dst, nil
}

// underWay returns the place of a run, or -1.
func (c *CircularScan[K]) underWay(id int64) int {
	k, ok := slices.BinarySearchFunc(c.runs, id, func(r *run[K], id int64) int { return cmp.Compare(r.id, id) })
	if !ok {
		return -1
	}
	return k
}

// Left returns how many blocks the job has still to be given: the Remaining of its Scan, in blocks. ok is false for a job that is
// not there. Cost O(1).
func (c *CircularScan[K]) Left(job K) (blocks int, ok bool) {
	p, ok := c.byKey[job]
	if !ok {
		return 0, false
	}
	return p.left, true
}

// Begin returns the block of the circle at which the job joined. Cost O(1).
func (c *CircularScan[K]) Begin(job K) (block int, ok bool) {
	p, ok := c.byKey[job]
	if !ok {
		return 0, false
	}
	return p.begin, true
}

// Jobs appends to dst the jobs that have joined and not left, in the order of joining.
func (c *CircularScan[K]) Jobs(dst []K) []K {
	for _, p := range c.jobs {
		dst = append(dst, p.key)
	}
	return dst
}
