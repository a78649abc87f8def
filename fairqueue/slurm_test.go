package fairqueue_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/oracle/golden"
)

// slurmRun is CPUs that a user held, seconds since 1970.
type slurmRun struct {
	user       string
	cpus       float64
	start, end float64
}

// recording returns the fields of the lines of a recording after its header, and the places of
// columns.
func recording(t *testing.T, name string, columns ...string) (lines [][]string, at []int) {
	t.Helper()
	text, err := os.ReadFile(golden.Trace(t, "data/slurm/"+name))
	must(t, err)
	for line := range strings.Lines(string(text)) {
		lines = append(lines, strings.Split(strings.TrimSpace(line), "|"))
	}
	for _, c := range columns {
		at = append(at, slices.Index(lines[0], c))
	}
	return lines[1:], at
}

func slurmRuns(t *testing.T, name string) (runs []slurmRun) {
	lines, at := recording(t, name, "User", "AllocCPUS", "Start", "End")
	for _, f := range lines {
		start, err := time.Parse("2006-01-02T15:04:05", f[at[2]])
		end, err2 := time.Parse("2006-01-02T15:04:05", f[at[3]])
		cpus, err3 := strconv.Atoi(f[at[1]])
		if cmp.Or(err, err2, err3) == nil { // others never ran
			runs = append(runs, slurmRun{f[at[0]], float64(cpus), float64(start.Unix()), float64(end.Unix())})
		}
	}
	return runs
}

// sshare returns RawUsage by user, and when it was asked for.
func sshare(t *testing.T, dir string) (usage map[string]float64, now float64) {
	lines, at := recording(t, dir+"/sshare.txt", "User", "RawUsage")
	usage = map[string]float64{}
	for _, f := range lines {
		raw, err := strconv.ParseFloat(f[at[1]], 64)
		must(t, err)
		usage[f[at[0]]] += raw
	}
	delete(usage, "")
	delete(usage, "root")
	text, err := os.ReadFile(golden.Trace(t, "data/slurm/"+dir+"/times.txt"))
	must(t, err)
	for line := range strings.Lines(string(text)) {
		if s, ok := strings.CutSuffix(strings.TrimSpace(line), " sshare.txt"); ok {
			now, err = strconv.ParseFloat(s, 64)
			must(t, err)
		}
	}
	return usage, now
}

// TestDecayIsSlurmsOnLogs: Mean HalfLife / ln 2 is sshare's RawUsage, with limits enforced within
// 3% in the median of 55 readings (Slurm fades once a minute), and without limits, where Slurm
// charges no job's last part, several times as much.
func TestDecayIsSlurmsOnLogs(t *testing.T) {
	decay := fairqueue.Decay{HalfLife: 600}
	usage := func(u fairqueue.Usage, runs []slurmRun, user string, now float64) float64 {
		var events []float64
		for _, r := range runs {
			events = append(events, r.start, r.end)
		}
		events = append(events, now)
		slices.Sort(events)
		for _, at := range events {
			if at <= u.Time || at > now {
				continue
			}
			held := 0.0
			for _, r := range runs {
				if r.user == user && r.start <= u.Time && u.Time < r.end {
					held += r.cpus
				}
			}
			var err error
			u, err = decay.Advance(u, at, held)
			must(t, err)
		}
		return u.Mean * decay.HalfLife / math.Ln2
	}
	before, since := sshare(t, "limits/t01")
	runs := slurmRuns(t, "limits/sacct-docs-duplicates.txt")
	var off []float64
	for k := 2; k <= 12; k++ {
		raw, now := sshare(t, fmt.Sprintf("limits/t%02d", k))
		for user, want := range raw {
			got := usage(fairqueue.Usage{Mean: before[user] * math.Ln2 / decay.HalfLife, Time: since}, runs, user, now)
			off = append(off, math.Abs(got/want-1))
		}
	}
	slices.Sort(off)
	if len(off) != 55 || off[27] > .03 {
		t.Errorf("%d readings, in the median off by %v, want 55 and at most .03", len(off), off[len(off)/2])
	}
	runs = slurmRuns(t, "sacct-end/sacct-docs-duplicates.txt")
	for _, k := range []int{5, 15, 26} {
		raw, now := sshare(t, fmt.Sprintf("t%02d", k))
		for user, unlimited := range raw {
			ratio := usage(fairqueue.Usage{Time: 1795892400}, runs, user, now) / unlimited // from 19:00
			if ratio < 2.4 || ratio > 8.1 {
				t.Errorf("t%02d, %s: %v times as much as without limits, want 2.4 to 8.1", k, user, ratio)
			}
		}
	}
}
