package figures_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/schedmath/schedmath/examples/internal/circumflex"
	"github.com/schedmath/schedmath/examples/internal/dynamicshare"
	"github.com/schedmath/schedmath/examples/internal/dynprio"
	"github.com/schedmath/schedmath/examples/internal/figures"
	"github.com/schedmath/schedmath/examples/internal/hfsp"
	"github.com/schedmath/schedmath/examples/internal/shufflewatcher"
)

type program func(args []string, stdout, stderr io.Writer) int

// files runs a program and returns what it wrote into its directory.
func files(t *testing.T, main program, args ...string) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	var out, errs bytes.Buffer
	if code := main(append(args, "-out", dir), &out, &errs); code != 0 {
		t.Fatalf("%q = %d and printed %q", args, code, errs.String())
	}
	if lines := strings.Count(out.String(), "\n"); lines != 1 || !strings.Contains(out.String(), dir) {
		t.Errorf("%q printed %q, want one line that says where the files are", args, out.String())
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got[e.Name()] = string(b)
	}
	told(t, got, errs.String())
	return got
}

// told checks that stderr has a line for each picture.
func told(t *testing.T, files map[string]string, stderr string) {
	t.Helper()
	pictures := 0
	for name := range files {
		if figure, ok := strings.CutSuffix(name, ".svg"); ok {
			pictures++
			if !strings.Contains(stderr, ": "+figure+" (") {
				t.Errorf("no line on stderr tells of %s: %q", figure, stderr)
			}
		}
	}
	if lines := strings.Count(stderr, "\n"); lines != pictures {
		t.Errorf("stderr has %d lines, want one for each of %d pictures: %q", lines, pictures, stderr)
	}
}

// cheap are figures that are made in no time.
const cheap = "circumflex-fig2"

func TestList(t *testing.T) {
	var want []string
	for paper := range columns {
		for item := range columns[paper] {
			want = append(want, paper+"-"+item)
		}
	}
	want = append(want, "whatif-policies", "whatif-errors")
	list := func(args ...string) []string {
		var out, errs bytes.Buffer
		if code := figures.Main(append(args, "-list", "-out", "none"), &out, &errs); code != 0 || errs.Len() > 0 {
			t.Fatalf("figures -list %q = %d and printed %q", args, code, errs.String())
		}
		return strings.Fields(out.String())
	}
	got := list()
	if got[0] != "hfsp-fig1" || got[len(got)-1] != "whatif-errors" {
		t.Errorf("figures -list starts with %s and ends with %s, want the order of the page", got[0], got[len(got)-1])
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("figures -list printed %q, want %q", got, want)
	}
	if got, want := list("-only", "hfsp-fig2"), []string{"hfsp-fig2a", "hfsp-fig2b", "hfsp-fig2c"}; !slices.Equal(got, want) {
		t.Errorf("figures -list -only hfsp-fig2 printed %q, want %q", got, want)
	}
	if _, err := os.Stat("none"); err == nil {
		t.Error("figures -list made a directory")
	}
}

// TestOnly: the named figures alone are made, as in a whole run, and what an earlier run left stays.
func TestOnly(t *testing.T) {
	got := files(t, figures.Main, "-quick", "-only", cheap, "-png")
	if want := []string{cheap + ".png", cheap + ".svg", cheap + ".tsv"}; !slices.Equal(names(got), want) {
		t.Errorf("figures -only %s -png wrote %q, want %q", cheap, names(got), want)
	}
	if config, err := png.DecodeConfig(strings.NewReader(got[cheap+".png"])); err != nil || config.Width != 960 {
		t.Errorf("%s.png is %d pixels wide, %v, want 960", cheap, config.Width, err)
	}
	dir := t.TempDir()
	for _, name := range []string{"index.html", "claims.tsv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("earlier"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	if code := figures.Main([]string{"-only", cheap, "-out", dir}, &out, &errs); code != 0 {
		t.Fatalf("figures -only %s = %d and printed %q", cheap, code, errs.String())
	}
	for _, name := range []string{"index.html", "claims.tsv"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != "earlier" {
			t.Errorf("figures -only left %q in %s, %v, want what was there", b, name, err)
		}
	}
}

// TestWrittenAsDone: a picture is on disk when the line about it comes, and the page comes last.
func TestWrittenAsDone(t *testing.T) {
	dir := t.TempDir()
	lines := 0
	check := writer(func(line []byte) {
		lines++
		name, _, _ := strings.Cut(strings.TrimPrefix(string(line), "figures: "), " ")
		if _, err := os.Stat(filepath.Join(dir, name+".svg")); err != nil {
			t.Errorf("at the line %q: %v", line, err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2*lines {
			t.Errorf("at the line %q there are %d files, %v, want %d", line, len(entries), err, 2*lines)
		}
	})
	if code := figures.Main([]string{"-quick", "-only", "circumflex-fig1", "-out", dir}, io.Discard, check); code != 0 || lines != 1 {
		t.Errorf("figures = %d after %d lines, want 0 and 1", code, lines)
	}
	lines, dir = 0, t.TempDir()
	if code := figures.Main([]string{"-quick", "-only", "whatif", "-out", dir}, io.Discard, check); code != 0 || lines != 2 {
		t.Errorf("figures = %d after %d lines, want 0 and 2", code, lines)
	}
}

// A writer calls itself with each line.
type writer func(line []byte)

func (w writer) Write(line []byte) (int, error) {
	w(line)
	return len(line), nil
}

func names(files map[string]string) []string {
	var list []string
	for name := range files {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// hfspColumns are the columns of the numbers of each figure that hfsp draws.
var hfspColumns = map[string]string{
	"fig1":        "policy job arrival size start end usage_percent finish",
	"fig2a":       "x sigma_0.125 sigma_0.25 sigma_0.5 sigma_1",
	"fig2b":       "policy sigma seeds median p25 p75 p5 p95 min max",
	"fig2c":       "policy sigma seeds median p25 p75 p5 p95 min max",
	"table2":      "workload policy seeds mean_sojourn_s mean_sojourn_ci95 mean_load mean_load_ci95 ratio_to_fair ratio_ci95 local_maps published_sojourn_s published_load published_ratio",
	"fig3a":       "share hfsp_s fair_s hfsp_first_seed_s fair_first_seed_s",
	"fig3b":       "share hfsp_s fair_s hfsp_first_seed_s fair_first_seed_s",
	"fig3c":       "policy time_h pending_jobs",
	"fig4":        "share map_work_s reduce_work_s map_hfsp_s reduce_hfsp_s map_fair_s reduce_fair_s",
	"fig5":        "error map_ecdf reduce_ecdf map_fit_cdf reduce_fit_cdf map_paper_cdf reduce_paper_cdf",
	"ablation":    "workload policy seeds mean_sojourn_s mean_ci95 ratio_to_fair ratio_ci95 work_lost",
	"drivers":     "long_tasks map_load reduce_load policy seeds mean_sojourn_s mean_ci95 ratio_to_fair ratio_ci95",
	"assumptions": "assumption policy seeds mean_sojourn_s mean_ci95 ratio_to_fair ratio_ci95 mean_load fair_hours_over_hfsp",
	"fine":        "tasks_per_job seeds mean_difference mean_ci95 largest_difference largest_ci95 within_two_tasks",
	"gantt":       "policy slot kind job start_s end_s",
}

// circumflexColumns are those of the figures of circumflex.
var circumflexColumns = map[string]string{
	"fig1":       "job dataset arrival window_end wait scan_end concurrency",
	"fig2":       "dataset time block driver riders concurrency",
	"fig3":       "subjob work_blocks concurrency members completes min_slots max_slots",
	"fig4":       "subjob blocks members completes before",
	"fig5a":      "correlation scheme repetitions ratio_to_flex sd average_response_min published_ratio",
	"fig5b":      "correlation repetitions circumflex_work_ratio circumflex_sd batch_work_ratio batch_sd circumflex_concurrency circumflex_all_runs circumflex_crowd batch_largest batch_all_runs",
	"fig6a":      "theta1 theta2 correlation repetitions circumflex_to_flex circumflex_sd batch_to_flex batch_sd circumflex_work_ratio batch_work_ratio flex_value",
	"fig6b":      "theta1 theta2 correlation repetitions circumflex_to_flex circumflex_sd batch_to_flex batch_sd circumflex_work_ratio batch_work_ratio flex_value",
	"fig6c":      "theta1 theta2 correlation repetitions circumflex_to_flex circumflex_sd batch_to_flex batch_sd circumflex_work_ratio batch_work_ratio flex_value",
	"fig7":       "time response_time tardy tardiness lateness sla",
	"fig8":       "subjob slots start end",
	"fig9":       "run block driver job offset partitions",
	"slots":      "max_slots correlation repetitions circumflex_to_flex circumflex_sd batch_to_flex batch_sd batch_sum_to_flex batch_sum_sd",
	"load":       "load scheme repetitions average_response_min work_of_capacity last_end_min",
	"fraction":   "fraction repetitions circumflex_to_flex batch_to_flex circumflex_work_ratio batch_work_ratio flex_response_min",
	"sums":       "objective max_slots instances least_total generalised_smith smith_by_subjob lawler_for_maximum mean_factor largest_factor",
	"semishared": "max_slots objective shared shared_bound shared_exact unshared unshared_bound unshared_exact order_method",
}

// columns are those of the figures of each paper.
var columns = map[string]map[string]string{"hfsp": hfspColumns, "circumflex": circumflexColumns, "dynamicshare": dynamicshareColumns(), "dynprio": dynprioColumns, "shufflewatcher": shuffleColumns}

// exactItems are figures whose claims follow from theory or from exact numbers, whatever the workload.
var exactItems = []string{"hfsp fig1", "hfsp fine", "circumflex fig2", "circumflex fig3", "circumflex fig4", "circumflex fig7", "circumflex fig8", "circumflex fig9",
	"circumflex semishared", "dynprio fig1", "dynprio clusters", "shufflewatcher fig5", "shufflewatcher fig7", "whatif errors", "whatif policies"}

// needsSeeds is a claim of these that the five seeds of a quick run do not settle: each is about one job.
const needsSeeds = "the worst job of a seed comes nearer, too"

// filesOf are the files that the example of a paper writes, in order.
func filesOf(paper string) []string {
	list := []string{"claims.tsv"}
	for item := range columns[paper] {
		list = append(list, paper+"-"+item+".svg", paper+"-"+item+".tsv")
	}
	slices.Sort(list)
	return list
}

// TestFigures compares a run on one processor with runs of the papers' own programs on two.
func TestFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("long: draws every figure")
	}
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	one := files(t, figures.Main, "-quick")
	runtime.GOMAXPROCS(2)
	two := files(t, figures.Main, "-quick", "-only", "whatif")
	for paper, main := range map[string]program{"hfsp": hfsp.Main, "circumflex": circumflex.Main, "dynamicshare": dynamicshare.Main, "dynprio": dynprio.Main, "shufflewatcher": shufflewatcher.Main} {
		got := files(t, main, "-quick")
		alone(t, paper, got)
		page := untimed("claims.tsv", one["claims.tsv"])
		for row := range strings.Lines(untimed("claims.tsv", got["claims.tsv"])) {
			if !strings.Contains(page, row) {
				t.Errorf("%s alone has the claim %q, the page has not", paper, row)
			}
		}
		delete(got, "claims.tsv")
		maps.Copy(two, got)
	}
	want := append([]string{"index.html", "whatif-errors.svg", "whatif-errors.tsv", "whatif-policies.svg", "whatif-policies.tsv"}, filesOf("hfsp")...)
	want = slices.Concat(want, filesOf("circumflex"), filesOf("dynamicshare"), filesOf("dynprio"), filesOf("shufflewatcher"))
	slices.Sort(want)
	want = slices.Compact(want)
	if got := names(one); !slices.Equal(got, want) {
		t.Errorf("figures wrote %q, want %q", got, want)
	}
	for name := range one {
		if name != "index.html" && name != "claims.tsv" && untimed(name, one[name]) != untimed(name, two[name]) {
			t.Errorf("%s differs between two runs with one and two processors", name)
		}
		if strings.HasSuffix(name, ".svg") || name == "index.html" {
			wellFormed(t, name, one[name])
		}
		if strings.HasSuffix(name, ".tsv") {
			rectangular(t, name, one[name])
		}
		for _, bad := range []string{"NaN", "Inf", t.TempDir()} {
			if strings.Contains(one[name], bad) {
				t.Errorf("%s holds %q", name, bad)
			}
		}
	}
	claims(t, one["claims.tsv"])
	for _, want := range []string{"<svg ", "Figure 1", "Figure 2(c)", "Figure 6(c)", "the synthetic day of seed 1", "drawn from seed 1"} {
		if !strings.Contains(one["index.html"], want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for name, change := range map[string]bool{"hfsp-fig1.svg": false, "hfsp-fig2b.tsv": true, "hfsp-fine.tsv": true,
		"circumflex-fig2.svg": false, "circumflex-load.tsv": true, "circumflex-sums.tsv": true,
		"dynamicshare-fig8.tsv": true, "dynamicshare-fig12.tsv": true, "dynamicshare-best.tsv": true, "dynamicshare-ci.tsv": true,
		"dynprio-gaming.tsv": false, "dynprio-fig10.tsv": true, "dynprio-day.tsv": true, "shufflewatcher-fig7.tsv": false, "shufflewatcher-table3.tsv": true} {
		figure, _, _ := strings.Cut(name, ".")
		other := files(t, figures.Main, "-quick", "-seed", "2", "-only", figure)
		if other[name] == "" || (other[name] != one[name]) != change {
			t.Errorf("%s with another seed: changes %v, want %v", name, other[name] != one[name], change)
		}
	}
}

// wellFormed parses a document and looks for what would make it depend on another file or on a script.
func wellFormed(t *testing.T, name, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	ids := map[string]bool{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("%s is not well-formed: %v", name, err)
			return
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if slices.Contains([]string{"script", "link", "iframe", "img", "image", "object"}, e.Name.Local) {
			t.Errorf("%s holds a <%s>", name, e.Name.Local)
		}
		for _, a := range e.Attr {
			if (a.Name.Local == "href" || a.Name.Local == "src") && !strings.HasPrefix(a.Value, "#") {
				t.Errorf("%s loads or links %q", name, a.Value)
			}
			if a.Name.Local == "id" && ids[a.Value] {
				t.Errorf("%s has the id %q twice", name, a.Value)
			} else if a.Name.Local == "id" {
				ids[a.Value] = true
			}
		}
	}
}

func rectangular(t *testing.T, name, text string) [][]string {
	t.Helper()
	var rows [][]string
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		rows = append(rows, cells)
		if len(cells) != len(rows[0]) {
			t.Errorf("%s: row %q has %d cells, want %d", name, line, len(cells), len(rows[0]))
		}
	}
	if len(rows) < 2 {
		t.Errorf("%s has %d rows, want a header and more", name, len(rows))
	}
	return rows
}

func claims(t *testing.T, text string) {
	t.Helper()
	rows := rectangular(t, "claims.tsv", text)
	if got, want := strings.Join(rows[0], " "), "paper item claim published model relation holds note kind"; got != want {
		t.Fatalf("the header of claims.tsv is %q, want %q", got, want)
	}
	seen := map[string]int{}
	for _, r := range rows[1:] {
		seen[r[0]+" "+r[1]]++
		for i, cell := range r[:7] {
			if cell == "" {
				t.Errorf("claims.tsv: row %q has no %s", r, rows[0][i])
			}
		}
		if !slices.Contains([]string{"yes", "extends"}, r[6]) && (r[6] != "no" || r[7] == "") {
			t.Errorf("claims.tsv: row %q, want yes, extends, or no and a note", r)
		}
		if n := utf8.RuneCountInString(r[7]); n > 200 {
			t.Errorf("claims.tsv: row %q has a note of %d characters, want at most 200", r, n)
		}
		if !slices.Contains([]string{"measured", "constructed", "theory", "beyond"}, r[8]) {
			t.Errorf("claims.tsv: row %q is of the kind %q", r, r[8])
		}
		if slices.Contains(exactItems, r[0]+" "+r[1]) && r[6] == "no" && r[2] != needsSeeds {
			t.Errorf("claims.tsv: row %q, want yes", r)
		}
	}
	for paper, items := range columns {
		for item := range items {
			if seen[paper+" "+item] == 0 {
				t.Errorf("claims.tsv has no row for %s of %s", item, paper)
			}
		}
	}
	if seen["whatif policies"] == 0 {
		t.Error("claims.tsv has no row for policies of whatif")
	}
}

func TestCircumflexAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("long: draws every figure")
	}
	alone(t, "circumflex", files(t, circumflex.Main, "-quick", "-max", "20", "-batchsum"))
}

// alone checks what the example of one paper wrote.
func alone(t *testing.T, paper string, got map[string]string) {
	t.Helper()
	if want := filesOf(paper); !slices.Equal(names(got), want) {
		t.Errorf("%s wrote %q, want %q", paper, names(got), want)
	}
	for item, columns := range columns[paper] {
		if rows := rectangular(t, item, got[paper+"-"+item+".tsv"]); strings.Join(rows[0], " ") != columns {
			t.Errorf("the columns of %s-%s.tsv are %q, want %q", paper, item, strings.Join(rows[0], " "), columns)
		}
	}
}

func TestOnlyNothing(t *testing.T) {
	var out, errs bytes.Buffer
	dir := filepath.Join(t.TempDir(), "none")
	if code := figures.Main([]string{"-only", "nosuch", "-out", dir}, &out, &errs); code != 2 || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("figures -only nosuch = %d, stdout %q, stderr %q, want 2 and one line on stderr", code, out.String(), errs.String())
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("figures -only nosuch made a directory")
	}
}

func TestBadFlags(t *testing.T) {
	for name, main := range map[string]program{"figures": figures.Main, "hfsp": hfsp.Main, "circumflex": circumflex.Main, "dynamicshare": dynamicshare.Main, "dynprio": dynprio.Main, "shufflewatcher": shufflewatcher.Main} {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, []byte("no trace\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"-nosuch"}, {"-seed", "-1"}, {"stray"}, {"-out", ""}, {"-out", filepath.Join(file, "x")},
			{"-out", t.TempDir(), "-trace", file}, {"-out", t.TempDir(), "-trace", file + "x"}} {
			var out, errs bytes.Buffer
			if code := main(args, &out, &errs); code != 2 || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 || !strings.HasPrefix(errs.String(), name+": ") {
				t.Errorf("%s %q = %d, stdout %q, stderr %q, want 2 and one line on stderr", name, args, code, out.String(), errs.String())
			}
		}
		var out, errs bytes.Buffer
		if code := main([]string{"--help"}, &out, &errs); code != 0 || errs.Len() > 0 || !strings.Contains(out.String(), "claims.tsv") || !strings.Contains(out.String(), "-quick") || !strings.Contains(out.String(), "on two cores") {
			t.Errorf("%s --help = %d, stdout %q, stderr %q", name, code, out.String(), errs.String())
		}
	}
}
