package whatif_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/oracle/golden"
)

// swfJob is a job of a log in the Standard Workload Format.
func swfJob(number int, submit, run float64, processors, user int) string {
	return fmt.Sprintf("%d %v -1 %v %d -1 -1 %d -1 -1 1 %d 1 -1 1 -1 -1 -1\n", number, submit, run, processors, processors, user)
}

// wideLog is a log of 500 jobs of 1 to 128 processors on a machine of 256, the number of jobs of at
// most so many processors, and their work.
func wideLog(header string, most int) (text string, jobs int, work, span float64) {
	src := rand.New(rand.NewPCG(4, 7))
	text, now := header, 1000.
	first := math.NaN()
	for i := range 500 {
		width, run := 1<<src.IntN(8), 1+math.Floor(100*src.Float64())
		now += 1 + math.Floor(200*src.Float64())
		text += swfJob(i+1, now, run, width, 1+i%3)
		if width <= most {
			if jobs++; jobs == 1 {
				first = now
			}
			work, span = work+float64(width)*run, now-first
		}
	}
	return text, jobs, work, span
}

// On a machine too small for some jobs these are counted wherever numbers stand, and they are in no
// number. By default the machine is as large as the log's.
func TestNeverRunLog(t *testing.T) {
	for machines, slots := range map[int]int{1: 4, 4: 16, 0: 256} {
		text, jobs, work, span := wideLog("; MaxProcs: 256\n", slots)
		name := trace(t, text)
		args := []string{"-trace", name, "-policies", "fcfs,srpt"}
		if machines > 0 {
			args = append(args, "-machines", strconv.Itoa(machines))
		}
		header, rows := cells(t, args...)
		load := work / span / float64(slots)
		for policy, r := range rows {
			got := map[string]string{}
			for i, column := range header[1:] {
				got[column] = r[i]
			}
			if got["jobs"] != strconv.Itoa(jobs) || got["never_run"] != strconv.Itoa(500-jobs) || got["processors"] != strconv.Itoa(slots) || got["unended"] != "0" ||
				math.Abs(float(t, got["load"])-load) > 1e-12*load {
				t.Errorf("%d machines: %s has %v, want %d jobs, %d never run, load %v", machines, policy, got, jobs, 500-jobs, load)
			}
		}
		page := filepath.Join(t.TempDir(), "page.html")
		out, errs, _ := run(t, append(args, "-html", page)...)
		html, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		never := fmt.Sprintf("%d of 500 jobs can never run on %s and are left out, the largest of them job ", 500-jobs, numbers.Count(slots, "processor"))
		for what, text := range map[string]string{"stdout": out, "stderr": errs, "the page": string(html)} {
			if strings.Contains(text, never) != (jobs < 500) || strings.Contains(text, ": it asks for 128 processors") != (jobs < 500) {
				t.Errorf("%d machines: %s is %.600q, want %q there", machines, what, text, never)
			}
		}
		for _, want := range []string{fmt.Sprintf(" on %d processors: %d jobs", slots, jobs), "Offered load: "} {
			if !strings.Contains(out, want) || !strings.Contains(string(html), want) {
				t.Errorf("%d machines: the table or the page lacks %q: %q", machines, want, out)
			}
		}
	}
	text, _, _, _ := wideLog("", 0) // without MaxProcs the widest job counts
	if header, rows := cells(t, "-trace", trace(t, text), "-policies", "fifo"); cell(t, header, rows["fcfs"], "processors") != 128 || rows["fcfs"][0] != "500" {
		t.Errorf("a log without a header: %q, want all jobs on 128 processors", rows["fcfs"])
	}
}

// Jobs of a log that are not replayed, or not compared with what happened, are counted beside the
// others; a single job, map or reduce is one.
func TestUnknownJobs(t *testing.T) {
	const known, noWait, noRun = "1 0 30 3600 1 -1 -1 1 7200 -1 1 5 2 -1 1 -1 -1 -1\n", "2 60 -1 600 64 -1 -1 64 900 -1 1 6 3 -1 1 -1 -1 -1\n", "3 70 5 -1 -1 -1 -1 64 900 -1 1 6 3 -1 1 -1 -1 -1\n"
	const lacks, left = "; as-it-was lacks 1 job of the log, whose wait is unknown, and only the others are compared", "; 1 line left out, the first of them line "
	for _, c := range []struct {
		log, policies string
		want          []string
		not           string
	}{
		{known, "", []string{" on 100 processors: 1 job, times of the file"}, "left out"},
		{known + noWait, "", []string{": 1 job, times of the file", lacks}, "left out"},
		{known + noWait, "fifo,srpt", []string{": 2 jobs, times of the file"}, "lacks"},
		{known + noRun, "", []string{": 1 job, times of the file", left}, "lacks"},
		{known + noRun + noRun + noWait, "", []string{lacks, "; 2 lines left out, the first of them line "}, "2 jobs, times"},
	} {
		args := []string{"-trace", trace(t, "; MaxProcs: 100\n"+c.log), "-html", filepath.Join(t.TempDir(), "page.html")}
		if c.policies != "" {
			args = append(args, "-policies", c.policies)
		}
		out, errs, code := run(t, args...)
		page, err := os.ReadFile(args[3])
		if code != 0 || err != nil {
			t.Fatalf("whatif of %q = %d, %q, %v", c.log, code, errs, err)
		}
		for what, text := range map[string]string{"stdout": out, "the page": string(page)} {
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("policies %q of %q: %s lacks %q: %.300q", c.policies, c.log, what, want, out)
				}
			}
		}
		if strings.Contains(out, c.not) {
			t.Errorf("policies %q of %q: stdout has %q: %.300q", c.policies, c.log, c.not, out)
		}
	}
	for _, log := range []string{noRun, "JobID|User|Submit|Start|End|State|ReqCPUS|AllocCPUS\n1|ann|2026-03-01T08:00:00|Unknown|Unknown|PENDING|4|0\n"} {
		if out, errs, code := run(t, "-trace", trace(t, log)); code != 2 || out != "" || !strings.Contains(errs, "of no job of the log is it known that it ran and ended") {
			t.Errorf("whatif of %q = %d, %q, %q", log, code, out, errs)
		}
	}
}

// Jobs that run for no time wait in the log and under no policy, whose load then is over no time.
func TestJobsOfNoTime(t *testing.T) {
	for _, log := range []string{"1 0 30 0 4 -1 -1 4 7200 -1 1 5 2 -1 1 -1 -1 -1\n", "1 0 30 1e-60 4 -1 -1 4 7200 -1 1 5 2 -1 1 -1 -1 -1\n2 0 90 0 4 -1 -1 4 7200 -1 1 6 2 -1 1 -1 -1 -1\n"} {
		dir := t.TempDir()
		out, errs, code := run(t, "-trace", trace(t, log), "-html", filepath.Join(dir, "page.html"), "-out", dir)
		if want := "as-it-was"; code != 0 || !strings.Contains(out, want) || strings.Contains(out, "NaN") {
			t.Errorf("whatif of %q = %d, %q, %q", log, code, out, errs)
		}
	}
}

// -load moves the arrivals of a log or a job file closer together or further apart, on both models.
func TestScaledLoad(t *testing.T) {
	text, _, _, _ := wideLog("; MaxProcs: 256\n", 256)
	name := trace(t, text)
	for _, model := range []string{"slots", "fluid"} {
		for _, want := range []float64{.1, .9, 1.5} {
			header, rows := cells(t, "-trace", name, "-model", model, "-policies", "fifo", "-load", fmt.Sprint(want))
			load, first := map[string]string{"slots": "load", "fluid": "server_load"}[model], map[string]string{"slots": "fcfs", "fluid": "fifo"}[model]
			if r := rows[first]; math.Abs(cell(t, header, r, load)-want) > 1e-12 {
				t.Errorf("-load %v -model %s offers %q, columns %q", want, model, r, header)
			}
		}
	}
	out, errs, _ := run(t, "-trace", name, "-load", ".25", "-policies", "fifo")
	if !strings.Contains(out, "arrivals scaled to a load of 0.25") || !strings.Contains(errs, "Offered load: the work of the jobs is 0.25 times what") || !strings.Contains(errs, "hardly a job waits") {
		t.Errorf("-load .25 prints %q and %q, want that arrivals are scaled, and a warning", out, errs)
	}
	if _, errs, _ := run(t, "-trace", name, "-load", "1.01"); !strings.Contains(errs, "more than there is time for") {
		t.Errorf("-load 1.01 warns of %q", errs)
	}
	if _, errs, _ := run(t, "-trace", name, "-load", "1"); errs != "" {
		t.Errorf("-load 1 warns of %q", errs)
	}
	// Deadlines move with arrivals: at a tenth of the load they are as tight as before.
	file := trace(t, "submit\tmaps\tmap_s\tdeadline\tcancel\n0\t72\t10\t30\t0\n10\t72\t4\t50\t15\n")
	if _, rows := cells(t, "-trace", file, "-policies", "edf", "-load", ".14"); rows["edf"][0] != "2" {
		t.Errorf("arrivals ten times as far apart: %q, want no job cancelled", rows["edf"])
	}
}

// Policies are compared over the jobs that end under all of them: fair has the second job take
// longer than its walltime.
func TestJobsThatEndEverywhere(t *testing.T) {
	name := trace(t, "submit\tmaps\tmap_s\twalltime\n0\t40\t5\t0\n0\t8\t5\t12\n")
	_, rows := cells(t, "-trace", name, "-machines", "1", "-policies", "fifo,fair")
	if f, g := rows["fifo"], rows["fair"]; f[0] != "1" || f[1] != "50" || f[10] != "0" || g[0] != "1" || g[10] != "1" {
		t.Errorf("fifo %q and fair %q, want one job in both, 50 s under fifo, and one that does not end under fair", f, g)
	}
	out, _, _ := run(t, "-trace", name, "-machines", "1", "-policies", "fifo,fair")
	if !strings.Contains(out, "unended") {
		t.Errorf("the table lacks the column unended:\n%s", out)
	}
	if out, _, _ := run(t, "-trace", name, "-machines", "1", "-policies", "fifo"); !strings.Contains(out, "fifo     1 ") {
		t.Errorf("fair is a rival though it has no row, but fifo alone has\n%s", out)
	}
}

// A job behind one that never runs never runs either; those that stay keep the jobs that they come
// after.
func TestLeftOutChains(t *testing.T) {
	name := trace(t, "submit\tmaps\tmap_s\trigid\tafter\n0\t5\t1\t1\t0\n0\t1\t1\t0\t1\n0\t4\t7\t0\t0\n0\t4\t1\t0\t3\n")
	out, errs, code := run(t, "-trace", name, "-machines", "1", "-policies", "fifo", "-format", "json")
	var d struct{ Rows []map[string]any }
	err := json.Unmarshal([]byte(out), &d)
	if rows := d.Rows; code != 0 || err != nil || rows[0]["jobs"] != 2. || rows[0]["never_run"] != 2. || rows[0]["max"] != 7. ||
		rows[0]["mean_sojourn"] != 4. || rows[0]["map_load"] != nil || !strings.Contains(errs, "2 of 4 jobs can never run on 1 machine and are left out, the largest of them job 1: rigid, of 5 tasks, and 4 slots are up") {
		t.Errorf("whatif = %d, %q, %q, %v, want jobs 3 and 4 with sojourns of 7 and 1 s", code, out, errs, err)
	}
}

const table = "id,user,submit,tasks,run,memory,deadline,weight\n" +
	"etl,anna,2026-03-01T08:00:00Z,8,10,4e9,2026-03-01T09:00:00Z,1\n" +
	"huge <b>,ben,2026-03-01T08:00:00Z,1,10,9e9,,1\n" +
	"ask,ben,2026-03-01T08:00:00Z,8,10,4e9,2026-03-01T08:00:30Z,3\n" +
	"late,ben,2026-03-01T08:01:00Z,1,10,,,\n"

// A table of one's own is replayed with its names, its memory, its weights and its deadlines.
func TestTable(t *testing.T) {
	name := trace(t, table)
	args := []string{"-trace", name, "-machines", "1", "-memory", "16e9"}
	_, files, _ := compared(t, args...)
	rows := tsv(files["whatif-jobs.tsv"])
	want := [][]string{{"job", "user", "submit", "size", "fifo_start", "fifo_wait", "fifo_end", "fair_start"},
		{"etl", "anna", "2026-03-01 08:00:00", "20", "2026-03-01 08:00:00", "0", "2026-03-01 08:00:20"}, {"huge <b>", "ben", "2026-03-01 08:00:00", "10", "2026-03-01 08:00:20", "20", "2026-03-01 08:00:30"},
		{"ask", "ben", "2026-03-01 08:00:00", "20", "2026-03-01 08:00:20", "20", "2026-03-01 08:00:50"}, {"late", "ben", "2026-03-01 08:01:00", "10", "2026-03-01 08:01:00", "0", "2026-03-01 08:01:10"}}
	for i, row := range want {
		for k, cell := range row {
			if i >= len(rows) || rows[i][k] != cell {
				t.Fatalf("whatif-jobs.tsv is %q, want it to begin with %q", rows, want)
			}
		}
	}
	users := tsv(files["whatif-users.tsv"])
	if len(users) != 3 || users[1][0] != "ben" || users[1][1] != "3" || users[2][0] != "anna" || users[2][2] != "20" {
		t.Errorf("whatif-users.tsv is %q, want ben's 3 jobs and then anna's", users)
	}
	// By weight 1 : 3 the first has one slot of 4 and the second three, until that has ended at 30 s.
	_, files, _ = compared(t, "-trace", trace(t, "user,submit,tasks,run,weight\na,0,8,10,1\nb,0,8,10,3\n"), "-machines", "1", "-policies", "fair")
	if got := files["whatif-jobs.tsv"]; got != "job\tuser\tsubmit\tsize\tfifo_start\tfifo_wait\tfifo_end\tfair_start\tfair_wait\tfair_end\njob 1\ta\t0\t20\t0\t0\t20\t0\t0\t40\njob 2\tb\t0\t20\t20\t20\t40\t0\t0\t30\n" {
		t.Errorf("jobs of weights 1 and 3 take %q", got)
	}
	out, errs, code := run(t, append(args[:4:4], "-memory", "8e9")...)
	if code != 0 || !strings.Contains(errs, "1 of 4 jobs can never run on 1 machine and are left out, the largest of them huge <b>: a map holds 9e+09 bytes of memory") {
		t.Errorf("machines of 8 GB: %d, %q, %q", code, out, errs)
	}
}

// -trace - reads standard input.
func TestStandardInput(t *testing.T) {
	file, err := os.Open(trace(t, table))
	if err != nil {
		t.Fatal(err)
	}
	defer func(in *os.File) { os.Stdin = in }(os.Stdin)
	os.Stdin = file
	out, errs, code := run(t, "-trace", "-", "-policies", "fifo")
	if code != 0 || !strings.Contains(out, "the trace on standard input as 18 maps") {
		t.Errorf("whatif -trace - = %d, %q, %q", code, out, errs)
	}
	os.Stdin = file // at its end
	if _, errs, code := run(t, "-trace", "-"); code != 2 || !strings.HasPrefix(errs, "schedmath whatif: -: joblog: line 1, column 1: file is empty") {
		t.Errorf("whatif of an empty standard input = %d, %q", code, errs)
	}
}

// What a few bytes ask for is said, not taken.
func TestTooManyTasks(t *testing.T) {
	for _, text := range []string{swfJob(1, 0, 10, 20_000_000, 1), "submit\tmaps\tmap_s\n0\t500000000\t1\n", "user,submit,tasks,run\na,0,20000000,1\n"} {
		if out, errs, code := run(t, "-trace", trace(t, text)); code != 2 || out != "" || !strings.Contains(errs, "000000, more than MaxTasks = 16777216: a run takes 5 bytes for each") {
			t.Errorf("whatif of %q = %d, %q, %q", text, code, out, errs)
		}
	}
	if _, errs, code := run(t, "-trace", trace(t, "a\t1\t1\t1e18\t0\t0\n"), "-model", "slots"); code != 2 || !strings.Contains(errs, "more than MaxTasks = 16777216") {
		t.Errorf("whatif of a SWIM trace of 1e18 bytes = %d, %q", code, errs)
	}
	if _, errs, code := run(t, "-trace", trace(t, swfJob(1, 0, 10, 20_000_000, 1)), "-max-tasks", "30000000"); code != 2 || !strings.Contains(errs, "the widest job needs 5000000 machines") {
		t.Errorf("whatif of 20 million processors = %d, %q", code, errs)
	}
}

// The page begins with how loaded the cluster is, what is best and who loses, and then the command.
func TestPageBegins(t *testing.T) {
	text, _, _, _ := wideLog("; MaxProcs: 256\n", 256)
	for flags, want := range map[string][]string{
		"-load .9 -seeds 4":                    {"Offered load: the work of the jobs is 0.9", " has the least mean wait, ", " under fcfs (difference of the means -", "at 95%", "of the jobs end later under ", " than under fcfs, most of all in size class "},
		"-load 2":                              {"times what 256 processors can do from the first arrival to the last. That is more than there is time for", "one seed, so no interval: -seeds 20 gives one", "of the jobs end later"},
		"-policies fifo -load .9 -machines 64": {"Offered load", "fcfs has the least mean wait, ", " under easy (one seed", "of the jobs end later under fcfs than under easy"},
	} {
		args := append(strings.Fields(flags), "-trace", trace(t, text))
		page, _, _ := compared(t, args...)
		d := documentOf(t, page)
		top := strings.Join(append(d.Summary, d.Command), "\n")
		at := 0
		given := strings.Fields("-format=tsv -html=page.html -out=out -trace=trace.tsv")
		for f := range strings.SplitSeq(flags, " -") {
			name, value, _ := strings.Cut(strings.TrimPrefix(f, "-"), " ")
			given = append(given, "-"+name+"="+strings.Replace(value, ".9", "0.9", 1))
		}
		slices.Sort(given)
		for _, words := range append(want, "schedmath whatif "+strings.Join(given, " ")) {
			k := strings.Index(top[at:], words)
			if k < 0 {
				t.Errorf("%s: the page begins with %q, want %q there", flags, top, words)
				break
			}
			at += k
		}
	}
}

// Who loses is named by size and by user. Under FAIR the tasks of 1 s have two slots of four until they end.
func TestWhoLoses(t *testing.T) {
	for text, want := range map[string]string{
		tiny: "25% of the jobs end later under srpt than under fifo, most of all in size class 8 of 10 (sizes up to 30 s), where 100% do.",
		"user,submit,tasks,run\nanna,0,8,10\nben,0,4,1\n": "where 100% do; of the users anna loses most, with a mean of 22 instead of 20 s.",
	} {
		args := []string{"-trace", trace(t, text), "-machines", "1", "-policies", "fair,fifo"}
		if text == tiny {
			args = append(args[:4], "-policies", "srpt,fifo", "-load", "1")
		}
		page, _, _ := compared(t, args...)
		if !strings.Contains(page, want) {
			t.Errorf("the page of %q lacks %q: %.2000s", text, want, page)
		}
	}
}

// TestAccountedLog: whatif says of a recorded log how many of its jobs it compares, and what became of
// the others.
func TestAccountedLog(t *testing.T) {
	name := golden.Trace(t, "data/slurm/sacct-mid/sacct-docs.txt")
	out, errs, code := run(t, "-trace", name, "-policies", "fifo")
	if want := "; 127 of 164 jobs of the file: 3 never ran, 9 run still, 25 wait still"; code != 0 || !strings.Contains(out, want) {
		t.Errorf("whatif = %d, %s%s, want %q", code, errs, out, want)
	}
	header, rows := cells(t, "-trace", name, "-policies", "fifo")
	for column, want := range map[string]float64{"jobs": 127, "log_jobs": 164, "log_never_ran": 3, "log_running": 9, "log_waiting": 25, "log_none": 0, "log_left_out": 0} {
		if got := cell(t, header, rows["fcfs"], column); got != want {
			t.Errorf("%s is %v, want %v", column, got, want)
		}
	}
}

// A job that stood still for 40 s of its 100 did not wait then: the other one waited for 100.
func TestSuspendedIsNoWait(t *testing.T) {
	name := trace(t, "JobID|User|Submit|Start|End|AllocCPUS|Timelimit|Suspended\n1|a|0|0|100|4|00:02:00|00:00:40\n2|b|0|100|110|4|00:02:00|00:00:00\n")
	header, rows := cells(t, "-trace", name, "-policies", "as-it-was,easy")
	for policy, want := range map[string]float64{"as-it-was": 50, "easy": 30} {
		if got := cell(t, header, rows[policy], "mean_wait"); got != want {
			t.Errorf("%s: mean wait %v s, want %v", policy, got, want)
		}
	}
}
