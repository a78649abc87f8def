package whatif_test

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/whatif"
)

// startsUnder are the starts of jobs under a policy, in the order of the log.
func startsUnder(t *testing.T, policy string, args ...string) (starts []string) {
	t.Helper()
	dir := t.TempDir()
	if _, errs, code := run(t, append(args, "-out", dir)...); code != 0 {
		t.Fatalf("whatif %q = %d, %s", args, code, errs)
	}
	lines := strings.Split(strings.TrimSpace(tree(t, dir)["whatif-jobs.tsv"]), "\n")
	column := slices.Index(strings.Split(lines[0], "\t"), policy+"_start")
	for _, line := range lines[1:] {
		starts = append(starts, strings.Split(line, "\t")[column])
	}
	return starts
}

// maintained is a log on 4 processors. The first job asks for 40 s and runs 50, the second wants all,
// the others one.
const maintained = "; MaxProcs: 4\n1 0 -1 50 3 -1 -1 3 40 -1 1 1 1 -1 1 -1 -1 -1\n2 1 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 1 -1 -1 -1\n" +
	"3 2 -1 40 1 -1 -1 1 40 -1 1 2 1 -1 1 -1 -1 -1\n4 100 -1 40 1 -1 -1 1 40 -1 1 2 1 -1 1 -1 -1 -1\n"

// Around maintenance of all processors from 45 to 200 s the second job starts behind it, which would run
// from 40 to 50, and the fourth behind that one, or before it where its user has had less. The third, which
// without the window would put off the second, starts at once and ends at 42. The first does not end at 40, and
// runs into the window; with true times, as in forecasts, it waits.
func TestMaintenance(t *testing.T) {
	log, file := trace(t, maintained), trace(t, "from,to,processors\n45,200,9\n")
	args := []string{"-trace", log, "-window", file}
	for _, c := range []struct{ policy, want, free string }{{"easy", "0 200 2 210", "0 50 60 100"}, {"conservative", "0 200 2 210", "0 50 60 100"},
		{"fair-share", "0 240 2 200", "0 50 2 100"}, {"easy-sjbf", "0 200 2 210", "0 50 60 100"}, {"easy++", "0 200 2 210", "0 50 60 100"}, {"easy-true", "200 1 200 240", "0 50 2 100"}} {
		if got := strings.Join(startsUnder(t, c.policy, args...), " "); got != c.want {
			t.Errorf("%s starts jobs at %s, want %s", c.policy, got, c.want)
		}
		if got := strings.Join(startsUnder(t, c.policy, "-trace", log), " "); got != c.free {
			t.Errorf("%s without the window starts jobs at %s, want %s", c.policy, got, c.free)
		}
	}
	forecasts := filepath.Join(t.TempDir(), "forecasts.tsv")
	out, errs, code := run(t, append(args, "-forecasts", forecasts)...)
	for _, want := range []string{" on 4 processors around 1 window of ",
		"At risk, since jobs that began before ran longer than was planned: under easy, conservative, fair-share, easy-sjbf, easy++ 1 window, for the longest time that of line 2 from 45 s, until 50 s, by 1 (1).\n"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("whatif = %d, %s%s, want %q", code, errs, out, want)
		}
	}
	if text, err := os.ReadFile(forecasts); err != nil || string(text) != "job\tgiven\tlow\tmedian\thigh\tstart\tlevel\n1\t0\t200\t200\t200\t200\t0.9\n3\t2\t200\t200\t200\t200\t0.9\n4\t100\t240\t240\t240\t240\t0.9\n" {
		t.Errorf("the forecasts are %q, %v, want that all jobs but the second wait for the end of the window", text, err)
	}
	if out, _, _ := run(t, append(args, "-policies", "easy-true")...); !strings.Contains(out, "\nNo window is at risk: ") {
		t.Errorf("with true times: %s", out)
	}
	header, rows := cells(t, args...)
	if got := cell(t, header, rows["easy"], "at_risk"); got != 1 || cell(t, header, rows["easy-true"], "at_risk") != 0 || slices.Contains(header, "later_than_conservative") {
		t.Errorf("easy: %v windows at risk, want 1, and none with true times; columns %q", got, header)
	}
	out, _, _ = run(t, append(args, "-format", "json")...)
	var d struct {
		Rows           []map[string]any
		Summary, Notes []string
	}
	if err := json.Unmarshal([]byte(out), &d); err != nil || d.Rows[0]["at_risk"] != 1. || !strings.Contains(strings.Join(d.Summary, "\n"), "\nAt risk, ") || !strings.Contains(d.Notes[2], "no reservations but the windows") {
		t.Errorf("the document is %+v, %v", d, err)
	}
}

// Under easy++ a job reaches into a window that ends within its request, but behind what its user's last two
// jobs had it predicted to run: the others plan by the request, and let it wait.
func TestPredictedIntoWindow(t *testing.T) {
	log := trace(t, "user,submit,tasks,run,requested,rigid\na,0,1,5,100,1\na,10,1,5,100,1\na,40,4,90,100,1\na,300,1,5,100,1\n")
	out, errs, code := run(t, "-machines", "1", "-trace", log, "-window", trace(t, "from,to,processors\n115,190,4\n"))
	const want = "At risk, since jobs that began before ran longer than was planned: under easy++ 1 window, for the longest time that of line 2 from 115 s, until 130 s, by job 3 (a).\n"
	if code != 0 || !strings.Contains(out, want) {
		t.Errorf("whatif = %d, %s%s, want %q", code, errs, out, want)
	}
}

// A user's window of 2 of 4 processors from 100 to 200 s. A job of another one that would run into it
// waits for its end (1), the user's own starts beside it (2) and in it (4), others start on what is left of
// it (5) and not on it (3), and the user's own does not go on past its end on what another one has been
// given, but waits for those before it (6).
func TestOwnersWindow(t *testing.T) {
	job := func(submit, tasks, run, user string) string {
		return user + "," + submit + "," + tasks + "," + run + "," + run + ",1\n"
	}
	log := trace(t, "user,submit,tasks,run,requested,rigid\n"+job("10", "4", "120", "anna")+job("20", "2", "70", `"ben, jr"`)+job("110", "3", "10", "anna")+
		job("120", "2", "50", `"ben, jr"`)+job("130", "2", "60", "anna")+job("180", "2", "30", `"ben, jr"`))
	for _, file := range []string{"From, To, Processors, User\r\n100, 200, 2, \"ben, jr\"\r\n", "user;processors;to;from\nben, jr;2;200;100\n", "\ufefffrom\tto\tprocessors\tuser\n100\t200\t2\tben, jr\n",
		"\ufeff\r\n\nfrom\tto\tprocessors\tuser\n100\t200\t2\tben, jr\n"} {
		args := []string{"-machines", "1", "-trace", log, "-window", trace(t, file)}
		for policy, want := range map[string]string{"easy": "190 10 310 110 120 320", "conservative": "190 10 310 110 120 320"} { // the first job came at 10 s
			if got := strings.Join(startsUnder(t, policy, args...), " "); got != want {
				t.Errorf("%q: %s starts jobs at %s, want %s", file, policy, got, want)
			}
		}
		forecasts := filepath.Join(t.TempDir(), "forecasts.tsv")
		if out, _, _ := run(t, append(args, "-forecasts", forecasts)...); !strings.Contains(out, "No window is at risk") { // the user's own jobs run in it
			t.Errorf("%q: %s", file, out)
		}
		text, err := os.ReadFile(forecasts)
		var waits []string
		for line := range strings.Lines(string(text)) {
			waits = append(waits, strings.Split(line, "\t")[0]+" at "+strings.Split(line, "\t")[5])
		}
		if got := strings.Join(waits, ", "); err != nil || got != "job at start, job 1 at 190, job 3 at 310, job 6 at 320" {
			t.Errorf("%q: %v, jobs wait that the forecasts have start %s", file, err, got)
		}
	}
}

// All processors are held for 10 s from 100 s on, each 100 s. A job of 95 s fits before the first time and
// never between two, one of 80 s does; the third waits for the last, at 400 s, as the log ends at 440, or for
// the end that the file says.
func TestRecurringWindow(t *testing.T) {
	const head, jobs = "user,submit,tasks,run,requested,rigid\n", "a,0,4,95,95,1\na,1,4,80,80,1\na,2,4,95,95,1\na,430,1,10,10,1\n"
	dated := "user,submit,tasks,run,requested,rigid\n"
	for line := range strings.Lines(jobs) {
		at := map[string]string{"0": "08:00:00", "1": "08:00:01", "2": "08:00:02", "430": "08:07:10"}[strings.Split(line, ",")[1]]
		dated += "a,2026-03-01 " + at + strings.Join(strings.SplitAfterN(line, ",", 3)[2:], "") + "\n"
	}
	dated = strings.ReplaceAll(strings.ReplaceAll(dated, "\n\n", "\n"), "4,95", ",4,95")
	dated = strings.ReplaceAll(strings.ReplaceAll(dated, "4,80", ",4,80"), "1,10,", ",1,10,")
	for _, c := range []struct{ log, file, want string }{
		{head + jobs, "from,to,processors,every\n100,110,4,100\n", "0 110 410 505"},
		{head + jobs, "from,to,processors,every\n100,110,4,1m40s\n", "0 110 410 505"},
		{head + jobs, "from,to,processors,every,until\n100,110,4,100,300\n", "0 110 210 430"},
		{head + jobs, "from,to,processors,every,until,user\n100,110,4,100,301,-\n", "0 110 310 430"},
		{head + jobs, "from,to,processors,every\n100,110,4,0\n", "0 110 190 430"},
		{dated, "from,to,processors,every\n2026-03-01T08:01:40,2026-03-01 08:01:50,4,100s\n",
			"2026-03-01 08:00:00 2026-03-01 08:01:50 2026-03-01 08:06:50 2026-03-01 08:08:25"},
		{dated, "from,to,processors,every\n2026-03-01T07:01:40Z,2026-03-01T07:01:50Z,4,100s\n",
			"2026-03-01 08:00:00 2026-03-01 08:01:50 2026-03-01 08:06:50 2026-03-01 08:08:25"},
		{dated, "from,to,processors,every,until\n2026-03-01T08:01:40,2026-03-01T08:01:50,4,100s,2026-03-01 08:05\n",
			"2026-03-01 08:00:00 2026-03-01 08:01:50 2026-03-01 08:03:30 2026-03-01 08:07:10"},
	} {
		if got := strings.Join(startsUnder(t, "conservative", "-zone", "Europe/Berlin", "-machines", "1", "-trace", trace(t, c.log), "-window", trace(t, c.file)), " "); got != c.want {
			t.Errorf("%q: conservative starts jobs at %s, want %s", c.file, got, c.want)
		}
	}
}

// What is wrong with a window is said with its file, line and column before anything runs.
func TestWindowErrors(t *testing.T) {
	log := trace(t, maintained)
	for text, want := range map[string]string{
		"":                                              "line 1, column 1: file is empty",
		"from,to\n":                                     "line 1, column 1: header has no column processors",
		"from,to,processors,users\n":                    `line 1, column 20: column "users" is`,
		"from,to,processors,to\n":                       `line 1, column 20: column "to" is there twice`,
		"from,to,processors\n1,2\n":                     "line 2, column 1: wrong number of fields",
		"from,to,processors\n1,2,4\n\"1,2,4\n":          "line 3, column",
		"from,to,processors\nx,2,3\n":                   `line 2, column 1: from "x" is no time`,
		"from,to,processors\n-,2,3\n":                   `line 2, column 1: from "-" is no time`,
		"from,to,processors\n1,,3\n":                    `line 2, column 3: to "" is empty`,
		"from,to,processors\n1,NaN,3\n":                 `line 2, column 3: to "NaN" is no time`,
		"from,to,processors\n1,2,4\n3,3,3\n":            `line 3, column 3: to "3" is not after from`,
		"from,to,processors\n1,2,0\n":                   `line 2, column 5: processors "0" is no whole number above 0`,
		"from,to,processors\n1,2,1.5\n":                 `processors "1.5" is no`,
		"from,to,processors,every\n1,3,1,1\n":           `line 2, column 7: every "1" is shorter than the window`,
		"from,to,processors,every\n1,3,1,-1\n":          `every "-1" is no time: want seconds, or such as 7d or 12h`,
		"from,to,processors,every\n1,3,1,1x\n":          `every "1x" is no time`,
		"from,to,processors,every\n0,.01,1,.01\n":       `line 2, column 9: every ".01" has it recur 14000 times until 140 s, want at most 10000`,
		"from,to,processors,until\n1,3,1,x\n":           `until "x" is no time`,
		"from,to,processors,every,until\n1,3,1,,9\n":    `line 2, column 8: until "9" is there without every`,
		"from,to,processors,user\n1,2,3,anna\n":         `line 2, column 7: user "anna" is no user of a job that is replayed`,
		"from,to,processors\n2026-03-01,2026-03-02,4\n": "no window is within the time of the log, from 0 s to 140 s",
		"from,to,processors\n":                          "no window is within the time of the log",
	} {
		file := trace(t, text)
		if out, errs, code := run(t, "-trace", log, "-window", file); code != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, file+": ") || !strings.Contains(errs, want) {
			t.Errorf("%q: whatif = %d, %q, %q, want 2 and %q", text, code, out, errs, want)
		}
	}
	file := trace(t, "from,to,processors\n45,200,4\n")
	tasks := trace(t, "user,submit,tasks,run\na,0,4,60\na,9,4,60\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-trace", log, "-policies", "easy,fcfs"}, `-policies names "fcfs", which knows no windows: with -window want some of easy,conservative,fair-share,easy-sjbf,easy++,easy-true`},
		{[]string{"-trace", log, "-policies", "hfsp"}, `-policies names "hfsp", which knows no windows`},
		{[]string{"-trace", log, "-policies", "easyy"}, `-policies names "easyy", which`},
		{[]string{"-trace", log, "-seeds", "2"}, "neither with -load nor with -seeds"}, {[]string{"-trace", log, "-load", ".7"}, "neither with -load nor with -seeds"},
		{[]string{"-trace", log, "-model", "fluid"}, "-window is for jobs that hold machines"}, {nil, "-window is for jobs that hold machines"}, {[]string{"-trace", tasks}, "-window is for jobs that hold machines"},
		{[]string{"-trace", trace(t, strings.NewReplacer(" 40 -1", " -1 -1", " 10 -1", " -1 -1").Replace(maintained))}, "whose users said how long they run"},
		{[]string{"-trace", log, "-html", file}, "is the file " + file + ", which is read"}, {[]string{"-trace", log, "-part", "1/2", "-out", file}, "is the file " + file + ", which is read"},
	} {
		if out, errs, code := run(t, append(c.args, "-window", file)...); code != 2 || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("whatif %q = %d, %q, %q, want 2 and %q", c.args, code, out, errs, c.want)
		}
	}
	if _, errs, code := run(t, "-trace", log, "-window", filepath.Join(t.TempDir(), "none")); code != 2 || !strings.Contains(errs, "none") {
		t.Errorf("a file of windows that is not there: %d, %q", code, errs)
	}
	if _, err := whatif.Start([]string{"-trace", log, "-window", file}, io.Discard); err == nil || !strings.Contains(err.Error(), "not defined: -window") {
		t.Errorf("in a browser, which has no such file: %v", err)
	}
}

// A part that was made with other windows is no part of the run.
func TestJoinedWindows(t *testing.T) {
	log, file := trace(t, maintained), trace(t, "from,to,processors\n45,200,4\n")
	part := filepath.Join(t.TempDir(), "part.json")
	if _, errs, code := run(t, "-trace", log, "-window", file, "-part", "1/1", "-out", part); code != 0 {
		t.Fatal(errs)
	}
	if err := os.WriteFile(file, []byte("from,to,processors\n45,201,4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := run(t, "-join", part); code != 2 || !strings.Contains(errs, "other jobs or settings") {
		t.Errorf("joined with another window = %d, %q", code, errs)
	}
}

// What reached into windows on a log of many jobs, by the definition: for each window the sum of what
// others that began before still hold.
func TestAtRiskOfLog(t *testing.T) {
	text, _, _, _ := wideLog("; MaxProcs: 256\n", 256)
	var lines []string
	for k, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if fields := strings.Fields(line); k > 0 {
			fields[8] = []string{"10", "200", "60"}[k%3] // requests, many too short
			line = strings.Join(fields, " ")
		}
		lines = append(lines, line)
	}
	log, file := trace(t, strings.Join(lines, "\n")), trace(t, "from,to,processors,every,user\n2000,2050,200,1700,2\n1500,1530,256,1400,\n")
	dir := t.TempDir()
	if _, errs, code := run(t, "-trace", log, "-window", file, "-policies", "easy,conservative", "-out", dir); code != 0 {
		t.Fatal(errs)
	}
	files := tree(t, dir)
	rows := strings.Split(strings.TrimSpace(files["whatif-jobs.tsv"]), "\n")
	head := strings.Split(rows[0], "\t")
	table := strings.Split(strings.TrimSpace(files["whatif-policies.tsv"]), "\n")
	for p, policy := range []string{"easy", "conservative"} {
		start, end := slices.Index(head, policy+"_start"), slices.Index(head, policy+"_end")
		last := 0.
		for _, line := range lines[1:] {
			last = math.Max(last, float(t, strings.Fields(line)[1])+float(t, strings.Fields(line)[3]))
		}
		want := 0
		for _, w := range []struct {
			from, every float64
			need        int
			user        string
		}{{2000, 1700, 200, "2"}, {1500, 1400, 256, "-"}} {
			for at := w.from; at < last; at += w.every {
				left := 256
				for k, row := range rows[1:] {
					if x, job := strings.Split(row, "\t"), strings.Fields(lines[k+1]); float(t, x[start]) < at && at < float(t, x[end]) && x[1] != w.user {
						left -= int(float(t, job[4]))
					}
				}
				if left < w.need {
					want++
				}
			}
		}
		column := slices.Index(strings.Split(table[0], "\t"), "at_risk")
		if got := float(t, strings.Split(table[p+1], "\t")[column]); got != float64(want) || want < 4 {
			t.Errorf("%s: %v windows at risk, want %d", policy, got, want)
		}
	}
}
