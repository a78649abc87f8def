package whatif_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/whatif"
	"github.com/schedmath/schedmath/internal/program"
)

// jobFile has 144 maps of 10 s, 72 maps of 20 s behind them, 2 reduces of 1 and 5 s, and a job
// whose walltime ends. Alone the jobs take 20, 20 + 5 and 10 s; their works are 1440, 1446 and 10
// slot-seconds.
const jobFile = "submit\tmaps\tmap_s\treduces\treduce_works\tslowstart\twalltime\n0\t144\t10\t0\t\t1\t0\n0\t72\t20\t2\t1,5\t1\t0\n100\t1\t10\t0\t\t1\t4\n"

// A job file is replayed with its own times. In the slot model FIFO ends its jobs at 20 and 45 s.
// The fluid server of 108 slots ends them at 1440/108 and (1440+1446)/108 s and knows no walltimes.
func TestJobFile(t *testing.T) {
	name := trace(t, jobFile)
	_, slots := cells(t, "-trace", name, "-model", "slots", "-policies", "fifo")
	for column, want := range []float64{2, (20 + 45) / 2.0, (20 + 45) / 2.0} {
		if got := float(t, slots["fifo"][column]); math.Abs(got-want) > 1e-12*want {
			t.Errorf("slots: column %d is %v, want %v", column, got, want)
		}
	}
	if got, want := float(t, slots["fifo"][6]), (1+45/25.0)/2; math.Abs(got-want) > 1e-12 {
		t.Errorf("slots: the mean slowdown is %v, want %v", got, want)
	}
	_, fluid := cells(t, "-trace", name, "-model", "fluid", "-policies", "fifo")
	if got, want := float(t, fluid["fifo"][1]), (1440+1440+1446+10)/108.0/3; fluid["fifo"][0] != "3" || math.Abs(got-want) > 1e-12 {
		t.Errorf("fluid: mean sojourn %v of %s jobs, want %v of 3", got, fluid["fifo"][0], want)
	}
	if out, _, _ := run(t, "-trace", name); !strings.Contains(out, "times of the file,") || strings.Contains(out, "scaled") {
		t.Errorf("a job file prints %q, want that its times are its own", out)
	}
	if _, rows := cells(t, "-trace", trace(t, jobFile[:strings.LastIndex(jobFile, "100\t")]), "-model", "slots", "-seeds", "3", "-policies", "fifo"); rows["fifo"][0] != "2" {
		t.Errorf("-seeds with a job file gives %q", rows)
	}
	for _, c := range []struct{ text, flags, want string }{
		{jobFile, "-dn 4 -model slots", "times of their own"},
		{jobFile, "-sigma 1", "-sigma is for -model fluid"},
		{jobFile, "-max-tasks 217", "line 3, column 1: brings the tasks of all jobs to 218, more than MaxTasks = 217"},
		{"submit\tmaps\tmap_s\tafter\n0\t1\t1\t0\n0\t1\t1\t1\n", "-model fluid", "job 2 of "},
		{"submit\tmaps\tmap_s\tafter\n0\t1\t1\t0\n0\t1\t1\t1\n", "-seeds 2", "job 2 of "},
		{"submit\tmaps\tmap_s\tafter\n0\t1\t1\t0\n5\t1\t1\t1\n", "-load 1", "job 2 of "},
		{"submit\tmaps\tmap_s\n3\t1\t1\n3\t1\t1\n", "-load 1", "come all at one time"},
		{"submit\tmaps\tmap_s\n3\t1\t0\n5\t1\t0\n", "-load 1", "have no work"},
		{"submit\tmaps\tmap_s\trigid\n3\t400001\t1\t1\n", "", "needs 100001 machines, more than 100000: -machines N"},
		{"submit\tmaps\tmap_s\twalltime\n0\t1\t9\t3\n", "", "no job of "},
		{"submit\tmaps\tmap_s\n", "", "no jobs"},
		{"submit\tmaps\tmap_s\n\n0\t1\t1\n", "", "line 2, column 1: line is empty"},
		{"# mine\nsubmit\tmaps\tmap_s\n0\t1\t1\n", "", "line 1, column 1: line is a comment"},
		{"; Version: 2.2\n", "", "no jobs"},
		{"; Version: 2.2\n1 0\n", "", "line 2, column 4: line ends after field 2 of 18"},
	} {
		args := append(strings.Fields(c.flags), "-trace", trace(t, c.text))
		if out, errs, code := run(t, args...); code != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, c.want) {
			t.Errorf("whatif %q of %q = %d, stdout %q, stderr %q, want 2 and %q", args, c.text, code, out, errs, c.want)
		}
	}
}

// Two jobs of a log take 98 of 100 processors for 10 s, one job after the other.
// The fluid server has 100 slots, since no job has reduces. There are users, but no deadlines.
func TestLog(t *testing.T) {
	const job = " 0 -1 10 98 -1 -1 98 -1 -1 1 3 1 -1 1 -1 -1 -1\n"
	name := trace(t, "; MaxProcs: 100\n1"+job+"2"+job)
	header, rows := cells(t, "-trace", name, "-model", "slots")
	for _, policy := range []string{"fcfs", "easy", "srpt", "hfsp", "fair-users"} {
		if r := rows[policy]; len(rows) != 5 || len(r) == 0 || r[0] != "2" || r[1] != "5" || r[2] != "10" || r[3] != "15" || r[7] != "20" || r[8] != "1.5" {
			t.Errorf("%s: %q of %d policies, want 2 jobs, mean wait 5, that of the worst tenth 10, mean 15, largest 20, slowdown 1.5; columns %q", policy, r, len(rows), header)
		}
	}
	if _, rows := cells(t, "-trace", name, "-model", "slots", "-policies", "fifo", "-machines", "49"); rows["fcfs"][3] != "10" {
		t.Errorf("on 49 machines: %q, want both jobs at once", rows["fcfs"])
	}
	if _, _, code := run(t, "-trace", name, "-model", "slots", "-machines", "24"); code != 2 {
		t.Errorf("on 24 machines, where no job fits: exit code %d, want 2", code)
	}
	if _, rows := cells(t, "-trace", name, "-model", "fluid", "-policies", "fifo"); math.Abs(float(t, rows["fifo"][5])-2*9.8) > 1e-12 {
		t.Errorf("fluid: the largest sojourn is %s, want 2 x 980 / 100", rows["fifo"][5])
	}
}

// Jobs with deadlines are served by deadline too: the second comes first.
func TestDeadlines(t *testing.T) {
	name := trace(t, "submit\tmaps\tmap_s\tdeadline\n0\t72\t10\t100\n0\t72\t4\t50\n")
	_, rows := cells(t, "-trace", name, "-model", "slots")
	for policy, mean := range map[string]string{"fifo": "12", "edf": "9", "llf": "9"} {
		if len(rows) != 6 || rows[policy][1] != mean {
			t.Errorf("%s of %d policies: %q, want the mean %s", policy, len(rows), rows[policy], mean)
		}
	}
}

// With a trace and several seeds each seed draws arrivals of its own where nothing else is drawn,
// the same ones in every run.
func TestSeedsOfTrace(t *testing.T) {
	text := ""
	for i := range 60 {
		bytes := []string{"1000000000", "30000000000", "20000000"}[i%3]
		text += "j" + string(rune('0'+i/10)) + string(rune('0'+i%10)) + "\t" + []string{"1", "4", "9"}[i/20] + string(rune('0'+i%20/10)) + string(rune('0'+i%10)) + ".5\t0\t" + bytes + "\t" + bytes + "\t0\n"
	}
	name := trace(t, text)
	for _, model := range []string{"slots", "fluid"} {
		args := []string{"-model", model, "-trace", name, "-policies", "fifo,srpt"}
		header, rows := cells(t, append(args, "-seeds", "5")...)
		_, again := cells(t, append(args, "-seeds", "5")...)
		_, other := cells(t, append(args, "-seeds", "5", "-seed", "9")...)
		for policy, row := range rows {
			half := float(t, row[2])
			if header[3] != "mean_ci95" || !(half > 0 && half < math.Inf(1)) {
				t.Errorf("%s: half of %s's interval is %v, want a number above 0", model, policy, half)
			}
			if again[policy][1] != row[1] || other[policy][1] == row[1] || row[0] != "60" {
				t.Errorf("%s: %s has the mean %s of %s jobs, again %s, with another seed %s", model, policy, row[1], row[0], again[policy][1], other[policy][1])
			}
		}
		if out, _, _ := run(t, append(args, "-seeds", "2")...); !strings.Contains(out, "arrivals drawn anew") {
			t.Errorf("%s prints %q, want that arrivals are drawn", model, out)
		}
	}
	if out, _, _ := run(t, "-trace", name, "-sigma", "1", "-seeds", "2"); strings.Contains(out, "arrivals drawn") {
		t.Errorf("with -sigma the errors alone are drawn, but it prints %q", out)
	}
}

// countdown is a context that ends when it is asked for the n-th time.
type countdown struct {
	context.Context
	n    int
	over chan struct{}
}

func (c *countdown) Done() <-chan struct{} {
	if c.n--; c.n == 0 {
		close(c.over)
	}
	return c.over
}

// An interrupt after some rounds of seeds leaves the means over them; before the first nothing is
// kept. A round has as many seeds as there are processors.
func TestInterrupt(t *testing.T) {
	o := whatif.Options{Options: program.Options{Trace: trace(t, tiny), Seed: 1}, Load: 1, Model: "slots", Policies: "fifo", Seeds: 10}
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for processors := 1; processors <= 2; processors++ {
		runtime.GOMAXPROCS(processors)
		for n, rounds := range map[int]int{1: 0, 2: 0, 4: 2} { // the file is read, then each round is run
			want, seeds := "nothing was kept", rounds*processors
			if seeds > 0 {
				want = fmt.Sprintf("kept %d of 10 seeds", seeds)
			}
			var errs bytes.Buffer
			c, err := whatif.Compare(&countdown{context.Background(), n, make(chan struct{})}, o, &errs)
			var stopped *program.Interrupted
			if !errors.As(err, &stopped) || err.Error() != "interrupted: "+want || (c != nil) != (seeds > 0) || c != nil && !strings.Contains(c.Replayed, fmt.Sprintf("means over %d seeds", seeds)) {
				t.Errorf("%d processors, interrupted at step %d: %+v, %v, want %q", processors, n, c, err, want)
			}
		}
	}
}
