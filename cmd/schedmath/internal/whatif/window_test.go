package whatif_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/whatif"
	"github.com/schedmath/schedmath/internal/program"
)

// column is a column of a table in a file.
func column(t *testing.T, rows [][]string, name string) (list []string) {
	t.Helper()
	k := slices.Index(rows[0], name)
	if k < 0 {
		t.Fatalf("the columns are %q, want %s", rows[0], name)
	}
	for _, row := range rows[1:] {
		list = append(list, row[k])
	}
	return list
}

// Use counts up to the end of the window, and as it was by the jobs that run still too; what waits still
// is in the queue. On 5 processors, the most that ran at once, a job holds 4 for half an hour, the second, which comes within
// the window, holds 2 for ten hours from the half hour on, the third runs still, the fourth waits, and the
// last, of 1, ran after the window.
func TestWindow(t *testing.T) {
	const sacct = "JobID|User|Submit|Start|End|State|ReqCPUS|AllocCPUS\n" +
		"1|anna|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T08:30:00|COMPLETED|4|4\n" +
		"2|ben|2026-03-01T08:10:00|2026-03-01T08:30:00|2026-03-01T18:30:00|COMPLETED|2|2\n" +
		"3|ben|2026-03-01T08:20:00|2026-03-01T08:45:00|Unknown|RUNNING|2|2\n" +
		"4|anna|2026-03-01T08:30:00|Unknown|Unknown|PENDING|4|0\n" +
		"5|anna|2026-03-01T08:50:00|2026-03-01T09:10:00|2026-03-01T09:20:00|COMPLETED|1|1\n"
	name := trace(t, sacct)
	window := []string{"-trace", name, "-from", "2026-03-01T08:00", "-to", "2026-03-01T09:00"}
	header, rows := cells(t, window...)
	for policy, want := range map[string]float64{"fcfs": (4*.5 + 2*.5 + 1/6.) / 5, "as-it-was": (4*.5 + 2*.5 + 2*.25) / 5} {
		if got := cell(t, header, rows[policy], "use"); math.Abs(got-want) > 1e-12 || rows[policy][0] != "3" {
			t.Errorf("%s: the use of %s jobs is %v, want %v of 3", policy, rows[policy][0], got, want)
		}
	}
	_, files, _ := compared(t, window...)
	queue := tsv(files["whatif-queue.tsv"])
	was, fcfs := column(t, queue, "as-it-was"), column(t, queue, "fcfs")
	if n := len(was); was[n-1] != "5" || fcfs[n-1] != "0" {
		t.Errorf("at the end of the window %s processors are waited for as it was and %s under fcfs, want 5 and 0", was[n-1], fcfs[n-1])
	}
	if ends := column(t, tsv(files["whatif-load.tsv"]), "time"); float(t, ends[len(ends)-1]) > 1772355600 {
		t.Errorf("jobs present are shown up to %s, beyond 09:00", ends[len(ends)-1])
	}
}

// -warm plays the jobs before the time that counts, and counts none of them: the first job holds all
// processors for 50 s of that time.
func TestWarm(t *testing.T) {
	name := trace(t, "; MaxProcs: 10\n"+swfJob(1, 0, 100, 10, 1)+swfJob(7, 50, 10, 10, 2)+swfJob(8, 60, 10, 5, 1))
	for warm, waits := range map[string]float64{"": 0, "50s": 50} {
		args := []string{"-trace", name, "-from", "50", "-policies", "fcfs,easy"}
		if warm != "" {
			args = append(args, "-warm", warm)
		}
		header, rows := cells(t, args...)
		if got, processors := cell(t, header, rows["fcfs"], "mean_wait"), cell(t, header, rows["fcfs"], "processors"); got != waits || rows["fcfs"][0] != "2" || processors != 10 {
			t.Errorf("-warm %q: %s jobs wait for %v s on %v processors, want 2, %v and 10", warm, rows["fcfs"][0], got, processors, waits)
		}
		page, files, _ := compared(t, args...)
		if !strings.Contains(page, "; 2 of 3 jobs of the file") {
			t.Errorf("-warm %q: the page begins with %q", warm, documentOf(t, page).Summary)
		}
		if jobs := column(t, tsv(files["whatif-jobs.tsv"]), "job"); !slices.Equal(jobs, []string{"7", "8"}) {
			t.Errorf("-warm %q: the jobs are %q, want 7 and 8", warm, jobs)
		}
	}
	// A fluid server as fast as 3 machines of 4 slots is offered the 150 slot-seconds of those that count in 10 s.
	header, rows := cells(t, "-trace", name, "-from", "50", "-policies", "ps", "-warm", "1d", "-model", "fluid")
	if got := cell(t, header, rows["ps"], "server_load"); got != 1.25 {
		t.Errorf("-model fluid -warm: the load is %v, want 1.25", got)
	}
	// In the time that counts the first misses what it is entitled to beside the second: 5 from 100 s on.
	header, rows = cells(t, "-trace", name, "-from", "50", "-policies", "fcfs", "-warm", "1d")
	if got, want := cell(t, header, rows["fcfs"], "use"), (50*10+10*10+10*5)/10./70; math.Abs(got-want) > 1e-12 {
		t.Errorf("the use is %v, want %v", got, want)
	}
	for _, args := range []string{"-warm 1d", "-warm 1d -from 50 -load .5", "-warm 1d -from 50 -seeds 2", "-warm -1h -from 50", "-warm 1w -from 50", "-warm 1e9d -from 50", "-warm NaNd -from 50"} {
		if _, errs, code := run(t, append(strings.Fields(args), "-trace", name)...); code != 2 || !strings.Contains(errs, "-warm") {
			t.Errorf("whatif %s = %d, %q", args, code, errs)
		}
	}
}

// busyLog is a log of jobs of 1 to 16 processors that wait for each other.
func busyLog(jobs int) (text string, widths []int) {
	text = "; MaxProcs: 16\n"
	for i := range jobs {
		widths = append(widths, 1+i*7%16)
		text += fmt.Sprintf("%d %d %d %d %d -1 -1 %d %d -1 1 %d 1 -1 1 -1 -1 -1\n", 1000+i, 30*i, i%90, 30+i*i%170, widths[i], widths[i], 200+i%7*50, 1+i%3)
	}
	return text, widths
}

// The steps around the longest queue are what the starts and ends of the jobs say.
func TestSteps(t *testing.T) {
	text, widths := busyLog(300)
	_, files, _ := compared(t, "-trace", trace(t, text), "-policies", "fcfs,conservative,as-it-was")
	jobs, steps := tsv(files["whatif-jobs.tsv"]), tsv(files["whatif-steps.tsv"])
	submits := column(t, jobs, "submit")
	for _, policy := range []string{"fcfs", "conservative", "as-it-was"} {
		starts, ends := column(t, jobs, policy+"_start"), column(t, jobs, policy+"_end")
		shown, last := 0, math.Inf(-1)
		for _, row := range steps[1:] {
			if row[0] != policy {
				continue
			}
			at := float(t, row[1])
			use, queue := 0., 0.
			for i, width := range widths {
				came, start, end := float(t, submits[i]), float(t, starts[i]), float(t, ends[i])
				if start <= at && at < end {
					use += float64(width)
				}
				if came <= at && at < start {
					queue += float64(width)
				}
			}
			if shown++; float(t, row[2]) != use || float(t, row[3]) != queue || at <= last {
				t.Fatalf("%s at %v s, behind %v s: %s in use and %s waited for, want %v and %v", policy, at, last, row[2], row[3], use, queue)
			}
			last = at
		}
		if shown < 50 {
			t.Errorf("%s has %d steps", policy, shown)
		}
	}
}

// Each forecast is a line, and those whose start lies within its interval are as many as the table says.
func TestForecastFile(t *testing.T) {
	text, _ := busyLog(120)
	name, file := trace(t, text), filepath.Join(t.TempDir(), "told.tsv")
	out, errs, code := run(t, "-trace", name, "-policies", "easy", "-forecasts", file)
	b, err := os.ReadFile(file)
	if code != 0 || err != nil {
		t.Fatalf("whatif = %d, %q, %v", code, errs, err)
	}
	rows := tsv(string(b))
	within := 0
	for _, row := range rows[1:] {
		if float(t, row[0]) < 1000 || row[6] != "0.9" || float(t, row[1]) > float(t, row[5]) || float(t, row[2]) > float(t, row[3]) || float(t, row[3]) > float(t, row[4]) {
			t.Errorf("the line %q, want a job from 1000 on, times in their order, and the level", row)
		}
		if low, high, start := float(t, row[2]), float(t, row[4]), float(t, row[5]); low <= start && start <= high {
			within++
		}
	}
	if want := fmt.Sprintf("of %d jobs that waited under easy: %.0f%% of the starts came within 90%% intervals that were calibrated", len(rows)-1, 100*float64(within)/float64(len(rows)-1)); !strings.Contains(out, want) || len(rows) < 60 || strings.Join(rows[0], " ") != "job given low median high start level" {
		t.Errorf("the file has %d forecasts and %q, want the line %q in\n%s", len(rows)-1, rows[0], want, out)
	}
	// Where nobody waits there is nothing to tell, and all else is written.
	calm, _ := busyLog(1)
	none, page := filepath.Join(t.TempDir(), "none.tsv"), filepath.Join(t.TempDir(), "page.html")
	_, errs, code = run(t, "-trace", trace(t, calm), "-policies", "easy", "-forecasts", none, "-html", page)
	_, noFile := os.Stat(none)
	_, noPage := os.Stat(page)
	if code != 0 || !os.IsNotExist(noFile) || noPage != nil || !strings.Contains(errs, "none.tsv is not written: no job waits under easy") {
		t.Errorf("whatif of one job = %d, %q, %v, %v", code, errs, noFile, noPage)
	}
	// What can tell nothing is refused before the run.
	dir := t.TempDir()
	for _, args := range [][]string{{"-policies", "fcfs"}, {"-seeds", "2"}, {"-model", "fluid"}} {
		_, errs, code := run(t, append([]string{"-trace", name, "-forecasts", file, "-out", dir}, args...)...)
		if there, err := os.ReadDir(dir); code != 2 || err != nil || len(there) > 0 {
			t.Errorf("whatif %q = %d, %q, and %d files are written, want none", args, code, errs, len(there))
		}
	}
	for _, args := range [][]string{{"-part", "1/2", "-out", file + "x"}, {"-forecasts", name}} {
		if _, errs, code := run(t, append([]string{"-trace", name, "-forecasts", file}, args...)...); code != 2 {
			t.Errorf("whatif %q = %d, %q", args, code, errs)
		}
	}
}

// A reader of a log whose jobs hold machines reads of jobs and of what they hold, and of nothing that
// the model has for other jobs.
func TestWordsOfLogs(t *testing.T) {
	text, _ := busyLog(40)
	foreign := regexp.MustCompile(`(?i)\b(map|reduce|slot|task|fifo|fair\b[^-])s?\b`)
	for unit, args := range map[string][]string{"processor": {"-trace", trace(t, text)}, "GPU": {"-trace", samples + "sacct.txt", "-resource", "gpu"}} {
		out, _, _ := run(t, args...)
		page, files, _ := compared(t, args...)
		d := documentOf(t, page)
		words := append(append(d.Summary, d.Notes...), out, d.Title)
		for _, p := range d.Pictures {
			words = append(words, p.Title, p.Caption, p.X.Label, p.Y.Label, strings.Join(p.Table.Columns, " "))
		}
		for name, text := range files {
			header, _, _ := strings.Cut(text, "\n")
			words = append(words, name, header)
		}
		for _, s := range words {
			if found := foreign.FindString(s); found != "" {
				t.Errorf("%q in %q", found, s)
			}
		}
		if !strings.Contains(strings.Join(words, "\n"), unit+"s in use") {
			t.Errorf("nothing speaks of %ss", unit)
		}
		if names := column(t, tsv(files["whatif-policies.tsv"]), "policy"); names[0] != "fcfs" || names[1] != "easy" || unit == "processor" && (names[2] != "conservative" || names[3] != "fair-share") {
			t.Errorf("the rows are %q, want first what a site can turn on", names)
		}
	}
}

// The first lines say that queues which may be of different nodes are played as one machine.
func TestQueuesArePooled(t *testing.T) {
	const said = "The 2 queues or partitions of the log are played as one machine"
	text := "JobID|User|Partition|Submit|Start|End|State|AllocCPUS\n" +
		"1|ann|batch|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T09:00:00|COMPLETED|2\n" +
		"2|ben|gpu|2026-03-01T08:10:00|2026-03-01T08:20:00|2026-03-01T09:30:00|COMPLETED|2\n"
	for log, want := range map[string]bool{text: true, strings.Replace(text, "gpu", "batch", 1): false} {
		out, _, code := run(t, "-trace", trace(t, log))
		if code != 0 || strings.Contains(out, said) != want {
			t.Errorf("%d, %s, want %q: %t", code, out, said, want)
		}
	}
}

// Where no job comes in the time that is asked for, it is said when they come.
func TestNoJobWithin(t *testing.T) {
	for header, want := range map[string]string{"": "they arrive from 100 s to 5000 s", "; UnixStartTime: 1546300800\n": "they arrive from 2019-01-01 00:01:40 to 2019-01-01 01:23:20"} {
		name := trace(t, header+"; MaxProcs: 10\n"+swfJob(1, 100, 100, 10, 1)+swfJob(2, 5000, 10, 10, 2))
		if _, errs, code := run(t, "-trace", name, "-from", "2019-03-01"); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%q: %d, %q, want %q", header, code, errs, want)
		}
	}
	for _, args := range []string{"-from 200 -to 100", "-from 200 -to 200", "-from 200 -to 100 -warm 1h"} {
		name := trace(t, swfJob(1, 100, 100, 10, 1)+swfJob(2, 150, 10, 10, 2))
		if _, errs, code := run(t, append(strings.Fields(args), "-trace", name)...); code != 2 || !strings.Contains(errs, "-to is not after -from") {
			t.Errorf("whatif %s: %d, %q", args, code, errs)
		}
	}
}

// A load that there is no time for is told before the run, with what gives the jobs more machines where
// the file does not say how many there were.
func TestOverloadIsToldFirst(t *testing.T) {
	for header, want := range map[string]bool{"user,submit,tasks,run,rigid,start\n": false, "user,submit,tasks,run,rigid,id\n": true} {
		var text strings.Builder
		text.WriteString(header)
		for i := range 2000 {
			fmt.Fprintf(&text, "a,%d,4,90,1,%d\n", i, i)
		}
		var errs bytes.Buffer
		o := whatif.Options{Options: program.Options{Trace: trace(t, text.String()), Seed: 1}, Load: 1, Policies: "easy", Seeds: 1}
		c, err := whatif.Compare(&countdown{context.Background(), 2, make(chan struct{})}, o, &errs) // ends as the run begins
		if c != nil || err == nil || !strings.Contains(errs.String(), "That is more than there is time for") || strings.Contains(errs.String(), "-machines N plays it on N machines of 4") != want {
			t.Errorf("%q: %v, %q", header, err, errs.String())
		}
	}
}

// In use over time is the work that jobs of tasks did: as it was too, and from -from on where -warm plays
// what came before.
func TestUseOfTasks(t *testing.T) {
	name := trace(t, "user,submit,tasks,run,start\nann,0,2,100,0\nben,50,1,60,50\n")
	for from, want := range map[string]float64{"0": 2*100 + 60, "40": 2*60 + 60} {
		_, files, _ := compared(t, "-trace", name, "-machines", "1", "-from", from, "-warm", "1d", "-policies", "fifo,as-it-was")
		use := tsv(files["whatif-use.tsv"])
		times := column(t, use, "time")
		width := float(t, times[1]) - float(t, times[0])
		for _, policy := range []string{"fifo", "as-it-was"} {
			did := 0.
			for _, cell := range column(t, use, policy) {
				did += float(t, cell) * width
			}
			if math.Abs(did-want) > 1e-3*want || times[0] != from { // cells have four digits
				t.Errorf("-from %s: %s did %v from %s s on, want %v", from, policy, did, times[0], want)
			}
		}
	}
}
