package joblog_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

var inf = math.Inf(1)

func sample(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	expect.Must(t, err)
	return text
}

// eachSpan is joblog.EachSpan as an iterator; an error comes last.
func eachSpan(r io.Reader, o joblog.ReadOptions) iter.Seq2[joblog.Span, error] {
	return func(yield func(joblog.Span, error) bool) {
		if _, err := joblog.EachSpan(r, func(s joblog.Span) bool { return yield(s, nil) }, o); err != nil {
			yield(joblog.Span{}, err)
		}
	}
}

// spansOf reads spans in both ways and fails the test if they differ in more than Job.
func spansOf(t testing.TB, text []byte, o joblog.ReadOptions, how ...workload.FromLogOptions) (played, []span) {
	t.Helper()
	log, err := read(bytes.NewReader(text), o, how...)
	expect.Must(t, err)
	var spans []span
	for s, err := range eachSpan(iotest.OneByteReader(bytes.NewReader(text)), o) {
		expect.Must(t, err)
		spans = append(spans, spanOf(s, -1))
	}
	if d := cmp.Diff(log.Spans, spans, cmpopts.IgnoreFields(span{}, "Job"), cmpopts.EquateEmpty()); d != "" {
		t.Errorf("ReadJobs and EachSpan differ: %s", d)
	}
	n := 0
	rest, err := joblog.EachSpan(bytes.NewReader(text), func(joblog.Span) bool { n++; return true }, o)
	counts := func(l joblog.Log) []int { return []int{l.MaxProcs, l.Failed, l.Cancelled, l.NoWait, len(l.LeftOut)} }
	if err != nil || n != len(spans) || !cmp.Equal(counts(log.Log), counts(rest)) || rest.Jobs != nil {
		t.Errorf("EachSpan: %d spans, %+v, error %v", n, rest, err)
	}
	return log, spans
}

// history is what testdata's sacct.txt, workloads.json, log.csv and log.swf tell of.
func history() []span {
	const eight = 1772352000 // 2026-03-01T08:00:00Z
	return []span{
		{Name: "101", User: "anna", Team: "physics", Queue: "batch", From: eight, Start: eight, End: eight + 3600, Amount: 8, Job: 0},
		{Name: "102", User: "ben", Team: "chemistry", Queue: "batch", From: eight + 600, Start: eight + 3600, End: eight + 5400, Amount: 16, Job: 1},
		{Name: "103", User: "carla", Team: "physics", Queue: "batch", From: eight + 1200, Start: inf, End: eight + 3000, Amount: 4, Job: -1},
		{Name: "104_2", User: "ben", Team: "chemistry", Queue: "batch", From: eight + 1800, Start: eight + 1800, End: eight + 2700, Amount: 2, Job: 2},
	}
}

func TestReadersAgreeOnOneHistory(t *testing.T) {
	for name, o := range map[string]struct {
		names  func(s *span)
		origin float64
	}{
		"sacct.txt":      {func(*span) {}, 1772352000},
		"workloads.json": {func(s *span) { s.User, s.Name = "", s.Team+"/job-"+s.Name[:3] }, 1772352000},
		"log.csv": {func(s *span) { // a table has the job that never ran too
			if s.Job = map[string]int{"103": 2, "104_2": 3}[s.Name]; s.Name == "102" {
				s.Job = 1
			}
		}, 1772352000},
		"log.swf": {func(s *span) {
			s.Name = s.Name[2:3]
			s.User, s.Queue = map[string]string{"anna": "1", "ben": "2", "carla": "3"}[s.User], "1"
			s.Team = map[string]string{"physics": "1", "chemistry": "2"}[s.Team]
			for _, x := range []*float64{&s.From, &s.Start, &s.End} {
				*x -= 1772352000
			}
		}, 0},
	} {
		want := history()
		for i := range want {
			o.names(&want[i])
		}
		log, _ := spansOf(t, sample(t, name), joblog.ReadOptions{})
		if d := cmp.Diff(want, log.Spans); d != "" || log.Origin != o.origin {
			t.Errorf("%s: origin %v, -want +got\n%s", name, log.Origin, d)
		}
		marked := "\ufeff" + string(sample(t, name))
		for _, text := range []string{zipped(marked[3:]), marked, zipped(marked)} {
			again, _ := spansOf(t, []byte(text), joblog.ReadOptions{})
			if d := cmp.Diff(log, again); d != "" {
				t.Errorf("%s, gzip or a byte order mark: %s", name, d)
			}
		}
		for _, s := range log.Spans {
			if s.Job < 0 {
				continue
			}
			j := log.Jobs[s.Job]
			if j.Arrival+log.Origin != s.From || float64(j.Maps.Tasks) != s.Amount || s.Start < inf && j.Maps.Work != s.End-s.Start || !j.Rigid {
				t.Errorf("%s: job %+v of span %+v", name, j, s)
			}
		}
	}
	log, _ := spansOf(t, sample(t, "sacct.txt"), joblog.ReadOptions{}, workload.FromLogOptions{Completed: true})
	if len(log.Spans) != 4 || len(log.Jobs) != 2 || log.Failed != 1 || log.Spans[1].Job != -1 || log.Jobs[0].Requested != 7200 {
		t.Errorf("completed jobs of sacct: %+v", log)
	}
}

func TestAmountsOfAResource(t *testing.T) {
	for _, c := range []struct {
		file, resource string
		want           []float64
	}{
		{"sacct.txt", "gpu", []float64{2, 4, 1, 0}}, {"sacct.txt", "gres/gpu", []float64{2, 4, 1, 0}}, {"sacct.txt", "node", []float64{1, 2, 1, 1}},
		{"sacct.txt", "memory", []float64{32 << 30, 0, 0, 0}}, {"workloads.json", "gpu", []float64{0, 4, 0, 0}}, {"workloads.json", "nvidia.com/gpu", []float64{0, 4, 0, 0}},
	} {
		var got []float64
		for s, err := range eachSpan(bytes.NewReader(sample(t, c.file)), joblog.ReadOptions{Resource: c.resource}) {
			expect.Must(t, err)
			got = append(got, s.Amount)
		}
		if !cmp.Equal(got, c.want) {
			t.Errorf("%s of %s: %v, want %v", c.resource, c.file, got, c.want)
		}
	}
}

// The hour that a zone leaves out in spring has passed; arrays wait together; what was never
// eligible asks for nothing.
func TestSacctOfRunningAndWaitingJobs(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	text := sample(t, "live.txt")
	_, spans := spansOf(t, text, joblog.ReadOptions{Zone: berlin})
	const zero = 1774744200 // 2026-03-29T01:30:00+01:00
	want := []span{
		{Name: "201", User: "anna", Team: "physics", From: zero, Start: zero + 7200, End: inf, Amount: 4, Job: -1},
		{Name: "202_[3,5-9:2,20%4]", User: "ben", Team: "chemistry", From: zero + 9000, Start: inf, End: inf, Amount: 10, Job: -1, Array: 5},
	}
	if d := cmp.Diff(want, spans); d != "" {
		t.Error(d)
	}
	if zone, err := time.LoadLocation("Europe/Berlin"); err == nil {
		if _, spans = spansOf(t, text, joblog.ReadOptions{Zone: zone}); spans[0].Start-spans[0].From != 3600 {
			t.Errorf("from 01:30 to 03:30 of the night in which clocks are put forward: %v s, want 3600", spans[0].Start-spans[0].From)
		}
	}
	if _, spans = spansOf(t, text, joblog.ReadOptions{}); spans[0].From != zero+3600 {
		t.Errorf("From %v without a zone, want UTC", spans[0].From)
	}
	epoch := "JobID|Eligible|Start|End|AllocCPUS\n1|1774744200|1774744260|1774744320|2\n2|2026-03-29T01:30:00+0100|2026-03-29T00:31:00Z|Unknown|2\n"
	if _, spans = spansOf(t, []byte(epoch), joblog.ReadOptions{}); spans[0].From != zero || spans[1].From != zero || spans[1].Start != zero+60 {
		t.Errorf("times of other forms: %+v", spans)
	}
}

func TestJobsAndPods(t *testing.T) {
	const eight = 1772352000
	want := []span{
		{Name: "chemistry/web-1", Team: "chemistry", From: eight + 1800, Start: eight + 1860, End: inf, Amount: 1.5, Job: -1},
		{Name: "physics/task-1", Team: "physics", From: eight + 1800, Start: eight + 1800, End: eight + 2700, Amount: 1, Job: 0},
		{Name: "physics/task-2", Team: "physics", From: eight + 3000, Start: inf, End: inf, Amount: 1, Job: -1},
		{Name: "physics/job-101", Team: "physics", Queue: "batch", From: eight, Start: eight, End: eight + 3600, Amount: 8, Job: 1},
		{Name: "chemistry/job-102", Team: "chemistry", Queue: "batch", From: eight + 600, Start: eight + 3600, End: eight + 5400, Amount: 16, Job: 2},
		{Name: "physics/job-105", Team: "physics", Queue: "batch", From: eight + 2400, Start: inf, End: inf, Amount: 6, Job: -1},
	}
	log, _ := spansOf(t, sample(t, "jobs-pods.json"), joblog.ReadOptions{})
	if d := cmp.Diff(want, log.Spans); d != "" || log.Origin != eight {
		t.Errorf("origin %v, -want +got\n%s", log.Origin, d)
	}
}

// What Spans lacks of a log in SWF is counted: a job whose wait is unknown, and jobs whose run time
// or processors are.
func TestLeftOutOfSWF(t *testing.T) {
	const text = "; MaxNodes: 8\n1 0 5 9 4 -1 -1 4 -1 -1 1 5 2 -1 1 -1 -1 -1\n2 0 -1 9 4 -1 -1 4 -1 -1 0 5 2 -1 1 -1 -1 -1\n" +
		"3 0 5 -1 4 -1 -1 4 -1 -1 1 5 2 -1 1 -1 -1 -1\n4 0 5 9 -1 -1 -1 0 -1 -1 5 5 2 -1 1 -1 -1 -1\n5 0 5 -1 4 -1 -1 4 -1 -1 5 5 2 -1 1 -1 -1 -1\n" +
		"6 0 5 9 4 -1 -1 4 -1 -1 3 5 2 -1 1 -1 -1 -1\n"
	log, spans := spansOf(t, []byte(text), joblog.ReadOptions{})
	if len(log.Jobs) != 2 || len(spans) != 2 || spans[0].Name != "1" || spans[1].Name != "5" || log.NoWait != 1 || !cmp.Equal(log.LeftOut, []joblog.Reason{{Text: "run time or processors are unknown", Lines: 2, First: 4, Unknown: true}}) || log.Failed != 1 || log.MaxProcs != 8 {
		t.Errorf("%+v", log)
	}
}

// The hour that clocks repeat in autumn is named where it makes a job start before it waited.
func TestHourThatCameTwice(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	const text = "JobID|Submit|Start|End|AllocCPUS\n1|2026-10-24T00:00:00|2026-10-24T00:00:00|2026-10-24T01:00:00|1\n"
	for line, want := range map[string]string{
		"2|2026-10-25T02:50:00|2026-10-25T02:10:00|2026-10-25T04:00:00|1": `joblog: line 3, column 23: start "2026-10-25T02:10:00" is before the job began to wait; ` +
			"clocks of Europe/Berlin showed the hour of 2026-10-25T02:50:00 twice, and sacct does not say which it means: print the log with SLURM_TIME_FORMAT=%s",
		"2|2026-10-24T02:50:00|2026-10-24T02:10:00|2026-10-25T04:00:00|1": `joblog: line 3, column 23: start "2026-10-24T02:10:00" is before the job began to wait`,
	} {
		if _, err := read(strings.NewReader(text+line), joblog.ReadOptions{Zone: zone, Strict: true}); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", line, err, want)
		}
	}
}

// What a Job without Pods and a Workload say of themselves: when they began and failed, their time
// limits, and what quota was given. A Job with a fault is named by its own line, and harms no other.
func TestJobsWithoutPods(t *testing.T) {
	item := func(kind, name, rest string) string {
		return fmt.Sprintf(`{"kind":%q,"metadata":{"name":%q,"namespace":"n","uid":%[2]q,"creationTimestamp":"1970-01-01T00:01:00Z"},%s}`, kind, name, rest)
	}
	since := func(kind, status string, minute int) string {
		return fmt.Sprintf(`{"type":%q,"status":%q,"lastTransitionTime":"1970-01-01T00:%02d:00Z"}`, kind, status, minute)
	}
	const pods = `"template":{"spec":{"containers":[{"resources":{"requests":{"cpu":2}}}]}}`
	const sets = `"podSets":[{` + pods + `}]`
	const usage = `"admission":{"podSetAssignments":[{"resourceUsage":{"cpu":"8"}}]}`
	for _, list := range []struct {
		items []string
		want  string
	}{
		{[]string{
			item("Job", "a", `"spec":{"activeDeadlineSeconds":50,`+pods+`},"status":{"startTime":"1970-01-01T00:02:00Z","conditions":[`+since("Failed", "True", 4)+`]}`),
			item("Job", "b", `"status":{"completionTime":"1970-01-01T00:00:00Z"}`),
			item("Job", "c", `"spec":{`+pods+`},"status":{"startTime":"1970-01-01T00:02:00Z","completionTime":"1970-01-01T00:03:00Z"}`),
		}, "n/a 120-240 failed 50 of 2; n/c 120-180 completed NaN of 2; [2]"},
		{[]string{
			item("Workload", "a", `"spec":{"maximumExecutionTimeSeconds":90,`+sets+`},"status":{`+usage+`,"conditions":[`+since("QuotaReserved", "True", 2)+","+since("Finished", "True", 4)+`]}`),
			item("Workload", "b", `"spec":{`+sets+`},"status":{`+usage+`,"conditions":[`+since("QuotaReserved", "False", 2)+`]}`),
		}, "n/a 120-240 completed 90 of 8; n/b +Inf-+Inf other NaN of 2; []"},
	} {
		log, err := joblog.ReadJobs(strings.NewReader(`{"items":[`+strings.Join(list.items, ",\n")+"]}"), joblog.ReadOptions{})
		got, lines := "", []int{}
		for _, j := range log.Jobs {
			got += fmt.Sprintf("%s %v-%v %v %v of %v; ", j.ID, j.Start, j.End, j.State, j.Requested, j.Amount)
		}
		for _, r := range log.LeftOut {
			lines = append(lines, r.First)
		}
		if got += fmt.Sprint(lines); err != nil || got != list.want {
			t.Errorf("%q, error %v, want %q", got, err, list.want)
		}
	}
}

// A list of Kubernetes that is cut anywhere is refused, and an empty one is empty.
func TestCutLists(t *testing.T) {
	const text = `{"apiVersion": "v1", "n": [1, {"x": "}\\\""}], "items": [{"kind": "Pod", "metadata": {"name": "p", "namespace": "n", "creationTimestamp": "2026-03-01T08:00:00Z"}, "spec": {}}], "metadata": {}}`
	read := func(text string) (n int, err error) {
		for _, e := range eachSpan(strings.NewReader(text), joblog.ReadOptions{}) {
			if n, err = n+1, e; e != nil {
				return 0, err
			}
		}
		return n, nil
	}
	if n, err := read(text); n != 1 || err != nil {
		t.Fatalf("%d spans, error %v, want 1", n, err)
	}
	for k := 1; k < len(text); k++ {
		if _, err := read(text[:k]); !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("%s: error %v, want an InputError", text[:k], err)
		}
	}
	for _, empty := range []string{`{"items": []}`, `{"items": null}`} {
		if n, err := read(empty); n != 0 || err != nil {
			t.Errorf("%s: %d spans, error %v", empty, n, err)
		}
	}
}

// failsOnce is at its end after it has failed.
type failsOnce struct {
	r   io.Reader
	err error
}

func (f *failsOnce) Read(p []byte) (n int, err error) {
	if n, err = f.r.Read(p); err == io.EOF && f.err != nil {
		err, f.err = f.err, nil
	}
	return n, err
}

// Lines that cannot be read are refused, with their number.
func TestBrokenLogs(t *testing.T) {
	const head = "JobID|User|Account|Submit|Eligible|Start|End|State|ReqTRES|AllocTRES|Timelimit\n"
	const good = "1|a|t|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T09:00:00|COMPLETED|cpu=1|cpu=1|01:00:00\n"
	with := func(field int, value string) string {
		fields := strings.Split(good, "|")
		fields[field] = value
		return head + good + strings.TrimSuffix(strings.Join(fields, "|"), "\n") + "\n"
	}
	list := func(lines ...string) string { return "{\"items\": [\n" + strings.Join(lines, "\n") + "\n]}\n" }
	pod := func(more string) string {
		return `{"kind":"Pod","metadata":{"name":"p","namespace":"n","creationTimestamp":"2026-03-01T08:00:00Z"}` + more + "}"
	}
	for name, c := range map[string]struct {
		text         string
		line, column int
		words        string
	}{
		"sacct without JobID":            {"User|Submit|Start|End|AllocCPUS\n", 1, 1, "JobID"},
		"sacct without times":            {"JobID|Submit|Start|AllocCPUS\n", 1, 1, "End"},
		"sacct without amounts":          {"JobID|Submit|Start|End\n", 1, 1, "AllocTRES"},
		"a column twice":                 {"JobID|Submit|Start|End|Start\n", 1, 24, "twice"},
		"too few fields":                 {head + good + "2|a\n", 3, 4, "2 fields"},
		"a separator in a name":          {head + good + strings.Replace(good, "|a|", "|a|b|", 1), 3, 119, "JobName"},
		"no id":                          {with(0, ""), 3, 1, "empty"},
		"an array cut short":             {with(0, "7_[1-3,5,...]"), 3, 1, "SLURM_BITSTR_LEN"},
		"a range backwards":              {with(0, "7_[5-3]"), 3, 1, "counted"},
		"a control byte":                 {with(1, "a\x01"), 3, 3, "0x01"},
		"no such day":                    {with(3, "2026-02-30T08:00:00"), 3, 7, "no time"},
		"a time in words":                {with(5, "yesterday"), 3, 47, "no time"},
		"start before the wait":          {with(5, "2026-03-01T07:59:59"), 3, 47, "began to wait"},
		"end before the start":           {with(6, "2026-03-01T07:59:59"), 3, 67, "start"},
		"ran and was never submitted":    {strings.Replace(with(4, "Unknown"), "3\n", "", 1)[:len(head+good)] + strings.ReplaceAll(good, "2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T08:00:00", "Unknown|Unknown|2026-03-01T08:00:00"), 3, 7, "ran"},
		"resources without an amount":    {with(9, "cpu"), 3, 103, "list of resources"},
		"a negative amount":              {with(9, "cpu=-1"), 3, 103, "negative"},
		"a time limit of words":          {with(10, "long"), 3, 109, "duration"},
		"a time limit of four parts":     {with(10, "1:10:00:00"), 3, 109, "duration"},
		"JSON of no list":                {`{"kind": "Pod"}`, 1, 1, "items"},
		"JSON that ends":                 {"{\"items\": [\n" + pod(""), 2, 98, "ends"},
		"JSON that goes on":              {list(pod("")) + "{}", 4, 1, "goes on"},
		"JSON with a comma too many":     {list(pod("") + ","), 3, 1, "value"},
		"JSON with a colon too few":      {"{\"items\" []}", 1, 10, ":"},
		"an item that is no JSON":        {list(pod("")+",", "{\"kind\":", " Pod}"), 4, 2, "JSON"},
		"an item of another type":        {list(pod(`,"status":{"phase":` + "\n7}")), 3, 1, "string"},
		"metadata of another type":       {list(pod("")+",", `{"kind":"Pod","metadata":"p"}`), 3, 28, `Metadata "string" is no struct`},
		"an item without a time":         {list(pod("")+",", `{"kind":"Pod","metadata":{"name":"p","namespace":"n"}}`), 3, 1, "items[1].metadata.creationTimestamp"},
		"a condition without a time":     {list(pod(`,"status":{"conditions":[{"type":"PodScheduled","status":"True"}]}`)), 2, 1, "lastTransitionTime"},
		"an item without a name":         {list(`{"kind":"Pod"}`), 2, 1, "namespace"},
		"an amount of no unit":           {list(pod(`,"spec":{"containers":[{"resources":{"requests":{"cpu":"2x"}}}]}`)), 2, 1, "cpu"},
		"an amount of an unknown unit":   {list(pod(`,"spec":{"containers":[{"resources":{"requests":{"cpu":"2Km"}}}]}`)), 2, 1, "unit"},
		"a control byte in a Pod":        {list(strings.Replace(pod(""), `"p"`, `"p\n"`, 1)), 2, 1, "0x0a"},
		"a Job that ends too early":      {list("", strings.Replace(pod(`,"status":{"completionTime":"2026-03-01T07:00:00Z"}`), "Pod", "Job", 1)), 3, 1, "began to wait"},
		"a checksum cut short":           {zipped(list(pod("")))[:len(zipped(list(pod(""))))-1], 3, 0, "broken"},
		"CPUs that are no number":        {"JobID|Submit|Start|End|AllocCPUS\n1|5|6|7|many\n", 2, 9, "decimal"},
		"an end without a time":          {list(pod(`,"status":{"phase":"Failed"}`)), 2, 1, "when"},
		"bound before it was made":       {list(pod(`,"status":{"conditions":[{"type":"PodScheduled","status":"True","lastTransitionTime":"2026-03-01T07:00:00Z"}]}`)), 2, 1, "began to wait"},
		"a Pod before a Workload":        {list(pod("")+",", strings.Replace(pod(""), "Pod", "Workload", 1)), 3, 1, "twice"},
		"a Job behind its Pod":           {list(strings.Replace(pod(""), `"name":"p"`, `"name":"p","ownerReferences":[{"uid":"u"}]`, 1)+",", strings.Replace(strings.Replace(pod(""), "Pod", "Job", 1), `"name":"p"`, `"name":"p","uid":"u"`, 1)), 3, 1, "behind"},
		"a parallelism of 400 digits":    {list(strings.Replace(pod(`,"spec":{"parallelism":`+strings.Repeat("9", 400)+`}`), "Pod", "Job", 1)), 2, 519, `Spec.Parallelism "number 999`},
		"a count of 400 digits":          {list(strings.Replace(pod(`,"spec":{"podSets":[{"count":`+strings.Repeat("9", 400)+`}]}`), "Pod", "Workload", 1)), 2, 1, `podSets[0].Count "number 999`},
		"a pod set that is none":         {list(strings.Replace(pod(`,"spec":{"podSets":[{},5]}`), "Pod", "Workload", 1)), 2, 1, `podSets[1] "number" is no struct`},
		"a negative time limit":          {list(pod(`,"spec":{"activeDeadlineSeconds":-5}`)), 2, 1, "time limit"},
		"a time limit without bounds":    {list(pod(`,"spec":{"activeDeadlineSeconds":1e300}`)), 2, 1, "time limit"},
		"items twice":                    {"{\"items\": [], \"items\": []}", 1, 15, "twice"},
		"items that are no list":         {"{\n\"items\": 5}", 2, 10, "no list"},
		"no comma between items":         {list(pod(""), pod("")), 3, 1, "comma"},
		"no JSON beside the items":       {"{\"items\": [],\n\"x\": {\"y\": [1 2]}}", 2, 15, "JSON"},
		"a word beside the items":        {"{\"x\": nil, \"items\": []}", 1, 8, "JSON"},
		"a brace too many":               {"{\"items\": []}\n}", 2, 1, "goes on"},
		"an item of 17 MiB":              {list(pod("")+",", pod(`,"x":"`+strings.Repeat("x", 17<<20)+`"`)), 3, 1, "longer"},
		"an item of 40 MiB":              {list(pod("")+",", pod(`,"x":"`+strings.Repeat("x", 40<<20)+`"`)), 3, 1, "longer"},
		"an amount too small":            {with(9, "cpu=1e-300"), 3, 1, "1e-300"},
		"a quantity too small":           {list(pod(`,"spec":{"containers":[{"resources":{"requests":{"cpu":"1e-300"}}}]}`)), 2, 1, "1e-300"},
		"an array too large":             {with(0, "7_[0-536870910,0-9]"), 3, 1, "counted"},
		"a table with a late end":        {"user,submit,tasks,run,start\na,0,1,1,0\na,0,1,1e60,5e59\n", 3, 7, "2^199"},
		"a log with a late end":          {"; x\n1 1e60 1e60 1e60 4 -1 -1 4 -1 -1 1 5 2 -1 1 -1 -1 -1\n", 2, 1, "2^199"},
		"UTF-16":                         {"\xff\xfe" + "J\x00o\x00b\x00", 1, 1, "UTF-16"},
		"UTF-16 without a mark":          {zipped("\x00J\x00o\x00b"), 1, 1, "UTF-16"},
		"UTF-16, the greater byte first": {"\xfe\xff\x00J", 1, 1, "UTF-16"},
		"a control byte in an id":        {with(0, "1\x01"), 3, 1, "0x01"},
		"a Workload beside a Pod":        {list(strings.Replace(pod(""), "Pod", "Workload", 1)+",", pod("")), 3, 1, "twice"},
		"a negative parallelism":         {list(strings.Replace(pod(`,"spec":{"parallelism":-1}`), "Pod", "Job", 1)), 2, 1, "parallelism"},
		"a table with an early start":    {"user,submit,tasks,run,start\na,10,1,1,10\na,10,1,1,9\n", 3, 10, "before"},
		"a table with an early end":      {"user,submit,tasks,run,start,end\na,10,1,1,12,11\n", 2, 13, "before the start"},
		"a wait that is no number":       {"; x\n1 0 soon 3600 4 -1 -1 4 7200 -1 1 5 2 -1 1 -1 -1 -1\n", 2, 5, "wait time"},
		"a file without starts":          {"user,submit,tasks,run\na,0,1,1\n", 1, 1, "start"},
		"a trace of bytes":               {lineA + "\n", 1, 1, "start"},
		"a compressed stream cut short":  {zipped(head + good)[:60], 1, 0, "broken"},
	} {
		var err error
		_, err = joblog.ReadJobs(strings.NewReader(c.text), joblog.ReadOptions{Strict: true})
		for _, e := range eachSpan(strings.NewReader(c.text), joblog.ReadOptions{Strict: true}) {
			if e != nil {
				err = e // where it differs it is of what no span needs
			}
		}
		var pe *joblog.ParseError
		if !errors.As(err, &pe) || !errors.Is(err, schedmath.ErrInput) || pe.Line != c.line || pe.Column != c.column || !strings.Contains(err.Error(), c.words) || len(err.Error()) > 400 {
			t.Errorf("%s: error %.400v, want a *ParseError at line %d, column %d with %q", name, err, c.line, c.column, c.words)
		}
	}
	broken := errors.New("broken pipe")
	for _, text := range []string{head + good, list(pod(""))} {
		var err error
		for _, err = range eachSpan(io.MultiReader(strings.NewReader(text[:len(text)-3]), iotest.ErrReader(broken)), joblog.ReadOptions{}) {
		}
		if !errors.Is(err, broken) || errors.Is(err, schedmath.ErrInput) {
			t.Errorf("a reader that fails: %v, want its error", err)
		}
	}
	for _, text := range []string{tinySWF, "", list(pod(""))} {
		once := &failsOnce{strings.NewReader(text), broken}
		if log, err := joblog.ReadJobs(once, joblog.ReadOptions{}); !errors.Is(err, broken) || errors.Is(err, schedmath.ErrInput) {
			t.Errorf("a reader that fails once behind %q: %v, %v, want its error", text, log.Jobs, err)
		}
	}
	for _, err := range eachSpan(nil, joblog.ReadOptions{}) {
		expect.InputError(t, "EachSpan(nil)", err, "joblog.EachSpan", "r", -1)
	}
	if _, err := read(strings.NewReader(strings.ReplaceAll(with(9, "cpu=100"), "cpu=1|01", "cpu=9|01")), joblog.ReadOptions{MaxTasks: 50}); err == nil || !strings.Contains(err.Error(), "MaxTasks") {
		t.Errorf("more tasks than MaxTasks: %v", err)
	}
}

// A caller may stop at any span.
func TestEachSpanStops(t *testing.T) {
	for _, name := range []string{"sacct.txt", "workloads.json", "jobs-pods.json", "log.csv", "log.swf"} {
		n := 2
		log, err := joblog.EachSpan(bytes.NewReader(sample(t, name)), func(joblog.Span) bool { n--; return n > 0 }, joblog.ReadOptions{})
		if n != 0 || err != nil || name == "log.swf" && log.MaxProcs != 24 {
			t.Errorf("%s: EachSpan = %+v, error %v, with %d spans to go", name, log, err, n)
		}
	}
}

// Jobs that are passed over, that ended before they ran, and amounts that lists hide.
func TestOddJobs(t *testing.T) {
	const sacct, item = "JobIDRaw|State|Eligible|Start|End|AllocTRES|ReqTRES|AllocCPUS\n", `{"items": [{"kind": "Pod", "metadata": {"name": "p", "namespace": "n", "creationTimestamp": "1970-01-01T00:00:10Z"}, `
	for name, c := range map[string]struct {
		text string
		want []float64 // From, Start, End, Amount; nil: no span
	}{
		"another cluster's":         {sacct + "7|REVOKED|10|20|30|cpu=2|cpu=2|2\n", nil},
		"a step":                    {sacct + "7.batch|COMPLETED|10|20|30|cpu=2||2\n", nil},
		"cancelled while it waited": {sacct + "7|CANCELLED by 5|10|30|30||cpu=2|0\n", []float64{10, inf, 30, 2}},
		"cancelled while it ran":    {sacct + "7|CANCELLED by 5|10|20|30|cpu=3|cpu=2|2\n", []float64{10, 20, 30, 3}},
		"nothing asked for":         {sacct + "7|COMPLETED|10|20|30|||\n", []float64{10, 20, 30, 0}},
		"inactive":                  {strings.Replace(item, "Pod", "Workload", 1) + `"spec": {"active": false, "podSets": [{"count": 3}]}}]}`, nil},
		"in units of 1024":          {item + `"spec": {"containers": [{"resources": {"requests": {"cpu": "2Ki"}}}, {"resources": {"requests": {"cpu": "1k"}}}]}}]}`, []float64{10, inf, inf, 3048}},
		"with a sidecar": {item + `"spec": {"overhead": {"cpu": "250m"}, "initContainers": [{"resources": {"requests": {"cpu": 1}}}, {"restartPolicy": "Always", "resources": {"requests": {"cpu": "500m"}}}, {"resources": {"requests": {"cpu": 2}}}],
			"containers": [{"resources": {"requests": {"cpu": 1}}}]}}]}`, []float64{10, inf, inf, 2.75}},
		"with a sidecar, later": {item + `"spec": {"initContainers": [{"restartPolicy": "Always", "resources": {"requests": {"cpu": "500m"}}}], "containers": [{"resources": {"requests": {"cpu": 4}}}]}}]}`, []float64{10, inf, inf, 4.5}},
		"by its containers": {item + `"spec": {"initContainers": [{"resources": {"requests": {"cpu": "2500m"}}}], "containers": [{"resources": {"requests": {"cpu": 1}}}, {"resources": {"limits": {"cpu": "1"}}}]},
			"status": {"phase": "Succeeded", "conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": "1970-01-01T00:00:20Z"}, {"type": "Ready", "status": "False", "lastTransitionTime": "1970-01-01T00:00:40Z"}],
			"containerStatuses": [{"state": {"terminated": {"finishedAt": "1970-01-01T00:00:25Z"}}}, {"state": {"terminated": {"finishedAt": "1970-01-01T00:00:30Z"}}}]}}]}`, []float64{10, 20, 30, 2.5}},
	} {
		log, spans := spansOf(t, []byte(c.text), joblog.ReadOptions{})
		var got []float64
		for _, s := range spans {
			got = append(got, s.From, s.Start, s.End, s.Amount)
		}
		if !cmp.Equal(got, c.want) || log.Cancelled > 0 != (name == "cancelled while it ran") {
			t.Errorf("%s: %v, %d cancelled, want %v", name, got, log.Cancelled, c.want)
		}
	}
}

// Jobs of sacct, written as SWF and read again, are the same jobs: every decision of the model is.
func TestSacctByWayOfSWFKeepsEveryDecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		users := rapid.IntRange(1, 3).Draw(t, "users")
		var sacct, swf strings.Builder
		sacct.WriteString("JobID|User|Submit|Start|End|AllocCPUS|Timelimit\n")
		swf.WriteString("; MaxProcs: 16\n")
		submit, first := 0, -1
		for i := range rapid.IntRange(1, 20).Draw(t, "jobs") {
			submit += rapid.IntRange(0, 400).Draw(t, "gap")
			u, wait := rapid.IntRange(0, users-1).Draw(t, "user"), rapid.IntRange(0, 500).Draw(t, "wait")
			run, cpus, minutes := rapid.IntRange(0, 1000).Draw(t, "run"), rapid.IntRange(1, 16).Draw(t, "cpus"), rapid.IntRange(0, 20).Draw(t, "limit")
			at := func(s int) string { return time.Unix(1772352000+int64(s), 0).UTC().Format("2006-01-02T15:04:05") }
			fmt.Fprintf(&sacct, "%d|u%d|%s|%s|%s|%d|00:%02d:00\n", i, u, at(submit), at(submit+wait), at(submit+wait+run), cpus, minutes)
			if first < 0 {
				first = submit
			}
		}
		log, err := read(strings.NewReader(sacct.String()), joblog.ReadOptions{})
		expect.Must(t, err)
		for i, s := range log.Spans {
			j := log.Jobs[s.Job]
			fmt.Fprintf(&swf, "%d %v %v %v %d -1 -1 %d %v -1 1 %d -1 -1 -1 -1 -1 -1\n", i, s.From-log.Origin, s.Start-s.From, s.End-s.Start, j.Maps.Tasks, j.Maps.Tasks, j.Requested, j.User)
		}
		again, err := read(strings.NewReader(swf.String()), joblog.ReadOptions{})
		expect.Must(t, err)
		if d := cmp.Diff(log.Jobs, again.Jobs); d != "" {
			t.Fatal(d)
		}
		for i := range again.Spans {
			again.Spans[i].Name, again.Spans[i].User = log.Spans[i].Name, log.Spans[i].User
			for _, x := range []*float64{&again.Spans[i].From, &again.Spans[i].Start, &again.Spans[i].End} {
				*x += log.Origin
			}
		}
		if d := cmp.Diff(log.Spans, again.Spans); d != "" {
			t.Fatal(d)
		}
		for _, p := range []slotmodel.Policy{policy.FIFO{}, new(policy.Backfill), new(policy.Fair)} {
			cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 16, Reduces: 1}}}
			a, err := slotmodel.Run(cluster, log.Jobs, p, slotmodel.Options{Hash: true})
			expect.Must(t, err)
			b, err := slotmodel.Run(cluster, again.Jobs, p, slotmodel.Options{Hash: true})
			expect.Must(t, err)
			if a.Hash != b.Hash {
				t.Fatalf("%T: event logs differ", p)
			}
		}
	})
}

// FuzzEachSpan: any bytes give spans whose times are in order, or an error of this package; and
// what ReadJobs takes of them is the same.
func FuzzEachSpan(f *testing.F) {
	for _, name := range []string{"sacct.txt", "live.txt", "workloads.json", "jobs-pods.json", "log.csv", "log.swf"} {
		f.Add(sample(f, name))
		f.Add([]byte(zipped(string(sample(f, name)))))
	}
	f.Add([]byte("JobID|Submit|Start|End|AllocCPUS|TimelimitRaw\n1+0_[1]|0|1e60|1e60|.5|UNLIMITED\n"))
	f.Add([]byte(`{"items":[1,"x\"",null,true]} `))
	f.Fuzz(func(t *testing.T, text []byte) {
		var spans []span
		for s, err := range eachSpan(limited(text), joblog.ReadOptions{}) {
			if err != nil {
				onlyParseErrors(t, err)
				return
			}
			if !(s.From >= -0x1p200 && s.From <= 0x1p201) || !(s.Start >= s.From && s.End >= s.From) || s.End < s.Start && s.Start < inf || !(s.Amount >= 0 && s.Amount < 0x1p300) {
				t.Fatalf("span %+v", s)
			}
			spans = append(spans, spanOf(s, -1))
		}
		log, err := read(limited(text), joblog.ReadOptions{})
		if err != nil {
			onlyParseErrors(t, err) // more tasks than it takes
			return
		}
		if d := cmp.Diff(log.Spans, spans, cmpopts.IgnoreFields(span{}, "Job"), cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
}

// What is passed over in a list of Kubernetes leaves nothing in memory, its line ends neither.
func TestPassedOverMemory(t *testing.T) {
	const member, members = 1 << 20, 16
	parts := []io.Reader{strings.NewReader("{")}
	for range members {
		parts = append(parts, strings.NewReader(`"other":[`+strings.Repeat("\n", member)+"],"))
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	parts = append(parts, readerFunc(func(p []byte) (int, error) {
		runtime.GC()
		runtime.ReadMemStats(&after)
		return copy(p, `"items":[{"kind":1}]}`), io.EOF
	}))
	_, err := read(io.MultiReader(parts...), joblog.ReadOptions{})
	if want := fmt.Sprintf("line %d, column ", members*member+1); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("ReadJobs: %v, want an error in %s", err, want)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 4*members*member {
		t.Errorf("the reader holds %d bytes behind %d line ends", grown, members*member)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
