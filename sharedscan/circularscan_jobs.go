package sharedscan

// Source is where a job's reducers find its part of a block: reducer r reads partition Offset+r of the output of Run, which Driver
// holds.
type Source[K comparable] struct {
	Block  int
	Run    int64
	Driver K
	Offset int
}

// Left returns how many blocks the job has still to be given: the Remaining of its Scan, in blocks. ok is false for a job that has not
// joined. Cost O(1).
func (c *CircularScan[K]) Left(job K) (blocks int, ok bool) {
	if p := c.passenger(job); p != nil {
		return p.left, true
	}
	return 0, false
}

// Begin returns the block of the circle at which the job joined; ok is false for a job that has not joined. Cost O(1).
func (c *CircularScan[K]) Begin(job K) (block int, ok bool) {
	if p := c.passenger(job); p != nil {
		return p.begin, true
	}
	return 0, false
}

// Jobs appends to dst the jobs that have joined and not left, in the order of joining.
func (c *CircularScan[K]) Jobs(dst []K) []K {
	for _, p := range c.passengers() {
		dst = append(dst, p.key)
	}
	return dst
}

// Waiting appends to dst the blocks that the job waits for, ascending, without those that a run carries: a scan as Regions takes
// it. A job that has not joined waits for none. Cost O(n).
func (c *CircularScan[K]) Waiting(dst []int, job K) []int {
	if p := c.passenger(job); p != nil {
		for b := range p.parts {
			if p.parts[b].run == nil {
				dst = append(dst, b)
			}
		}
	}
	return dst
}

// Sources appends to dst, by ascending block, where the job finds its part of each block that it has been given: its table of
// offsets. A job that has not joined has none. Cost O(n).
func (c *CircularScan[K]) Sources(dst []Source[K], job K) []Source[K] {
	if p := c.passenger(job); p != nil {
		for b, s := range p.parts {
			if s.run != nil && s.run.done {
				dst = append(dst, Source[K]{b, s.run.id, s.run.driver, s.offset})
			}
		}
	}
	return dst
}

// List returns what a run of the block would be if it started now: who drives, who rides, at which offsets. It is empty for a block
// that no job waits for, or outside 0 to n-1. Cost as for Start.
func (c *CircularScan[K]) List(block int) []Ride[K] {
	if uint(block) >= uint(c.Blocks()) || c.waiting[block] == 0 {
		return nil
	}
	return rides(c.list(block, nil))
}
