package whatif_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// samples are those of the readers of package workload.
const samples = "../../../../joblog/testdata/"

// A log in which jobs ran as under fifo has the row of fifo as it was, and its audit.
func TestAsItWasUnderFIFOInALog(t *testing.T) {
	src := rand.New(rand.NewPCG(5, 8))
	text, now := "; MaxProcs: 16\n", 0
	type job struct{ submit, run, width, user int }
	var jobs []job
	for i := range 60 {
		now += src.IntN(40)
		jobs = append(jobs, job{now, 1 + src.IntN(100), 1 + src.IntN(16), 1 + src.IntN(3)})
		text += swfJob(i+1, float64(now), float64(jobs[i].run), jobs[i].width, jobs[i].user)
	}
	dir := t.TempDir()
	if _, errs, code := run(t, "-trace", trace(t, text), "-policies", "fifo", "-out", dir); code != 0 {
		t.Fatal(errs)
	}
	took, err := os.ReadFile(filepath.Join(dir, "whatif-jobs.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(took)), "\n")[1:]
	text = "; MaxProcs: 16\n"
	for i, j := range jobs {
		text += fmt.Sprintf("%d %d %v %d %d -1 -1 %d -1 -1 1 %d 1 -1 1 -1 -1 -1\n", i+1, j.submit, float(t, strings.Split(lines[i], "\t")[5]), j.run, j.width, j.width, j.user)
	}
	header, rows := cells(t, "-trace", trace(t, text), "-policies", "fifo,fair-users,as-it-was")
	if !slices.Contains(header, "owed") || !slices.Contains(header, "worst_window") {
		t.Fatalf("columns %q", header)
	}
	for i, column := range header[1:] {
		a, b := float(t, rows["fcfs"][i]), float(t, rows["as-it-was"][i])
		if math.Abs(a-b) > 1e-9*math.Abs(a) {
			t.Errorf("%s: fifo %v, as it was %v", column, a, b)
		}
	}
	if owed := cell(t, header, rows["fcfs"], "owed"); !(owed > 0) {
		t.Errorf("fifo owes %v", owed)
	}
}

// Two users who are worked out by hand: 4 slots, a runs 3600 s on all while b waits for 2 of them,
// so b misses 2 slot-hours in that hour; then b has them.
func TestOwedByHand(t *testing.T) {
	text := "user,submit,tasks,run,start,rigid\na,0,4,3600,1800,1\nb,0,2,1800,0,1\n"
	header, rows := cells(t, "-trace", trace(t, text), "-policies", "fifo,as-it-was", "-machines", "1")
	for policy, want := range map[string][2]float64{"fcfs": {2, 2}, "as-it-was": {1, 1}} {
		if got := [2]float64{cell(t, header, rows[policy], "owed"), cell(t, header, rows[policy], "worst_window")}; math.Abs(got[0]-want[0]) > 1e-12 || math.Abs(got[1]-want[1]) > 1e-12 {
			t.Errorf("%s: owed and worst window %v, want %v", policy, got, want)
		}
	}
}

// What one command says of a team: 4 slots, on which b runs two jobs of 2 slots and half an hour, one
// after the other as it was, while a waits: it misses 2 slots for an hour. Under fifo they run side
// by side, and a misses 2 slots for half an hour. Under srpt on 8 slots nobody waits.
func TestOwedLess(t *testing.T) {
	text := "user,team,submit,tasks,run,start,rigid\nx,b,0,2,1800,0,1\ny,b,0,2,1800,1800,1\nz,a,0,4,3600,3600,1\n"
	for flags, want := range map[string]string{
		"-machines 1 -policies fifo,as-it-was": "\nAs it was, a was owed most on balance, 2 processor-hours; it would have been owed 50% less under fcfs.\n",
		"-machines 1 -policies fifo":           "\nUnder fcfs, a was owed most on balance, 1 processor-hours.\n",
		"-machines 2 -policies fifo,srpt":      "",
	} {
		name := trace(t, text)
		out, errs, code := run(t, append(strings.Fields(flags), "-trace", name, "-by", "team")...)
		if code != 0 || !strings.HasSuffix(out, want) || want == "" && strings.Contains(out, "owed most") {
			t.Errorf("whatif %s = %d, %q, %q, want %q", flags, code, out, errs, want)
		}
		if page, _, _ := compared(t, append(strings.Fields(flags), "-trace", name, "-by", "team")...); want != "" && !slices.Contains(documentOf(t, page).Summary, strings.TrimSpace(want)) {
			t.Errorf("the page of %s lacks %q", flags, want)
		}
	}
}

// What really happened is no policy that could be the best, and stands beside it: as it was a waited
// for 1800 s and b for none, under fcfs b waits for 3600 s.
func TestAsItWasIsNoPolicy(t *testing.T) {
	name := trace(t, "user,submit,tasks,run,start,rigid\na,0,4,3600,1800,1\nb,0,2,1800,0,1\n")
	page, _, _ := compared(t, "-trace", name, "-policies", "fifo,as-it-was", "-machines", "1")
	if want := "No policy has a lower mean wait than easy: 1800 s, and 3600 s of the tenth of the jobs that waits longest; 900 and 1800 s as it was."; !strings.Contains(page, want) {
		t.Errorf("the page lacks %q: %.3000s", want, page)
	}
	if page, _, _ = compared(t, "-trace", name, "-policies", "as-it-was", "-machines", "1"); !strings.Contains(page, "as-it-was has the least mean wait, 900 s") {
		t.Errorf("the page of what happened alone: %.3000s", page)
	}
}

// Every reader of live logs is one of whatif, with the time and the teams that are asked for.
func TestLiveLogs(t *testing.T) {
	want := ""
	for _, name := range []string{"sacct.txt", "workloads.json", "log.swf"} {
		out, errs, code := run(t, "-trace", samples+name, "-policies", "fifo,as-it-was", "-by", "team", "-format", "tsv")
		if want == "" {
			want = out
		}
		if code != 0 || !strings.Contains(out, "as-it-was\t3\t") || name != "log.swf" && out != want {
			t.Errorf("%s = %d, %q, %q, want\n%q", name, code, errs, out, want)
		}
	}
	if out, _, _ := run(t, "-trace", samples+"sacct.txt", "-from", "2026-03-01T08:05", "-to", "2026-03-01T08:20"); !strings.Contains(out, ": 1 job, ") {
		t.Errorf("a quarter of an hour: %q", out)
	}
	if out, _, _ := run(t, "-trace", samples+"sacct.txt", "-zone", "Asia/Tokyo", "-from", "2026-03-01T08:30:00"); !strings.Contains(out, ": 1 job, ") {
		t.Errorf("in Tokyo: %q", out)
	}
	if out, _, _ := run(t, "-trace", samples+"sacct.txt", "-resource", "gpu"); !strings.Contains(out, ": 2 jobs, ") {
		t.Errorf("jobs with GPUs: %q", out)
	}
	for _, args := range [][]string{{"-from", "2027-01-01"}, {"-from", "soon"}, {"-to", "x"}, {"-zone", "Nowhere"}, {"-by", "cat"}, {"-policies", "as-it-was", "-load", ".5"}, {"-policies", "as-it-was", "-seeds", "2"}} {
		if _, errs, code := run(t, append([]string{"-trace", samples + "sacct.txt"}, args...)...); code != 2 || strings.Count(errs, "\n") != 1 {
			t.Errorf("whatif %q = %d, %q", args, code, errs)
		}
	}
	dir := t.TempDir()
	if _, errs, code := run(t, "-trace", samples+"sacct.txt", "-by", "team", "-out", dir); code != 0 {
		t.Error(errs)
	}
	owed, err := os.ReadFile(filepath.Join(dir, "whatif-owed.tsv"))
	if err != nil || !strings.Contains(string(owed), "\nchemistry\t2\t") || !strings.HasPrefix(string(owed), "user\tjobs\tfcfs\t") {
		t.Errorf("whatif-owed.tsv: %q, %v", owed, err)
	}
}

// Tasks by hand: a has 8 hours of work and b 4, each of hours, on 4 slots. Under fifo b misses its 2
// slots for the two hours of a, under fair nobody misses any, under srpt a misses 2 while b runs.
func TestOwedOfTasksByHand(t *testing.T) {
	header, rows := cells(t, "-trace", trace(t, "user,submit,tasks,run\na,0,8,3600\nb,0,4,3600\n"), "-policies", "fifo,fair-users,srpt", "-machines", "1")
	for policy, want := range map[string]float64{"fifo": 4, "fair-users": 0, "srpt": 2} {
		if owed, worst := cell(t, header, rows[policy], "owed"), cell(t, header, rows[policy], "worst_window"); math.Abs(owed-want) > 1e-12 || math.Abs(worst-want) > 1e-12 {
			t.Errorf("%s: owed %v, worst window %v, want %v", policy, owed, worst, want)
		}
	}
}

// A seed that happens to draw the jobs of one user alone is a seed like the others.
func TestSeedOfOneUser(t *testing.T) {
	text := "user,submit,tasks,run\nrare,0,200,60\n"
	for i := range 9 {
		text += fmt.Sprintf("usual,%d,200,60\n", 5*i)
	}
	header, rows := cells(t, "-trace", trace(t, text), "-policies", "fifo,fair", "-seeds", "20")
	for policy, row := range rows {
		if owed := cell(t, header, row, "owed"); !(owed >= 0) {
			t.Errorf("%s owes %v over 20 seeds, want a number", policy, owed)
		}
	}
}
