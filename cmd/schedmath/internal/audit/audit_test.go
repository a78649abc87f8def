package audit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/audit"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/page/pagetest"
	"github.com/schedmath/schedmath/internal/oracle/golden"
)

// logs are the samples of the readers.
const logs = "../../../../joblog/testdata/"

func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = audit.Main(args, &out, &errs)
	return out.String(), errs.String(), code
}

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type waiter struct {
	Job              string
	Amount, From, To float64
	How              string
}

type answer struct {
	By           string
	Capacity     float64
	From, To     float64
	Idle         float64
	IdleTooSmall float64
	Teams        []struct {
		Name, Parent                     string
		Entitled, Had, Owed, Beyond, Net float64
		Worst, WorstFrom, WorstTo        float64
		Jobs, NeverRan                   int
		MeanWaitHours, P95WaitHours      *float64
		Idle, IdleTooSmall, OwedNeverRan float64
		Behind                           *waiter
	}
	NoWait  int
	LeftOut []struct {
		Text         string
		Lines, First int
	}
	Pairs []struct {
		Owed, Had string
		Amount    float64
	}
	Summary []string
}

func audited(t *testing.T, args ...string) answer {
	t.Helper()
	out, errs, code := run(t, append([]string{"-json"}, args...)...)
	var a answer
	if err := json.Unmarshal([]byte(out), &a); err != nil || code != 0 {
		t.Fatalf("audit %q = %d, %v, %q", args, code, err, errs)
	}
	return a
}

// The samples of sacct, Kueue, SWF and a table tell of the same jobs.
func TestOneHistoryInFourFormats(t *testing.T) {
	want := audited(t, logs+"sacct.txt")
	if want.By != "team" || want.Capacity != 16 || len(want.Teams) != 2 || want.Teams[0].Name != "chemistry" || want.Teams[0].Owed != 37./6 || want.Teams[1].NeverRan != 1 {
		t.Errorf("audit of sacct.txt = %+v", want)
	}
	for _, name := range []string{"workloads.json", "log.csv", "log.swf"} {
		got := audited(t, "-capacity", "16", logs+name) // what ran at once in all, the header of the log in SWF says 24
		for i := range got.Teams {
			got.Teams[i].Name = strings.NewReplacer("1", "physics", "2", "chemistry").Replace(got.Teams[i].Name)
			if name == "log.swf" { // whose times begin at 0
				got.Teams[i].WorstFrom += want.From
				got.Teams[i].WorstTo += want.From
			}
		}
		for i := range got.Pairs {
			got.Pairs[i].Owed = strings.NewReplacer("1", "physics", "2", "chemistry").Replace(got.Pairs[i].Owed)
		}
		if d := cmp.Diff(want, got, cmpopts.IgnoreFields(answer{}, "From", "To", "Summary"), cmpopts.IgnoreFields(waiter{}, "Job", "From", "To")); d != "" || got.To-got.From != want.To-want.From {
			t.Errorf("%s -sacct +it\n%s", name, d)
		}
	}
}

// KAI's question: a queue with 4 of its 16 GPUs, and a batch queue 18 above its own.
func TestPairsSayWhoHadIt(t *testing.T) {
	log := file(t, "user,team,submit,start,end,tasks,run\na,team-a,0,0,3600,4,3600\na,team-a,0,,,12,3600\nb,batch,0,0,3600,26,3600\nc,web,0,0,3600,2,3600\n")
	shares := file(t, `[{"name": "team-a", "floor": 16}, {"name": "batch", "floor": 8}, {"name": "web", "floor": 8}]`)
	a := audited(t, "-shares", shares, "-capacity", "32", "-to", "3600", log)
	if !strings.Contains(a.Summary[len(a.Summary)-1], "team-a missed 12 cpu-hours from 0 s to 3600 s") {
		t.Errorf("summary %q", a.Summary)
	}
	if len(a.Pairs) != 1 || a.Pairs[0].Owed != "team-a" || a.Pairs[0].Had != "batch" || a.Pairs[0].Amount != 12 || a.Teams[0].Had != 4 || a.Teams[0].Entitled != 16 {
		t.Errorf("%+v", a)
	}
	tree := file(t, "\ufeff"+`[{"name": "org"}, {"name": "team-a", "parent": "org", "weight": 3}, {"name": "batch", "parent": "org"}]`)
	if a = audited(t, "-shares", tree, "-capacity", "32", "-to", "3600", log); len(a.Teams) != 4 || a.Teams[0].Parent != "org" || a.Teams[0].Name != "team-a" {
		t.Errorf("tree: %+v", a)
	}
}

func TestPartOfALog(t *testing.T) {
	whole := audited(t, logs+"sacct.txt")
	part := audited(t, "-from", "2026-03-01T08:30", "-to", "2026-03-01T09:00:00Z", logs+"sacct.txt")
	if part.From != whole.From+1800 || part.To != whole.From+3600 || part.Teams[0].Net != 3.5 || part.Teams[0].Jobs != 2 {
		t.Errorf("half an hour of %+v\nis %+v", whole, part)
	}
	local := audited(t, "-zone", "Asia/Tokyo", "-from", "2026-03-01T08:30", "-to", "2026-03-01T09:00", logs+"sacct.txt")
	if d := cmp.Diff(part.Teams, local.Teams, cmpopts.IgnoreFields(part.Teams[0], "WorstFrom", "WorstTo"), cmpopts.IgnoreFields(waiter{}, "From", "To")); d != "" || local.From != part.From-9*3600 {
		t.Errorf("in Tokyo: %s", d)
	}
	if gpus := audited(t, "-resource", "gpu", "-by", "user", logs+"sacct.txt"); gpus.Capacity != 4 || len(gpus.Teams) != 3 {
		t.Errorf("GPUs by user: %+v", gpus)
	}
	if hour := audited(t, "-window", "10m", logs+"sacct.txt"); !(hour.Teams[0].Worst > 0 && hour.Teams[0].Worst <= 16./6) {
		t.Errorf("worst 10 minutes: %v", hour.Teams[0].Worst)
	}
	open, errs, code := run(t, "-json", logs+"jobs-pods.json")
	if code != 0 || !strings.Contains(open, "3 jobs wait or run still") {
		t.Errorf("a log of spans that are open = %d, %q %q", code, open, errs)
	}
}

// What there is of the resource is what -capacity says, else the header of a log in SWF, else what
// ran at once.
func TestCapacity(t *testing.T) {
	bare := file(t, strings.Replace(read(t, logs+"log.swf"), "; MaxProcs: 24\n", "", 1))
	for _, c := range []struct {
		args     []string
		capacity float64
		words    string
	}{
		{[]string{"-capacity", "32", logs + "log.swf"}, 32, "on 32 of cpu"}, {[]string{logs + "log.swf"}, 24, "on 24 of cpu, as its header says"},
		{[]string{file(t, "2"+strings.Repeat(" 0", 2)+" 9 4 0 0 4 0 0 1 -1 -1 0 3 0 0 0\n")}, 4, "1 job of 1 queue from 0 s to 9 s, on 4 of cpu, the most that ran at once"},
		{[]string{bare}, 16, "on 16 of cpu, the most that ran at once"},
	} {
		if a := audited(t, c.args...); a.Capacity != c.capacity || !strings.HasSuffix(a.Summary[0], c.words) {
			t.Errorf("audit %q: capacity %v, %q, want %v", c.args, a.Capacity, a.Summary[0], c.capacity)
		}
	}
}

// Jobs that a log does not say enough of are counted, as are the tasks of an array that waits, and
// a team of which none ran has no waits.
func TestWhatIsCounted(t *testing.T) {
	const swf = "1 0 0 3600 8 -1 -1 8 -1 -1 1 1 1 -1 1 1 -1 -1\n2 0 -1 3600 8 -1 -1 8 -1 -1 1 1 1 -1 1 1 -1 -1\n3 0 5 -1 8 -1 -1 8 -1 -1 1 1 1 -1 1 1 -1 -1\n4 0 5 9 0 -1 -1 0 -1 -1 1 1 1 -1 1 1 -1 -1\n"
	a := audited(t, file(t, swf))
	if want := "1 of 2 jobs of the file; 2 lines left out, the first of them line 3: run time or processors are unknown; 1 job left out, whose wait is unknown"; a.Summary[1] != want || a.NoWait != 1 || len(a.LeftOut) != 1 || a.LeftOut[0].Lines != 2 {
		t.Errorf("%+v", a)
	}
	if _, errs, code := run(t, file(t, strings.SplitAfter(swf, "\n")[1])); code != 2 || !strings.Contains(errs, "when jobs waited is unknown: 0 of 1 job of the file; 1 job left out") {
		t.Errorf("a log without waits = %d, %q", code, errs)
	}
	array := file(t, "JobID|Account|Submit|Start|End|State|AllocCPUS|ReqCPUS\n1|physics|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T09:00:00|COMPLETED|2|2\n"+
		"2_[1-40%5]|web|2026-03-01T08:00:00|Unknown|Unknown|PENDING|0|2\n")
	a = audited(t, array)
	if web := a.Teams[0]; web.Name != "web" || web.Jobs != 40 || web.NeverRan != 40 || web.MeanWaitHours != nil || web.P95WaitHours != nil || *a.Teams[1].MeanWaitHours != 0 ||
		!strings.Contains(strings.Join(a.Summary, "\n"), "41 jobs of 2 teams") || a.Summary[1] != "41 of 41 jobs of the file: 40 wait still" || !strings.Contains(a.Summary[3], "40 jobs wait") {
		t.Errorf("%+v", a)
	}
	out, _, _ := run(t, array)
	if rows := strings.Split(strings.TrimSpace(out), "\n"); !slices.Equal(strings.Fields(rows[len(rows)-2])[11:], []string{"40", "-", "-", "40"}) ||
		!slices.Equal(strings.Fields(rows[len(rows)-1])[7:], []string{"-", "-", "1", "0", "0", "0"}) {
		t.Errorf("table\n%s", out)
	}
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{logs + "sacct.txt"}, 0, ""}, {[]string{"-limit", "6.2", logs + "sacct.txt"}, 0, ""},
		{[]string{"-limit", "6.1", logs + "sacct.txt"}, 3, "chemistry missed 6.167 cpu-hours, more than the 6.1 cpu-hours of -limit"},
		{nil, 2, "one file"}, {[]string{"a", "b"}, 2, "one file"}, {[]string{"nosuch"}, 2, "nosuch"}, {[]string{file(t, "")}, 2, "empty"},
		{[]string{file(t, "user,submit,tasks,run\na,0,1,1\n")}, 2, "start"}, {[]string{file(t, "user,submit,tasks,run,start\na,0,0,1,0\n")}, 2, "no job"},
		{[]string{"-by", "cat", "x"}, 2, "-by"}, {[]string{"-capacity", "-1", "x"}, 2, "-capacity"},
		{[]string{file(t, "user,submit,tasks,run,start\na,5,1,1,\n")}, 2, "nothing starts or ends after 5 s"},
		{[]string{"-to", "9", file(t, "user,submit,tasks,run,start\na,5,1,1,\n")}, 2, "nothing ran: say with -capacity"},
		{[]string{"-shares", "nosuch", logs + "sacct.txt"}, 2, "nosuch"},
		{[]string{"-capacity", "0", logs + "sacct.txt"}, 2, "-capacity is 0, want"}, {[]string{"-capacity", "1e-300", logs + "sacct.txt"}, 2, "-capacity is 1e-300, want"},
		{[]string{"-to", "1e300", logs + "sacct.txt"}, 2, "too long"}, {[]string{t.TempDir()}, 2, "directory"},
		{[]string{file(t, `{"items": null}`)}, 2, "no job asks"}, {[]string{file(t, "\xff\xfeJ\x00")}, 2, "UTF-16"}, {[]string{"-limit", "NaN", "x"}, 2, "-limit"},
		{[]string{"-window", "-1h", "x"}, 2, "-window"}, {[]string{"-zone", "Mars/Olympus", "x"}, 2, "-zone"}, {[]string{"-from", "now", "x"}, 2, "-from"},
		{[]string{"-to", "1", logs + "sacct.txt"}, 2, "no job"}, {[]string{"-shares", file(t, "{}"), logs + "sacct.txt"}, 2, "no list"},
		{[]string{"-shares", file(t, `[{"name": ""}]`), logs + "sacct.txt"}, 2, "empty or there twice"},
		{[]string{"-shares", file(t, `[{"name": "a", "parent": "b"}]`), logs + "sacct.txt"}, 2, "parent"},
		{[]string{"-shares", file(t, `[{"name": "physics"}, {"name": "chemistry", "parent": "physics"}]`), logs + "sacct.txt"}, 2, "no leaf"},
		{[]string{"-shares", file(t, `[{"name": "physics", "weight": -1}]`), logs + "sacct.txt"}, 2, "file: physics: claims: Weight is -1"},
		{[]string{"-shares", file(t, `[{"name": "chemistry"}, {"name": "physics", "floor": -2}]`), logs + "sacct.txt"}, 2, "file: physics: claims: Floor is -2"},
		{[]string{"-shares", file(t, `[{"name": "web"}, {"name": "physics", "weight": 0}]`), logs + "sacct.txt"}, 2, "file: physics has the weight 0"},
		{[]string{"-shares", file(t, `[{"name": "web"}, {"name": "physics", "cap": 0}]`), logs + "sacct.txt"}, 2, "file: physics has the cap 0"},
		{[]string{"-shares", file(t, `[{"name": "a", "parent": "b"}, {"name": "b", "parent": "a"}]`), logs + "sacct.txt"}, 2, "file: a: parents"},
		{[]string{"-shares", file(t, `[{"name": "a\tb"}]`), logs + "sacct.txt"}, 2, "control character"},
		{[]string{"-shares", file(t, `[{"name": "a"}]]`), logs + "sacct.txt"}, 2, "goes on"},
		{[]string{"-html", filepath.Join(t.TempDir(), "no", "page.html"), "nosuch"}, 2, "is no directory"}, {[]string{"-html", t.TempDir(), "nosuch"}, 2, "want a file"},
	} {
		out, errs, code := run(t, c.args...)
		if code != c.code || !strings.Contains(strings.ToLower(errs), strings.ToLower(c.want)) || strings.Count(errs, "\n") > 1 || code == 2 && out != "" {
			t.Errorf("audit %q = %d, %q, want %d and %q", c.args, code, errs, c.code, c.want)
		}
	}
}

// document is what the page of a log holds.
func document(t *testing.T, args ...string) (page string, d page.Document) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	if _, errs, code := run(t, append([]string{"-html", name}, args...)...); code != 0 {
		t.Fatalf("audit = %d, %q", code, errs)
	}
	page = read(t, name)
	d, err := pagetest.Read(page)
	if err != nil {
		t.Fatal(err)
	}
	return page, d
}

// The page of many users is small and shows the most owed, and the JSON document holds the rows of
// all.
func TestPageOfManyUsers(t *testing.T) {
	var log strings.Builder
	log.WriteString("user,submit,start,tasks,run\n")
	for i := range 20000 {
		fmt.Fprintf(&log, "<img src=x onerror=alert(%d)>,%d,%d,%d,30\n", i%4000, i, i+i%7, 1+i%5)
	}
	name := file(t, log.String())
	text, d := document(t, name)
	if len(text) > 1.5e6 || strings.Contains(text, "<img") || strings.Contains(text, "http://") && !strings.Contains(text, "http://www.w3.org") {
		t.Errorf("the page has %d bytes, or markup of a name", len(text))
	}
	if len(d.Pictures) != 4 || d.Version != page.Version || len(d.Rows.([]any)) != 1000 || len(d.Pictures[2].Series) != 60 {
		t.Errorf("the document has %d pictures and %d rows", len(d.Pictures), len(d.Rows.([]any)))
	}
	out, _, _ := run(t, "-format", "json", name)
	if whole, err := pagetest.Read(out); err != nil || len(whole.Rows.([]any)) != 4000 {
		t.Errorf("-format json: %v, want all 4000 rows", err)
	}
}

// The pictures show what the table and the pairs of -json have.
func TestPictures(t *testing.T) {
	want := audited(t, logs+"sacct.txt")
	_, d := document(t, logs+"sacct.txt")
	for i, team := range want.Teams {
		row := d.Rows.([]any)[i].(map[string]any)
		if row["name"] != team.Name || row["net"] != team.Net || row["worst"] != team.Worst {
			t.Errorf("row %d is %v, want %+v", i, row, team)
		}
	}
	shown := map[[2]string]float64{}
	for _, row := range d.Pictures[3].Table.Rows {
		x, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		shown[[2]string{row[0], strings.TrimPrefix(strings.TrimSuffix(row[1], ", too small"), "idle")}] += x
	}
	for _, p := range want.Pairs {
		if got := shown[[2]string{p.Owed, p.Had}]; math.Abs(got-p.Amount) > 1e-12*p.Amount {
			t.Errorf("of what %s is owed %q had %v on the page, want %v", p.Owed, p.Had, got, p.Amount)
		}
	}
	// The mean over parts of the time, times their length, is the total.
	times := d.Pictures[2].Table
	for k, column := range times.Columns[1:] {
		sum := 0.
		for _, row := range times.Rows {
			x, err := strconv.ParseFloat(row[k+1], 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += x * (want.To - want.From) / float64(len(times.Rows)) / 3600
		}
		team := want.Teams[k/2]
		if total := []float64{team.Entitled, team.Had}[k%2]; math.Abs(sum-total) > 1e-4*total {
			t.Errorf("%s adds up to %v, want %v", column, sum, total)
		}
	}
}

// TestMemory: a tree of shares takes some thousand bytes a node, garbage included, where nobody asks
// for pictures.
func TestMemory(t *testing.T) {
	const nodes = 10_000
	var shares strings.Builder
	for i := range nodes {
		fmt.Fprintf(&shares, `,{"name": "n%d", "parent": "n%d"}`, i+1, i)
	}
	chain := file(t, `[{"name": "n0"}`+shares.String()+"]")
	log := file(t, fmt.Sprintf("user,team,submit,tasks,run,start\nu,n%d,0,1,10,0\nu,x,0,1,10,10\n", nodes))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, errs, code := run(t, "-by", "team", "-shares", chain, log)
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) / nodes; code != 0 || got > 8000 {
		t.Errorf("an audit of a chain of %d nodes = %d, %s; it allocates %d bytes a node, want at most 8000", nodes, code, errs, got)
	}
}

// A log in SWF that says when it began has dates, in its zone; a team of -shares that no job has is
// refused, and so is a resource that the log has no word for.
func TestDatesAndNames(t *testing.T) {
	swf := "; MaxProcs: 8\n; UnixStartTime: 1772352000\n; TimeZone: 3600\n1 0 0 7200 4 -1 -1 4 120 -1 1 5 2 -1 1 -1 -1 -1\n2 3600 3600 3600 8 -1 -1 8 120 -1 1 6 3 -1 1 -1 -1 -1\n"
	out, errs, code := run(t, "-from", "2026-03-01T09:30", "-to", "2026-03-01T10:30", file(t, swf)) // half an hour after its begin
	if code != 0 || !strings.Contains(out, "from 2026-03-01 09:30 to 2026-03-01 10:30") {
		t.Errorf("a log with dates: %d, %s%s", code, out, errs)
	}
	if out, _, _ = run(t, "-zone", "UTC", file(t, swf)); !strings.Contains(out, "from 2026-03-01 08:00 to 2026-03-01 11:00") {
		t.Errorf("in UTC: %s", out)
	}
	for _, c := range []struct{ args, want string }{
		{"-shares " + file(t, `[{"name": "all"}, {"name": "2", "parent": "all"}, {"name": "phisics", "parent": "all"}]`), `"phisics"`},
		{"-by user -shares " + file(t, `[{"name": "2"}]`), `no job of`},
		{"-resource gpu", "processors alone"},
		{"-zone Nowhere/City", "Nowhere/City"},
	} {
		if out, errs, code := run(t, append(strings.Fields(c.args), file(t, swf))...); code != 2 || !strings.Contains(errs, c.want) {
			t.Errorf("audit %s = %d, %s%s, want %q", c.args, code, out, errs, c.want)
		}
	}
	if _, errs, code := run(t, "-shares", file(t, `[{"name": "all"}, {"name": "2", "parent": "all"}, {"name": "3", "parent": "all"}]`), file(t, swf)); code != 0 {
		t.Error(errs)
	}
}

// What became of each job of a recorded log is said, as text and as JSON; memory is in GB.
func TestAccountedLog(t *testing.T) {
	pods := file(t, `{"items": [{"kind": "Pod", "metadata": {"name": "a", "namespace": "n", "creationTimestamp": "2026-03-01T08:00:00Z"}, "spec": {}},
		{"kind": "Pod", "metadata": {"name": "b", "namespace": "n", "creationTimestamp": "2026-03-01T08:00:00Z"}, "spec": {"containers": [{"resources": {"requests": {"cpu": 1, "memory": "3e9"}}}]},
		 "status": {"conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": "2026-03-01T08:00:00Z"}]}}]}`)
	a := audited(t, "-to", "2026-03-01T09:00", pods)
	if a.Summary[1] != "1 of 2 jobs of the file: 1 run still, 1 ask for no cpu" {
		t.Errorf("%q", a.Summary)
	}
	a = audited(t, "-to", "2026-03-01T09:00", "-resource", "memory", pods)
	if a.Capacity != 3 || !strings.Contains(a.Summary[0], "on 3 GB of memory") || !strings.Contains(a.Summary[2], "GB-hours") || a.Teams[0].Had != 3 {
		t.Errorf("%+v", a)
	}
	if _, d := document(t, "-to", "2026-03-01T09:00", "-resource", "memory", pods); d.Pictures[0].Table.Units["had"] != "GB-hours" {
		t.Errorf("the page has %v", d.Pictures[0].Table.Units)
	}
	out, errs, code := run(t, "-json", "-to", "2026-11-28T19:14:25", golden.Trace(t, "data/slurm/sacct-mid/sacct-docs.txt"))
	if want := `"audited": 164,
 "jobs": 164,
 "neverRan": 3,
 "running": 9,
 "waiting": 25,
 "none": 0,
 "noWait": 0,`; code != 0 || !strings.Contains(out, want) {
		t.Errorf("%d, %s%.700s", code, errs, out)
	}
}

// An audit of what Slurm prints: suspended time is no use, -by takes Slurm's words, memory that Slurm
// does not allocate is told from none, nodes may be shared, and squeue's output is named.
func TestSlurmLog(t *testing.T) {
	const dir = "data/slurm/sacct-end/"
	for name, want := range map[string]float64{"sacct-long-X.txt": 6.7714, "sacct-docs.txt": 6.8581, "sacct-docs-duplicates.txt": 6.8839} {
		had := math.NaN()
		for _, x := range audited(t, "-by", "account", golden.Trace(t, dir+name)).Teams {
			if x.Name == "physics" {
				had = x.Had
			}
		}
		if !(math.Abs(had-want) <= 5e-5) {
			t.Errorf("%s: physics had %v CPU-hours, want %v", name, had, want)
		}
	}
	log := golden.Trace(t, dir+"sacct-docs.txt")
	if a := audited(t, "-by", "partition", log); len(a.Teams) != 2 || a.By != "queue" {
		t.Errorf("-by partition: %+v", a.Teams)
	}
	if a := audited(t, "-resource", "node", log); !strings.Contains(strings.Join(a.Summary, " "), "jobs may share nodes") {
		t.Errorf("-resource node: %q", a.Summary)
	}
	for want, args := range map[string][]string{
		"AllocTRES has no mem, ReqTRES has": {"-resource", "memory", log},
		"the output of squeue":              {golden.Trace(t, "data/slurm/t05/squeue-r.txt")},
		"-by is \"group\"":                  {"-by", "group", log},
	} {
		if _, errs, code := run(t, args...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("audit %v = %d, %s, want %q", args, code, errs, want)
		}
	}
}

// The verdict counts the first days of each wait, and stands beside the one that counts all; the job
// behind the worst window is named, and idle that nobody could use is told apart. A job of 16 waits
// beside one of 1 and never runs: 15 of 16 idle for 1,000 hours.
func TestPatience(t *testing.T) {
	table := file(t, "user,submit,start,tasks,run\na,0,,16,1\nb,0,0,1,3600000\n")
	for _, c := range []struct {
		args  string
		owed  float64
		small float64
		says  []string
	}{
		{"", 15 * 168, 15 * 168, []string{"if all of each wait counts: a is owed most, 15000 cpu-hours net; of what it was owed, 100% by jobs that have not run and 83% by waits beyond their first 168 hours; the worst window: a missed 15000 cpu-hours",
			"entitled to; of what it was owed, 100% by jobs that have not run\nthe worst",
			"if each wait counts for its first 168 hours (-patience), as in all that follows:", "a missed 2520 cpu-hours from 0 s to 604800 s; most of it by job, which waited for 16 of cpu for 1000 hours, from 0 s to 3600000 s, and waits still",
			"2520 cpu-hours, of which 2520 cpu-hours was too little"}},
		{"-patience 0", 15000, 15000, []string{"a missed 15000 cpu-hours from 0 s to 3600000 s"}},
		{"-patience 2000h", 15000, 15000, nil},
	} {
		a := audited(t, append(strings.Fields(c.args), "-capacity", "16", "-to", "3600000", table)...)
		text := strings.Join(a.Summary, "\n")
		if a.Teams[0].Owed != c.owed || a.Idle != c.owed || a.IdleTooSmall != c.small || c.args != "" && strings.Contains(text, "-patience") {
			t.Errorf("%s: %+v, want %v owed", c.args, a, c.owed)
		}
		for _, want := range c.says {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s\nwant %s", c.args, text, want)
			}
		}
	}
	if _, errs, code := run(t, "-patience", "-1h", table); code != 2 || !strings.Contains(errs, "-patience is -1h0m0s, want 0 or more") {
		t.Errorf("-patience -1h = %d, %q", code, errs)
	}
	a := audited(t, "-capacity", "16", "-to", "3600000", table)
	x := a.Teams[0]
	if x.Behind == nil || *x.Behind != (waiter{Amount: 16, To: 3.6e6, How: "waits still"}) || x.OwedNeverRan != 2520 || x.IdleTooSmall != 2520 || x.Idle != 0 || a.Teams[1].Behind != nil {
		t.Errorf("%+v, behind it %+v", x, x.Behind)
	}
	// The page shows it, too: of each team what it was owed for, of each window the job.
	_, d := document(t, "-capacity", "16", "-to", "3600000", table)
	for i, want := range map[int]string{0: "a 2520 2520 2520 0 2520 0 1 NA NA 1 2520 0 2520", 1: "a 0 s 604800 s  waits still 2520 16 1000", 3: "a idle, too small 2520"} {
		if got := strings.Join(d.Pictures[i].Table.Rows[0], " "); got != want {
			t.Errorf("the first row of %s is %q, want %q", d.Pictures[i].Name, got, want)
		}
	}
	a = audited(t, logs+"sacct.txt")
	if text := strings.Join(a.Summary, "\n"); !strings.Contains(text, "; most of it by job 102, which waited for 16 of cpu") {
		t.Errorf("no job behind the worst window: %s", text)
	}
}
