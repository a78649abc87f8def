package starts

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/golden"
)

// recorded is a file of the recordings.
func recorded(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(golden.Trace(t, "data/slurm/"+name))
	expect.Must(t, err)
	return string(text)
}

// now is what squeue and sinfo printed at an instant.
func now(t testing.TB, instant int) string {
	dir := fmt.Sprintf("t%02d/", instant)
	text := recorded(t, dir+"squeue-r.txt") + recorded(t, dir+"sinfo-N.txt")
	if instant < 27 { // at which nobody asked for the reservations
		text += recorded(t, dir+"show-res.txt")
	}
	return text
}

func file(t testing.TB, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "now.txt")
	expect.Must(t, os.WriteFile(name, []byte(text), 0o666))
	return name
}

func command(args ...string) (out, errs string, code int) {
	var stdout, stderr bytes.Buffer
	code = Main(args, &stdout, &stderr)
	return stdout.String(), stderr.String(), code
}

// told reads the table that the command prints: from, median and to of each job.
func told(t testing.TB, out string) map[string][3]float64 {
	t.Helper()
	table := map[string][3]float64{}
	_, rows, _ := strings.Cut(out, "waits for\n")
	for line := range strings.Lines(rows) {
		fields := strings.Fields(line)
		var x [3]float64
		for i := range x {
			x[i] = math.Inf(1)
			if at, err := time.Parse("2006-01-02T15:04:05", fields[4+i]); err == nil {
				x[i] = float64(at.Unix())
			}
		}
		table[fields[0]] = x
	}
	return table
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// At 27 instants of a real Slurm, each forecast against the first start after it: the medians are
// nearer than what squeue itself says, intervals that learn from the forecasts before hold 90% of the
// starts or nearly so, and those that have learned nothing about half.
func TestForecastsOfLog(t *testing.T) {
	log := golden.Trace(t, "data/slurm/sacct-end/sacct-docs-duplicates.txt")
	starts := map[string][]float64{}
	for line := range strings.Lines(recorded(t, "sacct-end/sacct-docs-duplicates.txt")) {
		fields := strings.Split(line, "|")
		if at, err := time.Parse("2006-01-02T15:04:05", fields[6]); err == nil {
			starts[fields[0]] = append(starts[fields[0]], float64(at.Unix()))
		}
	}
	kept := filepath.Join(t.TempDir(), "forecasts.tsv")
	var off, squeue []float64
	n, within, raw, uncalibrated := 0, 0, 0, 0
	for instant := 1; instant <= 27; instant++ {
		text := now(t, instant)
		c, err := read(strings.NewReader(text), time.UTC)
		expect.Must(t, err)
		out, errs, code := command("-history", log, "-forecasts", kept, file(t, text))
		if code != 0 {
			t.Fatalf("t%02d: %d, %s", instant, code, errs)
		}
		if strings.Contains(out, "uncalibrated") {
			uncalibrated++
		}
		plain, _, _ := command("-history", log, file(t, text))
		list, bare := told(t, out), told(t, plain)
		for _, j := range c.jobs {
			x, ok := list[j.id]
			i := slices.IndexFunc(starts[j.id], func(s float64) bool { return s >= c.clock() })
			if !ok || i < 0 || math.IsInf(x[1], 1) {
				continue
			}
			start := starts[j.id][i]
			if n++; x[0] <= start && start <= x[2] {
				within++
			}
			if y := bare[j.id]; y[0] <= start && start <= y[2] {
				raw++
			}
			if !math.IsNaN(j.start) {
				off, squeue = append(off, math.Abs(bare[j.id][1]-start)), append(squeue, math.Abs(j.start-start))
			}
		}
	}
	ours, theirs := median(off), median(squeue)
	cover, before := float64(within)/float64(n), float64(raw)/float64(n)
	t.Logf("%d forecasts: median distance %v s, %v s of squeue's; %.3f within intervals, %.3f uncalibrated", n, ours, theirs, cover, before)
	if n < 1200 || ours > 125 || theirs < 900 || cover < .85 || before > .6 || uncalibrated > 6 {
		t.Errorf("%d forecasts: median distance %v s, %v s of squeue's; %.3f within intervals, %.3f uncalibrated; %d instants uncalibrated", n, ours, theirs, cover, before, uncalibrated)
	}
}

// The clock of each instant is that at which its commands ran; jobs that cannot be planned are counted
// by reason.
func TestLeftOutOfLog(t *testing.T) {
	for instant := 1; instant <= 27; instant++ {
		c, err := read(strings.NewReader(now(t, instant)), time.UTC)
		expect.Must(t, err)
		var ran float64
		_, err = fmt.Sscan(recorded(t, fmt.Sprintf("t%02d/times.txt", instant)), &ran)
		expect.Must(t, err)
		if math.Abs(c.clock()-ran) > 1 || c.unread != 0 || len(c.nodes) != 8 {
			t.Errorf("t%02d: the clock says %v, the commands ran at %v; %d nodes, %d lines unread", instant, c.clock(), ran, len(c.nodes), c.unread)
		}
	}
	for instant, want := range map[int]string{
		4:  "on 8 nodes 15 jobs run, 15 wait; 2 are held; 2 depend on other jobs; 4 wait for a limit\n",
		12: "on 8 nodes 6 jobs run, 85 wait; 1 are held; 1 depend on other jobs; 1 wait for a reservation\n",
		27: "on 8 nodes 5 jobs run, 3 wait; 1 are held; 1 wait for their begin time\n",
	} {
		if out, errs, code := command(file(t, now(t, instant))); code != 0 || !strings.Contains(out, want) {
			t.Errorf("t%02d: %d, %s, %.200s, want %q", instant, code, errs, out, want)
		}
	}
}
