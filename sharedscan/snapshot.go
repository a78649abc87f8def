package sharedscan

import (
	"fmt"
	"math"
)

// CircularSnapshot is the state of a CircularScan as plain data. Jobs are named by their serials, since a key that left may be
// there again as another job.
type CircularSnapshot[K comparable] struct {
	Version int              `json:"version"` // 1
	Blocks  int              `json:"blocks"`
	Cursor  int              `json:"cursor"`  // the block at which Next begins to look
	LastRun int64            `json:"lastRun"` // runs that have started
	LastJob int64            `json:"lastJob"` // jobs that have joined
	Jobs    []CircularJob[K] `json:"jobs"`    // by serial
	Waits   []CircularList   `json:"waits"`   // by block
	Runs    []CircularRun[K] `json:"runs"`    // under way, by ID
}

// CircularJob is one job of a CircularSnapshot.
type CircularJob[K comparable] struct {
	Key        K                   `json:"key"`
	Serial     int64               `json:"serial"` // 1, 2, ... in the order of joining
	Partitions int                 `json:"partitions"`
	Begin      int                 `json:"begin"`
	Given      []CircularSource[K] `json:"given"` // by block
}

// CircularSource is where a job finds its part of a block that it has been given.
type CircularSource[K comparable] struct {
	Block        int   `json:"block"`
	Run          int64 `json:"run"`
	Driver       K     `json:"driver"`
	DriverSerial int64 `json:"driverSerial"`
	Offset       int   `json:"offset"`
}

// CircularList is the jobs that wait for a block, the driver first.
type CircularList struct {
	Block int     `json:"block"`
	Jobs  []int64 `json:"jobs"` // serials
}

// CircularRun is a run under way, with those of its jobs that have not left.
type CircularRun[K comparable] struct {
	ID           int64          `json:"id"`
	Block        int            `json:"block"`
	Driver       K              `json:"driver"`
	DriverSerial int64          `json:"driverSerial"`
	Rides        []CircularRide `json:"rides"`
}

// CircularRide is one job's part in a run.
type CircularRide struct {
	Job    int64 `json:"job"` // serial
	Offset int   `json:"offset"`
}

const circularVersion = 1

// Snapshot returns the state as data that shares nothing with c. Cost O(n) for each job.
func (c *CircularScan[K]) Snapshot() CircularSnapshot[K] {
	s := CircularSnapshot[K]{Version: circularVersion, Blocks: len(c.waits), Cursor: c.cursor, LastRun: c.runID, LastJob: c.serial}
	for _, p := range c.jobs {
		j := CircularJob[K]{Key: p.key, Serial: p.serial, Partitions: p.partitions, Begin: p.begin}
		for b, g := range p.given {
			if g.run > 0 {
				j.Given = append(j.Given, CircularSource[K]{b, g.run, g.driver, g.serial, g.offset})
			}
		}
		s.Jobs = append(s.Jobs, j)
	}
	for b, list := range c.waits {
		if len(list) > 0 {
			l := CircularList{Block: b}
			for _, p := range list {
				l.Jobs = append(l.Jobs, p.serial)
			}
			s.Waits = append(s.Waits, l)
		}
	}
	for _, r := range c.runs {
		t := CircularRun[K]{ID: r.id, Block: r.block, Driver: r.driver, DriverSerial: r.serial}
		for _, d := range r.rides {
			if !d.job.gone {
				t.Rides = append(t.Rides, CircularRide{d.job.serial, d.offset})
			}
		}
		s.Runs = append(s.Runs, t)
	}
	return s
}

// RestoreCircularScan returns a CircularScan in the state of s, which goes on as the one that s was taken from would. s is not kept.
// Cost O(n) for each job.
//
// Errors: an unknown version, or anything that no CircularScan could have produced, above all a job that is not in exactly one state
// for each block; the InputError names the element.
func RestoreCircularScan[K comparable](s CircularSnapshot[K]) (*CircularScan[K], error) {
	c, arg, index, reason := restoreCircular(s)
	if reason != "" {
		return nil, badInput("sharedscan.RestoreCircularScan", arg, index, "%s", reason)
	}
	return c, nil
}

func restoreCircular[K comparable](s CircularSnapshot[K]) (c *CircularScan[K], arg string, index int, reason string) {
	bad := func(arg string, index int, format string, args ...any) (*CircularScan[K], string, int, string) {
		return nil, arg, index, fmt.Sprintf(format, args...)
	}
	n := s.Blocks
	states := int64(0)
	for i := range s.Jobs {
		states += int64(len(s.Jobs[i].Given))
	}
	for i := range s.Waits {
		states += int64(len(s.Waits[i].Jobs))
	}
	for i := range s.Runs {
		states += int64(len(s.Runs[i].Rides))
	}
	switch {
	case s.Version != circularVersion:
		return bad("s", -1, "Version is %d, want %d", s.Version, circularVersion)
	case n < 0 || n > maxBlocks:
		return bad("s", -1, "Blocks is %d, want 0 to %d", n, maxBlocks)
	case s.Cursor < 0 || s.Cursor > max(0, n-1):
		return bad("s", -1, "Cursor is %d, want 0 to %d", s.Cursor, max(0, n-1))
	case s.LastRun < 0 || s.LastJob < 0 || s.LastRun > math.MaxInt64/2 || s.LastJob > math.MaxInt64/2:
		return bad("s", -1, "LastRun and LastJob are %d and %d, want 0 to 2^62 - 1", s.LastRun, s.LastJob)
	case states != int64(n)*int64(len(s.Jobs)):
		return bad("s", -1, "%d states, want one for each of %d jobs and %d blocks", states, len(s.Jobs), n)
	}
	c = &CircularScan[K]{waits: make([][]*passenger[K], n), cursor: s.Cursor, runID: s.LastRun, serial: s.LastJob,
		byKey: make(map[K]*passenger[K], len(s.Jobs))}
	bySerial := make(map[int64]*passenger[K], len(s.Jobs))
	last := int64(0)
	for i, j := range s.Jobs {
		switch {
		case j.Key != j.Key || c.byKey[j.Key] != nil:
			return bad("s.Jobs", i, "Key is %v, want keys that differ", j.Key)
		case j.Serial <= last || j.Serial > s.LastJob:
			return bad("s.Jobs", i, "Serial is %d, want ascending from 1 to %d", j.Serial, s.LastJob)
		case j.Partitions < 0 || int64(j.Partitions) > math.MaxInt32-c.total:
			return bad("s.Jobs", i, "Partitions is %d, want at least 0 and a sum of at most %d", j.Partitions, math.MaxInt32)
		case j.Begin < 0 || j.Begin > max(0, n-1):
			return bad("s.Jobs", i, "Begin is %d, want 0 to %d", j.Begin, max(0, n-1))
		}
		last = j.Serial
		p := &passenger[K]{key: j.Key, serial: j.Serial, partitions: j.Partitions, begin: j.Begin, left: n - len(j.Given),
			given: make([]source[K], n)}
		block := -1
		for _, g := range j.Given {
			switch {
			case g.Block <= block || g.Block >= n:
				return bad("s.Jobs", i, "Given has block %d, want ascending from 0 to %d", g.Block, n-1)
			case g.Run < 1 || g.Run > s.LastRun:
				return bad("s.Jobs", i, "Given has run %d, want 1 to %d", g.Run, s.LastRun)
			case g.DriverSerial < 1 || g.DriverSerial > s.LastJob || g.Driver != g.Driver:
				return bad("s.Jobs", i, "Given has the driver %v of serial %d, want a job of serial 1 to %d", g.Driver, g.DriverSerial, s.LastJob)
			case g.Offset < 0 || g.Offset > math.MaxInt32-j.Partitions:
				return bad("s.Jobs", i, "Given has offset %d, want 0 to %d", g.Offset, math.MaxInt32-j.Partitions)
			}
			block = g.Block
			p.given[block] = source[K]{g.Run, g.DriverSerial, g.Driver, g.Offset}
		}
		c.jobs = append(c.jobs, p)
		c.byKey[j.Key], bySerial[j.Serial] = p, p
		c.total += int64(j.Partitions)
	}
	// busy has for each job the blocks that it waits for or that a run carries.
	busy := make(map[*passenger[K]][]bool, len(s.Jobs))
	claim := func(serial int64, block int) *passenger[K] {
		p := bySerial[serial]
		if p == nil || p.given[block].run > 0 {
			return nil
		}
		if busy[p] == nil {
			busy[p] = make([]bool, n)
		}
		if busy[p][block] {
			return nil
		}
		busy[p][block] = true
		return p
	}
	block := -1
	for i, l := range s.Waits {
		if l.Block <= block || l.Block >= n || len(l.Jobs) == 0 {
			return bad("s.Waits", i, "block %d with %d jobs, want blocks ascending from 0 to %d with jobs", l.Block, len(l.Jobs), n-1)
		}
		block = l.Block
		for _, serial := range l.Jobs {
			p := claim(serial, block)
			if p == nil {
				return bad("s.Waits", i, "job %d, want jobs that neither have the block nor get it elsewhere", serial)
			}
			c.wait(block, p)
		}
	}
	last = 0
	for i, r := range s.Runs {
		switch {
		case r.ID <= last || r.ID > s.LastRun:
			return bad("s.Runs", i, "ID is %d, want ascending from 1 to %d", r.ID, s.LastRun)
		case r.Block < 0 || r.Block >= n:
			return bad("s.Runs", i, "Block is %d, want 0 to %d", r.Block, n-1)
		case r.DriverSerial < 1 || r.DriverSerial > s.LastJob || r.Driver != r.Driver:
			return bad("s.Runs", i, "the driver is %v of serial %d, want a job of serial 1 to %d", r.Driver, r.DriverSerial, s.LastJob)
		}
		last = r.ID
		t := &run[K]{id: r.ID, block: r.Block, driver: r.Driver, serial: r.DriverSerial}
		for _, d := range r.Rides {
			p := claim(d.Job, r.Block)
			switch {
			case p == nil:
				return bad("s.Runs", i, "Rides has job %d, want jobs that neither have the block nor get it elsewhere", d.Job)
			case d.Offset < 0 || d.Offset > math.MaxInt32-p.partitions:
				return bad("s.Runs", i, "Rides has offset %d, want 0 to %d", d.Offset, math.MaxInt32-p.partitions)
			}
			t.rides = append(t.rides, ride[K]{p, d.Offset})
		}
		c.runs = append(c.runs, t)
	}
	return c, "", -1, ""
}
