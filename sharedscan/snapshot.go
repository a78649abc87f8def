package sharedscan

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Snapshot is the state of a CircularScan as plain data.
type Snapshot[K comparable] struct {
	Version    int              `json:"version"` // 1
	Blocks     int              `json:"blocks"`
	Cursor     int              `json:"cursor"`         // the block at which Next begins to look
	LastRun    int64            `json:"lastRun"`        // runs that have started
	LastJob    int64            `json:"lastJob"`        // jobs that have joined
	LastTicket int64            `json:"lastTicket"`     // the highest ticket so far
	Jobs       []SnapshotJob[K] `json:"jobs,omitempty"` // by serial
	Runs       []SnapshotRun[K] `json:"runs,omitempty"` // under way, or the run of a part; by ID
}

// SnapshotJob is one job of a Snapshot.
type SnapshotJob[K comparable] struct {
	Key        K              `json:"key"`
	Serial     int64          `json:"serial"` // 1, 2, ... in the order of joining
	Partitions int            `json:"partitions"`
	Parts      []SnapshotPart `json:"parts,omitempty"` // one for each block
}

// SnapshotPart is what one job has of one block.
type SnapshotPart struct {
	Ticket int64 `json:"ticket"` // place in the block's list: the job with the lowest drives
	// Run: the run that carries the job or gave it the block; 0: the job waits
	Run    int64 `json:"run"`
	Offset int   `json:"offset"` // in the output of Run
}

// SnapshotRun is a run that is under way, or that a part refers to. A driver that left may have a
// key that another job has now; serials tell them apart.
type SnapshotRun[K comparable] struct {
	ID           int64 `json:"id"`
	Block        int   `json:"block"`
	Driver       K     `json:"driver"`
	DriverSerial int64 `json:"driverSerial"`
	Done         bool  `json:"done"` // its jobs have been given the block
}

const version = 1

// Snapshot returns the state as data that shares nothing with c.
func (c *CircularScan[K]) Snapshot() Snapshot[K] {
	s := Snapshot[K]{Version: version, Blocks: len(c.waiting), Cursor: c.cursor, LastRun: c.runID, LastJob: c.serial, LastTicket: c.ticket}
	runs := slices.Clone(c.runs)
	for _, p := range c.jobs {
		j := SnapshotJob[K]{p.key, p.serial, p.partitions, make([]SnapshotPart, len(p.parts))}
		for b, t := range p.parts {
			j.Parts[b] = SnapshotPart{Ticket: t.ticket, Offset: t.offset}
			if t.run != nil {
				j.Parts[b].Run = t.run.id
				runs = append(runs, t.run)
			}
		}
		s.Jobs = append(s.Jobs, j)
	}
	slices.SortFunc(runs, func(a, b *blockRun[K]) int { return cmp.Compare(a.id, b.id) })
	for _, r := range slices.Compact(runs) {
		s.Runs = append(s.Runs, SnapshotRun[K]{r.id, r.block, r.driver, r.serial, r.done})
	}
	return s
}

// Restore returns a CircularScan in the state of s, which goes on as the one that s was taken from.
// It keeps nothing of s.
//
// Errors: an unknown version, or anything that no CircularScan could have produced; Index is the
// place in Jobs or Runs, which the Reason names.
func Restore[K comparable](s Snapshot[K]) (*CircularScan[K], error) {
	bad := func(index int, format string, args ...any) (*CircularScan[K], error) {
		return nil, input.Bad("sharedscan.Restore", "s", index, format, args...)
	}
	const most = math.MaxInt64 / 2
	n := s.Blocks
	switch {
	case s.Version != version:
		return bad(-1, "Version is %d, want %d", s.Version, version)
	case n < 0 || n > maxBlocks:
		return bad(-1, "Blocks is %d, want 0 to %d", n, maxBlocks)
	case s.Cursor < 0 || s.Cursor > max(0, n-1):
		return bad(-1, "Cursor is %d, want 0 to %d", s.Cursor, max(0, n-1))
	case min(s.LastRun, s.LastJob, s.LastTicket) < 0 || max(s.LastRun, s.LastJob, s.LastTicket) > most:
		return bad(-1, "LastRun, LastJob and LastTicket are %d, %d and %d, want 0 to 2^62 - 1", s.LastRun, s.LastJob, s.LastTicket)
	}
	c := &CircularScan[K]{waiting: make([]int, n), cursor: s.Cursor, runID: s.LastRun, serial: s.LastJob, ticket: s.LastTicket}
	runs := make(map[int64]*blockRun[K], len(s.Runs))
	last := int64(0)
	for i, r := range s.Runs {
		switch {
		case r.ID <= last || r.ID > s.LastRun:
			return bad(i, "Runs: ID is %d, want ascending from 1 to %d", r.ID, s.LastRun)
		case r.Block < 0 || r.Block >= n:
			return bad(i, "Runs: Block is %d, want 0 to %d", r.Block, n-1)
		case r.DriverSerial < 1 || r.DriverSerial > s.LastJob || r.Driver != r.Driver:
			return bad(i, "Runs: the driver is %v of serial %d, want a job of serial 1 to %d", r.Driver, r.DriverSerial, s.LastJob)
		}
		last = r.ID
		t := &blockRun[K]{r.ID, r.Block, r.Driver, r.DriverSerial, r.Done}
		runs[r.ID] = t
		if !r.Done {
			c.runs = append(c.runs, t)
		}
	}
	type place struct {
		block  int
		ticket int64
	}
	taken, read := make(map[place]bool), make(map[*blockRun[K]]bool)
	last = 0
	for i, j := range s.Jobs {
		switch {
		case j.Key != j.Key || c.byKey[j.Key] != nil:
			return bad(i, "Jobs: Key is %v, want keys that differ", j.Key)
		case j.Serial <= last || j.Serial > s.LastJob:
			return bad(i, "Jobs: Serial is %d, want ascending from 1 to %d", j.Serial, s.LastJob)
		case j.Partitions < 0 || j.Partitions > math.MaxInt32-c.total:
			return bad(i, "Jobs: Partitions is %d, want at least 0 and a sum of at most %d", j.Partitions, math.MaxInt32)
		case len(j.Parts) != n:
			return bad(i, "Jobs: Parts has %d elements, want one for each of %d blocks", len(j.Parts), n)
		}
		last = j.Serial
		p := &passenger[K]{j.Key, j.Serial, j.Partitions, n, make([]part[K], n)}
		for b, t := range j.Parts {
			r := runs[t.Run]
			if reason := fault(t, r, b, j.Partitions, s.LastTicket); reason != "" {
				return bad(i, "Jobs: %s", reason)
			}
			if at := (place{b, t.Ticket}); taken[at] {
				return bad(i, "Jobs: Parts[%d] has ticket %d, which an earlier job has, want tickets that differ", b, t.Ticket)
			} else {
				taken[at] = true
			}
			read[r] = true
			if r == nil {
				c.waiting[b]++
			} else if r.done {
				p.left--
			}
			p.parts[b] = part[K]{t.Ticket, r, t.Offset}
		}
		c.add(p)
	}
	for i, r := range s.Runs {
		if r.Done && !read[runs[r.ID]] {
			return bad(i, "Runs: %d is done and no part refers to it, want it left out", r.ID)
		}
	}
	return c, nil
}

// fault says what is wrong with the part of block b of a job whose run is r, or nothing.
func fault[K comparable](t SnapshotPart, r *blockRun[K], b, partitions int, lastTicket int64) string {
	switch {
	case t.Ticket < 1 || t.Ticket > lastTicket:
		return fmt.Sprintf("Parts[%d] has ticket %d, want 1 to %d", b, t.Ticket, lastTicket)
	case r == nil && t.Run != 0 || r != nil && r.block != b:
		return fmt.Sprintf("Parts[%d] has run %d, want 0 or a run of the block", b, t.Run)
	case t.Offset < 0 || t.Offset > math.MaxInt32-partitions || r == nil && t.Offset != 0:
		return fmt.Sprintf("Parts[%d] has offset %d, want 0 for a job that waits and otherwise 0 to %d", b, t.Offset, math.MaxInt32-partitions)
	}
	return ""
}
