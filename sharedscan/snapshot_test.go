package sharedscan_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/sharedscan"
)

var must = expect.Must

type snapshot = sharedscan.Snapshot[int]

// scans restores snapshots of at most 1,000 blocks.
var scans = expect.RoundTrip[snapshot, *sharedscan.CircularScan[int]]{
	Func: "sharedscan.Restore",
	Restore: func(s snapshot) (*sharedscan.CircularScan[int], error) {
		if len(s.Jobs) == 0 && s.Blocks > 1000 {
			s.Blocks = -1
		}
		return sharedscan.Restore(s)
	},
	Snapshot: (*sharedscan.CircularScan[int]).Snapshot,
	GoOn:     toTheEnd,
}

// toTheEnd makes random calls and then reads until no job waits.
func toTheEnd(t testing.TB, c *sharedscan.CircularScan[int], seed uint64) {
	t.Helper()
	if s := c.Snapshot(); max(s.LastRun, s.LastJob, s.LastTicket) > 1<<61 {
		return // no scan comes to such numbers, which Restore takes up to 2^62 - 1
	}
	play(c, rand.New(rand.NewPCG(seed, 48)), 30)
	for _, r := range c.Snapshot().Runs {
		if !r.Done {
			_, err := c.Finish(nil, r.ID)
			must(t, err)
		}
	}
	for b, ok := c.Next(); ok; b, ok = c.Next() {
		run, err := c.Start(b)
		must(t, err)
		_, err = c.Finish(nil, run.ID)
		must(t, err)
	}
	for _, j := range c.Jobs(nil) {
		if left, _ := c.Left(j); left != 0 {
			t.Fatalf("job %d needs %d blocks when nobody waits", j, left)
		}
	}
}

// play makes random calls; errors are part of the game.
func play(c *sharedscan.CircularScan[int], r *rand.Rand, steps int) {
	var under []int64
	for range steps {
		switch what := r.IntN(8); {
		case what < 2:
			_, _ = c.Join(r.IntN(5), r.IntN(4))
		case what < 5:
			b, _ := c.Next()
			if run, err := c.Start(b); err == nil {
				under = append(under, run.ID)
			}
		case what == 5 && len(under) > 0:
			_, _ = c.Finish(nil, under[r.IntN(len(under))])
		case what == 6 && len(under) > 0:
			_, _ = c.Lost(nil, under[r.IntN(len(under))])
		case r.IntN(2) == 0:
			_, _ = c.Fail(nil, r.IntN(5))
		default:
			c.Leave(r.IntN(5))
		}
	}
}

// busyScan has a job with a block given, one carried and one to wait for, and riders of each.
func busyScan(t testing.TB) *sharedscan.CircularScan[int] {
	t.Helper()
	c, err := sharedscan.New[int](3)
	must(t, err)
	for j := range 3 {
		_, err = c.Join(j, 2)
		must(t, err)
	}
	for b := range 2 {
		_, err = c.Start(b)
		must(t, err)
	}
	_, err = c.Finish(nil, 1)
	must(t, err)
	return c
}

// TestRestoreErrors: what no scan comes to is refused.
func TestRestoreErrors(t *testing.T) {
	scans.Refuses(t, func() snapshot { return busyScan(t).Snapshot() },
		expect.Spoilt("blocks below 0", -1, func(s *snapshot) { s.Blocks = -1 }),
		expect.Spoilt("blocks too many", -1, func(s *snapshot) { s.Blocks = math.MaxInt32 }),
		expect.Spoilt("blocks without data", 0, func(s *snapshot) { s.Blocks = 1 << 24 }),
		expect.Spoilt("cursor", -1, func(s *snapshot) { s.Cursor = 3 }),
		expect.Spoilt("last run", -1, func(s *snapshot) { s.LastRun = -1 }),
		expect.Spoilt("last run too high", -1, func(s *snapshot) { s.LastRun = math.MaxInt64 }),
		expect.Spoilt("key twice", 1, func(s *snapshot) { s.Jobs[1].Key = 0 }),
		expect.Spoilt("serials", 1, func(s *snapshot) { s.Jobs[1].Serial = 1 }),
		expect.Spoilt("serial in future", 2, func(s *snapshot) { s.LastJob = 2 }),
		expect.Spoilt("partitions", 1, func(s *snapshot) { s.Jobs[1].Partitions = math.MaxInt32 }),
		expect.Spoilt("parts missing", 0, func(s *snapshot) { s.Jobs[0].Parts = s.Jobs[0].Parts[1:] }),
		expect.Spoilt("part too many", 0, func(s *snapshot) { s.Jobs[0].Parts = append(s.Jobs[0].Parts, s.Jobs[0].Parts[0]) }),
		expect.Spoilt("ticket 0", 0, func(s *snapshot) { s.Jobs[0].Parts[2].Ticket = 0 }),
		expect.Spoilt("ticket in future", 0, func(s *snapshot) { s.Jobs[0].Parts[2].Ticket = s.LastTicket + 1 }),
		expect.Spoilt("ticket twice", 1, func(s *snapshot) { s.Jobs[0].Parts[2].Ticket = s.Jobs[1].Parts[2].Ticket }),
		expect.Spoilt("part's run", 0, func(s *snapshot) { s.Jobs[0].Parts[2].Run = 3 }),
		expect.Spoilt("run below 0", 0, func(s *snapshot) { s.Jobs[0].Parts[2].Run = -1 }),
		expect.Spoilt("run of other block", 0, func(s *snapshot) { s.Jobs[0].Parts[2].Run = 1 }),
		expect.Spoilt("offset below 0", 0, func(s *snapshot) { s.Jobs[0].Parts[0].Offset = -1 }),
		expect.Spoilt("offset too large", 0, func(s *snapshot) { s.Jobs[0].Parts[0].Offset = math.MaxInt32 }),
		expect.Spoilt("offset without run", 0, func(s *snapshot) { s.Jobs[0].Parts[2].Offset = 1 }),
		expect.Spoilt("run of no part", 0, func(s *snapshot) {
			for i := range s.Jobs {
				s.Jobs[i].Parts[0] = sharedscan.SnapshotPart{Ticket: s.LastTicket - int64(i)}
			}
		}),
		expect.Spoilt("run id", 0, func(s *snapshot) { s.Runs[0].ID = 3 }),
		expect.Spoilt("run id twice", 1, func(s *snapshot) { s.Runs[1].ID = 1 }),
		expect.Spoilt("run block", 0, func(s *snapshot) { s.Runs[0].Block = -1 }),
		expect.Spoilt("run block too large", 0, func(s *snapshot) { s.Runs[0].Block = 3 }),
		expect.Spoilt("run driver", 0, func(s *snapshot) { s.Runs[0].DriverSerial = 0 }),
		expect.Spoilt("run driver unknown", 0, func(s *snapshot) { s.Runs[0].DriverSerial = 4 }),
		expect.Spoilt("run without parts", 2, func(s *snapshot) {
			s.Runs = append(s.Runs, sharedscan.SnapshotRun[int]{3, 0, 1, 2, true})
			s.LastRun = 3
		}),
	)
}

// TestRestoreKeepsLimits continues with limits where the restored CircularScan left them: the sum
// of partitions, tickets, serials and runs.
func TestRestoreKeepsLimits(t *testing.T) {
	c, err := sharedscan.Restore(busyScan(t).Snapshot()) // three jobs of two partitions
	must(t, err)
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

// What lies at the limits of what Restore takes is taken.
func TestRestoreEdges(t *testing.T) {
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
		"no block":          func(s *snapshot) { *s = snapshot{Version: 1} },
		"one block":         func(s *snapshot) { *s = snapshot{Version: 1, Blocks: 1} },
		"a driver that left": func(s *snapshot) {
			s.Runs[0].Driver, s.Runs[0].DriverSerial, s.LastJob = 99, 4, 4
		},
	} {
		s := busyScan(t).Snapshot()
		if change(&s); !scans.Same(t, s) {
			t.Errorf("%s: Restore refuses %+v", name, s)
		}
	}
	for blocks := range 2 {
		scans.Refuses(t, func() snapshot { return snapshot{Version: 1, Blocks: blocks} },
			expect.Spoilt("cursor", -1, func(s *snapshot) { s.Cursor = 1 }))
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

// FuzzRestore reads any JSON.
func FuzzRestore(f *testing.F) {
	text, err := json.Marshal(busyScan(f).Snapshot())
	must(f, err)
	f.Add(text)
	f.Add([]byte(`{"version":1,"blocks":2}`))
	f.Add([]byte(`{"version":1,"blocks":1,"lastJob":1,"lastTicket":1,"jobs":[{"key":4,"serial":1,"partitions":1,"parts":[{"ticket":1}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s snapshot
		if json.Unmarshal(text, &s) == nil && s.Blocks <= 1000 {
			scans.Same(t, s)
		}
	})
}

// Snapshots of random histories, and these with one or two changes.
func TestRestoreMutated(t *testing.T) {
	scans.Drawn(t, 1500, func(r *rand.Rand) *sharedscan.CircularScan[int] {
		c, err := sharedscan.New[int](r.IntN(4))
		must(t, err)
		play(c, r, 1+r.IntN(30))
		return c
	})
}
