package sharedscan_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/sharedscan"
)

// busyScan has a job with a block given, one carried and one to wait for, and riders of each.
func busyScan(t testing.TB) *sharedscan.CircularScan[int] {
	t.Helper()
	c, err := sharedscan.NewCircularScan[int](3)
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

func TestRestoreCircularScanRejects(t *testing.T) {
	type snapshot = sharedscan.CircularSnapshot[int]
	for name, breaks := range map[string]func(s *snapshot){
		"version":             func(s *snapshot) { s.Version = 2 },
		"blocks below 0":      func(s *snapshot) { s.Blocks = -1 },
		"blocks too many":     func(s *snapshot) { s.Blocks = math.MaxInt32 },
		"blocks without data": func(s *snapshot) { s.Blocks = 1 << 24 },
		"cursor":              func(s *snapshot) { s.Cursor = 3 },
		"last run":            func(s *snapshot) { s.LastRun = -1 },
		"last run too high":   func(s *snapshot) { s.LastRun = math.MaxInt64 },
		"begin below 0":       func(s *snapshot) { s.Jobs[0].Begin = -1 },
		"key twice":           func(s *snapshot) { s.Jobs[1].Key = 0 },
		"serials":             func(s *snapshot) { s.Jobs[1].Serial = 1 },
		"serial in future":    func(s *snapshot) { s.LastJob = 2 },
		"partitions":          func(s *snapshot) { s.Jobs[1].Partitions = math.MaxInt32 },
		"begin":               func(s *snapshot) { s.Jobs[0].Begin = 3 },
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
		"run id":              func(s *snapshot) { s.Runs[0].ID = 3 },
		"run id twice":        func(s *snapshot) { s.Runs[1].ID = 1 },
		"run block":           func(s *snapshot) { s.Runs[0].Block = -1 },
		"run block too large": func(s *snapshot) { s.Runs[0].Block = 3 },
		"run driver":          func(s *snapshot) { s.Runs[0].DriverSerial = 0 },
		"run driver unknown":  func(s *snapshot) { s.Runs[0].DriverSerial = 4 },
		"run without parts": func(s *snapshot) {
			s.Runs = append(s.Runs, sharedscan.CircularRun[int]{3, 0, 1, 2, true})
			s.LastRun = 3
		},
	} {
		s := busyScan(t).Snapshot()
		if _, err := sharedscan.RestoreCircularScan(s); err != nil {
			t.Fatalf("RestoreCircularScan(%+v): %v", s, err)
		}
		breaks(&s)
		c, err := sharedscan.RestoreCircularScan(s)
		var bad *schedmath.InputError
		if !errors.As(err, &bad) || c != nil || bad.Func != "sharedscan.RestoreCircularScan" || bad.Arg != "s" {
			t.Errorf("%s: RestoreCircularScan(%+v) = %v, %v, want an InputError", name, s, c, err)
		}
	}
}

// TestRestoreLargestOffset: the partitions of a job end at 2^31 - 2, the last place there is.
func TestRestoreLargestOffset(t *testing.T) {
	s := busyScan(t).Snapshot()
	s.Jobs[0].Parts[0].Offset = math.MaxInt32 - s.Jobs[0].Partitions
	c, err := sharedscan.RestoreCircularScan(s)
	if err != nil || !reflect.DeepEqual(c.Snapshot(), s) {
		t.Errorf("RestoreCircularScan(%+v): %v, want the offset taken", s, err)
	}
}

// TestRestoreKeepsLimits continues with limits where the restored CircularScan left them: the sum of partitions, tickets, serials and runs.
func TestRestoreKeepsLimits(t *testing.T) {
	c, err := sharedscan.RestoreCircularScan(busyScan(t).Snapshot()) // three jobs of two partitions
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

// FuzzRestoreCircularScan reads any JSON; what is accepted must be the same when taken again, and go on to the end.
func FuzzRestoreCircularScan(f *testing.F) {
	text, err := json.Marshal(busyScan(f).Snapshot())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"version":1,"blocks":2}`))
	f.Add([]byte(`{"version":1,"blocks":1,"lastJob":1,"lastTicket":1,"jobs":[{"key":4,"serial":1,"partitions":1,"parts":[{"ticket":1}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s sharedscan.CircularSnapshot[int]
		if json.Unmarshal(text, &s) != nil || s.Blocks > 1000 {
			return
		}
		c, err := sharedscan.RestoreCircularScan(s)
		if err != nil {
			if !errors.Is(err, schedmath.ErrInput) {
				t.Fatalf("RestoreCircularScan(%s): %v, want ErrInput", text, err)
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
				t.Fatalf("RestoreCircularScan(%s): job %d needs %d blocks when nobody waits", text, j, left)
			}
		}
	})
}
