package whatif_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/whatif"
	"github.com/schedmath/schedmath/internal/oracle/golden"
)

var columns = []string{"policy", "jobs", "mean_sojourn", "p50", "p95", "p99", "max", "mean_slowdown", "worst_tenth", "bounded_slowdown", "later_than_ps"}

// tiny is Figure 1 of HFSP as a trace, with a job of no bytes at 50 s. Under d/n 4 and load 1 bytes
// are seconds.
const tiny = "a\t0\t0\t30\t0\t0\nb\t10\t10\t2\t1\t3\nc\t15\t5\t0\t2\t0\nd\t50\t35\t0\t0\t0\n"

// tinyRows are worked out by hand. Finish times of a, b, c: FIFO 30, 40, 50; PS 50, 37.5, 42.5;
// LAS 50, 30, 30; the others 50, 20, 30. d takes no time. Percentiles interpolate between the four
// ascending sojourns: p95 at place 2.85, p99 at 2.97. The worst tenth is the largest. Sizes are 30, 10
// and 10, so that a bounded slowdown is another one for d alone, of which it is 1.
var tinyRows = map[string][]float64{
	"fifo": {4, 95.0 / 4, 30, 30 + 0.85*5, 30 + 0.97*5, 35, (1 + 3 + 3.5) / 3, 35, (1 + 3 + 3.5 + 1) / 4, 2},
	"ps":   {4, 105.0 / 4, 27.5, 27.5 + 0.85*22.5, 27.5 + 0.97*22.5, 50, (50.0/30 + 2.75 + 2.75) / 3, 50, (50.0/30 + 2.75 + 2.75 + 1) / 4, 0},
	"las":  {4, 85.0 / 4, 17.5, 20 + 0.85*30, 20 + 0.97*30, 50, (50.0/30 + 2 + 1.5) / 3, 50, (50.0/30 + 2 + 1.5 + 1) / 4, 0},
	"srpt": {4, 75.0 / 4, 12.5, 15 + 0.85*35, 15 + 0.97*35, 50, (50.0/30 + 1 + 1.5) / 3, 50, (50.0/30 + 1 + 1.5 + 1) / 4, 0},
}

func init() {
	for _, name := range []string{"spt", "fsp", "fsp-fifo", "fsp-las", "fsp-next"} {
		tinyRows[name] = tinyRows["srpt"]
	}
}

// rounding is what a few operations of float64 may differ from the exact numbers, relative.
const rounding = 1e-14

func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = whatif.Main(args, &out, &errs)
	return out.String(), errs.String(), code
}

func trace(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "trace.tsv")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// parseTSV returns the cells of each row by policy, in order.
func parseTSV(t *testing.T, text string) (names []string, rows map[string][]float64) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if got := strings.Split(lines[0], "\t"); !slices.Equal(got, append(columns[:len(columns):len(columns)], "unended", "never_run", "machines", "server_load")) {
		t.Fatalf("the header is %q, want %q", got, columns)
	}
	rows = map[string][]float64{}
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		names = append(names, cells[0])
		for _, cell := range cells[1:len(columns)] {
			x, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatalf("row %q: %v", line, err)
			}
			rows[cells[0]] = append(rows[cells[0]], x)
		}
	}
	return names, rows
}

func TestTiny(t *testing.T) {
	args := []string{"-trace", trace(t, tiny), "-dn", "4", "-load", "1", "-sigma", "0", "-seed", "1"}
	out, errs, code := run(t, append(args, "-format", "tsv")...)
	if code != 0 || errs != "" {
		t.Fatalf("whatif %q = %d and printed %q", args, code, errs)
	}
	names, rows := parseTSV(t, out)
	if want := strings.Split("fifo,ps,las,srpt,spt,fsp,fsp-fifo,fsp-las,fsp-next", ","); !slices.Equal(names, want) {
		t.Errorf("the rows are %q, want %q", names, want)
	}
	for name, want := range tinyRows {
		for k, x := range rows[name] {
			if math.Abs(x-want[k]) > rounding*want[k] {
				t.Errorf("%s: %s = %v, want %v", name, columns[k+1], x, want[k])
			}
		}
	}

	out, _, _ = run(t, append(args, "-format", "json", "-policies", "ps, srpt")...)
	var d struct{ Rows []map[string]any }
	err := json.Unmarshal([]byte(out), &d)
	objects := d.Rows
	if err != nil || len(objects) != 2 {
		t.Fatalf("-format json gives %q: %v, want two objects", out, err)
	}
	for i, name := range []string{"ps", "srpt"} {
		if objects[i]["policy"] != name || len(objects[i]) != len(columns)+4 || objects[i]["machines"] != nil || objects[i]["server_load"] != 1.0 {
			t.Errorf("object %d is %v, want policy %s %d columns and a load of 1", i, objects[i], name, len(columns)+4)
		}
		for k, x := range rows[name] {
			if objects[i][columns[k+1]] != x {
				t.Errorf("%s in JSON: %s = %v, in TSV %v", name, columns[k+1], objects[i][columns[k+1]], x)
			}
		}
	}

	out, _, _ = run(t, args...)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 14 || !strings.Contains(lines[0], "trace.tsv: 4 jobs") || !strings.Contains(lines[1], "load") || !slices.Equal(strings.Fields(lines[2]), slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return c == "mean_slowdown" })) {
		t.Fatalf("-format text gives\n%s", out)
	}
	if got, want := strings.Join(strings.Fields(lines[6]), " "), "srpt 4 18.75 12.5 44.75 48.95 50 50 1.292 0"; got != want {
		t.Errorf("-format text gives the row %q, want %q", got, want)
	}
}

func TestNoSizes(t *testing.T) {
	name := trace(t, "a\t0\t0\t0\t0\t0\nb\t10\t10\t5\t0\t0\n")
	out, _, code := run(t, "-trace", name, "-policies", "las", "-format", "tsv")
	if _, rows := parseTSV(t, out); code != 0 || rows["las"][0] != 2 || rows["las"][6] != 1 {
		t.Errorf("a job of size 0 beside one alone: %q, want 2 jobs, mean slowdown 1", out)
	}
}

// Under-estimates make FIFO-served late jobs block others; the count agrees between formats and is
// of jobs, so between 0 and all.
func TestErrorsMakeJobsLater(t *testing.T) {
	count := func(sigma string) float64 {
		out, errs, code := run(t, "-quick", "-sigma", sigma, "-policies", "fsp-fifo,ps", "-format", "tsv")
		if code != 0 {
			t.Fatalf("-sigma %s: %s", sigma, errs)
		}
		_, rows := parseTSV(t, out)
		if rows["ps"][9] != 0 || rows["ps"][0] != 2000 {
			t.Errorf("ps beside itself: %v, want 2000 jobs and none later", rows["ps"])
		}
		return rows["fsp-fifo"][9]
	}
	if exact, wrong := count("0"), count("1"); exact != 0 || wrong <= 0 || wrong > 2000 {
		t.Errorf("jobs later than under PS: %v with exact sizes, %v with sigma 1, want 0 and some", exact, wrong)
	}
}

func TestFiles(t *testing.T) {
	name := trace(t, tiny)
	write := func() map[string]string {
		dir := filepath.Join(t.TempDir(), "new")
		table, _, code := run(t, "-trace", name, "-load", "1", "-out", dir, "-format", "tsv")
		files := map[string]string{"stdout": table}
		for _, f := range []string{"whatif-policies.tsv", "whatif-load.tsv"} {
			b, err := os.ReadFile(filepath.Join(dir, f))
			if code != 0 || err != nil {
				t.Fatalf("whatif -out = %d, %v", code, err)
			}
			files[f] = string(b)
		}
		return files
	}
	a, b := write(), write()
	for f := range a {
		if a[f] != b[f] {
			t.Errorf("%s differs between two runs", f)
		}
	}
	if a["whatif-policies.tsv"] != a["stdout"] {
		t.Error("the file and -format tsv differ")
	}
}

// With exact sizes FSP delays no job beyond PS, and SRPT has the least mean sojourn time: two
// theorems about one server, on the synthetic day.
func TestTheorems(t *testing.T) {
	out, errs, code := run(t, "-format", "tsv")
	if code != 0 {
		t.Fatal(errs)
	}
	_, rows := parseTSV(t, out)
	for policy, row := range rows {
		if strings.HasPrefix(policy, "fsp") && row[9] != 0 {
			t.Errorf("%v jobs end later under %s than under ps, want none", row[9], policy)
		}
		if least := rows["srpt"][1]; row[1] < least*(1-1e-12) {
			t.Errorf("%s has the mean %v, less than srpt's %v", policy, row[1], least)
		}
	}
}

func TestBadFlags(t *testing.T) {
	good := trace(t, tiny)
	notDir := filepath.Join(good, "below")
	for _, args := range [][]string{
		{"-trace", filepath.Join(t.TempDir(), "none")},
		{"-trace", t.TempDir()},
		{"-trace", trace(t, "a\t0\t0\t1\t2\n")},
		{"-trace", trace(t, "a\t0\t0\t1\t2\tx\n")},
		{"-trace", trace(t, "")},
		{"-trace", trace(t, "a\t0\t0\t0\t0\t0\n")},
		{"-trace", good + "x"}, {"-trace", ""}, {"-out", ""}, {"-format", ""},
		{"-dn", "-1"}, {"-dn", "NaN"}, {"-dn", "Inf"}, {"-load", "0"}, {"-load", "nan"}, {"-sigma", "-0.5"}, {"-sigma", "NaN"},
		{"-policies", "fifo,nosuch"}, {"-policies", ""}, {"-policies", "ps,ps"}, {"-policies", "ps,"},
		{"-format", "xml"}, {"-seed", "x"}, {"-nosuch"}, {"stray"},
		{"-trace", good, "-out", notDir}, {"-html", ""}, {"-trace", good, "-html", filepath.Join(notDir, "x.html")}, {"-trace", good, "-html", t.TempDir()},
		{"-machines", "-1"}, {"-machines", "100001"}, {"-machines", "x"},
	} {
		out, errs, code := run(t, args...)
		if code != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "schedmath whatif: ") {
			t.Errorf("whatif %q = %d, stdout %q, stderr %q, want 2 and one line on stderr", args, code, out, errs)
		}
	}
	if _, errs, _ := run(t, "-trace", trace(t, "a\t0\t0\t1\t2\t3\nb\t1\t1\t1\tx\t3\n")); !strings.Contains(errs, "line 2, column 9") {
		t.Errorf("a broken trace gives %q, want its line and column", errs)
	}
	out, errs, code := run(t, "--help")
	for _, want := range append(columns[2:len(columns):len(columns)], "-trace", "-policies", "-format", "-out", "-quick", "interpolated", "fsp-next", "-html", "-machines", "SWF") {
		if code != 0 || errs != "" || !strings.Contains(out, want) {
			t.Errorf("whatif --help = %d, stderr %q, want 0 and %q on stdout", code, errs, want)
		}
	}
}

// The means of the paper's trace, with exact sizes, to the digits that a public simulator prints.
func TestFacebookTraces(t *testing.T) {
	const printed = 1e-5
	for file, want := range map[string]map[string]float64{
		"FB-2010_samples_24_times_1hr_0.tsv": {"fifo": 1933.911427, "ps": 27.748637, "srpt": 9.792529, "fsp": 10.381256, "fsp-fifo": 10.381256, "las": 17.395701},
		"FB-2009_samples_24_times_1hr_0.tsv": {"fifo": 11135.459237, "ps": 75.171077, "srpt": 32.486367, "fsp": 32.843027, "las": 49.089941},
	} {
		name := golden.Trace(t, "data/swim/"+file)
		out, errs, code := run(t, "-trace", name, "-format", "tsv")
		if code != 0 {
			t.Fatalf("whatif -swim %s: %s", name, errs)
		}
		_, rows := parseTSV(t, out)
		for policy, mean := range want {
			if got := rows[policy][1]; math.Abs(got-mean) > printed*mean {
				t.Errorf("%s: mean_sojourn of %s = %v, want %v", file, policy, got, mean)
			}
		}
		for policy, row := range rows {
			if strings.HasPrefix(policy, "fsp") && row[9] != 0 {
				t.Errorf("%s: later_than_ps of %s = %v, want 0", file, policy, row[9])
			}
		}
	}
}
