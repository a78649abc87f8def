package whatif_test

import (
	"strings"
	"testing"
)

// An unknown request is the longest that the file has for the queue, else for any, in the policies and
// in forecasts alike. On 4 processors the first job of the log holds 3 of them for 50 s of 100, the
// second wants all, and the third, in a queue of 10 s at most, 1 for 9 s: it goes first. In the job
// file nobody said how long the first runs: it is the 60 s of the third, which then must wait.
func TestUnknownRequests(t *testing.T) {
	const log = "1 0 -1 50 3 -1 -1 3 100 -1 1 1 1 -1 2 -1 -1 -1\n2 1 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 1 -1 -1 -1\n3 2 -1 9 1 -1 -1 1 -1 -1 1 1 1 -1 1 -1 -1 -1\n"
	const jobs = "submit\tmaps\tmap_s\trequested\trigid\n0\t3\t50\t0\t1\n1\t4\t10\t10\t1\n2\t1\t55\t60\t1\n"
	for _, c := range []struct {
		text string
		wait float64
		told string
	}{{log, 49 / 3., "of 1 job that waited"}, {jobs, (49 + 58) / 3., "of 2 jobs that waited"}} {
		args := []string{"-trace", trace(t, c.text), "-machines", "1"}
		header, rows := cells(t, args...)
		for _, policy := range []string{"easy", "easy-sjbf", "conservative"} {
			if got := cell(t, header, rows[policy], "mean_wait"); got != c.wait {
				t.Errorf("%s on %q: the mean wait is %v, want %v", policy, c.text, got, c.wait)
			}
		}
		if out, _, _ := run(t, args...); !strings.Contains(out, c.told) {
			t.Errorf("the table of %q has no forecasts %q: %s", c.text, c.told, out)
		}
	}
}
