package whatif_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/golden"
)

// bounded are the columns of a log whose users said how long jobs run.
var bounded = []string{"mean_wait", "bounded_slowdown", "p95_bounded"}

// cell is a number of a policy's row.
func cell(t *testing.T, header []string, row []string, column string) float64 {
	t.Helper()
	k := slices.Index(header, column)
	if k < 1 {
		t.Fatalf("the columns are %q, want %s", header, column)
	}
	return float(t, row[k-1])
}

// A log by hand, on 4 processors: the first job holds 3 for 50 s of 100 that it asked for, the
// second wants all, and the third 1 for 40 s of 200. It may go first only if its true time is known.
// The fourth failed.
func TestBackfillRows(t *testing.T) {
	const log = "1 0 -1 50 3 -1 -1 3 100 -1 1 1 1 -1 1 -1 -1 -1\n2 1 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 1 -1 -1 -1\n3 2 -1 40 1 -1 -1 1 200 -1 1 1 1 -1 1 -1 -1 -1\n" +
		"4 1000 -1 5 4 -1 -1 4 10 -1 0 1 1 -1 1 -1 -1 -1\n"
	name := trace(t, log)
	waits := []float64{(49 + 58) / 3., (1 + 5.9 + 98./40) / 3, 98./40 + .9*(5.9-98./40)}
	first := []float64{49 / 3., (1 + 5.9 + 1) / 3, 1 + .9*4.9}
	header, rows := cells(t, "-trace", name, "-machines", "1", "-completed")
	for policy, want := range map[string][]float64{"fcfs": waits, "easy": waits, "easy-sjbf": waits, "conservative": waits, "easy-true": first, "easy++": waits} {
		for k, column := range bounded {
			if got := cell(t, header, rows[policy], column); math.Abs(got-want[k]) > 1e-12*want[k] {
				t.Errorf("%s: %s is %v, want %v", policy, column, got, want[k])
			}
		}
	}
	for policy, want := range map[string]float64{"easy": 230 / 400., "easy-true": 230 / 240.} {
		if use, later := cell(t, header, rows[policy], "use"), cell(t, header, rows[policy], "later_than_easy"); math.Abs(use-want) > 1e-12 || later != 0 {
			t.Errorf("%s: the use is %v and %v jobs end later than under easy, want %v and 0", policy, use, later, want)
		}
	}
	// The job that failed counts too, unless it is left out: its 5 s are taken as 10.
	header, rows = cells(t, "-trace", name, "-machines", "1")
	if got, want := cell(t, header, rows["easy"], "bounded_slowdown"), (3*waits[1]+1)/4; rows["easy"][0] != "4" || math.Abs(got-want) > 1e-12 {
		t.Errorf("with the job that failed: %q, bounded slowdown %v, want 4 jobs and %v", rows["easy"], got, want)
	}
	// Two jobs have to wait. As no job has ended, they are told 100 s and 110 s, and start at 50 s and
	// 60 s; as one alone has started, their places tell nothing.
	const told = "Forecasts at the arrival of 2 jobs that waited under easy: 0% of the starts came within 90% intervals that were calibrated by how far earlier forecasts were off, 0% within those before that; half of the forecasts were off by 50 s or less, and half of the guesses \"place in the queue times mean time between starts\" by 53.5 s or less"
	if out, _, _ := run(t, "-trace", name, "-machines", "1"); !strings.Contains(out, told) {
		t.Errorf("the table has no line %q: %s", told, out)
	}
	if out, _, _ := run(t, "-trace", name, "-machines", "1", "-policies", "fifo"); strings.Contains(out, "Forecasts") {
		t.Errorf("forecasts without easy: %s", out)
	}
	if out, _, _ := run(t, "-trace", trace(t, strings.ReplaceAll(strings.ReplaceAll(log, " 100 -1", " -1 -1"), " 200 -1", " -1 -1")), "-machines", "1"); !strings.Contains(out, "easy++") {
		t.Errorf("where some users said how long jobs run, there is no easy++: %s", out)
	}
}

// EASY++ learns from the user's last two jobs, and prolongs what was too short: the third job of the
// user is taken to run 10 s, so that one of another user may go first which ends later than it.
func TestPlusPlusPredicts(t *testing.T) {
	name := trace(t, "1 0 -1 10 4 -1 -1 4 1000 -1 1 1 1 -1 1 -1 -1 -1\n2 20 -1 10 4 -1 -1 4 1000 -1 1 1 1 -1 1 -1 -1 -1\n"+
		"3 40 -1 100 3 -1 -1 3 1000 -1 1 1 1 -1 1 -1 -1 -1\n4 41 -1 50 4 -1 -1 4 50 -1 1 2 1 -1 1 -1 -1 -1\n5 42 -1 30 1 -1 -1 1 30 -1 1 2 1 -1 1 -1 -1 -1\n")
	// The head is reserved 50 s; at 50 s the third job is taken to run until 110 s, and the fifth
	// starts. By the requests it starts at once.
	header, rows := cells(t, "-trace", name, "-machines", "1")
	for policy, want := range map[string]float64{"easy": 99 / 5., "easy++": (99 + 8) / 5.} {
		if got := cell(t, header, rows[policy], "mean_wait"); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%s: the mean wait is %v, want %v", policy, got, want)
		}
	}
	if got := cell(t, header, rows["easy++"], "later_than_easy"); got != 1 {
		t.Errorf("%v jobs end later than under easy, want 1", got)
	}
}

// What another simulator gives for a log of the archive: bounded slowdowns of KTH-SP2.
func TestBackfillLog(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole log under four policies")
	}
	header, rows := cells(t, "-trace", golden.Trace(t, "data/swf/KTH-SP2-1996-2.1-cln.swf.gz"), "-machines", "25", "-policies", "fifo,easy,easy-true,easy-sjbf")
	for policy, want := range map[string]float64{"fcfs": 4294, "easy": 86.4, "easy-true": 71.5, "easy-sjbf": 66.4} {
		if got := cell(t, header, rows[policy], "bounded_slowdown"); math.Abs(got-want) > .001*want {
			t.Errorf("%s: the mean bounded slowdown is %v, want %v", policy, got, want)
		}
	}
}
