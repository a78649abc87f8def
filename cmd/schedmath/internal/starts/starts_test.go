package starts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/schedmath/schedmath/internal/oracle/expect"
)

const (
	jobHeader  = "JOBID|USER|ACCOUNT|PARTITION|STATE|CPUS|NODES|TRES_PER_NODE|MIN_MEMORY|TIME_LIMIT|TIME|START_TIME|SUBMIT_TIME|PRIORITY|REASON|DEPENDENCY\n"
	nodeHeader = "NODELIST|PARTITION|STATE|CPUS|MEMORY|GRES|TIMELIMIT\n"
	// Node a is of both partitions, b of one alone; c is down.
	nodes = nodeHeader + "a|batch|mix|8|1|(null)|infinite\na|short|mix|8|1|(null)|5:00\nb|batch|idle|16|1|gpu:2|infinite\nc|batch|down*|64|1|(null)|infinite\n"
	// At 10:00:00, as job 1 says.
	running = "1|anna|x|batch|RUNNING|20|1|N/A|0|10:00|4:00|2026-03-01T09:56:00|2026-03-01T09:00:00|5|None|(null)\n"
)

// waits is a line of a job that waits.
func waits(id, user, partition, cpus, gres, limit, priority, reason, depends string) string {
	return strings.Join([]string{id, user, "x", partition, "PENDING", cpus, "1", gres, "0", limit, "0:00", "N/A", "2026-03-01T09:30:00", priority, reason, depends}, "|") + "\n"
}

// row is the line of a job in the table, its fields separated by single blanks.
func row(t *testing.T, out, id string) string {
	t.Helper()
	for line := range strings.Lines(out) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] == id {
			return strings.Join(fields[1:], " ")
		}
	}
	t.Errorf("no job %s in %s", id, out)
	return ""
}

// Job 1 holds 20 of 24 CPUs up to 10:06, since jobs run to their limits where nothing else is known.
func TestStarts(t *testing.T) {
	text := jobHeader + running +
		waits("2", "ben", "batch", "8", "N/A", "5:00", "9", "Resources", "(null)") + // at 10:06
		waits("3", "carla", "batch", "4", "N/A", "2:00", "8", "Priority", "(null)") + // now, beside job 2
		waits("4", "dan", "short", "8", "N/A", "10:00", "7", "Priority", "(null)") + // behind job 3, up to 10:06 it would delay nobody
		waits("5", "dan", "short", "9", "N/A", "1:00", "6", "Priority", "(null)") + // short has 8
		waits("6", "dan", "batch", "1", "gres:gpu:3", "1:00", "5", "Priority", "(null)") +
		waits("7", "emil", "batch", "1", "N/A", "1:00", "0", "JobHeldUser", "(null)") +
		waits("8", "emil", "batch", "1", "N/A", "1:00", "4", "None", "afterok:1(unfulfilled)") +
		waits("9", "emil", "gone", "1", "N/A", "1:00", "4", "ReqNodeNotAvail, UnavailableNodes:n[1-4,6]", "(null)") +
		waits("10", "emil", "batch", "many", "N/A", "1:00", "4", "None", "(null)") + "11|a|b\n"
	want := map[string]string{
		"2": "ben batch 8 2026-03-01T10:06:00 2026-03-01T10:06:00 2026-03-01T10:06:00 8 CPUs of batch, of which 4 are free: held by 1 (anna)",
		"3": "carla batch 4 2026-03-01T10:00:00 2026-03-01T10:00:00 2026-03-01T10:00:00 behind 2 (ben)",
		"4": "dan short 8 2026-03-01T10:06:00 2026-03-01T10:06:00 2026-03-01T10:06:00 8 CPUs of batch, of which 4 are free: held by 1 (anna)",
		"5": "dan short 9 never never never needs 9 CPUs of short of the 8 that can be used",
		"6": "dan batch 1 never never never needs 3 GPUs of the 2 that can be used",
	}
	for first, stream := range map[string]string{"11": "\ufeff" + text + nodes, "16": nodes + text} { // in either order
		out, errs, code := command(file(t, stream))
		if code != 0 || !strings.HasPrefix(out, "2026-03-01T10:00:00: on 3 nodes 1 job run, 5 wait; 1 are held; 1 are of partitions that sinfo does not list; 1 depend on other jobs; 2 lines cannot be read, the first of them line "+first+"\n") ||
			!strings.Contains(out, "uncalibrated") {
			t.Fatalf("%d, %s%s", code, out, errs)
		}
		for id, line := range want {
			if got := row(t, out, id); got != line {
				t.Errorf("job %s: %q, want %q", id, got, line)
			}
		}
	}
	out, _, _ := command("-partition", "short", file(t, text+nodes))
	if strings.Contains(out, "carla") || row(t, out, "4") != want["4"] {
		t.Errorf("-partition short: %s", out)
	}
	// A job that is submitted now is the last; 20 CPUs are there when job 1 has ended and job 4, too.
	for _, submit := range []string{"20x2h", "20x2:00:00", "20x0-02"} {
		out, _, _ = command("-submit", submit, "-zone", "UTC", file(t, text+nodes))
		if got := row(t, out, "(submitted)"); !strings.HasPrefix(got, "batch 20 2026-03-01T10:16:00") {
			t.Errorf("-submit %s: %q", submit, got)
		}
	}
}

// A suspended job stands still: its end moves with the clock. A job without a limit has the longest one
// of its partition.
func TestEnds(t *testing.T) {
	text := jobHeader + running +
		"2|anna|x|batch|SUSPENDED|2|1|N/A|0|10:00|1:00|2026-03-01T09:00:00|2026-03-01T09:00:00|0|None|(null)\n" +
		"3|anna|x|batch|RUNNING|2|1|N/A|0|UNLIMITED|2:00|2026-03-01T09:58:00|2026-03-01T09:00:00|5|None|(null)\n" +
		waits("4", "ben", "batch", "24", "N/A", "30:00", "9", "Resources", "(null)")
	c, err := read(strings.NewReader(text+nodes), time.UTC)
	expect.Must(t, err)
	p := newPlan(c, c.clock(), nil)
	for i, want := range []float64{360, 540, 1800 - 120} {
		if got := p.held[i].End - p.now; got != want {
			t.Errorf("job %s ends after %v s, want %v", p.running[i].id, got, want)
		}
	}
}

// What is not read, and settings that cannot be.
func TestRefused(t *testing.T) {
	good := file(t, jobHeader+running+nodes)
	for want, args := range map[string][]string{
		"is no header of squeue or sinfo: want (squeue -r":     {file(t, "JOB|USER\n")},
		"the output of squeue has no column PRIORITY":          {file(t, strings.Replace(jobHeader, "PRIORITY|", "", 1))},
		"the output of sinfo has no column CPUS":               {file(t, strings.Replace(nodeHeader, "CPUS|", "", 1))},
		"there are no nodes of sinfo":                          {file(t, jobHeader+running)},
		"7_[1-3] is many tasks of an array":                    {file(t, jobHeader+waits("7_[1-3]", "ben", "batch", "8", "N/A", "5:00", "9", "Resources", "(null)")+nodes)},
		"n[1-3] is many nodes in one line":                     {file(t, jobHeader+running+strings.Replace(nodes, "a|", "n[1-3]|", 1))},
		"line 2 is longer than 1048576 bytes":                  {file(t, jobHeader+strings.Repeat("x", 1<<20)+"\n"+nodes)},
		"-forecasts - is read and written":                     {"-forecasts", "-", good},
		"nothing runs":                                         {file(t, jobHeader+nodes)},
		"want one of batch, short":                             {"-partition", "long", good},
		"-submit is \"x2h\"":                                   {"-submit", "x2h", good},
		"-submit is \"4\"":                                     {"-submit", "4", good},
		"-submit is \"4x-2h\"":                                 {"-submit", "4x-2h", good},
		"-submit is \"4x30\"":                                  {"-submit", "4x30", good},
		"-submit is \"4xUNLIMITED\"":                           {"-submit", "4xUNLIMITED", good},
		"line 1 is no forecast of an earlier run":              {"-forecasts", file(t, "1\t2\t3\t4\t5\n"), good},
		"line 2 is no forecast of an earlier run":              {"-forecasts", file(t, columns+"1\t2\t3\t4\n"), good},
		"-at is \"soon\"":                                      {"-at", "soon", good},
		"want one file":                                        {},
		"file is no table, job file, SWIM trace or log in SWF": {"-history", file(t, "what\n"), good},
		"no such file":                                         {file(t, "") + "x"},
	} {
		if out, errs, code := command(args...); code == 0 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("starts %v = %d, %s%s, want %q", args, code, out, errs, want)
		}
	}
	if out, errs, code := command("-at", "2026-03-01T10:00:00", file(t, jobHeader+nodes)); code != 0 || !strings.HasPrefix(out, "2026-03-01T10:00:00: on 3 nodes 0 jobs run, 0 wait") {
		t.Errorf("-at = %d, %s%s", code, out, errs)
	}
}

// A job of two partitions waits for nodes of both, one of GPUs is not behind one of other nodes, and
// jobs under a limit by account or QOS are left out. Lines of times and GPUs without end cannot be read.
func TestPartitions(t *testing.T) {
	text := jobHeader +
		"1|anna|x|a|RUNNING|8|1|N/A|0|10:00|4:00|2026-03-01T09:56:00|2026-03-01T09:00:00|5|None|(null)\n" +
		"2|anna|x|b|RUNNING|8|1|N/A|0|10:00|4:00|2026-03-01T09:56:00|2026-03-01T09:00:00|5|None|(null)\n" +
		waits("3", "ben", "a,b", "16", "N/A", "5:00", "9", "Resources", "(null)") +
		waits("4", "ben", "c", "8", "N/A", "5:00", "8", "Priority", "(null)") +
		waits("5", "ben", "a", "1", "N/A", "5:00", "7", "QOSMaxGRESPerUser", "(null)") +
		waits("6", "ben", "a", "1", "N/A", "5:00", "7", "AssocGrpGRES", "(null)") +
		waits("7", "ben", "a", "1", "N/A", "5:00", "7", "MaxCpuPerAccount", "(null)") +
		"8|ben|x|a|RUNNING|8|1|N/A|0|UNLIMITED|UNLIMITED|2026-03-01T09:56:00|2026-03-01T09:00:00|5|None|(null)\n" +
		waits("9", "ben", "a", "1", "gres:gpu:2147483647", "5:00", "7", "Resources", "(null)") +
		nodeHeader + "n1|a|alloc|8|1000|(null)|8\nn2|b|alloc|8|1000|(null)|8\nn3|c*|idle|8|1000|(null)|0\n"
	out, errs, code := command(file(t, text))
	if code != 0 || !strings.Contains(out, "2 wait; 3 wait for a limit") || !strings.Contains(out, "2 lines cannot be read") {
		t.Fatalf("%d, %s%s", code, out, errs)
	}
	for id, want := range map[string]string{
		"3": "ben a,b 16 2026-03-01T10:06:00 2026-03-01T10:06:00 2026-03-01T10:06:00 16 CPUs of a,b, of which 0 are free: held by 1 (anna), 2 (anna)",
		"4": "ben c 8 2026-03-01T10:00:00 2026-03-01T10:00:00 2026-03-01T10:00:00 its turn, which is next",
	} {
		if got := row(t, out, id); got != want {
			t.Errorf("job %s: %q, want %q", id, got, want)
		}
	}
}

// Forecasts are kept, and count once their jobs have started: 20 that were 100 s too early move the
// bounds of the next.
func TestForecastsAreKept(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept.tsv")
	name := file(t, jobHeader+running+waits("2", "ben", "batch", "8", "N/A", "5:00", "9", "Resources", "(null)")+nodes)
	if _, errs, code := command("-forecasts", kept, name); code != 0 {
		t.Fatal(errs)
	}
	text, err := os.ReadFile(kept)
	expect.Must(t, err)
	const line = "2\t1772359200.000\t1772359560.000\t1772359560.000\t1772359560.000\n"
	if string(text) != columns+line {
		t.Errorf("%q", text)
	}
	// Of too many the last are kept.
	expect.Must(t, os.WriteFile(kept, []byte(columns+strings.Repeat(line, mostKept+9)), 0o666))
	command("-forecasts", kept, name)
	if text, err = os.ReadFile(kept); err != nil || string(text[:len(columns)]) != columns || len(text) != len(columns)+mostKept*len(line) {
		t.Errorf("%d bytes are kept, error %v, want the header and %d lines of %d", len(text), err, mostKept, len(line))
	}
	var history, earlier strings.Builder
	history.WriteString("JobID|User|Submit|Start|End|AllocCPUS|Timelimit\n")
	earlier.WriteString(columns)
	for range 20 {
		earlier.WriteString("7\t1772359000\t1772359050\t1772359050\t1772359050\n") // 50 s, and it took 150
	}
	history.WriteString("7|ben|1772359000|1772359150|1772359160|1|00:01:00\n")
	expect.Must(t, os.WriteFile(kept, []byte(earlier.String()), 0o666))
	out, errs, code := command("-history", file(t, history.String()), "-forecasts", kept, name)
	x := told(t, out)["2"]
	if code != 0 || !strings.Contains(out, "; calibrated by the outcomes of 20 earlier forecasts") || x[2] < 1772359200+2*240 {
		t.Errorf("%d, %s%s", code, out, errs)
	}
}

func TestGPUs(t *testing.T) {
	for text, want := range map[string]int64{"N/A": 0, "(null)": 0, "gpu:2": 2, "gres:gpu:1": 1, "gres/gpu:tesla:4": 4, "gpu:a100:2(S:0-1),fpga:3,gpu:1": 3, "gpu": 1, "": 0} {
		if got := gpus(text); got != want {
			t.Errorf("gpus(%q) = %v, want %v", text, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(jobHeader + running + waits("2", "ben", "batch,short", "8", "gres:gpu:1", "UNLIMITED", "9", "Resources", "(null)") + nodes)
	f.Add(nodes + jobHeader + "ReservationName=r StartTime=2001-09-09T01:46:40 EndTime=2001-09-09T02:46:40\n Nodes=a,[1-2],b\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := read(strings.NewReader(text), time.UTC)
		if err != nil {
			return
		}
		p := newPlan(c, 1e9, &job{id: "new", partitions: c.parts[0], cpus: 1, limit: 60})
		told, err := p.forecast(&past{})
		if err != nil || len(told) != len(p.waiting) {
			t.Fatalf("%d forecasts of %d jobs, error %v", len(told), len(p.waiting), err)
		}
		for i, x := range told {
			if !(1e9 <= x.Low && x.Low <= x.Median && x.Median <= x.High) || p.why(i) == "" {
				t.Errorf("job %s: %v, waits for %q", p.waiting[i].id, x, p.why(i))
			}
		}
	})
}
