package sharedscan_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/sharedscan"
)

// busyScan has a job with a block given, one carried and one to wait for, and riders of each.
func busyScan(t testing.TB) *sharedscan.CircularScan[int] {
	t.Helper()
	c, err := sharedscan.New[int](3)
	if err != nil {
		t.Fatal(err)
	}
	for j := range 3 {
		if _, err := c.Join(j, 2); err != nil {
			t.Fatal(err)
		}
	}
	for b := range 2 {
		if _, err := c.Start(b); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Finish(nil, 1); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRestoreRejects(t *testing.T) {
	type snapshot = sharedscan.Snapshot[int]
	for name, breaks := range map[string]func(s *snapshot){
		"version":             func(s *snapshot) { s.Version = 2 },
		"blocks below 0":      func(s *snapshot) { s.Blocks = -1 },
		"blocks too many":     func(s *snapshot) { s.Blocks = math.MaxInt32 },
		"blocks without data": func(s *snapshot) { s.Blocks = 1 << 24 },
		"cursor":              func(s *snapshot) { s.Cursor = 3 },
		"last run":            func(s *snapshot) { s.LastRun = -1 },
		"last run too high":   func(s *snapshot) { s.LastRun = math.MaxInt64 },
		"key twice":           func(s *snapshot) { s.Jobs[1].Key = 0 },
		"serials":             func(s *snapshot) { s.Jobs[1].Serial = 1 },
		"serial in future":    func(s *snapshot) { s.LastJob = 2 },
		"partitions":          func(s *snapshot) { s.Jobs[1].Partitions = math.MaxInt32 },
		"parts missing":       func(s *snapshot) { s.Jobs[0].Parts = s.Jobs[0].Parts[1:] },
		"part too many":       func(s *snapshot) { s.Jobs[0].Parts = append(s.Jobs[0].Parts, s.Jobs[0].Parts[0]) },
		"ticket 0":            func(s *snapshot) { s.Jobs[0].Parts[2].Ticket = 0 },
		"ticket in future":    func(s *snapshot) { s.Jobs[0].Parts[2].Ticket = s.LastTicket + 1 },
		"ticket twice":        func(s *snapshot) { s.Jobs[0].Parts[2].Ticket = s.Jobs[1].Parts[2].Ticket },
		"part's run":          func(s *snapshot) { s.Jobs[0].Parts[2].Run = 3 },
		"run below 0":         func(s *snapshot) { s.Jobs[0].Parts[2].Run = -1 },
		"run of other block":  func(s *snapshot) { s.Jobs[0].Parts[2].Run = 1 },
		"offset below 0":      func(s *snapshot) { s.Jobs[0].Parts[0].Offset = -1 },
		"offset too large":    func(s *snapshot) { s.Jobs[0].Parts[0].Offset = math.MaxInt32 },
		"offset without run":  func(s *snapshot) { s.Jobs[0].Parts[2].Offset = 1 },
		"run of no part": func(s *snapshot) {
			for i := range s.Jobs {
				s.Jobs[i].Parts[0] = sharedscan.SnapshotPart{Ticket: s.LastTicket - int64(i)}
			}
		},
		"run id":              func(s *snapshot) { s.Runs[0].ID = 3 },
		"run id twice":        func(s *snapshot) { s.Runs[1].ID = 1 },
		"run block":           func(s *snapshot) { s.Runs[0].Block = -1 },
		"run block too large": func(s *snapshot) { s.Runs[0].Block = 3 },
		"run driver":          func(s *snapshot) { s.Runs[0].DriverSerial = 0 },
		"run driver unknown":  func(s *snapshot) { s.Runs[0].DriverSerial = 4 },
		"run without parts": func(s *snapshot) {
			s.Runs = append(s.Runs, sharedscan.SnapshotRun[int]{3, 0, 1, 2, true})
			s.LastRun = 3
		},
	} {
		s := busyScan(t).Snapshot()
		if _, err := sharedscan.Restore(s); err != nil {
			t.Fatalf("Restore(%+v): %v", s, err)
		}
		breaks(&s)
		c, err := sharedscan.Restore(s)
		var bad *schedmath.InputError
		if !errors.As(err, &bad) || c != nil || bad.Func != "sharedscan.Restore" || bad.Arg != "s" {
			t.Errorf("%s: Restore(%+v) = %v, %v, want an InputError", name, s, c, err)
		} else if name == "blocks without data" && bad.Index != 0 {
			t.Errorf("Restore of 2^24 blocks: %v, want job 0's parts at fault and not the blocks", err)
		}
	}
}

// TestRestoreLargestOffset: the partitions of a job end at 2^31 - 2, the last place there is.
func TestRestoreLargestOffset(t *testing.T) {
	s := busyScan(t).Snapshot()
	s.Jobs[0].Parts[0].Offset = math.MaxInt32 - s.Jobs[0].Partitions
	c, err := sharedscan.Restore(s)
	if err != nil || !reflect.DeepEqual(c.Snapshot(), s) {
		t.Errorf("Restore(%+v): %v, want the offset taken", s, err)
	}
}

// TestRestoreKeepsLimits continues with limits where the restored CircularScan left them: the sum
// of partitions, tickets, serials and runs.
func TestRestoreKeepsLimits(t *testing.T) {
	c, err := sharedscan.Restore(busyScan(t).Snapshot()) // three jobs of two partitions
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Join(7, math.MaxInt32-5)
	expect.InputError(t, "Join(7, 2^31-6) beside 6 partitions", err, "sharedscan.CircularScan.Join", "partitions", -1)
	if _, err := c.Join(7, math.MaxInt32-6); err != nil {
		t.Errorf("Join(7, 2^31-7) beside 6 partitions: %v", err)
	}
	run, err := c.Start(2)
	if err != nil || run.ID != 3 || len(run.Rides) != 4 || run.Rides[0].Job != 0 || run.Rides[3].Job != 7 {
		t.Errorf("Start(2) = %+v, %v, want run 3 with job 0 first and 7 last", run, err)
	}
}

// TestRestoreEdges restores snapshots at the limits of what Restore takes, which Snapshot gives
// back.
func TestRestoreEdges(t *testing.T) {
	type snapshot = sharedscan.Snapshot[int]
	const most = math.MaxInt64 / 2
	for name, change := range map[string]func(s *snapshot){
		"none":              func(s *snapshot) {},
		"offset":            func(s *snapshot) { s.Jobs[0].Parts[0].Offset = math.MaxInt32 - 2 },
		"offset of a rider": func(s *snapshot) { s.Jobs[2].Parts[1].Offset = math.MaxInt32 - 2 },
		"counters":          func(s *snapshot) { s.LastRun, s.LastJob, s.LastTicket = most, most, most },
		"ticket":            func(s *snapshot) { s.LastTicket = most; s.Jobs[0].Parts[2].Ticket = most },
		"run id":            func(s *snapshot) { s.LastRun = most; s.Runs[1].ID = most; rerun(s, 2, most) },
		"serials":           func(s *snapshot) { s.LastJob = most; s.Jobs[2].Serial = most; s.Runs[0].DriverSerial = most },
		"partitions":        func(s *snapshot) { s.Jobs[1].Partitions = math.MaxInt32 - 4; unride(s, 1) },
		"cursor":            func(s *snapshot) { s.Cursor = 2 },
		"no jobs":           func(s *snapshot) { s.Jobs, s.Runs = nil, s.Runs[:0] },
		"a driver that left": func(s *snapshot) {
			s.Runs[0].Driver, s.Runs[0].DriverSerial, s.LastJob = 99, 4, 4
		},
	} {
		s := busyScan(t).Snapshot()
		change(&s)
		c, err := sharedscan.Restore(s)
		if err != nil {
			t.Errorf("%s: Restore(%+v): %v", name, s, err)
			continue
		}
		if d := cmp.Diff(s, c.Snapshot(), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s: Snapshot gives back something else: %s", name, d)
		}
	}
	for blocks := range 2 {
		s := snapshot{Version: 1, Blocks: blocks}
		if c, err := sharedscan.Restore(s); err != nil || c.Snapshot().Blocks != blocks {
			t.Errorf("Restore of %d blocks: %v", blocks, err)
		}
		s.Cursor = 1
		if _, err := sharedscan.Restore(s); err == nil {
			t.Errorf("Restore of %d blocks takes cursor 1", blocks)
		}
	}
}

// rerun gives the parts of a run another run, and unride lets all parts of a job wait.
func rerun(s *sharedscan.Snapshot[int], from, to int64) {
	for _, j := range s.Jobs {
		for b := range j.Parts {
			if j.Parts[b].Run == from {
				j.Parts[b].Run = to
			}
		}
	}
}

func unride(s *sharedscan.Snapshot[int], job int) {
	for b := range s.Jobs[job].Parts {
		s.Jobs[job].Parts[b].Run, s.Jobs[job].Parts[b].Offset = 0, 0
	}
}

// FuzzRestore reads any JSON; what is accepted must be given back as it is, be accepted
// again, and go on to the end.
func FuzzRestore(f *testing.F) {
	text, err := json.Marshal(busyScan(f).Snapshot())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"version":1,"blocks":2}`))
	f.Add([]byte(`{"version":1,"blocks":1,"lastJob":1,"lastTicket":1,"jobs":[{"key":4,"serial":1,"partitions":1,"parts":[{"ticket":1}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s sharedscan.Snapshot[int]
		if json.Unmarshal(text, &s) != nil || s.Blocks > 1000 {
			return
		}
		c, err := sharedscan.Restore(s)
		if err != nil {
			if !errors.Is(err, schedmath.ErrInput) {
				t.Fatalf("Restore(%s): %v, want ErrInput", text, err)
			}
			return
		}
		sameAgain(t, s)
		again := c.Snapshot()
		for _, r := range again.Runs {
			if r.Done {
				continue
			}
			if _, err := c.Finish(nil, r.ID); err != nil {
				t.Fatal(err)
			}
		}
		for b, ok := c.Next(); ok; b, ok = c.Next() {
			run, err := c.Start(b)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Finish(nil, run.ID); err != nil {
				t.Fatal(err)
			}
		}
		for _, j := range c.Jobs(nil) {
			if left, _ := c.Left(j); left != 0 {
				t.Fatalf("Restore(%s): job %d needs %d blocks when nobody waits", text, j, left)
			}
		}
	})
}

func TestSnapshotVersion(t *testing.T) {
	var s sharedscan.Snapshot[int]
	if err := json.Unmarshal([]byte(`{"Version": 99}`), &s); err != nil {
		t.Fatal(err)
	}
	_, err := sharedscan.Restore(s)
	expect.InputError(t, "a later version", err, "sharedscan.Restore", "s", -1)
}
